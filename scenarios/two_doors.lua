-- A hall with two doors: a narrow one near the crowd, which jams, and one farther away,
-- which stays free. Who heeds congestion leaves the jam for the other door; try
-- `throng run scenarios/two_doors.lua --set congestion=false`.
local throng = require "throng"

local world
local params = throng.params {
  count = { 250, 1, 600 },
  congestion = true, -- do people look for routes round congestion?
  -- How many a second people think will get through a metre of door: the fewer, the sooner they turn to the other.
  capacity = { 1.5, 0.2, 5.0, on_change = function(capacity) world.stages.routing.capacity = capacity end },
}

world = throng.world {
  map = throng.map {
    name = "two doors",
    boundary = throng.box(0, 0, 46, 20),
    walls = { -- between the hall and the street, with doors of 1.2 m at y = 5 and of 2 m at y = 17
      throng.box(30, 0, 30.4, 4.4),
      throng.box(30, 5.6, 30.4, 16),
      throng.box(30, 18, 30.4, 20),
    },
  },
  regions = { hall = throng.box(8, 1, 24, 13), street = throng.box(43, 1, 45.5, 19) },
  seed = 5,
  seconds = 400,
}

world.stages.routing.capacity = params.capacity
local people = world:spawn {
  name = "people",
  count = params.count,
  where = "hall",
  speed = throng.normal(1.34, 0.2), -- m/s
  congestion = params.congestion,
}
people:go_to "street"
people:on("arrived", function(arrived) arrived:remove() end)

return world
