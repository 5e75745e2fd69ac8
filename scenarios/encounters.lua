-- Small meetings that a planner must resolve: pairs and crossings of perfect
-- symmetry, and the small experiments of Bleiweiss (2009).
--   throng run scenarios/encounters.lua --set scene=narrow --png narrow.png --at 15
--   throng run scenarios/encounters.lua --set scene=four --set planner=clearpath --png four.png --at 5
-- The others are in the middle of it at 8 s (simple), 6 s (car, circle) and 12 s (robots).
local throng = require "throng"

local params = throng.params {
  scene = "simple", -- pair, four, simple, car, robots, circle, narrow
  planner = "rvo",
}

-- A scene's places and goals, and as in the paper: its time step, how far its people
-- see and how many velocities they try.
local scenes = {}

-- So many on a circle, each to the place opposite: all alike.
local function ring(count, radius)
  local places, goals = {}, {}
  for i = 1, count do
    local angle = 2 * math.pi * (i - 1) / count
    local x, y = radius * math.cos(angle), radius * math.sin(angle)
    places[i], goals[i] = { x, y }, { -x, -y }
  end
  return { places = places, goals = goals, dt = 0.1, sight = 15, samples = 250 }
end

function scenes.pair() return ring(2, 6) end
function scenes.four() return ring(4, 6) end

function scenes.circle()
  local scene = ring(32, 6)
  scene.dt, scene.sight, scene.samples = 0.125, 2, 500
  return scene
end

-- Four cross diagonally around an obstacle in the middle.
function scenes.simple()
  local scene = { places = {}, goals = {}, dt = 0.25, sight = 15, samples = 250 }
  scene.walls = { throng.box(-1.5, -1.5, 1.5, 1.5) }
  for _, sign in ipairs { { 1, 1 }, { -1, 1 }, { -1, -1 }, { 1, -1 } } do
    scene.places[#scene.places + 1] = { 10 * sign[1], 10 * sign[2] }
    scene.goals[#scene.goals + 1] = { -10 * sign[1], -10 * sign[2] }
  end
  return scene
end

-- Eleven people cross a street along which a car comes: it keeps its way and its speed.
function scenes.car()
  local scene = { places = {}, goals = {}, dt = 0.125, sight = 100, samples = 500 }
  for i = 1, 11 do
    local side = i % 2 == 0 and 1 or -1
    scene.places[i], scene.goals[i] = { 1.2 * i, 7 * side }, { 1.2 * i, -7 * side }
  end
  scene.from = function(place) return place[2] > 0 and "from the north" or "from the south" end
  scene.car = { from = { -25, 0 }, to = { 45, 0 }, radius = 1.2, speed = 5 }
  return scene
end

-- 24 robots in a field of polygons (130 sides), each to the place opposite, by a roadmap of 16 nodes between them.
function scenes.robots()
  local scene = ring(24, 16)
  scene.sight, scene.samples, scene.walls, scene.nodes = 3, 400, {}, {}
  for _, x in ipairs { -7.5, -2.5, 2.5, 7.5 } do
    for _, y in ipairs { -7.5, -2.5, 2.5, 7.5 } do scene.nodes[#scene.nodes + 1] = { x, y } end
  end
  for row = -2, 2 do
    for column = -2, 2 do
      local corners, sides = {}, (row + column) % 5 == 0 and 6 or 5
      for i = 1, sides do
        local angle = 2 * math.pi * (i + 0.3 * row) / sides
        corners[i] = { 5 * column + 0.9 * math.cos(angle), 5 * row + 0.9 * math.sin(angle) }
      end
      scene.walls[#scene.walls + 1] = throng.polygon(corners)
    end
  end
  return scene
end

-- Four groups of 25 have to pass one corridor, two from each end (16 sides).
function scenes.narrow()
  local scene = { places = {}, goals = {}, dt = 0.125, sight = 2, samples = 500 }
  scene.walls = {
    throng.box(-6, 1.8, 6, 12),
    throng.box(-6, -12, 6, -1.8),
    throng.box(-20, -12, -19, 12),
    throng.box(19, -12, 20, 12),
  }
  for i = 0, 99 do
    local side, group = i % 2 == 0 and 1 or -1, i % 4 < 2 and 1 or -1
    local row, column = i // 4 // 5, i // 4 % 5
    local x, y = side * (9 + column), group * (2 + row)
    scene.places[i + 1], scene.goals[i + 1] = { x, y }, { -x, y }
  end
  scene.from = function(place) return place[1] > 0 and "from the east" or "from the west" end
  return scene
end

local make = scenes[params.scene]
if not make then error("scene must be pair, four, simple, car, robots, circle or narrow, not " .. params.scene) end
local scene = make()

local world = throng.world {
  people = false, -- discs, as in the paper
  map = scene.walls and throng.map {
    name = params.scene,
    walls = scene.walls,
    roadmap = scene.nodes and { nodes = scene.nodes },
  },
  dt = scene.dt, -- s
  seconds = 180,
}

local planner = params.planner
if planner == "rvo" then planner = throng.rvo { samples = scene.samples, sight = scene.sight, neighbours = 10 } end

-- A group for each side that people come from, where a scene tells them apart.
local sides, names = {}, {}
for i, place in ipairs(scene.places) do
  local name = scene.from and scene.from(place) or "walkers"
  if not sides[name] then
    sides[name] = { places = {}, goals = {} }
    names[#names + 1] = name
  end
  table.insert(sides[name].places, place)
  table.insert(sides[name].goals, scene.goals[i])
end

for _, name in ipairs(names) do
  local group = world:spawn {
    name = name,
    at = sides[name].places,
    radius = 0.25, -- m
    speed = 1.3, -- m/s
    max_speed = 1.6, -- m/s
    planner = planner,
    routing = scene.walls and "roadmap" or nil,
  }
  group:tag "walking"
  if scene.walls then
    for i = 1, #group do group[i]:go_to(sides[name].goals[i]) end -- each its own way around the walls
  else
    group:go_to(sides[name].goals)
  end
end

if scene.car then
  local car = world:spawn {
    name = "car",
    at = { scene.car.from },
    radius = scene.car.radius,
    speed = scene.car.speed,
    mass = 1500, -- kg
    planner = "none", -- gives way to nobody
  }
  car:go_to(scene.car.to)
end

return world
