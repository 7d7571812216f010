-- Puts a record in place of the version it was made from, if nobody else did meanwhile, and files it by its next step, with
-- the entry that records it: as platform/redis/indexed-swap.lua.
-- KEYS: record, index, ...
-- ARGV: id, version it was read at ('0' for none), record, next step due at (ms or +inf), or '' where it is closed,
--       ms to keep a closed one, ...
if (redis.call('HGET', KEYS[1], 'version') or '0') ~= ARGV[2] then return 0 end
if auditIsStale() then return 'stale' end
redis.call('HSET', KEYS[1], 'version', ARGV[2] + 1, 'record', ARGV[3])
if ARGV[4] == '' then
  redis.call('ZREM', KEYS[2], ARGV[1])
  redis.call('PEXPIRE', KEYS[1], ARGV[5])
else
  redis.call('ZADD', KEYS[2], ARGV[4], ARGV[1])
end
auditWrite()
return 1
