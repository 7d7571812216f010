-- Writes one entry down along with what the rest of a script changes. The last two KEYS are the entries and their head,
-- the last four ARGV the hash of the head it was made after, its number, its text ('' for none) and its hash.
local function auditIsStale()
  if ARGV[#ARGV - 1] == '' then return false end
  return (redis.call('HGET', KEYS[#KEYS], 'hash') or '') ~= ARGV[#ARGV - 3]
end
local function auditWrite()
  if ARGV[#ARGV - 1] == '' then return end
  redis.call('XADD', KEYS[#KEYS - 1], '*', 'n', ARGV[#ARGV - 2], 'b', ARGV[#ARGV - 3], 'e', ARGV[#ARGV - 1], 'h', ARGV[#ARGV])
  redis.call('HSET', KEYS[#KEYS], 'seq', ARGV[#ARGV - 2], 'hash', ARGV[#ARGV])
end
