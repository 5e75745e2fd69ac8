-- 500 people on random paths through a warehouse whose aisles are full of boxes: the industrial indoor map of "Dynamic
-- object avoidance" (O'Sullivan, 2009). Boxes up to 20 kg are shoved aside, the heavy ones are walked round.
local throng = require "throng"

local params = throng.params { people = { 500, 1, 1000 }, boxes = { 500, 1, 1000 }, planner = "forces" }

local world = throng.world { people = false, map = "maps/warehouse.yaml", seed = 2, seconds = 60, until_done = false }

world:bodies {
  count = params.boxes,
  box = { throng.uniform(0.3, 0.6), throng.uniform(0.3, 0.5) },
  angle = throng.uniform(0, 2 * math.pi),
  mass = throng.uniform(3, 60), -- kg
}

local people = world:spawn {
  name = "people",
  count = params.people,
  radius = throng.uniform(0.2, 0.25),
  speed = throng.normal(1.2, 0.2),
  planner = throng[params.planner](params.planner == "forces" and { published = 1 } or {}),
}
people:run(throng.fsm { start = "walk", walk = { goal = throng.random_path(), arrived = "walk" } })

return world
