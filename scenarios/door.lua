-- A room full of people and one door: how many get through in a second?
--   throng run scenarios/door.lua --set width=0.8
-- ClearPath's arch before it:
--   throng run scenarios/door.lua --set planner=clearpath --png arch.png --at 15
-- Measured people (Seyfried and others, 2009): 1.3 persons/s through 0.8 m,
-- 1.9 through 1.0 m, 2.4 through 1.2 m.
local throng = require "throng"

local params = throng.params {
  width = { 1.0, 0.5, 5.0 }, -- m
  count = { 200, 1, 400 },
  planner = "orca",
}

local DEPTH = 1 -- m: the wall is so thick at the door
local half = params.width / 2

-- The room is 10 m x 10 m, its door in the middle of the right side; behind it
-- there is space to walk away.
local room = throng.map {
  name = "door",
  boundary = throng.box(-10, -5, 12, 5),
  walls = {
    throng.box(0, half, DEPTH, 5),
    throng.box(0, -5, DEPTH, -half),
  },
}

local world = throng.world {
  people = false, -- discs, as in the paper
  map = room,
  dt = 0.1,
  seconds = 400,
  regions = {
    room = throng.box(-10, -5, 0, 5),
    outside = throng.box(4, -5, 12, 5),
  },
}

local people = world:spawn {
  name = "people",
  count = params.count,
  where = "room",
  radius = 0.25, -- m
  speed = 1.3, -- m/s
  max_speed = 1.6, -- m/s
  planner = params.planner,
}
people:go_to "outside"
people:on("arrived", function(group) group:remove() end)
world:measure { flow = { { 0, -half }, { 0, half } }, name = "door" }

return world
