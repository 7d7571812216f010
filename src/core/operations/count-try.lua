-- Counts a try at an operation that is there still. Gives how many there were.
-- KEYS: operation
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
return redis.call('HINCRBY', KEYS[1], 'tries', 1)
