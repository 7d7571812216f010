-- A lane is one value of whole ms, so that a turn costs one read and one write. What is no such value is read as nothing, which
-- GET would refuse.
-- nextAt: the place of the next who comes. Places are moments of a time of the lane's own: it is that of the clock until
-- something is refused, stands still in a pause, and goes slower while two that follow are further apart than they need to be.
-- place, from: it shows that place at that moment, which may lie ahead; before it, nobody calls.
-- gap: how far two are apart since something was refused; 0 for as far as they need to be, and in bursts.
-- lastAt: when somebody called last.
-- calm, calmFrom: after so long without a refusal, counted from there, the gap becomes smaller. eased: 1 if it has since the last.
local FIELDS = { 'nextAt', 'place', 'from', 'gap', 'lastAt', 'calm', 'calmFrom', 'eased' }

local STEP = 1.25
local SHORTEST_CALM = 5000
local LONGEST_CALM = 120000
-- What is right again for so many times as long is taken for calm.
local FORGET_AFTER = 10

local function readLane(key)
  local lane, at = {}, 1
  for _, field in ipairs(FIELDS) do lane[field] = 0 end
  for text in string.gmatch(redis.call('MGET', key)[1] or '', '%d+') do
    if FIELDS[at] then lane[FIELDS[at]] = tonumber(text) end
    at = at + 1
  end
  lane.calm = math.max(lane.calm, SHORTEST_CALM)
  return lane
end

-- How much slower than the clock the lane's own time goes; `every`: how far two need to be apart.
local function slowness(lane, every)
  return math.max(lane.gap, every) / every
end
local function placeAt(lane, every, moment)
  return lane.place + math.max(moment - lane.from, 0) / slowness(lane, every)
end
local function momentOf(lane, every, place)
  return lane.from + math.max(place - lane.place, 0) * slowness(lane, every)
end

-- Makes the gap smaller for all the calm until now, in the order in which it came.
local function ease(lane, every, now)
  while lane.gap > 0 and now >= lane.calmFrom + lane.calm do
    lane.calmFrom = lane.calmFrom + lane.calm
    lane.place = placeAt(lane, every, lane.calmFrom)
    lane.from = math.max(lane.from, lane.calmFrom)
    lane.gap = lane.gap / STEP
    if lane.gap < every then lane.gap = 0 end
    lane.eased = 1
  end
  while lane.gap == 0 and lane.calm > SHORTEST_CALM and now >= lane.calmFrom + FORGET_AFTER * lane.calm do
    lane.calmFrom = lane.calmFrom + FORGET_AFTER * lane.calm
    lane.calm = lane.calm / 2
  end
end

-- Nobody needs a lane once its last turn and its pause are over for `keptMs`.
local function writeLane(key, lane, every, now, keptMs)
  local texts = {}
  for index, field in ipairs(FIELDS) do texts[index] = string.format('%.0f', lane[field]) end
  local untilMs = math.max(momentOf(lane, every, lane.nextAt) - now, 0)
  redis.call('SET', key, table.concat(texts, ' '), 'PX', math.ceil(untilMs + keptMs))
end
