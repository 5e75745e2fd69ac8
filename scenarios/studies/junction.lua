-- Which planner brings four times 200 people through a junction, and how soon?
--   throng study scenarios/studies/junction.lua --report
local throng = require "throng"

return throng.study {
  scenario = "../tutorial/11_a_junction.lua",
  factors = { planner = { "orca", "clearpath", "rvo", "bvp", "forces", "power_law", "social_force" } },
  runs = 5,
  measure = { "arrived", "mean_travel", "last_arrival" },
}
