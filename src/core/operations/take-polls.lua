-- Gives one process at a time the lease of polling the hosting service, and the operations whose poll is due.
-- No commit: it answers with what it read, and takes the lease only where something is due by it.
-- KEYS: the lease, operations by their next poll
-- ARGV: id of the process, 'renew' to renew the lease, polls due by (ms), most at once, key prefix of operations, lease in ms
-- Gives { 'another' }, { 'none' }, or { 'mine', time of the first poll after these or '', then the id and version
-- of each that is due }.
local holder = redis.call('GET', KEYS[1])
-- A lease that lasts longer than that, or for good (-1): Redis' clock was set back since, or its keys were copied without their
-- ends, and its holder may be gone.
local left = redis.call('PTTL', KEYS[1])
local isHeld = holder and left >= 0 and left <= tonumber(ARGV[6])
if isHeld and holder ~= ARGV[1] then return { 'another' } end
-- Mostly a few are polled, and all that are due stand among the first.
local FEW = 16
local first = redis.call('ZRANGE', KEYS[2], 0, FEW - 1, 'WITHSCORES')
if #first == 0 then
  if holder then redis.call('DEL', KEYS[1]) end
  return { 'none' }
end
if not isHeld or ARGV[2] == 'renew' then redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[6]) end
local by = tonumber(ARGV[3])
local due, later = {}, ''
for at = 1, #first, 2 do
  if tonumber(first[at + 1]) > by then
    later = first[at + 1]
    break
  end
  due[#due + 1] = first[at]
end
if #due == FEW then
  due = redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', ARGV[3], 'LIMIT', 0, ARGV[4])
  later = redis.call('ZRANGE', KEYS[2], #due, #due, 'WITHSCORES')[2] or ''
end
local answer = { 'mine', later }
for _, id in ipairs(due) do
  answer[#answer + 1] = id
  answer[#answer + 1] = redis.call('HGET', ARGV[5] .. id, 'version') or ''
end
return answer
