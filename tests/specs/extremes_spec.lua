-- Whatever a script may ask for, every position stays a number, and the same one at any SIMD width.
local throng = require "throng"
local needs = dofile "tests/specs/needs.lua"

local function pick(t) return t[math.random(#t)] end

-- Planners at the ends of their parameters' ranges; `far`: how far they may look.
local function planner(far)
  return pick {
    "none",
    throng.orca { horizon = pick { 1e-6, 3, 1e6 } },
    throng.clearpath { variant = pick { 1, 2 }, max_acceleration = pick { 1e-6, 1e6 } },
    throng.rvo { samples = pick { 1, 64 }, weight = pick { 0, 1e6 }, alpha = pick { 0, 0.5, 1 } },
    throng.bvp { epsilon = pick { -1.999, 0, 1.999 }, inertia = pick { 0, 0.999 }, cell = pick { 0.02, 0.2 } },
    throng.forces {
      length = pick { 1e-6, far }, width = pick { 1e-6, far }, comfort = pick { 1e-6, 10 },
      attraction = pick { 0, 1, 1000 }, avoidance = pick { -1000, 0.3, 1000 }, memory = pick { 0, 1000 },
      walls = pick { 0, 1000 }, max_turn = pick { 1e-6, 1000 }, max_acceleration = pick { 1e-6, 1e6 },
    },
    throng.collision_free_speed {
      variant = pick { 2, 3 }, time_gap = pick { 1e-6, 1, 100 }, strength = pick { 0, 1000 },
      range = pick { 1e-3, 100 }, wall_strength = pick { 0, 1000 }, wall_range = pick { 1e-3, 100 },
      ahead = pick { 1e-3, 100 }, aside = pick { 1e-3, 100 }, max_turn = pick { 0, math.pi }, buffer = pick { 0, 100 },
    },
    throng.social_force {
      relaxation = pick { 1e-6, 0.5, 100 }, force = pick { 0, 1e6 }, wall_force = pick { 0, 1e6 },
      range = pick { 1e-3, 0.08, 100 },
    },
    throng.anticipation {
      time_gap = pick { 1e-6, 1, 100 }, strength = pick { 0, 1000 }, range = pick { 1e-3, 100 },
      anticipation = pick { 0, 100 }, reaction = pick { 1e-6, 100 }, wall_buffer = pick { 0, 100 },
      push_out = pick { 0, 1000 },
    },
    throng.generalized_centrifugal_force {
      relaxation = pick { 1e-6, 100 }, strength = pick { 0, 100 }, range = pick { 0.1, 100 }, a_min = pick { 0.01, 10 },
      a_time = pick { 0, 10 }, b_min = pick { 0.01, 10 }, b_max = pick { 0.01, 10 },
    },
    throng.power_law { relaxation = pick { 1e-6, 100 }, strength = pick { 0, 1e4 }, time = pick { 1e-6, 100 } },
  }
end

-- Places in a square of 20 m: all in one, all but in one, about it, or, without walls, on the seam.
local function places(count, walls)
  local form, at = math.random(walls and 3 or 4), {}
  for i = 1, count do
    local x, y = math.random(), math.random()
    at[i] = { 3, 3 }
    if form == 2 then at[i] = { 3 + 1e-7 * i, 3 } end
    if form == 3 then at[i] = { 1 + 3 * x, 1 + 18 * y } end
    if form == 4 then at[i] = { 20 * x, 1e-4 } end
  end
  return at
end

local function add_people(world, name, wraps, walls)
  local fastest = wraps and 2 or pick { 2, 1000 }
  local group = world:spawn {
    name = name, at = places(math.random(20), walls), planner = planner(wraps and 4 or 100), routing = "direct",
    radius = pick { 1e-3, 0.25, 0.5 }, mass = pick { 1e-6, 80, 1e6 },
    speed = pick { 0, 1e-6, fastest }, max_speed = fastest,
  }
  if math.random(2) == 1 then group.desired = { pick { 1e-30, 1000 }, pick { -1000, 0 } } else group:go_to { 3, 3 } end
end

local function add_bodies(world, walls)
  local bodies = world:bodies(pick {
    { at = places(8, walls), circle = pick { 0.01, 2 }, mass = pick { 1e-6, 1e9 }, velocity = { 10, 0 } },
    { at = places(8, walls), box = pick { { 0.01, 3 }, { 0.5, 0.5 } }, friction = pick { 0, 100 }, mass = 5 },
    { at = places(4, walls), polygon = { { -1, -1 }, { 1, -1 }, { 0, 1 } }, static = true },
  })
  for i, body in ipairs(bodies) do
    if i % 3 == 0 then body:push(pick { -1e30, 1e30 }, pick { 1e-30, 1e30 }) end
  end
end

local function random_world(seed, simd, threads)
  math.randomseed(seed)
  local wraps = math.random(2) == 1
  local blocks = { throng.box(5, 5, 6, 12), throng.polygon { { 10, 10 }, { 12, 10 }, { 11, 14 } } }
  local walls = pick { false, throng.map { boundary = throng.box(0, 0, 20, 20), walls = blocks } } or nil
  local world = throng.world {
    backend = "cpu", simd = simd, threads = threads, seed = seed, map = walls, wrap = wraps and { 20, 20 } or nil,
    dt = pick { 0.001, 0.1, 0.5 }, latency = pick { 0, 1 },
  }
  for _ = 1, math.random(0, 2) do add_bodies(world, walls) end
  for _, name in ipairs { "one", "other" } do add_people(world, name, wraps, walls) end
  world:avoidance("one", "other", pick { -1000, 0, 1000 })
  world:hazard { at = { 3, 3 }, weight = pick { -1000, 1000 }, reach = pick { 1e-3, 1e6 } }
  return world
end

local function check(world, what)
  local function number(value, name)
    if value ~= value or math.abs(value) > 1e6 then error(("%s: %s is %s"):format(what, name, value)) end
  end
  for _, name in ipairs { "x", "y", "vx", "vy", "hx", "hy" } do
    for _, value in ipairs(world.agents[name]:list()) do number(value, name) end
  end
  for _, body in ipairs(world:bodies()) do
    for _, name in ipairs { "x", "y", "vx", "vy", "angle", "spin" } do number(body[name], "a body's " .. name) end
  end
end

-- How many nobody saw, and the bits, after a step of such a crowd.
local function unseen(simd, threads, spawn)
  local world <close> = throng.world { simd = simd, threads = threads, backend = "cpu", people = false }
  spawn(world)
  world:step()
  return world:stats().hidden, world:hash()
end

local function heap(world)
  local at = {}
  for i = 1, 2000 do at[i] = { 5, 5 } end
  world:spawn { at = at }
end

-- Cells are as wide as the 33rd of the largest.
local function giants(count)
  return function(world)
    world:spawn { count = 2000, where = throng.box(0, 0, 60, 60), radius = 0.2 }
    for i = 1, count do world:spawn { at = { { -300 - 250 * i, 0 } }, radius = 100 } end
  end
end

describe("who is hidden", function()
  it("is counted: of a heap about all but 512", function()
    local hidden, hash = unseen(1, 1, heap)
    assert.is_true(hidden > 1300 and hidden < 1700, hidden)
    for _, simd in ipairs(needs.which_simd { 4, 8, 16 }) do assert.same({ hidden, hash }, { unseen(simd, 2, heap) }) end
  end)

  it("is nobody beside few giants, and many beside more of them", function()
    assert.equal(0, (unseen(1, 1, giants(32))))
    assert.is_true(unseen(1, 1, giants(33)) > 1000)
  end)
end)

-- A giant shoves a box of 5 kg east, to a wall at 40 m. Its middle is far from both, and from where the others stand.
local function giant_at_wall(simd, threads)
  local world <close> = throng.world {
    simd = simd, threads = threads, backend = "cpu", people = false,
    map = throng.map { boundary = throng.box(-200, -100, 40, 100) },
  }
  world:spawn { count = 60, where = throng.box(-199, -99, -180, -80), radius = 0.2 }
  local giant = world:spawn { at = { { -60, 0 } }, radius = 80, max_speed = 4, planner = "none", routing = "direct" }
  local box = world:bodies { at = { { 22, 0 } }, box = { 1, 1 }, mass = 5, friction = 0 }[1]
  giant.desired = { 4, 0 }
  local furthest = -math.huge
  for _ = 1, 60 do
    world:step()
    furthest = math.max(furthest, giant.x[1] + 80 - box.x)
  end
  return { giant.x[1] + 80, furthest, world:hash() }
end

describe("a giant among others", function()
  it("shoves boxes and stops at walls, with the same bits at any SIMD width", function()
    local one = giant_at_wall(1, 1)
    assert.is_true(one[1] > 38 and one[1] < 40.001, one[1])
    assert.is_true(one[2] < -0.4, one[2])
    for _, simd in ipairs(needs.which_simd { 4, 8, 16 }) do assert.same(one, giant_at_wall(simd, 2)) end
  end)

  it("shoves all that is in its way, also what came after it", function()
    local world <close> = throng.world { backend = "cpu", people = false }
    local giant = world:spawn { at = { { 0, 0 } }, radius = 20, max_speed = 4, planner = "none", routing = "direct" }
    local at = {}
    for i = 1, 40 do at[i] = { 22 + i % 3, i - 20.5 } end
    world:bodies { at = at, box = { 0.5, 0.5 }, mass = 1, friction = 0 }
    giant.desired = { 4, 0 }
    world:run { steps = 5 }
    for i = 1, 40 do at[i][1] = 26 + i % 3 end
    world:bodies { at = at, box = { 0.5, 0.5 }, mass = 1, friction = 0 }
    world:run { steps = 20 }
    assert.is_true(giant.x[1] > 3, giant.x[1])
    for _, box in ipairs(world:bodies()) do
      local away = math.sqrt((box.x - giant.x[1]) ^ 2 + (box.y - giant.y[1]) ^ 2)
      assert.is_true(away > 20, ("%g m from its middle"):format(away))
    end
  end)
end)

describe("worlds of extremes", function()
  it("hold numbers, and the same bits at any SIMD width and number of threads", function()
    local widths = needs.which_simd { 4, 8, 16 }
    for seed = 1, 40 do
      local one <close> = random_world(seed, 1, 1)
      local many <close> = random_world(seed, widths[1 + seed % #widths], 2)
      for step = 1, 20 do
        for _, world in ipairs { one, many } do
          world:step()
          check(world, ("seed %d, step %d"):format(seed, step))
        end
      end
      assert.equal(one:hash(), many:hash(), "seed " .. seed)
    end
  end)
end)
