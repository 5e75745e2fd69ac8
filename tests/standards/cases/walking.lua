-- One walker or a few in corridors: speeds, corners.
local throng = require "throng"

local walking = {}

-- --- a corridor, one walker ----------------------------------------------------------------------
--
--        10 m of run-up                 measured                      10 m of run-out
--   +--------------------+-------------------- 40 m --------------------+-------------+
--   | o ->               |x = 0                                   x = 40|             |  2 m
--   +--------------------+----------------------------------------------+-------------+
--
-- Times are told between steps: where it passes a line is found on the straight between two positions.

local function corridor(length)
  return throng.box(-10, 0, length + 10, 2)
end

-- The times at which one walker of that speed passes x = 0 and x = length, and how far it strayed from y = 1.
local function walk(run, settings)
  local length = run:given("length", settings.length or 40)
  local world = run:world { floor = corridor(length), regions = { exit = throng.box(length + 9, 0, length + 10, 2) } }
  local walker = run:people(world, { at = { { -9.5, run:given("start", 1) } }, speed = settings.speed, radius = 0.2 })
  if settings.slowed then walker.speed = settings.slowed end
  walker:go_to "exit"
  local from, to, strayed, x = nil, nil, 0, -9.5
  for _ = 1, math.ceil(3 * (length + 20) / settings.slowest / world.dt) do
    world:step()
    local now = walker.x[1]
    local function passed(line) return x < line and now >= line and world.time - world.dt * (now - line) / (now - x) end
    from = from or passed(0) or nil
    to = to or passed(settings.length or 40) or nil
    strayed = math.max(strayed, math.abs(walker.y[1] - 1))
    x = now
    if to then break end
  end
  return from and to and to - from or 0 / 0, strayed
end

-- Somebody walks 40 m at a speed, in m/s; `window` is the standard's, in s; `within` ours, a share of the time.
function walking.corridor(settings)
  return function(run)
    local time, strayed = walk(run, { speed = settings.speed, slowest = settings.speed })
    local exact = 40 / settings.speed
    run:expect("std", "time over 40 m", time, { least = settings.window[1], most = settings.window[2], unit = "s" })
    run:expect("ours", "time over 40 m", time,
      { least = exact * (1 - settings.within), most = exact * (1 + settings.within), unit = "s" })
    run:expect("ours", "strayed from the middle", strayed, { most = 0.1, unit = "m" })
  end
end

-- --- a corner, twenty walkers --------------------------------------------------------------------
--
--                  +----+ y = 12
--                  |exit|
--                  |    |
--                  |    |
--   y = 2 +--------+    |      2 m wide
--         | start       |
--   y = 0 +-------------+
--         x = 0   10   12

-- The distance from a point inside to the nearest wall; below 0, how far it is outside. Exact away from the outer
-- corners, where it is a lower bound of the distance outside.
local function clearance(x, y)
  local arm = math.min(x, 12 - x, y, 2 - y) -- the lower arm, 0 .. 12 by 0 .. 2
  local other = math.min(x - 10, 12 - x, y, 12 - y) -- the upper, 10 .. 12 by 0 .. 12
  if x > 10 and y < 2 then -- where they meet only the outer walls and the inner corner count
    return math.min(12 - x, y, math.sqrt((x - 10) ^ 2 + (2 - y) ^ 2))
  end
  return math.max(arm, other)
end

-- How many are round it within 60 s, and how near to the walls anybody's centre came, and anybody's body.
local function round(run, settings)
  local start = settings.start
  local count = run:given("persons", 20)
  local off = run:given("wall", 0) -- m, by which the inner walls stand farther in than they should
  local floor =
    throng.polygon { { 0, 0 }, { 12, 0 }, { 12, 12 }, { 10 - off, 12 }, { 10 - off, 2 + off }, { 0, 2 + off } }
  local world = run:world { floor = floor, regions = { exit = throng.box(10, 11, 12, 12) } }
  local group = run:people(world, { where = throng.box(0, 0, start, 2), count = count, speed = settings.speed })
  group:go_to "exit"
  local radii, outside, pressed = {}, math.huge, math.huge
  for i, id in ipairs(group.id:list()) do
    radii[id] = group.radius[i]
  end
  group:on("arrived", function(arrived) arrived:remove() end)
  while world.time < 60 and #group > 0 do
    world:step()
    local x, y = group.x:list(), group.y:list()
    for i, id in ipairs(group.id:list()) do
      local room = clearance(x[i], y[i])
      outside = math.min(outside, room)
      if y[i] < 11 then pressed = math.min(pressed, room - radii[id]) end
    end
  end
  return { arrived = world:stats().arrived, outside = outside, pressed = pressed }
end

-- settings: start: m of the first arm in which they stand; speed: theirs, or nil: throng's default
function walking.corner(settings)
  return function(run)
    run:repeated(function() return round(run, settings) end, function(runs)
      run:expect_in_every("std", "persons round the corner within 60 s", runs, "arrived", { least = 20, most = 20 })
      run:expect_in_every("std", "least distance of a centre from the walls", runs, "outside",
        { least = -0.001, unit = "m" })
      run:expect_in_every("ours", "the same less the body's radius", runs, "pressed", { least = -0.01, unit = "m" })
    end)
  end
end

return walking
