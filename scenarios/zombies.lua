-- A zombie outbreak ("Dynamic object avoidance", O'Sullivan, 2009, future work): attraction is avoidance below nothing.
--   throng run scenarios/zombies.lua --set people=400 --set zombies=5 --png zombies.png --at 14
local throng = require "throng"

local world
local params = throng.params {
  people = 150,
  zombies = 3,
  size = 40, -- m, of the square
  pace = { 1.2, 0.3, 3.0, on_change = function(pace) world.groups.zombies.speed = pace end }, -- m/s, of zombies
  fear = { 5, 0, 10, on_change = function(fear) world:avoidance("people", "zombies", fear) end },
}

local size = params.size
local square = throng.box(0, 0, size, size)
world = throng.world {
  people = false, -- discs, as in the paper
  map = throng.map {
    name = "square",
    boundary = square,
    walls = { throng.box(8, 8, 14, 16), throng.box(26, 6, 32, 12), throng.box(18, 24, 28, 30) },
  },
  dt = 0.1,
  seconds = 120,
}

local middle = throng.box(17, 15, 23, 21)
local feelers = throng.forces { published = 1, length = 8, width = 8, max_turn = 3 }

local zombies = world:spawn {
  name = "zombies", colour = "#3f8f29", count = params.zombies, where = middle, planner = feelers,
  speed = params.pace,
}
local people = world:spawn {
  name = "people", colour = "#4a5a78", count = params.people, planner = feelers, speed = throng.normal(1.34, 0.2),
}

world:avoidance("people", "zombies", params.fear)
world:avoidance("zombies", "people", -5)

local hunt = throng.fsm {
  start = "roam",
  roam = { goal = throng.wander { radius = 6 }, when = { { throng.near("people", 8), "chase" } } },
  chase = { goal = throng.pursue("people", { radius = 0.4 }), arrived = "chase", after = 4, timeout = "roam" },
}
local live = throng.fsm {
  start = "stroll",
  stroll = { goal = throng.wander { radius = 8 }, when = { { throng.near("zombies", 5), "run" } } },
  run = {
    goal = throng.flee("zombies", { distance = 7 }),
    arrived = "stroll",
    when = { { throng.near("zombies", 0.6), "bitten" } },
  },
  bitten = {
    enter = function(bitten)
      bitten:become "zombies"
      bitten.speed = params.pace
      bitten:run(hunt)
    end,
  },
}
zombies:run(hunt)
people:run(live)

return world
