-- Puts a watch in place of the version it was made from, if nobody else did meanwhile, with what it saw.
-- KEYS: watch, open watches
-- ARGV: id, version it was read at ('0' for none), record, next step due at (ms or +inf), or '' where it is closed,
--       ms to keep it from now on, what was seen, or '' where that stays as it is, ids of all that may be open, or ''
--       where any may
if not indexedIs(KEYS[1], ARGV[2]) then return 0 end
if ARGV[7] ~= '' then
  local known = {}
  for _, id in ipairs(cjson.decode(ARGV[7])) do known[id] = true end
  for _, id in ipairs(redis.call('ZRANGE', KEYS[2], 0, -1)) do
    if not known[id] then return 0 end
  end
end
indexedPut(KEYS[1], KEYS[2], ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5])
if ARGV[6] ~= '' then redis.call('HSET', KEYS[1], 'seen', ARGV[6]) end
return 1
