-- Puts an operation back of which Redis has lost the newest, unless somebody else moved it meanwhile.
-- KEYS: operation, open operations, watched operations, lock
-- ARGV: operation id, version that stands or '', version from now on, record, next step due at (ms), look due at (ms) or '',
--       ms to keep it
if (redis.call('HGET', KEYS[1], 'version') or '') ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], 'version', ARGV[3], 'record', ARGV[4])
redis.call('PEXPIRE', KEYS[1], ARGV[7])
redis.call('ZADD', KEYS[2], ARGV[5], ARGV[1])
if ARGV[6] ~= '' then redis.call('ZADD', KEYS[3], ARGV[6], ARGV[1]) end
redis.call('SET', KEYS[4], ARGV[1], 'PX', ARGV[7], 'NX')
return 1
