-- What scripts learn of the floors of a building: events, lists, counts.
local throng = require "throng"

local HALL = throng.box(0, 0, 20, 10)

-- Two halls, one over the other, with stairs in the north; a lift in the south.
local function halls(settings)
  return throng.building {
    floors = {
      ground = { z = 0, boundary = HALL, regions = { exit = throng.box(0, 4, 1, 6), lobby = throng.box(1, 1, 6, 9) } },
      first = { z = 3.5, boundary = HALL, regions = { office = throng.box(1, 1, 6, 9) } },
    },
    stairs = not (settings and settings.no_stairs) and {
      { name = "stairs", from = "ground", to = "first", foot = { 8, 8 }, head = { 14, 8 }, width = 3 },
    } or nil,
    lifts = settings and settings.lift and {
      { name = "a", at = { 16, 3 }, back = { 18, 3 }, width = 2, capacity = 6 },
    } or nil,
  }
end

describe("the floors of a world", function()
  it("are listed with what they are", function()
    local world = throng.world { map = halls { lift = true }, seed = 1, dt = 0.1 }
    local kinds = {}
    for _, floor in ipairs(world.floors) do kinds[#kinds + 1] = floor.name .. " " .. floor.kind end
    assert.same({ "ground floor", "first floor", "stairs stairs", "a lift" }, kinds)
    assert.same(world.map.floors, world.floors)
    assert.same({}, throng.world({ seed = 1 }).floors)
  end)

  it("tell who comes to another, once for each two floors, with everybody", function()
    local world = throng.world { map = halls(), seed = 3, dt = 0.1 }
    local people = world:spawn { name = "people", count = 40, where = "office" }
    local others = world:spawn { name = "others", count = 20, where = "lobby" }
    local third = world:spawn { name = "third", at = { { 18, 2 } } }
    people:go_to "exit"
    others:go_to { 18, 8, floor = "first" }
    third:go_to { 16, 2 }
    local came, calls = {}, {}
    local function hear(group, from, to)
      local call = group.name .. from .. " " .. to .. " " .. world.steps
      assert.is_nil(calls[call]) -- once a step
      calls[call] = true
      for i = 1, #group do
        local id = group.id[i]
        came[id] = came[id] or { from }
        assert.equal(from, came[id][#came[id]])
        assert.equal(to, group.floor[i])
        table.insert(came[id], to)
      end
    end
    people:on("floor", hear)
    others:on("floor", hear)
    third:on("floor", function() error "they stay where they are" end)
    world:run { seconds = 120, until_done = true }
    assert.equal(61, world:stats().arrived)
    for i = 1, #people do assert.equal("ground", came[people.id[i]][#came[people.id[i]]]) end
    for i = 1, #others do assert.equal("first", came[others.id[i]][#came[others.id[i]]]) end
  end)

  it("tell of lifts, which are one at all of their floors, and of their first step", function()
    local world = throng.world { map = halls { lift = true, no_stairs = true }, seed = 3, dt = 0.1 }
    local people = world:spawn { name = "people", at = { { 14, 3, floor = "first" } } }
    people:go_to { 14, 3 }
    local told = {}
    people:on("floor", function(_, from, to) told[#told + 1] = from .. ">" .. to end)
    world:run { seconds = 60, until_done = true }
    assert.equal("first>a a>ground", table.concat(told, " "))
    -- a group that comes later hears of itself alone
    local later = world:spawn { name = "later", at = { { 14, 3 } } }
    later:on("floor", function(group, from, to) told = { #group, from, to } end)
    later:go_to { 10, 3, floor = "first" }
    world:run { seconds = 60, until_done = true }
    assert.same({ 1, "a", "first" }, told)
  end)

  it("are the heights that behaviour functions know", function()
    for _, case in ipairs { { 0, 1 }, { 0, 8 }, { 6e4, 4 } } do
      local off, hall = case[1], throng.box(case[1], case[1], case[1] + 20, case[1] + 10)
      local function at(x, y, floor) return { off + x, off + y, floor = floor } end
      local map = throng.building {
        floors = { ground = { z = -1, boundary = hall }, first = { z = 2, boundary = hall } },
        stairs = { { name = "stairs", from = "ground", to = "first", foot = at(8, 8), head = at(14, 8) } },
        ramps = { { name = "ramp", from = "ground", to = "first", foot = at(14, 5), head = at(8, 5) } },
      }
      local world = throng.world { map = map, seed = 1, dt = 0.1, simd = case[2] }
      local people = world:spawn { name = "people", planner = "none", at = { at(3, 3), at(3, 3, "first"),
        at(9, 8, "stairs"), at(12.5, 8, "stairs"), at(12.5, 5, "ramp") } }
      people.speed = function(_, a) return a.z + 5 end
      people.mass = function(_, a)
        return 1 + a:on_stairs() + 10 * a:on_ramp() + 100 * a:on_escalator() + 200 * a:on_walkway() + 400 * a:in_lift()
      end
      world:step()
      for i, z in ipairs { -1, 2, -0.5, 1.25, -0.25 } do
        assert.is_near(z + 5, people.speed[i], off > 0 and 0.01 or 1e-5)
      end
      assert.same({ 1, 1, 2, 2, 11 }, people.mass:list())
    end
    -- of one floor there is one height; a column of the script's own hides it
    local flat = throng.world { seed = 1, dt = 0.1 }
    local people = flat:spawn { name = "people", at = { { 0, 0 } } }
    people.speed = function(_, a) return throng.select(a.z < 0, 1, 2) + a:on_stairs() end
    flat:step()
    assert.equal(2, people.speed[1])
    flat = throng.world { seed = 1, dt = 0.1 }
    flat:column("z", { default = 3 })
    people = flat:spawn { name = "people", at = { { 0, 0 } } }
    people.speed = function(_, a) return a.z end
    flat:step()
    assert.equal(3, people.speed[1])
  end)

  it("are where errors say that a place is in a wall", function()
    local world = throng.world { map = halls(), seed = 1 }
    local wall = { 25, 9, floor = "first" }
    local function says(...)
      local _, message = pcall(...)
      assert.is_truthy(message:find("(25, 9)", 1, true), message)
    end
    says(world.spawn, world, { at = { wall } })
    local group = world:spawn { count = 1, where = "office" }
    says(group.go_to, group, { wall })
  end)

  it("are where errors say that nobody can stand", function()
    for _, routing in ipairs { "navmesh", "roadmap", "field" } do
      local function says(text, roadmap, to)
        local world = throng.world { map = throng.building {
          floors = {
            ground = { z = 0, boundary = HALL },
            first = { z = 3.5, boundary = HALL, walls = { throng.box(15, 4, 18, 8) },
              regions = { safe = throng.box(16, 5, 17, 6) },
            },
          },
          stairs = { { name = "stairs", from = "ground", to = "first", foot = { 8, 8 }, head = { 14, 8 }, width = 3 } },
          roadmap = roadmap,
        } }
        local group = world:spawn { at = { { 2, 2 } }, radius = 0.25, routing = routing }
        local _, message = pcall(group.go_to, group, to)
        assert.is_truthy(message:find(text .. ",? lies where no agent of radius 0.25 m can stand"), message)
      end
      says('goal "safe" at %(16, 5%) %.%. %(17, 6%)', nil, "safe")
      if routing == "roadmap" then
        says("node 2 of the roadmap, at %(14.9, 5%)", { nodes = { { 1, 1 }, { 14.9, 5, floor = "first" } } }, { 5, 5 })
      end
    end
  end)

  it("end somewhere: what lies beyond is not on the next", function()
    local world = throng.world { map = halls(), seed = 1 }
    local function says(f, ...)
      local _, message = pcall(f, ...)
      assert.matches('floors_spec.lua:%d+: .*: %(200.0, 5.0%) lies beyond floor ."?ground', message)
    end
    local far = { 200, 5, floor = "ground" }
    says(world.spawn, world, { at = { far } })
    says(world.spawn, world, { at = { { 200, 5 } } })
    says(world.body, world, { box = { 0.3, 0.3 }, at = far })
    says(world.map.path, world.map, { 2, 2 }, far)
    says(world.queue, world, { line = { far, { 2, 2 } }, serve = 1, served = print })
    says(function() world:spawn({ at = { { 2, 2 } } }):go_to(far) end)
    assert.equal(1, #world.agents)
  end)

  it("are kept by those who walk straight, who are sent nowhere else", function()
    local world = throng.world { map = halls(), seed = 1, dt = 0.1 }
    local up, down = { 16, 2, floor = "first" }, world:spawn { count = 3, where = "lobby" }
    local function refused(f, ...)
      local _, message = pcall(f, ...)
      assert.matches('floors_spec.lua:%d+: group .*: 3 of 3 agents are on another floor than the goal, the first on '
        .. '"ground", and straight on they stay there; go_to takes them by stairs', message)
    end
    for _, goal in ipairs { throng.seek(up), throng.flee(up), throng.arrive(up), throng.arrive "office" } do
      refused(function() down:run(throng.fsm { start = "go", go = { goal = goal } }) end)
    end
    refused(function() down:go_to("office", { straight = true }) end)
    refused(function() down:go_to({ up, up, up }, { straight = true }) end)
    down.routing = "direct"
    refused(function() down:go_to(up) end)
    down.routing = "navmesh"
    down:run(throng.fsm { -- where it leaves "climb" is the machine's affair
      start = "climb", climb = { goal = throng.go_to "office", arrived = "seek" },
      seek = { goal = throng.seek(up), arrived = "arrive" },
      arrive = { goal = throng.arrive { 18, 2, floor = "first" } },
    })
    world:run { seconds = 90, until_done = true }
    assert.equal(3, world:stats().arrived)
    for i = 1, 3 do assert.is_true(down.x[i] > 17 and down.floor[i] == "first") end
    throng.fsm { start = "a", a = { goal = throng.go_to { 16, 2 }, arrived = "b" }, -- two places
      b = { goal = throng.go_to(up), arrived = "a" } }
  end)

  it("are told as having no route to where a machine sends them straight", function()
    local world = throng.world { map = halls(), seed = 1, dt = 0.1 }
    world:spawn({ at = { { 3, 5 } } }):run(throng.fsm {
      start = "wait", wait = { goal = throng.wait(1), timeout = "go" }, go = { goal = throng.arrive "office" },
    })
    world:run { seconds = 30 }
    assert.is_true(world:stats().stuck["no route"] > 0)
  end)

  it("are refused to those who have one", function()
    local world = throng.world { seed = 1, dt = 0.1 }
    local people = world:spawn { name = "people", at = { { 0, 0 } } }
    local ok, message = pcall(people.on, people, "floor", print)
    assert.is_false(ok)
    assert.is_truthy(message:find("event 'floor': this world has one floor", 1, true), message)
    ok, message = pcall(people.on, people, "flor", print)
    assert.is_false(ok)
    assert.is_truthy(message:find("did you mean 'floor'", 1, true), message)
  end)

  it("count people on floors, on stairs, and over lines of a floor", function()
    local world = throng.world { map = halls(), seed = 3, dt = 0.1 }
    local people = world:spawn { name = "people", count = 20, where = "office" }
    people:go_to "exit"
    local of = {}
    for _, floor in ipairs(world.floors) do of[floor.name] = world:measure { count = floor.name } end
    local into = world:measure { flow = "stairs" }
    local onto, off = world:measure { flow = "ground" }, world:measure { flow = "first" }
    local line = world:measure { flow = { { 7, 0, floor = "first" }, { 7, 10, floor = "first" } } }
    local below = world:measure { flow = { { 7, 0 }, { 7, 10 } } }
    assert.matches("line from %(7.0, 0.0%) to %(7.0, 10.0%) on 'first'", tostring(line))
    local most = 0
    for _ = 1, 90 do
      world:run { seconds = 1 }
      local inside = #people:inside "stairs"
      most = math.max(most, inside)
      assert.equal(inside, of.stairs.now)
      assert.equal(20, of.stairs.now + of.first.now + of.ground.now)
    end
    assert.is_true(most > 3 and of.stairs.most >= most)
    assert.equal(20, of.ground.now)
    assert.equal(20, of.first.most)
    assert.equal(20, into.forth)
    assert.equal(20, into.back)
    assert.equal(20, onto.forth)
    assert.equal(0, onto.back)
    assert.equal(0, off.forth)
    assert.equal(20, off.back)
    assert.is_true(off.first < into.last and onto.first > into.first, tostring(off))
    assert.equal(20, line.count)
    assert.equal(20, below.count) -- below the same line of the plan
    local ok, message = pcall(world.measure, world, { flow = { { 7, 0 }, { 7, 10, floor = "first" } } })
    assert.is_false(ok)
    assert.is_truthy(message:find("the line begins on 'ground' and ends on 'first'", 1, true), message)
    ok, message = pcall(world.measure, world, { flow = { { 7, 0 }, { 7, 10 }, floor = "first" } })
    assert.is_false(ok)
    assert.is_truthy(message:find("two points, and no field 'floor'; points name their floor", 1, true), message)
  end)
end)
