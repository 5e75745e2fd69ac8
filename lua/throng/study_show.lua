-- What came of a study, as text on stdout, as a page, and as tables for other programs.
local host, statistics = ...

local read = host.library "study_results"(statistics)
local files = host.library "study_files"(host)
local numbers = host.library "study_numbers"()
local number, counted = numbers.text, numbers.counted

local MOST_ROWS = 40 -- of a table on a terminal
local MOST_FAILURES = 10

local function out(...) io.stdout:write(string.format(...), "\n") end

local function interval(from, to) return from and ("%s to %s"):format(number(from), number(to)) or "too few" end

local function title_of(measure)
  return measure.unit ~= "" and ("%s, %s"):format(measure.name, measure.unit) or measure.name
end

local function width_of(texts, least)
  local width = least
  for _, text in ipairs(texts) do width = math.max(width, utf8.len(text) or #text) end
  return width
end

local function padded(text, width) return text .. (" "):rep(width - (utf8.len(text) or #text)) end

local function tell_points(data, m)
  local names, summaries, wanted = {}, {}, data.design == "grid" and #data.points <= MOST_ROWS
  if wanted then
    for _, point in ipairs(data.points) do
      local summary = read.summary(data, point.rows, m)
      if summary then names[#names + 1], summaries[#summaries + 1] = read.point_text(data, point), summary end
    end
  end
  if #names ~= 1 then
    names[#names + 1] = ("all %d points"):format(#data.points)
    summaries[#summaries + 1] = read.summary(data, data.rows, m)
  end
  local title = title_of(data.measures[m])
  if #summaries == 0 then
    out("\n%s: no run has it", title)
    return
  end
  local width = width_of(names, math.max(16, utf8.len(title) or #title))
  out("\n%s  runs      mean   %g %% interval      median       5 %%      95 %%   its interval        least      most",
    padded(title, width), 100 * data.confidence)
  for i, name in ipairs(names) do
    local s = summaries[i]
    if s then
      out("%s  %4d  %8s   %-15s  %8s  %8s  %8s   %-15s  %8s  %8s", padded(name, width), s.count, number(s.mean),
        interval(s.from, s.to), number(s.p50), number(s.p5), number(s.p95), interval(s.p95_from, s.p95_to),
        number(s.least), number(s.most))
    end
  end
end

local function tell_interactions(data, m)
  for _, pair in ipairs(read.interactions(data, m)) do
    local a, b = pair.a, pair.b
    if #b.levels <= 12 and #a.levels <= MOST_ROWS then
      local labels = {}
      for i, one in ipairs(a.levels) do labels[i] = ("%s = %s"):format(a.factor.name, read.level_text(one.level)) end
      local width = width_of(labels, #b.factor.name + 3)
      local line = { padded(b.factor.name .. " =", width) }
      for _, one in ipairs(b.levels) do line[#line + 1] = ("%9s"):format(read.level_text(one.level)) end
      out("\n  %s", table.concat(line, " "))
      for i, label in ipairs(labels) do
        line = { padded(label, width) }
        for k in ipairs(b.levels) do line[#line + 1] = ("%9s"):format(number(pair.cells[i][k])) end
        out("  %s", table.concat(line, " "))
      end
    end
  end
end

local function tell_sensitivity(data, m)
  local title, list = read.sensitivity(data, m)
  if #list < 2 then return end -- one factor's levels tell more
  out("\n  %s", title)
  local names = {}
  for i, one in ipairs(list) do names[i] = one.factor end
  local width = width_of(names, 8)
  for _, one in ipairs(list) do out("  %s  %9s  %s", padded(one.factor, width), number(one.size), one.text) end
end

local function tell_precision(data)
  local known = false
  for _, point in ipairs(data.points) do known = known or data.of and read.precision(data, point) ~= nil end
  if not known then return end
  out("\n%s, known to %g %% at %g %% confidence:", data.of, 100 * data.within, 100 * data.confidence)
  for i, point in ipairs(data.points) do
    local value, from, to, part = read.precision(data, point)
    if i <= MOST_ROWS and value then
      out("  %s: %s%s", read.point_text(data, point), number(value), from and (", %s to %s, +- %.1f %%%s"):format(
        number(from), number(to), 100 * part, part > data.within and ", not as well as asked for" or "") or
        ", too few runs for an interval")
    end
  end
end

local function tell_failures(data)
  local list = read.failures(data)
  if #list > 0 then out "\nfailed:" end
  for i, one in ipairs(list) do
    if i > MOST_FAILURES then
      out("  and %d more", #list - MOST_FAILURES)
      return
    end
    out("  %s: %s", one.count == 1 and read.run_text(data, one.run)
      or ("%d runs, first %s"):format(one.count, read.run_text(data, one.run)), one.text)
  end
end

-- ---- files

-- A row a value.
local function curves_csv(store)
  local lines = { "run,name,time,value" }
  for _, row in ipairs(store:run "SELECT run, name, every, samples FROM curves ORDER BY run, name") do
    local run, name, every, samples = table.unpack(row)
    for at = 1, #samples, 8 do
      local value = ("<d"):unpack(samples, at)
      lines[#lines + 1] = ("%d,%s,%.17g,%s"):format(run, files.field(name), every * (at // 8),
        value == value and files.field(value) or "")
    end
  end
  return table.concat(lines, "\n") .. "\n"
end

return function(store, options)
  local data = read.read(store)
  out("study of %s: %s, %s%s", data.scenario, counted(#data.points, "point"), counted(#data.rows, "run"),
    data.failed > 0 and (", %d failed"):format(data.failed) or "")
  for _, factor in ipairs(data.factors) do out("  %s: %s", factor.name, factor.text) end
  for m in ipairs(data.measures) do
    tell_points(data, m)
    tell_interactions(data, m)
    tell_sensitivity(data, m)
  end
  tell_precision(data)
  tell_failures(data)
  out ""
  if not options.show then out("  results  %s", store.path) end
  if options.csv then files.write(options.csv, files.csv(store, "SELECT * FROM runs ORDER BY run")) end
  if options.curves then files.write(options.curves, curves_csv(store)) end
  if options.report then host.library "study_report"(host, nil, store.path, "") end
end
