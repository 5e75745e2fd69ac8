-- Quantities of a run by name, "last_arrival" or "max(density.hall)", for throng.study: read, and asked of a world.
local host = ...

local STATS = { -- of world:stats(), with units
  spawned = "people", living = "people", arrived = "people", first_arrival = "s", last_arrival = "s", mean_travel = "s",
  worst_travel = "s", overlaps = "pairs", conflicts = "pairs", closest = "", bodies = "", held = "", hidden = "",
  iterations = "", undefined = "", limited = "", outside = "people", time = "s",
}
local TABLES = { stuck = "times", conflicts_of = "pairs" } -- of world:stats() by a further name

local KINDS = { -- of measures: which field is meant without a function, and its unit
  flow = { field = "flow", unit = "1/s" },
  density = { field = "mean", unit = "1/m^2" },
  inside = { field = "now", unit = "people" },
  lanes = { field = "mean", unit = "" },
  speed = { field = "mean", unit = "m/s" },
  count = { field = "mean", unit = "people" },
  time_gap = { field = "mean", unit = "s" },
  travel_time = { field = "mean", unit = "s" },
  level_of_service = { field = "mean", unit = "" },
}

local FIELDS = { -- functions of measures
  max = "most", min = "least", mean = "mean", now = "now", first = "first", last = "last", count = "count",
  forth = "forth", back = "back",
}
local UNITS = { first = "s", last = "s", count = "people", forth = "people", back = "people" }

local quantity = {}

local function names()
  local list = {}
  for _, table in ipairs { STATS, TABLES, KINDS } do
    for name in host.pairs(table) do list[#list + 1] = name end
  end
  return list
end

-- The quantity that a text names: {name, unit, and what it is asked of}.
function quantity.read(text, what, owner)
  owner = owner or "throng.study"
  if type(text) ~= "string" then
    host.raise(("%s: a %s is a text like \"last_arrival\", got %s"):format(owner, what, host.describe(text)))
  end
  local reduce, inner = text:match "^%s*([%w_]+)%s*%((.*)%)%s*$"
  local plain = (inner or text):match "^%s*(.-)%s*$"
  local kind, name = plain:match "^([%w_]+)%.(.+)$"
  if reduce and not FIELDS[reduce] then host.unknown(owner, "function of a measure", reduce, host.names_of(FIELDS)) end
  if KINDS[kind] then
    local field = reduce and FIELDS[reduce] or KINDS[kind].field
    if not host.measure_has(kind, field) then
      host.raise(("%s: %s '%s': a measure of %s has no %s; give one without %s(...), or a function"):format(owner, what,
        text, kind, field, reduce))
    end
    return { name = text, unit = UNITS[field] or KINDS[kind].unit, kind = kind, measure = name, field = field }
  end
  if reduce then
    host.raise(("%s: %s '%s': %s is of measures, like %s(density.hall)"):format(owner, what, text, reduce, reduce))
  end
  if TABLES[kind] then return { name = text, unit = TABLES[kind], stat = kind, key = name } end
  if not STATS[plain] then host.unknown(owner, what, plain, names()) end
  return { name = text, unit = STATS[plain], stat = plain }
end

-- A statistic over runs of one of the measures: {percentile, or nil for the mean, measure = its number}.
function quantity.statistic(text, measures)
  local function number_of(name)
    for i, measure in ipairs(measures) do
      if measure.name == name then return i end
    end
  end
  local percentile, inner = text:match "^p(%d+%.?%d*)%((.*)%)$"
  if not percentile then inner = text:match "^median%((.*)%)$" end
  local at = number_of(text)
  if at then return { measure = at } end
  at = inner and number_of(inner) or number_of(text:match "^mean%((.*)%)$")
  local share = inner and tonumber(percentile or 50)
  if share and (share <= 0 or share >= 100) then
    host.raise(("throng.until_precise: field 'of': p%s: percentiles are between 0 and 100"):format(percentile))
  end
  if at then return { measure = at, percentile = share } end
  local list = {}
  for i, measure in ipairs(measures) do list[i] = measure.name end
  host.unknown("throng.until_precise", "measure in field 'of'", inner or text, list)
end

-- Its name, or that of the region or door that it is of.
local function name_of(measure)
  if measure.name ~= "" then return measure.name end
  return measure.place:match "'(.*)'$" or measure.place
end

local function measure_of(world, q)
  local named
  for _, measure in ipairs(world.measures) do
    if measure.kind == q.kind and name_of(measure) == q.measure then named = measure end
  end
  if named then return named end
  local list = {}
  for i, measure in ipairs(world.measures) do list[i] = ("%s.%s"):format(measure.kind, name_of(measure)) end
  error(("measure '%s': the scenario has none of that name; it has %s"):format(q.name,
    #list > 0 and table.concat(list, ", ") or "no world:measure at all"), 0)
end

-- Its value at the end of a run, nil: it has none.
function quantity.value(world, q)
  if q.call then
    local value = host.call_limited(q.call, world)
    if type(value) == "boolean" then return value and 1 or 0 end
    if value ~= nil and type(value) ~= "number" then
      error(("measure '%s' returned %s, no number"):format(q.name, host.describe(value)), 0)
    end
    return value
  end
  if q.kind then
    return measure_of(world, q)[q.field]
  end
  if q.stat == "time" then return world.time end
  if q.stat == "arrived" then return host.arrived(world) end -- the curve that all studies have
  local value = world:stats()[q.stat]
  if q.key then return value[q.key] or 0 end
  return value
end

-- What it is in this moment, for curves.
function quantity.now(world, q)
  if not q.kind then return quantity.value(world, q) end
  local measure = measure_of(world, q)
  if q.kind == "flow" then return measure.count end
  return measure.now
end

return quantity
