-- Slack refused a message of a lane for its limit: nobody calls before its pause is over, and then one after another. Who
-- waits keeps the order and the distance to those before.
-- KEYS: lane
-- ARGV: the pause (ms), gap between two while nothing was refused (ms), largest gap (ms), ms to keep a lane in which
--       nobody waits
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local lane = redis.call('HMGET', KEYS[1], 'gap', 'pausedUntil', 'nextAt', 'paused')
local gap, before = tonumber(lane[1] or 0), tonumber(lane[2] or 0)
local nextAt, paused = tonumber(lane[3] or 0), tonumber(lane[4] or 0)
-- Several that were under way together are refused together, which says no more than one.
if gap < tonumber(ARGV[2]) then gap = tonumber(ARGV[2])
elseif now > before then gap = math.min(gap * 1.25, tonumber(ARGV[3])) end
local pausedUntil = math.max(before, now + tonumber(ARGV[1]))
local longer = pausedUntil - math.max(now, before)
nextAt = math.max(nextAt, math.max(now, before)) + longer
redis.call('HSET', KEYS[1], 'pausedUntil', pausedUntil, 'gap', math.floor(gap), 'nextAt', nextAt,
  'paused', paused + longer)
redis.call('PEXPIRE', KEYS[1], math.ceil(nextAt - now) + ARGV[4])
return 1
