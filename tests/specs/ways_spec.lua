-- Ways as scripts see them.
local throng = require "throng"

-- A wall of 2 x 6 m in the middle of a room of 10 x 10 m.
local function room()
  return throng.map {
    name = "room",
    boundary = throng.box(0, 0, 10, 10),
    walls = throng.box(4, 2, 6, 8),
    regions = { left = throng.box(0, 0, 4, 10) },
  }
end

local function says(text, ...)
  local ok, message = pcall(...)
  assert.is_false(ok)
  assert.is_truthy(message:find(text, 1, true), message)
end

describe("map:path", function()
  it("bends at corners, and knows its length", function()
    local corners, length = room():path({ 2, 5 }, { 8, 5 })
    assert.equal(4, #corners)
    assert.same({ 2, 5 }, corners[1])
    assert.same({ 8, 5 }, corners[4])
    assert.near(2 * math.sqrt(13) + 2, length, 1e-3)
  end)

  it("keeps a radius from walls", function()
    local map = room()
    assert.is_true(map:distance({ 2, 5 }, { 8, 5 }, 0.25) > map:distance({ 2, 5 }, { 8, 5 }) + 0.3)
    assert.is_nil(map:path({ 2, 5 }, { 0.1, 5 }, 0.25))
  end)

  it("is nil, and the distance infinite, where there is no way", function()
    local map = room()
    assert.is_nil(map:path({ 2, 5 }, { 5, 5 }))
    assert.equal(math.huge, map:distance({ 2, 5 }, { 5, 5 }))
    assert.equal(math.huge, map:distance({ 2, 5 }, { 50, 5 }))
  end)

  it("is as long there as back", function()
    local map = room()
    for key = 1, 40 do
      local a, b = map:random_point(nil, 0, 2 * key), map:random_point(nil, 0, 2 * key + 1)
      local there, back = map:distance(a, b), map:distance(b, a)
      assert.near(there, back, 1e-9)
      assert.is_true(there >= math.sqrt((a[1] - b[1]) ^ 2 + (a[2] - b[2]) ^ 2) - 1e-9)
    end
  end)

  it("names what is wrong", function()
    local map = room()
    says("map:path: the first point must be a point {x, y}", map.path, map, { 1 }, { 2, 2 })
    says("map:distance: the radius must be a number >= 0", map.distance, map, { 1, 1 }, { 2, 2 }, -1)
    says("no free space is wide enough for a radius of 6 m in room", map.path, map, { 1, 1 }, { 2, 2 }, 6)
  end)

  it("outlives the world that the map went into", function()
    local map = room()
    local before = map:distance({ 2, 5 }, { 8, 5 })
    throng.world({ map = map, threads = 1 }):close()
    assert.equal(before, map:distance({ 2, 5 }, { 8, 5 }))
  end)
end)

describe("map:visible", function()
  it("sees along walls and past corners, not through", function()
    local map = room()
    assert.is_true(map:visible({ 1, 1 }, { 9, 1 }))
    assert.is_false(map:visible({ 2, 5 }, { 8, 5 }))
    assert.is_true(map:visible({ 3, 2 }, { 9, 2 }))
    assert.is_false(map:visible({ 3, 2 }, { 9, 2 }, 0.25))
    assert.is_false(map:visible({ 2, 5 }, { 5, 5 }))
  end)
end)

describe("map:random_point", function()
  it("is free, in its region, and the same in every run", function()
    local map, again = room(), room()
    for _ = 1, 50 do
      local p = map:random_point("left", 0.3)
      assert.is_true(p[1] < 4 and map:fits(p, 0.3))
      assert.same(p, again:random_point("left", 0.3))
    end
    assert.same(map:random_point(nil, 0, 5), again:random_point(nil, 0, 5))
  end)

  it("takes shapes and lists of them by their size", function()
    local map, right = room(), 0
    for _ = 1, 100 do
      local p = map:random_point { throng.box(0, 0, 1, 1), throng.box(7, 0, 10, 3) }
      right = right + (p[1] > 6 and 1 or 0)
    end
    assert.is_true(right > 75 and right < 100)
  end)

  it("names what is wrong", function()
    local map = room()
    says("unknown region 'lefft', did you mean 'left'", map.random_point, map, "lefft")
    says("no free point", map.random_point, map, throng.box(4.5, 4.5, 5, 5))
    local open = throng.map { walls = throng.box(0, 0, 1, 1) }
    says("an open map has no end", open.random_point, open)
  end)
end)
