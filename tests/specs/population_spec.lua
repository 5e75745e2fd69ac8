-- throng.population: classes of people, with their shares and speeds.
local throng = require "throng"

local function speeds_of(population, count)
  local world <close> = throng.world { threads = 1 }
  local at = {}
  for i = 1, count do
    at[i] = { 0, i }
  end
  return world:spawn({ at = at, speed = population.speed }).speed:list()
end

describe("a population", function()
  it("known by name has classes with shares and speeds", function()
    for name, count in pairs { imo = 10, ["imo crew"] = 2, rimea = 6, weidmann = 1 } do
      local population = throng.population(name)
      assert.equal(count, #population.classes)
      assert.equal(name, population.name)
      local least, most = math.huge, 0
      for _, speed in ipairs(speeds_of(population, 2000)) do
        least, most = math.min(least, speed), math.max(most, speed)
      end
      local bounds = { imo = { 0.37, 1.85 }, ["imo crew"] = { 0.93, 1.85 }, rimea = { 1.07, 1.64 },
        weidmann = { 0.56, 2.12 } }
      assert.is_true(least >= bounds[name][1] - 1e-6 and least < bounds[name][1] + 0.1, least)
      assert.is_true(most <= bounds[name][2] + 1e-6 and most > bounds[name][2] - 0.1, most)
    end
  end)

  it("draws from its classes by their shares", function()
    local population = throng.population {
      { name = "quick", share = 3, speed = throng.uniform(1.4, 1.5) },
      { name = "slow", share = 1, speed = 0.5, stairs_down = 0.3 },
    }
    local slow = 0
    for _, speed in ipairs(speeds_of(population, 2000)) do
      slow = slow + (speed == 0.5 and 1 or 0)
    end
    assert.near(500, slow, 60)
    assert.equal(0.3, population.of.slow.stairs_down)
  end)

  it("gives one person's speeds on the level and on stairs", function()
    local population = throng.population {
      { name = "quick", share = 3, speed = throng.uniform(1, 2), stairs_up = throng.uniform(0.5, 1), stairs_down = 1 },
      { name = "slow", share = 1, speed = throng.uniform(0.4, 0.8), stairs_up = throng.uniform(0.1, 0.2) },
    }
    local world <close> = throng.world { threads = 1 }
    local at, slow = {}, 0
    for i = 1, 500 do at[i] = { 0, i } end
    local people = world:spawn { at = at, speed = population.speed, stairs_up = population.stairs_up,
      stairs_down = population.stairs_down }
    for i = 1, #people do
      local speed = people.speed[i]
      local quick = speed >= 1
      slow = slow + (quick and 0 or 1)
      assert.near(speed / (quick and 2 or 4), people.stairs_up[i], 1e-6)
      assert.equal(quick and 1 or 0, people.stairs_down[i])
    end
    assert.near(125, slow, 40)
    assert.is_nil(throng.population("weidmann").stairs_up)
  end)

  it("walks stairs at its speeds there, along the slope, and others at what flights keep", function()
    local map = throng.building {
      floors = { ground = { z = 0, boundary = throng.box(0, 0, 10, 4) },
        first = { z = 3, boundary = throng.box(16, 0, 26, 4) } },
      stairs = { { name = "stairs", from = "ground", to = "first", foot = { 10, 2 }, head = { 16, 2 }, width = 4,
        climb = 0.5, descend = 0.6 } },
    }
    local slope = math.sqrt(1 + (3 / 6) ^ 2) -- m along it for each on the plan
    local function walked(from, to, settings)
      local world <close> = throng.world { map = map, dt = 0.05, seed = 1 }
      settings.at, settings.speed = { from }, 1.2
      local one = world:spawn(settings)
      one:go_to(to)
      local began, x
      for _ = 1, 1000 do
        world:run { steps = 1 }
        local inside = math.abs(one.x[1] - 13) < 1
        if inside and not began then began, x = world.time, one.x[1] end
        if began and not inside then return math.abs(one.x[1] - x) * slope / (world.time - began) end
      end
    end
    local ground, first = { 2, 2, floor = "ground" }, { 24, 2, floor = "first" }
    assert.near(0.4, walked(ground, first, { stairs_up = 0.4 }), 0.004)
    assert.near(0.7, walked(first, ground, { stairs_down = 0.7 }), 0.004)
    assert.near(0.6 * 1.2 * slope, walked(first, ground, { stairs_up = 0.4 }), 0.004)
    assert.near(0.5 * 1.2 * slope, walked(ground, first, { stairs_down = 0.7 }), 0.004)
  end)

  it("must be possible", function()
    local function fails(text, who)
      local ok, problem = pcall(throng.population, who)
      assert.is_false(ok)
      assert.is_truthy(tostring(problem):find(text, 1, true), problem)
    end
    fails("expected one of: imo, imo crew, rimea, weidmann", "people")
    fails("expected a name", {})
    fails("field 'share' must be a number > 0", { { name = "a", share = 0, speed = 1 } })
    fails("field 'speed' is missing", { { name = "a", share = 1 } })
    fails("two classes are named 'a'", { { name = "a", share = 1, speed = 1 }, { name = "a", share = 1, speed = 1 } })
    fails("unknown field 'age'", { { name = "a", share = 1, speed = 1, age = 3 } })
    assert.has_error(function() return throng.population("imo").of["male 30"] end)
  end)
end)
