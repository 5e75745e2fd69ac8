-- The anticipation velocity model (Xu, Chraibi and Seyfried, 2021): steps of it against its equations, worked out here
-- in double precision.
local throng = require "throng"

local RADIUS, SPEED = 0.2, 1.2 -- m, m/s
local T, K, D, AHEAD, REACTION, MARGIN = 1.06, 8, 0.1, 1, 0.3, 0.02 -- s, 1, m, s, s, m
local BUFFER, OUT = 0.1, 0.3 -- m, 1

local function unit(x, y)
  local length = math.sqrt(x * x + y * y)
  return x / length, y / length
end

-- The velocity after a step of `dt` of who stands at (0, 0) with velocity (vx, vy), last went in direction (ex, ey) and
-- wants to go along (wx, wy); others have `at`, and `v` along x. Returns the direction, too.
local function expected(dt, wx, wy, vx, vy, ex, ey, others)
  local sx, sy = wx, wy
  for _, other in ipairs(others) do
    local x, y, ox = other.at[1], other.at[2], other.v or 0
    local distance = math.sqrt(x * x + y * y)
    local nx, ny = x / distance, y / distance
    if wx * nx + wy * ny >= 0 or ex * nx + ey * ny >= 0 then
      local gap = math.max(0, distance - 2 * RADIUS - AHEAD * ((vx - ox) * nx + vy * ny))
      local heading = ox < 0 and -1 or 1 -- of who never walked: along x
      local push = K * (1 + 0.5 * (1 - wx * heading)) * math.exp(-gap / D)
      if wx * y - wy * (x + ox * AHEAD) > -1e-6 then push = -push end
      sx, sy = sx - push * wy, sy + push * wx
    end
  end
  sx, sy = unit(sx, sy)
  if (wx * sx + wy * sy) * (wx * ex + wy * ey) >= 0 then
    sx, sy = unit(ex + dt / REACTION * (sx - ex), ey + dt / REACTION * (sy - ey))
  end
  local least = math.huge
  for _, other in ipairs(others) do
    local x, y = other.at[1], other.at[2]
    if sx * x + sy * y >= 0 and math.abs(sx * y - sy * x) <= 2 * RADIUS + MARGIN then
      least = math.min(least, math.sqrt(x * x + y * y) - 2 * RADIUS - MARGIN)
    end
  end
  local speed = math.min(SPEED, math.max(0, least / T))
  return sx * speed, sy * speed, sx, sy
end

-- The others have walked for a step, so that they have headings.
local function scene(dt, others, settings)
  settings = settings or {}
  local world = throng.world { threads = 1, dt = dt, map = settings.map }
  for _, other in ipairs(others) do
    local v = other.v or 0
    local at = { other.at[1] - v * dt, other.at[2] }
    world:spawn({ at = { at }, radius = RADIUS, planner = "none" }).desired = { v, 0 }
  end
  world:step()
  local planner = throng.anticipation(settings.planner)
  local me = world:spawn { at = { { 0, 0 } }, radius = RADIUS, speed = SPEED, planner = planner, time_gap = 5 }
  me.desired = { SPEED, 0 }
  return world, me
end

describe("the anticipation velocity model", function()
  it("walks at the gap to who stands ahead over the time gap", function()
    for _, gap in ipairs { 0.6, 0.8, 1.1 } do
      local world <close>, me = scene(0.05, { { at = { 2 * RADIUS + MARGIN + gap, 0 } } })
      world:step()
      local speed = math.sqrt(me.vx[1] ^ 2 + me.vy[1] ^ 2)
      assert.near(gap / T, speed, 1e-4)
    end
  end)

  it("turns away from where others will be", function()
    local cases = {
      { { at = { 0.8, 0.1 } } },
      { { at = { 0.9, -0.2 } }, { at = { 0.5, 0.6 } }, { at = { -0.5, 0.2 } } },
      { { at = { 2, 0.2 }, v = 0.5 }, { at = { 0.2, -0.6 } } },
    }
    for _, others in ipairs(cases) do
      local world <close>, me = scene(0.05, others)
      world:step()
      local x, y = expected(0.05, 1, 0, 0, 0, 0, 0, others)
      assert.near(x, me.vx[1], 5e-5)
      assert.near(y, me.vy[1], 5e-5)
    end
  end)

  it("counts what comes the other way more, and sooner", function()
    local function turn(v)
      local world <close>, me = scene(0.05, { { at = { 1.6, 0.1 }, v = v } })
      world:step()
      return math.atan(me.vy[1], me.vx[1])
    end
    local x, y = expected(0.05, 1, 0, 0, 0, 0, 0, { { at = { 1.6, 0.1 }, v = -1 } })
    assert.near(math.atan(y, x), turn(-1), 1e-4)
    assert.is_true(turn(-1) < turn(0) - 0.1 and turn(0) <= 0, ("%g, %g"):format(turn(-1), turn(0)))
  end)

  it("comes to its direction within the reaction time", function()
    local world <close>, me = scene(0.03, {})
    world:step()
    me.desired = { 0.8 * SPEED, 0.6 * SPEED }
    local ex, ey = 1, 0
    for _ = 1, 15 do
      world:step()
      local x, y
      x, y, ex, ey = expected(0.03, 0.8, 0.6, 0, 0, ex, ey, {})
      assert.near(x, me.vx[1], 1e-4)
      assert.near(y, me.vy[1], 1e-4)
    end
    me.desired = { -SPEED, 0 } -- the other way: at once
    world:step()
    assert.near(-SPEED, me.vx[1], 1e-4)
  end)

  it("passes who is straight ahead on the right", function()
    local world <close>, me = scene(0.05, { { at = { 0.8, 0 } } })
    world:step()
    assert.is_true(me.vy[1] < -0.02)
  end)

  it("goes along walls that are nearer than the buffer, and out from them", function()
    local map = throng.map { boundary = throng.box(-5, -RADIUS - 0.5 * BUFFER, 5, 5) }
    local world <close>, me = scene(0.05, {}, { map = map })
    me.desired = { SPEED * 0.8, -SPEED * 0.6 }
    world:step()
    local x, y = unit(0.8, OUT)
    assert.near(SPEED * x, me.vx[1], 1e-4)
    assert.near(SPEED * y, me.vy[1], 1e-4)
    map = throng.map { boundary = throng.box(-5, -RADIUS - 1.1 * BUFFER, 5, 5) }
    local far <close>, other = scene(0.05, {}, { map = map })
    other.desired = { SPEED * 0.8, -SPEED * 0.6 }
    far:step()
    assert.near(-SPEED * 0.6, other.vy[1], 1e-4)
  end)
end)
