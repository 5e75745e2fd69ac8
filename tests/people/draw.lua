-- The drawings beside RESULTS.md, as SVG that stands by itself.
local function library(name) return assert(loadfile(("lua/throng/%s.lua"):format(name))) end

local chart = library "study_chart" { library = library }
local draw = {}

local COLOURS = {
  "#2f6fde", "#00a0c8", "#d9480f", "#2b8a3e", "#9c36b5", "#e8a200", "#5f3dc4", "#c2255c", "#0b7285", "#846358",
  "#868e96",
}

local STYLE = "<style>svg { background: #fff } text { font: 12px sans-serif; fill: #555f73 } "
  .. ".rule { stroke: #e3e6ee }</style>"

-- Of a chart's <svg>: with the namespace and the style that files need.
local function standing(svg)
  return (svg:gsub("^<svg", '<svg xmlns="http://www.w3.org/2000/svg"', 1):gsub("</title>", "</title>" .. STYLE, 1))
end

local function path(one, points)
  local list = {}
  for i, point in ipairs(points) do
    list[i] = ("%.1f,%.1f"):format(one:px(point[1]), one:py(point[2]))
  end
  return table.concat(list, " ")
end

-- Curves over a band of data, { x, low, high }, and a curve of data, with their names below.
function draw.curves(settings)
  local rows = math.ceil((#settings.curves + 1) / 3)
  local one = chart.new {
    x = settings.x, y = settings.y, x_axis = true, y_axis = true, label = settings.label, width = 720, plot = 360,
  }
  if settings.band then
    local edge = {}
    for _, bin in ipairs(settings.band) do edge[#edge + 1] = { bin[1], bin[2] } end
    for i = #settings.band, 1, -1 do edge[#edge + 1] = { settings.band[i][1], settings.band[i][3] } end
    one:add('<polygon points="%s" fill="#ced4da" fill-opacity="0.6"/>', path(one, edge))
  end
  local function name(i, text, colour)
    local x, y = 64 + (i % 3) * 220, one.h + 18 * (i // 3) + 12
    one:add('<line x1="%d" y1="%d" x2="%d" y2="%d" stroke="%s" stroke-width="3"/>', x, y - 4, x + 18, y - 4, colour)
    one:text(x + 24, y, text)
  end
  for i, curve in ipairs(settings.curves) do
    local colour = COLOURS[(i - 1) % #COLOURS + 1]
    one:add('<polyline points="%s" fill="none" stroke="%s" stroke-width="1.5"/>', path(one, curve.points), colour)
    name(i, curve.name, colour)
  end
  for _, point in ipairs(settings.data.points) do
    one:add('<circle cx="%.1f" cy="%.1f" r="2.5" fill="#111"/>', one:px(point[1]), one:py(point[2]))
  end
  name(0, settings.data.name .. " (points)", "#111")
  one.h = one.h + 18 * rows + 8
  return standing(one:done(settings.title))
end

-- A frame over the other, each w x h pixels with its title above.
local function frames_of(settings, w, h, fill)
  local lines = {}
  for i, frame in ipairs(settings.frames) do
    local top = (i - 1) * (h + 30) + 22
    lines[#lines + 1] = ('<text x="0" y="%d">%s</text>'):format(top - 6, chart.escaped(frame.title))
    lines[#lines + 1] =
      ('<rect x="0" y="%d" width="%d" height="%d" fill="#f8f9fa" stroke="#ced4da"/>'):format(top, w, h)
    fill(lines, frame, top)
  end
  local title, all = chart.escaped(settings.title), #settings.frames * (h + 30)
  local svg = '<svg viewBox="0 0 %d %d" width="%d" role="img" aria-label="%s"><title>%s</title>%s</svg>'
  return standing(svg:format(w, all, w, title, title, table.concat(lines, "\n")))
end

-- Where people are, { x, y, side }, by the side that they walk to.
function draw.places(settings)
  local scale = 20 -- pixels a metre
  return frames_of(settings, settings.width * scale, settings.height * scale, function(lines, frame, top)
    for _, place in ipairs(frame.places) do
      lines[#lines + 1] = ('<circle cx="%.1f" cy="%.1f" r="4.5" fill="%s"/>'):format(place[1] * scale,
        top + (settings.height - place[2]) * scale, place[3] == 1 and COLOURS[1] or COLOURS[3])
    end
  end)
end

-- Places over time, { s, m, number }, of people on a lap: a line each, which begins anew where the lap does.
function draw.trajectories(settings)
  local w, h, seconds = 720, 240, 120
  return frames_of(settings, w, h, function(lines, frame, top)
    local before, parts = {}, {}
    for _, point in ipairs(frame.points) do
      local t, x, i = table.unpack(point)
      local old = before[i]
      local move = (not old or math.abs(x - old) > settings.lap / 2) and "M" or "L"
      parts[i] = (parts[i] or "") .. ("%s%.1f %.1f"):format(move, t / seconds * w, top + h - x / settings.lap * h)
      before[i] = x
    end
    for _, one in ipairs(parts) do
      lines[#lines + 1] = ('<path d="%s" fill="none" stroke="#2f6fde" stroke-width="0.7"/>'):format(one)
    end
  end)
end

return draw
