-- Slack refused a message of a lane for its limit: nobody calls before its pause is over, and then one after another. Who
-- waits keeps the order.
-- KEYS: lane
-- ARGV: now (ms), the pause (ms), gap between two while nothing was refused (ms), largest gap (ms), ms to keep a lane in which
--       nobody waits
local now, every = tonumber(ARGV[1]), tonumber(ARGV[3])
local lane = readLane(KEYS[1])
ease(lane, every, now)
local before = lane.from
-- Several that were under way together are refused together, which says no more than one.
local isNew = now >= before
-- It became smaller too soon.
if isNew and lane.eased == 1 then lane.calm = math.min(lane.calm * 2, LONGEST_CALM) end
lane.place = placeAt(lane, every, now)
if lane.gap < every then lane.gap = every elseif isNew then lane.gap = math.min(lane.gap * STEP, tonumber(ARGV[4])) end
lane.from = math.max(before, now + tonumber(ARGV[2]))
lane.calmFrom, lane.eased = lane.from, 0
writeLane(KEYS[1], lane, every, now, ARGV[5])
return 1
