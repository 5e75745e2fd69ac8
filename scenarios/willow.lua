-- A real office floor, scanned, as a building of three storeys: everybody leaves by the ground floor, by two stairwells
-- that turn back on landings in the courts, by an escalator in the auditorium, which runs down, and by a lift.
--   throng run scenarios/willow.lua --set staff=400 --report
local throng = require "throng"
local params = throng.params {
  staff = { 90, 1, 1000 }, -- people in the offices of each storey
  guests = { 120, 1, 1000 }, -- people in the halls of the ground floor
  storeys = { 3, 2, 6 }, -- as many have names below
  lift = true,
}

local RISE = 3.6 -- m

-- Metres on the plan; `throng map maps/willow.yaml --png plan.png` draws it.
local offices = {
  throng.box(9.2, 42.2, 12.0, 44.6), -- along the north front
  throng.box(13.0, 42.0, 15.6, 44.6),
  throng.box(26.3, 42.6, 29.6, 44.8),
  throng.box(30.8, 42.8, 33.4, 44.8),
  throng.box(38.6, 42.9, 41.2, 44.6),
  throng.box(42.3, 43.2, 44.8, 45.2),
  throng.box(9.2, 35.4, 11.8, 37.6), -- south of the north-west corridor
  throng.box(16.6, 34.9, 19.0, 37.4),
  throng.box(22.8, 27.4, 25.4, 29.2), -- around the west hall
  throng.box(23.0, 23.0, 25.4, 25.4),
  throng.box(4.4, 2.0, 6.8, 4.6), -- along the south front
  throng.box(10.4, 1.8, 13.0, 4.8),
  throng.box(52.2, 19.6, 55.4, 23.4), -- along the east front
  throng.box(52.2, 7.6, 56.2, 11.2),
}
local halls = {
  throng.box(9.8, 24.4, 21.2, 30.2), -- west hall
  throng.box(37.4, 10.0, 49.4, 23.0), -- workshop
  throng.box(2.4, 8.2, 13.4, 15.4), -- canteen
}
local exits = {
  throng.box(45.2, 43.4, 48.2, 45.8), -- north
  throng.box(1.2, 4.8, 3.2, 6.4), -- west
  throng.box(33.4, 5.2, 34.8, 7.4), -- south
  throng.box(43.0, 5.6, 44.4, 7.4), -- east
}

local NAMES = { [0] = "ground", "first", "second", "third", "fourth", "fifth" }
local floors, stairs, escalators = {}, {}, {}
for storey = 0, params.storeys - 1 do
  floors[NAMES[storey]] = {
    file = "maps/willow.yaml", z = storey * RISE,
    regions = storey == 0 and { offices = offices, halls = halls, exits = exits } or { offices = offices },
  }
  if storey > 0 then
    local from, to = NAMES[storey - 1], NAMES[storey]
    local function well(name, x, y)
      stairs[#stairs + 1] = {
        name = ("%s %d"):format(name, storey), from = from, to = to, foot = { x, y }, head = { x, y - 3.3 },
        width = 1.4, flights = 2, landing = 1.5, turn = "left",
      }
    end
    well("south stairs", 23.8, 17) -- in the south court, from the long corridor
    well("hall stairs", 28.8, 30.75) -- in the inner court, from the hall in the middle
    if storey == 1 then
      escalators[1] = {
        name = "escalator", from = from, to = to, foot = { 37.5, 27.75 }, head = { 44.5, 27.75 }, direction = "down",
      }
    end
  end
end

local world = throng.world {
  map = throng.building {
    name = "willow", floors = floors, stairs = stairs, escalators = escalators,
    lifts = params.lift and {
      { name = "lift", at = { 31, 18.2 }, back = { 31, 20.2 }, width = 2, capacity = 10, speed = 1.6 },
    } or {},
  },
  dt = 0.1, seed = 7, seconds = 600,
}

local function people(name, count, where)
  local group = world:spawn {
    name = name, count = count, where = where,
    radius = throng.uniform(0.20, 0.25), speed = throng.normal(1.34, 0.26),
    pre_movement = throng.log_normal(2.5, 0.6), -- s: most begin within half a minute
  }
  group:go_to "ground/exits"
  group:on("arrived", function(arrived) arrived:remove() end)
end
people("guests", params.guests, "ground/halls")
for storey = 0, params.storeys - 1 do
  people("staff of the " .. NAMES[storey] .. " floor", params.staff, NAMES[storey] .. "/offices")
  world:measure { count = NAMES[storey], every = 1, name = "on the " .. NAMES[storey] .. " floor" }
end

return world
