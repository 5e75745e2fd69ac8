-- Crowds before narrow places.
local throng = require "throng"
local statistics = require "statistics"

local bottlenecks = {}

local SPEED = throng.normal(1.34, 0.26) -- m/s, Weidmann (1993)

-- --- two rooms and a gap -------------------------------------------------------------------------
--
--   +-----------+               +-----------+ y = 10
--   |  start    |               |           |
--   |  5 x 10 m +---- length ---+           |
--   |  150                            | a ->   goal: all from `a` behind the gap on
--   |           +---------------+           |     gap `width` wide in the middle
--   |           |               |           |
--   +-----------+               +-----------+ y = 0
--   x = 0      10

-- Everybody's times: of the last to leave room 1, of the last to reach the goal, flow (n - 1) / (last - first) at the
-- end of room 1, persons through.
local function two_rooms(run, settings)
  local width, length = settings.width or 1, settings.length or 0.2
  local low, high, far = 5 - width / 2, 5 + width / 2, 10 + length
  local world = run:world {
    floor = throng.polygon { { 0, 0 }, { 10, 0 }, { 10, low }, { far, low }, { far, 0 }, { far + 10, 0 },
      { far + 10, 10 }, { far, 10 }, { far, high }, { 10, high }, { 10, 10 }, { 0, 10 } },
    regions = { goal = throng.box(far + (settings.a or 5), 0, far + 10, 10) },
  }
  local group = run:people(world, { where = throng.box(0, 0, 5, 10), count = 150, speed = settings.speed or SPEED })
  group:go_to "goal"
  group:on("arrived", function(arrived) arrived:remove() end)
  local gap = world:measure { flow = { { 10.1, low }, { 10.1, high } } }
  world:run { seconds = 600, until_done = true }
  local done, flow, count = gap.last, gap.flow, gap.count
  return done or 0 / 0, world:stats().last_arrival or 0 / 0, flow or 0, count
end

local PLACES = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 } -- of the goal, m behind the gap

function bottlenecks.goal_position()
  return function(run)
    run:repeated(function()
      local figures = { count = 150 }
      for _, a in ipairs(PLACES) do
        local done, last, _, count = two_rooms(run, { a = run:given("goal", a),
          width = a == 9 and run:given("last gap", 1) or 1 })
        figures["room " .. a], figures["last " .. a] = done, last
        figures.count = math.min(figures.count, count)
      end
      return figures
    end, function(runs)
      local emptied = {}
      for i, a in ipairs(PLACES) do
        emptied[i] = runs:mean("room " .. a)
        run:expect("told", ("time to empty room 1, the goal %g m behind the gap"):format(a), emptied[i], { unit = "s" })
      end
      local mean = statistics.mean(table.move(emptied, 2, #emptied, 1, {}))
      local off = 0
      for i = 2, #emptied do
        off = math.max(off, math.abs(emptied[i] / mean - 1))
      end
      run:expect("std", "persons through, least", runs:least "count", { least = 150, exact = true })
      run:expect("ours", "time to empty room 1, off the mean for 1 to 9 m", off, { most = 0.07 })
      run:expect("ours", "time of the last, the goal 8 m behind less at the gap",
        runs:mean "last 8" - runs:mean "last 0", { least = 0.1, unit = "s" })
      run:expect("published", "time of the last, the goal 8 m behind less at the gap",
        runs:mean "last 8" - runs:mean "last 0", { least = 0, unit = "s" })
    end)
  end
end

function bottlenecks.length()
  return function(run)
    run:repeated(function()
      local _, short_last, short_flow = two_rooms(run, { length = 0.2, a = 8 })
      local _, long_last, long_flow = two_rooms(run, { length = run:given("length", 5), a = 8,
        width = run:given("width", 1) })
      return { short_last = short_last, short_flow = short_flow, long_last = long_last, long_flow = long_flow }
    end, function(runs)
      local short, long = runs:mean "short_flow", runs:mean "long_flow"
      local longer = runs:mean "long_last" - runs:mean "short_last"
      run:expect("std", "mean time by the long gap less by the short", longer, { least = 0.1, unit = "s" })
      run:expect("ours", "the same: at least as long as 4.8 m take to walk", longer, { least = 4.8 / 1.34, unit = "s" })
      run:expect("told", "mean flow through the short gap", short, { unit = "persons/s" })
      run:expect("told", "mean flow through the long gap", long, { unit = "persons/s" })
      run:expect("ours", "flow through the long gap over the short", long / short, { least = 0.8, most = 1.05 })
    end)
  end
end

-- The default bodies, discs 0.40 to 0.50 m wide, do not fit side by side into 0.8 m: they walk in single file, a time
-- gap apart, at 1.09 persons/s. People pass there at 1.3 to 1.7, turning their shoulders; so do throng's with body =
-- throng.stadium(), at 1.30 (ORCA, three seeds; tests/people/RESULTS.md has other widths).
function bottlenecks.width()
  return function(run)
    run:repeated(function()
      local flows = {}
      for w = 8, 24, 2 do -- 0.1 m
        flows[w] = select(3, two_rooms(run, { width = run:given("width", w / 10), length = 5, a = 8 }))
      end
      return flows
    end, function(runs)
      local points, before, off, least, most = {}, 0, 0, math.huge, 0
      for w = 8, 24, 2 do
        local width, flow = w / 10, runs:mean(w)
        if #points > 0 then
          local rise = flow - points[#points][2]
          least, most = math.min(least, rise), math.max(most, rise)
        end
        points[#points + 1] = { width, flow }
        off = math.max(off, math.abs(flow / (1.9 * width) - 1))
        run:expect("told", ("mean flow through %.1f m"):format(width), flow, { unit = "persons/s" })
      end
      for _, w in ipairs { 8, 10, 12 } do
        run:expect("std", ("mean flow through %.1f m less through the narrower"):format(w / 10),
          runs:mean(w) - before, { least = 0.01, unit = "persons/s" })
        before = runs:mean(w)
      end
      local slope, _, explained = statistics.line(points)
      run:expect("ours", "slope of the flow over the width", slope,
        { least = 1.5, most = 2.6, unit = "persons/(m s)" })
      run:expect("ours", "r^2 of the line", explained, { least = 0.95 })
      -- no steps at widths of lanes: 0.2 m more never give nothing, nor twice what they give on the mean
      run:expect("ours", "least rise of the flow by 0.2 m", least, { least = 0.01, unit = "persons/s" })
      run:expect("ours", "greatest rise of the flow by 0.2 m, of the line's", most / (0.2 * slope), { most = 2 })
      run:expect("ours", "greatest difference to 1.9 persons/(m s)", off, { most = 0.25 })
    end)
  end
end

-- --- three rooms in a row, two gaps --------------------------------------------------------------
--
--   +-----------+-----------+------+ y = 10
--   |  150      |           |      |
--   |  5 x 10 m  gap 1       gap 2 |goal: the last metre     gaps 1 m wide, y = 4.5 to 5.5, walls 0.2 m thick;
--   |        [ ]         [ ]       |                         [ ]: densities in the 2 x 3 m before each, y = 3.5 to 6.5
--   |           |           |      |
--   +-----------+-----------+------+ y = 0
--   x = 0      10         20.2    25.4

local function gaps_in_a_row(run)
  local first, second = run:given("first gap", 1) / 2, run:given("second gap", 1) / 2
  local walls = {}
  for _, gap in ipairs { { 10, first }, { 20.2, second } } do
    walls[#walls + 1] = throng.box(gap[1], 0, gap[1] + 0.2, 5 - gap[2])
    walls[#walls + 1] = throng.box(gap[1], 5 + gap[2], gap[1] + 0.2, 10)
  end
  local world = run:world {
    floor = throng.box(0, 0, 25.4, 10),
    walls = walls,
    regions = { goal = throng.box(24.4, 0, 25.4, 10) },
  }
  local group = run:people(world, { where = throng.box(0, 0, 5, 10), count = 150, speed = SPEED })
  group:go_to "goal"
  group:on("arrived", function(arrived) arrived:remove() end)
  local gaps, before = {}, {}
  for i, x in ipairs { 10.1, run:given("second line", 20.3) } do
    gaps[i] = world:measure { flow = { { x, 4.5 }, { x, 5.5 } } }
    before[i] = world:measure { density = throng.box(x - 2.1, 3.5, x - 0.1, 6.5), from = 20, till = 60 }
  end
  world:run { seconds = 600, until_done = true }
  return {
    count = gaps[2].count,
    later = gaps[2].count > 0 and gaps[2].first - gaps[1].first or 0 / 0,
    flow_1 = gaps[1].flow or 0 / 0, flow_2 = gaps[2].flow or 0 / 0,
    most_1 = before[1].most, most_2 = before[2].most,
    mean_1 = before[1].mean, mean_2 = before[2].mean,
  }
end

function bottlenecks.second_gap()
  return function(run)
    run:repeated(function() return gaps_in_a_row(run) end, function(runs)
      run:expect("std", "persons through the second gap, least", runs:least "count",
        { least = 150, most = 150, exact = true })
      run:expect("std", "greatest density before gap 1 less that before gap 2", runs:mean "most_1" - runs:mean "most_2",
        { least = 0.01, unit = "1/m^2" })
      run:expect("std", "mean density before gap 1 less that before gap 2", runs:mean "mean_1" - runs:mean "mean_2",
        { least = 0.01, unit = "1/m^2" })
      run:expect("std", "first through gap 2 after the first through gap 1", runs:mean "later",
        { least = 0.1, unit = "s" })
      run:expect("ours", "mean density before gap 1, 20 to 60 s", runs:mean "mean_1", { least = 2.5, unit = "1/m^2" })
      run:expect("ours", "mean density before gap 2, 20 to 60 s", runs:mean "mean_2", { most = 1.5, unit = "1/m^2" })
      run:expect("published", "flow through gap 1 less through gap 2", runs:mean "flow_1" - runs:mean "flow_2",
        { least = -0.05, unit = "persons/s" })
    end)
  end
end

-- --- a large crowd round a corner ----------------------------------------------------------------
--
--     the short straight         the corner            the long straight
--
--                                       | exit|
--                                       |     |  25 m
--     +---------------+ exit   +--------+     |        +------------------------+ exit
--     |500            |        |500           |  20 m  |500                     |
--     +---------------+        +--------------+        +------------------------+
--     x = 0          50        x = 0    25    45       x = 0                   81.4
--
-- Corridors 20 m wide. The corner's inner wall is 25 + 25 m long, as the short straight is (50 m); the long straight is
-- as an arc about the inner corner: 50 + 10 pi = 81.4 m. 500 persons in the first 20 m.
--
-- Their routes go down a field (routing = "field"), which turns with the corridor. By shortest paths all 500 pass the
-- inner corner itself and jam there, with 20 m beside them: told beside it.

local function corner_time(run, floor, exit, count, routing)
  local world = run:world { floor = floor, regions = { exit = exit } }
  local start = throng.box(0, 0, 20, 20)
  local group = run:people(world, { where = start, count = count, speed = SPEED, routing = routing })
  group:go_to "exit"
  group:on("arrived", function(arrived) arrived:remove() end)
  world:run { seconds = 400, until_done = true }
  local stats = world:stats()
  return stats.arrived == count and stats.last_arrival or 0 / 0
end

function bottlenecks.corner()
  return function(run)
    local leg, routing = run:given("leg", 25), run:given("routing", "field")
    local shapes = {
      { throng.box(0, 0, 50, 20), throng.box(48, 0, 50, 20) },
      { throng.polygon { { 0, 0 }, { 25 + 20, 0 }, { 25 + 20, 20 + leg }, { 25, 20 + leg }, { 25, 20 }, { 0, 20 } },
        throng.box(25, 18 + leg, 45, 20 + leg) },
      { throng.box(0, 0, 81.4, 20), throng.box(79.4, 0, 81.4, 20) },
    }
    local names = { "the short straight", "the corner", "the long straight" }
    run:repeated(function()
      local times = {}
      for i, shape in ipairs(shapes) do
        times[i] = corner_time(run, shape[1], shape[2], 500, routing)
      end
      times.hugging = corner_time(run, shapes[2][1], shapes[2][2], 500)
      return times
    end, function(runs)
      for i, name in ipairs(names) do
        run:expect("told", "mean time of the last: " .. name, runs:mean(i), { unit = "s" })
      end
      run:expect("told", "mean time of the last: the corner, by shortest paths", runs:mean "hugging", { unit = "s" })
      run:expect("std", "the corner's time over the short straight's", runs:mean(2) / runs:mean(1), { least = 1 })
      run:expect("std", "the corner's time over the long straight's", runs:mean(2) / runs:mean(3), { most = 1 })
      run:expect("published", "the corner's time over the short straight's", runs:mean(2) / runs:mean(1),
        { least = 1 })
    end)
  end
end

return bottlenecks
