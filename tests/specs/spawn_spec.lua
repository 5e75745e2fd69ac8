-- Spawns one after the other: who is there already keeps its place, wherever that is by then.
local throng = require "throng"

local BOX = { { 0, 0 }, { 4, 0 }, { 4, 4 }, { 0, 4 } }

local function plane(settings)
  settings = settings or {}
  settings.threads, settings.backend = 1, "cpu"
  settings.regions = settings.regions or { here = throng.polygon(BOX), there = throng.box(100, 0, 104, 4) }
  return throng.world(settings)
end

-- The least of how far two are apart, in sums of their radii.
local function closest(world)
  local all, least = world.agents, math.huge
  local x, y, radius = all.x:list(), all.y:list(), all.radius:list()
  for i = 1, #x do
    for j = 1, i - 1 do
      local apart = math.sqrt((x[i] - x[j]) ^ 2 + (y[i] - y[j]) ^ 2)
      least = math.min(least, apart / (radius[i] + radius[j]))
    end
  end
  return least
end

-- As many as there is room for, in spawns of so many.
local function fill(world, where, count)
  local made = 0
  while made < 999 and pcall(world.spawn, world, { count = count, where = where, radius = 0.3 }) do
    made = made + count
  end
  return made
end

describe("many small spawns", function()
  it("take a time that grows as their number", function()
    local world = plane { regions = { all = throng.box(-1000, -1000, 1000, 1000) } }
    local began = os.clock()
    for _ = 1, 10000 do world:spawn { count = 1, where = "all" } end
    assert.is_true(os.clock() - began < 10, "250 s when each looked at everybody who was there before")
    assert.equal(10000, #world.agents)
  end)

  it("find the room that one large spawn finds, and nobody's place", function()
    local world, alone = plane(), plane()
    local made = fill(world, "here", 1)
    assert.is_true(made >= 30 and made == #world.agents)
    assert.is_true(closest(world) >= 1)
    alone:spawn { count = made, where = "here", radius = 0.3 }
  end)

  it("go by where everybody is by then, and how large", function()
    local world = plane()
    local made = fill(world, "here", 5)
    assert.equal(0, fill(world, "here", 5))
    world.agents:go_to { 50, 2 }
    world:run { seconds = 10 }
    local gone = made - #world.agents:inside "here"
    assert.is_true(gone > 5 and fill(world, "here", 5) > 0)
    assert.is_true(closest(world) > 0.99)
    world.agents:inside("here"):remove()
    assert.is_true(fill(world, "here", 5) >= made - 10)
    assert.equal(0, fill(world, "here", 5))
    world.agents:inside("here").radius = 0.1
    assert.is_true(fill(world, "here", 5) > 0)
    assert.is_true(closest(world) > 0.99)
  end)

  it("go by bodies that become wider", function()
    local world = plane { regions = { lane = throng.box(0, 0, 0.15, 8) } }
    local one = { count = 1, where = "lane", body = throng.stadium { width = 0.3, depth = 0.2 } }
    local first = world:spawn(one)
    first.width = 20 -- along all of the lane
    assert.error_matches(function() world:spawn(one) end, "only 0 of 1 agents fit")
    first.width = 0.3
    world:spawn(one)
  end)

  it("and those that fail leave nothing", function()
    local world = plane()
    world:spawn { count = 10, where = "here", radius = 0.3 }
    local before = world:hash()
    assert.has_error(function() world:spawn { count = 3, where = "here", radius = 5, name = "giants" } end)
    assert.has_error(function() world:spawn { count = 500, where = "here", radius = 0.3, name = "many" } end)
    assert.equal(before, world:hash())
    for _ = 1, 10 do world:spawn { count = 1, where = "here", radius = 0.3 } end
    assert.is_true(closest(world) >= 1)
    world:spawn { at = { { 50, 50 } }, name = "giants" } -- the name is free
    assert.equal(1, #world.groups.giants)
  end)

  it("have groups that are found by their names", function()
    local world = plane()
    for i = 1, 300 do world:spawn { at = { { i, 50 } }, name = "g" .. i } end
    for i = 1, 300 do assert.near(i, world.groups["g" .. i].x[1], 1e-4) end
    assert.error_matches(function() world:spawn { at = { { 1, 60 } }, name = "g77" } end, "a group named 'g77' already")
  end)
end)

describe("areas beyond the map", function()
  local function hall(settings)
    settings = settings or {}
    settings.map, settings.threads = throng.map { boundary = throng.box(0, 0, 20, 10) }, 1
    return throng.world(settings)
  end

  it("count as far as they lie on it, however large they are", function()
    for _, size in ipairs { 100, 1e5 } do
      local world = hall()
      local people = world:spawn { count = 60, where = throng.box(-size, -size, size, size), radius = 0.2 }
      for _, half in ipairs { throng.box(0, 0, 10, 10), throng.box(0, 0, 20, 5) } do
        assert.is_true(people:inside(half).count > 15 and people:inside(half).count < 45)
      end
    end
  end)

  it("are filled as the map is, and say when it is full", function()
    local world = hall()
    assert.error_matches(function() world:spawn { count = 5000, where = throng.box(-1e5, -1e5, 1e5, 1e5) } end,
      "only %d%d%d%d? of 5000 agents fit into the area, 200 m² with")
    world:source { rate = 100, limit = 500, where = throng.box(-1e5, -1e5, 1e5, 1e5), radius = 0.3 }
    world:run { steps = 20 }
    assert.equal(191, #world.agents)
  end)

  it("draw no other numbers when they lie on it, to its edge", function()
    local function places(where)
      return hall():spawn({ count = 20, where = where }).x:list()
    end
    assert.same(places(nil), places(throng.box(0, 0, 20, 10)))
    assert.same(places(nil), places(throng.box(-3, -1e5, 1e5, 11)))
  end)

  it("count in a world that wraps, too", function()
    local world = throng.world { wrap = { 20, 10 }, threads = 1 }
    local people = world:spawn { count = 60, where = throng.box(-1e5, -1e5, 1e5, 1e5), radius = 0.2 }
    assert.is_true(people:inside(throng.box(0, 0, 10, 10)).count > 15)
  end)
end)

describe("areas far apart on an open plane", function()
  local FAR = { throng.box(-1e5, -1e5, -1e5 + 4, -1e5 + 4), throng.box(1e5 - 8, 1e5 - 4, 1e5, 1e5) }

  it("are both stood in, the larger by more", function()
    local world = throng.world { threads = 1 }
    local people = world:spawn { count = 45, where = FAR, radius = 0.2 }
    local small = people:inside(throng.box(-1e5 - 1, -1e5 - 1, 0, 0)).count
    assert.is_true(small > 5 and small < 25)
  end)

  it("say when they are full", function()
    local world = throng.world { threads = 1 }
    assert.error_matches(function() world:spawn { count = 5000, where = FAR } end, "only %d+ of 5000 agents fit into")
  end)
end)
