-- The parade of scenarios/sway.lua goes where its behaviour function says.
local throng = require "throng"

describe("a swaying parade", function()
  it("follows the sum of its velocities while nobody is in the way", function()
    local world = throng.load("scenarios/sway.lua", { params = { strollers = 1 } })
    local parade = world.groups.parade
    world:run { steps = 30 } -- who stands still is in the way when all start
    local x, y = parade.x, parade.y
    world:run { steps = 120 }
    local dx, dy = 0, 0
    for step = 30, 149 do
      dx, dy = dx + 0.1, dy + 0.1 * math.sin(0.6 * 0.1 * step)
    end
    for i = 1, #parade do
      assert.near(dx, parade.x[i] - x[i], 1e-3)
      assert.near(dy, parade.y[i] - y[i], 1e-3)
    end
  end)

  it("lets the strollers through, slower where it is near", function()
    local world = throng.load "scenarios/sway.lua"
    local strollers, slowest = world.groups.strollers, {}
    world:on_step(function()
      for i, speed in ipairs(strollers.speed) do
        local id = strollers.id[i]
        slowest[id] = math.min(slowest[id] or speed, speed)
      end
    end)
    world:run { seconds = 110 }
    assert.arrives(strollers, { within = 110 })
    assert.no_overlap(world)
    local slowed, count = 0, 0
    for _, speed in pairs(slowest) do
      count = count + 1
      if speed == 0.5 then slowed = slowed + 1 end
    end
    assert.equal(24, count)
    assert.is_true(slowed > 5 and slowed < 24)
  end)
end)
