-- The same script and seed give the same bits on every backend, with any number
-- of SIMD widths and threads: 300 steps of a dense crowd among walls.
local throng = require "throng"
local command = dofile "tests/specs/command.lua"
local needs = dofile "tests/specs/needs.lua"

local STEPS = 300

-- Two crowds of mixed sizes meet in a hall with pillars and a narrow middle.
local function dense(settings)
  settings.seed = 42
  settings.map = throng.map {
    boundary = throng.box(0, 0, 40, 16),
    walls = {
      throng.box(19, 0, 21, 5),
      throng.box(19, 11, 21, 16),
      throng.box(10, 7, 11, 8),
      throng.polygon { { 30, 6 }, { 31, 8 }, { 29, 9 } },
    },
  }
  settings.regions = { west = throng.box(1, 1, 15, 15), east = throng.box(25, 1, 39, 15) }
  local world = throng.world(settings)
  local ways = {
    { "west", "east", throng.orca { horizon = throng.uniform(2, 4) } },
    { "east", "west", throng.clearpath { horizon = throng.uniform(2, 4), max_acceleration = 8 } },
    { "east", "west", throng.clearpath { variant = 1 } },
    { "west", "east", throng.forces { length = 4, comfort = 0.5 } },
    { "west", "east", "none" },
    { "west", "east", throng.rvo { samples = 60, weight = 2 } },
    { "east", "west", throng.clearpath { variant = 1, published = 1, max_acceleration = 8 } },
    { "west", "east", throng.collision_free_speed { time_gap = 0.5 } },
    { "east", "west", throng.collision_free_speed { variant = 3 } },
    { "west", "east", throng.social_force { relaxation = 0.4 } },
    { "east", "west", throng.anticipation { time_gap = 0.5 } },
    { "west", "east", "generalized_centrifugal_force" },
    { "east", "west", "power_law" },
    { "west", "east", throng.bvp { size = 15, v = function(t) return 1, math.sin(t) end } }, -- turns as it plans
    { "west", "east", throng.orca { horizon = 2 }, 0 }, -- zeros have signs
  }
  for i, way in ipairs(ways) do
    local group = world:spawn {
      name = "crowd " .. i,
      count = 56,
      where = way[1],
      radius = throng.uniform(0.2, 0.3),
      mass = throng.uniform(60, 100),
      speed = way[4] or throng.normal(1.3, 0.2),
      planner = way[3],
      time_gap = i % 2 * 0.6,
      relaxation = i % 3 * 0.25,
      company = 1 + i % 4,
      turn_rate = i % 4 == 0 and 3 or 1e6,
    }
    group:go_to(way[2])
  end
  return world
end

local function state_after(settings)
  local world <close> = dense(settings)
  world:run { steps = STEPS / 2 }
  world.groups["crowd 5"].planner = throng.clearpath { horizon = 2 }
  world:run { steps = STEPS / 2 }
  return world:hash()
end

describe("the same bits", function()
  local reference

  setup(function() reference = state_after { backend = "cpu", simd = 1, threads = 1 } end)

  it("come from a second run", function()
    assert.same_hash(reference, state_after { backend = "cpu", simd = 1, threads = 1 })
  end)

  -- Width 1 on one thread is the second run. Two threads share agents out as three do.
  for _, tried in ipairs { { 1, 4 }, { 1, 8 }, { 1, 16 }, { 2, 8 }, { 3, 1 }, { 3, 4 }, { 3, 8 }, { 3, 16 } } do
    local threads, simd = table.unpack(tried)
    it(("come from SIMD width %d on %d threads"):format(simd, threads), function()
      needs.simd(pending, simd)
      assert.same_hash(reference, state_after { backend = "cpu", simd = simd, threads = threads })
    end)
  end

  it("come from CUDA", function()
    needs.device(pending)
    assert.same_hash(reference, state_after { backend = "cuda" })
  end)

  -- Under BVP these turn as they plan, and others see which way they face.
  it("come of giants who lie in each other and may not walk, in each step", function()
    needs.device(pending)
    local function hashes(settings)
      local list = {}
      settings.map = throng.map { boundary = throng.box(0, 0, 20, 10), walls = { throng.box(10, 0, 10.2, 4.4),
        throng.box(10, 5.6, 10.2, 10) } }
      local world <close> = throng.world(settings)
      local giants = world:spawn { count = 9, max_speed = throng.uniform(0, 0), time_gap = 1.04, relaxation = 1.06 }
      for i = 1, 9 do giants[i].radius = 6 - i / 4 end
      for i = 1, 16 do
        world:step()
        list[i] = world:hash()
      end
      return list
    end
    for seed = 1, 20 do
      local cpu = hashes { backend = "cpu", seed = seed }
      assert.same(cpu, hashes { backend = "cuda", seed = seed }, "seed " .. seed)
    end
  end)

  it("come of who has collapsed, under a planner that keeps gaps by itself", function()
    needs.device(pending)
    local function velocity(backend)
      local world <close> = throng.world { backend = backend }
      local one = world:spawn { at = { { 0, 0 } }, planner = "collision_free_speed" }
      one.pace = 0
      one.desired = function() return 0, -1 end
      world:step()
      return ("%a"):format(one.vy[1])
    end
    assert.equal(velocity "cpu", velocity "cuda")
  end)

  it("come beside those who want nothing, and make way for a hazard", function()
    local function hash(settings)
      local world <close> = throng.world(settings)
      for i, planner in ipairs { "generalized_centrifugal_force", "anticipation", "bvp" } do
        local at = {}
        for k = 1, 30 do at[k] = { k % 6 + 0.3 * i, k // 6 + 0.1 * i } end
        local group = world:spawn { name = planner, at = at, radius = 0.12, planner = planner }
        if planner ~= "bvp" then group:go_to { 9, 2 } end
      end
      world:hazard { at = { -1, 2 }, reach = 12 }
      world:run { steps = 12 }
      return world:hash()
    end
    local scalar = hash { backend = "cpu", simd = 1, threads = 1 }
    for _, simd in ipairs(needs.which_simd { 1, 4, 8, 16 }) do
      for threads = 1, 2 do assert.same_hash(scalar, hash { backend = "cpu", simd = simd, threads = threads }) end
    end
    if throng.backends()[2] == "cuda" then assert.same_hash(scalar, hash { backend = "cuda" }) end
  end)

  -- Two crowds with shoulders, discs among them, under every planner, meet in a narrow middle, where a crate stands.
  it("come of people who have speeds of their own on stairs", function()
    local population = throng.population "imo"
    local function after(settings)
      settings.seed, settings.dt = 5, 0.1
      settings.map = throng.building {
        floors = { ground = { z = 0, boundary = throng.box(0, 0, 10, 4) },
          first = { z = 3, boundary = throng.box(16, 0, 26, 4) } },
        stairs = { { name = "stairs", from = "ground", to = "first", foot = { 10, 2 }, head = { 16, 2 }, width = 4 } },
      }
      local world <close> = throng.world(settings)
      for _, way in ipairs { { "ground", "first" }, { "first", "ground" } } do
        world:spawn { count = 40, where = way[1], speed = population.speed, stairs_up = population.stairs_up,
          stairs_down = population.stairs_down }:go_to(way[2])
      end
      world:run { steps = 200 }
      return world:hash()
    end
    local scalar = after { simd = 1, threads = 1 }
    for _, simd in ipairs(needs.which_simd { 4, 8, 16 }) do
      assert.same_hash(scalar, after { simd = simd, threads = 2 })
    end
    if throng.backends()[2] == "cuda" then assert.same_hash(scalar, after { backend = "cuda" }) end
  end)

  it("come of bodies that are wider than deep", function()
    local planners = dofile "tests/specs/planners.lua"
    local function hash(settings)
      settings.seed = 9
      settings.map = throng.map {
        boundary = throng.box(0, 0, 24, 8),
        walls = { throng.box(11, 0, 13, 3), throng.box(11, 5, 13, 8), throng.polygon { { 6, 3 }, { 7, 4 }, { 6, 5 } } },
      }
      local world <close> = throng.world(settings)
      world:body { at = { 12, 4 }, box = { 0.5, 0.4 }, mass = 30 }
      for i, planner in ipairs(planners) do
        local west = i % 2 == 0
        world:spawn {
          name = planner,
          count = 16,
          where = west and throng.box(0.5, 0.5, 5.5, 7.5) or throng.box(14, 0.5, 23.5, 7.5),
          planner = planner,
          body = i % 4 == 0 and throng.disc() or throng.stadium { width = throng.uniform(0.4, 0.55) },
        }:go_to { west and 22 or 2, 4 }
      end
      world:run { steps = 120 }
      return world:hash()
    end
    for latency = 0, 1 do
      local scalar = hash { backend = "cpu", simd = 1, threads = 1, latency = latency }
      for _, simd in ipairs(needs.which_simd { 4, 8, 16 }) do
        assert.same_hash(scalar, hash { backend = "cpu", simd = simd, threads = simd % 3 + 1, latency = latency })
      end
      if throng.backends()[2] == "cuda" then
        assert.same_hash(scalar, hash { backend = "cuda", latency = latency })
      end
    end
  end)

  -- auto: few agents stay on the CPU, many go to the device before the first frame. By a command, as tests set threads,
  -- which are the CPU's.
  it("come from the backend that fits the crowd", function()
    needs.device(pending)
    local scenario = command.write(os.tmpname(), [[
      local throng = require "throng"
      local params = throng.params { count = 1 }
      local world = throng.world { seed = 5, seconds = 2 }
      world:spawn({ count = params.count, where = throng.box(0, 0, 80, 80) }):go_to { 40, 40 }
      return world]])
    local function run(backend, count)
      local code, out, err = command.throng(("run %s --out none --json --backend %s --set count=%d"):format(scenario,
        backend, count))
      assert.equal(0, code, err)
      return out:match '"backend": "(%a+)"', out:match '"hash": "(%x+)"'
    end
    for backend, count in pairs { cpu = 4095, cuda = 4096 } do
      local chosen, hash = run("auto", count)
      assert.equal(backend, chosen)
      assert.equal(select(2, run("cpu", count)), hash)
    end
    os.remove(scenario)
  end)

  -- The largest and fastest bound what a step looks at; when columns are written, all are looked through for them.
  it("come when the largest leave, counted down or looked for", function()
    local function after_leaving(look_again)
      local world = throng.world { backend = "cpu", seed = 3 }
      local crowd = world:spawn { count = 250, where = throng.box(0, 0, 12, 12), speed = 1.3, name = "crowd" }
      local hashes = {}
      for i = 1, 3 do
        local giant = { count = 1, where = throng.box(12 + 2 * i, 0, 14 + 2 * i, 12), radius = 0.5, max_speed = 2 + i }
        giant.name = "giant " .. i
        world:spawn(giant):go_to { 6, 6 }
      end
      crowd:go_to { 6, 6 }
      for _, giant in ipairs { 2, 3, 1 } do
        world:run { steps = 15 }
        world.groups["giant " .. giant]:remove()
        if look_again then crowd.radius = crowd.radius:list() end
        world:run { steps = 15 }
        hashes[#hashes + 1] = world:hash()
      end
      return hashes
    end
    assert.same(after_leaving(true), after_leaving(false))
  end)

  it("do not come from another seed or one step less", function()
    local world = dense { backend = "cpu" }
    world:run { steps = STEPS - 1 }
    assert.not_equal(reference, world:hash())
  end)
end)
