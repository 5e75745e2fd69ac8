-- Avoidance forces: lanes form, nobody trembles, and weights do what they say.
local throng = require "throng"

describe("avoidance forces", function()
  it("bring everybody through a corridor, in lanes", function()
    local world = throng.load("scenarios/corridor.lua", { params = { count = 200 } })
    local middle = throng.box(15, 0, 45, 8)
    local mixed = world:measure { lanes = middle, width = 1, from = 4, till = 5 }
    local sorted = world:measure { lanes = middle, width = 1, from = 25, till = 35 }
    world:run {}
    assert.lanes(mixed, { at_most = 0.1 })
    assert.lanes(sorted, { at_least = 0.3 })
    assert.arrives(world.groups["from the west"], { within = 120 })
    assert.arrives(world.groups["from the east"], { within = 120 })
    assert.no_overlap(world)
  end)

  it("do not make an agent tremble that is shut in", function()
    local world = throng.load "scenarios/shut_in.lua"
    local inside = world.groups.inside
    world:run { seconds = 5 }
    local turned, before = 0, math.atan(inside.hy[1], inside.hx[1])
    for _ = 1, 100 do
      world:step()
      local now = math.atan(inside.hy[1], inside.hx[1])
      turned = turned + math.abs((now - before + math.pi) % (2 * math.pi) - math.pi)
      before = now
    end
    assert.is_true(turned / 10 < 0.5, ("%.2f rad/s"):format(turned / 10))
    assert.is_true(inside.x[1] > 7.45 and inside.x[1] < 8.4) -- and it is still there
    assert.no_overlap(world)
  end)

  -- How near an agent comes to one that stands beside its way.
  local function nearest(avoidance)
    local world = throng.world { dt = 0.1 }
    local post = world:spawn { at = { { 0, 0.6 } }, planner = "none" }
    local walker = world:spawn { at = { { -8, 0 } }, planner = throng.forces { avoidance = avoidance, width = 3 } }
    walker:go_to { { 8, 0 } }
    local least = math.huge
    for _ = 1, 150 do
      world:step()
      least = math.min(least, math.sqrt((walker.x[1] - post.x[1]) ^ 2 + (walker.y[1] - post.y[1]) ^ 2))
    end
    return least
  end

  it("keep the farther away the more they weigh, and draw near when they are negative", function()
    local drawn, straight, keeps = nearest(-0.5), nearest(0), nearest(1)
    assert.is_true(drawn < straight - 0.03 and straight < keeps - 0.1,
      ("%.2f %.2f %.2f"):format(drawn, straight, keeps))
  end)

  it("keep a comfortable distance from a wall", function()
    local function height(weight)
      local world = throng.world { map = throng.map { name = "hall", boundary = throng.box(0, 0, 30, 10) }, dt = 0.1 }
      local walker =
        world:spawn { at = { { 2, 0.3 } }, planner = throng.forces { walls = weight, comfort = 0.8, wall_horizon = 2 } }
      walker:go_to { { 28, 0.3 } }
      world:run { seconds = 10 }
      return walker.y[1]
    end
    assert.is_true(height(1) > height(0) + 0.2)
  end)

  it("say what their parameters may be", function()
    assert.error_matches(function() throng.forces { length = 0 } end, "length")
    assert.error_matches(function() throng.forces { max_turn = -1 } end, "max_turn")
    assert.error_matches(function() throng.forces { lenght = 2 } end, "did you mean 'length'")
  end)
end)
