-- By when is the building empty, nineteen times of twenty, and how much later with twice the guests? As many runs as it
-- takes to know that to 3 %.
--   throng study scenarios/studies/evacuation.lua
local throng = require "throng"

return throng.study {
  scenario = "../evacuation.lua",
  factors = { guests = { 300, 600 } },
  runs = throng.until_precise { of = "p95(last_arrival)", within = 0.03, least = 40, most = 200 },
  measure = { "last_arrival", "mean_travel" },
}
