-- Worlds with latency: agents move by what was planned a frame ago, while the next frame's plans are made.
local throng = require "throng"
local needs = dofile "tests/specs/needs.lua"
local planners = dofile "tests/specs/planners.lua"

-- Two groups that meet, and boxes in their way, from standing.
local function crossing(settings)
  local world = throng.world {
    latency = settings.latency or 1,
    backend = settings.backend or "cpu",
    simd = settings.simd,
    threads = settings.threads,
    dt = 0.1,
  }
  local where = throng.box(0, 0, 16, 16)
  if settings.bodies then
    world:bodies { count = 12, box = { 0.6, 0.4 }, mass = throng.uniform(5, 80), where = where }
  end
  for _, way in ipairs { { 1.2, 0.2 }, { -1.2, 0.1 } } do
    world:spawn({ count = 50, where = where, planner = settings.planner }).desired = way
  end
  world:run { seconds = 8 }
  assert.no_overlap(world)
  return world:hash(), world
end

describe("latency = 1", function()
  it("moves agents by what was planned a frame ago", function()
    local function walk(latency, steps)
      local world = throng.world { latency = latency, dt = 0.1 }
      local walker = world:spawn { at = { { 0, 0 } }, planner = "none" }
      walker.desired = function(t) return math.cos(t), math.sin(t) end -- depends on nothing that is late
      world:run { steps = steps }
      return walker.x[1], walker.y[1], walker.planned_vx[1]
    end
    local x, y = walk(1, 1)
    assert.same({ 0, 0 }, { x, y }) -- nothing was planned before
    for steps = 1, 20 do
      local late_x, late_y, planned = walk(1, steps + 1)
      x, y = walk(0, steps)
      assert.same({ x, y }, { late_x, late_y })
      assert.near(math.cos(0.1 * steps), planned, 1e-5)
    end
  end)

  for _, planner in ipairs(planners) do
    it("is the same at any SIMD width, and not what it is without: " .. planner, function()
      local reference = crossing { planner = planner, simd = 1, threads = 1 }
      for _, simd in ipairs(needs.which_simd { 4, 8, 16 }) do
        assert.same_hash(reference, (crossing { planner = planner, simd = simd, threads = 3 }))
      end
      assert.not_equal(reference, (crossing { planner = planner, simd = 1, latency = 0 }))
    end)

    it("is the same on CUDA: " .. planner, function()
      needs.device(pending)
      assert.same_hash((crossing { planner = planner }), (crossing { planner = planner, backend = "cuda" }))
    end)
  end

  it("is the same everywhere among bodies", function()
    local reference = crossing { planner = "forces", bodies = true, simd = 1 }
    for _, simd in ipairs(needs.which_simd { 4, 8 }) do
      assert.same_hash(reference, (crossing { planner = "forces", bodies = true, simd = simd }))
    end
  end)

  it("is the same on CUDA among bodies", function()
    needs.device(pending)
    local reference = crossing { planner = "forces", bodies = true }
    assert.same_hash(reference, (crossing { planner = "forces", bodies = true, backend = "cuda" }))
  end)

  -- Planners run beside the move, which turns shoulders and takes people to the next floor.
  it("is the same on CUDA where shoulders turn, and on stairs", function()
    needs.device(pending)
    local hall = throng.box(0, 0, 20, 10)
    local building = throng.building {
      floors = { ground = { z = 0, boundary = hall }, first = { z = 3.5, boundary = hall } },
      stairs = { { name = "stairs", from = "ground", to = "first", foot = { 8, 8 }, head = { 14, 8 }, width = 3 } },
    }
    local function run(settings, count)
      local world <close> = throng.world(settings)
      for _, x in ipairs { 1, 14 } do
        local where = throng.box(x, 1, x + 5, 9)
        local to = x == 1 and { 16, 3, floor = settings.map and "first" } or { 2, 3 }
        local body = throng.stadium { width = throng.uniform(0.4, 0.7) }
        world:spawn({ count = count, where = where, body = body }):go_to(to)
      end
      world:run { seconds = 20 }
      return world:hash()
    end
    for _, map in ipairs { false, building } do
      local cpu = run({ latency = 1, backend = "cpu", map = map or nil }, 60)
      for _ = 1, 3 do assert.same_hash(cpu, run({ latency = 1, backend = "cuda", map = map or nil }, 60)) end
    end
  end)

  it("goes on as it was when stages are looked into, and when agents come", function()
    local function run(hooked)
      local world = throng.world { people = false, latency = 1, dt = 0.1, backend = throng.backends()[2] }
      local group = world:spawn { count = 40, where = throng.box(0, 0, 10, 10), planner = "forces" }
      group.desired = { 1, 0.1 }
      local seen = 0
      if hooked then
        world.stages.plan:after(function() seen = seen + group.hx[1] * 0 + 1 end)
        world.stages.move:before(function() group.speed = 1.2 end)
      else
        group.speed = 1.2
      end
      world:run { seconds = 2 }
      world:spawn({ count = 200, where = throng.box(12, 0, 40, 10), planner = "bvp" }).desired = { -1, 0 }
      world:run { seconds = 2 }
      assert.equal(hooked and 40 or 0, seen)
      return world:hash()
    end
    assert.same_hash(run(false), run(true))
  end)

  it("lets who stands turn round: headings of who is not moving are kept", function()
    local world = throng.world { latency = 1, dt = 0.1 }
    local walker = world:spawn { at = { { 8, 0 } }, planner = throng.bvp {} }
    walker:go_to { { 0, 0 } } -- its heading is to the right
    world:run { seconds = 20 }
    assert.arrives(walker, { within = 20 })
  end)

  it("is 0 or 1", function()
    assert.error_matches(function() throng.world { latency = 2 } end, "'latency' must be a whole number from 0 to 1")
    assert.error_matches(function() throng.world { latency = 0.5 } end, "'latency'")
    assert.error_matches(function() throng.world { latency = true } end, "'latency'")
  end)
end)
