-- Everybody stands on a circle and wants to the place opposite: all routes cross
-- in the middle.
--   throng run scenarios/crossing.lua --set count=10000
-- ClearPath's Circle-1K, which swirls in the middle:
--   throng run scenarios/crossing.lua --set planner=clearpath --png circle.png --at 90
local throng = require "throng"

local walkers
local params = throng.params {
  count = { 1000, 4 },
  planner = "orca",
  speed = { 1.3, 0.4, 2, on_change = function(speed) walkers.speed, walkers.max_speed = speed, speed + 0.3 end }, -- m/s
}

local SPACING = 0.6 -- m: from one to the next along the circle; bodies are 0.5 m wide

local places, opposite = {}, {}
local radius = params.count * SPACING / (2 * math.pi)
for i = 1, params.count do
  local angle = 2 * math.pi * (i - 1) / params.count
  local x, y = radius * math.cos(angle), radius * math.sin(angle)
  places[i], opposite[i] = { x, y }, { -x, -y }
end

local world = throng.world { people = false, dt = 0.1, seconds = 20 * radius }

walkers = world:spawn {
  name = "walkers",
  at = places,
  radius = 0.25, -- m
  speed = params.speed,
  max_speed = params.speed + 0.3, -- m/s
  planner = params.planner,
}
walkers:go_to(opposite, { radius = 0.5 })

return world
