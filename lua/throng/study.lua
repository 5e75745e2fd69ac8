-- throng.study: many runs of a scenario, as data. `throng study` runs them (study_command.lua).

--- class throng.study
--- The result of throng.study, which the script returns: `throng study FILE` runs it.

--- class throng.until_precise
--- The result of throng.until_precise.

--- class throng.until_precise.settings
--- How well a number must be known.
--- @field of string A measure of the study (its mean counts), or a percentile or the median of one:
--- "p95(last_arrival)".
--- @field within? number(1) Largest half-width of its confidence interval, as a part of the number; default 0.02.
--- @field confidence? number(1) Of the interval, from 0.5 to 0.999; default 0.95.
--- @field least? integer Runs of a point at least, from 10 on; default 50.
--- @field most? integer And at most; default 500.

--- class throng.study.settings
--- Settings of throng.study.
--- @field scenario string The scenario's file, beside the script.
--- @field factors? table<string, any[]|throng.sampler> The factors: parameters (throng.params) by name, each with a
--- list of levels or a law.
--- @field design? "grid"|"random"|"latin"|"morris"|"sobol" How values are combined; default "grid": every level with
--- every other, laws drawn for each run. The others take `points` of all factors: at random; spread evenly (a Latin
--- hypercube); one factor changed at a time, which gives its effects (Morris, 1991); or so that each factor's share of
--- the variance follows (Sobol' indices by Saltelli's scheme, 2010).
--- @field points? integer Their number, in designs other than "grid"; of trajectories in "morris", of base points (best
--- a power of two) in "sobol". Default 16.
--- @field runs? integer|throng.until_precise Runs of a point, each with a seed of its own; default 1.
--- @field seed? integer The first seed, default 1. The runs of every point have the same seeds, so that points are
--- compared with the same people.
--- @field measure (string|fun(world: throng.world): number(any)?)[] The results to keep of a run: quantities, and
--- functions by a name of their own. A quantity is a field of world:stats() ("last_arrival", "stuck.crowd"), "time", or
--- a measure of the scenario by kind and name ("flow.door": its flow; "density.hall", "speed.hall": its mean), or
--- first, last, count, forth, back, max, min, mean or now of one: "max(density.hall)". A number that is not finite
--- counts as none.
--- @field curves? string[] Quantities to keep over time, by their values then; default { "arrived" }.
--- @field every? number(s) Between the values of curves, default 1.

local host = ...
local pairs = host.pairs -- in the order of keys

local quantity = host.library "study_quantity"(host)
local statistics = host.library "statistics"(host)

local DESIGNS = { "grid", "random", "latin", "morris", "sobol" }
local FIELDS = { "scenario", "factors", "design", "points", "runs", "seed", "measure", "curves", "every" }
local PRECISE = { "of", "within", "confidence", "least", "most" }
-- Columns of results beside them.
local TAKEN = { "run", "point", "replicate", "seed", "hash", "steps", "seconds", "ended", "error" }

local MOST_POINTS, MOST_RUNS, MOST_FACTORS = 1000000, 1000000, 10

local function raise(...) host.raise("throng.study: " .. string.format(...)) end

local function whole(value, what, least, most, owner)
  if math.type(value) ~= "integer" or value < least or value > most then
    host.raise(("%s: field '%s' must be a whole number from %d to %d, got %s"):format(owner or "throng.study", what,
      least, most, host.describe(value)))
  end
  return value
end

-- ---- until_precise

local precise = setmetatable({}, { __mode = "k" }) -- the values that it gave

local function until_precise(settings)
  local owner = "throng.until_precise"
  if type(settings) ~= "table" then
    host.raise(owner .. ": expected a table like {of = \"p95(last_arrival)\", within = 0.02}, got " ..
      host.describe(settings))
  end
  host.options_of(owner, settings, PRECISE)
  if type(settings.of) ~= "string" then
    host.raise(owner .. ": field 'of' must be a measure or a percentile of one, like \"p95(last_arrival)\", got " ..
      host.describe(settings.of))
  end
  local least = whole(settings.least or 50, "least", 10, MOST_RUNS, owner)
  local value = {
    of = settings.of,
    within = host.number(settings.within or 0.02, owner .. ": field 'within'", 0, true),
    confidence = host.number(settings.confidence or 0.95, owner .. ": field 'confidence'", 0.5),
    least = least,
    most = whole(settings.most or math.max(500, least), "most", least, MOST_RUNS, owner),
  }
  if value.confidence > 0.999 then host.raise(owner .. ": field 'confidence' must be at most 0.999") end
  precise[value] = true
  return value
end

-- ---- factors and measures

local function check_level(name, i, value)
  local kind = type(value)
  if kind ~= "number" and kind ~= "string" and kind ~= "boolean" then
    raise("factor '%s': level %d must be a number, a text or a boolean, got %s", name, i, host.describe(value))
  end
  if value ~= value then raise("factor '%s': level %d is not a number (NaN)", name, i) end
end

local function factor_of(name, given)
  if type(name) ~= "string" then
    raise("factors have names: {width = {0.8, 1.0}}, got the key %s", host.describe(name))
  end
  if host.quantile(given, 0.5) then return { name = name, law = given } end
  if type(given) ~= "table" or #given == 0 then
    raise("factor '%s' must be a list like {0.8, 1.0} or a law like throng.uniform(0.8, 1.2), got %s", name,
      host.describe(given))
  end
  local levels = {}
  for i = 1, #given do
    check_level(name, i, given[i])
    levels[i] = given[i]
  end
  return { name = name, levels = levels }
end

local function check_name(name, seen)
  if name == "" or name:find "%c" then
    raise("factors and measures have names of letters that can be seen, got %s", host.describe(name))
  end
  for _, taken in ipairs(TAKEN) do
    if name == taken then raise("'%s' is a column of every study's results; choose another name", name) end
  end
  local lower = name:lower() -- as columns' names go
  if seen[lower] then raise("two factors or measures are named '%s'", name) end
  seen[lower] = true
end

local function factors_of(given, seen)
  local factors = {}
  if given ~= nil and type(given) ~= "table" then
    raise("field 'factors' must be a table like {width = {0.8, 1.0}}, got %s", host.describe(given))
  end
  for name, levels in pairs(given or {}) do
    local factor = factor_of(name, levels)
    check_name(name, seen)
    factors[#factors + 1] = factor
  end
  if #factors > MOST_FACTORS then raise("%d factors are more than %d", #factors, MOST_FACTORS) end
  return factors
end

local function measures_of(given, seen)
  if type(given) ~= "table" or next(given) == nil then
    raise("field 'measure' must be a list like {\"last_arrival\", \"flow.door\"}, got %s", host.describe(given))
  end
  local measures = {}
  for i, text in ipairs(given) do measures[i] = quantity.read(text, "measure") end
  for name, value in pairs(given) do
    if type(name) == "string" then
      if type(value) ~= "function" then
        raise("measure '%s' must be a function(world), got %s", name, host.describe(value))
      end
      measures[#measures + 1] = { name = name, call = value }
    end
  end
  for _, measure in ipairs(measures) do check_name(measure.name, seen) end
  return measures
end

local function curves_of(given)
  if given == nil then given = { "arrived" } end
  if type(given) ~= "table" then raise("field 'curves' must be a list of quantities, got %s", host.describe(given)) end
  local curves = {}
  for i, text in ipairs(given) do curves[i] = quantity.read(text, "curve") end
  return curves
end

-- ---- the study

local function runs_of(given, measures)
  if given == nil then return 1 end
  if not precise[given] then
    if type(given) == "table" then raise "field 'runs' must be a whole number or throng.until_precise{...}" end
    return whole(given, "runs", 1, MOST_RUNS)
  end
  given.statistic = quantity.statistic(given.of, measures)
  local least = statistics.least(given.statistic.percentile, given.confidence)
  if given.most < least then
    host.raise(("throng.until_precise: field 'most': it takes %d runs to say how precise %s is at %g %% confidence, "
      .. "got %d"):format(least, given.of, 100 * given.confidence, given.most))
  end
  return given
end

local function check_grid(factors)
  local points = 1.0
  for _, factor in ipairs(factors) do points = points * #(factor.levels or { factor.law }) end
  if points > MOST_POINTS then
    raise("every level with every other makes %.15g points, more than %d; give fewer levels, or design = \"latin\" "
      .. "with as many 'points' as you want", points, MOST_POINTS)
  end
end

local function design_of(settings, factors)
  local design = settings.design or "grid"
  local known = false
  for _, name in ipairs(DESIGNS) do known = known or design == name end
  if not known then host.unknown("throng.study", "design", tostring(design), DESIGNS) end
  if design == "grid" and settings.points then raise "field 'points' is for designs other than \"grid\"" end
  if design ~= "grid" and #factors == 0 then raise("design \"%s\" needs factors", design) end
  if design == "grid" then check_grid(factors) end
  return design
end

--- throng.study(settings)
--- Many runs of a scenario: the factors to vary, the runs of each point and the results to keep. The script returns it;
--- `throng study FILE` runs it on all processors, writes one SQLite file and reports the results.
--- @param settings throng.study.settings What is varied and measured.
--- @return throng.study
--- @error no such scenario; an unknown design or quantity; a factor that is neither a list nor a law
--- @example
--- return throng.study {
---   scenario = "scenarios/door.lua",
---   factors = { width = { 0.8, 1.0, 1.2 } },
---   runs = 20,
---   measure = { "last_arrival", late = function(world) return world:stats().worst_travel end },
--- }
local function study(settings)
  if type(settings) ~= "table" then
    raise("expected a table like {scenario = \"door.lua\", measure = {\"last_arrival\"}}, got %s",
      host.describe(settings))
  end
  host.options_of("throng.study", settings, FIELDS)
  if type(settings.scenario) ~= "string" then
    raise("field 'scenario' must be the file of a scenario, got %s", host.describe(settings.scenario))
  end
  local seen = {}
  local factors, measures = factors_of(settings.factors, seen), measures_of(settings.measure, seen)
  return host.new_study {
    scenario = host.find_file("throng.study", settings.scenario),
    factors = factors,
    design = design_of(settings, factors),
    points = whole(settings.points or 16, "points", 2, MOST_POINTS),
    runs = runs_of(settings.runs, measures),
    seed = whole(settings.seed or 1, "seed", 0, 1 << 53),
    measures = measures,
    curves = curves_of(settings.curves),
    every = host.number(settings.every or 1, "throng.study: field 'every'", 0, true),
  }
end

--- throng.until_precise(settings)
--- As many runs of each point of a throng.study as it takes to know a number precisely: after `least` runs, and after
--- each further tenth, it checks whether the number's confidence interval is narrow enough, and it ends at `most`.
--- @param settings throng.until_precise.settings Which number, and how well.
--- @return throng.until_precise
--- @error the study has no measure of that name; `most` is too few for an interval (of a 95th percentile below 72)
--- @example
--- return throng.study {
---   scenario = "scenarios/door.lua",
---   measure = { "last_arrival" },
---   runs = throng.until_precise { of = "p95(last_arrival)", within = 0.05, most = 200 },
--- }
return { study = study, until_precise = until_precise }
