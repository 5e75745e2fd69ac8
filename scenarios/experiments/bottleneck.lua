-- 75 people leave a waiting area by a passage of 0.5 m, beside those who did it in 2018: J. Adrian, A. Seyfried and A.
-- Sieben, "Crowds in front of bottlenecks at entrances from the perspective of physics and social psychology" (2020);
-- trajectories by Forschungszentrum Jülich, doi.org/10.34735/ped.2018.1, among the demo data of PedPy, too.
--   throng run scenarios/experiments/bottleneck.lua --set recording=040_c_56_h-.txt   # a file beside this script
local throng = require "throng"

local p = throng.params { recording = "040_c_56_h-.txt" }
local people = throng.trajectory(p.recording)

-- Rails bevel the corners of the passage: a fifth more pass than by square ones.
local function barrier(side) -- -1: on the left, 1: on the right
  local corners = { { 0.25, -1.1 }, { 0.7, -1.1 }, { 0.7, -0.3 }, { 3.05, -0.3 }, { 3.05, 6.7 }, { 2.8, 6.7 },
    { 2.8, 0 }, { 0.4, 0 }, { 0.25, -0.15 } }
  for _, corner in ipairs(corners) do corner[1] = side * corner[1] end
  return throng.polygon(corners)
end

local world = throng.world {
  seconds = people.seconds + 1,
  until_done = false,
  map = throng.map { boundary = throng.box(-3.5, -3, 3.5, 8), walls = { barrier(-1), barrier(1) } },
}

local crowd = world:spawn {
  name = "people",
  from = people:at(0),
  body = throng.stadium(),
  speed = throng.normal(1.15, 0.12), -- of those people behind the passage, where the recording ends
}
crowd:go_to(throng.box(-1, -3, 1, -2))
crowd:on("arrived", function(group) group:remove() end)

local before = throng.box(-0.4, 0.5, 0.4, 1.3)
world:measure { name = "flow", flow = { { -0.25, -0.3 }, { 0.25, -0.3 } } }
world:measure { name = "density before it", density = before, method = "voronoi" }
world:measure { name = "speed before it", speed = before }
world:measure { name = "people who wait", count = throng.box(-2.8, 0, 2.8, 6.7) }

world:at(people.seconds, function() print(world:compare(people)) end)
return world
