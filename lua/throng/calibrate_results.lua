-- What a calibration's file holds, for the text and the page that tell it.
local statistics = ...

local CONFIDENCE = 0.95

local results = {}

local function values_at(row, from, count) return { table.unpack(row, from, from + count - 1) } end

local function evaluations_of(store, names)
  local quoted = {}
  for i, name in ipairs(names) do quoted[i] = store.quoted(name) end
  local list, by_number = {}, {}
  for i, row in ipairs(store:run("SELECT evaluation, phase, held, misfit, seed, runs, " .. table.concat(quoted, ", ")
    .. " FROM fit_evaluations ORDER BY evaluation")) do
    list[i] = { number = row[1], phase = row[2], held = row[3], misfit = row[4], seed = row[5], runs = row[6],
      values = values_at(row, 7, #names), misfits = {} }
    by_number[row[1]] = list[i]
  end
  for _, row in ipairs(store:run "SELECT evaluation, experiment, misfit FROM fit_misfits") do
    local misfits = by_number[row[1]].misfits
    misfits[row[2]] = row[3]
  end
  return list
end

-- The runs' values of a datum with an evaluation's parameters.
local function measured(store, data, datum, evaluation)
  local where, values = {}, {}
  for i, parameter in ipairs(data.parameters) do where[i] = "r." .. store.quoted(parameter.name) .. " = ?" end
  for _, row in ipairs(store:run("SELECT m.value FROM runs r JOIN measured m ON m.run = r.run WHERE r.experiment = ? "
    .. "AND r.point = ? AND m.measure = ? AND r.seed >= ? AND r.seed < ? AND " .. table.concat(where, " AND ")
    .. " ORDER BY r.seed", datum.experiment, datum.point, datum.measure, evaluation.seed,
    evaluation.seed + evaluation.runs, table.unpack(evaluation.values))) do
    values[#values + 1] = row[1]
  end
  return values
end

-- The least misfits by value held of a parameter's profile.
local function profile_of(data, parameter)
  local by_value, list = {}, {}
  for _, evaluation in ipairs(data.evaluations) do
    if evaluation.phase == "profile " .. parameter.name then
      local one = by_value[evaluation.held]
      if not one then
        one = { value = evaluation.held, misfit = math.huge }
        by_value[evaluation.held], list[#list + 1] = one, one
      end
      one.misfit = math.min(one.misfit, evaluation.misfit)
    end
  end
  table.sort(list, function(a, b) return a.value < b.value end)
  return list
end

-- A profile as a line through the best.
local function line_of(profile, best)
  local list = { best }
  for _, one in ipairs(profile) do
    if one.value ~= best.value then list[#list + 1] = one end
  end
  table.sort(list, function(a, b) return a.value < b.value end)
  return list
end

-- Where that line is at most the limit around the best: from, to.
local function within(list, best, limit)
  local at
  for i, one in ipairs(list) do at = one == best and i or at end
  local function edge(step)
    local i = at
    while list[i + step] and list[i + step].misfit <= limit do i = i + step end
    local a, b = list[i], list[i + step]
    return b and a.value + (b.value - a.value) * (limit - a.misfit) / (b.misfit - a.misfit) or a.value
  end
  return edge(-1), edge(1)
end

-- Those that nobody beats in all experiments that are fitted.
local function front_of(data)
  local front = {}
  local function beats(a, b)
    local better = false
    for _, experiment in ipairs(data.fitted) do
      local x, y = a.misfits[experiment.name], b.misfits[experiment.name]
      if x > y then return false end
      better = better or x < y
    end
    return better
  end
  local seen = {}
  for _, one in ipairs(data.evaluations) do
    local beaten, key = one.phase == "verified", table.concat(one.values, " ")
    for _, other in ipairs(data.evaluations) do
      beaten = beaten or (other.phase ~= "verified" and beats(other, one))
    end
    if not beaten and not seen[key] then front[#front + 1], seen[key] = one, true end
  end
  local first = data.fitted[1].name
  table.sort(front, function(a, b) return a.misfits[first] < b.misfits[first] end)
  return front
end

function results.read(store)
  local keys = {}
  for _, row in ipairs(store:run "SELECT key, value FROM calibration") do keys[row[1]] = row[2] end
  local data = { path = store.path, file = keys.file, version = keys.version, parameters = {},
    experiments = {}, fitted = {}, data = {} }
  local names = {}
  for i, row in ipairs(store:run "SELECT name, low, high FROM fit_parameters ORDER BY rowid") do
    data.parameters[i], names[i] = { name = row[1], low = row[2], high = row[3] }, row[1]
  end
  for i, row in ipairs(store:run "SELECT name, held_out FROM fit_experiments ORDER BY rowid") do
    data.experiments[i] = { name = row[1], held_out = row[2] == 1, data = {} }
    data.experiments[row[1]] = data.experiments[i]
    if row[2] ~= 1 then data.fitted[#data.fitted + 1] = data.experiments[i] end
  end
  data.evaluations = evaluations_of(store, names)
  data.runs = store:run "SELECT count(*) FROM runs"[1][1]
  for _, one in ipairs(data.evaluations) do
    if one.phase == "verified" then
      data.verified = one
    elseif not data.best or one.misfit < data.best.misfit then
      data.best = one
    end
  end
  local shown = data.verified or data.best
  for _, row in ipairs(store:run "SELECT experiment, point, measure, unit, value, tolerance FROM fit_data") do
    local datum = { experiment = row[1], point = row[2], measure = row[3], unit = row[4], value = row[5],
      tolerance = row[6] }
    local values = shown and measured(store, data, datum, shown) or {}
    if #values > 0 then
      datum.mean = statistics.mean(values)
      datum.from, datum.to = statistics.interval_of_mean(values, CONFIDENCE)
    end
    table.insert(data.experiments[datum.experiment].data, datum)
  end
  if data.best then
    -- "As good": within the tolerances where the best is, and a tenth worse where it is not.
    data.limit = math.max(1, 1.1 * data.best.misfit)
    for j, parameter in ipairs(data.parameters) do
      parameter.value = data.best.values[j]
      parameter.profile = profile_of(data, parameter)
      if #parameter.profile > 1 then
        local best = { value = parameter.value, misfit = data.best.misfit }
        parameter.line = line_of(parameter.profile, best)
        parameter.from, parameter.to = within(parameter.line, best, data.limit)
      end
    end
    data.front = #data.fitted > 1 and front_of(data) or {}
  end
  return data
end

-- Is it as far as it may be, or nearer?
function results.holds(datum) return datum.mean ~= nil and math.abs(datum.mean - datum.value) <= datum.tolerance end

return results
