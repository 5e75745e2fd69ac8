-- The Lua API, one test a function. Small worlds: each test takes milliseconds.
local throng = require "throng"

local function plane(settings)
  settings = settings or {}
  settings.threads = settings.threads or 1
  return throng.world(settings)
end

local function pair(world)
  return world:spawn { name = "pair", at = { { 0, 0 }, { 10, 0 } } }
end

describe("throng.world", function()
  it("has the settings it was given", function()
    local world = plane { dt = 0.25, seed = 7, simd = 4, backend = "cpu" }
    assert.equal(0.25, world.dt)
    assert.equal(7, world.seed)
    assert.equal(4, world.simd)
    assert.equal(1, world.threads)
    assert.equal("cpu", world.backend)
    assert.is_string(world.device)
  end)

  it("starts at time 0 with nobody in it", function()
    local world = plane()
    assert.equal(0, world.time)
    assert.equal(0, world.steps)
    assert.equal(0, #world.agents)
    assert.is_nil(world.bounds)
  end)

  it("is closed at the end of a block", function()
    local group
    do
      local world <close> = plane()
      group = pair(world)
    end
    assert.error_matches(function() return #group end, "was closed")
  end)

  it("takes regions of several polygons", function()
    local world = plane {
      regions = { here = throng.box(0, 0, 4, 4), exits = { throng.box(8, 0, 9, 1), throng.box(8, 3, 9, 4) } },
    }
    local group = world:spawn { count = 5, where = "here" }
    group:go_to "exits"
    world:run { seconds = 30, until_done = true }
    assert.equal(5, group:stats().arrived)
    assert.is_true(group.x:min() > 7.99)
  end)
end)

describe("throng.map", function()
  it("is built from polygons", function()
    local map = throng.map { name = "hall", boundary = throng.box(0, 0, 20, 10), walls = { throng.box(9, 0, 11, 4) } }
    assert.equal("hall", map.name)
    assert.near(200 - 8, map.area, 0.01)
    assert.near(20, map.bounds.x1, 0.01)
    assert.is_true(map:fits({ 2, 2 }, 0.25))
    assert.is_false(map:fits({ 10, 2 }, 0.25))
  end)

  it("makes more than one world", function()
    local map = throng.map { boundary = throng.box(0, 0, 20, 10) }
    local first, second = plane { map = map }, plane { map = map }
    assert.equal(3, #first:spawn { count = 3 })
    assert.equal(4, #second:spawn { count = 4 })
  end)

  it("gives its bounds to the world", function()
    local world = plane { map = throng.map { boundary = throng.box(0, 0, 20, 10) } }
    assert.near(20, world.bounds.x1, 0.01)
    assert.near(10, world.bounds.y1, 0.01)
  end)
end)

describe("world:spawn", function()
  it("puts agents exactly where it is told", function()
    local group = pair(plane())
    assert.equal(2, #group)
    assert.same({ 0, 10 }, group.x:list())
    assert.same({ 0, 0 }, group.y:list())
  end)

  it("puts agents inside an area, apart from each other", function()
    local world = plane()
    local group = world:spawn { count = 50, where = throng.box(0, 0, 10, 10), radius = 0.3 }
    assert.is_true(group.x:min() >= 0 and group.x:max() <= 10)
    for i = 1, #group do
      for k = i + 1, #group do
        local dx, dy = group.x[i] - group.x[k], group.y[i] - group.y[k]
        assert.is_true(dx * dx + dy * dy >= 0.36)
      end
    end
  end)

  it("samples parameters", function()
    local group = plane():spawn {
      count = 200,
      where = throng.box(0, 0, 50, 50),
      radius = throng.uniform(0.2, 0.3),
      speed = throng.normal(1.34, 0.26),
    }
    assert.is_true(group.radius:min() >= 0.2 and group.radius:max() <= 0.3)
    assert.near(1.34, group.speed:mean(), 0.08)
    assert.is_true(group.max_speed:min() >= group.speed:max())
  end)

  it("names groups", function()
    local world = plane()
    local first = world:spawn { at = { { 0, 0 } }, name = "staff" }
    world:spawn { at = { { 5, 0 } } }
    assert.equal("staff", first.name)
    assert.equal(1, #world.groups.staff)
    assert.equal(1, #world.groups["agents 2"])
  end)

  it("takes the planner's parameters", function()
    local group = plane():spawn {
      at = { { 0, 0 } },
      planner = throng.orca { horizon = 4, wall_horizon = 2, sight = 7, neighbours = 5 },
    }
    assert.equal("orca", group.planner[1])
    assert.equal(4, group.horizon[1])
    assert.equal(2, group.wall_horizon[1])
    assert.equal(7, group.sight[1])
    assert.equal(5, group.neighbours[1])
  end)
end)

describe("group:go_to", function()
  it("sends everybody to a point", function()
    local world = plane()
    local group = pair(world)
    group:go_to({ 5, 5 }, { radius = 1 })
    world:run { seconds = 20, until_done = true }
    assert.arrives(group, { within = 10 })
  end)

  it("sends everybody into a shape", function()
    local world = plane()
    local group = pair(world)
    group:go_to(throng.polygon { { 4, 4 }, { 6, 4 }, { 6, 6 }, { 4, 6 } })
    world:run {}
    assert.arrives(group)
    assert.is_true(group.y:min() >= 4)
  end)

  -- whoever stands exactly on the outline has nowhere left to go
  it("has those arrive who stand on a region's outline", function()
    local world = plane()
    local sides = world:spawn { at = { { 4, 5 }, { 6, 5 }, { 5, 4 }, { 5, 6 } } }
    sides:go_to(throng.box(4, 4, 6, 6))
    world:run { steps = 5 }
    assert.equal(4, sides:stats().arrived)
  end)

  it("sends each to a point of its own", function()
    local world = plane()
    local group = pair(world)
    group:go_to({ { 0, 5 }, { 10, 5 } }, { radius = 0.2 })
    world:run {}
    assert.near(0, group.x[1], 0.3)
    assert.near(10, group.x[2], 0.3)
  end)

  it("finds the way around a wall, unless told to go straight", function()
    local function walk(options)
      local world = plane {
        map = throng.map { boundary = throng.box(0, 0, 20, 10), walls = { throng.box(9, 0, 11, 8) } },
        seconds = 40,
      }
      local group = world:spawn { at = { { 2, 2 } } }
      group:go_to({ 18, 2 }, options)
      world:run {}
      return group:stats().arrived
    end
    assert.equal(1, walk())
    assert.equal(0, walk { straight = true })
  end)
end)

describe("group:on", function()
  it("calls back once a step with those that arrived", function()
    local world = plane()
    local group = world:spawn { at = { { 0, 0 }, { 0, 3 }, { 0, 20 } } }
    local batches = {}
    group:on("arrived", function(arrived)
      batches[#batches + 1] = #arrived
      assert(arrived.name == group.name)
    end)
    group:go_to(throng.box(5, -5, 8, 25))
    world:run {}
    local sum = 0
    for _, size in ipairs(batches) do sum = sum + size end
    assert.equal(3, sum)
  end)

  it("lets the callback remove them", function()
    local world = plane()
    local group = pair(world)
    group:on("arrived", function(arrived) arrived:remove() end)
    group:go_to { 5, 0 }
    world:run {}
    assert.equal(0, #group)
    assert.equal(0, #world.agents)
    assert.same(2, group:stats().arrived)
    assert.same(2, world:stats().arrived)
  end)

  it("tells only the group's own agents", function()
    local world = plane()
    local walkers = world:spawn { name = "walkers", at = { { 0, 0 } } }
    local others = world:spawn { name = "others", at = { { 0, 5 } } }
    local seen = {}
    walkers:on("arrived", function(group) seen[#seen + 1] = group.name end)
    world.agents:go_to(throng.box(3, -5, 5, 10))
    world:run {}
    assert.equal(1, others:stats().arrived)
    assert.same({ "walkers" }, seen)
  end)
end)

describe("group:remove", function()
  it("takes agents out of every group", function()
    local world = plane()
    local group = world:spawn { at = { { 0, 0 }, { 5, 0 }, { 10, 0 } } }
    group[2]:remove()
    assert.equal(2, #group)
    assert.same({ 0, 10 }, group.x:list())
    assert.equal(2, #world.agents)
    world:spawn { at = { { 20, 0 } } } -- takes the free slot
    assert.equal(2, #group)
    assert.equal(3, #world.agents)
  end)
end)

describe("columns", function()
  it("are read whole", function()
    local column = pair(plane()).x
    assert.equal(2, #column)
    assert.equal(0, column:min())
    assert.equal(10, column:max())
    assert.equal(5, column:mean())
    assert.equal(10, column:sum())
    assert.equal("x", column.name)
    assert.equal("m", column.unit)
    assert.is_nil(column[3])
    local seen = {}
    for _, value in ipairs(column) do seen[#seen + 1] = value end
    assert.same({ 0, 10 }, seen)
  end)

  it("are copies: reading again shows what changed", function()
    local group = pair(plane())
    local before = group.speed
    group.speed = 0.5
    assert.near(1.34, before[1], 1e-6)
    assert.equal(0.5, group.speed[1])
  end)

  it("are written with a number, a list, a column or a sampler", function()
    local group = pair(plane())
    group.speed = 1
    assert.same({ 1, 1 }, group.speed:list())
    group.speed = { 0.5, 1.5 }
    assert.same({ 0.5, 1.5 }, group.speed:list())
    group.max_speed = group.speed
    assert.same({ 0.5, 1.5 }, group.max_speed:list())
    group.radius = throng.uniform(0.2, 0.3)
    assert.is_true(group.radius:min() >= 0.2 and group.radius:max() <= 0.3)
    assert.are_not.equal(group.radius[1], group.radius[2])
  end)

  it("take planners by name or value", function()
    local group = pair(plane())
    group.planner = "none"
    assert.same({ "none", "none" }, group.planner:list())
    group.planner = throng.orca { horizon = 6 }
    assert.same({ "orca", "orca" }, group.planner:list())
    assert.equal(6, group.horizon[2])
  end)

  it("take another planner while running, and agents of several live in one world", function()
    local world = plane()
    local group = world:spawn { at = { { 0, 0 }, { 3, 0 }, { 6, 0 }, { 9, 0 } } }
    group:go_to { { 9, 0 }, { 6, 0 }, { 3, 0 }, { 0, 0 } }
    local planners = { throng.clearpath { variant = 1 }, throng.rvo { samples = 50 }, "orca", "none" }
    for round = 1, 40 do
      for i = 1, 4 do
        group[i].planner = planners[(i + round) % 4 + 1]
      end
      world:step()
    end
    assert.same({ "rvo", "orca", "none", "clearpath" }, group.planner:list())
    world:run { seconds = 30 }
    assert.arrives(group, { within = 34 })
  end)
end)

describe("groups", function()
  it("have single agents by number", function()
    local group = pair(plane())
    assert.equal(10, group[2].x[1])
    assert.equal(1, #group[1])
    assert.is_nil(group[3])
    assert.equal("pair", group[1].name)
    assert.equal(2, group.count)
  end)
end)

describe("world:step", function()
  it("takes one frame", function()
    local world = plane()
    world:step():step()
    assert.equal(2, world.steps)
    assert.near(0.2, world.time, 1e-9)
  end)
end)

describe("world:run", function()
  it("runs for seconds or steps", function()
    local world = plane()
    assert.equal("time", world:run { steps = 5 })
    assert.equal(5, world.steps)
    assert.equal("time", world:run { seconds = 1.5 })
    assert.equal(20, world.steps)
  end)

  it("ends when everyone has arrived", function()
    local world = plane { seconds = 60 }
    pair(world):go_to({ 5, 0 }, { radius = 1 })
    assert.equal("arrived", world:run {})
    assert.is_true(world.time < 60)
  end)

  it("ends when the script stops it", function()
    local world = plane()
    world:on_step(function(self) if self.steps == 3 then self:stop() end end)
    assert.equal("stopped", world:run { steps = 100 })
    assert.equal(4, world.steps)
  end)
end)

describe("world:on_step", function()
  it("is called before each step with the world and its time", function()
    local world = plane { dt = 0.5 }
    local times = {}
    world:on_step(function(self, time)
      assert(self == world)
      times[#times + 1] = time
    end)
    world:run { steps = 3 }
    assert.same({ 0, 0.5, 1 }, times)
  end)
end)

describe("world:hash", function()
  it("follows the state", function()
    local function state_after(steps)
      local world = plane()
      pair(world):go_to { 5, 0 }
      world:run { steps = steps }
      return world
    end
    assert.matches("^%x%x%x%x%x%x%x%x%x%x%x%x%x%x%x%x$", state_after(3):hash())
    assert.same_hash(state_after(10), state_after(10))
    assert.not_equal(state_after(10):hash(), state_after(11):hash())
  end)
end)

describe("world:stats", function()
  it("sums up the run", function()
    local world = plane()
    pair(world):go_to { 5, 0 }
    world:run {}
    local stats = world:stats()
    assert.equal(2, stats.spawned)
    assert.equal(2, stats.living)
    assert.equal(2, stats.arrived)
    assert.is_true(stats.first_arrival > 0 and stats.first_arrival <= stats.last_arrival)
    assert.is_true(stats.mean_travel <= stats.worst_travel)
    assert.equal(0, stats.overlaps)
    assert.is_true(stats.closest <= 1)
  end)
end)

describe("throng.load", function()
  local function scenario(text)
    local path = os.tmpname()
    local file = assert(io.open(path, "w"))
    file:write(text)
    file:close()
    finally(function() os.remove(path) end)
    return path
  end

  it("gives the world a scenario returns", function()
    local world = throng.load "scenarios/circle.lua"
    assert.equal(250, #world.groups.walkers)
  end)

  it("overrides seed, SIMD width, threads and parameters", function()
    local world = throng.load("scenarios/crossing.lua", { seed = 3, simd = 1, threads = 2, params = { count = 12 } })
    assert.equal(3, world.seed)
    assert.equal(1, world.simd)
    assert.equal(2, world.threads)
    assert.equal(12, #world.groups.walkers)
  end)

  it("keeps scenarios apart", function()
    local path = scenario [[
      local throng = require "throng"
      assert(leak == nil)
      leak = true
      return throng.world { threads = 1 }
    ]]
    throng.load(path)
    throng.load(path)
    assert.is_nil(rawget(_G, "leak"))
  end)
end)

describe("throng.params", function()
  it("gives the defaults outside a load", function()
    assert.same({ width = 1, name = "x" }, throng.params { width = 1, name = "x" })
  end)

  it("takes ranges", function()
    assert.same({ rate = 5 }, throng.params { rate = { 5, 0, 10 } })
    assert.same({ rate = 5 }, throng.params { rate = { 5, 0 } })
    for _, wrong in ipairs { { 5 }, { 5, 6 }, { 11, 0, 10 }, { 5, 10, 0 }, { "5", 0, 10 }, { 5, 0, 10, 1 } } do
      assert.has_error(function() throng.params { rate = wrong } end, nil)
      local _, message = pcall(throng.params, { rate = wrong })
      assert.is_truthy(message:find("'rate' must be { default, least } or { default, least, most }", 1, true), message)
    end
  end)

  it("stay whole in a whole range", function()
    local path = os.tmpname()
    local file = assert(io.open(path, "w"))
    file:write('local throng = require "throng"\nlocal p = throng.params { n = { 40, 1 } }\n',
      'local world = throng.world {}\nworld:spawn { name = "crowd of " .. p.n, at = { { 0, 0 } } }\nreturn world\n')
    file:close()
    local world = throng.load(path, { params = { n = 5.0 } })
    os.remove(path)
    assert.is_truthy(world.groups["crowd of 5"])
  end)

  it("step with the least counts that scenarios take", function()
    local least = { crossing = 4, high_density = 50, streams = 4, office = 1, corridor = 2, arena = 1 }
    for name, count in pairs(least) do
      local world = throng.load(("scenarios/%s.lua"):format(name), { params = { count = count } })
      world:run { steps = 3 }
      assert.no_overlap(world)
    end
  end)

  it("say what a count must be where it shapes the place", function()
    local names = { "arena", "back_and_forth", "city", "corridor", "crossing", "high_density", "office", "streams" }
    for _, name in ipairs(names) do
      for _, count in ipairs { -1, 0, 16.5 } do
        local ok, message = pcall(throng.load, ("scenarios/%s.lua"):format(name), { params = { count = count } })
        assert.is_false(ok)
        local place = "^scenarios/" .. name .. "%.lua:%d+: throng%.params: "
        assert.matches(place .. "'count' must be a whole number >= %d+[%w <=]*, got", message)
      end
    end
  end)
end)

describe("throng.backends", function()
  it("lists what can run here", function()
    assert.equal("cpu", throng.backends()[1])
  end)
end)
