-- Escalators and moving walkways: flights that carry people one way, stop and turn round.
local throng = require "throng"
local needs = dofile "tests/specs/needs.lua"

local HALL = throng.box(0, 0, 30, 10)
local LOW, HIGH = { 2, 8 }, { 20, 8, floor = "first" }

-- Two floors with an escalator in the north, and stairs in the south where asked for.
local function halls(settings)
  local escalator = { name = "moving", from = "ground", to = "first", foot = { 8, 8 }, head = { 15, 8 } }
  for key, value in pairs(settings or {}) do escalator[key] = value end
  escalator.stairs = nil
  return throng.building {
    floors = { ground = { z = 0, boundary = HALL }, first = { z = 3.5, boundary = HALL } },
    escalators = { escalator },
    stairs = settings and settings.stairs
      and { { name = "stairs", from = "ground", to = "first", foot = { 8, 3 }, head = { 15, 3 } } } or nil,
  }
end

-- Somebody walks: seconds on each flight, whether they came, and where they are.
local function walk(map, from, to, prepare)
  local world = throng.world { map = map, seed = 1, dt = 0.1 }
  local people = world:spawn { at = { from }, speed = 1.34 }
  people:go_to(to)
  if prepare then prepare(world.map) end
  local on = { moving = 0, stairs = 0, ground = 0, first = 0 }
  for _ = 1, 600 do
    world:step()
    on[people.floor[1]] = on[people.floor[1]] + 0.1
    if people.arrived[1] >= 0 then break end
  end
  return on, people.arrived[1] >= 0, people
end

local PLAN, RISE = 7, 3.5
local INCLINE = math.sqrt(PLAN ^ 2 + RISE ^ 2)

describe("an escalator", function()
  it("carries who stands on it, at its speed along the slope", function()
    assert.is_near(INCLINE / 0.5, walk(halls(), LOW, HIGH).moving, 0.4)
    assert.is_near(INCLINE / 0.75, walk(halls { speed = 0.75 }, LOW, HIGH).moving, 0.4)
    -- on the plan: the belt, and 0.61 m/s on its steps
    assert.is_near(PLAN / (0.5 * PLAN / INCLINE + 0.61), walk(halls { walkers = 1 }, LOW, HIGH).moving, 0.4)
  end)

  it("leads nobody against it", function()
    local map = halls()
    assert.is_truthy(map:path(LOW, HIGH))
    assert.is_nil(map:path(HIGH, LOW))
    local on, came, people = walk(map, HIGH, LOW)
    assert.is_false(came)
    assert.equal(0, on.moving)
    assert.is_near(HIGH[1], people.x[1], 0.01) -- who has no way stays, and says so
    local world <close> = throng.world { map = map, seed = 1, dt = 0.1 }
    world:spawn { at = { HIGH } }:go_to(LOW)
    world:run { seconds = 30 }
    assert.equal("no route", world:stuck()[1].cause)
    local stairs
    stairs, came = walk(halls { stairs = true }, HIGH, LOW)
    assert.is_true(came and stairs.stairs > 5 and stairs.moving == 0)
    on, came = walk(halls { stairs = true, direction = "down" }, HIGH, LOW)
    assert.is_true(came and on.moving > 5 and on.stairs == 0)
  end)

  it("stops, starts and turns round while the world runs", function()
    local on, came = walk(halls(), HIGH, LOW, function(map) map:flight("moving"):stop() end)
    assert.is_true(came)
    assert.is_near(PLAN / 0.694, on.moving, 0.5) -- as on stairs
    on, came = walk(halls(), HIGH, LOW, function(map) map:flight("moving"):reverse() end)
    assert.is_true(came)
    assert.is_near(INCLINE / 0.5, on.moving, 0.6)
    assert.is_false(select(2, walk(halls(), HIGH, LOW, function(map) map:flight("moving"):stop():start() end)))
    local world = throng.world { map = halls { direction = "down" }, seed = 1 }
    local flight = world.map:flight "moving"
    assert.same({ "down", true }, { flight.direction, flight.is_running })
    assert.is_near(0.5, flight.speed, 1e-6)
    flight.speed = 0.65
    assert.is_near(0.65, flight:reverse().speed, 1e-6)
    assert.equal("up", flight.direction)
    flight.speed = 0
    assert.same({ "", false }, { flight.direction, flight.is_running })
  end)

  it("takes those who are on it along when it turns round, by common routes and by paths of their own", function()
    local machine = throng.fsm { start = "go", go = { goal = throng.go_to(HIGH, { own_path = true }) } }
    for _, send in ipairs { function(people) people:go_to(HIGH) end, function(people) people:run(machine) end } do
      local world = throng.world { map = halls { stairs = true }, seed = 1, dt = 0.1 }
      local people = world:spawn { at = { LOW } }
      send(people)
      while people.floor[1] ~= "moving" do world:step() end
      world:run { seconds = 4 }
      world.map:flight("moving"):reverse()
      world:run { seconds = 60 }
      assert.equal("first", people.floor[1]) -- back to the ground, and up the stairs
      assert.is_near(HIGH[1], people.x[1], 1)
      assert.is_near(HIGH[2], people.y[1], 1)
    end
  end)

  it("has walkers on its left and the others on its right", function()
    local world = throng.world {
      map = halls { head = { 20, 8 }, walkers = 0.4, width = 1.2 }, seed = 1, dt = 0.1,
    }
    local people = world:spawn { count = 40, where = throng.box(0, 0, 8, 10) }
    people:go_to { 28, 5, floor = "first" }
    local slow, quick = { n = 0, y = 0 }, { n = 0, y = 0 }
    for _ = 1, 600 do
      world:step()
      local x, y, vx = people.x:list(), people.y:list(), people.vx:list()
      for i, floor in ipairs(people.floor:list()) do
        if floor == "moving" and x[i] > 12 and x[i] < 18 then
          local some = vx[i] > 0.7 and quick or slow
          some.n, some.y = some.n + 1, some.y + y[i] - 8
        end
      end
    end
    assert.is_true(slow.n > 500 and quick.n > 100, slow.n .. " " .. quick.n)
    assert.is_true(slow.y / slow.n < -0.15 and quick.y / quick.n > 0.1, slow.y / slow.n .. " " .. quick.y / quick.n)
  end)

  it("lets about one a second and a metre board, and nobody overlap", function()
    local world = throng.world { map = halls(), seed = 1, dt = 0.1 }
    local people = world:spawn { count = 100, where = throng.box(0, 0, 7, 10) }
    people:go_to { 25, 5, floor = "first" }
    world:run { seconds = 60 }
    local boarded = #people - #people:inside "ground"
    assert.is_true(boarded > 40 and boarded < 100, "boarded " .. boarded)
    assert.equal(0, world:stats().overlaps)
  end)

  local function hash(settings)
    settings.map = halls { walkers = 0.3, stairs = true }
    settings.seed, settings.dt = 3, 0.1
    local world = throng.world(settings)
    for _, planner in ipairs { "orca", "anticipation", "collision_free_speed" } do
      world:spawn { count = 20, where = "ground", planner = throng[planner] {} }:go_to(HIGH)
      world:spawn { count = 10, where = "first", planner = throng[planner] {} }:go_to(LOW)
    end
    world:run { seconds = 10 }
    world.map:flight("moving"):reverse()
    world:run { seconds = 20 }
    return world:hash()
  end

  it("has the same bits on every width and any number of threads", function()
    local expected = hash { simd = 1, threads = 1 }
    for _, width in ipairs(needs.which_simd { 4, 8, 16 }) do
      assert.equal(expected, hash { simd = width, threads = 2 })
    end
  end)

  it("has the same bits on CUDA", function()
    needs.device(pending)
    assert.equal(hash { backend = "cpu" }, hash { backend = "cuda" })
  end)

  it("says what is wrong", function()
    local function raises(text, f, ...)
      local ok, message = pcall(f, ...)
      assert.is_false(ok)
      assert.is_truthy(tostring(message):find(text, 1, true), tostring(message))
    end
    raises("unknown direction 'left'", halls, { direction = "left" })
    raises("field 'speed'", halls, { speed = 0 })
    raises("unknown field 'sped'", halls, { sped = 1 })
    local map = halls { stairs = true }
    raises("flights stop and start in a world", function() map:flight "moving" end)
    local world = throng.world { map = map, seed = 1 }
    raises("unknown flight 'movin'", function() world.map:flight "movin" end)
    raises("does not move", function() world.map:flight("stairs"):stop() end)
    raises("0 to 3 m/s", function() world.map:flight("moving").speed = -1 end)
    raises("read only", function() world.map:flight("moving").name = "x" end)
  end)
end)

describe("a moving walkway", function()
  it("carries people along their floor, one way", function()
    local map = throng.building {
      floors = { hall = { z = 0, boundary = throng.box(0, 0, 60, 10) } },
      walkways = { { name = "moving", from = "hall", foot = { 10, 5 }, head = { 50, 5 } } },
    }
    local function seconds(from, to)
      local world = throng.world { map = map, seed = 1, dt = 0.1 }
      local people = world:spawn { at = { from }, speed = 1.34 }
      people:go_to(to)
      local on = 0
      for _ = 1, 600 do
        world:step()
        on = on + (people.floor[1] == "moving" and 0.1 or 0)
        if people.arrived[1] >= 0 then break end
      end
      return on
    end
    assert.is_near(40 / (1.34 + 0.5), seconds({ 2, 5 }, { 58, 5 }), 0.3)
    assert.equal(0, seconds({ 58, 5 }, { 2, 5 }))
  end)
end)
