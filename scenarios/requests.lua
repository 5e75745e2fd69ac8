-- Ten thousand paths at once. A script asks the path queue for all of them in one step; no frame spends more than
-- world.paths.budget expansions on them, and a second later everybody has an answer.
local throng = require "throng"

local world
local params = throng.params {
  requests = { 10000, 1, 20000 },
  budget = { 524288, 1000, 524288, on_change = function(budget) world.paths.budget = budget end }, -- expansions a frame
  seconds = 1,
  report = true,
}

local building = throng.map "maps/willow.yaml"
world = throng.world { map = building, seconds = params.seconds, until_done = false, record = false }
world.paths.budget = params.budget

local answered, longest = 0, 0
for _ = 1, params.requests do
  world.paths:request {
    from = building:random_point(nil, 0.3),
    to = building:random_point(nil, 0.3),
    radius = 0.25,
    on = function(corners, length)
      answered = answered + 1
      if corners and length > longest then longest = length end
      if answered == params.requests and params.report then
        print(("%d paths after %.1f s, the longest of %.1f m"):format(answered, world.time, longest))
      end
    end,
  }
end

return world
