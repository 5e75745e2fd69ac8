-- world:source { rate = 2, where = "entrance", to = "exit", ... }: agents who come over time, into one group.

--- class throng.source: throng.spawn
--- Settings of world:source, besides those of world:spawn (without `count` and `at`).
--- @field rate? number(1/s)|fun(time: number(s)): number(1/s) Agents a second, evenly; a function of the time says how
--- many at each; or
--- @field schedule? { [1]: number(s), [2]: integer }[] {time, count}: so many at that time; or
--- @field recording? throng.trajectory Each comes when and where the recording sees it first (with `where`: first
--- there), as fast as it walks then. Whoever finds somebody in the place waits.
--- @field since? number(s) With `recording`: its time at which the world begins. Only who is not there yet comes: `from
--- = recording:at(since)` of world:spawn begins with the others. None: all come, also those of its first frame.
--- @field from? number(s) With `rate`: the first comes then, default 0.
--- @field till? number(s) With `rate`: the time after which no more agents come.
--- @field limit? integer With `rate`: so many in all.
--- @field to? throng.place|throng.point Everybody is sent there, and leaves the world on arrival.
--- @field each? fun(batch: throng.group) Called with those that came in a step.

local host = ...
local pairs = host.pairs -- in the order of keys

local inflow = host.library "inflow"(host)

-- Fields of a source; the others are world:spawn's.
local FIELDS = { "rate", "schedule", "recording", "since", "from", "till", "limit", "to", "each" }

local function raise(...) host.raise("world:source: " .. string.format(...)) end

local function check_fields(world, definition)
  local names = table.move(FIELDS, 1, #FIELDS, 1, {})
  for _, name in ipairs(host.spawn_fields(world)) do
    if name ~= "count" and name ~= "at" then names[#names + 1] = name end
  end
  host.check_names("world:source", "field", definition, names)
end

local function split(definition)
  local own, spawn = {}, {}
  for _, name in ipairs(FIELDS) do own[name] = definition[name] end
  for name, value in pairs(definition) do
    if own[name] == nil then spawn[name] = value end
  end
  return own, spawn
end

local MOST = 1e9 -- of seconds, agents, and agents a second

local function check_number(own, name, default, above)
  local value = own[name]
  if value == nil then return default end
  local known = type(value) == "number" and value >= 0 and value <= MOST
  if not known or (above and value == 0) then
    raise("field '%s' must be a number %s 0 and <= %g, got %s", name, above and ">" or ">=", MOST, host.describe(value))
  end
  return value
end

-- From when, till when, and how many in all.
local function check_limits(own)
  local from, till = check_number(own, "from", 0), check_number(own, "till", math.huge)
  local limit = check_number(own, "limit", math.huge)
  if limit < math.huge and not math.tointeger(limit) then
    raise("field 'limit' must be a whole number, got %s", host.describe(limit))
  end
  if till < from then raise("'till' (%g s) is before 'from' (%g s): nobody would come", till, from) end
  return from, till, limit
end

-- How many agents should have come by `time`; how many will in all; and when the next is due, where `made` have come.
local function by_rate(own)
  local rate, from, till, limit = check_number(own, "rate", nil, true), check_limits(own)
  local function come(time)
    local seconds = math.min(time, till) - from
    return seconds < 0 and 0 or math.min(limit, math.floor(rate * seconds + 1e-6) + 1) -- the first comes at once
  end
  return come, till < math.huge and come(till) or limit, function(made) return from + (made - 1e-6) / rate end
end

local function rate_at(own, time)
  local rate = own.rate(time)
  if type(rate) ~= "number" or not (rate >= 0 and rate <= MOST) then
    local must = "field 'rate': the function must give a number >= 0 and <= %g, agents a second, 0 while nobody comes;"
      .. " the one of %s gave %s at %g s"
    raise(must, MOST, host.place_of(own.rate), host.describe(rate), time)
  end
  return rate
end

-- The same where the rate is a function of the time: the sum of what it gives at the middle of each step, so that it
-- is called once a step. Who is due in the end is not known before.
local function by_function(own, world)
  local dt = world.dt
  local from, till, limit = check_limits(own)
  local steps, sum = 0, 0
  local function come(time)
    local till_now = math.min(time, till) - from
    while (steps + 0.5) * dt < till_now do
      local middle = from + (steps + 0.5) * dt
      sum, steps = sum + dt * rate_at(own, middle), steps + 1
    end
    return math.min(limit, math.floor(sum + 1e-6))
  end
  return come, limit, nil, function(time) return time >= till end
end

local function refuse_limits(own, what)
  for _, name in ipairs { "from", "till", "limit" } do
    if own[name] ~= nil then raise("field '%s' goes with 'rate': a '%s' has times of its own", name, what) end
  end
end

local function by_schedule(own)
  local total, schedule = 0, {} -- a copy: what the script does with its table later does not matter
  refuse_limits(own, "schedule")
  if type(own.schedule) ~= "table" then
    raise("field 'schedule' must be a list of {seconds, count}, got %s", host.describe(own.schedule))
  end
  for i, entry in ipairs(own.schedule) do
    local seconds = type(entry) == "table" and entry[1]
    local in_time = type(seconds) == "number" and seconds >= 0 and seconds <= MOST
    local count = in_time and type(entry[2]) == "number" and math.tointeger(entry[2])
    if not count or count < 0 or count > MOST then
      local got = type(entry) == "table" and ("{%s, %s}"):format(host.describe(seconds), host.describe(entry[2]))
      raise("entry %d of 'schedule' must be {seconds, count}, like {30, 20}, both at most %g, the count a whole "
        .. "number; got %s", i, MOST, got or host.describe(entry))
    end
    total = total + count
    schedule[i] = { seconds, count }
  end
  own.schedule = schedule
  local function come(time)
    local count = 0
    for _, entry in ipairs(schedule) do
      if entry[1] <= time + 5e-7 then count = count + entry[2] end
    end
    return count
  end
  return come, total, function(made)
    local due = math.huge
    for _, entry in ipairs(schedule) do
      if entry[1] < due and come(entry[1]) > made then due = entry[1] end
    end
    return due
  end
end

-- Those of a recording, who come into the places of `where`.
local function by_recording(own, world, where)
  refuse_limits(own, "recording")
  if host.has_floors(world) then raise "the world is a building, in which nobody comes by a 'recording'" end
  local people = inflow.new(world, own, where)
  return function(time) return people:come(time) end, #people.people, nil, nil, people
end

-- What the source's times and counts are, as text: whether another file says otherwise.
local function plan_of(own)
  local rate = type(own.rate) == "function" and "function" or own.rate or ""
  local parts = { rate, own.from or "", own.till or "", own.limit or "", own.since or "" }
  for _, entry in ipairs(own.schedule or {}) do parts[#parts + 1] = ("%g: %d"):format(entry[1], entry[2]) end
  return table.concat(parts, " ")
end

local AT_ONCE = 1000000 -- who comes in a step at most; the rest wait as if there were no room

-- How many of `missing` come now: whole companies wait until all of them do; who is last comes with whom there is.
local function due(world, spawn, missing, rest)
  local size = spawn.company and host.company_size(world, spawn.company)
  if not size then return missing end
  return missing >= math.min(size, rest) and math.min(size, rest) or 0
end

-- Spawns as many of `count` as there is room for; the rest wait.
local function admit(world, spawn, count)
  spawn.count = math.min(count, AT_ONCE)
  local ok, batch = pcall(host.spawn_more, world, spawn)
  if ok then return batch end
  local room = type(batch) == "string" and tonumber(batch:match "only (%d+) of %d+ agents fit")
  if not room then error(batch, 0) end
  return room > 0 and admit(world, spawn, room) or nil
end

-- The same of all who are missing, of `rest` who have not come.
local function admit_missing(world, spawn, missing, rest)
  local batch
  repeat
    local count = due(world, spawn, missing, rest)
    local more = count > 0 and admit(world, spawn, count)
    if more then
      batch = batch and batch | more or more
      missing, rest = missing - more.count, rest - more.count
    end
  until not more or more.count < count -- there is no more room
  return batch
end

local function check(world, definition)
  if type(definition) ~= "table" then
    raise("expected a table like {rate = 2, where = \"door\"}, got %s", host.describe(definition))
  end
  if definition.count or definition.at then
    raise("'count' and 'at' are world:spawn's; a source has a 'rate' (agents a second) or a 'schedule',"
      .. " a 'limit' (of all), and 'where'")
  end
  check_fields(world, definition)
  local own, spawn = split(definition)
  local given = 0
  for _, name in ipairs { "rate", "schedule", "recording" } do
    if own[name] ~= nil then given = given + 1 end
  end
  if given ~= 1 then
    raise "give a 'rate' (agents a second), a 'schedule' ({{seconds, count}, ...}) or a 'recording'"
  end
  if own.since ~= nil and own.recording == nil then raise "field 'since' goes with 'recording'" end
  if own.each ~= nil and type(own.each) ~= "function" then
    raise("field 'each' must be a function(batch), got %s", host.describe(own.each))
  end
  if type(spawn.name) == "string" and rawget(world.groups, spawn.name) then
    raise("field 'name': there is a group named '%s' already", spawn.name)
  end
  local first = type(own.to) == "table" and own.to[1]
  if type(first) == "table" and type(first[1]) == "number" and getmetatable(own.to) == nil then -- and no shape
    raise("field 'to' must be a place or one point {x, y} for all agents, got a list of points")
  end
  if own.to ~= nil and own.to == spawn.where then
    raise("'to' is the same place as 'where': everybody would arrive, and leave, at once")
  end
  return own, spawn
end

--- world:source(definition)
--- Makes a source: agents that come over time, all in one group. Agents that find no room wait outside. Who comes has
--- the source's settings; anything else is done to those who come in `each`. Of the group's methods only `on` and
--- `choose` hold for whoever comes later.
--- @param definition throng.source The agents, times and places.
--- @return throng.group
--- @error none or several of `rate`, `schedule` and `recording`; `count` or `at`; somebody of a recording who comes in
--- a wall; a `recording` in a building, or of all floors of one
--- @example
--- world:source { rate = 2, till = 60, where = "entrance", to = "platform" }
--- local recorded = throng.trajectory "tests/data/trajectory.txt"
--- world:source { recording = recorded, since = 0.1, where = throng.box(0, 0, 19, 20), to = "platform" }
--- world:source { rate = function(t) return t < 600 and 0.5 or 2 end, till = 900, where = "entrance", to = "platform" }
return function(world, definition)
  local own, spawn = check(world, definition)
  local by = own.recording ~= nil and by_recording or own.schedule ~= nil and by_schedule
    or type(own.rate) == "function" and by_function or by_rate
  local come, total, next_due, over, people = by(own, world, spawn.where)
  if own.to then
    local nobody = world.agents - world.agents -- before there is a group
    host.call_at("world:source: field 'to'", nobody.go_to, nobody, own.to)
  end
  spawn.count = 0
  if people then spawn.where = spawn.where or host.box(0, 0, 1, 1) end -- nobody is put there
  local group = host.spawn_more(world, spawn)
  spawn.name = group.name
  if people then spawn.where = nil end
  if own.to then
    group:go_to(own.to)
    group:on("arrived", function(arrived) arrived:remove() end)
  end
  host.await(group)
  host.expect(world, 1)

  local plan = plan_of(own)
  local tally = host.tally(world, group.name, plan)
  -- With a function, what it has come to by then tells it from another.
  local function plan_at(time) return over and ("%s: %d"):format(plan, come(time)) or plan end
  local outside = 0 -- who the world knows to wait
  host.repeat_now(world, world.dt, function(_, time)
    local before = time - world.dt
    if tally.before and tally.before ~= plan_at(before) then tally.made = come(before) end -- nobody is owed
    tally.before, tally.plan = nil, plan_at(time)
    local all = over and over(time) and come(time) or total
    local batch, owed
    if people then
      batch = people:admit(world, spawn, time, tally.made)
    else
      owed = come(time)
      batch = admit_missing(world, spawn, owed - tally.made, all - tally.made)
    end
    if batch then
      tally.made = tally.made + batch.count
      if own.to then batch:go_to(own.to) end
      if own.each then own.each(batch) end
    end
    local missing = people and #people.waiting or owed - tally.made
    local waiting = due(world, spawn, missing, all - tally.made) > 0 and math.min(MOST, missing) or 0
    if waiting ~= outside then
      host.keep_outside(world, waiting - outside)
      outside = waiting
    end
    if tally.made >= all then
      host.expect(world, -1)
      return false
    end
    if next_due and owed <= tally.made then return next_due(tally.made) end
    return true
  end, ("source '%s' of %s"):format(group.name, host.position()))
  return group
end
