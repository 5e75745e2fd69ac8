-- What FDS, the Fire Dynamics Simulator, has computed, as functions of place and time: the horizontal slices that the
-- Smokeview file of a run (.smv) names.
local host, quantities = ...
local pairs = host.pairs -- in the order of keys

local fds = {}

local function raise(...) host.raise("world:smoke: " .. string.format(...)) end

local LETTERS = 30 -- of names: FDS cuts off the rest

-- By FDS' names: ours, and what a value of theirs is in our units. A visibility of 30 m is FDS' greatest: clear air.
local function times(factor)
  return function(value) return value * factor end
end

local KNOWN = {
  ["EXTINCTION COEFFICIENT"] = { "extinction", times(1) },
  ["SOOT EXTINCTION COEFFICIENT"] = { "extinction", times(1) },
  ["SOOT OPTICAL DENSITY"] = { "extinction", times(math.log(10)) },
  ["OPTICAL DENSITY"] = { "extinction", times(math.log(10)) },
  ["SOOT VISIBILITY"] = { "extinction", function(value) return value < 29.99 and 3 / math.max(value, 0.003) or 0 end },
  ["TEMPERATURE"] = { "temperature", times(1) },
  ["CARBON DIOXIDE VOLUME FRACTION"] = { "co2", times(100) }, -- 30 letters
  ["OXYGEN VOLUME FRACTION"] = { "o2", times(100) },
}
KNOWN["VISIBILITY"] = KNOWN["SOOT VISIBILITY"]
for theirs, ours in pairs {
  ["CARBON MONOXIDE"] = "co", ["HYDROGEN CYANIDE"] = "hcn", ["NITRIC OXIDE"] = "no", ["NITROGEN DIOXIDE"] = "no2",
  ["HYDROGEN CHLORIDE"] = "hcl", ["HYDROGEN BROMIDE"] = "hbr", ["HYDROGEN FLUORIDE"] = "hf",
  ["SULFUR DIOXIDE"] = "so2", ["ACROLEIN"] = "acrolein", ["FORMALDEHYDE"] = "formaldehyde",
} do
  KNOWN[(theirs .. " VOLUME FRACTION"):sub(1, LETTERS)] = { ours, times(1e6) }
end

-- ---- the Smokeview file

local function lines_of(text)
  local lines = {}
  for line in (text .. "\n"):gmatch "(.-)\r?\n" do lines[#lines + 1] = line:match "^%s*(.-)%s*$" end
  return lines
end

-- Lines `at + 1` and on: how many lines of notes, those, then "node coordinate" for each node from 0 on.
local function read_axis(path, lines, at, count)
  local notes = math.tointeger(tonumber(lines[at + 1] or "")) or 0
  local list = {}
  for node = 0, count do
    local number = at + 2 + notes + node
    local value = tonumber((lines[number] or ""):match "^%d+%s+(%S+)$" or "")
    if not value or math.abs(value) > 1e6 or list[node] and value <= list[node] then
      raise("%s:%d: expected node %d of a mesh and its coordinate, like \"%d 0.25\"", path, number, node, node)
    end
    list[#list + 1] = value
  end
  return list
end

local function read_meshes(path, lines)
  local meshes, mesh = {}, nil
  local axes = { TRNX = "x", TRNY = "y", TRNZ = "z" }
  for at, line in ipairs(lines) do
    if line:find "^GRID%f[%s\0]" then
      local x, y, z = (lines[at + 1] or ""):match "^(%d+)%s+(%d+)%s+(%d+)"
      if not x or #x + #y + #z > 15 then raise("%s:%d: expected how many cells a mesh has", path, at + 1) end
      mesh = { x = tonumber(x), y = tonumber(y), z = tonumber(z) }
      meshes[#meshes + 1] = { cells = mesh }
    elseif axes[line] then
      if not mesh then raise("%s:%d: coordinates of no mesh", path, at) end
      meshes[#meshes][axes[line]] = read_axis(path, lines, at, mesh[axes[line]])
    end
  end
  for number, one in ipairs(meshes) do
    if not one.x or not one.y or not one.z then raise("%s: mesh %d has no coordinates", path, number) end
  end
  return meshes
end

-- Those of node values: the mesh, and the file's and the quantity's names.
local function read_entries(path, lines, meshes)
  local entries = {}
  for at, line in ipairs(lines) do
    local number = line:match "^SLCF%s+(%d+)"
    if number then
      local mesh = meshes[tonumber(number)]
      if not mesh then raise("%s:%d: there is no mesh %s", path, at, number) end
      entries[#entries + 1] = { line = at, mesh = mesh, file = lines[at + 1] or "",
        quantity = (lines[at + 2] or ""):sub(1, LETTERS) }
    end
  end
  return entries
end

-- ---- slices

local function part_of(list, first, last) return table.move(list, first + 1, last + 1, 1, {}) end

-- A horizontal slice, with its nodes' coordinates; nil: it stands upright.
local function open(path, entry, folder)
  local slice, about = host.fds_slice("world:smoke", folder .. entry.file)
  local mesh = entry.mesh
  if about.i2 >= #mesh.x or about.j2 >= #mesh.y or about.k2 >= #mesh.z then
    raise("%s:%d: '%s' has more nodes than its mesh", path, entry.line, entry.file)
  end
  if about.k1 ~= about.k2 or about.i1 == about.i2 or about.j1 == about.j2 then return nil end
  return { slice = slice, x = part_of(mesh.x, about.i1, about.i2), y = part_of(mesh.y, about.j1, about.j2),
    z = mesh.z[about.k1 + 1] }
end

-- The values at a time, which is asked for at all points one after the other.
local function values_at(piece, time)
  if piece.time ~= time then piece.time, piece.values = time, host.fds_values(piece.slice, time) end
  return piece.values
end

-- The last node that is not beyond `value`, but for the very last; and how far it is to the next.
local function node_before(list, value)
  local low, high = 1, #list - 1
  while low < high do
    local middle = (low + high + 1) // 2
    if list[middle] <= value then low = middle else high = middle - 1 end
  end
  return low, (value - list[low]) / (list[low + 1] - list[low])
end

local function value_in(piece, x, y, time)
  local i, u = node_before(piece.x, x)
  local j, v = node_before(piece.y, y)
  local values, columns = values_at(piece, time), #piece.x
  local at = (j - 1) * columns + i
  local low = values[at] + u * (values[at + 1] - values[at])
  local high = values[at + columns] + u * (values[at + columns + 1] - values[at + columns])
  return low + v * (high - low)
end

local FAR = 1.5 -- m: a slice that is so much higher or lower is of another floor

-- The slice over a place that is nearest to a height; nil: there is none.
local function piece_at(pieces, x, y, height)
  local best, away
  for _, piece in ipairs(pieces) do
    local inside = x >= piece.x[1] and x <= piece.x[#piece.x] and y >= piece.y[1] and y <= piece.y[#piece.y]
    local off = math.abs(piece.z - height)
    if inside and off <= FAR and (not away or off < away) then best, away = piece, off end
  end
  return best
end

-- Functions by quantity, f(x, y, t, floor), of a Smokeview file that the script names, at so many metres over the
-- floors { name =, z = } of the world; the cells' side, and a node.
function fds.read(name, height, floors)
  local path, text = host.read_named("world:smoke", name)
  local lines = lines_of(text)
  local entries, pieces, cells, others = read_entries(path, lines, read_meshes(path, lines)), {}, nil, {}
  local from, base = {}, {}
  for _, floor in ipairs(floors) do
    if floor.z then base[floor.name] = floor.z end
  end
  for _, entry in ipairs(entries) do
    local known = KNOWN[entry.quantity]
    local ours = known and known[1]
    others[entry.quantity] = not known or nil
    if known and (from[ours] or entry.quantity) == entry.quantity then
      local piece = open(path, entry, name:match "^(.*/)" or "")
      if piece then
        from[ours], pieces[ours] = entry.quantity, pieces[ours] or {}
        piece.convert = known[2]
        table.insert(pieces[ours], piece)
        cells = cells or { side = piece.x[2] - piece.x[1], x = piece.x[1], y = piece.y[1] }
      end
    end
  end
  if not cells then
    local has = next(others) and ", but of " .. table.concat(host.names_of(others), ", ") or ""
    raise("%s: it names no horizontal slice of smoke, gases or heat%s; write some by &SLCF PBZ=1.8, QUANTITY="
      .. "'EXTINCTION COEFFICIENT'/ and the like", path, has)
  end
  local functions = {}
  for ours, list in pairs(pieces) do
    local range = quantities[ours]
    functions[ours] = function(x, y, t, floor)
      local piece = piece_at(list, x, y, height + (base[floor] or 0))
      if not piece then return range.clear end
      return math.max(range.least, math.min(piece.convert(value_in(piece, x, y, t)), range.most))
    end
  end
  return functions, cells, true
end

return fds
