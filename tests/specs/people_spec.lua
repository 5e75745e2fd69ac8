-- Crowds walk like people, whatever planner they have: they slow down as they grow dense, and start, turn and stop as
-- bodies do.
local throng = require "throng"
local measure = dofile "tests/people/measure.lua"

-- m/s: Weidmann (1993), and p10 to p90 of open corridors (Zhang and others, 2011).
local MEASURED = {
  { density = 1, weidmann = 1.06, from = 1.18, to = 1.42 },
  { density = 2, weidmann = 0.61, from = 0.65, to = 0.99 },
  { density = 4, weidmann = 0.16, from = 0.12, to = 0.15 },
}

-- Somebody who goes where it wants, whoever is in the way.
local straight = throng.rvo { samples = 1, weight = 0 }

local function to_the_right(group)
  group.desired = function(_, a) return a.speed, 0 end
end

describe("a queue", function()
  it("is not swayed by those behind", function()
    local world <close> = throng.load("scenarios/evacuation.lua", { seed = 1, threads = 1 })
    local walked = measure.walking(world, 60)
    assert.is_true(walked.backwards < 0.018, ("%.1f %% of steps backwards"):format(100 * walked.backwards))
  end)

  it("gets through an opening where two do not fit side by side by a hair, though it is narrower behind", function()
    for _, planner in ipairs { "orca", "clearpath", "forces" } do
      for seed = 1, 4 do
        local box = throng.box
        local world <close> = throng.world {
          seed = seed,
          threads = 1,
          map = throng.map {
            boundary = box(0, -3, 6, 6),
            walls = {
              box(0, -0.2, 2.44, 0.2), box(3.385, -0.2, 6, 0.2), -- the opening, then what it is narrowed to
              box(0, -0.4, 2.41, -0.2), box(3.16, -0.4, 6, -0.2),
            },
          },
          regions = { out = box(0, -3, 6, -1.5) },
        }
        local people = world:spawn { count = 40, where = box(0.3, 0.5, 5.7, 5.7), planner = planner, radius = 0.24 }
        people:go_to "out"
        people:on("arrived", function(arrived) arrived:remove() end)
        world:run { seconds = 240, until_done = true }
        assert.equal(40, world:stats().arrived, ("%s, seed %d"):format(planner, seed))
      end
    end
  end)
end)

describe("the speed of a crowd", function()
  for _, planner in ipairs { "orca", "clearpath", "rvo", "forces" } do
    for _, people in ipairs(MEASURED) do
      it(("is as measured at %g persons/m^2, by %s"):format(people.density, planner), function()
        local speed =
          measure.corridor { planner = planner, density = people.density, seed = 1, seconds = 30, last = 10 }
        local off = math.abs(speed - people.weidmann)
        local fits = off <= math.max(0.25 * people.weidmann, 0.2) or (speed >= people.from and speed <= people.to)
        assert.is_true(fits and speed > 0.02, ("%.2f m/s"):format(speed))
      end)
    end
  end

  it("does not fall without a time gap", function()
    local speed = measure.corridor { density = 2, seed = 1, seconds = 20, last = 5, more = { time_gap = 0 } }
    assert.is_true(speed > 1.15, ("%.2f m/s"):format(speed))
  end)

  it("does not fall where people ahead come the other way", function()
    local world <close> = throng.world {}
    local one = world:spawn { at = { { 0, 0 } }, relaxation = 0, planner = straight }
    local other = world:spawn { at = { { 1.5, 0.1 } }, relaxation = 0, planner = straight }
    to_the_right(one)
    other.desired = function(_, a) return -a.speed, 0 end
    world:step()
    assert.near(1.34, math.sqrt(one.vx[1] ^ 2 + one.vy[1] ^ 2), 1e-5)
  end)

  it("does not fall to let others cross, when held up, but where all want to go to one place", function()
    -- The speed of somebody with this frustration, of whom another stands ahead, and wants to go aside.
    local function speed(frustration, goal)
      local world <close> = throng.world {
        regions = { left = throng.box(-9, -1, -8, 1), right = throng.box(8, -1, 9, 1) },
      }
      local one = world:spawn { at = { { 0, 0 } }, radius = 0.25, relaxation = 0, time_gap = 0.3, planner = straight }
      local other = world:spawn { at = { { 0.6, 0 } }, radius = 0.25, planner = "none" }
      one:go_to "right"
      other:go_to(goal)
      other.desired = function() return 0, 1.34 end
      world.stages.desire:after(function() one.frustration = frustration end)
      world:step()
      return math.sqrt(one.vx[1] ^ 2 + one.vy[1] ^ 2)
    end
    local calm, held_up, queues = speed(0, "left"), speed(0.2, "left"), speed(0.2, "right")
    assert.near(0.1 / 0.6, calm, 1e-4)
    assert.is_true(held_up > 4 * calm, ("%.2f m/s"):format(held_up))
    assert.near(calm, queues, 1e-4)
  end)

  -- Their routes are the same, but entries of their own in the table of goals.
  it("are held up as one crowd who go to one place, each by a policy for doors", function()
    local map = throng.map {
      boundary = throng.box(-5, -10, 5, 14),
      walls = { throng.box(-5, -0.2, -0.35, 0), throng.box(0.35, -0.2, 5, 0) },
    }
    local function queue(policy)
      local world <close> = throng.world { map = map, seed = 3, dt = 0.1 }
      local people = world:spawn { count = 80, where = throng.box(-2, 0, 2, 10), radius = 0.22 }
      people:filter(function(a) return a.id % 2 == 0 end).door_policy = policy
      people:go_to(throng.box(-5, -10, 5, -8))
      world:run { seconds = 30 }
      return table.concat(people.x:list(), " ") .. table.concat(people.y:list(), " ")
    end
    assert.equal(queue "reroute", queue "wait")
  end)

  it("comes and goes in waves where people file closely, and not where they have room", function()
    local speed, stands, stops = measure.file { density = 1.8, seed = 1, more = { time_gap = 1.06 } }
    assert.is_true(speed > 0.06 and speed < 0.35, ("%.2f m/s"):format(speed))
    assert.is_true(stops > 1 and stands > 0.1 and stands < 0.6, ("%.1f a minute, %.2f stand"):format(stops, stands))
    local _, none = measure.file { density = 1, seed = 1, more = { time_gap = 1.06 } }
    assert.is_true(none < 0.01)
  end)

  it("follows the gap to whom one walks behind", function()
    local world <close> = throng.world { people = false }
    local back = world:spawn { at = { { 0, 0 } }, time_gap = 1, planner = straight }
    local front = world:spawn { at = { { 1.2, 0 } }, speed = 0.1, planner = "none" }
    to_the_right(back)
    to_the_right(front)
    world:step()
    assert.near(0.35, back.vx[1], 1e-5) -- half of 1.2 m less two radii, in 1 s; nobody moved before
    world:step()
    assert.near((0.7 - 0.035 + 0.01) / 2 + 0.5 * 0.1, back.vx[1], 1e-5)
  end)

  it("follows the gap for no longer than somebody is in the way who steps aside", function()
    local world <close> = throng.world { people = false }
    local one = world:spawn { at = { { 0, 0 } }, time_gap = 1, planner = straight }
    local other = world:spawn { at = { { 1.2, 0.15 } }, planner = "none" }
    to_the_right(one)
    other.desired = function() return 0, 0.25 end
    local function gap() -- along the way, until both touch
      return other.x[1] - one.x[1] - math.sqrt(0.25 - other.y[1] ^ 2)
    end
    local first = gap()
    world:step()
    assert.near(first / 2, one.vx[1], 1e-5) -- nobody moved before
    local second, leaves = gap(), (0.8 * 0.5 - other.y[1]) / 0.25
    assert.is_true(leaves < 1)
    world:step()
    assert.near(second / leaves, one.vx[1], 1e-4)
  end)
end)

describe("a bend", function()
  for planner, least in pairs { orca = 2.8, clearpath = 2.8, rvo = 2.4, generalized_centrifugal_force = 2 } do
    it("is walked in lanes by a crowd, by " .. planner, function()
      local flow = measure.bend { planner = planner, inflow = 6, seed = 1 }
      assert.is_true(flow > least, ("%.2f persons/s"):format(flow))
    end)
  end

  -- The way, 1.34 long, of somebody at (x, y) who wants round a corner of the wall, which is at (0, 0); and the
  -- shortest. On that somebody else stands, `ahead` metres away, if given.
  local function walk(settings, ahead, ex, ey)
    local world <close> = throng.world {
      map = throng.map {
        boundary = settings.boundary or { throng.box(-9, -2.4, 2.4, 0), throng.box(0, -2.4, 2.4, 9) },
        walls = settings.walls,
      },
      regions = { to = settings.to or throng.box(0, 8, 2.4, 9) },
    }
    local one = world:spawn {
      at = { { settings.x, settings.y } }, radius = 0.25, relaxation = 0, time_gap = settings.time_gap,
      planner = settings.planner or straight,
    }
    if ahead then
      world:spawn { at = { { settings.x + ahead * ex, settings.y + ahead * ey } }, radius = 0.25, planner = "none" }
    end
    if settings.beside then
      world:spawn({ at = { settings.beside }, radius = 0.25, planner = "none" }):go_to(settings.wants or "to")
    end
    one:go_to "to"
    one.vx, one.vy = settings.speed or 1.34, settings.up or 0
    world:step()
    local vx, vy, wx, wy = one.vx[1], one.vy[1], one.desired_vx[1], one.desired_vy[1]
    local speed, wish = math.sqrt(vx * vx + vy * vy), math.sqrt(wx * wx + wy * wy)
    return 1.34 * vx / speed, 1.34 * vy / speed, wx / wish, wy / wish
  end

  local function velocity(settings)
    local vx, vy, ex, ey = walk(settings)
    if settings.alone then return vx, vy end
    return walk(settings, settings.ahead or 1.1, ex, ey)
  end

  it("is walked the shortest way by who has nobody in its way", function()
    local vx, vy = velocity { x = -2, y = -1.2, alone = true }
    assert.is_true(vy > 0.5 and vx > 1, ("%.2f, %.2f m/s"):format(vx, vy))
    local far = { velocity { x = -2, y = -1.2, ahead = 1.4 } } -- 0.9 m to the other: more than in a time gap
    assert.near(vx, far[1], 1e-4)
    assert.near(vy, far[2], 1e-4)
  end)

  it("is walked along the wall by who has, up to where it turns", function()
    local straight_on = { velocity { x = -2, y = -1.2 } }
    assert.near(1.34, straight_on[1], 1e-4)
    assert.near(0, straight_on[2], 1e-4)
    local _, before = velocity { x = 1, y = -1.2 }
    local _, behind = velocity { x = 1.4, y = -1.2 }
    assert.near(0, before, 1e-4)
    assert.near(1.34, behind, 1e-4)
  end)

  it("is walked likewise the other way round", function()
    local vx, vy = velocity { x = 1.2, y = 2, to = throng.box(-9, -2.4, -8, 0) }
    assert.near(0, vx, 1e-4)
    assert.near(-1.34, vy, 1e-4)
  end)

  it("is left at once by who is past the corner, and stopped by somebody who wants to go there, too", function()
    local vx, vy = velocity { x = 1, y = -1.2, speed = 0, beside = { 1.7, -1.2 } }
    assert.near(0, vx, 1e-4)
    assert.near(1.34, vy, 1e-4)
    for _, other in ipairs {
      { x = 1, y = -1.2, speed = 0 }, -- nobody there
      { x = 1, y = -1.2, speed = 0.5, beside = { 1.7, -1.2 } }, -- who walks on
      { x = 1, y = -1.2, speed = 0, beside = { 1.7, -1.2 }, wants = { 1.7, -2.1 } }, -- somebody who wants elsewhere
      { x = -2, y = -1.2, speed = 0, beside = { -1.3, -1.2 } }, -- before the corner
    } do
      assert.near(1.34, (velocity(other)), 1e-4)
    end
  end)

  it("has somebody who comes the other way in it from farther off", function()
    local settings = { x = -2, y = -1.2 }
    local _, shortest, ex, ey = walk(settings)
    settings.beside = { -2 + 1.6 * ex, -1.2 + 1.6 * ey }
    local _, behind = walk(settings)
    assert.near(shortest, behind, 1e-4)
    settings.wants = { -8, -1.2 }
    local _, aside = walk(settings) -- which is passed on the right, too
    assert.is_true(aside < 0, ("%.2f m/s"):format(aside))
  end)

  it("is no matter for who keeps no time gap, or has no planner", function()
    local _, shortest = velocity { x = -2, y = -1.2, alone = true }
    local _, vy = velocity { x = -2, y = -1.2, time_gap = 0 }
    assert.near(shortest, vy, 1e-4)
    _, vy = velocity { x = -2, y = -1.2, planner = "none" }
    assert.near(shortest, vy, 1e-4)
  end)

  local back = { -- two corridors, of which one leads back beside the other
    boundary = throng.box(-9, -2.4, 2.4, 2.6), walls = { throng.box(-9, 0, 0, 0.2) }, to = throng.box(-9, 0.2, -8, 2.6),
  }
  local function round_the_end(x, y, speed, up)
    return velocity { x = x, y = y, speed = speed, up = up, boundary = back.boundary, walls = back.walls, to = back.to }
  end

  it("is the end of a wall, too", function()
    assert.near(1.34, (round_the_end(-2, -1.2)), 1e-4)
    assert.near(1.34, (round_the_end(0.6, -1.2)), 1e-4)
    for _, y in ipairs { -1.2, 0.1, 1.2 } do
      local vx, vy = round_the_end(1.3, y, 0, 1.34)
      assert.near(0, vx, 1e-4)
      assert.near(1.34, vy, 1e-4)
    end
    assert.is_true(round_the_end(1.3, 1.6, 0, 1.34) < -1.2)
    assert.is_true(round_the_end(0.6, 1.2, -1.34) < -1.2)
    assert.is_true(round_the_end(-2, 1.2, -1.34) < -1.2)
  end)

  it("lets a crowd round the end of a wall in lanes", function()
    local world <close> = throng.world {
      map = throng.map { boundary = throng.box(-15, -2.4, 2.4, 2.6), walls = { throng.box(-15, 0, 0, 0.2) } },
      regions = { from = throng.box(-15, -2.4, -10, 0), to = throng.box(-15, 0.2, -14, 2.6) },
      seed = 1,
    }
    world:source { name = "people", rate = 6, where = "from", to = "to" }
    local line = world:measure { flow = { { -4, 0.2 }, { -4, 2.6 } } }
    world:run { seconds = 90 }
    assert.is_true(line.count > 100, line.count .. " persons")
  end)

  it("is none where the wall is short, or a door in it", function()
    local pillar = { x = -1.4, y = -1.2, boundary = throng.box(-9, -9, 9, 9), to = throng.box(-2, 8, 9, 9) }
    pillar.walls = { throng.box(-0.9, 0, 0, 0.9) }
    local door = { x = -2, y = -1.2, boundary = throng.box(-9, -9, 9, 9), to = throng.box(0.2, 8, 0.8, 9) }
    door.walls = { throng.box(-9, 0, 0, 2), throng.box(1, 0, 9, 2) }
    local thin = { x = 0.5, y = -1, boundary = throng.box(-9, -9, 9, 9), to = throng.box(-9, 8, -8, 9) }
    thin.walls = { throng.box(-9, 0, 0, 0.2), throng.box(1, 0, 9, 0.2) }
    for _, settings in ipairs { pillar, door, thin } do
      local vx, vy = velocity(settings)
      settings.alone = true
      local alone = { velocity(settings) }
      assert.near(alone[1], vx, 1e-4)
      assert.near(alone[2], vy, 1e-4)
    end
  end)
end)

describe("a T-junction", function()
  it("does not stop those who come towards each other, and all turn off before they meet", function()
    local world <close> = throng.load("scenarios/t_junction.lua", { seed = 1, params = { inflow = 1.2 } })
    world:run {}
    local before = world.measures[2]
    assert.equal("speed", before.kind)
    assert.is_true(before.mean > 0.95, ("%.2f m/s, people 1.26"):format(before.mean))
  end)

  for planner, most in pairs { clearpath = 40, rvo = 45 } do
    it("is left by all who come from both sides, and nobody waits for long, by " .. planner, function()
      local world <close> = throng.load("scenarios/t_junction.lua", {
        seed = 1, params = { inflow = 1.9, planner = planner },
      })
      world:run {}
      local worst = world:stats().worst_travel
      assert.is_true(worst < most, ("%.0f s"):format(worst))
    end)
  end
end)

describe("two ways through a corridor", function()
  for _, seed in ipairs { 1, 2 } do
    for _, density in ipairs { 1, 1.5 } do
      it(("are walked in lanes, as fast as people do, at %g persons/m^2, seed %d"):format(density, seed), function()
        local speed, lanes = measure.corridor { density = density, seed = seed, ways = 2 }
        assert.is_true(speed > 0.8 * 0.9 and speed < 1.2 * 1.04, ("%.2f m/s"):format(speed))
        assert.is_true(lanes >= 0.7, ("index %.2f"):format(lanes))
      end)
    end

    it("do not jam at 2 and 3 persons/m^2, seed " .. seed, function()
      local speed = measure.corridor { density = 2, seed = seed, ways = 2 }
      assert.is_true(speed > 0.4, ("%.2f m/s"):format(speed))
      speed = measure.corridor { density = 3, seed = seed, ways = 2 }
      assert.is_true(speed > 0.1, ("%.2f m/s"):format(speed))
    end)
  end

  it("keep their lanes at 3 persons/m^2", function()
    local speed, lanes = measure.corridor { density = 3, seed = 1, ways = 2, seconds = 180 }
    assert.is_true(speed > 0.1, ("%.2f m/s"):format(speed))
    assert.is_true(lanes > 0.8, ("index %.2f"):format(lanes))
  end)

  for _, planner in ipairs { "clearpath", "rvo", "forces", "bvp" } do
    it("are walked in lanes under " .. planner, function()
      local speed, lanes = measure.corridor { density = 1, seed = 1, ways = 2, planner = planner }
      assert.is_true(speed > 0.8 * 0.9 and speed < 1.2 * 1.04, ("%.2f m/s"):format(speed))
      assert.is_true(lanes >= 0.7, ("index %.2f"):format(lanes))
    end)
  end
end)

describe("four streams that cross", function()
  for _, planner in ipairs { "orca", "clearpath", "rvo", "forces", "bvp" } do
    it("do not lock, by " .. planner, function()
      local params = { count = 400, planner = planner, people = true }
      local world <close> = throng.load("scenarios/streams.lua", { params = params, threads = 1 })
      world:run { seconds = 100, until_done = true }
      assert.equal(400, world:stats().arrived)
    end)
  end

  it("leave little to the contacts where bodies are as wide as shoulders, under clearpath", function()
    local function conflicts(shoulders)
      local params = { count = 400, planner = "clearpath", people = true, shoulders = shoulders }
      local world <close> = throng.load("scenarios/streams.lua", { params = params, threads = 1 })
      world:run { seconds = 100, until_done = true }
      assert.equal(400, world:stats().arrived)
      return world:stats().conflicts
    end
    local shoulders, round = conflicts(true), conflicts(false)
    assert.is_true(shoulders < 0.2 * round, shoulders .. " pairs, and " .. round .. " of round bodies")
  end)
end)

describe("who comes the other way", function()
  -- Velocities after a step of somebody at (0, 0) who wants to walk right, where others stand and want what is given.
  local function velocity(settings, ...)
    local world <close> = throng.world {}
    local one = world:spawn { at = { { 0, 0 } }, relaxation = 0, radius = 0.25, time_gap = settings.time_gap,
      planner = settings.planner or straight }
    to_the_right(one)
    for _, other in ipairs { ... } do
      local group = world:spawn { at = { other.at }, radius = 0.25, planner = "none" }
      local x, y = table.unpack(other.wants)
      group.desired = function() return x, y end
      group.vx, group.vy = table.unpack(other.goes or { 0, 0 })
    end
    world.stages.desire:after(function() one.frustration = settings.frustration or 0 end)
    world:step()
    return one.vx[1], one.vy[1]
  end
  local left, right = { -1.34, 0 }, { 1.34, 0 }

  it("is passed on the right by both, or on the side that is free", function()
    local _, ahead = velocity({}, { at = { 1.5, 0 }, wants = left })
    local _, beside = velocity({}, { at = { 1.5, -0.4 }, wants = left })
    assert.is_true(ahead < -0.3 and beside > 0.2, ("%.2f, %.2f m/s"):format(ahead, beside))
    local _, without = velocity({ time_gap = 0 }, { at = { 1.5, 0 }, wants = left })
    local _, along = velocity({}, { at = { 1.5, 0 }, wants = right })
    local _, across = velocity({}, { at = { 1.5, 0 }, wants = { 0, 1.34 } })
    assert.same({ 0, 0, 0 }, { without, along, across })
  end)

  it("is told by what one wants, not by where one goes", function()
    local _, stands = velocity({}, { at = { 1.5, 0 }, wants = left })
    local _, pushed = velocity({}, { at = { 1.5, 0 }, wants = left, goes = { 0.5, 0 } })
    assert.is_true(stands < 0)
    assert.equal(stands, pushed)
  end)

  it("makes one walk behind those who go one's own way", function()
    local comes, leads = { at = { 1.5, 0 }, wants = left }, { at = { 1.2, 0.6 }, wants = right }
    local _, alone = velocity({}, comes)
    local _, behind = velocity({}, comes, leads)
    assert.is_true(behind > alone + 0.05, ("%.3f, %.3f m/s"):format(behind, alone))
  end)

  it("makes one sidestep with those ahead, when held up, though one does not see him", function()
    local leads = { at = { 1.2, 0 }, wants = right, goes = { 0, -0.3 } }
    local _, calm = velocity({}, leads)
    local _, held = velocity({ frustration = 0.5 }, leads)
    assert.equal(0, calm)
    assert.is_true(held < -0.3, ("%.2f m/s"):format(held))
  end)

  it("is squeezed past by the frustrated, whatever their planner", function()
    local stays = throng.rvo { samples = 1, weight = 0, max_acceleration = 1e-3 }
    local comes = { at = { 0.8, 0 }, wants = left }
    assert.near(0, (velocity({ planner = stays }, comes)), 1e-3)
    local vx, vy = velocity({ planner = stays, frustration = 0.5 }, comes)
    assert.near(1.34, math.sqrt(vx ^ 2 + vy ^ 2), 0.01)
    assert.is_true(vy < -0.5)
    local alone = velocity({ planner = stays, frustration = 0.5 })
    assert.near(0, alone, 1e-3)
  end)
end)

describe("people", function()
  it("differ in radius, by seed, unless one is given", function()
    local function radii(settings, radius)
      local world <close> = throng.world(settings)
      return world:spawn({ count = 500, where = throng.box(0, 0, 40, 40), radius = radius }).radius:list()
    end
    local first, sum, least, most = radii { seed = 1 }, 0, 1, 0
    for _, radius in ipairs(first) do
      sum, least, most = sum + radius, math.min(least, radius), math.max(most, radius)
    end
    assert.near(0.225, sum / #first, 0.003)
    assert.is_true(least >= 0.2 and least < 0.202 and most <= 0.25 and most > 0.248)
    assert.same(first, radii { seed = 1 })
    assert.not_same(first, radii { seed = 2 })
    for _, list in ipairs { radii({}, 0.25), radii { people = false } } do
      for _, radius in ipairs(list) do
        assert.equal(0.25, radius)
      end
    end
  end)

  it("are discs without people's habits where the world says so", function()
    local world <close> = throng.world { people = false }
    local discs = world:spawn { at = { { 0, 0 } } }
    assert.same({ 0, 0 }, { discs.time_gap[1], discs.relaxation[1] })
    to_the_right(discs)
    world:step()
    assert.near(1.34, discs.vx[1], 1e-6)
  end)

  it("take their time to get to their speed, and to stop", function()
    for _, planner in ipairs { "orca", "clearpath", "rvo", "forces", "bvp" } do
      local world <close> = throng.world {}
      local one = world:spawn { at = { { 0, 0 } }, planner = planner }
      to_the_right(one)
      world:step()
      assert.near(1.34 * 0.1 / 0.5, one.vx[1], 1e-5, planner)
      world:run { steps = 5 }
      assert.near(1.34, one.vx[1], 0.01, planner)
      one.desired = function() return 0, 0 end
      world:step()
      assert.is_true(one.vx[1] > 1, planner)
    end
  end)

  it("do not run to make way for who comes from behind", function()
    local function fastest(relaxation)
      local world <close> = throng.world {}
      local slow = world:spawn {
        at = { { 2, 0 } }, speed = 0.5, max_speed = 3, relaxation = relaxation, planner = throng.rvo { weight = 10 },
      }
      local fast = world:spawn { at = { { 0, 0 } }, speed = 3, planner = "none" }
      to_the_right(slow)
      to_the_right(fast)
      local most = 0
      for _ = 1, 4 do
        world:step()
        most = math.max(most, math.sqrt(slow.vx[1] ^ 2 + slow.vy[1] ^ 2))
      end
      return most
    end
    assert.is_true(fastest(0.05) <= 1.2 * 0.5 + 1e-3)
    assert.is_true(fastest(0) > 1)
  end)

  it("are not pushed along faster than they walk, whoever comes from behind", function()
    for _, planner in ipairs { "orca", "clearpath" } do
      assert.equal(0, measure.streams({ planner = planner, seed = 1 }).fast)
    end
    assert.is_true(measure.streams({ planner = "orca", seed = 1, more = { relaxation = 0 } }).fast > 0.001)
  end)

  it("take no steps back", function()
    local turning = throng.forces { published = 1 }
    local function speed(relaxation)
      return (measure.corridor {
        planner = turning, density = 3, seed = 1, seconds = 20, last = 5,
        more = { relaxation = relaxation, time_gap = 0 },
      })
    end
    assert.is_true(speed(0) < -0.2)
    assert.is_true(speed(0.5) > 0.02)
  end)

  it("are not turned round by the pushes of forces, but in the thesis", function()
    local function speed(published)
      return (measure.corridor {
        planner = throng.forces { published = published }, density = 3, seed = 1, seconds = 20, last = 5,
        more = { relaxation = 0, time_gap = 0 },
      })
    end
    assert.is_true(speed(1) < -0.2)
    assert.is_true(speed(0) > 0.1)
  end)
end)
