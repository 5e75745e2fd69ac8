-- A crosswalk: four groups of a hundred meet on a walkway, two from each end, and
-- form lanes (Bleiweiss, 2009). The lane index, printed every so many seconds, is 1
-- when everybody walks in a lane of their own direction and near 0 when mixed.
--   throng run scenarios/crosswalk.lua --set planner=clearpath --png lanes.png --at 30
local throng = require "throng"

local groups = {}
local plan -- once there are people
local params = throng.params {
  each = { 100, 1, 200 },
  planner = "rvo",
  samples = { 1000, 10, 1000, on_change = function() plan() end }, -- velocities that each of them tries
  people = false, -- false: discs, as in the paper
  every = 10, -- s
}

local LENGTH, WIDTH = 60, 12 -- m

-- Between two rows of houses (8 sides).
local walkway = throng.map {
  name = "crosswalk",
  walls = {
    throng.box(-LENGTH / 2, -WIDTH / 2 - 4, LENGTH / 2, -WIDTH / 2),
    throng.box(-LENGTH / 2, WIDTH / 2, LENGTH / 2, WIDTH / 2 + 4),
  },
}

local world = throng.world {
  people = params.people,
  map = walkway,
  dt = 0.0625, -- s
  seconds = 150,
  regions = {
    west = throng.box(-LENGTH / 2, -WIDTH / 2, -LENGTH / 2 + 1.5, WIDTH / 2),
    east = throng.box(LENGTH / 2 - 1.5, -WIDTH / 2, LENGTH / 2, WIDTH / 2),
  },
}

local function planner()
  if params.planner ~= "rvo" then return params.planner end
  return throng.rvo { samples = params.samples, sight = 10, neighbours = 10 }
end

function plan()
  for _, group in ipairs(groups) do group.planner = planner() end
end

for _, sign in ipairs { -1, 1 } do
  for row = 1, 2 do
    local x, y = 6 + 8.5 * (row - 1), WIDTH / 2 - 0.5
    local group = world:spawn {
      name = (sign < 0 and "eastwards " or "westwards ") .. row,
      count = params.each,
      where = throng.box(sign * x, -y, sign * (x + 8), y),
      radius = 0.25, -- m
      speed = throng.normal(1.3, 0.15), -- m/s
      planner = planner(),
    }
    groups[#groups + 1] = group
    group:go_to(sign < 0 and "east" or "west")
    group:on("arrived", function(arrived) arrived:remove() end)
  end
end

local lanes = world:measure { lanes = throng.box(-12, -WIDTH / 2, 12, WIDTH / 2), name = "lanes" }
if params.every > 0 then
  world:every(params.every, function(_, time)
    if #world.agents > 100 and lanes.now then print(("%5.1f s  lane index %.2f"):format(time, lanes.now)) end
  end)
end

return world
