-- Two groups cross a hall full of pillars. Visitors find their way through the
-- portals of the navigation mesh; guards go from pillar corner to pillar corner, by
-- the roadmap. Both walk the shortest paths there are.
local throng = require "throng"

local params = throng.params {
  count = { 120, 1, 400 }, -- of each
  visitors = "navmesh", -- how they find their paths: "navmesh", "roadmap" or "direct"
  guards = "roadmap",
}

local pillars = {}
for column = 0, 4 do
  for row = 0, 3 do
    local x, y = 9 + 6 * column, 3 + 7 * row + 2 * (column % 2)
    pillars[#pillars + 1] = throng.box(x, y, x + 2, y + 2)
  end
end

local world = throng.world {
  map = throng.map { name = "pillars", boundary = throng.box(0, 0, 44, 30), walls = pillars },
  regions = {
    west = throng.box(1, 1, 7, 29),
    east = throng.box(37, 1, 43, 29),
    ["west exit"] = throng.box(0, 12, 1, 18),
    ["east exit"] = throng.box(43, 12, 44, 18),
  },
  seed = 11,
  seconds = 180,
}

local visitors = world:spawn { name = "visitors", count = params.count, where = "west", routing = params.visitors }
visitors:go_to "east exit"

local guards = world:spawn { name = "guards", count = params.count, where = "east", routing = params.guards }
guards:go_to "west exit"

for _, group in ipairs { visitors, guards } do
  group:on("arrived", function(arrived) arrived:remove() end)
end

return world
