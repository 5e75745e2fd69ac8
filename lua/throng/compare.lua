-- world:compare(recording): what the world's measures give of the world and of a recording, side by side.

--- class throng.compare.settings
--- Settings of world:compare.
--- @field since? number(s) The recording's time at which the world began, default 0.
--- @field confidence? number(1) Of intervals and of `alike`, default 0.95.
--- @field tolerance? number(1) What differs by less than this part of the recorded value is alike, however sure it is,
--- default 0.01.

--- class throng.comparison.row
--- One measure of the world and of the recording. Compared are time gaps between passages for a flow, each time gap and
--- each travel time, and for other measures their values over time.
--- @field name string The measure's name, or else what it measures and where.
--- @field kind string Like "flow".
--- @field ours number(any)? The world's: of flows persons a second, else the mean of the values compared; nil: none.
--- @field recorded number(any)? The same of the recording.
--- @field ours_count integer How many values are compared.
--- @field recorded_count integer How many of the recording.
--- @field difference number(any)? The mean of ours less recorded, of values at the same time, or in their order; of
--- flows of the time gaps, s.
--- @field from number(any)? The difference is from this
--- @field to number(any)? to this, with the confidence asked for. nil: too few values for an interval.
--- @field distance number(1)? Kolmogorov's and Smirnov's: the most that the two distribution functions differ.
--- @field shift number(any)? The area between them (Wasserstein's distance), in the values' unit.
--- @field chance number(1)? So probable is a `distance` at least so large where both are of one law. Values that follow
--- each other in time depend on each other; they count as so many as are worth as much (from their autocorrelation).
--- nil: fewer than 4, like the travel times of one long queue.
--- @field curve number(1)? Euclidean relative difference of the curves over time (of flows N-t): 0 for equal ones.
--- @field alike boolean? Is all that differs no more than chance? nil: there are too few values to say.

--- class throng.comparison
--- What world:compare found: a list with a row for each measure. tostring(comparison) is a table of them.
--- @field [integer] throng.comparison.row By world.measures' order; also by the measure's name.
--- @field seconds number(s) The time compared: from the beginning until the run or the recording is over.
--- @field confidence number(1) As it was asked for.
--- @field tolerance number(1) As it was asked for.
--- @field alike boolean Are all rows of which that can be said alike?

local host = ...

local statistics = host.library "statistics"(host)
local distributions = host.library "distributions"()

local FIELDS = { "since", "confidence", "tolerance" }
local LEAST = 4 -- values, for an interval
local EVENTS = { flow = true, time_gap = true, travel_time = true }

-- Entries of two lists up to that time.
local function until_time(seconds, times, values)
  local kept_times, kept = {}, {}
  for i, time in ipairs(times) do
    if time <= seconds + 1e-6 then kept_times[#kept_times + 1], kept[#kept + 1] = time, values[i] end
  end
  return kept_times, kept
end

local function gaps_of(times)
  local gaps = {}
  for i = 2, #times do gaps[#gaps + 1] = times[i] - times[i - 1] end
  return gaps
end

-- What is compared of a measure: the values, and the number that stands for them.
local function sample_of(kind, found)
  if kind == "flow" then
    local gaps = gaps_of(found.event_times)
    local mean = #gaps > 0 and statistics.mean(gaps) or 0
    return gaps, mean > 0 and 1 / mean or nil
  end
  local values = EVENTS[kind] and found.events or found.values
  return values, #values > 0 and statistics.mean(values) or nil
end

-- Calls f(ours, recorded) with the values of each time that both have.
local function each_time(ours, recorded, f)
  local k = 1
  for i, time in ipairs(ours.times) do
    while recorded.times[k] and recorded.times[k] < time - 1e-6 do k = k + 1 end
    if recorded.times[k] and recorded.times[k] <= time + 1e-6 then f(ours.values[i], recorded.values[k]) end
  end
end

-- Ours less recorded: at the same times, or of the first, second ...
local function differences(kind, ours, recorded, our_values, recorded_values)
  local list = {}
  if EVENTS[kind] then
    for i = 1, math.min(#our_values, #recorded_values) do list[i] = our_values[i] - recorded_values[i] end
  else
    each_time(ours, recorded, function(a, b) list[#list + 1] = a - b end)
  end
  return list
end

-- |a - b| / |b| over the times that both have.
local function curve_of(ours, recorded)
  local apart, whole = 0, 0
  each_time(ours, recorded, function(a, b) apart, whole = apart + (a - b) ^ 2, whole + b ^ 2 end)
  return whole > 0 and (apart / whole) ^ 0.5 or nil
end

-- Two questions are asked of each row: a confidence for all of them together leaves less to each.
local function confidence_of_one(confidence, rows) return 1 - (1 - confidence) / (2 * math.max(1, rows)) end

local function interval(list, confidence)
  local independent = distributions.independent(list)
  local mean = statistics.mean(list)
  if #list < LEAST or independent < LEAST then return mean end
  local half = statistics.student((1 + confidence) / 2, independent - 1) * statistics.deviation(list)
    / independent ^ 0.5
  return mean, mean - half, mean + half
end

-- Values that go up and down with the run, like the travel times of a queue, are one draw, whatever their number.
local function judge(row, one, tolerance)
  local known, alike, small = false, true, tolerance * math.abs(row.size or 0)
  if row.from and (not EVENTS[row.kind] or row.independent >= LEAST) then
    local _, from, to = interval(row.differences, one)
    known, alike = true, from <= small and to >= -small
  end
  if row.chance and row.independent >= LEAST then
    known, alike = true, alike and (row.chance >= 1 - one or row.shift <= small)
  end
  if known then return alike end
  return nil
end

local function row_of(measure, ours, recorded, confidence)
  local kind = measure.kind
  local a, our_number = sample_of(kind, ours)
  local b, their_number = sample_of(kind, recorded)
  local name = measure.name ~= "" and measure.name or ("%s: %s"):format(kind, measure.place)
  local row = { name = name, kind = kind, ours = our_number, recorded = their_number, ours_count = #a,
    recorded_count = #b, curve = curve_of(ours, recorded), differences = differences(kind, ours, recorded, a, b) }
  if #row.differences > 0 then row.difference, row.from, row.to = interval(row.differences, confidence) end
  if #a > 0 and #b > 0 then
    row.size = statistics.mean(b)
    local n, m = distributions.independent(a), distributions.independent(b)
    row.independent = math.min(n, m)
    row.distance, row.shift = distributions.distance(statistics.sorted(a), statistics.sorted(b))
    if row.independent >= LEAST then row.chance = distributions.chance(row.distance, n, m) end
  end
  return row
end

local function number(value, format) return value and (format or "%.3g"):format(value) or "-" end

local function text_of(comparison)
  local lines = { ("%-30s %9s %9s %22s %9s %7s %7s"):format(("over %.4g s"):format(comparison.seconds), "ours",
    "recorded", ("difference (%g %%)"):format(100 * comparison.confidence), "distance", "chance", "curve") }
  for _, row in ipairs(comparison) do
    local apart = row.from and ("%s (%s, %s)"):format(number(row.difference), number(row.from), number(row.to))
      or number(row.difference)
    local said = row.alike == nil and "  too few values" or row.alike and "" or "  differs"
    lines[#lines + 1] = ("%-30s %9s %9s %22s %9s %7s %7s%s"):format(row.name, number(row.ours), number(row.recorded),
      apart, number(row.distance, "%.2f"), number(row.chance, "%.2g"), number(row.curve, "%.2f"), said)
  end
  return table.concat(lines, "\n")
end

--- world:compare(recording, settings)
--- Compares the run so far with a recording, of people or of another run: each of the world's measures is taken of the
--- recording, too, by the same code and over the same time, and what both give is set side by side. The recording is
--- read at the world's steps. Recordings know no groups: a measure of a `group` is taken of all people in it. One run
--- tells little; throng.compared takes several.
--- @param recording throng.trajectory The recording.
--- @param settings? throng.compare.settings Since when, and how sure.
--- @return throng.comparison
--- @error a world that has no measures, or that took no step; a building, or a recording of all floors of one
--- @example
--- local recorded = throng.trajectory "tests/data/trajectory.txt"
--- world:measure { flow = "north", name = "north" }
--- world:run { seconds = 1 }
--- print(world:compare(recorded))
return function(world, recording, settings)
  local options = host.options_of("world:compare", settings, FIELDS)
  local since = host.setting("world:compare", options, "since", 0, 0, 1e9)
  local confidence = host.setting("world:compare", options, "confidence", 0.95, 0.5, 0.9999)
  local tolerance = host.setting("world:compare", options, "tolerance", 0.01, 0, 1)
  local length = host.recording_seconds(recording)
  if #world.measures == 0 then
    host.raise "world:compare: the world has no measures; make some with world:measure{...} before it runs"
  end
  if host.has_floors(world) then
    host.raise "world:compare: the world is a building; compare one of a single floor with that floor of a recording"
  end
  if since >= length then
    local must = "world:compare: field 'since' must be less than %g s, the recording's end, got %g"
    host.raise(must:format(length, since))
  end
  if world.steps == 0 then host.raise "world:compare: the world took no step yet; run it first" end
  local seconds = math.min(world.time, length - since)
  local found = host.measure_recording(world, recording, since, seconds)
  local comparison = { seconds = seconds, confidence = confidence, tolerance = tolerance, alike = true }
  for i, measure in ipairs(world.measures) do
    local ours = {}
    ours.times, ours.values = until_time(seconds, measure:series())
    ours.event_times, ours.events = until_time(seconds, measure:events())
    comparison[i] = row_of(measure, ours, found[i], confidence)
    if measure.name ~= "" then comparison[measure.name] = comparison[i] end
  end
  local one = confidence_of_one(confidence, #comparison)
  for _, row in ipairs(comparison) do
    row.alike = judge(row, one, tolerance)
    row.differences, row.independent, row.size = nil, nil, nil
    if row.alike == false then comparison.alike = false end
  end
  return setmetatable(comparison, { __tostring = text_of })
end
