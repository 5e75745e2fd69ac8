-- The part of a scenario's sandbox that is easier said in Lua; the rest is in
-- runtime/script_sandbox.c. Called with the environment to fill, the real
-- globals, the host's functions, the scenario's folder and the throng module.
local environment, real, host, folder, throng = ...

local exhausted, raise, describe = host.exhausted, host.raise, host.describe
local error, load, getmetatable, setmetatable = real.error, real.load, real.getmetatable, real.setmetatable
local rawget, select, type = real.rawget, real.select, real.type

-- A callback that has used up its instructions must not go on by catching that.
local function pass_on(ok, ...)
  if not ok and exhausted() then error((...), 0) end
  return ok, ...
end

function environment.pcall(f, ...) return pass_on(real.pcall(f, ...)) end

function environment.xpcall(f, handler, ...) return pass_on(real.xpcall(f, handler, ...)) end

local resume = real.coroutine.resume
function environment.coroutine.resume(co, ...) return pass_on(resume(co, ...)) end

-- Finalizers run without limits, and when depends on memory: not in scenarios.
function environment.setmetatable(value, meta)
  if type(meta) == "table" and rawget(meta, "__gc") ~= nil then
    raise("setmetatable: __gc is not available in scenarios")
  end
  return setmetatable(value, meta)
end

function environment.getmetatable(value)
  if type(value) == "string" then return nil end -- every string's: not for one scenario to change
  return getmetatable(value)
end

-- Text only, and in the scenario's environment.
function environment.load(chunk, name, _, ...)
  local env = environment
  if select("#", ...) > 0 then env = ... end
  return load(chunk, name or "=(load)", "t", env)
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

function environment.table.sort(list, less) sort(list, less or is_less, 1, #list, {}) end

-- require finds throng and the files of the scenario's own folder.
-- Each scenario has a copy of the module: what it changes there, no other sees.
local own = {}
for name, value in real.pairs(throng) do own[name] = value end

local loaded = { throng = own }
local loading = {}

local function load_module(name)
  local path = folder .. "/" .. name:gsub("%.", "/") .. ".lua"
  local text = host.read(path)
  if not text then
    raise(("require: there is no module '%s' (no file %s); scenarios can require \"throng\" and files of their own"
      .. " folder"):format(name, path))
  end
  local chunk, problem = load(text, "@" .. path, "t", environment)
  if not chunk then error(problem, 0) end
  loading[name] = true
  local result = chunk(name, path)
  loading[name] = nil
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
