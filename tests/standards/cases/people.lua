-- Who the people are: their speeds.
local throng = require "throng"
local statistics = require "statistics"

local people = {}

--     o ->           3 m from each other, all along x; their speeds from 4 s to 9 s
--     o ->
--     o ->
--   x = 0          x = 100: where each is sent
--
-- Persons in a hall without obstacles, far from each other: the speeds they were given, and those they walk at.
local function walked(run, settings)
  local world = run:world {}
  local at = {}
  for i = 1, settings.count do
    at[i] = { 0, 3 * i }
  end
  local group = run:people(world, { at = at, speed = settings.speed, max_speed = 3 })
  local places = {}
  for i, place in ipairs(at) do
    places[i] = { place[1] + 100, place[2] }
  end
  group:go_to(places)
  world:run { seconds = 4 }
  local from = group.x:list()
  world:run { seconds = 5 }
  local speeds, given = {}, group.speed:list()
  for i, x in ipairs(group.x:list()) do
    speeds[i] = (x - from[i]) / 5
  end
  return speeds, given
end

-- Persons of one law, pooled over seeds: `law` has from, to or mean, deviation, the cumulative function, and what the
-- mean and the deviation may be off by.
function people.law(settings)
  return function(run)
    run:repeated(function()
      local speeds, given = walked(run, settings)
      local off = 0
      for i, speed in ipairs(speeds) do
        off = math.max(off, math.abs(speed / given[i] - 1))
      end
      return { speeds = speeds, off = off }
    end, function(runs)
      local all = runs:all "speeds"
      local sorted, bound = statistics.sorted(all), 0.01 * settings.mean
      run:expect("std", "least walked speed", sorted[1],
        { least = settings.least - bound, unit = "m/s", exact = true })
      run:expect("std", "greatest walked speed", sorted[#sorted],
        { most = settings.most + bound, unit = "m/s", exact = true })
      run:expect("ours", "mean walked speed", statistics.mean(all),
        { least = settings.mean - settings.within, most = settings.mean + settings.within, unit = "m/s" })
      run:expect("ours", "deviation of walked speeds", statistics.deviation(all),
        { least = settings.deviation - settings.within, most = settings.deviation + settings.within, unit = "m/s" })
      run:expect("ours", "distance of walked speeds to the law, over what 1 of 100 samples passes",
        statistics.distance(all, settings.cumulative) / statistics.distance_of_chance(#all),
        { most = 1, exact = true })
      run:expect("ours", "walked speed, off the given one", runs:most "off", { most = 0.01, exact = true })
    end)
  end
end

-- Persons of a population by age, `groups` of { age, count, least, most }, pooled over seeds: medians are within the
-- range, and fall with age.
function people.ages(settings)
  return function(run)
    run:repeated(function()
      local speeds = {}
      for _, group in ipairs(settings.groups) do
        local age, count = group[1], group[2]
        local law = throng.population(settings.population).of[tostring(age)].speed
        speeds[age] = walked(run, { count = count, speed = law })
      end
      return speeds
    end, function(runs)
      local before
      for _, group in ipairs(settings.groups) do
        local age, _, least, most = table.unpack(group)
        local median = runs:percentile(age, 50)
        run:expect("std", ("median walked speed at %d years"):format(age), median,
          { least = least - 0.02, most = most + 0.02, unit = "m/s" })
        if before then
          run:expect("std", ("the same at %d years, less that of the younger"):format(age), median.value - before,
            { most = 0, unit = "m/s" })
        end
        before = median.value
      end
    end)
  end
end

-- --- one who is slower and wider, ahead of the others --------------------------------------------
--
--   +-------+                        +-------+ y = 4
--   | 24  o +------------------------+       |
--   |       |  ramp 1.5 x 12 m       |   exit|   o: zone 2, one person; the 24 start in zone 1, behind
--   |       +------------------------+       |
--   +-------+                        +-------+ y = 0
--   x = 0  5                        17      22
--
-- The ramp is drawn flat: what a ramp does to speeds is `factor`.

-- When the first, second ... 24th of zone 1 were out.
local function zone_1_out(run, settings, speed, radius)
  local world = run:world {
    floor = throng.polygon { { 0, 0 }, { 5, 0 }, { 5, 1.25 }, { 17, 1.25 }, { 17, 0 }, { 22, 0 }, { 22, 4 }, { 17, 4 },
      { 17, 2.75 }, { 5, 2.75 }, { 5, 4 }, { 0, 4 } },
    regions = { exit = throng.box(21, 0, 22, 4) },
  }
  local many = run:people(world, { where = throng.box(0, 0, 3.4, 4), count = 24, speed = 1.25, radius = 0.2 })
  local one = run:people(world, { at = { { 4.4, 2 } }, speed = speed, radius = radius, name = "zone 2" })
  for group, own in pairs { [many] = 1.25, [one] = speed } do
    group.speed = function(_, a)
      local up = throng.select(a.x > 5, throng.select(a.x < 17, settings.factor, 1), 1)
      return own * up
    end
    group:go_to "exit"
  end
  local out = run.arrivals(world, many)
  one:on("arrived", function(arrived) arrived:remove() end)
  while world.time < 200 and #out < 24 do
    world:run { seconds = 1 }
  end
  return out
end

function people.disabled(settings)
  return function(run)
    local speed, radius = run:given("slow speed", 0.8), run:given("slow radius", 0.4)
    run:repeated(function()
      local with, without = zone_1_out(run, settings, speed, radius), zone_1_out(run, settings, 1.25, 0.2)
      return { with = with, without = without, last_with = with[24] or 0 / 0, last_without = without[24] or 0 / 0 }
    end, function(runs)
      run:expect_converged("somebody slow", runs:curves "with")
      run:expect_converged("nobody slow", runs:curves "without")
      local with, without = runs:mean "last_with", runs:mean "last_without"
      run:expect("told", "mean time of the last of zone 1, nobody slow", without, { unit = "s" })
      run:expect("std", "mean time with somebody slow less without", with - without, { least = 0.1, unit = "s" })
      run:expect("ours", "mean time with somebody slow over without", with / without, { least = 1.05, most = 2 })
    end)
  end
end

return people
