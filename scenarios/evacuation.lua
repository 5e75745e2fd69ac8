-- Everybody leaves the building: 500 people, in the offices and halls of a real
-- floor plan, walk to the nearest of four exits.
local throng = require "throng"

local staff, guests
local params = throng.params {
  staff = 200, -- people in the offices
  guests = 300, -- people in the halls
  hurry = { -- 1: at ease; a slider of `throng view`
    1.0, 0.3, 1.5, on_change = function(hurry)
      staff.speed = throng.normal(1.34 * hurry, 0.26 * hurry)
      guests.speed = throng.normal(1.2 * hurry, 0.2 * hurry)
    end,
  },
}

-- Metres on the plan; `throng map maps/willow.yaml --png plan.png` draws it.
local regions = {
  offices = {
    throng.box(9.2, 42.2, 12.0, 44.6), -- along the north front
    throng.box(13.0, 42.0, 15.6, 44.6),
    throng.box(26.3, 42.6, 29.6, 44.8),
    throng.box(30.8, 42.8, 33.4, 44.8),
    throng.box(38.6, 42.9, 41.2, 44.6),
    throng.box(42.3, 43.2, 44.8, 45.2),
    throng.box(9.2, 35.4, 11.8, 37.6), -- south of the north-west corridor
    throng.box(16.6, 34.9, 19.0, 37.4),
    throng.box(20.2, 35.0, 22.8, 37.6),
    throng.box(22.8, 27.4, 25.4, 29.2), -- around the west hall
    throng.box(23.0, 23.0, 25.4, 25.4),
    throng.box(23.0, 19.6, 25.6, 21.8),
    throng.box(4.4, 2.0, 6.8, 4.6), -- along the south front
    throng.box(10.4, 1.8, 13.0, 4.8),
    throng.box(52.2, 19.6, 55.4, 23.4), -- along the east front
    throng.box(52.2, 7.6, 56.2, 11.2),
  },
  halls = {
    throng.box(9.8, 24.4, 21.2, 30.2), -- west hall
    throng.box(26.0, 30.6, 34.2, 37.6), -- centre
    throng.box(36.4, 24.4, 46.6, 31.4), -- auditorium
    throng.box(37.4, 10.0, 49.4, 23.0), -- workshop
    throng.box(2.4, 8.2, 13.4, 15.4), -- canteen
  },
  exits = {
    throng.box(45.2, 43.4, 48.2, 45.8), -- north
    throng.box(1.2, 4.8, 3.2, 6.4), -- west
    throng.box(33.4, 5.2, 34.8, 7.4), -- south
    throng.box(43.0, 5.6, 44.4, 7.4), -- east
  },
}

local world = throng.world {
  map = "maps/willow.yaml",
  regions = regions,
  dt = 0.1, -- s
  seed = 7,
  seconds = 300, -- give up then
}

staff = world:spawn {
  name = "staff",
  count = params.staff,
  where = "offices",
  radius = throng.uniform(0.20, 0.25), -- m
  speed = throng.normal(1.34 * params.hurry, 0.26 * params.hurry), -- m/s
  planner = throng.orca { horizon = 3 }, -- s
}

guests = world:spawn {
  name = "guests",
  count = params.guests,
  where = "halls",
  radius = throng.uniform(0.20, 0.25),
  speed = throng.normal(1.2 * params.hurry, 0.2 * params.hurry), -- they do not know the way as well
  planner = throng.orca { horizon = 3 },
}

for _, group in ipairs { staff, guests } do
  group:go_to "exits"
  group:on("arrived", function(arrived) arrived:remove() end)
end

return world
