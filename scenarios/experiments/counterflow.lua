-- People walk both ways through a corridor of 4 m, beside those who did it in 2013: C. Cao, A. Seyfried, J. Zhang, S.
-- Holl and W. Song, "Fundamental diagrams for multidirectional pedestrian flows" (2017); trajectories by
-- Forschungszentrum Jülich, doi.org/10.34735/ped.2013.5, among the demo data of PedPy, too. They come in as recorded.
--   throng run scenarios/experiments/counterflow.lua --set recording=bi_corr_400_b_03.txt
local throng = require "throng"

local p = throng.params { recording = "bi_corr_400_b_03.txt" }
local people = throng.trajectory(p.recording)

local world = throng.world {
  seconds = people.seconds + 1,
  until_done = false,
  map = throng.map {
    boundary = throng.box(-9, -1, 8, 5),
    walls = { throng.box(-6, -1, 5, 0), throng.box(-6, 4, 5, 5) },
  },
}

local crowd = world:source {
  name = "people",
  recording = people,
  body = throng.stadium(),
  each = function(batch)
    local function walks(right)
      return function(agent) return (agent.vx > 0) == right end
    end
    batch:filter(walks(true)):go_to(throng.box(7, -1, 8, 5))
    batch:filter(walks(false)):go_to(throng.box(-9, -1, -8, 5))
  end,
}
crowd:on("arrived", function(group) group:remove() end)

local inside = throng.box(-2, 0, 2, 4)
world:measure { name = "flow", flow = { { 0, 0 }, { 0, 4 } } }
world:measure { name = "density inside", density = inside, method = "voronoi" }
world:measure { name = "speed inside", speed = inside }
world:measure { name = "lanes", lanes = inside }
world:measure { name = "time to the right", travel_time = throng.box(3, 0, 4, 4), since = throng.box(-5, 0, -4, 4) }
world:measure { name = "time to the left", travel_time = throng.box(-5, 0, -4, 4), since = throng.box(3, 0, 4, 4) }

world:at(people.seconds, function() print(world:compare(people)) end)
return world
