-- Ten thousand paths at once. A script asks the path queue for all of them in one step; no frame spends more than
-- world.paths.budget expansions on them, and a second later everybody has an answer.
local throng = require "throng"

local params = throng.params { requests = 10000, seconds = 1, report = true }

local building = throng.map "maps/willow.yaml"
local world = throng.world { map = building, seconds = params.seconds, until_done = false, record = false }

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
