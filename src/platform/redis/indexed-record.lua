-- What a script that writes an indexed record has in front of it, see indexed-records.ts.

-- Whether a record is of the version it was read at ('0' for none).
local function indexedIs(record, version)
  return (redis.call('HGET', record, 'version') or '0') == version
end
-- Writes the next version, and files it by its next step: due at (ms or +inf), or '' where it is closed and kept for keptMs.
local function indexedPut(record, index, id, version, text, due, keptMs)
  redis.call('HSET', record, 'version', version + 1, 'record', text)
  if due == '' then
    redis.call('ZREM', index, id)
    redis.call('PEXPIRE', record, keptMs)
  else
    redis.call('ZADD', index, due, id)
  end
end
