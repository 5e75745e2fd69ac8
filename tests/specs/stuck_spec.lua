-- Agents that are stuck say why: a small scene for each cause.
local throng = require "throng"
local needs = dofile "tests/specs/needs.lua"

local box = throng.box

-- A way 0.9 m wide, in which nobody passes anybody.
local function narrow(settings)
  settings.map = throng.map { boundary = box(0, 0, 20, 0.9) }
  settings.people = false -- they press on until they touch
  return throng.world(settings)
end

local function halves(opening)
  return { box(20, 0, 20.5, opening and 4 or 5), box(20, 5, 20.5, 10) }
end

-- Runs for that time; the one cause found then, its agents and the jam.
local function only_jam(world, seconds)
  world:run { seconds = seconds, until_done = false }
  local jams = world:stuck()
  assert.equal(1, #jams)
  return { jams[1].cause, jams[1].agents.count }, jams[1]
end

-- The causes that are found in that time.
local function causes(world, seconds)
  local found = {}
  world:run { seconds = seconds, until_done = false }
  for cause, times in pairs(world:stats().stuck) do
    if times > 0 then found[#found + 1] = cause end
  end
  table.sort(found)
  return found
end

describe("world:stuck", function()
  it("asks no coordinate of a goal that nobody has, of those who wait for others", function()
    local world = throng.world { map = throng.map { boundary = box(0, 0, 10, 3) }, people = false, threads = 1 }
    local group = world:spawn { count = 30, where = box(0.5, 0.5, 6, 2.5) }
    group:go_to { 8, 1.5 }
    group.goal_x = function() return 1 end -- and no goal_y
    world:run { seconds = 10, until_done = false }
    assert.equal(100, world.steps)
  end)

  it("finds nobody who walks, waits by will or has arrived", function()
    local world = throng.world { people = false, threads = 1 } -- discs all press in to a point
    world:spawn { count = 30, where = box(0, 0, 10, 10), name = "walkers" }:go_to { 15, 5 }
    world:spawn { count = 5, where = box(20, 0, 30, 10), name = "idle" }
    world:spawn { count = 5, where = box(40, 0, 50, 10), name = "waiting" }:run(throng.fsm {
      start = "stay", stay = { goal = throng.wait() } })
    world:spawn { count = 5, where = box(60, 0, 70, 10), name = "told to stand" }:go_to { 90, 5 }
    world.groups["told to stand"].desired = { 0, 0 }
    world:run { seconds = 40, until_done = false }
    assert.same({}, world:stuck())
  end)

  it("finds nobody in a queue that moves", function()
    local world <close> = throng.load "scenarios/evacuation.lua"
    world:run { seconds = 60, until_done = false }
    local stats = world:stats()
    assert.is_true(stats.living > 100) -- a few are at the head, and blocked by who shoves in
    assert.is_true(stats.stuck.crowd <= 35, stats.stuck.crowd .. " stuck")
  end)

  it("takes those who stand round their goal for arrived, and those who circle it", function()
    for _, seed in ipairs { 1, 2, 3, 5 } do -- of 40 seeds one, 4, where somebody circles on
      local world <close> = throng.world { seed = seed, threads = 1 }
      local people, told = world:spawn { count = 60, where = box(0, 0, 10, 10) }, 0
      people:on("arrived", function(group) told = told + #group end)
      people:go_to { 25, 5 }
      world:run { seconds = 90, until_done = true }
      assert.is_true(world.time < 90, "the run goes on")
      assert.equal(60, told)
      assert.equal(60, world:stats().arrived)
      assert.same({}, world:stuck())
      assert.equal(0, world:stats().stuck.crowd)
    end
  end)

  it("looks again at a queue behind who walks on, until that one stands at their goal", function()
    local map = throng.map { boundary = box(0, 0, 26, 0.8) }
    local world <close> = throng.world { map = map, threads = 1 }
    world:spawn({ at = { { 24, 0.4 } }, radius = 0.22, speed = 0.01 }):go_to { 25, 0.4 }
    local queue = world:spawn { at = { { 23.4, 0.4 }, { 22.8, 0.4 }, { 22.2, 0.4 } }, radius = 0.22 }
    queue:go_to { 25, 0.4 }
    world:run { seconds = 30 }
    assert.equal(0, world:stats().arrived)
    world:run { seconds = 30 }
    assert.equal(4, world:stats().arrived)
  end)

  it("takes who walks to and fro before those who have taken the near side of its region for arrived", function()
    local map, regions = throng.map { boundary = box(0, 0, 20, 10) }, { west = box(0, 0, 4, 10) }
    local rows = {}
    for i = 0, 37 do rows[i + 1] = { 3.95 - 0.5 * (i // 19) - 0.1 * (i % 19 % 2), 0.3 + 0.52 * (i % 19) } end
    local planner = throng.forces { published = 1 }
    for y = 1, 9, 8 do
      local world <close> = throng.world { map = map, regions = regions, people = false, threads = 1, seconds = 60 }
      for end_y = 0.5, 9.5, 9 do world:body { box = { 1.2, 1 }, at = { 4.7, end_y }, mass = 500 } end
      local there = world:spawn { at = rows, radius = 0.22, planner = planner }
      local late = world:spawn { at = { { 12, y } }, radius = 0.22, speed = 1.15, planner = planner }
      there:go_to "west"
      late:go_to "west"
      world:run { until_done = true }
      assert.is_true(late.x[1] > 4, "it walks before them")
      assert.equal(39, world:stats().arrived)
      assert.same({}, world:stuck())
    end
  end)

  it("waiting for a path", function()
    local world = throng.world { map = throng.map { boundary = box(0, 0, 40, 10), walls = halves(true) }, threads = 1 }
    world.paths.budget = 1
    local points = {}
    for i = 1, 300 do
      points[i] = { 38, 1 + 0.025 * i }
    end
    world:spawn { count = 300, where = box(1, 1, 18, 9) }:go_to(points)
    local found, jam = only_jam(world, 12)
    assert.equal("path", found[1])
    assert.is_true(found[2] > 100)
    assert.equal(0, jam.since)
    assert.is_true(jam.place[1] > 1 and jam.place[1] < 18)
  end)

  it("a goal in a wall", function()
    local world = throng.world { map = throng.map { boundary = box(0, 0, 40, 10), walls = halves() }, threads = 1 }
    world:spawn { at = { { 2, 2 } } }:go_to({ 20.25, 2 }, { straight = true, radius = 0.1 })
    assert.same({ "goal in a wall", 1 }, (only_jam(world, 30)))
  end)

  it("a wall, for those who walk straight on", function()
    local world = throng.world { map = throng.map { boundary = box(0, 0, 40, 10), walls = halves() }, threads = 1 }
    world:spawn { at = { { 2, 2 } } }:go_to({ 30, 2 }, { straight = true })
    assert.same({ "wall", 1 }, (only_jam(world, 30)))
  end)

  it("no route", function()
    local world = throng.world { map = throng.map { boundary = box(0, 0, 40, 10), walls = halves() }, threads = 1 }
    world:spawn { at = { { 2, 5 } } }:go_to { 15, 5 }
    world.stages.routing:before(function(agents)
      agents.x = 25
      return false
    end)
    assert.same({ "no route", 1 }, (only_jam(world, 30)))
  end)

  it("a closed door, for the whole crowd before it", function()
    for _, goal in ipairs { box(30, 0, 40, 10), { 35, 5 } } do
      local map = throng.map { boundary = box(0, 0, 40, 10), walls = halves(true),
        doors = { gate = { { 20.25, 4 }, { 20.25, 5 } } } }
      local world = throng.world { map = map, threads = 1 }
      world:spawn { count = 12, where = box(12, 3, 18, 7), door_policy = "wait" }:go_to(goal)
      world.map:door("gate"):close()
      assert.same({ "closed door" }, causes(world, 60))
      assert.is_true(world:stats().stuck["closed door"] >= 12)
    end
  end)

  it("a closed door, for those with paths of their own", function()
    for _, closed in ipairs { "wait", "reroute" } do
      local map = throng.map { boundary = box(0, 0, 40, 10), walls = halves(true),
        doors = { gate = { { 20.25, 4 }, { 20.25, 5 } } } }
      local world = throng.world { map = map, threads = 1 }
      world:spawn { at = { { 17, 3 }, { 17, 6 } }, door_policy = closed }:go_to { { 30, 3 }, { 30, 6 } }
      world:run { seconds = 1 }
      world.map:door("gate"):close()
      assert.same({ "closed door" }, causes(world, 40))
    end
  end)

  it("two who stand in each other's way", function()
    local world = narrow { threads = 1 }
    world:spawn { at = { { 1, 0.45 } }, name = "east" }:go_to { 19, 0.45 }
    world:spawn { at = { { 19, 0.45 } }, name = "west" }:go_to { 1, 0.45 }
    local found, jam = only_jam(world, 28) -- before one of them pushes the other back
    assert.same({ "standoff", 2 }, found)
    assert.near(10, jam.place[1], 0.5)
    assert.is_true(jam.since > 4 and jam.since < 20)
  end)

  it("a crowd", function()
    local world = narrow { threads = 1 }
    world:spawn { at = { { 15, 0.45 } }, planner = "none", mass = 1e6, name = "plug" }
    world:spawn { at = { { 1, 0.45 }, { 2, 0.45 } }, name = "held up" }:go_to { 19, 0.45 }
    local found, jam = only_jam(world, 40)
    assert.same({ "crowd", 2 }, found)
    assert.same(world.groups["held up"].id:list(), jam.agents.id:list())
  end)

  it("a body", function()
    local world = narrow { threads = 1 }
    world:body { box = { 1, 0.8 }, at = { 10, 0.45 }, mass = 5000 }
    world:spawn { at = { { 1, 0.45 } } }:go_to { 19, 0.45 }
    assert.same({ "body", 1 }, (only_jam(world, 28)))
  end)

  it("its own planner, when nothing is in the way", function()
    local world = throng.world { threads = 1 }
    world:spawn { at = { { 0, 0 } }, max_speed = 0 }:go_to { 19, 0 }
    assert.same({ "planner", 1 }, (only_jam(world, 20)))
  end)

  it("tells jams apart by their places", function()
    local world = throng.world { threads = 1 }
    world:spawn { at = { { 0, 0 }, { 1.5, 0 }, { 30, 0 }, { 3, 0 } }, max_speed = 0 }:go_to { 90, 0 }
    world:run { seconds = 30 }
    local jams = world:stuck()
    assert.same({ 3, 1 }, { jams[1].agents.count, jams[2].agents.count })
    assert.same({ { 1.5, 0 }, { 30, 0 } }, { jams[1].place, jams[2].place })
  end)
end)

describe("the event stuck", function()
  local function standoff(settings)
    local world = narrow(settings)
    world:spawn { at = { { 1, 0.45 } }, name = "east" }:go_to { 19, 0.45 }
    world:spawn { at = { { 19, 0.45 } }, name = "west" }:go_to { 1, 0.45 }
    return world
  end

  it("comes once, with the group's agents and the cause", function()
    local world, heard = standoff { threads = 1 }, {}
    world.groups.east:on("stuck", function(group, cause)
      heard[#heard + 1] = ("%s %d %s"):format(group.name, group.count, cause)
    end)
    world:run { seconds = 28 }
    assert.same({ "east 1 standoff" }, heard)
  end)

  it("lets a script help", function()
    local world = standoff { threads = 1 }
    world.groups.west:on("stuck", function(group) group:remove() end)
    world.groups.west:on("stuck", function() error "nobody is left of this group" end)
    world:run { seconds = 120 }
    assert.equal(1, world:stats().arrived)
  end)

  it("is counted by cause in the totals of the run", function()
    local world = standoff { threads = 1 }
    world:run { seconds = 28 }
    local stuck = world:stats().stuck
    assert.same({ 2, 0, 0 }, { stuck.standoff, stuck.crowd, stuck["no route"] })
  end)

  it("is the same on every backend", function()
    local told = {}
    for _, backend in ipairs(throng.backends()) do
      for _, simd in ipairs(backend == "cpu" and needs.which_simd { 1, 4, 8 } or { 0 }) do
        local world, lines = standoff { backend = backend, simd = simd }, {}
      world:spawn { at = { { 0.3, 0.45 } }, name = "last", speed = 0.5, max_speed = 0.5 }:go_to { 19, 0.45 }
        world.agents:on("stuck", function(group, cause)
          lines[#lines + 1] = ("%g %s %s"):format(world.time, cause, table.concat(group.id:list(), " "))
        end)
        world:run { seconds = 60 }
        lines[#lines + 1] = world:hash()
        told[#told + 1] = table.concat(lines, "\n")
      end
    end
    assert.matches("crowd 1", told[1])
    for _, lines in ipairs(told) do
      assert.equal(told[1], lines)
    end
  end)

  it("makes a machine's state blocked, by walls and doors too", function()
    local world = throng.world { map = throng.map { boundary = box(0, 0, 40, 10), walls = halves() }, threads = 1 }
    local group = world:spawn { at = { { 2, 2 } } }
    group:run(throng.fsm {
      start = "try",
      try = { goal = throng.arrive({ 30, 2 }), blocked = "give_up" },
      give_up = { goal = throng.go_to({ 2, 2 }) },
    })
    world:run { seconds = 60, until_done = false }
    assert.equal("give_up", group.fsm_state[1])
    assert.near(2, group.x[1], 0.6)
  end)

  it("is refused under other names", function()
    local world = standoff { threads = 1 }
    local _, message = pcall(function() world.groups.east:on("stock", print) end)
    assert.matches("unknown event 'stock', did you mean 'stuck'%? Expected one of: arrived, stuck", message)
  end)
end)
