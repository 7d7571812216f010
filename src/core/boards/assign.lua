-- Where an operation that was just begun is shown. The same answer for the same operation, however often it asks.
-- No commit: all who begin in one place move the same key, and each would be made again for every other that came before it. Of 500
-- at once each asks twice at most and all are through in 0.1 s; as commits they asked 62,000 times and took 37 s.
-- KEYS: the operation's board, operations with a card of their own in this place, current board of the place,
--       record of a new board, rows of a new board, open boards, rows of the board that the caller takes for the current one
-- ARGV: operation id, how many may have a card of their own, ms to keep those, id of a new board, its record,
--       most rows of a board, ms to keep a board, now (ms), the board that the caller takes for the current one, or ''
-- Gives { 'alone', '' } for a card of its own, { 'joined', board }, or { 'ask again', board } where that is the current one.
local assigned = redis.call('GET', KEYS[1])
if assigned then return { 'joined', assigned } end
local now = tonumber(ARGV[8])
local oldest = now - ARGV[3]
if redis.call('ZCOUNT', KEYS[2], oldest, '+inf') < tonumber(ARGV[2]) then
  redis.call('ZADD', KEYS[2], now, ARGV[1])
  redis.call('PEXPIRE', KEYS[2], ARGV[3])
  return { 'alone', '' }
end
if redis.call('ZSCORE', KEYS[2], ARGV[1]) then return { 'alone', '' } end
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', oldest)
local board, rows = redis.call('GET', KEYS[3]), KEYS[7]
if board and board ~= ARGV[9] then return { 'ask again', board } end
if not board or tonumber(redis.call('HGET', rows, 'joined') or 0) >= tonumber(ARGV[6]) then
  board, rows = ARGV[4], KEYS[5]
  redis.call('HSET', KEYS[4], 'version', 1, 'record', ARGV[5])
  redis.call('PEXPIRE', KEYS[4], ARGV[7])
  redis.call('ZADD', KEYS[6], now, board)
  redis.call('SET', KEYS[3], board, 'PX', ARGV[7])
end
redis.call('HINCRBY', rows, 'joined', 1)
redis.call('HSET', rows, 'joinedAt', now)
redis.call('PEXPIRE', rows, ARGV[7])
redis.call('SET', KEYS[1], board, 'PX', ARGV[3])
return { 'joined', board }
