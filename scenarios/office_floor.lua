-- The Evacuation of "Multi agent navigation on the GPU" (Bleiweiss, 2009, section 5.1): people leave an office floor by
-- two narrow exits. The floor is the same for 500 to 20,000 of them: 212 sides of walls and a roadmap of 429 nodes, as
-- many as in his table 3. He does not print where they are: 14 rooms stand along a corridor here, two of them double,
-- and the nodes are rows in the rooms, in the doors, in the corridor, in the halls at its ends and in the exits.
--   throng run scenarios/office_floor.lua --set count=5000
--   throng run scenarios/office_floor.lua --set routing=navmesh
local throng = require "throng"

local staff
local params = throng.params {
  count = { 500, 1 },
  planner = "rvo",
  routing = "roadmap",
  speed = { 1.3, 0.7, 2, on_change = function(speed) staff.speed = throng.normal(speed, 0.2) end }, -- m/s, on average
}

local COLUMNS, ROOM, DEPTH, CORRIDOR, DOOR, HALL, EXIT, WALL = 8, 24, 20, 12, 4.8, 16, 6, 0.2 -- m
local width, height, middle = COLUMNS * ROOM, 2 * DEPTH + CORRIDOR, DEPTH + CORRIDOR / 2

local walls, rooms, nodes = {}, {}, {}
local function wall(x0, y0, x1, y1) walls[#walls + 1] = throng.box(x0, y0, x1, y1) end
local function node(x, y) nodes[#nodes + 1] = { x, y } end

-- A row of rooms, whose doors are in the wall at `y`; they lie towards `side`. Those in the middle are one.
local function row_of_rooms(y, side)
  for column = 0, COLUMNS - 1 do
    local x, far = column * ROOM, y + side * DEPTH
    local door, low, high = x + ROOM / 2 - DOOR / 2, math.min(y, far), math.max(y, far)
    wall(x, y - WALL / 2, door, y + WALL / 2)
    wall(door + DOOR, y - WALL / 2, x + ROOM, y + WALL / 2)
    if column > 0 and column ~= COLUMNS / 2 then wall(x - WALL / 2, low, x + WALL / 2, high) end
    rooms[#rooms + 1] = throng.box(x + 0.4, low + 0.4, x + ROOM - 0.4, high - 0.4)
    node(door + DOOR / 2, y)
    for i = 1, 5 do
      for k = 1, 4 do
        node(x + (i - 0.5) * ROOM / 5, low + (k - 0.5) * DEPTH / 4)
      end
    end
  end
end
row_of_rooms(DEPTH, -1)
row_of_rooms(DEPTH + CORRIDOR, 1)

-- The corridor ends in a hall on either side, whose exit is in the middle.
for _, x in ipairs { -HALL - WALL, width + HALL } do
  wall(x, 0, x + WALL, middle - EXIT / 2)
  wall(x, middle + EXIT / 2, x + WALL, height)
  node(x + WALL / 2, middle)
end
for _, x in ipairs { -WALL, width } do
  wall(x, 0, x + WALL, DEPTH)
  wall(x, DEPTH + CORRIDOR, x + WALL, height)
end
for i = 1, 27 do
  for k = 1, 3 do
    node((i - 0.5) * width / 27, DEPTH + (k - 0.5) * CORRIDOR / 3)
  end
end
for i = 1, 5 do
  node(-HALL / 2, (i - 0.5) * height / 5)
  node(width + HALL / 2, (i - 0.5) * height / 5)
end

assert(4 + 4 * #walls == 212 and #nodes == 429) -- the boundary has four sides, too

local world = throng.world {
  people = false, -- discs, as in the paper
  map = throng.map {
    name = "office floor",
    boundary = throng.box(-HALL - 6, 0, width + HALL + 6, height),
    walls = walls,
    roadmap = { nodes = nodes },
  },
  dt = 0.1, -- s
  seconds = 240 + params.count / 10,
  regions = {
    exits = {
      throng.box(-HALL - 6, middle - EXIT, -HALL - 3, middle + EXIT),
      throng.box(width + HALL + 3, middle - EXIT, width + HALL + 6, middle + EXIT),
    },
  },
}

staff = world:spawn {
  name = "staff",
  count = params.count,
  where = rooms,
  radius = throng.uniform(0.2, 0.25), -- m
  speed = throng.normal(params.speed, 0.2),
  planner = params.planner == "rvo" and throng.rvo { sight = 15, neighbours = 10 } or params.planner,
  routing = params.routing,
}
staff:go_to "exits"
staff:on("arrived", function(arrived) arrived:remove() end)

return world
