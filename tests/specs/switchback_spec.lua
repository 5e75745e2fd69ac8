-- Stairs of two flights, with a landing between them.
local throng = require "throng"

local HALL = throng.box(0, 0, 20, 10)

local function building(settings)
  local floors, stairs = {}, {}
  for storey = 0, (settings.storeys or 2) - 1 do
    floors["floor " .. storey] = { z = 3 * storey, boundary = HALL, regions = {
      west = throng.box(0.5, 1, 3, 9), exit = storey == 0 and throng.box(0, 4, 1, 6) or nil } }
    if storey > 0 then
      stairs[storey] = { name = "stairs " .. storey, from = "floor " .. storey - 1, to = "floor " .. storey,
        foot = settings.foot or { 8, 6 }, head = settings.head or { 12, 6 }, width = 1.5, flights = 2,
        landing = settings.landing, turn = settings.turn, rise = settings.rise }
    end
  end
  return throng.building { floors = floors, stairs = stairs }
end

local function floors_of(corners)
  local names = {}
  for _, corner in ipairs(corners) do
    if names[#names] ~= corner.floor then names[#names + 1] = corner.floor end
  end
  return table.concat(names, ", ")
end

describe("a switchback", function()
  it("has two flights and a landing, of any direction, to either side", function()
    for _, turn in ipairs { "left", "right" } do
      for step = 0, 5 do
        local angle = step * 1.1 -- rad
        local foot, head = { 10, 5 }, { 10 + 2.5 * math.cos(angle), 5 + 2.5 * math.sin(angle) }
        local map = building { turn = turn, foot = foot, head = head, landing = 1.3 }
        assert.equal(0, #map.findings)
        -- two flights of 2.5 m and the landing are cut out of both floors, and are there once
        assert.is_near(2 * 200 - (2 * 2.5 * 1.5 + 1.3 * 3), map.area, 0.02)
        local corners, length = map:path({ 1, 5 }, { 1, 5, floor = "floor 1" }, 0.25)
        assert.equal("floor 0, stairs 1 lower, stairs 1 landing, stairs 1 upper, floor 1", floors_of(corners))
        for _, corner in ipairs(corners) do
          if corner.floor == "stairs 1 landing" then assert.is_near(1.5, corner.z, 1e-9) end
        end
        local _, back = map:path({ 1, 5, floor = "floor 1" }, { 1, 5 }, 0.25)
        assert.is_near(length, back, 1e-6)
        -- the second flight is on that side of the first
        for _, corner in ipairs(corners) do
          local side = (head[1] - foot[1]) * (corner[2] - foot[2]) - (head[2] - foot[2]) * (corner[1] - foot[1])
          if corner.floor == "stairs 1 upper" then assert.equal(turn == "left", side > 0) end
        end
      end
    end
  end)

  it("is climbed and left over several storeys, one over another", function()
    local world = throng.world { map = building { storeys = 4 }, seed = 2, dt = 0.1 }
    local down = world:spawn { name = "down", count = 40, where = { "floor 3/west", "floor 2/west" } }
    local up = world:spawn { name = "up", count = 6, where = "floor 0/west" }
    down:go_to "exit"
    up:go_to "floor 3/west"
    local on = world:measure { count = "stairs 2" }
    local seen = {}
    (down | up):on("floor", function(_, _, to) seen[to] = true end)
    for _ = 1, 300 do
      world:run { seconds = 1 }
      assert.equal(#(down | up):inside "stairs 2", on.now)
      if world:stats().arrived == 46 then break end
    end
    assert.equal(46, world:stats().arrived)
    assert.is_true(on.most > 2)
    for i = 1, #up do assert.equal("floor 3", up.floor[i]) end
    for storey = 1, 3 do
      for _, part in ipairs { " lower", " landing", " upper" } do assert.is_true(seen["stairs " .. storey .. part]) end
    end
    assert.no_overlap(world)
  end)

  it("must meet its floors in height, and have room", function()
    local function refused(settings, ...)
      local ok, message = pcall(building, settings)
      assert.is_false(ok)
      for _, text in ipairs { ... } do assert.is_truthy(tostring(message):find(text, 1, true), tostring(message)) end
    end
    building { rise = 3.04 }
    refused({ rise = 3.06 }, "climbs 1.53 m from floor \"floor 0\" at (8.00, 6.00)", "z = 1.53 m",
      "\"stairs 1 landing\" is at z = 1.5 m where it ends, at (12.00, 6.00)", "within 0.05 m")
    refused({ turn = "back" }, "unknown side 'back'")
    refused({ landing = 0.1 }, "'landing'")
    refused({ foot = { 8, 9.5 }, head = { 12, 9.5 } }, "must begin along all of the")
    refused({ foot = { 0, 6 } }, "must begin along all of the foot")
  end)
end)
