-- A parade sways down an avenue: its behaviour function gives the velocity to take, (1, sin 0.6 t) m/s. Strollers who
-- come the other way slow down where the parade is near. Both functions are compiled: throng.explain prints how.
--   throng run scenarios/sway.lua --png out/sway.png
--   throng view scenarios/sway.lua      (a slider says how far)
local throng = require "throng"

local parade
-- The velocity to take, m/s; a new one is compiled when the slider moves.
local function march(sway)
  return function(t) return 1, sway * math.sin(0.6 * t) end
end

local params = throng.params {
  ranks = 8,
  strollers = 24,
  sway = { 1.0, 0.0, 2.0, on_change = function(sway) parade.desired = march(sway) end }, -- m/s
}

local world = throng.world {
  people = false, -- discs, as in the paper
  seconds = 60,
  until_done = false,
  record = { every = 0.2 },
  map = throng.map { boundary = throng.box(0, -9, 90, 9) },
  regions = { west = throng.box(0, -8, 4, 8), east = throng.box(70, -8, 88, 8) },
}

local places = {}
for rank = 1, params.ranks do
  for file = 1, 5 do
    places[#places + 1] = { 4 + 1.5 * rank, 1.2 * (file - 3) }
  end
end

parade = world:spawn { name = "parade", colour = "#d55e00", at = places, desired = march(params.sway) }

local strollers = world:spawn {
  name = "strollers",
  colour = "#7d8ea3",
  count = params.strollers,
  where = "east",
  speed = function(t, a)
    local pace = 1.3 + 0.2 * math.sin(t + a.id) -- m/s
    return throng.select(a:distance_to_nearest "parade" < 3, 0.5, pace)
  end,
}
strollers:go_to "west"
strollers:on("arrived", function(group) group:remove() end)

return world
