-- Takes a lease that nobody has, or that somebody has who gives way.
-- KEYS: lease. ARGV: who takes it ('yielding:…' or 'first:…'), ms.
local holder = redis.call('GET', KEYS[1])
-- Nobody has it for longer than that: Redis' clock was set back since.
if redis.call('PTTL', KEYS[1]) > tonumber(ARGV[2]) then holder = false end
local mayTake = string.sub(ARGV[1], 1, 6) == 'first:' and holder and string.sub(holder, 1, 9) == 'yielding:'
if holder and not mayTake then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1
