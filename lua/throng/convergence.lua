-- throng.convergence: how much one more run still changes what runs say, as NIST and ISO ask of evacuation models.

--- class throng.convergence.measures
--- What the last of so many runs changed. The first two compare with the runs before; the others are functional
--- measures of the mean curve and that of the runs before (Ronchi, Reneke and Peacock, 2014; NIST TN 1822, ISO 20414).
--- @field runs integer So many runs.
--- @field mean number(1) Change of the mean total time, as a part of it.
--- @field deviation number(1) Change of its standard deviation, as a part of it.
--- @field erd number(1) Change of the Euclidean relative difference of mean curves.
--- @field epc number(1) Change of the Euclidean projection coefficient.
--- @field sc number(1) Change of the secant cosine.

local host = ...

local statistics = host.library "statistics"(host)

local function raise(...) host.raise("throng.convergence: " .. string.format(...)) end

local function check(curves)
  if type(curves) ~= "table" or #curves < 1 then
    raise("expected a list of curves, one a run, each a list of times; got %s", host.describe(curves))
  end
  for i = 1, #curves do
    local curve = curves[i]
    if type(curve) ~= "table" or #curve < 3 or #curve ~= #curves[1] then
      raise("curve %d has %s times, the first %s: all need as many, at least 3", i,
        type(curve) == "table" and #curve or "no", type(curves[1]) == "table" and #curves[1] or "no")
    end
    for k = 1, #curve do
      local time = curve[k]
      if type(time) ~= "number" or time ~= time or math.abs(time) == math.huge then
        raise("curve %d: time %d must be a number, got %s", i, k, host.describe(time))
      end
    end
  end
end

local function dot(a, b)
  local sum = 0
  for i = 1, #a do sum = sum + a[i] * b[i] end
  return sum
end

-- a(i + s) - a(i): the curve's slope over s persons.
local function secants(a, s)
  local list = {}
  for i = 1, #a - s do list[i] = a[i + s] - a[i] end
  return list
end

local function norm(a) return dot(a, a) ^ 0.5 end

-- 1 where the divisor is 0: curves that do not move are alike.
local function part(a, b) return b ~= 0 and a / b or 1 end

-- ERD, EPC and SC of two curves.
local function compare(a, b)
  local difference = {}
  for i = 1, #a do difference[i] = a[i] - b[i] end
  local smooth = math.max(1, math.floor(0.05 * #a)) -- persons: the curves have steps of one
  local u, v = secants(a, smooth), secants(b, smooth)
  return { erd = norm(b) > 0 and norm(difference) / norm(b) or 0, epc = part(dot(a, b), dot(b, b)),
    sc = part(dot(u, v), norm(u) * norm(v)) }
end

local function change(now, before) return now ~= 0 and math.abs((now - before) / now) or math.abs(before) end

--- throng.convergence(curves)
--- The convergence measures of repeated runs: of the mean and standard deviation of the total time, and of the mean
--- curve of arrivals. Runs are enough when all of them stay small for several runs on end.
--- @param curves number(s)[][] By run, in its order: the times at which the first, second ... person was out, s.
--- @return throng.convergence.measures[] For the third run and each after it.
--- @error curves of different lengths; less than three times in one
--- @example
--- local runs = { { 4, 6, 9, 12 }, { 5, 6, 8, 11 }, { 4, 7, 9, 13 } }
--- print(throng.convergence(runs)[1].erd)
return function(curves)
  check(curves)
  local sum, totals, list = {}, {}, {}
  local mean_curve, before, shape_before
  for i = 1, #curves[1] do sum[i] = 0 end
  for run, curve in ipairs(curves) do
    local mean = {}
    for i, time in ipairs(curve) do
      sum[i] = sum[i] + time
      mean[i] = sum[i] / run
    end
    totals[run] = curve[#curve]
    local now = { mean = statistics.mean(totals), deviation = statistics.deviation(totals) }
    local shape = mean_curve and compare(mean, mean_curve)
    if shape_before then
      list[#list + 1] = {
        runs = run,
        mean = change(now.mean, before.mean),
        deviation = change(now.deviation, before.deviation),
        erd = math.abs(shape.erd - shape_before.erd),
        epc = math.abs(shape.epc - shape_before.epc),
        sc = math.abs(shape.sc - shape_before.sc),
      }
    end
    mean_curve, before, shape_before = mean, now, shape
  end
  return list
end
