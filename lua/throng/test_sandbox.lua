-- `throng test --sandbox`: a spec sees what a scenario in its folder sees, and what busted gives it.
local host = ...

local GIVEN = { "across" } -- ours, beside busted's
local current = {} -- the environment of the file that runs

-- busted's module of that name, for which some globals are others
local function replace(name, globals)
  local path = assert(package.searchpath(name, package.path))
  package.loaded[name] = assert(loadfile(path, "t", setmetatable(globals, { __index = _G })))(name, path)
end

-- no modules of the current folder in the place of those that busted would do without
package.path = package.path:gsub("%f[^;\0]%./[^;]*;?", "")
package.cpath = package.cpath:gsub("%f[^;\0]%./[^;]*;?", "")

-- what busted has not set itself, it looks for in _G
replace("busted.environment", { _G = setmetatable({}, { __index = function(_, name) return current[name] end }) })
-- .busted holds settings, and is a program like a spec
replace("busted.modules.cli", { loadfile = function(path) return loadfile(path, "t", host.sandbox(path)) end })

local sandbox = {}

function sandbox.enter(file)
  current = host.sandbox(file)
  for _, name in ipairs(GIVEN) do rawset(current, name, _G[name]) end
end

return sandbox
