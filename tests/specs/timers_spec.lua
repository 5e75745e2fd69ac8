-- world:at and world:every.
local throng = require "throng"

describe("timers", function()
  it("call at their times, in the order of times and then of making", function()
    local world = throng.world { dt = 0.1 }
    local calls = {}
    local function note(name)
      return function(w, time) calls[#calls + 1] = ("%s %.1f %d"):format(name, time, w.steps) end
    end
    world:at(0.3, note "late")
    world:at(0, note "now")
    world:every(0.2, note "often")
    world:at(0.3, note "later")
    world:at(0.25, note "between")
    world:run { steps = 5 }
    assert.same({ "now 0.0 0", "often 0.2 2", "between 0.2 3", "late 0.3 3", "later 0.3 3", "often 0.4 4" }, calls)
  end)

  it("come in every step, however short it is", function()
    local world = throng.world { dt = 0.0005 }
    local calls = 0
    world:every(world.dt, function() calls = calls + 1 end)
    world:run { steps = 10 }
    assert.equal(9, calls)
  end)

  it("keep their period over many steps", function()
    local world = throng.world { dt = 0.1 }
    local steps, fast = {}, 0
    world:every(0.7, function(w) steps[#steps + 1] = w.steps end)
    world:every(0.05, function() fast = fast + 1 end)
    world:run { steps = 1000 }
    assert.equal(142, #steps)
    for i, step in ipairs(steps) do
      assert.equal(7 * i, step)
    end
    assert.equal(1998, fast)
  end)

  it("end when they return false, and may make others", function()
    local world = throng.world { dt = 0.1 }
    local count, chained = 0, 0
    world:every(0.1, function()
      count = count + 1
      return count < 3
    end)
    local function again(w)
      chained = chained + 1
      w:at(w.time, again) -- it is that time: in the next step
    end
    world:at(0.1, again)
    world:run { steps = 11 }
    assert.equal(3, count)
    assert.equal(10, chained)
  end)

  it("keep their order, however many there are", function()
    local world = throng.world { dt = 0.1, seed = 3 }
    local due, calls = {}, {}
    for i = 1, 2000 do
      local time = math.random(0, 50) / 20
      due[i] = { time, i }
      world:at(time, function(_, now) calls[#calls + 1] = { now, i } end)
    end
    table.sort(due, function(a, b) return a[1] < b[1] or a[1] == b[1] and a[2] < b[2] end)
    world:run { steps = 30 }
    assert.same(due, calls)
  end)

  it("cost no more each when there are very many", function() -- a minute in each step, were all of them looked at
    local world = throng.world { dt = 0.1 }
    local calls = 0
    for i = 1, 200000 do world:every(i % 2 == 0 and 0.1 or 1e6, function() calls = calls + 1 end) end
    world:run { steps = 6 }
    assert.equal(500000, calls)
  end)

  it("that made others before one of them failed still call those", function()
    local world = throng.world { dt = 0.1 }
    local called = 0
    world:at(0.1, function(w)
      w:at(w.time, function() called = called + 1 end)
      error "no"
    end)
    world:every(0.1, function() return false end)
    world:step()
    assert.is_false((pcall(world.step, world)))
    world:run { steps = 3 }
    assert.equal(1, called)
  end)

  it("tell what is wrong", function()
    local world = throng.world {}
    world:run { steps = 10 }
    assert.has_error(function() world:at(0.5, print) end)
    assert.has_error(function() world:at(2) end)
    assert.has_error(function() world:every(0, print) end)
    world:at(1.2, function() error "out of milk" end)
    local ok, message = pcall(world.run, world, { steps = 5 })
    assert.is_false(ok)
    assert.is_truthy(message:find "out of milk")
    assert.is_truthy(message:find "world:at callback, step 12")
  end)
end)
