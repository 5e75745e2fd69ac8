-- world:compare, throng.compared, and sources that replay who came into a recording.
local throng = require "throng"
local command = dofile "tests/specs/command.lua"

local scratch = os.tmpname()
os.remove(scratch)
os.execute("mkdir " .. scratch)
teardown(function() os.execute("rm -r " .. scratch) end)

-- A recording that a run of the scenario leaves; `settings` are of the command line.
local function recorded(text, settings)
  local name = os.tmpname():match "[^/]*$"
  command.write(("%s/%s.lua"):format(scratch, name), text)
  local arguments = ("run %s/%s.lua --out %s/%s %s"):format(scratch, name, scratch, name, settings or "")
  local code, _, problem = command.throng(arguments)
  assert.equal(0, code, problem)
  return throng.trajectory(("%s/%s/trajectory.sqlite"):format(scratch, name))
end

local function written(text)
  local path = os.tmpname():gsub("^.*/", scratch .. "/") .. ".txt"
  command.write(path, text)
  return throng.trajectory(path)
end

-- 40 people leave a room by a gap of 1.2 m; they take a while from there to where they leave.
local ROOM = [[
local throng = require "throng"
local p = throng.params { time_gap = 0.6, speed = 1.34 }
local world = throng.world {
  record = { every = 0.1 }, seconds = 40, threads = 1,
  map = throng.map { boundary = throng.box(-8, -3, 9, 3),
    walls = { throng.box(0, 0.6, 1, 3), throng.box(0, -3, 1, -0.6) } },
}
local people = world:spawn { count = 40, where = throng.box(-8, -3, -0.5, 3), time_gap = p.time_gap,
  speed = throng.uniform(p.speed - 0.1, p.speed + 0.1) }
people:go_to(throng.box(7, -3, 9, 3))
people:on("arrived", function(group) group:remove() end)
world:measure { flow = { { 0, -0.6 }, { 0, 0.6 } }, name = "flow" }
world:measure { time_gap = { { 0, -0.6 }, { 0, 0.6 } }, name = "gaps" }
world:measure { flow = throng.box(1, -3, 3, 3), name = "passages" }
world:measure { density = throng.box(-3, -2, 0, 2), name = "density" }
world:measure { density = throng.box(-3, -2, 0, 2), method = "voronoi", name = "voronoi" }
world:measure { level_of_service = throng.box(-3, -2, 0, 2), name = "level" }
world:measure { count = throng.box(-3, -2, 0, 2), name = "count" }
world:measure { inside = throng.box(0, -3, 9, 3), name = "outside" }
world:measure { lanes = throng.box(-3, -2, 0, 2), name = "lanes" }
world:measure { speed = throng.box(-3, -2, 0, 2), name = "speed" }
world:measure { travel_time = throng.box(5, -3, 6, 3), since = throng.box(1, -3, 1.5, 3), name = "walk" }
return world
]]

local function room(parameters, seed)
  local path = scratch .. "/room.lua"
  command.write(path, ROOM)
  local world = throng.load(path, { params = parameters, seed = seed })
  world:run {}
  return world
end

describe("world:compare", function()
  it("finds a run equal to its own recording, by every measure", function()
    local world <close> = room {}
    local comparison = world:compare(recorded(ROOM))
    assert.equal(11, #comparison)
    for _, row in ipairs(comparison) do
      assert.is_true(row.ours_count > 3, row.name)
      assert.equal(row.ours_count, row.recorded_count, row.name)
      assert.near(row.ours, row.recorded, 1e-4 * math.abs(row.ours), row.name) -- places are rounded
      assert.near(0, row.shift, 1e-4, row.name)
      assert.is_true(row.curve == nil or row.curve < 1e-3, row.name)
      assert.is_true(row.alike ~= false, row.name)
    end
    assert.is_true(comparison.alike)
    assert.equal(comparison[1], comparison.flow)
    assert.matches("voronoi", tostring(comparison))
  end)

  it("notices a speed that is 15 % lower, and no other seed", function()
    local people = recorded(ROOM, "--seed 77")
    local function found(parameters)
      local list = {}
      for seed = 1, 5 do
        local world <close> = room(parameters, seed)
        list[seed] = world:compare(people)
      end
      return throng.compared(list)
    end
    local same, slower = found {}, found { speed = 1.14 }
    assert.is_true(same.alike, tostring(same))
    assert.is_false(slower.alike)
    assert.is_false(slower.walk.alike)
    assert.equal(5, slower.runs)
    assert.is_true(slower.walk.recorded < slower.walk.from)
    assert.matches("walk.*differs", tostring(slower))
  end)

  it("leaves differences alone that are too small to matter", function()
    local lines = { "# framerate: 10", "# id frame x/m y/m" }
    for frame = 0, 100 do lines[#lines + 1] = ("1 %d %.6f 0"):format(frame, 0.12 * 1.006 * frame) end
    local people, list = written(table.concat(lines, "\n") .. "\n"), {}
    for i = 1, 4 do
      local world <close> = throng.world { threads = 1, people = false }
      world:spawn({ at = { { 0, 0 } }, speed = 1.2, max_speed = 1.2 }):go_to { 90, 0 }
      world:measure { speed = throng.box(1, -1, 90, 1), name = "speed", every = 0.1 }
      world:run { seconds = 10 }
      list[i] = world:compare(people)
      assert.is_true(list[i].speed.alike)
      assert.is_false(world:compare(people, { tolerance = 0.001 }).speed.alike)
      list[i + 4] = world:compare(people, { tolerance = 0.001 })
    end
    assert.is_true(throng.compared({ table.unpack(list, 1, 4) }).alike)
    assert.is_false(throng.compared({ table.unpack(list, 5, 8) }).alike)
  end)

  it("notices a time gap of 5 s in one run", function()
    local world <close> = room { time_gap = 5 }
    local comparison = world:compare(recorded(ROOM, "--seed 77"))
    assert.is_false(comparison.alike)
    assert.is_false(comparison.gaps.alike)
    assert.is_true(comparison.gaps.difference > 0 and comparison.gaps.from > 0)
    assert.is_true(comparison.flow.ours < comparison.flow.recorded)
  end)

  it("takes people of text at the world's steps, whatever their frames", function()
    local lines = { "# framerate: 8", "# id frame x/m y/m" } -- 1 walks at 1.2 m/s; 2, at 0.8 m/s, comes at 1 s
    for frame = 0, 40 do
      lines[#lines + 1] = ("1 %d %.6f 0"):format(frame, 1.2 * frame / 8)
      if frame >= 8 then lines[#lines + 1] = ("2 %d %.6f 1"):format(frame, 0.8 * (frame / 8 - 1)) end
    end
    local people = written(table.concat(lines, "\n") .. "\n")
    local world <close> = throng.world { threads = 1, people = false }
    world:spawn({ at = { { 0, 0 } }, speed = 1.2, max_speed = 1.2 }):go_to { 90, 0 }
    world:measure { speed = throng.box(-1, -0.5, 9, 0.5), name = "first", every = 0.1 }
    world:measure { speed = throng.box(-1, 0.5, 9, 1.5), name = "second", every = 0.1 }
    world:measure { flow = { { 2.5, -1 }, { 2.5, 2 } }, name = "line" }
    world:measure { travel_time = throng.box(2.4, -1, 9, 2), name = "there" }
    world:run { seconds = 9 }
    local comparison = world:compare(people)
    assert.near(5, comparison.seconds, 1e-9)
    assert.near(1.2, comparison.first.recorded, 1e-5)
    assert.equal(50, comparison.first.recorded_count)
    assert.near(0.8, comparison.second.recorded, 1e-5)
    assert.is_nil(comparison.second.ours)
    assert.equal(1, comparison.line.recorded_count) -- the gap between them
    assert.near(1 / (2.5 / 0.8 + 1 - 2.5 / 1.2), comparison.line.recorded, 1e-4)
    assert.near((2 + 3) / 2, comparison.there.recorded, 0.11)
    local later = world:compare(people, { since = 1 })
    assert.near(4, later.seconds, 1e-9)
    assert.near((1 + 3) / 2, later.there.recorded, 0.11)
  end)

  it("sees people go on over the seams of a world that wraps", function()
    local lines = { "# framerate: 8", "# id frame x/m y/m" }
    for frame = 0, 72 do lines[#lines + 1] = ("1 %d %.6f 1"):format(frame, (0.15 * frame) % 6) end
    local people = written(table.concat(lines, "\n") .. "\n")
    local world <close> = throng.world { wrap = { 6, 3 }, threads = 1 }
    world:measure { speed = true, name = "speed", every = 0.1 }
    world:measure { flow = { { 5.9, 0 }, { 5.9, 3 } }, name = "line" }
    world:run { seconds = 9 }
    local comparison = world:compare(people)
    assert.near(1.2, comparison.speed.recorded, 1e-4)
    assert.equal(0, comparison.line.ours_count)
    assert.is_nil(comparison.line.recorded) -- one passage: no flow
  end)

  it("measures from when a measure was begun", function()
    local people = recorded(ROOM)
    local path = scratch .. "/late.lua"
    command.write(path, (ROOM:gsub("world:measure.*", "return world")))
    local world <close> = throng.load(path)
    world:run { seconds = 9 }
    world:measure { flow = { { 0, -0.6 }, { 0, 0.6 } }, name = "late" }
    world:run { seconds = 10 }
    local late = world:compare(people).late
    assert.is_true(late.ours_count > 5)
    assert.equal(late.ours_count, late.recorded_count)
  end)

  it("says what is wrong", function()
    local people = throng.trajectory "tests/data/trajectory.txt"
    local function fails(pattern, f, ...)
      local ok, message = pcall(f, ...)
      assert.is_false(ok)
      assert.matches(pattern, message)
    end
    local world <close> = throng.world { threads = 1 }
    fails("the world has no measures", world.compare, world, people)
    world:measure { speed = true }
    fails("took no step yet", world.compare, world, people)
    world:step()
    fails('expected a recording like throng.trajectory%("run.txt"%), got 3', world.compare, world, 3)
    fails("'since' must be less than 1 s", world.compare, world, people, { since = 1 })
    fails("'confidence' must be a number from 0.5", world.compare, world, people, { confidence = 2 })
    fails("unknown field 'sinc'", world.compare, world, people, { sinc = 1 })
    fails("expected a list of what world:compare gave", throng.compared, {})
    fails("entry 1 is no comparison", throng.compared, { 3 })
    fails("entry 1 is no comparison", throng.compared, { nil, 3 })
    local hall = throng.box(0, 0, 9, 9)
    local tower <close> = throng.world { threads = 1,
      map = throng.building { floors = { low = { z = 0, boundary = hall }, high = { z = 3, boundary = hall } },
        stairs = { { from = "low", to = "high", foot = { 2, 2 }, head = { 6, 2 } } } } }
    tower:measure { speed = true }
    tower:step()
    fails("is a building", tower.compare, tower, people)
  end)
end)

describe("distances between distributions", function()
  local distributions = dofile "lua/throng/distributions.lua"

  it("are the most that they differ, and the area between", function()
    assert.same({ 0, 0 }, { distributions.distance({ 1, 2, 3 }, { 1, 2, 3 }) })
    assert.same({ 1, 2 }, { distributions.distance({ 0, 1 }, { 2, 3 }) })
    local most, area = distributions.distance({ 1, 2, 3, 4 }, { 2, 3, 4, 5, 6 })
    assert.near(0.4, most, 1e-9) -- beyond 4
    assert.near(1.5, area, 1e-9) -- the difference of the means, where one is beyond the other throughout
  end)

  it("are by chance as Kolmogorov's law has it", function()
    assert.equal(1, distributions.chance(0.01, 50, 50))
    assert.near(0.05, distributions.chance(1.358 / math.sqrt(5000), 10000, 10000), 0.001) -- 5 %: 1.358
    assert.near(0.01, distributions.chance(1.628 / math.sqrt(5000), 10000, 10000), 0.001)
  end)

  it("count values that follow each other as so many as are worth as much", function()
    local state, drawn, following = 1, {}, { 0 }
    for i = 1, 4000 do
      state = (state * 1103515245 + 12345) % 2147483648
      drawn[i] = state / 2147483648 - 0.5
      following[i] = 0.8 * (following[i - 1] or 0) + drawn[i]
    end
    assert.is_true(distributions.independent(drawn) > 3500)
    assert.near(4000 * (1 - 0.8) / (1 + 0.8), distributions.independent(following), 100) -- of a first-order process
    for i = 1, 40000 do drawn[i] = i end
    assert.is_true(distributions.independent(drawn) < 4)
  end)
end)

describe("measure:events", function()
  it("are passages, time gaps and travel times one by one", function()
    local world <close> = throng.world { threads = 1, people = false }
    world:spawn({ at = { { 0, 0 }, { -1.2, 0 } }, speed = 1.2, radius = 0.1 }):go_to { 90, 0 }
    local line = { { 3, -1 }, { 3, 1 } }
    local flow, gaps = world:measure { flow = line }, world:measure { time_gap = line }
    local trips = world:measure { travel_time = throng.box(3, -1, 9, 1) }
    local speed = world:measure { speed = true }
    world:run { seconds = 5 }
    local times, values = flow:events()
    assert.same({ 1, 1 }, values)
    assert.near(2.5, times[1], 0.02)
    assert.near(times[2] - times[1], select(2, gaps:events())[1], 1e-9)
    local _, travelled = trips:events()
    assert.near(times[1], travelled[1], 0.11)
    assert.near(times[2], travelled[2], 0.11)
    assert.same({}, (speed:events()))
  end)
end)

describe("a source with a recording", function()
  local FILE = "tests/data/trajectory.txt" -- 1 and 7 from the first frame on, 2 from 0.3 s

  local function hall(...)
    return throng.world { map = throng.map { boundary = throng.box(-3, -3, 12, 7), walls = { ... } }, threads = 1 }
  end

  it("lets everybody in when and where the recording sees them, as fast as they walk", function()
    local world <close> = hall()
    local people, moment = throng.trajectory(FILE), throng.trajectory(FILE, 0.3)
    local came = {}
    local group = world:source { recording = people, radius = 0.2, each = function(batch)
      for i = 1, #batch do
        came[#came + 1] = { time = world.time, x = batch.x[i], y = batch.y[i], vx = batch.vx[i], vy = batch.vy[i] }
      end
    end }
    world:run { seconds = 1 }
    assert.equal(3, group:stats().spawned)
    assert.near(0, came[1].time, 1e-9)
    assert.near(1.2, came[1].vx, 1e-3)
    local two = came[3]
    assert.near(0.3, two.time, 1e-6)
    assert.near(moment.at[2][1], two.x, 1e-5)
    assert.near(moment.at[2][2], two.y, 1e-5)
    assert.near(0.5, two.vy, 1e-3)
  end)

  it("goes on from a moment, and takes those of its places", function()
    local world <close> = hall()
    local people = throng.trajectory(FILE)
    world:spawn { from = people:at(0.1), radius = 0.2 }
    local group = world:source { recording = people, since = 0.1, radius = 0.2 }
    world:run { seconds = 0.5 }
    assert.equal(1, group.count)
    assert.near(2.15, group.y[1], 0.15)
    local alone <close> = hall()
    local later = alone:source { recording = people, since = 0.1, radius = 0.2 }
    alone:run { seconds = 0.5 }
    assert.equal(1, later.count)
    local again <close> = hall()
    local other = again:source { recording = people, where = throng.box(0.5, 0, 3, 1.5), radius = 0.2 }
    again:run { seconds = 0.4 }
    assert.equal(0, other.count)
    again:run { seconds = 0.3 } -- 1 comes into the box at 0.42 s, is seen in it at 0.5 s
    assert.equal(1, other.count)
    assert.near(0.6, other.x[1], 0.3)
  end)

  it("lets whoever finds somebody there wait", function()
    local people = written "# framerate: 10\n# id frame x/m y/m\n1 0 1 1\n2 5 1.1 1\n1 9 3 1\n2 9 2 1\n"
    local world <close> = hall()
    local group = world:source { recording = people, to = { 9, 1 }, speed = 1 }
    world:run { seconds = 0.3 }
    assert.equal(1, group.count)
    world:run { seconds = 0.3 }
    local soon = group.count
    world:run { seconds = 1.5 }
    assert.same({ 1, 2 }, { soon, group.count })
    assert.no_overlap(world)
  end)

  it("says what is wrong", function()
    local people = throng.trajectory(FILE)
    local function fails(pattern, definition)
      local world <close> = hall(throng.box(4, 2, 8, 6))
      local ok, message = pcall(function()
        world:source(definition)
        world:run { seconds = 1 }
      end)
      assert.is_false(ok)
      assert.matches(pattern, message)
    end
    fails("give a 'rate'.- or a 'recording'", { recording = people, rate = 2 })
    fails("'since' goes with 'recording'", { rate = 1, since = 2, where = throng.box(0, 0, 1, 1) })
    fails("'limit' goes with 'rate': a 'recording' has times", { recording = people, limit = 2 })
    fails("field 'recording': expected a recording", { recording = "run.txt" })
    fails("'since' must be at most 1.- s", { recording = people, since = 3 })
    fails("person 1 of the recording comes at %(%-4.00, 1.00%), beyond the map", { radius = 0.2,
      recording = written "# framerate: 10\n# id frame x/m y/m\n1 0 -4 1\n1 1 -2.9 1\n" })
    fails("person 1 of the recording comes at %(6.00, 4.00%), in a wall", { radius = 0.2,
      recording = written "# framerate: 10\n# id frame x/m y/m\n1 0 6 4\n1 1 6.1 4\n" })
  end)

  it("has whose head leans over a wall stand beside it", function()
    local leaning = written "# framerate: 10\n# id frame x/m y/m\n1 0 -2.9 1\n1 1 -2.8 1\n2 0 -3.1 -3.1\n2 1 -3 -3\n"
    local world <close> = hall()
    local group = world:spawn { from = leaning:at(0), radius = 0.2 }
    assert.near(-2.8, group.x[1], 0.021)
    assert.near(1, group.y[1], 0.01)
    assert.near(-2.8, group.x[2], 0.021) -- in the corner
    assert.near(-2.8, group.y[2], 0.021)
    local later <close> = hall()
    local came = later:source { recording = leaning, radius = 0.2 }
    later:step()
    assert.equal(2, #came)
  end)
end)
