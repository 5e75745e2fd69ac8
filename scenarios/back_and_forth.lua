-- People walk back and forth along one line, to one end and then to the other
-- (ClearPath's Back&Forth, 10 to 100 people). `throng bench scenarios` has what planners
-- leave to the contacts beside OpenSteer's 16 collisions a frame.
--   throng run scenarios/back_and_forth.lua --set count=100 --png line.png --at 10
local throng = require "throng"

local params = throng.params { count = { 80, 1 }, planner = "clearpath", turns = { 3, 1 } }

local LENGTH = 40 -- m

local world = throng.world { people = false, dt = 0.1, seconds = 60 * params.turns }

-- In columns of four, beside each other on both sides of the middle.
local places = {}
for i = 1, params.count do
  local column, row = (i - 1) // 4, (i - 1) % 4
  places[i] = { (i % 2 == 0 and 1 or -1) * (2 + 0.7 * column), 0.8 * row - 1.2 }
end

local walkers = world:spawn {
  name = "walkers",
  at = places,
  radius = 0.25, -- m
  speed = throng.uniform(1.1, 1.5), -- m/s
  planner = params.planner,
}

local ends = { throng.box(-LENGTH / 2 - 5, -5, -LENGTH / 2, 5), throng.box(LENGTH / 2, -5, LENGTH / 2 + 5, 5) }
local turns = {}
for i = 1, #walkers do
  turns[i] = 0
  local walker = walkers[i]
  walker:go_to(ends[i % 2 + 1])
  walker:on("arrived", function()
    turns[i] = turns[i] + 1
    if turns[i] < params.turns then
      walker:go_to(ends[(i + turns[i]) % 2 + 1])
    else
      walker:remove() -- those who stand around at the ends bar the way in
    end
  end)
end

return world
