-- Two crowds in one corridor.
local throng = require "throng"

local counterflow = {}

--   +---------+                   +---------+ y = 10
--   |         |                   |         |
--   | room 1  +-------------------+ room 2  |  corridor y = 4 to 6, x = 10 to 20
--   |  100    +-------------------+ 0 .. 100|
--   |         |                   |         |
--   +---------+                   +---------+ y = 0
--  x = 0     10                  20        30
--
-- All are sent to the last metre before the far wall of the other room, where they leave.

-- When the last of room 1 enters room 2, how many do within `limit` s, and when each is at its far wall.
local function crossing(run, opposed, limit)
  local world = run:world {
    floor = throng.polygon { { 0, 0 }, { 10, 0 }, { 10, 4 }, { 20, 4 }, { 20, 0 }, { 30, 0 }, { 30, 10 }, { 20, 10 },
      { 20, 6 }, { 10, 6 }, { 10, 10 }, { 0, 10 } },
    regions = { ["room 1"] = throng.box(0, 0, 1, 10), ["room 2"] = throng.box(29, 0, 30, 10) },
  }
  -- packed from the far wall: 100 in about 50 m^2
  local function send(name, box, count, to)
    local group = run:people(world, { name = name, where = box, count = count, speed = throng.uniform(0.97, 1.62) })
    group:go_to(to)
    return run.arrivals(world, group)
  end
  local there = send("primary", throng.box(0, 0, 5, 10), 100, "room 2")
  if opposed > 0 then send("opposed", throng.box(30 - opposed / 20, 0, 30, 10), opposed, "room 1") end
  local entry = world:measure { flow = { { 20, 4 }, { 20, 6 } }, group = world.groups.primary }
  while world.time < limit and #there < 100 do
    world:run { seconds = 1 }
  end
  return entry.count >= 100 and entry.last or math.huge, entry.count, there
end

local OPPOSED = { 0, 10, 50, 100 }

function counterflow.rooms()
  return function(run)
    run:repeated(function()
      local figures = {}
      for _, opposed in ipairs(OPPOSED) do
        local time, count, there = crossing(run, opposed > 0 and run:given("opposed", opposed) or 0, 400)
        figures["time " .. opposed], figures["count " .. opposed], figures["there " .. opposed] = time, count, there
        run:close()
      end
      return figures
    end, function(runs)
      for _, opposed in ipairs(OPPOSED) do
        run:expect_converged(("against %d"):format(opposed), runs:curves("there " .. opposed))
        run:expect("std", ("persons across against %d within 400 s, least"):format(opposed),
          runs:least("count " .. opposed), { least = 100, exact = true })
        run:expect("told", ("mean time against %d"):format(opposed), runs:mean("time " .. opposed), { unit = "s" })
        run:expect("told", ("time against %d, 95th percentile"):format(opposed),
          runs:percentile("time " .. opposed, 95), { unit = "s" })
      end
      for i = 2, #OPPOSED do
        run:expect("std", ("mean time against %d, less that against fewer"):format(OPPOSED[i]),
          runs:mean("time " .. OPPOSED[i]) - runs:mean("time " .. OPPOSED[i - 1]), { least = 0.05, unit = "s" })
      end
      local more = runs:mean "time 100" / runs:mean "time 0"
      run:expect("ours", "mean time against 100 over that against nobody", more, { least = 1.5, most = 5 })
      run:expect("published", "mean time against 100 over that against nobody", more, { least = 1 })
    end)
  end
end

return counterflow
