-- throng.compared: comparisons of several runs of one model with one recording, taken together.

--- class throng.compared.row
--- One measure in the recording and in all runs.
--- @field name string The measure's name, or what it measures and where.
--- @field kind string Like "flow".
--- @field recorded number(any)? Of the recording.
--- @field mean number(any)? Of the runs.
--- @field deviation number(any)? Standard deviation from run to run.
--- @field from number(any)? One more run would give a value from this
--- @field to number(any)? to this, with the confidence asked for (Student's prediction interval).
--- @field distance number(1)? Mean of the runs' distances between distributions.
--- @field alike boolean? Could the recording have been a run? nil: there are too few to say.

--- class throng.compared.result
--- What throng.compared found: a list with a row for each measure. tostring(result) is a table of them.
--- @field [integer] throng.compared.row By measure; also by the measure's name.
--- @field runs integer How many.
--- @field confidence number(1) For all rows together.
--- @field alike boolean Are all rows of which that can be said alike?

local host = ...

local statistics = host.library "statistics"(host)

local LEAST = 4 -- runs, for an interval

local function raise(...) host.raise("throng.compared: " .. string.format(...)) end

local function check(comparisons)
  if type(comparisons) ~= "table" or #comparisons == 0 then
    raise("expected a list of what world:compare gave, one a run, got %s", host.describe(comparisons))
  end
  for i = 1, #comparisons do
    local comparison = comparisons[i]
    local known = type(comparison) == "table" and type(comparison[1]) == "table" and comparison[1].kind
    known = known and type(comparison.tolerance) == "number"
    if not known or #comparison ~= #comparisons[1] then
      raise("entry %d is no comparison with as many measures as the first", i)
    end
  end
end

-- One more value that is drawn as these were: from, to (Student).
local function prediction(values, confidence)
  if #values < LEAST then return nil end
  local n, mean = #values, statistics.mean(values)
  local half = statistics.student((1 + confidence) / 2, n - 1) * statistics.deviation(values) * (1 + 1 / n) ^ 0.5
  return mean - half, mean + half
end

local function collect(comparisons, i, field)
  local values = {}
  for _, comparison in ipairs(comparisons) do values[#values + 1] = comparison[i][field] end
  return values
end

local function row_of(comparisons, i, one, tolerance)
  local first = comparisons[1][i]
  local ours, distances = collect(comparisons, i, "ours"), collect(comparisons, i, "distance")
  local recorded = statistics.sorted(collect(comparisons, i, "recorded"))
  local row = { name = first.name, kind = first.kind, recorded = recorded[(#recorded + 1) // 2] }
  if #ours == 0 then return row end
  row.mean, row.deviation = statistics.mean(ours), statistics.deviation(ours)
  row.distance = #distances > 0 and statistics.mean(distances) or nil
  row.from, row.to = prediction(ours, one)
  if row.from and row.recorded then
    local small = tolerance * math.abs(row.recorded)
    row.alike = row.recorded >= row.from - small and row.recorded <= row.to + small
  end
  return row
end

local function number(value, format) return value and (format or "%.3g"):format(value) or "-" end

local function text_of(result)
  local lines = { ("%-30s %9s %9s %22s %9s"):format(("%d runs"):format(result.runs), "recorded", "mean",
    ("a run gives (%g %%)"):format(100 * result.confidence), "distance") }
  for _, row in ipairs(result) do
    local said = row.alike == nil and "  too few runs" or row.alike and "" or "  differs"
    lines[#lines + 1] = ("%-30s %9s %9s %22s %9s%s"):format(row.name, number(row.recorded), number(row.mean),
      row.from and ("%s to %s"):format(number(row.from), number(row.to)) or "-", number(row.distance, "%.2f"), said)
  end
  return table.concat(lines, "\n")
end

--- throng.compared(comparisons, confidence)
--- Takes comparisons of several runs, which differ in their seeds alone, with one recording together: where the
--- recording gives another value than one more run would, by more than the comparisons' tolerance, the model differs.
--- @param comparisons throng.comparison[] What world:compare gave, one a run.
--- @param confidence? number(1) For all rows together, default 0.95.
--- @return throng.compared.result
--- @error no comparisons; some with other measures
--- @example
--- local runs = {}
--- for seed = 1, 5 do
---   local hall = throng.map { boundary = throng.box(-2, -2, 12, 6) }
---   local again <close> = throng.world { map = hall, seed = seed, threads = 1 }
---   local recorded = throng.trajectory "tests/data/trajectory.txt"
---   again:spawn({ from = recorded:at(0), radius = 0.2 }):go_to { 11, 2 }
---   again:measure { speed = true, name = "speed", every = 0.1 }
---   again:run { seconds = 1 }
---   runs[seed] = again:compare(recorded)
--- end
--- print(throng.compared(runs))
return function(comparisons, confidence)
  check(comparisons)
  local sure = confidence == nil and 0.95 or host.number(confidence, "throng.compared: the confidence", 0.5)
  if sure > 0.9999 then raise("the confidence must be at most 0.9999, got %s", host.describe(confidence)) end
  local result = { runs = #comparisons, confidence = sure, alike = true }
  local one = 1 - (1 - sure) / #comparisons[1]
  for i = 1, #comparisons[1] do
    local row = row_of(comparisons, i, one, comparisons[1].tolerance)
    result[i] = row
    if row.alike == false then result.alike = false end
    result[row.name] = row
  end
  return setmetatable(result, { __tostring = text_of })
end
