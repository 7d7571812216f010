-- Puts an operation's line on its board. Gives 'same' where it says so already, 'wake' where the board's job may sleep,
-- and 'put' where it has been woken for that already.
-- KEYS: lines, board record, open boards
-- ARGV: operation id, line, board id, 2 for what people wait for and 1 for progress, ms to keep a board,
--       'ended' where the line tells an end, 'new' where it only counts as long as there is none, or ''
if redis.call('HGET', KEYS[1], 'line:' .. ARGV[1]) == ARGV[2] then return 'same' end
if ARGV[6] == 'new' and redis.call('HEXISTS', KEYS[1], 'line:' .. ARGV[1]) == 1 then return 'same' end
-- A process that slept meanwhile must not put an old line over an end.
if ARGV[6] == 'ended' then redis.call('HSET', KEYS[1], 'ended:' .. ARGV[1], 1)
elseif redis.call('HEXISTS', KEYS[1], 'ended:' .. ARGV[1]) == 1 then return 'same' end
local rev = redis.call('HINCRBY', KEYS[1], 'rev', 1)
redis.call('HSET', KEYS[1], 'line:' .. ARGV[1], ARGV[2], 'rev:' .. ARGV[1], rev)
if ARGV[4] == '2' then redis.call('HSET', KEYS[1], 'awaited', rev) end
redis.call('PEXPIRE', KEYS[1], ARGV[5])
redis.call('PEXPIRE', KEYS[2], ARGV[5])
local time = redis.call('TIME')
redis.call('ZADD', KEYS[3], 'LT', time[1] * 1000 + math.floor(time[2] / 1000), ARGV[3])
if tonumber(redis.call('HGET', KEYS[1], 'unread') or 0) >= tonumber(ARGV[4]) then return 'put' end
redis.call('HSET', KEYS[1], 'unread', ARGV[4])
return 'wake'
