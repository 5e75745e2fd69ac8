-- world:story(function(story) ... end): a script for a few actors, as a coroutine that waits for what happens.
local host = ...

local story = {}
story.__index = story
story.__metatable = false
story.__name = "story"

local function raise(...) host.raise(string.format(...)) end

local function group_of(value, method)
  if type(value) ~= "userdata" or not value.stats then
    raise("%s: expected a group, got %s", method, host.describe(value))
  end
  return value
end

-- Goes on in the first step for which `ready(time)` is true.
local function wait_for(self, ready)
  if coroutine.running() ~= self.thread then raise "a story can only wait in its own function" end
  return coroutine.yield(ready)
end

function story:wait(seconds)
  if type(seconds) ~= "number" or seconds ~= seconds or seconds < 0 then
    raise("story:wait: expected seconds, got %s", host.describe(seconds))
  end
  local till = self.world.time + seconds - 5e-7
  wait_for(self, function(time) return time >= till end)
end

function story:wait_until(condition)
  if type(condition) ~= "function" then
    raise("story:wait_until: expected a function, got %s", host.describe(condition))
  end
  wait_for(self, condition)
end

-- Sends the group and waits until all of them that live have arrived.
function story:walk(group, place, options)
  group_of(group, "story:walk"):go_to(place, options)
  wait_for(self, function()
    local last = group.arrived:min()
    return last == nil or last >= 0
  end)
end

return function(world, script)
  if type(script) ~= "function" then
    raise("world:story: expected a function(story), got %s", host.describe(script))
  end
  local thread = coroutine.create(script)
  local self = setmetatable({ world = world, thread = thread }, story)
  local ready = function() return true end
  world:every(world.dt, function(_, time)
    if not ready(time) then return true end
    local ok, waits = coroutine.resume(thread, self)
    if not ok then error(waits, 0) end
    ready = waits
    return coroutine.status(thread) ~= "dead"
  end)
  return world
end
