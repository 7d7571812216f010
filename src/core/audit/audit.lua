-- Writes entries down along with what the rest of a script changes. The last two KEYS are the entries and their head. The
-- last of ARGV is how many entries there are; before it stands the hash of the head they were made after, and then each
-- one's number, text and hash.
local auditCount = tonumber(ARGV[#ARGV])
local auditFirst = #ARGV - 3 * auditCount
local function auditIsStale()
  if auditCount == 0 then return false end
  return (redis.call('HGET', KEYS[#KEYS], 'hash') or '') ~= ARGV[auditFirst - 1]
end
local function auditWrite()
  local before = ARGV[auditFirst - 1]
  for at = auditFirst, #ARGV - 1, 3 do
    redis.call('XADD', KEYS[#KEYS - 1], '*', 'n', ARGV[at], 'b', before, 'e', ARGV[at + 1], 'h', ARGV[at + 2])
    redis.call('HSET', KEYS[#KEYS], 'seq', ARGV[at], 'hash', ARGV[at + 2])
    before = ARGV[at + 2]
  end
end
