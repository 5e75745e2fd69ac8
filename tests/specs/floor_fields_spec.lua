-- What leads and scares people by floor: potentials of goals, and hazards, in buildings.
local throng = require "throng"
local needs = dofile "tests/specs/needs.lua"
local flights = dofile "tests/specs/flights.lua"

local OUTLINE, building = flights.OUTLINE, flights.building

local function floors_of(map, from, to) return flights.taken(map, "field", from, to) end

describe("the potential of a building", function()
  it("leads up and down, floor by floor", function()
    assert.same({ "ground", "south", "first" }, floors_of(building(), { 3, 2.5 }, "first/east"))
    assert.same({ "ground", "north", "first" }, floors_of(building(), { 3, 7.5 }, "first/east"))
    assert.same({ "first", "south", "ground" }, floors_of(building(), { 17, 2.5, floor = "first" }, "ground/west"))
  end)

  it("keeps to the flights that are worth it", function()
    local map = building { south = { cost = 60 } }
    assert.same({ "ground", "north", "first" }, floors_of(map, { 3, 2.5 }, "first/east"))
    assert.same({ "first", "north", "ground" }, floors_of(map, { 17, 2.5, floor = "first" }, "ground/west"))
  end)

  it("leads nobody to a flight that the shortest path leads away from", function()
    local last
    for cost = 8, 14, 0.5 do -- m: by one flight as by the other, from somewhere near the first
      local on = floors_of(building { south = { cost = cost } }, { 3, 2.5 }, "first/east")
      assert.is_true(#on == 3 and (on[2] == "north" or last ~= "north"), table.concat(on, " ") .. " at " .. cost)
      last = on[2]
    end
    assert.equal("north", last)
  end)

  it("keeps to the middle of a floor's corridors", function()
    local walls = { throng.box(2, 0, 16, 4), throng.box(2, 6.4, 16, 10) } -- a corridor of 2.4 m
    local function across(routing)
      local map = throng.building {
        floors = {
          ground = { z = 0, boundary = OUTLINE },
          first = { z = 3.5, boundary = OUTLINE, walls = walls, regions = { corner = throng.box(0, 0, 1, 1) } },
        },
        stairs = { { from = "ground", to = "first", foot = { 13, 9 }, head = { 17, 9 }, width = 1.6 } },
      }
      local world <close> = throng.world { map = map, dt = 0.1, seed = 1, people = false }
      local one = world:spawn { at = { { 4, 4 } }, radius = 0.25, routing = routing }
      one:go_to "first/corner"
      local off = 0
      for _ = 1, 400 do
        world:step()
        if one.floor[1] == "first" and one.x[1] > 6 and one.x[1] < 12 then
          off = math.max(off, math.abs(one.y[1] - 5.2))
        end
      end
      assert.equal(1, world:stats().arrived)
      return off
    end
    assert.is_true(across "navmesh" > 0.3) -- from corner to corner
    assert.is_true(across "field" < 0.2)
  end)

  it("leads everybody out of a tower, and through lifts", function()
    local world <close> = throng.load("scenarios/tower.lua", { params = { count = 80 } })
    world.groups.staff.routing = "field"
    world.groups.staff:go_to "exit"
    world:run { seconds = 250, until_done = true }
    assert.equal(80, world:stats().arrived)
    assert.no_overlap(world)

    local map = throng.building {
      floors = {
        ground = { z = 0, boundary = OUTLINE },
        first = { z = 4, boundary = OUTLINE, regions = { desk = throng.box(15, 8, 16, 9) } },
      },
      lifts = { { name = "a", at = { 10, 5 }, back = { 12, 5 }, width = 2, capacity = 6 } },
    }
    local lifted <close> = throng.world { map = map, dt = 0.1, seed = 3 }
    lifted:spawn { count = 10, where = "ground", routing = "field" }:go_to "first/desk"
    lifted:run { seconds = 200, until_done = true }
    assert.equal(10, lifted:stats().arrived)
  end)
end)

describe("a hazard on a floor", function()
  -- Who walks along y = 5 on either floor, and how far they turn off for something at (10, 4.5).
  local function turned(hazard)
    local world <close> = throng.world { map = building(), dt = 0.1, seed = 1, people = false }
    local low = world:spawn { at = { { 4, 5 } }, radius = 0.25 }
    local high = world:spawn { at = { { 4, 5, floor = "first" } }, radius = 0.25 }
    low:go_to { 18, 5 }
    high:go_to { 18, 5, floor = "first" }
    local fire = hazard(world)
    local off = { 0, 0 }
    for _ = 1, 100 do
      world:step()
      for i, group in ipairs { low, high } do off[i] = math.max(off[i], math.abs(group.y[1] - 5)) end
    end
    return off[1] > 0.3, off[2] > 0.3, fire
  end

  it("is heeded there, and not above or below", function()
    assert.same({ true, false }, { turned(function(world) world:hazard { at = { 10, 4.5 }, reach = 3 } end) })
    assert.same({ true, false },
      { turned(function(world) world:hazard { at = { 10, 4.5, floor = "ground" }, reach = 3 } end) })
    assert.same({ false, true },
      { turned(function(world) world:hazard { at = { 10, 4.5, floor = "first" }, reach = 3 } end) })
  end)

  it("is on a floor that can be read and changed", function()
    assert.same({ false, true }, { turned(function(world)
      local fire = world:hazard { at = { 10, 4.5 }, reach = 3 }
      assert.equal("ground", fire.floor)
      fire.floor = "first"
      assert.equal("first", fire.floor)
      assert.equal(10, fire.x)
      assert.error_matches(function() fire.floor = "cellar" end, "hazard.floor: unknown floor 'cellar'")
      fire.x = 10
    end) })
    local flat <close> = throng.world { seed = 1 }
    local fire = flat:hazard { at = { 1, 1 } }
    assert.equal("", fire.floor)
    assert.error_matches(function() fire.floor = "first" end, "this map is no building")
    assert.error_matches(function() flat:hazard { at = { 1, 1, floor = "first" } } end, "this map is no building")
    fire:remove()
    assert.error_matches(function() return fire.floor end, "this hazard was removed")
  end)

  it("is heeded on the flight that begins there", function()
    local function time(floor)
      local world <close> = throng.world { map = building(), dt = 0.1, seed = 1, people = false }
      local one = world:spawn { at = { { 7, 2, floor = "south" } }, radius = 0.25 }
      one:go_to { 16, 2, floor = "first" }
      world:hazard { at = { 5, 2, floor = floor }, reach = 4, weight = -1.5 } -- drawn back
      world:run { seconds = 3 }
      return one.x[1]
    end
    assert.is_true(time "ground" < time "first" - 0.5)
  end)

  it("counts in the world's state", function()
    local function hash(floor)
      local world <close> = throng.world { map = building(), seed = 1 }
      world:spawn { at = { { 4, 5 } } }
      world:hazard { at = { 10, 4.5, floor = floor }, reach = 3 }
      world:step()
      return world:hash()
    end
    assert.is_false(hash "ground" == hash "first")
  end)
end)

describe("the same bits by potentials and hazards of a building", function()
  local hash = flights.hash_of("field", nil, function(world)
    world:hazard { at = { 10, 5, floor = "first" }, reach = 4 }
  end)

  it("come from every width and number of threads", function()
    flights.on_every_width(hash, assert.same_hash)
  end)

  it("come from CUDA", function()
    needs.device(pending)
    assert.same_hash(hash { backend = "cpu", simd = 1, threads = 1 }, hash { backend = "cuda" })
  end)
end)
