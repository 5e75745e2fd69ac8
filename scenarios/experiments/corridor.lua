-- People walk one way through a corridor of 1.8 m, beside those who did it in 2009: J. Zhang, W. Klingsch, A.
-- Schadschneider and A. Seyfried, "Transitions in pedestrian fundamental diagrams of straight corridors and
-- T-junctions" (2011); trajectories by Forschungszentrum Jülich, doi.org/10.34735/ped.2009.5, among the demo data of
-- PedPy, too. They come in as recorded; the exit, at the far end, is as wide as the last number of the file's name
-- says, in cm. Files without a head want one: "# framerate: 16" and "# id frame x/cm y/cm".
--   throng run scenarios/experiments/corridor.lua --set recording=uo-180-180-095.txt --set exit=0.95
local throng = require "throng"

local p = throng.params { recording = "uo-180-180-095.txt", exit = { 0.95, 0.5, 1.8 } }
local people = throng.trajectory(p.recording)

local aside = (1.8 - p.exit) / 2
local world = throng.world {
  seconds = people.seconds + 1,
  until_done = false,
  map = throng.map {
    boundary = throng.box(-1, -8, 2.8, 8),
    walls = {
      throng.box(-1, -4, 0, 4),
      throng.box(1.8, -4, 2.8, 4),
      aside > 0 and throng.box(-1, -4.2, aside, -4) or nil,
      aside > 0 and throng.box(1.8 - aside, -4.2, 2.8, -4) or nil,
    },
  },
}

world:source {
  name = "people",
  recording = people,
  body = throng.stadium(),
  speed = throng.normal(1.55, 0.18), -- of those people where they were alone
  to = throng.box(-1, -8, 2.8, -7),
}

local inside = throng.box(0, -2, 1.8, 0)
world:measure { name = "flow", flow = { { 0, -1 }, { 1.8, -1 } } }
world:measure { name = "density inside", density = inside, method = "voronoi" }
world:measure { name = "speed inside", speed = inside }
world:measure { name = "time for 6 m", travel_time = throng.box(0, -3.9, 1.8, -3), since = throng.box(0, 3, 1.8, 4) }

world:at(people.seconds, function() print(world:compare(people)) end)
return world
