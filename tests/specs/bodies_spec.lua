-- Rigid bodies: physics, who gives way to whom, and that nothing impossible comes of bad input.
local throng = require "throng"
local command = dofile "tests/specs/command.lua"
local needs = dofile "tests/specs/needs.lua"

local PLANNERS = { "orca", "clearpath", "rvo", "bvp", "forces" }

-- How deep any agent is in any of the circles, m; and where the deepest centre is, as a part of the circle's radius.
local function deepest(world, circles, radius)
  local agents, deep, central = world.agents, 0, math.huge
  local x, y, radii = agents.x:list(), agents.y:list(), agents.radius:list()
  for _, circle in ipairs(circles) do
    for i = 1, #x do
      local distance = math.sqrt((x[i] - circle.x) ^ 2 + (y[i] - circle.y) ^ 2)
      deep = math.max(deep, radius + radii[i] - distance)
      central = math.min(central, distance / radius)
    end
  end
  return deep, central
end

local function finite(world, bodies)
  for _, column in ipairs { "x", "y", "vx", "vy" } do
    for _, value in ipairs(world.agents[column]:list()) do
      assert.is_true(value == value and math.abs(value) < 1e7, column .. " is " .. value)
    end
    for _, body in ipairs(bodies) do
      assert.is_true(body[column] == body[column] and math.abs(body[column]) < 1e7, "body." .. column)
    end
  end
end

-- A crowd and circles of all weights in a hall.
local function mixed(settings)
  settings.map = throng.map { boundary = throng.box(0, 0, 24, 12), walls = { throng.box(11, 4, 13, 8) } }
  settings.regions = { west = throng.box(0.5, 0.5, 5, 11.5), east = throng.box(19, 0.5, 23.5, 11.5) }
  local world = throng.world(settings)
  local middle = throng.box(5, 0, 19, 12)
  local bodies = world:bodies { count = 36, circle = 0.3, mass = throng.uniform(2, 200), where = middle }
  world:bodies { count = 6, box = { 0.8, 0.5 }, angle = throng.uniform(0, 6), where = middle }
  for i, name in ipairs(PLANNERS) do
    local from, to = "west", "east"
    if i % 2 == 0 then from, to = to, from end
    world:spawn({ name = name, count = 12, where = from, planner = throng[name] {} }):go_to(to)
  end
  return world, bodies
end

describe("bodies", function()
  it("slide to a stop as friction has it, and turn as they were asked to", function()
    local world = throng.world { dt = 0.02, threads = 1 }
    local box = world:body { box = { 1, 1 }, at = { 0, 0 }, velocity = { 4, 0 }, friction = 0.5, mass = 30 }
    local top = world:body { circle = 0.5, at = { 20, 0 }, spin = 3, friction = 0 }
    world:run { seconds = 3 }
    assert.near(4 * 4 / (2 * 0.5 * 9.81), box.x, 0.1)
    assert.equal(0, box.vx)
    assert.near(3 * 3 - 2 * math.pi, top.angle, 1e-6)
  end)

  it("pass no wall, however small and fast they are", function()
    local world = throng.world { dt = 0.5, map = throng.map { boundary = throng.box(0, 0, 10, 4) } }
    local ball = world:body { circle = 0.02, at = { 5, 2 }, velocity = { 9.9, 0.3 }, friction = 0 }
    world:run { seconds = 10, until_done = false }
    assert.near(9.98, ball.x, 0.01)
    assert.near(3.98, ball.y, 0.01)
  end)

  it("lie where their outline says, when that is all there is", function()
    local hall = throng.map { boundary = throng.box(0, 0, 20, 10), walls = { throng.box(0, 0, 1, 1) } }
    local world <close> = throng.world { map = hall }
    local ramp = world:body { polygon = { { 15, 4 }, { 17, 4 }, { 17, 6 } } }
    assert.near(16 + 1 / 3, ramp.x, 1e-9)
    assert.near(4 + 2 / 3, ramp.y, 1e-9)
    local ok, message = pcall(function() world:body { polygon = { { 0.2, 0.2 }, { 0.8, 0.2 }, { 0.8, 0.8 } } } end)
    assert.is_false(ok)
    assert.is_truthy(message:find("(0.6, 0.4) is inside a wall", 1, true), message)
  end)

  it("weigh and rub what they are told while they move", function()
    for _, wrap in ipairs { false, true } do
      local world <close> = throng.world { dt = 0.02, threads = 1, wrap = wrap and { 40, 40 } or nil }
      local box = world:body { box = { 1, 2 }, at = { 2, 2 }, friction = 0, mass = 30 }
      assert.near(15, box.density, 1e-9)
      box.density = 50
      assert.near(100, box.mass, 1e-9)
      box:push(200, 0)
      world:step()
      assert.near(200 / 100 * 0.02, box.vx, 1e-6)
      box.mass, box.vx = 10, 0
      box:push(200, 0)
      world:step()
      assert.near(200 / 10 * 0.02, box.vx, 1e-6)
      box.friction, box.vx = 0.5, 4
      world:run { seconds = 0.2 }
      assert.near(4 - 0.5 * 9.81 * 0.2, box.vx, 0.01)
      local disc = world:body { circle = 0.5, at = { 20, 20 }, mass = 10 }
      assert.near(10 / (math.pi * 0.25), disc.density, 1e-6)
    end
  end)

  it("weigh by their density what they cover", function()
    local world = throng.world { threads = 1 }
    local crates = world:bodies {
      count = 20, where = throng.box(0, 0, 40, 40), box = { throng.uniform(0.3, 1.2), 0.5 },
      density = throng.uniform(60, 80),
    }
    local least, most = math.huge, 0
    for _, crate in ipairs(crates) do
      assert.is_true(crate.density >= 60 and crate.density <= 80)
      least, most = math.min(least, crate.mass), math.max(most, crate.mass)
    end
    assert.is_true(most > 2 * least)
    assert.near(math.pi * 0.25 * 8, world:body({ circle = 0.5, at = { 50, 50 }, density = 8 }).mass, 1e-9)
    local wedge = world:body { polygon = { { 0, 0 }, { 2, 0 }, { 0, 1 } }, at = { 60, 60 }, density = 10 }
    assert.near(10, wedge.mass, 1e-9)
  end)

  it("are heeded by their mass as it is now", function()
    local function offset(change)
      local world <close> = throng.world { dt = 0.1, people = false, seed = 3 }
      local box = world:body { box = { 0.6, 0.6 }, at = { 6, 0 }, mass = 2 }
      local walker = world:spawn { at = { { 0, 0 } }, speed = 1.3 }
      walker:go_to { 12, 0 }
      world:step()
      box.mass = change or box.mass
      local aside = 0
      world:on_step(function() aside = math.max(aside, math.abs(walker.y[1])) end)
      world:run { seconds = 8 }
      return aside
    end
    assert.is_true(offset(500) > 0.2, "round the heavy one")
    assert.is_true(offset() < 0.2, "the light one is shoved")
  end)

  it("say which of them cannot be weighed", function()
    local world = throng.world { threads = 1 }
    local pillar = world:body { circle = 0.5, at = { 0, 0 }, static = true }
    assert.error_matches(function() pillar.mass = 3 end, "body.mass: a static body has no mass to be written")
    assert.error_matches(function() pillar.density = 3 end, "body.density: a static body")
    local crate = world:body { circle = 0.5, at = { 3, 0 } }
    assert.error_matches(function() crate.mass = 0 end, "body.mass must be")
    assert.error_matches(function() crate.friction = -1 end, "body.friction must be")
    assert.error_matches(function() crate.radius = 1 end, "spin, mass, friction and density can")
  end)

  it("hit each other without bouncing, by mass, and stop at walls", function()
    local world = throng.world { dt = 0.05, map = throng.map { boundary = throng.box(0, 0, 10, 4) } }
    local moving = world:body { circle = 0.3, at = { 2, 2 }, velocity = { 3, 0 }, friction = 0, mass = 30 }
    local resting = world:body { circle = 0.3, at = { 4, 2 }, friction = 0, mass = 10 }
    world:run { seconds = 1 }
    assert.near(3 * 30 / 40, moving.vx, 0.05)
    assert.near(3 * 30 / 40, resting.vx, 0.05)
    world:run { seconds = 10 }
    assert.near(9.7, resting.x, 0.1)
    assert.near(0, resting.vx, 0.05)
    assert.is_true(moving.x < resting.x - 0.58)
  end)

  it("pass no wall at top speed, and no body beside it", function()
    local world = throng.world { dt = 0.1, map = throng.map { boundary = throng.box(0, 0, 10, 4) } }
    local post = world:body { box = { 0.1, 3.9 }, at = { 5, 2 }, static = true }
    local stone = world:body { circle = 0.05, at = { 1, 2 }, velocity = { 10, 0 }, friction = 0 }
    world:run { seconds = 2 }
    assert.near(4.9, stone.x, 0.03)
    assert.equal(5, post.x)
    stone.x, stone.vx = 6, 10
    world:run { seconds = 2 }
    assert.near(9.95, stone.x, 0.03)
  end)

  for _, planner in ipairs(PLANNERS) do
    it("are walked round when they are heavy, and shoved when they are light: " .. planner, function()
      local world = throng.world { threads = 1 }
      local walker = world:spawn { at = { { 0, 0 } }, planner = throng[planner] {} }
      walker:go_to { 12, 0.05 }
      local light = world:body { circle = 0.2, at = { 2, 0 }, mass = 3 }
      local heavy = world:body { box = { 1, 2 }, at = { 6, 0 }, mass = 2000 }
      assert.equal("arrived", world:run { seconds = 40, until_done = true })
      assert.is_true(math.sqrt((light.x - 2) ^ 2 + light.y ^ 2) > 0.2, "the light one was not moved")
      assert.is_true(math.abs(heavy.x - 6) < 0.01, ("the heavy one was moved to %g"):format(heavy.x))
    end)

    it("that come along are avoided: " .. planner, function()
      local world = throng.world { people = false, threads = 1 } -- what planners choose, at once
      local walker = world:spawn { at = { { 0, 0 } }, planner = throng[planner] {} }
      walker:go_to { 14, 0 }
      local cart = world:body { box = { 1, 0.8 }, at = { 10, 0.1 }, mass = 400, velocity = { -1, 0 }, friction = 0 }
      assert.equal("arrived", world:run { seconds = 40, until_done = true })
      assert.is_true(cart.vx < -0.97, ("the cart was slowed to %g m/s"):format(cart.vx))
    end)
  end

  it("hold up nobody who walks past them, in steps of any length", function()
    for _, dt in ipairs { 0.02, 0.05, 0.1, 0.2 } do
      local world = throng.world { dt = dt, people = false, threads = 1 }
      world:body { circle = 0.3, at = { 0, 0.57 }, mass = 500 }
      local people = world:spawn { at = { { 0, 0 }, { 50, 0 } } }
      people:go_to { 30, 0 }
      world:run { seconds = 2, until_done = false }
      local beside, apart = people.x[1], 50 - people.x[2]
      assert.near(apart, beside, 0.02, ("in steps of %g s"):format(dt))
    end
  end)

  it("leave nobody to walk in a circle among them", function()
    for _, seed in ipairs { 6, 27, 54, 80 } do
      local world = throng.world { map = throng.map { boundary = throng.box(0, 0, 12, 8) }, people = false, seed = seed,
        threads = 1 }
      world:bodies { count = 22, box = { throng.uniform(0.3, 1.2), throng.uniform(0.3, 0.8) },
        angle = throng.uniform(0, 2 * math.pi), mass = throng.uniform(80, 150), friction = 0.5,
        where = throng.box(2, 0, 9, 8) }
      local people = world:spawn { count = 8, where = throng.box(0, 0, 1.5, 8), speed = throng.normal(1.2, 0.2),
        planner = throng.forces { published = 1 } }
      people:go_to { 11, 4 }
      world:run { seconds = 60 }
      assert.equal(8, world:stats().arrived, "with seed " .. seed)
    end
  end)

  it("push people according to mass, and are held up by them", function()
    local world = throng.world { threads = 1 }
    local people = world:spawn { at = { { 0, 0 }, { 0, 10 } }, planner = "orca" }
    local truck = world:body { box = { 2, 2 }, at = { -4, 0 }, mass = 4000, velocity = { 3, 0 }, friction = 0 }
    local ball = world:body { circle = 0.3, at = { -4, 10 }, mass = 1, velocity = { 3, 0 }, friction = 0 }
    world:run { seconds = 4 }
    assert.is_true(people.x[1] > 5, ("the truck pushed the first to %g"):format(people.x[1]))
    assert.is_true(truck.vx > 2.5)
    assert.is_true(people.x[2] < 0.3 and ball.vx < 1, ("the ball went on with %g"):format(ball.vx))
    assert.is_true(deepest(world, { ball }, 0.3) < 0.01)
  end)

  it("are entered by nobody in a crowd of all planners, most of whom get through", function()
    local world, bodies = mixed { seed = 5 }
    local worst, central = 0, math.huge
    for _ = 1, 120 do
      world:run { seconds = 0.5, until_done = false }
      local deep, middle = deepest(world, bodies, 0.3)
      worst, central = math.max(worst, deep), math.min(central, middle)
    end
    finite(world, bodies)
    assert.is_true(worst < 0.1, ("somebody is %.3f m deep"):format(worst))
    assert.is_true(central > 1, "somebody's centre is inside")
    assert.is_true(world:stats().arrived >= 40, world:stats().arrived .. " arrived")
  end)

  it("give the same bits at any SIMD width and number of threads", function()
    local hashes = {}
    for i, settings in ipairs { { simd = 1, threads = 1 }, { simd = 4, threads = 3 }, { threads = 2 } } do
      local world, bodies = mixed { seed = 5, backend = "cpu", simd = settings.simd, threads = settings.threads }
      world:run { steps = 150, until_done = false }
      hashes[i] = world:hash()
      bodies[1].x = bodies[1].x + 1e-9
      assert.are_not.equal(hashes[i], world:hash())
    end
    assert.same({ hashes[1], hashes[1], hashes[1] }, hashes)
  end)

  it("give the same bits on CUDA", function()
    needs.device(pending)
    local hashes = {}
    for i, backend in ipairs { "cpu", "cuda" } do
      local world = mixed { seed = 5, backend = backend }
      world:run { steps = 150, until_done = false }
      hashes[i] = world:hash()
    end
    assert.equal(hashes[1], hashes[2])
  end)

  it("can be read, written, pushed and removed", function()
    local world = throng.world { threads = 1 }
    local disc = world:body { circle = 0.5, at = { 1, 2 }, mass = 10, friction = 0 }
    disc.angle, disc.vx = 4, 1
    assert.near(4 - 2 * math.pi, disc.angle, 1e-9)
    disc.angle = 4 + 20 * math.pi -- as a function of time may say it
    assert.near(4 - 2 * math.pi, disc.angle, 1e-6)
    assert.equal(disc, world:bodies()[1])
    disc:push(0, 100)
    world:step()
    assert.near(1, disc.vx, 1e-9)
    assert.near(1, disc.vy, 1e-9)
    world:step()
    assert.near(1, disc.vy, 1e-9)
    disc:remove()
    assert.is_false(disc.alive)
    assert.equal(0, #world:bodies())
    assert.error_matches(function() return disc.x end, "this body was removed")
    world:step()
    assert.is_true(world:body({ polygon = { { 0, 0 }, { 3, 0 }, { 0, 3 } } }).x == 1)
  end)

  it("neither come nor go in a hook of a stage, when planners hold lists of their sides", function()
    local world = throng.world { threads = 1 }
    world:spawn { at = { { 5, 5 } } }
    world.stages.plan:before(function() world:body { circle = 1, at = { 0, 0 } } end)
    assert.error_matches(function() world:step() end, "cannot be made, removed or weighed in a hook")
    assert.equal(0, #world:bodies())
  end)

  it("find room for many, and agents find room between them", function()
    local world = throng.world { map = throng.map { boundary = throng.box(0, 0, 10, 10) } }
    local bodies = world:bodies { count = 40, circle = 0.3 }
    world:spawn { count = 60 }
    assert.is_true(deepest(world, bodies, 0.3) <= 0)
    for i = 1, #bodies do
      for j = 1, i - 1 do
        assert.is_true((bodies[i].x - bodies[j].x) ^ 2 + (bodies[i].y - bodies[j].y) ^ 2 >= 0.36)
      end
    end
    assert.error_matches(function() world:bodies { count = 500, circle = 0.5 } end, "only %d+ of 500 bodies fit")
    assert.equal(40, #world:bodies())
  end)

  it("find room in what of an area lies on the map, and in areas that are far apart", function()
    local world = throng.world { map = throng.map { boundary = throng.box(0, 0, 20, 10) } }
    assert.equal(5, #world:bodies { count = 5, circle = 0.1, where = throng.box(-1e5, -1e5, 1e5, 1e5) })
    local plane, ends = throng.world {}, { throng.box(0, 0, 5, 5), throng.box(1e5, 1e5, 1e5 + 5, 1e5 + 5) }
    local first = 0
    for _, body in ipairs(plane:bodies { count = 20, circle = 0.1, where = ends }) do
      first = first + (body.x < 6 and 1 or 0)
    end
    assert.is_true(first > 3 and first < 17)
  end)

  it("survive what cannot be: coincident, enormous forces, on top of people", function()
    local world = throng.world { threads = 1, map = throng.map { boundary = throng.box(-50, -50, 50, 50) } }
    world:spawn { at = { { 0, 0 }, { 0.3, 0 }, { -0.3, 0 } }, planner = throng.forces {} }
    local at = {}
    for i = 1, 8 do at[i] = { 0, 0 } end
    local bodies = world:bodies { box = { 1, 1 }, at = at, mass = 40 }
    for _, disc in ipairs(world:bodies { circle = 0.4, at = at }) do bodies[#bodies + 1] = disc end
    for i, body in ipairs(bodies) do body:push(i % 2 == 0 and 1e30 or -1e30, 1e30) end
    world:run { seconds = 5 }
    finite(world, bodies)
    for _, body in ipairs(bodies) do
      assert.is_true(math.abs(body.x) < 50 and math.abs(body.y) < 50, "a body left the hall")
    end
  end)

  it("say what is wrong with a definition", function()
    local world = throng.world { threads = 1 }
    local function fails(definition, message)
      assert.error_matches(function() world:body(definition) end, message, 1, true)
    end
    fails({ box = { 1, 1 }, at = { 0, 0 }, mass = 0 }, "field 'mass'")
    fails({ circle = 0, at = { 0, 0 } }, "field 'circle'")
    fails({ box = { 1, 1 }, at = { 0, 0 }, mass = 5, density = 5 }, "give 'mass' or 'density', not both")
    fails({ box = { 1, 1 }, at = { 0, 0 }, static = true, density = 5 }, "a static body has no density")
    fails({ circle = 900, at = { 0, 0 }, density = 1e9 }, "mass must be more than 0 and at most 1e9 kg")
    fails({ polygon = { { 0, 0 }, { 0, 1 }, { 1, 0 } }, density = 5 }, "counter-clockwise")
    fails({ box = { 1, -1 }, at = { 0, 0 } }, "field 'box': height")
    fails({ box = 3, at = { 0, 0 } }, "field 'box' must be a table like {width, height}")
    fails({ at = { 0, 0 } }, "give one shape")
    fails({ box = { 1, 1 }, circle = 1, at = { 0, 0 } }, "give one shape")
    fails({ box = { 1, 1 } }, "needs 'where' or 'at'")
    fails({ box = { 1, 1 }, at = { 0, 0 }, static = true, mass = 5 }, "a static body has no mass")
    fails({ box = { 1, 1 }, at = { 0, 0 }, velocity = { 11, 0 } }, "no body moves faster than 10 m/s")
    fails({ box = { 1, 1 }, at = { 0, 0 }, count = 3 }, "world:bodies{count = ...} makes many")
    fails({ box = { 1, 1 }, at = { 0, 0 }, wieght = 3 }, "wieght")
    fails({ polygon = { { 0, 0 }, { 2, 0 }, { 1, 0.5 }, { 0, 2 } } }, "not convex")
    fails({ polygon = { { 0, 0 }, { 0, 1 }, { 1, 0 } } }, "counter-clockwise")
    assert.error_matches(function() world:bodies { box = { 1, 1 } } end, "field 'count' is missing")
    assert.equal(0, #world:bodies())
  end)

  it("are held by a door while it is shut, whatever bodies come meanwhile", function()
    local hall = throng.map { boundary = throng.box(0, 0, 20, 4), doors = { gate = { { 10, 0 }, { 10, 4 } } } }
    local world = throng.world { map = hall }
    local box = world:body { box = { 0.5, 0.5 }, friction = 0, at = { 8, 2 }, velocity = { 2, 0 } }
    world:step()
    world.map:door("gate"):close()
    for i = 1, 20 do
      world:step()
      world:body { box = { 0.2, 0.2 }, at = { i * 0.4, 0.5 } }
    end
    assert.is_true(box.x > 9.6 and box.x < 9.76, box.x)
    world.map:door("gate"):open()
    world:step()
    box.vx = 2
    world:run { steps = 20, until_done = false }
    assert.is_true(box.x > 12, box.x)
  end)

  it("do not stay in walls when a crowd presses them there", function()
    local world = throng.world { map = throng.map { boundary = throng.box(0, 0, 20, 6) } }
    local boxes = world:bodies { at = { { 18, 2 }, { 18, 3 }, { 18, 4 }, { 17, 2.5 } }, box = { 0.5, 0.5 }, mass = 4 }
    world:spawn({ count = 60, where = throng.box(2, 0, 14, 6), planner = "none" }):go_to { 19.7, 3 }
    for _ = 1, 15 do
      world:run { seconds = 1, until_done = false }
      for _, box in ipairs(boxes) do
        assert.is_true(box.x < 20 - 0.25 + 0.1, ("a box is %.3f m in the wall"):format(box.x + 0.25 - 20))
      end
    end
  end)

  it("stand about in a hall that people cross", function()
    local world = throng.load "scenarios/cluttered.lua"
    assert.equal(600, world:stats().bodies)
    local before = world:bodies()
    local x, y = {}, {}
    for i, body in ipairs(before) do x[i], y[i] = body.x, body.y end
    world:run {}
    local light, heavy, lights, heavies = 0, 0, 0, 0 -- how far they were moved, m; how many
    for i, body in ipairs(before) do
      local way = math.sqrt((body.x - x[i]) ^ 2 + (body.y - y[i]) ^ 2)
      if body.mass < 20 then
        light, lights = light + way, lights + 1
      elseif body.mass > 100 then
        heavy, heavies = heavy + way, heavies + 1
      end
    end
    light, heavy = light / lights, heavy / heavies
    assert.is_true(light > 5 * heavy, ("light boxes were moved %.1f m, heavy ones %.1f m"):format(light, heavy))
    assert.equal(200, world:stats().arrived)
    assert.no_overlap(world)
  end)

  it("can be removed after a giant came, for which they are searched in another way", function()
    local path = command.write(os.tmpname(), [[
      local throng = require "throng"
      local world = throng.world { map = throng.map { boundary = throng.box(0, 0, 20, 10) } }
      local still = world:body { box = { 1, 1 }, at = { 5, 5 }, static = true }
      world:body { box = { 1, 1 }, at = { 5.9, 5 }, mass = 100 } -- beside it, as Chipmunk notes
      world:spawn { at = { { 8, 5 } } }
      world:step()
      world:body { circle = 40, at = { 10, 60 }, static = true }
      world:step()
      still:remove()
      world:step()
      return world
    ]])
    finally(function() os.remove(path) end)
    -- what is freed is overwritten
    local run = "MALLOC_PERTURB_=165 %s run %s --steps 3 --out none"
    local code, _, err = command.shell(run:format(command.THRONG, path))
    assert.equal(0, code, err)
  end)

  it("let 500 people walk about in a warehouse full of boxes", function()
    local world = throng.load "scenarios/industrial.lua"
    world:run { seconds = 30 }
    local people = world.groups.people
    local x, y, way = people.x:list(), people.y:list(), 0
    world:run { seconds = 10 }
    local to_x, to_y = people.x:list(), people.y:list()
    for i = 1, #x do way = way + math.sqrt((to_x[i] - x[i]) ^ 2 + (to_y[i] - y[i]) ^ 2) / #x end
    assert.is_true(way > 4, ("they come %.1f m far in 10 s"):format(way))
    finite(world, world:bodies())
    assert.no_overlap(world)
  end)
end)
