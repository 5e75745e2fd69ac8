-- What crowds need beside luassert's own assertions.
-- A check returns whether it holds, what was measured, and maybe the time that a failure's picture should show.

--- class luassert as assert
--- What `throng test` adds to luassert's assertions. A spec is a program with all of Lua: files, processes, modules.
--- `--sandbox` gives it what a scenario has: throng, files of its own folder, and no io, os, debug or other modules.
--- Each assertion has its opposite: `assert.no.arrives(group)`; on a failure it keeps a picture and the trajectory
--- (`throng help test`).

local host, failure_files = ...
local pairs = host.pairs -- in the order of keys
local luassert = require "luassert"
local say = require "say"

local function raise(...) host.raise(string.format(...)) end

local function describe(value) return type(value) == "userdata" and tostring(value) or host.describe(value) end

local function register(name, check)
  say:set("assertion." .. name .. ".positive", "%s")
  say:set("assertion." .. name .. ".negative", "%s")
  luassert:register("assertion", name, function(state, arguments)
    local ok, message, time = check(table.unpack(arguments, 1, arguments.n))
    if state.mod ~= ok then
      if time then failure_files.about(message, time) end
      -- luassert formats arguments for its messages: give it the finished text instead
      for i = 2, arguments.n do arguments[i] = nil end
      arguments[1] = state.mod and message or "expected otherwise: " .. message
      arguments.n, arguments.nofmt = 1, { true }
    end
    return ok
  end, "assertion." .. name .. ".positive", "assertion." .. name .. ".negative")
end

-- The options of an assertion, numbers all.
local function check_options(name, options, known)
  if options == nil then return {} end
  if type(options) ~= "table" then
    raise("assert.%s: expected a table like {%s = 1}, got %s", name, known[1], describe(options))
  end
  host.check_names("assert." .. name, "option", options, known)
  for key, value in pairs(options) do
    if type(value) ~= "number" then
      raise("assert.%s: option '%s' must be a number, got %s", name, key, describe(value))
    end
  end
  return options
end

local function is_a(value, field) return type(value) == "userdata" and pcall(function() return value[field] end) end

local function check_world(name, world)
  if not is_a(world, "steps") then raise("assert.%s: expected a world, got %s", name, describe(world)) end
  return world
end

local function check_group(name, group)
  if not is_a(group, "count") or not is_a(group, "planner") then
    raise("assert.%s: expected a group, got %s", name, describe(group))
  end
  return group
end

-- ---- arrivals

-- Who of the group is stuck, and why.
local function jams(group)
  local lines = {}
  for _, jam in ipairs(group.world:stuck()) do
    local stuck = #(jam.agents & group)
    if stuck > 0 then
      lines[#lines + 1] = ("stuck since %.1f s at (%.2f, %.2f): %d, cause: %s"):format(jam.since, jam.place[1],
        jam.place[2], stuck, jam.cause)
    end
  end
  return #lines > 0 and table.concat(lines, "\n") or "nobody is stuck: run the world longer"
end

-- Those of the group who still have to arrive: how many, and who the first is.
local function walkers(group)
  local count, first = 0, nil
  local arrived = group.arrived
  for i = 1, #group do
    if arrived[i] < 0 then
      count, first = count + 1, first or group[i]
    end
  end
  if not first then return "all of them were removed before" end
  return ("%d of them live, the first is agent %d at (%.2f, %.2f), at %.2f m/s\n%s"):format(count, first.id[1],
    first.x[1], first.y[1], math.sqrt(first.vx[1] ^ 2 + first.vy[1] ^ 2), jams(group))
end

--- assert.arrives(group, options)
--- All agents spawned in the group have arrived.
--- @param group throng.group The group that must have arrived, including agents that were removed since.
--- @param options? { within?: number(s) } The last one arrived by then.
--- @error it fails with how many are missing, or when the last one arrived
--- @example
--- world:run { seconds = 300 }
--- assert.arrives(world.groups.staff, { within = 300 })
register("arrives", function(group, options)
  local within = check_options("arrives", options, { "within" }).within or math.huge
  local stats = check_group("arrives", group):stats()
  local missing = stats.spawned - stats.arrived
  if missing > 0 then
    return false, ("%d of the %d agents of group '%s' have not arrived at %.1f s; %s"):format(missing, stats.spawned,
      group.name, group.world.time, walkers(group))
  end
  local last = stats.last_arrival or 0
  return last <= within, ("the last of group '%s' arrived at %.1f s (within = %g s)"):format(group.name, last, within)
end)

-- ---- overlaps

-- The pair that overlaps most at present, of agents sorted by x.
local function worst_pair(agents)
  local x, y, radius, order = agents.x:list(), agents.y:list(), agents.radius:list(), {}
  for i = 1, #x do order[i] = i end
  table.sort(order, function(a, b) return x[a] < x[b] or (x[a] == x[b] and a < b) end)
  local widest, worst, first, second = agents.radius:max() or 0, math.huge, nil, nil
  for at, i in ipairs(order) do
    local k = at + 1
    while order[k] and x[order[k]] - x[i] < radius[i] + widest do
      local j = order[k]
      local part = math.sqrt((x[i] - x[j]) ^ 2 + (y[i] - y[j]) ^ 2) / (radius[i] + radius[j])
      if part < worst then worst, first, second = part, i, j end
      k = k + 1
    end
  end
  return worst, first, second
end

local function overlap_now(world)
  local agents = world.agents
  local worst, first, second = worst_pair(agents)
  if worst >= 0.99 then return ("nobody overlaps at the end (%.1f s)"):format(world.time) end
  local ids, x, y = agents.id, agents.x, agents.y
  return ("at the end (%.1f s) agents %d and %d do at (%.2f, %.2f), %.4f"):format(world.time, ids[first], ids[second],
    x[first], y[first], worst)
end

--- assert.no_overlap(world)
--- No pair of agents ever came closer than 0.99 of the sum of their radii.
--- @param world throng.world A world that has run.
--- @error it fails with how many pairs overlapped, and how close the closest came
--- @example
--- assert.no_overlap(world)
register("no_overlap", function(world)
  local stats = check_world("no_overlap", world):stats()
  if stats.overlaps == 0 then return true, ("nobody overlapped in %d steps"):format(world.steps) end
  return false, ("%d overlapping pairs were seen in %d steps; the closest came to %.4f of the sum of radii; %s\n"
    .. "a shorter dt or fewer agents in the narrowest place helps"):format(stats.overlaps, world.steps, stats.closest,
    overlap_now(world))
end)

-- ---- measures

local function check_kind(name, measure, kind, example)
  if not is_a(measure, "kind") or type(measure.kind) ~= "string" then
    raise("assert.%s: expected a measure, got %s: before the run, write `local m = world:measure { %s }`, after it "
      .. "assert.%s(m, ...)", name, describe(measure), example, name)
  end
  if measure.kind ~= kind then
    raise("assert.%s: this measures %s; it needs one like world:measure { %s }", name, tostring(measure), example)
  end
  return measure
end

-- The world's measure for which `is_it` holds.
local function find_measure(world, is_it)
  for _, measure in ipairs(world.measures) do
    if is_it(measure) then return measure end
  end
  return nil
end

-- value within [at_least, at_most]; what was expected, in words
local function in_bounds(value, options, unit)
  local low, high = options.at_least or -math.huge, options.at_most or math.huge
  local words = {}
  if options.at_least then words[#words + 1] = ("at least %g%s"):format(low, unit) end
  if options.at_most then words[#words + 1] = ("at most %g%s"):format(high, unit) end
  return value ~= nil and value >= low and value <= high, table.concat(words, " and ")
end

-- A door stands for the measure of it.
local function flow_of(value)
  if not is_a(value, "is_open") then return value end
  local place = ("door '%s'"):format(value.name)
  local found = find_measure(value.world, function(m) return m.kind == "flow" and m.place == place end)
  if not found then
    raise("assert.flow: no measure of the flow through %s: before the run, write world:measure { flow = \"%s\" }",
      place, value.name)
  end
  return found
end

--- assert.flow(measure, options)
--- The flow, passages per second between the first and the last, is within bounds. Without bounds: at least one agent
--- passed.
--- @param measure throng.measure|throng.running_door A measure of flow, or a door whose flow its world measures.
--- @param options? { at_least?: number(1/s), at_most?: number(1/s) } Bounds.
--- @error it fails with the measured value; a measure of another kind
--- @example
--- local measure = world:measure { flow = "north" }
--- world:run { seconds = 120 }
--- assert.flow(measure, { at_least = 1.5 })
register("flow", function(value, options)
  local measure = check_kind("flow", flow_of(value), "flow", 'flow = "a door\'s name"')
  options = check_options("flow", options, { "at_least", "at_most" })
  local ok, expected = in_bounds(measure.flow or 0, options, " persons/s")
  if expected == "" then ok, expected = measure.count > 0, "a passage" end
  return ok, ("%s\nexpected %s"):format(measure, expected)
end)

--- assert.density(measure, options)
--- A density stayed below a bound.
--- @param measure throng.measure A measure of density.
--- @param options { below?: number(1/m^2), mean_below?: number(1/m^2) } In every step; on average.
--- @error it fails with the greatest density, where and when; a measure of something else; neither bound
--- @example
--- local measure = world:measure { density = "hall" }
--- world:run { seconds = 10 }
--- assert.density(measure, { below = 5, mean_below = 3 }) -- 1/m^2
register("density", function(measure, options)
  check_kind("density", measure, "density", 'density = "a region\'s name"')
  options = check_options("density", options, { "below", "mean_below" })
  if not options.below and not options.mean_below then
    raise "assert.density: give 'below' (the greatest value of all steps), 'mean_below', or both, in persons/m^2"
  end
  if measure.samples == 0 then return false, ("%s\nrun the world after world:measure"):format(measure) end
  local most, mean, words = options.below or math.huge, options.mean_below or math.huge, {}
  if options.below then words[1] = ("below %g /m^2"):format(most) end
  if options.mean_below then words[#words + 1] = ("a mean below %g /m^2"):format(mean) end
  return measure.most < most and measure.mean < mean, ("%s\nexpected %s"):format(measure, table.concat(words, " and ")),
    measure.most_at
end)

-- The measure, or that of the group and the region's name.
local function inside_of(value, region)
  if region == nil then return value end
  local group = check_group("stays_in", value)
  if type(region) ~= "string" then raise("assert.stays_in: expected the name of a region, got %s", describe(region)) end
  local who, place = ("group '%s'"):format(group.name), ("'%s'"):format(region)
  local found = find_measure(group.world, function(m)
    return m.kind == "inside" and m.who == who and m.place == place
  end)
  if not found then
    raise("assert.stays_in: no measure of %s in %s: before the run, world:measure { inside = \"%s\", group = g }",
      who, place, region)
  end
  return found
end

--- assert.stays_in(measure, region)
--- No agent of the group left a region in any step.
--- @param measure throng.measure|throng.group A measure with `inside`, or a group that has one.
--- @param region? string With a group: the region's name.
--- @error it fails with the first agent that was outside, and when; a measure of another kind
--- @example
--- local measure = world:measure { inside = throng.box(0, 0, 40, 20) }
--- world:run { seconds = 10 }
--- assert.stays_in(measure)
register("stays_in", function(value, region)
  local measure = check_kind("stays_in", inside_of(value, region), "inside", 'inside = "a region\'s name", group = ...')
  if measure.samples == 0 then return false, ("%s\nrun the world after world:measure"):format(measure) end
  return measure.outsider < 0, tostring(measure), measure.first
end)

--- assert.lanes(measure, options)
--- People walked in lanes: bounds of the mean lane index, which is 0 by chance and 1 when every strip has one
--- direction.
--- @param measure throng.measure A measure of lanes.
--- @param options { at_least?: number(1), at_most?: number(1) } Bounds.
--- @error it fails with the index; a measure of something else; neither bound
--- @example
--- local measure = world:measure { lanes = "hall" }
--- world:run { seconds = 10 }
--- assert.lanes(measure, { at_most = 1 })
register("lanes", function(measure, options)
  check_kind("lanes", measure, "lanes", "lanes = true")
  options = check_options("lanes", options, { "at_least", "at_most" })
  if not options.at_least and not options.at_most then
    raise "assert.lanes: give 'at_least' or 'at_most': bounds of the mean lane index (0: chance, 1: lanes never mix)"
  end
  local ok, expected = in_bounds(measure.mean, options, "")
  return ok, ("%s\nexpected a mean lane index of %s"):format(measure, expected)
end)

-- ---- hashes

local function hash_of(value)
  if type(value) == "string" then return value end
  return check_world("same_hash", value):hash()
end

--- assert.same_hash(a, b, ...)
--- Worlds are in the same state.
--- @param a throng.world|string A world, or what world:hash() gave.
--- @param b throng.world|string Another one.
--- @param ... throng.world|string And more.
--- @error it fails with the hashes
--- @example
--- local function hash_after(settings)
---   local crossing = throng.load("scenarios/crossing.lua", settings)
---   crossing:run { seconds = 1 }
---   return crossing:hash()
--- end
--- assert.same_hash(hash_after { simd = 1 }, hash_after { simd = 4 })
register("same_hash", function(...)
  local count = select("#", ...)
  if count < 2 then raise "assert.same_hash: give two worlds or hashes, or more" end
  local hashes, same = {}, true
  for i = 1, count do
    hashes[i] = hash_of((select(i, ...)))
    same = same and hashes[i] == hashes[1]
  end
  return same, ("the hashes are %s\ncompare the worlds at earlier steps, and their columns, to find where they part")
    :format(table.concat(hashes, ", "))
end)
