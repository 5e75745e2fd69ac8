-- What a calibration keeps: one SQLite file with every run, and the evaluations that the search has made of them.
local host = ...

local database = host.library "study_database"(host)
local digests = host.library "study_digest"()
local quoted = database.quoted

local store = setmetatable({}, { __index = database })
store.__index = store

-- What must be the same for runs to be of one calibration.
local function identity(calibration)
  local names, list = {}, { { "version", host.version } }
  for i, parameter in ipairs(calibration.parameters) do names[i] = parameter.name end
  list[2] = { "parameters", table.concat(names, ", ") }
  for _, experiment in ipairs(calibration.experiments) do
    local measures = {}
    for m, measure in ipairs(experiment.measures) do
      measures[m] = measure.name
      list[#list + 1] = { ("function '%s' of experiment '%s'"):format(measure.name, experiment.name),
        digests.of(measure.call) }
    end
    local fixed = {}
    for name, value in host.pairs(experiment.params) do
      fixed[#fixed + 1] = (" with %s = %s"):format(name, tostring(value))
    end
    list[#list + 1] = { "experiment " .. experiment.name,
      ("%s of %s%s"):format(table.concat(measures, ", "), experiment.scenario, table.concat(fixed)) }
  end
  return list
end

local function columns(calibration, names)
  local list = { table.unpack(names) }
  for _, parameter in ipairs(calibration.parameters) do list[#list + 1] = quoted(parameter.name) .. " REAL" end
  return table.concat(list, ", ")
end

local function create(self, calibration)
  self:run "CREATE TABLE calibration(key TEXT PRIMARY KEY, value)"
  self:run "CREATE TABLE files(path TEXT PRIMARY KEY, digest TEXT)"
  self:run("CREATE TABLE runs(" .. columns(calibration, { "run INTEGER PRIMARY KEY", "experiment TEXT", "point TEXT",
    "seed INTEGER", "hash TEXT", "steps INTEGER", "seconds REAL", "error TEXT" }) .. ")")
  self:run "CREATE TABLE measured(run INTEGER, measure TEXT, value REAL, PRIMARY KEY(run, measure)) WITHOUT ROWID"
  for _, pair in ipairs(identity(calibration)) do
    self:run("INSERT INTO calibration VALUES(?, ?)", pair[1], pair[2])
  end
end

-- What the settings say now: runs do not go by it.
local function describe(self, calibration)
  for _, name in ipairs { "parameters", "experiments", "data", "evaluations", "misfits" } do
    self:run("DROP TABLE IF EXISTS fit_" .. name)
  end
  self:run "CREATE TABLE fit_parameters(name TEXT PRIMARY KEY, low REAL, high REAL)"
  self:run "CREATE TABLE fit_experiments(name TEXT PRIMARY KEY, held_out INTEGER)"
  self:run "CREATE TABLE fit_data(experiment TEXT, point TEXT, measure TEXT, unit TEXT, value REAL, tolerance REAL)"
  self:run("CREATE TABLE fit_evaluations(" .. columns(calibration, { "evaluation INTEGER PRIMARY KEY", "phase TEXT",
    "held REAL", "misfit REAL", "seed INTEGER", "runs INTEGER" }) .. ")")
  self:run("CREATE TABLE fit_misfits(evaluation INTEGER, experiment TEXT, misfit REAL, "
    .. "PRIMARY KEY(evaluation, experiment)) WITHOUT ROWID")
  for _, p in ipairs(calibration.parameters) do
    self:run("INSERT INTO fit_parameters VALUES(?, ?, ?)", p.name, p.low, p.high)
  end
  for _, experiment in ipairs(calibration.experiments) do
    self:run("INSERT INTO fit_experiments VALUES(?, ?)", experiment.name, experiment.held_out and 1 or 0)
    for _, point in ipairs(experiment.points) do
      for m, measure in ipairs(experiment.measures) do
        local datum = point.data[m]
        if datum then
          self:run("INSERT INTO fit_data VALUES(?, ?, ?, ?, ?, ?)", experiment.name, point.name, measure.name,
            measure.unit or "", datum[1], datum[2])
        end
      end
    end
  end
end

local function difference(self, calibration)
  local known = {}
  for _, row in ipairs(self:run "SELECT key, value FROM calibration") do known[row[1]] = row[2] end
  for _, pair in ipairs(identity(calibration)) do
    if known[pair[1]] ~= nil and tostring(known[pair[1]]) ~= tostring(pair[2]) then
      return ("its %s is %s, and now %s"):format(pair[1], tostring(known[pair[1]]), tostring(pair[2]))
    end
    self:run("INSERT OR IGNORE INTO calibration VALUES(?, ?)", pair[1], pair[2])
  end
  for _, row in ipairs(self:run "SELECT path, digest FROM files") do
    if (host.digest(row[1]) or "-") ~= row[2] then return row[1] .. " has changed since" end
  end
end

local TEXT, NUMBER, WHOLE = database.TEXT, database.NUMBER, database.WHOLE

-- Raises when what a calibration goes on by is not there: programs of others write into such files, and copies are cut.
local function check(self)
  self:need("calibration", { "key" }, TEXT)
  self:need_columns("calibration", { "value" })
  self:need("files", { "path", "digest" }, TEXT)
  self:need("runs", { "run", "seed" }, WHOLE)
  self:need("runs", { "experiment", "point" }, TEXT)
  self:need_columns("runs", { "hash", "steps", "seconds", "error" })
  self:need("measured", { "run" }, WHOLE)
  self:need("measured", { "measure" }, TEXT)
  self:need("measured", { "value" }, NUMBER .. ", 'null'") -- null: it has none
end

-- Rows of others that a table lacks, or has too many of, by what is wrong with it.
local LOST = {
  ["'fit_experiments' has none that is fitted"] =
    "SELECT NOT EXISTS (SELECT 1 FROM fit_experiments WHERE held_out <> 1)",
  ["'fit_data' has data of no experiment"] =
    "SELECT count(*) FROM fit_data WHERE experiment NOT IN (SELECT name FROM fit_experiments)",
  ["'fit_evaluations' has profiles of no value"] =
    "SELECT count(*) FROM fit_evaluations WHERE phase LIKE 'profile %' AND held IS NULL",
  ["'fit_misfits' has misfits of no evaluation"] =
    "SELECT count(*) FROM fit_misfits WHERE evaluation NOT IN (SELECT evaluation FROM fit_evaluations)",
  ["'fit_misfits' lacks misfits of evaluations"] = "SELECT count(*) FROM fit_evaluations e, fit_experiments x "
    .. "WHERE held_out <> 1 AND NOT EXISTS (SELECT 1 FROM fit_misfits m WHERE m.evaluation = e.evaluation "
    .. "AND m.experiment = x.name)",
}

-- The same of what it is told by.
local function check_told(self)
  for _, key in ipairs { "version", "file" } do
    if not self:run("SELECT 1 FROM calibration WHERE key = ? AND typeof(value) = 'text'", key)[1] then
      self:damaged(("its table 'calibration' has no string '%s'"):format(key))
    end
  end
  self:need("fit_parameters", { "name" }, TEXT)
  self:need("fit_parameters", { "low", "high" }, NUMBER)
  self:need("fit_experiments", { "name" }, TEXT)
  self:need("fit_experiments", { "held_out" }, WHOLE)
  self:need("fit_data", { "experiment", "point", "measure", "unit" }, TEXT)
  self:need("fit_data", { "value", "tolerance" }, NUMBER)
  self:need("fit_evaluations", { "evaluation", "seed", "runs" }, WHOLE)
  self:need("fit_evaluations", { "phase" }, TEXT)
  self:need("fit_evaluations", { "held" }, NUMBER .. ", 'null'")
  self:need("fit_evaluations", { "misfit" }, NUMBER)
  self:need("fit_misfits", { "evaluation" }, WHOLE)
  self:need("fit_misfits", { "experiment" }, TEXT)
  self:need("fit_misfits", { "misfit" }, NUMBER)
  for _, row in ipairs(self:run "SELECT name FROM fit_parameters") do
    for _, name in ipairs { "runs", "fit_evaluations" } do self:need(name, row, NUMBER) end
  end
  for what, sql in pairs(LOST) do
    if self:run(sql)[1][1] > 0 then self:damaged("its table " .. what) end
  end
end

-- The file of a calibration, made or gone on with; `file`: the script that returned it.
function store.open(path, calibration, file)
  local self = database.open(path, store, true)
  self:run "BEGIN IMMEDIATE"
  local names = self:tables()
  if next(names) == nil then
    create(self, calibration)
  elseif not names.calibration then
    self:refuse "it is no calibration's"
  else
    check(self)
    for _, parameter in ipairs(calibration.parameters) do self:need("runs", { parameter.name }, NUMBER) end
    local other = difference(self, calibration)
    if other then self:refuse("it holds another calibration: " .. other) end
    self:run "DELETE FROM runs WHERE error IS NOT NULL" -- what failed is tried again
  end
  describe(self, calibration)
  self:run("INSERT OR REPLACE INTO calibration VALUES('file', ?)", file)
  self:run "COMMIT"
  return self
end

function store.is_at(path)
  local self = database.open(path, store, false)
  local is = self:tables().calibration ~= nil
  self:close()
  return is
end

function store.read(path)
  local self = database.open(path, store, false)
  check(self)
  check_told(self)
  return self
end

-- A run by what it is of.
function store.key(experiment, point, seed, values)
  local parts = { experiment, point, tostring(seed) }
  for i, value in ipairs(values) do parts[3 + i] = ("%.17g"):format(value) end
  return table.concat(parts, "|")
end

local function names_of(parameters)
  local names = {}
  for i, parameter in ipairs(parameters) do names[i] = quoted(parameter.name) end
  return table.concat(names, ", ")
end

-- The values of the runs that are there, by measure, by their keys; the last run's number; how many there are.
function store:known(parameters)
  local by_run, known, last = {}, {}, 0
  local rows = self:run("SELECT run, experiment, point, seed, " .. names_of(parameters) .. " FROM runs")
  for _, row in ipairs(rows) do
    local values = {}
    by_run[row[1]] = values
    known[store.key(row[2], row[3], row[4], { table.unpack(row, 5, 4 + #parameters) })] = values
    last = math.max(last, row[1])
  end
  for _, row in ipairs(self:run "SELECT run, measure, value FROM measured") do
    local values = by_run[row[1]]
    if values then values[row[2]] = row[3] end
  end
  return known, last, #rows
end

-- Puts runs and an evaluation in, all or none.
function store:add(runs, evaluation)
  self:run "BEGIN IMMEDIATE"
  for _, run in ipairs(runs) do
    self:run("INSERT INTO runs VALUES(?, ?, ?, ?, ?, ?, ?, ?" .. (", ?"):rep(#run.values_of_parameters) .. ")", run.run,
      run.experiment.name, run.point.name, run.seed, run.hash, run.steps, run.seconds, run.error,
      table.unpack(run.values_of_parameters))
    for name, value in pairs(run.measured or {}) do
      self:run("INSERT INTO measured VALUES(?, ?, ?)", run.run, name, value)
    end
    for path, digest in pairs(run.files or {}) do
      self:run("INSERT OR IGNORE INTO files VALUES(?, ?)", path, digest)
    end
  end
  if evaluation then
    self:run("INSERT INTO fit_evaluations VALUES(?, ?, ?, ?, ?, ?" .. (", ?"):rep(#evaluation.values) .. ")",
      evaluation.number, evaluation.phase, evaluation.held, evaluation.misfit, evaluation.seed, evaluation.runs,
      table.unpack(evaluation.values))
    for name, misfit in pairs(evaluation.misfits) do
      self:run("INSERT INTO fit_misfits VALUES(?, ?, ?)", evaluation.number, name, misfit)
    end
  end
  self:run "COMMIT"
end

return store
