-- Writes RESULTS.md, and the drawings beside it, from what `make people` measured:
--   lua5.4 tests/people/results.lua FOLDER out/people/*.jsonl
package.path = "tests/people/?.lua;" .. package.path
local json = require "dkjson"
local data = require "data"
local draw = require "draw"

local folder = arg[1]

-- --- what was measured: the runs of each table, planner and column -------------------------------------------

local runs, drawings, seen, seeds = {}, {}, {}, 0

local function key(...) return table.concat({ ... }, "|") end

for i = 2, #arg do
  for line in assert(io.open(arg[i])):lines() do
    local one = assert(json.decode(line), arg[i])
    local place = key(one.table, one.planner, one.at)
    runs[place] = runs[place] or {}
    runs[place][one.seed] = one.values
    drawings[place] = one.drawing or drawings[place]
    seen[one.planner] = true
    if one.table == "door" then seeds = math.max(seeds, one.seed) end
  end
end

local rows = {} -- names of planners
for _, name in ipairs(data.planners) do
  if seen[name] then rows[#rows + 1] = name end
  if name == "orca" and seen[data.SHOULDERS] then rows[#rows + 1] = data.SHOULDERS end
end

-- Value `n` of the runs, by seed; of the first seeds that all have.
local function all_of(n, ...)
  local list = {}
  for seed, values in pairs(runs[key(...)] or {}) do
    if seed <= seeds then list[#list + 1] = values[n] end
  end
  return list
end

local function mean(list)
  local sum = 0
  for _, value in ipairs(list) do sum = sum + value end
  return #list > 0 and sum / #list or nil
end

local function mean_of(n, ...) return mean(all_of(n, ...)) end

-- --- text -----------------------------------------------------------------------------------------------------

local lines = {}
local function line(format, ...) lines[#lines + 1] = format:format(...) end
local function text(...)
  for _, one in ipairs { ... } do lines[#lines + 1] = one end
  lines[#lines + 1] = ""
end

local function row(name, cells) line("| %s | %s |", name, table.concat(cells, " | ")) end
local function head(name, cells)
  row(name, cells)
  lines[#lines + 1] = "|" .. ("---|"):rep(#cells + 1)
end

-- A cell for each column.
local function cells(columns, f)
  local list = {}
  for i, column in ipairs(columns) do list[i] = f(column) end
  return list
end

-- A value, bold where it does not hold; an empty cell where there is none.
local function cell(format, value, holds)
  return value and (holds == false and "**%s**" or "%s"):format(format:format(value)) or ""
end

local function near(value, people) return math.abs(value - people) <= math.max(0.25 * people, 0.2) end
local function within(value, low, high) return value >= low and value <= high end

-- --- tables ---------------------------------------------------------------------------------------------------

local function one_way()
  text("## Speed one way, m/s",
    "",
    "A corridor of 40 x 5 m on a torus, the last 20 s of 60. Bold: neither within 25 % or 0.2 m/s of Weidmann nor",
    "in the band of open corridors. In the band: of its bins, from 0.4 to 3.6 persons/m^2, those whose speed is",
    "between their p10 and p90, at least 60 %; of people who walk as fast as those did where they were alone, 1.55",
    "(0.18) m/s.",
    "",
    "![Speed over density](speed_density.svg)")
  local columns = cells(data.shown, function(density) return ("%.1f"):format(density) end)
  columns[#columns + 1] = "in the band"
  head("persons/m^2", columns)
  local people = cells(data.shown, function(d) return ("%.2f"):format(data.weidmann(d)) end)
  people[#people + 1] = ""
  row("Weidmann (1993)", people)
  people = cells(data.shown, function(d) return ("%.2f to %.2f"):format(data.band(d)) end)
  people[#people + 1] = ""
  row("open corridors, p10 to p90 (Zhang and others, 2011)", people)
  for _, planner in ipairs(rows) do
    local list = cells(data.shown, function(d)
      local speed = mean_of(1, "one way", planner, d)
      return cell("%.2f", speed, speed and (near(speed, data.weidmann(d)) or within(speed, data.band(d))))
    end)
    local inside = 0
    for _, bin in ipairs(data.open_corridors) do
      local speed = mean_of(1, "band", planner, bin[1])
      inside = inside + (speed and within(speed, bin[2], bin[3]) and 1 or 0)
    end
    local share = inside / #data.open_corridors
    list[#list + 1] = cell("%.0f %%", 100 * share, share >= 0.6)
    row(planner, list)
  end
  text()
end

-- Least squares: the slope of flows over widths from 0.8 m on.
local function slope_of(planner)
  local n, x, y, xx, xy = 0, 0, 0, 0, 0
  for _, door in ipairs(data.doors) do
    local flow = mean_of(1, "door", planner, door.width)
    if door.width >= 0.8 and flow then
      n, x, y = n + 1, x + door.width, y + flow
      xx, xy = xx + door.width ^ 2, xy + door.width * flow
    end
  end
  return n > 1 and (n * xy - x * y) / (n * xx - x * x) or nil
end

-- The greatest rise of the flow from a width to the next, of the rise between the first and the last, a step.
local function step_of(planner)
  local flows = {}
  for _, door in ipairs(data.doors) do
    local flow = mean_of(1, "door", planner, door.width)
    if door.width >= 0.8 and flow then flows[#flows + 1] = { door.width, flow } end
  end
  local most = 0
  for i = 2, #flows do
    most = math.max(most, (flows[i][2] - flows[i - 1][2]) / (flows[i][1] - flows[i - 1][1]))
  end
  return #flows > 1 and most / ((flows[#flows][2] - flows[1][2]) / (flows[#flows][1] - flows[1][1])) or nil
end

local function doors()
  text("## Flow through doors, persons/s",
    "",
    "200 people in a room of 10 x 10 m before a door 1 m deep. Bold: farther than 25 % from people. In brackets:",
    "how many are out after 300 s, where not all are. No route is wide enough for discs at 0.5 m. The slope is that of",
    "the line nearest to the flows from 0.8 m on (people: 1.6 to 2.6); the steepest is the greatest rise from a",
    "width to the next, of the mean rise.",
    "",
    "![Flow over width](doors.svg)")
  local columns = cells(data.doors, function(door) return ("%.1f"):format(door.width) end)
  columns[#columns + 1], columns[#columns + 2] = "slope, /m/s", "steepest"
  head("m", columns)
  local people = cells(data.doors, function(d) return cell("%.2f", d.people) end)
  people[#people + 1], people[#people + 2] = "1.6 to 2.6", ""
  row("people", people)
  for _, planner in ipairs(rows) do
    local list = cells(data.doors, function(d)
      local flow, out = mean_of(1, "door", planner, d.width), mean_of(2, "door", planner, d.width)
      local holds = not (flow and d.people) or math.abs(flow - d.people) <= 0.25 * d.people
      return cell("%.2f", flow, holds) .. (out and out < 200 and (" (%.0f)"):format(out) or "")
    end)
    local slope = slope_of(planner)
    list[#list + 1] = cell("%.2f", slope, slope and within(slope, 1.5, 2.6))
    list[#list + 1] = cell("%.1f", step_of(planner))
    row(planner, list)
  end
  text()
end

local function bends()
  text("## Flow round a bend, persons/s",
    "",
    "A right-angled bend of a corridor 2.4 m wide, the last 60 s of 120. Bold: farther than 25 % from people, of whom",
    "no more came through.")
  head("persons/s who come", cells(data.bends, function(bend) return ("%.1f"):format(bend.inflow) end))
  row("people (Keip and Ries, 2009; Zhang, 2012)", cells(data.bends, function(b) return cell("%.2f", b.people) end))
  for _, planner in ipairs(rows) do
    row(planner, cells(data.bends, function(bend)
      local flow = mean_of(1, "bend", planner, bend.inflow)
      return cell("%.2f", flow, flow and math.abs(flow - bend.people) <= 0.25 * bend.people)
    end))
  end
  text()
end

local function two_way()
  text("## Speed two ways, m/s (index of lanes)",
    "",
    "The same corridor, half of the people each way, mixed at first. The index is the order of strips of 0.5 m: of n1",
    "and n2 people the mean of ((n1 - n2) / (n1 + n2))^2. Bold: farther than a fifth from people, or an index below",
    "0.7.",
    "",
    "![Lanes](lanes.svg)")
  head("persons/m^2", cells(data.two_way, function(d) return ("%.1f"):format(d.density) end))
  row("two-way corridors (Zhang and others, 2012)", cells(data.two_way, function(d) return cell("%.2f", d.people) end))
  for _, planner in ipairs(rows) do
    row(planner, cells(data.two_way, function(d)
      local speed, order = mean_of(1, "two ways", planner, d.density), mean_of(2, "two ways", planner, d.density)
      return ("%s (%s)"):format(cell("%.2f", speed, speed and within(speed / d.people, 0.8, 1.2)),
        cell("%.2f", order, order and order >= 0.7))
    end))
  end
  text()
  local many, least = 0, {}
  for i, d in ipairs(data.two_way) do
    local speeds, orders = {}, {}
    for _, values in pairs(runs[key("two ways", "orca", d.density)] or {}) do
      speeds[#speeds + 1], orders[#orders + 1] = values[1], values[2]
    end
    table.sort(speeds)
    many = math.max(many, #speeds)
    least[i] = speeds[1] and ("%.2f, %.2f, %.2f"):format(speeds[1], mean(speeds), mean(orders)) or ""
  end
  text(("orca, %d seeds: the least speed of any, the mean, the index:"):format(many))
  head("persons/m^2", cells(data.two_way, function(d) return ("%.1f"):format(d.density) end))
  row("orca", least)
  text()
end

local function files()
  text("## Single file, m/s (stops a minute)",
    "",
    "On a lap of 26 m, the last 120 s of 240. A stop: below 0.05 m/s after more than 0.2. Bold: not between the 10th",
    "and the 90th of 100 speeds (RiMEA, test 16, which is run with the time gap of single file, 1.06 s). People stop",
    "and go from 1.5 persons/m on.",
    "",
    "![Places over time](single_file.svg)")
  head("persons/m", cells(data.files, function(d) return ("%.1f"):format(d.density) end))
  row("people, p10 to p90", cells(data.files, function(d) return ("%.2f to %.2f"):format(d[1], d[3]) end))
  for _, planner in ipairs(rows) do
    row(planner, cells(data.files, function(d)
      local speed, stops = mean_of(1, "single file", planner, d.density), mean_of(3, "single file", planner, d.density)
      return ("%s (%s)"):format(cell("%.2f", speed, speed and within(speed, d[1], d[3])), cell("%.1f", stops))
    end))
  end
  text()
end

local function room()
  text("## RiMEA 9: 1,000 people leave a room of 30 x 20 m by doors of 1 m, s",
    "",
    "The ratio must be 1.6 to 2.4, in every seed, and all must get out.")
  head("", { "four doors", "two", "ratio", "least to greatest", "out" })
  for _, planner in ipairs(rows) do
    local four, two = runs[key("room", planner, 4)], runs[key("room", planner, 2)]
    if four and two then
      local ratios, out = {}, 0
      for seed, values in pairs(four) do
        ratios[#ratios + 1] = two[seed][1] / values[1]
        out = out + values[2] + two[seed][2]
      end
      table.sort(ratios)
      row(planner, {
        cell("%.0f", mean_of(1, "room", planner, 4)), cell("%.0f", mean_of(1, "room", planner, 2)),
        cell("%.2f", mean(ratios), within(mean(ratios), 1.6, 2.4)),
        cell("%.2f", ratios[1], ratios[1] >= 1.6) .. " to " .. cell("%.2f", ratios[#ratios], ratios[#ratios] <= 2.4),
        cell("%d", out, out == 2000 * #ratios) .. (" of %d"):format(2000 * #ratios),
      })
    end
  end
  text()
end

-- Acceleration, turns, backwards, fast: at most.
local MOST = { 1, 1, 0.01, 0 }

local function walking()
  text("## How they walk",
    "",
    ("Means of %d seeds. Bold: acceleration above 1 m/s^2, more than a turn a minute, more than 1 %% of"):format(seeds),
    "steps backwards, more than 0.1 % faster than 1.2 of one's own speed, circles (360 degrees within 5 s), somebody",
    "who is not out.")
  head("", {
    "acceleration, m/s^2", "turns > 90 degrees/min", "backwards", "> 1.2 of own speed", "circles", "last out, s",
  })
  row("people", { "0.4 to 0.65", "0.01 to 0.2", "", "", "0", "" })
  for _, where in ipairs { "evacuation", "streams" } do
    for _, planner in ipairs(rows) do
      local function value(n) return mean_of(n, "walking", planner, where) end
      if value(1) then
        local out = value(7) < value(6) and (" (%s out)"):format(cell("%.1f", value(7), false)) or ""
        row(where .. ", " .. planner, {
          cell("%.2f", value(1), value(1) <= MOST[1]), cell("%.2f", value(2), value(2) <= MOST[2]),
          cell("%.1f %%", 100 * value(3), value(3) <= MOST[3]),
          cell("%.1f %%", 100 * value(4), value(4) < MOST[4] + 0.001),
          cell("%.1f", value(5), value(5) == 0) .. (" of %.0f"):format(value(6)),
          ("%.0f%s"):format(value(8), out),
        })
      end
    end
  end
  text()
end

-- --- drawings -------------------------------------------------------------------------------------------------

local function curve(name, planner, columns)
  local points = {}
  for _, at in ipairs(columns) do
    local value = mean_of(1, name, planner, at)
    if value then points[#points + 1] = { at, value } end
  end
  table.sort(points, function(a, b) return a[1] < b[1] end)
  return points
end

local function write(name, svg)
  local file = assert(io.open(folder .. "/" .. name, "w"))
  file:write(svg, "\n")
  file:close()
end

local function speed_density()
  local weidmann = {}
  for i = 2, 42 do weidmann[#weidmann + 1] = { i / 10, data.weidmann(i / 10) } end
  local curves = {}
  for i, planner in ipairs(rows) do
    curves[i] = { name = planner, points = curve("one way", planner, data.shown) }
  end
  write("speed_density.svg", draw.curves {
    title = "Speed over density: planners, Weidmann (1993) and the band of open corridors",
    x = { 0, 4 }, y = { 0, 1.75 }, label = "persons/m^2, and m/s",
    band = data.open_corridors, data = { name = "Weidmann", points = weidmann }, curves = curves,
  })
end

local function flow_width()
  local people, widths = {}, {}
  for i, door in ipairs(data.doors) do
    widths[i] = door.width
    if door.people then people[#people + 1] = { door.width, door.people } end
  end
  local curves = {}
  for i, planner in ipairs(rows) do
    curves[i] = { name = planner, points = curve("door", planner, widths) }
  end
  write("doors.svg", draw.curves {
    title = "Flow over the width of a door", x = { 0.4, 2.4 }, y = { 0, 6 }, label = "m, and persons/s",
    data = { name = "people", points = people }, curves = curves,
  })
end

local function lanes()
  local frames = {}
  for _, two in ipairs(data.two_way) do
    local places = drawings[key("two ways", "orca", two.density)]
    if places then frames[#frames + 1] = { title = ("%.1f persons/m^2"):format(two.density), places = places } end
  end
  write("lanes.svg", draw.places { title = "Two ways under orca after 60 s", width = 40, height = 5, frames = frames })
end

local function waves()
  local frames = {}
  for _, file in ipairs(data.files) do
    local trajectories = drawings[key("single file", "orca", file.density)]
    if trajectories then
      frames[#frames + 1] = { title = ("%.1f persons/m"):format(file.density), points = trajectories }
    end
  end
  write("single_file.svg",
    draw.trajectories { title = "Single file under orca: places over time", lap = 26, frames = frames })
end

local function first_line(command)
  local pipe = assert(io.popen(command))
  local found = pipe:read "l"
  pipe:close()
  return found or "?"
end

text("# Crowds beside people",
  "",
  ("Written by `make people`: %d seeds, default parameters of `throng.spawn` (%s: `body = throng.stadium()`),"):format(
    seeds, data.SHOULDERS),
  ("speeds normal(1.34, 0.26) m/s, dt 0.1 s, %s."):format(first_line "build/throng info | sed -n 2p"),
  "Of the planners, orca to bvp leave it to throng how people walk (time gap, relaxation, passing on the right); the",
  "others are models of the field that say it themselves, as published, but for corners, round which all keep lanes.")
one_way()
doors()
bends()
two_way()
files()
room()
walking()
while lines[#lines] == "" do table.remove(lines) end
local file = assert(io.open(folder .. "/RESULTS.md", "w"))
file:write(table.concat(lines, "\n"), "\n")
file:close()
speed_density()
flow_width()
lanes()
waves()
