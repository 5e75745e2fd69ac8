-- People come from both sides of a T-junction and leave by its stem: how dense are they, and how fast, before they meet
-- and behind?
--   throng run scenarios/t_junction.lua --set inflow=1.9
-- The T-junction of 2.4 m in which Zhang, Klingsch, Schadschneider and Seyfried measured (J. Stat. Mech. P06004, 2011),
-- with their measuring areas of 2 m, Voronoi densities there, and as many people a second as came there. Of those, all
-- got through up to 1.9 persons/s from each side; of more, 3.8 persons/s did, and a jam grew before it.
-- What parameters that fit a corridor and a bottleneck make of it: scenarios/studies/calibrate_people.lua.
local throng = require "throng"

local params = throng.params {
  inflow = { 1.2, 0.1, 4.0 }, -- persons/s from each side
  planner = "orca",
  time_gap = { 0.6, 0.0, 5.0 }, -- s
  shoulders = { 0.46, 0.3, 0.7 }, -- m: how wide people are in the mean
  depth = { 0.24, 0.15, 0.4 }, -- m: and how deep
  speed = { 1.34, 0.5, 2.0 }, -- m/s, where nobody is in the way
  spread = { 0.1, 0.0, 0.5 }, -- m/s: how much faster, or slower, people are at most
}

local world = throng.world {
  map = throng.map {
    name = "T-junction",
    boundary = { throng.box(-15, -2.4, 13, 0), throng.box(-2.4, -2.4, 0, 8) },
    regions = {
      left = throng.box(-15, -2.4, -10, 0),
      right = throng.box(8, -2.4, 13, 0),
      exit = throng.box(-2.4, 7, 0, 8),
      before = { throng.box(-4.5, -2.4, -2.5, 0), throng.box(1, -2.4, 3, 0) },
      behind = throng.box(-2.4, 1, 0, 3),
    },
  },
  seconds = 90,
  until_done = false,
}

world:source {
  name = "people",
  rate = 2 * params.inflow,
  where = { "left", "right" },
  to = "exit",
  planner = params.planner,
  time_gap = params.time_gap,
  body = throng.stadium {
    width = throng.uniform(params.shoulders - 0.04, params.shoulders + 0.04),
    depth = throng.uniform(params.depth - 0.03, params.depth + 0.03),
  },
  speed = throng.uniform(params.speed - params.spread, params.speed + params.spread),
}

-- From 40 s on, when as many leave as come, or the jam has grown past the measuring areas.
world:measure { region = "before", method = "voronoi", from = 40 }
world:measure { region = "behind", method = "voronoi", from = 40 }
world:measure { flow = { { -2.4, 2 }, { 0, 2 } }, name = "exit", from = 40 }

return world
