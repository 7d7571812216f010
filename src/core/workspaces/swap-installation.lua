-- Puts an installation in place of the text that it was made from, if nobody else did meanwhile.
-- KEYS: installations
-- ARGV: workspace, text as it was read, text
if redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
return 1
