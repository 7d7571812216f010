-- Slack refused a message of a lane for its limit: nobody calls before its pause is over, and then one after another.
-- KEYS: lane
-- ARGV: the pause (ms), gap between two while nothing was refused (ms), largest gap (ms), ms to keep the lane
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local until_ = now + tonumber(ARGV[1])
local lane = redis.call('HMGET', KEYS[1], 'gap', 'pausedUntil')
local gap, pausedUntil = tonumber(lane[1] or 0), tonumber(lane[2] or 0)
-- Several that were under way together are refused together, which says no more than one.
if gap < tonumber(ARGV[2]) then gap = tonumber(ARGV[2])
elseif now > pausedUntil then gap = math.min(gap * 1.25, tonumber(ARGV[3])) end
redis.call('HSET', KEYS[1], 'pausedUntil', math.max(pausedUntil, until_), 'gap', math.floor(gap),
  'nextAt', math.max(pausedUntil, until_))
redis.call('PEXPIRE', KEYS[1], ARGV[4])
return 1
