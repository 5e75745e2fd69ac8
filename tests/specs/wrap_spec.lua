-- Worlds that wrap: everybody sees, avoids and touches across the seam, as in the middle.
local throng = require "throng"
local needs = dofile "tests/specs/needs.lua"
local planners = dofile "tests/specs/planners.lua"

local WIDTH, HEIGHT = 24, 18

-- From one to another by the shorter path, on one axis.
local function across(d, size) return (d + size / 2) % size - size / 2 end

describe("a world that wraps", function()
  it("lets who leaves at one side come in at the other", function()
    local world = throng.world { wrap = { WIDTH, HEIGHT }, dt = 0.1 }
    local walker = world:spawn { at = { { 23.95, 0.05 } }, planner = "none" }
    walker.desired = { 1, -1 }
    world:step()
    assert.near(0.05, walker.x[1], 1e-5)
    assert.near(17.95, walker.y[1], 1e-5)
    world:run { seconds = 100 }
    assert.is_true(walker.x[1] >= 0 and walker.x[1] < WIDTH and walker.y[1] >= 0 and walker.y[1] < HEIGHT)
  end)

  it("has the neighbours of a scan of all pairs", function()
    for seed = 1, 5 do
      local world = throng.world { wrap = { WIDTH, HEIGHT }, seed = seed, dt = 0.1 }
      local count = 20 * seed
      local group =
        world:spawn { count = count, where = throng.box(0, 0, WIDTH, HEIGHT), planner = throng.orca { sight = 4 } }
      group.desired = function(_, a) return math.cos(a.id), math.sin(a.id) end
      world:run { seconds = 10 } -- they stand across the seam, too
      group.speed = function(_, a) return throng.select(a:distance_to_nearest() < 4, a:distance_to_nearest(), 0) end
      group.desired = { 0, 0 }
      group.planner = "none"
      world:run { steps = 20 }
      world:step() -- they stand; the lists of this step are those that the next one's functions see
      local x, y = group.x, group.y
      world:step()
      for i = 1, count do
        local best = math.huge
        for j = 1, count do
          local dx, dy = across(x[j] - x[i], WIDTH), across(y[j] - y[i], HEIGHT)
          if i ~= j then best = math.min(best, math.sqrt(dx * dx + dy * dy)) end
        end
        assert.near(best < 4 and best or 0, group.speed[i], 1e-4)
      end
    end
  end)

  -- Two meet head-on in the middle, or on the seam: the same but for rounding.
  for _, planner in ipairs(planners) do
    it("is the same across the seam as in the middle: " .. planner, function()
      local function meet(x, y)
        local world = throng.world { wrap = { WIDTH, HEIGHT }, dt = 0.1 }
        local pair = world:spawn {
          at = { { (x - 3) % WIDTH, y }, { (x + 3) % WIDTH, (y + 0.1) % HEIGHT } },
          planner = planner,
        }
        pair[1].desired, pair[2].desired = { 1.3, 0.02 }, { -1.3, 0.01 }
        world:run { seconds = 2.4 }
        return across(pair.x[1] - x, WIDTH), across(pair.y[1] - y, HEIGHT), across(pair.x[2] - x, WIDTH), world
      end
      local ax, ay, bx = meet(12, 9)
      local cx, cy, dx, world = meet(0, 0)
      assert.near(ax, cx, 2e-3)
      assert.near(ay, cy, 2e-3)
      assert.near(bx, dx, 2e-3)
      assert.equal(0, world:stats().overlaps)
    end)
  end

  it("has goals, machines and hazards that reach across", function()
    local world = throng.world { wrap = { WIDTH, HEIGHT }, dt = 0.1 }
    local walker = world:spawn { name = "walker", at = { { 22, 9 } }, planner = "orca" }
    local scared = world:spawn { name = "scared", at = { { 0.5, 1 } }, planner = "orca" }
    walker:go_to { { 2, 9 } }
    scared:run(throng.fsm { start = "run", run = { goal = throng.flee({ 23.5, 1 }, { distance = 4 }) } })
    world:run { seconds = 4, until_done = false }
    assert.is_true(walker.arrived[1] > 0)
    assert.is_true(scared.x[1] > 2 and scared.x[1] < 6)
    local near = world:spawn { at = { { 23, 16 } }, planner = "none" }
    world:hazard { at = { 1, 16 }, reach = 4 }
    world:run { seconds = 2, until_done = false }
    assert.is_true(near.x[1] < 22)
  end)

  it("counts who passes a line, and not who comes in at the other side", function()
    local world = throng.world { wrap = { WIDTH, HEIGHT }, dt = 0.1 }
    local walker = world:spawn { at = { { 13, 9 } }, planner = "none" }
    local line = world:measure { flow = { { 12, 0 }, { 12, HEIGHT } } }
    walker.desired = { 1, 0 }
    world:run { seconds = 22, until_done = false }
    assert.equal(0, line.count)
    world:run { seconds = 2, until_done = false }
    assert.equal(1, line.count)
  end)

  it("is the same at any SIMD width, and never overlaps", function()
    for _, planner in ipairs(planners) do
      local first
      for _, simd in ipairs(needs.which_simd { 1, 4, 8, 16 }) do
        local world = throng.world { wrap = { 20, 13 }, dt = 0.1, simd = simd, backend = "cpu" }
        local half = { count = 60, where = throng.box(0, 0, 20, 13), planner = planner }
        world:spawn(half).desired = { 1.2, 0.3 }
        world:spawn(half).desired = { -1.1, 0.4 }
        world:run { seconds = 12 }
        assert.no_overlap(world)
        first = first or world:hash()
        assert.equal(first, world:hash(), planner .. " " .. simd)
      end
    end
  end)

  -- A cart rolls into a box and somebody stands in its way: in the middle, or across the seam.
  it("has bodies that meet, and are avoided and pushed, across the seam as in the middle", function()
    local function crash(x, y)
      local world = throng.world { wrap = { WIDTH, HEIGHT }, dt = 0.1 }
      local function at(dx, dy) return { (x + dx) % WIDTH, (y + dy) % HEIGHT } end
      local cart = world:body { box = { 1, 0.8 }, at = at(-2, 0), mass = 60, velocity = { 3, 0 }, friction = 0.1 }
      local box = world:body { box = { 0.6, 0.6 }, at = at(0.4, 0.1), mass = 30 }
      local stone = world:body { circle = 0.6, at = at(-1, 2), static = true }
      local stander = world:spawn { at = { at(1.2, 0.2) }, planner = "none" }
      local walkers = world:spawn { at = { at(-4, 2.2), at(-3.5, 1) }, planner = throng.orca {} }
      walkers.desired = { 1.3, 0 }
      world:run { seconds = 5, until_done = false }
      assert.no_overlap(world)
      assert.near((x - 1) % WIDTH, stone.x, 1e-9)
      return {
        across(cart.x - x, WIDTH),
        across(box.x - x, WIDTH),
        across(box.y - y, HEIGHT),
        across(stander.x[1] - x, WIDTH),
        across(walkers.x[1] - x, WIDTH),
        across(walkers.y[1] - y, HEIGHT),
        across(walkers.x[2] - x, WIDTH),
      }
    end
    local middle = crash(12, 9)
    assert.is_true(middle[2] > 0.6 and middle[4] > 1.25, "the cart hits the box, and that who stands")
    assert.is_true(math.abs(middle[6] - 2.2) > 0.2, "the stone is walked round")
    for _, place in ipairs { { 0.3, 9 }, { 12, 0.1 }, { 23.8, 17.9 } } do
      local seam = crash(table.unpack(place))
      for i = 1, #middle do
        assert.near(middle[i], seam[i], 0.03, ("%d at %g, %g"):format(i, place[1], place[2]))
      end
    end
  end)

  it("has bodies that are met where they lie, when they were put across the seam", function()
    local world = throng.world { wrap = { WIDTH, HEIGHT }, dt = 0.1 }
    local stone = world:body { box = { 1, 1 }, at = { 12, 9 }, mass = 60 }
    local ball = world:body { circle = 0.3, at = { 3, 9 }, mass = 10, friction = 0 }
    stone.x = WIDTH + 0.3
    world:run { seconds = 0.2, until_done = false }
    assert.near(0.3, stone.x, 1e-9)
    ball.vx = -3
    world:run { seconds = 2, until_done = false }
    assert.is_true(ball.x > 1 and ball.x < 3, "the ball comes to " .. ball.x)
  end)

  it("has bodies that are the same at any SIMD width", function()
    local first
    for _, simd in ipairs(needs.which_simd { 1, 8, 16 }) do
      local world = throng.world { wrap = { 20, 13 }, dt = 0.1, simd = simd, backend = "cpu" }
      world:bodies { count = 25, box = { 0.7, 0.5 }, mass = throng.uniform(5, 100), where = throng.box(0, 0, 20, 13) }
      local crowd = world:spawn { count = 80, where = throng.box(0, 0, 20, 13), planner = "forces" }
      crowd.desired = { 1.2, 0.3 }
      world:run { seconds = 10 }
      assert.no_overlap(world)
      first = first or world:hash()
      assert.equal(first, world:hash())
    end
  end)

  -- A floor of two halls, open to the left and right for 4 m, with a wall in the middle.
  local function halls(settings)
    settings.wrap = { 40, 20 }
    settings.dt = 0.1
    settings.people = false -- they press into a place of 4 m^2
    settings.map = throng.map {
      boundary = { throng.box(0, 8, 40, 12), throng.box(4, 0.5, 36, 19.5) },
      walls = { throng.box(19.5, 0, 20.5, 20) },
    }
    settings.regions = { right = throng.box(32, 9, 34, 11), left = throng.box(5, 2, 14, 18) }
    return throng.world(settings)
  end

  for _, routing in ipairs { "navmesh", "roadmap", "field" } do
    it("has a map whose routes lead across the seam: " .. routing, function()
      local world = halls {}
      local crowd = world:spawn { count = 30, where = "left", planner = "orca", routing = routing }
      crowd:go_to "right" -- the wall in the middle leaves no other way
      world:run { seconds = 60 }
      assert.arrives(crowd, { within = 60 })
      assert.no_overlap(world)
      for i = 1, #crowd do
        assert.is_true(crowd.x[i] > 30 and crowd.x[i] < 36) -- who comes later pushes who is there
      end
    end)
  end

  it("has a map whose walls are seen across the seam", function()
    local function at_wall(x)
      local plan = { walls = { throng.box(x, 4, x + 1, 14) } }
      local world = throng.world { wrap = { WIDTH, HEIGHT }, dt = 0.1, map = throng.map(plan) }
      local walkers = world:spawn { at = { { (x - 3) % WIDTH, 13.8 }, { (x - 3) % WIDTH, 9 } }, planner = "orca" }
      walkers.desired = { 1.3, 0.2 }
      local ball = world:body { circle = 0.3, at = { (x - 2) % WIDTH, 6 }, velocity = { 5, 0 }, friction = 0 }
      world:run { seconds = 5, until_done = false }
      return { across(walkers.x[1] - x, WIDTH), walkers.y[1], across(walkers.x[2] - x, WIDTH), ball.vx }
    end
    local middle, seam = at_wall(12), at_wall(0)
    assert.near(-0.26, middle[3], 0.03) -- stands before it
    assert.is_true(middle[1] > 1, tostring(middle[1])) -- goes round its end
    assert.is_true(middle[4] <= 0.01) -- stopped
    for i = 1, 4 do
      assert.near(middle[i], seam[i], 0.03, tostring(i))
    end
  end)

  it("has places at the seam for those who are put there, unless a wall is beyond it", function()
    local world = halls {}
    assert.equal(1, #world:spawn { at = { { 0.1, 10 } }, radius = 0.25 })
    assert.equal(1, #world:spawn { at = { { 39.9, 11 } }, radius = 0.25 })
    assert.error_matches(function() world:spawn { at = { { 0.1, 8.1 } }, radius = 0.25 } end, "lies in a wall")
    assert.error_matches(function() world:spawn { at = { { -0.1, 10 } }, radius = 0.25 } end, "outside of the world")
    local beyond = throng.world { wrap = { 24, 18 }, map = throng.map { walls = { throng.box(0, 4, 1, 14) } } }
    assert.error_matches(function() beyond:spawn { at = { { 23.9, 9 } }, radius = 0.25 } end, "lies in a wall")
  end)

  it("has maps that are the same at any SIMD width", function()
    local first
    for _, simd in ipairs(needs.which_simd { 1, 8, 16 }) do
      local world = halls { simd = simd, backend = "cpu" }
      world:spawn({ count = 30, where = "left", planner = "forces" }):go_to "right"
      world:bodies { count = 8, box = { 0.7, 0.5 }, mass = throng.uniform(5, 100), where = throng.box(5, 1, 35, 19) }
      world:run { seconds = 15 }
      assert.no_overlap(world)
      first = first or world:hash()
      assert.equal(first, world:hash())
    end
  end)

  it("is as large as its map when nothing else is said", function()
    local function walk(wrap)
      local world = throng.world { wrap = wrap, dt = 0.1, map = throng.map { boundary = throng.box(0, 0, 40, 20) } }
      local walker = world:spawn { at = { { 36, 10 } }, routing = "direct" }
      walker:go_to { { 4, 10 } } -- 8 m across the seam
      world:run { seconds = 20 }
      assert.arrives(walker, { within = 10 })
      return world:hash()
    end
    assert.equal(walk { 40, 20 }, walk(true))
  end)

  it("has no paths of agents' own on a map", function()
    local world = halls {}
    local walker = world:spawn { at = { { 6, 10 }, { 6, 12 } } }
    assert.error_matches(function() walker:go_to { { 34, 10 }, { 34, 9 } } end, "send them to a region")
    assert.error_matches(function()
      walker:run(throng.fsm { start = "go", go = { goal = throng.go_to({ 34, 10 }, { own_path = true }) } })
      world:step()
    end, "nobody has a path of its own")
    walker.routing = "direct"
    walker:go_to { { 34, 10 }, { 34, 9 } }
    world:run { seconds = 30 }
    assert.arrives(walker, { within = 30 })
  end)

  it("says what it needs", function()
    local small = throng.world { wrap = { 24, 18 } }
    assert.error_matches(function() small:body { circle = 5, at = { 3, 3 } } end, "half as wide as the world")
    assert.error_matches(function() small:body { circle = 1, at = { 24, 3 } } end, "outside of the world")
    assert.error_matches(function() throng.world { wrap = true } end, "whose map has walls")
    assert.error_matches(function() throng.world { wrap = "map" } end, "or true, got")
    assert.error_matches(function() throng.world { wrap = { 10, -1 } } end, "the height")
    local plan = { boundary = throng.box(0, 0, 9, 9) }
    assert.error_matches(function() throng.world { wrap = { 9, 8 }, map = throng.map(plan) } end, "make 'wrap' larger")
    plan.doors = { north = { { 4, 4 }, { 5, 4 } } }
    assert.error_matches(function() throng.world { wrap = { 9, 9 }, map = throng.map(plan) } end, "with doors")
    local world = throng.world { wrap = { 9, 30 } }
    assert.error_matches(function() world:spawn { at = { { 9, 1 } } } end, "outside of the world")
    world:spawn { at = { { 8, 1 } } }
    assert.error_matches(function() world:step() end, "at least twice as large")
    world.agents.sight = 4
    world:step()
  end)
end)

describe("high density", function()
  -- The least lane index of groups that walk against each other, all round the torus: in the second second, when they
  -- are as mixed as chance has it, and after a minute.
  local function lanes(params, seed)
    params.count = 1000
    local world = throng.load("scenarios/high_density.lua", { params = params, seed = seed })
    local pairs_of_groups = { { "east", "west", { 1, 0 } }, { "north", "south", { 0, 1 } } }
    local mixed, sorted = {}, {}
    for i = 1, (params.groups or 4) // 2 do
      local one, other, along = table.unpack(pairs_of_groups[i])
      local group = world.groups[one] | world.groups[other]
      mixed[i] = world:measure { lanes = true, group = group, along = along, from = 1, till = 2 }
      sorted[i] = world:measure { lanes = true, group = group, along = along, from = 50 }
    end
    world:run { seconds = 60 }
    assert.no_overlap(world)
    local vx, vy, walked = world.agents.vx, world.agents.vy, 0
    for i = 1, 1000 do walked = walked + math.sqrt(vx[i] ^ 2 + vy[i] ^ 2) / 1000 end
    assert.is_true(walked > (params.people and 0.7 or 1.1), ("%.2f m/s"):format(walked)) -- no long jams
    for _, measure in ipairs(mixed) do assert.lanes(measure, { at_most = 0.2 }) end
    return sorted, world:stats().conflicts
  end

  local conflicts_of_discs

  it("forms lanes of four groups that cross", function()
    local sorted
    sorted, conflicts_of_discs = lanes {}
    assert.equal(2, #sorted)
    for _, measure in ipairs(sorted) do assert.lanes(measure, { at_least = 0.6 }) end
  end)

  it("forms lanes of those who walk like people, too, who run into each other less than half as often", function()
    local discs = conflicts_of_discs or select(2, lanes {})
    local sorted, people = lanes { people = true }
    for _, measure in ipairs(sorted) do assert.lanes(measure, { at_least = 0.4 }) end
    assert.is_true(people < discs / 2, ("%g of people, %g of discs"):format(people, discs))
  end)

  it("forms lanes of two groups, also where those who walk the same way are avoided as the others are", function()
    assert.lanes(lanes({ groups = 2 })[1], { at_least = 0.9 })
    local order = 0 -- seeds differ: 0.32 to 0.80
    for seed = 1, 3 do order = order + lanes({ groups = 2, own = 1 }, seed)[1].mean / 3 end
    assert.is_true(order >= 0.35, ("a lane index of %.3f, the mean of three seeds"):format(order))
  end)
end)
