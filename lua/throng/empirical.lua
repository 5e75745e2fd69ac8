-- throng.empirical: numbers distributed like measured ones, from a list or a column of a CSV file.
local host = ...

local csv = host.library "csv"(host)

local OWNER = "throng.empirical"

local function raise(...) host.raise(OWNER .. ": " .. string.format(...)) end

-- The numbers of a column of the file, by default its only one.
local function column_of(file, column)
  local path, rows, names, named = csv.read(OWNER, file)
  if column == nil and #names ~= 1 then
    raise("%s:%d has %d columns: say which, one of: %s", path, named, #names, table.concat(names, ", "))
  end
  column = column or names[1]
  local known = false
  for _, name in ipairs(names) do known = known or name == column end
  if not known then host.unknown(OWNER, "column", tostring(column), names) end
  local values = {}
  for _, row in ipairs(rows) do values[#values + 1] = csv.number(OWNER, path, row, column) end
  if #values < 2 then raise("column '%s' of %s has %d numbers, must be two or more", column, path, #values) end
  return values
end

--- throng.empirical(values, column)
--- Numbers distributed like measured ones, of equal weight: interpolated linearly between neighbours in the sorted
--- list. The least and the greatest are the list's.
--- @param values number(any)[]|string What was measured, two numbers or more, in any order; or a CSV file of them,
--- beside the script, whose first line names its columns.
--- @param column? string Of the file; not needed where it has one. Empty cells are passed over.
--- @return throng.sampler
--- @error less than two numbers; a file without the column, or with something else than numbers in it
--- @example
--- world:spawn { count = 20, where = "left", pre_movement = throng.empirical { 12, 18, 25, 31, 60, 140 } } -- s
--- world:spawn { count = 5, where = "right", speed = throng.empirical("tests/data/measured.csv", "speed") } -- m/s
return function(values, column)
  if type(values) == "string" then return host.empirical(column_of(values, column)) end
  if column ~= nil then raise("only a file has columns, got '%s'", tostring(column)) end
  return host.empirical(values)
end
