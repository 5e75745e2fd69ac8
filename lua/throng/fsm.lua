-- Goal state machines: throng.fsm { start = "stroll", stroll = { goal = throng.random_path(), arrived = "stroll" } }.
-- Checked and compiled here when they are built; runtime/world/world_machines.c and kernels/behaviour/fsm.h run them.

--- class throng.machine
--- A state machine: throng.fsm.

--- alias throng.transition = string|table<string, number>
--- Where a transition leads: the name of a state, or weights: { stand = 3, roam = 1 }.

--- class throng.state
--- A state of a machine. When several transitions are due in a step, the machine takes the first of arrived, the
--- conditions in order, path_ready, blocked and timeout. It changes state at most once a step.
--- @field goal? throng.goal The goal of its agents; none: they stand.
--- @field arrived? throng.transition Its goal is reached. Without it an agent that arrives has arrived (group:on).
--- @field after? throng.number(s) Time limit, from entering the state: a number or throng.uniform.
--- @field timeout? throng.transition Its time is over.
--- @field path_ready? throng.transition The path of its own that its goal asks for (`own_path`) is there. Without it
--- the agent walks it in this state.
--- @field blocked? throng.transition Held up by others for about 3 s, or stuck (world:stuck) for whatever cause.
--- @field when? { [1]: throng.condition|fun(group: throng.group): throng.group|boolean, [2]: throng.transition }[]
--- Conditions, tested in order in every step. A function is called once a step with the agents in the state, and
--- returns those that leave it in the next step.
--- @field enter? fun(group: throng.group) Called once a step with those that entered the state in it.
--- @field exit? fun(group: throng.group) Called once a step, before any `enter`, with those that left the state in it.

local host, goals, conditions = ...
local pairs = host.pairs -- in the order of keys

local FIELDS = { "after", "arrived", "blocked", "enter", "exit", "goal", "path_ready", "timeout", "when" }
local EVENTS = { "arrived", "path_ready", "blocked", "timeout" }

local function raise(...) host.raise(string.format(...)) end

local Builder = {}
Builder.__index = Builder

-- An error at the line of the state's goal, where there is one.
function Builder:fail(name, ...)
  local text = string.format(...)
  local state = self.given[name]
  local goal = type(state) == "table" and goals.values_of(state.goal)
  local at = goal and goal.at
  if at then error(("%s: throng.fsm: state '%s': %s"):format(at, name, text), 0) end
  raise("throng.fsm: state '%s': %s", name, text)
end

function Builder:check_state(name)
  local state = self.given[name]
  if type(state) ~= "table" or getmetatable(state) then
    raise("throng.fsm: state '%s' must be a table like {goal = throng.wait(2, 6), timeout = \"%s\"}, got %s", name,
      self.names[1], host.describe(state))
  end
  host.options_of(("throng.fsm: state '%s'"):format(name), state, FIELDS)
  if state.goal ~= nil and not goals.values_of(state.goal) then
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
    if not is_test and (type(entry) ~= "table" or not conditions.values_of(entry[1])) then
      self:fail(name, "entry %d of 'when' must be a condition or a function(group) and where it leads, like "
        .. "{throng.near(\"guards\", 3), \"flee\"}", i)
    end
    local option = self:transition(name, "when", entry[2])
    if option < 0 then self:fail(name, "entry %d of 'when' leads nowhere: the state is missing", i) end
    if is_test then
      tests[#tests + 1] = { test = entry[1], option = option }
    else
      local condition = { option = option }
      for key, value in pairs(conditions.values_of(entry[1])) do
        condition[key] = value
      end
      self.conditions[#self.conditions + 1] = condition
    end
  end
  return first, #self.conditions - first, tests
end

function Builder:state(name)
  local state = self.given[name]
  local aim = goals.values_of(state.goal) or { name = "no goal", action = "stand" }
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
    whom = aim.whom, kind = aim.kind, point = aim.point, reach = aim.reach, least = least, most = most,
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
  return goals.is_point(place) and ("%.17g %.17g %s"):format(place[1], place[2], place.floor) or place
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
local function fsm(given)
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
