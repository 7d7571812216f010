-- Lets nobody take a call for a while; a longer pause stays.
-- KEYS: pause. ARGV: ms, now (ms).
local till = ARGV[2] + ARGV[1]
if tonumber(redis.call('GET', KEYS[1]) or '0') < till then redis.call('SET', KEYS[1], till, 'PX', ARGV[1]) end
return 1
