-- world:flow_cap: doors that let through so many a second.
local throng = require "throng"

-- A room with two doors of 1 m in its wall at x = 10: people go to the right.
local function room(settings)
  local world = throng.world {
    map = throng.map {
      boundary = throng.box(0, 0, 18, 10),
      walls = { throng.box(10, 0, 10.2, 2), throng.box(10, 3, 10.2, 7), throng.box(10, 8, 10.2, 10) },
      doors = { south = { { 10.1, 2 }, { 10.1, 3 } }, north = { { 10.1, 7 }, { 10.1, 8 } } },
    },
    regions = { left = throng.box(0, 0, 9, settings.to or 5), right = throng.box(14, 0, 18, 10) },
    threads = 1,
  }
  local people = world:spawn { count = 60, where = "left", planner = settings.planner }
  people:go_to "right"
  people:on("arrived", function(group) group:remove() end)
  return world, people
end

describe("a flow cap", function()
  for _, planner in ipairs { "orca", "forces", "social_force" } do
    it("is kept by the flow, and nearly reached, under " .. planner, function()
      local world <close> = room { planner = planner }
      world.map:door("north"):close()
      local cap = world:flow_cap { door = "south", flow = 0.8 }
      while world.time < 120 and cap.measure.count < 60 do
        world:step()
        local count = cap.measure.count
        assert.is_true(count <= 0.8 * world.time + 1, ("%d after %g s"):format(count, world.time)) -- two abreast
      end
      assert.equal(60, cap.measure.count)
      assert.is_true(60 / world.time > 0.7, ("%g persons/s"):format(60 / world.time))
      assert.no_overlap(world)
    end)
  end

  it("by width is that of the door's", function()
    local world <close> = room {}
    assert.near(1.33, world:flow_cap({ door = "south", specific_flow = 1.33 }).flow, 1e-9)
  end)

  it("leaves the door open to routes, and people where they want to go", function()
    local world <close> = room {}
    local south = world:flow_cap { door = "south", flow = 0.5 }
    local north = world:measure { flow = "north" }
    assert.is_true(world.map:door("south").is_open)
    world:run { seconds = 40 }
    assert.is_true(south.measure.count >= 15, tostring(south.measure))
    assert.is_true(north.count <= 10, tostring(north))
  end)

  it("ends when it is removed, and may be changed", function()
    local world <close> = room {}
    world.map:door("north"):close()
    local cap = world:flow_cap { door = "south", flow = 0.1 }
    world:run { seconds = 25 }
    assert.is_true(cap.measure.count <= 3, tostring(cap.measure))
    cap.flow = 0.5
    local before = cap.measure.count
    world:run { seconds = 20 }
    assert.near(10, cap.measure.count - before, 2)
    cap:remove()
    world:run { seconds = 60, until_done = true }
    assert.equal(60, cap.measure.count)
    assert.is_true(world.time < 90, ("%g s"):format(world.time))
  end)

  it("is one at a time, and holds what it is told to", function()
    local world <close> = room {}
    local first = world:flow_cap { door = "south", flow = 0.1 }
    local function again() return world:flow_cap { door = "south", flow = 0.5 } end
    assert.error_matches(again, "the door 'south' has a cap already: write its flow, or remove it first")
    first:remove()
    local second = again()
    first:remove() -- which changes nothing any more
    world:run { seconds = 40 }
    assert.near(20, second.measure.count, 2)
    assert.equal(0.5, second.flow)
    assert.equal("south", second.door)
    for what, write in pairs {
      ["cap.flow must be a number > 0"] = function() second.flow = 0 end,
      ["cap.flow must be a number > 0 and <= 1e%+09, got \"1\""] = function() second.flow = "1" end,
      ["cap.measure cannot be written; cap.flow can"] = function() second.measure = nil end,
      ['expected a cap, got "south" %(methods are called with a colon: cap:'] = function() second.remove "south" end,
    } do
      assert.error_matches(write, what)
    end
  end)

  it("must be possible", function()
    local world <close> = room {}
    local function fails(text, settings)
      local ok, problem = pcall(world.flow_cap, world, settings)
      assert.is_false(ok)
      assert.is_truthy(tostring(problem):find(text, 1, true), problem)
    end
    fails("give 'flow'", { door = "south" })
    fails("give 'flow'", { door = "south", flow = 1, specific_flow = 1 })
    fails("field 'flow' must be a number > 0", { door = "south", flow = 0 })
    fails("east", { door = "east", flow = 1 })
    fails("unknown field 'rate'", { door = "south", rate = 1 })
    local open <close> = throng.world {}
    assert.has_error(function() open:flow_cap { door = "south", flow = 1 } end)
  end)
end)
