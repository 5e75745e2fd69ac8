-- The collision-free speed model (Tordeux, Chraibi and Seyfried, 2016): one step of it against its equations, worked
-- out here in double precision.
local throng = require "throng"

local RADIUS, SPEED = 0.2, 1.2 -- m, m/s
local T, A, D, WALL_A, WALL_D = 1, 8, 0.1, 5, 0.02 -- s, 1, m, 1, m

local function unit(x, y)
  local length = math.sqrt(x * x + y * y)
  return x / length, y / length
end

-- The velocity of who stands at (0, 0), wants (wx, wy) and sees others at `others` and wall points at `points`. Others
-- farther than they are in the strip ahead do not count for the gap, all repel.
local function expected(wx, wy, others, points)
  local ex, ey = unit(wx, wy)
  local function repel(x, y, reach, strength, range)
    local distance = math.sqrt(x * x + y * y)
    local push = strength * math.exp((reach - distance) / range)
    ex, ey = ex - push * x / distance, ey - push * y / distance
  end
  local e0x, e0y = ex, ey
  for _, point in ipairs(points or {}) do
    repel(point[1], point[2], RADIUS, WALL_A, WALL_D)
  end
  local walls_x, walls_y = unit(ex, ey)
  for _, other in ipairs(others) do
    repel(other[1], other[2], 2 * RADIUS, A, D)
  end
  ex, ey = unit(ex, ey)
  local function gap(dx, dy)
    local least = math.huge
    for _, other in ipairs(others) do
      local along, aside = dx * other[1] + dy * other[2], math.abs(dx * other[2] - dy * other[1])
      if along >= 0 and aside <= 2 * RADIUS then
        least = math.min(least, math.sqrt(other[1] ^ 2 + other[2] ^ 2) - 2 * RADIUS)
      end
    end
    return least
  end
  local speed = math.min(math.sqrt(wx * wx + wy * wy), math.max(0, gap(ex, ey) / T))
  return ex * speed, ey * speed, { e0x = e0x, e0y = e0y, x = walls_x, y = walls_y, gap = gap }
end

-- That velocity as it is after a step of `dt`, with `map` around and `planner`.
local function stepped(wx, wy, others, settings)
  settings = settings or {}
  local world <close> = throng.world { threads = 1, dt = settings.dt or 0.05, map = settings.map }
  local planner = throng.collision_free_speed(settings.planner)
  local me = world:spawn { at = { { 0, 0 } }, radius = RADIUS, planner = planner, time_gap = 5 }
  if #others > 0 then world:spawn { at = others, radius = RADIUS, planner = "none" } end
  me.desired = { wx, wy }
  for _ = 1, settings.steps or 1 do
    world:step()
  end
  return me.vx[1], me.vy[1]
end

local function check(wx, wy, others, settings, points)
  local x, y = expected(wx, wy, others, points)
  local vx, vy = stepped(wx, wy, others, settings)
  assert.near(x, vx, 2e-5)
  assert.near(y, vy, 2e-5)
end

describe("the collision-free speed model", function()
  it("walks at the gap to who stands ahead over the time gap", function()
    for _, gap in ipairs { 0.3, 0.5, 0.8, 1.1 } do
      local vx = stepped(SPEED, 0, { { 2 * RADIUS + gap, 0 } })
      assert.near(gap / T, vx, 1e-5)
      vx = stepped(SPEED, 0, { { 2 * RADIUS + gap, 0 } }, { planner = { time_gap = 2.5 } })
      assert.near(gap / 2.5, vx, 1e-5)
    end
    assert.near(SPEED, (stepped(SPEED, 0, { { 2 * RADIUS + 1.5, 0 } })), 1e-5)
  end)

  it("turns where neighbours repel it to, and looks for the gap there", function()
    check(SPEED, 0, { { 0.6, 0.2 }, { -0.3, 0.4 }, { 0.7, -0.6 } })
    check(0.6, 0.7, { { 0.7, 0.1 }, { 0.2, 0.8 } })
    check(-SPEED, 0.1, { { -0.55, -0.3 }, { -1.4, 0.3 }, { 0.45, 0 } })
  end)

  it("heeds those beside it and behind it only as they repel", function()
    check(SPEED, 0, { { 0, 0.5 }, { 0, -0.5 }, { -0.5, 0 } })
    assert.near(SPEED, (stepped(SPEED, 0, { { 0, 0.5 }, { 0, -0.5 } })), 1e-5)
    assert.near(SPEED, (stepped(SPEED, 0, { { 0.5, 0.5 }, { 0.5, -0.5 } })), 1e-5)
  end)

  it("is repelled by walls, by a corner once", function()
    local map = throng.map { boundary = throng.box(-5, -0.23, 5, 5) }
    check(SPEED, -SPEED, {}, { map = map }, { { 0, -0.23 } })
    map = throng.map { boundary = throng.box(-5, -5, 5, 5), walls = { throng.box(0.15, 0.15, 1, 1) } }
    check(SPEED, SPEED / 2, {}, { map = map }, { { 0.15, 0.15 } })
  end)

  it("does not see who is behind a wall", function()
    local map = throng.map { boundary = throng.box(-5, -5, 5, 5), walls = { throng.box(0.5, -2, 0.6, 2) } }
    local vx = stepped(SPEED, 0, { { 0.9, 0 } }, { map = map })
    assert.near(SPEED, vx, 1e-5)
    vx = stepped(SPEED, 0, { { 0.9, 0 } })
    assert.near(0.5, vx, 1e-5)
  end)

  it("comes to a standstill behind who stands, and stays", function()
    local world <close> = throng.world { threads = 1, dt = 0.05 }
    local me = world:spawn { at = { { 0, 0 } }, radius = RADIUS, speed = SPEED,
      planner = throng.collision_free_speed { strength = 0 } }
    world:spawn { at = { { 3, 0 } }, radius = RADIUS, planner = "none" }
    me.desired = { SPEED, 0 }
    world.stages.desire:before(function() me.frustration = 0 end)
    world:run { seconds = 8, until_done = false }
    -- from a gap of SPEED * T on, gap(t) = SPEED T (1 - dt / T)^n
    assert.near(3 - 2 * RADIUS - 1e-3, me.x[1], 2e-3)
    assert.is_true(me.vx[1] >= 0 and me.vx[1] < 2e-3)
  end)

  -- Variant 3.
  local AHEAD, ASIDE, MOST, RELAX, SIDE, BLEND = 2, 0.8, 1.57, 0.3, 0.05, 0.15

  local function turned(wx, wy, others, steps, dt)
    local _, _, with = expected(wx, wy, others)
    local heaviest, influence, turn = 0, 0, 0
    for _, other in ipairs(others) do
      local x, y = with.x * other[1] + with.y * other[2], with.x * other[2] - with.y * other[1]
      local weight = math.exp(-x / AHEAD) * math.exp(-math.abs(y) / ASIDE)
      if x > 0 and weight > heaviest then heaviest, influence = weight, -weight * y / (math.abs(y) + SIDE) end
    end
    for _ = 1, steps do
      local e = math.exp(2 * influence)
      turn = turn + dt / RELAX * (MOST * (e - 1) / (e + 1) - turn)
    end
    local ex = with.x * math.cos(turn) - with.y * math.sin(turn)
    local ey = with.x * math.sin(turn) + with.y * math.cos(turn)
    local gap = math.min(1e9, with.gap(ex, ey)) * (1 - BLEND) + math.min(1e9, with.gap(with.e0x, with.e0y)) * BLEND
    local speed = math.min(SPEED, math.max(-0.01, gap / T))
    return ex * speed, ey * speed
  end

  it("of version 3 turns past the neighbour ahead that weighs most", function()
    for _, others in ipairs { { { 1, 0.1 } }, { { 0.8, -0.3 }, { 1.2, 0.1 } }, { { 0.6, 0.1 }, { -0.6, 0 } } } do
      local x, y = turned(SPEED, 0, others, 1, 0.05)
      local vx, vy = stepped(SPEED, 0, others, { planner = { variant = 3 } })
      assert.near(x, vx, 2e-5)
      assert.near(y, vy, 2e-5)
    end
  end)

  it("of version 3 looks a little where it wants to go, too", function()
    local others = { { 1, 0.35 }, { 1.3, -0.3 } } -- ahead of what it wants, ahead of where it turns
    local x, y = turned(SPEED, 0, others, 1, 0.1)
    local vx, vy = stepped(SPEED, 0, others, { planner = { variant = 3 }, dt = 0.1 })
    assert.near(x, vx, 2e-5)
    assert.near(y, vy, 2e-5)
  end)

  it("of version 3 approaches its turn in 0.3 s, and forgets it", function()
    local world <close> = throng.world { threads = 1, dt = 0.03 }
    local planner = throng.collision_free_speed { variant = 3 }
    local me = world:spawn { at = { { 0, 0 } }, radius = RADIUS, speed = 1e-4, planner = planner }
    local other = world:spawn { at = { { 0.8, 0.2 } }, radius = RADIUS, planner = "none" }
    me.desired = { 1e-4, 0 } -- hardly moves
    for steps = 1, 20 do
      world:step()
      local x, y = turned(1, 0, { { 0.8, 0.2 } }, steps, 0.03)
      assert.near(math.atan(y, x), math.atan(me.vy[1], me.vx[1]), 1e-3)
    end
    local before = math.atan(me.vy[1], me.vx[1])
    other:remove()
    world:step()
    assert.near(0.9 * before, math.atan(me.vy[1], me.vx[1]), 1e-3)
  end)

  it("says which variants there are", function()
    assert.error_matches(function() throng.collision_free_speed { variant = 1 } end,
      "throng.collision_free_speed: field 'variant' must be a whole number from 2 to 3, got 1")
    assert.error_matches(function() throng.collision_free_speed { time_gap = 0 } end,
      "throng.collision_free_speed: field 'time_gap' must be a number > 0 and <= 100 s, got 0")
  end)
end)
