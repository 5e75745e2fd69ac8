-- Checks of arguments, for what is written in Lua of the API.
local host = ...
local pairs = host.pairs -- in the order of keys

local function raise(...) host.raise(string.format(...)) end

local MOST = 1e9 -- of metres and seconds

-- A number from `least` (or `above` it) on.
function host.number(value, what, least, above)
  local known = type(value) == "number" and value >= least and value <= MOST
  if not known or (above and value == least) then
    raise("%s must be a number %s %g and <= %g, got %s", what, above and ">" or ">=", least, MOST, host.describe(value))
  end
  return value
end

-- Has scripts call the functions of the table by entries (bind_module.c).
function host.make_entries(functions)
  for name, value in pairs(functions) do
    if type(value) == "function" then functions[name] = host.entry(value) end
  end
end

-- What makes a value with these metamethods of a table of ours, and what gives that table back, nil for anything else.
local function keeper(metamethods)
  local held = setmetatable({}, { __mode = "k" })
  local function make(own)
    local value = setmetatable({}, metamethods)
    held[value] = own
    return value
  end
  return make, function(value) return held[value] end
end

-- Values of a kind that scripts hand on and cannot change.
function host.sealed(name, cure)
  return keeper {
    __name = name, __metatable = "throng." .. name,
    __newindex = function() raise("a %s stays as it was made: %s", name, cure) end,
  }
end

-- What scripts hold of something that goes on: fields that they read, and methods.
function host.handles(name, fields, methods)
  local readable = {}
  for _, field in ipairs(fields) do readable[field] = true end
  local make, own_of
  make, own_of = keeper {
    __name = name, __metatable = false,
    __index = function(value, field)
      if readable[field] then return own_of(value)[field] end
      return methods[field]
    end,
    __newindex = function(_, field) raise("%s.%s cannot be written", name, tostring(field)) end,
  }
  return make, own_of
end

function host.is_group(value) return type(value) == "userdata" and host.describe(value) == "a group" end

-- A number of a table of settings, within bounds; the default where there is none.
function host.setting(owner, settings, name, default, least, most)
  local value = settings[name]
  if value == nil then return default end
  if type(value) ~= "number" or not (value >= least and value <= most) then
    raise("%s: field '%s' must be a number from %g to %g, got %s", owner, name, least, most, host.describe(value))
  end
  return value
end

-- Each key of a table must be one of `names`. Of those that are not the first in order is told, whatever they are.
function host.check_names(owner, kind, given, names)
  local known, unknown = {}, nil
  for _, name in ipairs(names) do known[name] = true end
  for key in next, given do
    local name = tostring(key)
    if not known[key] and (not unknown or name < unknown) then unknown = name end
  end
  if unknown then host.unknown(owner, kind, unknown, names) end
end

-- The table of options, {} where none was given; each must be one of `names`.
function host.options_of(owner, options, names)
  if options == nil then return {} end
  if type(options) ~= "table" then
    raise("%s: expected a table like {%s = ...}, got %s", owner, names[1], host.describe(options))
  end
  host.check_names(owner, "field", options, names)
  return options
end

-- The keys of a table as a sorted list.
function host.names_of(list)
  local names = {}
  for name in pairs(list) do
    names[#names + 1] = tostring(name)
  end
  table.sort(names)
  return names
end
