-- Sets an operation's row on its board. Gives 'same' where it says so already, 'wake' where the board's job may sleep,
-- and 'set' where it has been woken for that already.
-- No commit, for the reason that assign.lua names: all rows of a board move its one counter.
-- KEYS: rows, board record, open boards
-- ARGV: operation id, row, board id, 2 for what people wait for and 1 for progress, ms to keep a board,
--       'ended' where the row tells an end, 'new' where it only counts as long as there is none, or '', now (ms)
local before = redis.call('HMGET', KEYS[1], 'row:' .. ARGV[1], 'ended:' .. ARGV[1], 'unread')
local row, ended, unread = before[1], before[2], tonumber(before[3] or 0)
if row == ARGV[2] then return 'same' end
if ARGV[6] == 'new' and row then return 'same' end
-- A process that slept meanwhile must not put an old row over an end.
if ARGV[6] ~= 'ended' and ended then return 'same' end
local rev = redis.call('HINCRBY', KEYS[1], 'rev', 1)
local fields = { 'row:' .. ARGV[1], ARGV[2], 'rev:' .. ARGV[1], rev }
local function set(name, value)
  fields[#fields + 1] = name
  fields[#fields + 1] = value
end
if ARGV[6] == 'ended' then set('ended:' .. ARGV[1], 1) end
if ARGV[4] == '2' then set('awaited', rev) end
if unread < tonumber(ARGV[4]) then set('unread', ARGV[4]) end
redis.call('HSET', KEYS[1], unpack(fields))
redis.call('ZADD', KEYS[3], 'LT', ARGV[7], ARGV[3])
-- A board lives for days, and need not be kept for longer at each row.
if rev % 16 == 1 then
  redis.call('PEXPIRE', KEYS[1], ARGV[5])
  redis.call('PEXPIRE', KEYS[2], ARGV[5])
end
return unread >= tonumber(ARGV[4]) and 'set' or 'wake'
