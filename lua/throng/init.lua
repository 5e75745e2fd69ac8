-- The throng module: what scenarios and specs get from require "throng".
-- Most of it is C (runtime/script/bind_*.c), handed over in `host`; planners come by their names.

--- class throng as throng
--- Crowds scripted in Lua: `local throng = require "throng"`. Scenarios have Lua 5.4 without files, processes, clocks
--- and addresses, so that a seed gives the same run everywhere; `pairs` goes in the order of the keys. `#` of a list
--- with holes is undefined, as in all of Lua, and may differ between processes: keep the length yourself.
--- @field version string Version of the host, like "0.1.0".
--- @field goals throng.goals Machines that are ready to use.

--- alias throng.point = { [1]: number, [2]: number }
--- A point in metres, y up. In a building `floor` may name the floor or flight that it is on, by default the lowest.

--- alias throng.corner = { [1]: number, [2]: number, floor?: string, z?: number }
--- A corner of a path: a point; in a building with the floor or flight that it is on, and its height in metres.

--- alias throng.number = number|throng.sampler
--- A number, or one that differs from agent to agent.

--- alias throng.place = string|throng.shape|(string|throng.shape)[]
--- A region's name, a shape, or a list of those.

local host = ...
local pairs = host.pairs -- in the order of keys

host.library "checks"(host)
local recorder = host.library "program_recorder"(host)
host.recorder = recorder
host.thread = host.library "thread"()

-- What most scenarios do without is read when it is first asked for: a study has a thousand states. By the field of
-- `host`, the file.
local LATER = { smoky = "smoke" }
for _, name in ipairs {
  "announce", "calibrate", "choose", "compare", "compared", "convergence", "door_leaf", "environment", "flow_cap",
  "population", "service_queue", "sink", "smoke", "source", "start_with", "story", "study",
} do
  LATER[name] = name
end
setmetatable(host, {
  __index = function(_, name)
    local file = LATER[name]
    if not file then return nil end
    host[file] = host.library(file)(host)
    return rawget(host, name)
  end,
})

local goals = host.library "fsm_goals"(host)
local conditions = host.library "fsm_conditions"(host)

local throng = {
  version = host.version,
  world = host.world,
  map = host.map,
  building = host.building,
  paths = host.paths,
  box = host.box,
  polygon = host.polygon,
  uniform = host.uniform,
  poisson_truncated = host.poisson_truncated,
  normal = host.normal,
  log_normal = host.log_normal,
  weibull = host.weibull,
  gamma = host.gamma,
  triangular = host.triangular,
  mixture = host.mixture,
  truncated = host.truncated,
  disc = host.disc,
  stadium = host.stadium,
  load = host.load,
  trajectory = host.trajectory,
  backends = host.backends,
  behaviour = host.behaviour,
  explain = recorder.explain,
  select = recorder.select,
  equal = recorder.equal,
  noise = recorder.noise,
  random = recorder.random,
  fsm = host.library "fsm"(host, goals, conditions),
  go_to = goals.go_to,
  arrive = goals.arrive,
  random_path = goals.random_path,
  follow = goals.follow,
  follow_leader = goals.follow_leader,
  go_on = goals.go_on,
  wait = goals.wait,
  wander = goals.wander,
  seek = goals.seek,
  pursue = goals.pursue,
  flee = goals.flee,
  near = conditions.near,
  above = conditions.above,
  below = conditions.below,
}
throng.goals = host.library "goals"(throng, host)
throng.empirical = host.library "empirical"(host)
function throng.population(...) return host.population(...) end
function throng.study(...) return host.study.study(...) end
function throng.until_precise(...) return host.study.until_precise(...) end
function throng.calibrate(...) return host.calibrate(...) end
function throng.convergence(...) return host.convergence(...) end
function throng.compared(...) return host.compared(...) end

for name, constructor in pairs(host.planners) do
  throng[name] = constructor
end

-- Calls f; what is wrong with its arguments is said of `what`, which they were given to.
function host.call_at(what, f, ...)
  local results = table.pack(pcall(f, ...))
  if results[1] then return table.unpack(results, 2, results.n) end
  local message = tostring(results[2]):gsub("^.-:%d+: ", "", 1):gsub("^group.-:[%a_]+:? ", "", 1)
  host.raise(what .. ": " .. message)
end

-- What --set and throng.load give as text becomes a value of the default's type.
local readers = {
  number = tonumber,
  string = tostring,
  boolean = function(text)
    if text == "true" then return true end
    if text == "false" then return false end
    return nil
  end,
}

local function value_of(name, given, default, is_text)
  local kind = type(default)
  local value = given
  if is_text then value = readers[kind](given) end
  if type(value) ~= kind or value ~= value or value == math.huge or value == -math.huge then
    host.raise(("throng.params: '%s' must be a %s like %s, got %s"):format(name, kind, tostring(default),
      host.describe(given)))
  end
  return value
end

-- Beside the numbers of a range: what is called when its slider was moved.
local function on_change_of(name, default)
  for key, value in pairs(default) do
    if math.type(key) ~= "integer" and key ~= "on_change" then
      host.raise(("throng.params: '%s': unknown field '%s'; expected on_change = function(value)"):format(name,
        tostring(key)))
    end
    if key == "on_change" and type(value) ~= "function" then
      host.raise(("throng.params: '%s': on_change must be a function, got %s"):format(name, host.describe(value)))
    end
  end
  return default.on_change
end

-- { 5, 0, 10 }: a number, and what it may become; { 5, 0 }: no less than that.
local function range_of(name, default)
  local value, least, most = default[1], default[2], default[3]
  if most == nil then most = math.huge end
  local numbers = type(value) == "number" and type(least) == "number" and type(most) == "number"
  if not numbers or #default > 3 or not (least < most and least <= value and value <= most) then
    host.raise(("throng.params: '%s' must be { default, least } or { default, least, most }, numbers with the default "
      .. "between the others, got %s"):format(name, host.describe(default)))
  end
  local whole = math.type(value) == "integer" and math.type(least) == "integer"
    and math.type(default[3] or 0) == "integer"
  return {
    name = name, least = whole and least or least + 0.0, most = most, whole = whole,
    on_change = on_change_of(name, default),
  }
end

-- The value, in a whole range as an integer.
local function within(range, value)
  local whole = range.whole and math.tointeger(value)
  if value < range.least or value > range.most or (range.whole and not whole) then
    local most = range.most < math.huge and (" and <= %g"):format(range.most) or ""
    host.raise(("throng.params: '%s' must be a %s >= %g%s, got %g"):format(range.name,
      range.whole and "whole number" or "number", range.least, most, value))
  end
  return whole or value
end

-- The defaults, and the ranges of those that have one, both by name.
local function split(defaults)
  local params, ranges = {}, {}
  for _, name in ipairs(host.names_of(defaults)) do
    local default = defaults[name]
    if type(default) == "table" then
      ranges[name] = range_of(name, default)
      default = default[1]
    end
    if not readers[type(default)] then
      host.raise(("throng.params: '%s' must be a name with a number, a string, true or false, or { default, least, "
        .. "most }, got %s"):format(name, host.describe(default)))
    end
    params[name] = default
  end
  return params, ranges
end

--- throng.params(defaults)
--- A scenario's parameters with their defaults; `--set` and throng.load override them. A number with a range,
--- { default, least, most }, has a slider in `throng view`: the table's value changes while the scenario runs, so read
--- it where it is used, or say what a new value does at once: { default, least, most, on_change = function(value)
--- ... end }. Home begins the run again with the sliders' values. { default, least } has a lower limit only, and no
--- slider. A parameter whose numbers are whole stays whole.
--- @param defaults table<string, number(any)|string|boolean|number(any)[]> Names and default values; given
--- values must have their types.
--- @return table
--- @error a given name, or one that is read later, that is no parameter; a value of another type, or out of its range
--- @example
--- local guests
--- local params = throng.params {
---   count = { 40, 1 }, door = 1.2, -- m
---   speed = { 1.3, 0.5, 2, on_change = function(speed) guests.speed = speed end }, -- m/s
--- }
--- local world = throng.world {}
--- guests = world:spawn { count = params.count, where = throng.box(0, 0, 20, 20), speed = params.speed }
function throng.params(defaults)
  if type(defaults) ~= "table" then
    host.raise("throng.params: expected a table of names and defaults, got " .. host.describe(defaults))
  end
  for name, default in pairs(defaults) do
    if type(name) ~= "string" then
      host.raise(("throng.params: '%s' must be a name with a number, a string, true or false, got %s"):format(
        tostring(name), host.describe(default)))
    end
    local cut = name:match "^(.-)\0"
    if cut then
      host.raise(("throng.params: a name has a zero byte in it, after '%s', where names end: leave it out"):format(cut))
    end
  end
  local params, ranges = split(defaults)
  setmetatable(params, {
    __index = function(_, name)
      host.unknown("throng.params", "parameter", tostring(name), host.names_of(params))
    end,
  })
  local context = host.context()
  if not context then return params end
  context.declared = true
  local given = context.overrides.params or {}
  for _, name in ipairs(host.names_of(given)) do
    if defaults[name] == nil then host.unknown("throng.params", "parameter", name, host.names_of(defaults)) end
    local value = value_of(name, given[name], params[name], context.overrides.text)
    if ranges[name] then value = within(ranges[name], value) end
    params[name] = value
  end
  for name, range in pairs(ranges) do
    range.params, range.given = params, params[name]
    local set = (context.overrides.set or {})[name]
    if set and set[2] == range.given and set[1] >= range.least and set[1] <= range.most then
      params[name] = within(range, set[1])
    end
    range.begun = params[name]
  end
  context.sliders, context.parameters = context.sliders or {}, context.parameters or {}
  for _, name in ipairs(host.names_of(params)) do
    table.insert(context.parameters, { params = params, name = name })
  end
  for _, name in ipairs(host.names_of(ranges)) do
    if ranges[name].most < math.huge then table.insert(context.sliders, ranges[name]) end
  end
  return params
end

-- Fields that are not there are errors that name those that are.
function host.named(values, owner)
  return setmetatable(values, {
    __metatable = false,
    __index = function(_, name) host.unknown(owner, "field", tostring(name), host.names_of(values)) end,
  })
end

host.make_entries(throng)
host.make_entries(throng.goals)
host.named(throng.goals, "throng.goals")
return host.named(throng, "throng")
