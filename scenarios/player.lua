-- A player goes through a crowd: heavier than the others, who make way.
--   throng view scenarios/player.lua     (the arrow keys, or W, A, S and D, steer)
--   throng run scenarios/player.lua --set east=1.8 --png player.png --at 8
local throng = require "throng"

local player
local params = throng.params {
  people = { 150, 1, 400 },
  mass = { 400, 10, 4000, on_change = function(mass) player.mass = mass end }, -- kg, of the player
  east = 0, -- m/s, how fast it goes there until it is steered
}

local world = throng.world {
  map = throng.map { name = "square", boundary = throng.box(0, 0, 30, 20) },
  dt = 0.1,
  seconds = 300,
}

local people = world:spawn {
  name = "people", colour = "#8c9bab", count = params.people, where = throng.box(6, 1, 29, 19), planner = "forces",
}
people:run(throng.goals.idle_walker())

-- A planner of its own would go its own way; without one the others do all the avoiding.
player = world:spawn {
  name = "player", colour = "#d55e00", at = { { 2, 10 } }, planner = "none",
  mass = params.mass, radius = 0.3, speed = 1.8,
}
player:control()
player.desired = { params.east, 0 }

return world
