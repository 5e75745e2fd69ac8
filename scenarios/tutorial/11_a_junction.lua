-- Tutorial 11 of 11: a junction of two streets, where four times 200 people meet, and which planner to take for it.
--
--   throng view scenarios/tutorial/11_a_junction.lua
--   throng run scenarios/tutorial/11_a_junction.lua --png junction.png --at 35     (scenarios/pictures/junction.png)
--
-- Does it matter who plans? Run it with another planner, and see the two side by side, in one page:
--   throng run scenarios/tutorial/11_a_junction.lua --set planner=power_law --out out/other
--   throng report out/11_a_junction out/other
-- One run each is an anecdote: people begin in other places with another seed. A study runs every planner with five:
--   throng study scenarios/studies/junction.lua --report
-- Everybody comes through under seven planners, and the last are through after 89 s (power_law), 90 s (rvo), 93 s
-- (forces), 95 s (orca), 99 s (clearpath), 101 s (bvp) or 123 s (social_force), give or take 10 s: two planners that
-- differ by less are alike here. scenarios/planners.md has the table, with the one that jams.
local throng = require "throng"

local params = throng.params {
  each = { 200, 1, 300 }, -- people from each side
  planner = "orca",
  kiosk = { 0.0, 0.0, 6.0 }, -- m: the side of a kiosk in the middle
}

local streets = { throng.box(-30, -5, 30, 5), throng.box(-5, -30, 5, 30) } -- they overlap, and are one floor
local half = params.kiosk / 2

local world = throng.world {
  map = throng.map { boundary = streets, walls = half > 0 and { throng.box(-half, -half, half, half) } or nil },
  regions = {
    west = throng.box(-28, -5, -7, 5), ["west end"] = throng.box(-30, -5, -28, 5),
    east = throng.box(7, -5, 28, 5), ["east end"] = throng.box(28, -5, 30, 5),
    south = throng.box(-5, -28, 5, -7), ["south end"] = throng.box(-5, -30, 5, -28),
    north = throng.box(-5, 7, 5, 28), ["north end"] = throng.box(-5, 28, 5, 30),
  },
  seconds = 300,
}

-- Nobody is told how to cross. People pass those who come towards them on the right, whatever planner they have, and
-- so the middle begins to turn: a roundabout that nobody built.
for side, other in pairs { west = "east", east = "west", south = "north", north = "south" } do
  local walkers = world:spawn { name = side, count = params.each, where = side, planner = params.planner }
  walkers:go_to(other .. " end")
  walkers:on("arrived", function(group) group:remove() end)
end

return world
