-- Moves a schedule one step, if nobody else moved it meanwhile. What its next run is to begin by, the request of its batch,
-- is written with the step that opens the run, and taken back with one that ends the run without a batch: so no batch
-- begins of a run that was given up, and no run is given up whose batch has begun.
-- KEYS: record, index, request, batch, ...
-- ARGV: id, version it was read at ('0' for none), record, next step due at (ms), or '' where it is closed, ms to keep it,
--       'open', 'end' or '', how many there may be, ms to keep the request, ...
if not indexedIs(KEYS[1], ARGV[2]) then return 0 end
if ARGV[2] == '0' and redis.call('ZCARD', KEYS[2]) >= tonumber(ARGV[7]) then return 'full' end
if ARGV[6] == 'end' and redis.call('EXISTS', KEYS[4]) == 1 then return 'begun' end
indexedPut(KEYS[1], KEYS[2], ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5])
if ARGV[6] == 'open' then redis.call('SET', KEYS[3], ARGV[1], 'PX', ARGV[8]) end
if ARGV[6] == 'end' then redis.call('DEL', KEYS[3]) end
auditWrite()
return 1
