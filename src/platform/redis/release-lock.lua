-- Gives a lock back if it is still its owner's.
-- KEYS: lock
-- ARGV: owner
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('DEL', KEYS[1])
