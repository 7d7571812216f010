-- Puts a record in place of the version it was made from, if nobody else did meanwhile, with the entry that records it.
-- KEYS: record, ... · ARGV: version it was read at ('0' for none), record, ...
if (redis.call('HGET', KEYS[1], 'version') or '0') ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'version', ARGV[1] + 1, 'record', ARGV[2])
auditWrite()
return 1
