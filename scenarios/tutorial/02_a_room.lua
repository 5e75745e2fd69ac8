-- Tutorial 2 of 11: walls, and places with names.
local throng = require "throng"

-- A map says where one can be: inside the boundary, and not inside a wall. throng.box takes two opposite corners.
-- This room of 20 m by 10 m is divided by a wall with a door of 1.2 m in it.
local room = throng.map {
  boundary = throng.box(0, 0, 20, 10),
  walls = { throng.box(10, 0, 10.2, 4.4), throng.box(10, 5.6, 10.2, 10) },
}

-- Regions are areas with names, so that the rest of the script need not repeat numbers.
local world = throng.world {
  map = room,
  regions = { left = throng.box(1, 1, 9, 9), right = throng.box(14, 1, 19, 9) },
}

-- Forty agents, somewhere in the left half: throng picks free places, the same ones in every run.
local guests = world:spawn { name = "guests", count = 40, where = "left" }

-- They find the way through the door themselves, and nobody walks through a wall or through anybody else. Who is in
-- the region has arrived, and stays there.
guests:go_to "right"

return world

-- Try: a third wall; a door of 0.4 m, which is too narrow for them (throng says so); `throng view` and the key N.
