-- People who belong together.
local throng = require "throng"

local groups = {}

--   +-----------------+ y = 20
--   |  group 1: five  | y = 16 to 19.5
--   |                 |
--   |  ten others     | y = 8 to 12
--   |                 |
--   +------[ ]--------+ y = 0, exit of 1 m
--   x = 0            x = 15
--
-- The text leaves open where along x they start: group 1 between 5 and 10 m, the others between 1 and 14 m.

-- The time between the first and the last of group 1 to pass the exit, and the share of the time till the first does
-- that they are wider than 4 m.
local function spread(run, settings, together)
  local world = run:world {
    floor = throng.box(0, -4, 15, 20),
    walls = { throng.box(0, -0.2, 7, 0), throng.box(8, -0.2, 15, 0) },
    regions = { outside = throng.box(0, -4, 15, -2) },
  }
  local start = throng.box(5, 16, 10, 19.5)
  local four = run:people(world, { where = start, count = 4, speed = settings.fast, name = "four" })
  local slow = run:people(world, { where = start, count = 1, speed = settings.slow, name = "slow" })
  local others = run:people(world,
    { where = throng.box(1, 8, 14, 12), count = 10, speed = settings.others, name = "others" })
  local five = four | slow
  if together then five:walk_together() end
  local wide = 0
  for _, group in ipairs { five, others } do
    group:go_to "outside"
  end
  local exit = world:measure { flow = { { 7, 0 }, { 8, 0 } }, group = five }
  world.agents:on("arrived", function(arrived) arrived:remove() end)
  local steps = 0
  while world.time < 300 and #(five & world.agents) > 0 do
    world:run { seconds = 0.5 }
    local here = five & world.agents
    if #here == 5 and exit.count == 0 then
      steps = steps + 1
      local x, y, most = here.x:list(), here.y:list(), 0
      for i = 1, 5 do
        for k = 1, i - 1 do
          most = math.max(most, (x[i] - x[k]) ^ 2 + (y[i] - y[k]) ^ 2)
        end
      end
      wide = wide + (most > 16 and 1 or 0)
    end
  end
  return exit.count == 5 and exit.last - exit.first or math.huge, wide / math.max(steps, 1)
end

function groups.leave_together(settings)
  return function(run)
    local together = run:given("groups", true)
    run:repeated(function()
      local time, wide = spread(run, settings, together)
      return { time = time, wide = wide, in_time = time <= 10 and 1 or 0, apart = (spread(run, settings, false)) }
    end, function(runs)
      run:expect("std", "time between the first and the last of the group, median", runs:percentile("time", 50),
        { most = 10, unit = "s" })
      run:expect("ours", "the same, 80th percentile", runs:percentile("time", 80), { most = 10, unit = "s" })
      run:expect("told", "share of runs in which it is at most 10 s", runs:mean "in_time", {})
      run:expect("ours", "share of the time that the group is wider than 4 m", runs:mean "wide", { most = 0.1 })
      run:expect("ours", "the time between them without a group", runs:mean "apart", { least = 10, unit = "s" })
    end)
  end
end

return groups
