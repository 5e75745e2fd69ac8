-- Every name of the Lua API is in lua/reference.md, with what it is, its parameters, units and errors; and what is
-- there can be named.
local throng = require "throng"

local command = dofile "tests/specs/command.lua"
local THRONG, read = command.THRONG, command.read

-- ---- the page: classes and aliases by name, functions in the order of the page

local classes, functions, aliases = {}, {}, {}

local function member(line)
  local name, kind, text = line:match "^%- `\"?(.-)%??\"?` `(.-)`:? ?(.*)$"
  return name and { name = name, type = kind, text = text }
end

local section
for line in read("lua/reference.md"):gmatch "([^\n]*)\n" do
  local level, heading = line:match "^##(#?) (.*)$"
  if heading then
    section = { heading = heading, lines = {}, members = {} }
    if level == "#" then
      functions[#functions + 1] = section
    elseif heading:find " = " then
      aliases[heading:match "^[%w_%.]+"] = section
    else
      local name, parent = heading:match "^([%w_%.]+):? ?([%w_%.]*)$"
      section.parent = parent ~= "" and parent or nil
      classes[name] = section
    end
  elseif section then
    table.insert(section.lines, line)
    local found = member(line)
    if found then section.members[found.name] = found end
  end
end

local documented = {} -- "world:spawn"
for _, entry in ipairs(functions) do
  documented[entry.heading:match "^[%w_%.:]+"] = entry
end

-- What scripts call a value of the class.
local CALLED = {
  throng = "throng.", ["throng.goals"] = "throng.goals.", ["throng.world"] = "world:", ["throng.group"] = "group:",
  ["throng.column"] = "column:", ["throng.map"] = "map:", ["throng.paths"] = "paths:",
  ["throng.path_request"] = "request:", ["throng.behaviour.agent"] = "agent:", ["throng.running_door"] = "door:",
  ["throng.flight"] = "flight:", ["throng.lift"] = "lift:",
  ["throng.stage"] = "stage:", ["throng.measure"] = "measure:",
  luassert = "assert.",
}

local function has(class, name)
  local entry = classes[class]
  return CALLED[class] and documented[CALLED[class] .. name] or entry.members[name]
    or entry.parent and has(entry.parent, name)
end

-- ---- what there is

-- The names that an unknown one is answered with.
local function names_in(make)
  local _, message = pcall(make)
  local names = {}
  for name in message:match("xpected one of: (.*)$"):gmatch "[%w_]+" do names[#names + 1] = name end
  return names
end

local function fields_in(value) return names_in(function() return value.no_such_name end) end

local function keys_of(values)
  local names = {}
  for name in pairs(values) do names[#names + 1] = name end
  return names
end

local there = {} -- names by class
do
  local world = throng.world {
    map = throng.map { boundary = throng.box(0, 0, 9, 9), doors = { exit = { { 4, 0 }, { 4, 9 } } } },
    threads = 1,
  }
  local group = world:spawn { at = { { 1, 1 } } }
  group:go_to { 1, 1 }
  world:run { steps = 2 } -- somebody has arrived: stats say when
  there.throng = keys_of(throng)
  there["throng.goals"] = keys_of(throng.goals)
  there["throng.world"] = fields_in(world)
  there["throng.world.stats"] = keys_of(world:stats())
  there["throng.group"] = fields_in(group)
  there["throng.group.stats"] = keys_of(group:stats())
  there["throng.column"] = fields_in(group.x)
  there["throng.map"] = fields_in(world.map)
  there["throng.running_door"] = fields_in(world.map:door "exit")
  do
    local hall = throng.box(0, 0, 20, 10)
    local building = throng.building { floors = { low = { z = 0, boundary = hall }, high = { z = 3, boundary = hall } },
      stairs = { { from = "low", to = "high", foot = { 5, 5 }, head = { 10, 5 } } },
      lifts = { { name = "a", at = { 16, 5 }, back = { 18, 5 } } } }
    there["throng.flight"] = fields_in(throng.world({ map = building }).map:flight "stairs 1")
    there["throng.lift"] = fields_in(throng.world({ map = building }).lifts.a)
  end
  there["throng.paths"] = fields_in(world.paths)
  there["throng.path_request"] = fields_in(world.paths:request { from = { 1, 1 }, to = { 2, 2 } })
  there["throng.stage"] = {}
  there["throng.stages"] = {}
  for _, stage in ipairs(world.stages) do
    table.insert(there["throng.stages"], stage.name)
    for _, name in ipairs(fields_in(stage)) do table.insert(there["throng.stage"], name) end
  end
  there["throng.measure"] = {}
  local kinds = { "flow", "density", "inside", "lanes", "speed", "time_gap", "travel_time", "level_of_service" }
  for _, kind in ipairs(kinds) do
    local measure = world:measure { [kind] = throng.box(0, 0, 1, 1) }
    for _, name in ipairs(fields_in(measure)) do table.insert(there["throng.measure"], name) end
  end
  there["throng.behaviour.agent"] = names_in(function() group.speed = function(_, a) return a.no_such_name end end)
  for class, make in pairs {
    ["throng.world.settings"] = throng.world,
    ["throng.record.settings"] = function(settings) throng.world { record = settings } end,
    ["throng.spawn"] = function(settings) world:spawn(settings) end,
    ["throng.go_to.settings"] = function(settings) group:go_to({ 2, 2 }, settings) end,
    ["throng.run.settings"] = function(settings) world:run(settings) end,
    ["throng.behaviour.settings"] = function(settings) throng.behaviour(function() return 1 end, settings) end,
    ["throng.map.settings"] = throng.map,
    ["throng.path_request.settings"] = function(settings) world.paths:request(settings) end,
    ["throng.measure.settings"] = function(settings) world:measure(settings) end,
    ["throng.sink.settings"] = function(settings) world:sink(settings) end,
    ["throng.queue.settings"] = function(settings) world:queue(settings) end,
    ["throng.overrides"] = function(settings) throng.load("x.lua", settings) end,
  } do
    there[class] = names_in(function() make { no_such_name = 1 } end)
  end
  for _, planner in ipairs(dofile "tests/specs/planners.lua") do
    if planner ~= "none" then
      there[("throng.%s.settings"):format(planner)] = names_in(function() throng[planner] { no_such_name = 1 } end)
    end
  end
  there["throng.state"] = names_in(function() throng.fsm { start = "a", a = { no_such_name = 1 } } end)
end

-- ---- what stands there

local UNIT = "has no unit: say it, like number(m), or number(1) of what has none"

-- A number that does not say its unit.
local function lacks_unit(kind)
  return (" " .. kind .. " "):find "[^%w_%.]number[^%w_%(]" or (" " .. kind .. " "):find "throng%.number[^%w_%(]"
end

local function lacks(what, entry)
  local missing = {}
  for name, given in pairs(entry.members) do
    if given.text == "" then missing[#missing + 1] = ("%s: '%s' has no text"):format(what, name) end
    if lacks_unit(given.type) then missing[#missing + 1] = ("%s: '%s' %s"):format(what, name, UNIT) end
  end
  local text = table.concat(entry.lines, "\n")
  if not text:find "^\n%u" and not text:find "^\n[`%d]" then missing[#missing + 1] = what .. ": no text" end
  return missing, text
end

local function lacks_of_function(entry)
  local missing, text = lacks(entry.heading, entry)
  local arguments = entry.heading:match "%((.-)%)"
  for name in arguments:gmatch "[%w_]+" do
    if not entry.members[name] then missing[#missing + 1] = entry.heading .. ": nothing on " .. name end
  end
  if arguments ~= "" and not text:find "\nErrors: %S" then missing[#missing + 1] = entry.heading .. ": no errors" end
  for kind in text:gmatch "Returns `(.-)`" do
    if lacks_unit(kind) then missing[#missing + 1] = ("%s: the result %s"):format(entry.heading, UNIT) end
  end
  return missing
end

describe("the documentation", function()
  it("is what the sources say", function()
    local folder = os.tmpname()
    os.execute(("rm %s && mkdir -p %s/meta"):format(folder, folder))
    local sources = "runtime/script/bind_*.c runtime/script/script_*.c kernels/planners/*.h lua/throng/*.lua"
    os.execute(("%s help --write %s %s"):format(THRONG, folder, sources))
    local page, meta = read(folder .. "/reference.md"), read(folder .. "/meta/throng.lua")
    os.execute("rm -r " .. folder)
    assert.is_true(page == read "lua/reference.md" and meta == read "lua/meta/throng.lua",
      "lua/reference.md or lua/meta/throng.lua is old: run make, and commit what it made")
  end)

  it("has every name", function()
    for class, names in pairs(there) do
      for _, name in ipairs(names) do
        assert.is_truthy(has(class, name), class .. ": " .. name .. " is not documented")
      end
    end
  end)

  it("names nothing that there is not", function()
    for class, names in pairs(there) do
      local known = { desired = true } -- of groups: written and read, and no column
      for _, name in ipairs(names) do known[name] = true end
      for name in pairs(classes[class].members) do
        assert.is_truthy(known[name] or name == "[integer]", class .. ": " .. name .. " does not exist")
      end
      for name in pairs(documented) do
        local last = CALLED[class] and name:sub(1, #CALLED[class]) == CALLED[class] and name:sub(#CALLED[class] + 1)
        if last and last:find "^[%w_]+$" then
          assert.is_truthy(known[last] or class == "throng" and last == "goals", name .. " does not exist")
        end
      end
    end
    local world = throng.world { threads = 1 }
    local of = { assert = assert, queue = world:queue { line = { { 0, 0 }, { 9, 0 } }, serve = 1, served = print } }
    world:story(function(story) of.story = story end)
    world:step()
    for name in pairs(documented) do
      local owner, last = name:match "^(%w+)[%.:]([%w_]+)$"
      if of[owner] then assert.is_truthy(of[owner][last], name) end
    end
    assert.is_truthy(across)
  end)

  it("says what each is, its units and what goes wrong", function()
    local missing = {}
    for _, entry in ipairs(functions) do
      for _, what in ipairs(lacks_of_function(entry)) do missing[#missing + 1] = what end
    end
    for _, list in ipairs { classes, aliases } do
      for name, entry in pairs(list) do
        for _, what in ipairs((lacks(name, entry))) do missing[#missing + 1] = what end
      end
    end
    table.sort(missing)
    assert.same({}, missing)
  end)

  it("has whole types, quoted names with spaces in them, too", function()
    assert.equal('"purser"|"iso 13571"', classes["throng.smoke.settings"].members.dose.type)
    assert.is_truthy(classes["throng.smoke.settings"].members.law.type:find('"jin irritant"|fun(v: number', 1, true))
  end)

  it("gives the values that hold where nothing is said", function()
    local world = throng.world { threads = 1 }
    local group = world:spawn { at = { { 0, 0 } } }
    local function given(class, name)
      return (classes[class].members[name].text:match("Default ([%d%.]+)"):gsub("%.$", ""))
    end
    assert.equal(given("throng.world.settings", "dt"), ("%g"):format(world.dt))
    assert.equal(given("throng.world.settings", "seed"), ("%g"):format(world.seed))
    for _, name in ipairs { "speed", "max_speed", "mass", "time_gap", "relaxation" } do
      assert.equal(given("throng.spawn", name), ("%.5g"):format(group[name][1]))
    end
    for _, name in ipairs { "horizon", "wall_horizon", "sight", "neighbours" } do
      assert.equal(given("throng.orca.settings", name), ("%.5g"):format(group[name][1]))
    end
  end)

  it("has every event", function()
    local group = throng.world({ threads = 1 }):spawn { at = { { 0, 0 } } }
    for _, name in ipairs(names_in(function() group:on("no such event", print) end)) do
      assert.is_truthy(documented["group:on"].members[name], "group:on: " .. name)
    end
  end)
end)
