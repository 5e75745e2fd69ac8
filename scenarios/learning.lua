-- An environment for programs that learn: four walkers cross a hall against a stream of people, and say in each half
-- second where they wish to walk. `throng run` lets them walk by their planner, for comparison.
--
--   python3: throng.gym.VectorEnv("scenarios/learning.lua", num_envs=32)
local throng = require "throng"
local params = throng.params { learners = { 4, 1, 16 }, others = { 12, 1, 40 } }

local world = throng.world {
  map = throng.map {
    boundary = throng.box(0, 0, 24, 8),
    walls = { throng.box(11.8, 0, 12.2, 2.5), throng.box(11.8, 5.5, 12.2, 8) },
    regions = { left = throng.box(0.5, 0.5, 6, 7.5), right = throng.box(18, 0.5, 23.5, 7.5) },
  },
  seconds = 40,
}
local walkers = world:spawn { name = "walkers", count = params.learners, where = "left", colour = "#c33" }
walkers:go_to "right"
world:spawn { name = "others", count = params.others, where = "right" }:go_to "left"

local before = {} -- where they were, by id
for i, x in ipairs(walkers.x:list()) do before[walkers.id[i]] = x end

world:environment {
  learners = walkers, every = 0.5,
  observe = { "x", "y", "vx", "vy" }, neighbours = 3, rays = 12, range = 6,
  velocity = 1.4,
  reward = function(learners) -- metres won, a tenth of one less for each action; 5 for who is there
    local worth, ids, xs = {}, learners.id:list(), learners.x:list()
    for i, x in ipairs(xs) do
      local id = ids[i]
      worth[i] = x - before[id] - 0.1 + (x >= 18 and 5 or 0)
      before[id] = x
    end
    return worth
  end,
  ended = function(learners)
    local there = {}
    for i, x in ipairs(learners.x:list()) do there[i] = x >= 18 and 1 or 0 end
    return there
  end,
}

return world
