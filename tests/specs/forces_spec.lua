-- Avoidance forces: lanes form, nobody trembles, and weights do what they say.
local throng = require "throng"
local needs = dofile "tests/specs/needs.lua"

describe("avoidance forces", function()
  it("bring everybody through a corridor, in lanes", function()
    local world = throng.load("scenarios/corridor.lua", { params = { count = 200 } })
    local middle = throng.box(15, 0, 45, 8)
    local mixed = world:measure { lanes = middle, width = 1, from = 6, till = 9 }
    local sorted = world:measure { lanes = middle, width = 1, from = 25, till = 35 }
    world:run {}
    assert.lanes(mixed, { at_most = 0.15 })
    assert.lanes(sorted, { at_least = 0.5 })
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

  -- How far an agent on its way along `y` has been pushed aside by bodies at `places`, a second after it started.
  local function aside(places, y, wrap)
    local world = throng.world { dt = 0.1, wrap = wrap }
    world:bodies { count = #places, at = places, circle = 0.3, static = true }
    local walker = world:spawn {
      at = { { 1, y } },
      planner = throng.forces { length = 12, width = 4, wall_horizon = 0.1, max_turn = 100 },
    }
    walker.desired = function() return 1.3, 0 end
    world:run { seconds = 1 }
    return math.abs(walker.y[1] - y)
  end

  -- Forty, of which the last is at (x, y).
  local function row_and(from_x, at_y, x, y)
    local places = {}
    for i = 1, 39 do places[i] = { from_x + 0.6 * i, at_y } end
    places[40] = { x, y }
    return places
  end

  it("see every body that reaches into the rectangle, however many and how far", function()
    assert.equal(0, aside(row_and(15, 3, 16, 3.2), 3)) -- all beyond it
    assert.is_true(aside(row_and(15, 3, 12, 3.2), 3) > 1e-3) -- but one, 11 m ahead
    assert.equal(0, aside(row_and(1, 5.4, 12, 5.4), 3)) -- all beside it
    assert.is_true(aside(row_and(1, 5.4, 12, 5.2), 3) > 1e-3) -- of one an edge
  end)

  it("see bodies across the seam of a world that wraps", function()
    local size = { 60, 30 }
    assert.equal(0, aside(row_and(15, 10, 8, 28), 0.5, size)) -- 2.5 m to the right
    assert.is_true(aside(row_and(15, 10, 8, 29), 0.5, size) > 1e-3)
  end)

  it("are the same at any SIMD width where there are many bodies", function()
    local first
    for _, simd in ipairs(needs.which_simd { 1, 4, 8, 16 }) do
      local world = throng.world { wrap = { 30, 20 }, dt = 0.1, simd = simd, backend = "cpu", seed = 4 }
      world:bodies { count = 120, box = { throng.uniform(0.2, 1.5), 0.3 }, angle = throng.uniform(0, 6),
        mass = throng.uniform(5, 200), where = throng.box(0, 0, 30, 20) }
      local crowd = world:spawn { count = 120, where = throng.box(0, 0, 30, 20),
        planner = throng.forces { length = 7, width = 5, wall_horizon = 0.2 } }
      crowd.desired = function(_, a) return throng.select(a.id % 2 < 1, 1.3, -1.3), 0.2 end
      world:run { seconds = 8 }
      first = first or world:hash()
      assert.equal(first, world:hash(), simd)
    end
  end)

  it("say what their parameters may be", function()
    assert.error_matches(function() throng.forces { length = 0 } end, "length")
    assert.error_matches(function() throng.forces { max_turn = -1 } end, "max_turn")
    assert.error_matches(function() throng.forces { lenght = 2 } end, "did you mean 'length'")
  end)
end)
