-- Everybody has an errand of its own: 100 people in an office building, each on the way to another place. Their paths
-- come from the path queue (see requests.lua), one for each; nobody shares a way.
local throng = require "throng"

local params = throng.params { count = { 100, 1, 600 } }

local building = throng.map "maps/willow.yaml"
local world = throng.world { map = building, seconds = 300 }

local people = world:spawn { count = params.count, radius = throng.uniform(0.18, 0.22), name = "people" }

local errands = {}
for i = 1, people.count do
  errands[i] = building:random_point(nil, 0.3)
end
people:go_to(errands)
people:on("arrived", function(group) group:remove() end)

return world
