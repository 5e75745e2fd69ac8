-- Lifts: cars that people wait for, board, ride in and leave, and routes that lead through them.
local throng = require "throng"
local needs = dofile "tests/specs/needs.lua"
local planners = dofile "tests/specs/planners.lua"

local HALL = throng.box(0, 0, 20, 10)
local NAMES = { "ground", "first", "second", "third", "fourth" }
local RISE = 3.5

-- So many halls, one over the other, with a lift in the east; `settings` are the lift's, and `stairs` others beside it.
local function halls(count, settings)
  local lift = { name = "a", at = { 16, 5 }, back = { 18, 5 }, width = 2 }
  for key, value in pairs(settings or {}) do lift[key] = value end
  lift.stairs = nil
  local floors = {}
  for i = 1, count do
    floors[NAMES[i]] = { z = (i - 1) * RISE, boundary = HALL, regions = { bay = throng.box(1, 1, 8, 9) } }
  end
  return throng.building { floors = floors, lifts = { lift }, stairs = settings and settings.stairs }
end

local function world_of(count, settings, options)
  local definition = { map = halls(count, settings), seed = 1, dt = 0.1 }
  for key, value in pairs(options or {}) do definition[key] = value end
  return throng.world(definition)
end

-- A point on a floor, counted from 1, and the way of one person from one to another.
local function point(floor, x, y) return { x or 5, y or 5, floor = NAMES[floor] } end
local function walker(world, from, to)
  local one = world:spawn { at = { point(from) } }
  one:go_to(point(to))
  return one
end

-- Where the lift opened its doors, in order.
local function openings(world, seconds)
  local list, before = {}, world.lifts.a.state
  while world.time < seconds do
    world:step()
    local now = world.lifts.a.state
    if now == "open" and before ~= "open" then list[#list + 1] = world.lifts.a.floor end
    before = now
  end
  return list
end

-- Seconds from standing to standing, so many metres apart.
local function travel(metres, speed, acceleration)
  if metres < speed ^ 2 / acceleration then return 2 * math.sqrt(metres / acceleration) end
  return metres / speed + speed / acceleration
end

describe("a lift", function()
  it("comes when it is called, lets in, rides and lets out, in its time", function()
    for _, case in ipairs { { 1, 1, 2 }, { 2.5, 0.8, 1 }, { 0.5, 1, 3 } } do -- speed, acceleration, door time
      local world = world_of(4, { speed = case[1], acceleration = case[2], door_time = case[3], dwell = 4 })
      local one, at, before = walker(world, 4, 1), {}, nil
      while one.arrived[1] < 0 and world.time < 120 do
        world:step()
        local state = world.lifts.a.state
        if state ~= before then at[#at + 1] = { state, world.time } end
        before = state
      end
      local expected = { "closed", "moving", "opening", "open", "closing", "moving", "opening", "open" }
      local ride = travel(3 * RISE, case[1], case[2])
      local lasts = { nil, ride, case[3], 4, case[3], ride, case[3] }
      for i, state in ipairs(expected) do
        assert.equal(state, at[i][1])
        if lasts[i] then assert.is_near(lasts[i], at[i + 1][2] - at[i][2], 0.3, state) end
      end
      assert.is_true(one.arrived[1] >= 0)
      assert.equal("ground", one.floor[1])
    end
  end)

  it("has people on its own floor while they ride, who stand before it and in it", function()
    local world = world_of(2)
    local one = walker(world, 2, 1)
    local seen, pushed = {}, 0
    while one.arrived[1] < 0 and world.time < 60 do
      world:step()
      seen[one.floor[1]] = (seen[one.floor[1]] or 0) + world.dt
      if one.lift[1] > 0 then pushed = math.max(pushed, math.abs(one.desired_vx[1])) end
      if one.floor[1] == "a" then assert.equal(1, #one:inside "a") end
    end
    assert.is_true(seen.first > 8 and seen.a > 8 and seen.ground > 5)
    assert.equal(0, pushed)
  end)

  for _, name in ipairs(planners) do if name ~= "none" then
    it("takes at most its capacity, and loses nobody in hundreds of rides, under " .. name, function()
      local world = world_of(3, { capacity = 6 }, { threads = 1 })
      local people = world:spawn { name = "people", count = 20, where = "ground/bay", planner = throng[name] {} }
      people:run(throng.fsm {
        start = "up",
        up = { goal = throng.go_to "second/bay", arrived = "down" },
        down = { goal = throng.go_to "ground/bay", arrived = "up" },
      })
      local lift, most, rides, last, before = world.lifts.a, 0, 0, {}, people.floor:list()
      while world.time < 1500 do
        world:step()
        most = math.max(most, lift.riders)
        local now = people.floor:list()
        for i = 1, #now do
          if before[i] == "a" and now[i] ~= "a" and now[i] ~= "first" then
            rides, last[i] = rides + 1, world.time
          end
        end
        before = now
      end
      assert.is_true(most == 6, "most " .. most)
      assert.is_true(rides > 120, "rides " .. rides)
      for i = 1, #people do assert.is_true((last[i] or 0) > 1000, ("%d rode last at %g s"):format(i, last[i] or 0)) end
      assert.equal(0, world:stats().overlaps)
    end)
  end end

  it("is where nobody begins: its car is at one floor, and those of others would come to lie in who rides", function()
    local world <close> = world_of(5, nil, { seed = 2 })
    local people = world:spawn { count = 600 }
    for i = 1, #people do assert.not_equal("a", people.floor[i]) end
    people:go_to(point(1))
    world:run { seconds = 60 }
    assert.equal(0, world:stats().overlaps)
    local function spawn() world:spawn { at = { { 17, 5, floor = "a" } } } end
    assert.error_matches(spawn, "lies in a lift; spawn people on its floors")
  end)

  it("goes on in its direction while somebody calls or rides there, and then turns", function()
    local world = world_of(5)
    walker(world, 2, 4) -- from the first floor up to the third
    local down = walker(world, 3, 1) -- from the second down to the ground
    walker(world, 5, 3) -- from the fourth down to the second
    assert.same({ "first", "third", "fourth", "second", "ground" }, openings(world, 150))
    assert.is_true(down.arrived[1] > 0)
    -- who would go the other way is not let in
    world = world_of(3)
    local up, back = walker(world, 2, 3), walker(world, 2, 1)
    local aboard = {}
    while world.time < 80 do
      world:step()
      if world.lifts.a.state == "moving" and world.lifts.a.riders > 0 then
        aboard[#aboard + 1] = ("%s %d %d"):format(world.lifts.a.direction, #up:inside "a", #back:inside "a")
      end
    end
    assert.equal("up 1 0", aboard[1])
    assert.equal("down 0 1", aboard[#aboard])
  end)

  it("halts on its way for who calls in time", function()
    local world = world_of(5)
    walker(world, 5, 1)
    while world.lifts.a.state ~= "moving" or world.lifts.a.riders == 0 do world:step() end
    walker(world, 2, 1) -- far enough from the door to come before the car passes
    assert.same({ "first", "ground" }, openings(world, world.time + 40))
  end)

  it("out of service lets people out at the next floor, and takes nobody until it starts again", function()
    local world = world_of(5)
    local one, lift = walker(world, 5, 1), world.lifts.a
    while lift.riders == 0 or lift.state ~= "moving" or lift.z > 9 do world:step() end
    assert.is_true(lift.z > 7 and lift.speed < 0)
    assert.is_true(one.floor[1] == "a" and lift.is_running)
    lift:stop()
    world:run { seconds = 20 }
    assert.equal("second", one.floor[1]) -- it could still halt there; nobody has a way
    assert.same({ "second", "closed", "", 0, false },
      { lift.floor, lift.state, lift.direction, lift.riders, lift.is_running })
    lift:start()
    world:run { seconds = 40 }
    assert.equal("ground", one.floor[1])
    assert.is_true(one.arrived[1] > 0)
  end)

  it("evacuates the floors that it is told to, and no others", function()
    local world = world_of(4)
    local two, three, four = walker(world, 2, 1), walker(world, 3, 1), walker(world, 4, 1)
    local up = walker(world, 1, 2)
    world.lifts.a:shuttle({ "second", "third" }, "ground")
    world:run { seconds = 120 }
    assert.same({ "first", "ground", "ground", "ground" },
      { two.floor[1], three.floor[1], four.floor[1], up.floor[1] })
    assert.is_true(two.arrived[1] < 0 and three.arrived[1] >= 0 and four.arrived[1] >= 0 and up.arrived[1] < 0)
    world.lifts.a:start()
    world:run { seconds = 60 }
    assert.is_true(two.arrived[1] >= 0 and up.arrived[1] >= 0)
  end)

  it("is a route, while it runs, to those who are stuck before it", function()
    local function causes(stop)
      local world = world_of(2)
      local people = world:spawn { count = 120, where = "first", planner = "collision_free_speed" }
      people:go_to "ground/bay"
      if stop then world.lifts.a:stop() end
      world:run { seconds = 60 }
      return world:stats().stuck
    end
    local running, stopped = causes(false), causes(true)
    assert.is_true(running.crowd > 0 and running["no route"] == 0, running["no route"])
    assert.is_true(stopped["no route"] > 0, stopped["no route"])
  end)

  it("is one way of several, chosen by time", function()
    local stairs = { { name = "stairs", from = "ground", to = "first", foot = { 4, 8 }, head = { 10, 8 } } }
    local function way(settings, prepare)
      settings.stairs = stairs
      local world = world_of(2, settings)
      local one, seen = world:spawn { at = { point(1, 13, 5) } }, {}
      one:go_to(point(2, 13, 3))
      if prepare then prepare(world.lifts.a) end
      while one.arrived[1] < 0 and world.time < 100 do
        world:step()
        seen[one.floor[1]] = true
      end
      assert.is_true(one.arrived[1] >= 0)
      return seen.stairs and "stairs" or seen.a and "lift"
    end
    assert.equal("lift", way { wait = 0 })
    assert.equal("stairs", way { wait = 60 })
    assert.equal("stairs", way { wait = 0, speed = 0.1 })
    assert.equal("stairs", way({ wait = 0 }, function(lift) lift:stop() end))
  end)

  it("is no way for those who do not fit before its door", function()
    local world <close> = world_of(2)
    world:step()
    for _, radius in ipairs { 0.25, 1.2, 2.4 } do
      local length = world.map:distance(point(1), point(2), radius)
      assert.equal(radius < 1, length ~= nil and length < math.huge)
      assert.is_true(world.map:distance(point(1), point(1, 8, 5), radius) >= 3)
    end
  end)

  it("is on the way of map:path where that takes less time, while it runs", function()
    local stairs = {
      { name = "low", from = "ground", to = "first", foot = { 6, 9 }, head = { 12, 9 } },
      { name = "high", from = "first", to = "second", foot = { 6, 1 }, head = { 12, 1 } },
    }
    local function floors_of(corners)
      local names, z = {}, nil
      for _, corner in ipairs(corners or {}) do
        if names[#names] ~= corner.floor then names[#names + 1] = corner.floor end
        if corner.floor == "a" and z ~= corner.z then
          z = corner.z
          names[#names] = ("a at %g m"):format(z)
          names[#names + 1] = "a"
        end
      end
      return (table.concat(names, ", "):gsub(", a,", ","))
    end
    local ride = "ground, a at 0 m, a at 7 m, second"
    -- one that is near, of two ways
    local map = halls(3, { stairs = stairs })
    local near, far = { 14, 5 }, { 14, 5, floor = "second" }
    local corners, length = map:path(near, far, 0.25)
    assert.equal(ride, floors_of(corners))
    assert.is_near(2 * (2 + 1.0625), length, 1e-4) -- to the middle of the car, and out again
    assert.equal(length, map:distance(far, near, 0.25))
    assert.equal("ground, low, first, high, second", floors_of(halls(3, { stairs = stairs, wait = 300 }):path(near, far,
      0.25)))
    assert.equal("ground", floors_of(map:path({ 2, 5 }, { 14, 5 }, 0.25)))
    -- the only way, and none
    assert.equal(ride, floors_of(halls(3):path({ 2, 2 }, { 2, 2, floor = "second" }, 0.25)))
    assert.equal(math.huge, halls(3, { floors = { "ground", "first" } }):distance(near, far, 0.25))
    -- out of service
    local world = world_of(3, { stairs = stairs })
    assert.equal(ride, floors_of(world.map:path(near, far, 0.25)))
    world.lifts.a:stop()
    assert.equal("ground, low, first, high, second", floors_of(world.map:path(near, far, 0.25)))
    world.lifts.a:shuttle({ "second" }, "ground") -- that way alone
    assert.equal("ground, low, first, high, second", floors_of(world.map:path(near, far, 0.25)))
    assert.equal("second, a at 7 m, a at 0 m, ground", floors_of(world.map:path(far, near, 0.25)))
    local between = { 14, 5, floor = "first" }
    assert.equal("first, low, ground", floors_of(world.map:path(between, near, 0.25)))
    assert.equal("second, high, first", floors_of(world.map:path(far, between, 0.25)))
    world.lifts.a:start()
    assert.equal(ride, floors_of(world.map:path(near, far, 0.25)))
    -- from one lift to another
    local two = throng.building {
      floors = {
        ground = { z = 0, boundary = HALL },
        first = { z = 3, boundary = HALL },
        second = { z = 6, boundary = HALL },
      },
      lifts = {
        { name = "a", floors = { "ground", "first" }, at = { 4, 5 }, back = { 2, 5 }, width = 2 },
        { name = "b", floors = { "first", "second" }, at = { 16, 5 }, back = { 18, 5 }, width = 2 },
      },
    }
    assert.equal("ground, a at 0 m, a at 3 m, first, b, second",
      floors_of(two:path({ 10, 5 }, { 10, 5, floor = "second" }, 0.25)))
  end)

  it("has the same bits on every width and any number of threads", function()
    local function hash(options)
      local world = world_of(3, { capacity = 4 }, options)
      for _, name in ipairs { "orca", "anticipation", "forces" } do
        world:spawn { count = 5, where = "second/bay", planner = throng[name] {} }:go_to "ground/bay"
        world:spawn { count = 3, where = "ground/bay", planner = throng[name] {} }:go_to "first/bay"
      end
      world:run { seconds = 60 }
      world.lifts.a:stop()
      world:run { seconds = 20 }
      return world:hash()
    end
    local expected = hash { simd = 1, threads = 1 }
    for _, width in ipairs(needs.which_simd { 4, 8, 16 }) do
      for _, threads in ipairs { 1, 2, 4 } do assert.equal(expected, hash { simd = width, threads = threads }) end
    end
  end)

  it("has the same bits on CUDA", function()
    needs.device(pending)
    local function hash(backend)
      local world = world_of(3, { capacity = 4 }, { backend = backend })
      for _, name in ipairs { "orca", "anticipation", "forces" } do
        world:spawn { count = 5, where = "second/bay", planner = throng[name] {} }:go_to "ground/bay"
      end
      world:run { seconds = 60 }
      return world:hash()
    end
    assert.equal(hash "cpu", hash "cuda")
  end)

  it("is ridden by those who have goals of their own", function()
    -- one who has such a goal comes as soon as one who shares the way there
    local function comes(goal)
      local world = world_of(3)
      local one = world:spawn { at = { point(1) } }
      one:go_to(goal)
      world:run { seconds = 120 }
      return one.arrived[1]
    end
    local own = comes { point(3) }
    assert.is_near(comes(point(3)), own, 1.5)
    assert.is_true(own > 0)
    for _, planner in ipairs(planners) do if planner ~= "none" then
      local world = world_of(4, { capacity = 4 })
      local people = world:spawn { count = 16, where = "ground/bay", planner = throng[planner] {} }
      local goals = {}
      for i = 1, 16 do goals[i] = point(2 + i % 3, 1.5 + i % 4 * 2, 2 + i // 4 * 1.5) end
      people:go_to(goals)
      local most = 0
      while world.time < 600 and world:stats().arrived < 16 do
        world:run { seconds = 1 }
        most = math.max(most, world.lifts.a.riders)
      end
      assert.equal(16, world:stats().arrived, planner)
      assert.is_true(most >= 3 and most <= 4, planner .. most)
      for i = 1, 16 do assert.equal(NAMES[2 + i % 3], people.floor[i]) end
    end end
  end)

  it("is left alone by those with goals of their own while it is out of service", function()
    local stairs = {}
    for i = 1, 2 do stairs[i] = { from = NAMES[i], to = NAMES[i + 1], foot = { 2, 8.5 }, head = { 9, 8.5 } } end
    local world = world_of(3, { stairs = stairs })
    local people = world:spawn { at = { point(1, 14, 5), point(1, 12, 5) } }
    people:go_to { point(3, 14, 3), point(3, 12, 3) }
    world:run { seconds = 6 } -- they stand before it
    assert.is_true(people.x[1] > 13)
    world.lifts.a:stop()
    world:run { seconds = 120 }
    assert.equal(2, world:stats().arrived)
    for i = 1, 2 do assert.is_true(people.arrived[i] > 40) end
  end)

  it("is on the way of paths that are asked for, as map:path has it", function()
    local stairs = { { from = "ground", to = "first", foot = { 2, 8.5 }, head = { 9, 8.5 } } }
    local world = world_of(3, { stairs = stairs })
    local ends = { { point(1), point(3) }, { point(1, 2, 5), point(2, 12, 8) }, { point(3, 12, 5), point(2, 3, 5) } }
    local from, to, asked = {}, {}, {}
    for i, pair in ipairs(ends) do
      from[i], to[i] = pair[1], pair[2]
      asked[i] = world.paths:request { from = pair[1], to = pair[2], radius = 0.25 }
    end
    world:step()
    local found = throng.paths { map = world.map, from = from, to = to, radius = 0.25 }
    local rides = 0
    for i in ipairs(ends) do
      local corners, length = world.map:path(from[i], to[i], 0.25)
      assert.is_true(asked[i].done)
      assert.is_near(length, asked[i].length, 1e-6)
      assert.same(corners, asked[i].path)
      assert.is_near(length, found.cost[i], 1e-6)
      assert.same(corners, found.path[i])
      for _, corner in ipairs(corners) do rides = rides + (corner.floor == "a" and 1 or 0) end
    end
    assert.is_true(rides >= 2)
    -- with a budget of few expansions they come later, and are the same
    local slow = world_of(3, { stairs = stairs })
    slow.paths.budget = 3
    local late = slow.paths:request { from = from[1], to = to[1], radius = 0.25 }
    slow:step()
    assert.is_false(late.done)
    for _ = 1, 100 do slow:step() end
    assert.same(asked[1].path, late.path)
  end)

  it("is whole to the linter, and told among the floors", function()
    local map = halls(2)
    assert.equal(0, #map.findings)
    local names = {}
    for _, floor in ipairs(map.floors) do names[#names + 1] = floor.name end
    assert.same({ "ground", "first", "a" }, names)
    assert.is_true(map.floors[3].lift)
  end)

  it("turns with the plan", function()
    for _, angle in ipairs { 0.5, 2, 4 } do
      local x, y = 10 + 2 * math.cos(angle), 5 + 2 * math.sin(angle)
      local world = world_of(2, { at = { 10, 5 }, back = { x, y } })
      assert.equal(0, #world.map.findings)
      local one = world:spawn { at = { point(2, 1, 1) } }
      one:go_to(point(1, 1, 1))
      world:run { seconds = 60 }
      assert.is_true(one.arrived[1] >= 0)
      assert.equal("ground", one.floor[1])
    end
  end)

  it("says what is wrong", function()
    local function raises(text, f, ...)
      local ok, message = pcall(f, ...)
      assert.is_false(ok)
      assert.is_truthy(tostring(message):find(text, 1, true), tostring(message))
    end
    raises("unknown field 'capacty'", halls, 2, { capacty = 3 })
    raises("unknown floor 'cellar'", halls, 2, { floors = { "ground", "cellar" } })
    raises("names floor 'first' twice", halls, 2, { floors = { "first", "first" } })
    raises("serves 1 floor", halls, 1)
    raises("must be a point", halls, 2, { at = 5 })
    raises("field 'speed'", halls, 2, { speed = 0 })
    raises("room for 8 persons", halls, 2, { width = 1, back = { 18.125, 5 }, capacity = 12 })
    raises("at least", halls, 2, { back = { 16.2, 5 }, capacity = 1 })
    raises("floor \"ground\" must begin along all of the door", halls, 2, { at = { 0, 5 }, back = { 2, 5 } })
    local world = world_of(2)
    raises("unknown lift 'b'", function() return world.lifts.b end)
    raises("read only", function() world.lifts.a.speed = 2 end)
    raises("unknown floor 'cellar'", function() world.lifts.a:shuttle({ "cellar" }, "ground") end)
    raises("cannot be boarded at", function() world.lifts.a:shuttle({ "ground" }, "ground") end)
    raises("expected names of floors", function() world.lifts.a:shuttle("first", "ground") end)
    raises("unknown field 'sped'", function() return world.lifts.a.sped end)
  end)
end)
