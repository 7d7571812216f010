-- A lane is one value, 'nextAt pausedUntil gap lastAt paused' in whole ms, so that a turn costs one read and one write. What is
-- no such value is read as nothing, which GET would refuse.
local function readLane(key)
  local texts = {}
  for text in string.gmatch(redis.call('MGET', key)[1] or '', '%d+') do table.insert(texts, tonumber(text)) end
  return {
    nextAt = texts[1] or 0,
    pausedUntil = texts[2] or 0,
    gap = texts[3] or 0,
    lastAt = texts[4] or 0,
    paused = texts[5] or 0,
  }
end

-- Nobody needs a lane once its last turn and its pause are over for `keptMs`.
local function writeLane(key, lane, now, keptMs)
  local text = string.format(
    '%.0f %.0f %.0f %.0f %.0f', lane.nextAt, lane.pausedUntil, lane.gap, lane.lastAt, lane.paused)
  redis.call('SET', key, text, 'PX', math.ceil(math.max(lane.nextAt - now, 0) + keptMs))
end
