-- The potential field planner: local maps, inertia, behaviour vectors, the same bits everywhere.
local throng = require "throng"

local function hall(settings)
  settings.map = throng.map {
    boundary = throng.box(0, 0, 20, 10),
    walls = { throng.box(9, 3, 11, 7) },
  }
  settings.regions = { west = throng.box(1, 1, 6, 9), east = throng.box(14, 1, 19, 9) }
  return throng.world(settings)
end

local function crowd(settings)
  local world = hall(settings)
  local kinds = {
    { throng.bvp(), "field" },
    { throng.bvp { epsilon = -1, size = 11, cell = 0.3, view = math.rad(140) }, "navmesh" },
    { throng.bvp { epsilon = 1.5, v = function(t) return 1, math.sin(0.6 * t) end, size = 21, cell = 0.2 }, "field" },
    { throng.orca(), "field" },
  }
  for i, kind in ipairs(kinds) do
    local west = i % 2 == 0
    local group = world:spawn {
      name = "crowd " .. i,
      count = 12,
      where = west and "west" or "east",
      radius = throng.uniform(0.2, 0.25),
      planner = kind[1],
      ways = kind[2],
    }
    group:go_to(west and "east" or "west")
  end
  return world
end

local function alone(planner)
  local world <close> = hall { dt = 0.05 }
  local group = world:spawn { at = { { 2, 4.8 } }, speed = 1, planner = planner, ways = "field" }
  group:go_to { 18, 5 }
  local highest = 0
  world:on_step(function() highest = math.max(highest, math.abs(group.y[1] - 5)) end)
  world:run { seconds = 120, until_done = true }
  assert.arrives(group, { within = 120 })
  return highest, group:stats().last_arrival
end

-- How far a walker turns in its first step when it starts out across its way.
local function first_turn(inertia)
  local world <close> = throng.world { dt = 0.05 }
  local group = world:spawn { at = { { 0, 0 } }, planner = throng.bvp { inertia = inertia, size = 21 } }
  group:go_to { 10, 10 }
  world:run { steps = 1 }
  return math.atan(group.hy[1], group.hx[1])
end

describe("the potential field planner", function()
  it("arrives, whatever its behaviour vector", function()
    local calm = alone(throng.bvp())
    local bent = alone(throng.bvp { epsilon = -1, v = { 0, 5 } })
    alone(throng.bvp { epsilon = -1, v = function(t) return 1, math.sin(0.6 * t) end })
    assert.is_true(calm > 2, "round the pillar") -- its corner is 2 m from the line, bodies 0.25 m
    assert.is_true(math.abs(calm - bent) > 0.02, "epsilon bends the way")
  end)

  it("turns by 1 - inertia of the angle to the way down", function()
    assert.near(math.pi / 4, first_turn(0), 0.02)
    assert.near(math.pi / 8, first_turn(0.5), 0.02)
    assert.near(math.pi / 40, first_turn(0.9), 0.02)
  end)

  it("waits, but turns, when the way lies more than a right angle off", function()
    local world <close> = throng.world { dt = 0.05 }
    local group = world:spawn { at = { { 0, 0 } }, planner = throng.bvp() }
    group:go_to { -10, 2 }
    world:run { steps = 1 }
    assert.equal(0, group.x[1])
    assert.is_true(group.hy[1] > 0.5)
    world:run { seconds = 15, until_done = true }
    assert.arrives(group, { within = 15 })
  end)

  it("has the same bits with any number of lanes and threads", function()
    local reference
    for _, settings in ipairs { { 1, 1 }, { 4, 1 }, { 8, 2 }, { 16, 1 }, { 16, 3 } } do
      local world <close> = crowd { seed = 4, backend = "cpu", lanes = settings[1], threads = settings[2] }
      world:run { steps = 120 }
      reference = reference or world:hash()
      assert.same_hash(reference, world:hash())
      assert.no_overlap(world)
    end
  end)

  it("has the same bits on CUDA", function()
    local cuda = false
    for _, name in ipairs(throng.backends()) do cuda = cuda or name == "cuda" end
    if not cuda then return pending "there is no CUDA device here" end
    local hashes = {}
    for _, backend in ipairs { "cpu", "cuda" } do
      local world <close> = crowd { seed = 4, backend = backend }
      world:run { steps = 120 }
      hashes[#hashes + 1] = world:hash()
    end
    assert.same_hash(hashes[1], hashes[2])
  end)

  it("takes every size of map", function()
    for size = 9, 32 do
      local world <close> = hall { dt = 0.1 }
      local planner = throng.bvp { size = size, cell = 3 / size }
      local group = world:spawn { at = { { 2, 5 } }, planner = planner, ways = "field" }
      group:go_to { 5, 5 }
      world:run { seconds = 30, until_done = true }
      assert.arrives(group, { within = 30 })
    end
  end)

  it("says what it cannot take", function()
    local function bvp(settings) return function() throng.bvp(settings) end end
    assert.error_matches(bvp { epsilon = 2 }, "field 'epsilon' must be less than 2%.0, got 2%.0")
    assert.error_matches(bvp { epsilon = -2 }, "field 'epsilon' must be")
    assert.error_matches(bvp { inertia = 1 }, "field 'inertia' must be less than 1%.0, got 1%.0")
    assert.error_matches(bvp { inertia = -0.1 }, "field 'inertia' must be")
    assert.error_matches(bvp { v = { 0, 0 } }, "field 'v' must point somewhere")
    local vector = "field 'v' must be a vector, { x, y }, or a function with two results, got 3"
    assert.error_matches(bvp { v = 3 }, vector)
    assert.error_matches(bvp { size = 33 }, "field 'size'")
    assert.error_matches(bvp { sizes = 16 }, "unknown field 'sizes'")
    local world <close> = hall {}
    local spawn = function() world:spawn { at = { { 2, 5 } }, planner = throng.bvp { size = 32, cell = 1 } } end
    assert.error_matches(spawn, "larger than the world, which is 20 x 10 m")
  end)
end)
