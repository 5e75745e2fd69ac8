-- world:sink and world:queue.
local throng = require "throng"

local function hall()
  return throng.world {
    map = throng.map { boundary = throng.box(0, 0, 20, 10) },
    regions = { door = throng.box(1, 1, 5, 9), exit = throng.box(18, 0, 20, 10) },
    threads = 1,
  }
end

local function message_of(f)
  local ok, message = pcall(f)
  assert.is_false(ok)
  return message
end

describe("group:inside", function()
  it("is those whose middle is in a place", function()
    local world = hall()
    local group = world:spawn { at = { { 2, 2 }, { 5.1, 2 }, { 19, 9 }, { 4.9, 8 } } }
    assert.same({ 0, 3 }, group:inside("door").id:list())
    assert.same({ 0, 2, 3 }, group:inside({ "door", "exit" }).id:list())
    assert.same({ 1 }, group:inside(throng.polygon { { 5, 1 }, { 6, 2 }, { 5, 3 } }).id:list())
    assert.matches("unknown region 'dor', did you mean 'door'%?", message_of(function() group:inside "dor" end))
  end)
end)

describe("a sink", function()
  it("takes out who comes into it, and counts", function()
    local world, batches = hall(), 0
    local walkers = world:spawn { count = 20, where = "door" }
    walkers:go_to "exit"
    local sink = world:sink { where = "exit", each = function(batch) batches = batches + batch.count end }
    assert.equal("arrived", world:run { seconds = 60, until_done = true })
    assert.same({ 20, 20, 0 }, { sink.count, batches, walkers.count })
    assert.equal(20, walkers:stats().arrived)
    assert.is_true(sink.first > 8 and sink.last > sink.first and sink.last <= world.time)
  end)

  -- What a sink is, in Lua: who is in the place before two steps on end goes.
  local function sink_by_hand(world, where, of)
    local before, sink = nil, { count = 0 }
    world:on_step(function(_, time)
      if time == 0 then return end
      local here = (of or world.agents):inside(where)
      local batch = before and here & before or here - here
      before = here - batch
      sink.count = sink.count + batch.count
      batch:remove()
    end)
    return sink
  end

  it("takes those who are in the place for two steps, however they came there", function()
    local function run(make)
      local world = hall()
      local walkers = world:spawn { count = 30, where = "door", name = "walkers" }
      walkers:go_to "exit"
      world:spawn { count = 6, at = (function()
        local list = {}
        for i = 1, 6 do list[i] = { 19, 0.5 + 1.5 * i } end
        return list
      end)(), name = "there" }
      local all, some = make(world, "exit"), make(world, throng.box(9, 0, 11, 10), walkers[3] | walkers[7])
      for i, time in ipairs { 0.35, 30, 45 } do -- long after everybody else
        world:at(time, function() world:spawn { at = { { 18.5, 3 } }, name = "late " .. i } end)
      end
      world:at(40, function() world:spawn({ at = { { 8, 5 } }, name = "last" }):go_to "exit" end)
      world:run { seconds = 60, until_done = false }
      return { all.count, some.count, world:hash(), #world.agents }
    end
    local expected = run(sink_by_hand)
    assert.same({ 38, 2, 0 }, { expected[1], expected[2], expected[4] })
    assert.same(expected, run(function(world, where, of) return world:sink { where = where, of = of } end))
  end)

  it("leaves others alone", function()
    local world = hall()
    local some = world:spawn { count = 2, where = "exit" }
    local others = world:spawn { count = 3, where = "exit" }
    local sink = world:sink { where = "exit", of = some }
    world:run { steps = 3 }
    assert.same({ 2, 0, 3 }, { sink.count, some.count, others.count })
  end)

  it("tells what it does not understand", function()
    local world = hall()
    local message = message_of(function() world:sink { were = "exit" } end)
    assert.matches("unknown field 'were', did you mean 'where'%?", message)
    assert.matches("'where' is missing", message_of(function() world:sink {} end))
    assert.matches("world:sink: field 'where': unknown region 'exits'",
      message_of(function() world:sink { where = "exits" } end))
    assert.matches("'of' must be a group, got 3", message_of(function() world:sink { where = "exit", of = 3 } end))
  end)
end)

describe("a queue", function()
  local function desk(world, settings)
    settings = settings or {}
    settings.line = settings.line or { { 15, 5 }, { 8, 5 }, { 8, 9 } }
    settings.serve = settings.serve or 2
    settings.served = settings.served or function(agent) agent:go_to "exit" end
    return world:queue(settings)
  end

  it("serves one after the other", function()
    local world, times = hall(), {}
    local guests = world:spawn { count = 8, where = "door" }
    local queue = desk(world, { served = function(agent)
      assert.equal(1, agent.count)
      times[#times + 1] = world.time
      agent:go_to "exit"
    end })
    queue:join(guests)
    local sink = world:sink { where = "exit" }
    assert.equal("arrived", world:run { seconds = 120, until_done = true })
    assert.same({ 8, 0, 0, 8 }, { queue.served, queue.length, queue.coming, sink.count })
    for i = 2, #times do
      assert.is_true(times[i] - times[i - 1] >= 2)
    end
    assert.is_true(queue.mean_wait > 4)
    assert.no_overlap(world)
  end)

  it("serves at several counters at a time, each where it is free", function()
    local function serve(counters)
      local world, at, most, times = hall(), {}, 0, {}
      local queue
      queue = desk(world, { serve = 6, counters = counters, served = function(agent, counter)
        local point = counters and counters[counter] or { 15, 5 }
        local x, y = agent.x[1] - point[1], agent.y[1] - point[2]
        assert.is_true(x * x + y * y < 0.6 ^ 2)
        at[counter] = (at[counter] or 0) + 1
        agent:go_to "exit"
      end })
      world:sink { where = "exit" }
      queue:join(world:spawn { count = 9, where = "door" })
      world:on_step(function()
        local busy = 0
        for _, entry in ipairs(counters or {}) do
          local x, y = entry[1], entry[2]
          busy = busy + world.agents:inside(throng.box(x - 0.4, y - 0.4, x + 0.4, y + 0.4)).count
        end
        most = math.max(most, busy)
        times[1] = world.time
      end)
      assert.equal("arrived", world:run { seconds = 200, until_done = true })
      assert.same({ 9, 0, 0 }, { queue.served, queue.length, queue.coming })
      assert.no_overlap(world)
      return times[1], at, most
    end
    local alone, at_first = serve(nil)
    local three, at, most = serve { { 17, 3 }, { 17, 5 }, { 17, 7 } }
    assert.same({ 9 }, at_first)
    assert.same({ 3, 3, 3 }, at)
    assert.equal(3, most)
    assert.is_true(alone > 9 * 6 and three < 0.66 * alone)
  end)

  it("gives a counter free when who stands there is taken away or leaves", function()
    local world, served = hall(), {}
    local queue = desk(world, { serve = 1000, counters = { { 17, 4 }, { 17, 6 } }, served = function() end })
    local guests = world:spawn { count = 5, where = "door" }
    queue:join(guests)
    local function there() return world.agents:inside(throng.box(16.4, 3, 18, 7)) end
    world:run { seconds = 25, until_done = false }
    assert.same({ 5, 2, 0 }, { queue.length, there().count, queue.served })
    local first = there()[1]
    served[first.id[1]], served[there()[2].id[1]] = true, true
    first:remove()
    local gone = queue:leave(there())
    assert.equal(1, gone.count)
    gone:go_to "exit"
    world:run { seconds = 20, until_done = false }
    assert.same({ 3, 2 }, { queue.length, there().count })
    for _, id in ipairs(there().id) do assert.is_nil(served[id]) end
  end)

  it("stands in line, first come first", function()
    local world, order = hall(), {}
    local guests = world:spawn { at = { { 2, 5 }, { 6, 5 }, { 4, 5 } }, speed = 1 }
    local queue = desk(world, { serve = 30, line = { { 12, 5 }, { 8, 5 } }, served = function() end })
    queue:join(guests)
    world:run { seconds = 25, until_done = false }
    for i, x in ipairs(guests.x) do
      order[i] = x
    end
    assert.equal(3, queue.length)
    assert.near(12, order[2], 0.5)
    assert.near(11.3, order[3], 0.5)
    assert.near(10.6, order[1], 0.5)
    assert.same({}, world:stuck())
  end)

  it("is not held up by companies, whose members have places of their own", function()
    local function last_served(company)
      local world = throng.world { map = throng.map { boundary = throng.box(0, 0, 40, 14) }, threads = 1 }
      local time
      local queue = world:queue {
        line = { { 30, 7 }, { 12, 7 } }, serve = 2,
        served = function(agent)
          time = world.time
          agent:remove()
        end,
      }
      queue:join(world:spawn { count = 40, where = throng.box(1, 1, 6, 13), company = company })
      world:run { seconds = 200 }
      assert.equal(40, queue.served)
      return time
    end
    assert.near(last_served(1), last_served(4), 5)
  end)

  it("stands on the floor that its line is on", function()
    local plan = throng.box(0, 0, 30, 12)
    local world = throng.world {
      threads = 1,
      map = throng.building {
        floors = { ground = { z = 0, boundary = plan }, first = { z = 4, boundary = plan } },
        stairs = { { from = "ground", to = "first", foot = { 10, 10 }, head = { 16, 10 }, width = 1.6 } },
      },
    }
    local floors = {}
    local bar = world:queue {
      line = { { 25, 6, floor = "first" }, { 18, 6, floor = "first" } }, serve = 1,
      served = function(agent)
        floors[#floors + 1] = agent.floor[1]
        agent:remove()
      end,
    }
    world:spawn { name = "below", at = { { 18, 6 } } } -- where the line ends, on another floor
    bar:join(world.groups.below | world:spawn { count = 3, where = throng.box(20, 1, 28, 11) })
    world:run { seconds = 90 }
    assert.same({ "first", "first", "first", "first" }, floors)
    assert.matches("world:queue: entry 2 of 'line': unknown floor 'frist'", message_of(function()
      world:queue { line = { { 25, 6 }, { 18, 6, floor = "frist" } }, serve = 1, served = print }
    end))
  end)

  it("says that who was served is not sent on", function()
    local command = dofile "tests/specs/command.lua"
    local folder = io.popen("mktemp -d"):read "l"
    local function printed(served)
      command.write(folder .. "/desk.lua", ([[
        local throng = require "throng"
        local world = throng.world { seconds = 60, threads = 1, record = { every = 10 } }
        local desk = world:queue { line = { { 6, 0 }, { 2, 0 } }, serve = 1, served = function(agent) %s end }
        desk:join(world:spawn { at = { { 0, 0 }, { 0, 1 }, { 0, 2 }, { 0, 3 }, { 0, 4 }, { 0, 5 } } })
        return world]]):format(served))
      local _, out, err = command.throng("run desk.lua --out none", folder)
      return select(2, (out .. err):gsub(
        "desk.lua:3: world:queue: agent %d was served 3 s ago and stands there still", ""))
    end
    assert.equal(1, printed "")
    assert.equal(0, printed "agent:go_to { 12, 0 }")
    assert.equal(0, printed "agent:remove()")
    os.execute("rm -rf '" .. folder .. "'")
  end)

  it("is left by those who give up, who may join another", function()
    local world = hall()
    local guests = world:spawn { at = { { 2, 5 }, { 6, 5 }, { 4, 5 }, { 2, 8 } }, speed = 1 }
    local queue = desk(world, { serve = 30, line = { { 12, 5 }, { 8, 5 } }, served = function() end })
    local other = desk(world, { serve = 30, line = { { 12, 8 }, { 8, 8 } }, served = function() end })
    queue:join(guests[1] | guests[2] | guests[3])
    world:run { seconds = 25, until_done = false }
    local gone = queue:leave(guests[1] | guests[3] | guests[4])
    assert.same({ 0, 2 }, gone.id:list())
    assert.same({ 1, 0 }, { queue.length, queue.coming })
    other:join(gone)
    world:run { seconds = 25, until_done = false }
    assert.same({ 1, 2 }, { queue.length + queue.served, other.length })
    assert.near(8, guests.y[1], 0.5)
    assert.near(8, guests.y[3], 0.5)
    assert.equal(0, queue:leave(guests[1]).count)
    assert.matches("queue:leave: expected a group, got 3", message_of(function() queue:leave(3) end))
  end)

  it("has everybody once, however often they join", function()
    local world = hall()
    local guests = world:spawn { count = 3, where = "door" }
    local queue = desk(world, { serve = 0.2, served = function(agent) agent:remove() end })
    queue:join(guests):join(guests)
    world:every(1, function() queue:join(guests) end)
    assert.same({ 0, 3 }, { queue.length, queue.coming })
    world:run { seconds = 60, until_done = false }
    assert.same({ 3, 0, 0 }, { queue.served, queue.length, queue.coming })
  end)

  it("keeps the place of who joins again, and is left by who joins another", function()
    local world = hall()
    local guests = world:spawn { at = { { 2, 5 }, { 6, 5 }, { 4, 5 } }, speed = 1 }
    local queue = desk(world, { serve = 1000, line = { { 12, 5 }, { 8, 5 } } })
    local other = desk(world, { serve = 1000, line = { { 12, 8 }, { 8, 8 } } })
    queue:join(guests)
    world:run { seconds = 25, until_done = false }
    queue:join(guests[2])
    assert.same({ 3, 0 }, { queue.length, queue.coming })
    other:join(guests[2] | guests[3])
    assert.same({ 1, 0, 2 }, { queue.length, queue.coming, other.coming })
    world:run { seconds = 25, until_done = false }
    assert.same({ 1, 0, 2, 0 }, { queue.length, queue.coming, other.length, other.coming })
    assert.near(12, guests.x[1], 0.5)
    assert.near(8, guests.y[2], 0.5)
  end)

  it("lets `served` remove anybody, have them leave, and have them join again", function()
    for _, counters in ipairs { {}, { { 17, 3 }, { 17, 5 }, { 17, 7 } } } do
      counters = counters[1] and counters or nil
      for _, act in ipairs {
        function(guests) guests:remove() end,
        function(guests, _, queue)
          queue:leave(guests)
          guests:go_to "exit"
        end,
        function(guests, agent, queue)
          queue:leave(guests - agent)
          queue:join(guests - agent)
          agent:remove()
        end,
      } do
        local world, queue = hall(), nil
        local guests = world:spawn { count = 6, where = "door" }
        queue = desk(world, { serve = 1, counters = counters, served = function(agent) act(guests, agent, queue) end })
        queue:join(guests)
        world:run { seconds = 100 }
        assert.is_true(queue.served >= 1)
        assert.same({ 0, 0 }, { queue.length, queue.coming })
      end
    end
  end)

  it("goes on when somebody in it is gone", function()
    local world = hall()
    local guests = world:spawn { count = 5, where = "door" }
    local queue = desk(world)
    queue:join(guests)
    world:sink { where = "exit" }
    world:at(12, function() guests[1]:remove() end)
    world:at(14, function() guests[2]:remove() end)
    assert.equal("arrived", world:run { seconds = 120, until_done = true })
    assert.is_true(queue.served >= 3 and queue.served < 5)
    assert.same({ 0, 0 }, { queue.length, queue.coming })
  end)

  it("takes a drawn time, the same on every run", function()
    local function waits(seed)
      local world = throng.world { seed = seed, threads = 1 }
      local queue = desk(world, { serve = throng.uniform(1, 5), served = function(agent) agent:remove() end })
      queue:join(world:spawn { count = 6, where = throng.box(1, 1, 5, 9) })
      world:run { seconds = 80, until_done = true }
      return queue.mean_wait
    end
    assert.equal(waits(1), waits(1))
    assert.not_equal(waits(1), waits(2))
  end)

  it("holds as many as its line has places", function()
    local world = hall()
    local queue = desk(world, { line = { { 12, 5 }, { 10, 5 } }, spacing = 1, serve = 100 })
    queue:join(world:spawn { count = 6, where = "door" })
    world:run { seconds = 30, until_done = false }
    assert.same({ 3, 3 }, { queue.length, queue.coming })
  end)

  it("tells what it does not understand", function()
    local world = hall()
    local function refused(settings) return message_of(function() world:queue(settings) end) end
    local line = { { 12, 5 }, { 10, 5 } }
    assert.matches("unknown field 'places'", refused { places = 3 })
    assert.matches("'line' must be a list of points", refused { line = { { 12, 5 } } })
    assert.matches("entry 2 of 'line' must be a point", refused { line = { { 12, 5 }, "door" } })
    assert.matches("entry 1 of 'line' must be a point {x, y} within 1e%+06 m, got nil", -- a list with a hole
      refused { line = { nil, { 6, 5 } } })
    assert.matches("entry 2 of 'line' must be a point {x, y} within 1e%+06 m, got not a number %(NaN%)",
      refused { line = { { 12, 5 }, { 10, 0 / 0 } } })
    assert.matches("'serve' is missing", refused { line = line, served = print })
    assert.matches("'serve' must be a number", refused { line = line, serve = "long", served = print })
    assert.matches("'counters' must be a list of points where agents are served",
      refused { line = line, serve = 2, served = print, counters = {} })
    assert.matches("entry 1 of 'counters' must be a point",
      refused { line = line, serve = 2, served = print, counters = { 3, 4 } })
    assert.matches("'served' must be a function", refused { line = line, serve = 2 })
    assert.matches("'spacing' must be a number > 0", refused { line = line, serve = 2, served = print, spacing = 0 })
    assert.matches("queue:join: expected a group, got 3", message_of(function() desk(world):join(3) end))
  end)
end)
