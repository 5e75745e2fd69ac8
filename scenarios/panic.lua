-- Faster is slower: people who push out of a room by one door, whose bodies have friction, take longer the faster they
-- want to be. The room of Helbing, Farkas and Vicsek (2000), figure 1: 200 people, 15 x 15 m, a door of 1 m.
--   throng run scenarios/panic.lua --set speed=1.5
--   throng run scenarios/panic.lua --set speed=5
--   throng run scenarios/panic.lua --set speed=5 --set friction=0
-- Seconds until the last is out, mean of three seeds: 283 at 0.7 m/s, 200 at 1, 159 at 1.5, 157 at 2, 159 at 3, 187 at
-- 5 and 186 at 7; without friction 128 at 1.5 m/s and 63 at 5. An arch of those who hold each other before the door:
--   throng run scenarios/panic.lua --set speed=5 --png arch.png --at 20
local throng = require "throng"

local params = throng.params {
  speed = { 5, 0.5, 10 }, -- m/s: what they want
  friction = { 2.0, 0, 20 }, -- s/m: kappa / k of the paper, 2.4e5 / 1.2e5
  count = { 200, 1, 300 },
  width = { 1, 0.8, 3 }, -- m, of the door
}

local half = params.width / 2
local world = throng.world {
  people = false, -- who panics keeps no time gap
  friction = params.friction,
  map = throng.map {
    name = "panic",
    boundary = throng.box(-15, -7.5, 10, 7.5),
    walls = { throng.box(0, half, 0.4, 7.5), throng.box(0, -7.5, 0.4, -half) },
  },
  dt = 0.02, -- s: at 5 m/s a step is a third of a radius
  seconds = 400,
  regions = { room = throng.box(-15, -7.5, 0, 7.5), outside = throng.box(3, -7.5, 10, 7.5) },
}

local people = world:spawn {
  name = "people",
  count = params.count,
  where = "room",
  radius = throng.uniform(0.25, 0.35), -- m
  speed = params.speed,
  max_speed = math.max(2, 1.5 * params.speed),
  planner = "social_force",
}
people:go_to "outside"
people:on("arrived", function(group) group:remove() end)
world:measure { flow = { { 0, -half }, { 0, half } }, name = "door" }

return world
