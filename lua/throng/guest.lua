-- What require "throng" adds in the Lua of another program (runtime/script/script_guest.c): specs of busted get the
-- assertions and across, as in `throng test`.
local host = ...

-- Pictures and trajectories of failures are `throng test`'s.
local function nothing() end
local failure_files = {
  about = nothing,
  capture = nothing,
  is_pending = function(problem)
    return type(problem) == "table" and (debug.getmetatable(problem) or {}).__type == "pending"
  end,
}

if package.loaded.luassert then
  host.library "checks"(host)
  host.library "assertions"(host, failure_files)
  _G.across = host.library "across"(host, {}, failure_files)
end
