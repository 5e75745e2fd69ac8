-- `throng test`: busted inside the host. Called with the host's functions, throng's library folder
-- and busted's arguments; returns the exit code.
local host, library = ...
local arguments = { select(3, ...) }

-- a release carries busted and what it needs in share/ and lib/
package.path = ("%s/?.lua;%s/share/?.lua;%s/share/?/init.lua;"):format(library, library, library) .. package.path
package.cpath = ("%s/lib/?.so;"):format(library) .. package.cpath

local DONE = {} -- thrown by our exit, so that the host closes everything itself

local function exit(code) error(setmetatable({ code = code == 0 and 0 or 1 }, DONE), 0) end

local found, compatibility = pcall(require, "busted.compatibility")
if not found then
  io.stderr:write("throng test needs busted (on Debian: apt install lua-busted)\n")
  return 2
end
compatibility.exit = exit

arguments[0] = "throng test"
_G.arg = arguments

local ok, problem = xpcall(function()
  -- in the helper's place: each spec file gets the assertions
  require("busted.core")
  host.library "assertions"(host)
  require "busted.runner" { standalone = false, output = "throng.report" }
end, function(problem)
  if getmetatable(problem) == DONE then return problem end
  return debug.traceback(tostring(problem))
end)

if ok then return 0 end
if getmetatable(problem) == DONE then return problem.code end
io.stderr:write("throng test: ", tostring(problem), "\n")
return 2
