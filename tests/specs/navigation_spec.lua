-- Routes as scripts see them.
local throng = require "throng"
local needs = dofile "tests/specs/needs.lua"

-- A wall of 2 x 6 m in the middle of a room of 10 x 10 m.
local function room()
  return throng.map {
    name = "room",
    boundary = throng.box(0, 0, 10, 10),
    walls = throng.box(4, 2, 6, 8),
    regions = { left = throng.box(0, 0, 4, 10) },
  }
end

local function says(text, ...)
  local ok, message = pcall(...)
  assert.is_false(ok)
  assert.is_truthy(message:find(text, 1, true), message)
end

describe("map:path", function()
  it("bends at corners, and knows its length", function()
    local corners, length = room():path({ 2, 5 }, { 8, 5 })
    assert.equal(4, #corners)
    assert.same({ 2, 5 }, corners[1])
    assert.same({ 8, 5 }, corners[4])
    assert.near(2 * math.sqrt(13) + 2, length, 1e-3)
  end)

  it("keeps a radius from walls", function()
    local map = room()
    assert.is_true(map:distance({ 2, 5 }, { 8, 5 }, 0.25) > map:distance({ 2, 5 }, { 8, 5 }) + 0.3)
    assert.is_nil(map:path({ 2, 5 }, { 0.1, 5 }, 0.25))
  end)

  it("is nil, and the distance infinite, where there is no way", function()
    local map = room()
    assert.is_nil(map:path({ 2, 5 }, { 5, 5 }))
    assert.equal(math.huge, map:distance({ 2, 5 }, { 5, 5 }))
    assert.equal(math.huge, map:distance({ 2, 5 }, { 50, 5 }))
  end)

  it("is as long there as back", function()
    local map = room()
    for key = 1, 40 do
      local a, b = map:random_point(nil, 0, 2 * key), map:random_point(nil, 0, 2 * key + 1)
      local there, back = map:distance(a, b), map:distance(b, a)
      assert.near(there, back, 1e-9)
      assert.is_true(there >= math.sqrt((a[1] - b[1]) ^ 2 + (a[2] - b[2]) ^ 2) - 1e-9)
    end
  end)

  it("names what is wrong", function()
    local map = room()
    says("map:path: the first point must be a point {x, y}", map.path, map, { 1 }, { 2, 2 })
    says("map:distance: the radius must be a number >= 0", map.distance, map, { 1, 1 }, { 2, 2 }, -1)
    says("no free space is wide enough for a radius of 6 m in room", map.path, map, { 1, 1 }, { 2, 2 }, 6)
  end)

  it("outlives the world that the map went into", function()
    local map = room()
    local before = map:distance({ 2, 5 }, { 8, 5 })
    throng.world({ map = map, threads = 1 }):close()
    assert.equal(before, map:distance({ 2, 5 }, { 8, 5 }))
  end)
end)

describe("world.map", function()
  it("has the routes of the moment: doors open and close", function()
    local world = throng.world {
      map = throng.map {
        boundary = throng.box(0, 0, 10, 10),
        walls = { throng.box(4.9, 0, 5.1, 4), throng.box(4.9, 5.5, 5.1, 10) },
        doors = { middle = { { 5, 4 }, { 5, 5.5 } } },
      },
      threads = 1,
    }
    local map, request = world.map, world.paths:request { from = { 2, 5 }, to = { 8, 5 } }
    assert.near(6, map:distance({ 2, 5 }, { 8, 5 }), 1e-6)
    map:door("middle"):close()
    assert.equal(math.huge, map:distance({ 2, 5 }, { 8, 5 }))
    assert.is_false(map:visible({ 2, 5 }, { 8, 5 }))
    world:step()
    assert.equal(math.huge, request.length)
    map:door("middle"):open()
    assert.is_true(map:visible({ 2, 5 }, { 8, 5 }))
  end)
end)

describe("map:visible", function()
  it("sees along walls and past corners, not through", function()
    local map = room()
    assert.is_true(map:visible({ 1, 1 }, { 9, 1 }))
    assert.is_false(map:visible({ 2, 5 }, { 8, 5 }))
    assert.is_true(map:visible({ 3, 2 }, { 9, 2 }))
    assert.is_false(map:visible({ 3, 2 }, { 9, 2 }, 0.25))
    assert.is_false(map:visible({ 2, 5 }, { 5, 5 }))
  end)
end)

describe("map:random_point", function()
  it("is free, in its region, and the same in every run", function()
    local map, again = room(), room()
    for _ = 1, 50 do
      local p = map:random_point("left", 0.3)
      assert.is_true(p[1] < 4 and map:fits(p, 0.3))
      assert.same(p, again:random_point("left", 0.3))
    end
    assert.same(map:random_point(nil, 0, 5), again:random_point(nil, 0, 5))
  end)

  it("is another one with each call, of a world's map, too", function()
    local world, map = throng.world { map = room() }, room()
    for _ = 1, 5 do assert.same(map:random_point(), world.map:random_point()) end
    assert.equal(world.map, world.map)
  end)

  it("is in what of a shape lies on the map", function()
    local map, right = room(), 0
    for _ = 1, 100 do
      assert.is_true(map:fits(map:random_point(throng.box(-1e5, -1e5, 1e5, 1e5), 0.2), 0.2))
      local p = map:random_point { throng.box(-1e5, 0, 1, 1), throng.box(7, 0, 10, 3) }
      right = right + (p[1] > 6 and 1 or 0)
    end
    assert.is_true(right > 75 and right < 100)
  end)

  it("takes shapes and lists of them by their size", function()
    local map, right = room(), 0
    for _ = 1, 100 do
      local p = map:random_point { throng.box(0, 0, 1, 1), throng.box(7, 0, 10, 3) }
      right = right + (p[1] > 6 and 1 or 0)
    end
    assert.is_true(right > 75 and right < 100)
  end)

  it("names what is wrong", function()
    local map = room()
    says("unknown region 'lefft', did you mean 'left'", map.random_point, map, "lefft")
    says("no free point", map.random_point, map, throng.box(4.5, 4.5, 5, 5))
    local open = throng.map { walls = throng.box(0, 0, 1, 1) }
    says("an open map has no end", open.random_point, open)
  end)
end)

describe("world.paths", function()
  local function world_of(map)
    return throng.world { map = map, threads = 1, record = false }
  end

  it("announces what was found", function()
    local world = world_of(room())
    local seen
    local request = world.paths:request {
      from = { 2, 5 }, to = { 8, 5 }, on = function(corners, length, which) seen = { corners, length, which } end,
    }
    assert.equal(1, world.paths.pending)
    assert.is_false(request.done)
    world:step()
    assert.equal(0, world.paths.pending)
    assert.is_true(request.done)
    assert.equal(request, seen[3])
    assert.same(room():path({ 2, 5 }, { 8, 5 }), seen[1])
    assert.equal(seen[2], request.length)
    assert.same(seen[1], request.path)
  end)

  it("announces that there is none", function()
    local world = world_of(room())
    local length
    local request = world.paths:request { from = { 2, 5 }, to = { 5, 5 }, on = function(_, l) length = l end }
    world:step()
    assert.equal(math.huge, length)
    assert.is_nil(request.path)
  end)

  it("keeps to its budget, urgent requests first", function()
    local world = world_of(room())
    local order = {}
    world.paths.budget = 2
    for i = 1, 20 do
      world.paths:request {
        from = { 2, 5 }, to = { 8, 4 + i / 20 }, urgent = i == 20, on = function() order[#order + 1] = i end,
      }
    end
    while world.paths.pending > 0 do
      world:step()
      assert.is_true(world.paths.spent <= 2)
    end
    assert.equal(20, #order)
    assert.equal(20, order[1])
  end)

  it("forgets what was cancelled", function()
    local world = world_of(room())
    local request = world.paths:request { from = { 2, 5 }, to = { 8, 5 }, on = function() error "called" end }
    request:cancel()
    assert.equal(0, world.paths.pending)
    world:step()
    assert.is_true(request.cancelled)
    assert.is_false(request.done)
  end)

  it("takes requests from its own callbacks", function()
    local world = world_of(room())
    local second
    world.paths:request {
      from = { 2, 5 }, to = { 8, 5 },
      on = function() second = world.paths:request { from = { 8, 5 }, to = { 2, 5 } } end,
    }
    world:step()
    world:step()
    assert.is_true(second.done)
  end)

  it("is not idle in a run of nobody", function()
    local command = dofile "tests/specs/command.lua"
    assert.equal(0, (command.throng "run scenarios/requests.lua --steps 3 --out none"))
  end)

  it("has ten thousand requests answered within a second, by a scenario", function()
    local world = throng.load("scenarios/requests.lua", { threads = 1, params = { report = false } })
    assert.equal(10000, world.paths.pending)
    for _ = 1, 10 do
      world:step()
      assert.is_true(world.paths.spent <= world.paths.budget)
    end
    assert.equal(0, world.paths.pending)
  end)

  it("names what is wrong", function()
    local world = world_of(room())
    local paths = world.paths
    says("world.paths:request: field 'from'", paths.request, paths, { to = { 1, 1 } })
    says("unknown field 'form', did you mean 'from'", paths.request, paths, { form = { 1, 1 }, to = { 1, 1 } })
    says("field 'on' must be a function", paths.request, paths, { from = { 1, 1 }, to = { 2, 2 }, on = 1 })
    says("no free space is wide enough", paths.request, paths, { from = { 1, 1 }, to = { 2, 2 }, radius = 6 })
    says("world.paths.pending cannot be written", function() paths.pending = 1 end)
    says("world.paths.budget must be a whole number", function() paths.budget = 0 end)
    local plane = throng.world { threads = 1 }
    says("this world has no map", plane.paths.request, plane.paths, { from = { 1, 1 }, to = { 2, 2 } })
  end)

  it("says where a callback failed", function()
    local world = world_of(room())
    world.paths:request { from = { 2, 5 }, to = { 8, 5 }, on = function() error "nobody knows" end }
    says("the callback of a path request, step", world.step, world)
  end)
end)

describe("goals of their own", function()
  local function walkers(settings)
    local map = room()
    local world = throng.world {
      map = map, threads = 1, record = false,
      simd = settings and settings.simd, backend = settings and settings.backend,
    }
    local goals = {}
    local group = world:spawn { at = { { 2, 5 }, { 8, 5 }, { 2, 9 }, { 8, 1 } }, radius = 0.2 }
    for i, goal in ipairs { { 8, 4 }, { 2, 4 }, { 9, 9 }, { 1, 1 } } do goals[i] = goal end
    return world, group, goals
  end

  it("are walked to round walls, by the shortest path", function()
    local world, group, goals = walkers()
    group:go_to(goals)
    world:run { seconds = 30 }
    assert.equal(4, world:stats().arrived)
    local longest = world.map:distance({ 2, 5 }, { 8, 4 }, 0.2)
    assert.is_true(world:stats().last_arrival < 1.3 * longest / 1.34 + 2)
  end)

  it("are waited for until the path is there", function()
    local world, group, goals = walkers()
    world.paths.budget = 1
    group:go_to(goals)
    world:step()
    assert.equal(4, world.paths.pending)
    assert.equal(2, group.x[1])
    world.paths.budget = 1000
    world:run { steps = 3 }
    assert.equal(0, world.paths.pending)
    assert.is_true(group.x[1] ~= 2)
  end)

  it("are walked to straight when the script says so", function()
    local world, group, goals = walkers()
    group:go_to(goals, { straight = true })
    world:step()
    assert.equal(0, world.paths.pending)
    assert.equal(-1, group.waypoint[1])
    assert.is_true(group.desired_vx[1] > 0)
  end)

  it("may be moved by the script", function()
    local world, group, goals = walkers()
    group:go_to(goals)
    world:run { seconds = 1 }
    group.goal_x, group.goal_y = { 1, 9, 1, 9 }, { 9, 5, 1, 9 }
    world:run { seconds = 30 }
    assert.equal(4, world:stats().arrived)
    assert.is_true(group.x[1] < 2 and group.x[2] > 8 and group.x[3] < 2 and group.x[4] > 8)
  end)

  it("give the same bits on every width", function()
    local hashes = {}
    for _, simd in ipairs(needs.which_simd { 1, 4, 8, 16 }) do
      local world, group, goals = walkers { simd = simd, backend = "cpu" }
      group:go_to(goals)
      world:run { seconds = 6 }
      hashes[#hashes + 1] = world:hash()
    end
    for _, backend in ipairs(throng.backends()) do
      local world, group, goals = walkers { backend = backend }
      group:go_to(goals)
      world:run { seconds = 6 }
      hashes[#hashes + 1] = world:hash()
    end
    for i = 2, #hashes do assert.equal(hashes[1], hashes[i]) end
  end)

  it("that cannot be reached are an error", function()
    local _, group, goals = walkers()
    goals[3] = { 5, 5 }
    says("goal 3 of 4, at (5, 5), lies where no agent of radius", group.go_to, group, goals)
    local closed = throng.world {
      map = throng.map { boundary = throng.box(0, 0, 10, 10), walls = throng.box(4, -1, 6, 11) },
      threads = 1,
    }
    local one = closed:spawn { at = { { 2, 5 } } }
    says("1 of 1 agents cannot reach the goal", one.go_to, one, { { 8, 5 } })
  end)

  it("wait behind doors that close, and go on when they open", function()
    local world = throng.world {
      map = throng.map {
        boundary = throng.box(0, 0, 10, 10),
        walls = { throng.box(4.9, 0, 5.1, 4), throng.box(4.9, 5.5, 5.1, 10) },
        doors = { middle = { { 5, 4 }, { 5, 5.5 } } },
      },
      threads = 1, record = false,
    }
    local group = world:spawn { at = { { 1, 5 }, { 1, 8 } } }
    group:go_to { { 9, 5 }, { 9, 2 } }
    world:run { seconds = 1 }
    world.map:door("middle"):close()
    world:run { seconds = 10 }
    assert.equal(0, world:stats().arrived)
    world.map:door("middle"):open()
    world:run { seconds = 20 }
    assert.equal(2, world:stats().arrived)
  end)

  it("are everybody's in an office, and all are reached", function()
    local world = throng.load("scenarios/errands.lua", { params = { count = 40 } })
    assert.equal("arrived", world:run { seconds = 120, until_done = true })
    assert.no_overlap(world)
  end)
end)

describe("a point in which nobody can stand", function()
  local function hall() return throng.world { map = throng.map { boundary = throng.box(0, 0, 20, 10) } } end

  it("is a goal where its radius reaches a place next to it", function()
    for _, routing in ipairs { "navmesh", "roadmap", "field" } do
      local world <close> = hall()
      local star = world:spawn { at = { { 19.82, 5 } }, radius = 0.15 }
      local fans = world:spawn { count = 2, where = throng.box(1, 1, 8, 9), radius = 0.25, routing = routing }
      fans:go_to { star.x[1], star.y[1] } -- the slim one stands nearer to the wall than they can
      fans:go_to({ 20.5, 5 }, { radius = 1 })
      world:run { seconds = 30 }
      assert.is_true(fans:stats().arrived > 0)
    end
  end)

  it("is an error where it is farther off", function()
    local world <close> = hall()
    local fan = world:spawn { at = { { 5, 5 } }, radius = 0.25 }
    says("the goal at (20.5, 5) lies where no agent of radius 0.25 m can stand", fan.go_to, fan, { 20.5, 5 })
  end)
end)
