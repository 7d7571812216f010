-- Writes a request down before it is acknowledged.
-- KEYS: request, open requests, delivery
-- ARGV: request id, record, latest moment this may happen (ms, by Redis' own clock), how long the delivery is remembered (ms),
--       how long the record is kept (ms), by when it is filed for the sweep (ms), token of who takes it
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if now > tonumber(ARGV[3]) then
  -- The driver sends again what it has no answer to, and what it wrote the first time stands.
  if redis.call('GET', KEYS[3]) == ARGV[7] and redis.call('EXISTS', KEYS[1]) == 1 then return 'accepted' end
  -- A command that surfaces after the person has read "nothing was done" must do nothing.
  return 'late'
end
local isFirst = redis.call('SET', KEYS[3], ARGV[7], 'NX', 'PX', ARGV[4]) ~= false
-- With its own token it was asked about before, or is sent again.
if not isFirst and redis.call('GET', KEYS[3]) ~= ARGV[7] then
  -- Two deliveries hang on one record now, and either may have been acknowledged: neither may take it back any more.
  local record = redis.call('GET', KEYS[1])
  if record then redis.call('SET', KEYS[1], record .. ' ', 'KEEPTTL') end
  return 'duplicate'
end
redis.call('SET', KEYS[1], ARGV[2], 'NX', 'PX', ARGV[5])
redis.call('ZADD', KEYS[2], ARGV[6], ARGV[1])
return 'accepted'
