-- A real building of three storeys (scenarios/willow.lua): everybody leaves it, from the top down.
local throng = require "throng"

describe("the office building of three storeys", function()
  it("is left by everybody, from the top down, by stairs, escalator and lift", function()
    local world <close> = throng.load("scenarios/willow.lua", { params = { staff = 40, guests = 30 } })
    local parts = {}
    for _, floor in ipairs(world.map.floors) do parts[floor.kind] = (parts[floor.kind] or 0) + 1 end
    assert.same({ floor = 3, landing = 4, stairs = 8, escalator = 1, lift = 1 }, parts)
    -- all of a floor that is one piece on the plan is reached from every other
    for _, floor in ipairs { "first", "second" } do
      local path = world.map:path({ 10, 36, floor = floor }, { 46.7, 44.6 }, 0.25)
      assert.is_truthy(path, floor)
      assert.is_true(path[1].z > path[#path].z)
    end
    local measures = {}
    for _, part in ipairs { "south stairs 1", "south stairs 2", "hall stairs 1", "hall stairs 2", "escalator" } do
      measures[part] = world:measure { count = part }
    end
    local most = 0
    while world:stats().arrived < 150 and world.time < 600 do
      world:run { seconds = 1 }
      most = math.max(most, world.lifts.lift.riders)
    end
    assert.equal(150, world:stats().arrived)
    assert.is_true(most > 0)
    for part, measure in pairs(measures) do assert.is_true(measure.most > 0, part .. " is used by nobody") end
    -- the top floor is empty first
    local empty = {}
    for _, name in ipairs { "ground", "first", "second" } do
      local times, values = world.measures["on the " .. name .. " floor"]:series()
      for i, value in ipairs(values) do empty[name] = value > 0 and times[i] or empty[name] end
    end
    assert.is_true(empty.second < empty.first, empty.second)
    assert.is_true(empty.first < empty.ground, empty.first)
    assert.is_true(empty.ground < 240)
  end)
end)
