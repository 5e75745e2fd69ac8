-- A museum, all of it from Lua: its navigation mesh, paths that everybody asks the A* queue for, machines of goals, a
-- behaviour function, and hooks on stages of the frame. Nothing is rebuilt: in `throng view scenarios/museum.lua`
-- `budget` and `hush` are sliders, and the run goes on with this file when it is saved.
--   throng run scenarios/museum.lua --png museum.png --at 40
local throng = require "throng"

local params = throng.params {
  visitors = { 30, 1 },
  -- Hooks read both in every frame, so that they act at once.
  budget = { 50, 1, 1000, on_change = function() end }, -- expansions of A* a frame, for all paths together
  hush = { 0.5, 0.1, 1, on_change = function() end }, -- of their speed that people walk with in the quiet room
}

-- Faces as `throng edit` saved them; people walk on the navigation mesh of these.
local museum = throng.map "maps/museum.xml"
local world = throng.world { map = museum, seed = 3, seconds = 120, until_done = false }

-- Visitors ask for a path to something to look at, stand until the queue has it, follow it, wait, or wander around.
local pictures = {}
for _, room in ipairs { "lobby", "gallery", "quiet room", "garden exit" } do
  for _ = 1, 4 do
    pictures[#pictures + 1] = museum:random_point(room, 0.3) -- the same in every run
  end
end
local visitors = world:spawn { name = "visitors", count = params.visitors, where = "lobby", radius = 0.2 }
visitors:run(throng.fsm {
  start = "ask",
  ask = { goal = throng.random_path { to = pictures, own_path = true }, path_ready = "follow" },
  follow = { goal = throng.go_on(), arrived = { wait = 2, wander = 1 }, blocked = "wander" },
  wait = { goal = throng.wait(2, 8), timeout = { ask = 2, wander = 1 } },
  wander = { goal = throng.wander { radius = 2 }, after = throng.uniform(4, 8), timeout = "ask" },
})

-- Children run to the garden and back, swaying: the behaviour vector of their planner is a function, (1, sin 0.6 t),
-- which becomes a program that runs where the agents are.
local function sway(t) return 1, math.sin(0.6 * t) end
local children = world:spawn {
  name = "children",
  count = 8,
  where = "gallery",
  radius = 0.18,
  planner = throng.bvp { epsilon = -1, v = sway },
}
children:run(throng.fsm {
  start = "out",
  out = { goal = throng.go_to "garden exit", arrived = "back" },
  back = { goal = throng.go_to "gallery", arrived = "out" },
})

-- A frame runs the stages routing, paths, goals, desire, sense, plan and move. Before the paths: their budget.
world.stages.paths:before(function(_, stage) stage.budget = params.budget end)

-- Before the plan, between what people want and what their planners make of it: in the quiet room they want less.
world.stages.plan:before(function(agents)
  local x, y = agents.x:list(), agents.y:list()
  local vx, vy = agents.desired_vx:list(), agents.desired_vy:list()
  for i = 1, #x do
    if x[i] < 5 and y[i] > 6.3 then -- m
      vx[i], vy[i] = params.hush * vx[i], params.hush * vy[i]
    end
  end
  agents.desired_vx, agents.desired_vy = vx, vy
end)

world:every(30, function(_, time)
  local states = {}
  for _, name in ipairs { "ask", "follow", "wait", "wander" } do
    states[#states + 1] = ("%d %s"):format(visitors:in_state(name).count, name)
  end
  print(("%3d s: %s; A* took %d expansions"):format(time, table.concat(states, ", "), world.paths.spent))
end)

return world
