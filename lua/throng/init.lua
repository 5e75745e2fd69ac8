-- The throng module: what scenarios and specs get from require "throng".
-- Most of it is C (runtime/bind_*.c), handed over in `host`.

--- class throng as throng
--- Crowds scripted in Lua: `local throng = require "throng"`.
--- @field version string Version of the host, like "0.1.0".
--- @field goals throng.goals Machines that are ready to use.

--- alias throng.point = { [1]: number, [2]: number }
--- A point in metres, y up.

--- alias throng.number = number|throng.sampler
--- A number, or one that differs from agent to agent.

--- alias throng.place = string|throng.shape|(string|throng.shape)[]
--- A region's name, a shape, or a list of those.

local host = ...
local pairs = host.pairs -- in the order of keys

local trace = host.library "trace"(host)
host.trace = trace
host.source = host.library "source"(host)
host.sink = host.library "sink"(host)
host.queue = host.library "queue"(host)
host.story = host.library "story"(host)
local fsm = host.library "fsm"(host)

local throng = {
  version = host.version,
  world = host.world,
  map = host.map,
  paths = host.paths,
  box = host.box,
  polygon = host.polygon,
  uniform = host.uniform,
  normal = host.normal,
  orca = host.orca,
  clearpath = host.clearpath,
  forces = host.forces,
  rvo = host.rvo,
  bvp = host.bvp,
  load = host.load,
  backends = host.backends,
  behaviour = host.behaviour,
  explain = trace.explain,
  where = trace.where,
  equal = trace.equal,
  noise = trace.noise,
  random = trace.random,
  fsm = fsm.fsm,
  go_to = fsm.go_to,
  arrive = fsm.arrive,
  random_path = fsm.random_path,
  follow = fsm.follow,
  go_on = fsm.go_on,
  wait = fsm.wait,
  wander = fsm.wander,
  seek = fsm.seek,
  pursue = fsm.pursue,
  flee = fsm.flee,
  near = fsm.near,
  above = fsm.above,
  below = fsm.below,
  goals = host.library "goals"(fsm),
}

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

local function names_of(defaults)
  local names = {}
  for name in pairs(defaults) do
    names[#names + 1] = tostring(name)
  end
  table.sort(names)
  return names
end

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

--- throng.params(defaults)
--- A scenario's parameters with their defaults; `--set` and throng.load override them.
--- @param defaults table<string, number(any)|string|boolean> Names and default values, whose types hold for what is
--- given.
--- @return table
--- @error a given name that is no parameter; a value of another type
--- @example
--- local params = throng.params { count = 40, door = 1.2 } -- m
function throng.params(defaults)
  if type(defaults) ~= "table" then
    host.raise("throng.params: expected a table of names and defaults, got " .. host.describe(defaults))
  end
  local params = {}
  for name, default in pairs(defaults) do
    if type(name) ~= "string" or not readers[type(default)] then
      host.raise(("throng.params: '%s' must be a name with a number, a string, true or false, got %s"):format(
        tostring(name), host.describe(default)))
    end
    params[name] = default
  end
  local context = host.context()
  if not context then return params end
  context.declared = true
  local given = context.overrides.params or {}
  for _, name in ipairs(names_of(given)) do
    if defaults[name] == nil then host.unknown("throng.params", "parameter", name, names_of(defaults)) end
    params[name] = value_of(name, given[name], defaults[name], context.overrides.text)
  end
  return params
end

-- Fields that are not there are errors that name those that are.
function host.named(values, owner)
  return setmetatable(values, {
    __metatable = false,
    __index = function(_, name) host.unknown(owner, "field", tostring(name), names_of(values)) end,
  })
end

host.named(throng.goals, "throng.goals")
return host.named(throng, "throng")
