-- Tutorial 5 of 11: planners, which decide how agents avoid each other, and groups as sets.
local throng = require "throng"

local world = throng.world { seed = 4 }

-- Two groups that cross at right angles. Each planner is one published method; `throng help orca` tells its parameters,
-- and the reference page lists the others. Agents of different planners see and avoid each other all the same.
local east = world:spawn {
  name = "east",
  count = 30,
  where = throng.box(-12, -3, -6, 3),
  planner = throng.orca { horizon = 3 }, -- s: they avoid collisions this far ahead
}
local north = world:spawn {
  name = "north",
  count = 30,
  where = throng.box(-3, -12, 3, -6),
  planner = throng.clearpath { horizon = 2 },
}
east:go_to(throng.box(9, -6, 15, 6))
north:go_to(throng.box(-6, 9, 6, 15))

-- Groups are sets: | unites, & intersects, - takes away; `filter` picks. They hold who is in them now: whom a source
-- lets in later is in the source's group, and not in a union that was made before.
local everybody = east | north
local heavy = everybody:filter(function(a) return a.id % 10 == 0 end)

-- Columns are written for a whole group at once. When bodies touch, the lighter one gives way.
heavy.mass = 160 -- kg
heavy:tag "heavy" -- and found again anywhere: world:tagged "heavy"

-- The planner is a column, too, and may change while the world runs.
world:at(4, function() heavy.planner = throng.forces {} end)

return world

-- Try: other planners for one of the groups. 11_a_junction.lua compares them where four times 200 people meet.
