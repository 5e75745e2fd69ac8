-- People leave a room by a bottleneck: how many get through in a second, by its width?
--   throng run scenarios/bottleneck.lua --set width=0.8
-- Measured: 1.3 persons/s through 0.8 m, 1.9 through 1.0 m, 2.4 through 1.2 m (Seyfried and others, 2009). As discs
-- that keep no time gap, as the papers have them: scenarios/door.lua. Fitted to what was measured of people, here and
-- in a corridor at once: scenarios/studies/calibrate_people.lua.
local throng = require "throng"

local people, params
params = throng.params {
  width = { 1.0, 0.5, 5.0 }, -- m
  planner = "orca",
  count = 100,
  time_gap = { 0.6, 0.0, 5.0, on_change = function(gap) people.time_gap = gap end }, -- s
  radius = { 0.225, 0.1, 0.3 }, -- m, in the mean
  shoulders = { 0.0, 0.0, 0.7 }, -- m: how wide people are in the mean, in place of discs of that radius
  depth = { 0.24, 0.15, 0.4 }, -- m: and how deep
  speed = { -- m/s, where nobody is in the way
    1.34, 0.5, 2.0, on_change = function(speed)
      people.speed = throng.uniform(speed - params.spread, speed + params.spread)
    end,
  },
  spread = { 0.1, 0.0, 0.5 }, -- m/s: how much faster, or slower, people are at most
}

local half = params.width / 2
local world = throng.world {
  map = throng.map {
    name = "bottleneck",
    boundary = throng.box(-10, -5, 12, 5),
    walls = { throng.box(0, half, 1, 5), throng.box(0, -5, 1, -half) },
    regions = { room = throng.box(-10, -5, 0, 5), outside = throng.box(8, -5, 12, 5) },
  },
  seconds = 300,
}

people = world:spawn {
  name = "people",
  count = params.count,
  where = "room",
  planner = params.planner,
  time_gap = params.time_gap,
  body = params.shoulders > 0 and throng.stadium {
    width = throng.uniform(params.shoulders - 0.04, params.shoulders + 0.04),
    depth = throng.uniform(params.depth - 0.03, params.depth + 0.03),
  } or throng.disc { radius = throng.uniform(params.radius - 0.025, params.radius + 0.025) },
  speed = throng.uniform(params.speed - params.spread, params.speed + params.spread),
}
people:go_to "outside"
people:on("arrived", function(group) group:remove() end)
world:measure { flow = { { 0, -half }, { 0, half } }, name = "bottleneck" }

return world
