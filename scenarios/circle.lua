-- RVO2's Circle: 250 agents on a circle of 200 m, each to the place opposite.
-- Parameters are RVO2's own, so that its trajectories can be compared.
local throng = require "throng"

local COUNT, RADIUS = 250, 200

-- RVO2 reckons in single precision, and a start 0.1 mm beside its own would show.
local function single(value) return (string.unpack("f", string.pack("f", value))) end

local places, opposite = {}, {}
for i = 1, COUNT do
  local angle = single(single((i - 1) * single(2 * math.pi)) * single(1 / COUNT))
  local x, y = RADIUS * single(math.cos(angle)), RADIUS * single(math.sin(angle))
  places[i], opposite[i] = { x, y }, { -x, -y }
end

local world = throng.world { people = false, dt = 0.25, seconds = 1000 }

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
