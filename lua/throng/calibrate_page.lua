-- A calibration's results as one page of HTML.
local read, chart = ...

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
  local html = { "<table><tr><th>where</th><th>what</th><th>measured</th><th>tolerance</th><th>simulated</th>"
    .. "<th>interval</th><th>difference</th><th></th></tr>" }
  for _, datum in ipairs(experiment.data) do
    html[#html + 1] = ("<tr>" .. ("<td>%s</td>"):rep(8) .. "</tr>"):format(
      escaped(datum.point), escaped(datum.measure), number(datum.value), number(datum.tolerance), number(datum.mean),
      datum.from and number(datum.from) .. " to " .. number(datum.to) or "–",
      datum.mean and number(datum.mean - datum.value) or "–", read.holds(datum) and "within" or "<b>outside</b>")
  end
  return table.concat(html) .. "</table>"
end

local function profile_chart(data, parameter)
  local high = data.limit
  for _, one in ipairs(parameter.profile) do high = math.max(high, one.misfit) end
  high = math.min(high, 4 * data.limit)
  local c = chart.new { x = { parameter.low, parameter.high }, y = { 0, high }, x_axis = true, y_axis = true,
    width = 440, plot = 200, label = parameter.name }
  local line = {}
  for i, one in ipairs(parameter.profile) do
    line[i] = ("%.1f,%.1f"):format(c:px(one.value), c:py(math.min(one.misfit, high)))
  end
  c:add('<line class="thick" x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f"/>', c:px(parameter.low), c:py(data.limit),
    c:px(parameter.high), c:py(data.limit))
  c:add('<polyline class="line" points="%s"/>', table.concat(line, " "))
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

return function(data)
  local html = { "<h1>Calibration</h1>", ("<p>%d parameters, %d experiments, %d evaluations, %d runs.</p>"):format(
    #data.parameters, #data.experiments, #data.evaluations, data.runs) }
  html[#html + 1] = "<table><tr><th>parameter</th><th>fitted</th><th>searched</th><th>as good</th></tr>"
  for _, parameter in ipairs(data.parameters) do
    html[#html + 1] = ("<tr><td>%s</td><td>%s</td><td>%s to %s</td><td>%s</td></tr>"):format(escaped(parameter.name),
      number(parameter.value), number(parameter.low), number(parameter.high),
      parameter.from and number(parameter.from) .. " to " .. number(parameter.to) or "–")
  end
  html[#html + 1] = ('</table><p class="note">As good: the others fitted anew, the misfit is at most %s. Misfit: the '
    .. "root mean square of the differences, each as a part of its tolerance.</p>"):format(number(data.limit))
  for _, experiment in ipairs(data.experiments) do
    local misfit = data.verified and data.verified.misfits[experiment.name]
    html[#html + 1] = ("<h2>%s%s</h2><p>Misfit %s%s.</p>"):format(escaped(experiment.name),
      experiment.held_out and " (held out)" or "", number(misfit),
      data.verified and (" by %d runs with other seeds than those it was fitted by"):format(data.verified.runs) or "")
    html[#html + 1] = data_chart(experiment)
    html[#html + 1] = '<p class="note">Bar: measured, and as far off as it may be; dot: simulated, its interval.</p>'
    html[#html + 1] = data_table(experiment)
  end
  if #data.parameters[1].profile > 0 then
    html[#html + 1] = '<h2>How well the data determine the parameters</h2><p class="note">The least misfit when one is '
      .. 'held and the others are fitted anew; dot: the best; bar: as good.</p><div class="row">'
    for _, parameter in ipairs(data.parameters) do html[#html + 1] = profile_chart(data, parameter) end
    html[#html + 1] = "</div>"
  end
  if #data.front > 1 then
    html[#html + 1] = '<h2>Compromises</h2><p class="note">All that was tried; dark: what nothing beats in all '
      .. "experiments.</p>" .. front_chart(data)
  end
  return chart.page("Calibration", html)
end
