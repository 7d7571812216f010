-- Takes one call from a key's budget, or gives how long until there is room for it.
-- KEYS: calls of the last window, calls of the caller's own part, pause, queue of tickets, until when tickets count
-- ARGV: window (ms), most calls in it for the caller, own part's window (ms), most calls in that or '', ticket or '', its
--       score, ms that a ticket counts after its call is due, now (ms)
-- Gives: ms to wait (0: taken), place in the queue (1 is the first; 0 without a ticket), 1 where it waits for nothing but a
--        pause that the service asked for, else 0

-- Calls stand as 'when:how many …', the oldest first. Those of one piece of the window stand together under the time of the
-- last of them, so that none counts too short and a window is at most so many pieces long.
local PIECES = 60

local function read(text, window, most, now)
  local part = { window = window, most = most, calls = {}, used = 0 }
  for at, count in string.gmatch(text or '', '(%d+):(%d+)') do
    at, count = tonumber(at), tonumber(count)
    if at > now - window then
      table.insert(part.calls, { at = at, count = count })
      part.used = part.used + count
    end
  end
  return part
end

local function waitOf(part, ahead, now)
  -- So many calls must be out of the window before everybody ahead and this one fit in.
  local leaving = part.used + ahead + 1 - part.most
  if leaving <= 0 then return 0 end
  local whole = math.floor((leaving - 1) / part.most)
  local before = math.min((leaving - 1) % part.most, math.max(part.used - 1, 0))
  local at = now
  for _, call in ipairs(part.calls) do
    at = call.at
    before = before - call.count
    if before < 0 then break end
  end
  return math.max(at + part.window - now + whole * part.window, 1)
end

local function write(key, part, now)
  local piece = math.max(1, math.floor(part.window / PIECES))
  local last = part.calls[#part.calls]
  -- Another process may be ahead by a little.
  local at = math.max(now, last and last.at or 0)
  if last and math.floor(last.at / piece) == math.floor(at / piece) then
    last.at, last.count = at, last.count + 1
  else
    table.insert(part.calls, { at = at, count = 1 })
  end
  local texts = {}
  for index, call in ipairs(part.calls) do texts[index] = string.format('%.0f:%d', call.at, call.count) end
  redis.call('SET', key, table.concat(texts, ' '), 'PX', math.ceil(part.window))
end

local now = tonumber(ARGV[8])
local ticket = ARGV[5]

local ahead, isQueued = 0, false
-- An empty queue is no key.
if ticket ~= '' and redis.call('EXISTS', KEYS[4]) == 1 then
  -- Nobody has asked for these for long: the process that held them is gone.
  for _, dead in ipairs(redis.call('ZRANGEBYSCORE', KEYS[5], '-inf', now)) do
    redis.call('ZREM', KEYS[4], dead)
    redis.call('ZREM', KEYS[5], dead)
  end
  redis.call('ZADD', KEYS[4], 'NX', ARGV[6], ticket)
  ahead = redis.call('ZRANK', KEYS[4], ticket)
  isQueued = true
end

local kept = redis.call('MGET', KEYS[1], KEYS[2], KEYS[3])
local parts = { read(kept[1], tonumber(ARGV[1]), tonumber(ARGV[2]), now) }
if ARGV[4] ~= '' then parts[2] = read(kept[2], tonumber(ARGV[3]), tonumber(ARGV[4]), now) end
local paused = math.max(tonumber(kept[3] or 0) - now, 0)
local wait = paused
for _, part in ipairs(parts) do wait = math.max(wait, waitOf(part, ahead, now)) end
local isPause = (wait == paused) and 1 or 0

if wait == 0 then
  for index, part in ipairs(parts) do write(KEYS[index], part, now) end
  if isQueued then
    redis.call('ZREM', KEYS[4], ticket)
    redis.call('ZREM', KEYS[5], ticket)
  end
  return { 0, 0, 0 }
end
if ticket ~= '' then
  if not isQueued then redis.call('ZADD', KEYS[4], ARGV[6], ticket) end
  redis.call('ZADD', KEYS[5], now + wait + ARGV[7], ticket)
  redis.call('PEXPIRE', KEYS[4], wait + ARGV[7])
  redis.call('PEXPIRE', KEYS[5], wait + ARGV[7])
  return { math.ceil(wait), ahead + 1, isPause }
end
return { math.ceil(wait), 0, isPause }
