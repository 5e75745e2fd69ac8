-- A building of some storeys, each with offices along a corridor between two stairwells: everybody leaves by the ground
-- floor. The stairs of a storey are walked by all who come from above, and queues on them are felt on the floors.
--   throng run scenarios/tower.lua --set storeys=40 --set count=10000
local throng = require "throng"
local params = throng.params { storeys = { 3, 2, 100 }, count = { 500, 1, 100000 } }

local WIDTH, DEPTH, RISE = 48, 24, 3.5 -- m
local outline = throng.box(0, 0, WIDTH, DEPTH)
-- Stairs go up in the west of one storey and come up in the same well, one flight over the other.
local WELLS = { { 6, 12, 12, 12 }, { 36, 12, 42, 12 } } -- foot x, y, head x, y

-- Eight offices, with a door each to the corridor in the middle.
local function rooms()
  local walls, offices = {}, {}
  for side = 0, 1 do
    local y0, y1 = side * 15, side * 15 + 9
    local inner = side == 0 and y1 or y0 -- the wall along the corridor
    for room = 0, 3 do
      local x0, x1, door = room * 12, room * 12 + 12, room * 12 + 6
      if room > 0 then walls[#walls + 1] = throng.box(x0 - 0.1, y0, x0 + 0.1, y1) end
      walls[#walls + 1] = throng.box(x0, inner - 0.1, door - 0.6, inner + 0.1)
      walls[#walls + 1] = throng.box(door + 0.6, inner - 0.1, x1, inner + 0.1)
      offices[#offices + 1] = throng.box(x0 + 0.4, y0 + 0.4, x1 - 0.4, y1 - 0.4)
    end
  end
  return walls, offices
end

local floors, stairs = {}, {}
for storey = 0, params.storeys - 1 do
  local walls, offices = rooms()
  local regions = { offices = offices }
  if storey == 0 then
    regions.exit = { throng.box(0, 11, 0.8, 13), throng.box(WIDTH - 0.8, 11, WIDTH, 13) }
  end
  floors["floor " .. storey] = { z = storey * RISE, boundary = outline, walls = walls, regions = regions }
  for side, well in ipairs(WELLS) do
    if storey > 0 then
      stairs[#stairs + 1] = {
        name = ("stairs %d%s"):format(storey, side == 1 and "W" or "E"),
        from = "floor " .. storey - 1, to = "floor " .. storey,
        foot = { well[1], well[2] }, head = { well[3], well[4] }, width = 2,
      }
    end
  end
end

local world = throng.world {
  map = throng.building { name = "tower", floors = floors, stairs = stairs },
  dt = 0.1, seed = 5, seconds = 1200,
}
local staff = world:spawn { name = "staff", count = params.count, where = "offices" }
staff:go_to "exit"
staff:on("arrived", function(group) group:remove() end)

return world
