-- Which time gap, size and speed make people walk as they were measured to, in a corridor and through bottlenecks at
-- once? And do these hold for widths that they were not fitted to?
--   throng study scenarios/studies/calibrate_people.lua --report
local throng = require "throng"

return throng.calibrate {
  parameters = { time_gap = { 0.2, 1.2, 0.6 }, radius = { 0.18, 0.26 }, speed = { 1.2, 1.6, 1.34 } },
  experiments = {
    -- Medians of people who walk one way through open corridors. Our statistics of measurements by Zhang, Klingsch,
    -- Schadschneider and Seyfried (J. Stat. Mech. P06004, 2011).
    corridor = {
      scenario = "../speed_density.lua",
      over = "density",
      measure = {
        speed = function(world) -- m/s, at the end
          local sum = 0
          for _, vx in ipairs(world.agents.vx) do sum = sum + vx end
          return sum / #world.agents
        end,
      },
      data = {
        { density = 0.625, speed = 1.426 },
        { density = 1.125, speed = 1.221 },
        { density = 1.625, speed = 1.068 },
        { density = 2.125, speed = 0.602 },
        { density = 2.625, speed = 0.393 },
      },
      tolerance = 0.15, -- m/s: so much differ the 10th and 90th of 100 from the median
    },
    -- Persons/s: Seyfried, Passon, Steffen, Boltes, Rupprecht and Klingsch (2009).
    bottleneck = {
      scenario = "../bottleneck.lua",
      over = "width",
      measure = { flow = "flow.bottleneck" },
      data = {
        { width = 0.8, flow = 1.29 },
        { width = 1.0, flow = 1.90 },
        { width = 1.2, flow = 2.36 },
      },
      within = 0.1,
    },
    -- Wider ones, of the series that Liddle and others (2009) and Rupprecht and others (2011) analyse.
    ["wide bottleneck"] = {
      scenario = "../bottleneck.lua",
      over = "width",
      measure = { flow = "flow.bottleneck" },
      data = { { width = 1.6, flow = 2.84 }, { width = 2.0, flow = 3.55 }, { width = 2.5, flow = 5.12 } },
      within = 0.1,
      held_out = true,
    },
  },
  runs = 2,
  evaluations = 50,
  polish = 15,
  front = 5,
  profile = 4,
  verify = 6,
}
