-- RVO2's Blocks: a hundred agents cross between four blocks, each straight to its
-- goal; the planner alone takes them around the corners. Parameters are RVO2's own.
local throng = require "throng"
local scene = require "scenes.four_blocks"

local world = throng.world {
  people = false, -- discs, as in RVO2
  map = throng.map { name = "blocks", walls = scene.blocks },
  dt = 0.25, -- s
  seconds = 800,
}

local walkers = world:spawn {
  name = "walkers",
  at = scene.places,
  radius = scene.body.radius,
  speed = scene.body.speed,
  max_speed = scene.body.max_speed,
  planner = scene.planner,
  routing = "direct",
}
walkers:go_to(scene.goals, { radius = 20 })

return world
