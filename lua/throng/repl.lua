-- throng repl: evaluates lines and prints their values. Called with the host's functions for it, the environment of the
-- lines, and the scenario's world or nil; returns the function that takes a line.
local host, environment, world = ...

local SHOWN = 10 -- agents of a group, values of a column, lines of a table

local HELP = [[
A line is an expression, whose value is printed, or a statement. `x = 1` is there in later lines, `local x = 1` is not.
  step(), step(100)       one step of the world, or so many
  world, world.groups     the scenario's world; its groups are there by their names, too
  guests                  a group: its first agents; guests.speed is a column, guests[3] one agent
  guests.speed = 2        what a script may write, a line may
  throng                  the whole API: throng.world, throng.box, ...; Tab completes names
  help "spawn"            what a name of the API is
Ctrl-C ends a line that does not come back, Ctrl-D ends all.
]]

-- ---- values as text

local show

local function is_name(key) return type(key) == "string" and key:find "^[%a_][%w_]*$" end

local function keys_of(list)
  local keys = {}
  for key in pairs(list) do keys[#keys + 1] = key end
  table.sort(keys, function(a, b)
    if type(a) == type(b) and (type(a) == "number" or type(a) == "string") then return a < b end
    return type(a) < type(b)
  end)
  return keys
end

local function show_table(list, depth)
  local parts, keys = {}, keys_of(list)
  if #keys == 0 then return "{}" end
  if depth > 2 then return "{...}" end
  for i = 1, math.min(#keys, 2 * SHOWN) do
    local key, text = keys[i], show(list[keys[i]], depth + 1)
    if key == i then
      parts[i] = text
    else
      parts[i] = (is_name(key) and "%s = %s" or "[%s] = %s"):format(is_name(key) and key or show(key, 3), text)
    end
  end
  if #keys > #parts then parts[#parts + 1] = ("... %d more"):format(#keys - #parts) end
  local line = "{ " .. table.concat(parts, ", ") .. " }"
  if #line <= 100 then return line end
  local indent = ("  "):rep(depth)
  return "{\n" .. indent .. table.concat(parts, ",\n" .. indent) .. "\n" .. ("  "):rep(depth - 1) .. "}"
end

local function number_text(value)
  return math.type(value) == "integer" and ("%d"):format(value) or ("%.6g"):format(value)
end

local function show_column(column)
  local list, parts = column:list(), {}
  if #list == 0 then return tostring(column) end
  for i = 1, math.min(#list, SHOWN) do parts[i] = number_text(list[i]) end
  local more = #list > SHOWN and (" ... %d more"):format(#list - SHOWN) or ""
  return ("%s: %s%s\nleast %s, mean %s, greatest %s"):format(column, table.concat(parts, " "), more,
    number_text(column:min()), number_text(column:mean()), number_text(column:max()))
end

local COLUMNS = { "id", "x", "y", "vx", "vy", "speed", "radius", "arrived" }

local function show_group(group)
  local lines, row, columns = { tostring(group) }, {}, {}
  if group.count == 0 then return lines[1] end
  for i, name in ipairs(COLUMNS) do
    columns[i], row[i] = group[name]:list(), ("%8s"):format(name)
  end
  lines[2] = table.concat(row, " ")
  for agent = 1, math.min(group.count, SHOWN) do
    for i in ipairs(COLUMNS) do row[i] = ("%8s"):format(number_text(columns[i][agent])) end
    lines[#lines + 1] = table.concat(row, " ")
  end
  if group.count > SHOWN then lines[#lines + 1] = ("%8s %d more"):format("...", group.count - SHOWN) end
  return table.concat(lines, "\n")
end

local function show_world(value)
  local names = keys_of(value.groups)
  return ("%s\ngroups: %s"):format(value, #names > 0 and table.concat(names, ", ") or "none")
end

local function kind_of(value)
  local text = tostring(value)
  return text:find "^world of" and "world" or text:find "^group '" and "group" or text:find "%d values" and "column"
end

function show(value, depth)
  if type(value) == "string" then return ("%q"):format(value) end
  if type(value) == "number" then return number_text(value) end
  if type(value) == "table" and not (getmetatable(value) or {}).__tostring then return show_table(value, depth) end
  if type(value) == "userdata" and depth == 1 then
    local kind = kind_of(value)
    if kind == "world" then return show_world(value) end
    if kind == "group" then return show_group(value) end
    if kind == "column" then return show_column(value) end
  end
  return environment.tostring(value)
end

local function print_values(...)
  local parts = table.pack(...)
  for i = 1, parts.n do parts[i] = show(parts[i], 1) end
  if parts.n > 0 then host.write(table.concat(parts, "\t") .. "\n") end
end

-- ---- what lines find

local function current()
  local value = rawget(environment, "world")
  if type(value) ~= "userdata" then
    error("there is no world yet: world = throng.world {}, or begin with `throng repl SCENARIO.lua`", 0)
  end
  return value
end

local function step(count)
  local value = current()
  if count ~= nil and (math.type(count) ~= "integer" or count < 0) then
    error("step: expected a number of steps", 0)
  end
  for _ = 1, count or 1 do
    value:step()
    if host.interrupted() then break end
  end
  host.write(("%s, step %d\n"):format(value, value.steps))
end

local function help(name)
  if name == nil then
    host.write(HELP)
  else
    host.help(host.write, tostring(name))
  end
end

local warn = (getmetatable(environment) or {}).__index
local function find(self, name)
  local value = rawget(self, "world")
  local group = type(value) == "userdata" and rawget(value.groups, name)
  return group or warn and warn(self, name)
end

rawset(environment, "step", step)
rawset(environment, "help", help)
rawset(environment, "world", world)
if rawget(environment, "throng") == nil then rawset(environment, "throng", environment.require "throng") end
setmetatable(environment, { __index = find }) -- globals of lines are declared by being set

-- ---- completion

local function names_of(value)
  if type(value) == "string" then value = environment.string end
  if type(value) == "table" then return keys_of(value) end
  return type(value) == "userdata" and host.names(value) or {}
end

-- What the word before the last . or : is.
local function owner_of(path)
  local value = environment
  for name in path:gmatch "[%a_][%w_]*" do
    local ok, found = pcall(function() return value[name] end)
    if not ok or found == nil then return nil end
    value = found
  end
  return value
end

host.completer(function(text)
  local path, mark, start = text:match "^(.*)([.:])([%w_]*)$"
  local found, names = {}, path and names_of(owner_of(path)) or keys_of(environment)
  if not path then
    start = text
    local value = rawget(environment, "world")
    for name in pairs(type(value) == "userdata" and value.groups or {}) do names[#names + 1] = name end
  end
  for _, name in ipairs(names) do
    if is_name(name) and name:sub(1, #start) == start then
      found[#found + 1] = (path and path .. mark or "") .. name
    end
  end
  return found
end)

-- ---- lines

local load = environment.load

local function compile(text)
  local chunk, problem = load("return " .. text, "=line", "t", environment)
  if chunk then return chunk end
  local statement, other = load(text, "=line", "t", environment)
  return statement, problem:find "<eof>$" and problem or other
end

local function complain(problem)
  host.failed()
  host.write(problem .. "\n")
end

local function finish(ok, ...)
  if not ok then
    local problem = (...):gsub("\nstack:\n  line:%d+: in the main chunk$", "")
    complain(problem)
    return
  end
  local shown, problem = host.run(print_values, ...)
  if not shown then complain(problem) end
end

local begun -- lines that are no whole statement yet

-- Evaluates a line; true: it goes on in the next. nil: there is no next.
local function take(line)
  local text = begun and line and begun .. "\n" .. line or line or begun
  begun = nil
  if not text then return false end
  local chunk, problem = compile(text)
  if line and not chunk and problem:find "<eof>$" then
    begun = text
    return true
  end
  if not chunk then
    complain(problem)
  elseif text:find "^%s*help%s*$" then
    help()
  else
    finish(host.run(chunk))
  end
  return false
end

return take
