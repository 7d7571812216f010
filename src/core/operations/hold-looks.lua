-- The process that looks at the hosting service goes on for a while longer.
-- KEYS: who looks · ARGV: id of the process, ms for which it looks
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 1
