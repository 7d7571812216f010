-- Slack refused a message of a lane for its limit: nobody calls before its pause is over, and then one after another. Who
-- waits keeps the order and the distance to those before.
-- KEYS: lane
-- ARGV: now (ms), the pause (ms), gap between two while nothing was refused (ms), largest gap (ms), ms to keep a lane in which
--       nobody waits
local now = tonumber(ARGV[1])
local lane = readLane(KEYS[1])
local before = lane.pausedUntil
-- Several that were under way together are refused together, which says no more than one.
if lane.gap < tonumber(ARGV[3]) then lane.gap = tonumber(ARGV[3])
elseif now > before then lane.gap = math.min(lane.gap * 1.25, tonumber(ARGV[4])) end
lane.pausedUntil = math.max(before, now + tonumber(ARGV[2]))
local longer = lane.pausedUntil - math.max(now, before)
lane.nextAt = math.max(lane.nextAt, math.max(now, before)) + longer
lane.paused = lane.paused + longer
writeLane(KEYS[1], lane, now, ARGV[5])
return 1
