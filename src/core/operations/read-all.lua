-- Reads operations.
-- ARGV: key prefix of operations, ids · Gives version and record of each; '' where there is none.
local answer = {}
for at = 2, #ARGV do
  local found = redis.call('HMGET', ARGV[1] .. ARGV[at], 'version', 'record')
  answer[#answer + 1] = found[1] or ''
  answer[#answer + 1] = found[2] or ''
end
return answer
