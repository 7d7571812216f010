-- Gives a message its turn in a lane: 0 for now, or one moment each, in the order in which they ask.
-- KEYS: lane
-- ARGV: the moment it was given before (ms, or ''), gap between two (ms), how many may go ahead of that gap after a quiet
--       time, ms to keep the lane
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local lane = redis.call('HMGET', KEYS[1], 'nextAt', 'pausedUntil', 'gap', 'lastAt')
-- Without bursts the next would go out at `nextAt`.
local nextAt, pausedUntil = tonumber(lane[1] or 0), tonumber(lane[2] or 0)
local refusedGap, lastAt = tonumber(lane[3] or 0), tonumber(lane[4] or 0)
local gap = math.max(tonumber(ARGV[2]), refusedGap)
local ahead = refusedGap > 0 and 0 or tonumber(ARGV[3]) * gap
local given = tonumber(ARGV[1])
-- A moment given before a pause counts no more; nor, since Slack refused something, one that would follow too close on another.
local isSpaced = refusedGap == 0 or now >= lastAt + gap
if given and given >= pausedUntil and given <= now and isSpaced then
  redis.call('HSET', KEYS[1], 'lastAt', now)
  return 0
end
local turn = math.max(now, pausedUntil)
if refusedGap > 0 then turn = math.max(turn, lastAt + gap) end
-- Whoever waits already keeps a moment before those who ask for the first time.
if not given or given < pausedUntil then turn = math.max(turn, nextAt - ahead) end
redis.call('HSET', KEYS[1], 'nextAt', math.max(nextAt, turn) + gap)
redis.call('PEXPIRE', KEYS[1], ARGV[4])
if turn > now then return math.ceil(turn) end
redis.call('HSET', KEYS[1], 'lastAt', now)
return 0
