-- world:smoke: speed in smoke, doses, and who collapses.
local throng = require "throng"
local command = dofile "tests/specs/command.lua"
local needs = dofile "tests/specs/needs.lua"

local function corridor(settings)
  local world = throng.world {
    map = throng.map { boundary = throng.box(0, 0, 40, 4) },
    threads = 1,
    people = false,
    dt = settings and settings.dt,
    backend = settings and settings.backend,
    simd = settings and settings.simd,
  }
  return world, world:spawn { at = { { 1, 2 } }, speed = 1.25, radius = 0.2 }
end

-- The speed that somebody of 1.25 m/s walks at in smoke.
local function speed_in(settings)
  local world <close>, one = corridor()
  world:smoke(settings)
  one:go_to { 39, 2 }
  world:run { seconds = 2 }
  return one.vx[1]
end

local function unslowed(v) return v end

local function fails(pattern, settings, map)
  local world <close> = throng.world { map = map ~= false and throng.map { boundary = throng.box(0, 0, 9, 9) } or nil }
  local ok, message = pcall(world.smoke, world, settings)
  assert.is_false(ok)
  assert.matches(pattern, message)
  return world
end

describe("smoke", function()
  it("slows by the law that is named", function()
    for _, case in ipairs {
      { 1, { law = "frantzich-nilsson" }, 1.25 * (1 - 0.057 / 0.706) },
      { 1, {}, 1.25 * (1 - 0.057 / 0.706) },
      { 20, {}, 1.25 * 0.1 },
      { 3, { law = "frantzich-nilsson", loss = "absolute" }, 0.706 - 0.171 },
      { 0.6, { law = "jin" }, 1.25 * 0.75 },
      { 0.6, { law = "jin", loss = "absolute" }, 0.75 },
      { 0.3, { law = "jin irritant", loss = "absolute" }, 0.65 },
      { 2, { law = "jin irritant", loss = "absolute" }, 0.3 },
      { 1.5, { law = "fridolf" }, 1.25 * 2 / 4 },
      { 1.5, { law = "fridolf", signs = 8 }, 1.25 * 8 / 11 },
      { 3, { law = "fridolf", loss = "absolute" }, 1.25 - 0.68 },
      { 1, { law = function(v, k) return v - 0.5 * k end }, 0.75 },
      { 5, { law = function(v, k) return v - 0.5 * k end, least = 0.4 }, 0.4 },
      { 5, { law = function(v, k) return v - 0.5 * k end, least_factor = 0.2 }, 0.25 },
    } do
      case[2].extinction = case[1]
      assert.near(case[3], speed_in(case[2]), 1e-4, ("%s at %g"):format(tostring(case[2].law), case[1]))
    end
  end)

  it("is what its function says, in place and time", function()
    local world <close> = corridor()
    local smoke = world:smoke {
      extinction = function(x, _, t) return 0.1 * x + 0.2 * t end, co = function(_, y) return 100 * y end, co2 = 3,
    }
    world:run { seconds = 2.5 }
    assert.near(0.1 * 8.3 + 0.5, smoke:at({ 8.3, 1 }, "extinction"), 1e-5)
    assert.near(170, smoke:at({ 8.3, 1.7 }, "co"), 1e-3)
    assert.equal(3, smoke:at({ 8.3, 1.7 }, "co2"))
    assert.equal(20.9, smoke:at({ 8.3, 1.7 }, "o2"))
  end)

  it("is what agents are in where they stand, and behaviour functions read", function()
    local world <close>, one = corridor()
    local smoke = world:smoke { extinction = function(x, _, t) return 0.1 * x + 0.2 * t end, law = unslowed }
    one:go_to { 39, 2 }
    world:column "seen"
    one.seen = function() return smoke:here "extinction" + smoke:here "o2" end
    for _ = 1, 50 do
      local x, time = one.x[1], world.time
      world:step()
      assert.near(0.1 * x + 0.2 * time + 20.9, one.seen[1], 1e-3)
    end
  end)

  it("reads a file of cells", function()
    local out = os.tmpname()
    local file <close> = assert(io.open(out, "w"))
    file:write "x, y, t, extinction, co\n0.5, 2, 0, 1, 0\n1.5, 2, 0, 2, 10\n0.5, 2, 10, 3, 0\n1.5, 2, 10, 4, 30\n"
    file:close()
    local world <close> = corridor()
    local smoke = world:smoke { file = out }
    assert.near(1, smoke:at({ 0.5, 2 }, "extinction"), 1e-6)
    assert.near(2, smoke:at({ 1.5, 2 }, "extinction"), 1e-6)
    assert.near(0, smoke:at({ 20, 2 }, "extinction"), 1e-6)
    world:run { seconds = 5 }
    assert.near(3, smoke:at({ 1.5, 2 }, "extinction"), 1e-5)
    assert.near(20, smoke:at({ 1.5, 2 }, "co"), 1e-4)
    world:run { seconds = 10 }
    assert.near(4, smoke:at({ 1.5, 2 }, "extinction"), 1e-5)
    os.remove(out)
  end)

  it("is another on each floor", function()
    local hall = throng.box(0, 0, 20, 8)
    local world <close> = throng.world {
      map = throng.building {
        floors = { ground = { z = 0, boundary = hall }, first = { z = 3.5, boundary = hall } },
        stairs = { { from = "ground", to = "first", foot = { 8, 6 }, head = { 13, 6 }, width = 1.2 } },
      },
      threads = 1,
    }
    local out = command.write(os.tmpname(), "x, y, floor, co\n1, 1, first, 1\n1, 1, frist, 1\n")
    local _, message = pcall(world.smoke, world, { file = out })
    os.remove(out)
    assert.matches(":3: unknown floor 'frist', did you mean 'first'?", message, 1, true)
    local smoke = world:smoke { extinction = function(x, _, _, floor) return floor == "first" and 0.1 * x or 0 end }
    local two = world:spawn { at = { { 4, 2, floor = "ground" }, { 4, 2, floor = "first" } } }
    world:step()
    assert.near(0.4, smoke:at({ 4, 2, floor = "first" }, "extinction"), 1e-6)
    assert.equal(1, two.pace[1])
    assert.near(1 - 0.4 * 0.057 / 0.706, two.pace[2], 1e-6)
  end)
end)

describe("a dose in smoke", function()
  -- Rates a second, by hand.
  local function purser(gas)
    local sum = 4.607e-7 * (gas.co or 0) ^ 1.036 + (math.exp(math.max(0, (gas.hcn or 0) - (gas.no2 or 0)) / 43) / 220
      - 1 / 220) / 60 + ((gas.no or 0) + (gas.no2 or 0)) / 1500 / 60 + (gas.hcl or 0) / 114000 / 60
      + (gas.no2 or 0) / 1900 / 60
    return sum * math.exp(0.1903 * (gas.co2 or 0) + 2.0004) / 7.1
      + 1 / (60 * math.exp(8.13 - 0.54 * (20.9 - (gas.o2 or 20.9))))
  end

  for name, gas in pairs {
    ["carbon monoxide"] = { co = 3000 }, ["cyanide"] = { hcn = 150 }, ["nitric oxides"] = { no = 200, no2 = 50 },
    ["hydrogen chloride"] = { hcl = 2000 }, ["low oxygen"] = { o2 = 12 },
    ["all of it"] = { co = 900, hcn = 80, co2 = 4, o2 = 15 },
  } do
    it("adds up as Purser has it: " .. name, function()
      local world <close>, one = corridor { dt = 0.05 }
      world:smoke(gas)
      one.tolerance = 1e6
      world:run { seconds = 30 }
      assert.near(1, one.fed[1] / (30 * purser(gas)), 2e-4)
    end)
  end

  it("loses nothing of small steps", function()
    local world <close>, one = corridor { dt = 0.01 }
    world:smoke { co = 1000 }
    one.fed = 0.9
    one.tolerance = 1e6
    world:run { steps = 5000 }
    assert.near(50 * purser { co = 1000 }, one.fed[1] - 0.9, 2e-6)
  end)

  it("adds up as ISO 13571 has it, heat and irritants, too", function()
    local world <close>, one = corridor()
    world:smoke { co = 700, hcn = 60, co2 = 4, hcl = 300, acrolein = 9, temperature = 90, dose = "iso 13571" }
    world:run { seconds = 60 }
    assert.near(1, one.fed[1] / ((700 / 35000 + 60 ^ 2.36 / 1.2e6) * math.exp(4 / 5)), 2e-4)
    assert.near(0.6, one.fec[1], 1e-5)
    assert.near(1, one.heat_dose[1] / (90 ^ 3.61 / 4.1e8), 1e-3)
  end)

  it("is of what was breathed where one walked", function()
    local world <close>, one = corridor()
    world:smoke { co = function(x) return x > 10 and x < 20 and 10000 or 0 end, o2 = 20.9, law = unslowed }
    one:go_to { 39, 2 }
    world:run { seconds = 7 }
    local before = one.fed[1]
    world:run { seconds = 10 }
    assert.is_true(before < 0.01, tostring(before))
    assert.near(8 * purser { co = 10000 }, one.fed[1] - before, 0.02)
  end)

  it("overcomes at the tolerance of each, who stays where it is", function()
    local world <close> = corridor()
    local two = world:spawn {
      at = { { 5, 1 }, { 5, 3 } }, radius = 0.2, speed = 1, name = "two", tolerance = throng.uniform(0.3, 0.9),
    }
    two:go_to { 39, 2 }
    local tolerances, told = two.tolerance:list(), {}
    two:on("incapacitated", function(down)
      for _, one in ipairs(down) do told[one.id[1]] = world.time end
    end)
    world:smoke { co = 80000, law = unslowed }
    local rate = purser { co = 80000 }
    world:run { seconds = 25 }
    for i = 1, 2 do
      assert.near(tolerances[i] / rate, told[two.id[i]], world.dt + 1e-6)
      assert.equal(0, two.pace[i])
    end
    local x = two.x:list()
    two.desired = { 1, 0 } -- whoever wants it to walk
    world:run { seconds = 2 }
    for i = 1, 2 do assert.near(x[i], two.x[i], 1e-6) end
  end)

  it("is seen in pictures and in the window", function()
    local out = os.tmpname()
    os.remove(out)
    os.execute("mkdir " .. out)
    finally(function() os.execute("rm -r " .. out) end)
    local function shown(extinction, arguments, png)
      command.write(out .. "/a.lua", ([=[
        local throng = require "throng"
        local map = throng.map { boundary = throng.box(0, 0, 20, 10) }
        local world = throng.world { map = map, seconds = 3, threads = 1 }
        world:spawn({ at = { { 2, 5 } } }):go_to { 18, 5 }
        world:smoke { extinction = %s, law = function(v) return v end }
        return world]=]):format(extinction))
      local code, _, problem = command.throng((arguments:gsub("DIR", out)))
      assert.equal(0, code, problem)
      return command.read(out .. "/" .. png)
    end
    local ways = { "run DIR/a.lua --png DIR/b.png --at 1.5 --out DIR/out" }
    if command.has_windows() then ways[2] = "view DIR/a.lua --at 1.5 --screenshot DIR/b.png" end
    for _, way in ipairs(ways) do
      local clear, even = shown("0", way, "b.png"), shown("1.5", way, "b.png")
      local thicker = shown("function(x) return 0.375 * x end", way, "b.png")
      local later = shown("function(x, y, t) return 0.25 * x * t end", way, "b.png")
      assert.is_true(clear == shown("0", way, "b.png"), way)
      assert.is_true(clear ~= even, way)
      assert.is_true(clear ~= thicker and even ~= thicker, way)
      assert.is_true(later == thicker, way)
    end
  end)

  it("lets a world be done whose others have arrived, and calls nobody stuck who has collapsed", function()
    local world <close>, one = corridor()
    local other = world:spawn { at = { { 2, 3 } }, speed = 1, tolerance = 1e6, name = "other" }
    for _, group in ipairs { one, other } do group:go_to { 30, 2 } end
    world:smoke { co = 300000, law = unslowed }
    assert.equal("arrived", world:run { seconds = 100, until_done = true })
    assert.is_true(world.time < 40, tostring(world.time))
    assert.equal(0, one.pace[1])
    assert.same({}, world:stuck())
  end)

  it("goes on from what a script writes, and for who comes later", function()
    local world <close>, one = corridor()
    world:smoke { co = 5000 }
    local later = world:spawn { at = { { 20, 2 } }, name = "later" }
    one.fed = 0.5
    world:run { seconds = 10 }
    assert.near(later.fed[1] + 0.5, one.fed[1], 1e-5)
    assert.is_true(later.fed[1] > 0.02)
  end)

  it("has the same bits on every backend", function()
    local function hash(settings)
      local world <close> = corridor(settings)
      local crowd = world:spawn { count = 60, where = throng.box(0, 0, 20, 4), name = "crowd",
        tolerance = throng.uniform(0.1, 0.5) }
      crowd:go_to { 39, 2 }
      crowd.speed = function(_, a) return 1 + 0.05 * a:count_seen() + 0.02 * a:count_walking "crowd" end
      world:smoke { extinction = function(x, y, t) return 0.1 * x + 0.02 * y * t end,
        co = function(x) return 900 * x end,
        hcn = 40, hcl = function(_, y) return 100 * y end, temperature = function(_, _, t) return 30 + 10 * t end }
      world:run { seconds = 20 }
      return world:hash()
    end
    local reference = hash { backend = "cpu", simd = 1 }
    for _, simd in ipairs(needs.which_simd { 4, 8, 16 }) do
      assert.same_hash(reference, hash { backend = "cpu", simd = simd })
    end
    if throng.backends()[2] == "cuda" then assert.same_hash(reference, hash { backend = "cuda" }) end
  end)
end)

describe("smoke is refused", function()
  it("with fields that are none, or values that cannot be", function()
    fails("unknown field 'extinctoin'.-extinction", { extinctoin = 1 })
    fails("field 'co' must be a number from 0 to 1e%+06, got %-1", { co = -1 })
    fails("unknown value of 'law' 'jinn'.-jin", { law = "jinn" })
    fails("expected a table", 3)
    fails("must return a finite number, at %(0, 0%) and 0 s it returned nil", { co = function() end })
    fails("returned 200 at %(0, 0%).-from 0 to 100", { o2 = function() return 200 end })
    fails("field 'loss' goes with a named law", { law = unslowed, loss = "absolute" })
    fails("without the bounds of a map", { extinction = function(x) return x end }, false)
  end)

  it("twice, and leaves the first", function()
    local world <close> = corridor()
    world:smoke { extinction = 1 }
    local ok, message = pcall(world.smoke, world, { extinction = 2 })
    assert.is_false(ok)
    assert.matches("has smoke already", message)
  end)

  it("with a law that cannot be recorded, and leaves nothing behind", function()
    local world <close>, one = corridor()
    local function law(v, k)
      if k > 1 then return v end
      return 1
    end
    local ok, message = pcall(world.smoke, world, { co = 5000, extinction = 1, law = law })
    assert.is_false(ok)
    assert.matches("compared only in throng.select", message)
    world:run { seconds = 1 }
    assert.equal(0, one.fed[1])
    world:smoke { co = 5000 }
    world:run { seconds = 1 }
    assert.is_true(one.fed[1] > 0)
  end)

  it("a second time, from its own functions, too", function()
    local function with(cell)
      local world <close> = corridor()
      local one, called = function() return 1 end, false
      local function again()
        if not called then
          called = true
          world:smoke { co = one, cell = cell }
        end
        return 1
      end
      return pcall(world.smoke, world, { extinction = again, co = one, co2 = one, hcn = one, cell = 1 })
    end
    for _, cell in ipairs { 0.1, 1, 4 } do assert.matches("has smoke already", select(2, with(cell))) end
    local world <close>, one = corridor()
    local function mine() error "mine" end
    assert.matches("mine", select(2, pcall(world.smoke, world, { co = function() return 1 end, hcn = mine })))
    world:smoke { co = function() return 5000 end }
    world:run { seconds = 1 }
    assert.is_true(one.fed[1] > 0)
  end)

  it("where behaviour functions read more of it", function()
    local smoky <close> = corridor()
    local world <close> = corridor()
    local one = function() return 1 end
    local smoke = smoky:smoke { co = one, co2 = one, extinction = one }
    local group = world:spawn { at = { { 3, 2 } } }
    local function sum() return smoke:here "co" + smoke:here "co2" + smoke:here "extinction" end
    local function read() group.speed = sum end
    assert.matches("another world's smoke", select(2, pcall(read)))
    local function fail() read() end -- also while there are as many layers
    assert.matches("another world's smoke", select(2, pcall(world.smoke, world, { co = one, co2 = one, hcn = fail })))
    world:smoke { co = one }
    world:run { steps = 2 }
  end)

  it("by methods of what is none, and nobody writes what it is", function()
    local world <close> = corridor()
    local smoke = world:smoke { co = function() return 7 end }
    assert.is_nil(next(smoke))
    assert.near(7, smoke:at({ 1, 1 }, "co"), 1e-6)
    assert.matches("smoke:at: expected a smoke, got a list of 2", select(2, pcall(smoke.at, { 1, 1 }, "co")), 1, true)
    assert.matches("smoke:here: expected a smoke, got nil", select(2, pcall(smoke.here, nil, "co")), 1, true)
  end)

  it("from files with faults in them, by their lines", function()
    for text, pattern in pairs {
      ["x, y, extinctoin\n1, 1, 1\n"] = ":1: unknown column 'extinctoin'",
      ["x, y, co\n1, 1, 1\n2, 1\n"] = ":3: 2 columns, not 3",
      ["x, y, co\n1, 1, much\n"] = ":2: column 'co' must be a number, got \"much\"",
      ["x, y, o2\n1, 1, 300\n"] = ":2: column 'o2' must be from 0 to 100",
      ["x, co\n1, 1\n"] = "must name columns x and y",
      ["x, y, co\n"] = "there are no cells",
      ["x, y, floor, co\n1, 1, ground, 1\n"] = ":2: column 'floor' is for buildings, and the world has no floors",
    } do
      local out = os.tmpname()
      command.write(out, text)
      fails(pattern, { file = out })
      os.remove(out)
    end
    fails("there is no file 'nowhere.csv'", { file = "nowhere.csv" })
  end)
end)
