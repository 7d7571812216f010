-- Gives one process at a time the looks at the hosting service, and the operations that are to be looked at.
-- KEYS: who looks, watched operations
-- ARGV: id of the process, ms for which it looks, looks due by (ms), most at once, key prefix of operations
-- Gives { 'another' }, { 'none' }, or { 'mine', time of the first look after these or '', then the id and version
-- of each that is }.
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return { 'another' } end
local first = redis.call('ZRANGE', KEYS[2], 0, 0, 'WITHSCORES')
if #first == 0 then
  if holder then redis.call('DEL', KEYS[1]) end
  return { 'none' }
end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
if tonumber(first[2]) > tonumber(ARGV[3]) then return { 'mine', first[2] } end
local due = redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', ARGV[3], 'LIMIT', 0, ARGV[4])
local later = redis.call('ZRANGE', KEYS[2], #due, #due, 'WITHSCORES')
local answer = { 'mine', later[2] or '' }
for _, id in ipairs(due) do
  answer[#answer + 1] = id
  answer[#answer + 1] = redis.call('HGET', ARGV[5] .. id, 'version') or ''
end
return answer
