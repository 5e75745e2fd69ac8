-- How much does a wider door help, and does it depend on who plans? Four widths under three planners, ten rooms full of
-- people each.
--   throng study scenarios/studies/door.lua --report
local throng = require "throng"

return throng.study {
  scenario = "../door.lua",
  factors = { width = { 0.8, 1.0, 1.2, 1.6 }, planner = { "orca", "clearpath", "rvo" } },
  runs = 10,
  measure = {
    "last_arrival", "mean_travel",
    flow = function(world) -- 1/s, between the first and the last who are through
      local stats = world:stats()
      return (stats.arrived - 1) / (stats.last_arrival - stats.first_arrival)
    end,
  },
}
