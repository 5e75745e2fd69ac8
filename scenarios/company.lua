-- People who walk together: pairs and threes in a street, and a family of four that waits for its slowest.
--   throng run scenarios/company.lua --png company.png --at 20
local throng = require "throng"

local p = throng.params {
  count = { 120, 1, 600 }, -- people each way
  lambda = { 0.83, 0.01, 4 }, -- more: larger companies
}

local world = throng.world {
  seed = 3,
  map = throng.map { boundary = throng.box(0, 0, 60, 8) }, -- m
  regions = { west = throng.box(0, 0, 12, 8), east = throng.box(48, 0, 60, 8) },
  seconds = 90,
}

local function walkers(name, from, to)
  return world:source {
    name = name,
    rate = 2, -- persons/s
    limit = p.count,
    where = from,
    to = to,
    speed = throng.normal(1.34, 0.26), -- m/s
    company = throng.poisson_truncated(p.lambda),
  }
end

walkers("eastward", "west", "east")
walkers("westward", "east", "west")

local family = world:spawn { name = "family", count = 4, where = "west" }
family.speed = { 1.4, 1.3, 1.3, 0.8 } -- m/s: a child is the last
family:walk_together():go_to "east"

return world
