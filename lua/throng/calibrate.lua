-- throng.calibrate: parameters fitted to measurements, as data. `throng study` does it (calibrate_command.lua).

--- class throng.calibrate
--- The result of throng.calibrate, which the script returns: `throng study FILE` does the fit.

--- class throng.calibrate.experiment
--- What was measured, and a scenario of it.
--- @field scenario string The scenario's file, beside the script.
--- @field data string|table[] The measurements: a CSV file whose first line names its columns, or a list of rows like
--- { width = 1.0, flow = 1.9 }.
--- @field over? string|string[]|table<string, string> The parameters of the scenario (throng.params) that differ from
--- row to row, by the data's columns; `{ width = "width_m" }` where a column has another name.
--- @field params? table<string, number(any)|string|boolean> Parameters of the scenario that are the same in all rows.
--- @field measure string|table What to compare: quantities as in throng.study, by the data's columns of the same name;
--- `{ flow_per_s = "flow.door" }` where a column has another name, or a function(world).
--- @field within? number(1)|table<string, number(1)> The difference that does not matter, as a part of what was
--- measured; default 0.1. By the data's columns where they differ: `{ flow = 0.06 }`.
--- @field tolerance? number(any)|table<string, number(any)> The same in the measure's own unit, instead of `within`.
--- @field runs? integer Runs of each row, where they need be more or fewer than in other experiments.
--- @field held_out? boolean Compare only in the end, and fit nothing to it; default false.

--- class throng.calibrate.settings
--- Settings of throng.calibrate.
--- @field parameters table<string, number(any)[]> What is fitted: parameters that all scenarios have (throng.params),
--- each
--- with its least and greatest value, and from where to search as a third, by default the middle.
--- @field experiments table<string, throng.calibrate.experiment> What it is fitted to, by name.
--- @field runs? integer Runs of each row, each with a seed of its own; default 3. All evaluations have the same seeds.
--- @field seed? integer The first seed, default 1.
--- @field method? "crs"|"direct"|"isres"|"subplex"|"bobyqa" How to search, by algorithms of NLopt: the first three look
--- everywhere, the others go downhill from where they begin. Default "crs", controlled random search.
--- @field evaluations? integer Values of the parameters to try in the search at most; default 100.
--- @field polish? integer And after it, going downhill from the best ("bobyqa"), default 30.
--- @field front? integer With two experiments or more: values to try for each of them by which it fits better than the
--- others, so that the compromise between them is seen; default 10.
--- @field profile? integer For each parameter, values that it is held at while the others are fitted again: how well
--- the data determine it. Default 5; 0: none.
--- @field verify? integer Runs of each row, with other seeds, by which the fit is reported; default 10.

local host = ...
local pairs = host.pairs -- in the order of keys

local quantity = host.library "study_quantity"(host)
local csv = host.library "csv"(host)

local METHODS = { "bobyqa", "crs", "direct", "isres", "subplex" }
local FIELDS = {
  "parameters", "experiments", "runs", "seed", "method", "evaluations", "polish", "front", "profile", "verify",
}
local EXPERIMENT = { "scenario", "data", "over", "params", "runs", "measure", "within", "tolerance", "held_out" }
local OWNER = "throng.calibrate"
local MOST_PARAMETERS, MOST = 10, 1000000
local WITHIN = 0.1

local function raise(...) host.raise(OWNER .. ": " .. string.format(...)) end

local function whole(settings, name, default, least, where)
  local value = settings[name]
  if value == nil then value = default end
  if math.type(value) ~= "integer" or value < least or value > MOST then
    raise("%sfield '%s' must be a whole number from %d to %d, got %s", where and where .. ": " or "", name, least, MOST,
      host.describe(value))
  end
  return value
end

local function parameters_of(given)
  local list = {}
  if type(given) ~= "table" or next(given) == nil then
    raise("field 'parameters' must be a table like {time_gap = {0.3, 1.2}}, got %s", host.describe(given))
  end
  for name, range in pairs(given) do
    local low, high, start
    if type(range) == "table" then low, high, start = range[1], range[2], range[3] end
    if type(name) ~= "string" or type(low) ~= "number" or type(high) ~= "number" or low >= high
      or low ~= low or high ~= high or math.abs(low) > 1e9 or math.abs(high) > 1e9 then
      raise("parameter '%s' must have its least and greatest value, like {0.3, 1.2}, got %s", tostring(name),
        host.describe(range))
    end
    if start ~= nil and not (type(start) == "number" and start >= low and start <= high) then
      raise("parameter '%s': the search must begin from %g to %g, got %s", name, low, high, host.describe(start))
    end
    list[#list + 1] = { name = name, low = low, high = high, start = start or (low + high) / 2 }
  end
  if #list > MOST_PARAMETERS then raise("%d parameters are more than %d", #list, MOST_PARAMETERS) end
  return list
end

-- ---- experiments

-- {name, what} of a field that is a text, a list of those, or a table by names.
local function entries(given, where, what)
  if type(given) == "string" then given = { given } end
  if type(given) ~= "table" then raise("%s must be a name or a table of names, got %s", where, host.describe(given)) end
  local list = {}
  for key, value in pairs(given) do
    local name = math.type(key) == "integer" and value or key
    if type(name) ~= "string" then raise("%s: expected %s, got %s", where, what, host.describe(name)) end
    list[#list + 1] = { name, value }
  end
  return list
end

local function measures_of(given, where)
  local measures, known = {}, {}
  for i, entry in ipairs(entries(given, where .. ": field 'measure'", "a quantity")) do
    local column, asked = entry[1], entry[2]
    if type(asked) == "function" then
      measures[i] = { name = column, call = asked }
    else
      measures[i] = quantity.read(asked, "measure", OWNER)
    end
    measures[i].column = column
    local name = measures[i].name
    if known[name] then
      raise("%s: field 'measure': '%s' stands for '%s' and '%s'; compare it once", where, name, known[name], column)
    end
    known[name] = column
  end
  if #measures == 0 then raise("%s: field 'measure' names nothing to compare", where) end
  return measures
end

-- The measurements as rows {where =, get = function(column) -> value or nil}, and the names of columns.
local function table_of(given, where)
  local rows, columns = {}, {}
  if type(given) == "string" then
    local path, list, names = csv.read(OWNER, given)
    for i, row in ipairs(list) do
      rows[i] = { where = ("%s:%d"):format(path, row.line), get = function(column)
        return csv.number(OWNER, path, row, column)
      end }
    end
    columns = names
  elseif type(given) == "table" then
    local known = {}
    for i, row in ipairs(given) do
      local at = ("%s: row %d of 'data'"):format(where, i)
      if type(row) ~= "table" then raise("%s must be a table like {width = 1.0, flow = 1.9}, got %s", at,
        host.describe(row)) end
      for name in pairs(row) do known[name] = true end
      rows[i] = { where = at, get = function(column)
        local value = row[column]
        if value ~= nil and not (type(value) == "number" and value == value and math.abs(value) <= 1e9) then
          raise("%s: '%s' must be a number, got %s", at, column, host.describe(value))
        end
        return value
      end }
    end
    columns = host.names_of(known)
  else
    raise("%s: field 'data' must be a CSV file or a list of rows, got %s", where, host.describe(given))
  end
  if #rows == 0 then raise("%s: there are no data", where) end
  return rows, columns
end

local function check_column(where, columns, name)
  for _, column in ipairs(columns) do
    if column == name then return end
  end
  host.unknown(("%s: %s: data"):format(OWNER, where), "column", name, columns)
end

-- A field that is a number above 0 for all measures, or a table of such numbers: by the measures' columns.
local function by_column(given, field, measures, where)
  local value, columns, list = given[field], {}, {}
  for i, measure in ipairs(measures) do columns[i], list[measure.column] = measure.column, value end
  if type(value) == "table" then
    for column in pairs(value) do
      if list[column] == nil then
        host.unknown(("%s: %s: field '%s'"):format(OWNER, where, field), "measure", tostring(column), columns)
      end
    end
    list = value
  end
  for column, number in pairs(list) do
    host.number(number, ("%s: %s: field '%s' of '%s'"):format(OWNER, where, field, column), 0, true)
  end
  return list
end

local function tolerance_of(experiment, column, value, where)
  if experiment.tolerance[column] then return experiment.tolerance[column] end
  if value == 0 then raise("%s: of 0 no part can be tolerated; give 'tolerance' instead of 'within'", where) end
  return (experiment.within[column] or WITHIN) * math.abs(value)
end

-- Points {params = by name, data = {number of a measure = {value, tolerance}}}.
local function points_of(experiment, given, over, where)
  local rows, columns = table_of(given, where)
  for _, entry in ipairs(over) do check_column(where, columns, entry[2]) end
  for _, measure in ipairs(experiment.measures) do check_column(where, columns, measure.column) end
  local points = {}
  for _, row in ipairs(rows) do
    local point = { params = {}, data = {} }
    for name, value in pairs(experiment.params) do point.params[name] = value end
    for i, entry in ipairs(over) do
      local value = row.get(entry[2])
      if not value then raise("%s: there is no '%s'", row.where, entry[2]) end
      point.params[entry[1]] = value
      point[i] = ("%s = %.6g"):format(entry[1], value)
    end
    for m, measure in ipairs(experiment.measures) do
      local value = row.get(measure.column)
      if value then point.data[m] = { value, tolerance_of(experiment, measure.column, value, row.where) } end
    end
    point.name = #point > 0 and table.concat(point, ", ") or "all"
    if next(point.data) then points[#points + 1] = point end
  end
  if #points == 0 then raise("%s: no row has anything to compare", where) end
  return points
end

-- The parameters that are the same in all rows.
local function fixed_of(given, over, where)
  if type(given) ~= "table" then
    raise("%s: field 'params' must be a table like {count = 60}, got %s", where, host.describe(given))
  end
  for name, value in pairs(given) do
    local kind = type(value)
    if type(name) ~= "string" or (kind ~= "number" and kind ~= "string" and kind ~= "boolean") then
      raise("%s: field 'params': '%s' must be a number, a text or a boolean, got %s", where, tostring(name),
        host.describe(value))
    end
    for _, entry in ipairs(over) do
      if entry[1] == name then raise("%s: '%s' is in 'params' and in 'over'; give it once", where, name) end
    end
  end
  return given
end

local function experiment_of(name, given, fitted, runs)
  local where = ("experiment '%s'"):format(tostring(name))
  if type(name) ~= "string" or type(given) ~= "table" then
    raise("field 'experiments' must be a table like {door = {scenario = \"door.lua\", ...}}, got %s",
      type(name) == "string" and host.describe(given) or "the key " .. host.describe(name))
  end
  host.options_of(("%s: %s"):format(OWNER, where), given, EXPERIMENT)
  if type(given.scenario) ~= "string" then
    raise("%s: field 'scenario' must be the file of a scenario, got %s", where, host.describe(given.scenario))
  end
  if given.held_out ~= nil and type(given.held_out) ~= "boolean" then
    raise("%s: field 'held_out' must be true or false, got %s", where, host.describe(given.held_out))
  end
  local measures = measures_of(given.measure, where)
  local experiment = {
    name = name,
    scenario = host.find_file(OWNER, given.scenario),
    measures = measures,
    runs = whole(given, "runs", runs, 1, where),
    within = by_column(given, "within", measures, where),
    tolerance = by_column(given, "tolerance", measures, where),
    held_out = given.held_out or false,
    curves = {}, every = 1, -- as a study has them
  }
  for column in pairs(experiment.within) do
    if experiment.tolerance[column] then
      raise("%s: give 'within' or 'tolerance' of '%s', not both", where, column)
    end
  end
  local over = entries(given.over or {}, where .. ": field 'over'", "a parameter")
  for _, entry in ipairs(over) do
    for _, parameter in ipairs(fitted) do
      if parameter.name == entry[1] then raise("%s: '%s' is fitted, it cannot come from the data", where, entry[1]) end
    end
    if type(entry[2]) ~= "string" then
      raise("%s: field 'over': '%s' must name a column, got %s", where, entry[1], host.describe(entry[2]))
    end
  end
  experiment.params = fixed_of(given.params or {}, over, where)
  for _, parameter in ipairs(fitted) do
    if experiment.params[parameter.name] ~= nil then
      raise("%s: '%s' is fitted, it cannot be in 'params'", where, parameter.name)
    end
  end
  experiment.points = points_of(experiment, given.data, over, where)
  return experiment
end

-- ---- the calibration

--- throng.calibrate(settings)
--- Fits parameters to measurements: those with which scenarios of the experiments give what was measured. The script
--- returns it; `throng study FILE` does it on all processors, writes one SQLite file and reports the values, how well
--- the data determine them, and how well they do by what was held out. The same command goes on with a fit that was
--- interrupted, and with one whose tolerances or methods have changed; runs that are there are not done again.
--- @param settings throng.calibrate.settings What is fitted, and to what.
--- @return throng.calibrate
--- @error no such scenario or data; an unknown method, quantity or column; nothing to fit to
--- @example
--- return throng.calibrate {
---   parameters = { speed = { 1.0, 1.6 } },
---   experiments = {
---     door = {
---       scenario = "scenarios/bottleneck.lua",
---       over = "width",
---       measure = { flow = "flow.bottleneck" },
---       data = { { width = 0.8, flow = 1.3 }, { width = 1.2, flow = 2.4 } },
---     },
---   },
--- }
return function(settings)
  if type(settings) ~= "table" then
    raise("expected a table like {parameters = {...}, experiments = {...}}, got %s", host.describe(settings))
  end
  host.options_of(OWNER, settings, FIELDS)
  local method = settings.method or "crs"
  local known = false
  for _, name in ipairs(METHODS) do known = known or name == method end
  if not known then host.unknown(OWNER, "method", tostring(method), METHODS) end
  local parameters, experiments, fitted = parameters_of(settings.parameters), {}, 0
  local runs = whole(settings, "runs", 3, 1)
  if type(settings.experiments) ~= "table" then
    raise("field 'experiments' must be a table like {door = {...}}, got %s", host.describe(settings.experiments))
  end
  for name, given in pairs(settings.experiments) do
    local experiment = experiment_of(name, given, parameters, runs)
    experiments[#experiments + 1] = experiment
    fitted = fitted + (experiment.held_out and 0 or 1)
  end
  if fitted == 0 then raise "there is no experiment to fit to (all are held out, or there is none)" end
  return host.new_study {
    parameters = parameters,
    experiments = experiments,
    method = method,
    seed = whole(settings, "seed", 1, 0),
    evaluations = whole(settings, "evaluations", 100, 1),
    polish = whole(settings, "polish", 30, 0),
    front = whole(settings, "front", 10, 0),
    profile = whole(settings, "profile", 5, 0),
    verify = whole(settings, "verify", 10, 1),
  }
end
