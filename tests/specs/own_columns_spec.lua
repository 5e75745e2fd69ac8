-- world:column: columns that scripts declare and own, everywhere where those that every world has are.
local throng = require "throng"
local command = dofile "tests/specs/command.lua"
local needs = dofile "tests/specs/needs.lua"
local write, THRONG = command.write, command.THRONG

local BOX = throng.box(0, 0, 10, 10)

local function refuses(pattern, call)
  local ok, message = pcall(call)
  assert.is_false(ok)
  assert.matches(pattern, tostring(message))
end

local function room(settings)
  local world = throng.world(settings or { seed = 2 })
  world:column("patience", { default = 5, unit = "s" })
  return world
end

describe("a column of the script's own", function()
  it("has its default until it is given or written, by each way of giving one", function()
    local world <close> = room()
    world:column("trust", { default = throng.uniform(0.5, 1) })
    local first = world:spawn { count = 30, where = BOX, name = "first" }
    local second = world:spawn { count = 2, where = throng.box(20, 0, 30, 10), patience = 7, name = "second" }
    assert.same({ 5.0, 5.0 }, { first.patience:min(), first.patience:max() })
    assert.same({ 7.0, 7.0 }, second.patience:list())
    local least, most = first.trust:min(), first.trust:max()
    assert.is_true(least >= 0.5 and least < 0.6 and most > 0.9 and most <= 1)
    second.patience = { 1, 2 }
    assert.same({ 1.0, 2.0 }, second.patience:list())
    second.patience = second.trust
    assert.same(second.trust:list(), second.patience:list())
    assert.equal("patience: 2 values in s", tostring(second.patience))
    second.patience = { 7, 8 }
    assert.equal("patience: 7.0 s (one value, patience[1])", tostring(second[1].patience))
    assert.same({ "patience", "s" }, { second.patience.name, second.patience.unit })
  end)

  it("is given to those who are there when it is declared, and to those who come by a source", function()
    local world <close> = throng.world { seed = 2 }
    local early = world:spawn { count = 3, where = BOX }
    world:column("patience", { default = 4 })
    assert.same({ 4.0, 4.0, 4.0 }, early.patience:list())
    world:source { rate = 1, limit = 2, where = throng.box(20, 0, 30, 10), name = "late", patience = 9 }
    world:run { seconds = 3 }
    assert.same({ 9.0, 9.0 }, world.groups.late.patience:list())
  end)

  it("is an agent's own when others go and come in their slots", function()
    local world <close> = room()
    local people = world:spawn { count = 6, where = BOX }
    people.patience = { 1, 2, 3, 4, 5, 6 }
    people:filter(function(a) return a.patience < 4 end):remove()
    world:run { steps = 2 }
    world:spawn { count = 3, where = throng.box(20, 0, 30, 10), patience = 0 }
    world:run { steps = 2 }
    assert.same({ 4.0, 5.0, 6.0 }, people.patience:list())
  end)

  it("is read and computed by behaviour functions, compiled and called", function()
    local world <close> = room()
    local compiled = world:spawn { count = 2, at = { { 0, 0 }, { 5, 0 } }, name = "compiled" }
    local called = world:spawn { count = 2, at = { { 0, 5 }, { 5, 5 } }, name = "called" }
    compiled.patience = function(_, a) return a.patience - 0.5 * throng.select(a.x > 3, 1, 0) end
    called.patience = throng.behaviour(function(_, a)
      if a.x > 3 then return a.patience - 0.5 end
      return a.patience
    end, { slow = true })
    compiled.speed = function(_, a) return a.patience / 4 end
    world:run { steps = 4 }
    assert.same({ 5.0, 3.0 }, compiled.patience:list())
    assert.same({ 5.0, 3.0 }, called.patience:list())
    world:step()
    assert.equal(0.75, compiled.speed[2])
    local given = world:spawn { count = 1, at = { { 20, 0 } }, patience = function(t) return t + 1 end, name = "given" }
    world:step()
    assert.near(1.5, given.patience[1], 1e-6)
  end)

  it("is written by throng.explain as a script has it", function()
    local world <close> = room()
    local function wanes(_, a) return a.patience - 1 end
    assert.matches("a%.patience", throng.explain(wanes, world))
    refuses("unknown field 'patience'", function() throng.explain(wanes) end)
  end)

  it("guards the transitions of machines", function()
    local world <close> = room()
    local people = world:spawn { at = { { 0, 0 }, { 5, 0 } }, name = "people" }
    people.patience = { 5, 1 }
    people:run(throng.fsm {
      start = "wait",
      wait = { goal = throng.wait(), when = { { throng.below("patience", 2), "leave" } } },
      leave = { goal = throng.go_to { 30, 0 }, when = { { throng.above("patience", 2), "wait" } } },
    })
    world:run { steps = 2 }
    assert.same({ "wait", "leave" }, people.fsm_state:list())
    people.patience = { 1, 5 }
    world:run { steps = 2 }
    assert.same({ "leave", "wait" }, people.fsm_state:list())
  end)

  it("counts in the hash, where it is declared", function()
    local function hash(declared, patience)
      local world <close> = throng.world { seed = 2 }
      if declared then world:column "patience" end
      local people = world:spawn { count = 4, where = BOX }
      if patience then people.patience = patience end
      world:step()
      return world:hash()
    end
    assert.equal(hash(true), hash(true, 0))
    assert.not_equal(hash(true), hash(true, 1))
    assert.equal(hash(false), hash(true)) -- nobody differs
  end)

  it("has the same bits with any SIMD width and number of threads", function()
    local function hash(settings)
      settings.seed = 4
      local world <close> = throng.world(settings)
      world:column("heat", { default = throng.normal(1, 0.2) })
      world:column "joy"
      local people = world:spawn { count = 300, where = throng.box(0, 0, 20, 20) }
      people:go_to { 40, 10 }
      people.heat = function(t, a) return a.heat + 0.01 * math.sin(t + a.x) * a.joy end
      people.joy = function(_, a) return 0.9 * a.joy + 0.1 * a:distance_to_nearest() end
      people.speed = function(_, a) return math.min(1.5, math.max(0.5, a.heat)) end
      world:run { steps = 60 }
      return world:hash()
    end
    local expected = hash { simd = 1, threads = 1 }
    for _, simd in ipairs(needs.which_simd { 4, 8, 16 }) do
      assert.equal(expected, hash { simd = simd, threads = 2 })
    end
  end)

  it("has the same bits on a device", function()
    needs.device(pending)
    local function hash(backend)
      local world <close> = throng.world { seed = 4, backend = backend }
      world:column("heat", { default = throng.normal(1, 0.2) })
      local people = world:spawn { count = 300, where = throng.box(0, 0, 20, 20) }
      people:go_to { 40, 10 }
      people.heat = function(t, a) return a.heat + 0.01 * math.sin(t + a.x) end
      people.speed = function(_, a) return math.min(1.5, math.max(0.5, a.heat)) end
      world:run { steps = 60 }
      return world:hash()
    end
    assert.equal(hash "cpu", hash "cuda")
  end)
end)

describe("world:column refuses", function()
  it("names that are none, or taken", function()
    local world <close> = room()
    refuses("world:column: there is a column 'patience' already", function() world:column "patience" end)
    refuses("there is a column 'speed' already", function() world:column "speed" end)
    refuses("groups and spawns have a field 'where' already", function() world:column "where" end)
    refuses("groups and spawns have a field 'go_to' already", function() world:column "go_to" end)
    refuses("agents have a method 'distance_to' already", function() world:column "distance_to" end)
    refuses("recordings have a column 'pos_x' of their own", function() world:column "pos_x" end)
    for _, name in ipairs { "", "Patience", "1st", "a b", ("a"):rep(32), "naïve" } do
      refuses("1 to 31 lower%-case letters, digits and _, a letter first, not '", function() world:column(name) end)
    end
    refuses("expected a name, like world:column%(\"patience\"", function() world:column(3) end)
    refuses("expected a name", function() world:column { default = 1 } end)
    refuses("zero byte", function() world:column "a\0b" end)
  end)

  it("settings that are none", function()
    local world <close> = throng.world {}
    refuses("unknown field 'defualt'.-default", function() world:column("trust", { defualt = 1 }) end)
    refuses("field 'default' must be a number", function() world:column("trust", { default = "much" }) end)
    refuses("field 'default'.-1e%+09", function() world:column("trust", { default = 1e12 }) end)
    refuses("the unit of 'trust' must be plain text", function() world:column("trust", { unit = "a\nb" }) end)
    refuses("expected a table like {default = 1", function() world:column("trust", 1) end)
    world:column "trust" -- none of these took the name
  end)

  it("a ninth, and one after the first step", function()
    local world <close> = throng.world {}
    for i = 1, 8 do world:column("own" .. i) end
    refuses("no room for 'own9': there are 8 columns", function() world:column "own9" end)
    local other <close> = throng.world {}
    other:step()
    refuses("columns are declared before the first step", function() other:column "late" end)
  end)

  it("values and names that the column does not take, wherever they are used", function()
    local world <close> = room()
    local people = world:spawn { count = 2, where = BOX, name = "people" }
    refuses("group%.patience must be a number", function() people.patience = "much" end)
    refuses("group%.patience.-got not a number", function() people.patience = 0 / 0 end)
    refuses("world:spawn: field 'patience' must be a number", function()
      world:spawn { count = 1, where = BOX, patience = true }
    end)
    refuses("unknown field 'patiense'.-did you mean 'patience'", function() return people.patiense end)
    refuses("unknown field 'patiense'.-did you mean 'patience'", function()
      world:spawn { count = 1, where = BOX, patiense = 1 }
    end)
    refuses("unknown field 'patiense'.-did you mean 'patience'", function()
      world:source { rate = 1, where = BOX, patiense = 1 }
    end)
    refuses("unknown field 'patiense'.-did you mean 'patience'", function()
      people.speed = function(_, a) return a.patiense end
    end)
    refuses("unknown field 'own_1'", function()
      people.speed = function(_, a) return a.own_1 end
    end)
  end)

  it("nothing of one world in another", function()
    local world <close> = room()
    local other <close> = throng.world {}
    local people = other:spawn { count = 2, where = BOX }
    assert.is_not_nil(world)
    refuses("unknown field 'patience'", function()
      people.speed = function(_, a) return a.patience end
    end)
    refuses("throng.below %(.-:%d+%): unknown column 'patience'", function()
      people:run(throng.fsm { start = "a", a = { when = { { throng.below("patience", 1), "a" } } } })
    end)
  end)
end)

-- ---- files

local SCRIPT = [[
local throng = require "throng"
local world = throng.world { seed = 3, record = { every = 0.5, format = "%s" }, seconds = 2, until_done = false }
world:column("patience", { default = throng.uniform(1, 2) })
world:column "joy"
local people = world:spawn { count = 5, where = throng.box(0, 0, 10, 10), name = "people" }
people.patience = function(_, a) return a.patience - 0.1 end
people.joy = function(_, a) return a.id end
world:at(1, function() people[2]:remove() end)
return world
]]

local function rows(file, columns)
  local query = ("select %s from trajectory_data order by frame, id"):format(columns)
  local code, out, err = command.shell(("python3 -c \"import sqlite3;[print(*r) for r in "
    .. "sqlite3.connect('%s').execute('%s')]\""):format(file, query))
  assert.equal(0, code, err)
  return out
end

describe("recordings", function()
  it("have a further column for each, in both formats, and convert between them", function()
    local folder = select(2, command.shell "mktemp -d"):gsub("%s", "")
    finally(function() os.execute("rm -r " .. folder) end)
    for _, format in ipairs { "sqlite", "compact" } do
      write(folder .. "/" .. format .. ".lua", SCRIPT:format(format))
      local file = folder .. "/" .. format
      local code, _, err = command.shell(("%s run %s.lua --out %s"):format(THRONG, file, file))
      assert.equal(0, code, err)
    end
    local direct = folder .. "/sqlite/trajectory.sqlite"
    local converted, again = folder .. "/a.sqlite", folder .. "/b.throng"
    local compact = folder .. "/compact/trajectory.throng"
    for _, pair in ipairs { { compact, converted }, { direct, again }, { again, folder .. "/c.sqlite" } } do
      assert.equal(0, (command.shell(("%s convert %s %s"):format(THRONG, pair[1], pair[2]))))
    end
    local expected = rows(direct, "frame, id, patience, joy")
    local first, later = expected:match "^0 3 ([%d.]+) 0%.0\n" , expected:match "\n2 3 ([%d.]+) 3%.0\n"
    first = first or expected:match "\n0 3 ([%d.]+) 0%.0\n"
    assert.is_truthy(first and later, expected)
    assert.near(tonumber(first) - 1, tonumber(later), 1e-5)
    assert.equal(expected, rows(converted, "frame, id, patience, joy"))
    assert.equal(expected, rows(folder .. "/c.sqlite", "frame, id, patience, joy"))
  end)
end)

describe("the scenario `patience`", function()
  it("has everybody served sooner than those who never change lines", function()
    local function last(patience)
      local world <close> = throng.load("scenarios/patience.lua", { params = { patience = patience } })
      world:run {}
      assert.equal(40, world:stats().arrived)
      return world:stats().last_arrival
    end
    assert.is_true(last(40) < 0.6 * last(4000))
  end)
end)
