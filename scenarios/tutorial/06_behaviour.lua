-- Tutorial 6 of 11: numbers that change from moment to moment.
local throng = require "throng"

local world = throng.world {
  map = throng.map { boundary = throng.box(0, 0, 40, 12) },
  regions = { hall = throng.box(1, 1, 12, 11), gate = throng.box(37, 4, 40, 8) },
}

local visitors = world:spawn { name = "visitors", count = 80, where = "hall" }
visitors:go_to "gate"

-- A function of the time t and the agent a. It looks like Lua that is called for every agent in every frame, but it is
-- called only once, with stand-ins for t and a: what it computes becomes a program, which runs where the agents are, on
-- the processor or the GPU. That is why a million agents may have one.
--
-- Because of that an `if` cannot look at t or a. throng.select(condition, yes, no) does it instead.
local function speed(t, a)
  local stroll = 1.2 + 0.2 * math.sin(t + a.id) -- everybody in a rhythm of their own
  return throng.select(a:distance_to "gate" < 8, 0.8, stroll) -- slower before the gate
end
visitors.speed = speed

throng.explain(speed) -- prints the program, an instruction a line

-- A preferred velocity of one's own: what goal and way ask for, and a sway across it.
visitors.desired = function(t, a)
  return a.desired_vx, a.desired_vy + 0.2 * math.sin(0.8 * t + a.id)
end

visitors:on("arrived", function(arrived) arrived:remove() end)

return world
