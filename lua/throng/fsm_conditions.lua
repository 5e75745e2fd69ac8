-- When agents leave a state of a machine: the conditions of throng.fsm.

--- class throng.condition
--- When a state is left: throng.near, throng.above, throng.below.

local host = ...

local make_condition, values_of = host.sealed("condition", "make another, like throng.above(\"frustration\", 0.6)")
local NEAR = -1 -- THRONG_FSM_NEAR

local conditions = {}

local function raise(...) host.raise(string.format(...)) end

conditions.values_of = values_of -- nil: it is no condition

--- throng.near(name, distance)
--- Holds when another agent in sight is near: one that it saw in the frame before, of its nearest `neighbours` within
--- `sight`. Among 2 persons/m^2 the nearest ten stand within 1.3 m: who is to see a few others from farther off there
--- needs more `neighbours`.
--- @param name string? Only agents of the group of this name; nil: any agent.
--- @param distance number(m) From centre to centre.
--- @return throng.condition
--- @error a distance that is no number
--- @example
--- civilians:run(throng.fsm {
---   start = "stroll",
---   stroll = { goal = throng.wander(), when = { { throng.near("zombies", 4), "run" } } },
---   run = { goal = throng.flee "zombies", arrived = "stroll" },
--- })
function conditions.near(name, distance)
  if name ~= nil and type(name) ~= "string" then
    raise("throng.near: expected the name of a spawn (nil: anybody) and a distance, got %s", host.describe(name))
  end
  host.number(distance, "throng.near: the distance in metres", 0, true)
  return make_condition { column = NEAR, whom = name or "", value = distance, above = 0 }
end

local function crossing(owner, name, value, above)
  if type(name) ~= "string" then
    raise("%s: expected the name of a column and a number, got %s", owner, host.describe(name))
  end
  local index
  for i, column in ipairs(host.columns) do
    if column.name == name then index = i end
  end
  if type(value) ~= "number" or value ~= value then
    raise("%s: expected a column and a number, got %s", owner, host.describe(value))
  end
  if not index then -- of the script's own, or none: group:run knows the world
    local at = ("%s (%s)"):format(owner, host.position())
    return make_condition { own = name, at = at, column = 0, kind = 0, value = value, above = above }
  end
  local kind = host.columns[index].is_float and 0 or 1
  return make_condition { column = index - 1, kind = kind, value = value, above = above }
end

--- throng.above(column, value)
--- Holds while a column is greater than a value.
--- @param column string Name of a column of the agents, like "frustration", or one that world:column has declared.
--- @param value number(any) In the column's unit.
--- @return throng.condition
--- @error an unknown column, when group:run gets the machine
--- @example
--- when = { { throng.above("frustration", 0.6), "leave" } }
function conditions.above(name, value) return crossing("throng.above", name, value, 1) end

--- throng.below(column, value)
--- Holds while a column is less than a value.
--- @param column string Name of a column of the agents.
--- @param value number(any) In the column's unit.
--- @return throng.condition
--- @error an unknown column, when group:run gets the machine
--- @example
--- guests:run(throng.fsm {
---   start = "walk",
---   walk = { goal = throng.go_to "exit", when = { { throng.below("speed", 0.5), "stand" } } },
---   stand = { goal = throng.wait(2, 4), timeout = "walk" },
--- })
function conditions.below(name, value) return crossing("throng.below", name, value, 0) end

return conditions
