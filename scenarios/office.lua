-- A generated office floor: rows of rooms along corridors, one exit at either end
-- (ClearPath's Evac-500 to 5K; Bleiweiss's Evacuation is office_floor.lua).
--   throng run scenarios/office.lua --set count=5000 --png office.png --at 60
--   throng run scenarios/office.lua --set count=500 --set planner=rvo --set routing=roadmap
-- One building for all counts, made for 5,000:
--   throng run scenarios/office.lua --set count=500 --set building=5000
local throng = require "throng"

local staff
local params = throng.params {
  count = { 1000, 1 },
  building = { 0, 0 }, -- people that the building is made for, 0: as many as there are
  planner = "clearpath",
  routing = "navmesh",
  speed = { 1.3, 0.7, 2, on_change = function(speed) staff.speed = throng.normal(speed, 0.2) end }, -- m/s, on average
}

-- Rooms of 6 m x 5 m with a door of 1.2 m, on both sides of corridors of 3 m; the
-- floor grows with the number of people: about 5 m^2 for each.
local made_for = params.building > 0 and params.building or params.count
local corridors = math.max(1, math.floor(math.sqrt(made_for / 60) + 0.5))
local columns = math.ceil(made_for * 5 / (corridors * 2 * 6 * 5))
local ROOM, DEPTH, CORRIDOR, DOOR, WALL, EXIT = 6, 5, 3, 1.2, 0.2, 3 -- m
local width, band = columns * ROOM, 2 * DEPTH + CORRIDOR
local height = corridors * band

local walls, rooms = {}, {}
local function wall(x0, y0, x1, y1) walls[#walls + 1] = throng.box(x0, y0, x1, y1) end

-- A row of rooms whose doors are in the wall at `y`; they lie towards `side`.
local function row_of_rooms(y, side)
  for column = 0, columns - 1 do
    local x, far = column * ROOM, y + side * DEPTH
    local door = x + ROOM / 2 - DOOR / 2
    wall(x, y - WALL / 2, door, y + WALL / 2)
    wall(door + DOOR, y - WALL / 2, x + ROOM, y + WALL / 2)
    if column > 0 then wall(x - WALL / 2, math.min(y, far), x + WALL / 2, math.max(y, far)) end
    rooms[#rooms + 1] = throng.box(x + 0.4, math.min(y, far) + 0.4, x + ROOM - 0.4, math.max(y, far) - 0.4)
  end
end

for corridor = 0, corridors - 1 do
  local y = corridor * band
  row_of_rooms(y + DEPTH, -1)
  row_of_rooms(y + DEPTH + CORRIDOR, 1)
  if corridor > 0 then wall(0, y - WALL / 2, width, y + WALL / 2) end
end

-- The corridors end in a hall on either side, whose exit is in the middle.
local HALL, middle = 4, height / 2
for _, x in ipairs { -HALL - WALL, width + HALL } do
  wall(x, 0, x + WALL, middle - EXIT / 2)
  wall(x, middle + EXIT / 2, x + WALL, height)
end
for _, x in ipairs { -WALL, width } do
  for corridor = 0, corridors - 1 do
    local y = corridor * band
    wall(x, y, x + WALL, y + DEPTH)
    wall(x, y + DEPTH + CORRIDOR, x + WALL, y + band)
  end
end

local world = throng.world {
  people = false, -- discs, as in the paper
  map = throng.map { name = "office", boundary = throng.box(-HALL - 6, 0, width + HALL + 6, height), walls = walls },
  dt = 0.1, -- s
  seconds = 240 + params.count / 3, -- both exits let through about 9 persons a second
  regions = {
    exits = {
      throng.box(-HALL - 6, middle - EXIT, -HALL - 3, middle + EXIT),
      throng.box(width + HALL + 3, middle - EXIT, width + HALL + 6, middle + EXIT),
    },
  },
}

local planner = params.planner
if planner == "rvo" then planner = throng.rvo { sight = 15, neighbours = 10 } end

staff = world:spawn {
  name = "staff",
  count = params.count,
  where = rooms,
  radius = throng.uniform(0.2, 0.25), -- m
  speed = throng.normal(params.speed, 0.2),
  planner = planner,
  routing = params.routing,
}
staff:go_to "exits"
staff:on("arrived", function(arrived) arrived:remove() end)

return world
