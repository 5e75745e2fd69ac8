-- A study's results as one page of HTML, with charts as SVG: it needs no script and no network.
local read, chart = ...

local new_chart, escaped, number, TOP = chart.new, chart.escaped, chart.number, chart.TOP

local MOST_POINTS = 12 -- with a row, and a band, of their own

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

-- Means of two factors' levels as tiles, darker where they are greater.
local function interaction_table(pair)
  local low, high = math.huge, -math.huge
  for _, row in ipairs(pair.cells) do
    for k in ipairs(pair.b.levels) do
      if row[k] then low, high = math.min(low, row[k]), math.max(high, row[k]) end
    end
  end
  local html = { ('<table class="tiles"><tr><th>%s \\ %s</th>'):format(escaped(pair.a.factor.name),
    escaped(pair.b.factor.name)) }
  for _, one in ipairs(pair.b.levels) do html[#html + 1] = "<th>" .. escaped(read.level_text(one.level)) .. "</th>" end
  html[#html + 1] = "</tr>"
  for i, one in ipairs(pair.a.levels) do
    html[#html + 1] = "<tr><th>" .. escaped(read.level_text(one.level)) .. "</th>"
    for k in ipairs(pair.b.levels) do
      local value = pair.cells[i][k]
      html[#html + 1] = ('<td style="--part:%.2f">%s</td>'):format(
        value and high > low and (value - low) / (high - low) or 0, number(value))
    end
    html[#html + 1] = "</tr>"
  end
  return table.concat(html) .. "</table>"
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

local function summary_table(rows)
  local html = { "<table><tr><th></th><th>runs</th><th>mean</th><th>interval</th><th>median</th><th>5 %</th>"
    .. "<th>95 %</th><th>least</th><th>most</th></tr>" }
  for _, row in ipairs(rows) do
    local s = row.summary
    html[#html + 1] = ("<tr><td>%s</td><td>%d</td><td>%s</td><td>%s</td><td>%s</td><td>%s</td><td>%s</td><td>%s</td>"
      .. "<td>%s</td></tr>"):format(escaped(row.name), s.count, number(s.mean),
      s.from and number(s.from) .. " to " .. number(s.to) or "–", number(s.p50), number(s.p5), number(s.p95),
      number(s.least), number(s.most))
  end
  return table.concat(html) .. "</table>"
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

local function measure_section(data, m)
  local measure, html = data.measures[m], {}
  local rows = rows_of(data, m)
  html[1] = "<h2>" .. escaped(title_of(measure)) .. "</h2>"
  if #rows == 0 then return html[1] .. "<p>No run has it.</p>" end
  html[#html + 1] = spread_chart(rows, measure.name .. ": how the runs are spread")
  html[#html + 1] = '<p class="note">Line: least to most; thick: 5 to 95 %; box: quartiles; bar: median; dot: mean.</p>'
  html[#html + 1] = summary_table(rows)
  local effects = read.main_effects(data, m)
  if #effects > 0 then
    html[#html + 1] = "<h3>Means by factor</h3><div class=\"row\">"
    for _, effect in ipairs(effects) do
      html[#html + 1] = effect_chart(effect, ("%s by %s"):format(measure.name, effect.factor.name))
    end
    html[#html + 1] = "</div>"
  end
  local pairs_of = read.interactions(data, m)
  if #pairs_of > 0 then
    html[#html + 1] = "<h3>Two factors together</h3><div class=\"row\">"
    for _, pair in ipairs(pairs_of) do html[#html + 1] = interaction_table(pair) end
    html[#html + 1] = "</div>"
  end
  local title, list = read.sensitivity(data, m)
  if #list > 1 then
    html[#html + 1] = "<h3>" .. escaped(title) .. "</h3>" .. tornado_chart(list, measure.name .. ": " .. title)
  end
  return table.concat(html, "\n")
end

local function curves_section(store, data)
  local html = {}
  local groups = {}
  if data.design == "grid" and #data.points <= MOST_POINTS then
    for i, point in ipairs(data.points) do groups[i] = { name = read.point_text(data, point), points = { point } } end
  else
    groups[1] = { name = "all runs", points = data.points }
  end
  for _, name in ipairs(read.curve_names(store)) do
    html[#html + 1] = ('<h2>%s over time</h2><p class="note">Median of the runs, and from 5 to 95 %% of them.</p>'
      .. '<div class="row">'):format(escaped(name))
    local bands, axes = {}, { x = { 0, 0 }, y = { 0, 0 } }
    for i, group in ipairs(groups) do
      local band = read.band(store, group.points, name) or { p5 = {}, p50 = {}, p95 = {}, every = 0 }
      bands[i], axes.x[2] = band, math.max(axes.x[2], band.every * (#band.p50 - 1))
      for t = 1, #band.p95 do
        axes.y[1], axes.y[2] = math.min(axes.y[1], band.p5[t]), math.max(axes.y[2], band.p95[t])
      end
    end
    for i, group in ipairs(groups) do
      html[#html + 1] = ("<div><h3>%s</h3>%s</div>"):format(escaped(group.name),
        band_chart(bands[i], axes, name .. ": " .. group.name))
    end
    html[#html + 1] = "</div>"
  end
  return table.concat(html, "\n")
end

return function(store, data)
  local html = {
    ("<h1>Study of %s</h1><p>%d points, %d runs%s; design %s, seeds from %s on; throng %s.</p>"):format(
      escaped(data.scenario), #data.points, #data.rows, data.failed > 0 and (", %d failed"):format(data.failed) or "",
      escaped(data.design), tostring(data.seed), escaped(data.version)),
  }
  if #data.factors > 0 then
    html[#html + 1] = "<table><tr><th>factor</th><th>levels, or its law</th></tr>"
    for _, factor in ipairs(data.factors) do
      html[#html + 1] = ("<tr><td>%s</td><td>%s</td></tr>"):format(escaped(factor.name), escaped(factor.text))
    end
    html[#html + 1] = "</table>"
  end
  for m in ipairs(data.measures) do html[#html + 1] = measure_section(data, m) end
  html[#html + 1] = curves_section(store, data)
  return chart.page("Study of " .. data.scenario, html)
end
