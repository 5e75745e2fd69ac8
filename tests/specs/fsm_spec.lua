-- Goal state machines: what is refused when they are built, what they do, and that all backends agree.
local throng = require "throng"
local needs = dofile "tests/specs/needs.lua"

local function refusal(fn)
  local ok, message = pcall(fn)
  assert.is_false(ok)
  return message
end

-- The line this is called in.
local function here() return debug.getinfo(2, "l").currentline end

local function room(settings)
  settings = settings or {}
  local walls = { throng.box(10, 0, 10.2, 4), throng.box(10, 6, 10.2, 10) }
  settings.map = throng.map { boundary = throng.box(0, 0, 20, 10), walls = walls }
  settings.regions = { left = throng.box(1, 1, 9, 9), right = throng.box(12, 1, 19, 9) }
  return throng.world(settings)
end

local function counts(group)
  local count = {}
  for _, state in ipairs(group.fsm_state) do
    count[state] = (count[state] or 0) + 1
  end
  return count
end

describe("throng.fsm refuses", function()
  local wait = { goal = throng.wait(1), timeout = "wait" }

  it("goals and conditions that are to be other than they were made", function()
    local goal, condition = throng.wander(), throng.above("x", 1)
    assert.matches("a goal stays as it was made: make another", refusal(function() goal.action = nil end))
    assert.matches("a condition stays as it was made: make another", refusal(function() condition.column = 1e9 end))
    assert.matches("the goal must be one like throng.go_to", refusal(function()
      throng.fsm { start = "a", a = { goal = setmetatable({ action = 1 }, { __metatable = "throng.goal" }) } }
    end))
    room():spawn({ count = 1, where = "left" }):run(throng.fsm { start = "a", a = { goal = goal } })
  end)

  it("groups of another world from a condition", function()
    local world, other = room(), room()
    local strangers = other:spawn { count = 3, where = "left" }
    world:spawn({ count = 5, where = "left" }):run(throng.fsm {
      start = "a", a = { goal = throng.wait(), when = { { function() return strangers end, "b" } } },
      b = { goal = throng.wait() },
    })
    assert.matches("a condition of state 'a' returned a group of another world",
      refusal(function() world:run { seconds = 2 } end))
  end)

  it("path_ready where no path is asked for, and own paths to regions", function()
    assert.matches("'path_ready' needs a goal that asks for a path", refusal(function()
      throng.fsm { start = "ask", ask = { goal = throng.random_path(), path_ready = "ask" } }
    end))
    assert.matches("with 'own_path' the place must be a point", refusal(function()
      throng.go_to("left", { own_path = true })
    end))
    assert.matches("give 'own_path' or 'straight', not both", refusal(function()
      throng.go_to({ 1, 2 }, { own_path = true, straight = true })
    end))
  end)

  it("an unknown state, with the nearest name and the line of the state", function()
    local line = here() + 4
    local message = refusal(function()
      throng.fsm {
        start = "stroll",
        stroll = { goal = throng.random_path(), arrived = { stnad = 3, roam = 1 } },
        stand = { goal = throng.wait(2, 6), timeout = "stroll" },
        roam = { goal = throng.wander { radius = 4 }, after = 5, timeout = "stand" },
      }
    end)
    assert.matches("fsm_spec.lua:" .. line .. ": throng.fsm: state 'stroll': 'arrived': unknown state 'stnad'",
      message, 1, true)
    assert.matches("did you mean 'stand'?", message, 1, true)
  end)

  it("a first state that is not there", function()
    local message = refusal(function() throng.fsm { start = "wiat", wait = wait } end)
    assert.matches("'start': unknown state 'wiat', did you mean 'wait'", message, 1, true)
    assert.matches("'start' must be the name of the first state, got nil",
      refusal(function() throng.fsm { wait = wait } end), 1, true)
  end)

  it("a state that nothing leads to", function()
    local lost = { goal = throng.wander() }
    local message = refusal(function() throng.fsm { start = "wait", wait = wait, lost = lost } end)
    assert.matches("state 'lost': nothing leads to it", message, 1, true)
  end)

  it("a loop without time", function()
    local message = refusal(function()
      throng.fsm {
        start = "a",
        a = { goal = throng.wait(0), timeout = "b" },
        b = { after = 0, timeout = "a" },
      }
    end)
    assert.matches("a loop without time: a -> b -> a", message, 1, true)
    message = refusal(function()
      throng.fsm {
        start = "a",
        a = { goal = throng.go_to "left", arrived = "b" },
        b = { goal = throng.go_to "left", arrived = "a" },
      }
    end)
    assert.matches("a loop without time: a -> b -> a", message, 1, true)
  end)

  it("but not a loop between two places", function()
    throng.fsm {
      start = "a",
      a = { goal = throng.go_to "left", arrived = "b" },
      b = { goal = throng.go_to "right", arrived = "a" },
    }
  end)

  it("fields, goals, weights and times that are none", function()
    local cases = {
      { { gaol = 1 }, "unknown field 'gaol', did you mean 'goal'" },
      { { goal = "exits" }, "the goal must be one like throng.go_to" },
      { { goal = throng.wait(1), arrived = "a" }, "wait never arrives" },
      { { goal = throng.wait(1) }, "it has a time but no 'timeout'" },
      { { goal = throng.wander(), timeout = "a" }, "'timeout' needs a time" },
      { { goal = throng.wait(1), after = 2, timeout = "a" }, "throng.wait has a time of its own" },
      { { goal = throng.wander(), after = -1, timeout = "a" }, "field 'after' (seconds) must be a number >= 0" },
      { { goal = throng.wander(), arrived = { a = 0 } }, "the weight of 'a' in 'arrived' must be a number > 0, got 0" },
      { { goal = throng.wander(), arrived = {} }, "must lead to a state's name or to weights" },
      { { goal = throng.wander(), enter = 3 }, "field 'enter' must be a function(group), got 3" },
      { { goal = throng.wander(), when = { "a" } }, "entry 1 of 'when' must be a condition" },
    }
    for _, case in ipairs(cases) do
      assert.matches(case[2], refusal(function() throng.fsm { start = "a", a = case[1] } end), 1, true)
    end
  end)
end)

describe("group:run refuses", function()
  it("what is no machine", function()
    local world = room()
    local group = world:spawn { count = 1, where = "left" }
    assert.matches("expected a state machine, throng.fsm{...}", refusal(function() group:run {} end), 1, true)
  end)

  it("a region and a spawn that are not there", function()
    local world = room()
    local group = world:spawn { count = 1, where = "left" }
    local go = throng.fsm { start = "go", go = { goal = throng.go_to "rihgt" } }
    assert.matches("state 'go'", refusal(function() group:run(go) end), 1, true)
    local flee = throng.fsm { start = "flee", flee = { goal = throng.flee "wolfs" } }
    assert.matches("unknown group 'wolfs'", refusal(function() group:run(flee) end), 1, true)
    local cross = throng.fsm { start = "a", a = { when = { { throng.above("frustratoin", 1), "a" } } } }
    local message = refusal(function() group:run(cross) end)
    assert.matches("throng%.above %(.-fsm_spec%.lua:%d+%): unknown column 'frustratoin', did you mean 'frustration'",
      message)
  end)

  it("a goal that some cannot reach, and leaves everybody as they were", function()
    local world = throng.world {
      map = throng.map {
        boundary = throng.box(0, 0, 20, 10),
        walls = throng.box(10, 0, 10.2, 10),
      },
      regions = { right = throng.box(12, 1, 19, 9) },
    }
    local group = world:spawn { at = { { 5, 5 }, { 15, 5 } } }
    local machine = throng.fsm { start = "go", go = { goal = throng.go_to "right" } }
    assert.matches("1 of 2 agents cannot reach the goal", refusal(function() group:run(machine) end), 1, true)
    world:run { steps = 3 }
    assert.same({ "", "" }, group.fsm_state:list())
    local able, asked = group:filter(function(a) return a.x > 10 end), 0
    local function test()
      asked = asked + 1
      return false
    end
    able:run(throng.fsm { start = "wait", wait = { when = { { test, "wait" } } } })
    world:run { steps = 3 }
    assert.same({ "wait" }, able.fsm_state:list())
    assert.is_true(asked > 0)
  end)
end)

describe("a machine", function()
  it("goes, waits its time, and goes back", function()
    local world = room()
    local group = world:spawn { at = { { 5, 5 } } }
    group:run(throng.fsm {
      start = "there",
      there = { goal = throng.go_to "right", arrived = "rest" },
      rest = { goal = throng.wait(2), timeout = "back" },
      back = { goal = throng.go_to { 5, 5 } },
    })
    local seen = {}
    for _ = 1, 400 do
      world:step()
      local state = group.fsm_state[1]
      seen[state] = (seen[state] or 0) + 1
    end
    assert.equal(20, seen.rest)
    assert.equal("back", group.fsm_state[1])
    assert.is_true(group.arrived[1] > 0)
    assert.is_true(math.abs(group.x[1] - 5) < 0.6)
    assert.equal(1, world:stats().arrived)
  end)

  it("ends a run when all are where nothing follows", function()
    local world = room()
    local group = world:spawn { count = 20, where = "left" }
    group:run(throng.fsm {
      start = "rest",
      rest = { goal = throng.wait(1, 4), timeout = "go" },
      go = { goal = throng.go_to "right" },
    })
    local gone = 0
    group:on("arrived", function(arrived) gone = gone + #arrived end)
    assert.equal("arrived", world:run {})
    assert.equal(20, gone)
    assert.is_true(group.arrived:min() >= 10)
  end)

  it("is left when the group is sent elsewhere", function()
    local world = room()
    local group = world:spawn { count = 5, where = "left" }
    group:run(throng.fsm { start = "rest", rest = { goal = throng.wait() } })
    world:run { steps = 5 }
    assert.equal(5, #group:in_state "rest")
    group:go_to "right"
    assert.equal("arrived", world:run {})
    assert.equal(0, #group:in_state "rest")
  end)

  it("picks by weight", function()
    local world = throng.world {}
    local group = world:spawn { count = 4000, where = throng.box(0, 0, 100, 100), radius = 0.1, planner = "none" }
    group:run(throng.fsm {
      start = "pick",
      pick = { after = 0.5, timeout = { one = 1, two = 2, five = 5 } },
      one = { goal = throng.wait() },
      two = { goal = throng.wait() },
      five = { goal = throng.wait() },
    })
    world:run { steps = 10 }
    local count = counts(group)
    for name, share in pairs { one = 1 / 8, two = 2 / 8, five = 5 / 8 } do -- five standard deviations
      assert.near(4000 * share, count[name], 5 * math.sqrt(4000 * share * (1 - share)))
    end
  end)

  it("returns to its place when pushed away", function()
    local world = throng.world {}
    local group = world:spawn { at = { { 0, 0 } } }
    group:run(throng.fsm { start = "rest", rest = { goal = throng.wait() } })
    world:step()
    for _ = 1, 10 do
      group.desired = { 1, 0 }
      world:step()
    end
    assert.is_true(group.x[1] > 0.8)
    group.desired = nil
    world:run { steps = 100 }
    assert.near(0, group.x[1], 0.05)
  end)

  it("wanders around home and never into a wall", function()
    local world = room()
    local group = world:spawn { count = 30, where = "left" }
    group:run(throng.fsm { start = "roam", roam = { goal = throng.wander { radius = 3 } } })
    world:step()
    local x, y = group.x, group.y
    local moved = 0
    for _ = 1, 400 do
      world:step()
      local goal_x, goal_y, now_x, now_y = group.goal_x, group.goal_y, group.x, group.y
      for i = 1, #group do
        assert.is_true((goal_x[i] - x[i]) ^ 2 + (goal_y[i] - y[i]) ^ 2 <= 3.5 ^ 2)
        local clear = math.abs(goal_x[i] - 10.1) > 0.1 or (goal_y[i] > 4 and goal_y[i] < 6)
        assert.is_true(clear and goal_x[i] >= 0 and goal_x[i] <= 20 and goal_y[i] >= 0 and goal_y[i] <= 10)
        moved = math.max(moved, (now_x[i] - x[i]) ^ 2 + (now_y[i] - y[i]) ^ 2)
      end
    end
    assert.is_true(moved > 4)
  end)

  it("seeks, pursues and flees", function()
    local world = throng.world {}
    local rabbit = world:spawn { name = "rabbit", at = { { 0, 0 } }, speed = 1, planner = throng.orca { sight = 8 } }
    local wolf = world:spawn { name = "wolf", at = { { -7, 0 } }, speed = 1.8, planner = throng.orca { sight = 12 } }
    rabbit:run(throng.fsm {
      start = "graze",
      graze = { goal = throng.wait(), when = { { throng.near("wolf", 4), "run" } } },
      run = { goal = throng.flee("wolf", { distance = 6 }), arrived = "graze" },
    })
    wolf:run(throng.fsm {
      start = "hunt",
      hunt = { goal = throng.pursue("rabbit", { radius = 1.5 }), arrived = "home" },
      home = { goal = throng.seek { -7, 0 } },
    })
    local fled, turned
    for _ = 1, 400 do
      world:step()
      fled = fled or (rabbit.fsm_state[1] == "run" and rabbit.x[1] > 1)
      turned = turned or wolf.fsm_state[1] == "home"
    end
    assert.is_true(fled)
    assert.is_true(turned)
    assert.equal("graze", rabbit.fsm_state[1])
    assert.near(-7, wolf.x[1], 0.6)
    assert.is_true(wolf.arrived[1] > 0)
  end)

  it("slows down before it arrives, and does not when it seeks", function()
    local world = throng.world {}
    local function slowest(goal, y)
      local group = world:spawn { at = { { 0, y } }, speed = 1.3, name = goal.name }
      group:run(throng.fsm { start = "go", go = { goal = goal, arrived = "there" }, there = {} })
      local least = math.huge
      return function()
        if group.fsm_state[1] == "go" and world.time > 1 then least = math.min(least, group.vx[1]) end
        return least, group.fsm_state[1], group.x[1]
      end
    end
    local arrive, seek = slowest(throng.arrive { 10, 0 }, 0), slowest(throng.seek { 10, 9 }, 9)
    for _ = 1, 90 do
      world:step()
      arrive()
      seek()
    end
    local slow, state, x = arrive()
    assert.is_true(slow > 0.5 and slow < 1.2)
    assert.equal("there", state)
    assert.near(9.5, x, 0.1)
    assert.near(1.3, (seek()), 0.01)
    assert.equal("there", (select(2, seek())))
  end)

  it("goes on when a column crosses a value", function()
    local world = throng.world {}
    local group = world:spawn { at = { { 0, 0 }, { 0, 3 } }, planner = "none", speed = 1 }
    group:run(throng.fsm {
      start = "east",
      east = { goal = throng.seek { 100, 0 }, when = { { throng.above("x", 5), "west" } } },
      west = { goal = throng.seek { -100, 0 }, when = { { throng.below("x", 2), "rest" } } },
      rest = {},
    })
    world:run { steps = 60 }
    assert.same({ "west", "west" }, group.fsm_state:list())
    world:run { steps = 60 }
    assert.same({ "rest", "rest" }, group.fsm_state:list())
    assert.near(2, group.x[1], 0.25)
  end)

  it("asks for a path of its own, and goes on when it is ready", function()
    local world = room { threads = 1 }
    world.paths.budget = 1
    local group, ready = world:spawn { count = 40, where = "left", planner = "none" }, 0
    group:run(throng.fsm {
      start = "ask",
      ask = { goal = throng.random_path { to = { { 13, 2 }, { 13, 8 }, { 18, 2 }, { 18, 8 } }, own_path = true },
        path_ready = "walk" },
      walk = { goal = throng.go_on(), arrived = "look", enter = function(batch) ready = ready + batch.count end },
      look = {},
    })
    local x = group.x:list()
    world:run { steps = 5 } -- the searches share the budget evenly: none is finished
    assert.same({ ask = 40 }, counts(group))
    assert.same(x, group.x:list())
    world:run { seconds = 60, until_done = false }
    assert.equal(40, ready)
    assert.same({ look = 40 }, counts(group))
    assert.is_true(group.x:min() > 12)
  end)

  it("walks its own paths, again and again, also to where it is", function()
    local world = room { threads = 1 }
    local group = world:spawn { count = 30, where = "left" }
    group:run(throng.fsm {
      start = "walk",
      walk = { goal = throng.random_path { to = { { 3, 3 }, { 17, 7 } }, own_path = true }, arrived = "look" },
      look = { goal = throng.wait(0.5, 1), timeout = "walk" },
    })
    local crossed = {}
    for _ = 1, 8 do
      world:run { seconds = 10, until_done = false }
      for i, px in ipairs(group.x) do
        crossed[i] = crossed[i] or px > 12
      end
    end
    for i = 1, #group do
      assert.is_true(crossed[i], i)
    end
  end)

  it("follows a path, place by place", function()
    local world = room()
    local group = world:spawn { at = { { 2, 2 } } }
    group:run(throng.fsm {
      start = "round",
      round = { goal = throng.follow { { 2, 8 }, { 18, 8 }, { 2, 8 } }, arrived = "rest" },
      rest = {},
    })
    local seen, farthest = {}, 0
    for _ = 1, 600 do
      world:step()
      seen[group.fsm_leg[1]] = true
      farthest = math.max(farthest, group.x[1])
    end
    assert.same({ [0] = true, true, true }, seen)
    assert.near(18, farthest, 0.6)
    assert.equal("rest", group.fsm_state[1])
    assert.near(2, group.x[1], 0.6)
  end)

  it("goes on with those that a function gives", function()
    local world = throng.world {}
    local group = world:spawn { at = { { 0, 0 }, { 0, 3 }, { 0, 6 } } }
    local calls, bell = 0, false
    local machine = throng.fsm {
      start = "rest",
      rest = {
        goal = throng.wait(),
        when = {
          {
            function(those)
              calls = calls + 1
              return those:filter(function(a) return a.y > 1 end)
            end,
            "up",
          },
          { function() return bell end, { leave = 1 } },
        },
      },
      up = { goal = throng.wander() },
      leave = { goal = throng.wander() },
    }
    group:run(machine)
    world:run { steps = 2 }
    assert.same({ "rest", "up", "up" }, group.fsm_state:list())
    bell = true
    world:run { steps = 2 }
    assert.same({ "leave", "up", "up" }, group.fsm_state:list())
    assert.equal(3, calls)
    local bad = throng.fsm { start = "a", a = { goal = throng.wait(), when = { { function() return 3 end, "a" } } } }
    group:run(bad)
    assert.matches("must return those who go on", refusal(function() world:step() end), 1, true)
  end)

  it("calls its hooks once a state and step, with those whom it concerns", function()
    local world = room()
    local group = world:spawn { count = 40, where = "left" }
    local entered, left, calls = 0, 0, {}
    group:run(throng.fsm {
      start = "rest",
      rest = { goal = throng.wait(1, 3), timeout = "roam", exit = function(those) left = left + #those end },
      roam = {
        goal = throng.wander(),
        enter = function(those)
          entered = entered + #those
          calls[world.steps] = (calls[world.steps] or 0) + 1
          for _, state in ipairs(those.fsm_state) do
            assert.equal("roam", state)
          end
          those.speed = 0.5
        end,
      },
    })
    world:run { steps = 40 }
    assert.equal(40, entered)
    assert.equal(40, left)
    assert.equal(0.5, group.speed:max())
    for _, count in pairs(calls) do
      assert.equal(1, count)
    end
  end)

  it("names the hook that fails", function()
    local world = throng.world {}
    local group = world:spawn { at = { { 0, 0 } } }
    group:run(throng.fsm { start = "a", a = { goal = throng.wait(), enter = function() error "no" end } })
    assert.matches("the enter hook of state 'a'", refusal(function() world:step() end), 1, true)
  end)

  it("has those who wait behind a door make room for those who come after them", function()
    local world <close> = throng.world {
      map = throng.map {
        boundary = throng.box(0, 0, 30, 12),
        walls = { throng.box(15, 0, 15.2, 5.4), throng.box(15, 6.6, 15.2, 12) },
      },
      regions = { street = throng.box(0, 0, 14, 12), hall = throng.box(15.2, 0, 30, 12) },
    }
    local guests = world:spawn { count = 60, where = "street" }
    guests:run(throng.fsm {
      start = "enter",
      enter = { goal = throng.go_to "hall", arrived = "stay" },
      stay = { goal = throng.wait() },
    })
    world:run { seconds = 120 }
    assert.is_true(#guests:inside "hall" >= 58) -- 14 when each kept to where it began to wait
  end)

  it("keeps the routes of its goals while others are sent somewhere else in each step", function()
    local world <close> = room()
    local clerk = world:spawn { at = { { 2, 1.5 } } }
    clerk:run(throng.fsm {
      start = "wait",
      wait = { goal = throng.wait(10), timeout = "leave" },
      leave = { goal = throng.go_to { 18, 1.5 } }, -- round the wall
    })
    local others = world:spawn { count = 3, where = "left" }
    for step = 1, 400 do
      others:go_to { 14 + 2 * math.sin(step), 7 }
      world:step()
    end
    assert.is_true(clerk.x[1] > 17)
  end)
end)

describe("throng.follow_leader", function()
  local function tour(settings)
    local world = room(settings)
    local guides = world:spawn { name = "guides", at = { { 5, 5 }, { 2, 9 } }, speed = 1 }
    local guests = world:spawn { name = "guests", count = 6, where = "left" }
    guests:run(throng.fsm { start = "tour", tour = { goal = throng.follow_leader("guides", { radius = 2 }) } })
    return world, guides, guests
  end

  local function farthest(guests, guide)
    local most = 0
    for _, guest in ipairs(guests) do
      most = math.max(most, math.sqrt((guest.x[1] - guide.x[1]) ^ 2 + (guest.y[1] - guide.y[1]) ^ 2))
    end
    return most
  end

  it("leads round a wall, there and back, and stands beside whom it follows", function()
    local world <close>, guides, guests = tour()
    for _, place in ipairs { { 17, 1.5 }, { 3, 8 } } do
      guides[1]:go_to(place)
      world:run { seconds = 30, until_done = false }
      assert.is_true(farthest(guests, guides[1]) < 3.5)
      assert.equal(6, #guests:filter(function(a) return a.arrived >= 0 end))
    end
  end)

  it("follows the next of the group when the leader has left", function()
    local world <close>, guides, guests = tour()
    local second = guides[2]
    guides[1]:remove()
    second:go_to { 17, 8 }
    world:run { seconds = 30, until_done = false }
    assert.is_true(farthest(guests, second) < 3.5)
    second:remove()
    world:run { seconds = 5, until_done = false } -- nobody is left: they stay
  end)

  it("leads up the stairs", function()
    local hall = throng.box(0, 0, 30, 12)
    local world <close> = throng.world { map = throng.building {
      floors = { ground = { z = 0, boundary = hall }, first = { z = 3.5, boundary = hall } },
      stairs = { { from = "ground", to = "first", foot = { 16, 6 }, head = { 22, 6 }, width = 1.6 } },
    } }
    local guide = world:spawn { name = "guide", at = { { 8, 6 } }, speed = 0.8 }
    local guests = world:spawn { name = "guests", count = 3, where = throng.box(2, 2, 6, 10) }
    guests:run(throng.fsm { start = "tour", tour = { goal = throng.follow_leader "guide" } })
    guide:go_to { 28, 6, floor = "first" }
    world:run { seconds = 60, until_done = false }
    assert.is_true(farthest(guests, guide) < 3)
    for _, guest in ipairs(guests) do assert.equal("first", guest.floor[1]) end
  end)

  it("gives the same bits on every width", function()
    local hashes = {}
    for _, simd in ipairs(needs.which_simd { 1, 4, 8, 16 }) do
      local world <close>, guides = tour { simd = simd, backend = "cpu" }
      guides[1]:go_to { 17, 1.5 }
      world:run { seconds = 20 }
      hashes[#hashes + 1] = world:hash()
    end
    for _, backend in ipairs(throng.backends()) do
      local world <close>, guides = tour { backend = backend }
      guides[1]:go_to { 17, 1.5 }
      world:run { seconds = 20 }
      hashes[#hashes + 1] = world:hash()
    end
    for i = 2, #hashes do assert.equal(hashes[1], hashes[i]) end
  end)

  it("says what is wrong with it", function()
    assert.matches("throng.follow_leader: expected the name of a group, got 3",
      refusal(function() throng.follow_leader(3) end))
    local _, guides, guests = tour()
    local function run(name)
      guests:run(throng.fsm { start = "tour", tour = { goal = throng.follow_leader(name) } })
    end
    assert.matches("group 'guide'", refusal(function() run "guide" end))
    guides:remove()
    assert.matches("nobody of 'guides' is there to be followed: spawn the leader first",
      refusal(function() run "guides" end))
  end)
end)

describe("500 idle walkers", function()
  it("keep to their shares, and nobody is stuck", function()
    local world <close> = throng.load "scenarios/idle_walkers.lua"
    local people = world.groups.people
    world:run { steps = 300 }
    local stood = {}
    for round = 1, 4 do
      local x, y = people.x, people.y
      world:run { steps = 250 }
      local x2, y2, state = people.x, people.y, people.fsm_state
      for i = 1, #people do
        local still = state[i] ~= "wait" and (x2[i] - x[i]) ^ 2 + (y2[i] - y[i]) ^ 2 < 0.1 ^ 2
        stood[i] = still and (stood[i] or 0) + 1 or 0
        assert.is_true(stood[i] < 2, "a walker has not moved for 50 s")
      end
      local count = counts(people)
      assert.is_true(count.follow > 250 and count.follow < 450, "following: " .. count.follow .. " in round " .. round)
      assert.is_true(count.wait > 10 and count.wander > 30)
    end
    assert.no_overlap(world)
  end)
end)

describe("machines", function()
  local function state_after(settings)
    local world <close> = room(settings)
    local wolves = world:spawn { name = "wolves", count = 5, where = "right" }
    local group = world:spawn { name = "people", count = 60, where = "left", radius = throng.uniform(0.2, 0.3) }
    group:run(throng.fsm {
      start = "path",
      path = {
        goal = throng.random_path { places = 5 },
        arrived = { rest = 2, roam = 1, path = 1 },
        blocked = "roam",
        when = { { throng.near("wolves", 1), "flee" } },
      },
      rest = { goal = throng.wait(1, 3), timeout = { path = 1, roam = 1 } },
      roam = { goal = throng.wander { radius = 3 }, after = throng.uniform(2, 4), timeout = "path" },
      flee = { goal = throng.flee("wolves", { distance = 3 }), arrived = "path", after = 4, timeout = "roam" },
    })
    wolves:run(throng.fsm {
      start = "hunt",
      hunt = {
        goal = throng.pursue "people",
        when = { { throng.above("frustration", 0.5), "away" } },
        arrived = "away",
      },
      away = { goal = throng.random_path { to = { "left", "right" } }, arrived = "hunt" },
    })
    local clerks = world:spawn { name = "clerks", count = 20, where = "right", radius = 0.2 }
    clerks:run(throng.fsm {
      start = "ask",
      ask = { goal = throng.random_path { places = 9, own_path = true }, path_ready = "walk" },
      walk = { goal = throng.go_on(), arrived = "look", blocked = "ask" },
      look = { goal = throng.wait(0, 2), timeout = "ask" },
    })
    world.paths.budget = 40
    world:run { steps = 300 }
    assert.is_true(counts(group).roam > 0)
    assert.is_true(counts(clerks).walk > 0)
    return world:hash()
  end
  local reference

  setup(function() reference = state_after { backend = "cpu", simd = 1, threads = 1 } end)

  for _, simd in ipairs { 4, 8, 16 } do
    it(("give the same bits with SIMD width %d on 2 threads"):format(simd), function()
      needs.simd(pending, simd)
      assert.same_hash(reference, state_after { backend = "cpu", simd = simd, threads = 2 })
    end)
  end

  it("give the same bits on CUDA", function()
    needs.device(pending)
    assert.same_hash(reference, state_after { backend = "cuda" })
  end)

  it("do other things with another seed", function()
    assert.not_equal(reference, state_after { backend = "cpu", seed = 2 })
  end)
end)
