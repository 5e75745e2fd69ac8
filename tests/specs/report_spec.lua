-- report.html: of a run and of a recording; what is in it is what was recorded, and it opens in a browser.
local command = dofile "tests/specs/command.lua"
local needs = dofile "tests/specs/needs.lua"
local base64 = dofile "tests/specs/base64.lua"
local json = require "dkjson"
local shell = command.shell

local scratch -- a folder for each test

before_each(function() scratch = io.popen("mktemp -d"):read "l" end)
after_each(function() os.execute("chmod -R u+w '" .. scratch .. "'; rm -rf '" .. scratch .. "'") end)

local function throng(arguments) return command.throng(arguments, scratch) end

local function has(text, ...)
  for _, part in ipairs { ... } do
    local body = text:match "<body>(.*)" or text -- of a page, what one reads
    if not text:find(part, 1, true) then error(("expected '%s' in:\n%s"):format(part, body:sub(1, 3000)), 2) end
  end
end

-- A room of 30 m x 12 m with two groups, who leave at different times, and one who comes later.
local ROOM = [[
local throng = require "throng"
local params = throng.params { format = "sqlite", name = "guests", exit = "exit" }
local world = throng.world {
  map = throng.map { boundary = throng.box(-10, -6, 20, 6) },
  regions = { [params.exit] = throng.box(17, -6, 20, 6), hall = throng.box(-10, -6, -2, 6) },
  seed = 5, threads = 1, seconds = 60, record = { every = 0.5, format = params.format },
}
local function add(name, count, speed)
  local group = world:spawn { name = name, count = count, where = "hall", speed = speed }
  group:go_to(params.exit)
  group:on("arrived", function(arrived) arrived:remove() end)
end
add(params.name, 12, 1.3)
add("staff", 5, 0.8)
world:at(3, function() add("late", 1, 1.3) end)
world:measure { density = "hall", name = "in the hall" }
return world
]]

local EMPTY = [[
local throng = require "throng"
return throng.world { map = throng.map { boundary = throng.box(0, 0, 9, 9) }, seconds = 2, threads = 1 }
]]

-- ---- what page_reading.js does, again

local function reader(text)
  local bytes, at = base64(text), 0
  local read = {}
  function read.whole()
    local value, shift, byte = 0, 0
    repeat
      at = at + 1
      byte = bytes:byte(at)
      value, shift = value | (byte & 127) << shift, shift + 7
    until byte < 128
    return value
  end
  function read.signed()
    local value = read.whole()
    return value & 1 == 1 and -(value >> 1) - 1 or value >> 1
  end
  function read.done() return at == #bytes end
  return read
end

local function people_of(data)
  local read, people, id = reader(data.people.packed), {}, 0
  for p = 1, data.people.count do
    id = id + read.signed()
    people[p] = { id = id, group = data.groups[read.whole() + 1], radius = read.whole() / 1000 }
  end
  assert.is_true(read.done())
  return people
end

-- Frame after frame, by id: { x, y }.
local function frames_of(data)
  local places, people = data.places, people_of(data)
  local read, frames, state = reader(places.packed), {}, {}
  for f = 1, places.frames do
    for _, there in ipairs { false, true } do
      local p = 1
      for _ = 1, read.whole() do
        p = p + read.whole()
        state[p] = there and { x = 0, y = 0, vx = 0, vy = 0, seen = 0 } or nil
      end
    end
    frames[f] = {}
    for p = 1, #people do
      local s = state[p]
      for _, axis in ipairs(s and { "x", "y" } or {}) do
        local at = read.signed() + (s.seen == 0 and 0 or s[axis] + (s.seen > 1 and s["v" .. axis] or 0))
        s["v" .. axis], s[axis] = at - s[axis], at
      end
      if s then
        s.seen = s.seen + 1
        frames[f][people[p].id] = { (s.x + places.x0) / places.unit, (s.y + places.y0) / places.unit }
      end
    end
  end
  assert.is_true(read.done())
  return frames
end

local function data_of(page)
  return json.decode(page:match '<script type="application/json" id="report%-data">(.-)</script>')
end

-- The frames of a compact recording (record_compact.h), likewise.
local function recorded(path)
  local bytes = command.read(path)
  local _, wkt, own = string.unpack("<dI4I4", bytes, 9)
  local at, frames, ids = 25 + ((wkt + 3) & ~3) + own * 32, {}, {}
  while bytes:sub(at, at + 3) == "FRAM" do
    local _, count, ids_of
    _, _, count, ids_of, at = string.unpack("<I4i4i4i4", bytes, at)
    local function column(format)
      local values = {}
      for i = 1, count do values[i], at = string.unpack(format, bytes, at) end
      return values
    end
    if ids_of == #frames then ids = column "<i4" end
    local x, y = column "<f", column "<f"
    column "<i4" -- headings
    local frame = {}
    for i = 1, count do frame[ids[i]] = { x[i], y[i] } end
    frames[#frames + 1] = frame
  end
  return frames
end

local function check_places(data, frames)
  local packed = frames_of(data)
  assert.equal(#frames, #packed)
  local places = 0
  for f, frame in ipairs(frames) do
    for id, at in pairs(frame) do
      local there = assert(packed[f][id], "nobody is there")
      assert.is_true(math.abs(at[1] - there[1]) <= 0.5001 / data.places.unit)
      assert.is_true(math.abs(at[2] - there[2]) <= 0.5001 / data.places.unit)
      places = places + 1
    end
    for id in pairs(packed[f]) do assert.is_truthy(frame[id]) end
  end
  return places
end

-- Runs the room with --report; the page and its data.
local function report(arguments)
  command.write(scratch .. "/room.lua", ROOM)
  local code, out, err = throng("run room.lua --out out --report " .. (arguments or ""))
  assert.equal(0, code, err)
  has(out, "  wrote        out/report.html\n")
  local page = command.read(scratch .. "/out/report.html")
  return page, data_of(page)
end

describe("a report", function()
  it("has the places that were recorded, to the quantum", function()
    local _, data = report "--set format=compact"
    assert.is_true(check_places(data, recorded(scratch .. "/out/trajectory.throng")) > 300)
    assert.equal(100, data.places.unit)
    assert.equal(0.5, data.places.every)
    local groups = {}
    for _, person in ipairs(people_of(data)) do
      groups[person.group] = (groups[person.group] or 0) + 1
      assert.is_true(person.radius >= 0.2 and person.radius <= 0.25)
    end
    assert.same({ guests = 12, staff = 5, late = 1 }, groups)
  end)

  it("tells exits of one name by where they are, and has no names that nobody gave", function()
    local script = ROOM:gsub("throng.box%(17, %-6, 20, 6%)", "{ throng.box(17, -6, 20, -1), throng.box(17, 1, 20, 6) }")
    command.write(scratch .. "/two.lua", script)
    assert.equal(0, (throng "run two.lua --report --out two"))
    local page = command.read(scratch .. "/two/report.html")
    local table = page:match 'id="exits%-title".-</table>'
    local first = table:match '<th scope="row">exit at 18.5, %-3.5</th><td>(%d+)</td>'
    local second = table:match '<th scope="row">exit at 18.5, 3.5</th><td>(%d+)</td>'
    assert.equal(18, first + second)
    assert.is_true(tonumber(first) > 0 and tonumber(second) > 0)
    local names = {}
    for _, region in ipairs(data_of(page).regions) do names[region.name] = true end
    assert.same({ exit = true, hall = true }, names)
  end)

  it("says what can be computed of the trajectory: densities, speeds, who is gone when, and by which exit", function()
    local page = report "--set format=compact"
    local frames, seconds = recorded(scratch .. "/out/trajectory.throng"), 0.5
    -- The values in the table of a curve, and how many of them are as `expected(time)` says.
    local function agree(title, within, expected)
      local rows, checked = page:match("<figcaption>" .. title .. "</figcaption>.-<table>(.-)</table>"), 0
      for time, value in rows:gmatch "<tr><td>([%d.]+)</td><td>([%d.]+)</td></tr>" do
        local wanted = expected(tonumber(time), frames[math.floor(time / seconds + 0.5) + 1])
        if wanted then
          assert.near(wanted, tonumber(value), within + 5e-4 * wanted, ("%s at %s s"):format(title, time))
          checked = checked + 1
        end
      end
      assert.is_true(checked > 15, title)
    end
    local function whole(time) return math.abs(time / seconds - math.floor(time / seconds + 0.5)) < 1e-6 end
    agree("in the hall", 1e-6, function(time, frame)
      local inside = 0
      for _, at in pairs(frame or {}) do inside = inside + (at[1] >= -10 and at[1] <= -2 and 1 or 0) end
      return whole(time) and frame and inside / (8 * 12)
    end)
    agree("Mean speed", 1e-3, function(time, frame)
      local before, sum, count = frames[math.floor(time / seconds + 0.5)], 0, 0
      for id, at in pairs(frame) do
        local from = before and before[id]
        if from then
          sum, count = sum + math.sqrt((at[1] - from[1]) ^ 2 + (at[2] - from[2]) ^ 2) / seconds, count + 1
        end
      end
      return count > 0 and sum / count
    end)
    local last = {}
    for f, frame in ipairs(frames) do
      for id in pairs(frame) do last[id] = (f - 1) * seconds end
    end
    local gone = {}
    for _, time in pairs(last) do gone[#gone + 1] = time end
    table.sort(gone)
    agree("People who arrived", 1e-6, function(time) -- each is in the last frame before it arrives
      local least, most = 0, 0
      for _, at in ipairs(gone) do
        least, most = least + (at + seconds < time - 1e-6 and 1 or 0), most + (at < time - 1e-6 and 1 or 0)
      end
      return least == most and least
    end)
    local row = page:match 'id="exits%-title".-<th scope="row">exit</th>(.-)</tr>'
    local people, first, latest = row:match "<td>(%d+)</td>.-#t=([%d.]+).-#t=([%d.]+)"
    assert.equal(#gone, tonumber(people))
    assert.near(gone[1] + seconds / 2, tonumber(first), 0.51 * seconds)
    assert.near(gone[#gone] + seconds / 2, tonumber(latest), 0.51 * seconds)
  end)

  it("has the floors of a building, and where its lifts were", function()
    command.write(scratch .. "/tower.lua", [[
local throng = require "throng"
local hall = throng.box(0, 0, 60, 10)
local world = throng.world {
  map = throng.building {
    floors = { ground = { z = 0, boundary = hall }, first = { z = 4, boundary = hall, regions = { desk = hall } } },
    stairs = { { from = "ground", to = "first", foot = { 4, 8 }, head = { 11, 8 } } },
    lifts = { { name = "a", at = { 54, 5 }, back = { 56, 5 }, width = 2 } },
  },
  seed = 3, seconds = 60, record = { every = 0.1 },
}
world:spawn { count = 1, at = { { 52, 3, floor = "ground" } } }:go_to { 52, 3, floor = "first" }
return world
]])
    local code, _, err = throng "run tower.lua --out out --report"
    assert.equal(0, code, err)
    local data = data_of(command.read(scratch .. "/out/report.html"))
    assert.equal(1, #data.flights)
    assert.equal(8, #data.flights[1].corners)
    assert.equal(8, #data.seams) -- foot, head and two of the lift's, on both sides
    assert.equal("a", data.lifts[1].name:match "[^/]+$")
    assert.equal(2, #data.lifts[1].stops)
    local moves, rode, last = data.cars[1], false, -1
    for i = 1, #moves, 5 do
      assert.is_true(moves[i] > last)
      last = moves[i]
      rode = rode or moves[i + 2] == 1 and moves[i + 3] == 1 -- up, with one in it
    end
    assert.is_true(rode)
    assert.equal(1, moves[#moves - 3]) -- and it stands above
    assert.equal(0, moves[#moves - 2])
    local parts = 0
    for _, region in ipairs(data.regions) do parts = parts + (region.part and 1 or 0) end
    assert.equal(5, parts) -- two floors, a flight, two cars
    -- of the recording alone, the same
    code, _, err = throng "report out"
    assert.equal(0, code, err)
    local again = data_of(command.read(scratch .. "/out/report.html"))
    for _, name in ipairs { "seams", "flights", "lifts", "cars" } do assert.same(data[name], again[name]) end
    -- who rides is at the height of the car
    assert.equal(0, (throng "convert out/trajectory.sqlite out.csv"))
    local between = 0
    for line in io.lines(scratch .. "/out.csv") do
      local z, floor = line:match "^[^,]*,[^,]*,[^,]*,[^,]*,[^,]*,[^,]*,([%d.]+),([^,]*),"
      if floor and floor:match "a$" and tonumber(z) > 0.5 and tonumber(z) < 3.5 then between = between + 1 end
    end
    assert.is_true(between > 5)
  end)

  it("tells what was run, how it went, and how to run it again", function()
    local page = report "--set name=visitors"
    has(page, "<h1>room</h1>", "18 people, ", "everyone arrived", "People who arrived", "50 % at", "80 % at", "95 % at",
      "<details>", "Mean speed", "in the hall", "density in ", "Fruin", "Nobody was stuck",
      "throng run room.lua --seed 5 --set name=visitors --report", '<th scope="row">exit</th><td>18</td>',
      "<td>exit=exit, format=sqlite, name=visitors</td>")
    local summary = json.decode(command.read(scratch .. "/out/summary.json"))
    has(page, summary.hash)
    assert.is_nil(page:find("://", 1, true)) -- nothing from a network
  end)

  it("tells who was stuck where, by the floor and its positions, and what to do", function()
    command.write(scratch .. "/cell.lua", [[
local throng = require "throng"
local params = throng.params { count = { 6, 1, 9 } }
local floor = { 0, 0, 20, 10 }
local world = throng.world {
  map = throng.building {
    floors = {
      ground = { z = 0, boundary = throng.box(table.unpack(floor)) },
      first = { z = 3, boundary = throng.box(table.unpack(floor)), regions = { cell = throng.box(16, 3, 18, 5) },
        walls = { throng.box(12, 0, 12.2, 3), throng.box(12, 5, 12.2, 10) },
        doors = { gate = { { 12.1, 3 }, { 12.1, 5 } } } },
    },
    stairs = { { from = "ground", to = "first", foot = { 2, 8 }, head = { 8, 8 } } },
  },
  seed = 3, seconds = 20,
}
world:spawn { count = params.count, where = "first/cell", door_policy = "wait" }:go_to { 2, 2, floor = "ground" }
world.map:door("first/gate"):close()
return world
]])
    local code, _, err = throng "run cell.lua --out out --report --set count=3"
    assert.equal(0, code, err)
    local page = command.read(scratch .. "/out/report.html")
    local about = page:match('<th scope="row">closed door <small>held up by a closed door</small></th><td>3</td>'
      .. '<td>first, %((1[2-8]%.%d, [345]%.%d)%) m</td>')
    assert.is_string(about, page:match "Stuck</h2>.-</section>")
    has(page, "<td>open it, or set door_policy to &quot;reroute&quot;</td>", "<td>count=3</td>")
    assert.equal(0, (throng "report out")) -- of the recording alone, the same
    has(command.read(scratch .. "/out/report.html"), about, "<td>count=3</td>")
  end)

  it("counts as arrived who stays or leaves, and not who is sent on", function()
    command.write(scratch .. "/errand.lua", [[
local throng = require "throng"
local world = throng.world {
  map = throng.map { boundary = throng.box(0, 0, 30, 10) },
  regions = { desk = throng.box(6, 1, 12, 9), exit = throng.box(27, 1, 30, 9) }, seed = 2, seconds = 60,
}
local here = world:spawn { count = 4, where = throng.box(1, 1, 3, 9), speed = 1.3 }
local stays = world:spawn { count = 1, at = { { 4, 5 } }, speed = 1.3 }
here:go_to "desk"
stays:go_to "desk"
world:at(20, function() here:go_to "exit" end)
world:at(25, function() here:on("arrived", function(gone) gone:remove() end) end)
return world
]])
    local code, _, err = throng "run errand.lua --out out --report"
    assert.equal(0, code, err)
    local page = command.read(scratch .. "/out/report.html")
    local values, before = {}, 0
    for time, value in page:match("Values: arrived.-</details>"):gmatch "<tr><td>([%d.]+)</td><td>(%d+)</td></tr>" do
      value = tonumber(value)
      assert.is_true(value >= before)
      before = value
      values[#values + 1] = { tonumber(time), value }
    end
    local summary = json.decode(command.read(scratch .. "/out/summary.json"))
    assert.equal(5, summary.arrived)
    assert.equal(5, before)
    for _, at in ipairs(values) do
      if at[1] > 10 and at[1] < 20 then assert.equal(1, at[2]) end -- the other four are at the desk, too
    end
    assert.near(summary.last_arrival, values[#values][1], 0.5)
  end)

  it("has arrivals and travel times to the step, also of who comes later or is removed as it arrives", function()
    command.write(scratch .. "/short.lua", [[
local throng = require "throng"
local world = throng.world {
  map = throng.map { boundary = throng.box(0, 0, 12, 6) }, regions = { exit = throng.box(10, 0, 12, 6) }, seconds = 11,
}
local stays = world:spawn { count = 2, at = { { 4, 2 }, { 3, 4 } } }
stays:go_to "exit"
world:source { rate = 2, limit = 6, where = throng.box(1, 1, 3, 5), to = "exit" }
world:sink { where = "exit" }
return world
]])
    local code, _, err = throng "run short.lua --out out --report"
    assert.equal(0, code, err)
    local page = command.read(scratch .. "/out/report.html")
    local summary, first, last = json.decode(command.read(scratch .. "/out/summary.json")), nil, nil
    for time, value in page:match("Values: arrived.-</details>"):gmatch "<tr><td>([%d.]+)</td><td>(%d+)</td></tr>" do
      first = first or tonumber(value) > 0 and tonumber(time)
      last = last or tonumber(value) == summary.arrived and tonumber(time)
    end
    assert.equal(8, summary.arrived)
    assert.near(summary.first_arrival, first, 1e-4)
    assert.near(summary.last_arrival, last, 1e-4)
    local mean, worst = page:match "mean ([%d.]+) s, median.-all within ([%d.]+) s"
    assert.near(summary.mean_travel, tonumber(mean), 0.0501)
    assert.near(summary.worst_travel, tonumber(worst), 0.0501)
  end)

  it("has the values of measures over time, which --csv and the summary have, too", function()
    command.write(scratch .. "/room.lua", ROOM)
    local code, _, err = throng "run room.lua --out out --csv values.csv"
    assert.equal(0, code, err)
    local rows, sum = 0, 0
    for line in command.read(scratch .. "/values.csv"):gmatch "[^\n]+" do
      local value = line:match "^[%d.]+,in the hall,density,'hall',,persons/m²,([%d.e-]+)$"
      rows, sum = rows + (value and 1 or 0), sum + (tonumber(value) or 0)
    end
    local measure = json.decode(command.read(scratch .. "/out/summary.json")).measures[1]
    local total = 0
    for _, value in ipairs(measure.values) do total = total + value end
    assert.is_true(rows > 40)
    assert.equal(#measure.times, rows)
    assert.near(total, sum, 1e-6)
    assert.near(0.5, measure.times[1], 1e-9)
  end)

  it("is the same of the same run", function()
    local first = report()
    assert.equal(first, (report()))
  end)

  it("is of a recording alone, too, in both formats", function()
    for format, file in pairs { compact = "trajectory.throng", sqlite = "trajectory.sqlite" } do
      report("--set format=" .. format)
      assert.equal(0, (throng(("convert out/%s plain.throng"):format(file))))
      local frames = recorded(scratch .. "/plain.throng")
      local code, out, err = throng(("report out/%s -o page.html"):format(file))
      assert.equal(0, code, err)
      assert.equal("wrote page.html\n", out)
      local page = command.read(scratch .. "/page.html")
      check_places(data_of(page), frames)
      has(page, "<h1>room</h1>", "18 people", "People who arrived", "in the hall", "throng run room.lua --seed 5",
        '<th scope="row">exit</th><td>18</td>')
      local groups, regions = {}, {}
      for _, person in ipairs(people_of(data_of(page))) do groups[person.group] = (groups[person.group] or 0) + 1 end
      for _, region in ipairs(data_of(page).regions) do regions[region.name] = region.exit end
      assert.same({ guests = 12, staff = 5, late = 1 }, groups)
      assert.same({ exit = true, hall = false }, regions)
      shell(("rm '%s'/out/*"):format(scratch))
    end
    local code, out, err = throng "report plain.throng"
    assert.equal(0, code, err)
    assert.equal("wrote report.html\n", out)
    has(command.read(scratch .. "/report.html"), "<h1>room</h1>")
  end)

  it("is of a recording that tells of nobody, too, with what there is", function()
    report "--set format=compact"
    local bytes = command.read(scratch .. "/out/trajectory.throng")
    command.write(scratch .. "/cut.throng", bytes:sub(1, -20)) -- without its index no notes are found
    local code, _, err = throng "report cut.throng"
    assert.equal(0, code, err)
    local page = command.read(scratch .. "/report.html")
    has(page, "<h1>cut</h1>", "People who left", "This recording has no names of exits", "does not say who was stuck")
    assert.same({ "people" }, data_of(page).groups)
  end)

  it("holds places that are far apart, and people who meet in centimetres", function()
    command.write(scratch .. "/scale.lua", [[
      local throng = require "throng"
      local params = throng.params { far = 1 }
      local world = throng.world { people = false, seconds = 2, until_done = false, threads = 1,
        record = { every = 0.5, format = "compact" } }
      world:spawn { at = { { 0, 0 }, { params.far, 0.003 } }, radius = 0.002 }.desired = function() return 0.01, 0 end
      return world
    ]])
    for far, unit in pairs { [0.1] = 10000, [1] = 1000, [20] = 100, [1e6] = 100 } do
      local code, _, err = throng(("run scale.lua --out out --report --set far=%.9g"):format(far))
      assert.equal(0, code, err)
      local data = data_of(command.read(scratch .. "/out/report.html"))
      assert.equal(unit, data.places.unit)
      assert.equal(10, check_places(data, recorded(scratch .. "/out/trajectory.throng")))
    end
  end)

  it("tells who became one of another group, and when", function()
    command.write(scratch .. "/turn.lua", [[
      local throng = require "throng"
      local world = throng.world { seconds = 4, until_done = false, threads = 1 }
      local calm = world:spawn { name = "calm", at = { { 0, 0 }, { 3, 0 } } }
      local wild = world:spawn { name = "wild", at = { { 0, 9 } } }
      world:at(2, function() calm:become("wild") end)
      return world
    ]])
    local code, _, err = throng "run turn.lua --out out --report"
    assert.equal(0, code, err)
    local data = data_of(command.read(scratch .. "/out/report.html"))
    assert.equal(2, #data.turns)
    for _, turn in ipairs(data.turns) do
      assert.equal("wild", data.groups[turn[3] + 1])
      assert.is_true(turn[1] >= 2 and turn[1] <= 2.5)
    end
  end)

  it("has a page for a world with nobody", function()
    command.write(scratch .. "/empty.lua", EMPTY)
    local code, _, err = throng "run empty.lua --out out --report"
    assert.equal(1, code)
    has(err, "nobody was ever in its world")
    local page = command.read(scratch .. "/out/report.html")
    has(page, "Nobody was there")
    assert.equal(0, data_of(page).people.count)
  end)

  it("takes names for text, whatever they are", function()
    local evil = "</script><b onmouseover=alert(1)>\"'&"
    command.write(scratch .. "/room.lua", (ROOM:gsub('name = "guests"', "name = [==[" .. evil .. "]==]")
      :gsub('exit = "exit"', "exit = [==[" .. evil .. "exit]==]")))
    local code, _, err = throng "run room.lua --out out --report"
    assert.equal(0, code, err)
    local page = command.read(scratch .. "/out/report.html")
    assert.is_nil(page:find("<b onmouseover", 1, true))
    assert.equal(2, select(2, page:gsub("</script>", ""))) -- of the data, and of the code
    assert.equal(evil, data_of(page).groups[1])
  end)
end)

-- Two recordings of one hall: `staying` who stand at `x`, and `leaving` who walk out; or another hall.
local HALL = [[
local throng = require "throng"
local params = throng.params { x = 4.25, staying = 4, leaving = 3, wide = 20 }
local world = throng.world {
  map = throng.map { boundary = throng.box(0, 0, params.wide, 10) }, people = false, threads = 1, seconds = 30,
  regions = { out = throng.box(16, 0, 20, 2), left = throng.box(0, 0, 10, 10), exit = throng.box(18, 8, 20, 10) },
  record = { every = 0.5 }, until_done = params.staying == 0, seed = 4,
}
if params.staying == 0 then world:at(0, function() end) end
local at = {}
for k = 1, params.staying do at[k] = { params.x, 3 + 0.6 * k } end
if params.staying > 0 then world:spawn { name = "staying", at = at } else
  local out = world:spawn { name = "leaving", count = params.leaving, where = "left", speed = 2 }
  out:go_to "exit"
  out:on("arrived", function(group) group:remove() end)
end
world:measure { density = "left", name = "on the left" }
return world
]]

-- Runs the hall with these settings into the folder.
local function run_hall(folder, settings)
  command.write(scratch .. "/hall.lua", HALL)
  local code, _, err = throng(("run hall.lua --out %s %s"):format(folder, settings))
  assert.equal(0, code, err)
end

local function compare(first, second)
  local code, out, err = throng(("report %s %s -o both.html"):format(first, second))
  assert.equal(0, code, err)
  assert.equal("wrote both.html\n", out)
  return command.read(scratch .. "/both.html")
end

-- The cells of a row of the table of figures.
local function figures(page, name)
  local cells = {}
  local head = '<tr><th scope="row">' .. name:gsub("%p", "%%%0") .. "</th>"
  local row = page:match(head .. "(.-)</tr>") or error("no row " .. name)
  for cell in row:gmatch "<td>(.-)</td>" do cells[#cells + 1] = cell end
  return cells
end

describe("a report of two runs", function()
  it("has the figures of both, and by how much they differ", function()
    run_hall("a", "--set staying=0 --set leaving=3")
    run_hall("b", "--set staying=0 --set leaving=6")
    local page = compare("a", "b")
    local arrived = {}
    for k, folder in ipairs { "a", "b" } do
      local summary = json.decode(command.read(("%s/%s/summary.json"):format(scratch, folder)))
      arrived[k] = summary.last_arrival
      has(page, summary.hash)
    end
    assert.same({ "3", "6", "+3 <small>(+100 %)</small>" }, figures(page, "People"))
    assert.same({ "3", "6", "+3 <small>(+100 %)</small>" }, figures(page, "Left by exit"))
    local last = figures(page, "Everybody by")
    for k = 1, 2 do assert.near(arrived[k], tonumber(last[k]:match "^[%d.]+"), 0.11) end -- a frame
    assert.near(arrived[2] - arrived[1], tonumber((last[3]:match "^(%S+) s":gsub("−", "-"))), 0.21)
    has(page, "<h1>hall: A and B</h1>", "People who arrived", "on the left, mean of its values", "density in ",
      '<tr class="differs"><th scope="row">Set</th><td>staying=0, leaving=3</td><td>staying=0, leaving=6</td>',
      "throng run hall.lua --seed 4 --set staying=0 --set leaving=6", "over the first")
    assert.is_nil(page:find("://", 1, true)) -- nothing from a network
  end)

  it("tells that a run does not differ from itself", function()
    run_hall("a", "--set staying=0")
    local page = compare("a", "a/trajectory.sqlite")
    has(page, "It is the same everywhere.")
    assert.is_nil(page:find('class="differs"', 1, true))
    assert.is_nil(page:find("%)</small></td>"))
  end)

  it("shows both over the same time: the shorter one's, unless everybody had left it", function()
    run_hall("stay", "--seconds 4")
    run_hall("leave", "--set staying=0")
    run_hall("long", "--set x=9")
    local function over(first, second)
      return tonumber(compare(first, second):match "Of both over the first ([%d.]+) s")
    end
    local left = json.decode(command.read(scratch .. "/leave/summary.json")).time
    assert.equal(4, over("stay", "long"))
    assert.equal(4, over("long", "stay"))
    assert.equal(30, over("leave", "long"))
    assert.is_true(left > 4 and left < 30)
    assert.equal(4, over("stay", "leave"))
  end)

  it("needs one plan, and two recordings", function()
    run_hall("a", "--seconds 1")
    run_hall("wide", "--seconds 1 --set wide=24")
    command.write(scratch .. "/open.lua", [[
      local world = require "throng".world { seconds = 1, until_done = false, threads = 1 }
      world:spawn { at = { { 3, 3 } } }
      return world
    ]])
    assert.equal(0, (throng "run open.lua --out open"))
    for _, case in ipairs {
      { "a wide", "the plans differ: 'wide' has 40 m² of floor that 'a' does not have, also at (22.00, 5.00) m" },
      { "wide a", "the plans differ: 'wide' has 40 m² of floor that 'a' does not have" },
      { "open a", "'open' has no plan, and 'a' has one" }, { "a open", "'open' has no plan, and 'a' has one" },
      { "a nowhere", "nowhere" }, { "a a a", "a" },
    } do
      local code, out, err = throng(("report %s -o both.html"):format(case[1]))
      assert.equal(2, code)
      assert.equal("", out)
      has(err, case[2])
      assert.is_nil(io.open(scratch .. "/both.html"))
    end
    has(compare("open", "open"), "It is the same everywhere.")
  end)
end)

describe("a report of a source that is too small", function()
  it("tells how many wait outside, as the summary does", function()
    command.write(scratch .. "/gate.lua", [[
local throng = require "throng"
local world = throng.world { seconds = 5, threads = 1, map = throng.map { boundary = throng.box(0, 0, 30, 9),
  regions = { gate = throng.box(0, 0, 1, 1), exit = throng.box(20, 0, 30, 9) } } }
world:source { name = "people", schedule = { { 0, 100 } }, where = "gate", to = "exit" }
return world]])
    local code, out, err = throng "run gate.lua --out out --report"
    assert.equal(0, code, err)
    local waiting = 100 - tonumber(command.read(scratch .. "/out/summary.json"):match '"agents": (%d+)')
    assert.is_true(waiting > 50)
    has(out, ("  outside      %d agents waited for room at their sources still"):format(waiting))
    has(command.read(scratch .. "/out/summary.json"), ('"outside": %d,'):format(waiting))
    local told = ("%d people, who waited for room at their sources"):format(waiting)
    has(command.read(scratch .. "/out/report.html"), told)
    assert.equal(0, (throng "report out -o again.html"))
    has(command.read(scratch .. "/again.html"), told)
  end)
end)

describe("a report that cannot be", function()
  it("is an error before the run, where its file cannot be written", function()
    command.write(scratch .. "/room.lua", ROOM)
    shell(("mkdir -p '%s/out/report.html'"):format(scratch))
    local code, _, err = throng "run room.lua --out out --report"
    assert.equal(2, code)
    has(err, "cannot write 'out/report.html': it is a folder")
    code, _, err = throng "run room.lua --out none --report"
    assert.equal(2, code)
    has(err, "--report shows what was recorded, and this run records nothing: run it without --out none, and without "
      .. "record = false in throng.world")
    code, _, err = throng "run room.lua --watch --report"
    assert.equal(2, code)
    has(err, "--watch runs again and again")
  end)

  it("takes nothing for a run that was killed from the summary of another one", function()
    report()
    command.write(scratch .. "/killed.lua", (ROOM:gsub("every = 0.5", "every = 0.1"):gsub("return world",
      "world:at(15, function() os.execute 'kill -KILL $PPID' end)\n%0")))
    shell(("cd '%s' && %s run --trust --seed 9 --out out killed.lua"):format(scratch, command.THRONG))
    local code, _, err = throng "report out/trajectory.sqlite.part -o page.html"
    assert.equal(0, code, err)
    local page = command.read(scratch .. "/page.html")
    has(page, "18 people, 9.9 s")
    assert.is_nil(page:find("throng run room.lua", 1, true))
    assert.is_nil(page:find("--seed 5", 1, true))
  end)

  it("leaves nothing on a full disk", function()
    needs.mounts(pending)
    report()
    local disk = scratch .. "/disk"
    local code, out, err = shell(("mkdir %s && unshare -rm sh -c 'mount -t tmpfs -o size=48k none %s && cd %s && "
      .. "%s report out -o %s/page.html; ls -A %s'"):format(disk, disk, scratch, command.THRONG, disk, disk))
    assert.equal(0, code, err)
    has(err, "cannot write", "page.html", "the disk is full")
    assert.equal("", out)
  end)

  it("says what is wrong with a recording, and writes nothing", function()
    report "--set format=compact"
    local bytes = command.read(scratch .. "/out/trajectory.throng")
    local x = bytes:find("FRAM", 1, true) + 16 + 18 * 4 -- of the first agent
    command.write(scratch .. "/nan.throng", bytes:sub(1, x - 1) .. string.pack("<f", 0 / 0) .. bytes:sub(x + 4))
    for _, case in ipairs {
      { "nan.throng", "'nan.throng' is damaged" }, { "room.lua", "is not a recording" }, { "nowhere", "nowhere" },
      { "", "which recording?" },
    } do
      local code, _, err = throng(("report %s -o page.html"):format(case[1]))
      assert.equal(2, code)
      has(err, case[2])
      assert.is_nil(io.open(scratch .. "/page.html"))
      assert.is_nil(io.open(scratch .. "/page.html.part"))
    end
  end)
end)

-- What pages are once their scripts have run, each { page, script, at }, where `script` is one more of them: in frames
-- that tell it, as to start a browser takes longer than to look at a page.
local function opened(...)
  local views, frames, told = { ... }, {}, {}
  for k, view in ipairs(views) do
    command.write(("%s/view%d.html"):format(scratch, k), ("%s<script>%s</script><script>setTimeout(() => "
      .. "parent.postMessage(document.documentElement.outerHTML, '*'), 3000);</script>"):format(view[1], view[2] or ""))
    frames[k] = ('<iframe src="view%d.html%s"></iframe>'):format(k, view[3] or "")
  end
  command.write(scratch .. "/views.html", ([[
    <style>iframe { position: fixed; inset: 0; width: 100vw; height: 100vh; }</style>%s<script>
    onmessage = ({ source, data }) => {
      const told = document.createElement("pre");
      told.id = Array.from(window.frames).indexOf(source) + 1;
      told.append(data);
      document.body.append(told);
    };
    </script>]]):format(table.concat(frames)))
  local code, out, err = shell(("HOME='%s' %s --virtual-time-budget=4000 --dump-dom 'file://%s/views.html'"):format(
    scratch, needs.BROWSER, scratch))
  assert.equal(0, code, err)
  for id, text in out:gmatch '<pre id="(%d+)">(.-)</pre>' do
    told[tonumber(id)] = text:gsub("&(%l+);", { lt = "<", gt = ">", amp = "&", nbsp = "\u{a0}" })
  end
  for k = 1, #views do assert(told[k], "a frame did not tell what it shows") end
  return table.unpack(told)
end

describe("a report in a browser", function()
  it("shows who is there at the time of the slider", function()
    needs.browser(pending)
    local page, data = report()
    local frames = frames_of(data)
    local function there(time)
      local count = 0
      for _ in pairs(frames[math.floor(time * 2) + 1]) do count = count + 1 end
      return count
    end
    local first, later, moved = opened({ page }, { page, "document.title = location.hash;", "#t=6.5" }, { page, [[
      const slider = document.getElementById("time");
      slider.value = 18;
      slider.dispatchEvent(new Event("input"));
    ]] })
    has(first, '<output id="clock" for="time">0.0 s</output>', "17 people are there.")
    has(later, ">6.5 s</output>", "<title>#t=6.5</title>", there(6.5) .. " people are there.")
    has(moved, ">18.0 s</output>", there(18) .. " people are there.")
    assert.is_true(there(18) < 18)
  end)

  it("plays, and tells of whom one clicks", function()
    needs.browser(pending)
    local page, data = report()
    local id, at = next(frames_of(data)[3])
    local played, clicked, moved = opened({ page, [[
      // a clock of its own: twenty pictures, a twentieth of a second apart, at five times the speed
      let pictures = 0;
      window.requestAnimationFrame = next => { if (pictures++ < 20) next(ticked + 50); };
      document.getElementById("play").click();
    ]] }, { page, ([[
      const { canvas } = replays[0], box = canvas.getBoundingClientRect(), here = replays[0].zoomed();
      canvas.setPointerCapture = () => {};
      for (const type of ["pointerdown", "pointerup"])
        canvas.dispatchEvent(new PointerEvent(type, { bubbles: true, pointerId: 1,
          clientX: box.left + here.x + here.scale * %.4f, clientY: box.top + here.y - here.scale * %.4f }));
    ]]):format(at[1], at[2]), "#t=1" }, { page, [[ // the slider stops what plays, and the button says so
      window.requestAnimationFrame = () => {};
      document.getElementById("play").click();
      document.getElementById("time").dispatchEvent(new Event("input"));
    ]] })
    has(played, ">5.0 s</output>", 'aria-label="Pause"')
    has(clicked, ("#%d, "):format(id), " m/s. 17 people are there.")
    has(moved, 'aria-label="Play"')
  end)

  it("picks people by the keys", function()
    needs.browser(pending)
    local page, data = report()
    local ids = {}
    for id in pairs(frames_of(data)[3]) do ids[#ids + 1] = id end
    table.sort(ids)
    local picked = opened { page, [[
      const told = [];
      for (const key of ["ArrowDown", "ArrowDown", "ArrowUp", "ArrowUp"]) {
        replays[0].canvas.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
        told.push(document.querySelector(".status").textContent.match(/^#[0-9]+/)[0]);
      }
      document.title = told.join();
    ]], "#t=1" }
    has(picked, ("<title>#%d,#%d,#%d,#%d</title>"):format(ids[1], ids[2], ids[1], ids[#ids]))
  end)

  it("tells the state that somebody is in, then", function()
    needs.browser(pending)
    command.write(scratch .. "/states.lua", [[
      local throng = require "throng"
      local world = throng.world {
        map = throng.map { boundary = throng.box(0, 0, 10, 6) }, seconds = 12, threads = 1, record = { every = 0.5 },
        until_done = false,
      }
      world:spawn { name = "guard", at = { { 2, 3 } }, planner = "none" }:run(throng.fsm {
        start = "<rests>", ["<rests>"] = { goal = throng.wait(), after = 4, timeout = "looks" },
        looks = { goal = throng.wait() },
      })
      world:spawn { name = "visitor", at = { { 8, 3 } }, planner = "none" }
      return world
    ]])
    assert.equal(0, (throng "run states.lua --out out --report"))
    local page = command.read(scratch .. "/out/report.html")
    local click = [[
      const { canvas } = replays[0], box = canvas.getBoundingClientRect(), here = replays[0].zoomed();
      canvas.setPointerCapture = () => {};
      for (const type of ["pointerdown", "pointerup"])
        canvas.dispatchEvent(new PointerEvent(type, { bubbles: true, pointerId: 1,
          clientX: box.left + here.x + here.scale * %d, clientY: box.top + here.y - here.scale * 3 }));
    ]]
    local rests, looks, visitor = opened({ page, click:format(2), "#t=3" }, { page, click:format(2), "#t=8" },
      { page, click:format(8), "#t=8" })
    has(rests, "#0, guard, in the state &lt;rests&gt;, at (2.00, 3.00) m")
    has(looks, "#0, guard, in the state looks, at (2.00, 3.00) m")
    has(visitor, "#1, visitor, at (8.00, 3.00) m")
  end)

  it("lets no density glow through a wall", function()
    needs.browser(pending)
    command.write(scratch .. "/rooms.lua", [[
      local throng = require "throng"
      local world = throng.world {
        map = throng.map { boundary = throng.box(0, 0, 10, 10), walls = { throng.box(4.93, 0, 5.13, 10) } },
        seconds = 2, until_done = false, threads = 1, people = false,
      }
      world:spawn { at = { { 4.6, 3 }, { 4.65, 5 }, { 4.6, 7.3 } }, planner = "none" }
      return world
    ]])
    assert.equal(0, (throng "run rooms.lua --out out --report"))
    local page = opened { command.read(scratch .. "/out/report.html"), [[
      const most = {};
      for (const name of ["mean", "peak", "last"]) {
        const at = valuesOf(name);
        let left = 0, right = 0;
        for (let y = 0.05; y < 10; y += 0.1)
          for (let x = 0.05; x < 10; x += 0.1)
            if (x < 4.93) left = Math.max(left, at(x, y) || 0);
            else if (x > 5.13) right = Math.max(right, at(x, y) || 0);
        most[name] = (left > 0.2 * data.grid[name].top) + ":" + right;
      }
      document.title = JSON.stringify(most);
    ]] }
    local none = '{"mean":"true:0","peak":"true:0","last":"true:0"}'
    assert.truthy(page:find(none, 1, true), page:match "<title>.-</title>")
  end)

  it("maps by when places were empty, with a table of rooms", function()
    needs.browser(pending)
    command.write(scratch .. "/empties.lua", [[
      local throng = require "throng"
      local world = throng.world {
        map = throng.map { boundary = throng.box(0, 0, 40, 4) }, people = false, threads = 1, seconds = 20,
        regions = { west = throng.box(0, 0, 10, 4), middle = throng.box(10, 0, 20, 4), far = throng.box(30, 0, 40, 4) },
        until_done = false, record = { every = 0.1 },
      }
      local walker = world:spawn { at = { { 1.25, 1.25 } }, speed = 2, planner = "none", relaxation = 0 }
      walker.desired = function(t) return throng.select(t < 13.95, 2, 0), 0 end -- to 29.25 m, and stands there
      world:spawn { at = { { 5.25, 3.25 } }, planner = "none" }
      return world
    ]])
    assert.equal(0, (throng "run empties.lua --out out --report"))
    local page = command.read(scratch .. "/out/report.html")
    local function row(name) return page:match('<tr><th scope="row">' .. name .. "</th>(<td>.-)</tr>") end
    assert.equal("<td>2</td><td>1 still there</td>", row "west")
    assert.equal("<td>0</td><td>–</td>", row "far")
    local most, last = row("middle"):match "^<td>(%d)</td><td><a href=\"#t=([%d.]+)\">"
    assert.equal("1", most)
    assert.near((20 - 1.25) / 2, tonumber(last), 0.21)
    has(page, '<tr><th scope="row">never</th>')
    local shown = opened { page, [[
      const at = valuesOf("last"), still = [at(5.25, 3.25), at(29.25, 1.25)].map(time => time === Infinity);
      document.title = JSON.stringify([...[1.25, 11.25, 21.25].map(x => at(x, 1.25)), ...still, isNaN(at(35, 1))]);
    ]] }
    local times = json.decode(shown:match "<title>(.-)</title>")
    for k, x in ipairs { 1.25, 11.25, 21.25 } do assert.near((x - 1.25) / 2, times[k], 0.5) end
    assert.same({ true, true, true }, { table.unpack(times, 4) })
    has(shown, "0–5 s", "not empty at the end")
  end)

  it("is harmless and whole with names that are none, and with nobody", function()
    needs.browser(pending)
    local evil = "</script><img src=x onerror=document.title=1>"
    command.write(scratch .. "/room.lua", (ROOM:gsub('name = "guests"', "name = [==[" .. evil .. "]==]")))
    assert.equal(0, (throng "run room.lua --out out --report"))
    command.write(scratch .. "/empty.lua", EMPTY)
    assert.equal(1, (throng "run empty.lua --out empty --report"))
    local page, empty = opened({ command.read(scratch .. "/out/report.html") },
      { command.read(scratch .. "/empty/report.html") })
    has(page, "&lt;/script&gt;&lt;img src=x onerror=document.title=1&gt; (12)", "<title>room – throng</title>")
    assert.is_nil(page:find("<img", 1, true))
    has(empty, "0 people are there.")
  end)

  it("has the smoke that there was, and draws it under the people", function()
    command.write(scratch .. "/smoke.lua", [[
      local throng = require "throng"
      local params = throng.params { format = "sqlite" }
      local world = throng.world {
        map = throng.map { boundary = throng.box(0, 0, 20, 4) }, seconds = 4, threads = 1, until_done = false,
        record = { every = 0.5, format = params.format },
      }
      world:spawn { at = { { 1, 1 } }, planner = "none" }
      world:smoke { extinction = function(x, y, t) return 0.05 * x * t + 0 * y end, every = 1 }
      return world
    ]])
    local views = {}
    for k, format in ipairs { "sqlite", "compact" } do
      assert.equal(0, (throng("run smoke.lua --out out --set format=" .. format)))
      assert.equal(0, (throng "report out -o page.html"))
      local page = command.read(scratch .. "/page.html")
      local smoke = data_of(page).smoke
      assert.equal(5, #smoke) -- 0 to 4 s
      for _, moment in ipairs(smoke) do
        local taken = base64(moment.taken .. ("="):rep(-#moment.taken % 4))
        assert.equal(moment.columns * moment.rows, #taken)
        for point = 1, #taken do
          local x = moment.x0 + (point - 1) % moment.columns * moment.cell
          local part = 1 - math.exp(-0.05 * math.max(x, 0) * moment.time)
          assert.near(255 * part, taken:byte(point), 0.51, ("x %g, %g s"):format(x, moment.time))
        end
      end
      views[k] = { page, [[
        const { canvas, zoomed } = replays[0], v = zoomed();
        const light = (x, y) => canvas.getContext("2d").getImageData((v.x + x * v.scale) * v.dpr,
          (v.y - y * v.scale) * v.dpr, 1, 1).data[0];
        document.title = JSON.stringify([4, 10, 18].map(x => light(x, 3)));
      ]], "#t=4" }
    end
    needs.browser(pending)
    for _, shown in ipairs { opened(table.unpack(views)) } do
      local light = json.decode(shown:match "<title>(.-)</title>")
      for k, x in ipairs { 4, 10, 18 } do
        local part = 0.75 * (1 - math.exp(-0.05 * x * 4))
        assert.near(255 * (1 - part) + 0x2b * part, light[k], 6)
      end
      has(shown, "smoke</span>")
    end
  end)

  it("replays two runs side by side, by one slider", function()
    needs.browser(pending)
    run_hall("a", "--set staying=0 --set leaving=3")
    run_hall("b", "--set staying=5")
    local page = compare("a", "b")
    local both = data_of(page)
    local last = both.runs[1].seconds -- of the shorter one
    assert.is_true(last < both.runs[2].seconds)
    local frames = {}
    for k, run in ipairs(both.runs) do frames[k] = frames_of(run) end
    local function there(k, time)
      local run, count = both.runs[k], 0
      for _ in pairs(frames[k][math.min(#frames[k], math.floor(time / run.places.every + 1e-6) + 1)]) do
        count = count + 1
      end
      return count
    end
    local function said(shown)
      local texts = {}
      for text in shown:gmatch '<p class="note status"[^>]*>(.-)</p>' do texts[#texts + 1] = text end
      return texts
    end
    local id, at = next(frames[2][math.floor(1 / both.runs[2].places.every) + 1])
    local first, clicked, later = opened({ page }, { page, ([[
      const { canvas } = replays[1], box = canvas.getBoundingClientRect(), here = replays[1].zoomed();
      canvas.setPointerCapture = () => {};
      for (const type of ["pointerdown", "pointerup"])
        canvas.dispatchEvent(new PointerEvent(type, { bubbles: true, pointerId: 1,
          clientX: box.left + here.x + here.scale * %.4f, clientY: box.top + here.y - here.scale * %.4f }));
    ]]):format(at[1], at[2]), "#t=1" }, { page, nil, ("#t=%.1f"):format(last + 1) })
    assert.same({ "3 people are there.", "5 people are there." }, said(first))
    clicked, later = said(clicked), said(later)
    assert.equal(there(1, 1) .. " people are there.", clicked[1])
    has(clicked[2], ("#%d, "):format(id), there(2, 1) .. " people are there.")
    has(later[1], ("The run ended at %.1f s."):format(last))
    assert.is_nil(later[2]:find("ended", 1, true))
    has(later[2], there(2, last + 1) .. " people are there.")
  end)

  it("maps by how much two runs differ: what the reports of each say, one less the other", function()
    needs.browser(pending)
    run_hall("a", "--seconds 4 --set x=4.25")
    run_hall("b", "--seconds 4 --set x=14.25 --set staying=6")
    local function values(page, names)
      return { page, ([[
        const values = [];
        for (const name of %s)
          for (const x of [4.25, 9.25, 14.25]) values.push(valuesOf(name)(x, 4.25));
        document.title = JSON.stringify(values);
      ]]):format(json.encode(names)) }
    end
    local function single(folder)
      assert.equal(0, (throng(("report %s -o %s.html"):format(folder, folder))))
      return values(command.read(("%s/%s.html"):format(scratch, folder)), { "mean", "peak" })
    end
    local both = compare("a", "b")
    local shown = { opened(single "a", single "b", values(both, { "mean_difference", "peak_difference" }), { both, [[
      // What is painted: blue where B has fewer, red where it has more, none between.
      const one = document.querySelector('[data-map="mean_difference"]'), v = one.view;
      document.title = [4.25, 9.25, 14.25].map(x => {
        const px = (v.x + x * v.scale) * v.dpr, py = (v.y - 4.25 * v.scale) * v.dpr;
        const [r, g, b] = one.getContext("2d").getImageData(px, py, 1, 1).data;
        return r > b + 40 ? "red" : b > r + 40 ? "blue" : "none";
      }).join();
    ]] }) }
    local function said(k) return json.decode(shown[k]:match "<title>(.-)</title>") end
    local first, second, less = said(1), said(2), said(3)
    for k = 1, 6 do assert.near(second[k] - first[k], less[k], 0.03) end
    assert.is_true(less[1] < -0.3 and math.abs(less[2]) < 0.01 and less[3] > 0.3)
    has(shown[3], "−", "/m²", "Where it differs most")
    has(shown[4], "<title>blue,none,red</title>")
  end)
end)
