-- What a study's file holds, by points, and what follows from it: for the text and the page that tell it.
local statistics = ...

local results = {}

local CONFIDENCE = 0.95

-- ---- reading

local LONG = 160

-- The levels of a factor, or its law, on one line; of a long list its beginning.
local function shortened(text)
  text = text:gsub("%c", " ")
  return #text > LONG and (text:sub(1, LONG):match "^.*, " or "") .. "..." or text
end

local function keys_of(store)
  local keys = {}
  for _, row in ipairs(store:run "SELECT key, value FROM study") do keys[row[1]] = row[2] end
  return keys
end

-- Points in their order, each with its runs and the levels that all of these share.
local function points_of(data)
  local by_point, points = {}, {}
  for _, row in ipairs(data.rows) do
    local point = by_point[row.point]
    if not point then
      point = { number = row.point, levels = row.levels, rows = {} }
      by_point[row.point] = point
      points[#points + 1] = point
    end
    point.rows[#point.rows + 1] = row
  end
  table.sort(points, function(a, b) return a.number < b.number end)
  return points, by_point
end

function results.read(store)
  local keys = keys_of(store)
  local data = {
    path = store.path, file = keys.file, scenario = keys.scenario, design = keys.design, factors = {}, measures = {},
    failed = 0,
    of = keys.of, within = keys.within, confidence = keys.confidence or CONFIDENCE, version = keys.version,
    seed = keys.seed,
  }
  for i, row in ipairs(store:run "SELECT name, kind, text FROM factors ORDER BY rowid") do
    data.factors[i] = { name = row[1], kind = row[2], text = shortened(row[3]) }
  end
  for i, row in ipairs(store:run "SELECT name, unit FROM measures ORDER BY rowid") do
    data.measures[i] = { name = row[1], unit = row[2] }
  end
  data.rows = store:rows(data)
  for _, row in ipairs(data.rows) do data.failed = data.failed + (row.error and 1 or 0) end
  data.points, data.by_point = points_of(data)
  return data
end

-- A level as it is shown.
function results.level_text(value)
  if math.type(value) == "float" then return ("%.6g"):format(value) end
  return (tostring(value):gsub("%c", " "))
end

-- "width = 0.8, planner = orca"; laws have a number for each run of a grid's point, and are left out there.
function results.point_text(data, point)
  local texts = {}
  for j, factor in ipairs(data.factors) do
    if factor.kind == "levels" or data.design ~= "grid" then
      texts[#texts + 1] = ("%s = %s"):format(factor.name, results.level_text(point.levels[j]))
    end
  end
  return #texts > 0 and table.concat(texts, ", ") or "all runs"
end

-- "run 2 (seed 1, width = 0.8)" of a study, or of its results.
function results.run_text(of, run)
  local texts = { ("seed %d"):format(run.seed) }
  for j, factor in ipairs(of.factors) do
    texts[j + 1] = ("%s = %s"):format(factor.name, results.level_text(run.levels[j]))
  end
  return ("run %d (%s)"):format(run.run, table.concat(texts, ", "))
end

-- Failures that begin with the same line: {text =, count =, run = the first}, the first first.
function results.failures(data)
  local list, by_text = {}, {}
  for _, row in ipairs(data.rows) do
    local text = row.error and row.error:match "^[^\n]*"
    if text and not by_text[text] then
      by_text[text] = { text = text, count = 0, run = row }
      list[#list + 1] = by_text[text]
    end
    if text then by_text[text].count = by_text[text].count + 1 end
  end
  return list
end

-- Values of the measure in some runs; those that have none are left out.
local function values_of(rows, m)
  local values = {}
  for _, row in ipairs(rows) do values[#values + 1] = row.values[m] end
  return values
end

-- {count, mean, from, to, percentiles p5, p25, p50, p75, p95, p95_from, p95_to, least, most} of the measure; nil: no
-- run has it.
function results.summary(data, rows, m)
  local values = values_of(rows, m)
  if #values == 0 then return nil end
  local sorted = statistics.sorted(values)
  local from, to = statistics.interval_of_mean(values, data.confidence)
  local told = { count = #values, mean = statistics.mean(values), from = from, to = to, least = sorted[1],
    most = sorted[#sorted] }
  for _, p in ipairs { 5, 25, 50, 75, 95 } do told["p" .. p] = statistics.rank(sorted, p) end
  told.p95_from, told.p95_to = statistics.interval_of_rank(sorted, 95, data.confidence)
  return told
end

-- What throng.until_precise asked for of a point: the number, its interval, and half of that as a part of it; nil: no
-- run has it.
function results.precision(data, point)
  local percentile, inner = data.of:match "^p(%d+%.?%d*)%((.*)%)$"
  if not percentile then
    inner = data.of:match "^median%((.*)%)$"
    percentile = inner and 50
  end
  for m, measure in ipairs(data.measures) do
    local is_mean = measure.name == data.of or measure.name == data.of:match "^mean%((.*)%)$"
    if is_mean or measure.name == inner then
      local value, from, to = statistics.estimate(values_of(point.rows, m), not is_mean and tonumber(percentile) or nil,
        data.confidence)
      return value, from, to, from and (to - from) / 2 / math.abs(value), measure
    end
  end
end

-- ---- effects

-- Of each factor that has levels: {factor =, levels = {{level =, summary =}, ...}} over all other factors.
function results.main_effects(data, m)
  local effects = {}
  for j, factor in ipairs(data.factors) do
    if factor.kind == "levels" then
      local by_level, order = {}, {}
      for _, row in ipairs(data.rows) do
        local level = row.levels[j]
        if not by_level[level] then
          by_level[level] = {}
          order[#order + 1] = level
        end
        table.insert(by_level[level], row)
      end
      local levels, numbers = {}, true
      for _, level in ipairs(order) do numbers = numbers and type(level) == "number" end
      if numbers then table.sort(order) end -- others in the order of the list, or as they come
      for _, level in ipairs(order) do
        local summary = results.summary(data, by_level[level], m)
        if summary then levels[#levels + 1] = { level = level, summary = summary } end
      end
      if #levels > 1 then effects[#effects + 1] = { factor = factor, number = j, levels = levels } end
    end
  end
  return effects
end

-- Of each pair of factors with levels: {a =, b =, cells[i][k] = mean} with the levels of main effects.
function results.interactions(data, m)
  local effects, pairs_of = results.main_effects(data, m), {}
  for i = 1, #effects do
    for k = i + 1, #effects do
      local a, b, cells = effects[i], effects[k], {}
      for x, first in ipairs(a.levels) do
        cells[x] = {}
        for y, second in ipairs(b.levels) do
          local rows = {}
          for _, row in ipairs(data.rows) do
            local here = row.levels[a.number] == first.level and row.levels[b.number] == second.level
            if here then rows[#rows + 1] = row end
          end
          local summary = results.summary(data, rows, m)
          cells[x][y] = summary and summary.mean
        end
      end
      pairs_of[#pairs_of + 1] = { a = a, b = b, cells = cells }
    end
  end
  return pairs_of
end

-- The measure's mean at each point by its number, and the number of the last point.
local function outcomes(data, m)
  local y, last = {}, 0
  for _, point in ipairs(data.points) do
    local values = values_of(point.rows, m)
    y[point.number] = #values > 0 and statistics.mean(values) or nil
    last = math.max(last, point.number)
  end
  return y, last
end

local TRUTH = { ["false"] = 0, ["true"] = 1 }

-- A level as a number, to compare it by; nil: it is another text.
local function number_of(level) return type(level) == "number" and level or TRUTH[level] end

local function morris(data, m)
  local k, y, last = #data.factors, outcomes(data, m)
  local told = statistics.morris(k, y, last, function(p)
    local now, before = data.by_point[p], data.by_point[p - 1]
    if not now or not before or (p - 1) % (k + 1) == 0 then return nil end
    for j = 1, k do
      local a, b = before.levels[j], now.levels[j]
      local from, to = number_of(a), number_of(b)
      if a ~= b then return j, from and to and to < from and -1 or 1 end
    end
  end)
  local list = {}
  for j, factor in ipairs(data.factors) do
    local one = told[j]
    if one then
      list[#list + 1] = { factor = factor.name, size = one.absolute,
        text = ("mean %.4g, deviation %.4g, %d steps"):format(one.mean, one.deviation, one.count) }
    end
  end
  return "Elementary effects (Morris): mean absolute change over half of the factor's law", list
end

local function sobol(data, m)
  local k, y, last = #data.factors, outcomes(data, m)
  local rows = {}
  for base = 1, last // (k + 2) do
    rows[base] = {}
    for i = 1, k + 2 do rows[base][i] = y[(base - 1) * (k + 2) + i] end
  end
  local list = {}
  for j, one in ipairs(statistics.sobol(k, rows) or {}) do
    list[j] = { factor = data.factors[j].name, size = one.total,
      text = ("+- %.2f in all, alone %.2f +- %.2f"):format(one.total_half, one.first, one.first_half) }
  end
  return "Sobol' indices: share of the variance that goes when the factor is known last, and alone", list
end

local function correlations(data, m)
  local list = {}
  for j, factor in ipairs(data.factors) do
    local xs, ys = {}, {}
    for _, row in ipairs(data.rows) do
      local level = number_of(row.levels[j])
      if row.values[m] and level then
        xs[#xs + 1], ys[#ys + 1] = level, row.values[m]
      end
    end
    local correlation = #xs > 2 and statistics.rank_correlation(xs, ys)
    if correlation then
      list[#list + 1] = { factor = factor.name, size = correlation, text = ("of %d runs"):format(#xs) }
    end
  end
  return "Rank correlation with the factor (Spearman)", list
end

-- What each factor does to the measure, the greatest first: a title and {factor =, size =, text =}.
function results.sensitivity(data, m)
  local by_design = { morris = morris, sobol = sobol }
  local title, list = (by_design[data.design] or correlations)(data, m)
  table.sort(list, function(a, b)
    if math.abs(a.size) ~= math.abs(b.size) then return math.abs(a.size) > math.abs(b.size) end
    return a.factor < b.factor
  end)
  return title, list
end

-- ---- curves over time

local function samples_of(blob)
  local samples = {}
  for at = 1, #blob, 8 do samples[#samples + 1] = ("<d"):unpack(blob, at) end
  return samples
end

-- The curve's percentiles over the runs of some points: {every =, p5 = {}, p50 = {}, p95 = {}} by time; a run that has
-- ended keeps its last value. nil: no run has it.
function results.band(store, points, name)
  local runs, curves, every, length = {}, {}, nil, 0
  for _, point in ipairs(points) do
    for _, row in ipairs(point.rows) do runs[#runs + 1] = row.run end
  end
  for _, row in ipairs(store:run("SELECT every, samples FROM curves WHERE name = ? AND run IN ("
    .. table.concat(runs, ",") .. ")", name)) do
    every = row[1]
    local samples = samples_of(row[2])
    curves[#curves + 1] = samples
    length = math.max(length, #samples)
  end
  if #curves == 0 then return nil end
  local band = { every = every, runs = #curves, p5 = {}, p50 = {}, p95 = {} }
  for t = 1, length do
    local values = {}
    for _, samples in ipairs(curves) do
      local value = samples[math.min(t, #samples)]
      if value == value then values[#values + 1] = value end
    end
    table.sort(values)
    for _, p in ipairs { 5, 50, 95 } do band["p" .. p][t] = statistics.rank(values, p) or 0 / 0 end
  end
  return band
end

function results.curve_names(store)
  local names = {}
  for i, row in ipairs(store:run "SELECT DISTINCT name FROM curves ORDER BY name") do names[i] = row[1] end
  return names
end

return results
