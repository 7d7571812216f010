-- Writes down what a request is answered with, so that it is told the same however often its job runs. What was
-- begun, or decided by another, stays as it is.
-- KEYS: request, reply
-- ARGV: record, how long it is kept (ms)
if redis.call('DEL', KEYS[1]) == 0 then return 0 end
redis.call('SET', KEYS[2], ARGV[1], 'PX', ARGV[2])
return 1
