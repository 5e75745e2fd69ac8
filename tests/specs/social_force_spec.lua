-- The social force model (Helbing, Farkas and Vicsek, 2000) against its equations: free acceleration, one step of two
-- bodies, what steps come to as they grow short, and what holds in the end.
local throng = require "throng"

local RADIUS, MASS, TAU, FORCE, RANGE = 0.25, 80, 0.5, 2000, 0.08 -- m, kg, s, N, m
local SPEED = 1.3 -- m/s

-- A world with one who wants (SPEED, 0) from (0, 0), moving with `vx`, and others who stand or walk as `others` say.
local function scene(dt, vx, others, settings)
  local world = throng.world { threads = 1, dt = dt, map = settings and settings.map }
  local me = world:spawn { at = { { 0, 0 } }, radius = RADIUS, speed = SPEED, planner = "social_force" }
  me.desired, me.vx = { SPEED, 0 }, vx
  local groups = {}
  for i, other in ipairs(others or {}) do
    groups[i] = world:spawn { at = { other.at }, radius = RADIUS, mass = other.mass, speed = 2,
      planner = other.planner or "none" }
    groups[i].vx, groups[i].desired = other.vx or 0, { other.wants or 0, 0 }
  end
  world.stages.desire:before(function() me.frustration = 0 end)
  return world, me, groups
end

-- The velocity after a step of who moves with v along x, `gap` behind somebody who moves with theirs and reacts with
-- `reaction` times its own change: the root of the equation in kernels/planners/social_force.h, by bisection.
local function implicit(dt, v, gap, theirs, reaction)
  local growth = math.exp(dt / TAU) - 1
  local low, high = -50, 50
  for _ = 1, 200 do
    local u = (low + high) / 2
    local push = FORCE * math.exp(-(gap - dt * (v - theirs) - dt * (1 + reaction) * u) / RANGE)
    local value = (1 + growth) * u - growth * (SPEED - v - TAU / MASS * push)
    if value > 0 then high = u else low = u end
  end
  return v + low
end

describe("the social force model", function()
  it("accelerates as v0 (1 - exp(-t / tau)), at any dt", function()
    for _, dt in ipairs { 0.01, 0.1, 0.25 } do
      local world <close>, me = scene(dt, 0)
      for step = 1, 8 do
        world:step()
        assert.near(SPEED * (1 - math.exp(-step * dt / TAU)), me.vx[1], 1e-5)
      end
    end
  end)

  it("pushes with A exp((r - d) / B): short steps", function()
    for _, gap in ipairs { 0.05, 0.1, 0.2, 0.4 } do
      local dt = 0.001
      local world <close>, me = scene(dt, 0, { { at = { 2 * RADIUS + gap, 0 } } })
      world:step()
      local acceleration = SPEED / TAU - FORCE / MASS * math.exp(-gap / RANGE)
      assert.near(acceleration, me.vx[1] / dt, 0.005 * math.abs(acceleration) + 0.01)
    end
  end)

  it("pushes sideways, too, and by all who are near", function()
    local dt = 0.001
    local others = { { at = { 0.4, 0.5 } }, { at = { -0.3, 0.5 } }, { at = { 0.1, -0.6 } } }
    local world <close>, me = scene(dt, 0, others)
    world:step()
    local ax, ay = SPEED / TAU, 0
    for _, other in ipairs(others) do
      local x, y = other.at[1], other.at[2]
      local distance = math.sqrt(x * x + y * y)
      local push = FORCE / MASS * math.exp((2 * RADIUS - distance) / RANGE)
      ax, ay = ax - push * x / distance, ay - push * y / distance
    end
    assert.near(ax, me.vx[1] / dt, 0.05)
    assert.near(ay, me.vy[1] / dt, 0.05)
  end)

  it("makes a backward Euler step of two bodies, at any dt", function()
    for _, dt in ipairs { 0.02, 0.1, 0.2 } do
      for _, gap in ipairs { 0.05, 0.1, 0.3 } do
        for _, v in ipairs { 0, 0.7, 1.3 } do
          local world <close>, me = scene(dt, v, { { at = { 2 * RADIUS + gap, 0 } } }) -- who does not give way
          world:step()
          assert.near(implicit(dt, v, gap, 0, 0), me.vx[1], 1e-4)
          local head_on <close>, one, others = scene(dt, v, { { at = { 2 * RADIUS + gap, 0 }, vx = -v, wants = -SPEED,
            planner = "social_force" } })
          head_on:step()
          assert.near(implicit(dt, v, gap, -v, 1), one.vx[1], 1e-4)
          assert.near(-one.vx[1], others[1].vx[1], 1e-6)
        end
      end
    end
  end)

  it("keeps the momentum of two who push each other", function()
    local heavy = 120
    local world <close>, me, others = scene(0.1, 0.5, { { at = { 0.62, 0 }, mass = heavy, vx = -0.4,
      planner = throng.social_force { relaxation = 100 } } })
    me.planner = throng.social_force { relaxation = 100 }
    me.desired, others[1].desired = { 0.5, 0 }, { -0.4, 0 }
    world:step()
    assert.near(MASS * 0.5 - heavy * 0.4, MASS * me.vx[1] + heavy * others[1].vx[1], 0.05)
    assert.is_true(me.vx[1] < 0.45)
  end)

  it("stands B ln(A tau / (m v0)) before who stands", function()
    for _, dt in ipairs { 0.02, 0.1 } do
      local world <close>, me = scene(dt, 0, { { at = { 3, 0 } } })
      world:run { seconds = 12, until_done = false }
      local gap = RANGE * math.log(FORCE * TAU / (MASS * SPEED))
      assert.near(gap, 3 - me.x[1] - 2 * RADIUS, 1e-3)
      assert.near(0, me.vx[1], 1e-3)
    end
  end)

  it("stands as far before a wall, by its own parameters", function()
    local map = throng.map { boundary = throng.box(-2, -2, 3, 2) }
    local world <close>, me = scene(0.1, 0, {}, { map = map })
    me.planner = throng.social_force { wall_force = 500, range = 0.2 }
    world:run { seconds = 12, until_done = false }
    assert.near(0.2 * math.log(500 * TAU / (MASS * SPEED)), 3 - me.x[1] - RADIUS, 1e-3)
  end)

  it("is stable in a pile, at any dt, and ends at rest", function()
    for _, dt in ipairs { 0.02, 0.1, 0.3 } do
      local map = throng.map { boundary = throng.box(0, 0, 5, 5) }
      local world <close> = throng.world { threads = 1, dt = dt, map = map }
      local crowd = world:spawn { count = 60, where = throng.box(0, 0, 5, 5), radius = 0.25, planner = "social_force" }
      crowd.desired = { 0, 0 }
      world:run { seconds = 30, until_done = false }
      for i = 1, #crowd do
        assert.is_true(math.abs(crowd.vx[i]) + math.abs(crowd.vy[i]) < 0.02)
      end
      assert.no_overlap(world)
    end
  end)
end)
