-- 200 people cross a hall in which 600 boxes stand about (O'Sullivan, "Dynamic object avoidance", 2009): they walk
-- round the heavy ones and shove the light ones out of their way.
local throng = require "throng"

local world = throng.world {
  people = false, -- discs, as in the paper
  map = throng.map { boundary = throng.box(0, 0, 50, 40) },
  regions = { west = throng.box(0, 0, 4, 40), east = throng.box(46, 0, 50, 40) },
  seconds = 240,
}

world:bodies {
  count = 600,
  box = { throng.uniform(0.3, 1.2), throng.uniform(0.3, 0.8) },
  angle = throng.uniform(0, 2 * math.pi),
  mass = throng.uniform(5, 150), -- kg
  friction = 0.5,
  where = throng.box(5, 0, 45, 40),
}

local function crowd(name, from, to)
  local group = world:spawn {
    count = 100, where = from, name = name, planner = throng.forces { published = 1 }, speed = throng.normal(1.34, 0.2),
  }
  group:go_to(to)
end
crowd("eastbound", "west", "east")
crowd("westbound", "east", "west")

return world
