-- Charts as SVG, and how the pages that they stand on look: no script, no network.
local chart = {}
chart.__index = chart

local ENTITIES = { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", ['"'] = "&quot;" }

function chart.escaped(text) return (tostring(text):gsub("[&<>\"]", ENTITIES)) end

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
  return ('<svg viewBox="0 0 %g %g" style="max-width: %gpx" role="img" aria-label="%s"><title>%s</title>%s</svg>')
    :format(self.w, self.h, self.w, name, name, table.concat(self.lines, "\n"))
end

local STYLE = [[
:root { color-scheme: light dark; --ink: #1d2433; --faint: #687085; --ground: #fff; --rule: #e3e6ee; --line: #2f6fde;
  --fill: #2f6fde44; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8ebf3; --faint: #9aa3b8; --ground: #12151d; --rule: #2a3040;
  --line: #6ea0ff; --fill: #6ea0ff44; } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--ground); max-width: 60rem;
  margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; } h2 { margin-top: 2.5rem; border-bottom: 1px solid var(--rule); } h3 { margin-bottom: .3rem; }
table { border-collapse: collapse; margin: .5rem 0; } td, th { padding: .15rem .7rem; text-align: right; }
th { font-weight: 600; } th:first-child, td:first-child { text-align: left; }
.tiles td { background: color-mix(in srgb, var(--line) calc(var(--part) * 55%), transparent); }
svg { width: 100%; height: auto; } svg text { font: 12px system-ui, sans-serif; fill: var(--faint); }
.row { display: grid; grid-template-columns: repeat(auto-fit, minmax(18rem, 1fr)); gap: 1rem; }
.rule { stroke: var(--rule); } .line { fill: none; stroke: var(--line); stroke-width: 2; } .band { fill: var(--fill); }
.thin { stroke: var(--faint); stroke-width: 1; } .thick { stroke: var(--line); stroke-width: 3; opacity: .5; }
.box { fill: var(--fill); stroke: var(--line); } .median { stroke: var(--line); stroke-width: 3; }
.mean { fill: var(--ink); } .note { color: var(--faint); }
@media print { svg, table { break-inside: avoid; } }
]]

-- A page of these parts.
function chart.page(title, parts)
  return ('<!doctype html><html lang="en"><head><meta charset="utf-8">'
    .. '<meta name="viewport" content="width=device-width">\n'
    .. "<title>%s</title><style>%s</style></head><body>\n"):format(chart.escaped(title), STYLE)
    .. table.concat(parts, "\n") .. "\n</body></html>\n"
end

return chart
