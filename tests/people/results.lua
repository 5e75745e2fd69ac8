-- `make people`: what crowds with default parameters do beside what was measured of people, into RESULTS.md.
-- SEEDS=2 takes fewer seeds; PLANNERS=orca,rvo looks at some planners, and prints instead of writing.
package.path = "tests/people/?.lua;" .. package.path
local measure = require "measure"

local SEEDS = tonumber(os.getenv "SEEDS" or 5)
local PLANNERS = {}
for name in (os.getenv "PLANNERS" or "orca,clearpath,rvo,forces,bvp"):gmatch "%a+" do
  PLANNERS[#PLANNERS + 1] = name
end

-- m/s by persons/m^2: Weidmann (1993); p10 and p90 of open corridors (Zhang and others, 2011), between the bins;
-- two-way corridors (Zhang and others, 2012).
local ONE_WAY = {
  { density = 0.5, weidmann = 1.30, from = 1.31, to = 1.64 },
  { density = 1.0, weidmann = 1.06, from = 1.18, to = 1.42 },
  { density = 1.5, weidmann = 0.81, from = 1.03, to = 1.27 },
  { density = 2.0, weidmann = 0.61, from = 0.65, to = 0.99 },
  { density = 3.0, weidmann = 0.33, from = 0.19, to = 0.44 },
  { density = 4.0, weidmann = 0.16, from = 0.12, to = 0.15 },
}
local TWO_WAY = {
  { density = 1.0, people = 1.19 },
  { density = 1.5, people = 0.88 },
  { density = 2.0, people = 0.67 },
  { density = 3.0, people = 0.42 },
}
-- Persons/s by m, of two experiments. 0.8 to 1.2: Seyfried (2009) and Kretz (2006); 2.0: soldiers (2006) and Nagai
-- (2006); 2.4: soldiers and a wide exit (Juelich, 2009). Through 0.5 m people do 1.05 (Kretz; Daamen, 2010), but no
-- route is wide enough there for discs of up to 0.25 m.
local DOORS = {
  { width = 0.8, people = 1.36 },
  { width = 1.0, people = 1.88 },
  { width = 1.2, people = 2.25 },
  { width = 2.0, people = 3.71 },
  { width = 2.4, people = 5.3 },
}

local lines = {}
local function line(format, ...) lines[#lines + 1] = format:format(...) end

-- A row: the planner, and f(column) of each.
local function row(name, columns, f)
  local cells = {}
  for i, column in ipairs(columns) do
    cells[i] = f(column)
  end
  line("| %s | %s |", name, table.concat(cells, " | "))
end

local function head(first, columns, format, field)
  row(first, columns, function(column) return format:format(column[field]) end)
  lines[#lines + 1] = "|" .. ("---|"):rep(#columns + 1)
end

-- Mean of f(seed) over the seeds, each value of it.
local function mean(f)
  local sums = {}
  for seed = 1, SEEDS do
    for i, value in ipairs { f(seed) } do
      sums[i] = (sums[i] or 0) + value / SEEDS
    end
  end
  return table.unpack(sums)
end

local function near(value, data) return math.abs(value - data) <= math.max(0.25 * data, 0.2) end

local function one_way()
  line "## Speed one way, m/s"
  line ""
  line "A corridor of 40 x 5 m on a torus, the last 20 s of 60. Bold: neither within 25 %% or 0.2 m/s of Weidmann nor"
  line "in the band of open corridors."
  line ""
  head("persons/m^2", ONE_WAY, "%.1f", "density")
  row("Weidmann (1993)", ONE_WAY, function(d) return ("%.2f"):format(d.weidmann) end)
  row("open corridors, p10 to p90 (Zhang and others, 2011)", ONE_WAY,
    function(d) return ("%.2f to %.2f"):format(d.from, d.to) end)
  for _, planner in ipairs(PLANNERS) do
    row(planner, ONE_WAY, function(d)
      local speed = mean(function(seed)
        return (measure.corridor { planner = planner, density = d.density, seed = seed })
      end)
      local fits = near(speed, d.weidmann) or (speed >= d.from and speed <= d.to)
      return (fits and "%.2f" or "**%.2f**"):format(speed)
    end)
  end
  line ""
end

local function two_way()
  line "## Speed two ways, m/s (index of lanes)"
  line ""
  line "The same corridor, half of the people each way, mixed at first. The index is the order of strips of 0.5 m."
  line ""
  head("persons/m^2", TWO_WAY, "%.1f", "density")
  row("two-way corridors (Zhang and others, 2012)", TWO_WAY, function(d) return ("%.2f"):format(d.people) end)
  for _, planner in ipairs(PLANNERS) do
    row(planner, TWO_WAY, function(d)
      return ("%.2f (%.2f)"):format(mean(function(seed)
        return measure.corridor { planner = planner, density = d.density, seed = seed, ways = 2 }
      end))
    end)
  end
  line ""
end

local function doors()
  line "## Flow through doors, persons/s"
  line ""
  line "200 people in a room of 10 x 10 m before a door 1 m deep. Bold: farther than 25 %% from people. In brackets:"
  line "how many are out after 300 s, where not all are."
  line ""
  head("m", DOORS, "%.1f", "width")
  row("people", DOORS, function(d) return ("%.2f"):format(d.people) end)
  for _, planner in ipairs(PLANNERS) do
    row(planner, DOORS, function(d)
      local flow, out =
        mean(function(seed) return measure.door { planner = planner, width = d.width, seed = seed } end)
      local text = (math.abs(flow - d.people) <= 0.25 * d.people and "%.2f" or "**%.2f**"):format(flow)
      return out < 200 and ("%s (%.0f)"):format(text, out) or text
    end)
  end
  line ""
end

local function room()
  line "## RiMEA 9: 1,000 people leave a room of 30 x 20 m by doors of 1 m, s"
  line ""
  line "| | four doors | two | ratio, people about 2 | out of 2,000 |"
  line "|---|---|---|---|---|"
  for _, planner in ipairs(PLANNERS) do
    local four, out = measure.room { planner = planner, doors = 4, seed = 1 }
    local two, later = measure.room { planner = planner, doors = 2, seed = 1 }
    line("| %s | %.0f | %.0f | %.2f | %d |", planner, four, two, two / four, out + later)
  end
  line ""
end

local function walking()
  line "## How they walk"
  line ""
  line "| | acceleration, m/s^2 | turns > 90 degrees/min | backwards | > 1.2 of own speed | circles | last out, s |"
  line "|---|---|---|---|---|---|---|"
  line "| people | 0.4 to 0.65 | 0.01 to 0.2 | | | 0 | |"
  for _, where in ipairs { "evacuation", "streams" } do
    for _, planner in ipairs(PLANNERS) do
      local r = measure[where] { planner = planner, seed = 1 }
      line("| %s, %s | %.2f | %.2f | %.1f %% | %.1f %% | %d of %d | %.0f%s |", where, planner, r.acceleration, r.turns,
        100 * r.backwards, 100 * r.fast, r.circles, r.people, r.last or 0,
        r.arrived < r.people and (" (%d out)"):format(r.arrived) or "")
    end
  end
  line ""
end

local function first_line(command)
  local pipe = io.popen(command)
  local text = pipe and pipe:read "l"
  if pipe then
    pipe:close()
  end
  return text or "?"
end

describe("people", function()
  it("are measured", function()
    line "# Crowds beside people"
    line ""
    line("Written by `make people`: %d seed(s) (of RiMEA 9 and of how they walk: one), default parameters of", SEEDS)
    line("`throng.spawn`, speeds normal(1.34, 0.26) m/s, dt 0.1 s, %s.", first_line "build/throng info | sed -n 2p")
    line ""
    one_way()
    doors()
    two_way()
    room()
    walking()
    local text = table.concat(lines, "\n")
    if os.getenv "PLANNERS" then
      print(text)
      return
    end
    local file = assert(io.open("tests/people/RESULTS.md", "w"))
    file:write(text)
    file:close()
  end)
end)
