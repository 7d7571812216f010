-- Writes down what came of publishing a Home, unless somebody else publishes it by now.
-- KEYS: home · ARGV: version, hash of what it shows or '', failures in a row, not before (ms)
if redis.call('HGET', KEYS[1], 'version') ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'shown', ARGV[2], 'failures', ARGV[3], 'notBefore', ARGV[4])
redis.call('HDEL', KEYS[1], 'busyUntil')
return 1
