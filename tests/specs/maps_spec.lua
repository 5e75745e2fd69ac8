-- Maps that others drew, and maps built in Lua: what scripts see of them.
local throng = require "throng"
local command = dofile "tests/specs/command.lua"

local function failure(make)
  local fine, message = pcall(make)
  assert.is_false(fine)
  return message
end

local function has(text, ...)
  for _, part in ipairs { ... } do
    assert.is_truthy(text:find(part, 1, true), text .. "\n\ndoes not say: " .. part)
  end
end

describe("the maps of the folder maps/", function()
  it("all load, with free space", function()
    local count = 0
    for path in io.popen("ls maps/*.yaml maps/*.tmx maps/*.map maps/*.xml maps/*.wkt 2>/dev/null"):lines() do
      assert.is_true(throng.map(path).area > 1, path)
      count = count + 1
    end
    assert.is_true(count >= 2)
  end)
end)

describe("a Tiled map", function()
  local map = throng.map "maps/office.tmx"

  it("has its regions by name and by layer, its doors and its properties", function()
    assert.same({ "office", "north", "south", "spawns", "exits" }, map.regions)
    assert.equal("planning office", map.properties.author)
    assert.equal(1, #map.doors)
    assert.equal("glass door", map.doors[1].name)
    assert.near(1.25, map.doors[1].a[2] - map.doors[1].b[2], 1e-9)
    assert.same({ count = 40, quiet = true }, map:region("office").properties)
    assert.equal(2, #map:region("exits").shapes)
    assert.same({}, map.findings)
  end)

  it("is a place to leave", function()
    local world = throng.world { map = map, threads = 1, seed = 3 }
    local people = world:spawn { count = map:region("office").properties.count, where = "office" }
    people:go_to "exits"
    people:on("arrived", function(group) group:remove() end)
    world:run { seconds = 120 }
    assert.arrives(people, { within = 120 })
  end)

  it("names the regions there are", function()
    has(failure(function() map:region "ofice" end), "unknown region 'ofice'", "did you mean 'office'?", "exits")
  end)
end)

describe("throng.map", function()
  it("has regions and doors of its own", function()
    local map = throng.map {
      boundary = throng.box(0, 0, 20, 10),
      walls = { throng.box(9.9, 0, 10.1, 2), throng.box(9.9, 3, 10.1, 4), throng.box(9.9, 6, 10.1, 10) },
      regions = { rest = throng.box(1, 1, 3, 3), ends = { throng.box(0, 0, 1, 10), throng.box(19, 0, 20, 10) } },
      doors = { gate = { { 10, 4 }, { 10, 6 } }, flap = throng.box(9.95, 2, 10.05, 3) },
    }
    assert.same({ "ends", "rest" }, map.regions)
    assert.equal(2, #map:region("ends").shapes)
    assert.same({ name = "gate", a = { 10, 4 }, b = { 10, 6 }, cost = 0, max_radius = 0, properties = {} },
      map.doors[2])
    assert.equal("flap", map.doors[1].name)
    assert.near(1, math.abs(map.doors[1].a[2] - map.doors[1].b[2]), 1e-9)
    local world = throng.world { map = map, threads = 1 }
    assert.equal(5, #world:spawn { count = 5, where = map:region("ends").shapes })
    assert.equal(2, #world:spawn { count = 2, where = "rest" })
  end)

  it("adds regions and doors to a file's", function()
    local map = throng.map { file = "maps/office.tmx", scale = 0.05, regions = { desk = throng.box(1, 1, 2, 2) },
      doors = { side = { { 0, 1 }, { 0, 2 } } } }
    assert.near(24 * 32 * 0.05, map.bounds.x1, 1e-9)
    assert.equal(2, #map.doors)
    assert.equal(1, #map:region("desk").shapes)
  end)

  it("finds what its author should look at", function()
    local map = throng.map {
      boundary = throng.box(0, 0, 20, 10),
      walls = { throng.box(9.9, 0, 10.1, 4.7), throng.box(9.9, 5.1, 10.1, 10) },
      regions = { shelf = throng.box(9.91, 1, 10.09, 2), nook = throng.box(0, 0, 0.2, 0.2) },
    }
    local texts = {}
    for i, finding in ipairs(map.findings) do texts[i] = finding.kind .. ": " .. finding.text end
    assert.same({ "gap: an opening of 0.40 m is too narrow for a body of 0.25 m radius",
      'region: region "shelf" lies in a wall', 'spawn: region "nook" has no room for a body of 0.25 m radius' }, texts)
    assert.near(4.9, map.findings[1].at[2], 0.21)
  end)

  it("reads a level of a drawing, and floors of a building that are levels of one", function()
    local file = "tests/fuzz/osm/rooms.osm"
    local ok, message = pcall(throng.map, { file = file, level = 7 })
    if message and tostring(message):find "needs GDAL" then pending "no GDAL" end
    assert.is_false(ok)
    assert.matches("rooms.osm: nothing is on level 7; its features are on: 0, 1", message, 1, true)
    assert.error_matches(function() throng.map { boundary = throng.box(0, 0, 9, 9), level = 1 } end,
      "'level' is about how a file is read", 1, true)
    assert.same({ "Hall" }, throng.map({ file = file, level = 0 }).regions)
    assert.same({}, throng.map({ file = file, level = 1 }).regions)
    local world = throng.world {
      map = throng.building {
        floors = { ground = { z = 0, file = file, level = 0 }, first = { z = 3, file = file, level = 1 } },
      },
    }
    world:spawn { count = 3, where = "ground/Hall" }
    for i = 1, 3 do assert.is_true(world.agents.x[i] < 12) end
    local code, out = command.throng(("map %s --level 1"):format(file))
    assert.equal(0, code)
    assert.is_truthy(out:find("regions    0", 1, true))
  end)

  it("reads a drawing by what its layers are", function()
    local path = os.tmpname() .. ".geojson"
    local function square(properties, x0, y0, x1, y1)
      return ('{"type":"Feature","properties":{%s},"geometry":{"type":"Polygon","coordinates":[[[%g,%g],[%g,%g],'
        .. '[%g,%g],[%g,%g],[%g,%g]]]}}'):format(properties, x0, y0, x1, y0, x1, y1, x0, y1, x0, y0)
    end
    command.write(path, ('{"type":"FeatureCollection","crs":{"type":"name","properties":{"name":"EPSG:25832"}},'
      .. '"features":[%s,%s,%s]}'):format(square('"kind":"slab"', 0, 0, 10, 6), square('"kind":"pier"', 2, 2, 4, 4),
      square('"kind":"hall","name":"Lobby"', 5, 1, 9, 5)))
    local layers = { boundary = "kind=slab", obstacles = { "kind=pier", "kind=post" }, regions = "kind=hall" }
    local ok, map = pcall(throng.map, { file = path, layers = layers })
    if not ok and tostring(map):find("needs GDAL", 1, true) then pending "no GDAL" end
    if not ok then error(map) end
    assert.near(60 - 4, map.area, 1e-6)
    assert.same({ "Lobby" }, map.regions)
    assert.is_false(map:fits({ 3, 3 }, 0))
    assert.near(56e-4, throng.map { file = path, layers = layers, unit = "cm" }.area, 1e-6)
    for settings, message in pairs {
      [{ layers = { wals = "x" } }] = "field 'layers': unknown field 'wals', did you mean 'walls'?",
      [{ layers = { walls = 3 } }] = "'walls' must be a layer's name",
      [{ layers = "x" }] = "field 'layers' must be a table",
      [{ layers = { walls = "nothing" } }] = "no layer of it is taken for walls",
      [{ unit = "yard" }] = "there is no unit 'yard'; expected m, cm, mm, ft or in",
    } do
      settings.file = path
      assert.error_matches(function() throng.map(settings) end, message, 1, true)
    end
    os.remove(path)
  end)

  it("refuses an outline of a file that crosses itself all over", function()
    local corners = {} -- of a star, whose sides cross 497,000 times
    for i = 0, 1000 do
      local angle = 2 * math.pi * i * 499 / 1000
      corners[i + 1] = ("%.6f %.6f"):format(25 + 20 * math.cos(angle), 25 + 20 * math.sin(angle))
    end
    local path = os.tmpname()
    finally(function() os.remove(path .. ".wkt") os.remove(path) end)
    command.write(path .. ".wkt", ("POLYGON((%s))"):format(table.concat(corners, ", ")))
    local code, _, err = command.shell(("timeout 60 %s map %s.wkt"):format(command.THRONG, path))
    assert.equal(2, code)
    has(err, ("%s.wkt: polygon 1 crosses itself more than 2000 times, as at (25.0"):format(path),
      "give its corners in order, once round, or make several outlines of it")
    command.write(path .. ".wkt", "POLYGON((0 0, 9 9, 9 0, 0 9, 0 0))") -- a few times are mended
    assert.equal(0, (command.throng("map " .. path .. ".wkt")))
  end)

  it("has regions and doors by their names, of one name all polygons, and says which there are", function()
    local world = throng.world {
      map = throng.map { boundary = throng.box(0, 0, 20, 10), doors = { north = { { 9, 0 }, { 9, 10 } } } },
      regions = { exits = { throng.box(0, 0, 1, 1), throng.box(18, 0, 20, 1) } },
    }
    assert.same({ "exits" }, world.map.regions)
    assert.equal(2, #world.map:region("exits").shapes)
    assert.equal(2, #world.map.regions.exits.shapes)
    assert.is_nil(world.map.doors[2])
    world.map.doors.north:close()
    assert.is_false(world.map:door("north").is_open)
    has(failure(function() return world.map.doors.gate end), "map:door: unknown door 'gate'; expected one of: north")
    has(failure(function() return world.map.regions.exit end), "unknown region 'exit', did you mean 'exits'?")
  end)

  it("says what is wrong with regions and doors", function()
    local function with(field, value)
      return failure(function() throng.map { boundary = throng.box(0, 0, 20, 10), [field] = value } end)
    end
    has(with("regions", throng.box(0, 0, 1, 1)), "throng.map: field 'regions' must be a table of names and shapes")
    has(with("regions", { throng.box(0, 0, 1, 1) }), "field 'regions': names must be strings")
    has(with("regions", { bow = throng.polygon { { 0, 0 }, { 1, 1 }, { 1, 0 }, { 0, 1 } } }),
      'throng.map: region "bow" crosses or touches itself at (0.5, 0.5)')
    has(with("doors", { gate = { { 1, 1 } } }), "throng.map: door 'gate' must be two points", "got 1 point")
    has(with("doors", { gate = { { 1, 1 }, { 1, 1 } } }), 'door "gate" has no length')
    has(with("doors", { gate = { { 1, 1 }, { 2, 2 }, { 3, 3 } } }), "door 'gate': the shape has no area")
    has(with("doors", { gate = { { 1, 1 }, { 2, "a" } } }), "door 'gate'[2]: y")
  end)
end)
