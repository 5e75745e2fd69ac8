-- Tutorial 7 of 11: agents that do more than walk to one place.
local throng = require "throng"

local world = throng.world {
  map = throng.map { boundary = throng.box(0, 0, 24, 16), walls = { throng.box(10, 6, 14, 10) } },
  regions = { pictures = { throng.box(1, 13, 23, 15), throng.box(1, 1, 23, 3) }, exit = throng.box(22, 6, 24, 10) },
  seconds = 90, -- s: the run ends then, whoever is still there
}

local visitors = world:spawn { name = "visitors", count = 40, where = throng.box(1, 4, 9, 12) }

-- A state machine is a table: what agents do in each state, and when they change to another. throng compiles it and
-- runs it for every agent; a state that does not exist or that nobody can reach is an error, with its name.
visitors:run(throng.fsm {
  start = "stroll",

  -- To a random place on the map. Arrived there, three of four look around, one goes home: the numbers are weights.
  stroll = { goal = throng.random_path(), arrived = { look = 3, leave = 1 } },

  -- Stand for 2 to 6 s. What is around gets interesting again when the time is over.
  look = { goal = throng.wait(2, 6), timeout = { stroll = 1, wander = 1 } },

  -- Here and there within 4 m, for 5 to 10 s; at once to the exit when others are in the way for too long.
  wander = {
    goal = throng.wander { radius = 4 },
    after = throng.uniform(5, 10),
    timeout = "stroll",
    blocked = "leave",
  },

  -- `enter` is Lua, called with all who entered in the step.
  leave = {
    goal = throng.go_to "exit",
    enter = function(group) group.speed = 1.5 end,
  },
})

-- Who reaches a goal that no transition waits for has arrived.
visitors:on("arrived", function(arrived) arrived:remove() end)

world:every(30, function(_, time)
  print(("%2d s: %d look at pictures, %d are on their way out"):format(time, visitors:in_state("look").count,
    visitors:in_state("leave").count))
end)

return world
