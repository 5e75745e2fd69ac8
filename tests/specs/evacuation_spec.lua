-- The first thing users run: it must come to an end, with nobody left behind.
local throng = require "throng"

describe("the evacuation", function()
  it("is over within five minutes, and nobody is crushed", function()
    local world = throng.load "scenarios/evacuation.lua"
    assert.equal(500, #world.agents)
    world:run { seconds = 300, until_done = true }
    assert.arrives(world.groups.staff, { within = 300 })
    assert.arrives(world.groups.guests, { within = 300 })
    assert.no_overlap(world)
  end)

  it("starts with everybody in free space, apart from each other", function()
    local map = throng.map "maps/willow.yaml"
    local world = throng.load "scenarios/evacuation.lua"
    local x, y, radius = world.agents.x:list(), world.agents.y:list(), world.agents.radius:list()
    for i = 1, #x do
      assert.is_true(map:fits({ x[i], y[i] }, radius[i]))
      for k = i + 1, #x do
        local dx, dy, least = x[i] - x[k], y[i] - y[k], radius[i] + radius[k]
        assert.is_true(dx * dx + dy * dy >= least * least)
      end
    end
  end)

  it("is another one with another seed", function()
    local first = throng.load("scenarios/evacuation.lua", { seed = 1 })
    local second = throng.load("scenarios/evacuation.lua", { seed = 2 })
    assert.not_equal(first:hash(), second:hash())
  end)
end)
