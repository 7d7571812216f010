-- Gives a message its turn in a lane: now, or one moment each, in the order in which they ask.
-- KEYS: lane
-- ARGV: now (ms), the place it was given before (ms, or ''), gap between two (ms), how many may go ahead of that gap after a
--       quiet time, ms to keep a lane in which nobody waits, 'yields' where it takes no place that others could have, or ''
-- Gives: the moment of its turn (ms; 0 for now), its place (a moment as if no pause had come since the lane began; '' for
--        none)
local now = tonumber(ARGV[1])
local lane = readLane(KEYS[1])
local gap = math.max(tonumber(ARGV[3]), lane.gap)
-- Since Slack refused something, none follows too close on another.
local soonest = math.max(now, lane.pausedUntil)
if lane.gap > 0 then soonest = math.max(soonest, lane.lastAt + gap) end

local given = tonumber(ARGV[2])
if given then
  -- Its place moved back with each pause, and was counted as it was given.
  local turn = math.max(soonest, given + lane.paused)
  if turn > now then return { math.ceil(turn), ARGV[2] } end
  lane.lastAt = now
  writeLane(KEYS[1], lane, now, ARGV[5])
  return { 0, '' }
end
local ahead = lane.gap > 0 and 0 or tonumber(ARGV[4]) * gap
-- Without bursts the next would go out at `nextAt`.
local turn = math.max(soonest, lane.nextAt - ahead)
local isNow = turn <= now
if not isNow and ARGV[6] == 'yields' then return { math.ceil(turn), '' } end
lane.nextAt = math.max(lane.nextAt, turn) + gap
if isNow then lane.lastAt = now end
writeLane(KEYS[1], lane, now, ARGV[5])
if isNow then return { 0, '' } end
return { math.ceil(turn), tostring(math.ceil(turn - lane.paused)) }
