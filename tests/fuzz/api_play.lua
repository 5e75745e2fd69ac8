-- Stories of calls of everything that is documented, with plausible and hostile values. Each call is a line of Lua,
-- which sees results of earlier ones as v[1], v[2], ...; so a story is a list of lines that can be run again, with
-- another SIMD width and other threads, and by api_spec.lua with fewer of them. Played by an ordinary scenario
-- (api.lua), by a spec (api_test.lua), which has assertions, too, and by a scenario that is reloaded (api_reload.lua).
-- Prints "S story" before each, "! story line kind: ..." for what is wrong, "L line" for each line if asked to, "T
-- lines plausible succeeded", "N tried succeeded name", and "E" at the end.
local throng = require "throng"
local types, values, check = require "api_types", require "api_values", require "api_check"

local documented = types.read(require "documented")

local params = require "config" -- seed, first (story), stories, calls (of a story), list (print them), backend
local play = { params = params }

local MAX_SLOTS = 10 -- of a class

-- ---- what was called

local tried, succeeded, lines_run, lines_plausible, lines_good = {}, {}, 0, 0, 0

local function count(used, ok)
  for _, name in ipairs(used) do
    tried[name] = (tried[name] or 0) + 1
    if ok then succeeded[name] = (succeeded[name] or 0) + 1 end
  end
end

-- ---- results that later lines use

local function add_slot(slots, slot)
  local same, first = 0, nil
  for i, other in ipairs(slots) do
    if other.class == slot.class then
      same, first = same + 1, first or i
    end
  end
  if same >= MAX_SLOTS then table.remove(slots, first) end
  slots[#slots + 1] = slot
end

-- Adds what a call gave, if it is of a documented class, and what such a result has in it.
local keep

local function keep_fields(slots, value, class, text, world)
  for _, field in ipairs(next(class.functions) and {} or class.fields) do
    local name = field.name
    local ok, inner = pcall(function() return value[name] end)
    if ok and type(inner) == "table" then keep(slots, inner, field.type, text .. "." .. name, world) end
  end
end

function keep(slots, value, kind, text, world, name)
  if value == nil or not kind then return end
  if kind.kind == "union" then
    for _, one in ipairs(kind) do keep(slots, value, one, text, world, name) end
  elseif kind.kind == "list" then
    if type(value) == "table" and value[1] ~= nil then keep(slots, value[1], kind.of, text .. "[1]", world) end
  elseif kind.kind == "name" and documented.classes[kind.name] and (type(value) == "userdata" or type(value) == "table")
  then
    if kind.name == "throng.world" then world = text end
    add_slot(slots, { text = text, class = kind.name, world = world, name = name })
    local has_map, map = pcall(function() return kind.name == "throng.world" and value.map end)
    if has_map and map then add_slot(slots, { text = text .. ".map", class = "throng.map", world = world }) end
    local has_lift = pcall(function() return kind.name == "throng.world" and value.lifts.a.name or error() end)
    if has_lift then add_slot(slots, { text = text .. ".lifts.a", class = "throng.lift", world = world }) end
    keep_fields(slots, value, documented.classes[kind.name], text, world)
  end
end

-- ---- a story

local FIRST = { "throng.world", "throng.world:spawn", "throng.group:go_to", "throng.world:spawn", "throng.map:door",
  "throng.map:flight", "throng.lift:stop" }
local WEIGHT = { ["throng.group"] = 9, ["throng.world"] = 9, ["throng.map"] = 2, ["throng.stage"] = 2, ["throng"] = 5 }

local function entry_of(full)
  for _, entry in ipairs(documented.functions) do
    if entry.full == full then return entry end
  end
end

local function is_alive(run, slot)
  return not slot.world or run:ask("return " .. slot.world .. ".steps") ~= nil
end

documented.classes.luassert.functions.across = entry_of "across" -- a global beside it, in specs alone

-- What a type's values may be of: classes, in lists and unions, too.
local function gives(kind, class)
  if not kind then return false end
  if kind.kind == "name" then return kind.name == class end
  if kind.kind == "list" then return gives(kind.of, class) end
  for _, one in ipairs(kind) do
    if gives(one, class) then return true end
  end
  return false
end

local COMPARED = "(function(world) world:measure { region = throng.box(0, 0, 8, 4) } "
  .. "return throng.compared { world:compare(throng.trajectory 'people.txt') } end)(%s)"

-- What is seldom there by chance: for stories about these classes a world that has it after so many steps, and how it
-- is asked for.
local STAGED = {
  ["throng.compared.result"] = { steps = 2, asked = "throng.compared", gives = "throng.compared.result",
    call = COMPARED, agents = "at = { { 2, 1 }, { 3, 3 } }" },
  ["throng.compared.row"] = { steps = 2, asked = "throng.compared", gives = "throng.compared.row",
    call = COMPARED .. "[1]", agents = "at = { { 2, 1 }, { 3, 3 } }" },
  ["throng.jam"] = { steps = 14, asked = "throng.world:stuck", call = "%s:stuck()", -- they walk into the wall
    agents = "at = { { 3.7, 1 }, { 3.7, 3 } }, routing = 'direct'" },
  ["throng.local_map"] = { steps = 2, asked = "throng.world:probe", call = "%s:probe(%s.agents[1])",
    agents = "at = { { 2, 1 }, { 3, 3 } }, routing = 'direct', planner = 'bvp'" },
  ["throng.measures"] = { steps = 2, asked = "throng.world:measure", gives = "throng.measures",
    call = "%s:measure { region = throng.box(0, 0, 8, 4) }", agents = "at = { { 2, 1 }, { 3, 3 } }" },
  ["throng.trajectory"] = { steps = 1, asked = "throng.trajectory", gives = "throng.trajectory",
    call = "throng.trajectory 'people.txt'", agents = "at = { { 2, 1 }, { 3, 3 } }" },
}
local STAGED_CLASSES = {}
for name in pairs(STAGED) do STAGED_CLASSES[#STAGED_CLASSES + 1] = name end
table.sort(STAGED_CLASSES)

-- Each story is about one class more than about others; how one of it is had.
local function focus_of(random)
  local classes, makers = {}, {}
  for name, class in pairs(documented.classes) do
    if #class.fields > 0 or next(class.functions) then classes[#classes + 1] = name end
  end
  table.sort(classes)
  local class = random:pick(random:chance(0.05) and STAGED_CLASSES or classes)
  for _, entry in ipairs(documented.functions) do
    local given = entry.returns[1]
    local made = gives(given, class)
    for _, field in ipairs(given and documented.classes[given.name] and documented.classes[given.name].fields or {}) do
      made = made or gives(field.type, class)
    end
    if made and entry.class ~= class then makers[#makers + 1] = entry end
  end
  return class, #makers > 0 and random:pick(makers) or nil
end

-- One to act on: first a class, then one of it.
local function receiver_of(random, slots, dead, focus)
  local function weight(class) return (WEIGHT[class] or 1) * (class == focus and 8 or 1) end
  local classes, total, by_class = {}, 0, {}
  for _, slot in ipairs(slots) do
    if not dead[slot.world] or random:chance(0.02) then
      if not by_class[slot.class] then
        by_class[slot.class] = {}
        classes[#classes + 1] = slot.class
        total = total + weight(slot.class)
      end
      table.insert(by_class[slot.class], slot)
    end
  end
  local at = random:float(0, total)
  for _, class in ipairs(classes) do
    at = at - weight(class)
    if at <= 0 then return random:pick(by_class[class]) end
  end
  return random:pick(slots)
end

local function of_class(slots, class, dead)
  local list = {}
  for _, slot in ipairs(slots) do
    if slot.class == class and not dead[slot.world] then list[#list + 1] = slot end
  end
  return list
end

local STAGE = "return (function() local world = throng.world { simd = B.simd, threads = B.threads, "
  .. "backend = B.backend, dt = 1, people = false, map = throng.map { boundary = throng.box(0, 0, 8, 4), "
  .. "walls = { throng.box(4, 0, 4.2, 4) } } } world:spawn { name = 'held', %s }:go_to { 7, 2 } "
  .. "for _ = 1, %d do world:step() end return world end)()"

-- The first two lines after FIRST of such a story.
local function staged(maker, stage, worlds, second)
  local full, world = second and stage.asked or "throng.world", second and worlds[#worlds] and worlds[#worlds].text
  if second and not world then return nil end
  maker:use("", full)
  local text = second and "return (" .. stage.call:gsub("%%s", world) .. ")" or STAGE:format(stage.agents, stage.steps)
  local kind = second and stage.gives and { kind = "name", name = stage.gives } or entry_of(full).returns[1]
  return { text = text, type = kind, world = world or nil, new = not second, judged = false }
end

-- What fails in these may have gone half of the way: callbacks of the script end them.
local STEPPING = { step = true, run = true }

-- The next line: its text, the type of what it gives, its world, and whether a failure must leave that as it was.
local function next_line(maker, slots, dead, i, focus)
  local random = maker.random
  local worlds = of_class(slots, "throng.world", dead)
  local stage = i > #FIRST and i <= #FIRST + 2 and STAGED[focus.class]
  if stage then return staged(maker, stage, worlds, i == #FIRST + 2) end
  local groups = of_class(slots, "throng.group", dead)
  local entry = i <= #FIRST and entry_of(FIRST[i]) or i % 30 == 5 and focus.maker or nil
  if #worlds == 0 then entry = entry_of "throng.world" end
  if entry and #of_class(slots, entry.class, dead) == 0 then
    entry = #groups == 0 and entry_of "throng.world:spawn" or nil
  end
  if #worlds > 0 and i > #FIRST and random:chance(0.15) then
    local world = random:pick(worlds).text
    maker:use("", "throng.world:step")
    return { text = ("return (%s:step())"):format(world), world = world, judged = false, new = false }
  end
  local receiver = receiver_of(random, slots, dead, focus.class)
  if entry then receiver = random:pick(of_class(slots, entry.class, dead)) end
  if not receiver then return nil end
  maker.world = receiver.world or #worlds > 0 and random:pick(worlds).text or nil
  local action
  if entry then
    action = { text = maker:call(receiver.text, entry), kind = "call", type = entry.returns[1], entry = entry }
  else
    action = maker:action(receiver)
  end
  if not action then return nil end
  local name = action.entry and action.entry.name
  if name == "world" and #worlds > 2 then return nil end
  return {
    text = action.kind == "write" and action.text or "return (" .. action.text .. ")",
    type = action.type, world = maker.world,
    name = maker.called.name, new = name == "world" or name == "load",
    judged = maker.callbacks == 0 and not STEPPING[name], -- a failure leaves the world as it was
  }
end

local function tell(story, i, problem) print(("! %d %d %s"):format(story, i, problem)) end

-- Prints what was called since the last report.
function play.report()
  local names = {}
  for name in pairs(tried) do names[#names + 1] = name end
  table.sort(names)
  print(("T %d %d %d"):format(lines_run, lines_plausible, lines_good))
  for _, name in ipairs(names) do print(("N %d %d %s"):format(tried[name], succeeded[name] or 0, name)) end
  tried, succeeded, lines_run, lines_plausible, lines_good = {}, {}, 0, 0, 0
end

-- A story that is being made: its lines are run as they come.
local Story = {}
Story.__index = Story

function play.begin(run, number)
  local slots = { { text = "throng", class = "throng" }, { text = "throng.goals", class = "throng.goals" } }
  if run.assert then slots[3] = { text = "assert", class = "luassert" } end
  local story = { run = run, number = number, slots = slots, dead = {}, lines = {}, focus = {} }
  story.maker = values.maker(documented, slots)
  story.focus.class, story.focus.maker = focus_of(values.Random(params.seed, number))
  return setmetatable(story, Story)
end

-- Makes and runs line i, from those random numbers. `admit` says whether a line may be run.
function Story:line(i, random, admit)
  local run, maker = self.run, self.maker
  local hostile = i > #FIRST and random:chance(0.25)
  maker:begin(random, hostile, nil)
  maker.params = hostile and random:whole(1, 2) or 0
  local line = next_line(maker, self.slots, self.dead, i, self.focus)
  if line and admit and not admit(line) then line = nil end
  if not line then return end
  line.at, line.judged, line.new = i, line.judged or false, line.new or false
  line.version, line.step = self.version, self.step
  self.lines[#self.lines + 1] = line
  if params.list then print("L " .. check.written(line)) end
  local problem = run:line(line)
  if problem then tell(self.number, i, problem) end
  if params.list then print(("= %d %s"):format(i, run.results[i].message or "done")) end
  count(maker.used, run.ok)
  lines_run, lines_plausible = lines_run + 1, lines_plausible + (hostile and 0 or 1)
  lines_good = lines_good + (run.ok and not hostile and 1 or 0)
  if run.ok then keep(self.slots, run.v[i], line.type, ("v[%d]"):format(i), line.world, line.name) end
end

function Story:bury()
  for _, slot in ipairs(self.slots) do
    if slot.class == "throng.world" then self.dead[slot.text] = not is_alive(self.run, slot) or nil end
  end
end

local WIDTHS = { 4, 8 }
if pcall(throng.world, { simd = 16, threads = 1 }) then WIDTHS[3] = 16 end

-- Plays it twice. `spec`: what lines see beside throng, { assert, across }.
function play.story(number, spec)
  print(("S %d"):format(number))
  local random = values.Random(params.seed, number)
  local one = { simd = 1, threads = 1, backend = params.backend }
  local other = { simd = random:pick(WIDTHS), threads = random:whole(1, 2), backend = "cpu" }
  if params.list then print(("R %d %d"):format(other.simd, other.threads)) end
  local first = check.run(one, spec)
  local story = play.begin(first, number)
  for i = 1, params.calls do
    story:line(i, values.Random(params.seed, number, i))
    if i % 10 == 0 then story:bury() end
  end
  first:close()
  check.again(first, story.lines, other, spec, function(at, problem) tell(number, at, problem) end)
  lines_run = lines_run + #story.lines
end

-- Of the stories that this process has, the next one; nil after the last.
function play.numbers()
  local number = params.first - 1
  return function()
    number = number + 1
    return number < params.first + params.stories and number or nil
  end
end

play.Random = values.Random

return play
