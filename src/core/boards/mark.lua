-- Notes what was done with lines of a board that is still there.
-- KEYS: lines
-- ARGV: field and value of each mark
if redis.call('EXISTS', KEYS[1]) == 1 then redis.call('HSET', KEYS[1], unpack(ARGV)) end
return 1
