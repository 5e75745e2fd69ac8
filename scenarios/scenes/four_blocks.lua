-- The scene that RVO2's Blocks and Roadmap share: four square blocks around a
-- crossing, and 25 agents in each corner who want to the corner opposite.
local throng = require "throng"

local scene = {
  blocks = {
    throng.box(-40, 10, -10, 40),
    throng.box(10, 10, 40, 40),
    throng.box(10, -40, 40, -10),
    throng.box(-40, -40, -10, -10),
  },
  places = {}, -- {x, y} of each agent
  goals = {}, -- {x, y} of each agent's goal
  body = { radius = 2, speed = 1, max_speed = 2 }, -- m, m/s, m/s
  planner = throng.orca { horizon = 5, wall_horizon = 5, sight = 15, neighbours = 10 },
}

local corners = { { 1, 1 }, { -1, 1 }, { 1, -1 }, { -1, -1 } }
for i = 0, 4 do
  for j = 0, 4 do
    for _, sign in ipairs(corners) do
      local count = #scene.places
      scene.places[count + 1] = { sign[1] * (55 + 10 * i), sign[2] * (55 + 10 * j) }
      scene.goals[count + 1] = { -75 * sign[1], -75 * sign[2] }
    end
  end
end

return scene
