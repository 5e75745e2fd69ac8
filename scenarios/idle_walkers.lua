-- 500 people in a factory hall with nothing urgent to do: each follows a random path, waits and observes, or wanders
-- around, and picks what comes next at random. The agents, and the industrial indoor map, of "Dynamic object avoidance"
-- (O'Sullivan, 2009, sections 4.3.2 and 5.2.3).
--   throng run scenarios/idle_walkers.lua --seconds 120
local throng = require "throng"

local params = throng.params { people = { 500, 1, 2000 }, places = { 24, 1, 100 } }

-- Aisles of 4 m between machines, offices along the east side with doors of 1.6 m.
local walls = {}
for column = 0, 4 do
  for row = 0, 4 do
    local x, y = 6 + 13 * column, 6 + 11 * row
    walls[#walls + 1] = throng.box(x, y, x + 9, y + 3)
    walls[#walls + 1] = throng.box(x + 2, y + 3, x + 4, y + 7)
  end
end
for office = 0, 5 do
  local y = 10 * office
  walls[#walls + 1] = throng.box(74, y + (office > 0 and 0 or 0.1), 74.2, y + 4.2)
  walls[#walls + 1] = throng.box(74, y + 5.8, 74.2, y + 9.9)
  if office > 0 then walls[#walls + 1] = throng.box(74, y - 0.1, 84, y + 0.1) end
end

local world = throng.world {
  people = false, -- discs, as in the paper
  map = throng.map { boundary = throng.box(0, 0, 84, 60), walls = walls, name = "factory hall" },
  seed = 4,
  seconds = 300,
  until_done = false,
}

local people = world:spawn {
  name = "people",
  count = params.people,
  radius = throng.uniform(0.20, 0.25), -- m
  speed = throng.normal(1.2, 0.2), -- m/s
}
people:run(throng.goals.idle_walker { places = params.places })

return world
