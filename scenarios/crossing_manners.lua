-- Two walkers whose ways cross, four times: figure 4 of Fischer and others (2009), their speed control, and moods.
-- Without inertia a walker turns aside at once, nearly by a right angle; with it, in a smooth curve. Who would have to
-- turn by more than a right angle waits instead. A slow walker lets the other pass; a hurried one is there first.
--   throng run scenarios/crossing_manners.lua
local throng = require "throng"

local world = throng.world {
  map = throng.map {
    boundary = throng.box(0, 0, 28, 7),
    walls = { throng.box(7, 0, 7.05, 7), throng.box(14, 0, 14.05, 7), throng.box(21, 0, 21.05, 7) },
  },
  dt = 0.05,
  seconds = 40,
}

local function pair(name, x, inertia, speed, other)
  local function walker(to, from, v, kind)
    local group = world:spawn {
      name = name .. " " .. kind,
      at = { from },
      radius = 0.25,
      speed = v,
      planner = throng.bvp { size = 21, cell = 0.15, inertia = inertia },
    }
    group:go_to(to)
    return group
  end
  walker({ x + 6.2, 3.5 }, { x + 1, 3.5 }, speed, "east")
  walker({ x + 4, 6.2 }, { x + 4, 0.65 }, other, "north")
end

pair("abrupt", 0, 0, 1, 1)
pair("smooth", 7, 0.5, 1, 1)
pair("slow", 14, 0.5, 0.6, 1.2)
pair("hurried", 21, 0.5, 1.8, 1.2)

return world
