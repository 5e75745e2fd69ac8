-- The tutorial runs, and each of its files shows what it says.
local throng = require "throng"

local function load(name, overrides) return throng.load("scenarios/tutorial/" .. name .. ".lua", overrides) end

local function files()
  local names = {}
  for path in io.popen("ls scenarios/tutorial/*.lua"):lines() do names[#names + 1] = path:match "([^/]+)%.lua$" end
  return names
end

describe("the tutorial", function()
  it("has eleven files, each of which ends within its time", function()
    local names = files()
    assert.equal(11, #names)
    for _, name in ipairs(names) do
      local world = load(name)
      assert.is_truthy(world:run { seconds = 120, until_done = true })
      assert.no_overlap(world)
      assert.is_true(world:stats().arrived > 0, name)
      world:close()
    end
  end)

  it("1: one agent arrives in the time that its speed says", function()
    local world = load "01_one_agent"
    world:run()
    assert.arrives(world.groups.walker, { within = 8 })
  end)

  it("2: nobody stays in the left half", function()
    local world = load "02_a_room"
    world:run()
    assert.arrives(world.groups.guests)
    assert.is_true(world.groups.guests.x:min() > 10.2)
  end)

  it("3: parameters and the seed change the run, and nothing else does", function()
    local function hash(overrides)
      local world = load("03_people_differ", overrides)
      world:run { seconds = 5 }
      return world:hash()
    end
    assert.same_hash(hash(), hash())
    assert.is_not.equal(hash(), hash { seed = 5 })
    assert.is_not.equal(hash(), hash { params = { door = 0.8 } })
  end)

  it("4: nobody moves before the fifth second, and all are gone at the end", function()
    local world = load "04_events"
    world:run { seconds = 4.9 }
    assert.equal(0, world.groups.passengers.vx:max())
    world:run()
    assert.equal(0, world.groups.passengers.count)
  end)

  it("5: the heavy ones change their planner", function()
    local world = load "05_who_gives_way"
    world:run { seconds = 5 }
    local heavy = world:tagged "heavy"
    assert.equal(6, heavy.count)
    for _, planner in ipairs(heavy.planner) do assert.equal("forces", planner) end
    assert.equal("clearpath", (world.groups.north - heavy).planner[1])
  end)

  it("6: who is near the gate is slow", function()
    local world = load "06_behaviour"
    world:run { seconds = 25 }
    local near = world.agents:filter(function(a) return a.x > 31 end)
    assert.is_true(near.count > 0)
    assert.is_true(math.abs(near.speed:max() - 0.8) < 1e-6)
  end)

  it("7: the machine's states are lived in", function()
    local world = load "07_state_machine"
    local seen = {}
    world:on_step(function()
      for _, state in ipairs(world.agents.fsm_state) do seen[state] = true end
    end)
    world:run { seconds = 60 }
    assert.is_true(seen.stroll and seen.look and seen.wander and seen.leave)
  end)

  it("8: the door closes and opens again", function()
    local world = load "08_coming_and_going"
    local south = world.map:door "south"
    world:run { seconds = 20 }
    assert.is_false(south.is_open)
    world:run { seconds = 20 }
    assert.is_true(south.is_open)
  end)

  it("9: everybody finds the canteen", function()
    local world = load "09_a_real_plan"
    world:run()
    assert.arrives(world.groups.staff, { within = 100 })
  end)

  it("10: empties the room", function()
    local world = load "10_measured_evacuation"
    world:run { seconds = 120 }
    assert.arrives(world.groups.people, { within = 90 })
    assert.no_overlap(world)
  end)

  it("11: people who meet turn to the left in the middle of a junction, and all come through", function()
    local turning, there = 0, 0 -- m^2/s about the middle, of all who were within 6 m of it
    for seed = 1, 3 do
      local world <close> = load("11_a_junction", { seed = seed })
      world:every(1, function()
        local all = world.agents
        local x, y, vx, vy = all.x:list(), all.y:list(), all.vx:list(), all.vy:list()
        for i = 1, #x do
          if x[i] ^ 2 + y[i] ^ 2 < 36 then
            turning, there = turning + x[i] * vy[i] - y[i] * vx[i], there + 1
          end
        end
      end)
      world:run { seconds = 180, until_done = true }
      assert.equal(0, world.agents.count)
      assert.equal(800, world:stats().arrived)
    end
    assert.is_true(turning / there > 0.8, turning / there)
  end)

  it("11: a kiosk stands in the middle if it is asked for", function()
    local world = load("11_a_junction", { params = { kiosk = 3, each = 20, planner = "forces" } })
    assert.near(1100 - 9, world.map.area, 1e-6)
    assert.equal("forces", world.groups.east.planner[1])
    world:run { seconds = 100, until_done = true }
    assert.equal(80, world:stats().arrived)
  end)
end)
