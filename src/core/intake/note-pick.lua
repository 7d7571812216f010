-- Notes a pick in an open modal, unless a later one is known.
-- KEYS: modal
-- ARGV: when it was picked (s), ms to keep it
local latest = redis.call('HGET', KEYS[1], 'pickedAt')
if latest and tonumber(latest) > tonumber(ARGV[1]) then return 0 end
redis.call('HSET', KEYS[1], 'pickedAt', ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 1
