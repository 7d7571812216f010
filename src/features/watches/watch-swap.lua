-- Puts a watch in place of the version it was made from, if nobody else did meanwhile, with what it saw.
-- KEYS: watch, open watches
-- ARGV: id, version it was read at ('0' for none), record, next step due at (ms or +inf), or '' where it is closed,
--       ms to keep it from now on, what was seen, or '' where that stays as it is
if not indexedIs(KEYS[1], ARGV[2]) then return 0 end
indexedPut(KEYS[1], KEYS[2], ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5])
if ARGV[6] ~= '' then redis.call('HSET', KEYS[1], 'seen', ARGV[6]) end
return 1
