-- The generalized centrifugal force model (Chraibi, Seyfried and Schadschneider, 2010) against its equations: short
-- steps, one step of two bodies at any dt, free acceleration.
local throng = require "throng"

local TAU, ETA, A_MIN, A_TIME, B_MIN, B_MAX = 0.5, 0.2, 0.18, 0.53, 0.2, 0.25 -- s, 1, m, s, m, m
local RADIUS, SPEED = 0.1, 1.3 -- m, m/s

-- The others have walked for a step, so that they have headings.
local function scene(dt, v, others, map)
  local world = throng.world { threads = 1, dt = dt, map = map }
  local groups = {}
  for i, other in ipairs(others or {}) do
    local theirs = other.v or 0
    local at = { other.at[1] - theirs * dt, other.at[2] }
    groups[i] = world:spawn { at = { at }, radius = RADIUS, speed = SPEED, planner = "none" }
    groups[i].desired = { theirs, 0 }
  end
  world:step()
  for i, other in ipairs(others or {}) do
    local group = groups[i]
    if other.planner then group.planner, group.desired = other.planner, { other.wants, 0 } end
  end
  local me = world:spawn { at = { { 0, 0 } }, radius = RADIUS, speed = SPEED, max_speed = 5,
    planner = "generalized_centrifugal_force", time_gap = 5 }
  me.desired, me.vx = { SPEED, 0 }, v
  return world, me
end

-- From the middle of an ellipse that walks along x with `speed` to its rim, in direction (nx, ny).
local function reach(speed, nx, ny)
  local a, b = A_MIN + A_TIME * speed, B_MAX - (B_MAX - B_MIN) * math.min(1, speed / SPEED)
  return a * b / math.sqrt((b * nx) ^ 2 + (a * ny) ^ 2)
end

-- The force per mass of `other` at present.
local function force(v, other)
  local x, y = other.at[1], other.at[2]
  local distance = math.sqrt(x * x + y * y)
  local nx, ny = x / distance, y / distance
  local gap = distance - reach(v, nx, ny) - reach(math.abs(other.v or 0), nx, ny)
  local approach = math.max(0, (v - (other.v or 0)) * nx)
  local fade = math.max(0, math.min(1, (2 - gap) / 0.1))
  local push = fade * math.max(0, nx) * (ETA * SPEED + approach) ^ 2 / math.max(0.01, gap)
  return -push * nx, -push * ny
end

describe("the generalized centrifugal force model", function()
  it("accelerates as v0 (1 - exp(-t / tau)), at any dt", function()
    for _, dt in ipairs { 0.01, 0.1, 0.25 } do
      local world <close>, me = scene(dt, 0)
      for step = 1, 8 do
        world:step()
        assert.near(SPEED * (1 - math.exp(-step * dt / TAU)), me.vx[1], 1e-5)
      end
    end
  end)

  it("pushes by approach, direction and distance of the ellipses: short steps", function()
    local cases = {
      { 1, { at = { 1.8, 0 } } },
      { 1, { at = { 1.2, 0.5 } }, { at = { 1.5, -0.6 }, v = 0.5 }, { at = { -0.8, 0 }, v = 1 } },
      { 0.5, { at = { 2.5, 0.3 }, v = -1 } },
      { 0.5, { at = { 2.62, 0 } } }, -- where it fades out
      { 0, { at = { 0.9, 0.1 }, v = 0.4 } },
      { 0.6, { at = { 0.72, 0 } } }, -- the ellipses nearly meet
    }
    for _, case in ipairs(cases) do
      local dt, v, others = 0.0002, case[1], { table.unpack(case, 2) }
      local world <close>, me = scene(dt, v, others)
      local ax, ay = (SPEED - v) / TAU, 0
      for _, other in ipairs(others) do
        local x, y = force(v, other)
        ax, ay = ax + x, ay + y
      end
      world:step()
      assert.near(ax, (me.vx[1] - v) / dt, 0.02 + 0.02 * math.abs(ax))
      assert.near(ay, me.vy[1] / dt, 0.02 + 0.02 * math.abs(ay))
    end
  end)

  it("is pushed by walls", function()
    local dt, v = 0.001, 1
    local world <close>, me = scene(dt, v, {}, throng.map { boundary = throng.box(-5, -5, 1.2, 5) })
    world:step()
    local push = (ETA * SPEED + v) ^ 2 / (1.2 - reach(v, 1, 0))
    assert.near((SPEED - v) / TAU - push, (me.vx[1] - v) / dt, 0.1)
  end)

  -- The velocity after a step behind or before somebody `gap` off, between the ellipses, by bisection: the root of the
  -- equation in kernels/planners/pushes.h.
  local function implicit(dt, v, gap, theirs, reaction)
    local growth, low, high = math.exp(dt / TAU) - 1, -20, 20
    for _ = 1, 200 do
      local u = (low + high) / 2
      local approach = v - theirs + (1 + reaction) * u
      local push = (ETA * SPEED + math.max(0, approach)) ^ 2 / math.max(0.01, gap - dt * approach)
      if (1 + growth) * u - growth * (SPEED - v - TAU * push) > 0 then high = u else low = u end
    end
    return v + low
  end

  it("makes a backward Euler step of two bodies, at any dt", function()
    for _, dt in ipairs { 0.02, 0.1, 0.2 } do
      for _, distance in ipairs { 1.6, 2, 2.4 } do
        for _, v in ipairs { 0.4, 1, 1.3 } do
          local gap = distance - reach(v, 1, 0) - reach(0, 1, 0)
          local world <close>, me = scene(dt, v, { { at = { distance, 0 } } })
          world:step()
          assert.near(implicit(dt, v, gap, 0, 0), me.vx[1], 2e-4)
        end
      end
      local gap = 2.2 - 2 * reach(0.8, 1, 0)
      local head_on <close>, one = scene(dt, 0.8, { { at = { 2.2, 0 }, v = -0.8, wants = -SPEED,
        planner = "generalized_centrifugal_force" } })
      head_on:step()
      assert.near(implicit(dt, 0.8, gap, -0.8, 1), one.vx[1], 2e-4)
    end
  end)

  it("comes to rest before who stands, without turning round", function()
    local world <close>, me = scene(0.1, 0, { { at = { 5, 0 } } })
    world.stages.desire:before(function() me.frustration = 0 end)
    for _ = 1, 200 do
      world:step()
      assert.is_true(me.vx[1] > -0.05)
    end
    assert.is_true(me.vx[1] < 0.05)
  end)
end)
