-- Speed and density: one way in corridors, and in single file.
local throng = require "throng"
local data = require "data"
local places = require "places"
local statistics = require "statistics"

local diagrams = {}

-- --- a corridor of 60 x 4 m that closes on itself ------------------------------------------------
--
--   y = 4 +-----------------------------------------+
--     <-- [c]               [m]                      --> goes on at x = 0      areas of 2 x 2 m about
--     <--                   [s]                      -->                       m (30, 2), s (30, 1), c (0, 2)
--   y = 0 +-----------------------------------------+
--         x = 0             30                     60
--
-- Everybody wants 1.34 m/s along x. 40 s pass; then speeds are taken for 30 s, every 0.5 s (of its
-- 70 s the text drops 10). The text goes on to 5 and 6 persons/m^2; throng's people, 0.4 to 0.5 m wide,
-- find no places without overlap beyond 4.

local WIDEST = 0.5 -- m

-- Mean speed along it, and those in three areas of 2 x 2 m: in its middle, at its side, and half a lap on.
local function ring(run, density)
  local world = run:world { floor = throng.box(0, 0, 60, 4), wrap = { 60, 10 } }
  local at = places.jittered({ 0, 0, 60, 4 }, math.floor(density * 240 + 0.5), WIDEST / 2, WIDEST,
    places.generator(run.seed or 1))
  local group = run:people(world, { at = at, speed = 1.34 })
  local side = run:given("pace at the side", 1) -- y < 2
  group.desired = function(_, a) return a.speed * throng.select(a.y < 2, side, 1), 0 end
  world:run { seconds = 40 }
  local sum, n = 0, 0
  local areas = { { x = 30, y = 2, n = 0, v = 0 }, { x = 30, y = 1, n = 0, v = 0 }, { x = 0, y = 2, n = 0, v = 0 } }
  for _ = 1, 60 do
    world:run { seconds = 0.5 }
    local x, y = group.x:list(), group.y:list()
    for i, vx in ipairs(group.vx:list()) do
      sum, n = sum + vx, n + 1
      for _, area in ipairs(areas) do
        local dx = (x[i] - area.x + 30) % 60 - 30
        if math.abs(dx) < 1 and math.abs(y[i] - area.y) < 1 then
          area.n, area.v = area.n + 1, area.v + vx
        end
      end
    end
  end
  run:close()
  local in_areas = {}
  for k, area in ipairs(areas) do
    in_areas[k] = area.n > 0 and area.v / area.n or 0 / 0
  end
  return sum / n, in_areas
end

local DENSITIES = { 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4 }

function diagrams.corridor()
  return function(run)
    local factor = run:given("measured density", 1)
    run:repeated(function()
      local figures = {}
      for _, density in ipairs(DENSITIES) do
        local speed, in_areas = ring(run, density)
        figures["speed " .. density] = speed
        for k, one in ipairs(in_areas) do
          figures[("area %d %g"):format(k, density)] = one
        end
      end
      return figures
    end, function(runs)
      local speeds, flows, in_band, apart, rises = {}, {}, 0, 0, -math.huge
      for i, density in ipairs(DENSITIES) do
        local speed, weidmann = runs:mean("speed " .. density), data.weidmann(density)
        speeds[i], flows[i] = speed, speed * density * factor
        if density <= 3.5 then
          local slack = math.max(0.25 * weidmann, 0.2)
          local low, high = data.at(data.open_corridors, density, 2), data.at(data.open_corridors, density, 3)
          -- the envelope of Weidmann's curve, as far as the text lets one be off it, and of what was measured
          run:expect("ours", ("speed at %.1f persons/m^2 (Weidmann %.2f m/s)"):format(density, weidmann), speed,
            { least = math.min(weidmann - slack, low, data.at(data.closed_corridors, density, 2)),
              most = math.max(weidmann + slack, high, data.at(data.closed_corridors, density, 3)), unit = "m/s" })
          in_band = in_band + ((speed >= low and speed <= high) and 1 or 0)
          local areas = {}
          for k = 1, 3 do
            areas[k] = runs:mean(("area %d %g"):format(k, density))
          end
          apart = math.max(apart, (math.max(table.unpack(areas)) - math.min(table.unpack(areas))) / speed)
        end
        rises = i > 1 and math.max(rises, speed - speeds[i - 1]) or rises
      end
      run:expect("std", "greatest rise of the speed from a density to the next", rises, { most = 0, unit = "m/s" })
      run:expect("ours", "share of speeds in the band of open corridors", in_band / 7, { least = 0.6 })
      local best = 1
      for i = 2, #flows do
        if flows[i] > flows[best] then best = i end
      end
      run:expect("ours", "density of the greatest flow", DENSITIES[best], { least = 1.4, most = 2.6, unit = "1/m^2" })
      run:expect("ours", "greatest specific flow", flows[best], { least = 1, most = 1.9, unit = "1/(m s)" })
      run:expect("ours", "flow at 4 persons/m^2 over that", flows[#flows] / flows[best], { most = 0.7 })
      run:expect("ours", "mean speeds of the three areas apart, up to 3.5 persons/m^2", apart, { most = 0.1 })
    end)
  end
end

-- --- single file ---------------------------------------------------------------------------------
--
--         . - - - - - - - .  y = 3
--       /                   \
--      |   (-2, 0)   (2, 0)  |       they walk counter-clockwise, 10 to 58 of them
--       \                   /
--         ' - - - - - - - '  y = -3
--
-- Straights of 4 m, bends about (-2, 0) and (2, 0) of radius 3 m, 0.8 m wide: 26.85 m along the middle.

local BEND, STRAIGHT = 3, 4
local LAP = 2 * STRAIGHT + 2 * math.pi * BEND
local LAPS = 67 -- s: three laps at 1.2 m/s, which are dropped of 120 s; where it is dense people walk fewer

local function oval(radius)
  local points, steps = {}, 24
  for i = 0, steps do
    local angle = -math.pi / 2 + math.pi * i / steps
    points[#points + 1] = { STRAIGHT / 2 + radius * math.cos(angle), radius * math.sin(angle) }
  end
  for i = 0, steps do
    local angle = math.pi / 2 + math.pi * i / steps
    points[#points + 1] = { -STRAIGHT / 2 + radius * math.cos(angle), radius * math.sin(angle) }
  end
  return throng.polygon(points)
end

-- The place at `s` m along the middle, and back.
local function place_of(s)
  s = s % LAP
  if s < STRAIGHT then return { s - STRAIGHT / 2, -BEND } end
  s = s - STRAIGHT
  if s < math.pi * BEND then
    local angle = -math.pi / 2 + s / BEND
    return { STRAIGHT / 2 + BEND * math.cos(angle), BEND * math.sin(angle) }
  end
  s = s - math.pi * BEND
  if s < STRAIGHT then return { STRAIGHT / 2 - s, BEND } end
  local angle = math.pi / 2 + (s - STRAIGHT) / BEND
  return { -STRAIGHT / 2 + BEND * math.cos(angle), BEND * math.sin(angle) }
end

local function along(x, y)
  if x > STRAIGHT / 2 then return STRAIGHT + BEND * (math.atan(y, x - STRAIGHT / 2) + math.pi / 2) end
  if x < -STRAIGHT / 2 then
    local angle = math.atan(y, x + STRAIGHT / 2)
    if angle < 0 then angle = angle + 2 * math.pi end
    return 2 * STRAIGHT + math.pi * BEND + BEND * (angle - math.pi / 2)
  end
  return y < 0 and x + STRAIGHT / 2 or STRAIGHT + math.pi * BEND + STRAIGHT / 2 - x
end

-- {density, speed} of everybody every second: the inverse mean of both headways, and the way along the middle.
local function file(run, count, speed, time_gap)
  local world = run:world { floor = oval(BEND + 0.4), walls = oval(BEND - 0.4) }
  local at = {}
  for i = 1, count do
    at[i] = place_of(LAP * i / count)
  end
  local group = run:people(world, { at = at, speed = speed, time_gap = time_gap })
  group.desired = function(_, a)
    local east, west = a.x - STRAIGHT / 2, a.x + STRAIGHT / 2
    local cx = throng.select(east > 0, east, throng.select(west < 0, west, 0))
    local r = math.sqrt(cx * cx + a.y * a.y)
    local nx, ny, off = cx / r, a.y / r, 2 * (r - BEND)
    return a.speed * (-ny - off * nx), a.speed * (nx - off * ny)
  end
  world:run { seconds = LAPS }
  local found, before = {}, nil
  for _ = LAPS, 120 do
    local x, y, now, order = group.x:list(), group.y:list(), {}, {}
    for i = 1, count do
      now[i], order[i] = along(x[i], y[i]), i
    end
    table.sort(order, function(a, b) return now[a] < now[b] end)
    for k = 1, before and count or 0 do
      local i, next_one, last = order[k], order[k % count + 1], order[(k - 2) % count + 1]
      local ahead, behind = (now[next_one] - now[i]) % LAP, (now[i] - now[last]) % LAP
      found[#found + 1] = { 2 / (ahead + behind), (now[i] - before[i] + LAP / 2) % LAP - LAP / 2 }
    end
    before = now
    world:run { seconds = 1 }
  end
  run:close()
  return found
end

-- All points of nine densities.
local function files(run, speed, time_gap)
  local points = {}
  for _, count in ipairs { 10, 16, 22, 28, 34, 40, 46, 52, 58 } do
    local some = file(run, run:given("persons", count), speed, time_gap)
    table.move(some, 1, #some, #points + 1, points)
  end
  return points
end

-- Of points: speeds by bins of 0.2 persons/m, and {speed, headway} of those who follow.
local function binned(points, speed)
  local bins, followed = {}, {}
  for _, point in ipairs(points) do
    local bin = math.floor(point[1] / 0.2)
    bins[bin] = bins[bin] or {}
    table.insert(bins[bin], point[2])
    if point[2] > 0.1 and point[2] < 0.9 * speed then followed[#followed + 1] = { point[2], 1 / point[1] } end
  end
  return bins, followed
end

-- Medians of the bins that are well filled, beside people's: { density, median, people's 10th, 50th, 90th }.
local function medians(bins)
  local list = {}
  for bin = 1, 12 do -- 0.2 to 2.6 /m
    if bins[bin] and #bins[bin] >= 20 then
      local density = 0.2 * (bin + 0.5)
      list[#list + 1] = { density, statistics.median(bins[bin]), data.at(data.single_file, density, 2),
        data.at(data.single_file, density, 3), data.at(data.single_file, density, 4) }
    end
  end
  return list
end

local function share_inside(list)
  local inside = 0
  for _, one in ipairs(list) do
    inside = inside + ((one[2] >= one[3] and one[2] <= one[5]) and 1 or 0)
  end
  return inside / #list
end

function diagrams.single_file(settings)
  return function(run)
    local speed, gap = settings.speed, run:given("time gap", data.file_time_gap)
    run:repeated(function() return { points = files(run, speed, gap), crowd = files(run, speed) } end, function(runs)
      run:expect("told", "share of medians inside the band of people with the default time gap, 0.6 s",
        share_inside(medians(binned(runs:all "crowd", speed))), {})
      local bins, followed = binned(runs:all "points", speed)
      local list, off = medians(bins), 0
      for _, one in ipairs(list) do
        off = off + math.abs(one[2] - one[4])
        run:expect("told", ("median speed at %.1f persons/m (people %.2f to %.2f m/s)"):format(one[1], one[3], one[5]),
          one[2], { unit = "m/s" })
      end
      run:expect("std", "share of medians inside the band of people", share_inside(list), { least = 0.75 })
      run:expect("ours", "densities seen, of 12", #list, { least = 8 })
      run:expect("ours", "mean difference to people's median", off / #list, { most = 0.15, unit = "m/s" })
      run:expect("ours", "headway over speed, slope", (statistics.line(followed)),
        { least = 0.8, most = 1.4, unit = "s" })
    end)
  end
end

-- --- a corridor of 60 x 2 m that empties ---------------------------------------------------------
--
--   +--------------+--------------+--------------+ y = 2
--   |   n persons all over it     |              | exit: the last 0.5 m
--   +--------------+--------------+--------------+ y = 0
--   x = 0         20   speeds    40 flow        60
--
-- n persons all over it, 0.3 m from its walls at least, leave at x = 60: speed and density in the middle third, flow at
-- x = 40.

-- Mean speed and density in the middle third from 5 to 15 s, and the flow at 40 m.
local function empty(run, count)
  local world = run:world { floor = throng.box(0, 0, 60, 2), regions = { exit = throng.box(59.5, 0, 60, 2) } }
  local at = places.jittered({ 0.3, 0, 59.7, 2 }, run:given("persons", count), 0.3, 0.4, places.generator(run.seed))
  local group = run:people(world, { at = at, speed = 1, radius = 0.2 })
  group:go_to "exit"
  group:on("arrived", function(arrived) arrived:remove() end)
  local line = world:measure { flow = { { 40, 0 }, { 40, 2 } } }
  world:run { seconds = 5 }
  local sum, n = 0, 0
  for _ = 1, 10 do
    world:run { seconds = 1 }
    local vx = group.vx:list()
    for k, x in ipairs(group.x:list()) do
      if x >= 20 and x < 40 then sum, n = sum + vx[k], n + 1 end
    end
  end
  local flow = line.flow or 0
  run:close()
  return sum / n, n / 10 / 40, flow
end

-- Mean speed of n persons in the same corridor, closed on itself, from 20 to 30 s: n / 120 a m^2, wherever one looks.
local function closed(run, count)
  local world = run:world { floor = throng.box(0, 0, 60, 2), wrap = { 60, 10 } }
  local at = places.jittered({ 0, 0, 60, 2 }, count, 0.2, 0.4, places.generator(run.seed))
  local group = run:people(world, { at = at, speed = 1, radius = 0.2 })
  group.desired = function(_, a) return a.speed, 0 end
  world:run { seconds = 20 }
  local sum = 0
  for _ = 1, 10 do
    world:run { seconds = 1 }
    sum = sum + group.vx:mean()
  end
  run:close()
  return sum / 10 * run:given("speeds of the closed corridor", 1)
end

local COUNTS = { 60, 120, 240, 360, 480 }

function diagrams.emptying()
  return function(run)
    run:repeated(function()
      local figures = {}
      for _, count in ipairs(COUNTS) do
        figures["speed " .. count], figures["density " .. count], figures["flow " .. count] = empty(run, count)
        figures["closed " .. count] = closed(run, count)
      end
      return figures
    end, function(runs)
      local before, best, diagram = nil, 0, {}
      for i, count in ipairs(COUNTS) do
        diagram[i] = { count / 120, runs:mean("closed " .. count) }
      end
      for _, count in ipairs(COUNTS) do
        local speed, flow = runs:mean("speed " .. count), runs:mean("flow " .. count)
        local density = runs:mean("density " .. count)
        run:expect("told", ("%d persons: density in the middle third"):format(count), density, { unit = "1/m^2" })
        run:expect("std", ("%d persons: mean speed"):format(count), speed, { most = 1.01, unit = "m/s" })
        if before then
          run:expect("std", ("%d persons: mean speed less that of fewer"):format(count), speed - before,
            { most = 0.01, unit = "m/s" })
          run:expect("ours", ("%d persons: mean speed over that at this density in the closed corridor"):format(count),
            speed / data.at(diagram, density, 2), { least = 0.7, most = 1.3 })
        end
        run:expect("told", ("%d persons: flow at 40 m"):format(count), flow, { unit = "persons/s" })
        before, best = speed, math.max(best, flow)
      end
      run:expect("std", "flow of 60 persons over the greatest", runs:mean "flow 60" / best, { most = 0.95 })
      run:expect("std", "flow of 480 persons over the greatest", runs:mean "flow 480" / best, { most = 0.95 })
    end)
  end
end

return diagrams
