-- What changes between two steps: the backend is told of all of it before it is asked anything.
local throng = require "throng"

local MAP = { boundary = throng.box(0, 0, 40, 40) }

local function new_world(settings)
  settings.threads, settings.map = 1, throng.map(MAP)
  settings.regions = { a = throng.box(30, 30, 32, 32), b = throng.box(4, 30, 6, 32) }
  local world = throng.world(settings)
  local group = world:spawn { name = "group", count = 20, where = throng.box(2, 2, 8, 8), planner = "bvp" }
  group:go_to "a"
  world:hazard { at = { 20, 20 } }
  group.speed = function(t) return 1 + 0.1 * math.sin(t) end
  for _ = 1, 5 do world:step() end
  return world, group
end

-- Each is done after a step, and before somebody is asked what it saw in that.
local CHANGES = {
  ["many agents come"] = function(world) world:spawn { count = 2000, radius = 0.05, name = "many" } end,
  ["some go, and others come in their places"] = function(world, group)
    group[3]:remove()
    world:spawn { count = 1, name = "one" }
  end,
  ["a planner of another size"] = function(_, group) group.planner = throng.bvp { size = 32 } end,
  ["a planner that is computed"] = function(_, group)
    group.planner = throng.bvp { epsilon = function() return 0.1 end }
  end,
  ["many planners"] = function(_, group)
    for i = 1, #group do group[i].planner = throng.bvp { epsilon = 0.01 * i } end
  end,
  ["many hazards"] = function(world) for i = 1, 200 do world:hazard { at = { 0.1 * i, 20 } } end end,
  ["other goals"] = function(_, group)
    group:go_to "b"
    for i = 1, 20 do group[i]:go_to { i, 38 } end
  end,
  ["many programs"] = function(_, group)
    for i = 1, #group do group[i].speed = function(t) return 1 + 0.01 * i * math.cos(t) end end
  end,
  ["a column that nobody had used"] = function(_, group) group.mass = throng.uniform(60, 90) end,
  ["a body"] = function(world) world:body { at = { 20, 10 }, box = { 1, 1 } } end,
  ["a machine that cannot be run"] = function(_, group)
    local states = { start = "s1" }
    for i = 1, 200 do states["s" .. i] = { goal = throng.wait(1, 2), timeout = "s" .. (i % 200 + 1) } end
    states.s200 = { goal = throng.go_to(throng.box(-9, -9, -8, -8)), arrived = "s1" }
    assert.is_false((pcall(group.run, group, throng.fsm(states))))
  end,
}

local function for_each_way(f)
  for _, backend in ipairs(throng.backends()) do
    for latency = 0, 1 do
      f({ backend = backend, latency = latency }, " on " .. backend .. (latency == 1 and " with latency" or ""))
    end
  end
end

describe("an agent that is asked what it saw", function()
  for name, change in pairs(CHANGES) do
    for_each_way(function(settings, how)
      it("answers or says why not after " .. name .. how, function()
        local world <close>, group = new_world { backend = settings.backend, latency = settings.latency }
        local other <close>, unasked = new_world { backend = settings.backend, latency = settings.latency }
        change(world, group)
        change(other, unasked)
        local fine, seen = pcall(world.probe, world, world.groups.group[1])
        assert.is_truthy(fine and seen.map.width > 0
          or tostring(seen):find("have changed since the last step", 1, true), seen)
        for _ = 1, 5 do
          world:step()
          other:step()
        end
        assert.same_hash(other:hash(), world:hash()) -- asking changes nothing
        assert.is_true(world:probe(world.groups.group[1]).map.width > 0)
      end)
    end)
  end

  it("is answered after a step that a hook ended", function()
    local world <close>, group = new_world {}
    local bad = true
    group:go_to "b"
    world.stages.routing:before(function() if bad then error "no" end end)
    assert.is_false((pcall(world.step, world)))
    bad = false
    assert.is_true(world:probe(group[1]).map.width > 0)
    world:step()
  end)
end)

-- A grid of pillars: its mesh has an edge everywhere, and agents press each other out of it.
local function pillars()
  local walls = {}
  for i = 0, 8 do
    for j = 0, 8 do walls[#walls + 1] = throng.box(3 + 2 * i, 3 + 2 * j, 4 + 2 * i, 4 + 2 * j) end
  end
  return throng.map { boundary = throng.box(0, 0, 40, 24), walls = walls }
end

describe("agents at edges of a mesh", function()
  it("stay in their faces when one is asked and others come", function()
    local world <close> = throng.world { map = pillars(), threads = 1 }
    local group = world:spawn { count = 150, where = throng.box(0, 0, 24, 24), radius = 0.2 }
    group:go_to(throng.box(20.5, 10, 21, 11))
    for _ = 1, 50 do
      world:step()
      local other = world:spawn { at = { { 39, 23 } }, radius = 0.1 }
      local before = world:hash()
      world:probe(group[1])
      assert.same_hash(before, world:hash())
      other:remove()
    end
  end)

  it("find their way when a hook puts them elsewhere", function()
    for _, fails in ipairs { false, true } do
      local walls = { throng.box(19, 2, 21, 20) }
      local world <close> = throng.world { map = throng.map { boundary = throng.box(0, 0, 40, 20), walls = walls } }
      local group = world:spawn { at = { { 38, 18 } } }
      group:go_to(throng.box(30, 17, 31, 18))
      world:step()
      local moved = false
      world.stages.move:after(function(agents)
        if moved then return end
        moved, agents.x = true, 10
        if fails then error "after that" end
      end)
      local fine, message = pcall(world.step, world)
      assert.equal(not fails, fine, message)
      world:run { seconds = 60 }
      assert.arrives(group)
    end
  end)
end)

describe("doors and bodies that a hook moves in the middle of a frame", function()
  it("stay where the frame has them until the next", function()
    local world <close> = throng.world {
      backend = "cpu",
      threads = 1,
      map = throng.map {
        boundary = throng.box(0, 0, 20, 10),
        walls = { throng.box(9.9, 0, 10.1, 4), throng.box(9.9, 6, 10.1, 10) },
        doors = { d = { { 10, 4 }, { 10, 6 } } },
      },
    }
    local group = world:spawn { count = 30, where = throng.box(5, 3, 9, 7) }
    group:go_to { 15, 5 }
    local open = true
    world.stages.sense:after(function()
      open = not open
      local door = world.map:door "d"
      if open then door:open() else door:close() end
      world.paths:request { from = { 1, 1 }, to = { 18, 8 } }
    end)
    for _ = 1, 20 do world:step() end
    assert.equal(30, group.count)
  end)

  it("or come before it begins", function()
    local world <close> = throng.world { backend = "cpu", threads = 1 }
    world:spawn { count = 30, where = throng.box(0, 0, 9, 9) }:go_to { 15, 5 }
    world:body { at = { 20, 5 }, box = { 1, 1 } }
    world.stages.routing:before(function(agents)
      agents.world:body { at = { 20 + 2 * agents.world.steps, 9 }, box = { 1, 1 } }
    end)
    for _ = 1, 20 do world:step() end
    assert.equal(21, #world:bodies())
  end)
end)
