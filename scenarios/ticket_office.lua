-- Visitors come in, line up at the ticket office, and go on to the museum. Some chat in the
-- middle of the passage; whoever gets stuck there tells why, and the chatters step aside.
local throng = require "throng"

local params = throng.params {
  rate = { 0.35, 0.05, 2.0 }, -- visitors a second
  serve = { 2.5, 0.5, 20.0 }, -- s that a ticket takes, about
}

local world = throng.world {
  map = throng.map {
    name = "ticket office",
    boundary = throng.box(0, 0, 30, 12),
    walls = { throng.box(16, 0, 16.3, 7), throng.box(16, 8.2, 16.3, 12), throng.box(11, 10, 13, 12) },
  },
  regions = { entrance = throng.box(0.5, 0.5, 4, 4), museum = throng.box(28, 0, 30, 12) },
  seed = 5,
  seconds = 300,
}

local office = world:queue {
  line = { { 12, 9.4 }, { 5, 9.4 }, { 5, 6 } },
  serve = throng.uniform(0.6 * params.serve, 1.4 * params.serve),
  served = function(visitor) visitor:go_to "museum" end,
}

world:source {
  name = "visitors",
  rate = params.rate,
  limit = 60,
  where = "entrance",
  each = function(batch) office:join(batch) end,
}
world:sink { where = "museum" }

-- Two who chat in the way, and give way to nobody.
local chatters = world:spawn {
  name = "chatters", at = { { 16.15, 7.3 }, { 16.15, 7.9 } }, planner = "none", mass = 800,
}
world.groups.visitors:on("stuck", function(stuck, cause)
  print(("%5.1f s: %d stuck, %s"):format(world.time, stuck.count, cause))
  chatters.planner = "orca"
  chatters:go_to { 17.5, 3 }
end)

return world
