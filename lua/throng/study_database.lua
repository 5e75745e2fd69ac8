-- A SQLite file that `throng study` keeps results in, whole after every write.
local host = ...

local file = {}
file.__index = file

function file.quoted(name) return '"' .. name:gsub('"', '""') .. '"' end

local function fail(path, problem)
  error(("cannot use '%s': %s"):format(path, tostring(problem)), 0)
end

function file:fail(problem) fail(self.path, problem) end

function file:refuse(problem) self:fail(problem .. "; give another file with --out, or remove this one") end

function file:damaged(what)
  error(("'%s' is damaged: %s; take a copy of it from before, or remove it and run the study again"):format(self.path,
    what), 0)
end

-- Every statement goes through here, so that what is wrong names the file; nothing is left half done then.
function file:run(sql, ...)
  local ok, rows, names = pcall(self.database.run, self.database, sql, ...)
  if not ok then
    pcall(self.database.run, self.database, "ROLLBACK") -- what is tried next begins anew
    self:fail(rows)
  end
  return rows, names
end

-- The rows of a query as one text, for comparing.
function file:listed(sql)
  local lines = {}
  for i, row in ipairs(self:run(sql)) do lines[i] = table.concat(row, " ") end
  return table.concat(lines, "\n")
end

-- The names of its tables, as keys.
function file:tables()
  local names = {}
  for _, row in ipairs(self:run "SELECT name FROM sqlite_master WHERE type = 'table'") do names[row[1]] = true end
  return names
end

-- Raises unless it has the table, with these columns.
function file:need_columns(name, columns)
  local there = {}
  for _, row in ipairs(self:run("SELECT name FROM pragma_table_info(?)", name)) do there[row[1]] = true end
  if not next(there) then self:damaged(("it has no table '%s'"):format(name)) end
  for _, column in ipairs(columns) do
    if not there[column] then self:damaged(("its table '%s' has no column '%s'"):format(name, column)) end
  end
end

-- Raises unless every row of the table has a value of one of these types in the column, like "'integer', 'null'".
function file:need_values(name, column, types)
  local bad = self:run(("SELECT count(*) FROM %s WHERE typeof(%s) NOT IN (%s)"):format(name, file.quoted(column),
    types))[1][1]
  if bad > 0 then
    self:damaged(("%d of the rows of its table '%s' have no '%s' that makes sense"):format(bad, name, column))
  end
end

file.TEXT, file.NUMBER, file.WHOLE = "'text'", "'integer', 'real'", "'integer'"

-- Both, of each of these columns.
function file:need(name, columns, types)
  self:need_columns(name, columns)
  for _, column in ipairs(columns) do self:need_values(name, column, types) end
end

-- Raises when a file that runs have read, {path = digest}, is not what it was for runs before.
function file:check_files(files)
  if not self.digests then
    self.digests = {}
    for _, row in ipairs(self:run "SELECT path, digest FROM files") do self.digests[row[1]] = row[2] end
  end
  for path, digest in pairs(files or {}) do
    if self.digests[path] and self.digests[path] ~= digest then
      error(("%s has changed while the study ran; its results are those of before"):format(path), 0)
    end
    self.digests[path] = digest
  end
end

function file:close() self.database:close() end

-- The file, with methods of `class`.
function file.open(path, class, writes)
  local ok, database = pcall(host.open_database, path, writes)
  if not ok then fail(path, database) end
  local self = setmetatable({ path = path, database = database }, class)
  if writes then self:run "PRAGMA synchronous=FULL" end
  return self
end

return file
