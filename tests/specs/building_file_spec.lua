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
    local _, _, said = command.throng("map " .. FLOORS .. " --write " .. os.tmpname() .. ".xml")
    assert.is_truthy(said:find("the map is a building, whose floors these files do not hold", 1, true), said)
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
