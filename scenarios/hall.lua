-- 200 people cross a hall with 36 pillars, 100 each way. The pillars are left out of the navigation mesh, which is one
-- face then: paths lead straight on, and people pass the pillars as they pass each other (O'Sullivan, "Dynamic object
-- avoidance", 2009, section 6.2.4). --set pillars=0 puts them into the mesh: paths bend at their corners.
local throng = require "throng"

local params = throng.params {
  planner = "orca",
  pillars = { 0.6, 0.0, 2.0 }, -- m: what is no wider is left out
  size = { 0.4, 0.1, 1.5 }, -- m: their sides
  routing = "navmesh",
}

local walls = {}
for x = 4, 24, 4 do
  for y = 4, 24, 4 do
    local half = params.size / 2
    walls[#walls + 1] = throng.box(x - half, y - half, x + half, y + half)
  end
end

local world = throng.world {
  map = throng.map { name = "hall", boundary = throng.box(0, 0, 28, 28), walls = walls, pillars = params.pillars },
  regions = { west = throng.box(0, 0, 3, 28), east = throng.box(25, 0, 28, 28) },
  seconds = 120,
}

local function crowd(name, from, to)
  local group = world:spawn {
    name = name, count = 100, where = from, planner = params.planner, routing = params.routing,
  }
  group:go_to(to)
  group:on("arrived", function(arrived) arrived:remove() end)
end
crowd("eastbound", "west", "east")
crowd("westbound", "east", "west")

return world
