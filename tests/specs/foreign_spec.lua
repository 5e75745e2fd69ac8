-- What belongs to one world is refused by every call of another, and leaves that as it was.
local throng = require "throng"

local function hall()
  local world = throng.world {
    map = throng.map {
      boundary = throng.box(0, 0, 20, 10),
      walls = { throng.box(9, 0, 10, 4), throng.box(9, 6, 10, 10) },
      doors = { gate = { { 9.5, 4 }, { 9.5, 6 } } },
      regions = { west = throng.box(0, 0, 6, 10), east = throng.box(14, 0, 20, 10) },
    },
    people = false, threads = 1,
  }
  local of = { world = world }
  of.group = world:spawn { name = "guests", at = { { 2, 2 }, { 3, 3 } } }
  of.agent = of.group[1]
  of.body = world:body { box = { 1, 1 }, at = { 12, 8 } }
  of.measure = world:measure { inside = "west", name = "guests" }
  of.queue = world:queue { line = { { 6, 1 }, { 8, 1 } }, serve = 1, served = function() end }
  of.sink = world:sink { where = "east" }
  of.source = world:source { name = "more", where = "west", rate = 1 }
  of.smoke = world:smoke { extinction = function(x) return 0.01 * x end, co = 7 }
  of.hazard = world:hazard { at = { 4, 4 }, reach = 1 }
  of.cap = world:flow_cap { door = "gate", flow = 1 }
  of.paths = world.paths
  of.request = world.paths:request { from = { 2, 2 }, to = { 3, 3 }, on = function() end }
  of.stage = world.stages.plan
  of.map = world.map
  of.door = world.map:door "gate"
  return of
end

local function storeys()
  local floor = throng.box(0, 0, 20, 10)
  local world = throng.world {
    map = throng.building {
      floors = { ground = { z = 0, boundary = floor, regions = { west = throng.box(0, 0, 4, 4) } },
        first = { z = 3, boundary = floor } },
      stairs = { { name = "stair", from = "ground", to = "first", foot = { 12, 2 }, head = { 17, 2 }, width = 1.5 } },
      lifts = { { name = "a", at = { 4, 8 }, back = { 4, 9.8 } } },
    },
    people = false, threads = 1,
  }
  local group = world:spawn { name = "guests", at = { { 2, 2, floor = "ground" } } }
  return { world = world, group = group, flight = world.map:flight "stair", lift = world.lifts.a }
end

local EXIT = { { 1, 1 }, { 3, 1 } }
local function nothing() end

-- By what takes a value: the call, of a world's things `of`, with the value of another.
local TAKERS = {
  ["group:go_to"] = function(of, it) of.group:go_to(it) end,
  ["group:inside"] = function(of, it) of.group:inside(it) end,
  ["group:filter"] = function(of, it) of.group:filter(it) end,
  ["group:become"] = function(of, it) of.group:become(it) end,
  ["group:tag"] = function(of, it) of.group:tag(it) end,
  ["group:untag"] = function(of, it) of.group:untag(it) end,
  ["group:in_state"] = function(of, it) of.group:in_state(it) end,
  ["group:run"] = function(of, it) of.group:run(it) end,
  ["group:on"] = function(of, it) of.group:on("arrived", it) end,
  ["group:on, a place"] = function(of, it) of.group:on("entered", it, nothing) end,
  ["group:choose"] = function(of, it) of.group:choose { exits = { it } } end,
  ["group:choose, a place"] = function(of, it) of.group:choose { exits = { { place = it } } } end,
  ["group:choose, a sign"] = function(of, it) of.group:choose { exits = { { place = "west", sign = it } } } end,
  ["group:choose, smoke"] = function(of, it) of.group:choose { exits = { "west" }, smoke = it } end,
  ["group:start_with"] = function(of, it) of.group:start_with { of = it } end,
  ["group | "] = function(of, it) return of.group | it end,
  ["group & "] = function(of, it) return of.group & it end,
  ["group - "] = function(of, it) return of.group - it end,
  ["group.speed"] = function(of, it) of.group.speed = it end,
  ["group.planner"] = function(of, it) of.group.planner = it end,
  ["group.routing"] = function(of, it) of.group.routing = it end,
  ["group.door_policy"] = function(of, it) of.group.door_policy = it end,
  ["group.desired"] = function(of, it) of.group.desired = it end,
  ["a planner's parameter"] = function(of, it) of.group.planner = throng.orca { horizon = it } end,
  ["a machine's goal"] = function(of, it)
    of.group:run(throng.fsm { start = "a", a = { goal = throng.go_to(it) } })
  end,
  ["a machine's prey"] = function(of, it)
    of.group:run(throng.fsm { start = "a", a = { goal = throng.pursue(it) } })
  end,
  ["a machine's hook"] = function(of, it)
    of.group:run(throng.fsm { start = "a", a = { goal = throng.go_on(), enter = it } })
  end,
  ["throng.near"] = function(_, it) throng.near(it, 1) end,
  ["throng.above"] = function(_, it) throng.above(it, 1) end,
  ["a:distance_to"] = function(of, it) of.group.speed = function(_, a) return a:distance_to(it) end end,
  ["a:direction_to_nearest"] = function(of, it)
    of.group.desired = function(_, a) return a:direction_to_nearest(it) end
  end,
  ["a:count_seen"] = function(of, it) of.group.speed = function(_, a) return a:count_seen(it) end end,
  ["a behaviour's result"] = function(of, it) of.group.speed = function() return it end end,
  ["a behaviour's sum"] = function(of, it) of.group.speed = function(_, a) return a.speed + it end end,
  ["throng.select"] = function(of, it) of.group.speed = function() return throng.select(it, 1, 2) end end,
  ["throng.behaviour"] = function(_, it) throng.behaviour(it) end,
  ["world:probe"] = function(of, it) of.world:probe(it) end,
  ["world:measure, a flow"] = function(of, it) of.world:measure { flow = it } end,
  ["world:measure, a time gap"] = function(of, it) of.world:measure { time_gap = it } end,
  ["world:measure, a place"] = function(of, it) of.world:measure { inside = it } end,
  ["world:measure, a group"] = function(of, it) of.world:measure { inside = "west", group = it } end,
  ["world:measure, since"] = function(of, it) of.world:measure { travel_time = "west", since = it } end,
  ["world:announce, a group"] = function(of, it) of.world:announce { group = it } end,
  ["world:announce, to"] = function(of, it) of.world:announce { to = it } end,
  ["world:announce, where"] = function(of, it) of.world:announce { where = it } end,
  ["world:announce, each"] = function(of, it) of.world:announce { each = it } end,
  ["world:avoidance, who"] = function(of, it) of.world:avoidance(it, "guests", 1) end,
  ["world:avoidance, whom"] = function(of, it) of.world:avoidance("guests", it, 1) end,
  ["world:sink, where"] = function(of, it) of.world:sink { where = it } end,
  ["world:sink, of"] = function(of, it) of.world:sink { where = "west", of = it } end,
  ["world:source, where"] = function(of, it) of.world:source { name = "others", rate = 1, where = it } end,
  ["world:source, each"] = function(of, it)
    of.world:source { name = "others", rate = 1, where = "west", each = it }
  end,
  ["world:spawn, where"] = function(of, it) of.world:spawn { count = 1, where = it } end,
  ["world:spawn, at"] = function(of, it) of.world:spawn { at = it } end,
  ["world:spawn, from"] = function(of, it) of.world:spawn { from = it } end,
  ["world:spawn, body"] = function(of, it) of.world:spawn { count = 1, where = "west", body = it } end,
  ["world:spawn, name"] = function(of, it) of.world:spawn { count = 1, where = "west", name = it } end,
  ["world:queue, line"] = function(of, it) of.world:queue { line = it, serve = 1, served = nothing } end,
  ["world:queue, served"] = function(of, it) of.world:queue { line = EXIT, serve = 1, served = it } end,
  ["world:flow_cap"] = function(of, it) of.world:flow_cap { door = it, flow = 1 } end,
  ["world:hazard"] = function(of, it) of.world:hazard { at = it } end,
  ["world:body"] = function(of, it) of.world:body { circle = 0.5, at = it } end,
  ["world:bodies"] = function(of, it) of.world:bodies { circle = 0.5, count = 1, where = it } end,
  ["world:tagged"] = function(of, it) of.world:tagged(it) end,
  ["world:at"] = function(of, it) of.world:at(of.world.time + 9, it) end,
  ["world:on_step"] = function(of, it) of.world:on_step(it) end,
  ["world:smoke"] = function(of, it) of.world:smoke { co = it } end,
  ["world:column"] = function(of, it) of.world:column("patience", { default = it }) end,
  ["world.map:region"] = function(of, it) of.world.map:region(it) end,
  ["world.map:door"] = function(of, it) of.world.map:door(it) end,
  ["world.map:path"] = function(of, it) of.world.map:path(it, { 3, 3 }) end,
  ["world.map:random_point"] = function(of, it) of.world.map:random_point(it) end,
  ["throng.world"] = function(_, it) throng.world { map = it } end,
  ["throng.map"] = function(_, it) throng.map { walls = it } end,
}

-- By what only the hall has.
local TAKERS_OF_HALLS = {
  ["queue:join"] = function(of, it) of.queue:join(it) end,
  ["queue:leave"] = function(of, it) of.queue:leave(it) end,
  ["stage:before"] = function(of, it) of.stage:before(it) end,
  ["smoke:at"] = function(of, it) of.smoke:at(it, "co") end,
  ["paths:request"] = function(of, it) of.paths:request { from = it, to = { 3, 3 }, on = nothing } end,
  ["body.mass"] = function(of, it) of.body.mass = it end,
  ["hazard.x"] = function(of, it) of.hazard.x = it end,
}

local function closing(...)
  local all = { ... }
  return setmetatable({}, { __close = function() for _, of in ipairs(all) do of.world:close() end end })
end

local function refuses(name, call, of, what, it)
  local ok, message = pcall(call, of, it)
  if ok then error(("%s took another world's %s"):format(name, what), 0) end
  assert.matches("^tests/specs/foreign_spec.lua:%d+: ", message)
  assert.is_nil(message:find "unknown field") -- the taker is there
end

-- Gives all of the values to every taker of a world, which then goes on as one that was never asked.
local function refuses_all(make, takers, others)
  local mine, twin = make(), make()
  local _ <close> = closing(mine, twin)
  for name, call in pairs(takers) do
    for what, it in pairs(others) do refuses(name, call, mine, what, it) end
  end
  mine.world:run { steps = 30 }
  twin.world:run { steps = 30 }
  assert.equal(twin.world:hash(), mine.world:hash())
end

describe("what belongs to another world is refused", function()
  for from, make in pairs { hall = hall, building = storeys } do
    it("of a " .. from .. ", by all calls of a world", function()
      local others = make()
      local _ <close> = closing(others)
      refuses_all(hall, TAKERS, others)
      refuses_all(hall, TAKERS_OF_HALLS, others)
      refuses_all(storeys, TAKERS, others)
    end)
  end

  it("where a behaviour function reads its smoke, also by throng.explain and what is the same everywhere", function()
    local mine, others, bare = hall(), hall(), storeys()
    local _ <close> = closing(mine, others, bare)
    for _, quantity in ipairs { "extinction", "co", "o2" } do
      local function read() return 1 + 0 * others.smoke:here(quantity) end
      for _, of in ipairs { mine, bare } do
        assert.error_matches(function() of.group.speed = read end, "this is another world's smoke; the agents")
        assert.error_matches(function() of.world:spawn { at = { { 4, 4, floor = of.flight and "ground" } },
          speed = read } end, "this is another world's smoke; the agents")
        assert.error_matches(function() throng.explain(read, of.world) end, "this is another world's smoke")
      end
      others.group.speed = read
    end
    assert.error_matches(function() mine.smoke:here "co" end, "is for behaviour functions")
  end)

  it("with what to write instead", function()
    local mine, others = hall(), hall()
    local _ <close> = closing(mine, others)
    local another = "belongs to another world"
    assert.error_matches(function() mine.world:measure { flow = others.door } end,
      "field 'flow': the door 'gate' " .. another .. '; this world\'s is world.map:door%("gate"%)')
    assert.error_matches(function() mine.queue:join(others.group) end, "queue:join: the group " .. another)
    assert.error_matches(function() mine.queue:leave(others.group) end, "queue:leave: the group " .. another)
    assert.error_matches(function() return mine.group | others.group end, "belong to two worlds: 'guests' and 'guests'")
    assert.error_matches(function() mine.world:probe(others.agent) end, "world:probe: the agent is in another world")
    assert.error_matches(function() throng.world { map = others.map } end, "another world's map")
    mine.world:story(function(story) story:walk(others.group, { 2, 2 }) end)
    assert.error_matches(function() mine.world:run { steps = 2 } end, "story:walk: the group " .. another)
  end)

  it("but for numbers: those of a column are copied", function()
    local mine, others = hall(), hall()
    local _ <close> = closing(mine, others)
    others.group.speed = { 0.5, 0.75 }
    mine.group.speed = others.group.speed
    others.group.speed = 1
    assert.same({ 0.5, 0.75 }, mine.group.speed:list())
  end)
end)
