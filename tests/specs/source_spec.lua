-- world:source: agents who come over time.
local throng = require "throng"

local function hall()
  return throng.world {
    regions = { door = throng.box(0, 0, 4, 4), exit = throng.box(20, 0, 24, 4) },
    map = throng.map { boundary = throng.box(-1, -1, 25, 5) },
  }
end

describe("a source", function()
  it("brings agents at its rate, who walk and leave", function()
    local world = hall()
    local visitors = world:source { name = "visitors", rate = 2, limit = 12, where = "door", to = "exit", speed = 1.3 }
    assert.equal(visitors, world.groups.visitors)
    assert.equal(0, visitors.count)
    world:run { seconds = 3 }
    assert.equal(6, visitors.count)
    assert.same({ 0, 1, 2, 3, 4, 5 }, visitors.id:list())
    assert.equal("arrived", world:run {})
    assert.equal(0, visitors.count)
    local stats = visitors:stats()
    assert.same({ 12, 12 }, { stats.spawned, stats.arrived })
    assert.equal(0, world:stats().outside)
    assert.is_true(stats.last_arrival > 17)
    assert.no_overlap(world)
  end)

  it("sends them to a shape, too", function()
    local world = hall()
    local visitors = world:source { rate = 2, limit = 2, where = "door", to = throng.box(18, 0, 24, 4), speed = 1.3 }
    world:run {}
    assert.equal(2, visitors:stats().arrived)
  end)

  it("has a name of its own, and says where it was made", function()
    local world = hall()
    world:spawn { name = "visitors", count = 1, where = "door" }
    local _, message = pcall(world.source, world, { name = "visitors", rate = 1, where = "door" })
    assert.matches("world:source: field 'name': there is a group named 'visitors' already", message)
    world:source { rate = 1, where = "door", radius = 5 }
    _, message = pcall(world.run, world, { seconds = 2 })
    assert.matches("in source 'agents 2' of tests/specs/source_spec.lua:%d+", tostring(message))
  end)

  it("brings agents by a schedule, between others", function()
    local world, batches = hall(), {}
    local group = world:source {
      schedule = { { 0, 2.0 }, { 1, 3 } },
      where = "door",
      each = function(batch)
        batches[#batches + 1] = ("%d at %.1f"):format(batch.count, world.time)
        batch:go_to "exit"
      end,
    }
    local other = world:spawn { count = 1, where = "exit" }
    world:run { seconds = 2 }
    assert.same({ "2 at 0.0", "3 at 1.0" }, batches)
    assert.equal(5, group.count)
    assert.equal(1, other.count)
    local left = 0
    group:on("arrived", function(arrived)
      left = left + arrived.count
      arrived:remove()
    end)
    assert.equal("arrived", world:run { seconds = 60, until_done = true })
    assert.equal(5, left)
  end)

  it("keeps its schedule, whatever becomes of the table", function()
    local world, schedule = hall(), { { 0, 2 }, { 1, 3 } }
    local group = world:source { schedule = schedule, where = "door" }
    schedule[1][2], schedule[2] = 9, { 2 }
    world:run { seconds = 2 }
    assert.equal(5, group.count)
  end)

  it("lets them wait while there is no room", function()
    local world = hall()
    local group = world:source { schedule = { { 0, 500 } }, where = throng.box(0, 0, 2, 2), to = "exit" }
    world:run { steps = 2 }
    local at_first = group.count
    assert.is_true(at_first > 5 and at_first < 500)
    assert.equal(500 - at_first, world:stats().outside)
    world:run { seconds = 20 }
    assert.is_true(group:stats().spawned > at_first + 5)
    assert.no_overlap(world)
  end)

  it("brings as many as a function of the time says", function()
    local world, calls = hall(), 0
    local function rate(time)
      calls = calls + 1
      return time < 2 and 1 or time < 4 and 3 or 0.5
    end
    local group = world:source { rate = rate, where = "door", to = "exit", till = 8, from = 1 }
    local came = {}
    for second = 1, 9 do
      world:run { seconds = 1 }
      came[second] = group:stats().spawned
    end
    local due = { 0, 1, 4, 7, 7.5, 8, 8.5, 9, 9 } -- people by then; in the last step before it, a little less
    for second, count in ipairs(due) do
      local step = second < 9 and world.dt * rate(second - 0.5) or 0
      if second <= 1 then step = 0 end
      assert.equal(math.floor(count - step + 1e-6), came[second])
    end
    assert.near(7 / world.dt + 7, calls, 1)
    assert.equal("arrived", world:run { seconds = 60, until_done = true })
    assert.equal(9, group:stats().arrived)

    world = hall()
    local limited = world:source { rate = function() return 5 end, where = "door", to = "exit", limit = 7 }
    assert.equal("arrived", world:run { seconds = 60, until_done = true })
    assert.equal(7, limited:stats().spawned)

    for _, bad in ipairs { -1, 0 / 0, "many" } do
      world = hall()
      world:source { rate = function() return bad end, where = "door" }
      local ok, message = pcall(world.run, world, { steps = 3 })
      assert.is_false(ok)
      assert.truthy(message:find("field 'rate': the function must give a number >= 0", 1, true), message)
      assert.truthy(message:find "0 while nobody comes; the one of [^ ]*source_spec.lua:%d+ gave ", message)
    end
  end)

  it("counts its own, whatever was spawned after it", function()
    local world = hall()
    local shoppers = world:source { name = "shoppers", rate = 5, where = "door", to = "exit" }
    for i = 1, 40 do
      local group = world:spawn { name = "group " .. i, at = { { 5 + 0.3 * i, 4.5 } } }
      group:go_to { 5 + 0.3 * i, 4 }
      group:on("arrived", function(who) who:remove() end)
    end
    world:run { seconds = 10 }
    for i = 1, 40 do
      local stats = world.groups["group " .. i]:stats()
      assert.same({ 1, 0, 1 }, { stats.spawned, stats.living, stats.arrived })
    end
    assert.is_true(shoppers:stats().spawned > 40)
  end)

  it("refuses what would do nothing, as nobody has come yet", function()
    local world = hall()
    local visitors = world:source { name = "visitors", rate = 1, where = "door" }
    local machine = throng.fsm { start = "wait", wait = { goal = throng.wait() } }
    for what, try in pairs {
      ["group:go_to"] = function() visitors:go_to "exit" end,
      ["group:run"] = function() visitors:run(machine) end,
      ["group.speed"] = function() visitors.speed = 0.7 end,
      ["group:tag"] = function() visitors:tag "late" end,
      ["group:start_with"] = function() visitors:start_with {} end,
      ["group:walk_together"] = function() visitors:walk_together() end,
    } do
      local ok, message = pcall(try)
      assert.is_false(ok)
      assert.matches(what .. ": nobody of 'visitors' has come yet", message, 1, true)
      assert.matches("each = function%(batch%)", message)
    end
    world:run { seconds = 2 }
    visitors:go_to "exit"
    visitors.speed = 0.7
    assert.is_true(visitors.goal[1] >= 0)
    visitors:remove()
    visitors:go_to "exit" -- nobody is there any more: nothing to do
  end)

  it("says what is wrong with it", function()
    for _, definition in ipairs {
      { where = "door" },
      { where = "door", rate = 1, schedule = {} },
      { where = "door", rate = 0 },
      { where = "door", rate = 1, count = 3 },
      { where = "door", rate = 1, speeed = 3 },
      { where = "doors", rate = 1 },
      { where = "door", rate = 1e12 },
      { where = "door", rate = math.huge },
      { where = "door", rate = 1, from = math.huge },
      { where = "door", schedule = { { 1 } } },
      { where = "door", schedule = { { 1, 1.5 } } },
      { where = "door", rate = 1, desired = 5 },
      { where = "door", schedule = { { 0 / 0, 3 } } },
      { where = "door", rate = 1, each = 3 },
      { where = "door", rate = 1, to = "exti" },
      { where = "door", rate = 1, to = 3 },
      { where = "door", rate = 1, to = {} },
    } do
      local world <close> = hall()
      local before = world:hash()
      local ok, message = pcall(function() world:source(definition) end)
      assert.is_false(ok)
      assert.is_nil((next(world.groups)), "a group is left")
      assert.same_hash(before, world:hash())
      assert.is_truthy(message:find "^tests/specs/source_spec.lua:%d+: world:", message)
    end
    local function says(definition, text)
      local _, message = pcall(function() hall():source(definition) end)
      assert.is_truthy(message:find(text, 1, true), message)
    end
    says({ where = "door", schedule = { { 0, 1.5 } } }, "the count a whole number; got {0, 1.5}")
    says({ where = "door", rate = 1, desired = 5 },
      "field 'desired' must be a function(t, a) that returns vx, vy, got 5")
    says({ where = "door", rat = 1 }, "world:source: unknown field 'rat', did you mean 'rate'?")
    says({ where = "door", rate = 1, to = "exti" },
      "world:source: field 'to': unknown region 'exti', did you mean 'exit'?")
    says({ where = "door", rate = 1, to = "door" },
      "world:source: 'to' is the same place as 'where': everybody would arrive, and leave, at once")
  end)
end)
