-- What passing a door costs, and who is too wide for it.
local throng = require "throng"
local needs = dofile "tests/specs/needs.lua"

local WALL, SOUTH = 10, 5 -- m: the wall, and the middle of its south door

-- Straight through the south door it is 16 m from FROM to TO.
local FROM, TO = { 2, SOUTH }, { 18, SOUTH }
local SHORT = 16

local function two_doors(south)
  south = south or {}
  south[1], south[2] = { WALL, SOUTH - 1 }, { WALL, SOUTH + 1 }
  return throng.map {
    boundary = throng.box(0, 0, 20, 20),
    walls = { throng.box(9.9, 0, 10.1, 4), throng.box(9.9, 6, 10.1, 14), throng.box(9.9, 16, 10.1, 20) },
    doors = { south = south, north = { { WALL, 14 }, { WALL, 16 } } },
    regions = { east = throng.box(17, 4, 19, 6) },
  }
end

-- By which door does the path lead, and is its length what is walked?
local function assert_leads(corners, length, door)
  local sum, by = 0, nil
  for i = 2, #corners do
    local a, b = corners[i - 1], corners[i]
    sum = sum + math.sqrt((b[1] - a[1]) ^ 2 + (b[2] - a[2]) ^ 2)
    if (a[1] < WALL) ~= (b[1] < WALL) then
      by = a[2] + (WALL - a[1]) / (b[1] - a[1]) * (b[2] - a[2]) > 10 and "north" or "south"
    end
  end
  assert.equal(door, by)
  assert.near(sum, length, 1e-6)
end

-- The doors by which a group walks.
local function walked(world, group, seconds)
  local x, by = group.x, {}
  for _ = 1, math.floor(seconds / world.dt) do
    world:step()
    local now_x, now_y = group.x, group.y
    for i = 1, #group do
      if (x[i] < WALL) ~= (now_x[i] < WALL) then by[now_y[i] > 10 and "north" or "south"] = true end
    end
    x = now_x
  end
  return by
end

describe("the cost of a door", function()
  it("sends single paths another way when that is shorter", function()
    local more = two_doors({ cost = 1000 }):distance(FROM, TO, 0.25) - SHORT
    assert.is_true(more > 5)
    for cost, door in pairs { [0] = "south", [more - 1e-6] = "south", [more + 1e-6] = "north", [1000] = "north" } do
      local map = two_doors { cost = cost }
      local corners, length = map:path(FROM, TO, 0.25)
      assert_leads(corners, length, door)
      if door == "south" then assert.near(SHORT, length, 1e-9) end
      assert.equal(cost, map.doors[2].cost)
    end
  end)

  it("counts in batches", function()
    local map = two_doors { cost = 20 }
    local paths = throng.paths { map = map, from = { FROM, { 2, 15 } }, to = { TO, { 18, 15 } }, radius = 0.25 }
    assert_leads(paths.path[1], paths.cost[1], "north")
    assert.near(map:distance(FROM, TO, 0.25), paths.cost[1], 1e-9)
    assert.near(SHORT, paths.cost[2], 1e-9)
  end)

  for name, send in pairs {
    ["a shared goal"] = function(group) group:go_to "east" end,
    ["a point"] = function(group) group:go_to { 18, 5 } end,
    ["goals of their own"] = function(group) group:go_to { { 18, 5 }, { 18, 5.5 } } end,
  } do
    it("changes the way to " .. name .. " while they walk", function()
      local world <close> = throng.world { map = two_doors() }
      local group = world:spawn { at = { { 2, 5 }, { 2, 6 } }, door_policy = "wait" }
      send(group)
      world:run { seconds = 1 }
      assert.near(0, group.desired_vy[1], 0.3)
      local door = world.map:door "south"
      door.cost = 30
      assert.equal(30, door.cost)
      world:run { seconds = 0.3 }
      assert.is_true(group.desired_vy[1] > 0.5)
      door.cost = 0
      world:run { seconds = 0.3 }
      assert.near(0, group.desired_vy[1], 0.3)
      door.cost = 30
      assert.same({ north = true }, walked(world, group, 30))
    end)

    it("counts on the way to " .. name .. ", with congestion", function()
      local world <close> = throng.world { map = two_doors { cost = 30 } }
      local group = world:spawn { at = { { 2, 5 }, { 2, 6 } }, congestion = true }
      send(group)
      assert.same({ north = true }, walked(world, group, 30))
    end)
  end

  it("is kept from wall to wall, and is a number of metres", function()
    assert.error_matches(function() two_doors { cost = -1 } end, 'door "south": a cost of %-1 m is not valid: give 0')
    assert.error_matches(function() two_doors { cost = "5" } end, "door 'south': cost must be a number of metres")
    assert.error_matches(function() two_doors { max_radius = -1 } end, "max_radius = %-1 is not valid")
    assert.error_matches(function() two_doors { costs = 5 } end, "unknown field 'costs'.+cost")
    assert.error_matches(function()
      throng.map { boundary = throng.box(0, 0, 10, 10), doors = { gate = { { 5, 0 }, { 5, 6 }, cost = 1 } } }
    end, 'door "gate" ends in the open at %(5, 6%).+a cost counts from wall to wall: move its end to the wall')
    local world <close> = throng.world { map = two_doors() }
    local door = world.map:door "south"
    assert.error_matches(function() door.cost = 0 / 0 end, "a cost of .+ is not valid")
    assert.error_matches(function() door.cost = "much" end, "door.cost must be a number of metres, got")
    assert.error_matches(function() door.max_radius = 1 end, "read only, but for cost")
  end)

  it("is refused where routes do not count it", function()
    for _, routing in ipairs { "roadmap", "field" } do
      local world <close> = throng.world { map = two_doors { cost = 5 } }
      local group = world:spawn { at = { FROM }, routing = routing }
      assert.error_matches(function() group:go_to "east" end,
        'door "south": costs of doors count on the navmesh only: they do not go with routing = "' .. routing .. '"')
      world.map:door("south").cost = 0
      group:go_to "east"
      assert.error_matches(function() world.map:door("south").cost = 5 end, "costs of doors count on the navmesh only")
    end
  end)

  it("is the same on every width and backend", function()
    local hash
    for _, simd in ipairs(needs.which_simd { 1, 4, 8, 16 }) do
      local world <close> = throng.world { map = two_doors { cost = 8 }, simd = simd, seed = 1 }
      world:spawn({ count = 40, where = throng.box(1, 1, 8, 19), congestion = true }):go_to "east"
      world:spawn({ count = 40, where = throng.box(1, 1, 8, 19) }):go_to "east"
      world:run { seconds = 12 }
      hash = hash or world:hash()
      assert.equal(hash, world:hash())
    end
  end)
end)

describe("the max_radius of a door", function()
  it("sends round who is wider", function()
    local map = two_doors { max_radius = 0.3 }
    assert.equal(0.3, map.doors[2].max_radius)
    assert_leads(map:path(FROM, TO, 0.3), map:distance(FROM, TO, 0.3), "south")
    assert_leads(map:path(FROM, TO, 0.31), map:distance(FROM, TO, 0.31), "north")
  end)

  for _, routing in ipairs { "navmesh", "roadmap", "field" } do
    it("counts by the " .. routing, function()
      local world <close> = throng.world { map = two_doors { max_radius = 0.3 }, people = false }
      local narrow = world:spawn { at = { { 4, 5 } }, radius = 0.2, routing = routing }
      local wide = world:spawn { at = { { 6, 6 } }, radius = 0.4, routing = routing, door_policy = "wait" }
      narrow:go_to "east"
      wide:go_to "east"
      world:run { seconds = 3 }
      assert.is_true(math.abs(narrow.y[1] - 5) < 1)
      assert.is_true(wide.y[1] > 8)
      assert.equal(0.3, world.map:door("south").max_radius)
    end)
  end

  it("closes the only door to who is wider", function()
    local world <close> = throng.world { map = throng.map {
      boundary = throng.box(0, 0, 20, 10),
      walls = { throng.box(9.9, 0, 10.1, 4), throng.box(9.9, 6, 10.1, 10) },
      doors = { gate = { { 10, 4 }, { 10, 6 }, max_radius = 0.3 } },
    } }
    world:spawn({ at = { { 5, 5 } }, radius = 0.25 }):go_to { 15, 5 }
    assert.error_matches(function() world:spawn({ at = { { 5, 7 } }, radius = 0.35 }):go_to { 15, 5 } end, "reach")
  end)
end)
