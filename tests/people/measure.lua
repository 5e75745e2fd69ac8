-- What crowds with default parameters do, in figures that were measured of people, too. Each function runs one world
-- and returns numbers; pieces.lua says which are run, and results.lua writes them beside the data.
local throng = require "throng"
local starts = dofile "tests/standards/places.lua"

local measure = {}

-- The law of walking speeds: Weidmann (1993). m/s
local SPEED = throng.normal(1.34, 0.26)

-- --- corridors ---------------------------------------------------------------------------------

local LENGTH, WIDTH = 40, 5 -- m

local function corridor(seed)
  return throng.world {
    map = throng.map { boundary = throng.box(0, 0, LENGTH, WIDTH) },
    wrap = { LENGTH, 2 * WIDTH },
    seed = seed,
    threads = 1,
  }
end

-- Spawns a crowd of `density` persons/m^2, of whom one in `ways` (default 1) walks to the left.
local function crowd(world, settings)
  local random, speed = starts.generator(settings.seed), settings.speed
  local count = math.floor(settings.density * LENGTH * WIDTH + 0.5)
  local places = starts.jittered({ 0, 0, LENGTH, WIDTH }, count, 0.26, 0, random) -- the first step parts them
  local sides = { {}, {} }
  for _, place in ipairs(places) do
    local side = settings.ways == 2 and random() < 0.5 and 2 or 1
    table.insert(sides[side], place)
  end
  local groups = {}
  for i, side in ipairs(sides) do
    if #side > 0 then
      local definition = { at = side, speed = SPEED, planner = settings.planner, name = "side " .. i }
      if speed then definition.speed = throng.normal(speed.mean, speed.deviation) end
      for key, value in pairs(settings.more or {}) do
        definition[key] = value
      end
      groups[i] = world:spawn(definition)
      local sign = i == 1 and 1 or -1
      groups[i].desired = function(_, a) return sign * a.speed, 0 end
    end
  end
  return groups
end

-- A crowd in a corridor that wishes for `speed`, { mean =, deviation = } m/s (default Weidmann's). Mean speed along the
-- corridor in m/s, each in its own direction, over the last `last` of `seconds`; and the order in
-- lanes: the mean of ((n1 - n2) / (n1 + n2))^2 over strips of 0.5 m, n1 and n2 being who walks which way there; and
-- where they are at the end: { x, y, side }.
function measure.corridor(settings)
  local world <close> = corridor(settings.seed)
  local groups = crowd(world, settings)
  local seconds, last = settings.seconds or 60, settings.last or 20
  world:run { seconds = seconds - last }
  local sum, count, order, strips = 0, 0, 0, 0
  for _ = 1, last do
    world:run { seconds = 1 }
    local by_strip = {}
    for i, group in pairs(groups) do
      local y = group.y:list()
      for n, vx in ipairs(group.vx:list()) do
        sum = sum + (i == 1 and vx or -vx)
        count = count + 1
        local strip = math.floor(y[n] / 0.5)
        by_strip[strip] = by_strip[strip] or { 0, 0 }
        by_strip[strip][i] = by_strip[strip][i] + 1
      end
    end
    for _, n in pairs(by_strip) do
      order = order + ((n[1] - n[2]) / (n[1] + n[2])) ^ 2
      strips = strips + 1
    end
  end
  local places = {}
  for i, group in pairs(groups) do
    local x, y = group.x:list(), group.y:list()
    for n = 1, #x do
      places[#places + 1] = { x[n], y[n], i }
    end
  end
  return sum / count, order / strips, places
end

-- --- single file -------------------------------------------------------------------------------

local LAP = 26 -- m
local STANDS, GOES = 0.05, 0.2 -- m/s: who was faster than this and is slower than that has stopped

-- In single file, `density` persons/m, on a lap of 26 m: mean speed in m/s over the last 120 of 240 s, the share of the
-- time that people stand, and how often one stops a minute; and every 2 s { time, place, number of the person }.
function measure.file(settings)
  local world <close> = throng.world {
    map = throng.map { boundary = throng.box(0, 0, LAP, 0.7) },
    wrap = { LAP, 10 },
    seed = settings.seed,
    threads = 1,
  }
  local count, at = math.floor(settings.density * LAP + 0.5), {}
  for i = 1, count do
    at[i] = { (i - 0.5) * LAP / count, 0.35 }
  end
  local definition = { at = at, speed = SPEED, planner = settings.planner }
  for key, value in pairs(settings.more or {}) do
    definition[key] = value
  end
  local people = world:spawn(definition)
  people.desired = function(_, a) return a.speed, 0 end
  world:run { seconds = 120 }
  local sum, stands, stops, goes, trajectories = 0, 0, 0, {}, {}
  for step = 1, 1200 do
    world:step()
    local x = step % 20 == 0 and people.x:list()
    for i, vx in ipairs(people.vx:list()) do
      sum = sum + vx
      stands = stands + (vx < STANDS and 1 or 0)
      stops = stops + (goes[i] and vx < STANDS and 1 or 0)
      goes[i] = vx > GOES or goes[i] and vx >= STANDS
      if x then
        trajectories[#trajectories + 1] = { step / 10, x[i], i }
      end
    end
  end
  return sum / (1200 * count), stands / (1200 * count), stops / (2 * count), trajectories
end

-- --- doors -------------------------------------------------------------------------------------

-- Persons/s through a door of `width` m in a wall 1 m thick: between the 30th and the 170th of 200 who wait in a room
-- of 10 x 10 m; and how many got out.
function measure.door(settings)
  local half, count = settings.width / 2, settings.count or 200
  local world <close> = throng.world {
    map = throng.map {
      boundary = throng.box(-10, -5, 12, 5),
      walls = { throng.box(0, half, 1, 5), throng.box(0, -5, 1, -half) },
    },
    regions = { outside = throng.box(4, -5, 12, 5) },
    seed = settings.seed,
    threads = 1,
  }
  local definition = { where = throng.box(-10, -5, 0, 5), count = count, speed = SPEED, planner = settings.planner }
  for key, value in pairs(settings.more or {}) do
    definition[key] = value
  end
  local people = world:spawn(definition)
  people:go_to "outside"
  people:on("arrived", function(group) group:remove() end)
  local door = world:measure { flow = { { 0, -half }, { 0, half } } }
  local from, to = math.floor(0.15 * count), math.floor(0.85 * count)
  local first, last, passed
  for step = 1, 3000 do
    world:step()
    passed = door.count
    first = first or (passed >= from and { step, passed })
    last = last or (passed >= to and { step, passed })
    if world:stats().living == 0 then
      break
    end
  end
  local flow = first and last and (last[2] - first[2]) / (0.1 * (last[1] - first[1])) or 0
  return flow, count - world:stats().living
end

-- --- bends -------------------------------------------------------------------------------------

-- Persons/s through a right-angled bend of a corridor 2.4 m wide, of `inflow` persons/s who come, over the last 60 of
-- 120 s.
function measure.bend(settings)
  local wide = 2.4
  local world <close> = throng.world {
    map = throng.map { boundary = { throng.box(-15, -wide, wide, 0), throng.box(0, -wide, wide, 12) } },
    regions = { from = throng.box(-15, -wide, -10, 0), to = throng.box(0, 11, wide, 12) },
    seed = settings.seed,
    threads = 1,
  }
  local definition = {
    name = "people", rate = settings.inflow, where = "from", to = "to", speed = SPEED, planner = settings.planner,
  }
  for key, value in pairs(settings.more or {}) do
    definition[key] = value
  end
  world:source(definition)
  local line = world:measure { flow = { { 0, 4 }, { wide, 4 } } }
  world:run { seconds = 60 }
  local before = line.count
  world:run { seconds = 60 }
  return (line.count - before) / 60
end

-- RiMEA 9: 1,000 people leave a room of 30 x 20 m by `doors` (4 or 2) doors of 1 m. Seconds, and how many got out.
function measure.room(settings)
  local sides = {}
  for _, y in ipairs { { -0.2, 0 }, { 20, 20.2 } } do
    local shut = settings.doors == 2 and y[1] > 0
    local cuts = shut and { -1, 31 } or { -1, 4.5, 5.5, 24.5, 25.5, 31 }
    for i = 1, #cuts, 2 do
      sides[#sides + 1] = throng.box(cuts[i], y[1], cuts[i + 1], y[2])
    end
  end
  sides[#sides + 1] = throng.box(-1, -0.2, 0, 20.2)
  sides[#sides + 1] = throng.box(30, -0.2, 31, 20.2)
  local world <close> = throng.world {
    map = throng.map { boundary = throng.box(-1, -3, 31, 23), walls = sides },
    regions = { outside = { throng.box(-1, -3, 31, -1.2), throng.box(-1, 21.4, 31, 23) } },
    seed = settings.seed,
    threads = 1,
  }
  local definition = { where = throng.box(0, 0, 30, 20), count = 1000, speed = SPEED, planner = settings.planner }
  for key, value in pairs(settings.more or {}) do
    definition[key] = value
  end
  local people = world:spawn(definition)
  people:go_to "outside"
  people:on("arrived", function(group) group:remove() end)
  world:run { seconds = settings.seconds or 900, until_done = true }
  local stats = world:stats()
  return stats.last_arrival or 0, stats.arrived
end

-- --- how they walk -----------------------------------------------------------------------------

-- Of everybody in every step of a world: mean acceleration in m/s^2, turns by more than 90 degrees a minute (of those
-- who walk faster than 0.2 m/s before and after), the share of steps backwards of where they want to go, the share of
-- steps faster than 1.2 of their own speed, and persons who walked a circle: turned by 360 degrees within 5 s.
function measure.walking(world, seconds)
  local dt, steps = 0.1, math.floor(seconds / 0.1 + 0.5)
  local before, sums = {}, { steps = 0, change = 0, turns = 0, backwards = 0, fast = 0, moving = 0 }
  local circled, people = {}, {}
  for step = 1, steps do
    world:step()
    local all = world.agents
    if #all == 0 then
      break
    end
    local id, vx, vy = all.id:list(), all.vx:list(), all.vy:list()
    local wx, wy, speed = all.desired_vx:list(), all.desired_vy:list(), all.speed:list()
    local now = {}
    for i = 1, #id do
      local x, y = vx[i], vy[i]
      local v = math.sqrt(x * x + y * y)
      local old = before[id[i]]
      local turned = old and old.turned or {}
      if old then
        sums.steps = sums.steps + 1
        sums.change = sums.change + math.sqrt((x - old.x) ^ 2 + (y - old.y) ^ 2) / dt
        local angle, slot = 0, step % 50
        if v > 0.2 and old.v > 0.2 then
          angle = math.atan(old.x * y - old.y * x, old.x * x + old.y * y)
          sums.turns = sums.turns + (math.abs(angle) > math.pi / 2 and 1 or 0)
        end
        turned.sum = (turned.sum or 0) + angle - (turned[slot] or 0)
        turned[slot] = angle
        if math.abs(turned.sum) > 2 * math.pi then
          circled[id[i]] = true
        end
        local wish = math.sqrt(wx[i] ^ 2 + wy[i] ^ 2)
        if wish > 0.1 and v > 0.05 then
          sums.moving = sums.moving + 1
          sums.backwards = sums.backwards + (x * wx[i] + y * wy[i] < -1e-4 * v * wish and 1 or 0) -- but for rounding
        end
        sums.fast = sums.fast + (v > 1.2001 * speed[i] and 1 or 0) -- but for rounding
      end
      people[id[i]] = true
      now[id[i]] = { x = x, y = y, v = v, turned = turned }
    end
    before = now
  end
  local circles, count = 0, 0
  for _ in pairs(circled) do
    circles = circles + 1
  end
  for _ in pairs(people) do
    count = count + 1
  end
  local n = math.max(sums.steps, 1)
  return {
    acceleration = sums.change / n,
    turns = sums.turns / (n * dt / 60),
    backwards = sums.backwards / math.max(sums.moving, 1),
    fast = sums.fast / n,
    circles = circles,
    people = count,
    arrived = world:stats().arrived,
    last = world:stats().last_arrival,
  }
end

-- Two streams of 150 people cross at right angles in a hall.
function measure.streams(settings)
  local world <close> = throng.world { seed = settings.seed, threads = 1 }
  local function stream(name, from, to)
    local definition = { name = name, where = from, count = 150, speed = SPEED, planner = settings.planner }
    for key, value in pairs(settings.more or {}) do
      definition[key] = value
    end
    local group = world:spawn(definition)
    group:go_to(to)
    group:on("arrived", function(arrived) arrived:remove() end)
  end
  stream("east", throng.box(-25, -5, -8, 5), throng.box(12, -6, 30, 6))
  stream("north", throng.box(-5, -25, 5, -8), throng.box(-6, 12, 6, 30))
  return measure.walking(world, 90)
end

function measure.evacuation(settings)
  local world <close> = throng.load("scenarios/evacuation.lua", { seed = settings.seed, threads = 1 })
  if settings.planner then
    world.agents.planner = settings.planner
  end
  for key, value in pairs(settings.more or {}) do
    if key ~= "radius" then
      world.agents[key] = value
    end
  end
  return measure.walking(world, 200)
end

return measure
