-- throng convert into files of other tools: what is in them is what was recorded.
local command = dofile "tests/specs/command.lua"
local needs = dofile "tests/specs/needs.lua"
local base64 = dofile "tests/specs/base64.lua"
local json = require "dkjson"

local scratch -- a folder for all: what was recorded is not changed

-- Two groups, one of which has left before the end, one who comes later, and a column of the script's own.
local ROOM = [[
local throng = require "throng"
local world = throng.world {
  map = throng.map { boundary = throng.box(-10, -6, 20, 6), walls = { throng.box(2, -1, 3, 1) } },
  regions = { exit = throng.box(17, -6, 20, 6), hall = throng.box(-10, -6, -2, 6) },
  seed = 5, threads = 1, seconds = 20, record = { every = 0.5 },
}
world:column "joy"
local function add(name, count, speed, colour)
  local group = world:spawn { name = name, count = count, where = "hall", speed = speed, colour = colour }
  group:go_to "exit"
  group.joy = function(_, a) return a.id + 0.5 end
  group:on("arrived", function(arrived) arrived:remove() end)
end
add("guests, \"old\"", 12, 1.3, "#ff0000")
add("staff", 5, 0.8)
world:at(3, function() add("late", 1, 1.3) end)
world:measure { density = "hall", name = "in <the> hall" }
return world
]]

local HOUSE = [[
local throng = require "throng"
local hall = throng.box(0, 0, 30, 12)
local world = throng.world { seconds = 30, threads = 1, record = { every = 0.5 }, map = throng.building {
  floors = {
    ground = { z = 0, boundary = hall, regions = { exit = throng.box(0, 5, 1, 7) } },
    first = { z = 3.5, boundary = hall, regions = { office = throng.box(15, 1, 20, 11) } },
  },
  stairs = { { from = "ground", to = "first", foot = { 22, 10 }, head = { 28, 10 }, width = 1.6 } },
} }
world:spawn { count = 20, where = "first/office" }:go_to "exit"
return world
]]

setup(function()
  scratch = io.popen("mktemp -d"):read "l"
  for name, script in pairs { room = ROOM, house = HOUSE } do
    command.write(("%s/%s.lua"):format(scratch, name), script)
    local code, _, err = command.throng(("run %s.lua --out %s"):format(name, name), scratch)
    assert(code == 0, err)
  end
end)

teardown(function() os.execute("rm -rf '" .. scratch .. "'") end)

-- Converts, and says what was printed.
local function convert(from, to, options)
  local code, out, err = command.throng(("convert %s %s %s"):format(from, to, options or ""), scratch)
  if code ~= 0 then error(("code %d:\n%s%s"):format(code, out, err), 2) end
  return out
end

local done = command.done

local function read(name) return command.read(scratch .. "/" .. name) end

-- What SQLite has, a line a row.
local function query(sql)
  local code, out, err = command.shell(("python3 -c \"import sqlite3;[print(*r) for r in sqlite3.connect("
    .. "'%s/room/trajectory.sqlite').execute('%s')]\""):format(scratch, sql))
  assert.equal(0, code, err)
  return out
end

local function fields_of(line)
  local fields = {}
  for quoted, plain in (line .. ","):gmatch '"?([^,"]*)"?([^,"]*),' do fields[#fields + 1] = quoted .. plain end
  return fields
end

-- The rows of a CSV file by the names of its columns, and the names; no text in it has a comma.
local function table_of(name)
  local rows, names = {}, nil
  for line in (read(name):gsub('"guests, ""old"""', "guests")):gmatch "[^\n]+" do
    local fields, row = fields_of(line), {}
    if names then
      for i, key in ipairs(names) do row[key] = tonumber(fields[i]) or fields[i] end
      rows[#rows + 1] = row
    else
      names = fields
    end
  end
  return rows, table.concat(names, " ")
end

-- ---- arrays

local FORMS = { Int32 = "<i4", Int64 = "<i8", Float32 = "<f", Float64 = "<d" }

local function unpack_all(form, bytes, at, count)
  local values = {}
  for i = 1, count do
    values[i], at = string.unpack(form, bytes, at)
  end
  return values
end

-- An array of a VTK file.
local function array(text, name)
  local kind, data = text:match('<DataArray type="(%w+)" Name="' .. name .. '"[^>]*format="binary">([^<]*)<')
  local bytes = base64(assert(data, name))
  local size = string.unpack("<I8", bytes)
  assert.equal(#bytes - 8, size)
  return unpack_all(FORMS[kind], bytes, 9, size // string.packsize(FORMS[kind]))
end

describe("convert to .csv", function()
  it("has a row a person and frame, with what was recorded and known", function()
    assert.equal("a.csv: 41 frames from room\n", convert("room", "a.csv"))
    local rows, names = table_of "a.csv"
    assert.equal("time frame id group x y hx hy speed radius joy", names)
    local lines = {}
    for line in query("select frame, id, pos_x, pos_y, joy from trajectory_data order by frame, id"):gmatch "[^\n]+" do
      lines[#lines + 1] = line
    end
    assert.equal(#lines, #rows)
    local before, groups = {}, {}
    for i, row in ipairs(rows) do
      local frame, id, x, y, joy = lines[i]:match "(%S+) (%S+) (%S+) (%S+) (%S+)"
      assert.same({ tonumber(frame), tonumber(id), tonumber(joy) }, { row.frame, row.id, row.joy })
      assert.near(tonumber(x), row.x, 1e-6)
      assert.near(tonumber(y), row.y, 1e-6)
      assert.equal(row.frame / 2, row.time)
      local was = before[row.id]
      if was then
        assert.near(math.sqrt((row.x - was.x) ^ 2 + (row.y - was.y) ^ 2) * 2, row.speed, 1e-5)
      else
        assert.equal("", row.speed)
      end
      before[row.id] = row
      groups[row.group] = true
      assert.is_true(row.radius > 0.1 and row.radius < 0.4)
    end
    assert.same({ guests = true, staff = true, late = true }, groups)
  end)

  it("reads again what it wrote, with headings, groups and sizes", function()
    local own = "time,frame,id,group,x,y,hx,hy,speed,radius\n"
    convert("room", "a.csv")
    convert("a.csv", "b.sqlite")
    convert("b.sqlite", "c.csv")
    local first = read("a.csv"):gsub("(,[^,\n]*)\n", "\n") -- without the column of the script's own
    assert.equal(own, first:match "[^\n]*\n")
    assert.equal(first, read "c.csv")
    local turning = own .. "0,0,4,old,0,0,0,1,,0.25\n0,0,7,,5,0,1,0,,\n0.5,1,4,new,0,1,0,-1,2,0.25\n"
      .. "0.5,1,7,,5,0,1,0,0,\n1,2,4,old,0,1,0,-1,0,0.25\n"
    command.write(scratch .. "/turning.csv", turning)
    convert("turning.csv", "b.throng")
    convert("b.throng", "c.csv")
    assert.equal(turning, read "c.csv")
    assert.equal(0, (command.throng("report b.throng -o b.html", scratch)))
    command.write(scratch .. "/foreign.csv", "time,frame,id,x,y,hx,hy,radius,group\n" -- of another meaning
      .. "0,0,1,0,0,east,,-3,2\n1,1,1,0,1,9,9,wide,2\n")
    convert("foreign.csv", "c.csv")
    assert.equal(own .. "0,0,1,,0,0,0,1,,\n1,1,1,,0,1,0,1,1,\n", read "c.csv")
  end)

  it("takes a part of the time, and fewer frames", function()
    assert.equal("b.csv: 3 frames from room/trajectory.sqlite\n",
      convert("room/trajectory.sqlite", "b.csv", "--from 2 --to 6.9 --every 2"))
    local times, speeds = {}, 0
    for _, row in ipairs((table_of "b.csv")) do
      times[row.time] = true
      speeds = speeds + (row.speed ~= "" and row.speed or 0)
    end
    assert.same({ [2] = true, [4] = true, [6] = true }, times)
    assert.is_true(speeds > 1) -- by the frame before, also where that one is left out
  end)

  it("has positions of the plan, heights and floors of a building", function()
    convert("house", "c.csv")
    local rows, names = table_of "c.csv"
    assert.equal("time frame id group x y z floor hx hy speed radius", names)
    local floors = {}
    for _, row in ipairs(rows) do
      floors[row.floor] = true
      assert.is_true(row.x > 0 and row.x < 30 and row.y > 0 and row.y < 12, row.x .. " " .. row.y)
      assert.is_true(row.floor ~= "ground" or row.z == 0)
      assert.is_true(row.floor ~= "first" or row.z == 3.5)
      assert.is_true(not row.floor:find "stairs" or row.z > 0 and row.z < 3.5)
      assert.is_true(row.speed == "" or row.speed < 3, row.speed) -- nobody jumps from floor to floor
    end
    assert.same({ ground = true, first = true, ["stairs 1"] = true }, floors)
  end)
end)

describe("convert to .geojson", function()
  local function features(name)
    local document = assert(json.decode(read(name)))
    assert.equal("FeatureCollection", document.type)
    local by_kind = {}
    for _, feature in ipairs(document.features) do
      local list = by_kind[feature.properties.kind] or {}
      by_kind[feature.properties.kind] = list
      list[#list + 1] = feature
    end
    return by_kind
  end

  it("has the plan, its regions and everybody", function()
    convert("room", "a.csv")
    convert("room", "a.geojson")
    local rows, got = table_of "a.csv", features "a.geojson"
    assert.equal(#rows, #got.person)
    for i, row in ipairs(rows) do
      local person, heading = got.person[i], math.deg(math.atan(row.hx, row.hy)) % 360
      assert.same({ row.x, row.y }, person.geometry.coordinates)
      assert.equal(row.time, person.properties.time)
      assert.equal(row.id, person.properties.id)
      assert.equal(row.joy, person.properties.joy)
      assert.near(heading, person.properties.heading, 1e-3)
    end
    assert.equal(1, #got.plan)
    assert.equal(2, #got.plan[1].geometry.coordinates) -- the wall is a hole
    assert.same({ "exit", "hall" }, { got.region[1].properties.name, got.region[2].properties.name })
  end)

  it("lies where it is on the Earth", function()
    convert("room", "metres.geojson", "--to 0")
    convert("room", "degrees.geojson", "--to 0 --place 13.5,45")
    local metres, degrees = features "metres.geojson", features "degrees.geojson"
    for i, person in ipairs(metres.person) do
      local x, y = table.unpack(person.geometry.coordinates)
      local longitude, latitude = table.unpack(degrees.person[i].geometry.coordinates)
      assert.near(x, (longitude - 13.5) * 78846.8, 1e-3) -- m a degree at 45 degrees north, on WGS 84
      assert.near(y, (latitude - 45) * 111131.8, 1e-3)
    end
  end)

  it("has floors over each other", function()
    convert("house", "house.geojson", "--to 0")
    local heights = {}
    for _, plan in ipairs(features("house.geojson").plan) do
      for _, point in ipairs(plan.geometry.coordinates[1]) do
        assert.is_true(point[1] >= 0 and point[1] <= 30 and point[2] >= 0 and point[2] <= 12)
        heights[plan.properties.floor] = math.max(heights[plan.properties.floor] or 0, point[3])
      end
    end
    assert.same({ ground = 0, first = 3.5, ["stairs 1"] = 3.5 }, heights)
  end)
end)

describe("convert to .pvd", function()
  it("has a file of points a frame, with all that is known, and the plan's lines", function()
    convert("room", "a.csv")
    assert.equal("a.pvd: 41 frames from room\n", convert("room", "a.pvd"))
    local rows, at, files, grids = table_of "a.csv", 0, 0, 0
    for time, part, file in read("a.pvd"):gmatch '<DataSet timestep="([^"]*)" part="(%d)" file="([^"]*)"/>' do
      local text = read(file)
      if part == "0" then
        files = files + 1
        local id, group, points = array(text, "id"), array(text, "group"), array(text, "Points")
        local heading, speed, joy = array(text, "heading"), array(text, "speed"), array(text, "joy")
        assert.equal(tonumber(time), array(text, "TimeValue")[1])
        assert.equal(tonumber(text:match 'NumberOfPoints="(%d+)"'), #id)
        assert.equal(#id, #array(text, "connectivity"))
        for i = 1, #id do
          at = at + 1
          local row = rows[at]
          assert.same({ row.time, row.id }, { tonumber(time), id[i] })
          assert.equal(({ guests = 0, staff = 1, late = 2 })[row.group], group[i])
          assert.near(row.x, points[3 * i - 2], 1e-5)
          assert.near(row.y, points[3 * i - 1], 1e-5)
          assert.equal(0, points[3 * i])
          assert.near(row.hx, heading[3 * i - 2], 1e-5)
          assert.equal(row.joy, joy[i])
          assert.is_true(row.speed == "" and speed[i] ~= speed[i] or math.abs(row.speed - speed[i]) < 1e-5)
        end
      elseif part == "2" then
        grids = grids + 1
      else
        assert.same({ 5, 10 }, array(text, "offsets")) -- the boundary and the wall, each with its first point again
      end
    end
    assert.equal(41, files)
    assert.equal(41, grids)
    assert.equal(#rows, at)
    -- texts are the codes of letters
    local names = read("a/people-000040.vtp"):match 'Name="groups"[^>]*>([%d ]*)<'
    assert.equal("guests, \"old\"\0staff\0late\0", (names:gsub("(%d+) ", function(c) return string.char(c) end)))
    local density = tonumber(query "select value from throng_measured where time = 10")
    assert.near(density, array(read "a/people-000020.vtp", "in &lt;the&gt; hall")[1], 1e-6)
    done(("python3 -c 'import sys, xml.etree.ElementTree as x; [x.parse(f) for f in sys.argv[1:]]' %s/a.pvd %s/a/*.vt?")
      :format(scratch, scratch))
  end)

  it("has one moment in a .vtp", function()
    assert.equal("b.vtp: 1 frame from room, one of its 41: write a .pvd for more\n",
      convert("room", "b.vtp", "--from 10"))
    convert("room", "c.pvd", "--from 10 --to 10")
    assert.equal(read "c/people-000000.vtp", read "b.vtp")
  end)

  -- A .vti file: how many people its density adds up to, the densest cell's middle and that density, and what
  -- is in the cells beyond x = 6.1.
  local function grid_of(name)
    local text = read(name)
    local columns, rows, x0, y0, cell = text:match
      'WholeExtent="0 (%d+) 0 (%d+) 0 0" Origin="(%S+) (%S+) 0" Spacing="(%S+) %S+ 1"'
    local density, sum, most, beyond = array(text, "density"), 0, 1, 0
    assert.equal(columns * rows, #density)
    for i, value in ipairs(density) do
      assert.is_true(value >= 0)
      sum, most = sum + value * cell * cell, value > density[most] and i or most
      if x0 + (i - 1) % columns * cell >= 6.1 then beyond = beyond + value end
    end
    local column, row = (most - 1) % columns, (most - 1) // columns
    return sum, x0 + (column + 0.5) * cell, y0 + (row + 0.5) * cell, density[most], beyond
  end

  it("has the density of everybody on a grid, which walls hold back", function()
    command.write(scratch .. "/open.lua", [[
      local throng = require "throng"
      local world = throng.world { record = { every = 1 }, seconds = 2 }
      world:spawn { at = { { 0, 0 }, { 0.4, 0 }, { 8, 3 } }, radius = 0.2 }:go_to { 0, 20 }
      return world]])
    assert.equal(0, (command.throng("run open.lua --out open", scratch)))
    assert.equal("o.vti: 1 frame from open, one of its 3: write a .pvd for more\n", convert("open", "o.vti"))
    local sum, x, y, density = grid_of "o.vti"
    assert.near(3, sum, 1e-4) -- nobody is lost, nor counted twice
    assert.is_true(math.abs(x - 0.2) < 0.6 and math.abs(y) < 0.6 and density > 0.8)
    convert("open", "o.pvd")
    assert.equal(read "o/density-000000.vti", read "o.vti")
    assert.near(3, (grid_of "o/density-000002.vti"), 0.2) -- they are at the edge of the recorded plan
    -- two close to a thin wall, behind which is nobody
    command.write(scratch .. "/wall.lua", [[
      local throng = require "throng"
      local world = throng.world { record = { every = 1 }, seconds = 1, people = false, map = throng.map {
        boundary = throng.box(0, 0, 12, 6), walls = { throng.box(5.9, 0, 6.1, 6) } } }
      world:spawn { at = { { 5.5, 3 }, { 5.5, 3.5 } }, radius = 0.2 }
      return world]])
    assert.equal(0, (command.throng("run wall.lua --out wall", scratch)))
    convert("wall", "w.vti")
    local people, wx, _, wd, beyond = grid_of "w.vti"
    assert.is_true(wx < 6 and wd > 0.8)
    assert.is_true(people > 2.05) -- cells at the wall have less than their square of floor
    assert.equal(0, beyond)
    local code, _, err = command.throng("convert house h.vti", scratch)
    assert.equal(2, code)
    assert.is_truthy(err:find("a building's floors lie over each other", 1, true))
    convert("house", "h.pvd")
    assert.is_nil(io.open(scratch .. "/h/density-000000.vti"))
    assert.is_nil(read("h.pvd"):find('part="2"', 1, true))
  end)
end)

describe("convert to .glb", function()
  -- The description and the binary part.
  local function scene(name)
    local text = read(name)
    local magic, version, size, length, kind = string.unpack("<c4I4I4I4c4", text)
    assert.same({ "glTF", 2, #text, "JSON" }, { magic, version, size, kind })
    local bytes, tag = string.unpack("<I4c4", text, 21 + length)
    assert.same({ #text - 28 - length, "BIN\0" }, { bytes, tag })
    return assert(json.decode(text:sub(21, 20 + length))), text:sub(29 + length)
  end

  local COMPONENTS = { SCALAR = 1, VEC3 = 3, VEC4 = 4 }

  -- The values of an accessor, which lie in its view, and that in the buffer.
  local function values(g, bytes, number)
    local accessor = g.accessors[number + 1]
    local view = g.bufferViews[accessor.bufferView + 1]
    local form = ({ [5126] = "<f", [5123] = "<I2" })[accessor.componentType]
    local count = accessor.count * COMPONENTS[accessor.type]
    assert.equal(0, (view.byteOffset + accessor.byteOffset) % string.packsize(form))
    assert.is_true(accessor.byteOffset + count * string.packsize(form) <= view.byteLength)
    assert.is_true(view.byteOffset + view.byteLength <= g.buffers[1].byteLength)
    local list = unpack_all(form, bytes, 1 + view.byteOffset + accessor.byteOffset, count)
    if accessor.min then
      for c = 1, #accessor.min do
        local low, high = math.huge, -math.huge
        for i = c, #list, #accessor.min do low, high = math.min(low, list[i]), math.max(high, list[i]) end
        assert.near(low, accessor.min[c], 1e-6)
        assert.near(high, accessor.max[c], 1e-6)
      end
    end
    return list
  end

  -- What an animation does to each node: keys and values by path.
  local function moves(g, bytes)
    local nodes, animation = {}, g.animations[1]
    for _, channel in ipairs(animation.channels) do
      local sampler = animation.samplers[channel.sampler + 1]
      local node = nodes[channel.target.node + 1] or {}
      nodes[channel.target.node + 1] = node
      local times = values(g, bytes, sampler.input)
      for i = 2, #times do assert.is_true(times[i] > times[i - 1]) end
      node[channel.target.path] = { times = times, values = values(g, bytes, sampler.output) }
    end
    return nodes
  end

  it("moves a figure a person as the recording says", function()
    convert("room", "a.csv", "--from 1")
    convert("room", "a.glb", "--from 1")
    local g, bytes = scene "a.glb"
    assert.equal("2.0", g.asset.version)
    local nodes, by_id = moves(g, bytes), {}
    for i = 1, #nodes do by_id[tonumber(g.nodes[i].name:match "%d+$")] = nodes[i] end
    local keys, firsts, lasts = {}, {}, {}
    for _, row in ipairs((table_of "a.csv")) do
      local move, turn = by_id[row.id].translation, by_id[row.id].rotation
      local k = (keys[row.id] or 0) + 1
      keys[row.id] = k
      firsts[row.id], lasts[row.id] = firsts[row.id] or row.time, row.time
      assert.near(row.time - 1, move.times[k], 1e-5)
      assert.near(row.x, move.values[3 * k - 2], 1e-5)
      assert.equal(0, move.values[3 * k - 1])
      assert.near(-row.y, move.values[3 * k], 1e-5)
      -- what the quaternion makes of +z
      local qx, qy, qz, qw = table.unpack(turn.values, 4 * k - 3, 4 * k)
      assert.near(1, qx ^ 2 + qy ^ 2 + qz ^ 2 + qw ^ 2, 1e-5)
      assert.near(row.hx, 2 * (qx * qz + qw * qy), 1e-5)
      assert.near(-row.hy, 1 - 2 * (qx ^ 2 + qy ^ 2), 1e-5)
    end
    local hidden = 0
    for id, node in pairs(by_id) do
      assert.equal(keys[id], #node.translation.times)
      local sizes, k = node.scale, 1
      if firsts[id] > 1 then
        assert.same({ 0, 0 }, { sizes.times[1], sizes.values[2] })
        k = 2
      end
      assert.near(firsts[id] - 1, sizes.times[k], 1e-5)
      assert.equal(1, sizes.values[3 * k - 1])
      if lasts[id] < 20 then
        assert.near(lasts[id] - 0.5, sizes.times[k + 1], 1e-5)
        assert.equal(0, sizes.values[3 * k + 2])
        hidden = hidden + 1
      end
    end
    assert.is_true(hidden > 5)
    local red = g.materials[g.meshes[g.nodes[1].mesh + 1].primitives[1].material + 1]
    assert.same({ 1, 0, 0, 1 }, red.pbrMetallicRoughness.baseColorFactor)
    assert.equal('guests, "old"', red.name)
  end)

  it("is what the specification of glTF asks", function()
    local check = dofile "tests/specs/gltf.lua"
    command.write(scratch .. "/open.lua", [[
      local throng = require "throng"
      local world = throng.world { record = { every = 1 }, seconds = 3 }
      world:spawn { count = 3, where = throng.box(0, 0, 4, 4), body = throng.stadium() }:go_to { 20, 2 }
      return world]])
    assert.equal(0, (command.throng("run open.lua --out open", scratch)))
    for name, options in pairs { room = "", house = "--every 2", open = "", ["room "] = "--from 3 --to 3" } do
      convert(name:gsub(" ", ""), "c.glb", options)
      assert.same({}, check(read "c.glb"))
    end
    -- and it sees what is not
    convert("room", "c.glb")
    local text = read "c.glb"
    local function problem(from, to)
      local at, last = assert(text:find(from, 21, true))
      assert.equal(#from, #to)
      return table.concat(check(text:sub(1, at - 1) .. to .. text:sub(last + 1)), "\n")
    end
    for _, case in ipairs {
      { '"version": "2.0"', '"version": "2.1"', "asset.version" },
      { '"mesh": 0', '"mesh": 9', "mesh: 9 is no index of meshes" },
      { '"componentType": 5126', '"componentType": 5123', "" },
      { '"POSITION": 0', '"POSITION": 1', "with bounds" },
      { '"roughnessFactor": 0.8', '"roughnessFactor": 1.8', "a factor is 1.8" },
      { '"byteOffset": 0', '"byteOffset": 2', "" },
      { '"path": "rotation"', '"path": "Rotation"', "sampler or path" },
      { '"nodes": [0,1', '"nodes": [0,0', "twice one" },
      { '"target": 34963', '"target": 34962', "indices lie with attributes" },
      { '"min": [0]', '"min": [1]', "min is 1, not 0" },
      { '"buffer": 0', '"buffer": 1', "is not in the buffer" },
      { '"count":', '"cOunt":', "has no form" },
    } do
      local found = problem(case[1], case[2])
      assert(found ~= "" and found:find(case[3], 1, true), ("%s: %s"):format(case[2], found))
    end
    assert.is_truthy(table.concat(check(text .. "\0"), "\n"):find("bytes of", 1, true))
  end)

  it("has a figure whose triangles look outwards, and the plan's floor", function()
    convert("house", "b.glb")
    local g, bytes = scene "b.glb"
    local figure = g.meshes[1].primitives[1]
    local points, normals = values(g, bytes, figure.attributes.POSITION), values(g, bytes, figure.attributes.NORMAL)
    local volume = 0
    local list = values(g, bytes, figure.indices)
    local function corner(from, i) return from[3 * i + 1], from[3 * i + 2], from[3 * i + 3] end
    for i = 1, #list, 3 do
      local ax, ay, az = corner(points, list[i])
      local bx, by, bz = corner(points, list[i + 1])
      local cx, cy, cz = corner(points, list[i + 2])
      volume = volume + (ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)) / 6
    end
    assert.is_true(volume > 0.05 and volume < 0.15, volume) -- m^3; inside out it is below 0
    for i = 0, #normals // 3 - 1 do
      local x, y, z = corner(normals, i)
      assert.near(1, x * x + y * y + z * z, 1e-5)
    end
    local area, high = 0, 0
    local plan = g.meshes[#g.meshes].primitives[1]
    local floor = values(g, bytes, plan.attributes.POSITION)
    for i = 0, #floor // 9 - 1 do
      local ax, ay, az = corner(floor, 3 * i)
      local bx, _, bz = corner(floor, 3 * i + 1)
      local cx, _, cz = corner(floor, 3 * i + 2)
      area = area + ((bz - az) * (cx - ax) - (bx - ax) * (cz - az)) / 2
      high = math.max(high, ay)
    end
    assert.near(2 * 30 * 12, area, 30) -- m^2; the flight lies in a hole of the upper floor
    assert.equal(3.5, high)
    local low, most = math.huge, 0
    for _, node in pairs(moves(g, bytes)) do
      for i = 2, #node.translation.values, 3 do
        low, most = math.min(low, node.translation.values[i]), math.max(most, node.translation.values[i])
      end
    end
    assert.same({ 0, 3.5 }, { low, most })
  end)
end)

describe("convert", function()
  local function refuses(arguments, ...)
    local code, out, err = command.throng("convert " .. arguments, scratch)
    assert.equal(2, code, out)
    for _, part in ipairs { ... } do
      if not err:find(part, 1, true) then error(("expected '%s' in:\n%s"):format(part, err), 2) end
    end
  end

  it("refuses what does not go together, and leaves files as they were", function()
    command.write(scratch .. "/old.csv", "old")
    refuses("room old.csv --from 100", "cannot write 'old.csv': the recording has no frame from 100 s to inf s; its "
      .. "last one is at 20 s")
    assert.equal("old", read "old.csv")
    refuses("room none.pvd --from 100", "cannot write 'none.pvd': the recording has no frame")
    assert.equal("", (select(2, command.shell(("ls -d %s/none*"):format(scratch)))))
    command.write(scratch .. "/taken", "taken")
    refuses("room taken.pvd", "cannot make the folder 'taken' for its moments: File exists")
    assert.equal("taken", read "taken")
    refuses("room none/a.glb", "none/a.glb", "its folder does not exist")
    refuses("room a.geojson --place 200,4", "--place '200,4': expected the longitude and latitude of (0, 0)")
    refuses("room a.csv --place 20,4", "--place is for .geojson")
    refuses("room a.csv --from 4 --to 3", "--from 4 is after --to 3")
    refuses("room a.csv --every 0", "--every")
    refuses("room a.throng --every 1", "--from, --to and --every are for .csv, .geojson, .pvd, .vtp, .vti or .glb")
    refuses("room a.obj", "cannot write 'a.obj': its name must end in .sqlite, .throng, .csv, .geojson, .pvd, .vtp, "
      .. ".vti or .glb")
    refuses("nobody a.csv", "nobody: cannot be read: No such file or directory")
  end)

  it("says where the end of a recording is missing", function()
    convert("room", "whole.throng")
    done(("cd '%s' && head -c 2000 whole.throng > half.throng"):format(scratch))
    for name, cut in pairs { whole = false, half = true } do
      local code, _, err = command.throng(("convert %s.throng %s.csv"):format(name, name), scratch)
      assert.equal(0, code, err)
      assert.equal(cut, err:find("warning: half.throng ends before it was whole", 1, true) ~= nil, err)
    end
  end)

  it("refuses recordings that make no sense, and writes no file that is none", function()
    local function damage(of, sql)
      done(("cd '%s' && rm -rf damaged && cp -r %s damaged"):format(scratch, of))
      done(("python3 -c \"import sqlite3; c = sqlite3.connect('%s/damaged/trajectory.sqlite'); c.execute(\\\"%s\\\"); "
        .. "c.commit()\""):format(scratch, sql))
    end
    damage("house", "update throng_floors set z = null where name = 'first'")
    for _, ending in ipairs { "csv", "geojson", "pvd", "glb" } do
      refuses("damaged bad." .. ending, "the recording is damaged: its table of floors has no z in row 1")
      assert.equal("", (select(2, command.shell(("ls -d %s/bad*"):format(scratch)))))
    end
    damage("house", "update throng_sheets set slope_y = null")
    refuses("damaged bad.glb", "the recording is damaged: its table of sheets has no slope_y in row 0")
    damage("room", "create table throng_doors as select 0 time, 1 open, 0 x0, null y0, 1 x1, 1 y1, 'd' name")
    refuses("damaged bad.geojson", "cannot write 'bad.geojson': what the doors did is told of a door that is nowhere")
    damage("room", "update throng_measures set name = char(7, 60, 10)")
    convert("damaged", "odd.vtp")
    assert.is_truthy(read "odd.vtp":find('Name="&lt;\n"', 1, true))
  end)

  it("leaves what was there, and nothing else, when a signal ends it", function()
    command.write(scratch .. "/many.lua", [[
local throng = require "throng"
local world = throng.world { seconds = 4, record = { every = 0.1 } }
world:spawn { count = 3000, where = throng.box(0, 0, 100, 100), planner = "none" }:go_to { 50, 50 }
return world]])
    done(("cd %s && %s run many.lua --out many"):format(scratch, command.THRONG))
    for _, ending in ipairs { "sqlite", "throng", "csv", "geojson", "glb", "pvd" } do
      convert("room", "was." .. ending)
      local all = ("cd %s; find was* -type f | sort | xargs md5sum"):format(scratch)
      local _, before = command.shell(all)
      for signal, code in pairs { TERM = 143, INT = 130, HUP = 129 } do
        local ended, out, err = command.shell(([[
          cd %s; env --default-signal %s convert many was.%s & p=$!
          while ! test -e was.%s.part; do kill -0 $p || break; done; kill -%s $p; wait $p]]):format(scratch,
          command.THRONG, ending, ending, signal))
        assert.equal(code, ended, ending .. out .. err)
        assert.equal(before, select(2, command.shell(all)))
      end
      os.execute(("rm -rf %s/was*"):format(scratch))
    end
  end)

  it("says why where the first of its files cannot be written", function()
    for _, ending in ipairs { "pvd", "vti", "csv" } do
      local code, _, err = command.shell(("cd %s; ulimit -f 1; %s convert room none.%s"):format(scratch, command.THRONG,
        ending))
      assert.equal(2, code, ending)
      assert.matches("the file reached the largest size allowed here", err)
      assert.equal("", select(2, command.shell(("ls %s | grep none"):format(scratch))))
    end
  end)

  it("keeps an earlier collection when the disk is full", function()
    needs.mounts(pending)
    local disk = scratch .. "/disk"
    local code, out, err = command.shell(([[
      mkdir %s && unshare -rm sh -c 'mount -t tmpfs -o size=400k tmpfs %s && cd %s && exec >&2 &&
      %s convert room %s/a.pvd --from 10 --to 10 && md5sum $(find %s -type f) >sums &&
      ! %s convert room %s/a.pvd && md5sum -c sums && test $(find %s -type f | wc -l) = $(wc -l <sums)']]):format(disk,
      disk, scratch, command.THRONG, disk, disk, command.THRONG, disk, disk))
    assert.equal(0, code, out .. err)
    assert.matches("disk is full", err)
  end)
end)
