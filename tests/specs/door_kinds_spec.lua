-- Doors that let people through one way, that are half open, and that open for so many.
local throng = require "throng"

-- A room of 20 x 10 m in halves, joined by two doors of 1 m.
local function room(settings)
  settings = settings or {}
  return throng.world {
    map = throng.map {
      boundary = throng.box(0, 0, 20, 10),
      walls = { throng.box(10, 0, 10.2, 2), throng.box(10, 3, 10.2, 7), throng.box(10, 8, 10.2, 10) },
      doors = { south = { { 10.1, 2 }, { 10.1, 3 } }, north = { { 10.1, 7 }, { 10.1, 8 } } },
    },
    regions = { left = throng.box(0, 0, 9, 5), right = throng.box(11, 0, 20, 5) },
    threads = 1,
    seed = settings.seed,
  }
end

describe("a one-way door", function()
  for _, planner in ipairs { "orca", "forces", "social_force" } do
    it("is passed one way alone, and the other way round, under " .. planner, function()
      for way, expected in pairs { forth = { 12, 0, 0, 12 }, back = { 0, 12, 12, 0 } } do
        local world <close> = room()
        local south, north = world:measure { flow = "south" }, world:measure { flow = "north" }
        world.map:door("south").one_way = way
        assert.equal(way, world.map:door("south").one_way)
        local forth = world:spawn { count = 12, where = "left", planner = planner }
        local back = world:spawn { count = 12, where = "right", planner = planner }
        forth:go_to(throng.box(17, 0, 20, 10))
        back:go_to(throng.box(0, 0, 3, 10))
        world:run { seconds = 80, until_done = true }
        assert.same(expected, { south.forth, south.back, north.forth, north.back })
        assert.no_overlap(world)
      end
    end)
  end

  it("lets through who walks beside a body, and the body not", function()
    local world <close> = room()
    world.map:door("south").one_way = "forth"
    world:body { circle = 0.25, at = { 10.35, 3.15 }, static = true } -- so near that the physics has an eye on them
    local ball = world:body { circle = 0.2, at = { 9.2, 2.3 }, mass = 5, friction = 0, velocity = { 1.5, 0 } }
    local people = world:spawn { at = { { 6, 2.5 } } }
    people:go_to { 15, 2.5 }
    world:run { seconds = 12 }
    assert.is_true(people.x[1] > 11, "came to x = " .. people.x[1])
    assert.is_true(ball.x < 10.1, "rolled to x = " .. ball.x)
  end)

  it("leaves those on its wrong side without a route, where there is no other", function()
    local world <close> = throng.world { map = throng.map {
      boundary = throng.box(0, 0, 30, 12),
      walls = { throng.box(10, 0, 10.2, 4), throng.box(10, 5, 10.2, 12) },
      doors = { gate = { { 10.1, 4 }, { 10.1, 5 } } },
    } }
    world.map:door("gate").one_way = "forth"
    local people = world:spawn { count = 5, where = throng.box(11, 0, 30, 12) }
    people:go_to { 2, 6 }
    local causes = {}
    world:on("stuck", function(_, cause) causes[cause] = true end)
    world:run { seconds = 40 }
    assert.is_true(causes["no route"]) -- and not "wall": beside the door all press on that
    assert.is_nil(causes.wall)
  end)

  it("is on no path that leads the other way", function()
    local world <close> = room()
    world.map:door("south").one_way = "forth"
    local there = world.paths:request { from = { 5, 2.5 }, to = { 15, 2.5 } }
    local back = world.paths:request { from = { 15, 2.5 }, to = { 5, 2.5 } }
    world:step()
    assert.near(10, there.length, 0.01)
    assert.is_true(back.length > 12, back.length)
    world.map:door("south").one_way = "both"
    local again = world.paths:request { from = { 15, 2.5 }, to = { 5, 2.5 } }
    world:step()
    assert.near(10, again.length, 0.01)
  end)

  it("holds up whoever knows no other way, who is told so", function()
    local world <close> = throng.world { threads = 1, map = throng.map { boundary = throng.box(0, 0, 20, 5),
      walls = { throng.box(10, 0, 10.2, 2), throng.box(10, 3, 10.2, 5) },
      doors = { gate = { { 10.1, 2 }, { 10.1, 3 } } } } }
    world.map:door("gate").one_way = "back"
    local people = world:spawn { at = { { 7, 2.5 } } }
    people:go_to { 15, 2.5 }
    world:run { seconds = 20 }
    assert.is_true(people.x[1] < 10.1)
    assert.equal("closed door", world:stuck()[1].cause)
  end)

  it("is a wall to whoever pushes on without asking for a way", function()
    for way, reach in pairs { back = 9.9, forth = 16 } do
      local world <close> = room()
      world.map:door("south").one_way = way
      local people = world:spawn { at = { { 7, 2.5 } }, desired = function() return 1, 0 end }
      world:run { seconds = 10 }
      assert.near(reach, people.x[1], 1)
      assert.equal(way == "forth", people.x[1] > 10.1)
    end
  end)

  it("may stand in a building", function()
    local hall = throng.box(0, 0, 20, 10)
    local world <close> = throng.world { threads = 1, map = throng.building {
      floors = { low = { z = 0, boundary = hall, walls = { throng.box(10, 0, 10.2, 2), throng.box(10, 3, 10.2, 10) },
          doors = { gate = { { 10.1, 2 }, { 10.1, 3 } } } }, high = { z = 3, boundary = hall } },
      stairs = { { from = "low", to = "high", foot = { 2, 8 }, head = { 8, 8 } } },
    } }
    local gate = world.map:door "low/gate"
    gate.one_way = "back"
    local there = world:spawn { at = { { 5, 2 } } }
    local back = world:spawn { at = { { 15, 2 } } }
    there:go_to { 15, 5 }
    back:go_to { 5, 5 }
    world:run { seconds = 20 }
    assert.is_true(there.x[1] < 10.1)
    assert.near(5, back.x[1], 0.6)
  end)

  it("says what is wrong", function()
    local world <close> = room()
    local door = world.map:door "south"
    assert.error_matches(function() door.one_way = "in" end, 'one_way must be "both", "forth" or "back", got "in"')
    assert.error_matches(function() door.one_way = 1 end, "got 1")
    world:spawn({ count = 1, where = "left", routing = "field" }):go_to "right"
    assert.error_matches(function() door.one_way = "forth" end,
      'door "south": one%-way doors are heeded on the navmesh only: they do not go with routing = "field"')
    local other <close> = room()
    other.map:door("south").one_way = "forth"
    local people = other:spawn { count = 1, where = "left", routing = "field" }
    assert.error_matches(function() people:go_to "right" end, "one%-way doors are heeded on the navmesh only")
  end)
end)

describe("a half open door", function()
  local function hall()
    return throng.world { threads = 1, map = throng.map {
      boundary = throng.box(0, 0, 20, 10), walls = { throng.box(10, 0, 10.2, 2), throng.box(10, 4, 10.2, 10) },
      doors = { gate = { { 10.1, 2 }, { 10.1, 4 } } },
    } }
  end

  local function flow_of(part)
    local world <close> = hall()
    world.map:door("gate"):open(part)
    assert.is_true(world.map:door("gate").is_open)
    local people = world:spawn { count = 60, where = throng.box(0, 0, 9, 8) }
    local flow = world:measure { flow = "gate" }
    people:go_to(throng.box(18, 0, 20, 10))
    people:on("arrived", function(group) group:remove() end)
    world:run { seconds = 100, until_done = true }
    assert.no_overlap(world)
    return flow.flow, flow.count
  end

  it("lets through as many as its part is wide", function()
    local whole, half = flow_of(1), flow_of(0.5)
    assert.is_true(half < 0.75 * whole and half > 0.4 * whole, ("%g of %g"):format(half, whole))
    assert.equal(0, select(2, flow_of(0.15)))
  end)

  it("is open on the side of its first point, until it is opened whole", function()
    local world <close> = hall()
    local door = world.map:door "gate"
    door:open(0.5)
    assert.equal(1, world:stats().bodies)
    local people = world:spawn { at = { { 8, 3.6 } } }
    local most
    people:go_to { 14, 3.6 }
    while people.x[1] < 10.2 and world.time < 20 do
      world:step()
      if people.x[1] > 10 then most = math.max(most or 0, people.y[1]) end
    end
    assert.is_true(most and most < 3, most)
    door:open(0.7)
    assert.equal(1, world:stats().bodies)
    door:open()
    assert.equal(0, world:stats().bodies)
    door:open(0.5)
    door:open(0.999) -- no leaf is as narrow as what is left
    assert.equal(0, world:stats().bodies)
    assert.error_matches(function() door:open(0) end, "the part must be a number > 0 and <= 1, got 0")
  end)
end)

describe("a door with a limit", function()
  it("opens for so many, and sends the others another way", function()
    local world <close> = room()
    local gate = world:flow_cap { door = "south", limit = 8 }
    local north = world:measure { flow = "north" }
    local people = world:spawn { count = 30, where = "left" }
    people:go_to(throng.box(17, 0, 20, 10))
    people:on("arrived", function(group) group:remove() end)
    world:run { seconds = 80, until_done = true }
    assert.is_true(gate.measure.count >= 8 and gate.measure.count <= 9, tostring(gate.measure))
    assert.equal(30, gate.measure.count + north.count)
    assert.is_false(world.map:door("south").is_open)
    gate:admit(5)
    world:step()
    assert.is_true(world.map:door("south").is_open)
  end)

  it("keeps its flow, too", function()
    local world <close> = room()
    world.map:door("north"):close()
    local gate = world:flow_cap { door = "south", limit = 10, flow = 0.5 }
    world:spawn({ count = 30, where = "left" }):go_to(throng.box(17, 0, 20, 10))
    world:run { seconds = 15 }
    assert.is_true(gate.measure.count <= 8, tostring(gate.measure))
    world:run { seconds = 45 }
    local passed = gate.measure.count
    assert.is_true(passed >= 10 and passed <= 12, passed) -- who is in the door passes it
    gate:admit(5)
    world:run { seconds = 20 }
    assert.is_true(gate.measure.count >= 15 and gate.measure.count <= 17, gate.measure.count)
    gate:remove()
    world:step()
    assert.is_true(world.map:door("south").is_open)
  end)

  it("says what is wrong", function()
    local world <close> = room()
    assert.error_matches(function() world:flow_cap { door = "south", limit = 2.5 } end, "field 'limit' must be a whole")
    assert.error_matches(function() world:flow_cap { door = "south" } end, "or a 'limit' %(persons%)")
    local cap = world:flow_cap { door = "south", flow = 1 }
    assert.error_matches(function() cap:admit(2) end, "has no 'limit'")
    local gate = world:flow_cap { door = "north", limit = 1 }
    assert.error_matches(function() gate:admit "x" end, 'cap:admit: the count must be a whole number.- got "x"')
  end)
end)
