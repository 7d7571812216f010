-- Writes what belongs together, or nothing of it, see commit.ts.
-- KEYS: those of the conditions in their order, those of the writes in theirs; then where there are entries of the audit, these
--       and the newest one's number and hash.
-- ARGV: how many conditions; for each its kind, its code, what is wanted and of which field; how many writes; for each its kind and three words;
--       then the texts of the entries.
-- Gives the code of the first condition that does not hold and what stands there instead; 'written' where all hold.
local place, argument = 0, 0
local function nextKey()
  place = place + 1
  return KEYS[place]
end
local function nextWord()
  argument = argument + 1
  return ARGV[argument]
end

local CONDITIONS = {
  unchanged = function(key, wanted)
    local found = redis.call('HGET', key, 'version') or '0'
    return found == wanted, found
  end,
  there = function(key) return redis.call('EXISTS', key) == 1 end,
  absent = function(key)
    if redis.call('EXISTS', key) == 0 then return true end
    -- What stands in a lock is its holder.
    return false, redis.call('TYPE', key).ok == 'string' and redis.call('GET', key) or ''
  end,
  same = function(key, wanted)
    local found = redis.call('GET', key)
    return found == wanted, found
  end,
  holds = function(key, wanted, name)
    local found = redis.call('HGET', key, name) or ''
    return found == wanted, found
  end,
  newest = function(key, wanted)
    local found = redis.call('LINDEX', key, 0) or ''
    return found == wanted, found
  end,
  unused = function(key)
    local usedBy = redis.call('HGET', key, 'usedBy')
    return not usedBy, usedBy
  end,
  filed = function(key, wanted) return redis.call('ZSCORE', key, wanted) and true end,
  fewer = function(key, wanted) return redis.call('ZCARD', key) < tonumber(wanted) end,
  among = function(key, wanted)
    local known = {}
    for _, id in ipairs(cjson.decode(wanted)) do known[id] = true end
    for _, id in ipairs(redis.call('ZRANGE', key, 0, -1)) do
      if not known[id] then return false, id end
    end
    return true
  end,
}

-- Each is given three words.
local WRITES = {
  record = function(key, version, text, keptMs)
    redis.call('HSET', key, 'version', version, 'record', text)
    if keptMs ~= '' then redis.call('PEXPIRE', key, keptMs) end
  end,
  file = function(key, id, due) redis.call('ZADD', key, due, id) end,
  unfile = function(key, id) redis.call('ZREM', key, id) end,
  set = function(key, text, keptMs) redis.call('SET', key, text, 'PX', keptMs) end,
  field = function(key, name, text) redis.call('HSET', key, name, text) end,
  unfield = function(key, name) redis.call('HDEL', key, name) end,
  use = function(key, by, keptMs)
    redis.call('HSET', key, 'usedBy', by)
    redis.call('PEXPIRE', key, keptMs)
  end,
  remove = function(key) redis.call('DEL', key) end,
  claim = function(key, holder, keptMs) redis.call('SET', key, holder, 'PX', keptMs, 'NX') end,
  release = function(key, holder)
    if redis.call('GET', key) == holder then redis.call('DEL', key) end
  end,
  push = function(key, text, most, keptMs)
    -- Twice as many at most: cut off now and then, and not at each.
    if redis.call('LPUSH', key, text) > 2 * most then redis.call('LTRIM', key, 0, most - 1) end
    redis.call('PEXPIRE', key, keptMs)
  end,
  first = function(key, name, text, most)
    if redis.call('HLEN', key) < tonumber(most) then redis.call('HSETNX', key, name, text) end
  end,
  keep = function(key, keptMs) redis.call('PEXPIRE', key, keptMs) end,
  trim = function(key, firstKept) redis.call('XTRIM', key, 'MINID', firstKept) end,
}

for _ = 1, tonumber(nextWord()) do
  local kind, code, wanted, name = nextWord(), nextWord(), nextWord(), nextWord()
  local holds, found = CONDITIONS[kind](nextKey(), wanted, name)
  if not holds then return { code, found or '' } end
end
local count = tonumber(nextWord())
local entriesFrom = argument + 4 * count + 1
-- Read before anything is changed: an audit that can't be read lets nothing be changed.
local newest = #ARGV >= entriesFrom and redis.call('HMGET', KEYS[#KEYS], 'seq', 'hash')
for _ = 1, count do
  local kind, first, second, third = nextWord(), nextWord(), nextWord(), nextWord()
  WRITES[kind](nextKey(), first, second, third)
end
if newest then
  local seq, hash = tonumber(newest[1] or '0'), newest[2] or ''
  for at = entriesFrom, #ARGV do
    seq = seq + 1
    local before = hash
    hash = redis.sha1hex(seq .. '\n' .. before .. '\n' .. ARGV[at])
    redis.call('XADD', KEYS[#KEYS - 1], '*', 'n', seq, 'b', before, 'e', ARGV[at], 'h', hash)
  end
  redis.call('HSET', KEYS[#KEYS], 'seq', seq, 'hash', hash)
end
return { 'written', '' }
