-- A study's results as a page, with charts as SVG.
local read, chart, page, numbers = ...

local new_chart, escaped, number, TOP = chart.new, chart.escaped, chart.number, chart.TOP

local MOST_POINTS = 12 -- with a row, and a band, of their own
local MOST_RUNS = 1000 -- in the table of all
local MOST_COMMANDS = 40
local MOST_TIMES = 60 -- in the table of a curve

local function title_of(measure)
  return measure.unit ~= "" and ("%s, %s"):format(measure.name, measure.unit) or measure.name
end

-- ---- charts

-- Percentiles over time, with the axes that all of a curve's charts share.
local function band_chart(band, axes, title)
  local c = new_chart { x = axes.x, y = axes.y, x_axis = true, y_axis = true, label = "time, s", width = 440,
    plot = 200 }
  local forth, back, middle = {}, {}, {}
  for t = 1, #band.p50 do
    local x = c:px((t - 1) * band.every)
    forth[t] = ("%.1f,%.1f"):format(x, c:py(band.p95[t]))
    back[#band.p50 + 1 - t] = ("%.1f,%.1f"):format(x, c:py(band.p5[t]))
    middle[t] = ("%.1f,%.1f"):format(x, c:py(band.p50[t]))
  end
  c:add('<polygon class="band" points="%s %s"/>', table.concat(forth, " "), table.concat(back, " "))
  c:add('<polyline class="line" points="%s"/>', table.concat(middle, " "))
  return c:done(title)
end

-- A row a point: least to most thin, 5 to 95 % thick, quartiles as a box, the median and the mean.
local function spread_chart(rows, title)
  local low, high = math.huge, -math.huge
  for _, row in ipairs(rows) do low, high = math.min(low, row.summary.least), math.max(high, row.summary.most) end
  local h = 26
  local c = new_chart { x = { low, high }, y = { 0, 1 }, x_axis = true, plot = #rows * h, left = 260, width = 860 }
  for i, row in ipairs(rows) do
    local s, y = row.summary, TOP + (i - 0.5) * h
    c:text(c.left - 8, y + 4, row.name, "end")
    c:add('<line class="thin" x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f"/>', c:px(s.least), y, c:px(s.most), y)
    c:add('<line class="thick" x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f"/>', c:px(s.p5), y, c:px(s.p95), y)
    c:add('<rect class="box" x="%.1f" y="%.1f" width="%.1f" height="14"/>', c:px(s.p25), y - 7,
      math.max(1, c:px(s.p75) - c:px(s.p25)))
    c:add('<line class="median" x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f"/>', c:px(s.p50), y - 8, c:px(s.p50), y + 8)
    c:add('<circle class="mean" cx="%.1f" cy="%.1f" r="3"/>', c:px(s.mean), y)
  end
  return c:done(title)
end

-- Means by level with their intervals.
local function effect_chart(effect, title)
  local low, high = math.huge, -math.huge
  for _, one in ipairs(effect.levels) do
    low, high = math.min(low, one.summary.from or one.summary.mean), math.max(high, one.summary.to or one.summary.mean)
  end
  local c = new_chart { x = { 0.5, #effect.levels + 0.5 }, y = { low, high }, y_axis = true, width = 320, plot = 180,
    label = effect.factor.name }
  local line = {}
  for i, one in ipairs(effect.levels) do
    local s, x = one.summary, c:px(i)
    c:text(x, c.h - c.bottom + 16, read.level_text(one.level), "middle")
    line[i] = ("%.1f,%.1f"):format(x, c:py(s.mean))
    if s.from then
      c:add('<line class="thin" x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f"/>', x, c:py(s.from), x, c:py(s.to))
    end
    c:add('<circle class="mean" cx="%.1f" cy="%.1f" r="4"/>', x, c:py(s.mean))
  end
  c:add('<polyline class="line" points="%s"/>', table.concat(line, " "))
  return c:done(title)
end

-- Means of two factors' levels, darker where they are greater.
local function interaction_table(pair)
  local low, high = math.huge, -math.huge
  for _, row in ipairs(pair.cells) do
    for k in ipairs(pair.b.levels) do
      if row[k] then low, high = math.min(low, row[k]), math.max(high, row[k]) end
    end
  end
  local html = { ('<table class="levels"><thead><tr><th scope="col">%s \\ %s</th>'):format(
    escaped(pair.a.factor.name), escaped(pair.b.factor.name)) }
  local function head(scope, level)
    html[#html + 1] = ('<th scope="%s">%s</th>'):format(scope, escaped(read.level_text(level)))
  end
  for _, one in ipairs(pair.b.levels) do head("col", one.level) end
  html[#html + 1] = "</tr></thead><tbody>"
  for i, one in ipairs(pair.a.levels) do
    html[#html + 1] = "<tr>"
    head("row", one.level)
    for k in ipairs(pair.b.levels) do
      local value = pair.cells[i][k]
      html[#html + 1] = ('<td style="--part:%.2f">%s</td>'):format(
        value and high > low and (value - low) / (high - low) or 0, number(value))
    end
    html[#html + 1] = "</tr>"
  end
  return table.concat(html) .. "</tbody></table>"
end

local function tornado_chart(list, title)
  local low, high = 0, 0
  for _, one in ipairs(list) do low, high = math.min(low, one.size), math.max(high, one.size) end
  local h = 26
  local c = new_chart { x = { low, high }, y = { 0, 1 }, x_axis = true, plot = #list * h, left = 160, width = 860 }
  for i, one in ipairs(list) do
    local y, from, to = TOP + (i - 0.5) * h, c:px(math.min(0, one.size)), c:px(math.max(0, one.size))
    c:text(c.left - 8, y + 4, one.factor, "end")
    c:add('<rect class="box" x="%.1f" y="%.1f" width="%.1f" height="16"><title>%s</title></rect>', from, y - 8,
      math.max(1, to - from), escaped(("%s: %s, %s"):format(one.factor, number(one.size), one.text)))
  end
  return c:done(title)
end

-- ---- the page

local function interval(from, to) return from and number(from) .. " to " .. number(to) or nil end

local SUMMARY = { "", "runs", "mean", "interval", "median", "5 %", "95 %", "its interval", "least", "most" }

local function summary_row(name, s)
  return { name, ("%d"):format(s.count), s.mean, interval(s.from, s.to), s.p50, s.p5, s.p95,
    interval(s.p95_from, s.p95_to), s.least, s.most }
end

-- {name, summary} of the points, and of all runs.
local function rows_of(data, m)
  local rows = {}
  if data.design == "grid" and #data.points <= 3 * MOST_POINTS then
    for _, point in ipairs(data.points) do
      local summary = read.summary(data, point.rows, m)
      if summary then rows[#rows + 1] = { name = read.point_text(data, point), summary = summary } end
    end
  end
  local all = #rows ~= 1 and read.summary(data, data.rows, m)
  if all then rows[#rows + 1] = { name = ("all %d points"):format(#data.points), summary = all } end
  return rows
end

local function effect_figure(measure, effect)
  local rows = {}
  for i, one in ipairs(effect.levels) do rows[i] = summary_row(read.level_text(one.level), one.summary) end
  local title = ("%s by %s"):format(measure.name, effect.factor.name)
  return page.figure(title, effect_chart(effect, title), nil, SUMMARY, rows)
end

local function sensitivity_figure(data, measure, m)
  local title, list = read.sensitivity(data, m)
  if #list < 2 then return "" end -- one factor's levels tell more
  local rows = {}
  for i, one in ipairs(list) do rows[i] = { one.factor, one.size, one.text } end
  return page.figure(title, tornado_chart(list, measure.name .. ": " .. title), nil, { "factor", "effect", "" }, rows)
end

local function measure_section(data, m)
  local measure, parts = data.measures[m], {}
  local rows = rows_of(data, m)
  if #rows == 0 then return page.section(title_of(measure), "<p>No run has it.</p>") end
  local told = {}
  for i, row in ipairs(rows) do told[i] = summary_row(row.name, row.summary) end
  parts[1] = page.figure("How the runs are spread", spread_chart(rows, measure.name .. ": how the runs are spread"),
    "Line: least to most; thick: 5 to 95 %; box: quartiles; bar: median; dot: mean.")
  parts[2] = page.wide(SUMMARY, told)
  parts[3] = page.note(("Intervals: of the mean by Student's law and of the 95th percentile by order statistics, at "
    .. "%g %% confidence; none of too few runs."):format(100 * data.confidence))
  local effects, pairs_of = read.main_effects(data, m), read.interactions(data, m)
  for i, effect in ipairs(effects) do effects[i] = effect_figure(measure, effect) end
  for i, pair in ipairs(pairs_of) do
    pairs_of[i] = page.figure(("%s and %s together"):format(pair.a.factor.name, pair.b.factor.name),
      interaction_table(pair))
  end
  if #effects > 0 then parts[#parts + 1] = "<h3>Main effects: means by factor</h3>" .. page.grid(effects) end
  if #pairs_of > 0 then parts[#parts + 1] = "<h3>Two factors together</h3>" .. page.grid(pairs_of) end
  parts[#parts + 1] = sensitivity_figure(data, measure, m)
  return page.section(title_of(measure), table.unpack(parts))
end

-- What throng.until_precise asked for, by points.
local function precision_section(data)
  if not data.of then return "" end
  local rows = {}
  for _, point in ipairs(data.points) do
    local value, from, to, part = read.precision(data, point)
    if value and #rows < MOST_RUNS then
      rows[#rows + 1] = { read.point_text(data, point), value, interval(from, to),
        from and ("%.1f %%%s"):format(100 * part, part > data.within and ", not as well as asked for" or "") }
    end
  end
  return page.section(("%s, known to %g %%"):format(data.of, 100 * data.within),
    page.wide({ "", data.of, "interval", "half of it" }, rows),
    page.note(("At %g %% confidence."):format(100 * data.confidence)))
end

local function band_rows(band)
  local rows, stride = {}, math.max(1, math.ceil(#band.p50 / MOST_TIMES))
  for t = 1, #band.p50, stride do
    rows[#rows + 1] = { ("%g s"):format((t - 1) * band.every), band.p5[t], band.p50[t], band.p95[t] }
  end
  return rows
end

local CURVES = { arrived = "N-t: people who have arrived, over time" }

-- One figure a point, all with the same axes; of many points one of all runs.
local function curve_section(store, data, name)
  local groups, figures = {}, {}
  if data.design == "grid" and #data.points <= MOST_POINTS then
    for i, point in ipairs(data.points) do groups[i] = { name = read.point_text(data, point), points = { point } } end
  else
    groups[1] = { name = "all runs", points = data.points }
  end
  local axes = { x = { 0, 0 }, y = { 0, 0 } }
  for _, group in ipairs(groups) do
    local band = read.band(store, group.points, name) or { p5 = {}, p50 = {}, p95 = {}, every = 0 }
    group.band, axes.x[2] = band, math.max(axes.x[2], band.every * (#band.p50 - 1))
    for t = 1, #band.p95 do
      axes.y[1], axes.y[2] = math.min(axes.y[1], band.p5[t]), math.max(axes.y[2], band.p95[t])
    end
  end
  for i, group in ipairs(groups) do
    figures[i] = page.figure(group.name, band_chart(group.band, axes, name .. ": " .. group.name), nil,
      { "time", "5 %", "median", "95 %" }, band_rows(group.band))
  end
  return page.section(CURVES[name] or name .. " over time",
    page.note "Median of the runs, and the band from 5 to 95 % of them. A run that has ended keeps its last value.",
    page.grid(figures))
end

-- A level in as few digits as give it again.
local function exact(level)
  if math.type(level) ~= "float" then return tostring(level) end
  local text = ("%.15g"):format(level)
  return tonumber(text) == level and text or ("%.17g"):format(level)
end

-- `throng run` of one of the runs; levels of all factors, since laws have a number for each run.
local function run_command(data, row)
  local words = { "throng run", page.word(data.scenario), "--seed", ("%d"):format(row.seed) }
  for j, factor in ipairs(data.factors) do
    local level = row.levels[j]
    words[#words + 1] = "--set " .. page.word(factor.name .. "=" .. exact(level))
  end
  return table.concat(words, " ")
end

local function failures_section(data)
  local rows = {}
  for _, row in ipairs(data.rows) do
    if row.error and #rows < MOST_COMMANDS then
      rows[#rows + 1] = { ("run %d"):format(row.run), row.error,
        { html = "<code>" .. escaped(run_command(data, row)) .. "</code>" } }
    end
  end
  if #rows == 0 then return "" end
  return page.section("Runs that failed", page.wide({ "", "error", "to see it again" }, rows),
    data.failed > #rows and page.note(("And %d more."):format(data.failed - #rows)) or "")
end

local function runs_table(data)
  local heads = { "run", "seed" }
  for _, list in ipairs { data.factors, data.measures } do
    for _, one in ipairs(list) do heads[#heads + 1] = one.name end
  end
  heads[#heads + 1] = "hash"
  local rows = {}
  for i, row in ipairs(data.rows) do
    if i > MOST_RUNS then break end
    local cells = { ("%d"):format(row.run), ("%d"):format(row.seed) }
    for j in ipairs(data.factors) do cells[#cells + 1] = read.level_text(row.levels[j]) end
    for m in ipairs(data.measures) do cells[#heads - 1 - #data.measures + m] = row.values[m] end
    cells[#heads] = row.error and "failed" or row.hash
    rows[i] = cells
  end
  return page.details(#data.rows > MOST_RUNS and ("The first %d of %d runs"):format(MOST_RUNS, #data.rows)
    or ("All %d runs"):format(#data.rows), page.table(heads, rows))
end

local function again_section(data)
  local parts = {}
  if data.file then
    parts[#parts + 1] = "<p>All of it:</p>" .. page.command(("throng study %s --report"):format(page.word(data.file)))
  end
  if #data.points > 0 then
    local lines = {}
    for i, point in ipairs(data.points) do
      if i <= MOST_COMMANDS then lines[i] = run_command(data, point.rows[1]) end
    end
    parts[#parts + 1] = "<p>The first run of each point, to watch (<code>throng view</code> takes the same) or to "
      .. "report by itself (<code>--report</code>):</p>" .. page.command(table.concat(lines, "\n"))
    if #data.points > #lines then
      parts[#parts + 1] = page.note(("And of %d more points."):format(#data.points - #lines))
    end
  end
  parts[#parts + 1] = page.facts {
    { "Scenario", data.scenario }, { "Study", data.file }, { "Design", data.design },
    { "Seeds", ("from %s on"):format(data.seed) }, { "Results", data.path }, { "Version", "throng " .. data.version },
  }
  parts[#parts + 1] = runs_table(data)
  return page.section("To run it again", table.unpack(parts))
end

local function factors_section(data)
  if #data.factors == 0 then return "" end
  local rows = {}
  for i, factor in ipairs(data.factors) do
    rows[i] = { factor.name, factor.text, factor.kind == "law" and "a law, drawn for each run" or "levels" }
  end
  return page.section("What was varied", page.wide({ "factor", "levels, or its law", "" }, rows))
end

local function name_of(path) return path:match "([^/]+)%.lua$" or path end

return function(store, data)
  local parts = { factors_section(data), precision_section(data) }
  for m in ipairs(data.measures) do parts[#parts + 1] = measure_section(data, m) end
  for _, name in ipairs(read.curve_names(store)) do parts[#parts + 1] = curve_section(store, data, name) end
  parts[#parts + 1] = failures_section(data)
  parts[#parts + 1] = again_section(data)
  return page.made("Study of " .. name_of(data.scenario), ("%s, %s%s"):format(
    numbers.counted(#data.points, "point"), numbers.counted(#data.rows, "run"),
    data.failed > 0 and (", %d of which failed"):format(data.failed) or ""), {
    { "Points", #data.points }, { "Runs", ("%d"):format(#data.rows) }, { "Failed", data.failed },
    { "Factors", #data.factors }, { "Design", data.design },
  }, parts)
end
