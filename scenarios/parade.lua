-- 245 people enter a field by four gates and form a text (Bleiweiss's Stadium).
--   throng run scenarios/parade.lua --png parade.png --at 34
local throng = require "throng"

local plan -- once there are people
local params = throng.params {
  planner = "rvo",
  samples = { 500, 10, 1000, on_change = function() plan() end }, -- velocities that each of them tries
}

-- 5 x 7 points a letter; a point of the text is two people wide and high, nearly.
local LETTERS = {
  T = { "#####", "..#..", "..#..", "..#..", "..#..", "..#..", "..#.." },
  H = { "#...#", "#...#", "#...#", "#####", "#...#", "#...#", "#...#" },
  R = { "####.", "#...#", "#...#", "####.", "#.#..", "#..#.", "#...#" },
  O = { ".###.", "#...#", "#...#", "#...#", "#...#", "#...#", ".###." },
  N = { "#...#", "##..#", "#.#.#", "#.#.#", "#.#.#", "#..##", "#...#" },
  G = { ".###.", "#...#", "#....", "#.###", "#...#", "#...#", ".###." },
}
local COUNT, POINT = 245, 2.2 -- m: from one point to the next

local places = {}
for pass = 0, 2 do -- as often as needed, between the places there are
  for i, letter in ipairs { "T", "H", "R", "O", "N", "G" } do
    for row, line in ipairs(LETTERS[letter]) do
      for column = 1, 5 do
        if line:sub(column, column) == "#" and #places < COUNT then
          local dx, dy = pass % 2 * POINT / 2, pass // 2 * POINT / 2
          places[#places + 1] = { POINT * (6 * i + column - 24) + dx, POINT * (4 - row) - dy }
        end
      end
    end
  end
end

-- The field is 90 m x 44 m between four corners (24 sides), with a gate of 6 m in the
-- middle of each side.
local X, Y, GATE = 45, 22, 3
local walls = {}
for _, sign in ipairs { { 1, 1 }, { -1, 1 }, { -1, -1 }, { 1, -1 } } do
  local corner = { { X, GATE }, { X, Y }, { GATE, Y }, { GATE, Y + 1 }, { X + 1, Y + 1 }, { X + 1, GATE } }
  for i, point in ipairs(corner) do corner[i] = { sign[1] * point[1], sign[2] * point[2] } end
  walls[#walls + 1] = throng.polygon(corner)
end

-- The 16 nodes of its roadmap: inside and outside of each gate, by either post.
local nodes, OFF = {}, 0.5 -- m off the walls
for _, sign in ipairs { { 1, 1 }, { -1, 1 }, { -1, -1 }, { 1, -1 } } do
  for _, out in ipairs { -OFF, 1 + OFF } do
    nodes[#nodes + 1] = { sign[1] * (X + out), sign[2] * (GATE - OFF) }
    nodes[#nodes + 1] = { sign[1] * (GATE - OFF), sign[2] * (Y + out) }
  end
end

local world = throng.world {
  people = false, -- discs, as in the paper
  map = throng.map { name = "parade", walls = walls, roadmap = { nodes = nodes } },
  dt = 0.125, -- s
  seconds = 180,
}

local gates = {
  { throng.box(-X - 12, -6, -X - 2, 6) },
  { throng.box(X + 2, -6, X + 12, 6) },
  { throng.box(-6, -Y - 12, 6, -Y - 2) },
  { throng.box(-6, Y + 2, 6, Y + 12) },
}

-- Whose place is whose: each gate sends its people to the part of the text on its side.
table.sort(places, function(a, b) return a[1] < b[1] or a[1] == b[1] and a[2] < b[2] end)
local quarter = COUNT // 4
local parts = { {}, {}, {}, {} }
for i, place in ipairs(places) do
  local part = i <= quarter and 1 or i > COUNT - quarter and 2 or i % 2 == 0 and 3 or 4
  table.insert(parts[part], place)
end

local function planner()
  if params.planner ~= "rvo" then return params.planner end
  return throng.rvo { samples = params.samples, sight = 3, neighbours = 10 }
end

function plan()
  for gate = 1, 4 do world.groups["gate " .. gate].planner = planner() end
end

for gate, where in ipairs(gates) do
  local group = world:spawn {
    name = "gate " .. gate,
    count = #parts[gate],
    where = where,
    radius = 0.25, -- m
    speed = 1.3, -- m/s
    planner = planner(),
    routing = "roadmap",
  }
  for i = 1, #group do group[i]:go_to(parts[gate][i], { radius = 0.3 }) end
end

return world
