-- Lists the open Homes, and forgets those that nobody has looked at for a while.
-- KEYS: open homes · ARGV: now (ms), key prefix of homes
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ARGV[1])
local answer = {}
for _, id in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do
  local home = redis.call('HMGET', ARGV[2] .. id,
    'team', 'channel', 'until', 'version', 'shown', 'busyUntil', 'failures', 'notBefore')
  local fields = { id }
  for _, value in ipairs(home) do fields[#fields + 1] = value or '' end
  answer[#answer + 1] = fields
end
return answer
