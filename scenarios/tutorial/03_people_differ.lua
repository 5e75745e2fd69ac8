-- Tutorial 3 of 11: no two people are alike, and a scenario has knobs.
local throng = require "throng"

-- Parameters are what a scenario lets others change without editing it:
--   throng run scenarios/tutorial/03_people_differ.lua --set count=80 --set door=0.8
-- One with a range, { default, least, most }, has a slider in `throng view`. What the script reads as it is loaded acts
-- when the run begins again (Home); `on_change` says what a new value does at once.
local guests
local params = throng.params {
  count = { 40, 1, 120 },
  door = { 1.2, 0.6, 4.0 }, -- m
  speed = { 1.34, 0.8, 2.0, on_change = function(speed) guests.speed = throng.normal(speed, 0.26) end }, -- m/s
}

local top, bottom = 5 + params.door / 2, 5 - params.door / 2

local world = throng.world {
  map = throng.map {
    boundary = throng.box(0, 0, 20, 10),
    walls = { throng.box(10, 0, 10.2, bottom), throng.box(10, top, 10.2, 10) },
  },
  regions = { left = throng.box(1, 1, 9, 9), right = throng.box(14, 1, 19, 9) },
  -- All that is random follows from the seed: the same seed gives the same run, to the bit, on every machine.
  -- `throng run ... --seed 5` tries another one.
  seed = 1,
}

-- Wherever a number describes an agent, a distribution may stand instead: each agent draws its own. So may what was
-- measured, `speed = throng.empirical("speeds.csv")`, and the speeds of a population, `throng.population("imo").speed`;
-- with `pre_movement = throng.log_normal(3.44, 0.94)`, in s, each waits for a time of its own before it starts.
guests = world:spawn {
  name = "guests",
  count = params.count,
  where = "left",
  radius = throng.uniform(0.20, 0.28), -- m: anything between these
  speed = throng.normal(params.speed, 0.26), -- m/s: mean and standard deviation, as measured of pedestrians
}
guests:go_to "right"

-- A group's columns can be read, all agents at once, and written.
print(("the slowest walks at %.2f m/s, the fastest at %.2f m/s"):format(guests.speed:min(), guests.speed:max()))

return world
