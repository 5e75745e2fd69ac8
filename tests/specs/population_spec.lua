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
