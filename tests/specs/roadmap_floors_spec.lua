-- Roadmaps of buildings: by floor, over flights by what these cost, through lifts, and the map's own.
local throng = require "throng"
local command = dofile "tests/specs/command.lua"
local needs = dofile "tests/specs/needs.lua"
local flights = dofile "tests/specs/flights.lua"

local OUTLINE, building = flights.OUTLINE, flights.building

local function walk(map, from, to) return flights.walk(map, "roadmap", from, to) end

local function floors_of(map, from, to) return flights.taken(map, "roadmap", from, to) end

local UP, DOWN = { 3, 4 }, { 17, 4, floor = "first" }

describe("the roadmap of a building", function()
  it("leads up and down by the nearer flight", function()
    assert.same({ "ground", "south", "first" }, floors_of(building {}, UP, "first/east"))
    assert.same({ "first", "south", "ground" }, floors_of(building {}, DOWN, "ground/west"))
    assert.same({ "ground", "north", "first" }, floors_of(building {}, { 3, 6 }, "first/east"))
  end)

  it("sees nothing through a ceiling", function()
    -- right above the goal, which would be seen there
    assert.same({ "first", "south", "ground" }, floors_of(building {}, { 4, 4.5, floor = "first" }, "ground/west"))
  end)

  it("counts what flights cost", function()
    assert.same({ "ground", "north", "first" }, floors_of(building { south = { cost = 9 } }, UP, "first/east"))
    assert.same({ "first", "north", "ground" }, floors_of(building { south = { cost = 9 } }, DOWN, "ground/west"))
    -- the escalator takes no longer than a floor, and stairs twice that
    assert.same({ "ground", "north", "first" }, floors_of(building { escalator = { speed = 0.75 } }, UP, "first/east"))
  end)

  it("leads nobody against an escalator, and turns with it", function()
    local map = building { escalator = { direction = "down" }, south = { cost = 50 } }
    assert.same({ "ground", "south", "first" }, floors_of(map, UP, "first/east"))
    assert.same({ "first", "north", "ground" }, floors_of(map, DOWN, "ground/west"))
    local world <close>, on = walk(map, UP, "first/east")
    world.map:flight("north"):reverse()
    world:run { seconds = 60, until_done = true }
    assert.same({ "ground", "north", "first" }, on)
  end)

  it("is as quick as the navmesh, and loses nobody, in a tower", function()
    local function mean(routing)
      local world <close> = throng.load("scenarios/tower.lua", { params = { count = 120 } })
      world.groups.staff.routing = routing
      world.groups.staff:go_to "exit"
      world:run { seconds = 200, until_done = true }
      assert.equal(120, world:stats().arrived)
      assert.no_overlap(world)
      return world:stats().mean_travel
    end
    local by_mesh = mean "navmesh"
    assert.near(by_mesh, mean "roadmap", 0.1 * by_mesh)
  end)

  it("rides by lifts", function()
    local map = throng.building {
      floors = {
        ground = { z = 0, boundary = OUTLINE }, first = { z = 4, boundary = OUTLINE },
        second = { z = 8, boundary = OUTLINE, regions = { desk = throng.box(15, 8, 16, 9) } },
      },
      lifts = { { name = "a", at = { 10, 5 }, back = { 12, 5 }, width = 2, capacity = 6 } },
    }
    local world <close> = throng.world { map = map, dt = 0.1, seed = 3 }
    local people = world:spawn { count = 10, where = "ground", routing = "roadmap" }
    people:go_to "second/desk"
    world:run { seconds = 200, until_done = true }
    assert.equal(10, world:stats().arrived)
    assert.no_overlap(world)
    people:go_to { 3, 3 }
    world.lifts.a:stop()
    world:run { seconds = 20 }
    assert.equal(0, world:stats().arrived) -- nobody boards
    world.lifts.a:start()
    world:run { seconds = 200, until_done = true }
    assert.equal(10, world:stats().arrived)
    world.lifts.a:shuttle({ "second" }, "ground") -- of the first floor it takes nobody
    local first = world:spawn { at = { { 18, 1, floor = "first" } }, routing = "roadmap" }
    first:go_to { 3, 3 }
    world:run { seconds = 30 }
    assert.equal("first", first.floor[1])
    assert.is_near(18, first.x[1], 0.1)
  end)

  it("heeds a closed door on its floor alone", function()
    local walls = { throng.box(9, 0, 9.2, 4), throng.box(9, 5, 9.2, 9) } -- an opening of 1 m, and one at the end
    local function floor(z)
      return { z = z, boundary = OUTLINE, walls = walls, doors = { door = { { 9.1, 4 }, { 9.1, 5 } } } }
    end
    local function through(shut, z)
      local map = throng.building {
        floors = { ground = floor(0), first = floor(3.5) },
        stairs = { { from = "ground", to = "first", foot = { 17, 2 }, head = { 12, 2 }, width = 1.5 } },
      }
      local world <close> = throng.world { map = map, dt = 0.1, seed = 1 }
      world.map:door(shut):close()
      local one = world:spawn { at = { { 2, 4.5, floor = z } }, routing = "roadmap" }
      one:go_to { 10.5, 4.5, floor = z }
      local y
      for _ = 1, 300 do
        world:step()
        if not y and one.x[1] > 9.1 then y = one.y[1] end
      end
      assert.equal(1, world:stats().arrived)
      return y > 5 and "the end" or "the door"
    end
    assert.equal("the end", through("ground/door", "ground"))
    assert.equal("the door", through("first/door", "ground"))
    assert.equal("the end", through("first/door", "first"))
  end)
end)

describe("a roadmap of a building's own", function()
  local NODES = {
    { 4, 5 }, { 5, 8 }, { 13, 8, floor = "first" }, { 16, 5, floor = "first" }, { 5, 2 }, { 13, 2, floor = "first" },
  }

  it("leads over the flights of its edges, at their costs", function()
    local function by(edges)
      return floors_of(building { roadmap = { nodes = NODES, edges = edges } }, UP, "first/east")
    end
    assert.same({ "ground", "south", "first" }, by(nil))
    assert.same({ "ground", "south", "first" },
      by { { 1, 2 }, { 2, 3 }, { 3, 4 }, { 1, 5 }, { 5, 6 }, { 6, 4 } })
    assert.same({ "ground", "north", "first" },
      by { { 1, 2 }, { 2, 3 }, { 3, 4 }, { 1, 5 }, { 5, 6, cost = 9 }, { 6, 4 } })
  end)

  it("is told apart from what does not lead there", function()
    local function ask(nodes, edges)
      return function() floors_of(building { roadmap = { nodes = nodes, edges = edges } }, UP, "first/east") end
    end
    assert.error_matches(ask(NODES, { { 1, 3 } }),
      "edge 1 %- 3 of the roadmap leads from one floor to another, and not straight over a flight")
    assert.error_matches(ask({ { 8, 8 } }), "node 1 of 'roadmap' lies in a wall, at %(8.0, 8.0%)")
    assert.error_matches(ask({ { 8, 8, floor = "cellar" } }), "node 1 of 'roadmap': unknown floor 'cellar'")
  end)

  it("is read from the map maker's file, and written", function()
    local folder = io.popen("mktemp -d"):read "l"
    finally(function() os.execute("rm -r " .. folder) end)
    local FACE = '<face><point x="0" y="0"/><point x="20" y="0"/><point x="20" y="10"/><point x="0" y="10"/></face>'
    local function write(cost)
      command.write(folder .. "/a.xml", ([[
        <map roadmap="true">
          <edge start="ground/1" end="first/1"/>
          <floor name="ground" z="0">
            FACE <node id="0" x="4" y="5"/> <node id="1" x="5" y="8"/> <node id="2" x="5" y="2"/>
            <edge start="0" end="1"/> <edge start="0" end="2"/>
            <stairs name="north" x0="6" y0="8" x1="12" y1="8" width="2"/>
            <stairs name="south" x0="6" y0="2" x1="12" y1="2" width="2"/>
          </floor>
          <floor name="first" z="3.5">
            FACE <node id="0" x="16" y="5"/> <node id="1" x="13" y="8"/> <node id="2" x="13" y="2"/>
            <edge start="0" end="1"/> <edge start="0" end="2"/>
            <region name="east"><point x="18" y="4"/><point x="19" y="4"/><point x="19" y="6"/></region>
          </floor>
          <edge start="ground/2" end="first/2" cost="COST"/>
        </map>]]):gsub("FACE", FACE):gsub("COST", cost))
    end
    local function by(file) return floors_of(throng.building { file = folder .. "/" .. file }, UP, "first/east") end
    write(0)
    assert.same({ "ground", "south", "first" }, by "a.xml")
    write(9)
    assert.same({ "ground", "north", "first" }, by "a.xml")
    assert.equal(0, (command.throng("map a.xml --write b.xml", folder)))
    assert.same({ "ground", "north", "first" }, by "b.xml")
    assert.equal(0, (command.throng("map b.xml --write c.xml", folder)))
    assert.equal(command.read(folder .. "/b.xml"), command.read(folder .. "/c.xml"))
    local _, nodes = command.read(folder .. "/c.xml"):gsub("<node", "")
    local _, edges = command.read(folder .. "/c.xml"):gsub("<edge", "")
    assert.same({ 6, 6 }, { nodes, edges })
  end)

  it("comes with its floors, and is joined over flights", function()
    local pillar = { throng.box(16, 4, 17, 6) }
    local map = throng.building {
      floors = {
        ground = { z = 0, boundary = OUTLINE },
        first = {
          z = 3.5, boundary = OUTLINE, walls = pillar, regions = { east = throng.box(18, 4.5, 19, 5.5) },
          roadmap = { nodes = { { 13.5, 9 }, { 18, 8 } }, edges = { { 1, 2 } } },
        },
      },
      stairs = { { name = "stairs", from = "ground", to = "first", foot = { 6, 5 }, head = { 12, 5 }, width = 2 } },
    }
    local world <close> = walk(map, UP, "first/east")
    local north = 0
    for _ = 1, 400 do
      world:step()
      north = math.max(north, world.agents.y[1])
    end
    assert.equal(1, world:stats().arrived)
    assert.is_true(north > 6.7) -- by the node, not round the corner of the pillar, at 6.3
  end)
end)

describe("the same bits by the roadmap of a building", function()
  local hash = flights.hash_of("roadmap", { escalator = { speed = 0.6 } })

  it("come from every width and number of threads", function()
    flights.on_every_width(hash, assert.same_hash)
  end)

  it("come from CUDA", function()
    needs.device(pending)
    assert.same_hash(hash { backend = "cpu", simd = 1, threads = 1 }, hash { backend = "cuda" })
  end)
end)
