-- Erases an installation, and notes that what is kept of its workspace is to be erased as well. 1 where there was one.
-- KEYS: installations, workspaces that removed the bot
-- ARGV: workspace
if redis.call('HDEL', KEYS[1], ARGV[1]) == 0 then return 0 end
redis.call('ZADD', KEYS[2], redis.call('TIME')[1] * 1000, ARGV[1])
return 1
