-- What the suites of this folder share. A suite is a list of cases, a case a function that runs worlds and says what
-- it expects of them. Each case is a test of `throng test`, under each planner asked for (--planner). What it found
-- goes to out/standards, of which results.lua makes RESULTS.md.
local throng = require "throng"
local json = require "dkjson"
local asked = require "throng.suites"

local runs = require "runs"

local suite = {}

local MOST, LEAST = 500, 10 -- runs of a case with chance in it
local MUTATED = 5 -- of one that is mutated: it fails by far
local OTHER_SEED = 2 -- by which figures of one run must come out again
local MISSED = {} -- thrown where the first miss ends the case
local CLOSEST = 0.9 -- of the sum of radii of a pair: who gets closer overlaps
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

-- A world on a map of the case's own: `floor` is the walkable area, less `walls`; other settings are throng.world's. A
-- mutation may change how often contacts are solved again (`contact iterations`).
function run:world(settings)
  local floor, doors, walls, regions = settings.floor, settings.doors, settings.walls, settings.regions
  local definition = { seed = self.seed or 1, threads = 1, regions = regions }
  self.last_seed = math.max(self.last_seed, definition.seed)
  if floor then definition.map = throng.map { boundary = floor, walls = walls, doors = doors } end
  for key, value in pairs(settings) do
    if key ~= "floor" and key ~= "doors" and key ~= "walls" then definition[key] = value end
  end
  local world = throng.world(definition)
  local iterations = self:given("contact iterations", nil)
  if iterations then world.stages.move.iterations, world.stages.move.tolerance = iterations, 0.1 end
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

-- Runs with seeds 1, 2, ... until they are enough. `draw(seed)` makes a run, in worlds of that seed, and gives its
-- figures by name; `judge(runs)` (runs.lua) expects something of all that were drawn, and is called again and again.
-- Runs are enough where each figure that counts is known (runs.lua), and there are `least` of them, or 500. `least` is
-- never cut (--runs): by fewer its figures say nothing of their bounds. What is run outside of it, once, has nothing
-- random in it: another seed gives the same.
function run:repeated(draw, judge, least)
  if self.other_seed then return end
  self.repeating = true
  local drawn, before, known = runs.new(), #self.checks
  local most = self:given("most runs", MOST)
  local allowed = asked.runs and math.max(asked.runs, least or 1) or self.fewest and (least or self.fewest) or most
  self.cut = allowed < most
  most = math.min(most, allowed)
  local enough = math.min(least or LEAST, most)
  repeat
    while #drawn < enough do
      self.seed = #drawn + 1
      drawn[self.seed] = draw(self.seed)
      self:close()
    end
    self.seed = nil
    known = drawn:judged(self, before, judge)
    enough = math.min(most, enough + math.max(1, enough // 5))
  until known or #drawn == most
  self.repeating = nil
end

-- Expects a figure of each of the runs: the worst of them is told. Runs are enough when they tell that 95 of 100 hold.
function run:expect_in_every(by, what, drawn, name, bounds)
  self:expect(by, what .. ", worst run", drawn:worst(name, bounds), { least = bounds.least, most = bounds.most,
    unit = bounds.unit, exact = true, awaited = #drawn < runs.EVERY })
end

-- Expects of repeated runs' curves, the times at which the first, second ... was out, that one more changes them
-- as little as NIST and ISO ask for. Where fewer runs are allowed (--runs) it is told alone.
function run:expect_converged(what, curves)
  local after, more
  if not self.leaving_out then after, more = runs.converged_after(curves) end
  local by = (after or not self.cut) and "ours" or "told"
  self:expect(by, what .. ": runs until one more changes little", after,
    { least = by == "ours" and 1 or nil, most = by == "ours" and MOST or nil, exact = true, awaited = more })
end

-- Frees the worlds so far; keeps the last one's hash.
function run:close()
  local last = self.worlds[#self.worlds]
  self.hash = last and last:hash() or self.hash
  for _, world in ipairs(self.worlds) do
    local stats = world:stats()
    self.overlaps = self.overlaps + stats.overlaps
    if stats.spawned > 1 then self.closest = math.min(self.closest or 1, stats.closest) end
    world:close()
  end
  self.worlds = {}
end

-- Does something not hold that counts?
local function is_miss(check) return not check.holds and check.by ~= "published" and check.by ~= "told" end

-- Expects that a value is from `least` to `most` (either may be missing). `by` says whose criterion it is: "std", the
-- standard's own; "ours", a number that we propose where the standard has none, or a closer one beside it; "published",
-- the looser one that others assert, which does not count; "told", a figure that nothing is expected of. In repeated
-- runs it has an interval by leaving each run out, unless it is `exact` (the worst of all runs, a test of its own) or
-- brings its own (runs:percentile).
function run:expect(by, what, value, bounds)
  local own = type(value) == "table" and value or {}
  value = own.value or value
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
    from = own.from,
    to = own.to,
    common = bounds.common, -- to all cases
    exact = bounds.exact or own.value ~= nil or nil,
    awaited = bounds.awaited or own.awaited or nil, -- more runs tell it
  }
  if self.first_miss and not self.repeating and is_miss(self.checks[#self.checks]) then error(MISSED, 0) end
  return holds
end

-- Says of what was expected outside of repeated runs that one run told it; was there anything?
function run:tell_once()
  local any = false
  for _, check in ipairs(self.checks) do
    if not check.runs then
      check.once, check.interval, any = true, " (one run: nothing random in it)", true
    end
  end
  return any
end

-- Expects of what one run told that a run by another seed tells the same, to the last bit.
function run:expect_same(other)
  local once, different = {}, 0
  for _, check in ipairs(self.checks) do
    if check.once then once[#once + 1] = check end
  end
  for i, check in ipairs(once) do
    local again = other.checks[i]
    if not again or again.what ~= check.what or again.value ~= check.value then different = different + 1 end
  end
  self:expect("ours", "figures of one run that another seed changes", different, { most = 0, common = true })
end

-- Runs the case, what is of chance in it as often as it must or by the fewest runs, if given, or until the first miss;
-- what it found.
local function run_case(case, planner, mutation, fewest, first_miss)
  local function run_by(seed)
    local one = setmetatable({ planner = planner, mutation = mutation, fewest = fewest, first_miss = first_miss,
      worlds = {}, checks = {}, overlaps = 0, last_seed = 1, seed = seed, other_seed = seed }, run)
    local ok, problem = xpcall(case.run, debug.traceback, one)
    one.first_miss = nil -- what all cases expect comes behind it
    one:close()
    one.problem = not ok and problem ~= MISSED and tostring(problem):match "^[^\n]*" or nil
    return one
  end
  local one = run_by()
  if one:tell_once() and not mutation then one:expect_same(run_by(OTHER_SEED)) end
  if one.closest then
    one:expect("ours", "closest pair of all runs, of the sum of radii", one.closest, { least = CLOSEST, common = true })
  end
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
    check.value and ((check.interval or "") .. unit) or "")
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
    if is_miss(check) then misses[#misses + 1] = text_of(check) end
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

-- Why the mutated case does not show: nil, where it fails as it must; and the run, which the first miss may end.
local function unseen(case, planner, name, first_miss)
  local one = run_case(case, planner, case.mutations[name], MUTATED, first_miss)
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

-- For standards_spec.lua: what misses of a case by the fewest runs, as text, and why a mutation of it is not seen.
function suite.misses(case, planner) return misses_of(run_case(case, planner, nil, LEAST)) end
function suite.unseen(case, planner, name) return (unseen(case, planner, name, true)) end

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
