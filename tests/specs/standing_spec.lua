-- Bodies that stand in the way: routes are found round them, and again when they come and go (O'Sullivan 2009, 6.2.1).
local throng = require "throng"
local planners = dofile "tests/specs/planners.lua"

local box = throng.box
local WALL = 12 -- m: a wall with two doorways, near at y 2 .. 3.5 and far at 11 .. 12.5

local function two_doorways(settings)
  settings.map = throng.map {
    boundary = box(0, 0, 24, 16),
    walls = { box(WALL, 0, 12.3, 2), box(WALL, 3.5, 12.3, 11), box(WALL, 12.5, 12.3, 16) },
  }
  settings.seconds = settings.seconds or 60
  return throng.world(settings)
end

local function crate(world, what)
  what = what or {}
  what.box, what.at = what.box or { 1.2, 1.4 }, what.at or { 12.15, 2.75 }
  return world:body(what)
end

local function walkers(world, settings)
  settings.where = settings.where or box(1, 1, 8, 6)
  settings.count = settings.count or 30
  local group = world:spawn(settings)
  group:on("arrived", function(arrived) arrived:remove() end)
  return group
end

local EAST = box(21, 1, 23, 5)

-- How many agents there were so far in the far doorway, counted as they come.
local function count_far(world)
  local seen, count = {}, 0
  world:on_step(function()
    local x, y, id = world.agents.x:list(), world.agents.y:list(), world.agents.id:list()
    for i = 1, #x do
      if x[i] > WALL and x[i] < 12.5 and y[i] > 10 and not seen[id[i]] then
        seen[id[i]], count = true, count + 1
      end
    end
  end)
  return function() return count end
end

describe("a body in a doorway", function()
  for _, routing in ipairs { "navmesh", "roadmap", "field" } do
    for _, planner in ipairs { "orca", "clearpath", "rvo", "forces" } do
      it("sends the crowd to the other one: " .. planner .. ", by " .. routing, function()
        local world = two_doorways { people = false, seconds = 90 }
        crate(world, { static = true })
        local far = count_far(world)
        walkers(world, { planner = planner, routing = routing }):go_to(EAST)
        assert.equal("arrived", world:run())
        assert.equal(30, far())
        assert.is_true(world.time < 65, planner .. " took " .. world.time .. " s")
      end)
    end
  end

  it("keeps nobody from arriving, whatever the planner", function()
    for _, planner in ipairs(planners) do
      local world <close> = two_doorways { people = false, seconds = 180 }
      crate(world, { static = true })
      walkers(world, { planner = planner }):go_to(EAST)
      assert.equal("arrived", world:run(), planner)
    end
  end)

  it("is heeded by those with goals of their own", function()
    local world = two_doorways {}
    crate(world, { static = true })
    local far = count_far(world)
    local points = {}
    for i = 1, 30 do points[i] = { 18 + i % 6, 1 + math.floor(i / 6) } end
    walkers(world, {}):go_to(points)
    assert.equal("arrived", world:run())
    assert.equal(30, far())
  end)

  it("is heeded from when it has come to rest until it goes", function()
    local world = two_doorways { seconds = 90 }
    local far = count_far(world)
    local group = walkers(world, { count = 10 })
    group:go_to(EAST)
    local heavy
    world:at(0.3, function() heavy = crate(world, { mass = 2000 }) end)
    world:run { seconds = 60 }
    assert.equal(10, far())
    heavy:remove()
    walkers(world, { count = 10 }):go_to(EAST)
    world:run { seconds = 60 }
    assert.equal(20, world:stats().arrived)
    assert.equal(10, far())
  end)

  it("is heeded from the first step when it rests there", function()
    local world <close> = two_doorways { people = false }
    crate(world, { static = true })
    local group = world:spawn { at = { { 2, 7 } } }
    group:go_to(EAST)
    world:run { seconds = 0.5 }
    assert.is_true(group.y[1] > 7.1, "went to y = " .. group.y[1])
  end)

  it("is not walked round while it moves", function()
    local world <close> = two_doorways {}
    local heavy = crate(world, { mass = 2000 })
    world:on_step(function()
      if world.time < 15 then heavy.y = 2.75 + 0.2 * math.sin(2 * world.time) end
    end)
    world:at(15, function() heavy:remove() end)
    local far = count_far(world)
    walkers(world, { count = 10 }):go_to(EAST)
    assert.equal("arrived", world:run())
    assert.equal(0, far())
  end)

  it("that one person shoves away is not walked round", function()
    local world = two_doorways {}
    crate(world, { mass = 5, box = { 0.4, 0.4 } })
    local far = count_far(world)
    walkers(world, { count = 1 }):go_to(EAST)
    assert.equal("arrived", world:run())
    assert.equal(0, far())
  end)

  it("is walked round when it is light but wedged there", function()
    local world = two_doorways { seconds = 90 }
    crate(world, { mass = 5, box = { 1, 4 }, at = { 11.49, 2.75 } })
    local far = count_far(world)
    walkers(world, { count = 10, planner = "orca" }):go_to(EAST)
    assert.equal("arrived", world:run())
    assert.equal(10, far())
  end)

  for _, routing in ipairs { "navmesh", "roadmap", "field", "own" } do
    it("holds up those who have no other way, who say so: " .. routing, function()
      local world = throng.world {
        seconds = 120,
        map = throng.map { boundary = box(0, 0, 24, 8), walls = { box(WALL, 0, 12.3, 2), box(WALL, 3.5, 12.3, 8) } },
      }
      local body = crate(world, { static = true })
      local group = walkers(world, { count = 8, routing = routing ~= "own" and routing or nil })
      local points = {}
      for i = 1, 8 do points[i] = { 20, 0.5 * i } end
      group:go_to(routing == "own" and points or EAST)
      world:run { seconds = 40 }
      assert.equal(0, world:stats().arrived)
      for _, x in ipairs(group.x:list()) do
        assert.is_true(x > 8 and x < WALL, "stands at x = " .. x)
      end
      local jams = world:stuck()
      assert.is_true(#jams > 0)
      for _, jam in ipairs(jams) do assert.equal("body", jam.cause) end
      body:remove()
      assert.equal("arrived", world:run())
    end)
  end

  it("is gone round by the roadmap, by a machine, too", function()
    local world <close> = two_doorways {}
    crate(world, { static = true })
    local group = walkers(world, { count = 4, routing = "roadmap" })
    group:run(throng.fsm { start = "go", go = { goal = throng.go_to(EAST) } })
    world:run { seconds = 3, until_done = false }
    assert.equal(4, group.count)
  end)

  it("may stand where the mesh of the largest does not reach", function()
    local world <close> = two_doorways {}
    local function path() return world.map:path({ 4, 5 }, { 7, 5 }, 3) end -- its mesh stays, three metres from walls
    local before = #path()
    world:body { circle = 0.4, at = { 0.41, 0.41 }, static = true }
    world:run { seconds = 3, until_done = false }
    assert.equal(before, #path())
  end)

  it("may stand on the goal", function()
    for _, routing in ipairs { "navmesh", "roadmap", "field" } do
      local world <close> = two_doorways { seconds = 30 }
      world:body { box = { 3, 3 }, at = { 20, 8 }, static = true }
      local group = world:spawn { count = 5, where = box(1, 1, 8, 6), routing = routing }
      group:go_to { 20, 8 }
      world:run()
      for i, x in ipairs(group.x:list()) do assert.is_true(x > 17, "agent " .. i .. " is at x = " .. x) end
    end
  end)

  it("is the same at any SIMD width and number of threads, and with congestion", function()
    for _, congestion in ipairs { false, true } do
      local hashes = {}
      local settings = { { simd = 1, threads = 1 }, { simd = 4, threads = 2 }, { simd = 8, threads = 1 } }
      for i = 1, #settings do
        local world <close> = two_doorways(settings[i])
        crate(world, { mass = 500 })
        world:bodies { count = 20, circle = 0.2, mass = 30, where = box(8, 0, 11, 16) }
        walkers(world, { congestion = congestion }):go_to(EAST)
        world:run { seconds = 20 }
        hashes[i] = world:hash()
      end
      assert.equal(hashes[1], hashes[2])
      assert.equal(hashes[1], hashes[3])
    end
  end)
end)
