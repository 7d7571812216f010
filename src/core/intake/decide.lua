-- Writes down what a request is answered with, so that the same is said however often its job runs. What was
-- begun, or decided by another, stays as it is.
-- KEYS: request, reply, the operation and the batch that it may have begun, ...
-- ARGV: record, how long it is kept (ms), ...
if redis.call('EXISTS', KEYS[1]) == 1 then
  redis.call('DEL', KEYS[1])
  redis.call('SET', KEYS[2], ARGV[1], 'PX', ARGV[2])
  auditWrite()
  return 'decided'
end
if redis.call('EXISTS', KEYS[3], KEYS[4]) > 0 then return 'begun' end
-- Another run decided it, or it was revoked.
return 'gone'
