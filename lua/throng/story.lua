-- world:story(function(story) ... end): a script for a few actors, as a coroutine that waits for what happens.

--- class throng.story as story
--- The story: the argument of its function.
--- @field world throng.world The world it plays in.

local host = ...

local story = {}
story.__index = story
story.__metatable = false
story.__name = "story"

local function raise(...) host.raise(string.format(...)) end

local function group_of(self, value, method)
  if not host.is_group(value) then
    raise("%s: expected a group, got %s", method, host.describe(value))
  end
  if value.world ~= self.world then raise("%s: the group belongs to another world", method) end
  return value
end

-- A story's methods are called with a colon.
local function check(self, method)
  if type(self) ~= "table" or not self.thread then
    raise("expected a story, got %s (methods are called with a colon: story:%s(...))", host.describe(self), method)
  end
end

-- Goes on in the first step for which `ready(time)` is true.
local function wait_for(self, ready)
  if coroutine.running() ~= self.thread or not coroutine.isyieldable() then
    raise "a story can only wait in its own function, not in one that it gives to another"
  end
  return coroutine.yield(ready)
end

--- story:wait(seconds)
--- Waits for a time.
--- @param seconds number(s) Simulated time.
--- @error outside the story's own function
--- @example
--- world:story(function(story)
---   story:wait(10)
---   guard:go_to "exit"
--- end)
function story:wait(seconds)
  check(self, "wait")
  if type(seconds) ~= "number" or seconds ~= seconds or seconds < 0 then
    raise("story:wait: expected seconds, got %s", host.describe(seconds))
  end
  local till = self.world.time + seconds - 5e-7
  wait_for(self, function(time) return time >= till end)
end

--- story:wait_until(condition)
--- Waits until the function returns true; it is called before each step.
--- @param condition fun(time: number(s)): boolean The condition.
--- @error outside the story's own function
--- @example
--- world:story(function(story)
---   story:wait_until(function() return #guests:inside "lobby" == 0 end)
---   door:close()
--- end)
function story:wait_until(condition)
  check(self, "wait_until")
  if type(condition) ~= "function" then
    raise("story:wait_until: expected a function, got %s", host.describe(condition))
  end
  wait_for(self, condition)
end

--- story:walk(group, place, options)
--- Sends a group to a place and waits until all its agents have arrived.
--- @param group throng.group The agents that walk.
--- @param place throng.place|throng.point Where to, as group:go_to takes it.
--- @param options? throng.go_to.settings As those of group:go_to.
--- @error an unknown region; a place that cannot be reached; outside the story's own function
--- @example
--- world:story(function(story)
---   story:walk(guard, "gate")
---   story:wait(5)
---   story:walk(guard, "lobby")
--- end)
function story:walk(group, place, options)
  check(self, "walk")
  group_of(self, group, "story:walk"):go_to(place, options)
  wait_for(self, function()
    local last = group.arrived:min()
    return last == nil or last >= 0
  end)
end

host.make_entries(story)

--- world:story(script)
--- A script for a few actors: the function runs as a coroutine that waits for events.
--- @param script fun(story: throng.story) Called at the next step; it goes on where it waits.
--- @return throng.world self
--- @error what the script raises, with its line
--- @example
--- world:story(function(story)
---   story:wait(10)
---   story:walk(guard, "gate")
--- end)
return function(world, script)
  if type(script) ~= "function" then
    raise("world:story: expected a function(story), got %s", host.describe(script))
  end
  local thread = host.thread.create(script)
  local self = setmetatable({ world = world, thread = thread }, story)
  local function at_once() return true end
  local ready = at_once
  host.repeat_later(world, world.dt, function(_, time)
    if coroutine.status(thread) == "dead" then return false end -- it failed in a step before
    if not ready(time) then return true end
    local ok, waits = host.resume(thread, self)
    if not ok then error(waits, 0) end
    ready = type(waits) == "function" and waits or at_once -- it may have called coroutine.yield itself
    return coroutine.status(thread) ~= "dead"
  end, "a story")
  return world
end
