-- The values that a behaviour function is recorded with: each notes what is computed from it.
local host = ...

local VALUE = host.recorded -- metatable of recorded values, known to math's functions (runtime/script/bind_math.c)
VALUE.__metatable = "agent's value"

local notes = {} -- `current`: the recording that is going on: { nodes =, pending =, answer = }; nil: none is

local function raise(...) host.raise(string.format(...)) end

local function single(number) return (string.unpack("<f", string.pack("<f", number))) end

function notes.is_recorded(value) return getmetatable(value) == VALUE.__metatable end

notes.RESULTS = { "one number", "two numbers, vx and vy" } -- by their number

notes.BRANCH = "an agent's value can be compared only in throng.select(a < b, x, y): if, while, and, or, == must know"
  .. " the answer while the function is recorded (or use throng.behaviour(f, { slow = true }))"

-- A loop's bounds are numbers to Lua itself, which says so.
notes.LOOP = "an agent's value cannot bound a 'for': how often it runs must be known while the function is recorded;"
  .. " loop to a number and leave out with throng.select(i <= n, x, y), or use throng.behaviour(f, { slow = true })"

function notes.node(op, index, ...)
  local current = notes.current
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
  local fresh = { op = op, index = index or false, inputs = inputs, key = key, id = current.count }
  fresh.at = host.position() -- a line of the script's
  setmetatable(fresh, VALUE)
  current.nodes[key] = fresh
  return fresh
end

function notes.operand(value)
  if notes.is_recorded(value) then return value end
  if type(value) ~= "number" then
    raise("a behaviour function computes with numbers, got %s%s", host.describe(value),
      value == nil and ": a name that has no value here" or "")
  end
  if value ~= value then raise "a behaviour function computes with numbers, got not a number (NaN)" end
  return notes.node("value", single(value))
end

function notes.apply(op, ...)
  local inputs = { ... }
  for i = 1, #inputs do
    inputs[i] = notes.operand(inputs[i])
  end
  return notes.node(op, nil, table.unpack(inputs))
end

function notes.either_way(op, a, b)
  a, b = notes.operand(a), notes.operand(b)
  if b.id < a.id then
    a, b = b, a
  end
  return notes.node(op, nil, a, b)
end

local function compare(op, a, b)
  local noted = notes.apply(op, a, b)
  local pending = notes.current.pending
  pending[#pending + 1] = { node = noted, at = host.position() }
  if #pending > 100 then raise(notes.BRANCH) end
  return notes.current.answer
end

local function power(a, exponent)
  if notes.is_recorded(exponent) then
    raise "`^` takes a constant exponent, no agent's value; of an `a` above 0, a ^ b is math.exp(b * math.log(a))"
  end
  if exponent == 0.5 then return notes.apply("sqrt", a) end
  if math.type(exponent) == "integer" and exponent >= 1 and exponent <= 16 then
    local result = a
    for _ = 2, exponent do
      result = result * a
    end
    return result
  end
  return notes.apply("exp", notes.apply("log", a) * exponent)
end

VALUE.__name = "agent's value"
function VALUE.__add(a, b) return notes.either_way("add", a, b) end
function VALUE.__sub(a, b) return notes.apply("subtract", a, b) end
function VALUE.__mul(a, b) return notes.either_way("multiply", a, b) end
function VALUE.__div(a, b) return notes.apply("divide", a, b) end
function VALUE.__idiv(a, b) return notes.apply("floor", notes.apply("divide", a, b)) end
function VALUE.__mod(a, b) return a - notes.apply("floor", notes.apply("divide", a, b)) * b end
function VALUE.__pow(a, b) return power(a, b) end
function VALUE.__unm(a) return notes.apply("negate", a) end
function VALUE.__lt(a, b) return compare("less", a, b) end
function VALUE.__le(a, b) return compare("less_equal", a, b) end
function VALUE.__eq() raise(notes.BRANCH) end
function VALUE.__tostring() raise "an agent's value has no text: it stands for all agents at once" end
function VALUE.__concat() raise "an agent's value has no text: it stands for all agents at once" end
function VALUE.__len() raise "an agent's value is a number, it has no length" end
function VALUE.__call() raise "an agent's value is a number, it cannot be called" end
local function no_field(_, key)
  raise("an agent's value is a number, it has no field '%s'; a behaviour is called with the time and the agent, "
    .. "function(t, a)", tostring(key))
end

VALUE.__index, VALUE.__newindex = no_field, no_field

-- ---- math

local functions = {}

for _, name in ipairs { "abs", "floor", "sqrt", "sin", "cos", "exp" } do
  functions[name] = function(a) return notes.apply(name, a) end
end

function functions.ceil(a) return -notes.apply("floor", -a) end

function functions.tan(a) return notes.apply("sin", a) / notes.apply("cos", a) end

function functions.atan(y, x) return notes.apply("atan", y, x or 1) end

function functions.log(a, base)
  if base == nil then return notes.apply("log", a) end
  if not notes.is_recorded(base) then return notes.apply("log", a) / math.log(base) end
  return notes.apply("log", a) / notes.apply("log", base)
end

for _, name in ipairs { "min", "max" } do
  functions[name] = function(first, ...)
    local result = notes.operand(first)
    for _, other in ipairs { ... } do
      result = notes.apply(name, result, other)
    end
    return result
  end
end

-- What math's functions call when an argument is recorded.
function host.recorded_math(name, ...)
  if not functions[name] then
    raise("math.%s of an agent's value cannot be recorded; there are: %s", name,
      table.concat(host.names_of(functions), ", "))
  end
  return functions[name](...)
end

return notes
