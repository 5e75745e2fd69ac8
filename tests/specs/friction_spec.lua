-- Friction of bodies: what is known in closed form, and that faster is slower.
local throng = require "throng"
local needs = dofile "tests/specs/needs.lua"

-- The velocity after a step of somebody who wants to go on by (along, into) m/s, into a wall that it touches.
local function along_wall(friction, along, into, mass)
  local world <close> = throng.world {
    people = false, friction = friction, threads = 1,
    map = throng.map { boundary = throng.box(-10, 0, 10, 10) },
  }
  local one = world:spawn { at = { { 0, 0.25 } }, radius = 0.25, mass = mass, planner = "none" }
  one.desired = function() return along, -into end
  world:step()
  return one.vx[1], one.vy[1]
end

describe("friction", function()
  it("slows who is pressed against a wall by the pressure", function()
    assert.near(1, (along_wall(0, 1, 1)), 1e-3)
    for _, case in ipairs { { 2, 1, 1 }, { 2, 1, 0.5 }, { 0.5, 1.2, 1.5 }, { 20, -1, 1 } } do
      local friction, along, into = table.unpack(case)
      local x, y = along_wall(friction, along, into)
      assert.near(along / (1 + friction * into), x, 0.02)
      assert.near(0, y, 0.02)
    end
    local light, heavy = along_wall(2, 1, 1, 40), along_wall(2, 1, 1, 160)
    assert.near(light, heavy, 0.02) -- who is heavier is pressed more, and harder to slow
    assert.near(1, (along_wall(2, 1, 0)), 1e-3)
    assert.near(1, (along_wall(2, 1, -1)), 1e-3)
  end)

  it("slows two who press against each other alike, the other way", function()
    for _, friction in ipairs { 0, 0.5, 2 } do
      local world <close> = throng.world { people = false, friction = friction, threads = 1 }
      local low = world:spawn { at = { { 0, 0 } }, radius = 0.25, planner = "none" }
      local high = world:spawn { at = { { 0, 0.5 } }, radius = 0.25, planner = "none" }
      low.desired = function() return 1, 0.5 end
      high.desired = function() return -1, -0.5 end
      world:step()
      local alone = 1 / (1 + 2 * friction * 0.5)
      assert.near(alone, low.vx[1], 0.02)
      assert.near(-alone, high.vx[1], 0.02)
      assert.near(0, low.vx[1] + high.vx[1], 1e-5)
    end
  end)

  it("carries whom one presses against along", function()
    local world <close> = throng.world { people = false, friction = 20, threads = 1 }
    local low = world:spawn { at = { { 0, 0 } }, radius = 0.25, planner = "none" }
    local high = world:spawn { at = { { 0, 0.5 } }, radius = 0.25, planner = "none" }
    low.desired = function() return 1, 1 end
    high.desired = function() return 0, -1 end
    world:step()
    assert.is_true(high.vx[1] > 0.4, ("%.2f m/s"):format(high.vx[1]))
    assert.near(1, low.vx[1] + high.vx[1], 0.02)
  end)

  it("is none unless the world says so", function()
    local function hash(friction)
      local world <close> = throng.load("scenarios/panic.lua", { params = { count = 50, friction = friction } })
      world:run { steps = 200 }
      return world:hash()
    end
    assert.not_equal(hash(0), hash(2))
    for _, wrong in ipairs { -1, 1e4, "much" } do
      local ok, message = pcall(throng.world, { friction = wrong })
      assert.is_false(ok)
      assert.matches("throng.world: field 'friction'", message, 1, true)
    end
  end)

  it("makes faster slower at a door", function()
    -- Until all are out, s, of two seeds.
    local function leave(speed, friction)
      local sum = 0
      for seed = 1, 2 do
        local params = { speed = speed, friction = friction }
        local world <close> = throng.load("scenarios/panic.lua", { params = params, seed = seed, threads = 1 })
        world:run { until_done = true }
        local stats = world:stats()
        assert.equal(200, stats.arrived)
        assert.equal(0, stats.overlaps)
        sum = sum + stats.last_arrival
      end
      return sum / 2
    end
    local slow, best, fast = leave(0.8, 2), leave(2, 2), leave(5, 2)
    local text = ("%.0f, %.0f, %.0f s"):format(slow, best, fast)
    assert.is_true(slow > 1.15 * best and fast > 1.15 * best, text)
    assert.is_true(leave(5, 0) < 0.75 * leave(2, 0))
  end)

  it("has the same bits on every backend", function()
    local function hash(settings)
      settings.params = { count = 120, speed = 4 }
      local world <close> = throng.load("scenarios/panic.lua", settings)
      world:run { steps = 400 }
      return world:hash()
    end
    local scalar = hash { backend = "cpu", simd = 1, threads = 1 }
    for _, simd in ipairs(needs.which_simd { 4, 8, 16 }) do
      for threads = 1, 2 do assert.same_hash(scalar, hash { backend = "cpu", simd = simd, threads = threads }) end
    end
    needs.device(pending)
    assert.same_hash(scalar, hash { backend = "cuda" })
  end)
end)
