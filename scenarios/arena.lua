-- A stadium empties: 25,000 seats in rings, cut by aisles, and gates all around
-- (ClearPath's Stad-25K; about 1,400 sides).
--   throng run scenarios/arena.lua --set count=2000 --png arena.png --at 30
local throng = require "throng"

local crowd
local params = throng.params {
  count = { 25000, 1 },
  planner = "clearpath",
  speed = { 1.2, 0.7, 2, on_change = function(speed) crowd.speed = throng.normal(speed, 0.2) end }, -- m/s, on average
}

local ROWS, AISLES, GATES = 6, 24, 24
local ROW, BENCH = 7, 0.6 -- m: from one bench to the next, and how deep it is
local inner = 40 + 25 * math.sqrt(params.count / 25000) -- m: radius of the pitch
local outer = inner + ROWS * ROW + 8

local function at(radius, angle) return { radius * math.cos(angle), radius * math.sin(angle) } end

-- The part of a ring between two radii and two angles, in straight pieces.
local function arc(from, to, start, stop, pieces)
  local points = {}
  for i = 0, pieces do points[#points + 1] = at(to, start + (stop - start) * i / pieces) end
  for i = pieces, 0, -1 do points[#points + 1] = at(from, start + (stop - start) * i / pieces) end
  return throng.polygon(points)
end

local walls, stands = {}, {}
local turn = 2 * math.pi / AISLES
for row = 0, ROWS - 1 do
  local radius = inner + row * ROW
  local half = 1.6 / radius -- rad: an aisle is 3.2 m wide
  for aisle = 0, AISLES - 1 do
    local start, stop = aisle * turn + half, (aisle + 1) * turn - half
    walls[#walls + 1] = arc(radius, radius + BENCH, start, stop, 3)
    stands[#stands + 1] = arc(radius + BENCH + 0.4, radius + ROW - 0.4, start, stop, 3)
  end
end
local gate = 2.5 / outer -- rad: a gate is 5 m wide
for g = 0, GATES - 1 do
  walls[#walls + 1] = arc(outer, outer + 1, g * turn + gate, (g + 1) * turn - gate, 3)
end

local function ring(radius)
  local points = {}
  for i = 0, 71 do points[#points + 1] = at(radius, 2 * math.pi * i / 72) end
  return throng.polygon(points)
end
local outside = {}
for g = 0, GATES - 1 do outside[g + 1] = arc(outer + 5, outer + 9, (g - 0.3) * turn, (g + 0.3) * turn, 3) end

local world = throng.world {
  people = false, -- discs, as in the paper
  map = throng.map { name = "arena", boundary = ring(outer + 12), walls = walls },
  dt = 0.1, -- s
  seconds = 600,
  record = params.count <= 5000 and { every = 1 },
}

crowd = world:spawn {
  name = "spectators",
  count = params.count,
  where = stands,
  radius = throng.uniform(0.2, 0.25), -- m
  speed = throng.normal(params.speed, 0.2),
  planner = params.planner,
}
crowd:go_to(outside)
crowd:on("arrived", function(arrived) arrived:remove() end)

return world
