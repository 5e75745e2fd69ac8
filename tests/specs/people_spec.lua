-- Crowds walk like people, whatever planner they have: they slow down as they grow dense, and start, turn and stop as
-- bodies do.
local throng = require "throng"
local measure = dofile "tests/people/measure.lua"

-- m/s: Weidmann (1993), and p10 to p90 of open corridors (Zhang and others, 2011).
local MEASURED = {
  { density = 1, weidmann = 1.06, from = 1.18, to = 1.42 },
  { density = 2, weidmann = 0.61, from = 0.65, to = 0.99 },
  { density = 4, weidmann = 0.16, from = 0.12, to = 0.15 },
}

-- Somebody who goes where it wants, whoever is in the way.
local straight = throng.rvo { samples = 1, weight = 0 }

local function to_the_right(group)
  group.desired = function(_, a) return a.speed, 0 end
end

describe("the speed of a crowd", function()
  for _, planner in ipairs { "orca", "clearpath", "rvo", "forces" } do
    for _, people in ipairs(MEASURED) do
      it(("is as measured at %g persons/m^2, by %s"):format(people.density, planner), function()
        local speed =
          measure.corridor { planner = planner, density = people.density, seed = 1, seconds = 30, last = 10 }
        local off = math.abs(speed - people.weidmann)
        local fits = off <= math.max(0.25 * people.weidmann, 0.2) or (speed >= people.from and speed <= people.to)
        assert.is_true(fits and speed > 0.02, ("%.2f m/s"):format(speed))
      end)
    end
  end

  it("does not fall without a time gap", function()
    local speed = measure.corridor { density = 2, seed = 1, seconds = 20, last = 5, more = { time_gap = 0 } }
    assert.is_true(speed > 1.15, ("%.2f m/s"):format(speed))
  end)

  it("does not fall where people ahead come the other way", function()
    local world <close> = throng.world {}
    local one = world:spawn { at = { { 0, 0 } }, relaxation = 0, planner = straight }
    local other = world:spawn { at = { { 1.5, 0.1 } }, relaxation = 0, planner = straight }
    to_the_right(one)
    other.desired = function(_, a) return -a.speed, 0 end
    world:step()
    assert.near(1.34, one.vx[1], 1e-6)
  end)

  it("follows the gap to whom one walks behind", function()
    local world <close> = throng.world { people = false }
    local back = world:spawn { at = { { 0, 0 } }, time_gap = 1, planner = straight }
    local front = world:spawn { at = { { 1.2, 0 } }, speed = 0.1, planner = "none" }
    to_the_right(back)
    to_the_right(front)
    world:step()
    assert.near(0.7, back.vx[1], 1e-5) -- 1.2 m less two radii, in 1 s; nobody moved before
    world:step()
    assert.near(0.7 - 0.06 + 0.3 * 0.1, back.vx[1], 1e-5)
  end)
end)

describe("people", function()
  it("differ in radius, by seed, unless one is given", function()
    local function radii(settings, radius)
      local world <close> = throng.world(settings)
      return world:spawn({ count = 500, where = throng.box(0, 0, 40, 40), radius = radius }).radius:list()
    end
    local first, sum, least, most = radii { seed = 1 }, 0, 1, 0
    for _, radius in ipairs(first) do
      sum, least, most = sum + radius, math.min(least, radius), math.max(most, radius)
    end
    assert.near(0.225, sum / #first, 0.003)
    assert.is_true(least >= 0.2 and least < 0.202 and most <= 0.25 and most > 0.248)
    assert.same(first, radii { seed = 1 })
    assert.not_same(first, radii { seed = 2 })
    for _, list in ipairs { radii({}, 0.25), radii { people = false } } do
      for _, radius in ipairs(list) do
        assert.equal(0.25, radius)
      end
    end
  end)

  it("are discs without people's habits where the world says so", function()
    local world <close> = throng.world { people = false }
    local discs = world:spawn { at = { { 0, 0 } } }
    assert.same({ 0, 0 }, { discs.time_gap[1], discs.relaxation[1] })
    to_the_right(discs)
    world:step()
    assert.near(1.34, discs.vx[1], 1e-6)
  end)

  it("take their time to get to their speed, and to stop", function()
    for _, planner in ipairs { "orca", "clearpath", "rvo", "forces", "bvp" } do
      local world <close> = throng.world {}
      local one = world:spawn { at = { { 0, 0 } }, planner = planner }
      to_the_right(one)
      world:step()
      assert.near(1.34 * 0.1 / 0.5, one.vx[1], 1e-5, planner)
      world:run { steps = 5 }
      assert.near(1.34, one.vx[1], 0.01, planner)
      one.desired = function() return 0, 0 end
      world:step()
      assert.is_true(one.vx[1] > 1, planner)
    end
  end)

  it("do not run to make way for who comes from behind", function()
    local function fastest(relaxation)
      local world <close> = throng.world {}
      local slow = world:spawn {
        at = { { 2, 0 } }, speed = 0.5, max_speed = 3, relaxation = relaxation, planner = throng.rvo { weight = 10 },
      }
      local fast = world:spawn { at = { { 0, 0 } }, speed = 3, planner = "none" }
      to_the_right(slow)
      to_the_right(fast)
      local most = 0
      for _ = 1, 4 do
        world:step()
        most = math.max(most, math.sqrt(slow.vx[1] ^ 2 + slow.vy[1] ^ 2))
      end
      return most
    end
    assert.is_true(fastest(0.05) <= 1.2 * 0.5 + 1e-3)
    assert.is_true(fastest(0) > 1)
  end)

  it("take no steps back", function()
    local turning = throng.forces { published = 1 }
    local function speed(relaxation)
      return (measure.corridor {
        planner = turning, density = 3, seed = 1, seconds = 20, last = 5,
        more = { relaxation = relaxation, time_gap = 0 },
      })
    end
    assert.is_true(speed(0) < -0.2)
    assert.is_true(speed(0.5) > 0.02)
  end)

  it("are not turned round by the pushes of forces, but in the thesis", function()
    local function speed(published)
      return (measure.corridor {
        planner = throng.forces { published = published }, density = 3, seed = 1, seconds = 20, last = 5,
        more = { relaxation = 0, time_gap = 0 },
      })
    end
    assert.is_true(speed(1) < -0.2)
    assert.is_true(speed(0) > 0.1)
  end)
end)
