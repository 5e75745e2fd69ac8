-- The part of a scenario's sandbox that is easier said in Lua; the rest is in
-- runtime/script/script_sandbox.c. Called with the environment to fill, the real
-- globals, the host's functions, the scenario's folder and the throng module.
local environment, real, host, folder, throng = ...

local stopped, raise, describe, resume = host.stopped, host.raise, host.describe, host.resume
local error, load, getmetatable, setmetatable = real.error, real.load, real.getmetatable, real.setmetatable
local rawget, rawset, select, type = real.rawget, real.rawset, real.select, real.type

-- A callback that is being stopped must not go on by catching that.
local function pass_on(ok, ...)
  if not ok and stopped() then error((...), 0) end
  return ok, ...
end

function environment.pcall(f, ...) return pass_on(real.pcall(f, ...)) end

-- Handlers run before the error leaves the hook that stops an endless loop, and in hooks nothing is counted.
function environment.xpcall(f, handler, ...)
  local function handle(problem)
    if stopped() then return problem end
    return handler(problem)
  end
  return pass_on(real.xpcall(f, handle, ...))
end

local close, go_on = real.coroutine.close, host.thread.go_on

local function expect(owner, kind, value)
  if type(value) ~= kind then raise(("%s: expected a %s, got %s"):format(owner, kind, describe(value))) end
end

function environment.coroutine.create(f)
  expect("coroutine.create", "function", f)
  return host.thread.create(f)
end

function environment.coroutine.resume(co, ...)
  expect("coroutine.resume", "thread", co)
  return pass_on(resume(co, ...))
end

function environment.coroutine.close(co)
  expect("coroutine.close", "thread", co)
  return pass_on(close(co))
end

function environment.coroutine.wrap(f)
  local co = environment.coroutine.create(f)
  return function(...) return go_on(resume(co, ...)) end
end

-- Finalizers run without limits, and when depends on memory, as it does when weak tables lose what they hold: not in
-- scenarios.
local function refuse(owner, key)
  raise(("%s: %s is not available in scenarios: when memory is collected differs from run to run"):format(owner, key))
end

function environment.setmetatable(value, meta)
  expect("setmetatable", "table", value)
  if meta ~= nil then expect("setmetatable: the metatable", "table", meta) end
  for _, key in real.ipairs { "__gc", "__mode" } do
    if meta and rawget(meta, key) ~= nil then refuse("setmetatable", key) end
  end
  local ok, result = real.pcall(setmetatable, value, meta)
  if not ok then raise("setmetatable: " .. result) end -- it is protected
  return result
end

function environment.rawset(t, key, value)
  expect("rawset", "table", t)
  if key == "__mode" then refuse("rawset", key) end
  return real.rawset(t, key, value)
end

function environment.getmetatable(value)
  local kind = type(value)
  if kind == "string" or kind == "boolean" then return nil end -- of all of them: not for one scenario to change
  return getmetatable(value)
end

-- The pieces that a function gives, as one text.
local function gathered(pieces)
  local list = {}
  for piece in pieces do
    if type(piece) ~= "string" then error("reader function must return a string", 0) end
    if piece == "" then break end
    list[#list + 1] = piece
  end
  return real.table.concat(list)
end

-- Text only, and in the scenario's environment.
function environment.load(chunk, name, _, ...)
  local env = environment
  if type(chunk) == "function" then
    local ok, text = pass_on(real.pcall(gathered, chunk))
    if not ok then return nil, text end
    chunk = text
  end
  if type(chunk) ~= "string" then raise("load: expected a text or a function, got " .. describe(chunk)) end
  if select("#", ...) > 0 then env = ... end
  -- nobody passes for the host, or for a file
  if type(name) ~= "string" or name:find("^=%[throng%]") then name = "=(load)" end
  name = name:gsub("^@", "=")
  local loaded, problem = load(chunk, name, "t", env)
  if not loaded then pass_on(false, problem) end
  return loaded, problem
end

-- Lua's own sort picks pivots by the clock when it meets large uneven parts;
-- a merge sort is stable too, so equal entries have one order.
local function merge(list, less, from, middle, to, spare)
  local left, right = from, middle + 1
  for at = from, to do
    if left <= middle and (right > to or not less(list[right], list[left])) then
      spare[at], left = list[left], left + 1
    else
      spare[at], right = list[right], right + 1
    end
  end
  for at = from, to do
    list[at] = spare[at]
  end
end

local function sort(list, less, from, to, spare)
  if from >= to then return end
  local middle = (from + to) // 2
  sort(list, less, from, middle, spare)
  sort(list, less, middle + 1, to, spare)
  merge(list, less, from, middle, to, spare)
end

local function is_less(a, b) return a < b end

function environment.table.sort(list, less)
  expect("table.sort", "table", list)
  if less then
    expect("table.sort: the order", "function", less)
    return sort(list, less, 1, #list, {})
  end
  local ok, problem = pass_on(real.pcall(sort, list, is_less, 1, #list, {}))
  if not ok then raise("table.sort: " .. real.tostring(problem):gsub("^.-:%d+: ", "", 1)) end
end

-- require finds throng and the files of the scenario's own folder.
-- Each scenario has a copy of the module: what it changes there, no other sees.
local function copy(values, owner)
  local own = {}
  for name, value in real.pairs(values) do
    own[name] = type(value) == "table" and copy(value, owner .. "." .. name) or value
  end
  return host.named(own, owner)
end
local own = copy(throng, "throng")

local loaded = { throng = own }
local loading = {}

local function load_module(name)
  local path = folder .. "/" .. name:gsub("%.", "/") .. ".lua"
  local text = host.read(path)
  if not text then
    raise(("require: there is no module '%s' (no file %s); scenarios can require \"throng\" and files of their own"
      .. " folder"):format(name, path))
  end
  host.confine(path, folder)
  local chunk, problem = load(text, "@" .. path, "t", environment)
  if problem and problem:find "^C stack overflow" then
    error(path .. ": brackets, tables or blocks are nested too deeply in it", 0)
  elseif not chunk then
    error(problem, 0)
  end
  loading[name] = true
  local ok, result = real.pcall(chunk, name, path)
  loading[name] = nil
  if not ok then error(result, 0) end
  return result == nil and true or result
end

function environment.require(name)
  if type(name) ~= "string" or name:find("[^%w_%-%.]") or name:find("..", 1, true) then
    raise("require: expected the name of a module, got " .. describe(name))
  end
  if loading[name] then raise(("require: module '%s' requires itself"):format(name)) end
  if loaded[name] == nil then loaded[name] = load_module(name) end
  return loaded[name]
end

-- What files end in, so that errors name the line: `return setmetatable(...)`.
for _, name in real.ipairs { "setmetatable", "rawset", "require" } do
  environment[name] = host.entry(environment[name])
end
environment.table.sort = host.entry(environment.table.sort)

-- Names that nobody declared are warned of, once a place.
local function names()
  local list = {}
  for name in real.pairs(environment) do
    if type(name) == "string" then list[#list + 1] = name end
  end
  real.table.sort(list)
  return list
end

setmetatable(environment, {
  __index = function(_, name)
    if type(name) == "string" then host.undeclared(name, names()) end
  end,
  __newindex = function(_, name, value)
    if type(name) == "string" then host.undeclared(name, {}, true) end
    rawset(environment, name, value)
  end,
})
