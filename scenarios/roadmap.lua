-- RVO2's Roadmap: the scene of blocks.lua, but agents steer at the vertices of a
-- roadmap: at the visible one from which the way to the goal is shortest. All of
-- that is Lua, called once a step; a map's own routes (go_to without `straight`)
-- need none of it and are much faster.
local throng = require "throng"
local scene = require "scenes.four_blocks"

local ARRIVED = 20 -- m from the goal

-- ---- the roadmap: the four goals, then the corners of the blocks

local vertices = { { -75, -75 }, { 75, -75 }, { -75, 75 }, { 75, 75 } }
for _, x in ipairs { -42, -8, 8, 42 } do
  for _, y in ipairs { -42, -8, 8, 42 } do
    vertices[#vertices + 1] = { x, y }
  end
end

-- Twice the signed area of a, b, c: positive when c lies left of a -> b.
local function left_of(a, b, c) return (a[1] - c[1]) * (b[2] - a[2]) - (a[2] - c[2]) * (b[1] - a[1]) end

local function distance(a, b) return math.sqrt((a[1] - b[1]) ^ 2 + (a[2] - b[2]) ^ 2) end

-- Can a disc see from `from` to `to` past the block's side a -> b? Only sides seen
-- from outside block the view.
local function side_hides(a, b, from, to, radius)
  if not (left_of(a, b, from) < 0 and left_of(a, b, to) > 0) then return false end
  local side_a, side_b = left_of(from, to, a), left_of(from, to, b)
  local square = (to[1] - from[1]) ^ 2 + (to[2] - from[2]) ^ 2
  local clearance = radius * radius * square
  return side_a * side_b < 0 or side_a * side_a <= clearance or side_b * side_b <= clearance
end

local function sees(from, to, radius)
  for _, block in ipairs(scene.blocks) do
    for i = 1, 4 do
      if side_hides(block[i], block[i % 4 + 1], from, to, radius) then return false end
    end
  end
  return true
end

-- Lengths of the routes from every vertex to vertex `goal` (Dijkstra; there are few vertices).
local function paths_to(goal, sight)
  local length, settled = {}, {}
  for i = 1, #vertices do length[i] = math.huge end
  length[goal] = 0
  for _ = 1, #vertices do
    local nearest
    for i = 1, #vertices do
      if not settled[i] and (not nearest or length[i] < length[nearest]) then nearest = i end
    end
    settled[nearest] = true
    for i = 1, #vertices do
      if sight[i][nearest] then
        length[i] = math.min(length[i], length[nearest] + distance(vertices[i], vertices[nearest]))
      end
    end
  end
  return length
end

local sight = {}
for i, from in ipairs(vertices) do
  sight[i] = {}
  for k, to in ipairs(vertices) do sight[i][k] = sees(from, to, scene.body.radius) end
end

local paths = {}
for goal = 1, 4 do paths[goal] = paths_to(goal, sight) end

-- The vertex to steer at from `place`; exactly on a vertex, straight at the goal.
local function choose(place, goal)
  local best, shortest = nil, math.huge
  for i, vertex in ipairs(vertices) do
    local length = distance(vertex, place) + paths[goal][i]
    if length < shortest and sees(place, vertex, scene.body.radius) then best, shortest = i, length end
  end
  if not best or distance(vertices[best], place) == 0 then return vertices[goal] end
  return vertices[best]
end

-- ---- the world

local world = throng.world {
  people = false, -- discs, as in RVO2
  map = throng.map { name = "roadmap", walls = scene.blocks },
  dt = 0.25, -- s
  seconds = 800,
}

local walkers = world:spawn {
  name = "walkers",
  at = scene.places,
  radius = scene.body.radius,
  speed = scene.body.speed,
  max_speed = scene.body.max_speed,
  planner = scene.planner,
  routing = "direct",
}
walkers:go_to(scene.goals, { radius = 0.001 }) -- goals of their own, rewritten each step

world:on_step(function()
  local x, y = walkers.x, walkers.y
  local goal_x, goal_y = {}, {}
  local there = 0
  for i = 1, #walkers do
    local place, goal = { x[i], y[i] }, (i - 1) % 4 + 1
    local target = choose(place, goal)
    goal_x[i], goal_y[i] = target[1], target[2]
    if distance(place, vertices[goal]) <= ARRIVED then there = there + 1 end
  end
  walkers.goal_x, walkers.goal_y = goal_x, goal_y
  if there == #walkers then world:stop() end
end)

return world
