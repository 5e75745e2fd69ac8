-- Behaviour functions: compiled, they compute what the Lua function computes; what cannot be compiled says so.
local throng = require "throng"
local needs = dofile "tests/specs/needs.lua"

local function still_crowd(settings)
  settings = settings or {}
  settings.regions = { kiosk = throng.box(4, 4, 6, 7), booths = { throng.box(0, 0, 1, 1), throng.box(12, 0, 14, 3) } }
  local world = throng.world(settings)
  local at = {}
  for i = 1, 150 do
    at[i] = { (i * 37 % 150) / 8, (i * 71 % 149) / 9 }
  end
  local crowd = world:spawn {
    at = at,
    name = "crowd",
    radius = 0.02,
    mass = throng.uniform(50, 90),
    planner = throng.orca { neighbours = 6, sight = 3 },
  }
  return world, crowd
end

-- The values that f gives when it is compiled and when Lua calls it for each agent, after some steps.
local function both(f)
  local values = {}
  for k, slow in ipairs { false, true } do
    local world, crowd = still_crowd { threads = 1 }
    crowd:go_to "booths"
    world:run { steps = 7 }
    crowd.desired = throng.behaviour(f, { slow = slow })
    world:step()
    values[k] = { crowd.desired_vx:list(), crowd.desired_vy:list() }
  end
  return values[1], values[2]
end

local function assert_close(f)
  local compiled, called = both(f)
  for k in ipairs(called) do
    for i, expected in ipairs(called[k]) do
      assert.near(expected, compiled[k][i], 2e-5 * math.max(1, math.abs(expected)))
    end
  end
end

describe("a behaviour function", function()
  it("computes what Lua computes", function()
    for _, f in ipairs {
      function() return 1.25 end,
      function(t, a) return a.x + a.y * t - a.mass / 3 + 100 end,
      function(t, a) return 2 + math.sin(0.6 * t + a.id) * math.cos(a.x) end,
      function(_, a) return math.sqrt(a.x ^ 2 + a.y ^ 2) + math.abs(a.x) ^ 0.5 + (math.abs(a.y) + 1) ^ 1.5 end,
      function(_, a) return math.exp(-a.x / 5) + math.log(a.mass) + math.log(a.mass, 10) end,
      function(_, a) return 4 + math.atan(a.vy, a.vx) + math.atan(a.x) + math.tan(a.y / 20) end,
      function(_, a) return math.max(a.x, 3, a.y) - math.min(a.x, a.y) + math.abs(a.x - a.y) end,
      function(_, a) return math.floor(a.x) + math.ceil(a.y) + a.x // 2 + a.y % 3 - -a.x end,
      function(_, a) return throng.select(a.x < 9, 1, 2) + throng.select(a.y >= a.x, a.y, 0.5) end,
      function(_, a) return throng.select(a.x < 9, throng.select(a.y > 8, 1, 2), throng.select(a.y <= 4, 3, 4)) end,
      function(_, a) return throng.select(not (a.x < 9), 1, 2) end, -- luacheck: ignore 581
      function(_, a)
        local left = throng.select(a.x < 9, 1, 0)
        return throng.select(left, 1, 2) + throng.select(left * throng.select(a.y < 5, 1, 0), 4, 8)
      end,
      function(_, a) return throng.equal(a.id // 10, 3) + throng.select(throng.equal(a.group, 0), 2, 3) end,
      function(t, a) return 1 + throng.noise(a.x, a.y, t) + throng.noise(a.id / 7) end,
      function(_, a)
        local sum = 0
        for k = 1, 10 do
          sum = sum + math.sin(k * a.x) / k
        end
        return 3 + sum
      end,
    } do
      assert_close(function(t, a) return f(t, a), 1 end)
    end
  end)

  it("has noise of -1 to 1 of all numbers, 0 of the large ones, which are whole", function()
    for _, x in ipairs { 8388609, 2 ^ 31, 3e9, -3e9, 1e30, -1e30 } do
      assert.equal(0, throng.noise(x))
      assert.equal(0, throng.noise(1, x, -x))
      assert_close(function(_, a) return 1 + throng.noise(a.x * 0 + x, a.y), 1 end)
    end
  end)

  it("computes the preferred velocity, from that which goal and way ask for", function()
    assert_close(function(t, a) return math.sin(t) * a.x, -a.y end)
    local world, crowd = still_crowd()
    crowd:go_to { 100, 5 }
    crowd.desired = function(_, a) return 0.5 * a.desired_vx, a.desired_vy + 0.25 end
    world:step()
    local vx, vy = crowd.desired_vx, crowd.desired_vy
    for i = 1, #crowd do
      local full = math.sqrt((2 * vx[i]) ^ 2 + (vy[i] - 0.25) ^ 2)
      assert.near(1.34, full, 1e-5)
    end
  end)

  it("knows distances and directions", function()
    local world, crowd = still_crowd()
    local x, y = crowd.x:list(), crowd.y:list()
    local function check(f, expected)
      crowd.desired = f
      world:step()
      local first, second = crowd.desired_vx:list(), crowd.desired_vy:list()
      for i = 1, #crowd do
        local u, v = expected(x[i], y[i], i)
        assert.near(u, first[i], 1e-5)
        if v then assert.near(v, second[i], 1e-5) end
      end
      x, y = crowd.x:list(), crowd.y:list()
    end
    local function outside(value, from, to) return math.max(from - value, 0, value - to) end
    check(function(_, a) return a:distance_to { 3, 8 }, 0 end, function(px, py)
      return math.sqrt((px - 3) ^ 2 + (py - 8) ^ 2)
    end)
    check(function(_, a) return a:direction_to { 30, 80 } end, function(px, py)
      local length = math.sqrt((px - 30) ^ 2 + (py - 80) ^ 2)
      return (30 - px) / length, (80 - py) / length
    end)
    check(function(_, a) return a:distance_to "kiosk", a:distance_to(throng.box(2, 2, 3, 3)) end, function(px, py)
      return math.sqrt(outside(px, 4, 6) ^ 2 + outside(py, 4, 7) ^ 2),
        math.sqrt(outside(px, 2, 3) ^ 2 + outside(py, 2, 3) ^ 2)
    end)
    check(function(_, a) return throng.select(a:distance_to_goal() < math.huge, 1, 2), (a:direction_to_goal()) end,
      function() return 2, 0 end) -- nobody has a goal
    crowd:go_to { 5, 5 }
    check(function(_, a) return a:distance_to_goal(), 0 end, function(px, py)
      return math.sqrt((px - 5) ^ 2 + (py - 5) ^ 2)
    end)
  end)

  it("knows the nearest of those it saw in the frame before", function()
    local world = throng.world {}
    local dogs = world:spawn { name = "dogs", at = { { 0, 0 }, { 50, 0 } } }
    local cats = world:spawn { name = "cats", at = { { 2, 0 }, { 0, 3 } } }
    local nobody = 99
    local function distances(f)
      dogs.mass = function(_, a) return math.min(f(a), nobody) end
      world:step()
      return { dogs.mass[1], dogs.mass[2] }
    end
    assert.same({ nobody, nobody }, distances(function(a) return a:distance_to_nearest() end)) -- no frame before
    assert.same({ 2, nobody }, distances(function(a) return a:distance_to_nearest "cats" end))
    assert.same({ 2, nobody }, distances(function(a) return a:distance_to_nearest() end))
    assert.same({ nobody, nobody }, distances(function(a) return a:distance_to_nearest "dogs" end))
    cats[1]:remove()
    assert.same({ 3, nobody }, distances(function(a) return a:distance_to_nearest "cats" end))
    dogs.desired = function(_, a) return a:direction_to_nearest "cats" end
    world:step()
    assert.same({ 0, 0 }, dogs.desired_vx:list())
    assert.same({ 1, 0 }, dogs.desired_vy:list())
  end)

  it("draws random numbers, other ones for each agent, frame, call and column", function()
    local world, crowd = still_crowd()
    crowd.desired = function() return throng.random(), throng.random() end
    crowd.speed = function() return throng.random() end
    local seen, sum, count = {}, 0, 0
    for _ = 1, 4 do
      world:step()
      for _, column in ipairs { "desired_vx", "desired_vy", "speed" } do
        for _, value in ipairs(crowd[column]:list()) do
          assert.is_true(value >= 0 and value < 1)
          seen[value] = (seen[value] or 0) + 1
          sum, count = sum + value, count + 1
        end
      end
    end
    local different = 0
    for _ in pairs(seen) do
      different = different + 1
    end
    assert.is_true(different > count - 4) -- 1,800 of 2^24
    assert.near(0.5, sum / count, 0.03)
  end)

  it("ends when something else is written", function()
    local world, crowd = still_crowd()
    crowd.speed = function(t) return 5 + t end
    crowd[1].speed = 0.5
    crowd[2].speed = throng.behaviour(function(t) return 7 + t end, { slow = true })
    world:step()
    assert.same({ 0.5, 7, 5 }, { crowd.speed[1], crowd.speed[2], crowd.speed[3] })
    crowd.speed = 1
    world:step()
    assert.equal(1, crowd.speed:max())
    crowd:go_to { 100, 0 }
    crowd.desired = function() return 0, 0.5 end
    world:step()
    assert.equal(0, crowd.desired_vx:max())
    crowd.desired = nil
    world:step()
    assert.is_true(crowd.desired_vx:min() > 0)
  end)

  it("comes with a spawn, and its agents leave it when they are gone", function()
    local world = throng.world {}
    local group = world:spawn { at = { { 0, 0 }, { 9, 0 } }, name = "a", speed = function(_, a) return 1 + a.id end,
      desired = function(_, a) return 0, throng.select(a:distance_to_nearest "a" < 20, 1, 0.5) end }
    world:step()
    assert.same({ 1, 2 }, group.speed:list())
    group:remove()
    local other = world:spawn { at = { { 0, 0 } }, name = "b", speed = 0.25 }
    world:step()
    assert.equal(0.25, other.speed[1])
    assert.equal(0, other.desired_vy[1])
  end)

  it("gives a planner's parameters, each agent its own", function()
    local world = throng.world { dt = 0.1 }
    local planner = throng.clearpath {
      max_acceleration = function(_, a) return throng.select(a.id < 1, 0.5, 2) end, -- m/s^2
      horizon = function(t) return 2 + t end, -- s
    }
    local at = { { 0, 0 }, { 0, 50 }, { 0, 100 } }
    local spawned = world:spawn { at = at, name = "spawned", planner = planner }
    local given = world:spawn { at = { { 50, 0 }, { 50, 50 } }, name = "given" }
    given.planner = planner
    world.agents:go_to { 1000, 0 }
    world:step()
    local function speeds(group)
      local list = {}
      for i = 1, #group do
        list[i] = math.sqrt(group.vx[i] ^ 2 + group.vy[i] ^ 2)
      end
      return list
    end
    for i, expected in ipairs { 0.05, 0.2, 0.2 } do
      assert.near(expected, speeds(spawned)[i], 1e-5)
    end
    assert.near(0.2, speeds(given)[1], 1e-5)
    assert.equal(2, spawned.horizon:max())
    spawned.planner = throng.clearpath { max_acceleration = 1 } -- the functions of the last planner go with it
    spawned[3].planner = planner
    world:step()
    for i, expected in ipairs { 0.15, 0.3, 0.4 } do
      assert.near(expected, speeds(spawned)[i], 1e-5)
    end
    assert.has_error(function() throng.clearpath { variant = function() return 1 end } end)
    assert.has_error(function() throng.orca { sight = function() return 1 end } end)
    assert.has_error(function() throng.orca { neighbours = function() return 1 end } end)
  end)

  it("is cut off to what the column holds, and what is no number leaves it as it was", function()
    local world, crowd = still_crowd()
    crowd.speed = function(_, a) return throng.select(a.id < 10, -5, 5000) end
    world:step()
    assert.equal(0, crowd.speed[1])
    assert.equal(1000, crowd.speed[11])
    assert.equal(0, world:stats().undefined)
    assert.equal(#crowd, world:stats().limited)
    crowd.speed = function(_, a) return throng.select(a.id < 10, 0 / (a.id - a.id), 2) end
    world:step()
    assert.equal(0, crowd.speed[1])
    assert.equal(2, crowd.speed[11])
    assert.equal(10, world:stats().undefined)
    assert.equal(#crowd, world:stats().limited)
    local planner = throng.bvp { epsilon = function(_, a) return throng.select(a.id < 10, 3, -1.5) end }
    crowd.planner = planner
    world:step()
    assert.equal(#crowd + 10, world:stats().limited)
  end)

  describe("gives the same bits", function()
    local function run(settings)
      local world <close>, crowd = still_crowd(settings)
      crowd:go_to "booths"
      crowd.planner = throng.clearpath { max_acceleration = function(_, a) return 1 + a.mass / 50 end }
      crowd[1].planner = "orca"
      crowd.speed = function(t, a)
        local slow = throng.select(a:distance_to_nearest "crowd" < 1, 0.5, 1.2)
        return slow + 0.2 * math.sin(t + a.id) + 0.1 * throng.random()
      end
      crowd.mass = function(t, a) return 70 + 9 * throng.noise(a.x, a.y, t) + math.exp(-a:distance_to "kiosk") end
      crowd.desired = function(_, a)
        local dx, dy = a:direction_to_nearest()
        return a.desired_vx - 0.2 * dx, a.desired_vy - 0.2 * dy + 0.01 * math.log(a.mass) * math.atan(a.y, a.x)
      end
      world:run { steps = 60 }
      return world:hash()
    end

    it("at any SIMD width and number of threads", function()
      local reference = run { backend = "cpu", simd = 1, threads = 1 }
      for _, simd in ipairs(needs.which_simd { 4, 8, 16 }) do
        assert.equal(reference, run { backend = "cpu", simd = simd, threads = 2 })
      end
    end)

    it("on CUDA", function()
      needs.device(pending)
      assert.equal(run { backend = "cpu" }, run { backend = "cuda" })
    end)
  end)

  it("is explained", function()
    local text = throng.explain(function(t, a) return a.speed * math.sin(0.5 * t) + a.speed * math.sin(0.5 * t) end)
    assert.is_truthy(text:find("behaviour_spec.lua:%d+: 7 instructions, 3 registers\n"))
    assert.equal([[
  r0 = a.speed
  r1 = t
  r2 = 0.5
  r1 = r1 * r2
  r1 = sin(r1)
  r0 = r0 * r1
  r0 = r0 + r0
  return r0]], text:match "\n(.*)")
  end)
end)

describe("what cannot be compiled", function()
  local function problem(f, target)
    local _, crowd = still_crowd()
    local ok, message = pcall(function() crowd[target or "speed"] = f end)
    assert.is_false(ok)
    assert.is_truthy(message:find "behaviour_spec.lua:%d+: ", message)
    return message
  end

  it("is a branch on an agent's value", function()
    for _, f in ipairs {
      function(_, a) if a.x < 3 then return 1 end return 2 end,
      function(_, a) return a.x < 3 and 1 or 2 end,
      function(_, a) return throng.select(a.x < 3 and a.y < 3, 1, 2) end,
      function(_, a) return throng.select(a.x < 3 or a.y < 3, 1, 2) end,
      function(_, a)
        local near = a.x < 3
        local k = near and 1 or 2
        return throng.select(near, k, 3)
      end,
      function(_, a) while a.x < 3 do a = a end return 1 end, -- luacheck: ignore 542
    } do
      assert.is_truthy(problem(f):find("throng.select(a < b, x, y)", 1, true))
    end
    local function equal(_, a) return throng.select(a.group == 1, 1, 2) end
    assert.is_truthy(problem(equal):find("throng.equal", 1, true))
    local beside = _VERSION ~= "none" and function(_, a) return throng.select(a.group ~= 1, 1, 2) end or nil
    assert.is_truthy(problem(beside):find("throng.equal", 1, true))
  end)

  it("is not a comparison beside the function, in its line", function()
    local _, crowd = still_crowd()
    crowd.speed, crowd.max_speed = #crowd == 0 and 1 or function() return 1 end, #crowd ~= 9 and 2
    assert.equal(2, crowd.max_speed[1])
  end)

  it("is text, a field, a call of it, or a key", function()
    assert.is_truthy(problem(function(_, a) return #tostring(a.x) end):find "has no text")
    assert.is_truthy(problem(function(_, a) return "v" .. a.x end):find "has no text")
    assert.is_truthy(problem(function(_, a) return a.x.y end):find "has no field 'y'")
    assert.is_truthy(problem(function(_, a) return ({ 1, 2 })[a.x] + 1 end):find "nil value")
    assert.is_truthy(problem(function(_, a) a.x = 1 return 1 end):find "cannot write a.x")
  end)

  it("is the agent's length, or a list of what it has", function()
    for _, f in ipairs { function(_, a) return #a end, function(_, a) return next(pairs(a)) end } do
      assert.matches("^tests/specs/behaviour_spec.lua:%d+: an agent is one, no list: .* a.speed$", problem(f))
    end
    local _, crowd = still_crowd()
    assert.error_matches(function() crowd:filter(function(a) return #a > 0 end) end, "an agent is one, no list")
  end)

  it("is the exponent of a power", function()
    for _, f in ipairs { function(_, a) return 1.2 ^ a.x end, function(_, a) return a.y ^ a.x end } do
      assert.is_truthy(problem(f):find("`^` takes a constant exponent, no agent's value", 1, true))
    end
  end)

  it("is an unknown column, function, group or place", function()
    assert.is_truthy(problem(function(_, a) return a.sped end):find "unknown field 'sped', did you mean 'speed'")
    assert.is_truthy(problem(function(_, a) return math.fmod(a.x, 2) end):find "math.fmod of an agent's value")
    assert.is_truthy(problem(function(_, a) return a.x + math.random() end):find "throng.random")
    assert.is_truthy(problem(function(_, a) return a:distance_to_nearest "crowds" end):find "did you mean 'crowd'")
    assert.is_truthy(problem(function(_, a) return a:distance_to "kiosks" end):find "kiosk")
    assert.is_truthy(problem(function(_, a) return a:distance_to() end):find "place is missing")
  end)

  it("is what does not return as many numbers as it should", function()
    assert.is_truthy(problem(function() end):find "must return one number, it returned 0 values")
    assert.is_truthy(problem(function() return 1, 2 end):find "must return one number, it returned 2 values")
    assert.is_truthy(problem(function() return 1 end, "desired"):find "two numbers, vx and vy")
    assert.is_truthy(problem(function() return "fast" end):find 'returned "fast"')
  end)

  it("is a column that takes none", function()
    for column, why in pairs {
      radius = "enter its neighbours",
      max_speed = "speed",
      sight = "grid",
      neighbours = "list",
      planner = "by name",
      vx = "group.desired",
      wall_horizon = "grid",
    } do
      assert.is_truthy(problem(function() return 1 end, column):find(why), column)
    end
  end)

  it("leaves no half of a spawn", function()
    local world = throng.world {}
    assert.has_error(function() world:spawn { at = { { 0, 0 } }, speed = function(_, a) return a.x < 1 end } end)
    assert.has_error(function() world:spawn { at = { { 0, 0 } }, radius = function() return 1 end } end)
    assert.equal(0, world.agents.count)
  end)

  it("is notes that were meddled with", function()
    for _, field in ipairs { "op", "index", "inputs", "key", "id" } do
      for _, value in ipairs { "bogus", "value", "to_place", "select", 77, {} } do
        local _, crowd = still_crowd()
        local ok, message = pcall(function()
          crowd.speed = function(_, a)
            local x = a.x
            rawset(x, field, value)
            return x + a.y
          end
        end)
        assert.is_true(ok or type(message) == "string") -- and the process lives
      end
    end
  end)

  it("keeps no value for later", function()
    local _, crowd = still_crowd()
    local kept
    crowd.speed = function(_, a)
      kept = a.x
      return 1
    end
    assert.has_error(function() return kept + 1 end)
    assert.is_truthy(problem(function() return kept + 1 end):find "another behaviour function")
  end)
end)

describe("a slow behaviour function", function()
  it("removes none of those whom it is called for, nor does that of group:filter", function()
    local world <close> = throng.world { threads = 1 }
    local crowd = world:spawn { name = "crowd", at = { { 0, 0 }, { 3, 0 }, { 6, 0 } }, speed = 1 }
    local others
    local function removes(a)
      local x = a.x
      if not others then
        crowd[1]:remove()
        others = world:spawn { at = { { 9, 0 } }, speed = 1 } -- who gets its place
      end
      return x + 2
    end
    local message = "this function is called for each agent of a group, and removed some"
    local function filter() return crowd:filter(function(a) return removes(a) > 4 end) end
    assert.error_matches(filter, message)
    assert.equal(2, #crowd)
    others = nil
    crowd.speed = throng.behaviour(function(_, a) return removes(a) end, { slow = true })
    assert.error_matches(function() world:step() end, message)
    assert.same({ 1 }, others.speed:list())
    assert.equal(1, #crowd)
  end)

  it("may be any Lua", function()
    local world, crowd = still_crowd()
    local calls = 0
    crowd.desired = throng.behaviour(function(t, a)
      calls = calls + 1
      if a.group == 0 and a.id % 2 == 1 then return 0, t + a.x end
      return 1, 2
    end, { slow = true })
    local x = crowd.x:list()
    world:step()
    assert.equal(150, calls)
    assert.same({ 1, 0 }, { crowd.desired_vx[1], crowd.desired_vx[2] })
    assert.near(x[2], crowd.desired_vy[2], 1e-6)
    crowd.desired = { 0, 0 }
    world:step()
    assert.equal(150, calls)
  end)

  it("is told what it returned", function()
    local world, crowd = still_crowd()
    crowd.speed = throng.behaviour(function(_, a) return a.id < 3 and 1 or nil end, { slow = true })
    local ok, message = pcall(world.step, world)
    assert.is_false(ok)
    assert.is_truthy(message:find "behaviour_spec.lua:%d+: this behaviour function must return one number")
    assert.is_truthy(message:find "for agent 3")
    assert.is_truthy(message:find "slow = true, step 0")
  end)

  it("that is Lua's own is told so at the line that uses it", function()
    local world, crowd = still_crowd()
    local ok, message = pcall(function() crowd.speed = type end)
    assert.is_false(ok)
    assert.matches("^tests/specs/behaviour_spec.lua:%d+: this behaviour function must return numbers", message)
    crowd.speed = throng.behaviour(type, { slow = true })
    ok, message = pcall(world.step, world)
    assert.is_false(ok)
    assert.matches("^tests/specs/behaviour_spec.lua:%d+: this behaviour function must return one number", message)
  end)
end)

describe("group.desired", function()
  it("takes whole columns and keeps them", function()
    local world, crowd = still_crowd()
    crowd:go_to { 100, 0 }
    local vx = {}
    for i = 1, #crowd do
      vx[i] = i / 200
    end
    crowd.desired = { vx, 0.25 }
    world:run { steps = 3 }
    assert.near(1 / 200, crowd.desired_vx[1], 1e-7)
    assert.equal(0.25, crowd.desired_vy:max())
    crowd.desired = crowd.desired
    assert.has_error(function() crowd.desired = { 1, 2, 3 } end)
    assert.has_error(function() crowd.desired = { { 1 }, 2 } end)
    assert.has_error(function() crowd.desired = 3 end)
  end)
end)

describe("a column that holds no numbers of its own", function()
  for column, why in pairs {
    routing = "chosen by name",
    door_policy = "chosen by name",
    congestion = "true or false",
    planner = "chosen by name",
    neighbours = "whole number",
    x = "only hooks of stages write it",
    id = "scripts do not write it",
  } do
    it("takes no behaviour function: " .. column, function()
      local world, crowd = still_crowd()
      local before = crowd[column]:list()
      for _, f in ipairs {
        function() return 2 ^ -149 end,
        throng.behaviour(function() return 1 end, { slow = true }),
      } do
        local ok, message = pcall(function() crowd[column] = f end)
        assert.is_false(ok)
        assert.is_truthy(message:find(why, 1, true) or message:find("cannot be written", 1, true), message)
      end
      world:run { steps = 2 }
      if column ~= "x" then assert.same(before, crowd[column]:list()) end
    end)
  end
end)
