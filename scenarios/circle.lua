-- RVO2's Circle: 250 agents on a circle of 200 m, each to the place opposite.
-- Parameters are RVO2's own, so that its trajectories can be compared.
local throng = require "throng"

local COUNT, RADIUS = 250, 200

local places, opposite = {}, {}
for i = 1, COUNT do
  local angle = 2 * math.pi * (i - 1) / COUNT
  local x, y = RADIUS * math.cos(angle), RADIUS * math.sin(angle)
  places[i], opposite[i] = { x, y }, { -x, -y }
end

local world = throng.world { dt = 0.25, seconds = 1000 }

local walkers = world:spawn {
  name = "walkers",
  at = places,
  radius = 1.5, -- m
  speed = 1, -- m/s
  max_speed = 2, -- m/s
  planner = throng.orca { horizon = 10, wall_horizon = 10, sight = 15, neighbours = 10 },
}
walkers:go_to(opposite, { radius = 1.5 })

return world
