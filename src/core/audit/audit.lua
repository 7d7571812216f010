-- Writes entries down along with what the rest of a script changes, each with the hash of the one before it, see chain.ts.
-- The last two KEYS are the entries and the newest one's number and hash. The last of ARGV is how many entries there are;
-- before it stands the text of each.
local auditCount = tonumber(ARGV[#ARGV])
-- Read before anything is changed: an audit that can't be read lets nothing be changed.
local auditNewest = auditCount > 0 and redis.call('HMGET', KEYS[#KEYS], 'seq', 'hash')
local function auditWrite()
  if auditCount == 0 then return end
  local seq, hash = tonumber(auditNewest[1] or '0'), auditNewest[2] or ''
  for at = #ARGV - auditCount, #ARGV - 1 do
    seq = seq + 1
    local before = hash
    hash = redis.sha1hex(seq .. '\n' .. before .. '\n' .. ARGV[at])
    redis.call('XADD', KEYS[#KEYS - 1], '*', 'n', seq, 'b', before, 'e', ARGV[at], 'h', hash)
  end
  redis.call('HSET', KEYS[#KEYS], 'seq', seq, 'hash', hash)
end
