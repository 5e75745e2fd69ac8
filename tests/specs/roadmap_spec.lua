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

-- A block with a way round either end: nodes 1 and 2 lie south of it, 3 and 4 north.
local NODES = { { 8.5, 2.4 }, { 11.5, 2.4 }, { 8.5, 7.6 }, { 11.5, 7.6 } }

local function with(roadmap, y, settings)
  settings = settings or { threads = 1 }
  local walls = { throng.box(9, 3, 11, 7) }
  settings.map = throng.map { boundary = throng.box(0, 0, 20, 10), walls = walls, roadmap = roadmap }
  local world = throng.world(settings)
  return world, world:spawn { at = { { 8.2, y or 5 } }, routing = "roadmap", radius = 0.25 }
end

local GOAL = throng.box(11.5, 4.5, 12.5, 5.5)

-- "south" or "north" of the block.
local function way_of(roadmap, y)
  local world <close>, group = with(roadmap, y)
  group:go_to(GOAL)
  local way
  for _ = 1, 200 do
    world:step()
    if group.x[1] > 9.8 and group.x[1] < 10.2 then way = group.y[1] < 5 and "south" or "north" end
  end
  assert.arrives(group)
  return way
end

describe("a roadmap of the map's own", function()
  it("leads everybody off an office floor of 212 wall sides by its 429 nodes", function()
    local world <close> = throng.load("scenarios/office_floor.lua", { params = { count = 200 } })
    local staff = world.groups.staff
    assert.equal("roadmap", staff.routing:list()[1])
    world:run { seconds = 200, until_done = true }
    assert.equal(200, world:stats().arrived)
    assert.no_overlap(world)
  end)

  it("is walked by its edges", function()
    local south, north = { 1, 2 }, { 3, 4 }
    assert.equal("south", way_of(nil, 4.9))
    assert.equal("north", way_of(nil, 5.1))
    for _, y in ipairs { 4.9, 5.1 } do
      assert.equal("south", way_of({ nodes = NODES, edges = { south } }, y))
      assert.equal("north", way_of({ nodes = NODES, edges = { north } }, y))
      assert.equal(y < 5 and "south" or "north", way_of({ nodes = NODES, edges = { south, north } }, y))
      assert.equal(y < 5 and "south" or "north", way_of({ nodes = NODES }, y)) -- whoever sees each other
    end
  end)

  it("counts costs of edges and nodes, and who is too large for a node", function()
    local function nodes_with(field, value)
      local nodes = { table.unpack(NODES) }
      nodes[1] = { NODES[1][1], NODES[1][2], [field] = value }
      return nodes
    end
    assert.equal("north", way_of({ nodes = NODES, edges = { { 1, 2, cost = 9 }, { 3, 4 } } }, 4.9))
    assert.equal("south", way_of({ nodes = NODES, edges = { { 1, 2 }, { 3, 4, cost = 1 } } }, 5.1))
    assert.equal("north", way_of({ nodes = nodes_with("cost", 3), edges = { { 1, 2 }, { 3, 4 } } }, 4.9))
    assert.equal("north", way_of({ nodes = nodes_with("max_radius", 0.2), edges = { { 1, 2 }, { 3, 4 } } }, 4.9))
    assert.equal("south", way_of({ nodes = nodes_with("max_radius", 0.3), edges = { { 1, 2 }, { 3, 4 } } }, 4.9))
  end)

  it("says which node or edge is wrong", function()
    local function says(roadmap, text)
      local _, message = pcall(function()
        local world <close>, group = with(roadmap)
        group:go_to(GOAL)
        return world
      end)
      assert.is_truthy(tostring(message):find(text, 1, true), tostring(message))
    end
    local function edges(list) return { nodes = NODES, edges = list } end
    says(3, "throng.map: field 'roadmap' must be a table like {nodes = {{1, 2}, {5, 2}}, edges = {{1, 2}}}, got 3")
    says({ edges = {} }, "throng.map: field 'roadmap' needs a list 'nodes', got nil")
    says({ nodes = NODES, edge = {} }, "roadmap: unknown field 'edge', did you mean 'edges'?")
    says({ nodes = { { 1, 1 }, 3 } }, "throng.map: node 2 of 'roadmap' must be a point {x, y}, got 3")
    says({ nodes = { { 1, 1, costs = 3 } } }, "node 1 of 'roadmap': unknown field 'costs', did you mean 'cost'?")
    says({ nodes = { { 1, 1, cost = -1 } } }, "node 1 of 'roadmap': field 'cost' must be")
    says({ nodes = { { 1, 1 }, { 10, 5 } } }, "throng.map: node 2 of 'roadmap' lies in a wall, at (10")
    says({ nodes = { { 1, 1 }, { 8.9, 5 } } },
      "node 2 of the roadmap, at (8.9, 5), lies where no agent of radius 0.25 m can stand: move it off the walls")
    says(edges { { 1, 2 }, { 1, 5 } }, "throng.map: edge 2 of 'roadmap' must be a whole number from 1 to 4, got 5")
    says(edges { { 1, 2 }, { 3 } }, "throng.map: edge 2 of 'roadmap' must be two nodes, like {1, 2}, got a list of 1")
    says(edges { { 3, 3 } }, "edge 3 - 3 joins a node with itself")
    says(edges { { 1, 2 }, { 1, 4 } }, "edge 1 - 4 of the roadmap runs into a wall for an agent of radius 0.25 m")
  end)

  it("comes with a file of the map maker's that says so", function()
    local folder = io.popen("mktemp -d"):read "l"
    finally(function() os.execute("rm -r " .. folder) end)
    local function file(name, attribute, more)
      local faces = ""
      for _, box in ipairs { { 0, 0, 9, 10 }, { 11, 0, 20, 10 }, { 9, 0, 11, 3 }, { 9, 7, 11, 10 } } do
        local corner = '<point x="%g" y="%g"/>'
        faces = faces .. "<face>" .. corner:format(box[1], box[2]) .. corner:format(box[3], box[2])
          .. corner:format(box[3], box[4]) .. corner:format(box[1], box[4]) .. "</face>\n"
      end
      for i, node in ipairs(NODES) do
        faces = faces .. ('<node id="n%d" x="%g" y="%g" radius="0.1"/>\n'):format(i, node[1], node[2])
      end
      local out = assert(io.open(folder .. "/" .. name, "w"))
      out:write("<map" .. attribute .. ">\n", faces, more, "</map>\n")
      out:close()
      return folder .. "/" .. name
    end
    local function way(path)
      local world <close> = throng.world { map = path, threads = 1 }
      local group = world:spawn { at = { { 8.2, 4.9 } }, routing = "roadmap", radius = 0.25 }
      group:go_to(GOAL)
      local most = 0
      for _ = 1, 200 do
        world:step()
        most = math.max(most, group.y[1])
      end
      assert.arrives(group)
      return most > 7 and "north" or "south"
    end
    local south, north = '<edge start="n1" end="n2"/>', '<edge start="n3" end="n4"/>'
    local own = ' roadmap="true"'
    assert.equal("south", way(file("a.xml", "", north))) -- nodes and edges are only checked
    assert.equal("south", way(file("b.xml", own, south .. north)))
    assert.equal("north", way(file("c.xml", own, north))) -- without the edge nobody goes there
    assert.equal("north", way(file("d.xml", own, '<edge start="n1" end="n2" cost="3"/>' .. north)))
    local line = ("%s map %s --write %s"):format(io.popen("readlink /proc/$PPID/exe"):read "l", folder .. "/d.xml",
      folder .. "/e.xml")
    assert.is_true((os.execute(line .. " >" .. folder .. "/log 2>&1")))
    assert.equal("north", way(folder .. "/e.xml"))
    assert.error_matches(function() way(file("f.xml", own, '\n<edge start="n1" end="n1"/>')) end,
      "f.xml:11: <edge>: edge n1 %- n1 joins a node with itself")
  end)

  it("does without nodes that bodies stand on", function()
    local world <close>, group = with({ nodes = NODES, edges = { { 1, 2 }, { 3, 4 } } }, 4.9)
    world:body { at = { 10, 1.4 }, box = { 3.5, 2.6 }, static = true }
    group:go_to(GOAL)
    local most = 0
    for _ = 1, 200 do
      world:step()
      most = math.max(most, group.y[1])
    end
    assert.arrives(group)
    assert.is_true(most > 7)
  end)

  it("is walked by to the same bits with any SIMD width and threads", function()
    local function hash(simd, threads)
      local settings = { simd = simd, threads = threads }
      local world <close> = throng.load("scenarios/parade.lua", settings)
      world:run { steps = 60 }
      return world:hash()
    end
    local reference = hash(1, 1)
    for _, simd in ipairs { 4, 8 } do assert.same_hash(reference, hash(simd, 2)) end
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
