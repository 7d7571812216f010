-- Put before a script that notes which instance the card of a thread is about. What was noted first of an instance stays.
local function noteAbout(thread, id, text, most, keptMs)
  if redis.call('HLEN', thread) < tonumber(most) then redis.call('HSETNX', thread, id, text) end
  redis.call('PEXPIRE', thread, keptMs)
end
