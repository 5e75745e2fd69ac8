-- A fire in a hall. Its smoke spreads, slows people and fills their lungs; who has breathed too much collapses. An
-- announcement reaches the hall late; before that, people set out when they see others go. Of the two exits most know
-- the one they came in by, and the other by its sign alone, as long as smoke lets them see it.
local throng = require "throng"

local params = throng.params {
  count = { 150, 1, 1000 },
  alarm = { 40, 0, 600 }, -- s
  growth = { 0.02, 0, 1, on_change = function() end }, -- 1/m that the smoke at the fire thickens in a second
}

local fire = { 24, 10 }

local world = throng.world {
  map = throng.map {
    name = "smoke",
    boundary = throng.box(-3, 0, 43, 20),
    walls = {
      throng.box(-0.3, 0, 0, 9), throng.box(-0.3, 11, 0, 20), throng.box(40, 0, 40.3, 9), throng.box(40, 11, 40.3, 20),
      throng.box(14, 6, 14.4, 14),
    },
  },
  regions = { hall = throng.box(2, 1, 38, 19), west = throng.box(-3, 8, -1, 12), east = throng.box(41, 8, 43, 12) },
  seed = 5,
  seconds = 240,
}

-- What is r metres from the fire after t seconds: it grows, and spreads by 0.3 m a second.
local function spread(most)
  return function(x, y, t)
    local r = math.sqrt((x - fire[1]) ^ 2 + (y - fire[2]) ^ 2)
    return most * params.growth * t * math.max(0, 1 - r / (4 + 0.3 * t))
  end
end

local smoke = world:smoke {
  extinction = spread(1),
  co = spread(4000), -- ppm
  hcn = spread(100),
  law = "fridolf",
  least = 0.3, -- m/s
}

local guests = world:spawn {
  name = "guests",
  count = params.count,
  where = "hall",
  speed = throng.normal(1.34, 0.26),
  pre_movement = throng.log_normal(4, 0.6), -- s
  tolerance = throng.log_normal(0, 0.3), -- of the dose: half of them fall at 1
}
guests:start_with { share = 0.6, least = 2, delay = 2 }
guests:choose {
  exits = { { place = "west", weight = 3 }, { place = "east", sign = { 40, 10 }, known = 0.2 } },
  distance = 0.1, -- by the metre
  social = 1,
  smoke = smoke,
  every = 5, -- s
  reconsider = 0.3,
}
guests:on("arrived", function(group) group:remove() end)
guests:on("incapacitated", function(group) print(("%.1f s: %d more collapsed"):format(world.time, #group)) end)

world:announce { at = params.alarm, where = "hall", share = 0.9, delay = throng.uniform(2, 8) }

return world
