-- What the fuzzer of the API (tests/fuzz/api_spec.lua) found: what a script does wrong ends with an error that says so,
-- and leaves the world as it was.
local throng = require "throng"

local function message_of(f, ...)
  local ok, message = pcall(f, ...)
  assert.is_false(ok)
  return message
end

local function plane(settings)
  settings = settings or {}
  settings.threads, settings.backend = 1, "cpu"
  return throng.world(settings)
end

describe("a story", function()
  it("that failed is not gone on with", function()
    local world, calls = plane(), 0
    world:story(function()
      calls = calls + 1
      error "mine"
    end)
    assert.matches("mine", message_of(world.run, world, { steps = 2 }))
    world:run { steps = 3 }
    assert.equal(1, calls)
  end)

  it("that yields by itself goes on in the next step", function()
    local world, times = plane(), {}
    world:story(function()
      for i = 1, 3 do
        times[i] = world.steps
        coroutine.yield(i)
      end
    end)
    for _ = 1, 5 do world:step() end
    assert.same({ 1, 2, 3 }, times)
  end)
end)

describe("group.desired", function()
  it("that is wrong in its second part leaves the first as it was", function()
    local world = plane()
    local group = world:spawn { at = { { 0, 0 }, { 3, 0 } } }
    local before = world:hash()
    for _, wrong in ipairs { {}, "x", { 1 }, 0 / 0 } do
      assert.matches("group.desired: vy", message_of(function() group.desired = { 1, wrong } end))
      assert.equal(before, world:hash())
    end
    group.desired = { 0.5, { 0.25, -0.25 } }
    world:step()
    assert.same({ 0.25, -0.25 }, group.desired[2]:list())
  end)
end)

describe("world:queue", function()
  it("refuses more places than agents ever stand on", function()
    local world = plane()
    for _, spacing in ipairs { 1e-320, 1e-300, 1e-4 } do
      local line = { { 0, 0 }, { 3, 0 }, { 3, 4 } }
      local message = message_of(world.queue, world, { line = line, serve = 1, served = print, spacing = spacing })
      assert.matches("world:queue: a line of 7 m with a 'spacing' of .* has more than 10000 places", message)
    end
    world:queue { line = { { 0, 0 }, { 3, 0 } }, serve = 1, served = print, spacing = 0.01 }
  end)
end)

describe("world:source", function()
  it("refuses a schedule that is none, also false", function()
    local world = plane()
    for _, wrong in ipairs { false, 3, "soon" } do
      local message = message_of(world.source, world, { schedule = wrong, where = throng.box(0, 0, 1, 1) })
      assert.matches("field 'schedule' must be a list of {seconds, count}", message)
    end
  end)
end)

describe("world:bodies", function()
  it("that finds no room leaves the world as it was", function()
    local world = plane { map = throng.map { boundary = throng.box(0, 0, 4, 4) } }
    world:spawn { at = { { 3, 3 } } }
    world:step()
    local before = world:hash()
    assert.matches("lies beyond the map", message_of(world.body, world, { circle = 0.2, at = { 9, 9 } }))
    assert.equal(before, world:hash())
    world:step()
    before = world:hash()
    assert.matches("bodies fit", message_of(world.bodies, world, { circle = 0.5, count = 99 }))
    assert.equal(before, world:hash())
    local first = world:body { circle = 0.2, at = { 1, 1 } }
    before = world:hash()
    assert.matches("bodies fit", message_of(world.bodies, world, { circle = 0.5, count = 99 }))
    assert.equal(before, world:hash())
    assert.is_true(first.alive)
    assert.equal(1, #world:bodies())
  end)
end)

describe("a wrong value", function()
  it("is what would be 0, or divide to infinity, in single precision", function()
    local world = plane { map = throng.map { boundary = throng.box(0, 0, 9, 9) } }
    local group = world:spawn { at = { { 2, 2 }, { 2.6, 2 }, { 7, 7 } } }
    group:go_to { 8, 2 }
    for _, column in ipairs { "mass", "horizon", "wall_horizon" } do
      for _, wrong in ipairs { 1e-320, 1e-300, 1e-40, 9e-7 } do
        assert.matches(("group.%s must be a number > 0 .*by 1e%%-06 or more; got "):format(column),
          message_of(function() group[column] = wrong end))
      end
      group[column] = 1e-6
    end
    assert.matches("must be a number > %-2.* and < 2", message_of(throng.bvp, { epsilon = 2 - 1e-9 }))
    world:run { steps = 5 }
    for _, x in ipairs(group.x) do assert.is_true(x == x) end
  end)

  it("is something of throng's that is no group", function()
    local world = plane()
    local queue = world:queue { line = { { 0, 0 }, { 3, 0 } }, serve = 1, served = print }
    local here = throng.box(0, 0, 1, 1)
    for _, wrong in ipairs { throng.normal(1, 0.1), throng.orca(), world, world.agents.x, queue } do
      local function said(f, ...) assert.matches("a group, got ", message_of(f, ...)) end
      said(world.sink, world, { where = here, of = wrong })
      said(world.announce, world, { group = wrong })
      said(queue.join, queue, wrong)
      said(queue.leave, queue, wrong)
      world:story(function(story) story:walk(wrong, { 1, 1 }) end)
      said(world.run, world, { steps = 2 })
    end
  end)

  it("is a list of places with a hole in it, before or after a place", function()
    local place = throng.box(0, 0, 1, 1)
    for at, list in ipairs { { nil, place }, { place, nil, place } } do
      for _, goal in ipairs { throng.random_path, throng.goals.idle_walker } do
        assert.matches(("throng.random_path: field 'to' has no place %d"):format(at), message_of(goal, { to = list }))
      end
      assert.matches(("throng.follow: there is no place %d"):format(at), message_of(throng.follow, list))
    end
  end)

  it("is described, and not by its address", function()
    for _, wrong in ipairs { {}, print, throng.uniform(1, 2) } do
      for _, name in ipairs { "above", "below" } do
        local message = message_of(throng[name], wrong, 1)
        assert.matches(("hostile_spec.lua:%%d+: throng.%s: expected the name of a column"):format(name), message)
        assert.is_nil(message:find "0x%x%x")
      end
    end
  end)

  it("beside the schedule of a source is refused", function()
    local world = plane()
    for _, name in ipairs { "from", "till", "limit" } do
      local source = { schedule = { { 1, 2 } }, where = throng.box(0, 0, 9, 9), [name] = {} }
      local message = message_of(world.source, world, source)
      assert.matches(("world:source: field '%s' goes with 'rate'"):format(name), message)
    end
  end)

  it("of throng.noise is the script's mistake", function()
    for _, wrong in ipairs { "x", {}, true } do
      assert.matches("^tests/specs/hostile_spec.lua:%d+: throng.noise: expected numbers, got", message_of(function()
        local _ = throng.noise(wrong)
      end))
    end
    assert.matches("throng.noise: expected numbers, got nil", message_of(throng.noise))
    assert.matches("throng.noise: expected numbers, got", message_of(throng.noise, 1, 2, "x"))
  end)

  it("of throng.equal and throng.select is, outside of behaviour functions, too", function()
    assert.matches("^tests/specs/hostile_spec.lua:%d+: throng.equal: expected numbers, got \"a\"; outside", message_of(
      function() throng.equal("a", "a") end))
    assert.matches("throng.equal: expected numbers, got nil", message_of(throng.equal, 1))
    assert.matches("throng.select: expected numbers, got nil; outside", message_of(throng.select, true, 1))
    assert.matches("throng.select: expected numbers, got a table", message_of(throng.select, false, {}, 1), 1, true)
    assert.same({ 1, 0, 2, 3 }, { throng.equal(2, 2.0), throng.equal(2, 3), throng.select(1 < 2, 2, 3),
      throng.select(0, 2, 3) })
  end)
end)
