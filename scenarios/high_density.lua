-- High density ("Dynamic object avoidance", O'Sullivan, 2009): four groups cross on a torus, and lanes form.
-- At right angles these are files, as long as nobody cuts them.
--   throng run scenarios/high_density.lua --png high_density.png --at 60
local throng = require "throng"

local params = throng.params {
  count = 2000, -- people, in four groups
  density = 0.5, -- persons/m^2
  planner = "forces",
  own = -2, -- what avoiding those who walk the same way weighs: they are followed; 1: avoided like the others
}

local size = math.sqrt(params.count / params.density)
local world = throng.world { wrap = { size, size }, dt = 0.1, seconds = 60 }

for i, way in ipairs { { "east", 1, 0 }, { "west", -1, 0 }, { "north", 0, 1 }, { "south", 0, -1 } } do
  local name, x, y = table.unpack(way)
  local crowd = world:spawn {
    name = name,
    count = (params.count + i - 1) // 4,
    where = throng.box(0, 0, size, size),
    speed = throng.normal(1.34, 0.2), -- m/s
    planner = params.planner,
  }
  crowd.desired = function(_, a) return x * a.speed, y * a.speed end
  world:avoidance(name, name, params.own)
end

return world
