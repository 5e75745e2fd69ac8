-- Crowds slow down as they grow dense, whatever planner they have.
local throng = require "throng"

-- m/s: Weidmann (1993), and open corridors (Zhang and others, 2011; the binned medians).
local MEASURED = {
  { density = 0.5, weidmann = 1.30, open = 1.46 },
  { density = 1.0, weidmann = 1.06, open = 1.33 },
  { density = 1.5, weidmann = 0.81, open = 1.15 },
  { density = 2.0, weidmann = 0.61, open = 0.80 },
}

-- Mean speed along the corridor in the last ten seconds of thirty, m/s.
local function mean_speed(params)
  local world <close> = throng.load("scenarios/speed_density.lua", { params = params })
  local people, sum, steps = world.groups.people, 0, 0
  world:run { seconds = 20 }
  for _ = 1, 10 do
    world:run { seconds = 1 }
    for _, vx in ipairs(people.vx) do
      sum = sum + vx
    end
    steps = steps + 1
  end
  assert.no_overlap(world)
  return sum / (steps * #people)
end

describe("the speed of a crowd", function()
  for _, planner in ipairs { "orca", "clearpath", "rvo" } do
    for _, people in ipairs(MEASURED) do
      it(("is as measured at %g persons/m^2, by %s"):format(people.density, planner), function()
        local speed = mean_speed { planner = planner, density = people.density }
        assert.is_true(speed >= 0.9 * people.weidmann and speed <= 1.1 * people.open, ("%.2f m/s"):format(speed))
      end)
    end
  end

  it("does not fall without a time gap", function()
    assert.near(1.34, mean_speed { planner = "orca", density = 2.0, time_gap = 0.0 }, 0.1)
  end)

  it("does not fall where people ahead come the other way", function()
    local world <close> = throng.world {}
    local one = world:spawn { at = { { 0, 0 } }, time_gap = 0.6, planner = "none" }
    local other = world:spawn { at = { { 1.5, 0.1 } }, time_gap = 0.6, planner = "none" }
    one.desired = function(_, a) return a.speed, 0 end
    other.desired = function(_, a) return -a.speed, 0 end
    world:step()
    assert.near(1.34, one.vx[1], 1e-6)
  end)

  it("follows the gap to whom one walks behind", function()
    local world <close> = throng.world {}
    local back = world:spawn { at = { { 0, 0 } }, time_gap = 1, planner = "none" }
    local front = world:spawn { at = { { 1.2, 0 } }, speed = 0.1, planner = "none" }
    back.desired = function(_, a) return a.speed, 0 end
    front.desired = function(_, a) return a.speed, 0 end
    world:step()
    assert.near(0.7, back.vx[1], 1e-5) -- 1.2 m less two radii, in 1 s; nobody moved before
    world:step()
    assert.near(0.7 - 0.06 + 0.3 * 0.1, back.vx[1], 1e-5)
  end)
end)
