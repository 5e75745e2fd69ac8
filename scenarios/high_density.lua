-- High density ("Dynamic object avoidance", O'Sullivan, 2009): four groups cross on a torus, and lanes form. At right
-- angles these are short files: a third of those close ahead of somebody go the same way, and a sixth come towards him,
-- where by chance it is a quarter each. Two groups (--set groups=2) part into lanes altogether.
-- With own = 1, the paper's equations to the letter, two groups form lanes as well, though not as clear, and four form
-- none: who walks the same way ahead pushes aside for as long as he is followed, who comes towards one for a moment.
--   throng run scenarios/high_density.lua --png high_density.png --at 60
local throng = require "throng"

local params = throng.params {
  count = 2000, -- people, in all groups
  groups = 4, -- 2: east and west alone
  density = 0.5, -- persons/m^2
  planner = "forces",
  own = 0, -- what avoiding those who walk the same way weighs: nothing; 1: as much as others; below 0: drawn to them
}

local size = math.sqrt(params.count / params.density)
local world = throng.world { wrap = { size, size }, dt = 0.1, seconds = 60 }
local forces = throng.forces { length = 6, width = 3, avoidance = 0.1 }

for i, way in ipairs { { "east", 1, 0 }, { "west", -1, 0 }, { "north", 0, 1 }, { "south", 0, -1 } } do
  if i > params.groups then break end
  local name, x, y = table.unpack(way)
  local crowd = world:spawn {
    name = name,
    count = (params.count + i - 1) // params.groups,
    where = throng.box(0, 0, size, size),
    speed = throng.normal(1.34, 0.2), -- m/s
    planner = params.planner == "forces" and forces or params.planner,
  }
  crowd.desired = function(_, a) return x * a.speed, y * a.speed end
  world:avoidance(name, name, params.own)
end

return world
