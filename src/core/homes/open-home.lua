-- A person looks at their Home: it counts as open for a while longer.
-- KEYS: home, open homes
-- ARGV: user id, team id or '', channel id, now (ms), open until (ms), most at once, how long both are kept (ms),
--       until when the asking process publishes it (ms), or '' where it is only used
-- Gives { whether it was closed before, the version to publish as, or 0 where somebody else publishes it }.
local wasClosed = redis.call('ZSCORE', KEYS[2], ARGV[1]) == false
redis.call('HSET', KEYS[1], 'team', ARGV[2], 'channel', ARGV[3], 'until', ARGV[5])
redis.call('PEXPIRE', KEYS[1], ARGV[7])
redis.call('ZADD', KEYS[2], ARGV[5], ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', ARGV[4])
-- The first to end was used longest ago.
redis.call('ZREMRANGEBYRANK', KEYS[2], 0, -tonumber(ARGV[6]) - 1)
redis.call('PEXPIRE', KEYS[2], ARGV[7])
local answer = { wasClosed and 1 or 0, 0 }
if ARGV[8] == '' then return answer end
local busyUntil = tonumber(redis.call('HGET', KEYS[1], 'busyUntil') or '0')
if busyUntil > tonumber(ARGV[4]) then return answer end
redis.call('HSET', KEYS[1], 'busyUntil', ARGV[8])
redis.call('HDEL', KEYS[1], 'failures', 'notBefore')
answer[2] = redis.call('HINCRBY', KEYS[1], 'version', 1)
return answer
