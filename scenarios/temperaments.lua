-- Three routes to one goal, by one planner: figure 2 of Fischer and others (2009).
-- The calm one keeps to the middle between walls; the bent one is drawn along v = (1, 0) by epsilon = -1; the swaying
-- one by v = (1, sin 0.6 t).
--   throng run scenarios/temperaments.lua
-- Why the bent one, agent 1, goes where it goes after 10 s: its local map.
--   throng run scenarios/temperaments.lua --png why.png --at 10 --probe 1
local throng = require "throng"

local turn -- once there are walkers
local params = throng.params {
  size = 21, -- cells of their local maps
  inertia = { -- of how they turn: 0: at once
    0.5, 0.0, 0.95, on_change = function(inertia) turn(inertia) end,
  },
}

local world = throng.world {
  people = false, -- discs, as in the paper
  map = throng.map {
    boundary = throng.box(0, 0, 24, 12),
    walls = { throng.box(7, 4, 9, 8), throng.box(13, 0, 14, 5), throng.box(13, 8, 14, 12), throng.box(18, 5, 19, 7) },
  },
  regions = { goal = throng.box(22, 4, 23.5, 8) },
  dt = 0.05,
  seconds = 120,
  record = { every = 0.1 },
}

local walkers = {}

function turn(inertia)
  for _, walker in ipairs(walkers) do walker.group.planner = walker.planner(inertia) end
end

local function walker(name, time, epsilon, v)
  local function planner(inertia)
    return throng.bvp { epsilon = epsilon, v = v, size = params.size, inertia = inertia }
  end
  world:at(time, function()
    local group = world:spawn {
      name = name,
      at = { { 1.5, 6 } },
      radius = 0.2,
      speed = 1,
      routing = "field",
      planner = planner(params.inertia),
    }
    walkers[#walkers + 1] = { group = group, planner = planner }
    group:go_to "goal"
    group:on("arrived", function(set) set:remove() end)
  end)
end

walker("calm", 0, 0, { 1, 0 })
walker("bent", 4, -1, { 1, 0 })
walker("swaying", 8, -1, function(t) return 1, math.sin(0.6 * t) end)

return world
