-- Buildings: floors over each other, joined by stairs and ramps.
local throng = require "throng"
local planners = dofile "tests/specs/planners.lua"
local command = dofile "tests/specs/command.lua"
local needs = dofile "tests/specs/needs.lua"

local HALL = throng.box(0, 0, 20, 10)

-- Two halls, one over the other, with stairs from west to east between them.
local function two_halls(settings)
  settings = settings or {}
  return throng.building {
    floors = {
      ground = { z = 0, boundary = HALL,
        regions = { exit = throng.box(0, 4, 1, 6), lobby = throng.box(1, 1, 6, 9), bay = throng.box(16, 1, 19, 6) } },
      first = { z = 3.5, boundary = HALL,
        regions = { office = throng.box(1, 1, 6, 9), bay = throng.box(16, 1, 19, 6) } },
    },
    stairs = { { name = "stairs", from = "ground", to = "first", foot = { 8, settings.y or 8 },
      head = { 14, settings.y or 8 }, width = settings.width or 1.5, climb = settings.climb,
      descend = settings.descend } },
  }
end

local function world_of(settings)
  return throng.world { map = two_halls(settings), seed = 3, dt = 0.1, simd = settings and settings.simd,
    threads = settings and settings.threads }
end

-- The number of the floor or flight that an agent is on.
local LEVEL = { ground = 1, stairs = 2, first = 3 }

-- No two people on floors that are joined come nearer than they may; those of the flight's halves are on one.
local function closest(world)
  local x, y, radius, floor, least = {}, {}, {}, {}, math.huge
  for _, group in ipairs { world.groups.people, world.groups.others } do
    for i = 1, #group do
      x[#x + 1], y[#y + 1], radius[#radius + 1] = group.x[i], group.y[i], group.radius[i]
      floor[#floor + 1] = LEVEL[group.floor[i]]
    end
  end
  for i = 1, #x do
    for j = i + 1, #x do
      -- who is behind the head on the ground floor lies under the flight's upper end, and is not joined to it
      local near_seam = floor[i] == floor[j] or math.abs(floor[i] - floor[j]) == 1
      local under = (floor[i] == 1 or floor[j] == 1) and floor[i] ~= floor[j] and math.max(x[i], x[j]) > 11
      local over = (floor[i] == 3 or floor[j] == 3) and floor[i] ~= floor[j] and math.min(x[i], x[j]) < 11
      if near_seam and not under and not over then
        local apart = math.sqrt((x[i] - x[j]) ^ 2 + (y[i] - y[j]) ^ 2) / (radius[i] + radius[j])
        least = math.min(least, apart)
      end
    end
  end
  return least
end

describe("a building", function()
  for _, name in ipairs(planners) do if name ~= "none" then
    it("is left by everybody, and climbed by others at once, under " .. name, function()
      local world = world_of { y = 5, width = 3 } -- room for two ways, and to walk round
      local planner = throng[name]
      local people = world:spawn { name = "people", count = 20, where = "office", planner = planner {} }
      local others = world:spawn { name = "others", count = 12, where = "lobby", planner = planner {} }
      people:go_to "exit"
      others:go_to "first/bay"
      local least = math.huge
      for _ = 1, 60 do
        world:run { seconds = 2 }
        least = math.min(least, closest(world))
        if people.arrived:min() >= 0 and others.arrived:min() >= 0 then break end
      end
      assert.is_true(least > 0.98, "closest " .. least)
      assert.equal(0, #(people | others):filter(function(a) return a.arrived < 0 end), "on their way")
      for i = 1, #people do assert.equal("ground", people.floor[i]) end
      for i = 1, #others do assert.equal("first", others.floor[i]) end
    end)
  end end

  it("keeps those on one floor from those above, to the bit", function()
    local function positions(with_others)
      local world = world_of()
      local people = world:spawn { name = "people", count = 30, where = "lobby" }
      people:go_to "ground/bay"
      if with_others then
        world:spawn { name = "others", count = 30, where = "office" }:go_to "first/bay"
      end
      world:run { seconds = 6 }
      return people.x:list(), people.y:list()
    end
    local x, y = positions(false)
    local with_x, with_y = positions(true)
    assert.same(x, with_x)
    assert.same(y, with_y)
  end)

  it("keeps the walls of the floor above from those on the lower half of its stairs", function()
    local function positions(walls)
      local map = throng.building {
        floors = { ground = { z = 0, boundary = HALL }, first = { z = 3.5, boundary = HALL, walls = walls } },
        stairs = { { name = "stairs", from = "ground", to = "first", foot = { 8, 8 }, head = { 14, 8 } } },
      }
      local world = throng.world { map = map, seed = 3, dt = 0.1 }
      local people = world:spawn { name = "people", at = { { 6, 8 } }, radius = 0.25, planner = throng.forces {} }
      people:go_to { 10.9, 7.67, floor = "stairs" } -- at the handrail, y = 7.4
      world:run { seconds = 12 }
      return { people.floor[1], people.x[1], people.y[1] }
    end
    local alone = positions(nil)
    assert.equal("stairs", alone[1])
    assert.same(alone, positions { throng.box(8.5, 7.1, 13.5, 7.38) }) -- behind the handrail, which parts them
  end)

  it("has the same bits on every width and any number of threads", function()
    local function hash(settings)
      local world = world_of(settings)
      world:spawn { name = "people", count = 60, where = "office" }:go_to "exit"
      world:spawn { name = "others", count = 40, where = "lobby" }:go_to "first/bay"
      world:run { seconds = 20 }
      return world:hash()
    end
    local expected = hash { simd = 1, threads = 1 }
    for _, width in ipairs { 4, 8 } do assert.equal(expected, hash { simd = width, threads = 2 }) end
  end)

  it("has the same bits on CUDA", function()
    needs.device(pending)
    local function hash(backend)
      local world = throng.world { map = two_halls(), seed = 3, dt = 0.1, backend = backend }
      for _, name in ipairs { "orca", "clearpath", "rvo", "bvp", "forces" } do
        world:spawn { count = 12, where = "office", planner = throng[name] {} }:go_to "exit"
        world:spawn { count = 8, where = "lobby", planner = throng[name] {} }:go_to "first/bay"
      end
      world:run { seconds = 30 }
      return world:hash()
    end
    assert.equal(hash "cpu", hash "cuda")
  end)

  it("slows people down on its stairs, more on the way up", function()
    local function seconds(from, to, settings)
      local world = world_of(settings)
      local people = world:spawn { name = "people", at = { from }, speed = 1.34 }
      people:go_to(to)
      local on, entered = 0, nil
      for _ = 1, 400 do
        world:step()
        if people.floor[1] == "stairs" then
          on = on + 1
          entered = true
        elseif entered then
          break
        end
      end
      return on * 0.1
    end
    local ground, first = { 2, 8 }, { 18, 8, floor = "first" }
    local up, down = seconds(ground, first), seconds(first, ground)
    assert.is_near(6 / 0.61, up, 0.5)
    assert.is_near(6 / 0.694, down, 0.5)
    assert.is_near(6 / 1.34, seconds(ground, first, { climb = 1 }), 0.5)
  end)

  -- Persons a second and metre over stairs with a queue before them: of the middle three fifths of 200.
  local function flow(width, up)
    local stairs = { name = "stairs", from = "ground", to = "first", foot = { 14, 8 }, head = { 19, 8 }, width = width }
    local world <close> = throng.world {
      map = throng.building {
        floors = {
          ground = { z = 0, boundary = throng.box(0, 0, 14, 16) },
          first = { z = 3, boundary = throng.box(19, 0, 33, 16) },
        },
        stairs = { stairs },
      },
      seed = 1, dt = 0.1,
    }
    local people = world:spawn { count = 200, where = up and "ground" or "first" }
    people:go_to { up and 31 or 2, 8, floor = up and "first" or "ground" }
    people:on("arrived", function(arrived) arrived:remove() end)
    local middle = world:measure { flow = {
      { 16.5, 8 - width / 2, floor = "stairs" }, { 16.5, 8 + width / 2, floor = "stairs" },
    } }
    local begun, ended
    while world.time < 600 and not ended do
      world:step()
      begun = begun or middle.count >= 40 and world.time
      ended = middle.count >= 160 and world.time
    end
    return 120 / (ended - begun) / width
  end

  it("has flows on its stairs as people have them, at most 1.1 persons a second and metre", function()
    for _, width in ipairs { 1, 2 } do
      local up, down = flow(width, true), flow(width, false)
      local found = ("%.3g up, %.3g down on %g m"):format(up, down, width)
      assert.is_true(up > 0.8 and up < down and down < 1.1, found)
    end
  end)

  it("slows people down on ramps by their slope, where nothing else is said", function()
    local function seconds(rise, up, climb)
      local world = throng.world {
        map = throng.building {
          floors = {
            ground = { z = 0, boundary = throng.box(0, 0, 6, 4) },
            first = { z = rise, boundary = throng.box(18, 0, 24, 4) },
          },
          ramps = { { name = "ramp", from = "ground", to = "first", foot = { 6, 2 }, head = { 18, 2 },
            climb = climb } },
        },
        dt = 0.1,
        seed = 1,
      }
      local low, high = { 3, 2 }, { 21, 2, floor = "first" }
      local people = world:spawn { name = "people", at = { up and low or high }, speed = 1.2 }
      people:go_to(up and high or low)
      local on = 0
      for _ = 1, 400 do
        world:step()
        on = on + (people.floor[1] == "ramp" and 1 or 0)
      end
      return on * 0.1
    end
    local function pace(slope) return math.min(1, math.exp(-3.5 * (math.abs(slope + 0.05) - 0.05))) end
    assert.is_near(10 / pace(1 / 12), seconds(1, true), 0.3) -- 13.4 s
    assert.is_near(10, seconds(1, false), 0.3)
    assert.is_near(10 / pace(-0.15), seconds(1.8, false), 0.3)
    assert.is_near(10, seconds(1, true, 1), 0.3)
  end)

  it("has paths over its stairs, as long up as down", function()
    local map = two_halls()
    local low, high = { 3, 2 }, { 3, 2, floor = "first" }
    local up, down = map:distance(low, high, 0.25), map:distance(high, low, 0.25)
    assert.is_near(up, down, 1e-6)
    -- to the foot, along the flight, and back over the floor above, along the hole
    assert.is_true(up > 6 + math.sqrt(5 ^ 2 + 5.25 ^ 2) and up < 35, "length " .. up)
    local corners = map:path(low, high, 0.25)
    assert.same({ 3, 2, floor = "ground", z = 0 }, corners[1])
    assert.same({ 3, 2, floor = "first", z = 3.5 }, corners[#corners])
    assert.is_true(map:distance({ 3, 2 }, { 4, 2 }, 0.25) < 1.01)
    -- a point goes round the ends of handrails, which are walls on both sides, in any direction
    local slant = throng.building {
      floors = { ground = { z = 0, boundary = HALL }, first = { z = 3.5, boundary = HALL } },
      stairs = { { from = "ground", to = "first", foot = { 3.3, 2.1 }, head = { 9.7, 6.4 } } },
    }
    local from, to = { 1, 9 }, { 18, 9, floor = "first" }
    assert.is_near(slant:distance(from, to, 0.02), slant:distance(from, to), 0.1)
  end)

  it("tells the floors and the heights of paths, whose lengths are along the slopes", function()
    local map = throng.building {
      floors = { ground = { z = 0, boundary = HALL }, first = { z = 3, boundary = HALL },
        top = { z = 6, boundary = HALL } },
      stairs = { { name = "low", from = "ground", to = "first", foot = { 8, 8 }, head = { 12, 8 } },
        { name = "high", from = "first", to = "top", foot = { 8, 8 }, head = { 12, 8 } } },
    }
    local function floors_of(corners)
      local names = {}
      for i, corner in ipairs(corners) do
        local before = corners[i - 1]
        if not before or before.floor ~= corner.floor then
          names[#names + 1] = corner.floor
          assert.same(before and { before[1], before[2] } or { corner[1], corner[2] }, { corner[1], corner[2] })
        end
        if before then assert.is_near(before.floor == corner.floor and corner.z or before.z, corner.z, 1e-9) end
      end
      return table.concat(names, " ")
    end
    local length = 0
    local corners, told = map:path({ 3, 8 }, { 17, 8, floor = "first" }, 0.25)
    for i = 2, #corners do
      local a, b = corners[i - 1], corners[i]
      length = length + math.sqrt((b[1] - a[1]) ^ 2 + (b[2] - a[2]) ^ 2 + (b.z - a.z) ^ 2)
    end
    assert.is_near(10 + 5, told, 1e-6) -- 5 and 5 m on the floors, a flight of 4 m that climbs 3
    assert.is_near(told, length, 1e-6)
    -- of points, which touch the handrails' ends, as of discs; between any two places, and back
    for _, radius in ipairs { 0, 0.25 } do
      for key = 1, 40 do
        local from, to = map:random_point("ground", 0.3, key), map:random_point("top", 0.3, key)
        corners, told = map:path(from, to, radius)
        assert.equal("ground low first high top", floors_of(corners))
        local back, again = map:path(to, from, radius)
        assert.equal("top high first low ground", floors_of(back))
        assert.is_near(told, again, 1e-6)
        corners = map:path(map:random_point("first", 0.3, key), { 9, 7, floor = "first" }, radius)
        assert.equal("first", floors_of(corners))
      end
    end
    -- along a handrail, on one side of it or on the other
    local hall = throng.building {
      floors = { ground = { z = 0, boundary = HALL }, first = { z = 3, boundary = HALL } },
      stairs = { { name = "low", from = "ground", to = "first", foot = { 8, 8 }, head = { 12, 8 }, width = 1.5 } },
    }
    local along = { 3, 7.25 }
    assert.equal("ground", floors_of(hall:path(along, { 10, 7.25 })))
    assert.equal("ground", floors_of(hall:path(along, { 17, 7.25 })))
    assert.equal("ground low", floors_of(hall:path(along, { 10, 7.25, floor = "low" })))
    assert.equal("ground low first", floors_of(hall:path(along, { 17, 7.25, floor = "first" })))
    -- so do requests, batches and those of agents
    local world = throng.world { map = map, seed = 1, dt = 0.1 }
    local request = world.paths:request { from = { 3, 8 }, to = { 17, 8, floor = "first" }, radius = 0.25 }
    local people = world:spawn { name = "people", at = { { 3, 8 } }, radius = 0.25 }
    people:go_to { 17, 8, floor = "first" }
    world:run { steps = 2 }
    assert.equal("ground low first", floors_of(request.path))
    assert.is_near(15, request.length, 1e-6)
    local batch = throng.paths { map = map, from = { { 3, 8 } }, to = { { 17, 8, floor = "top" } } }
    assert.equal("ground low first high top", floors_of(batch.path[1]))
    assert.equal("ground low first", floors_of(world:probe(people[1]).path))
    world:run { seconds = 8 }
    assert.equal("low first", floors_of(world:probe(people[1]).path))
    people:go_to { { 17, 8, floor = "top" } } -- by a path of its own
    world:run { steps = 3 }
    assert.equal("low first high top", floors_of(world:probe(people[1]).path))
  end)

  it("is whole to the linter, far from the origin, too", function()
    for _, off in ipairs { 0, 1e5 } do
      local hall = throng.box(off, off, off + 20, off + 10)
      local map = throng.building {
        floors = { ground = { z = 0, boundary = hall }, first = { z = 3.5, boundary = hall } },
        stairs = { { from = "ground", to = "first", foot = { off + 4, off + 5 }, head = { off + 10, off + 5 } } },
      }
      assert.equal(0, #map.findings)
      local world = throng.world { map = map, seed = 1, dt = 0.1 }
      local people = world:spawn { count = 3, where = "first" }
      people:go_to { off + 1, off + 1 }
      world:run { seconds = 40 }
      for i = 1, #people do assert.equal("ground", people.floor[i]) end
    end
    local floors = { ground = { z = 0, boundary = HALL }, first = { z = 3.5, boundary = HALL } }
    local apart = throng.building { floors = floors }
    assert.equal(1, #apart.findings) -- the floor that nobody reaches
  end)

  it("lets everybody down stairs that begin behind a turn", function()
    local hall = throng.box(0, 0, 30, 12)
    for _, case in ipairs { { 1, 3 }, { 1, 7 }, { 1.2, 2 }, { 1.2, 3 } } do -- width, seed
      local map = throng.building {
        floors = { ground = { z = 0, boundary = hall, regions = { exit = throng.box(0, 5, 1, 7) } },
          first = { z = 3.5, boundary = hall, regions = { office = throng.box(1, 1, 20, 11) } } },
        stairs = { { from = "ground", to = "first", foot = { 22, 3 }, head = { 28, 3 }, width = case[1] } },
      }
      local world = throng.world { map = map, seed = case[2], threads = 1 }
      local people = world:spawn { count = 80, where = "first/office" }
      people:go_to "exit"
      people:on("arrived", function(arrived) arrived:remove() end)
      world:run { seconds = 240, until_done = true }
      assert.equal(80, world:stats().arrived, ("width %g, seed %d"):format(case[1], case[2]))
    end
  end)

  it("chooses between flights by time", function()
    local function length(climb)
      local map = throng.building {
        floors = { ground = { z = 0, boundary = HALL }, first = { z = 3, boundary = HALL } },
        stairs = { { name = "near", from = "ground", to = "first", foot = { 6, 8 }, head = { 11, 8 }, climb = climb,
          descend = climb } },
        ramps = { { name = "far", from = "ground", to = "first", foot = { 6, 2 }, head = { 14, 2 } } },
      }
      return map:distance({ 3, 6 }, { 16, 6, floor = "first" }, 0.2)
    end
    assert.is_true(length(0.05) > length(1) + 0.5) -- who would take minutes on the stairs takes the ramp
  end)

  it("carries people over seams thousands of times and loses none", function()
    local world = world_of { width = 3 }
    local people = world:spawn { name = "people", count = 60, where = "lobby" }
    people:run(throng.fsm {
      start = "up",
      up = { goal = throng.go_to "first/bay", arrived = "down" },
      down = { goal = throng.go_to "lobby", arrived = "up" },
    })
    local before, crossings = people.floor:list(), 0
    for _ = 1, 600 do
      world:run { seconds = 1 }
      local now, x, y = people.floor:list(), people.x:list(), people.y:list()
      for i = 1, #now do
        if now[i] ~= before[i] then crossings = crossings + 1 end
        assert.is_true(x[i] > 0 and x[i] < 20 and y[i] > 0 and y[i] < 10)
        local over_hole = x[i] > 8 and x[i] < 14 and y[i] > 6.5 and y[i] < 9.5
        assert.equal(now[i] == "stairs", over_hole)
      end
      before = now
    end
    assert.is_true(crossings > 1000, "crossings " .. crossings)
  end)

  it("tells floors, flights and regions by their names", function()
    local world = world_of()
    local names = {}
    for _, floor in ipairs(world.map.floors) do names[#names + 1] = floor.name end
    assert.same({ "ground", "first", "stairs" }, names)
    assert.equal(3.5, world.map.floors[2].z)
    local people = world:spawn { name = "people", count = 4, where = "bay" } -- of both floors
    local on = {}
    for i = 1, #people do on[people.floor[i]] = true end
    assert.is_true(on.ground or on.first)
    assert.equal(4, #(people:inside "ground" | people:inside "first"))
    local above = world:spawn { name = "others", at = { { 3, 3, floor = "first" } } }
    assert.equal("first", above.floor[1])
    assert.is_near(3, above.x[1], 1e-5)
    assert.equal(1, #above:inside "office")
    assert.equal(0, #above:inside "lobby")
  end)

  it("is recorded with sheets and heights, and drawn", function()
    local folder = os.tmpname()
    os.remove(folder)
    os.execute("mkdir -p " .. folder)
    command.write(folder .. "/two.lua", [[
local throng = require "throng"
local hall = throng.box(0, 0, 20, 10)
local map = throng.building {
  floors = { ground = { z = 0, boundary = hall }, first = { z = 3.5, boundary = hall } },
  stairs = { { from = "ground", to = "first", foot = { 8, 8 }, head = { 14, 8 } } },
}
local world = throng.world { map = map, seed = 1, seconds = 5, record = { every = 1 } }
world:spawn { count = 5, where = "first" }:go_to { 2, 2 }
return world
]])
    local code, out, err = command.throng("run two.lua --out run", folder)
    assert.equal(0, code, out .. err)
    local recording = command.read(folder .. "/run/trajectory.sqlite")
    assert.is_truthy(recording:find('"sheet" REAL', 1, true))
    assert.is_truthy(recording:find('"z" REAL', 1, true))
    assert.is_true(#command.read(folder .. "/run/two.png") > 1000)
    local told, answer = command.throng("report run/trajectory.sqlite", folder)
    assert.equal(0, told, answer)
    -- a script's own column of that name stands in their place
    local text = command.read(folder .. "/two.lua")
    command.write(folder .. "/two.lua", (text:gsub("world:spawn", 'world:column "z"\n%0', 1)))
    code, out, err = command.throng("run two.lua --out own", folder)
    assert.equal(0, code, out .. err)
    recording = command.read(folder .. "/own/trajectory.sqlite")
    assert.is_truthy(recording:find('"z" REAL', 1, true))
    assert.is_nil(recording:find('"sheet" REAL', 1, true))
    os.execute("rm -r " .. folder)
  end)

  it("counts who is on the stairs", function()
    local world = world_of()
    local people = world:spawn { name = "people", count = 20, where = "office" }
    people:go_to "exit"
    local density = world:measure { density = "stairs" }
    local most = 0
    for _ = 1, 300 do
      world:step()
      most = math.max(most, #people:inside "stairs")
    end
    assert.is_true(most > 3)
    assert.is_near(most / 9, density.most, 1e-6) -- m^2 of the flight
  end)
end)

describe("a building that cannot be", function()
  local function raises(text, settings)
    local ok, message = pcall(throng.building, settings)
    assert.is_false(ok)
    assert.is_truthy(tostring(message):find(text, 1, true), tostring(message))
  end
  local floors = { ground = { z = 0, boundary = HALL }, first = { z = 3, boundary = HALL } }
  local function with(stairs) return { floors = floors, stairs = { stairs } } end

  it("says what is wrong", function()
    raises("expected a table like", 5)
    raises("'floors' is empty", { floors = {} })
    raises("floor 'ground' needs its height, 'z'", { floors = { ground = { boundary = HALL } } })
    raises("has no boundary", { floors = { ground = { z = 0, walls = HALL } } })
    raises("is a building itself", { floors = { ground = { z = 0, map = two_halls() } } })
    raises("unknown field 'bondary'", { floors = { ground = { z = 0, bondary = HALL } } })
    raises("unknown floor 'second'", with { from = "ground", to = "second", foot = { 4, 4 }, head = { 8, 4 } })
    raises("lies above", with { from = "first", to = "ground", foot = { 4, 4 }, head = { 8, 4 } })
    raises("at least 1 m apart", with { from = "ground", to = "first", foot = { 4, 4 }, head = { 4.2, 4 } })
    raises("must begin along all of the head",
      with { from = "ground", to = "first", foot = { 12, 4 }, head = { 20, 4 } })
    raises("must be a point", with { from = "ground", to = "first", head = { 8, 4 } })
  end)

  it("refuses flights and lifts with the name of a floor", function()
    local hall = throng.box(0, 0, 20, 10)
    local both = { ground = { z = 0, boundary = hall }, first = { z = 3.5, boundary = hall } }
    for list, entry in pairs {
      stairs = { from = "ground", to = "first", foot = { 8, 5 }, head = { 14, 5 }, name = "ground" },
      lifts = { at = { 5, 5 }, back = { 5, 7 }, name = "ground" },
    } do
      local _, message = pcall(throng.building, { floors = both, [list] = { entry } })
      assert.matches("building_spec.lua:%d+: throng.building: .* 1: there is a floor 'ground' already", message)
    end
  end)

  it("refuses floors that are not there", function()
    local world = world_of()
    local function refused(text, f, ...)
      local ok, message = pcall(f, ...)
      assert.is_false(ok)
      assert.is_truthy(tostring(message):find(text, 1, true), tostring(message))
    end
    refused("unknown floor 'cellar'", function() world:spawn { at = { { 3, 3, floor = "cellar" } } } end)
    local flat = throng.world { map = throng.map { boundary = HALL }, seed = 1 }
    refused("this map is no building", function() flat:spawn { at = { { 3, 3, floor = "first" } } } end)
  end)
end)

describe("a rigid body in a building", function()
  local CRATE = { 15, 2, floor = "first" } -- far from the stairs

  -- People of both floors who walk east, with a crate on the way of those above.
  local function walk(with_crate, settings)
    local world = throng.world { map = two_halls(), seed = 3, dt = 0.1, simd = settings and settings.simd,
      threads = settings and settings.threads, backend = settings and settings.backend }
    local crate = with_crate and world:body { box = { 0.5, 3 }, at = CRATE, mass = 15 }
    if with_crate then world:body { circle = 0.3, at = { 17.5, 2.2, floor = "first" }, static = true } end
    local planner = settings and settings.planner or "orca"
    local below = world:spawn { name = "below", at = { { 12, 1.2 }, { 12, 2 }, { 12, 2.8 } }, planner = planner }
    local above = world:spawn { name = "above", at = { { 12, 1.2, floor = "first" }, { 12, 2, floor = "first" },
      { 12, 2.8, floor = "first" } }, planner = planner }
    if planner == "orca" then below.wall_horizon = { 1, 30, 1 } end -- far-sighted: looks through all walls there are
    below:go_to { 19, 2 }
    above:go_to { 19, 2, floor = "first" }
    world:run { seconds = 4 }
    return world, crate, below, above
  end

  for _, planner in ipairs { "orca", "forces" } do
    it("is pushed by those on its floor, and by nobody else, under " .. planner, function()
      local _, _, alone, free = walk(false, { planner = planner })
      local _, crate, below, above = walk(true, { planner = planner })
      assert.equal("first", crate.floor)
      assert.is_true(crate.x > 15.3, "it went to x = " .. crate.x)
      assert.is_true(math.abs(crate.y - 2) < 1 and math.abs(crate.angle) < 0.8)
      assert.same(alone.x:list(), below.x:list())
      assert.same(alone.y:list(), below.y:list())
      assert.is_true(above.x:mean() < free.x:mean() - 0.2, "whoever pushes is slower")
    end)
  end

  it("finds a free place among those on its floor", function()
    local world = world_of()
    local people = world:spawn { count = 60, where = "office", radius = 0.2 }
    for _, ball in ipairs(world:bodies { count = 12, circle = 0.25, where = "office" }) do
      assert.equal("first", ball.floor)
      for i = 1, #people do
        local apart = math.sqrt((ball.x - people.x[i]) ^ 2 + (ball.y - people.y[i]) ^ 2)
        assert.is_true(apart > 0.449, "it lies on somebody, " .. apart)
      end
    end
  end)

  it("stays on its floor, whose stairs hold it as walls do", function()
    for _, floor in ipairs { "ground", "first" } do
      local world = world_of()
      local foot = floor == "ground"
      local crate = world:body { circle = 0.3, at = { foot and 6 or 16, 8, floor = floor }, mass = 30, friction = 0,
        velocity = { foot and 2 or -2, 0 } }
      world:run { seconds = 4 }
      assert.equal(floor, crate.floor)
      assert.is_near(foot and 7.7 or 14.3, crate.x, 0.02) -- at the foot, or at the head, of the stairs
    end
  end)

  for _, name in ipairs(planners) do if name ~= "none" then
    it("at the head of a flight lets nobody through it, under " .. name, function()
      local world = world_of { y = 5, width = 3 }
      local crate = world:body { box = { 0.5, 1 }, at = { 14.4, 5, floor = "first" }, static = true }
      local people = world:spawn { name = "people", count = 15, where = "office", planner = throng[name] {} }
      local others = world:spawn { name = "others", count = 8, where = "lobby", planner = throng[name] {} }
      people:go_to "exit"
      others:go_to "first/bay"
      people:on("arrived", function(group) group:remove() end) -- the exit is small
      local deepest = 0
      local function look(group)
        for i = 1, #group do
          local floor, x, y = group.floor[i], group.x[i], group.y[i]
          local near = floor == "first" or (floor == "stairs" and x > 11)
          local dx, dy = math.max(math.abs(x - crate.x) - 0.25, 0), math.max(math.abs(y - crate.y) - 0.5, 0)
          deepest = math.max(deepest, near and group.radius[i] - math.sqrt(dx * dx + dy * dy) or 0)
        end
      end
      for _ = 1, 1200 do
        world:step()
        look(people)
        look(others)
        if people.count == 0 and others.arrived:min() >= 0 then break end
      end
      assert.is_true(deepest < 0.005, "in the crate by " .. deepest)
      assert.same({ 0, 0 }, { people.count, #others:filter(function(a) return a.arrived < 0 end) }, "on their way")
    end)
  end end

  it("that stands sends people by other stairs, until it is gone", function()
    local outline = throng.box(0, 0, 30, 10)
    local map = throng.building {
      floors = { ground = { z = 0, boundary = outline, regions = { exit = throng.box(13, 0, 17, 2) } },
        first = { z = 3.5, boundary = outline } },
      stairs = {
        { name = "west", from = "ground", to = "first", foot = { 2, 5 }, head = { 8, 5 }, width = 1.4 },
        { name = "east", from = "ground", to = "first", foot = { 28, 5 }, head = { 22, 5 }, width = 1.4 },
      },
    }
    local world = throng.world { map = map, seed = 1, dt = 0.1 }
    local by = {}
    local function leave(at)
      local one = world:spawn { at = { { 11, 5, floor = "first" } } }
      one:go_to "exit"
      for _ = 1, 600 do
        world:step()
        if one.floor[1] ~= "first" then by[at] = one.floor[1] break end
      end
      one:remove()
    end
    leave "before"
    local crate = world:body { box = { 0.8, 2 }, at = { 8.6, 5, floor = "first" }, static = true }
    world:run { seconds = 2 }
    leave "with it"
    crate.floor = "ground" -- the same place, below
    world:run { seconds = 2 }
    leave "above it"
    crate.floor, crate.x = "first", 9.5 -- there is room beside it
    world:run { seconds = 2 }
    leave "past it"
    assert.same({ before = "west", ["with it"] = "east", ["above it"] = "west", ["past it"] = "west" }, by)
  end)

  for _, name in ipairs(planners) do if name ~= "none" then
    it("is pushed against a flight that people climb, and stays on its floor, under " .. name, function()
      local world <close> = world_of { y = 5, width = 3 }
      local crate = world:body { box = { 0.5, 1 }, at = { 7.2, 5 }, mass = 8 }
      local people = world:spawn { count = 15, where = "lobby", planner = throng[name] {} }
      people:go_to "first/bay"
      local farthest, shoved = 0, 0
      for _ = 1, 600 do
        world:step()
        local c, s = math.abs(math.cos(crate.angle)), math.abs(math.sin(crate.angle))
        farthest = math.max(farthest, crate.x + 0.25 * c + 0.5 * s)
        shoved = math.max(shoved, crate.x - 7.2)
      end
      assert.equal("ground", crate.floor)
      assert.is_true(shoved > 0.1 and farthest < 8.15, ("shoved by %g, to x = %g"):format(shoved, farthest))
      assert.no_overlap(world)
      for i = 1, #people do
        local at = { people.x[i], people.y[i], floor = people.floor[i] }
        assert.is_true(world.map:fits(at, 0), ("%g, %g on %s"):format(at[1], at[2], at.floor))
      end
      assert.is_true(world:stats().arrived >= 13, world:stats().arrived .. " came")
    end)
  end end

  it("that comes to stand leaves what is known of queues on equal floors to each", function()
    local function plan(z)
      return { z = z, boundary = throng.box(0, 0, 40, 20),
        regions = { street = throng.box(36, 1, 39, 19), hall = throng.box(18, 4, 29, 14) },
        walls = { throng.box(30, 0, 30.4, 8.4), throng.box(30, 9.4, 30.4, 17), throng.box(30, 18, 30.4, 20) } }
    end
    local function by_the_far_gap(seed, with_crate)
      local world <close> = throng.world { map = throng.building { floors = { ground = plan(0), first = plan(3.5) } },
        seed = seed, dt = 0.1 }
      local people = world:spawn { count = 120, where = "first/hall", congestion = true }
      people:go_to "first/street"
      world:run { seconds = 20 }
      if with_crate then world:body { box = { 0.5, 0.5 }, at = { 3, 3 }, static = true } end -- below, and far away
      world:run { seconds = 20 }
      local count = 0
      for _, y in ipairs(people.y:list()) do count = count + (y > 13 and 1 or 0) end
      return count
    end
    for _, seed in ipairs { 1, 2, 4 } do
      assert.near(by_the_far_gap(seed, false), by_the_far_gap(seed, true), 1)
    end
  end)

  it("has the same bits on every width and any number of threads, and on CUDA", function()
    local function hash(settings)
      local world, crate = walk(true, settings)
      world:spawn { count = 20, where = "office", planner = throng.forces {} }:go_to "exit"
      world:spawn { count = 10, where = "lobby", planner = throng.bvp {} }:go_to "first/bay"
      world:bodies { count = 6, circle = 0.2, where = { "first/bay", "ground/bay" }, mass = 8 }
      world:body { circle = 0.3, at = { 14.5, 7, floor = "first" }, mass = 10 }
      world:run { seconds = 7 }
      crate.floor = "ground"
      world:run { seconds = 8 }
      return world:hash()
    end
    local expected = hash { simd = 1, threads = 1 }
    for _, width in ipairs { 4, 8 } do assert.equal(expected, hash { simd = width, threads = 2 }) end
    needs.device(pending)
    assert.equal(expected, hash { backend = "cuda" })
  end)

  it("says what is wrong", function()
    local world = world_of()
    local crate = world:body { circle = 0.3, at = { 3, 3 } }
    local function refused(text, f)
      local ok, message = pcall(f)
      assert.is_false(ok)
      assert.is_truthy(tostring(message):find(text, 1, true), tostring(message))
    end
    refused('(11, 8) is on "stairs", where no body can stand',
      function() world:body { circle = 0.3, at = { 11, 8, floor = "stairs" } } end)
    refused('is on "stairs", where no body can stand; put it on a floor or a landing',
      function() world:body { circle = 0.3, where = "stairs" } end)
    refused("only 0 of 1 bodies fit", function() world:body { circle = 6, where = { "stairs", "first/bay" } } end)
    refused("(11, 8) is inside a wall; move it, or make it static",
      function() world:body { circle = 0.3, at = { 11, 8, floor = "first" } } end)
    refused("unknown floor 'attic'", function() world:body { circle = 0.3, at = { 3, 3, floor = "attic" } } end)
    refused("body.floor: unknown floor 'attic'", function() crate.floor = "attic" end)
    refused('body.floor: no body can stand on "stairs"', function() crate.floor = "stairs" end)
    refused('body.x: (30, 3) is not on "ground", which goes from (0, 0) to (20, 10)', function() crate.x = 30 end)
    refused("body.floor names a floor, but this map is no building", function()
      local flat = throng.world { map = throng.map { boundary = HALL }, seed = 1 }
      flat:body { circle = 0.3, at = { 3, 3 } }.floor = "first"
    end)
    assert.equal("ground", crate.floor)
    assert.same({ 3, 3 }, { crate.x, crate.y })
  end)
end)

describe("a flight's speed up and down", function()
  local WIDE = throng.box(0, 0, 40, 20)
  local LOW, HIGH = { 10, 4, floor = "ground" }, { 30, 4, floor = "first" }

  -- "near" is straight on, and "far" as fast as a floor.
  local function halls(near, without)
    local function between(name, y, climb, descend)
      return name ~= without and { name = name, from = "ground", to = "first", foot = { 16, y }, head = { 24, y },
        width = 2, climb = climb, descend = descend } or nil
    end
    local stairs = {}
    stairs[#stairs + 1] = between("near", 4, near.climb or 1, near.descend or 1)
    stairs[#stairs + 1] = between("far", 16, 1, 1)
    return throng.building {
      floors = {
        ground = { z = 0, boundary = WIDE, regions = { low = throng.box(9.5, 3.5, 10.5, 4.5) } },
        first = { z = 3.5, boundary = WIDE, regions = { high = throng.box(29.5, 3.5, 30.5, 4.5) } },
      },
      stairs = stairs,
    }
  end

  -- The speed at which both take equally long: 8 m of the near one cost the round that the far one is.
  local function critical()
    local round = halls({}, "near"):distance(LOW, HIGH, 0.25) - halls({}, "far"):distance(LOW, HIGH, 0.25)
    return 8 / (8 + round)
  end

  local function flight_of(map, from, to, routing)
    local world <close> = throng.world { map = map, dt = 0.1, seed = 1, people = false }
    local one = world:spawn { at = { from }, radius = 0.25, speed = 1.3, routing = routing }
    one:go_to(to)
    local on
    for _ = 1, 700 do
      world:step()
      local floor = one.floor[1]
      on = on or (floor == "near" or floor == "far") and floor
      if world:stats().arrived == 1 then return on end
    end
  end

  for _, routing in ipairs { "navmesh", "roadmap", "field" } do
    it("decides the way there and not the way back, by a " .. routing, function()
      local least = critical()
      assert.is_true(least > 0.3 and least < 0.45)
      -- a roadmap goes by its nodes; a field leads to a flight that who stands before it takes
      local off = ({ navmesh = 0.01, roadmap = 0.05, field = 0.15 })[routing]
      local slow, quick = halls { climb = least - off }, halls { climb = least + off }
      assert.equal("far", flight_of(slow, LOW, "first/high", routing))
      assert.equal("near", flight_of(slow, HIGH, "ground/low", routing))
      assert.equal("near", flight_of(quick, LOW, "first/high", routing))
      slow, quick = halls { descend = least - off }, halls { descend = least + off }
      assert.equal("near", flight_of(slow, LOW, "first/high", routing))
      assert.equal("far", flight_of(slow, HIGH, "ground/low", routing))
      assert.equal("near", flight_of(quick, HIGH, "ground/low", routing))
    end)
  end

  it("decides paths from point to point", function()
    local least = critical()
    local near = halls({}):distance(LOW, HIGH, 0.25)
    local slow = halls { climb = least - 0.01 }
    assert.is_near(near, slow:distance(HIGH, LOW, 0.25), 1e-6)
    assert.is_near(halls({}, "near"):distance(LOW, HIGH, 0.25), slow:distance(LOW, HIGH, 0.25), 1e-6)
    assert.is_near(near, halls({ climb = least + 0.01 }):distance(LOW, HIGH, 0.25), 1e-6)
    assert.equal("near", flight_of(slow, HIGH, LOW, "navmesh"))
    assert.equal("far", flight_of(slow, LOW, HIGH, "navmesh"))
  end)
end)
