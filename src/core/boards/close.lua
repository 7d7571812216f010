-- Ends a board on which nothing has changed since its lines were read. 1 where it is closed, 0 where something has.
-- KEYS: lines, open boards, current board of the place
-- ARGV: board id, rev and number of members when its lines were read
local now = redis.call('HMGET', KEYS[1], 'rev', 'joined')
if (now[1] or '0') ~= ARGV[2] or (now[2] or '0') ~= ARGV[3] then return 0 end
redis.call('ZREM', KEYS[2], ARGV[1])
if redis.call('GET', KEYS[3]) == ARGV[1] then redis.call('DEL', KEYS[3]) end
return 1
