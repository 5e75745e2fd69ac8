-- Charts as SVG; runtime/report/page.css says how they look on a page.
local host = ...

local valid = host.library "valid_text"()

local chart = {}
chart.__index = chart

local ENTITIES = { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", ['"'] = "&quot;" }

function chart.escaped(text) return (valid(tostring(text)):gsub("[&<>\"]", ENTITIES)) end

function chart.number(value) return value and ("%.4g"):format(value) or "–" end

local LEFT, TICKS, LABEL = 64, 24, 20
chart.RIGHT, chart.TOP = 16, 12

local function round_up(step)
  local power = 10.0 ^ math.floor(math.log(step, 10))
  for _, factor in ipairs { 1, 2, 5, 10 } do
    if factor * power >= step * (1 - 1e-9) then return factor * power end
  end
end

-- Round values from at most `low` to at least `high`.
local function ticks(low, high, count)
  if high <= low then low, high = low - 0.5, low + 0.5 end
  local step = round_up((high - low) / count)
  local list = {}
  for i = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9) do list[#list + 1] = i * step end
  return list
end

-- A drawing of that size, with axes for values from xs to ys: {low, high}; labels instead of numbers along x when
-- given.
function chart.new(settings)
  local bottom = TICKS + (settings.label and LABEL or 0)
  local self = setmetatable({ lines = {}, w = settings.width or 640, h = chart.TOP + (settings.plot or 240) + bottom,
    left = settings.left or LEFT, bottom = bottom }, chart)
  self.x, self.y = settings.x, settings.y
  if settings.x_axis then
    local list = ticks(self.x[1], self.x[2], 8)
    self.x = { list[1], list[#list] }
    for _, at in ipairs(list) do self:tick_x(at, chart.number(at)) end
  end
  if settings.y_axis then
    local list = ticks(self.y[1], self.y[2], 5)
    self.y = { list[1], list[#list] }
    for _, at in ipairs(list) do self:tick_y(at, chart.number(at)) end
  end
  if settings.label then
    self:text((self.left + self.w - chart.RIGHT) / 2, self.h - 6, settings.label, "middle")
  end
  return self
end

function chart:add(...) self.lines[#self.lines + 1] = string.format(...) end

-- Adds what of a shape is within the axes.
function chart:add_within(...)
  local x, y, w, h = self.left, chart.TOP, self.w - self.left - chart.RIGHT, self.h - self.bottom - chart.TOP
  self:add('<svg x="%g" y="%g" width="%g" height="%g" viewBox="%g %g %g %g" style="overflow: hidden">%s</svg>',
    x, y, w, h, x, y, w, h, string.format(...))
end

function chart:px(x)
  return self.left + (x - self.x[1]) / (self.x[2] - self.x[1]) * (self.w - self.left - chart.RIGHT)
end

function chart:py(y)
  local foot = self.h - self.bottom
  return foot - (y - self.y[1]) / (self.y[2] - self.y[1]) * (foot - chart.TOP)
end

function chart:text(x, y, text, anchor)
  self:add('<text x="%.1f" y="%.1f" text-anchor="%s">%s</text>', x, y, anchor or "start", chart.escaped(text))
end

function chart:tick_x(x, text)
  local at = self:px(x)
  self:add('<line class="rule" x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f"/>', at, chart.TOP, at, self.h - self.bottom)
  self:text(at, self.h - self.bottom + 16, text, "middle")
end

function chart:tick_y(y, text)
  local at = self:py(y)
  self:add('<line class="rule" x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f"/>', self.left, at, self.w - chart.RIGHT, at)
  self:text(self.left - 8, at + 4, text, "end")
end

function chart:done(title)
  local name = chart.escaped(title)
  return ('<svg class="chart" viewBox="0 0 %g %g" style="max-width: %gpx" role="img" aria-label="%s"><title>%s</title>'
    .. "%s</svg>"):format(self.w, self.h, self.w, name, name, table.concat(self.lines, "\n"))
end

return chart
