-- Takes one call from a key's budget, or gives how long until there is room for it.
-- KEYS: calls of the last window, calls of the caller's own part, pause, line of tickets, until when tickets count
-- ARGV: window (ms), most calls in it for the caller, own part's window (ms), most calls in that or '', id of the call,
--       ticket or '', its score, ms that a ticket counts past its turn
-- Gives: ms to wait (0: taken), place in the line (1 is the first; 0 without a ticket)
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local windows = { { KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2]) } }
if ARGV[4] ~= '' then windows[2] = { KEYS[2], tonumber(ARGV[3]), tonumber(ARGV[4]) } end
local ticket = ARGV[6]

local ahead, isInLine = 0, false
-- A line that nobody stands in is not there.
if ticket ~= '' and redis.call('EXISTS', KEYS[4]) == 1 then
  -- Nobody has asked for these for long: the process that held them is gone.
  for _, dead in ipairs(redis.call('ZRANGEBYSCORE', KEYS[5], '-inf', now)) do
    redis.call('ZREM', KEYS[4], dead)
    redis.call('ZREM', KEYS[5], dead)
  end
  redis.call('ZADD', KEYS[4], 'NX', ARGV[7], ticket)
  ahead = redis.call('ZRANK', KEYS[4], ticket)
  isInLine = true
end

local wait = 0
local pausedUntil = tonumber(redis.call('GET', KEYS[3]) or '0')
if pausedUntil > now then wait = pausedUntil - now end
for _, one in ipairs(windows) do
  local key, window, most = one[1], one[2], one[3]
  redis.call('ZREMRANGEBYSCORE', key, '-inf', now - window)
  local used = redis.call('ZCARD', key)
  -- So many calls must be out of the window before everybody ahead and this one fit in.
  local leaving = used + ahead + 1 - most
  if leaving > 0 then
    local whole = math.floor((leaving - 1) / most)
    local index = math.min((leaving - 1) % most, math.max(used - 1, 0))
    local call = redis.call('ZRANGE', key, index, index, 'WITHSCORES')
    wait = math.max(wait, tonumber(call[2] or now) + window - now + whole * window, 1)
  end
end

if wait == 0 then
  for _, one in ipairs(windows) do
    redis.call('ZADD', one[1], now, ARGV[5])
    redis.call('PEXPIRE', one[1], one[2])
  end
  if isInLine then
    redis.call('ZREM', KEYS[4], ticket)
    redis.call('ZREM', KEYS[5], ticket)
  end
  return { 0, 0 }
end
if ticket ~= '' then
  if not isInLine then redis.call('ZADD', KEYS[4], ARGV[7], ticket) end
  redis.call('ZADD', KEYS[5], now + wait + ARGV[8], ticket)
  redis.call('PEXPIRE', KEYS[4], wait + ARGV[8])
  redis.call('PEXPIRE', KEYS[5], wait + ARGV[8])
  return { math.ceil(wait), ahead + 1 }
end
return { math.ceil(wait), 0 }
