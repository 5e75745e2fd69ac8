-- Statistics of runs: means and percentiles with their intervals, and what factors do. `uniform(seed, a, b)` gives the
-- numbers that samples are drawn with again by.
local host, uniform = ...

local statistics = {}

-- ---- of one list of numbers

function statistics.mean(values)
  local sum = 0
  for _, value in ipairs(values) do sum = sum + value end
  return sum / #values
end

-- The standard deviation.
function statistics.deviation(values)
  local mean, sum = statistics.mean(values), 0
  for _, value in ipairs(values) do sum = sum + (value - mean) ^ 2 end
  return #values > 1 and (sum / (#values - 1)) ^ 0.5 or 0
end

function statistics.sorted(values)
  local sorted = table.move(values, 1, #values, 1, {})
  table.sort(sorted)
  return sorted
end

-- The nearest-rank percentile of sorted values.
function statistics.rank(sorted, percentile)
  return sorted[math.max(1, math.ceil(percentile / 100 * #sorted - 1e-9))]
end

-- Student's quantile by its expansion in 1/v (Abramowitz and Stegun 26.7.5): to 1 % from three degrees of freedom on.
function statistics.student(p, v)
  local z = host.normal_quantile(p)
  return z + (z ^ 3 + z) / (4 * v) + (5 * z ^ 5 + 16 * z ^ 3 + 3 * z) / (96 * v ^ 2)
    + (3 * z ^ 7 + 19 * z ^ 5 + 17 * z ^ 3 - 15 * z) / (384 * v ^ 3)
    + (79 * z ^ 9 + 776 * z ^ 7 + 1482 * z ^ 5 - 1920 * z ^ 3 - 945 * z) / (92160 * v ^ 4)
end

statistics.LEAST = 4 -- of numbers, for an interval

-- The confidence interval of the mean: from, to; nil of less than four numbers.
function statistics.interval_of_mean(values, confidence)
  if #values < statistics.LEAST then return nil end
  local half = statistics.student((1 + confidence) / 2, #values - 1) * statistics.deviation(values) / (#values) ^ 0.5
  local mean = statistics.mean(values)
  return mean - half, mean + half
end

-- The probabilities that 0 .. n of n draws are below the percentile.
local function binomial(n, p)
  local pmf, sum = {}, 0
  local mode = math.min(n, math.floor((n + 1) * p))
  pmf[mode] = 1
  for k = mode + 1, n do pmf[k] = pmf[k - 1] * (n - k + 1) / k * p / (1 - p) end
  for k = mode - 1, 0, -1 do pmf[k] = pmf[k + 1] * (k + 1) / (n - k) * (1 - p) / p end
  for k = 0, n do sum = sum + pmf[k] end
  for k = 0, n do pmf[k] = pmf[k] / sum end
  return pmf
end

-- The confidence interval of a percentile by order statistics, whatever the distribution: from, to; nil when there are
-- too few numbers for one.
function statistics.interval_of_rank(sorted, percentile, confidence)
  local n = #sorted
  if n < statistics.LEAST then return nil end
  local pmf, tail = binomial(n, percentile / 100), (1 - confidence) / 2
  local low, below = 0, pmf[0]
  while below + (pmf[low + 1] or 1) <= tail do
    low = low + 1
    below = below + pmf[low]
  end
  if below > tail then return nil end
  local high, above = n, 0
  while above + pmf[high] <= tail do
    above = above + pmf[high]
    high = high - 1
  end
  if high >= n then return nil end
  return sorted[low + 1], sorted[high + 1]
end

-- How many numbers a percentile's interval takes at least, the mean's where there is no percentile.
function statistics.least(percentile, confidence)
  local share = percentile and math.max(percentile, 100 - percentile) / 100 or 0
  return share == 0 and statistics.LEAST or
    math.max(statistics.LEAST, math.ceil(math.log((1 - confidence) / 2) / math.log(share)))
end

-- The mean, or that percentile; and its interval.
function statistics.estimate(values, percentile, confidence)
  if #values == 0 then return nil end
  if not percentile then return statistics.mean(values), statistics.interval_of_mean(values, confidence) end
  local sorted = statistics.sorted(values)
  return statistics.rank(sorted, percentile), statistics.interval_of_rank(sorted, percentile, confidence)
end

-- Is the number known as well as throng.until_precise wants?
function statistics.is_precise(values, wanted)
  local value, from, to = statistics.estimate(values, wanted.statistic.percentile, wanted.confidence)
  return from ~= nil and (to - from) / 2 <= wanted.within * math.abs(value)
end

-- ---- what factors do

-- Ranks of values, from 1 on, equal ones sharing theirs.
local function ranks_of(values)
  local order, ranks = {}, {}
  for i = 1, #values do order[i] = i end
  table.sort(order, function(a, b) return values[a] < values[b] or (values[a] == values[b] and a < b) end)
  local i = 1
  while i <= #order do
    local j = i
    while j < #order and values[order[j + 1]] == values[order[i]] do j = j + 1 end
    for at = i, j do ranks[order[at]] = (i + j) / 2 end
    i = j + 1
  end
  return ranks
end

-- Spearman's rank correlation; nil when one of both is constant.
function statistics.rank_correlation(xs, ys)
  local a, b = ranks_of(xs), ranks_of(ys)
  local mean, ab, aa, bb = (#xs + 1) / 2, 0, 0, 0
  for i = 1, #xs do
    local x, y = a[i] - mean, b[i] - mean
    ab, aa, bb = ab + x * y, aa + x * x, bb + y * y
  end
  return aa > 0 and bb > 0 and ab / (aa * bb) ^ 0.5 or nil
end

-- Elementary effects of k factors from y[point]: for each {absolute =, mean =, deviation =, count =}, of a change by
-- half of the factor's law. Steps with a point without a value are left out. `changed(point)`: the factor that differs
-- from the point before.
function statistics.morris(k, y, points, changed)
  local effects = {}
  for j = 1, k do effects[j] = {} end
  for p = 1, points do
    local j, direction = changed(p)
    if j and y[p] and y[p - 1] then table.insert(effects[j], (y[p] - y[p - 1]) * direction) end
  end
  local told = {}
  for j = 1, k do
    local absolute = {}
    for i, effect in ipairs(effects[j]) do absolute[i] = math.abs(effect) end
    told[j] = #absolute > 0 and {
      absolute = statistics.mean(absolute), mean = statistics.mean(effects[j]),
      deviation = statistics.deviation(effects[j]), count = #absolute,
    } or nil
  end
  return told
end

-- First-order and total indices of k factors from rows {A, B, AB_1 .. AB_k} (Saltelli and others, 2010, table 2: b and
-- f).
local function indices(k, rows, picked)
  local n, mean, variance = #picked, 0, 0
  for _, i in ipairs(picked) do mean = mean + rows[i][1] + rows[i][2] end
  mean = mean / (2 * n)
  for _, i in ipairs(picked) do variance = variance + (rows[i][1] - mean) ^ 2 + (rows[i][2] - mean) ^ 2 end
  variance = variance / (2 * n)
  local told = {}
  for j = 1, k do
    local first, total = 0, 0
    for _, i in ipairs(picked) do
      local a, b, ab = rows[i][1], rows[i][2] - mean, rows[i][2 + j]
      first, total = first + b * (ab - a), total + (a - ab) ^ 2
    end
    local whole = variance > 0 and n * variance or math.huge
    told[j] = { first = first / whole, total = total / whole / 2 }
  end
  return told
end

local RESAMPLED = 200

-- Sobol' indices of k factors: for each {first =, total =, and half of their 95 % intervals by resampling}. Base points
-- with a missing value are left out.
function statistics.sobol(k, rows)
  local whole = {}
  for _, row in ipairs(rows) do
    local complete = true
    for i = 1, k + 2 do complete = complete and row[i] ~= nil end
    if complete then whole[#whole + 1] = row end
  end
  if #whole < 2 then return nil end
  local all = {}
  for i = 1, #whole do all[i] = i end
  local told, spread = indices(k, whole, all), {}
  for again = 1, RESAMPLED do
    local picked = {}
    for i = 1, #whole do picked[i] = 1 + math.floor(uniform(1, again, i) * #whole) end
    for j, index in ipairs(indices(k, whole, picked)) do
      spread[j] = spread[j] or { first = {}, total = {} }
      table.insert(spread[j].first, index.first)
      table.insert(spread[j].total, index.total)
    end
  end
  for j, index in ipairs(told) do
    index.first_half = 1.96 * statistics.deviation(spread[j].first)
    index.total_half = 1.96 * statistics.deviation(spread[j].total)
  end
  return told
end

return statistics
