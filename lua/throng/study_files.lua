-- Files that `throng study` writes for others: pages and tables.
local host = ...

local files = {}

-- Results that took hours are not written over by a wrong name.
local function is_database(path)
  local file = io.open(path, "rb")
  local head = file and file:read(15)
  if file then file:close() end
  return head == "SQLite format 3"
end

function files.write(path, text)
  if is_database(path) then
    error(("cannot write '%s': it is a file of results; give another name"):format(path), 0)
  end
  host.write_file(path, text)
  io.stdout:write("  wrote  ", path, "\n")
end

function files.field(value)
  if value == nil then return "" end
  if math.type(value) == "float" then return ("%.17g"):format(value) end
  local text = tostring(value)
  return text:find '[",\r\n]' and '"' .. text:gsub('"', '""') .. '"' or text
end

-- A query's rows.
function files.csv(store, query)
  local rows, names = store:run(query)
  local lines = {}
  local function add(list)
    local fields = {}
    for i = 1, #names do fields[i] = files.field(list[i]) end
    lines[#lines + 1] = table.concat(fields, ",")
  end
  add(names)
  for _, row in ipairs(rows) do add(row) end
  return table.concat(lines, "\n") .. "\n"
end

return files
