-- When people start: pre-movement times.
local throng = require "throng"
local rooms = require "cases.rooms"
local statistics = require "statistics"

local response = {}

-- How long it takes to walk 0.05 m from standing, s: people accelerate evenly for `relaxation` s.
local function first_steps(speed, relaxation) return math.sqrt(2 * 0.05 * relaxation / speed) end

-- When each of the group has first moved by 0.05 m, less the time that it was given: the least, the greatest, and the
-- greatest less what the 0.05 m take.
local function lateness(world, group, given, seconds)
  local x0, y0, started = group.x:list(), group.y:list(), {}
  local speeds, relaxation = group.speed:list(), group.relaxation:list()
  for _ = 1, math.floor(seconds / world.dt) do
    world:step()
    local x, y = group.x:list(), group.y:list()
    for i = 1, #x0 do
      if not started[i] and (x[i] - x0[i]) ^ 2 + (y[i] - y0[i]) ^ 2 > 0.05 ^ 2 then started[i] = world.time end
    end
  end
  local early, late, later = math.huge, -math.huge, -math.huge
  for i = 1, #x0 do
    local off = (started[i] or math.huge) - given[i]
    early, late = math.min(early, off), math.max(late, off)
    later = math.max(later, off - first_steps(speeds[i], relaxation[i]))
  end
  return early, late, later
end

-- For a mutation: everybody starts after so much of its time.
local function hold(group, part)
  local times = group.pre_movement:list()
  for i, time in ipairs(times) do
    times[i] = part * time
  end
  if part ~= 1 then group.pre_movement = times end
end

-- The small room is drawn in rooms.lua: 8 x 5 m, an exit of 1 m.
--
-- 10 places in the small room on an arc of 4 m about the middle of its exit, (8, 2.5): everybody's way is free, however
-- long the others wait.
--
-- At random places those who still wait make way: they want to stay, and their planner, which avoids people for them as
-- for everybody, steps aside before a walker is there (in 10 seeds under ORCA 10 of 100 moved 0.05 m before their time,
-- by up to 63 s; in nine of these seeds no planner would have let a pair touch). Such a step is no start: the text asks
-- when each starts for itself. So starts are told by movement where nobody stands in the way, and at random places by
-- what people want; how many stepped aside is told beside it.
local function on_an_arc()
  local at = {}
  for i = 1, 10 do
    local angle = (i - 5.5) / 9 * 2 * math.asin(2.2 / 4)
    at[i] = { 8 - 4 * math.cos(angle), 2.5 + 4 * math.sin(angle) }
  end
  return at
end

-- 10 persons at random places of the small room: when each first wants to walk, less the time that it was given, the
-- least and the greatest; and how many had moved by 0.05 m before their time.
local function wishes_of_ten(run)
  local world = run:world(rooms.small(1))
  local group = run:people(world, { where = "room", count = 10, speed = throng.uniform(0.97, 1.62), radius = 0.2,
    pre_movement = throng.uniform(10, 100) })
  group:go_to "outside"
  local given, x0, y0 = group.pre_movement:list(), group.x:list(), group.y:list()
  hold(group, run:given("pre-movement", 1))
  local wanted, moved, aside, early, late = {}, {}, 0, math.huge, -math.huge
  while world.time < 102 do
    world:step()
    local wx, wy, x, y = group.desired_vx:list(), group.desired_vy:list(), group.x:list(), group.y:list()
    for i = 1, 10 do
      wanted[i] = wanted[i] or (wx[i] ~= 0 or wy[i] ~= 0) and world.time or nil
      if not moved[i] and (x[i] - x0[i]) ^ 2 + (y[i] - y0[i]) ^ 2 > 0.05 ^ 2 then
        moved[i] = true
        if world.time < given[i] then aside = aside + 1 end
      end
    end
  end
  for i = 1, 10 do
    local off = (wanted[i] or math.huge) - given[i]
    early, late = math.min(early, off), math.max(late, off)
  end
  run:close()
  return early, late, aside
end

-- How far the starts of 10 persons in the small room are off the given ones.
local function starts_of_ten(run)
  local world = run:world(rooms.small(1))
  local group = run:people(world, { at = on_an_arc(), speed = throng.uniform(0.97, 1.62), radius = 0.2,
    pre_movement = throng.uniform(10, 100) })
  group:go_to "outside"
  local given = group.pre_movement:list()
  hold(group, run:given("pre-movement", 1))
  local early, late, later = lateness(world, group, given, 102)
  run:close()
  local wish_early, wish_late, aside = wishes_of_ten(run)
  return { early = early, late = late, later = later, wish_early = wish_early, wish_late = wish_late, aside = aside }
end

-- The times assigned to 100 persons of each law, which has draws of its own.
local function starts_of_laws(run, laws)
  local starts, at = {}, {}
  for i = 1, 100 do
    at[i] = { 0, 2 * i }
  end
  for k, law in ipairs(laws) do
    local many = run:people(run:world { seed = 1000 * k + run.seed }, { at = at, pre_movement = law[2] })
    hold(many, run:given("pre-movement", 1))
    starts[law[1]] = many.pre_movement:list()
    run:close()
  end
  return starts
end

-- 10 persons in the small room, each of whom starts at its own time, uniform from 10 to 100 s; and the starts of many,
-- of the law itself, pooled over seeds. `laws`: { name, law, cumulative function }.
function response.times(settings)
  return function(run)
    run:repeated(function() return starts_of_ten(run) end, function(runs)
      run:expect_in_every("std", "10 persons: the earliest start after the given one", runs, "early",
        { least = 0, unit = "s" })
      -- a step, and 0.05 s
      run:expect_in_every("std", "10 persons: the latest start after the given one, less the time to walk 0.05 m",
        runs, "later", { most = 0.15, unit = "s" })
      run:expect_in_every("published", "10 persons: the latest start after the given one", runs, "late",
        { most = 0.5, unit = "s" })
      -- a step, and 0.1 s
      run:expect_in_every("std", "10 at random places: the earliest wish to walk after the given time", runs,
        "wish_early", { least = 0, unit = "s" })
      run:expect_in_every("std", "10 at random places: the latest wish to walk after the given time", runs,
        "wish_late", { most = 0.2, unit = "s" })
      run:expect("told", "10 at random places: who made way before their time, by 0.05 m", runs:mean "aside", {})
    end)
    run:repeated(function() return starts_of_laws(run, settings.laws) end, function(runs)
      for _, law in ipairs(settings.laws) do
        local all = runs:all(law[1])
        run:expect("std", law[1] .. ": distance to the law, over what 1 of 100 samples passes",
          statistics.distance(all, law[3]) / statistics.distance_of_chance(#all), { most = 1, exact = true })
      end
    end)
  end
end

local day, night = throng.log_normal(3.44, 0.94), throng.log_normal(3.95, 0.84, 400)
local after_400 = statistics.truncated(statistics.log_normal(3.95, 0.84), 0, 300)

-- Laws of the standards: { name, law, cumulative function }. s
response.laws = {
  uniform = { "uniform 10 to 100 s", throng.uniform(10, 100), statistics.uniform(10, 100) },
  normal = { "normal 60, 20 s, cut off at 0", throng.truncated(throng.normal(60, 20), 0, 1e6),
    statistics.truncated(statistics.normal(60, 20), 0, 1e6) },
  gamma = { "gamma 1.291, 103.901 s", throng.gamma(1.291, 103.901), statistics.gamma(1.291, 103.901) },
  log_normal = { "log-normal 4.586, 0.967", throng.log_normal(4.586, 0.967), statistics.log_normal(4.586, 0.967) },
  weibull = { "Weibull 139.285 s, 1.195", throng.weibull(139.285, 1.195), statistics.weibull(139.285, 1.195) },
  day = { "IMO's day: log-normal 3.44, 0.94, under 300 s", throng.truncated(day, 0, 300),
    statistics.truncated(statistics.log_normal(3.44, 0.94), 0, 300) },
  night = { "IMO's night: 400 s and log-normal 3.95, 0.84, under 700 s", throng.truncated(night, 400, 700),
    function(time) return after_400(time - 400) end },
}

return response
