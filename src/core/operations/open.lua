-- Lists the open operations by when their next step is due, each with its version.
-- KEYS: open operations · ARGV: most at once, key prefix of operations
local answer = {}
for _, id in ipairs(redis.call('ZRANGE', KEYS[1], 0, ARGV[1] - 1)) do
  answer[#answer + 1] = id
  answer[#answer + 1] = redis.call('HGET', ARGV[2] .. id, 'version') or ''
end
return answer
