-- Headings: where people look is not always where they go (kernels/planners/facing.h).
local throng = require "throng"

-- Degrees from one vector to another.
local function between(ax, ay, bx, by) return math.deg(math.abs(math.atan(ax * by - ay * bx, ax * bx + ay * by))) end

-- Of all who stand though they want to go, the part that looks more than 45 degrees past where; and the fastest turn of
-- anybody, degrees a second; of `steps` steps, from step `from` on.
local function watch(world, from, steps)
  world:run { steps = from, until_done = false }
  local stand, astray, fastest, looked = 0, 0, 0, {}
  for _ = 1, steps do
    world:step()
    local all, now = world.agents, {}
    local id, hx, hy, vx, vy = all.id:list(), all.hx:list(), all.hy:list(), all.vx:list(), all.vy:list()
    local wx, wy = all.desired_vx:list(), all.desired_vy:list()
    for i = 1, #id do
      local before = looked[id[i]]
      fastest = before and math.max(fastest, between(before[1], before[2], hx[i], hy[i]) / world.dt) or fastest
      now[id[i]] = { hx[i], hy[i] }
      if wx[i] ^ 2 + wy[i] ^ 2 > 0.1 ^ 2 and vx[i] ^ 2 + vy[i] ^ 2 < 0.2 ^ 2 then
        stand = stand + 1
        astray = astray + (between(hx[i], hy[i], wx[i], wy[i]) > 45 and 1 or 0)
      end
    end
    looked = now
  end
  return astray / stand, fastest, stand
end

describe("facing", function()
  for _, scenario in ipairs { "door", "evacuation" } do
    it("has who waits in scenarios/" .. scenario .. ".lua look where it wants to go, and turn as people do", function()
      local world <close> = throng.load("scenarios/" .. scenario .. ".lua", { seed = 1 })
      local astray, fastest, stand = watch(world, 200, 100)
      assert.is_true(stand > 1000, ("%d stood"):format(stand))
      assert.is_true(astray < 0.02, ("%g looked elsewhere"):format(astray))
      assert.is_true(fastest < 200, ("somebody turned at %g degrees/s"):format(fastest))
    end)
  end

  it("takes a second to look back, at any dt", function()
    for _, dt in ipairs { 0.02, 0.05, 0.1, 0.2 } do
      local world <close> = throng.world { dt = dt, seed = 1, people = false }
      local one = world:spawn { at = { { 0, 0 } } }
      one:go_to { 50, 0 }
      world:run { seconds = 1 }
      one:go_to({ -50, 0.5 }, { straight = true })
      local seconds = 0
      repeat
        world:step()
        seconds = seconds + dt
      until one.hx[1] < -0.9 or seconds > 3
      assert.is_true(seconds > 0.8 and seconds < 1.4, ("%g s at dt = %g"):format(seconds, dt))
    end
  end)

  it("leaves those without a planner to look where they are told to go", function()
    local world <close> = throng.world { seed = 1 }
    local one = world:spawn { at = { { 0, 0 } }, planner = "none" }
    one.desired = function() return -1, 0 end
    world:step()
    assert.near(-1, one.hx[1], 1e-6)
  end)
end)
