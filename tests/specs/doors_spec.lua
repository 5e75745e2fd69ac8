-- Doors that close and open while the world runs.
local throng = require "throng"
local needs = dofile "tests/specs/needs.lua"

local WALL = 10 -- m: the wall's middle, with the doors "south" and "north" in it

local function two_doors(settings)
  settings.map = throng.map {
    boundary = throng.box(0, 0, 20, 20),
    walls = { throng.box(9.9, 0, 10.1, 4), throng.box(9.9, 6, 10.1, 14), throng.box(9.9, 16, 10.1, 20) },
    doors = { south = { { WALL, 4 }, { WALL, 6 } }, north = { { WALL, 14 }, { WALL, 16 } } },
  }
  settings.regions = { west = throng.box(1, 1, 8, 9), east = throng.box(17, 1, 19, 9) }
  return throng.world(settings)
end

local function crowd(world, routing, closed)
  local group = world:spawn { count = 60, where = "west", routing = routing, door_policy = closed, name = "crowd" }
  group:go_to "east"
  return group
end

-- Runs, and fails when anybody changes sides at a y between the two given ones.
local function run_past_closed(world, group, seconds, low, high)
  local x, y = group.x, group.y
  for _ = 1, math.floor(seconds / world.dt + 0.5) do
    world:step()
    local now_x, now_y = group.x, group.y
    for i = 1, #group do
      local crosses = (x[i] < WALL) ~= (now_x[i] < WALL)
      assert.is_false(crosses and y[i] > low and y[i] < high, "agent " .. i .. " went through a closed door")
    end
    x, y = now_x, now_y
  end
end

local function east_of_wall(group)
  local count = 0
  for _, x in ipairs(group.x) do count = count + (x > WALL and 1 or 0) end
  return count
end

describe("a door", function()
  it("is open at first, and says what it is", function()
    local world <close> = two_doors {}
    local door = world.map:door "south"
    assert.is_true(door.is_open)
    assert.equal("south", door.name)
    assert.is_false(door:close().is_open)
    assert.is_false(world.map:door("south").is_open)
    assert.is_true(world.map:door("north").is_open)
    assert.is_true(door:open().is_open)
  end)

  for _, routing in ipairs { "navmesh", "roadmap" } do
    it("that closes sends a crowd another way, by the " .. routing, function()
      local world <close> = two_doors {}
      local group = crowd(world, routing, "reroute")
      world:run { seconds = 9 }
      local through = east_of_wall(group)
      assert.is_true(through > 0 and through < 60)
      world.map:door("south"):close()
      run_past_closed(world, group, 40, 3, 7)
      assert.equal(60, east_of_wall(group))
      assert.no_overlap(world)
    end)

    it("that closes keeps a crowd waiting until it opens, by the " .. routing, function()
      local world <close> = two_doors {}
      local group = crowd(world, routing, "wait")
      world:run { seconds = 9 }
      world.map:door("south"):close()
      local through = east_of_wall(group)
      run_past_closed(world, group, 30, 0, 20)
      assert.equal(through, east_of_wall(group))
      world.map:door("south"):open()
      world:run { seconds = 40 }
      assert.equal(60, east_of_wall(group))
      assert.no_overlap(world)
    end)
  end

  it("is followed in the next frame", function()
    local world <close> = two_doors {}
    local group = world:spawn { at = { { 8, 5 } } }
    group:go_to { 18, 5 }
    world:step()
    assert.is_true(group.desired_vx[1] > 1.3)
    world.map:door("south"):close()
    world:step()
    assert.is_true(group.desired_vy[1] > 1.2)
    world.map:door("south"):open()
    world:step()
    assert.is_true(group.desired_vx[1] > 1.3)
  end)

  it("is where those wait who have no other way", function()
    local world <close> = two_doors {}
    local group = crowd(world, "navmesh", "reroute")
    world.map:door("south"):close()
    world.map:door("north"):close()
    run_past_closed(world, group, 30, 0, 20)
    assert.is_true(group.x:mean() > 7) -- before a door
    world.map:door("south"):open()
    world:run { seconds = 60 }
    assert.equal(60, east_of_wall(group))
  end)

  it("pushes out who stands in it, to the side their middle is on", function()
    local world <close> = two_doors {}
    local group = world:spawn { at = { { 9.8, 4.5 }, { 10.05, 5.4 } }, radius = 0.25 }
    world.map:door("south"):close()
    world:run { seconds = 4 }
    assert.is_true(group.x[1] <= WALL - 0.249 and group.x[1] > WALL - 0.5)
    assert.is_true(group.x[2] >= WALL + 0.249 and group.x[2] < WALL + 0.5)
    assert.near(4.5, group.y[1], 0.1)
  end)

  it("that is closed before anybody is sent is heeded", function()
    local world <close> = two_doors {}
    world.map:door("south"):close()
    local group = crowd(world, "navmesh", "reroute")
    run_past_closed(world, group, 60, 3, 7)
    assert.equal(60, east_of_wall(group))
  end)

  it("that is closed before anybody's mesh is made is heeded by paths of their own", function()
    local world <close> = two_doors {}
    world.map:door("south"):close()
    world:step()
    local group = world:spawn { at = { { 2, 5 }, { 2, 6 } } }
    group:go_to { { 18, 5 }, { 18, 6 } }
    world:run { seconds = 1 }
    assert.is_true(group.desired_vy[1] > 0.5)
  end)

  it("must hang in walls", function()
    local map = throng.map { boundary = throng.box(0, 0, 10, 10), doors = { gate = { { 5, 0 }, { 5, 6 } } } }
    local world <close> = throng.world { map = map }
    world:spawn({ at = { { 2, 2 } } }):go_to { 8, 8 }
    assert.error_matches(function() world.map:door("gate"):close() end,
      'door "gate" ends in the open at %(5, 6%).+move its end to the wall')
    assert.is_true(world.map:door("gate").is_open)
  end)

  it("has errors that help", function()
    local world <close> = two_doors {}
    assert.error_matches(function() world.map:door "sout" end,
      "map:door: unknown door 'sout', did you mean 'south'%? Expected one of:")
    assert.error_matches(function() world.map:door("south"):shut() end,
      "door: unknown field 'shut'.+open, close, cost, is_open, max_radius, name")
    assert.error_matches(function() world.map:door("south").is_open = false end,
      "call door:open%(%) or door:close%(%)")
    local map = throng.map { boundary = throng.box(0, 0, 1, 1) }
    assert.error_matches(function() map:door "south" end,
      "doors open and close in a world: world.map:door%(\"south\"%)")
    assert.error_matches(function() throng.world { map = world.map } end, "another world's map")
    assert.error_matches(function() crowd(world, "navmesh", "stay") end,
      "field 'door_policy': unknown rule 'stay'; expected one of: reroute, wait")
    local door = world.map:door "south"
    world:close()
    assert.error_matches(function() door:close() end, "this world was closed")
  end)
end)

describe("a goal that a door runs through", function()
  local function world_and_group()
    local world = two_doors {}
    return world, world:spawn { at = { { 3, 5 }, { 3, 15 }, { 17, 7 } } }
  end

  for _, goal in ipairs { throng.box(7, 4.2, 12, 5.8), throng.box(5, 2, 14, 18), throng.box(9, 3, 11, 7) } do
    for _, routing in ipairs { "navmesh", "roadmap", "field" } do
      it("is reached from both sides by the " .. routing, function()
        local world <close>, group = world_and_group()
        group.routing = routing
        group:go_to(goal)
        world:run { seconds = 60, until_done = true }
        assert.arrives(group, { within = 60 })
      end)
    end

    it("is a machine's, too", function()
      local world <close>, group = world_and_group()
      group:run(throng.fsm { start = "go", go = { goal = throng.go_to(goal), arrived = "there" }, there = {} })
      world:run { seconds = 60 }
      assert.equal(3, group:in_state("there").count)
    end)
  end
end)

describe("the closing door's scenario", function()
  it("ends with everybody in the street", function()
    local world <close> = throng.load "scenarios/closing_door.lua"
    world:run { until_done = true }
    assert.arrives(world.groups.visitors, { within = 180 })
    assert.arrives(world.groups.regulars, { within = 180 })
    assert.no_overlap(world)
  end)

  local function state_after(settings)
    local world <close> = throng.load("scenarios/closing_door.lua", settings)
    world:run { steps = 200 }
    return world:hash()
  end

  it("gives the same bits at any SIMD width and number of threads", function()
    local reference = state_after { backend = "cpu", simd = 1, threads = 1 }
    assert.same_hash(reference, state_after { backend = "cpu", simd = 4, threads = 2 })
    assert.same_hash(reference, state_after { backend = "cpu", threads = 2 })
  end)

  it("gives the same bits on CUDA", function()
    needs.device(pending)
    assert.same_hash(state_after { backend = "cpu" }, state_after { backend = "cuda" })
  end)
end)
