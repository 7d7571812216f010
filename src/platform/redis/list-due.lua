-- Lists what is due. An id whose record has expired goes: nobody could do anything for it.
-- KEYS: index · ARGV: due by (ms), most at once, key prefix of records
local found = {}
for _, id in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1], 'LIMIT', 0, ARGV[2])) do
  if redis.call('EXISTS', ARGV[3] .. id) == 1 then found[#found + 1] = id else redis.call('ZREM', KEYS[1], id) end
end
return found
