-- Takes a request back that may have been written although nobody heard so: only as this very delivery wrote it.
-- KEYS: request, open requests, delivery
-- ARGV: request id, record
if redis.call('GET', KEYS[1]) == ARGV[2] then
  redis.call('DEL', KEYS[1], KEYS[3])
  redis.call('ZREM', KEYS[2], ARGV[1])
  return 'not taken'
end
-- Another delivery of the same was taken, or this one is begun or decided already.
if redis.call('EXISTS', KEYS[3]) == 1 then return 'taken' end
return 'not taken'
