-- Has one process publish a Home, if nothing was published there since it read the version.
-- KEYS: home · ARGV: version, now (ms), until when it is published (ms)
if redis.call('HGET', KEYS[1], 'version') ~= ARGV[1] then return 0 end
if tonumber(redis.call('HGET', KEYS[1], 'busyUntil') or '0') > tonumber(ARGV[2]) then return 0 end
redis.call('HSET', KEYS[1], 'busyUntil', ARGV[3])
return redis.call('HINCRBY', KEYS[1], 'version', 1)
