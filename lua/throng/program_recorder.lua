-- Behaviour functions: called once, with values that note what is computed from them. The notes are a program
-- (kernels/behaviour/program.h) that runs for every agent in every frame; Lua is not entered again.
--
-- A comparison of such values gives Lua a plain boolean, whatever its metamethod returns. So each comparison is noted
-- and answered "true", and the throng.select whose first argument it is takes the note. Then the function is called
-- again with "false" for an answer: only where every answer went straight into its throng.select are the two
-- programs the same. All else (`if`, `and`, `or`, `not` between them) differs or leaves notes over, and is an error.

--- class throng.behaviour.agent as agent
--- The agent as a behaviour function sees it: its columns, and what is around it. Distances are in metres, infinite to
--- what
--- is not there; directions are unit vectors, 0, 0 there or at no distance.

local host = ...
local pairs = host.pairs -- in the order of keys

local REGISTERS = 32
local RESULTS = { "one number", "two numbers, vx and vy" }

local VALUE = host.recorded -- metatable of recorded values, known to math's functions (runtime/script/bind_math.c)
local AGENT = { __name = "agent", __metatable = false }
VALUE.__metatable = "agent's value"
local current -- the recording that is going on: { nodes =, pending =, answer = }

local function raise(...) host.raise(string.format(...)) end

local function single(number) return (string.unpack("<f", string.pack("<f", number))) end

local function is_recorded(value) return getmetatable(value) == VALUE.__metatable end

local BRANCH = "an agent's value can be compared only in throng.select(a < b, x, y): if, while, and, or, == must know"
  .. " the answer while the function is recorded (or use throng.behaviour(f, { slow = true }))"

-- ---- notes

local function node(op, index, ...)
  if not current then raise "an agent's value was used outside its behaviour function" end
  local key = table.concat({ op, tostring(index) }, " ")
  local inputs = { ... }
  for _, input in ipairs(inputs) do
    if current.nodes[input.key] ~= input then raise "an agent's value of another behaviour function was used" end
    key = key .. " " .. input.id
  end
  local known = current.nodes[key]
  if known then return known end
  current.count = current.count + 1
  local fresh = setmetatable({ op = op, index = index or false, inputs = inputs, key = key, id = current.count }, VALUE)
  current.nodes[key] = fresh
  return fresh
end

local function operand(value)
  if is_recorded(value) then return value end
  if type(value) ~= "number" then
    raise("a behaviour function computes with numbers, got %s%s", host.describe(value),
      value == nil and ": a name that has no value here" or "")
  end
  if value ~= value then raise "a behaviour function computes with numbers, got not a number (NaN)" end
  return node("value", single(value))
end

local function apply(op, ...)
  local inputs = { ... }
  for i = 1, #inputs do
    inputs[i] = operand(inputs[i])
  end
  return node(op, nil, table.unpack(inputs))
end

local function either_way(op, a, b)
  a, b = operand(a), operand(b)
  if b.id < a.id then
    a, b = b, a
  end
  return node(op, nil, a, b)
end

local function compare(op, a, b)
  local noted = apply(op, a, b)
  local pending = current.pending
  pending[#pending + 1] = { node = noted, at = host.position() }
  if #pending > 100 then raise(BRANCH) end
  return current.answer
end

local function power(a, exponent)
  if exponent == 0.5 then return apply("sqrt", a) end
  if math.type(exponent) == "integer" and exponent >= 1 and exponent <= 16 then
    local result = a
    for _ = 2, exponent do
      result = result * a
    end
    return result
  end
  return apply("exp", apply("log", a) * exponent)
end

VALUE.__name = "agent's value"
function VALUE.__add(a, b) return either_way("add", a, b) end
function VALUE.__sub(a, b) return apply("subtract", a, b) end
function VALUE.__mul(a, b) return either_way("multiply", a, b) end
function VALUE.__div(a, b) return apply("divide", a, b) end
function VALUE.__idiv(a, b) return apply("floor", apply("divide", a, b)) end
function VALUE.__mod(a, b) return a - apply("floor", apply("divide", a, b)) * b end
function VALUE.__pow(a, b) return power(a, b) end
function VALUE.__unm(a) return apply("negate", a) end
function VALUE.__lt(a, b) return compare("less", a, b) end
function VALUE.__le(a, b) return compare("less_equal", a, b) end
function VALUE.__eq() raise(BRANCH) end
function VALUE.__tostring() raise "an agent's value has no text: it stands for all agents at once" end
function VALUE.__concat() raise "an agent's value has no text: it stands for all agents at once" end
function VALUE.__len() raise "an agent's value is a number, it has no length" end
function VALUE.__call() raise "an agent's value is a number, it cannot be called" end
function VALUE.__index(_, key) raise("an agent's value is a number, it has no field '%s'", tostring(key)) end
function VALUE.__newindex(_, key) raise("an agent's value is a number, it has no field '%s'", tostring(key)) end

-- ---- math

local functions = {}

for _, name in ipairs { "abs", "floor", "sqrt", "sin", "cos", "exp" } do
  functions[name] = function(a) return apply(name, a) end
end

function functions.ceil(a) return -apply("floor", -a) end

function functions.tan(a) return apply("sin", a) / apply("cos", a) end

function functions.atan(y, x) return apply("atan", y, x or 1) end

function functions.log(a, base)
  if base == nil then return apply("log", a) end
  if not is_recorded(base) then return apply("log", a) / math.log(base) end
  return apply("log", a) / apply("log", base)
end

for _, name in ipairs { "min", "max" } do
  functions[name] = function(first, ...)
    local result = operand(first)
    for _, other in ipairs { ... } do
      result = apply(name, result, other)
    end
    return result
  end
end

local function names_of(list)
  local names = {}
  for name in pairs(list) do
    names[#names + 1] = name
  end
  table.sort(names)
  return names
end

-- What math's functions call when an argument is recorded.
function host.traced_math(name, ...)
  if not functions[name] then
    raise("math.%s of an agent's value cannot be recorded; there are: %s", name,
      table.concat(names_of(functions), ", "))
  end
  return functions[name](...)
end

-- ---- throng.select and its like

local recorder = {}

local function unknown_truth(value)
  raise("throng.select: the first argument must be a comparison like a.x < 3, or a number (0: no), got %s%s",
    host.describe(value), type(value) == "boolean" and "; for equality there is throng.equal(a.group, 1), for what is"
    .. " known beforehand there is `if`" or "")
end

--- throng.select(condition, yes, no)
--- `yes` where the condition holds, else `no`: throng.select(a.speed < 1, 0.5, 2). The comparison must stand in the
--- call; to use it twice, or join two, make numbers of them: `local slow = throng.select(a.speed < 1, 1, 0)`,
--- throng.select(slow, x, y).
--- @param condition boolean|number(1) A comparison, or a number: 0 is no.
--- @param yes number(any) The value where it holds.
--- @param no number(any) The value elsewhere.
--- @return number(any)
--- @error a condition that Lua has decided already, like one that was kept in a local
--- @example
--- guests.speed = function(t, a) return throng.select(a.x < 3, 0.8, 1.3) end
function recorder.select(condition, yes, no)
  if not current then
    if type(condition) ~= "boolean" and type(condition) ~= "number" then unknown_truth(condition) end
    if condition and condition ~= 0 then return yes end
    return no
  end
  if type(condition) == "boolean" then
    local pending = table.remove(current.pending)
    if not pending then unknown_truth(condition) end
    if condition ~= current.answer then
      yes, no = no, yes
    end
    condition = pending.node
  elseif type(condition) ~= "number" and not is_recorded(condition) then
    unknown_truth(condition)
  end
  condition, yes, no = operand(condition), operand(yes), operand(no)
  return node("select", nil, condition, yes, no)
end

--- throng.equal(a, b)
--- 1 where the numbers are equal, else 0: `==` itself cannot be recorded.
--- @param a number(any) A value.
--- @param b number(any) Another one.
--- @return number(1)
--- @error a value that is no number
--- @example
--- guests.speed = function(t, a) return throng.select(throng.equal(a.id, 0), 0.8, 1.3) end
function recorder.equal(a, b)
  if is_recorded(a) or is_recorded(b) then return either_way("equal", a, b) end
  return a == b and 1 or 0
end

--- throng.noise(x, y, z)
--- Smooth noise in space, -1 to 1, 0 at whole numbers: the same in every world.
--- @param x number(1) Where.
--- @param y? number(1) Where, default 0.
--- @param z? number(1) Where, default 0: time, for noise that changes.
--- @return number(1)
--- @error a value that is no number
--- @example
--- guests.speed = function(t, a) return 1.2 + 0.3 * throng.noise(a.x / 5, a.y / 5, t / 10) end
function recorder.noise(x, y, z)
  y, z = y or 0, z or 0
  if is_recorded(x) or is_recorded(y) or is_recorded(z) then return apply("noise", x, y, z) end
  for _, value in ipairs { x or false, y, z } do
    if type(value) ~= "number" then raise("throng.noise: expected numbers, got %s", host.describe(value or nil)) end
  end
  return host.noise(x, y, z)
end

--- throng.random()
--- In a behaviour function: a random number in [0, 1), different for each agent, frame and call.
--- @return number(1)
--- @error outside a behaviour function: there math.random is the world's
--- @example
--- guests.speed = function(t, a) return 1.2 + 0.1 * throng.random() end
function recorder.random()
  if not current then raise "throng.random is for behaviour functions; elsewhere there is math.random" end
  current.randoms = current.randoms + 1
  return node("random", current.randoms - 1)
end

-- ---- the agent

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
  if place == nil then raise("a:%s: the place is missing: a point {x, y}, a region's name or a shape", method) end
  if type(place) == "table" and type(place[1]) == "number" and type(place[2]) == "number" then
    return place[1] - a.x, place[2] - a.y
  end
  local places = current.places
  for i, known in ipairs(places) do
    if known == place then return vector("to_place", i) end
  end
  places[#places + 1] = place
  return vector("to_place", #places)
end

local function to_nearest(method, name)
  if name ~= nil and type(name) ~= "string" then
    raise("a:%s: expected the name of a spawn (or nothing: of anybody), got %s", method, host.describe(name))
  end
  return vector("to_nearest", name or "")
end

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

local columns = {}
for _, column in ipairs(host.columns) do
  columns[column.name] = column.is_float and "column" or "whole"
end

local slow_names, agent_names = {}, names_of(methods)
for i, column in ipairs(host.columns) do
  slow_names[i] = column.name
  agent_names[#agent_names + 1] = column.name
end

-- A script declares a column of its own (world:column).
function recorder.check_free(name)
  if methods[name] then raise("world:column: agents have a method '%s' already: choose another name", name) end
end

-- Raises unless it is one of the world's own columns, which are listed in `own`.
local function check_own(owner, name, names, own)
  local all = table.move(names, 1, #names, 1, {})
  for _, other in ipairs(own) do
    if other == name then return end
    all[#all + 1] = other
  end
  host.unknown(owner, "field", tostring(name), all)
end

function AGENT.__index(_, name)
  if methods[name] then return methods[name] end
  if not columns[name] then check_own("a behaviour function's agent", name, agent_names, current.own) end
  return node(columns[name] or "column", name)
end

function AGENT.__newindex(_, name)
  raise("a behaviour function cannot write a.%s: it returns the value of what it is assigned to", tostring(name))
end

-- ---- from notes to instructions

-- Nodes in the order in which they are computed, each as late as can be, with the number of their uses.
local function ordered(results)
  local order, uses = {}, {}
  local function visit(n)
    if uses[n.id] then
      uses[n.id] = uses[n.id] + 1
      return
    end
    uses[n.id] = 1
    for _, input in ipairs(n.inputs) do
      visit(input)
    end
    order[#order + 1] = n
  end
  for _, result in ipairs(results) do
    visit(result)
  end
  return order, uses
end

local function allocator()
  local taken, most = {}, 0
  local registers = {}
  function registers.take()
    for r = 0, REGISTERS - 1 do
      if not taken[r] then
        taken[r] = true
        most = math.max(most, r + 1)
        return r
      end
    end
    raise("this behaviour function is too large: more than %d values are needed at once", REGISTERS)
  end
  function registers.free(r) taken[r] = nil end
  function registers.most() return most end
  return registers
end

local function emit(results)
  local order, uses = ordered(results)
  local registers, at, code = allocator(), {}, {}
  for _, n in ipairs(order) do
    local inputs = {}
    for i, input in ipairs(n.inputs) do
      inputs[i] = at[input.id]
    end
    local function release()
      for _, input in ipairs(n.inputs) do
        uses[input.id] = uses[input.id] - 1
        if uses[input.id] == 0 then registers.free(at[input.id]) end
      end
    end
    if n.op == "x" or n.op == "y" then
      at[n.id] = at[n.inputs[1].id][n.op] -- the vector's instruction has written it
    elseif n.op:find "^to_" then
      local x, y = registers.take(), registers.take()
      at[n.id] = { x = x, y = y }
      code[#code + 1] = { op = n.op, to = x, b = y, index = n.index }
      for _, component in ipairs { "x", "y" } do
        local reader = current.nodes[component .. " nil " .. n.id]
        if not reader or not uses[reader.id] then registers.free(at[n.id][component]) end
      end
    else
      release()
      at[n.id] = registers.take()
      code[#code + 1] = { op = n.op, to = at[n.id], a = inputs[1], b = inputs[2], c = inputs[3], index = n.index }
    end
  end
  local registers_of = {}
  for i, result in ipairs(results) do
    registers_of[i] = at[result.id]
  end
  return { code = code, results = registers_of, registers = registers.most() }
end

-- ---- the program as text

local infix = { add = "+", subtract = "-", multiply = "*", divide = "/", less = "<", less_equal = "<=", equal = "==" }

local function instruction_text(program, i)
  local r = function(register) return "r" .. register end
  if infix[i.op] then return ("%s = %s %s %s"):format(r(i.to), r(i.a), infix[i.op], r(i.b)) end
  if i.op == "value" then return ("%s = %.9g"):format(r(i.to), i.index) end
  if i.op == "time" then return r(i.to) .. " = t" end
  if i.op == "column" or i.op == "whole" then return ("%s = a.%s"):format(r(i.to), i.index) end
  if i.op == "to_place" then
    local place = program.places[i.index]
    local name = type(place) == "string" and place or "a shape"
    return ("%s, %s = vector to %s"):format(r(i.to), r(i.b), name)
  end
  if i.op == "to_goal" then return ("%s, %s = vector to its goal"):format(r(i.to), r(i.b)) end
  if i.op == "to_nearest" then
    return ("%s, %s = vector to the nearest %s"):format(r(i.to), r(i.b), i.index == "" and "agent" or i.index)
  end
  local inputs = {}
  for _, register in ipairs { i.a, i.b, i.c } do
    inputs[#inputs + 1] = r(register)
  end
  return ("%s = %s(%s)"):format(r(i.to), i.op, table.concat(inputs, ", "))
end

local function program_text(program)
  local lines = {}
  for k, instruction in ipairs(program.code) do
    lines[k] = "  " .. instruction_text(program, instruction)
  end
  local results = {}
  for k, register in ipairs(program.results) do
    results[k] = "r" .. register
  end
  lines[#lines + 1] = "  return " .. table.concat(results, ", ")
  return table.concat(lines, "\n")
end

-- ---- recording

-- Comparisons with == never reach us when one side is a plain number: look for them in the text.
local function check_text(fn)
  local source, first, last = host.text_of(fn)
  local text = source and host.read(source)
  if not text then return end
  local number = 0
  for line in text:gmatch "([^\n]*)\n?" do
    number = number + 1
    if number >= first and number <= last then
      if number == first then line = line:gsub("^.-function", "function", 1) end
      line = line:gsub([[(["'])(.-)%1]], '""'):gsub("%-%-.*", "")
      if line:find("[=~]=") then
        error(("%s:%d: == and ~= do not work in a behaviour function; write throng.select(throng.equal(a.group, 1),"
          .. " x, y), or compare plain values before the function"):format(source, number), 0)
      end
    end
  end
end

local function results_of(fn, answer, wanted, own)
  current = { nodes = {}, pending = {}, places = {}, count = 0, randoms = 0, answer = answer, own = own }
  local t = node("time")
  local got = table.pack(fn(t, setmetatable({}, AGENT)))
  local left = current.pending[1]
  if left then error(("%s: %s"):format(left.at, BRANCH), 0) end
  local at = host.place_of(fn)
  if wanted and got.n ~= wanted then
    error(("%s: this behaviour function must return %s, it returned %d values"):format(at, RESULTS[wanted], got.n), 0)
  end
  for i = 1, got.n do
    if not is_recorded(got[i]) and type(got[i]) ~= "number" then
      error(("%s: this behaviour function must return numbers, it returned %s%s"):format(at, host.describe(got[i]),
        got[i] == nil and " (a table cannot be looked up by an agent's value: assign a list of values, or use "
          .. "throng.behaviour(f, { slow = true }))" or ""), 0)
    end
    got[i] = operand(got[i])
  end
  if got.n == 0 or got.n > 2 then
    error(("%s: a behaviour function returns one number or two, it returned %d"):format(at, got.n), 0)
  end
  local program = emit({ table.unpack(got, 1, got.n) })
  program.places = current.places
  program.text = program_text(program)
  return program
end

local function protected(fn, answer, wanted, own)
  host.recording(true)
  local ok, program = pcall(results_of, fn, answer, wanted, own)
  host.recording(false)
  current = nil
  if not ok then error(program, 0) end
  return program
end

-- The program of a function with `wanted` results (nil: one or two), where agents have these columns of a script's own:
-- { code = { { op =, to =, a =, b =, c =, index = }, ... }, results = { register, ... }, places = {...}, text = }
function recorder.compile(fn, wanted, own)
  check_text(fn)
  local program = protected(fn, true, wanted, own)
  if protected(fn, false, wanted, own).text ~= program.text then
    error(("%s: %s"):format(host.place_of(fn), BRANCH), 0)
  end
  return program
end

--- throng.explain(f, world)
--- Prints the program that a behaviour function is compiled to, an instruction a line, and returns that text.
--- @param f throng.behaviour_like A function(t, a), or throng.behaviour(...).
--- @param world? throng.world Whose own columns (world:column) it may read.
--- @return string
--- @error a function that cannot be recorded; the message has the line and the remedy
--- @example
--- throng.explain(function(t, a) return 1 + 0.2 * math.sin(t + a.id) end)
function recorder.explain(fn, world)
  fn = host.function_of(fn)
  local program = recorder.compile(fn, nil, world and host.own_columns(world) or {})
  local text = ("behaviour function of %s: %d instructions, %d registers\n%s"):format(host.place_of(fn), #program.code,
    program.registers, program.text)
  host.print(text)
  return text
end

-- ---- slow functions

-- The agents of a group, one after the other: what a function called from Lua sees as its agent, and the function that
-- goes to the i-th.
local function viewer(group)
  local read, at = {}, 0
  local agent = setmetatable({}, {
    __metatable = false,
    __index = function(_, name)
      if not columns[name] then check_own("agent", name, slow_names, host.own_columns(group.world)) end
      read[name] = read[name] or group[name]
      return read[name][at]
    end,
    __newindex = AGENT.__newindex,
  })
  return agent, function(i) at = i end
end

-- Calls the function for each agent of the group; the values it gave, a list for each of its `wanted` results.
function recorder.call(fn, group, time, wanted)
  local agent, go = viewer(group)
  local first, second = {}, {}
  for i = 1, #group do
    go(i)
    first[i], second[i] = fn(time, agent)
    if type(first[i]) ~= "number" or (wanted == 2 and type(second[i]) ~= "number") then
      error(("%s: this behaviour function must return %s, it returned %s for agent %d"):format(host.place_of(fn),
        RESULTS[wanted], host.describe(type(first[i]) == "number" and second[i] or first[i]), agent.id), 0)
    end
  end
  return first, second
end

-- What the function says of each agent of the group, for group:filter.
function recorder.choose(fn, group)
  local agent, go = viewer(group)
  local chosen = {}
  for i = 1, #group do
    go(i)
    chosen[i] = fn(agent) and true or false
  end
  return chosen
end

return recorder
