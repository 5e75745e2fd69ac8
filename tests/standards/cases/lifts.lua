-- Lifts between two rooms, one over the other: what a ride takes, how many go at once, and where it is out of service.
local throng = require "throng"

local lifts = {}

local RISE, SPEED = 3.5, 1 -- m, m/s of the walkers
local DOOR, START, EXIT = 16, 6, 1 -- m: x of the lift's door, of the walker, and of the exit's edge
local FREE = 1.2 -- m: from the door to who waits before it (world_lifts.c)
local SILL, RADIUS = 0.125, 0.2

--   room 2 over room 1, 20 x 10 m       +---+
--   | exit 1 m (room 1)   o start (room 2)  |  lift
--   0 ............ 6 ................. 16   +---+ 18
local function rooms(run, settings)
  local lift = {
    name = "lift", at = { DOOR, 5 }, back = { DOOR + 2, 5 }, width = 2, speed = run:given("lift speed", 1),
    capacity = run:given("capacity", 8), acceleration = 1, door_time = 2, dwell = 4,
  }
  local hall = throng.box(0, 0, 20, 10)
  return throng.building {
    floors = {
      ["room 1"] = { z = 0, boundary = hall, regions = { exit = throng.box(0, 4.5, EXIT, 5.5) } },
      ["room 2"] = { z = RISE, boundary = hall, regions = { start = throng.box(1, 1, 12, 9) } },
    },
    lifts = { lift },
    stairs = settings and settings.stairs
      and { { name = "stairs", from = "room 1", to = "room 2", foot = { 4, 8 }, head = { 10, 8 },
        cost = 100 } } or nil, -- m: people would rather ride
  }
end

-- By hand: who waits calls the lift from FREE before its door; it comes, opens, stays open for `dwell` (longer than
-- boarding takes), closes, goes back, opens; then there is the way from where the walker stands in it to the exit.
local function by_hand(stood)
  local ride = RISE / 1 + 1 / 1 -- at 1 m/s, with 1 m/s^2
  return (DOOR - FREE - START) / SPEED + ride + 2 + 4 + 2 + ride + 2 + (stood - EXIT) / SPEED
end

local function one_walker(run)
  local world = run:world { map = rooms(run), people = false }
  local one = run:people(world, { at = { { START, 5, floor = "room 2" } }, speed = SPEED, radius = RADIUS })
  one:go_to "exit"
  if not run:given("in service", true) then world.lifts.lift:stop() end
  local floors, stood = {}, 0
  while one.arrived[1] < 0 and world.time < 200 do
    world:step()
    if floors[#floors] ~= one.floor[1] then floors[#floors + 1] = one.floor[1] end
    if world.lifts.lift.state == "moving" and one.floor[1] == "lift" then stood = one.x[1] end
  end
  local arrived = one.arrived[1] >= 0 and one.arrived[1] * world.dt or nil
  local order = table.concat(floors, ", ")
  run:expect("std", "the walker calls the lift, rides and leaves (1: yes)",
    arrived and order == "room 2, lift, room 1" and 1 or 0, { least = 1 })
  run:expect("ours", "arrival less what it takes by hand", arrived and arrived - by_hand(stood),
    { least = -0.5, most = 0.5, unit = "s" })
  run:expect("ours", "where the walker stood in the car behind the door", stood - DOOR,
    { least = SILL + RADIUS, most = 2 - RADIUS, unit = "m" })
end

local function twenty_walkers(run)
  local world = run:world { map = rooms(run) }
  local people = run:people(world, { count = 20, where = "start", speed = SPEED, radius = RADIUS })
  people:go_to "exit"
  if not run:given("in service", true) then world.lifts.lift:stop() end
  local trips, most, before = 0, 0, ""
  while people.arrived:min() < 0 and world.time < 400 do
    world:step()
    local lift = world.lifts.lift
    most = math.max(most, lift.riders)
    if lift.state == "moving" and before ~= "moving" and lift.riders > 0 then trips = trips + 1 end
    before = lift.state
  end
  return { arrived = 20 - #people:filter(function(a) return a.arrived < 0 end), aboard = most, trips = trips }
end

local function out_of_service(run)
  local world = run:world { map = rooms(run, { stairs = true }) }
  local people = run:people(world, { count = 10, where = "start", speed = SPEED, radius = RADIUS })
  people:go_to "exit"
  if run:given("out of service", true) then world.lifts.lift:stop() end
  local riders, climbed, by_stairs = 0, {}, 0
  while people.arrived:min() < 0 and world.time < 200 do
    world:step()
    riders = math.max(riders, world.lifts.lift.riders)
    for i, floor in ipairs(people.floor:list()) do
      if floor == "stairs" and not climbed[i] then climbed[i], by_stairs = true, by_stairs + 1 end
    end
  end
  return { riders = riders, by_stairs = by_stairs }
end

function lifts.usage()
  return function(run)
    one_walker(run)
    run:repeated(function() return twenty_walkers(run) end, function(runs)
      run:expect_in_every("ours", "20 walkers: arrived", runs, "arrived", { least = 20 })
      run:expect_in_every("ours", "20 walkers: most aboard", runs, "aboard", { most = 8 })
      run:expect_in_every("ours", "20 walkers: trips", runs, "trips", { least = 3, most = 3 })
    end)
    run:repeated(function() return out_of_service(run) end, function(runs)
      run:expect_in_every("ours", "out of service: riders", runs, "riders", { most = 0 })
      run:expect_in_every("ours", "out of service: down the stairs", runs, "by_stairs", { least = 10 })
    end)
  end
end

return lifts
