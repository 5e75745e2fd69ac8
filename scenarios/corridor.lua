-- Two crowds meet in a corridor and sort themselves into lanes.
--   throng run scenarios/corridor.lua --set planner=orca
local throng = require "throng"

local params = throng.params {
  planner = "forces", -- or "orca", "clearpath", "none"
  count = { 120, 2, 1000 }, -- people, both ways together
  length = { 60, 10.0, 200 }, -- m
  width = { 8, 1.0, 40 }, -- m
}

local length, width = params.length, params.width
local world = throng.world {
  people = false, -- the planner alone: people form lanes whatever it is
  map = throng.map { name = "corridor", boundary = throng.box(0, 0, length, width) },
  dt = 0.1,
  seconds = 4 * length,
  regions = {
    west = throng.box(0, 0, 0.4 * length, width),
    east = throng.box(0.6 * length, 0, length, width),
    ["west end"] = throng.box(0, 0, 2, width),
    ["east end"] = throng.box(length - 2, 0, length, width),
  },
}

for _, way in ipairs { { "west", "east end" }, { "east", "west end" } } do
  local crowd = world:spawn {
    name = "from the " .. way[1],
    count = params.count // 2,
    where = way[1],
    radius = 0.25, -- m
    speed = throng.normal(1.34, 0.2), -- m/s
    planner = params.planner,
  }
  crowd:go_to(way[2])
  crowd:on("arrived", function(group) group:remove() end)
end

return world
