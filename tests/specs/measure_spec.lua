-- world:measure and the assertions on measures, on crowds whose values are known.
local throng = require "throng"

-- People at these points, who walk straight east at 1 m/s.
local function walkers(at, settings)
  local world = throng.world(settings or { dt = 0.1, threads = 1 })
  local group = world:spawn { name = "walkers", at = at, speed = 1, planner = "none" }
  local to = {}
  for i, point in ipairs(at) do to[i] = { 100, point[2] } end
  group:go_to(to)
  return world, group
end

local function failure_of(f, ...)
  local ok, message = pcall(f, ...)
  assert.is_false(ok)
  return tostring(message)
end

describe("a flow", function()
  it("counts who passes a line, and when", function()
    local world = walkers { { -1.05, 0 }, { -2.05, 0 }, { -3.05, 0.5 }, { -1.55, 3 } } -- the last goes past its end
    local line = world:measure { flow = { { 0, -1 }, { 0, 1 } } }
    world:run { seconds = 2 }
    assert.equal(1, line.count)
    assert.is_nil(line.flow)
    world:run { seconds = 3 }
    assert.equal(3, line.count)
    assert.equal(3, line.forth) -- from the left, as one looks up the line
    assert.near(1.05, line.first, 1e-4) -- not a multiple of dt
    assert.near(3.05, line.last, 1e-4)
    assert.near(1, line.flow, 1e-4)
    assert.flow(line, { at_least = 0.99, at_most = 1.01 })
    assert.is_not.flow(line, { at_least = 1.1 })
    local message = failure_of(assert.flow, line, { at_least = 1.5 })
    assert.matches("1 persons/s, 3 passages from 1.0 s to 3.1 s", message, 1, true)
    assert.matches("expected at least 1.5 persons/s", message, 1, true)
  end)

  it("is not fooled by who turns back", function()
    local world, group = walkers { { -0.5, 0 } }
    local line = world:measure { flow = { { 0, 1 }, { 0, -1 } } }
    world:run { seconds = 1 }
    assert.equal(1, line.back)
    assert.equal(1, line.count)
    group:go_to { { -100, 0 } }
    world:run { seconds = 3 }
    assert.equal(0, line.count)
    assert.is_not.flow(line)
  end)

  it("of a region counts who comes in and who goes out, and not who turns back at its edge", function()
    local world, group = walkers { { -1.05, 0 }, { -2.05, 0.5 } }
    local box = world:measure { flow = throng.box(0, -1, 2, 1) }
    world:run { seconds = 1.3 }
    assert.same({ 1, 0 }, { box.forth, box.back })
    group:go_to { { -100, 0 }, { -100, 0.5 } }
    world:run { seconds = 2 } -- out again where it came in
    assert.same({ 0, 0 }, { box.forth, box.back })
    group:go_to { { 100, 0 }, { 100, 0.5 } }
    world:run { seconds = 8 }
    assert.same({ 2, 2, 4 }, { box.forth, box.back, box.count })
  end)

  it("is measured at doors and regions of the map, of a group, in a time", function()
    local world = throng.world {
      map = throng.map {
        boundary = throng.box(0, 0, 20, 10),
        walls = { throng.box(10, 0, 10.2, 4), throng.box(10, 6, 10.2, 10) },
        doors = { north = { { 10.1, 4 }, { 10.1, 6 } } },
      },
      regions = { left = throng.box(1, 1, 9, 9), right = throng.box(15, 0, 20, 10) },
      threads = 1,
    }
    local guests = world:spawn { name = "guests", count = 20, where = "left" }
    local staff = world:spawn { name = "staff", count = 5, where = "left" }
    world.agents:go_to "right"
    local door = world.map:door "north"
    assert.matches('write world:measure { flow = "north" }', failure_of(assert.flow, door), 1, true)
    local all, right = world:measure { flow = "north" }, world:measure { flow = "right", name = "right" }
    local some, late = world:measure { flow = door, group = staff }, world:measure { flow = "right", from = 9 }
    world:run {}
    assert.flow(door, { at_least = 0.5 })
    assert.equal(25, all.count)
    assert.equal(5, some.count)
    assert.equal(25, right.forth)
    assert.is_true(late.count < 25 and late.count > 0 and late.first >= 9, tostring(late))
    assert.equal(right, world.measures.right)
    assert.equal(4, #world.measures)
    assert.matches("flow through door 'north' of group 'staff'", tostring(some), 1, true)
    assert.equal("guests", guests.name)
  end)
end)

describe("a density", function()
  it("is agents over free space", function()
    local world = throng.world {
      map = throng.map { boundary = throng.box(0, 0, 10, 10), walls = { throng.box(5, 0, 10, 5) } },
      regions = { right = throng.box(4, 0, 10, 10) },
      threads = 1,
    }
    local at = {}
    for i = 1, 7 do at[i] = { 4.5, i } end
    local people = world:spawn { at = at, planner = "none" }
    local right = world:measure { density = "right" }
    assert.is_nil(right.mean)
    assert.matches("run the world after", failure_of(assert.density, right, { below = 1 }), 1, true)
    world:run { steps = 2 }
    assert.near(35, right.area, 1e-9) -- 6 m x 10 m less the wall
    assert.near(0.2, right.now, 1e-9)
    people[1]:remove()
    world:run { steps = 2 }
    assert.near(6 / 35, right.least, 1e-9)
    assert.near(0.3, right.least_at, 1e-9)
    assert.near(13 / 70, right.mean, 1e-9)
    assert.density(right, { below = 0.21, mean_below = 0.19 })
    assert.is_not.density(right, { below = 0.2 })
    assert.matches("most 0.2 /m^2 (at 0.1 s)", failure_of(assert.density, right, { below = 0.2 }), 1, true)
  end)
end)

describe("staying inside", function()
  it("names who left first, where and when", function()
    local world, group = walkers { { 0, 0 }, { 1, 2 } }
    local kept = world:measure { inside = throng.box(-1, -1, 3.05, 3), group = group }
    world:run { seconds = 2 }
    assert.stays_in(kept)
    world:run { seconds = 2 }
    assert.is_not.stays_in(kept)
    assert.equal(1, kept.outsider)
    assert.near(2.1, kept.first, 1e-9)
    assert.equal(2, kept.most)
    assert.matches("agent 1 was outside, at (3.10, 2.00) at 2.1 s; at most 2 at once (at 3.1 s)",
      failure_of(assert.stays_in, kept), 1, true)
  end)

  it("is found by group and region", function()
    local world = throng.world {
      regions = { hall = throng.box(0, 0, 9, 9) },
      threads = 1,
    }
    local staff = world:spawn { name = "staff", at = { { 1, 1 } } }
    assert.matches('inside = "hall"', failure_of(assert.stays_in, staff, "hall"), 1, true)
    assert.matches("expected the name of a region, got a function", failure_of(assert.stays_in, staff, print), 1, true)
    world:measure { inside = "hall", group = staff }
    world:run { steps = 3 }
    assert.stays_in(staff, "hall")
  end)
end)

describe("the lane index", function()
  local function index(rows)
    local world = throng.world { dt = 0.1, threads = 1 }
    for name, sign in pairs { east = 1, west = -1 } do
      local at, to = {}, {}
      for row, y in ipairs(rows[name]) do
        at[row], to[row] = { -5 * sign + row, y }, { 100 * sign, y }
      end
      world:spawn({ name = name, at = at, planner = "none" }):go_to(to)
    end
    local lanes = world:measure { lanes = true, width = 1 }
    world:run { steps = 5 }
    return lanes
  end

  it("is 1 when routes never mix, and below 0 when they are mixed more than by chance", function()
    local sorted = index { east = { 0.5, 0.5, 0.5 }, west = { 1.5, 1.5, 1.5 } }
    assert.lanes(sorted, { at_least = 0.999 })
    local mixed = index { east = { 0.5, 1.5 }, west = { 0.5, 1.5 } }
    assert.near(-1, mixed.mean, 1e-9)
    assert.is_not.lanes(mixed, { at_least = 0.1 })
    -- 3 one way and 1 the other: (2^2 - 4) / (4 - 1)
    assert.near(0, index({ east = { 0.5, 0.5, 0.5 }, west = { 0.5 } }).mean, 1e-9)
  end)

  it("turns with the direction", function()
    local world = throng.world { dt = 0.1, threads = 1 }
    world:spawn({ at = { { 0.5, 0 }, { 0.5, 1 }, { 1.5, 0 } }, planner = "none" }):go_to {
      { 0.5, 50 }, { 0.5, 51 }, { 1.5, 50 },
    }
    local up, across = world:measure { lanes = true, along = { 0, 2 }, width = 1 }, world:measure { lanes = true }
    world:run { steps = 3 }
    assert.near(2 / 3, up.mean, 1e-9) -- who is alone in a strip is no lane
    assert.is_nil(across.mean) -- nobody moves that way
  end)
end)

describe("arriving", function()
  it("says who is missing, and why", function()
    local world = throng.world {
      map = throng.map { boundary = throng.box(0, 0, 12, 6), doors = { mid = { { 6, 0 }, { 6, 6 } } } },
      regions = { left = throng.box(1, 1, 4, 5), right = throng.box(9, 1, 11, 5) },
      threads = 1,
    }
    local staff = world:spawn { name = "staff", count = 3, where = "left" }
    staff:go_to "right"
    world.map:door("mid"):close()
    world:run { seconds = 1 }
    assert.matches("nobody is stuck: run the world longer", failure_of(assert.arrives, staff), 1, true)
    world:run { seconds = 19 }
    local message = failure_of(assert.arrives, staff)
    assert.matches("3 of the 3 agents of group 'staff' have not arrived at 20.0 s; 3 of them live", message, 1, true)
    assert.matches("stuck since .* s at %(.*%): %d, cause: closed door", message)
    world.map:door("mid"):open()
    world:run {}
    assert.arrives(staff, { within = 60 })
    assert.matches("(within = 22 s)", failure_of(assert.arrives, staff, { within = 22 }), 1, true)
    assert.is_not.arrives(staff, { within = 22 })
  end)
end)

describe("measures", function()
  it("change nothing, and are the same at any SIMD width", function()
    local function run(measured, simd)
      local settings = { params = { count = 60 }, simd = simd, threads = 1 }
      local world <close> = throng.load("scenarios/corridor.lua", settings)
      local all = { { flow = { { 30, 0 }, { 30, 8 } } }, { density = throng.box(25, 0, 35, 8) }, { lanes = true } }
      local texts = {}
      for i, what in ipairs(measured and all or {}) do texts[i] = world:measure(what) end
      world:run { seconds = 20 }
      for i, measure in ipairs(texts) do texts[i] = tostring(measure) end
      return world:hash(), table.concat(texts, "\n")
    end
    local hash = run(false, 1)
    local hash_1, text_1 = run(true, 1)
    local hash_8, text_8 = run(true, 8)
    assert.same_hash(hash, hash_1, hash_8)
    assert.equal(text_1, text_8)
    assert.matches("persons/s", text_1)
  end)

  it("say what is wrong with a definition", function()
    local world = throng.world { regions = { hall = throng.box(0, 0, 9, 9) }, threads = 1 }
    local other = throng.world({ threads = 1 }):spawn { at = { { 0, 0 } } }
    world:measure { density = "hall", name = "hall" }
    for message, definition in pairs {
      ["give what to measure: {flow = door}"] = {},
      ["'flow' and 'density' are two measures"] = { flow = "hall", density = "hall" },
      ["unknown field 'densty', did you mean 'density'?"] = { densty = "hall" },
      ["unknown region 'hal', did you mean 'hall'?"] = { density = "hal" },
      ["the two points of the line are the same"] = { flow = { { 1, 1 }, { 1, 1 } } },
      ["there is a measure 'hall' already"] = { inside = "hall", name = "hall" },
      ["the group belongs to another world"] = { inside = "hall", group = other },
      ["'along' must be a direction"] = { lanes = true, along = { 0, 0 } },
      ["must be a number > 0"] = { lanes = true, width = 0 },
    } do
      assert.matches(message, failure_of(world.measure, world, definition), 1, true)
    end
    assert.equal(1, #world.measures)
    local walled = throng.world {
      map = throng.map { boundary = throng.box(0, 0, 9, 9), walls = { throng.box(4, 4, 6, 6) } },
      threads = 1,
    }
    assert.matches("there is no free space in the area around",
      failure_of(walled.measure, walled, { density = throng.box(4.5, 4.5, 5.5, 5.5) }), 1, true)
  end)

  it("are refused by the wrong assertion", function()
    local world = throng.world { regions = { hall = throng.box(0, 0, 9, 9) }, threads = 1 }
    local density = world:measure { density = "hall" }
    assert.matches("this measures density in 'hall'", failure_of(assert.flow, density), 1, true)
    assert.matches("unknown option 'blow', did you mean 'below'", failure_of(assert.density, density, { blow = 1 }), 1,
      true)
    assert.matches("give 'below'", failure_of(assert.density, density), 1, true)
    assert.matches("expected a measure, got \"hall\"", failure_of(assert.lanes, "hall"), 1, true)
    assert.matches("unknown field 'flow'", failure_of(function() return density.flow end), 1, true)
    world:close()
    assert.matches("this world was closed", failure_of(function() return density.mean end), 1, true)
  end)
end)

describe("a measure over time", function()
  it("has its values, so far apart as is asked for", function()
    local world = walkers { { -0.05, 0 }, { -2.05, 0 }, { 5, 0 } }
    local line = world:measure { flow = { { 0, -1 }, { 0, 1 } }, every = 1 }
    local box = world:measure { density = throng.box(4, -1, 8, 1), every = 0.5 }
    world:run { seconds = 3 }
    local times, counts = line:series()
    assert.same({ 1, 1, 2 }, counts)
    for i, time in ipairs(times) do assert.near(i, time, 1e-9) end
    local _, densities = box:series()
    assert.equal(6, #densities)
    assert.near(1 / 8, densities[1], 1e-9)
    assert.matches("did you mean 'series'", failure_of(function() return line.serie end), 1, true)
  end)

  it("tells speeds, time gaps and travel times", function()
    local world = walkers { { -0.05, 0 }, { -2.05, 0 }, { -5.05, 0 } }
    local speed = world:measure { speed = true, every = 1 }
    local here = world:measure { speed = throng.box(-1, -1, 0, 1) }
    local gaps = world:measure { time_gap = { { 0, -1 }, { 0, 1 } }, every = 2 }
    local trip = world:measure { travel_time = throng.box(2, -1, 9, 1) }
    local part = world:measure { travel_time = throng.box(2, -1, 9, 1), since = throng.box(-1, -1, 0, 1) }
    world:run { seconds = 8 }
    assert.near(1, speed.mean, 1e-3)
    assert.is_true(here.samples < speed.samples)
    assert.equal(2, gaps.samples)
    assert.near(2.5, gaps.mean, 1e-3) -- 2 s and 3 s
    assert.near(3, gaps.most, 1e-3)
    local _, values = gaps:series()
    assert.near(2, values[1], 1e-3) -- of 2 to 4 s; none in the first two
    assert.equal(2, #values)
    assert.near(3, values[2], 1e-3)
    assert.equal(3, trip.samples)
    assert.near(7.05, trip.most, 0.11)
    assert.equal(2, part.samples) -- the first was in the box at the beginning alone
    assert.near(2, part.mean, 0.11)
  end)

  it("tells Fruin's levels of service", function()
    local world = throng.world { dt = 0.1, threads = 1 }
    world:spawn { at = { { 0.5, 0.5 }, { 1.5, 0.5 }, { 2.5, 0.5 } }, planner = "none" }
    local levels = world:measure { level_of_service = throng.box(0, 0, 4, 1) } -- 0.75 persons/m^2
    local most = world:measure { level_of_service = throng.box(0, 0, 2, 0.7) } -- 1.43
    world:run { seconds = 1 }
    assert.equal("D", levels.level)
    assert.equal(4, levels.mean)
    assert.equal(1, levels.share.D)
    assert.equal(0, levels.share.A)
    assert.equal("E", most.level)
    assert.matches("D 100 % of the time; at worst D", tostring(levels), 1, true)
  end)

  it("takes all of a region in one call, for a fundamental diagram", function()
    local world = walkers { { 0.5, 0 }, { 1.5, 0 } }
    local hall = world:measure { region = throng.box(0, -1, 4, 1), name = "hall", every = 1 }
    world:run { seconds = 3 }
    local points = hall:fundamental_diagram()
    assert.equal(3, #points)
    assert.near(0.25, points[1].density, 1e-9)
    assert.near(1, points[1].speed, 1e-3)
    assert.near(0.25, points[1].flow, 1e-3)
    assert.equal(hall.density, world.measures["hall: density"])
    assert.equal("A", hall.level_of_service.level)
    local both = failure_of(world.measure, world, { region = "x", speed = true })
    assert.matches("'region' measures density, speed", both, 1, true)
    assert.matches("expected a measure, got nil", failure_of(hall.fundamental_diagram, {}), 1, true)
    assert.matches("{ region = ... } gave, got 3", failure_of(hall.fundamental_diagram, 3), 1, true)
    world:close()
    assert.matches("this world was closed", failure_of(hall.fundamental_diagram, hall), 1, true)
  end)
end)

describe("density by Voronoi cells", function()
  local function room(at, settings)
    local world = throng.world {
      map = throng.map { boundary = throng.box(0, 0, 10, 10), walls = settings and settings.walls },
      regions = { left = throng.box(0, 0, 5, 10), middle = throng.box(4, 0, 6, 10) }, dt = 0.1, threads = 1,
      people = false,
    }
    world:spawn { at = at, planner = "none" }
    local measure = world:measure { density = settings and settings.where or "left", method = "voronoi", every = 0.1 }
    world:run { seconds = 0.1 }
    return measure
  end

  it("shares the floor out", function()
    assert.near(1 / 100, room({ { 3, 5 } }).now, 1e-12) -- alone on all of it
    assert.near(1 / 50, room({ { 2.5, 5 }, { 7.5, 5 } }).now, 1e-12) -- halves
    local two = room({ { 7, 5 }, { 9, 5 } }, { where = throng.box(7, 0, 9, 10) })
    assert.near((0.5 * 2 / 80 + 0.5 * 2 / 20) / 2, two.now, 1e-12) -- halves of cells of 80 and 20 m^2
  end)

  it("stops at walls", function() -- two rooms: who is in the other one takes nothing of this one
    local wall = { throng.box(4.9, 0, 5.1, 10) }
    local alone = room({ { 3, 5 } }, { walls = wall, where = throng.box(0, 0, 4.9, 10) })
    local beside = room({ { 3, 5 }, { 5.4, 5 } }, { walls = wall, where = throng.box(0, 0, 4.9, 10) })
    assert.near(1 / 49, alone.now, 1e-12)
    assert.equal(alone.now, beside.now)
    -- a wall that one can go round: a cell ends at it, though there would be more of it behind
    local screen, people = { throng.box(4.9, 0, 5.1, 8) }, { { 4.5, 2 }, { 4.5, 9.5 } }
    assert.near(1 / (4.9 * 5.75), room(people, { walls = screen, where = throng.box(0, 0, 4.9, 5) }).now, 1e-12)
    assert.equal(0, room(people, { walls = screen, where = throng.box(5.1, 0, 10, 5) }).now)
    local third = room({ { 4.5, 5 }, { 5.5, 5 } }, { where = throng.box(0, 0, 5, 10) })
    assert.near(1 / 50, third.now, 1e-12)
  end)

  it("is refused where there is no edge, and where it means nothing", function()
    local world = walkers { { 0, 0 } }
    local function measure(settings) return failure_of(world.measure, world, settings) end
    local box = throng.box(0, 0, 1, 1)
    assert.matches("needs a floor with an edge", measure { density = box, method = "voronoi" }, 1, true)
    assert.matches("got \"cells\"", measure { density = box, method = "cells" }, 1, true)
    assert.matches("this measures 'flow'", measure { flow = box, method = "voronoi" }, 1, true)
    assert.matches("'since' is of travel times", measure { speed = true, since = box }, 1, true)
  end)
end)
