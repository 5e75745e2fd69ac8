-- Pillars that are left out of the navigation mesh (throng.map{ pillars = ... }).
local throng = require "throng"
local names = dofile "tests/specs/planners.lua"

local function hall(params, settings)
  settings = settings or {}
  settings.params = params
  return throng.load("scenarios/hall.lua", settings)
end

describe("a hall of pillars that the mesh leaves out", function()
  for _, name in ipairs(names) do
    it("is crossed by everybody under " .. name, function()
      for _, size in ipairs { 0.4, 0.7 } do
        local world <close> = hall { planner = name, size = size, pillars = 1 }
        world:run { seconds = 120, until_done = true }
        local stats = world:stats()
        assert.equal(200, stats.arrived, ("pillars of %g m: %d of 200 arrived"):format(size, stats.arrived))
        assert.is_true(world.time < 100)
      end
    end)
  end

  for _, routing in ipairs { "roadmap", "field", "direct" } do
    it("is crossed by everybody with routing = " .. routing, function()
      local world <close> = hall { routing = routing }
      world:run { seconds = 120, until_done = true }
      assert.equal(200, world:stats().arrived)
    end)
  end

  it("keeps people off its walls", function()
    local world <close> = hall { size = 0.7, pillars = 1 }
    local worst = math.huge
    world:on_step(function()
      for _, group in pairs(world.groups) do
        local x, y, radius = group.x, group.y, group.radius
        for i = 1, #group do
          if not world.map:fits({ x[i], y[i] }, 0.99 * radius[i]) then worst = radius[i] end
        end
      end
    end)
    world:run { seconds = 40 }
    assert.equal(math.huge, worst)
  end)

  it("is the same on every SIMD width", function()
    local hashes = {}
    for _, width in ipairs { 1, 4, 8 } do
      local world <close> = hall({}, { backend = "cpu", simd = width, threads = 2 })
      world:run { seconds = 15 }
      hashes[#hashes + 1] = world:hash()
    end
    assert.equal(hashes[1], hashes[2])
    assert.equal(hashes[1], hashes[3])
  end)
end)

describe("throng.map{ pillars = ... }", function()
  local function room(pillars)
    return throng.map {
      boundary = throng.box(0, 0, 10, 10), walls = throng.box(4.8, 4.8, 5.2, 5.2), pillars = pillars,
    }
  end

  it("leads paths straight on, and sees the pillar", function()
    assert.is_true(room(0):distance({ 1, 5 }, { 9, 5 }, 0.25) > 8.05)
    local map = room(0.6)
    assert.equal(8, map:distance({ 1, 5 }, { 9, 5 }, 0.25))
    assert.is_false(map:visible({ 1, 5 }, { 9, 5 }))
    assert.is_false(map:visible({ 1, 5.4 }, { 9, 5.4 }, 0.25))
    assert.is_true(map:visible({ 1, 5.4 }, { 9, 5.4 }))
    assert.is_nil(map:path({ 1, 5 }, { 5, 5 }, 0.25))
    assert.equal(10 * 10 - 0.4 * 0.4, map.area)
  end)

  it("sends nobody into one", function()
    local world <close> = throng.world { map = room(0.6) }
    local walker = world:spawn { at = { { 1, 5 } } }
    assert.error_matches(function() walker:go_to({ 5, 5 }, { radius = 0.3 }) end, "lies where no agent")
  end)

  it("wants a width", function()
    assert.error_matches(function() room(-1) end, "pillars")
    assert.error_matches(function() room("wide") end, "pillars")
  end)
end)
