-- A name that a script gives is taken whole or refused: C's texts end at a zero byte, and a name that was cut there
-- would be another one.
local throng = require "throng"

local function hall()
  local world = throng.world {
    map = throng.map {
      boundary = throng.box(0, 0, 20, 10),
      walls = { throng.box(9, 0, 10, 4), throng.box(9, 6, 10, 10) },
      doors = { gate = { { 9.5, 4 }, { 9.5, 6 } } },
      regions = { west = throng.box(0, 0, 6, 10) },
    },
    people = false, threads = 1,
  }
  world:column "trust"
  local group = world:spawn { name = "guests", at = { { 2, 2 }, { 3, 3 } } }
  group:tag "red"
  world:measure { inside = "west", name = "guests" }
  group:run(throng.fsm { start = "idle", idle = {} })
  return world, group
end

local function storeys()
  local floor = throng.box(0, 0, 20, 10)
  local world = throng.world {
    map = throng.building {
      floors = { ground = { z = 0, boundary = floor }, first = { z = 3, boundary = floor } },
      stairs = { { name = "stair", from = "ground", to = "first", foot = { 12, 2 }, head = { 17, 2 }, width = 1.5 } },
      lifts = { { name = "a", at = { 4, 8 }, back = { 4, 9.8 } } },
    },
    people = false, threads = 1,
  }
  return world, world:spawn { at = { { 2, 2, floor = "ground" } } }
end

local function nothing() end
local ROOM = throng.box(0, 0, 4, 4)

-- By what takes a name: one that it takes, and the call.
local TAKERS = {
  ["map:region"] = { "west", function(name, world) return world.map:region(name) end },
  ["map:door"] = { "gate", function(name, world) return world.map:door(name) end },
  ["map, a field"] = { "name", function(name, world) return world.map[name] end },
  ["map:random_point"] = { "west", function(name, world) return world.map:random_point(name) end },
  ["door, a field"] = { "open", function(name, world) return world.map:door "gate"[name] end },
  ["door.policy"] = { "both", function(name, world) world.map:door "gate".one_way = name end },
  ["world, a field"] = { "steps", function(name, world) return world[name] end },
  ["world.groups"] = { "guests", function(name, world) return world.groups[name] end },
  ["world.measures"] = { "guests", function(name, world) return world.measures[name] end },
  ["world.stages"] = { "plan", function(name, world) return world.stages[name] end },
  ["a stage, a field"] = { "name", function(name, world) return world.stages.plan[name] end },
  ["world:avoidance, who"] = { "guests", function(name, world) world:avoidance(name, "guests", 1) end },
  ["world:avoidance, whom"] = { "guests", function(name, world) world:avoidance("guests", name, 1) end },
  ["world:tagged"] = { "red", function(name, world) return world:tagged(name) end },
  ["world:spawn, a field"] = { "speed", function(name, world) world:spawn { at = { { 5, 5 } }, [name] = 1 } end },
  ["world:spawn, where"] = { "west", function(name, world) world:spawn { count = 1, where = name } end },
  ["world:spawn, routing"] = { "direct", function(name, world) world:spawn { at = { { 5, 5 } }, routing = name } end },
  ["world:spawn, door_policy"] = {
    "wait", function(name, world) world:spawn { at = { { 5, 5 } }, door_policy = name } end,
  },
  ["world:spawn, planner"] = { "rvo", function(name, world) world:spawn { at = { { 5, 5 } }, planner = name } end },
  ["world:source, a field"] = { "rate", function(name, world) world:source { where = "west", [name] = 1 } end },
  ["world:measure, a place"] = { "west", function(name, world) world:measure { inside = name } end },
  ["world:measure, a door"] = { "gate", function(name, world) world:measure { flow = name } end },
  ["world:flow_cap"] = { "gate", function(name, world) world:flow_cap { door = name, flow = 1 } end },
  ["world:column"] = { "hope", function(name, world) world:column(name) end },
  ["world:sink"] = { "west", function(name, world) world:sink { where = name } end },
  ["group, a column"] = { "speed", function(name, _, group) return group[name] end },
  ["group, one of the script's"] = { "trust", function(name, _, group) group[name] = 1 end },
  ["agent, a column"] = { "speed", function(name, _, group) return group[1][name] end },
  ["agent, a column that is written"] = { "speed", function(name, _, group) group[1][name] = 1 end },
  ["group.routing"] = { "direct", function(name, _, group) group.routing = name end },
  ["group.door_policy"] = { "wait", function(name, _, group) group.door_policy = name end },
  ["group.planner"] = { "rvo", function(name, _, group) group.planner = name end },
  ["group:go_to"] = { "west", function(name, _, group) group:go_to(name) end },
  ["group:go_to, a list"] = { "west", function(name, _, group) group:go_to { name, ROOM } end },
  ["group:go_to, an option"] = { "radius", function(name, _, group) group:go_to({ 1, 1 }, { [name] = 1 }) end },
  ["group:inside"] = { "west", function(name, _, group) return group:inside(name) end },
  ["group:become"] = { "guests", function(name, _, group) group:become(name) end },
  ["group:tag"] = { "blue", function(name, _, group) group:tag(name) end },
  ["group:untag"] = { "red", function(name, _, group) group:untag(name) end },
  ["group:in_state"] = { "idle", function(name, _, group) return group:in_state(name) end },
  ["group:on"] = { "arrived", function(name, _, group) group:on(name, nothing) end },
  ["group:on, a place"] = { "west", function(name, _, group) group:on("entered", name, nothing) end },
  ["group:choose"] = { "west", function(name, _, group) group:choose { exits = { name } } end },
  ["a machine's state"] = { "rest", function(name, _, group) group:run(throng.fsm { start = name, [name] = {} }) end },
  ["a machine's goal"] = {
    "west", function(name, _, group) group:run(throng.fsm { start = "a", a = { goal = throng.go_to(name) } }) end,
  },
  ["a machine's prey"] = {
    "guests", function(name, _, group) group:run(throng.fsm { start = "a", a = { goal = throng.pursue(name) } }) end,
  },
  ["a machine's condition"] = {
    "trust", function(name, _, group)
      group:run(throng.fsm { start = "a", a = { when = { { throng.below(name, 1), "b" } } }, b = {} })
    end,
  },
  ["a planner's parameter"] = { "horizon", function(name) throng.orca { [name] = 1 } end },
  ["throng.map, a field"] = { "boundary", function(name) throng.map { [name] = ROOM } end },
  ["throng.map, a region"] = { "all", function(name) throng.map { boundary = ROOM, regions = { [name] = ROOM } } end },
  ["throng.map, a door"] = {
    "all", function(name) throng.map { boundary = ROOM, doors = { [name] = { { 0, 0 }, { 0, 1 } } } } end,
  },
  ["throng.map, a door's field"] = {
    "cost", function(name) throng.map { boundary = ROOM, doors = { d = { { 0, 0 }, { 0, 1 }, [name] = 1 } } } end,
  },
  ["throng.map, a file"] = { "maps/office.tmx", function(name) throng.map(name) end },
  ["throng.map, a role"] = {
    "walls", function(name) throng.map { file = "tests/fuzz/drawing/none.dxf", layers = { [name] = "A*" } } end,
    "tests/fuzz/drawing/none.dxf",
  },
  ["throng.map, a layer"] = {
    "A*", function(name) throng.map { file = "tests/fuzz/drawing/none.dxf", layers = { walls = name } } end,
    "tests/fuzz/drawing/none.dxf",
  },
  ["throng.world, a field"] = { "seed", function(name) throng.world({ threads = 1, [name] = 1 }):close() end },
  ["throng.world, a region"] = {
    "all", function(name) throng.world({ threads = 1, regions = { [name] = ROOM } }):close() end,
  },
  ["throng.population"] = { "imo", function(name) throng.population(name) end },
  ["throng.params"] = { "width", function(name) throng.params { [name] = 1 } end },
  ["throng.building, a floor"] = {
    "a", function(name) throng.building { floors = { [name] = { z = 0, boundary = ROOM } } } end,
  },
  ["throng.building, a floor's field"] = {
    "boundary", function(name) throng.building { floors = { a = { z = 0, [name] = ROOM } } } end,
  },
  ["map:flight"] = { "stair", function(name, world) return world.map:flight(name) end, storeys },
  ["flight, a field"] = { "name", function(name, world) return world.map:flight "stair"[name] end, storeys },
  ["world.lifts"] = { "a", function(name, world) return world.lifts[name] end, storeys },
  ["lift, a field"] = { "name", function(name, world) return world.lifts.a[name] end, storeys },
  ["lift:shuttle, from"] = {
    "first", function(name, world) world.lifts.a:shuttle({ name }, "ground") end, storeys,
  },
  ["lift:shuttle, to"] = { "ground", function(name, world) world.lifts.a:shuttle({ "first" }, name) end, storeys },
  ["a place's floor"] = { "first", function(name, _, group) group:go_to { 5, 5, floor = name } end, storeys },
  ["a flight's floor"] = {
    "first", function(name)
      throng.building {
        floors = { ground = { z = 0, boundary = throng.box(0, 0, 20, 10) },
          first = { z = 3, boundary = throng.box(0, 0, 20, 10) } },
        stairs = { { from = "ground", to = name, foot = { 12, 2 }, head = { 17, 2 }, width = 1.5 } },
      }
    end,
  },
  ["a lift's floor"] = {
    "first", function(name)
      throng.building {
        floors = { ground = { z = 0, boundary = throng.box(0, 0, 20, 10) },
          first = { z = 3, boundary = throng.box(0, 0, 20, 10) } },
        lifts = { { at = { 4, 8 }, back = { 4, 9.8 }, floors = { "ground", name } } },
      }
    end,
  },
}

describe("a name with a zero byte in it", function()
  local names = {}
  for what in pairs(TAKERS) do names[#names + 1] = what end
  table.sort(names)
  for _, what in ipairs(names) do
    it("is refused by " .. what, function()
      local name, call, place = table.unpack(TAKERS[what])
      local world, group = (type(place) == "function" and place or hall)()
      local plain, problem = pcall(call, name, world, group)
      assert.is_true(plain or type(place) == "string" and tostring(problem):find(place, 1, true) ~= nil, problem)
      for _, tail in ipairs { "\0", "\0x", "\0" .. name } do
        local ok, message = pcall(call, name .. tail, world, group)
        assert.is_false(ok, what)
        assert.matches("names_spec.lua:%d+: .*zero byte", message)
      end
      world:close()
    end)
  end
end)
