-- The power law of the time to collision (Karamouzas, Skinner and Guy, 2014) against its equations: short steps, free
-- acceleration, and what it is for.
local throng = require "throng"

local K, T0, XI, RADIUS, SPEED = 1.5, 3, 0.54, 0.25, 1.3 -- m^2, s, s, m, m/s

local function scene(dt, v, others, map)
  local world = throng.world { threads = 1, dt = dt, map = map }
  local me = world:spawn { at = { { 0, 0 } }, radius = RADIUS, speed = SPEED, max_speed = 5, planner = "power_law",
    time_gap = 5 }
  me.desired, me.vx = { SPEED, 0 }, v
  for _, other in ipairs(others or {}) do
    local group = world:spawn { at = { other.at }, radius = RADIUS, planner = "none" }
    group.vx, group.vy, group.desired = other.v[1], other.v[2], other.v
  end
  return world, me
end

-- The energy of a pair at (x, y) from the other with relative velocity (vx, vy).
local function energy(x, y, vx, vy, radii)
  local a, b = vx * vx + vy * vy, -(x * vx + y * vy)
  local square = b * b - a * (x * x + y * y - radii * radii)
  if b <= 0 or square <= 0 then return 0 end
  local t = (b - math.sqrt(square)) / a
  return K / t ^ 2 * math.exp(-t / T0)
end

-- Less its gradient, by differences.
local function force(x, y, vx, vy, radii)
  local h = 1e-6
  return -(energy(x + h, y, vx, vy, radii) - energy(x - h, y, vx, vy, radii)) / (2 * h),
    -(energy(x, y + h, vx, vy, radii) - energy(x, y - h, vx, vy, radii)) / (2 * h)
end

describe("the power law", function()
  it("accelerates as v0 (1 - exp(-t / xi)), at any dt", function()
    for _, dt in ipairs { 0.01, 0.1, 0.25 } do
      local world <close>, me = scene(dt, 0)
      for step = 1, 8 do
        world:step()
        assert.near(SPEED * (1 - math.exp(-step * dt / XI)), me.vx[1], 1e-5)
      end
    end
  end)

  it("pushes by the gradient of its energy: short steps", function()
    local cases = {
      { { at = { 4, 0.1 }, v = { -1, 0 } } },
      { { at = { 2, 0.3 }, v = { 0, 0 } }, { at = { 3, -2 }, v = { -0.5, 1.1 } } },
      { { at = { 1.5, -1 }, v = { 0.2, 0.9 } }, { at = { -1, 0 }, v = { 0.5, 0 } } }, -- the second does not collide
      { { at = { -2, 0.2 }, v = { 2, 0 } } },
    }
    for _, others in ipairs(cases) do
      local dt, v = 1 / 1024, 1
      local ax, ay = (SPEED - v) / XI, 0
      for _, other in ipairs(others) do
        local fx, fy = force(-other.at[1], -other.at[2], v - other.v[1], -other.v[2], 2 * RADIUS)
        ax, ay = ax + fx, ay + fy
      end
      local world <close>, me = scene(dt, v, others)
      world:step()
      assert.near(ax, (me.vx[1] - v) / dt, 0.01 + 0.02 * math.abs(ax))
      assert.near(ay, me.vy[1] / dt, 0.01 + 0.02 * math.abs(ay))
    end
  end)

  it("brakes before a wall", function()
    local dt, v = 1 / 1024, 1
    local world <close>, me = scene(dt, v, {}, throng.map { boundary = throng.box(-5, -5, 1.5, 5) })
    world:step()
    local fx = force(-1.5, 0, v, 0, RADIUS)
    assert.near((SPEED - v) / XI + fx, (me.vx[1] - v) / dt, 0.05)
  end)

  it("leaves those alone who will not collide", function()
    local world <close>, me = scene(0.1, SPEED, { { at = { 3, 0.6 }, v = { 0, 0 } }, { at = { -1, 0 }, v = { 1, 0 } } })
    world:step()
    assert.near(SPEED, me.vx[1], 1e-5)
    assert.equal(0, me.vy[1])
  end)

  it("stays finite among bodies that touch, where collisions are due at once", function()
    local world <close> = throng.world { threads = 1, map = throng.map { boundary = throng.box(0, 0, 40, 5) } }
    local at = {}
    for i = 0, 119 do
      at[#at + 1] = { 1 + i // 8 * 0.5001, 0.5 + i % 8 * 0.5001 }
    end
    local crowd = world:spawn { at = at, radius = RADIUS, speed = throng.uniform(1, 1.6), planner = "power_law" }
    crowd.desired = function(_, a) return a.speed, 0 end
    for _ = 1, 50 do
      world:step()
      for i = 1, #crowd do
        assert.is_true(crowd.vx[i] ^ 2 + crowd.vy[i] ^ 2 < 16) -- contacts push, too
      end
    end
    assert.no_overlap(world)
  end)

  it("has two who meet pass each other, at any dt, with no need of contacts", function()
    for _, dt in ipairs { 0.02, 0.1, 0.2 } do
      local world <close> = throng.world { threads = 1, dt = dt }
      local two = world:spawn { at = { { 0, 0 }, { 10, 0.1 } }, radius = RADIUS, speed = SPEED, planner = "power_law" }
      two[1].desired, two[2].desired = { SPEED, 0 }, { -SPEED, 0 }
      world:run { seconds = 10, until_done = false }
      assert.is_true(two.x[1] > 8 and two.x[2] < 2)
      assert.equal(0, world:stats().conflicts)
    end
  end)
end)
