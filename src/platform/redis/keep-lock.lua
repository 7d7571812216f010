-- Keeps a lock for a while, or gives it back, if it is still the caller's. Gives 1 if it was.
-- KEYS: lock · ARGV: its owner, ms, or 0 to give it back
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
if ARGV[2] == '0' then redis.call('DEL', KEYS[1]) else redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return 1
