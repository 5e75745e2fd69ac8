-- What goes wrong is said with file and line, the field, and what would be valid.
local throng = require "throng"
local host = dofile "tests/specs/command.lua"
local write, THRONG = host.write, host.THRONG

-- Writes a scenario and loads it; the error's message.
local function load_error(text, overrides)
  local path = write(os.tmpname(), text)
  local ok, message = pcall(throng.load, path, overrides)
  os.remove(path)
  assert(not ok, "the scenario was loaded without an error")
  return (message:gsub(path:gsub("%p", "%%%0"), "scenario.lua"))
end

-- The same for a line of code in a scenario with a world, line 3 of the file.
local function line_error(code, overrides)
  return load_error(([[
local throng = require "throng"
local world = throng.world { threads = 1, regions = { hall = throng.box(0, 0, 20, 20) } }
%s
world:run { steps = 5 }
return world
]]):format(code), overrides)
end

local function has(message, ...)
  for _, part in ipairs { ... } do
    if not message:find(part, 1, true) then
      error(("expected '%s' in:\n%s"):format(part, message), 2)
    end
  end
end

describe("a loop over the numbers of agents", function()
  it("that removes some says how to remove them", function()
    local message = line_error [[
      local g = world:spawn { count = 6, where = "hall", name = "guests" }
      for i = 1, #g do g[i]:remove() end]]
    has(message, "scenario.lua:4: attempt to index a nil value", "group 'guests' has 3 agents now, and [4] is nobody",
      "for _, agent in ipairs(group) do", "group:remove() removes all at once")
    message = line_error [[
      local g = world:spawn { count = 6, where = "hall" }
      while g[1] do g[1]:remove() end
      local nothing = {}
      nothing.at.x = 3]]
    has(message, "attempt to index a nil value (field 'at')")
    assert.is_nil(message:find("ipairs", 1, true))
    message = line_error [[
      local g, nothing = world:spawn { count = 6, where = "hall" }, nil
      world:on_step(function() if world.steps < 2 then return g[7] == nil else return nothing.x end end)]]
    has(message, "scenario.lua:4: attempt to index a nil value")
    assert.is_nil(message:find("is nobody", 1, true), "asked for in another step")
  end)
end)

describe("a group of nobody", function()
  it("is said to be one where a machine's random path begins", function()
    local message = line_error [[
      local g = world:spawn { count = 2, where = "hall", name = "guests" }
      g:remove()
      g:run(throng.fsm { start = "stroll", stroll = { goal = throng.random_path() } })]]
    has(message, "scenario.lua:5: group 'guests':run: nobody is in it, and a random path begins where somebody stands",
      "run it when somebody is, or give random_path places to go to")
  end)
end)

describe("a line break in a name", function()
  it("does not end the line that tells of it", function()
    has(line_error 'world:spawn { count = 1, name = "a\\nb", where = "hall" }',
      "world:spawn 'a\\nb': a group has a name with a line break")
    has(line_error 'world:spawn { count = 1, where = "hall" }:go_to "a\\nb"',
      "unknown region 'a\\nb'; expected one of: hall")
  end)
end)

describe("an error of a scenario that is loaded", function()
  it("names the line that loads it, too", function()
    local message = load_error([[
local params = require("throng").params { n = 1 }
return params]], { params = { m = 2 } })
    has(message, "scenario.lua:1: throng.params: unknown parameter 'm'")
    assert.matches("\nstack:\n  scenario.lua:1: in the main chunk\n  [^\n]*"
      .. "errors_spec.lua:%d+: in throng.load$", message)
  end)
end)

describe("a list of names, or a boolean,", function()
  it("is refused by columns of one name with the names that there are", function()
    for column, names in pairs { routing = "method (navmesh, roadmap, field, direct)",
      door_policy = "rule (reroute, wait)" } do
      local message = line_error(([[
        local g = world:spawn { count = 2, where = "hall" }
        g.%s = { "wait", "field" }]]):format(column))
      has(message, ("scenario.lua:4: group.%s must be the name of a %s, got a list of 2"):format(column, names),
        "one name for all; a part of them, like group:filter(f), has its own")
      has(line_error(([[
        local g = world:spawn { count = 2, where = "hall" }
        g.%s = true]]):format(column)), ("group.%s must be the name of a %s, got true"):format(column, names))
    end
  end)
end)

describe("a wrong field", function()
  it("say where what was looked for is", function()
    local world = throng.world {
      map = throng.map { boundary = throng.box(0, 0, 20, 10) }, regions = { hall = throng.box(0, 0, 4, 10) },
    }
    local group = world:spawn { count = 2, where = "hall" }
    assert.error_matches(function() return world.doors end, "unknown field 'doors': a door is world.map:door", 1, true)
    assert.error_matches(function() world:after(3, print) end, "'after': world:at(world.time + 3, f)", 1, true)
    assert.error_matches(function() world:spawn { n = 3 } end, "unknown field 'n': it is called count", 1, true)
    assert.error_matches(function() world:spawn { count = 3, goal = "hall" } end, "'goal': group:go_to sends", 1, true)
    assert.error_matches(function() world:source { rate = 1, count = 3 } end, "a 'limit' (of all)", 1, true)
    assert.error_matches(function() group.colour = "#f00" end, "'colour': it is a setting of world:spawn", 1, true)
    assert.error_matches(function()
      group.speed = function(_, a) return a.distance_to "hall" end
    end, 'called with a colon: a:distance_to "hall"', 1, true)
  end)

  it("name the same one of several each time, the first by name", function()
    local world = throng.world { map = throng.map { boundary = throng.box(0, 0, 20, 10) } }
    local group = world:spawn { at = { { 3, 3 } }, name = "one" }
    local wrong = { zz = 1, yy = 1, xx = 1, ww = 1, vv = 1, uu = 1, tt = 1, aa = 1 }
    local function with(settings)
      for name, value in pairs(wrong) do settings[name] = value end
      return settings
    end
    local plan = { boundary = throng.box(0, 0, 20, 10) }
    for what, f in pairs {
      ["world:spawn"] = function() world:spawn(with { count = 1 }) end,
      ["throng.world"] = function() throng.world(with {}) end,
      ["world:source"] = function() world:source(with { rate = 1 }) end,
      ["world:sink"] = function() world:sink(with { where = throng.box(0, 0, 1, 1) }) end,
      ["world:queue"] = function() world:queue(with { serve = 1 }) end,
      ["across"] = function() across(with { seeds = 2 }, print) end,
      ["assert.arrives"] = function() assert.arrives(group, with {}) end,
      ["layers"] = function() throng.map { file = "maps/willow.pgm", layers = with {} } end,
      ["of 'roadmap'"] = function()
        throng.map { boundary = plan.boundary, roadmap = { nodes = { with { 1, 1 }, { 5, 5 } } } }
      end,
      ["door 'd'"] = function()
        throng.map { boundary = plan.boundary, doors = { d = with { { 1, 1 }, { 1, 2 } } } }
      end,
      ["'walls'"] = function()
        throng.map { boundary = plan.boundary, walls = with { throng.box(1, 1, 2, 2) } }
      end,
    } do
      local ok, message = pcall(f)
      assert.is_false(ok, what)
      has(tostring(message), what:match "[%w']+$", "aa")
      assert.is_nil(tostring(message):find "%f[%a][t-z][t-z]%f[%A]", message)
    end
  end)

  it("of stats tells what there is, and what nobody has done yet is nil", function()
    local world = throng.world { regions = { hall = throng.box(0, 0, 4, 10) } }
    local group = world:spawn { count = 2, where = "hall" }
    local function refuses(part, f) assert.error_matches(f, part, 1, true) end
    refuses("world:stats(): unknown field 'arived', did you mean 'arrived'?", function()
      return world:stats().arived
    end)
    refuses("group:stats(): unknown field 'last_arival', did you mean 'last_arrival'?", function()
      return group:stats().last_arival
    end)
    refuses("world:stats(): unknown field 'stuk', did you mean 'stuck'?", function() return world:stats().stuk end)
    for _, stats in ipairs { world:stats(), group:stats() } do
      assert.is_nil(stats.last_arrival)
      assert.is_nil(stats[1])
      local count = 0
      for name in pairs(stats) do
        count = count + 1
        assert.is_not_nil(stats[name])
      end
      assert.is_true(count >= 3)
    end
  end)

  it("that cannot be written is not said to be another", function()
    local world = throng.world {}
    local group = world:spawn { at = { { 0, 0 } } }
    local function refuses(part, f) assert.error_matches(f, part, 1, true) end
    refuses("group: 'name' cannot be written; world:spawn { name = ... } gives a group its name", function()
      group.name = "x"
    end)
    refuses("group: 'count' cannot be written", function() group.count = 3 end)
    refuses("group: 'go_to' cannot be written", function() group.go_to = "hall" end)
    refuses("unknown field 'nmae', did you mean 'name'?", function() group.nmae = "x" end)
  end)

  it("know words of others, and that there is a plan to be given", function()
    local world = throng.world {}
    local group = world:spawn { at = { { 0, 0 } } }
    local function refuses(part, f) assert.error_matches(f, part, 1, true) end
    refuses("'width': the plan is map = throng.map { boundary = ", function() throng.world { width = 3 } end)
    refuses("'rect': it is called throng.box(x0, y0, x1, y1)", function() throng.rect(0, 0, 1, 1) end)
    refuses("'on_arrived': events are heard by group:on(\"arrived\", f)", function() group.on_arrived = print end)
    refuses("'move_to': it is called go_to", function() group:move_to "exit" end)
    refuses("'kill': it is called remove", function() group:kill() end)
    refuses("unknown region 'exit' (there are none; throng.world { regions = ", function() group:go_to "exit" end)
    refuses("run after others in a state machine, group:run(throng.fsm", function() group:go_to(group) end)
    refuses("a behaviour is called with the time and the agent, function(t, a)", function()
      group.speed = function(a) return a.speed * 2 end
    end)
  end)

  it("tell doors from regions, points from numbers, and the words of other libraries", function()
    local world = throng.world {
      map = throng.map { boundary = throng.box(0, 0, 20, 10), doors = { gate = { { 10, 0 }, { 10, 10 } } } },
      regions = { hall = throng.box(0, 0, 4, 10) },
    }
    local group = world:spawn { count = 2, where = "hall" }
    local function refuses(part, f) assert.error_matches(f, part, 1, true) end
    refuses("'gate' is a door, which is a line; a region is expected", function() group:go_to "gate" end)
    refuses("'gate' is a door", function() group:on("left", "gate", print) end)
    refuses("'hall' is a region; a door is a line, doors = { hall = ", function() world.map:door "hall" end)
    refuses("a point is one table, group:go_to { 8, 6 }", function() group:go_to(8, 6) end)
    refuses("write { 3, 4 }, not { x = 3, y = 4 }", function() world:spawn { at = { { x = 3, y = 4 } } } end)
    refuses("corners are given as throng.box(x0, y0, x1, y1)", function()
      world:spawn { count = 2, where = { 1, 1, 9, 9 } }
    end)
    refuses("'gaussian': it is called throng.normal", function() throng.gaussian(1.3, 0.2) end)
    refuses("'tau': it is called horizon", function() throng.orca { tau = 2 } end)
    refuses("'diameter': it is called radius, half of that", function() world:spawn { diameter = 0.5 } end)
    refuses("'destination': group:go_to sends", function() world:spawn { destination = "hall" } end)
    refuses("'every': it is called rate", function() world:source { every = 2, where = "hall" } end)
    refuses("'region': it is called where", function() world:sink { region = "hall" } end)
    refuses("'at': it is called line", function() world:queue { at = { 3, 4 } } end)
    refuses("'join': queues take agents in: queue:join(group)", function() group:join() end)
    refuses("'stop': who has no wish stands: group.desired = { 0, 0 }", function() group:stop() end)
    refuses("'average': it is called mean", function() group.speed:average() end)
    refuses("'wait': what agents do beside walking to a place is a state of a machine", function() group:wait(3) end)
    refuses("'kind': the quantity is the field", function() world:measure { kind = "density", region = "hall" } end)
    refuses("position 1, (30, 5), lies beyond the map, which is from (0, 0) to (20, 10)", function()
      world:spawn { at = { { 30, 5 } } }
    end)
    refuses("(30, 5) lies beyond the map", function() world:body { circle = 0.2, at = { 30, 5 } } end)
  end)

  it("tell what lists, doors and methods take, and where agents of a group begin", function()
    local floor = throng.box(0, 0, 20, 10)
    local world = throng.world {
      map = throng.map { boundary = floor, doors = { gate = { { 10, 0 }, { 10, 10 } } } },
      regions = { hall = throng.box(0, 0, 4, 10) },
    }
    local group = world:spawn { count = 3, where = "hall" }
    local gate, queue = world.map:door "gate", world:queue {
      line = { { 12, 5 }, { 6, 5 } }, serve = 4, served = function(agent) agent:remove() end,
    }
    local function refuses(part, f) assert.error_matches(f, part, 1, true) end
    local function door(entry) return function() throng.map { boundary = floor, doors = entry } end end
    refuses("'walls' is a list, whose entries have no names: write { throng.box(...), ... }, without 'pillar ='",
      function() throng.map { boundary = floor, walls = { pillar = throng.box(5, 5, 6, 6) } } end)
    refuses("without 'pillar ='", function()
      throng.map { boundary = floor, walls = { throng.box(1, 1, 2, 2), pillar = throng.box(5, 5, 6, 6) } }
    end)
    local floors = { low = { z = 0, boundary = floor }, high = { z = 3, boundary = floor } }
    for _, list in ipairs { "stairs", "ramps", "lifts" } do
      refuses(("throng.building: '%s' is a list, whose entries have no names: write { { name = ..., ... }, ... }, "
        .. "without 'west ='"):format(list), function() throng.building { floors = floors, [list] = { west = {} } } end)
    end
    refuses("throng.map: 'nodes' of field 'roadmap' is a list, whose entries have no names: write { { x, y }, ... }",
      function() throng.map { boundary = floor, roadmap = { nodes = { a = { 1, 1 } } } } end)
    refuses("without 'a ='", function() world:spawn { count = 2, where = { a = "hall" } } end)
    assert.equal(200, throng.map { boundary = floor, walls = {} }.area)
    refuses("corners are given as throng.polygon { { x, y }, ... }", function()
      throng.map { boundary = { { 0, 0 }, { 20, 0 }, { 20, 10 } } }
    end)
    for _, name in ipairs { "scale", "thickness", "speck" } do
      refuses(("'%s' is about how a file is read, and there is no 'file'"):format(name), function()
        throng.map { boundary = floor, [name] = 0.01 }
      end)
    end
    refuses("'unit' is about how a file is read", function() throng.map { boundary = floor, unit = "mm" } end)
    refuses("its name is the key, and its ends are two points",
      door { gate = { from = { 10, 4 }, to = { 10, 6 } } })
    refuses("door 'gate': unknown field 'closed': it is open at first; world.map:door(\"name\"):close() closes it",
      door { gate = { { 10, 4 }, { 10, 6 }, closed = true } })
    refuses("doors = {north = { { x, y }, { x, y } }}", door { { { 10, 4 }, { 10, 6 } } })
    refuses("door 'gate', from (30.0, 4.0) to (30.0, 6.0), lies beyond the map",
      door { gate = { { 30, 4 }, { 30, 6 } } })
    refuses("throng.uniform takes (from, to), and got 3 besides", function() throng.uniform(1, 2, 3) end)
    refuses("throng.normal takes (mean, deviation), and got 3 besides", function() throng.normal(1, 2, 3) end)
    refuses("throng.box takes (x0, y0, x1, y1), and got 10 besides", function() throng.box(0, 0, 0, 20, 10, 3) end)
    refuses("'circle': a round place or wall is throng.polygon", function() throng.circle(1, 1, 1) end)
    refuses("group[0]: agents of a group are counted from 1", function() return group[0] end)
    refuses("column[0]: values of a column are counted from 1", function() return group.x[0] end)
    refuses("for i, agent in ipairs(group) do", function() for _ in group do print "never" end end)
    refuses("removes all 3; group[2]:remove() removes one", function() group:remove(2) end)
    refuses("removes all 3 of the group before the colon; of one that a function is given, as `arrived`, write "
      .. "arrived:remove()", function() group:remove(group:filter(function(a) return a.x < 0 end)) end)
    refuses("expected a door, got nothing (methods are called with a colon: door:close(", function() gate.close() end)
    refuses("door:close takes (), and got 5 besides", function() gate:close(5) end)
    refuses("(methods are called with a colon: map:door(", function() world.map.door "gate" end)
    refuses("'rate': it is called flow: persons a second", function() world:flow_cap { door = "gate", rate = 1 } end)
    refuses("unknown door or region 'gat', did you mean 'gate'? Expected one of: gate, hall", function()
      world:measure { flow = "gat" }
    end)
    refuses("'till' (5.0 s) is before 'from' (10.0 s)", function()
      world:measure { density = "hall", from = 10, till = 5 }
    end)
    refuses("'till' (5 s) is before 'from' (10 s): nobody would come", function()
      world:source { rate = 1, where = "hall", from = 10, till = 5 }
    end)
    refuses("90 degrees are math.rad(90)", function() world:body { box = { 1, 1 }, at = { 14, 5 }, angle = 90 } end)
    refuses("'exits' must be a list, { \"hall\" }", function() group:choose { exits = "hall" } end)
    refuses("entry 2 of 'line', (40, 5), lies beyond the map, which is from (0, 0) to (20, 10)", function()
      world:queue { line = { { 12, 5 }, { 40, 5 } }, serve = 4, served = print }
    end)
    refuses("entry 1 of 'counters', (12, 50), lies beyond", function()
      world:queue { line = { { 12, 5 }, { 6, 5 } }, serve = 4, served = print, counters = { { 12, 50 } } }
    end)
    refuses("queue:join takes one group, and got a group besides: unite them, a | b", function()
      queue:join(group[1], group[2])
    end)
    refuses("expected a queue, got a group (methods are called with a colon: queue:join(", function()
      queue.join(group)
    end)
    local sink = world:sink { where = "hall" }
    refuses("sink.count cannot be written", function() sink.count = 0 end)
    refuses("queue.length cannot be written", function() queue.length = 0 end)
    assert.is_nil(queue.serve_first) -- what it does is its own
    assert.equal(3, group.count)
  end)

  it("say into what agents do not fit, and why", function()
    local world = throng.world {
      map = throng.map { boundary = throng.box(0, 0, 20, 10) }, people = false,
      regions = { hall = throng.box(0, 0, 4, 10), rooms = { throng.box(5, 0, 6, 1), throng.box(7, 0, 8, 1) } },
    }
    local function refuses(where, ...)
      for _, part in ipairs { ... } do
        assert.error_matches(function()
          world:spawn { count = 400, where = where, radius = 0.25 }
        end, part, 1, true)
      end
    end
    refuses("hall", "of 400 agents fit into 'hall', 40 m² with what stands there; side by side they take 86.6 m²")
    refuses("rooms", "of 400 agents fit into 'rooms' and 1 more, 2 m²")
    refuses(throng.box(1, 1, 2, 2), "fit into the area, 1 m²")
    refuses(throng.box(30, 0, 40, 10), "only 0 of 400 agents fit into the area, which lies outside of the map",
      "(0, 0) to (20, 10) m")
  end)

  it("of throng.world is named, with what is meant", function()
    has(load_error [[
local throng = require "throng"
return throng.world {
  sed = 7,
}
]], "scenario.lua:2: ", "unknown field 'sed'", "did you mean 'seed'?", "Expected one of: map, regions, wrap, dt")
  end)

  it("of world:spawn is named", function()
    has(line_error 'world:spawn { count = 5, where = "hall", raduis = 0.2 }', "scenario.lua:3: ", "'raduis'",
      "did you mean 'radius'?")
  end)

  it("of throng.orca is named", function()
    has(line_error "throng.orca { horizn = 3 }", "scenario.lua:3: ", "did you mean 'horizon'?")
  end)

  it("of throng itself is named", function()
    has(line_error "throng.wrold {}", "scenario.lua:3: ", "throng: unknown field 'wrold', did you mean 'world'?")
    has(line_error "throng.goals.idle_waker()", "throng.goals: unknown field", "did you mean 'idle_walker'?")
  end)

  it("of a group is named", function()
    has(line_error 'local g = world:spawn { count = 5, where = "hall" } g.sped = 1', "scenario.lua:3: ",
      "did you mean 'speed'?")
  end)

  it("of a world is named", function()
    has(line_error "world:rnu { steps = 3 }", "scenario.lua:3: ", "did you mean 'run'?")
  end)

  it("of world.groups is named", function()
    has(line_error 'world:spawn { count = 1, where = "hall", name = "staff" } print(world.groups.staf)',
      "scenario.lua:3: ", "did you mean 'staff'?")
  end)

  it("in place of a list is named", function()
    has(line_error "world:spawn { 5 }", "scenario.lua:3: ", "expected named fields")
  end)
end)

describe("a wrong type", function()
  local cases = {
    { 'world:spawn { count = "many", where = "hall" }', "field 'count' must be a whole number >= 1, got \"many\"" },
    { 'world:spawn { count = 2.5, where = "hall" }', "field 'count' must be a whole number >= 1, got 2.5" },
    { "world:spawn { count = 2, where = 5 }", "field 'where' must be a region's name, throng.box", "got 5" },
    { 'world:spawn { count = 2, where = "hall", radius = "big" }', "field 'radius' must be a number, throng.uniform" },
    { 'world:spawn { count = 2, where = "hall", planner = 5 }', "field 'planner' must be a planner's name" },
    { 'world:spawn { count = 2, where = "hall", name = 5 }', "field 'name' must be a string, got 5" },
    { 'world:spawn { count = 2, where = "hall", colour = "no such colour" }', "got \"no such colour\"" },
    { "world:spawn { at = { 1, 2 } }", "must be a list of points {x, y}; for one point write { { 3, 4 } }, not" },
    { "world:spawn { at = { { 1, 2, 3 } } }", "field 'at'[1] must be a point {x, y}, got a list of 3" },
    { "world:spawn(5)", "expected a table" },
    { "world.spawn {}", "expected a world, got a table", "colon" },
    { 'world:on_step "x"', "expected a function(world, time)" },
    { "world:run(5)", "expected a table like {seconds = 60}, got 5" },
    { "throng.world { record = 5 }", "field 'record' must be false or a table" },
    { "throng.world { until_done = 1 }", "field 'until_done' must be true or false, got 1" },
    { "throng.world { map = 5 }", "field 'map' must be the path of a map or throng.map{...}, got 5" },
    { "throng.world { regions = 5 }", "field 'regions' must be a table of names and shapes" },
    { "throng.world { regions = { hall = 5 } }", "region 'hall' must be throng.box, throng.polygon" },
    { "world.time = 5", "world.time cannot be written" },
  }
  for _, case in ipairs(cases) do
    it("in " .. case[1], function() has(line_error(case[1]), "scenario.lua:3: ", table.unpack(case, 2)) end)
  end
end)

describe("a value out of range", function()
  local cases = {
    { 'world:spawn { count = -5, where = "hall" }', "field 'count' must be a whole number >= 1, got -5" },
    { 'world:spawn { count = 3e9, where = "hall" }', "field 'count' must be a whole number from 1 to 2147483647" },
    { 'world:spawn { count = 1e12, where = "hall" }', "from 1 to 2147483647, got 1000000000000.0" },
    { 'world:spawn { count = 2e9, where = "hall" }', "field 'count': 2000000000 agents take more than what is left" },
    { 'world:spawn { count = 1e30, where = "hall" }', "from 1 to 2147483647, got 1e+30" },
    { 'world:spawn { count = 5, where = "hall", name = "" }', "field 'name' must have 1 to 63 bytes, got 0" },
    { 'world:spawn { count = 5, where = "hall", name = ("ä"):rep(40) }', "1 to 63 bytes, got 80" },
    { 'world:spawn { count = 0/0, where = "hall" }', "field 'count' must be a whole number", "NaN" },
    { 'world:spawn { count = 5, where = "hall", radius = 0 }', "field 'radius' must be a number >= 0.001", "m, got 0" },
    { 'world:spawn { count = 5, where = "hall", radius = -1 }', "field 'radius'", "got -1" },
    { 'world:spawn { count = 5, where = "hall", radius = 0/0 }', "field 'radius'", "got not a number (NaN)" },
    { 'world:spawn { count = 5, where = "hall", speed = 1/0 }', "field 'speed'", "m/s, got infinity" },
    { 'world:spawn { count = 5, where = "hall", mass = -80 }', "field 'mass'", "kg, got -80" },
    { 'world:spawn { count = 5, where = "hall", radius = throng.uniform(-1, 1) }', "the least value must be" },
    { 'world:spawn { count = 5, where = "hall", speed = throng.normal(1, 1) }', "less 3 deviations" },
    { "world:spawn { at = { { 0/0, 1 } } }", "field 'at'[1]: x must be", "NaN" },
    { "throng.uniform(2, 1)", "from must not be greater than to" },
    { "throng.uniform(0, 1/0)", "to must be a finite number, got infinity" },
    { "throng.uniform(-1/0, 0)", "from must be a finite number, got -infinity" },
    { "throng.normal(1, -1)", "the standard deviation must be a number >= 0" },
    { "throng.orca { horizon = 0 }", "field 'horizon' must be a number > 0" },
    { "throng.orca { neighbours = 99 }", "field 'neighbours' must be a whole number from 0 to 16, got 99" },
    { "throng.world { dt = 0 }", "field 'dt' must be a number >= 0.0001 and <= 1 s, got 0" },
    { "throng.world { dt = 1e-5 }", "field 'dt' must be a number >= 0.0001 and <= 1 s, got 1e-05" },
    { "throng.world { dt = 5e-324 }", "field 'dt'" },
    { "throng.world { dt = 1.1 }", "field 'dt'" },
    { "throng.world { dt = 100 }", "field 'dt'", "got 100" },
    { "throng.world { dt = 0/0 }", "field 'dt'", "NaN" },
    { "throng.world { seed = -1 }", "field 'seed' must be a whole number >= 0, got -1" },
    { "throng.world { seconds = -1 }", "field 'seconds' must be a number > 0" },
    { "throng.world { simd = 3 }", "simd must be 1, 4, 8 or 16", "got 3" },
    { "throng.world { threads = -2 }", "field 'threads'", "got -2" },
    { 'throng.world { backend = "cudaa" }', "unknown backend 'cudaa', did you mean 'cuda'?" },
    { "throng.world { record = { every = 0 } }", "field 'every' must be a number > 0" },
    { "throng.box(0, 0, 0, 5)", "the box is empty" },
    { "throng.box(0, 0, 1/0, 5)", "x1 must be", "infinity" },
    { "throng.polygon { { 0, 0 }, { 1, 1 } }", "a polygon needs at least 3 points, got 2" },
    { "throng.bvp { residual = function() return 0.1 end }", "residual takes no behaviour function" },
    { 'world:source { rate = 1, limit = 2.5, where = "left" }', "field 'limit' must be a whole number, got 2.5" },
    { "world:source { schedule = { { 0, 10 ^ 12 // 1 | 0 } } }", "entry 1 of 'schedule' must be {seconds, count}" },
    { "world:source { rate = 5, to = { { 15, 5 } } }", "field 'to' must be a place or one point {x, y} for all" },
    { "world:every(1e-9, print)", "the period must be a number >= 0.001 and <= 1e+09 s, got 1e-09" },
    { "throng.wander { radius = 1e30 }", "field 'radius' must be a number > 0 and <= 1e+09, got 1e+30" },
    { "throng.wait(1e300)", "the least time in seconds must be a number >= 0 and <= 1e+09, got 1e+300" },
    { "throng.random_path { places = -1 }", "field 'places' must be a whole number from 1 to 256, got -1" },
    { "throng.random_path { places = 1e12 }", "field 'places' must be a whole number from 1 to 256" },
    { "world:run { seconds = -1 }", "field 'seconds' must be a number >= 0" },
    { "world:run { steps = 1, seconds = 1 }", "give 'seconds' or 'steps', not both" },
  }
  for _, case in ipairs(cases) do
    it("in " .. case[1], function() has(line_error(case[1]), "scenario.lua:3: ", table.unpack(case, 2)) end)
  end
end)

describe("a group", function()
  local function group_error(code)
    return line_error('local g = world:spawn { name = "staff", at = { { 5, 5 }, { 8, 5 } } } ' .. code)
  end

  it("refuses columns that are not for writing, and lists those that are", function()
    has(group_error "g.x = 5", "scenario.lua:3: ", "group.x cannot be written; columns that can: vx, vy, radius, mass")
  end)

  it("refuses values out of range", function()
    has(group_error "g.radius = 0", "group.radius must be a number >= 0.001")
    has(group_error "g.speed = { 1, 0/0 }", "group.speed[2] must be", "NaN")
    has(group_error "g.speed = { 1 }", "group.speed: 1 values for 2 agents")
    has(group_error "g.speed = true", "group.speed must be a number, throng.uniform")
    has(group_error "g.neighbours = 2.5", "group.neighbours must be a whole number from 0 to 16, got 2.5")
    has(group_error "g.neighbours = { 2, 3.5 }", "group.neighbours[2] must be a whole number from 0 to 16, got 3.5")
    has(group_error "g.neighbours = g.speed", "group.neighbours must be a whole number from 0 to 16, got 1.3")
    has(group_error "g.congestion = 0.5", "group.congestion must be a whole number from 0 to 1, got 0.5")
    local message = load_error [[
local throng = require "throng"
local world = throng.world { map = throng.map { boundary = throng.box(0, 0, 3, 2) } }
local guests = world:spawn { count = 3, name = "guests", radius = 0.25 }
guests.planner = throng.bvp { size = 30 }
return world
]]
    has(message, "scenario.lua:4: group.planner of 'guests': throng.bvp: a local map of 30 x 30 cells of 0.15 m is")
    has(group_error 'g.planner = "orcq"', "unknown planner 'orcq', did you mean 'orca'?")
  end)

  -- Of every field of planners that look for velocity obstacles: what it must be, and what it must not be.
  local TAKES = {
    wall_horizon = { "a number > 0 and <= 1e+06 s", "0", "-1", "0/0", "1/0" },
    sight = { "a number >= 0 and <= 1e+06 m", "-1", "0/0", "1/0" },
    neighbours = { "a whole number from 0 to 16", "-1", "17", "2.5", "0/0" },
    max_acceleration = { "a number > 0 and <= 1e+06 m/s^2", "0", "-1", "0/0", "1/0" },
  }
  local FIELDS = {
    clearpath = {
      horizon = { "a number > 0 and <= 1e+06 s", "0", "-1", "0/0", "1/0" },
      variant = { "a whole number from 1 to 2", "0", "3", "-1", "1.5", "0/0", "'second'" },
    },
    rvo = {
      alpha = { "a number >= 0 and <= 1", "-0.1", "1.5", "0/0", "{}" },
      samples = { "a whole number from 1 to 65536", "0", "-5", "1e9", "10.5", "0/0", "'many'" },
      weight = { "a number >= 0 and <= 1e+06 m", "-1", "0/0", "1/0" },
    },
  }
  for planner, own in pairs(FIELDS) do
    for _, fields in ipairs { TAKES, own } do
      for field, values in pairs(fields) do
        it(("names the range of %s's %s"):format(planner, field), function()
          for i = 2, #values do
            local code = ("g.planner = throng.%s { %s = %s }"):format(planner, field, values[i])
            has(group_error(code),
              ("scenario.lua:3: throng.%s: field '%s' must be %s, got "):format(planner, field, values[1]))
          end
        end)
      end
    end
  end

  it("names the fields that velocity obstacles take", function()
    has(group_error "g.planner = throng.rvo { horizon = 3 }",
      "throng.rvo: unknown field 'horizon'; expected one of: wall_horizon, sight, neighbours, samples")
    has(group_error "g.planner = throng.clearpath { alpha = 0.5 }",
      "throng.clearpath: unknown field 'alpha'; expected one of: horizon, wall_horizon, sight, neighbours, variant")
    has(group_error "g.planner = throng.rvo { sampels = 3 }", "did you mean 'samples'?")
  end)

  it("is left as it was by a write that fails", function()
    local world = throng.world { threads = 1 }
    local group = world:spawn { at = { { 5, 5 }, { 8, 5 } } }
    group.speed = 1
    pcall(function() group.speed = { 0.5, -1 } end)
    assert.same({ 1, 1 }, group.speed:list())
  end)

  it("refuses to write into a column that was read", function()
    has(group_error "g.speed[1] = 2", "is a copy; write the whole column back: group.speed = ..., "
      .. "or one agent's: group[i].speed = ...")
    local world = throng.world { threads = 1 }
    local group = world:spawn { at = { { 5, 5 }, { 8, 5 } } }
    group.speed = 1
    group[2].speed = 0.5
    assert.same({ 1, 0.5 }, group.speed:list())
  end)

  it("knows its events", function()
    has(group_error 'g:on("arived", print)', "unknown event 'arived', did you mean 'arrived'?")
    has(group_error 'g:on("arrived", 5)', "the second argument must be a function(group), got 5")
  end)

  it("knows its targets", function()
    has(group_error 'g:go_to "hal"', "group:go_to: unknown region 'hal', did you mean 'hall'?")
    has(group_error "g:go_to(5)", "expected a region's name, throng.box, throng.polygon, a point {x, y}")
    has(group_error "g:go_to { { 1, 1 } }", "1 points for 2 agents")
    has(group_error "g:go_to { x = 1, y = 2 }", "a point is { x, y }, like { 1.0, 2.0 }")
    has(group_error "g:go_to { 1, 0/0 }", "the target: y must be", "NaN")
    has(group_error "g:go_to({ 1, 1 }, { radius = 0 })", "field 'radius' must be a number > 0")
    has(group_error "g:go_to({ 1, 1 }, { raduis = 1 })", "did you mean 'radius'?")
  end)

  it("has a name of its own", function()
    has(group_error 'world:spawn { name = "staff", at = { { 1, 1 } } }', "there is a group named 'staff' already")
  end)
end)

describe("a map", function()
  it("that is missing is named", function()
    has(line_error 'throng.world { map = "maps/nowhere.yaml" }', "scenario.lua:3: ", "maps/nowhere.yaml")
  end)

  it("that is not an image is named", function()
    has(line_error 'throng.world { map = "README.md" }', "scenario.lua:3: ", "README.md")
  end)

  it("without free space is refused", function()
    has(line_error "throng.map { boundary = throng.box(0, 0, 4, 4), walls = { throng.box(-1, -1, 5, 5) } }",
      "scenario.lua:3: ", "nothing is left free")
  end)

  it("that is a picture of walls only is refused", function()
    local path = write(os.tmpname() .. ".pgm", "P5\n40 40\n255\n" .. ("\0"):rep(1600))
    finally(function() os.remove(path) end)
    has(line_error(("throng.world { map = %q }"):format(path)), "scenario.lua:3: ", path, "free")
  end)

  it("needs something to be made from", function()
    has(line_error "throng.map {}", "give 'file', or 'walls', or 'boundary'")
  end)
end)

describe("what cannot be", function()
  local room = "throng.world { map = throng.map { boundary = throng.box(0, 0, 20, 10),"
    .. " walls = { throng.box(9, -1, 11, 11) } } }"

  it("more agents than fit says how many do", function()
    has(line_error 'world:spawn { name = "crowd", count = 100000, where = "hall" }', "scenario.lua:3: ",
      "world:spawn 'crowd'", "fit")
  end)

  it("a goal behind a wall says who, where and why", function()
    has(line_error("local w = " .. room
      .. ' local g = w:spawn { name = "staff", at = { { 2, 2 }, { 4, 4 } } } g:go_to { 15, 5 }'), "scenario.lua:3: ",
      "group 'staff':go_to", "2 of 2 agents cannot reach the goal", "(2.00, 2.00)")
  end)

  it("agents inside a wall are refused", function()
    has(line_error("local w = " .. room .. " w:spawn { at = { { 10, 5 } } }"), "scenario.lua:3: ", "(10")
  end)

  it("a world without a map needs a place for agents", function()
    has(line_error "throng.world { threads = 1 }:spawn { count = 5 }", "a world without a map needs 'where' or 'at'")
  end)
end)

describe("a scenario", function()
  it("with a syntax error is named with the line", function()
    has(load_error 'local throng = require "throng"\nlocal world = throng.world {{\n', "scenario.lua:", "expected")
  end)

  it("that uses a word of Lua's own for a name is told so", function()
    has(load_error "local group\ngroup:goto(3)", ":2: <name> expected near 'goto'", "agents are sent with go_to")
    has(load_error "local end = 5", "'end' is a word of Lua's own and names nothing")
  end)

  it("that returns no world is told so", function()
    has(load_error "local x = 5", "scenario.lua returned nil, not a world: end the scenario with `return world`")
    has(load_error "return 5", "returned 5, not a world")
  end)

  it("that is missing is named", function()
    local ok, message = pcall(throng.load, "scenarios/nowhere.lua")
    assert.is_false(ok)
    has(message, "there is no file 'scenarios/nowhere.lua'")
  end)

  it("with an error of its own has a traceback of the user's code only", function()
    local message = load_error [[
local function helper(t) return t.x.y end
local function outer() return 1 + helper {} end
outer()
]]
    has(message, "scenario.lua:1: attempt to index a nil value (field 'x')", "stack:", "scenario.lua:2:",
      "scenario.lua:3: in the main chunk")
    assert.is_nil(message:find("[C]", 1, true))
  end)

  it("knows its parameters", function()
    local text = 'local throng = require "throng"\nthrong.params { width = 1 }\nreturn throng.world {}'
    has(load_error(text, { params = { widht = 2 } }), "scenario.lua:2: ", "unknown parameter 'widht'",
      "did you mean 'width'?")
    has(load_error(text, { params = { width = "wide" } }), "'width' must be a number like 1, got \"wide\"")
    has(load_error(text, { params = { width = 0 / 0 } }), "'width' must be a number like 1, got not a number (NaN)")
    has(load_error("return require('throng').world {}", { params = { width = 1 } }), "takes no parameters", "'width'")
  end)

  it("knows what throng.load can override", function()
    has(load_error("return 5", { sed = 5 }), "throng.load: unknown field 'sed', did you mean 'seed'?")
    has(load_error("return 5", { seed = -5 }), "throng.load: field 'seed' must be a whole number >= 0, got -5")
  end)
end)

describe("a callback", function()
  it("that fails gives traceback, step and group", function()
    local message = line_error [[
local g = world:spawn { name = "staff", at = { { 5, 5 } } }
g:go_to({ 5.2, 5 }, { radius = 0.4 })
local function broken(group) error("oh no: " .. #group) end
g:on("arrived", function(group) broken(group) end)]]
    has(message, "scenario.lua:5: oh no: 1", "in the \"arrived\" callback of group 'staff', step 1 (0.1 s)", "stack:",
      "scenario.lua:5: in upvalue 'broken'", "scenario.lua:6:")
  end)

  it("that fails names the agents it was about", function()
    has(line_error [[
local at = {} for i = 1, 7 do at[i] = { 2 * i, 5 } end
local g = world:spawn { name = "staff", at = at }
g:go_to "hall"
g:on("arrived", function() error "oh no" end)]], "of group 'staff', step 1 (0.1 s), agents 0, 1, 2, 3, 4 and 2 more\n")
    has(line_error [[
local g = world:spawn { name = "staff", at = { { 5, 5 } } }
g:run(throng.fsm { start = "a", a = { goal = throng.wait(), enter = function() error "oh no" end } })]],
      "in the enter hook of state 'a', step 1 (0.1 s), agent 0\n")
  end)

  it("that fails is counted when the run is to keep going", function()
    local path = os.tmpname()
    local file = assert(io.open(path, "w"))
    file:write [[
local world = require("throng").world { threads = 1 }
world:on_step(function() if world.steps % 2 == 0 then error "even" end end)
world:every(0.3, function() local _ = nothing.at_all end)
return world
]]
    file:close()
    finally(function() os.remove(path) end)
    local pipe = assert(io.popen(("%s run %s --steps 10 --out none --keep-going 2>&1"):format(THRONG, path)))
    local text = pipe:read "a"
    local _, _, status = pipe:close()
    assert.equal(1, status)
    local _, shown = text:gsub("error: [^\n]+:2: even\n  in a world:on_step callback, step 0 %(0 s%)\nstack:\n", "")
    assert.equal(1, shown)
    assert.matches("failed       5 times: [^\n]+:2: even\n", text)
    assert.matches("failed       3 times: [^\n]+:3: attempt to index a nil value %(global 'nothing'%)", text)
    assert.matches("the time was up after 1.0 s", text)
  end)

  it("of on_step that fails gives the step", function()
    local message = line_error "world:on_step(function(w) if w.steps == 3 then error 'three' end end)"
    has(message, "scenario.lua:3: three", "in a world:on_step callback, step 3 (0.3 s)")
    local _, count = message:gsub("stack:", "")
    assert.equal(1, count)
  end)

  it("says what it does after a world that it ran", function()
    local message = line_error [[world:on_step(function(w)
      local other <close> = throng.world { threads = 1 }
      other:spawn { at = { { 0, 0 } } }
      other:on_step(function() end)
      other.stages.plan:before(function() end)
      other:run { steps = 2 }
      if w.steps == 2 then error "outside" end
    end)]]
    has(message, "outside\n  in a world:on_step callback, step 2 (0.2 s)\n")
  end)

  it("that never ends is stopped", function()
    has(line_error "world:on_step(function() while true do end end)", "scenario.lua:3: ", "stopped after",
      "instructions", "endless loop", "step 0")
  end)

  it("that never ends cannot catch being stopped", function()
    has(line_error "world:on_step(function() while true do pcall(function() while true do end end) end end)",
      "stopped after")
    has(line_error [[world:on_step(function()
      while true do coroutine.resume(coroutine.create(function() while true do end end)) end
    end)]], "stopped after")
  end)

  it("cannot step, run or close its own world", function()
    has(line_error "world:on_step(function(w) w:step() end)", "world:step cannot be called in a callback")
    has(line_error "world:on_step(function(w) w:run {} end)", "world:run cannot be called in a callback")
    has(line_error "world:on_step(function(w) w:close() end)", "world:close cannot be called in a callback")
  end)

  it("may fail, and the world goes on", function()
    local world = throng.world { threads = 1 }
    local fail = true
    world:on_step(function() if fail then error "once" end end)
    assert.is_false(pcall(world.step, world))
    fail = false
    world:step()
    assert.equal(1, world.steps)
  end)
end)

describe("a global that nobody declared", function()
  local function says(code)
    local path = write(os.tmpname(), ([[
local throng = require "throng"
local world = throng.world { threads = 1 }
%s
return world
]]):format(code))
    finally(function() os.remove(path) end)
    local pipe = assert(io.popen(("%s run %s --steps 9 --out none 2>&1"):format(THRONG, path)))
    local text = pipe:read "a"
    pipe:close()
    local _, warnings = text:gsub("warning: ", "")
    return (text:gsub(path:gsub("%p", "%%%0"), "scenario.lua")), warnings
  end

  it("is warned of once a place, with what is meant", function()
    local text, warnings = says "speed = 1\nworld:on_step(function()\n  local x = sped\n  local y = sped\nend)"
    has(text, "warning: scenario.lua:5: nothing is called 'sped', did you mean 'speed'?", "scenario.lua:6: nothing")
    assert.equal(2, warnings)
  end)

  it("is warned of when a function makes it", function()
    local text, warnings = says "world:on_step(function()\n  count = 5\nend)"
    has(text, "warning: scenario.lua:4: 'count' becomes a global of the whole scenario", "write `local count`")
    assert.equal(1, warnings)
  end)

  it("is none when it was set outside of functions", function()
    local _, warnings = says "count = 0\nworld:on_step(function() count = count + 1 assert(rawget(_G, 'x') == nil) end)"
    assert.equal(0, warnings)
  end)

  it("may be a part of Lua that scenarios lack", function()
    has((says "local t = os and os.time()"), "scenario.lua:3: 'os' is not there for scenarios", "--trust")
  end)
end)

describe("the sandbox", function()
  local function run(code)
    return throng.load((function()
      local path = write(os.tmpname(), 'local throng = require "throng"\n' .. code
        .. "\nreturn throng.world { threads = 1 }\n")
      finally(function() os.remove(path) end)
      return path
    end)())
  end

  it("has no files, processes, clock or debug library", function()
    run [[
      for _, name in ipairs { "io", "os", "debug", "package", "dofile", "loadfile", "collectgarbage" } do
        assert(rawget(_G, name) == nil, name)
      end
      assert(string.dump == nil and ("").dump == nil)
      assert(getmetatable("") == nil)
      assert(load(function() return nil end) and load("\27Lua") == nil)
    ]]
  end)

  it("says what Lua's functions say with the line of the script", function()
    for code, message in pairs {
      ['table.sort { 3, "a" }'] = "table.sort: attempt to compare string with number",
      ["table.sort(nil)"] = "table.sort: expected a table, got nil",
      ["coroutine.resume(3)"] = "coroutine.resume: expected a thread, got 3",
      ['string.format("%d", "x")'] = "bad argument #2 to 'string.format' (number expected, got string)",
      ["coroutine.yield()"] = "attempt to yield from outside a coroutine",
      ['assert(nil, "no exit")'] = "no exit",
    } do
      has(line_error(code), "scenario.lua:3: " .. message)
    end
    assert.equal("as it is\nstack:", line_error([[error("as it is", 0)]]):match "^.-\nstack:")
  end)

  it("names the line that returns what a function of throng's gives", function()
    has(line_error "do return throng.fsm { start = 3 } end", "scenario.lua:3: throng.fsm: field 'start'")
    has(line_error "do return throng.empirical {} end", "scenario.lua:3: throng.empirical: ")
    has(line_error "do return throng.goals.idle_walker { at = 3 } end", "scenario.lua:3: throng.goals.idle_walker: ")
    has(line_error "do return setmetatable(3, {}) end", "scenario.lua:3: setmetatable: expected a table, got 3")
    has(line_error 'do return table.sort { 3, "a" } end', "scenario.lua:3: table.sort: attempt to compare string")
    has(line_error 'do return require "nothing" end', "scenario.lua:3: require: there is no module 'nothing'")
    for made, call in pairs {
      ["world:queue { line = { { 1, 1 }, { 5, 1 } }, serve = 1, served = print }"] = "it:join(3)",
      ["world:smoke { extinction = 1 }"] = "it:at(3)",
    } do
      has(line_error(("local it = %s\nworld:at(0.2, function()\nreturn %s end)"):format(made, call)),
        "scenario.lua:5: ")
    end
    has(line_error "world:story(function(story)\nreturn story:wait(-1) end)", "scenario.lua:4: ")
  end)

  it("does not let finalizers run without limits", function()
    has(line_error "setmetatable({}, { __gc = function() end })", "scenario.lua:3: ", "__gc is not available")
  end)

  it("walks tables in the order of their keys", function()
    run [[
      local t, keys = { "a", "b", [10] = 1, zoo = 1, apple = 1, [2.5] = 1, [true] = 1 }, {}
      for key in pairs(t) do keys[#keys + 1] = tostring(key) end
      assert(table.concat(keys, " ") == "1 2 2.5 10 apple zoo true", table.concat(keys, " "))
      local walked, key = {}, next(t)
      while key ~= nil do
        walked[#walked + 1] = tostring(key)
        key = next(t, key)
      end
      assert(table.concat(walked, " ") == table.concat(keys, " "))
      local left = 0
      for name in pairs(t) do t[name] = nil end
      for _ in pairs(t) do left = left + 1 end
      assert(left == 0)
    ]]
    has(line_error "for _ in pairs { [{}] = 1 } do end", "scenario.lua:3: ", "a table as a key has no order")
  end)

  it("has the same random numbers in every run", function()
    local code = [[
      local numbers = {}
      throng.world { seed = 11, threads = 1 }
      for i = 1, 5 do numbers[i] = math.random(1000) end
      error(table.concat(numbers, " "), 0)
    ]]
    local _, first = pcall(run, code)
    local _, second = pcall(run, code)
    assert.matches("^%d+ %d+ %d+ %d+ %d+\n", first)
    assert.equal(first:match("^[^\n]+"), second:match("^[^\n]+"))
  end)

  it("shows no addresses", function()
    run [[
      assert(tostring({}) == "table" and tostring(print) == "function")
      assert(("%s"):format({}) == "table" and string.format("%s", print) == "function")
      assert(not pcall(string.format, "%p", {}))
    ]]
  end)

  it("sorts stably", function()
    run [[
      local list = {}
      for i = 1, 300 do list[i] = { key = i % 7, at = i } end
      table.sort(list, function(a, b) return a.key < b.key end)
      for i = 2, #list do
        local a, b = list[i - 1], list[i]
        assert(a.key < b.key or (a.key == b.key and a.at < b.at))
      end
    ]]
  end)

  it("requires only throng and files of the scenario's folder", function()
    has(line_error 'require "socket"', "scenario.lua:3: ", "there is no module 'socket'")
    has(line_error 'require "../main"', "expected the name of a module")
  end)
end)

describe("a slip of the pen", function()
  local G = 'local g = world:spawn { count = 5, where = "hall" } '

  it("with a dot for a colon names the method", function()
    has(line_error 'world.spawn { count = 5 }', "scenario.lua:3: ", "got a table", "world:spawn(...)")
    has(line_error(G .. 'world:every(0.1, function() g.remove() end)'), "got nothing", "group:remove(...)")
    has(line_error(G .. 'world:story(function(story) story.wait(3) end)'), "scenario.lua:3: expected a story, got 3",
      "story:wait(...)", "in a story, step 1")
  end)

  it("with a column for a number says what can be compared", function()
    has(line_error(G .. 'if g.speed > 2 then end'), "scenario.lua:3: ", ":max(), :min() or :mean()", "group:filter(")
    has(line_error(G .. 'g.speed = g.speed * 2'), "scenario.lua:3: ", "function(t, a) return 2 * a.speed end")
    has(line_error(G .. 'g.speed = { 1, 2 }'), "2 values for 5 agents", "one number for all")
  end)

  it("with another of throng's values names that", function()
    has(load_error [[
local throng = require "throng"
local world = throng.world {}
return world:spawn { at = { { 0, 0 } } }
]], "returned a group, not a world")
    has(line_error 'world:spawn { count = throng.uniform(1, 3), where = "hall" }', "got a sampler")
  end)

  it("in a table's or a missing name's place says so in a behaviour function", function()
    has(line_error(G .. 'local pace g.speed = function() return pace * 2 end'), "attempt to perform arithmetic")
    has(line_error(G .. 'local pace g.speed = function(_, a) return pace * a.x end'),
      "got nil: a name that has no value")
    has(line_error(G .. 'local list = { 1, 2 } g.speed = function(_, a) return list[a.id] end'),
      "it returned nil (a table cannot be looked up", "slow = true")
  end)

  it("in a file's name is said, with what is there", function()
    local message = line_error 'throng.map { file = "maps/wilow.yaml" }.name:len()'
    has(message, "scenario.lua:3: throng.map: there is no file 'maps/wilow.yaml'", "did you mean 'maps/willow.yaml'?")
    has(line_error 'throng.load "scenarios/evacuaton.lua"', "there is no file 'scenarios/evacuaton.lua'")
    local nothing = line_error 'throng.map { file = "qqqqqqq.tmx" }.name:len()'
    has(nothing, "there is no file 'qqqqqqq.tmx'")
    assert.is_nil(nothing:find("did you mean", 1, true))
  end)

  it("far from every name suggests none", function()
    assert.is_nil(line_error(G .. 'g:fly()'):find("did you mean", 1, true))
    assert.is_nil(line_error(G .. 'g:foo()'):find("did you mean", 1, true))
  end)

  it("that names a group of another world is said", function()
    local other = 'local other = throng.world {}:spawn { at = { { 0, 0 } } } '
    local another = "the group belongs to another world"
    has(line_error(other .. 'world:sink { where = "hall", of = other }'), "scenario.lua:3: world:sink", another)
    has(line_error(other .. 'world:queue { line = { { 1, 1 }, { 3, 1 } }, serve = 1, served = print }:join(other)'),
      "scenario.lua:3: queue:join", another)
    has(line_error(other .. 'world:story(function(story) story:walk(other, { 2, 2 }) end)'),
      "scenario.lua:3: story:walk", another)
    has(line_error(other .. 'local both = world:spawn { count = 1, where = "hall" } | other'), "belong to two worlds")
  end)

  it("in an option of a ready machine is named", function()
    has(line_error "throng.goals.idle_walker { place = 3 }", "scenario.lua:3: ", "did you mean 'places'?")
  end)

  it("in a call of math.random says what to write", function()
    has(line_error 'local x = math.random(1.2, 1.5)', "scenario.lua:3: math.random: argument 1 must be a whole number",
      "1.2 + 0.3 * math.random()")
  end)

  it("that raises no text is placed", function()
    has(line_error(G .. 'world:every(0.1, function() error { code = 3 } end)'), "scenario.lua:3: error was called with",
      "a table")
  end)

  it("in pairs is none: groups go agent by agent", function()
    local world = throng.world { threads = 1 }
    local group = world:spawn { at = { { 0, 0 }, { 2, 0 } } }
    local seen = {}
    for i, agent in pairs(group) do seen[i] = agent.x[1] end
    assert.same({ 0, 2 }, seen)
  end)
end)
