-- Routes by the roadmap: chosen per group, as short as the navmesh's, the same bits everywhere.
local throng = require "throng"
local needs = dofile "tests/specs/needs.lua"

-- A room of 20 m with a wall across, round whose only end everybody walks.
local function hooked(settings)
  settings.map = throng.map { boundary = throng.box(0, 0, 20, 20), walls = { throng.box(0, 9.5, 15, 10.5) } }
  settings.regions = { goal = throng.box(1, 15, 2, 16) }
  return throng.world(settings)
end

local function walk_alone(routing)
  local world <close> = hooked { dt = 0.05, seconds = 60 }
  local group = world:spawn { at = { { 2, 5 } }, radius = 0.25, speed = 1, routing = routing }
  group:go_to "goal"
  world:run { seconds = 60, until_done = true }
  return group:stats().last_arrival
end

local function state_after(settings)
  local world <close> = throng.load("scenarios/pillars.lua", settings)
  world:run { steps = 150 }
  return world:hash()
end

describe("the roadmap", function()
  it("leads round corners as fast as the navmesh does", function()
    local by_portals, by_nodes = walk_alone "navmesh", walk_alone "roadmap"
    -- 15.25 m to the wall's end, 1 m past it, 14.2 m back, at 1 m/s
    assert.near(29, by_nodes, 1.5)
    assert.near(by_portals, by_nodes, 0.3)
  end)

  it("takes a crowd through a hall of pillars", function()
    local world <close> = throng.load "scenarios/pillars.lua"
    world:run { until_done = true }
    assert.arrives(world.groups.visitors, { within = 180 })
    assert.arrives(world.groups.guards, { within = 180 })
    assert.no_overlap(world)
  end)

  it("is chosen per group, and may be changed before the next go_to", function()
    local world <close> = hooked {}
    local group = world:spawn { at = { { 2, 5 }, { 3, 5 } }, routing = "roadmap" }
    group[1].routing = "direct"
    assert.same({ "direct", "roadmap" }, group.routing:list())
    group:go_to "goal"
    world:run { seconds = 8 }
    assert.near(2, group.x[1], 1) -- before the wall, below its goal
    assert.is_true(group.x[2] > 8) -- on the way round it
  end)

  it("says which methods there are", function()
    local world <close> = hooked {}
    local spawn = function(routing) return function() world:spawn { at = { { 2, 5 } }, routing = routing } end end
    assert.error_matches(spawn "roadmaps",
      "unknown method 'roadmaps', did you mean 'roadmap'%? Expected one of: navmesh, roadmap, field, direct")
    assert.error_matches(spawn(3),
      "field 'routing' must be the name of a method %(navmesh, roadmap, field, direct%), got 3")
    local group = world:spawn { at = { { 2, 5 } } }
    assert.error_matches(function() group.routing = "tunnel" end,
      "group.routing: unknown method 'tunnel'; expected one of: navmesh, roadmap, field, direct")
  end)

  it("tells who has no way", function()
    local map = throng.map { boundary = throng.box(0, 0, 9, 9), walls = { throng.box(4, 0, 5, 9) } }
    local world <close> = throng.world { map = map }
    local group = world:spawn { at = { { 2, 5 } }, routing = "roadmap" }
    assert.error_matches(function() group:go_to { 7, 7 } end, "1 of 1 agents cannot reach the goal")
  end)
end)

describe("the same bits by the roadmap", function()
  local reference

  setup(function() reference = state_after { backend = "cpu", simd = 1, threads = 1 } end)

  for _, simd in ipairs { 4, 8, 16 } do
    it(("come from SIMD width %d"):format(simd), function()
      needs.simd(pending, simd)
      assert.same_hash(reference, state_after { backend = "cpu", simd = simd, threads = 2 })
    end)
  end

  it("come from CUDA", function()
    needs.device(pending)
    assert.same_hash(reference, state_after { backend = "cuda" })
  end)
end)
