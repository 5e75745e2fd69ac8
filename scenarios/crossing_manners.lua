-- Two walkers whose routes cross, four times: figure 4 of Fischer and others (2009), their speed control, and moods.
-- Without inertia a walker turns aside at once, nearly by a right angle; with half, in a smooth curve. Who would have
-- to turn by more than a right angle waits instead. A slow walker lets the other pass; a hurried one is there first.
--   throng run scenarios/crossing_manners.lua
local throng = require "throng"

local world = throng.world {
  people = false, -- discs, as in the paper
  map = throng.map {
    boundary = throng.box(0, 0, 28, 7),
    walls = { throng.box(7, 0, 7.05, 7), throng.box(14, 0, 14.05, 7), throng.box(21, 0, 21.05, 7) },
  },
  dt = 0.2, -- inertia is of the direction a step ago
  seconds = 40,
  record = { every = 0.2 },
}

-- The walker of this name, who heads east, and the other one, who walks from `from` to `to`, in a room of their own.
local function pair(name, x, inertia, speed, from, to, other)
  local function walker(kind, start, goal, v)
    local group = world:spawn {
      name = kind,
      at = { { x + start[1], start[2] } },
      radius = 0.25,
      speed = v,
      planner = throng.bvp { size = 11, cell = 0.15, inertia = inertia, view = math.rad(270) },
    }
    group:go_to { x + goal[1], goal[2] }
  end
  walker(name, { 0.6, 3.5 }, { 6.4, 3.5 }, speed)
  walker(name .. "'s other", from, to, other)
end

pair("abrupt", 0, 0, 1, { 3.9, 2.4 }, { 2.3, 6 }, 0.5)
pair("smooth", 7, 0.5, 1, { 3.9, 2.4 }, { 2.3, 6 }, 0.5)
pair("slow", 14, 0.5, 0.6, { 4, 0.65 }, { 4, 6.2 }, 1.2)
pair("hurried", 21, 0.5, 1.8, { 4, 0.65 }, { 4, 6.2 }, 1.2)

return world
