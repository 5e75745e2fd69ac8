-- Two doors lead from the hall to the street. While the crowd leaves, the near one is
-- closed for a while: visitors turn to the other door, regulars wait until it opens.
local throng = require "throng"

local params = throng.params {
  count = { 100, 1, 200 }, -- of each
  close = { 12, 0, 240, on_change = function() end }, -- s: the near door closes, (every step asks for it)
  open = { 50, 0, 240, on_change = function() end }, -- s: and opens again
}

local wall = 20 -- m: where the wall with the doors stands

local world = throng.world {
  map = throng.map {
    name = "closing door",
    boundary = throng.box(0, 0, 34, 24),
    walls = {
      throng.box(wall, 0, wall + 0.3, 5),
      throng.box(wall, 7, wall + 0.3, 17),
      throng.box(wall, 19, wall + 0.3, 24),
    },
    doors = {
      near = { { wall + 0.15, 5 }, { wall + 0.15, 7 } },
      far = { { wall + 0.15, 17 }, { wall + 0.15, 19 } },
    },
  },
  regions = { hall = throng.box(1, 1, 12, 12), street = throng.box(31, 1, 33.5, 23) },
  seed = 3,
  seconds = 240,
}

local visitors = world:spawn { name = "visitors", count = params.count, where = "hall", door_policy = "reroute" }
local regulars = world:spawn { name = "regulars", count = params.count, where = "hall", door_policy = "wait" }

for _, group in ipairs { visitors, regulars } do
  group:go_to "street"
  group:on("arrived", function(arrived) arrived:remove() end)
end

local near = world.map:door "near"
world:on_step(function(_, time)
  if time >= params.close and time < params.open then near:close() else near:open() end
end)

return world
