-- What is in the air, on a grid over the map: sampled from functions, or read from a file of cells.
local host = ...
local pairs = host.pairs -- in the order of keys

local csv = host.library "csv"(host)

local field = {}

local function raise(...) host.raise("world:smoke: " .. string.format(...)) end

-- ---- functions

-- Writes a moment of the layer that f(x, y, t, floor) gives at all points.
local function sample(world, points, layer, time, moment)
  local values = {}
  for i = 1, points do
    local x, y, floor, inside = host.air_point(world, i - 1)
    local value = layer.f(x, y, time, floor)
    if type(value) ~= "number" or value ~= value or math.abs(value) == math.huge then
      raise("field '%s': the function must return a finite number, at (%g, %g) and %g s it returned %s", layer.name,
        x, y, time, host.describe(value))
    end
    if not inside then -- nobody stands there, and it only helps to find what is between
      value = math.max(layer.least, math.min(value, layer.most))
    elseif value < layer.least or value > layer.most then
      raise("field '%s': the function returned %g at (%g, %g) and %g s; it must be from %g to %g", layer.name, value,
        x, y, time, layer.least, layer.most)
    end
    values[i] = value
  end
  host.air_write(world, moment, layer.index, values)
end

-- ---- files

-- The rows of a file of cells: { line =, each column = a number, floor = a name }, and the names of its columns.
local function read_rows(name, quantities)
  local path, rows, names, named = csv.read("world:smoke", name)
  local has = {}
  for _, column in ipairs(names) do
    if not ({ x = 1, y = 1, t = 1, floor = 1 })[column] and not quantities[column] then
      local known = host.names_of(quantities)
      table.move({ "floor", "t", "x", "y" }, 1, 4, #known + 1, known)
      host.unknown(("world:smoke: %s:%d"):format(path, named), "column", column, known)
    end
    has[column] = true
  end
  if not has.x or not has.y then raise("%s: the first line must name columns x and y, and quantities", path) end
  if #rows == 0 then raise("%s: there are no cells in it", path) end
  for _, row in ipairs(rows) do
    for column in pairs(has) do
      local quantity = quantities[column]
      local value = column == "floor" and row.floor or csv.number("world:smoke", path, row, column)
      if not value then raise("%s:%d: column '%s' must be a number, got \"\"", path, row.line, column) end
      if quantity and (value < quantity.least or value > quantity.most) then
        raise("%s:%d: column '%s' must be from %g to %g, got %g", path, row.line, column, quantity.least,
          quantity.most, value)
      end
      row[column] = value
    end
  end
  return rows, has, path
end

-- The least distance between different values, 0: they are all alike.
local function spacing(values)
  table.sort(values)
  local least = math.huge
  for i = 2, #values do
    local gap = values[i] - values[i - 1]
    if gap > 1e-6 then least = math.min(least, gap) end
  end
  return least < math.huge and least or 0
end

local function column_of(rows, name)
  local list = {}
  for i, row in ipairs(rows) do list[i] = row[name] end
  return list
end

-- Cells by time: functions of their quantities, f(x, y, t, floor), each the value of the cell that (x, y) is in, and
-- what is in clear air where there is none. They change linearly from one time of the file to the next.
local function of_rows(rows, has, quantities)
  local side = math.max(spacing(column_of(rows, "x")), spacing(column_of(rows, "y")))
  side = side > 0 and side or 1
  local times, cells = {}, {}
  local x0, y0 = rows[1].x, rows[1].y
  local function key(x, y, floor)
    return ("%d %d %s"):format(math.floor((x - x0) / side + 0.5), math.floor((y - y0) / side + 0.5), floor or "")
  end
  for _, row in ipairs(rows) do
    local time = row.t or 0
    if not cells[time] then
      times[#times + 1], cells[time] = time, {}
    end
    cells[time][key(row.x, row.y, row.floor)] = row
  end
  table.sort(times)
  local function at(time, x, y, floor, name)
    local row = cells[time][key(x, y, has.floor and floor)]
    return row and row[name] or quantities[name].clear
  end
  local functions = {}
  for name in pairs(quantities) do
    functions[name] = has[name] and function(x, y, t, floor)
      local before, after = times[1], times[#times]
      for _, time in ipairs(times) do
        if time <= t then before = time end
        if time >= t then
          after = time
          break
        end
      end
      local a = at(before, x, y, floor, name)
      if after <= before then return a end
      return a + (at(after, x, y, floor, name) - a) * (t - before) / (after - before)
    end or nil
  end
  return functions, { side = side, x = x0, y = y0 }, #times > 1
end

-- A file of cells as functions by quantity; the side of its cells, the middle of one, and by the floors that it names
-- the line; does it change?
function field.read(name, quantities)
  local rows, has, path = read_rows(name, quantities)
  local functions, cells, changes = of_rows(rows, has, quantities)
  cells.floors = {}
  for _, row in ipairs(rows) do
    local floor = row.floor
    if floor and floor ~= "" then cells.floors[floor] = cells.floors[floor] or ("%s:%d"):format(path, row.line) end
  end
  return functions, cells, changes
end

-- ---- the grid

-- The floors and flights that a file names are the world's.
local function check_floors(world, points, named)
  local known, names = {}, {}
  for i = 1, points do
    local _, _, floor = host.air_point(world, i - 1)
    if floor and not known[floor] then known[floor], names[#names + 1] = true, floor end
  end
  for floor, line in pairs(named) do
    if #names == 0 then raise("%s: column 'floor' is for buildings, and the world has no floors", line) end
    if not known[floor] then host.unknown("world:smoke: " .. line, "floor", floor, names) end
  end
end

-- The layers { name =, f =, index =, least =, most =, changes = } on points `cell` m apart; those that change are
-- sampled every `every` s. Of the file's `cells`, one of the points would be at their (x, y). Calls of the result bring
-- them up to a time.
function field.make(world, layers, cell, every, cells)
  local points, changes = host.air_make(world, cell, #layers, cells.x, cells.y), false
  if cells.floors and next(cells.floors) ~= nil then check_floors(world, points, cells.floors) end
  for _, layer in ipairs(layers) do
    changes = changes or layer.changes
    sample(world, points, layer, world.time, 0)
    if not layer.changes then sample(world, points, layer, world.time, 1) end
  end
  local at
  local function bring_to(time)
    local period = math.floor(time / every + 1e-6)
    if not changes or period == at then return end
    if period == (at or -2) + 1 then host.air_advance(world) end
    for _, layer in ipairs(layers) do
      if layer.changes then
        if period ~= (at or -2) + 1 then sample(world, points, layer, period * every, 0) end
        sample(world, points, layer, (period + 1) * every, 1)
      end
    end
    host.air_time(world, period * every, every)
    at = period
  end
  bring_to(world.time)
  return bring_to, changes
end

return field
