-- Moves a batch one step, if nobody else moved it meanwhile, and takes back the requests of operations that are not to
-- begin any more.
-- KEYS: record, index, requests …, ...
-- ARGV: id, version it was read at, record, due at (ms), or '' where it is closed, ms to keep a closed one,
--       how many requests, ...
if not indexedIs(KEYS[1], ARGV[2]) then return 0 end
indexedPut(KEYS[1], KEYS[2], ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5])
for at = 3, 2 + tonumber(ARGV[6]) do redis.call('DEL', KEYS[at]) end
auditWrite()
return 1
