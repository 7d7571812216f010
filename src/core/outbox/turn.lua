-- Gives a message its turn in a lane: 0 for now, or one moment each, in the order in which they ask.
-- KEYS: lane
-- ARGV: the moment it was given before (ms, or ''), gap between two while nothing was refused (ms), ms to keep the lane
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local lane = redis.call('HMGET', KEYS[1], 'nextAt', 'pausedUntil', 'gap', 'lastAt')
local nextAt, pausedUntil = tonumber(lane[1] or 0), tonumber(lane[2] or 0)
local gap, lastAt = tonumber(lane[3] or ARGV[2]), tonumber(lane[4] or 0)
local given = tonumber(ARGV[1])
-- A moment given before a pause counts no more; nor does one that would follow too close on another that came late.
if given and given >= pausedUntil and given <= now and now >= lastAt + gap then
  redis.call('HSET', KEYS[1], 'lastAt', now)
  return 0
end
local turn = math.max(now, pausedUntil, lastAt + gap)
-- Whoever waits already keeps a moment before those who ask for the first time.
if not given or given < pausedUntil then turn = math.max(turn, nextAt) end
redis.call('HSET', KEYS[1], 'nextAt', math.max(nextAt, turn + gap))
redis.call('PEXPIRE', KEYS[1], ARGV[3])
if turn > now then return turn end
redis.call('HSET', KEYS[1], 'lastAt', now)
return 0
