-- What the suites of this folder share. A suite is a list of cases, a case a function that runs worlds and says what
-- it expects of them. Each case is a test of `throng test`, under each planner asked for (--planner). What it found
-- goes to out/standards, of which results.lua makes RESULTS.md.
local throng = require "throng"
local json = require "dkjson"
local asked = require "throng.suites"

local suite = {}

local OUT = "out/standards"

-- --- a run of a case -----------------------------------------------------------------------------

--- One run of a case under one planner.
local run = {}
run.__index = run

-- A number that the standard gives, by name: a mutation may give another, to show that the case is told from it.
function run:given(name, value)
  local change = self.mutation and self.mutation[name]
  if not change then return value end
  self.mutated = true
  return change(value)
end

-- A world on a map of the case's own: `floor` is the walkable area, less `walls`; other settings are throng.world's.
function run:world(settings)
  local floor, doors, walls, regions = settings.floor, settings.doors, settings.walls, settings.regions
  local definition = { seed = self.seed or 1, threads = 1, regions = regions }
  self.last_seed = math.max(self.last_seed, definition.seed)
  if floor then definition.map = throng.map { boundary = floor, walls = walls, doors = doors } end
  for key, value in pairs(settings) do
    if key ~= "floor" and key ~= "doors" and key ~= "walls" then definition[key] = value end
  end
  local world = throng.world(definition)
  self.worlds[#self.worlds + 1] = world
  return world
end

-- People of the planner that is tested. A mutation may change what all of them are: their number (`people`), the time
-- gap that they keep (`gap`), the speed that they want (`speed`), the part of it that they walk (`pace`).
function run:people(world, definition)
  local own = { planner = self.planner }
  for key, value in pairs(definition) do
    own[key] = value
  end
  if own.at then
    own.at = table.move(own.at, 1, math.max(1, math.floor(self:given("people", #own.at))), 1, {})
  else
    own.count = math.max(1, math.floor(self:given("people", own.count)))
  end
  own.time_gap = self:given("gap", own.time_gap)
  local group = world:spawn(own)
  if self.mutation and self.mutation.speed then
    self.mutated = true
    local speeds = group.speed:list()
    for i, speed in ipairs(speeds) do
      speeds[i] = self.mutation.speed(speed)
    end
    group.speed = speeds
  end
  if self.mutation and self.mutation.pace then group.pace = self:given("pace", 1) end
  return group
end

-- The times at which people of the group arrive, in their order; they leave the world.
function run.arrivals(world, group)
  local times = {}
  group:on("arrived", function(arrived)
    for _ = 1, #arrived do
      times[#times + 1] = world.time
    end
    arrived:remove()
  end)
  return times
end

-- Calls f(seed) for each seed, and gives the list of what it returns. Worlds made in between have that seed.
function run:seeds(count, f)
  local values = {}
  for seed = 1, math.min(count, asked.runs or count) do
    self.seed = seed
    values[seed] = f(seed)
    self:close()
  end
  self.seed = nil
  return values
end

-- How little one more run may change, and for so many runs on end, before runs are enough: the example's thresholds
-- in Ronchi, Reneke and Peacock, "A method for the analysis of behavioural uncertainty in evacuation modelling", 2014.
local ENOUGH = { mean = 0.005, deviation = 0.05, erd = 0.01, epc = 0.01, sc = 0.01 }
local STEADY = 10

-- The first run after which STEADY on end changed little; nil: there is none.
local function converged_after(curves)
  local steady = 0
  for _, step in ipairs(throng.convergence(curves)) do
    local small = true
    for name, most in pairs(ENOUGH) do
      small = small and step[name] <= most
    end
    steady = small and steady + 1 or 0
    if steady == STEADY then return step.runs end
  end
  return nil
end

-- Runs with seeds 1, 2, ... until one more changes the mean total time, its deviation and the mean curve of arrivals
-- as little as NIST and ISO ask for: f(seed) gives the times at which the first, second ... person was out, as many in
-- each run (else it ends there). Expects that `most` runs are enough; where --runs allows fewer, that is told alone.
-- Gives the curves.
function run:converging(what, most, f)
  local curves, enough = {}, nil
  most = self:given("most runs", most)
  while #curves < math.min(most, asked.runs or most) and not enough do
    self.seed = #curves + 1
    curves[self.seed] = f(self.seed)
    self:close()
    if #curves[self.seed] ~= #curves[1] or #curves[1] < 3 then break end
    enough = #curves > STEADY + 1 and converged_after(curves)
  end
  self.seed = nil
  local known = enough or not asked.runs
  self:expect(known and "ours" or "told", what .. ": runs until one more changes little", enough or nil,
    { least = known and 1 or nil, most = known and most or nil })
  return curves
end

-- Frees the worlds so far; keeps the last one's hash.
function run:close()
  local last = self.worlds[#self.worlds]
  self.hash = last and last:hash() or self.hash
  for _, world in ipairs(self.worlds) do
    local stats = world:stats()
    self.overlaps = self.overlaps + stats.overlaps
    world:close()
  end
  self.worlds = {}
end

-- Expects that a value is from `least` to `most` (either may be missing). `by` says whose criterion it is: "std", the
-- standard's own; "ours", a number that we propose where the standard has none, or a closer one beside it; "published",
-- the looser one that others assert, which does not count; "told", a figure that nothing is expected of.
function run:expect(by, what, value, bounds)
  local known = type(value) == "number" and value == value
  local holds = known and value >= (bounds.least or -math.huge) and value <= (bounds.most or math.huge)
  self.checks[#self.checks + 1] = {
    by = by,
    what = what,
    value = known and value or nil,
    least = bounds.least,
    most = bounds.most,
    unit = bounds.unit,
    holds = holds and true or false,
  }
  return holds
end

-- Runs the case; what it found.
local function run_case(case, planner, mutation)
  local one = setmetatable({ planner = planner, mutation = mutation, worlds = {}, checks = {}, overlaps = 0,
    last_seed = 1 }, run)
  local ok, problem = xpcall(case.run, debug.traceback, one)
  one:close()
  one.problem = not ok and tostring(problem):match "^[^\n]*" or nil
  if one.problem then one:expect("ours", "an error: " .. one.problem, nil, {}) end
  return one
end

local BY = { std = "the standard", ours = "ours", published = "published, looser", told = "" }

local function text_of(check)
  local unit = check.unit and " " .. check.unit or ""
  local bounds
  if check.least and check.most then
    bounds = ("%g to %g"):format(check.least, check.most)
  elseif check.least then
    bounds = ("at least %g"):format(check.least)
  elseif check.most then
    bounds = ("at most %g"):format(check.most)
  end
  local found = ("%s: %s%s"):format(check.what, check.value and ("%.4g"):format(check.value) or "nothing",
    check.value and unit or "")
  return bounds and ("%s, must be %s (%s)"):format(found, bounds, BY[check.by]) or found
end

-- The case as one reads it beside the standard: its criterion, where its geometry is drawn, and what was found.
local function show(case, name, one)
  local about = debug.getinfo(case.run, "S")
  print(("\n%s\n  %s\n  %s:%d\n"):format(name, case.says, about.short_src, about.linedefined))
  for _, check in ipairs(one.checks) do
    print(("  %-5s %s"):format(check.by == "told" and "" or check.holds and "holds" or "FAILS", text_of(check)))
  end
end

-- Does everything hold that counts?
local function misses_of(one)
  local misses = {}
  for _, check in ipairs(one.checks) do
    if not check.holds and check.by ~= "published" and check.by ~= "told" then misses[#misses + 1] = text_of(check) end
  end
  if #one.checks == 0 then misses[1] = "the case expected nothing" end
  return misses
end

-- "pass": the standard's criterion holds, and ours; "std": the standard's alone; "fail".
local function verdict_of(one)
  local std, ours = not one.problem, true
  for _, check in ipairs(one.checks) do
    if check.by == "std" then std = std and check.holds end
    if check.by == "ours" then ours = ours and check.holds end
  end
  return std and (ours and "pass" or "std") or "fail"
end

-- --- lists of cases ------------------------------------------------------------------------------

local list = {}
list.__index = list

-- A suite of that name (as in the file's: NAME_spec.lua) and title.
function suite.new(name, title) return setmetatable({ name = name, title = title, cases = {} }, list) end

-- A case: { number, title, says = the criterion in words, sure = 1 | 2 | "m" (cases.md), run = function(run),
-- quick = runs in `make test`, mutations = { name = { a given name = function(value) } } }; or, in the place of `run`,
-- `same` = the case of another suite that it equals, or `needs` = why it is not run.
function list:case(case)
  case.number, case.title = case[1], case[2]
  case.suite = self
  if case.same then
    for _, field in ipairs { "run", "says", "mutations" } do
      if case[field] == nil then case[field] = case.same[field] end
    end
  end
  self.cases[#self.cases + 1] = case
  self.cases[case.number] = case
  return case
end

local begun = {} -- files that this process writes

local function write(case, planner, record, folder)
  record.suite, record.number, record.title, record.planner = case.suite.name, case.number, case.title, planner
  record.says, record.sure, record.suite_title = case.says, case.sure, case.suite.title
  local part = asked.part and "-" .. asked.part or "" -- of the process that runs this one
  local path = ("%s%s/%s-%s%s.jsonl"):format(OUT, folder or "", case.suite.name, planner, part)
  if not begun[path] then os.execute(("mkdir -p %s%s"):format(OUT, folder or "")) end
  local file = assert(io.open(path, begun[path] and "a" or "w"))
  begun[path] = true
  file:write(json.encode(record), "\n")
  file:close()
  if not record.mutation then asked.found(record) end
end

local function name_of(case, planner)
  return ("%s %s, %s, %s"):format(case.suite.title, case.number, case.title, planner)
end

-- A test of the case, for busted.
local function declare(case, planner, it, skip)
  it(name_of(case, planner), function()
    local order = { place = case.place }
    if case.needs then
      order.needs = case.needs
      write(case, planner, order)
      skip(case.needs)
    end
    if case.same and asked.all then -- it runs there
      order.same = { case.same.suite.name, case.same.number, case.same.suite.title }
      write(case, planner, order)
      skip(("as %s %s"):format(case.same.suite.title, case.same.number))
    end
    local one = run_case(case, planner)
    if asked.figures then show(case, name_of(case, planner), one) end
    order.checks, order.hash, order.overlaps = one.checks, one.hash, one.overlaps
    order.verdict, order.seeds = verdict_of(one), one.last_seed > 1 and "1 to " .. one.last_seed or "1"
    write(case, planner, order)
    local misses = misses_of(one)
    assert(#misses == 0, "\n" .. table.concat(misses, "\n"))
  end)
end

-- Why the mutated case does not show: nil, where it fails as it must; and the run.
local function unseen(case, planner, name)
  local one = run_case(case, planner, case.mutations[name])
  if one.problem then return ("%s: '%s' ends it with an error: %s"):format(case.number, name, one.problem), one end
  if not one.mutated then return ("%s: the case reads none of what '%s' changes"):format(case.number, name), one end
  if #misses_of(one) == 0 then return ("%s: nothing failed with '%s'"):format(case.number, name), one end
  return nil, one
end

local function declare_mutations(case, planner, it)
  for _, name in ipairs(suite.names(case.mutations)) do
    it(("%s is told from: %s #mutation"):format(name_of(case, planner), name), function()
      local why, one = unseen(case, planner, name)
      write(case, planner, { place = case.place, mutation = name, checks = one.checks }, "/mutations")
      assert(not why, why)
    end)
  end
end

function suite.names(map)
  local names = {}
  for name in pairs(map or {}) do
    names[#names + 1] = name
  end
  table.sort(names)
  return names
end

-- Ends the list: its tests, under each planner. `describe` and `it` are busted's, which a file has only when
-- busted runs it; where another file asks for the cases there are none. `skip` ends a test with the reason.
function list:done(describe, it, skip)
  for place, case in ipairs(self.cases) do
    case.place = place
  end
  if not describe then return self end
  for _, planner in ipairs(asked.planners) do
    describe(self.title, function()
      for _, case in ipairs(self.cases) do
        declare(case, planner, it, skip)
        if not case.needs and not case.same then declare_mutations(case, planner, it) end
      end
    end)
  end
  return self
end

-- For standards_spec.lua: what misses of a case, as text, and why a mutation of it is not seen.
function suite.misses(case, planner) return misses_of(run_case(case, planner)) end
function suite.unseen(case, planner, name) return (unseen(case, planner, name)) end

-- The cases of another suite's file.
function suite.of(here, name) return dofile(here .. name .. "_spec.lua").cases end

-- Mutations: functions of what was given.
function suite.times(factor)
  return function(value) return value * factor end
end

function suite.plus(difference)
  return function(value) return value + difference end
end

function suite.always(value)
  return function() return value end
end

return suite
