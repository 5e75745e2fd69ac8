-- Tutorial 9 of 11: a floor plan from a file.
--
-- throng reads images, ROS maps, Tiled, WKT and more; the README has the list. Look at a plan before you use it:
--   throng map maps/willow.yaml --png plan.png
-- Where chairs and pillars cut the floor into very many faces, throng.map { file = "maps/willow.yaml", pillars = 1 }
-- leaves those up to 1 m wide to the people, who walk round them; throng map FILE --pillars 1 tells what it gains.
local throng = require "throng"

-- A plan is searched beside the script, in the folder throng was started in, and in the one above the script's.
-- Its regions may be in the file, or be added here.
local world = throng.world {
  map = "maps/willow.yaml",
  regions = {
    canteen = throng.box(6, 8.2, 13.4, 15.4),
    workshop = throng.box(37.4, 10.0, 49.4, 23.0),
  },
  seconds = 120,
  record = { every = 1 }, -- s: frames of out/09_a_real_plan/trajectory.sqlite, which JuPedSim's tools and PedPy read
}

-- The map answers questions: about routes,
local _, length = world.map:path({ 43, 15 }, { 8, 12 }, 0.25)
print(("from the workshop to the canteen it is %.0f m"):format(length))

-- about many routes at once (hundreds of thousands, if need be, with `backend = "auto"` on a GPU where there is one),
local from, to = {}, {}
for i = 1, 200 do
  from[i], to[i] = world.map:random_point("workshop", 0.25), { 8, 12 }
end
local paths = throng.paths { map = world.map, radius = 0.25, from = from, to = to }
table.sort(paths.cost)
print(("from half of the workshop it is less than %.0f m"):format(paths.cost[100]))

-- and about what its author should look at, as `throng map` lists it.
local findings = world.map.findings
print(("%d findings, the first: %s"):format(#findings, findings[1].text))

local staff = world:spawn {
  name = "staff",
  count = 60,
  where = "workshop",
  radius = throng.uniform(0.20, 0.25),
  speed = throng.normal(1.34, 0.26),
  congestion = true, -- who sees a jam ahead looks for another way
}
staff:go_to "canteen"

return world
