-- Gives a message its turn in a lane: now, or one moment each, in the order in which they ask.
-- KEYS: lane
-- ARGV: now (ms), the place it was given before, or '', gap between two (ms), how many may go ahead of that gap after a
--       quiet time, ms to keep a lane in which nobody waits, 'yields' where it takes no place that others could have, or ''
-- Gives: the moment of its turn (ms; 0 for now), its place ('' for none)
local now, every = tonumber(ARGV[1]), tonumber(ARGV[3])
local lane = readLane(KEYS[1])
ease(lane, every, now)
local soonest = math.max(now, lane.from)
-- Since Slack refused something, none follows too close on another.
if lane.gap > 0 then soonest = math.max(soonest, lane.lastAt + math.max(lane.gap, every)) end

local given = tonumber(ARGV[2])
if given then
  local turn = math.max(soonest, momentOf(lane, every, given))
  if turn > now then return { math.ceil(turn), ARGV[2] } end
  lane.lastAt = now
  writeLane(KEYS[1], lane, every, now, ARGV[5])
  return { 0, '' }
end
local ahead = lane.gap > 0 and 0 or tonumber(ARGV[4]) * every
-- Without bursts the next would have the place `nextAt`.
local place = math.max(placeAt(lane, every, soonest), lane.nextAt - ahead)
local turn = math.max(soonest, momentOf(lane, every, place))
local isNow = turn <= now
if not isNow and ARGV[6] == 'yields' then return { math.ceil(turn), '' } end
lane.nextAt = math.max(lane.nextAt, place) + every
if isNow then lane.lastAt = now end
writeLane(KEYS[1], lane, every, now, ARGV[5])
if isNow then return { 0, '' } end
return { math.ceil(turn), tostring(math.ceil(place)) }
