-- Gives a message its turn in a lane: now, or one moment each, in the order in which they ask.
-- KEYS: lane
-- ARGV: the place it was given before (ms, or ''), gap between two (ms), how many may go ahead of that gap after a quiet
--       time, ms to keep a lane in which nobody waits, 'yields' where it takes no place that others could have, or ''
-- Gives: the moment of its turn (ms; 0 for now), its place (a moment as if no pause had come since the lane began; '' for
--        none)
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local lane = redis.call('HMGET', KEYS[1], 'nextAt', 'pausedUntil', 'gap', 'lastAt', 'paused')
-- Without bursts the next would go out at `nextAt`.
local nextAt, pausedUntil = tonumber(lane[1] or 0), tonumber(lane[2] or 0)
local refusedGap, lastAt, paused = tonumber(lane[3] or 0), tonumber(lane[4] or 0), tonumber(lane[5] or 0)
local gap = math.max(tonumber(ARGV[2]), refusedGap)
-- Since Slack refused something, none follows too close on another.
local soonest = math.max(now, pausedUntil)
if refusedGap > 0 then soonest = math.max(soonest, lastAt + gap) end

local given = tonumber(ARGV[1])
if given then
  -- Its place moved back with each pause, and was counted as it was given.
  local turn = math.max(soonest, given + paused)
  if turn > now then return { math.ceil(turn), ARGV[1] } end
  redis.call('HSET', KEYS[1], 'lastAt', now)
  -- Who comes back with a place may find the lane forgotten, and has begun it again.
  if not lane[1] then redis.call('PEXPIRE', KEYS[1], ARGV[4]) end
  return { 0, '' }
end
local ahead = refusedGap > 0 and 0 or tonumber(ARGV[3]) * gap
local turn = math.max(soonest, nextAt - ahead)
local isNow = turn <= now
if not isNow and ARGV[5] == 'yields' then return { math.ceil(turn), '' } end
nextAt = math.max(nextAt, turn) + gap
if isNow then lastAt = now end
redis.call('HSET', KEYS[1], 'nextAt', nextAt, 'lastAt', lastAt)
redis.call('PEXPIRE', KEYS[1], math.ceil(nextAt - now) + ARGV[4])
if isNow then return { 0, '' } end
return { math.ceil(turn), tostring(math.ceil(turn - paused)) }
