-- Moves an operation one step, if nobody else moved it meanwhile.
-- KEYS: operation, open operations, watched operations, lock, operations of its place with a card of their own, what was
--       done with its instance, how long its kind took, thread of its card, ...
-- ARGV: operation id, version it was read at, record, next step due at (ms, +inf, or 'keep' as it is filed),
--       look due at (ms, 'none', or 'keep' as it is filed), 'ended' or '', ms to keep a closed one or '', most to remember,
--       ms to keep that, what was done or '', how long it took or '', its instance's id where its card stands from now
--       on or '', that instance, most instances of a thread, ms to keep them, 'own card' or '' where a board shows it, ...
local FEW = 20
local function remember(key, value, isRenewedAlways)
  if value == '' then return end
  local count = redis.call('LPUSH', key, value)
  -- Twice as many at most: cut off now and then, and not at each end.
  if count > 2 * ARGV[8] then redis.call('LTRIM', key, 0, ARGV[8] - 1) end
  if isRenewedAlways or count <= FEW or count % 8 == 1 then redis.call('PEXPIRE', key, ARGV[9]) end
end
if redis.call('HGET', KEYS[1], 'version') ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], 'version', ARGV[2] + 1, 'record', ARGV[3])
if ARGV[7] ~= '' then
  redis.call('ZREM', KEYS[2], ARGV[1])
  if ARGV[16] ~= '' then redis.call('ZREM', KEYS[5], ARGV[1]) end
  redis.call('PEXPIRE', KEYS[1], ARGV[7])
elseif ARGV[4] ~= 'keep' then
  redis.call('ZADD', KEYS[2], ARGV[4], ARGV[1])
end
if ARGV[5] == 'none' then
  redis.call('ZREM', KEYS[3], ARGV[1])
elseif ARGV[5] ~= 'keep' then
  redis.call('ZADD', KEYS[3], ARGV[5], ARGV[1])
end
if ARGV[6] == 'ended' and redis.call('GET', KEYS[4]) == ARGV[1] then redis.call('DEL', KEYS[4]) end
remember(KEYS[6], ARGV[10], true)
-- Of many of a kind, the life need not be renewed at each.
remember(KEYS[7], ARGV[11], false)
if ARGV[12] ~= '' then noteAbout(KEYS[8], ARGV[12], ARGV[13], ARGV[14], ARGV[15]) end
auditWrite()
return 1
