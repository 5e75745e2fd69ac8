-- The results of a study: one SQLite file, a row a run, which is whole after every write.
local host = ...

local database = host.library "study_database"(host)
local digests = host.library "study_digest"()
local quoted = database.quoted

local store = setmetatable({}, { __index = database })
store.__index = store

local function level_text(value)
  return type(value) == "string" and ("%q"):format(value) or tostring(value)
end

local function factor_text(factor)
  if factor.law then
    return ("%s, from %.6g to %.6g"):format(factor.law, host.quantile(factor.law, 0), host.quantile(factor.law, 1))
  end
  local texts = {}
  for i, level in ipairs(factor.levels) do texts[i] = level_text(level) end
  return table.concat(texts, ", ")
end

local QUANTILES = 1000

-- The text of a law names neither where it is cut off nor its numbers; "" of levels, whose text is all.
local function law_digest(factor)
  if not factor.law then return "" end
  local numbers = {}
  for i = 0, QUANTILES do numbers[i + 1] = ("%a"):format(host.quantile(factor.law, i / QUANTILES)) end
  return digests.of_text(table.concat(numbers, " "))
end

-- What must be the same for results to be of one study.
local function identity(study, version)
  local curves = {}
  for i, curve in ipairs(study.curves) do curves[i] = curve.name end
  return {
    { "version", version }, { "scenario", study.scenario }, { "design", study.design },
    { "points", study.design ~= "grid" and study.points or nil }, { "seed", study.seed }, { "every", study.every },
    { "list of curves", table.concat(curves, ", ") },
  }
end

local function create(self, study)
  local columns = { "run INTEGER PRIMARY KEY", "point INTEGER", "replicate INTEGER", "seed INTEGER" }
  for _, list in ipairs { study.factors, study.measures } do
    for _, one in ipairs(list) do columns[#columns + 1] = quoted(one.name) end
  end
  for _, rest in ipairs { "hash TEXT", "steps INTEGER", "seconds REAL", "ended TEXT", "error TEXT" } do
    columns[#columns + 1] = rest
  end
  self:run "CREATE TABLE study(key TEXT PRIMARY KEY, value)"
  self:run "CREATE TABLE factors(name TEXT PRIMARY KEY, kind TEXT, text TEXT, law TEXT)"
  self:run "CREATE TABLE measures(name TEXT PRIMARY KEY, unit TEXT, code TEXT)"
  self:run "CREATE TABLE files(path TEXT PRIMARY KEY, digest TEXT)"
  self:run("CREATE TABLE runs(" .. table.concat(columns, ", ") .. ")")
  self:run "CREATE TABLE curves(run INTEGER, name TEXT, every REAL, samples BLOB, PRIMARY KEY(run, name)) WITHOUT ROWID"
  for _, pair in ipairs(identity(study, host.version)) do
    self:run("INSERT INTO study VALUES(?, ?)", pair[1], pair[2])
  end
  for _, factor in ipairs(study.factors) do
    self:run("INSERT INTO factors VALUES(?, ?, ?, ?)", factor.name, factor.law and "law" or "levels",
      factor_text(factor), law_digest(factor))
  end
  for _, measure in ipairs(study.measures) do
    self:run("INSERT INTO measures VALUES(?, ?, ?)", measure.name, measure.unit or "", digests.of(measure.call))
  end
end

-- Why the file's results are of another study, nil: they are of this one.
local function difference(self, study)
  local known = {}
  for _, row in ipairs(self:run "SELECT key, value FROM study") do known[row[1]] = row[2] end
  for _, pair in ipairs(identity(study, host.version)) do
    if tostring(known[pair[1]]) ~= tostring(pair[2]) then
      return ("its %s is %s, and now %s"):format(pair[1], tostring(known[pair[1]]), tostring(pair[2]))
    end
  end
  local factors, measures = {}, {}
  for i, factor in ipairs(study.factors) do
    factors[i] = ("%s %s %s"):format(factor.name, factor_text(factor), law_digest(factor))
  end
  for i, measure in ipairs(study.measures) do measures[i] = measure.name end
  table.sort(measures)
  if self:listed("SELECT name, text, law FROM factors ORDER BY rowid") ~= table.concat(factors, "\n") then
    return "it has other factors"
  end
  if self:listed("SELECT name FROM measures ORDER BY name") ~= table.concat(measures, "\n") then
    return "it has other measures"
  end
  for _, measure in ipairs(study.measures) do
    local before = self:run("SELECT code FROM measures WHERE name = ?", measure.name)[1][1]
    if before ~= digests.of(measure.call) then
      return ("the function of measure '%s' was another"):format(measure.name)
    end
  end
  for _, row in ipairs(self:run "SELECT path, digest FROM files") do
    if (host.digest(row[1]) or "-") ~= row[2] then return row[1] .. " has changed since" end
  end
end

local TEXT, NUMBER, WHOLE = database.TEXT, database.NUMBER, database.WHOLE

local function names_in(self, name)
  local names = {}
  for i, row in ipairs(self:run("SELECT name FROM " .. name .. " ORDER BY rowid")) do names[i] = row[1] end
  return names
end

-- Keys that every study has; those of throng.until_precise come together.
local function check_keys(self)
  local keys = {}
  self:need("study", { "key" }, TEXT)
  self:need_columns("study", { "value" })
  for _, row in ipairs(self:run "SELECT key, value FROM study") do keys[row[1]] = row[2] end
  local function of_type(key, kind)
    if type(keys[key]) ~= kind then self:damaged(("its table 'study' has no %s '%s'"):format(kind, key)) end
  end
  for _, key in ipairs { "version", "scenario", "design" } do of_type(key, "string") end
  of_type("seed", "number")
  if keys.of ~= nil then
    of_type("of", "string")
    of_type("within", "number")
    of_type("confidence", "number")
  end
end

-- Raises when what results are told by is not there: programs of others write into such files, and copies are cut.
local function check(self)
  check_keys(self)
  self:need("factors", { "name", "kind", "text" }, TEXT)
  self:need("measures", { "name", "unit" }, TEXT)
  self:need("files", { "path", "digest" }, TEXT)
  self:need("runs", { "run", "point", "replicate", "seed" }, WHOLE)
  if self:run "SELECT count(*) FROM runs WHERE run < 1 OR point < 1 OR replicate < 1"[1][1] > 0 then
    self:damaged "its table 'runs' counts runs, points or replicates from less than 1"
  end
  self:need_columns("runs", { "hash", "error" })
  self:need("runs", names_in(self, "factors"), TEXT .. ", " .. NUMBER)
  local measures = names_in(self, "measures")
  self:need_columns("runs", measures)
  for _, measure in ipairs(measures) do self:need_values("runs", measure, NUMBER .. ", 'null'") end -- null: it has none
  self:need("curves", { "run", "every" }, NUMBER)
  self:need("curves", { "name" }, TEXT)
  self:need("curves", { "samples" }, "'blob'")
end

-- The file of a study's results, made or gone on with; `file`: the script that returned the study.
function store.open(path, study, file)
  local self = database.open(path, store, true)
  self:run "BEGIN IMMEDIATE"
  local names = self:tables()
  if next(names) == nil then
    create(self, study)
  elseif not (names.study and names.runs and names.files) then
    self:refuse "it is no file of `throng study`"
  else
    check(self)
    local other = difference(self, study)
    if other and self:run "SELECT count(*) FROM runs WHERE error IS NULL"[1][1] > 0 then
      self:refuse("it holds another study: " .. other)
    elseif other then -- nothing came of that one
      for name in pairs(names) do self:run("DROP TABLE " .. quoted(name)) end
      create(self, study)
    end
    self:run "DELETE FROM runs WHERE error IS NOT NULL" -- what failed is tried again
    self:run "DELETE FROM curves WHERE run NOT IN (SELECT run FROM runs)"
  end
  local runs = study.runs
  self:run("INSERT OR REPLACE INTO study VALUES('runs', ?)", type(runs) == "table" and runs.most or runs)
  for _, key in ipairs { "of", "within", "confidence" } do
    self:run("INSERT OR REPLACE INTO study VALUES(?, ?)", key, type(runs) == "table" and runs[key] or nil)
  end
  self:run("INSERT OR REPLACE INTO study VALUES('file', ?)", file)
  self:run "COMMIT"
  return self
end

-- To look at.
function store.read(path)
  local self = database.open(path, store, false)
  local names = self:tables()
  if not (names.study and names.runs) then self:fail "it is no file of `throng study`" end
  check(self)
  return self
end

-- Puts results in, all or none. Each has run, point, replicate, seed, levels (of factors) and what the worker said.
function store:add(study, results)
  local marks = ("?, "):rep(#study.factors + #study.measures + 8) .. "?"
  self:run "BEGIN IMMEDIATE"
  for _, result in ipairs(results) do
    local row = { result.run, result.point, result.replicate, result.seed }
    local at = #row
    for i = 1, #study.factors do
      local level = result.levels[i]
      row[at + i] = type(level) == "boolean" and tostring(level) or level -- SQLite would have 1 and 0
    end
    at = at + #study.factors
    for i = 1, #study.measures do row[at + i] = result.values and result.values[i] end
    at = at + #study.measures
    row[at + 1], row[at + 2], row[at + 3] = result.hash, result.steps, result.seconds
    row[at + 4], row[at + 5] = result.ended, result.error
    self:run("INSERT INTO runs VALUES(" .. marks .. ")", table.unpack(row, 1, at + 5))
    for i, samples in ipairs(result.curves or {}) do
      self:run("INSERT OR IGNORE INTO curves VALUES(?, ?, ?, CAST(? AS BLOB))", result.run, study.curves[i].name,
        result.every, samples)
    end
    for path, digest in pairs(result.files or {}) do
      self:run("INSERT OR IGNORE INTO files VALUES(?, ?)", path, digest)
    end
  end
  self:run "COMMIT"
end

-- The runs that are there, of `factors` and `measures` with names: {run =, point =, replicate =, seed =, hash =,
-- error =, levels = {}, values = {}}.
function store:rows(of)
  local names = { "run", "point", "replicate", "seed", "hash", "error" }
  local own = #names
  for _, list in ipairs { of.factors, of.measures } do
    for _, one in ipairs(list) do names[#names + 1] = quoted(one.name) end
  end
  local rows = self:run("SELECT " .. table.concat(names, ", ") .. " FROM runs ORDER BY run")
  for i, got in ipairs(rows) do
    local row = { levels = {}, values = {} }
    for j = 1, own do row[names[j]] = got[j] end
    for j = 1, #of.factors do row.levels[j] = got[own + j] end
    for m = 1, #of.measures do row.values[m] = got[own + #of.factors + m] end
    rows[i] = row
  end
  return rows
end

return store
