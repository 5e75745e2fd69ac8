-- When people start: pre-movement times.
local throng = require "throng"
local rooms = require "cases.rooms"
local statistics = require "statistics"

local response = {}

-- When each of the group has first moved by 0.05 m, less the time that it was given: the least and the greatest.
local function lateness(world, group, given, seconds)
  local x0, y0, started = group.x:list(), group.y:list(), {}
  for _ = 1, math.floor(seconds / world.dt) do
    world:step()
    local x, y = group.x:list(), group.y:list()
    for i = 1, #x0 do
      if not started[i] and (x[i] - x0[i]) ^ 2 + (y[i] - y0[i]) ^ 2 > 0.05 ^ 2 then started[i] = world.time end
    end
  end
  local early, late = math.huge, -math.huge
  for i = 1, #x0 do
    local off = (started[i] or math.huge) - given[i]
    early, late = math.min(early, off), math.max(late, off)
  end
  return early, late
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
-- long the others wait. (Those who wait in somebody's way are passed, step aside, and so are seen to move.)
local function on_an_arc()
  local at = {}
  for i = 1, 10 do
    local angle = (i - 5.5) / 9 * 2 * math.asin(2.2 / 4)
    at[i] = { 8 - 4 * math.cos(angle), 2.5 + 4 * math.sin(angle) }
  end
  return at
end

-- How far the starts of 10 persons in the small room are off the given ones.
local function starts_of_ten(run)
  local world = run:world(rooms.small(1))
  local group = run:people(world, { at = on_an_arc(), speed = throng.uniform(0.97, 1.62), radius = 0.2,
    pre_movement = throng.uniform(10, 100) })
  group:go_to "outside"
  local given = group.pre_movement:list()
  hold(group, run:given("pre-movement", 1))
  local early, late = lateness(world, group, given, 102)
  return { early = early, late = late }
end

-- The starts of 100 persons, far from each other, of each law.
local function starts_of_laws(run, laws)
  local starts, at = {}, {}
  for i = 1, 100 do
    at[i] = { 0, 2 * i }
  end
  for _, law in ipairs(laws) do
    local many = run:people(run:world {}, { at = at, pre_movement = law[2] })
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
      -- a step, and the time to walk the 0.05 m that tell it, from standing
      run:expect_in_every("std", "10 persons: the latest start after the given one", runs, "late",
        { most = 0.5, unit = "s" })
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

local day, night = throng.log_normal(3.44, 0.94), throng.log_normal(3.95, 0.84)

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
  night = { "IMO's night, less 400 s: log-normal 3.95, 0.84, under 300 s", throng.truncated(night, 0, 300),
    statistics.truncated(statistics.log_normal(3.95, 0.84), 0, 300) },
}

return response
