-- What crowds need beside luassert's own assertions:
--   assert.arrives(group, { within = seconds })
--   assert.no_overlap(world)
--   assert.same_hash(a, b)   worlds or their hashes
local luassert = require "luassert"
local say = require "say"

local function register(name, check)
  say:set("assertion." .. name .. ".positive", "%s")
  say:set("assertion." .. name .. ".negative", "%s")
  luassert:register("assertion", name, function(state, arguments)
    local ok, message = check(arguments[1], arguments[2])
    if state.mod == ok then
      return ok
    end
    -- luassert formats arguments for messages: give it the finished text
    state.failure_message = message
    return ok
  end, "assertion." .. name .. ".positive", "assertion." .. name .. ".negative")
end

register("arrives", function(group, options)
  local stats = group:stats()
  local within = options and options.within or math.huge
  local missing = stats.spawned - stats.arrived
  if missing > 0 then
    return false, ("%d of the %d agents of group '%s' have not arrived at %.1f s"):format(missing, stats.spawned,
      group.name, group.world.time)
  end
  local last = stats.last_arrival or 0
  return last <= within, ("the last of group '%s' arrived at %.1f s (within = %g s)"):format(group.name, last, within)
end)

register("no_overlap", function(world)
  local stats = world:stats()
  return stats.overlaps == 0, ("%d overlapping pairs were seen; the closest came to %.4f of the sum of radii"):format(
    stats.overlaps, stats.closest)
end)

local function hash_of(value) return type(value) == "string" and value or value:hash() end

register("same_hash", function(a, b)
  local first, second = hash_of(a), hash_of(b)
  return first == second, ("the hashes are %s and %s"):format(first, second)
end)
