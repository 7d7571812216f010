-- Turns a request into an operation: takes the subject, uses up the button, gives the approval, forgets the request.
-- KEYS: request, open requests, operation, open operations, lock, confirmation, button token, approval, open approvals, ...
-- ARGV: operation id (the request's own), record, due at (ms), key prefix of operations, ms to remember what is used up,
--       'confirmation' where one was brought, which must still be there, or '', 'token' where its button was pressed or '',
--       approval id or '', its version as it was read, its record as it is once given, or '' where it was decided
--       before, when its next step is due then (ms), ms to keep what nobody brings to its end, ...
local function forget()
  redis.call('DEL', KEYS[1])
  redis.call('ZREM', KEYS[2], ARGV[1])
end
if redis.call('EXISTS', KEYS[3]) == 1 then
  forget()
  return { 'begun before', ARGV[1] }
end
local standing = redis.call('MGET', KEYS[1], KEYS[5])
if not standing[1] then return { 'gone', '' } end
local holder = standing[2]
-- A lock without its operation holds nothing.
if holder and redis.call('EXISTS', ARGV[4] .. holder) == 1 then return { 'busy', holder } end
if ARGV[6] ~= '' and redis.call('EXISTS', KEYS[6]) == 0 then return { 'unconfirmed', '' } end
if ARGV[8] ~= '' then
  if redis.call('EXISTS', KEYS[8]) == 0 then return { 'unconfirmed', '' } end
  if not indexedIs(KEYS[8], ARGV[9]) then return { 'moved', '' } end
  if ARGV[10] == '' then return { 'decided', '' } end
end
local brought = {}
if ARGV[6] ~= '' then table.insert(brought, KEYS[6]) end
if ARGV[7] ~= '' then table.insert(brought, KEYS[7]) end
for _, key in ipairs(brought) do
  local usedBy = redis.call('HGET', key, 'usedBy')
  if usedBy then return { 'used', usedBy } end
end
for _, key in ipairs(brought) do
  redis.call('HSET', key, 'usedBy', ARGV[1])
  redis.call('PEXPIRE', key, ARGV[5])
end
if ARGV[8] ~= '' then indexedPut(KEYS[8], KEYS[9], ARGV[8], ARGV[9], ARGV[10], ARGV[11], '') end
redis.call('HSET', KEYS[3], 'version', 1, 'record', ARGV[2])
redis.call('PEXPIRE', KEYS[3], ARGV[12])
redis.call('ZADD', KEYS[4], ARGV[3], ARGV[1])
redis.call('SET', KEYS[5], ARGV[1], 'PX', ARGV[12])
auditWrite()
forget()
return { 'begun', ARGV[1] }
