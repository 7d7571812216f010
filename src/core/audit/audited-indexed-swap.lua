-- What platform/redis/indexed-swap.lua does, with the entry that records it.
-- KEYS: record, index, ...
-- ARGV: id, version it was read at ('0' for none), record, next step due at (ms or +inf), or '' where it is closed,
--       ms to keep it from now on, or '' for as long as before, ...
if not indexedIs(KEYS[1], ARGV[2]) then return 0 end
indexedPut(KEYS[1], KEYS[2], ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5])
auditWrite()
return 1
