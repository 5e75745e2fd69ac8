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
-- They are `count` of one speed, or several `groups` of such.
local function walked(run, settings)
  local world, speeds, given, from, at = run:world { seed = settings.seed }, {}, {}, {}, 0
  local groups = {}
  for g, one in ipairs(settings.groups or { settings }) do
    local starts, ends = {}, {}
    for i = 1, one.count do
      at = at + 1
      starts[i], ends[i] = { 0, 3 * at }, { 100, 3 * at }
    end
    groups[g] = run:people(world, { at = starts, speed = one.speed, max_speed = 3 })
    groups[g]:go_to(ends)
  end
  world:run { seconds = 4 }
  for g, group in ipairs(groups) do
    from[g] = group.x:list()
  end
  world:run { seconds = 5 }
  for g, group in ipairs(groups) do
    local wanted = group.speed:list()
    for i, x in ipairs(group.x:list()) do
      speeds[#speeds + 1], given[#given + 1] = (x - from[g][i]) / 5, wanted[i]
    end
  end
  run:close()
  return speeds, given
end

-- So many runs pool `samples` persons.
local function enough(samples, count) return math.ceil(samples / count) end

-- Persons of laws, pooled over seeds until they are `samples` at least. A law has its name, the sampler, the cumulative
-- function, from `least` to `most`, mean and deviation, by which the walked ones may be off `within`. Whose speeds the
-- standard names is the first; the others are ours.
function people.law(settings)
  return function(run)
    run:repeated(function(seed)
      local figures = {}
      for k, law in ipairs(settings.laws) do
        local speeds, given = walked(run, { count = settings.count, speed = law.speed, seed = 1000 * (k - 1) + seed })
        local off = 0
        for i, speed in ipairs(speeds) do
          off = math.max(off, math.abs(speed / given[i] - 1))
        end
        figures["speeds " .. k], figures["off " .. k] = speeds, off
      end
      return figures
    end, function(runs)
      for k, law in ipairs(settings.laws) do
        local all, by = runs:all("speeds " .. k), k == 1 and "std" or "ours"
        local sorted, bound = statistics.sorted(all), 0.01 * law.mean
        local function tell(by_whom, what, value, bounds)
          run:expect(by_whom, ("%s: %s"):format(law.name, what), value, bounds)
        end
        tell(by, "least walked speed", sorted[1], { least = law.least - bound, unit = "m/s", exact = true })
        tell(by, "greatest walked speed", sorted[#sorted], { most = law.most + bound, unit = "m/s", exact = true })
        tell("ours", "mean walked speed", statistics.mean(all),
          { least = law.mean - settings.within, most = law.mean + settings.within, unit = "m/s" })
        tell("ours", "deviation of walked speeds", statistics.deviation(all),
          { least = law.deviation - settings.within, most = law.deviation + settings.within, unit = "m/s" })
        tell("ours", "distance of walked speeds to the law, over what 1 of 100 samples passes",
          statistics.distance(all, law.cumulative) / statistics.distance_of_chance(#all), { most = 1, exact = true })
        tell("ours", "walked speed, off the given one", runs:most("off " .. k), { most = 0.01, exact = true })
      end
    end, enough(settings.samples, settings.count))
  end
end

-- Persons of a population by age, `groups` of { age, count, least, most }, all in one hall, pooled over seeds: medians
-- are within the range, and fall with age. Beside them 50 of four `classes` of { name, least, most }.
function people.ages(settings)
  local classes = {}
  for i, class in ipairs(settings.classes) do
    classes[i] = { name = class[1], share = 1, speed = throng.uniform(class[2], class[3]) }
  end
  return function(run)
    run:repeated(function(seed)
      local groups, figures = {}, {}
      for i, group in ipairs(settings.groups) do
        local law = throng.population(settings.population).of[tostring(group[1])].speed
        groups[i] = { count = group[2], speed = law }
      end
      local speeds, from = walked(run, { groups = groups, seed = seed }), 1
      for _, group in ipairs(settings.groups) do
        figures[group[1]] = table.move(speeds, from, from + group[2] - 1, 1, {})
        from = from + group[2]
      end
      for k, class in ipairs(settings.classes) do
        local law = throng.population(classes).of[class[1]].speed
        figures[class[1]] = walked(run, { count = 50, speed = law, seed = 1000 * k + seed })
      end
      return figures
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
      for _, class in ipairs(settings.classes) do
        local name, least, most = table.unpack(class)
        local all = runs:all(name)
        local sorted = statistics.sorted(all)
        run:expect("ours", ("least walked speed, %s"):format(name), sorted[1],
          { least = least - 0.02, unit = "m/s", exact = true })
        run:expect("ours", ("greatest walked speed, %s"):format(name), sorted[#sorted],
          { most = most + 0.02, unit = "m/s", exact = true })
        run:expect("ours", ("distance of walked speeds to the law, %s, over what 1 of 100 samples passes"):format(name),
          statistics.distance(all, statistics.uniform(least, most)) / statistics.distance_of_chance(#all),
          { most = 1, exact = true })
      end
    end)
  end
end

-- --- one who is slower and wider, ahead of the others --------------------------------------------
--
--   +-------+                        +-------+ y = 4
--   | 24  o +------------------------+       |
--   |       |  ramp 1.5 x 12 m, down |   exit|   o: zone 2, one person; the 24 start in zone 1, behind
--   |       +------------------------+       |
--   +-------+                        +-------+ y = 0
--   x = 0  5                        17      22     the left room lies 1 m higher

-- When the first, second ... 24th of zone 1 were out.
local function zone_1_out(run, settings, speed, radius)
  local world = run:world {
    map = throng.building {
      floors = {
        upper = { z = 1, boundary = throng.box(0, 0, 5, 4), regions = { ["zone 1"] = throng.box(0, 0, 3.4, 4) } },
        lower = { z = 0, boundary = throng.box(17, 0, 22, 4), regions = { exit = throng.box(21, 0, 22, 4) } },
      },
      ramps = { { from = "lower", to = "upper", foot = { 17, 2 }, head = { 5, 2 }, width = 1.5,
        climb = settings.factor, descend = settings.factor } },
    },
  }
  local many = run:people(world, { where = "zone 1", count = 24, speed = 1.25, radius = 0.2 })
  local one = run:people(world, { at = { { 4.4, 2, floor = "upper" } }, speed = speed, radius = radius,
    name = "zone 2" })
  many:go_to "exit"
  one:go_to "exit"
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
