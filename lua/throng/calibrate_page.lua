-- A calibration's results as a page, with charts as SVG.
local read, chart, page, numbers = ...

local escaped, number = chart.escaped, chart.number

-- What was measured with its tolerance as a bar, and what comes out as a dot.
local function data_chart(experiment)
  local low, high, h = 0, 0, 26
  for _, datum in ipairs(experiment.data) do
    low = math.min(low, datum.value - datum.tolerance, datum.from or datum.mean or 0)
    high = math.max(high, datum.value + datum.tolerance, datum.to or datum.mean or 0)
  end
  local c = chart.new { x = { low, high }, y = { 0, 1 }, x_axis = true, plot = #experiment.data * h, left = 260,
    width = 860 }
  for i, datum in ipairs(experiment.data) do
    local y = chart.TOP + (i - 0.5) * h
    c:text(c.left - 8, y + 4, ("%s, %s"):format(datum.point, datum.measure), "end")
    c:add('<rect class="box" x="%.1f" y="%.1f" width="%.1f" height="14"><title>measured: %s</title></rect>',
      c:px(datum.value - datum.tolerance), y - 7, c:px(datum.value + datum.tolerance)
      - c:px(datum.value - datum.tolerance), number(datum.value))
    c:add('<line class="median" x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f"/>', c:px(datum.value), y - 8,
      c:px(datum.value), y + 8)
    if datum.from then
      c:add('<line class="thin" x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f"/>', c:px(datum.from), y, c:px(datum.to), y)
    end
    if datum.mean then c:add('<circle class="mean" cx="%.1f" cy="%.1f" r="4"/>', c:px(datum.mean), y) end
  end
  return c:done(experiment.name .. ": measured and simulated")
end

local function data_table(experiment)
  local rows = {}
  for i, datum in ipairs(experiment.data) do
    rows[i] = { datum.point, datum.measure, datum.value, datum.tolerance, datum.mean,
      datum.from and number(datum.from) .. " to " .. number(datum.to) or nil, datum.mean and datum.mean - datum.value,
      { html = read.holds(datum) and '<span class="passed">within</span>' or '<span class="failed">outside</span>' } }
  end
  return page.wide({ "where", "what", "measured", "tolerance", "simulated", "interval", "difference", "" }, rows)
end

local function profile_chart(data, parameter)
  local high = data.limit
  for _, one in ipairs(parameter.profile) do high = math.max(high, one.misfit) end
  high = math.min(high, 4 * data.limit)
  local c = chart.new { x = { parameter.low, parameter.high }, y = { 0, high }, x_axis = true, y_axis = true,
    width = 440, plot = 200, label = parameter.name }
  local line = {}
  for i, one in ipairs(parameter.line or parameter.profile) do
    line[i] = ("%.1f,%.1f"):format(c:px(one.value), c:py(one.misfit))
  end
  c:add('<line class="thick" x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f"/>', c:px(parameter.from or parameter.value),
    c:py(data.limit), c:px(parameter.to or parameter.value), c:py(data.limit))
  c:add_within('<polyline class="line" points="%s"/>', table.concat(line, " "))
  c:add('<circle class="mean" cx="%.1f" cy="%.1f" r="4"/>', c:px(parameter.value), c:py(data.best.misfit))
  return c:done("misfit by " .. parameter.name)
end

local function front_chart(data)
  local a, b = data.fitted[1].name, data.fitted[2].name
  local x, y = 0, 0
  for _, one in ipairs(data.front) do x, y = math.max(x, one.misfits[a]), math.max(y, one.misfits[b]) end
  x, y = 2 * x, 2 * y
  local c = chart.new { x = { 0, x }, y = { 0, y }, x_axis = true, y_axis = true, width = 560,
    label = ("misfit of %s; upwards, of %s"):format(a, b) }
  for _, one in ipairs(data.evaluations) do
    if one.misfits[a] <= x and one.misfits[b] <= y and one.phase ~= "verified" then
      c:add('<circle class="box" cx="%.1f" cy="%.1f" r="2"/>', c:px(one.misfits[a]), c:py(one.misfits[b]))
    end
  end
  for _, one in ipairs(data.front) do
    local values = {}
    for j, parameter in ipairs(data.parameters) do
      values[j] = ("%s = %s"):format(parameter.name, number(one.values[j]))
    end
    c:add('<circle class="mean" cx="%.1f" cy="%.1f" r="4"><title>%s</title></circle>', c:px(one.misfits[a]),
      c:py(one.misfits[b]), escaped(table.concat(values, ", ")))
  end
  return c:done("compromises between " .. a .. " and " .. b)
end

local function parameters_section(data)
  local rows = {}
  for i, parameter in ipairs(data.parameters) do
    rows[i] = { parameter.name, parameter.value, number(parameter.low) .. " to " .. number(parameter.high),
      parameter.from and number(parameter.from) .. " to " .. number(parameter.to) or nil }
  end
  return page.section("Parameters", page.wide({ "parameter", "fitted", "searched", "as good" }, rows),
    page.note(("As good: the others fitted again, the misfit is at most %s. Misfit: the root mean square of the "
      .. "differences, each as a part of its tolerance."):format(number(data.limit))))
end

local function experiment_section(data, experiment)
  local misfit = data.verified and data.verified.misfits[experiment.name]
  return page.section(experiment.name .. (experiment.held_out and " (held out)" or ""),
    ("<p>Misfit %s%s.</p>"):format(number(misfit), data.verified
      and (" by %d runs with other seeds than those it was fitted by"):format(data.verified.runs) or ""),
    page.figure("Measured and simulated", data_chart(experiment),
      "Bar: measured, and as far off as it may be; dot: simulated, its interval."), data_table(experiment))
end

local function profiles_section(data)
  if #data.parameters[1].profile == 0 then return "" end
  local figures = {}
  for i, parameter in ipairs(data.parameters) do
    local rows = {}
    for k, one in ipairs(parameter.profile) do rows[k] = { number(one.value), one.misfit } end
    figures[i] = page.figure(parameter.name, profile_chart(data, parameter), nil, { parameter.name, "misfit" }, rows)
  end
  return page.section("How well the data determine the parameters", page.note("The least misfit when one is held and "
    .. "the others are fitted again; dot: the best; bar: as good."), page.grid(figures))
end

local function front_section(data)
  if #data.front < 2 then return "" end
  local heads, rows = {}, {}
  for i, experiment in ipairs(data.fitted) do heads[i] = "misfit of " .. experiment.name end
  for _, parameter in ipairs(data.parameters) do heads[#heads + 1] = parameter.name end
  for i, one in ipairs(data.front) do
    rows[i] = {}
    for k, experiment in ipairs(data.fitted) do rows[i][k] = number(one.misfits[experiment.name]) end
    for _, value in ipairs(one.values) do table.insert(rows[i], value) end
  end
  return page.section("Compromises", page.figure("Between the experiments", front_chart(data),
    "All that was tried; dark: what nothing beats in all experiments.", heads, rows))
end

local function again_section(data)
  return page.section("To run it again",
    data.file and page.command(("throng study %s --report"):format(page.word(data.file))) or "",
    page.facts { { "Calibration", data.file }, { "Results", data.path }, { "Version", "throng " .. data.version } })
end

return function(_, data)
  local parts = {}
  if data.best then
    parts[1] = parameters_section(data)
    for _, experiment in ipairs(data.experiments) do parts[#parts + 1] = experiment_section(data, experiment) end
    parts[#parts + 1] = profiles_section(data)
    parts[#parts + 1] = front_section(data)
  end
  parts[#parts + 1] = again_section(data)
  return page.made("Calibration", ("%s by %s"):format(numbers.counted(#data.parameters, "parameter"),
    numbers.counted(#data.experiments, "experiment")), {
    { "Evaluations", ("%d"):format(#data.evaluations) }, { "Runs", ("%d"):format(data.runs) },
    { "Misfit, fitted", data.best and data.best.misfit },
    { "Misfit, other seeds", data.verified and data.verified.misfit },
  }, parts)
end
