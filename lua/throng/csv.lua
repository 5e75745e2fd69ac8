-- Tables in text files, comma-separated; the first line that is not empty names the columns.
local host = ...

local csv = {}

local function split(line)
  local parts = {}
  line = line:gsub('"[^"]*"', function(quoted) return (quoted:gsub(",", "\0")) end) -- those that end no field
  for part in (line .. ","):gmatch "%s*([^,]-)%s*," do
    part = part:gsub("\0", ",")
    parts[#parts + 1] = (part:match '^"(.*)"$' or part):gsub('""', '"')
  end
  return parts
end

-- A number of a row, nil: there is none; what else is there is raised.
function csv.number(owner, path, row, name)
  local text = row[name]
  if text == nil or text == "" then return nil end
  local value = tonumber(text)
  if not value or value ~= value or math.abs(value) > 1e9 then
    host.raise(("%s: %s:%d: column '%s' must be a number, got \"%s\""):format(owner, path, row.line, name, text))
  end
  return value
end

-- The file that a script names: its path, its rows {line =, each column = a text}, the names of its columns and their
-- line.
function csv.read(owner, name)
  local path, text = host.read_named(owner, name)
  text = text:gsub("^\xEF\xBB\xBF", "") -- by which some programs mark UTF-8
  local names, named, rows, number = nil, 1, {}, 0
  for line in (text .. "\n"):gmatch "(.-)\r?\n" do
    number = number + 1
    if line:find "%S" and not names then
      names, named = split(line), number
      if #names == 1 and line:find "[;\t]" then
        host.raise(("%s: %s:%d: columns must be separated by commas, and numbers have points: width,flow"):format(owner,
          path, number))
      end
    elseif line:find "%S" then
      local row, parts = { line = number }, split(line)
      if #parts ~= #names then
        host.raise(("%s: %s:%d: %d columns, not %d as in the first line"):format(owner, path, number, #parts, #names))
      end
      for i, column in ipairs(names) do row[column] = parts[i] end
      rows[#rows + 1] = row
    end
  end
  return path, rows, names or {}, named
end

return csv
