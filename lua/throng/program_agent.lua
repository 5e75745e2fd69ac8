-- The agent as a behaviour function sees it.

--- class throng.behaviour.agent as agent
--- The agent as a behaviour function sees it: its columns, and what is around it. Distances are in metres, infinite to
--- what is not there; directions are unit vectors, 0, 0 there or at no distance.
--- @field z number(m) Height where it stands on a floor or flight of a building; 0 in other worlds.

local host, notes = ...
local node, operand, apply = notes.node, notes.operand, notes.apply

local AGENT = { __name = "agent", __metatable = false }

local agent = {}

local function raise(...) host.raise(string.format(...)) end

local function distance(dx, dy) return apply("sqrt", dx * dx + dy * dy) end

local function direction(dx, dy)
  local length = distance(dx, dy)
  local somewhere = node("select", nil, apply("less", 0, length), apply("less", length, math.huge), operand(0))
  local zero = operand(0)
  return node("select", nil, somewhere, dx / length, zero), node("select", nil, somewhere, dy / length, zero)
end

local function vector(op, index)
  local both = node(op, index)
  return node("x", nil, both), node("y", nil, both)
end

local function to_place(method, a, place)
  if place == nil then
    raise("a:%s: the place is missing: a point {x, y}, a region's name or a shape (called with a colon: a:%s \"hall\")",
      method, method)
  end
  if type(place) == "table" and type(place[1]) == "number" and type(place[2]) == "number" then
    return place[1] - a.x, place[2] - a.y
  end
  local places = notes.current.places
  for i, known in ipairs(places) do
    if known == place then return vector("to_place", i) end
  end
  places[#places + 1] = place
  return vector("to_place", #places)
end

local function group_of(method, name)
  if name ~= nil and type(name) ~= "string" then
    raise("a:%s: expected the name of a spawn (or nothing: of anybody), got %s", method, host.describe(name))
  end
  return name or ""
end

local function to_nearest(method, name) return vector("to_nearest", group_of(method, name)) end

local methods = {}

--- agent:distance_to(place)
--- The distance to a point, a region by name, or a shape (0 inside).
--- @param place throng.point|throng.place A point, a region by name, a shape, or a list of those.
--- @return number(m)
--- @error an unknown region
--- @example
--- guests.speed = function(t, a) return throng.select(a:distance_to "gate" < 4, 0.8, 1.3) end
function methods.distance_to(a, place) return distance(to_place("distance_to", a, place)) end

--- agent:direction_to(place)
--- The direction to the nearest point of a place in a straight line.
--- @param place throng.point|throng.place A point, a region by name, a shape, or a list of those.
--- @return number(1) x
--- @return number(1) y
--- @error an unknown region
--- @example
--- guests.desired = function(t, a) return a:direction_to "exit" end
function methods.direction_to(a, place) return direction(to_place("direction_to", a, place)) end

--- agent:distance_to_goal()
--- The distance to its goal in a straight line.
--- @return number(m)
--- @example
--- guests.speed = function(t, a) return math.min(1.3, 0.5 + a:distance_to_goal() / 4) end
function methods.distance_to_goal() return distance(vector "to_goal") end

--- agent:direction_to_goal()
--- The direction to its goal in a straight line.
--- @return number(1) x
--- @return number(1) y
--- @example
--- guests.desired = function(t, a)
---   local x, y = a:direction_to_goal()
---   return 1.2 * x, 1.2 * y + 0.2 * math.sin(t)
--- end
function methods.direction_to_goal() return direction(vector "to_goal") end

--- agent:distance_to_nearest(name)
--- The distance to the nearest agent that it saw in the frame before (of its nearest `neighbours` within `sight`),
--- where that agent is now. New agents see none, and no agent sees any in the frame after the world made room for more
--- agents.
--- @param name? string Only those spawned under this name.
--- @return number(m)
--- @error a name of no group
--- @example
--- civilians.speed = function(t, a) return throng.select(a:distance_to_nearest "zombies" < 4, 1.8, 1.2) end
function methods.distance_to_nearest(_, name) return distance(to_nearest("distance_to_nearest", name)) end

--- agent:direction_to_nearest(name)
--- The direction to the agent that agent:distance_to_nearest finds.
--- @param name? string Only those spawned under this name.
--- @return number(1) x
--- @return number(1) y
--- @error a name of no group
--- @example
--- civilians.desired = function(t, a)
---   local x, y = a:direction_to_nearest "zombies"
---   return -1.5 * x, -1.5 * y
--- end
function methods.direction_to_nearest(_, name) return direction(to_nearest("direction_to_nearest", name)) end

-- What agents can stand on, by the names of methods: the number that `ground` gives (throng_sheet_kind).
local GROUNDS = { on_stairs = 1, on_ramp = 2, on_escalator = 3, on_walkway = 4, in_lift = 5 }

local function on_ground(name)
  return function() return notes.either_way("equal", node "ground", GROUNDS[name]) end
end

--- agent:on_stairs()
--- 1 while it is on stairs of a building, else 0.
--- @return number(1)
--- @example
--- guests.time_gap = function(t, a) return throng.select(a:on_stairs(), 0.9, 0.6) end
methods.on_stairs = on_ground "on_stairs"

--- agent:on_ramp()
--- 1 while it is on a ramp of a building, else 0.
--- @return number(1)
--- @example
--- guests.speed = function(t, a) return 1.3 - 0.2 * a:on_ramp() end
methods.on_ramp = on_ground "on_ramp"

--- agent:on_escalator()
--- 1 while it is on an escalator of a building, which may stand, else 0.
--- @return number(1)
--- @example
--- guests.speed = function(t, a) return 1.3 - 0.2 * a:on_escalator() end
methods.on_escalator = on_ground "on_escalator"

--- agent:on_walkway()
--- 1 while it is on a moving walkway of a building, else 0.
--- @return number(1)
--- @example
--- guests.speed = function(t, a) return 1.3 - 0.2 * a:on_walkway() end
methods.on_walkway = on_ground "on_walkway"

--- agent:in_lift()
--- 1 while it is in the car of a lift of a building, else 0.
--- @return number(1)
--- @example
--- guests.time_gap = function(t, a) return throng.select(a:in_lift(), 0.2, 0.6) end
methods.in_lift = on_ground "in_lift"

--- agent:count_seen(name)
--- How many others it saw in the frame before (of its nearest `neighbours` within `sight`, like
--- agent:distance_to_nearest).
--- @param name? string Only those spawned under this name.
--- @return number(1)
--- @error a name of no group
--- @example
--- guests.speed = function(t, a) return throng.select(a:count_seen() > 6, 0.9, 1.3) end
function methods.count_seen(_, name) return node("seen", group_of("count_seen", name)) end

--- agent:count_walking(name)
--- How many of those that agent:count_seen counts walk, at 0.3 m/s or more.
--- @param name? string Only those spawned under this name.
--- @return number(1)
--- @error a name of no group
--- @example
--- guests.speed = function(t, a) return throng.select(a:count_walking() > 2, 1.6, 1.3) end
function methods.count_walking(_, name) return node("walking", group_of("count_walking", name)) end

agent.columns = {} -- by name: the instruction that reads it

for _, column in ipairs(host.columns) do
  agent.columns[column.name] = column.is_float and "column" or "whole"
end

local agent_names = host.names_of(methods)
agent_names[#agent_names + 1] = "z"
for _, column in ipairs(host.columns) do
  agent_names[#agent_names + 1] = column.name
end

-- A script declares a column of its own (world:column).
function agent.check_free(name)
  if methods[name] then raise("world:column: agents have a method '%s' already: choose another name", name) end
end

-- Raises unless it is one of the world's own columns, which are listed in `own`.
function agent.check_own(owner, name, names, own)
  local all = table.move(names, 1, #names, 1, {})
  for _, other in ipairs(own) do
    if other == name then return end
    all[#all + 1] = other
  end
  host.unknown(owner, "field", tostring(name), all)
end

local function has(list, name)
  for _, other in ipairs(list) do
    if other == name then return true end
  end
  return false
end

function AGENT.__index(_, name)
  if methods[name] then return methods[name] end
  local op = agent.columns[name]
  if name == "z" and not op and not has(notes.current.own, name) then return node "height" end
  if not op then agent.check_own("a behaviour function's agent", name, agent_names, notes.current.own) end
  return node(op or "column", name)
end

function AGENT.__newindex(_, name)
  raise("a behaviour function cannot write a.%s: it returns the value of what it is assigned to", tostring(name))
end

function AGENT.__len() raise "an agent is one, no list: what it has goes by its name, like a.speed" end

AGENT.__pairs = AGENT.__len

-- What stands for all agents while a function is recorded.
function agent.recorded() return setmetatable({}, AGENT) end

agent.refuse_write, agent.refuse_list = AGENT.__newindex, AGENT.__len

return agent
