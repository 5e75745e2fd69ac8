-- A building of two floors; `change`: what of it one world has otherwise after half a second (test_together.c).
-- After another half second everybody turns to another exit: all look for routes once more, while others have changed.
local throng = require "throng"
local params = throng.params { change = "none" }
local box = throng.box
local world = throng.world { dt = 0.1, seconds = 60, map = throng.building { floors = {
    low = { z = 0, boundary = box(0, 0, 30, 16),
      walls = { box(10, 0, 10.4, 4), box(10, 5.2, 10.4, 11), box(10, 12.2, 10.4, 16) },
      doors = { near = { { 10.2, 4 }, { 10.2, 5.2 } }, far = { { 10.2, 11 }, { 10.2, 12.2 } } },
      regions = { exit = box(0, 2, 1, 6), gate = box(0, 7, 1, 9), hall = box(11, 1, 18, 15) } },
    high = { z = 3.5, boundary = box(0, 0, 30, 16), regions = { desks = box(8, 1, 26, 10) } } },
  stairs = { { from = "low", to = "high", foot = { 4, 14 }, head = { 10, 14 }, width = 1.6 } },
  escalators = {
    { name = "belt", from = "low", to = "high", foot = { 20, 14 }, head = { 26, 14 }, direction = "down" },
  },
  lifts = { { name = "lift", at = { 26, 6 }, back = { 28, 6 }, width = 2, capacity = 8, speed = 1.6 } } } }
for i, where in ipairs { "low/hall", "high/desks" } do
  local people = world:spawn { count = 25 * i, where = where, door_policy = i == 1 and "wait" or "reroute" }
  people:go_to "low/exit"
  world:at(1, function() people:go_to "low/gate" end)
end
local near = world.map:door "low/near"
local change = {
  none = function() end,
  close = function() near:close() end,
  cost = function() near.cost = 30 end,
  way = function() near.one_way = "forth" end,
  belt = function() world.map:flight("belt"):reverse() end,
  lift = function() world.lifts.lift:stop() end,
  body = function() world:body { box = { 2, 2 }, at = { 8, 4.6, floor = "low" } } end,
}
world:at(0.5, change[params.change])
return world
