-- How fast people walk at a density: a corridor of 40 x 5 m that goes on round a torus, walked one way (RiMEA test 4).
-- The speed is printed beside what Weidmann (1993) measured. Without a time gap people slow down only where they touch:
--   throng run scenarios/speed_density.lua --set density=2.0 --set planner=rvo --set time_gap=0.0
-- More of the kind, for all planners: tests/people/RESULTS.md.
local throng = require "throng"

local people, params
params = throng.params {
  planner = "orca", -- or "clearpath", "rvo", "forces"
  density = { 2.0, 0.1, 4.0 }, -- persons/m^2
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

local LENGTH, WIDTH = 40, 5 -- m

local world = throng.world {
  map = throng.map { boundary = throng.box(0, 0, LENGTH, WIDTH) },
  wrap = { LENGTH, 2 * WIDTH },
  seconds = 40,
  until_done = false,
}

people = world:spawn {
  count = math.floor(params.density * LENGTH * WIDTH + 0.5),
  name = "people",
  body = params.shoulders > 0 and throng.stadium {
    width = throng.uniform(params.shoulders - 0.04, params.shoulders + 0.04),
    depth = throng.uniform(params.depth - 0.03, params.depth + 0.03),
  } or throng.disc { radius = throng.uniform(params.radius - 0.025, params.radius + 0.025) },
  speed = throng.uniform(params.speed - params.spread, params.speed + params.spread),
  planner = params.planner,
  time_gap = params.time_gap,
}
people.desired = function(_, a) return a.speed, 0 end
world:measure { speed = true, from = 20, name = "people" }

world:at(39, function()
  local sum = 0
  for _, vx in ipairs(people.vx) do
    sum = sum + vx
  end
  local weidmann = 1.34 * (1 - math.exp(-1.913 * (1 / params.density - 1 / 5.4)))
  print(("%g persons/m^2: %.2f m/s; Weidmann %.2f m/s"):format(params.density, sum / #people, weidmann))
end)

return world
