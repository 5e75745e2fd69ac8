-- Laws of numbers that differ from agent to agent: throng.log_normal and the others give what they say.
local throng = require "throng"
local statistics = dofile "tests/standards/statistics.lua"

local COUNT = 4000

local function drawn(law, seed)
  local world <close> = throng.world { seed = seed or 1, threads = 1 }
  world:column "number"
  local at = {}
  for i = 1, COUNT do
    at[i] = { 2 * (i % 100), 2 * (i // 100) }
  end
  return world:spawn({ at = at, number = law }).number:list()
end

local function holds(law, cumulative)
  local distance, chance = statistics.distance(drawn(law), cumulative), statistics.distance_of_chance(COUNT)
  assert.is_true(distance < chance, ("%s: distance %.4f, by chance up to %.4f"):format(law, distance, chance))
end

describe("a law", function()
  local laws = {
    { throng.uniform(10, 100), statistics.uniform(10, 100) },
    { throng.log_normal(4.586, 0.967), statistics.log_normal(4.586, 0.967) },
    { throng.log_normal(0, 0.05), statistics.log_normal(0, 0.05) },
    { throng.weibull(139.285, 1.195), statistics.weibull(139.285, 1.195) },
    { throng.weibull(2, 0.5), statistics.weibull(2, 0.5) },
    { throng.gamma(1.291, 103.901), statistics.gamma(1.291, 103.901) },
    { throng.gamma(0.4, 3), statistics.gamma(0.4, 3) },
    { throng.gamma(40, 0.5), statistics.gamma(40, 0.5) },
    { throng.triangular(1, 2, 5), function(x)
      return x < 2 and (x - 1) ^ 2 / 4 or 1 - (5 - x) ^ 2 / 12
    end },
    { throng.truncated(throng.normal(60, 20), 0, 1e6),
      statistics.truncated(statistics.normal(60, 20), 0, 1e6) },
    { throng.truncated(throng.normal(0, 1), 0.5, 1), statistics.truncated(statistics.normal(0, 1), 0.5, 1) },
    { throng.truncated(throng.log_normal(3.44, 0.94), 0, 300),
      statistics.truncated(statistics.log_normal(3.44, 0.94), 0, 300) },
    { throng.truncated(throng.log_normal(3.95, 0.84, 400), 400, 700), function(x) -- IMO's night
      return statistics.truncated(statistics.log_normal(3.95, 0.84), 0, 300)(x - 400)
    end },
    { throng.truncated(throng.gamma(2, 3), 1, 4), statistics.truncated(statistics.gamma(2, 3), 1, 4) },
    { throng.truncated(throng.truncated(throng.uniform(0, 10), 2, 9), 0, 3), statistics.uniform(2, 3) },
  }
  for _, law in ipairs(laws) do
    it("gives what it says: " .. tostring(law[1]), function() holds(law[1], law[2]) end)
  end

  it("of measured numbers lies straight between neighbours", function()
    holds(throng.empirical { 9, 1, 3 }, function(x) return x < 3 and (x - 1) / 4 or 0.5 + (x - 3) / 12 end)
    local sorted = statistics.sorted(drawn(throng.empirical { 9, 1, 3 }))
    assert.is_true(sorted[1] >= 1 and sorted[COUNT] <= 9)
  end)

  it("of measured numbers may come from a column of a file", function()
    local function same(values, ...) assert.same(drawn(throng.empirical(values)), drawn(throng.empirical(...))) end
    same({ 12, 31, 18 }, "tests/data/measured.csv", "delay") -- whose third cell is empty
    same({ 1.21, 1.02, 1.44, 0.87 }, "tests/data/measured.csv", "speed")
  end)

  it("may mix others by their shares, and mixtures", function()
    local inner = throng.mixture { { 1, throng.uniform(1, 2) }, { 1, 5 } }
    local below, constant = 0, 0
    local numbers = drawn(throng.mixture { { 3, inner }, { 1, throng.normal(-10, 1) } })
    for _, number in ipairs(numbers) do
      below = below + (number < 0 and 1 or 0)
      constant = constant + (number == 5 and 1 or 0)
    end
    assert.near(0.25, below / COUNT, 0.02)
    assert.near(0.375, constant / COUNT, 0.02)
  end)

  it("goes by the seed and the agent", function()
    local law = throng.gamma(2, 3)
    assert.same(drawn(law, 3), drawn(law, 3))
    assert.not_same(drawn(law, 3), drawn(law, 4))
  end)

  it("is kept by a world that its script has forgotten", function()
    local world <close> = throng.world {}
    world:column("number", { default = throng.mixture { { 1, throng.empirical { 4, 5 } } } })
    collectgarbage()
    collectgarbage()
    local number = world:spawn({ at = { { 0, 0 } } }).number[1]
    assert.is_true(number >= 4 and number <= 5)
  end)

  it("must be possible", function()
    local function fails(text, f, ...)
      local ok, problem = pcall(f, ...)
      assert.is_false(ok)
      assert.is_truthy(tostring(problem):find(text, 1, true), problem)
    end
    fails("the shape must be a number >= 0.01", throng.weibull, 10, 0)
    fails("the scale must be a number > 0", throng.gamma, 2, 0)
    fails("in this order, got 1.0, 5.0 and 3.0", throng.triangular, 1, 5, 3)
    fails("in this order", throng.triangular, 1, 1, 1)
    fails("expected a list of 2 to 1000000", throng.empirical, { 4 })
    fails("value 2 must be a finite number", throng.empirical, { 4, "x" })
    fails("only a file has columns", throng.empirical, { 4, 5 }, "delay")
    fails("no_such.csv", throng.empirical, "tests/data/no_such.csv")
    fails("measured.csv:1 has 3 columns: say which, one of: person, delay, speed", throng.empirical,
      "tests/data/measured.csv")
    fails("Expected one of: person, delay, speed", throng.empirical, "tests/data/measured.csv", "sped")
    fails("part 1 must be {share, law}", throng.mixture, { 4 })
    fails("the share of part 2 must be", throng.mixture, { { 1, 2 }, { 0, 2 } })
    fails("hardly any number of throng.normal(1.0, 0.1) is from 5.0 to 6.0", throng.truncated, throng.normal(1, 0.1),
      5, 6)
    fails("neither a mixture", throng.truncated, throng.mixture { { 1, 2 } }, 5, 6)
    local world <close> = throng.world {}
    fails("'speed': the least value must be", world.spawn, world,
      { at = { { 0, 0 } }, speed = throng.truncated(throng.normal(0, 1), -1, 1) })
  end)
end)
