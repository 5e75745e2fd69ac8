-- Tutorial 4 of 11: what happens when: arrivals and timers.
local throng = require "throng"

local world = throng.world {
  map = throng.map { boundary = throng.box(0, 0, 30, 10) },
  regions = { platform = throng.box(1, 1, 10, 9), train = throng.box(28, 0, 30, 10) },
}

local passengers = world:spawn { name = "passengers", count = 50, where = "platform", speed = throng.uniform(1.0, 1.6) }

-- They stand and wait: nobody has told them to go anywhere yet. A timer does, after five seconds.
world:at(5, function()
  passengers:go_to "train"
end)

-- This is called after every step in which somebody arrived, with a group of those who did. Who is removed takes no
-- room in the world any more. A group may be named in as many places as you like: `passengers` shrinks by itself.
passengers:on("arrived", function(arrived)
  arrived:remove()
end)

-- Every ten seconds, until it returns false.
world:every(10, function(_, time)
  print(("%3d s: %d are still on the platform"):format(time, passengers.count))
  return passengers.count > 0
end)

return world
