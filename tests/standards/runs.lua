-- Repeated runs of a case: their figures, how well these are known, and when runs are enough.
local throng = require "throng"
local statistics = require "statistics"

local runs = {}
runs.__index = runs

local CONFIDENCE = 0.95
-- An interval is small enough where half of it is so much of the figure, and no bound lies in it; or where so many of
-- these halves lie between the figure and its bound.
local WITHIN, MARGIN = 0.01, 2

function runs.new() return setmetatable({}, runs) end

-- ---- figures: what the runs gave under a name, as one list where a run gave a list

function runs:all(name)
  local list = {}
  for i, one in ipairs(self) do
    local value = one[name]
    if i ~= self.without then
      if type(value) == "table" then
        table.move(value, 1, #value, #list + 1, list)
      else
        list[#list + 1] = value
      end
    end
  end
  return list
end

function runs:mean(name) return statistics.mean(self:all(name)) end
function runs:least(name) return math.min(table.unpack(self:all(name))) end
function runs:most(name) return math.max(table.unpack(self:all(name))) end

-- The value that is farthest beyond the bounds, or least within them.
function runs:worst(name, bounds)
  local worst, off = nil, -math.huge
  for _, value in ipairs(self:all(name)) do
    if value ~= value then return value end
    local beyond = math.max((bounds.least or -math.huge) - value, value - (bounds.most or math.huge))
    if beyond > off then worst, off = value, beyond end
  end
  return worst
end

-- So many runs of which each holds tell, with 95 % confidence, that 95 of 100 do: 0.95^59 < 0.05.
runs.EVERY = 59

-- With its interval by order statistics; the runs are too few while there is none.
function runs:percentile(name, percentile)
  local value, from, to = statistics.estimate(self:all(name), percentile, CONFIDENCE)
  return { value = value, from = from, to = to, awaited = from == nil }
end

function runs:curves(name)
  local list = {}
  for i, one in ipairs(self) do
    list[i] = one[name]
  end
  return list
end

-- ---- how well a figure is known

local function key_of(check) return check.by .. check.what end

-- `left` has, for each run, what is told without it: values by key_of a check.
local function give_interval(check, left)
  if check.exact or not check.value then return end
  local values = {}
  for i, told in ipairs(left) do
    values[i] = told[key_of(check)]
  end
  if #values == #left then check.from, check.to = statistics.interval_of_jackknife(check.value, values, CONFIDENCE) end
end

-- Is it told well enough? A figure that is missing stays so: somebody never arrived.
local function is_known(check)
  if check.awaited then return false end
  if check.by ~= "std" and check.by ~= "ours" then return true end
  if not check.value or not check.from then return true end
  local half, off = (check.to - check.from) / 2, math.huge
  for _, bound in ipairs { check.least or -math.huge, check.most or math.huge } do
    off = math.min(off, math.abs(check.value - bound))
  end
  return MARGIN * half <= off or half < off and half <= WITHIN * math.abs(check.value)
end

-- " ± 0.2 (12)" of a check of 12 runs, with "?" where its bound is in the interval.
local function text_of(check)
  local half = check.from and (check.to - check.from) / 2 or 0
  if half <= 1e-6 * math.abs(check.value or 0) then return (" (%d)"):format(check.runs) end
  local open = check.least and check.least > check.from and check.least < check.to
    or check.most and check.most > check.from and check.most < check.to
  return (" ± %.2g%s (%d)"):format(half, open and "?" or "", check.runs)
end

-- Replaces the run's checks behind the first `before` by what `judge` expects of these runs, each with its interval, as
-- text, too; do they suffice?
function runs:judged(run, before, judge)
  local kept, left = table.move(run.checks, 1, before, 1, {}), {}
  run.leaving_out = true
  for i = 1, #self >= statistics.LEAST and #self or 0 do
    self.without, run.checks = i, {}
    judge(self)
    left[i] = {}
    for _, check in ipairs(run.checks) do
      left[i][key_of(check)] = check.value
    end
  end
  self.without, run.leaving_out, run.checks = nil, nil, kept
  judge(self)
  local known = true
  for k = before + 1, #kept do
    local check = kept[k]
    give_interval(check, left)
    check.runs = #self
    check.interval = text_of(check)
    known = known and is_known(check)
  end
  return known
end

-- ---- convergence

-- How little one more run may change, and for so many runs on end, before runs are enough: the example's thresholds
-- in Ronchi, Reneke and Peacock, "A method for the analysis of behavioural uncertainty in evacuation modelling", 2014.
local ENOUGH = { mean = 0.005, deviation = 0.05, erd = 0.01, epc = 0.01, sc = 0.01 }
local STEADY = 10

-- The first run after which STEADY on end changed little; else nil, and whether more runs can tell: not where somebody
-- never came out.
function runs.converged_after(curves)
  for _, curve in ipairs(curves) do
    if #curve ~= #curves[1] or #curve < 3 then return nil, false end
  end
  local steady = 0
  for _, step in ipairs(throng.convergence(curves)) do
    local small = true
    for name, most in pairs(ENOUGH) do
      small = small and step[name] <= most
    end
    steady = small and steady + 1 or 0
    if steady == STEADY then return step.runs end
  end
  return nil, true
end

return runs
