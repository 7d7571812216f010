-- What a script that writes an indexed record has in front of it, see indexed-records.ts.

-- Whether a record is of the version it was read at ('0' for none).
local function indexedIs(record, version)
  return (redis.call('HGET', record, 'version') or '0') == version
end
-- Writes the next version, and files it by its next step: due at (ms or +inf), or '' where it is closed. It is kept for
-- keptMs from now on, or as long as before where that is ''.
local function indexedPut(record, index, id, version, text, due, keptMs)
  redis.call('HSET', record, 'version', version + 1, 'record', text)
  if due == '' then redis.call('ZREM', index, id) else redis.call('ZADD', index, due, id) end
  if keptMs ~= '' then redis.call('PEXPIRE', record, keptMs) end
end
