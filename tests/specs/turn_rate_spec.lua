-- group.turn_rate: nobody turns faster, whatever the planner.
local throng = require "throng"
local planners = dofile "tests/specs/planners.lua"

-- The way that somebody walks, or faces if it stands.
local function way(one)
  local vx, vy = one.vx[1], one.vy[1]
  local speed = math.sqrt(vx * vx + vy * vy)
  if speed > 0.05 then return vx / speed, vy / speed end
  return one.hx[1], one.hy[1]
end

-- The fastest turn, rad/s, of who walks east and is sent back, and where they are 12 s later.
local function turn_back(planner, settings)
  local world <close> = throng.world { people = settings.people, seed = 1, threads = 1 }
  local one = world:spawn { at = { { 0, 0 } }, planner = planner, turn_rate = settings.turn_rate }
  one:go_to { 50, 0 }
  world:run { seconds = 3 }
  one:go_to({ -50, 0.5 }, { straight = true })
  local fastest, hx, hy = 0, way(one)
  assert.is_true(hx > 0.9, planner)
  for _ = 1, 120 do
    world:step()
    local x, y = way(one)
    fastest = math.max(fastest, math.abs(math.atan(hx * y - hy * x, hx * x + hy * y)) / world.dt)
    hx, hy = x, y
  end
  return fastest, one.x[1]
end

describe("turn_rate", function()
  for _, planner in ipairs(planners) do
    it("bounds how fast " .. planner .. " turns, who gets round all the same", function()
      for _, people in ipairs { true, false } do
        local fastest, x = turn_back(planner, { people = people, turn_rate = 1 })
        assert.is_true(fastest <= 1.001, ("%s turned at %g rad/s"):format(planner, fastest))
        assert.is_true(x < 0, ("%s came to x = %g"):format(planner, x))
      end
    end)
  end

  it("lets who stands with its back to where it wants to go turn round, under every planner", function()
    for _, people in ipairs { true, false } do
      for _, rate in ipairs { 1, 1e6 } do
        local world <close> = throng.world { people = people, seed = 1 }
        local all = {}
        for i, planner in ipairs(planners) do
          all[i] = world:spawn { at = { { 0, 20 * i } }, planner = planner, turn_rate = rate, name = planner }
          all[i]:go_to { -50, 20 * i }
        end
        world:run { seconds = 8 }
        for i, planner in ipairs(planners) do
          assert.is_true(all[i].x[1] < -2, ("%s came to x = %g"):format(planner, all[i].x[1]))
        end
      end
    end
  end)

  it("bounds nobody without", function()
    assert.is_true(turn_back("orca", { people = false }) > 10)
    assert.is_true(turn_back("none", { people = false, turn_rate = 100 }) > 10)
  end)

  it("is a number above 0, which a behaviour function may give", function()
    local world <close> = throng.world {}
    local one = world:spawn { at = { { 0, 0 } } }
    assert.has_error(function() one.turn_rate = 0 end)
    one.turn_rate = function(_, a) return a.speed end
    world:step()
    assert.near(1.34, one.turn_rate[1], 1e-6)
  end)
end)
