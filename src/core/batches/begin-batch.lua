-- Turns a request into a batch: uses up what was shown and the button, and writes a request down for each operation that
-- it will begin. Without that request an operation can't begin, which is how a batch is stopped.
-- KEYS: request, open requests, batch, open batches, preview, what can be asked for once after another batch, requests of its operations …, ...
-- ARGV: batch id (the request's own), record, due at (ms), 'preview' where one was confirmed, which must still be there, or
--       '', 'once' where that is asked for or '', ms to remember what is used up,
--       how many operations, ms to keep their requests, ms to keep a batch that nobody brings to its end, ...
local function forget()
  redis.call('DEL', KEYS[1])
  redis.call('ZREM', KEYS[2], ARGV[1])
end
if redis.call('EXISTS', KEYS[3]) == 1 then
  forget()
  return { 'begun', ARGV[1] }
end
if redis.call('EXISTS', KEYS[1]) == 0 then return { 'gone', '' } end
if ARGV[4] ~= '' and redis.call('EXISTS', KEYS[5]) == 0 then return { 'unconfirmed', '' } end
local brought = {}
if ARGV[4] ~= '' then table.insert(brought, KEYS[5]) end
if ARGV[5] ~= '' then table.insert(brought, KEYS[6]) end
for _, key in ipairs(brought) do
  local usedBy = redis.call('HGET', key, 'usedBy')
  if usedBy then return { 'used', usedBy } end
end
for _, key in ipairs(brought) do
  redis.call('HSET', key, 'usedBy', ARGV[1])
  redis.call('PEXPIRE', key, ARGV[6])
end
redis.call('HSET', KEYS[3], 'version', 1, 'record', ARGV[2])
redis.call('PEXPIRE', KEYS[3], ARGV[9])
redis.call('ZADD', KEYS[4], ARGV[3], ARGV[1])
for at = 7, 6 + tonumber(ARGV[7]) do redis.call('SET', KEYS[at], ARGV[1], 'PX', ARGV[8]) end
auditWrite()
forget()
return { 'begun', ARGV[1] }
