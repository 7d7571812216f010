-- A lock that one has at a time: takes it, keeps it, or gives it back. Gives 1 where it was or is the caller's.
-- KEYS: lock
-- ARGV: who asks; ms to keep it from now on, or 0 to give it back; 'take' to take it where nobody has it, or ''; what the name of
--       a holder begins with who gives way, or ''
local holder = redis.call('GET', KEYS[1])
if holder ~= ARGV[1] then
  if ARGV[3] ~= 'take' then return 0 end
  -- Nobody has it for longer than that: Redis' clock was set back since, or its keys were copied without their ends (-1).
  local left = redis.call('PTTL', KEYS[1])
  local isHeld = holder and left >= 0 and left <= tonumber(ARGV[2])
  local givesWay = holder and ARGV[4] ~= '' and string.sub(holder, 1, #ARGV[4]) == ARGV[4]
  if isHeld and not givesWay then return 0 end
end
if ARGV[2] == '0' then redis.call('DEL', KEYS[1]) else redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2]) end
return 1
