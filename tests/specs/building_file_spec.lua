-- Buildings from files: floors of Tiled maps, and what the linter says of buildings.
local throng = require "throng"
local command = dofile "tests/specs/command.lua"

local FLOORS = "tests/fuzz/tmx/floors.tmx"

describe("a building's file", function()
  it("is a building like any other", function()
    local map = throng.building { file = FLOORS }
    local kinds = {}
    for _, floor in ipairs(map.floors) do kinds[#kinds + 1] = floor.name .. " " .. floor.kind end
    assert.same({ "ground floor", "first floor", "up stairs", "a lift" }, kinds)
    assert.equal(3.5, map.floors[2].z)
    local world = throng.world { map = map, seed = 1, dt = 0.1 }
    local people = world:spawn { name = "people", count = 20, where = "first/office" }
    people:go_to "exits"
    people:on("arrived", function(arrived) arrived:remove() end)
    world:run { seconds = 120, until_done = true }
    assert.equal(20, world:stats().arrived)
    -- the gate of the first floor is a door like any other: behind it nobody gets out
    world = throng.world { map = FLOORS, seed = 1, dt = 0.1 }
    people = world:spawn { name = "people", count = 3, where = "first/office" }
    world.map:door("first/gate"):close()
    people:go_to "exits"
    world:run { seconds = 60 }
    assert.equal(0, world:stats().arrived)
  end)

  it("says what is wrong", function()
    local function raises(text, settings)
      local ok, message = pcall(throng.building, settings)
      assert.is_false(ok)
      assert.is_truthy(tostring(message):find(text, 1, true), message)
    end
    raises("has no floors: give each a group layer with a property z", { file = "maps/office.tmx" })
    raises("has no floors: put each into a <floor>", { file = "maps/museum.xml" })
    raises("'file' and 'lifts' do not go together", { file = FLOORS, lifts = {} })
    raises("field 'file' must be a string", { file = 3 })
  end)

  it("is shown by throng map, floor by floor, and not written without its floors", function()
    local ok, out = command.throng("map " .. FLOORS)
    assert.is_truthy(ok, out)
    for _, line in ipairs { "floor      first, z = 3.5 m", "floor      ground, z = 0 m",
      "stairs     up, from ground to first", "lift       a for 6 persons, at ground, first" } do
      assert.is_truthy(out:find(line, 1, true), out)
    end
    local _, _, said = command.throng("map " .. FLOORS .. " --write " .. os.tmpname() .. ".wkt")
    assert.is_truthy(said:find("the map is a building, whose floors .wkt does not hold: give .xml", 1, true), said)
  end)

  -- What people do in it tells one building from another.
  local function hash(map)
    local world = throng.world { map = map, seed = 4, dt = 0.1, threads = 1 }
    world:spawn { count = 30, where = "top" }:go_to "ground/exit"
    world:run { seconds = 60 }
    return world:hash()
  end
  local HALL = throng.box(0, 0, 30, 16)
  local function halls(settings)
    settings.name = nil
    settings.floors = {
      ground = { z = 0, boundary = HALL, regions = { exit = throng.box(0, 4, 1, 6) } },
      first = { z = 3.5, boundary = HALL }, top = { z = 7.25, boundary = HALL },
    }
    return throng.building(settings)
  end
  local WHOLE = '<face><point x="0" y="0"/><point x="30" y="0"/><point x="30" y="16"/><point x="0" y="16"/></face>'
  local XML = [[
<map>
  <floor name="top" z="7.25">FACE</floor>
  <floor name="ground" z="0">FACE
    <region name="exit"><point x="0" y="4"/><point x="1" y="4"/><point x="1" y="6"/><point x="0" y="6"/></region>
    <stairs name="north" to="first" x0="4" y0="12" x1="8" y1="12" width="1.5" flights="2" landing="1.75" turn="right"/>
    <stairs name="south" x0="5" y0="4" x1="11" y1="4.5" width="1.31"/>
    <lift name="a" floors="ground, top" x0="24" y0="6" x1="26.3" y1="6.3" width="2.1" capacity="9"/>
  </floor>
  <floor name="first" z="3.5">FACE
    <ramp x0="2" y0="14.5" x1="20" y1="14.6" cost="3"/>
    <escalator name="belt" to="top" x0="14" y0="2" x1="20" y1="2" direction="down" walkers="0.25" speed="0.4"/>
  </floor>
</map>]]
  local FLIGHTS = {
    stairs = {
      { name = "north", from = "ground", to = "first", foot = { 4, 12 }, head = { 8, 12 }, width = 1.5, flights = 2,
        landing = 1.75, turn = "right" },
      { name = "south", from = "ground", to = "first", foot = { 5, 4 }, head = { 11, 4.5 }, width = 1.31 },
    },
    ramps = { { from = "first", to = "top", foot = { 2, 14.5 }, head = { 20, 14.6 }, cost = 3 } },
    escalators = { { name = "belt", from = "first", to = "top", foot = { 14, 2 }, head = { 20, 2 }, direction = "down",
      walkers = 0.25, speed = 0.4 } },
    lifts = { { name = "a", floors = { "ground", "top" }, at = { 24, 6 }, back = { 26.3, 6.3 }, width = 2.1,
      capacity = 9 } },
  }

  it("may be the map maker's: the same building, which throng map writes again", function()
    local folder = io.popen("mktemp -d"):read "l"
    finally(function() os.execute("rm -r " .. folder) end)
    command.write(folder .. "/b.xml", (XML:gsub("FACE", WHOLE)))
    local expected = hash(halls(FLIGHTS))
    assert.equal(expected, hash(throng.building { file = folder .. "/b.xml" }))
    assert.equal(0, (command.throng("map b.xml --write a.xml", folder)))
    assert.equal(0, (command.throng("map a.xml --write c.xml", folder)))
    assert.equal(command.read(folder .. "/a.xml"), command.read(folder .. "/c.xml"))
    local map, written = throng.building { file = folder .. "/b.xml" }, throng.building { file = folder .. "/a.xml" }
    assert.is_near(map.area, written.area, 1e-3)
    local function parts(of)
      local list = {}
      for i, floor in ipairs(of.floors) do list[i] = ("%s %s %s"):format(floor.name, floor.kind, floor.z) end
      return list
    end
    assert.same(parts(map), parts(written))
    assert.same(#map.regions, #written.regions)
    assert.equal(map:distance({ 28, 14, floor = "top" }, { 2, 5 }, 0.25),
      written:distance({ 28, 14, floor = "top" }, { 2, 5 }, 0.25))
    -- one that Tiled drew
    assert.equal(0, (command.throng("map " .. FLOORS .. " --write " .. folder .. "/t.xml")))
    local tiled, kept = throng.building { file = FLOORS }, throng.building { file = folder .. "/t.xml" }
    assert.same(parts(tiled), parts(kept))
    assert.is_near(tiled.area, kept.area, 1e-3)
    assert.same(#tiled.doors, #kept.doors)
    assert.is_truthy(kept:region "first/office")
  end)

  it("has switchbacks, drawn with Tiled, too", function()
    local folder = io.popen("mktemp -d"):read "l"
    finally(function() os.execute("rm -r " .. folder) end)
    local function tmx(more)
      return (command.read(FLOORS):gsub('(name="up".-)(</properties>)', "%1" .. more .. "%2"))
    end
    command.write(folder .. "/a.tmx", tmx('<property name="flights" type="int" value="2"/>'
      .. '<property name="landing" type="float" value="1.75"/>'))
    local names = {}
    for i, floor in ipairs(throng.building { file = folder .. "/a.tmx" }.floors) do
      names[i] = floor.name .. " " .. floor.kind
    end
    assert.same({ "ground floor", "first floor", "up landing landing", "up lower stairs", "up upper stairs", "a lift" },
      names)
    for text, more in pairs {
      ["the property flights is \"3\": give 1, or 2 for a switchback"] = '<property name="flights" value="3"/>',
      ["the property turn is \"back\": give left or right"] = '<property name="turn" value="back"/>',
      ["the property landing is \"0\": give a number of at least 0.3 m"] =
        '<property name="flights" value="2"/><property name="landing" value="0"/>',
    } do
      command.write(folder .. "/b.tmx", tmx(more))
      local ok, message = pcall(throng.building, { file = folder .. "/b.tmx" })
      assert.is_false(ok)
      assert.is_truthy(tostring(message):find(text, 1, true), message)
      assert.is_truthy(tostring(message):find("b.tmx", 1, true), message)
    end
  end)

  it("says what is wrong in the map maker's, with the line", function()
    local folder = io.popen("mktemp -d"):read "l"
    finally(function() os.execute("rm -r " .. folder) end)
    for text, xml in pairs {
      ["b.xml:2: <stairs> lies in no <floor>: put it into the one where it begins"] =
        '<map>\n<stairs x0="1" y0="1" x1="5" y1="1"/></map>',
      ["what lies in no <floor> (faces, regions, doors, nodes) must be put into one"] =
        "<map><floor name='a' z='0'>FACE</floor>FACE</map>",
      ["b.xml:2: there is a floor \"a\" already"] =
        "<map><floor name='a' z='0'>FACE</floor>\n<floor name='a' z='3'/></map>",
      ["b.xml:1: <floor>: the attribute z is missing"] = "<map><floor name='a'>FACE</floor></map>",
      ["b.xml:1: <floor>: the attribute name is missing"] = "<map><floor z='1'>FACE</floor></map>",
      ["floor \"a\""] = "<map><floor name='a' z='0'/></map>",
      ["<stairs> ends where it begins"] =
        "<map><floor name='a' z='0'>FACE<stairs x0='1' y0='1' x1='1' y1='1'/></floor></map>",
      ["the property width is \"wide\""] =
        "<map><floor name='a' z='0'>FACE<stairs x0='4' y0='4' x1='9' y1='4' width='wide'/></floor>"
        .. "<floor name='b' z='3'>FACE</floor></map>",
      ["b.xml: what lies in no <floor> (faces, regions, doors, nodes) must be"] =
        "<map><node id='1' x='2' y='2'/><floor name='a' z='0'>FACE</floor></map>",
      ["b.xml: <edge> (line 1) lies in no <floor>: put it into that of its nodes"] =
        "<map><edge start='1' end='2'/><floor name='a' z='0'>FACE</floor></map>",
      ["b.xml: <edge> (line 2): there is no node \"1\": name nodes with their floors, as in start=\"first/1\""] =
        "<map roadmap='true'><floor name='a' z='0'>FACE<node id='1' x='2' y='2'/></floor>\n"
        .. "<edge start='1' end='2'/></map>",
      ["b.xml: <edge> (line 1): edge a/1 - a/1 joins a node with itself"] =
        "<map roadmap='true'><floor name='a' z='0'>FACE<node id='1' x='2' y='2'/></floor>"
        .. "<edge start='a/1' end='a/1'/></map>",
      ["<floor> within another part of the map"] =
        "<map><floor name='a' z='0'><floor name='b' z='3'>FACE</floor></floor></map>",
    } do
      command.write(folder .. "/b.xml", (xml:gsub("FACE", WHOLE)))
      local ok, message = pcall(throng.building, { file = folder .. "/b.xml" })
      assert.is_false(ok, text)
      assert.is_truthy(tostring(message):find(text, 1, true), message)
    end
    command.write(folder .. "/b.xml", (XML:gsub("FACE", WHOLE)))
    local ok, message = pcall(throng.map, { file = folder .. "/b.xml", scale = 2 })
    assert.is_false(ok)
    assert.is_truthy(tostring(message):find("it is a building, which has no scale", 1, true), message)
  end)
end)

describe("the findings of a building", function()
  local HALL = throng.box(0, 0, 20, 10)
  local function found(settings)
    local texts = {}
    for i, finding in ipairs(throng.building(settings).findings) do
      texts[i] = ("%s at %.4g %.4g on %s: %s"):format(finding.kind, finding.at[1], finding.at[2], finding.at.floor,
        finding.text)
    end
    return texts
  end
  local function halls(walls, more)
    local settings = {
      floors = { ground = { z = 0, boundary = HALL }, first = { z = 3, boundary = HALL, walls = walls } },
      stairs = { { name = "up", from = "ground", to = "first", foot = { 6, 5 }, head = { 12, 5 } } },
    }
    for key, value in pairs(more or {}) do settings[key] = value end
    return settings
  end

  it("are none where all is well, whatever the shape of a floor", function()
    assert.same({}, found(halls()))
    local corner = halls()
    corner.floors.ground.boundary = throng.polygon { { 0, 0 }, { 20, 0 }, { 20, 9 }, { 8, 9 }, { 8, 30 }, { 0, 30 } }
    assert.same({}, found(corner))
  end)

  it("are floors that nobody reaches, and flights that end in a wall", function()
    local apart = halls(nil, { stairs = {} })
    apart.floors.first.boundary = throng.box(0, 0, 12, 10)
    assert.same({ 'reach at 6 5 on first: nobody reaches floor "first" (109.2 m2): no stairs, ramp, escalator or lift '
      .. 'leads from the rest there' }, found(apart))
    local list = found(halls { throng.box(12.3, 3, 12.5, 7) }) -- before the head
    assert.equal(3, #list, table.concat(list, "\n"))
    assert.matches("^gap at 12 4%.4 on first", list[1])
    assert.matches('^reach at 12 4%.4 on first: stairs "up" ends in a wall: a body of 0%.25 m radius has no room at '
      .. 'its head on floor "first"$', list[2])
    assert.matches('nobody reaches floor "first"', list[3])
    -- a room without a door is an area of its floor
    list = found(halls { throng.box(15, 0, 15.2, 10) })
    assert.equal(1, #list, table.concat(list, "\n"))
    assert.matches('on first: an area of [%d.]+ m2 on floor "first" cannot be reached from the rest', list[1])
    -- a lift reaches it
    assert.same({}, found(halls(nil, { stairs = {}, lifts = { { at = { 18, 5 }, back = { 20, 5 }, width = 2 } } })))
  end)
end)
