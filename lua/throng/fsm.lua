-- Goal state machines: throng.fsm { start = "stroll", stroll = { goal = throng.random_path(), arrived = "stroll" } }.
-- Checked and compiled here when they are built; runtime/world/world_machines.c and kernels/behaviour/fsm.h run them.

--- class throng.machine
--- A state machine: throng.fsm.

--- class throng.goal
--- What agents do in a state of a machine: throng.go_to, throng.wait, throng.wander and so on.

--- class throng.condition
--- When a state is left: throng.near, throng.above, throng.below.

--- alias throng.transition = string|table<string, number>
--- Where a transition leads: the name of a state, or weights: { stand = 3, roam = 1 }.

--- class throng.state
--- A state of a machine. When several transitions are due in a step, the machine takes the first of arrived, the
--- conditions in order, path_ready, blocked and timeout. It changes state at most once a step.
--- @field goal? throng.goal The goal of its agents; none: they stand.
--- @field arrived? throng.transition Its goal is reached. Without it an agent that arrives has arrived (group:on).
--- @field after? throng.number(s) Its time from entering it on: a number or throng.uniform.
--- @field timeout? throng.transition Its time is over.
--- @field path_ready? throng.transition The path of its own that its goal asks for (`own_path`) is there. Without it
--- the agent walks it in this state.
--- @field blocked? throng.transition Held up by others for about 3 s, or stuck (world:stuck) for whatever cause.
--- @field when? { [1]: throng.condition|fun(group: throng.group): throng.group|boolean, [2]: throng.transition }[]
--- Conditions, tested in order in every step. A function is called once a step with the agents in the state, and
--- returns those that leave it in the next step.
--- @field enter? fun(group: throng.group) Called once a step with those that entered the state in it.
--- @field exit? fun(group: throng.group) Called once a step, before any `enter`, with those that left the state in it.

local host = ...
local pairs = host.pairs -- in the order of keys

local fsm = {}

local GOAL = { __name = "goal", __metatable = "throng.goal" }
local CONDITION = { __name = "condition", __metatable = "throng.condition" }
local FIELDS = { "after", "arrived", "blocked", "enter", "exit", "goal", "path_ready", "timeout", "when" }
local EVENTS = { "arrived", "path_ready", "blocked", "timeout" }
local POINT, NEAR = -2, -1 -- THRONG_FSM_POINT, THRONG_FSM_NEAR

local function raise(...) host.raise(string.format(...)) end

local MOST = 1e9 -- of metres and seconds

local function number(value, what, least, above)
  local known = type(value) == "number" and value >= least and value <= MOST
  if not known or (above and value == least) then
    raise("%s must be a number %s %g and <= %g, got %s", what, above and ">" or ">=", least, MOST, host.describe(value))
  end
  return value
end

function host.options_of(owner, options, names)
  if options == nil then return {} end
  if type(options) ~= "table" then
    raise("%s: expected a table like {%s = ...}, got %s", owner, names[1], host.describe(options))
  end
  for name in pairs(options) do
    local known = false
    for _, other in ipairs(names) do
      known = known or name == other
    end
    if not known then host.unknown(owner, "field", tostring(name), names) end
  end
  return options
end
local options_of = host.options_of

-- ---- goals

local function goal(values)
  values.at = host.position()
  return setmetatable(values, GOAL)
end

local function is_point(place)
  return type(place) == "table" and type(place[1]) == "number" and type(place[2]) == "number"
end

local function check_place(owner, place)
  if place == nil then raise("%s: the place is missing: a point {x, y}, a region's name or a shape", owner) end
  return place
end

--- throng.go_to(place, options)
--- Walk to a region, a shape or a point, around walls.
--- @param place throng.place|throng.point Where: a region by name, a shape, a point, or a list of regions and shapes,
--- which are looked up when group:run gets the machine.
--- @param options? { radius?: number(m), straight?: boolean, own_path?: boolean } As those of group:go_to; `own_path`:
--- to a point by a path of its own, which the path queue finds; the agent waits where it is until it is there.
--- @return throng.goal
--- @error no place; an unknown option; `own_path` with `straight`, or to something else than a point
--- @example
--- guests:run(throng.fsm { start = "leave", leave = { goal = throng.go_to("exit", { radius = 1 }) } })
function fsm.go_to(place, options)
  options = options_of("throng.go_to", options, { "own_path", "radius", "straight" })
  local radius = number(options.radius or 0.5, "throng.go_to: field 'radius'", 0, true)
  if options.own_path then
    if options.straight then raise "throng.go_to: give 'own_path' or 'straight', not both" end
    if not is_point(place) then
      raise("throng.go_to: with 'own_path' the place must be a point {x, y}, got %s", host.describe(place))
    end
  end
  return goal { name = "go_to", action = "go", places = { check_place("throng.go_to", place) }, radius = radius,
    straight = options.straight == true, own_path = options.own_path == true, arrives = true }
end

--- throng.arrive(place, options)
--- Walk straight to a place, slowing down before it.
--- @param place throng.place|throng.point Where: a region by name, a shape, a point, or a list of regions and shapes.
--- @param options? { radius?: number(m) } Arrived within that distance of a point, default 0.5.
--- @return throng.goal
--- @error no place; an unknown option
--- @example
--- guests:run(throng.fsm { start = "come", come = { goal = throng.arrive("lobby", { radius = 1 }) } })
function fsm.arrive(place, options)
  options = options_of("throng.arrive", options, { "radius" })
  local radius = number(options.radius or 0.5, "throng.arrive: field 'radius'", 0, true)
  return goal { name = "arrive", action = "go", places = { check_place("throng.arrive", place) }, radius = radius,
    straight = true, arrives = true }
end

--- throng.random_path(options)
--- Walk to a place picked at random, around walls.
--- @param options? { places?: integer, to?: (throng.place|throng.point)[], own_path?: boolean } `places`: so many
--- random points of the map are the places, 1 to 256, default 16; `to`: these are; `own_path` as in throng.go_to.
--- @return throng.goal
--- @error both `to` and `places`
--- @example
--- guests:run(throng.fsm { start = "stroll", stroll = { goal = throng.random_path { to = { "lobby", "hall" } } } })
function fsm.random_path(options)
  options = options_of("throng.random_path", options, { "own_path", "places", "to" })
  local places = {}
  if options.to ~= nil then
    if type(options.to) ~= "table" or #options.to == 0 or is_point(options.to) then
      raise("throng.random_path: field 'to' must be a list of places, got %s", host.describe(options.to))
    end
    if options.places then raise "throng.random_path: give 'to' (which places) or 'places' (how many), not both" end
    for i, place in ipairs(options.to) do
      if options.own_path and not is_point(place) then
        raise("throng.random_path: with 'own_path' the places must be points {x, y}, got %s", host.describe(place))
      end
      places[i] = place
    end
  else
    local count = options.places or 16
    if math.type(count) ~= "integer" or count < 1 or count > 256 then
      raise("throng.random_path: field 'places' must be a whole number from 1 to 256, got %s", host.describe(count))
    end
    for i = 1, count do
      places[i] = false
    end
  end
  return goal { name = "random_path", action = "go", places = places, radius = 0.5, arrives = true,
    own_path = options.own_path == true }
end

--- throng.go_on()
--- Keep the goal and the path of the state before.
--- @return throng.goal
--- @example
--- guests:run(throng.fsm {
---   start = "walk",
---   walk = { goal = throng.go_to "exit", blocked = "push" },
---   push = { goal = throng.go_on(), after = 3, timeout = "walk" },
--- })
function fsm.go_on() return goal { name = "go_on", action = "on", arrives = true } end

--- throng.follow(path)
--- Walk to places one after the other, around walls; arrives at the last.
--- @param path (throng.place|throng.point)[] The places in order.
--- @return throng.goal
--- @error an empty list
--- @example
--- throng.follow { { 2, 3 }, "lobby", { 9, 4 } }
function fsm.follow(path)
  if type(path) ~= "table" or is_point(path) or #path == 0 then
    raise("throng.follow: expected a list of places, like {{2, 3}, \"lobby\", {9, 4}}, got %s", host.describe(path))
  end
  local places = {}
  for i, place in ipairs(path) do
    places[i] = place
  end
  return goal { name = "follow", action = "follow", places = places, radius = 0.5, arrives = true }
end

--- throng.wait(from, to)
--- Stay in place, and come back when pushed away.
--- @param from? number(s) At least this long; none: until something else happens.
--- @param to? number(s) At most so long, default `from`.
--- @return throng.goal
--- @error a negative time; `to` less than `from`
--- @example
--- guests:run(throng.fsm {
---   start = "look",
---   look = { goal = throng.wait(5, 10), timeout = "leave" },
---   leave = { goal = throng.go_to "exit" },
--- })
function fsm.wait(from, to)
  if from == nil then return goal { name = "wait", action = "wait" } end
  number(from, "throng.wait: the least time in seconds", 0)
  number(to or from, "throng.wait: the greatest time in seconds", from)
  return goal { name = "wait", action = "wait", least = from, most = to or from }
end

--- throng.wander(options)
--- Walk from one random point to the next within a radius of where one began, never through walls. Arrives at each;
--- goes on to the next where `arrived` leads nowhere.
--- @param options? { radius?: number(m) } Distance from the start, default 5.
--- @return throng.goal
--- @error a radius of 0 or less
--- @example
--- guests:run(throng.fsm { start = "stroll", stroll = { goal = throng.wander { radius = 3 } } })
function fsm.wander(options)
  options = options_of("throng.wander", options, { "radius" })
  local radius = number(options.radius or 5, "throng.wander: field 'radius'", 0, true)
  return goal { name = "wander", action = "wander", reach = radius, arrives = true }
end

-- A point, or the name of a spawn (nil: anybody).
local function whom(owner, values, target)
  if is_point(target) then
    values.kind, values.x, values.y = POINT, target[1], target[2]
  elseif target == nil or type(target) == "string" then
    values.whom = target or ""
  else
    raise("%s: expected a point {x, y} or the name of a spawn, got %s", owner, host.describe(target))
  end
  return goal(values)
end

--- throng.seek(point, options)
--- Walk straight at a point without slowing down.
--- @param point throng.point Where to.
--- @param options? { radius?: number(m) } Arrived within that distance, default 0.5.
--- @return throng.goal
--- @error a place that is no point
--- @example
--- guests:run(throng.fsm { start = "run", run = { goal = throng.seek({ 5, 8 }, { radius = 1 }) } })
function fsm.seek(point, options)
  options = options_of("throng.seek", options, { "radius" })
  if not is_point(point) then raise("throng.seek: expected a point {x, y}, got %s", host.describe(point)) end
  local radius = number(options.radius or 0.5, "throng.seek: field 'radius'", 0, true)
  return whom("throng.seek", { name = "seek", action = "seek", reach = radius, arrives = true }, point)
end

--- throng.pursue(name, options)
--- Run after the nearest agent in sight.
--- @param name? string Only agents of the group of this name.
--- @param options? { radius?: number(m) } Arrived within that distance, default 1.
--- @return throng.goal
--- @error a name of no group, when group:run gets the machine
--- @example
--- zombies:run(throng.fsm { start = "hunt", hunt = { goal = throng.pursue("civilians", { radius = 0.6 }) } })
function fsm.pursue(name, options)
  options = options_of("throng.pursue", options, { "radius" })
  if name ~= nil and type(name) ~= "string" then
    raise("throng.pursue: expected the name of a spawn, got %s", host.describe(name))
  end
  local radius = number(options.radius or 1, "throng.pursue: field 'radius'", 0, true)
  return whom("throng.pursue", { name = "pursue", action = "seek", reach = radius, arrives = true }, name)
end

--- throng.flee(from, options)
--- Run away from a point, or from the nearest agent in sight.
--- @param from? throng.point|string A point, or the name of a group; none: any agent.
--- @param options? { distance?: number(m) } Arrived at this distance, or with none in sight. Default 5.
--- @return throng.goal
--- @error neither a point nor a name
--- @example
--- civilians:run(throng.fsm { start = "run", run = { goal = throng.flee("zombies", { distance = 8 }) } })
function fsm.flee(from, options)
  options = options_of("throng.flee", options, { "distance" })
  local distance = number(options.distance or 5, "throng.flee: field 'distance'", 0, true)
  return whom("throng.flee", { name = "flee", action = "flee", reach = distance, arrives = true }, from)
end

-- ---- conditions

--- throng.near(name, distance)
--- Holds when another agent in sight is near.
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
function fsm.near(name, distance)
  if name ~= nil and type(name) ~= "string" then
    raise("throng.near: expected the name of a spawn (nil: anybody) and a distance, got %s", host.describe(name))
  end
  number(distance, "throng.near: the distance in metres", 0, true)
  return setmetatable({ column = NEAR, whom = name or "", value = distance, above = 0 }, CONDITION)
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
    return setmetatable({ own = name, at = at, column = 0, kind = 0, value = value, above = above }, CONDITION)
  end
  local kind = host.columns[index].is_float and 0 or 1
  return setmetatable({ column = index - 1, kind = kind, value = value, above = above }, CONDITION)
end

--- throng.above(column, value)
--- Holds while a column is greater than a value.
--- @param column string Name of a column of the agents, like "frustration", or one that world:column has declared.
--- @param value number(any) In the column's unit.
--- @return throng.condition
--- @error an unknown column, when group:run gets the machine
--- @example
--- when = { { throng.above("frustration", 0.6), "leave" } }
function fsm.above(name, value) return crossing("throng.above", name, value, 1) end

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
function fsm.below(name, value) return crossing("throng.below", name, value, 0) end

-- ---- building

local Builder = {}
Builder.__index = Builder

-- An error at the line of the state's goal, where there is one.
function Builder:fail(name, ...)
  local text = string.format(...)
  local state = self.given[name]
  local at = type(state) == "table" and getmetatable(state.goal) == GOAL.__metatable and state.goal.at
  if at then error(("%s: throng.fsm: state '%s': %s"):format(at, name, text), 0) end
  raise("throng.fsm: state '%s': %s", name, text)
end

function Builder:check_state(name)
  local state = self.given[name]
  if type(state) ~= "table" or getmetatable(state) then
    raise("throng.fsm: state '%s' must be a table like {goal = throng.wait(2, 6), timeout = \"%s\"}, got %s", name,
      self.names[1], host.describe(state))
  end
  options_of(("throng.fsm: state '%s'"):format(name), state, FIELDS)
  if state.goal ~= nil and getmetatable(state.goal) ~= GOAL.__metatable then
    self:fail(name, "the goal must be one like throng.go_to(\"exits\"), throng.wait(2, 6) or throng.wander(), got %s",
      host.describe(state.goal))
  end
  for _, hook in ipairs { "enter", "exit" } do
    if state[hook] ~= nil and type(state[hook]) ~= "function" then
      self:fail(name, "field '%s' must be a function(group), got %s", hook, host.describe(state[hook]))
    end
  end
end

function Builder:index(name, to, event)
  local index = self.indices[to]
  if index then return index end
  local _, message = pcall(host.unknown, ("'%s'"):format(event), "state", tostring(to), self.names)
  self:fail(name, "%s", (message:gsub("^.-:%d+: ", "", 1)))
end

-- "next", or { next = 3, other = 1 }: the transition's first option.
function Builder:transition(name, event, to)
  if to == nil then return -1 end
  local first, options = #self.options, self.options
  if type(to) == "string" then
    options[first + 1] = { below = 2, state = self:index(name, to, event) }
    return first
  end
  if type(to) ~= "table" or next(to) == nil then
    self:fail(name, "'%s' must lead to a state's name or to weights like {stand = 3, roam = 1}, got %s", event,
      host.describe(to))
  end
  local total, sum, targets = 0, 0, {}
  for target in pairs(to) do
    targets[#targets + 1] = target
  end
  table.sort(targets, function(a, b) return tostring(a) < tostring(b) end)
  for _, target in ipairs(targets) do
    self:index(name, target, event)
    local weight = to[target]
    if type(weight) ~= "number" or not (weight > 0 and weight < math.huge) then
      self:fail(name, "the weight of '%s' in '%s' must be a number > 0, got %s", target, event, host.describe(weight))
    end
    total = total + weight
  end
  for i, target in ipairs(targets) do
    sum = sum + to[target]
    options[#options + 1] = { below = i == #targets and 2 or sum / total, state = self.indices[target] }
  end
  return first
end

-- Seconds: the goal's own, or the field `after`.
function Builder:time(name, state, aim)
  local least, most = aim.least, aim.most
  if state.after ~= nil then
    if least then self:fail(name, "throng.wait has a time of its own; leave out 'after'") end
    local ok
    ok, least, most = pcall(host.seconds, state.after)
    if not ok then self:fail(name, "field 'after' %s", (least:gsub("^.-:%d+: ", "", 1))) end
  end
  if least and state.timeout == nil then self:fail(name, "it has a time but no 'timeout' to go on to") end
  if not least and state.timeout ~= nil then
    self:fail(name, "'timeout' needs a time: the field 'after' in seconds, or throng.wait(from, to)")
  end
  return least or -1, most or -1
end

-- Conditions for the kernels, and `tests`: functions that are called, each with the option it leads to.
function Builder:conditions_of(name, when)
  local first, tests = #self.conditions, {}
  if when == nil then return first, 0, tests end
  if type(when) ~= "table" then
    self:fail(name, "'when' must be a list like {{throng.near(\"guards\", 3), \"flee\"}}, got %s", host.describe(when))
  end
  for i, entry in ipairs(when) do
    local is_test = type(entry) == "table" and type(entry[1]) == "function"
    if not is_test and (type(entry) ~= "table" or getmetatable(entry[1]) ~= CONDITION.__metatable) then
      self:fail(name, "entry %d of 'when' must be a condition or a function(group) and where it leads, like "
        .. "{throng.near(\"guards\", 3), \"flee\"}", i)
    end
    local option = self:transition(name, "when", entry[2])
    if option < 0 then self:fail(name, "entry %d of 'when' leads nowhere: the state is missing", i) end
    if is_test then
      tests[#tests + 1] = { test = entry[1], option = option }
    else
      local condition = { option = option }
      for key, value in pairs(entry[1]) do
        condition[key] = value
      end
      self.conditions[#self.conditions + 1] = condition
    end
  end
  return first, #self.conditions - first, tests
end

function Builder:state(name)
  local state = self.given[name]
  local aim = state.goal or { name = "no goal", action = "stand" }
  if state.arrived ~= nil and not aim.arrives then
    self:fail(name, "%s never arrives; use 'after' and 'timeout'", aim.name)
  end
  if state.path_ready ~= nil and not aim.own_path then
    self:fail(name, "'path_ready' needs a goal that asks for a path, like throng.random_path { own_path = true }")
  end
  local least, most = self:time(name, state, aim)
  local first, count, tests = self:conditions_of(name, state.when)
  return {
    name = name, at = aim.at, action = aim.action, places = aim.places, radius = aim.radius, straight = aim.straight,
    whom = aim.whom, kind = aim.kind, x = aim.x, y = aim.y, reach = aim.reach, least = least, most = most,
    own_path = aim.own_path, arrived = self:transition(name, "arrived", state.arrived),
    path_ready = self:transition(name, "path_ready", state.path_ready),
    blocked = self:transition(name, "blocked", state.blocked),
    timeout = self:transition(name, "timeout", state.timeout), first_condition = first, conditions = count,
    tests = tests[1] and tests, enter = state.enter, exit = state.exit,
  }
end

-- The states that the transition at `option` may lead to.
function Builder:targets(option)
  local targets = {}
  if option < 0 then return targets end
  for i = option + 1, #self.options do
    targets[#targets + 1] = self.options[i].state
    if self.options[i].below > 1 then break end
  end
  return targets
end

function Builder:check_reached(states)
  local reached, list = { [0] = true }, { 0 }
  for _, index in ipairs(list) do
    local state = states[index + 1]
    local froms = {}
    for _, event in ipairs(EVENTS) do
      froms[#froms + 1] = state[event]
    end
    for k = 1, state.conditions do
      froms[#froms + 1] = self.conditions[state.first_condition + k].option
    end
    for _, test in ipairs(state.tests or {}) do
      froms[#froms + 1] = test.option
    end
    for _, option in ipairs(froms) do
      for _, target in ipairs(self:targets(option)) do
        if not reached[target] then
          reached[target] = true
          list[#list + 1] = target
        end
      end
    end
  end
  for i, state in ipairs(states) do
    if not reached[i - 1] then
      self:fail(state.name, "nothing leads to it: neither 'start' nor a transition of a state that can be reached")
    end
  end
end

-- One place that a state goes to and is arrived at when it is entered from a state that went there too.
local function same_place(state)
  if not state.places or #state.places ~= 1 or not state.places[1] then return nil end
  local place = state.places[1]
  return is_point(place) and ("%.17g %.17g"):format(place[1], place[2]) or place
end

-- Transitions that take no time: a time of 0 s, or having arrived where the next state goes to. A loop of them would
-- turn once a step.
function Builder:check_time(states)
  local function timeless(state)
    local targets = {}
    if state.least >= 0 and state.most == 0 then targets = self:targets(state.timeout) end
    local place = same_place(state)
    for _, target in ipairs(place and self:targets(state.arrived) or {}) do
      if same_place(states[target + 1]) == place then targets[#targets + 1] = target end
    end
    return targets
  end
  local open, done = {}, {}
  local function visit(index, path)
    if done[index] then return end
    if open[index] then
      self:fail(states[index + 1].name, "a loop without time: %s%s; give one of them a time, or another place",
        table.concat(path, " -> ", open[index]), " -> " .. states[index + 1].name)
    end
    path[#path + 1] = states[index + 1].name
    open[index] = #path
    for _, target in ipairs(timeless(states[index + 1])) do
      visit(target, path)
    end
    path[#path] = nil
    open[index], done[index] = nil, true
  end
  for i = 1, #states do
    visit(i - 1, {})
  end
end

local function sorted_names(given)
  local names = {}
  for name in pairs(given) do
    if type(name) ~= "string" then
      raise("throng.fsm: expected names of states (name = {...}), got the entry [%s]", host.describe(name))
    end
    if name ~= "start" then names[#names + 1] = name end
  end
  table.sort(names)
  return names
end

--- throng.fsm(states)
--- A state machine for group:run: `start`, the name of the first state, and the states by name. It runs in the kernels;
--- Lua is called for `enter` and `exit` only. Unknown states, states that nothing leads to and loops without time are
--- errors.
--- @param states table<string, throng.state|string> `start` and the states, by name: throng.state.
--- @return throng.machine
--- @error an unknown state, a state that nothing leads to, a loop that takes no time
--- @example
--- guests:run(throng.fsm {
---   start = "stroll",
---   stroll = { goal = throng.random_path(), arrived = { stand = 3, roam = 1 } },
---   stand = { goal = throng.wait(2, 6), timeout = "stroll" },
---   roam = { goal = throng.wander { radius = 4 }, after = 8, timeout = "stroll" },
--- })
function fsm.fsm(given)
  if type(given) ~= "table" then
    raise("throng.fsm: expected a table of states like {start = \"stroll\", stroll = {...}}, got %s",
      host.describe(given))
  end
  local names = sorted_names(given)
  if type(given.start) ~= "string" then
    raise("throng.fsm: field 'start' must be the name of the first state, got %s", host.describe(given.start))
  end
  local ordered, indices = { given.start }, { [given.start] = 0 }
  if not given[given.start] then host.unknown("throng.fsm: 'start'", "state", given.start, names) end
  for _, name in ipairs(names) do
    if name ~= given.start then
      ordered[#ordered + 1] = name
      indices[name] = #ordered - 1
    end
  end
  local builder = { given = given, names = names, indices = indices, options = {}, conditions = {} }
  setmetatable(builder, Builder)
  local states = {}
  for _, name in ipairs(ordered) do
    builder:check_state(name)
  end
  for i, name in ipairs(ordered) do
    states[i] = builder:state(name)
  end
  builder:check_reached(states)
  builder:check_time(states)
  return host.machine { states = states, options = builder.options, conditions = builder.conditions }
end

return fsm
