-- Corridor jitter ("Dynamic object avoidance", O'Sullivan, 2009): who is shut in by others in a corridor, and pushed at
-- by all of them and by its walls, looks where it wants to go and does not tremble.
--   throng run scenarios/shut_in.lua --png shut_in.png --at 20
local throng = require "throng"

local params = throng.params { planner = "forces" }

local world = throng.world {
  people = false, -- discs, as in the paper
  map = throng.map { name = "corridor", boundary = throng.box(5.2, 0, 11, 1.8) },
  regions = { far = throng.box(10.2, 0, 11, 1.8) },
  dt = 0.1,
  seconds = 30,
}

-- Three who stand across the corridor on either side leave no gap, and one between them wants through.
world:spawn {
  name = "standing",
  colour = "#8c9bab",
  at = { { 7, 0.3 }, { 7, 0.9 }, { 7, 1.5 }, { 8.4, 0.3 }, { 8.4, 0.9 }, { 8.4, 1.5 } },
  planner = "none",
  mass = 1e6, -- kg: nobody shoves them
}
local planner = params.planner == "forces" and throng.forces { published = 1 } or params.planner
local inside = world:spawn { name = "inside", colour = "#d55e00", at = { { 7.7, 0.8 } }, planner = planner }
inside:go_to "far"

return world
