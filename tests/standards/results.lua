-- Writes RESULTS.md from what the suites found (`make standards`):
--   lua5.4 results.lua RUNS out/standards/*.jsonl > RESULTS.md
local json = require "dkjson"

local SUITES = { "rimea", "imo", "nist", "iso" }
local SURE = { ["2"] = "", ["1"] = " ¹", m = " ²" }

local titles, cases, planners, seen = {}, {}, {}, {}

local function read(path)
  for line in assert(io.open(path)):lines() do
    local record = assert(json.decode(line), path)
    titles[record.suite] = record.suite_title
    cases[record.suite] = cases[record.suite] or {}
    local case = cases[record.suite][record.place] or { of = {} }
    cases[record.suite][record.place] = case
    for _, field in ipairs { "number", "title", "says", "sure", "needs", "same" } do
      case[field] = record[field] or case[field]
    end
    case.of[record.planner] = record
    if not seen[record.planner] then
      seen[record.planner] = true
      planners[#planners + 1] = record.planner
    end
  end
end

-- The case that was run for this one.
local function run_of(suite, case)
  if not case.same then return case, suite end
  for _, other in pairs(cases[case.same[1]] or {}) do
    if other.number == case.same[2] then return other, case.same[1] end
  end
  return case, suite
end

local function say(...) io.write(string.format(...), "\n") end

local function bounds_of(check)
  if check.least and check.most then
    if check.least == check.most then return ("%g"):format(check.least) end
    return ("%.4g to %.4g"):format(check.least, check.most)
  end
  if check.least then return ("at least %.4g"):format(check.least) end
  return check.most and ("at most %.4g"):format(check.most) or ""
end

local BY = { std = "standard", ours = "ours", published = "published, looser", told = "" }

local function anchor(suite, number) return (suite .. "-" .. number:gsub("[ .]", "-")) end

local function overview(suite)
  say("## %s\n", titles[suite])
  say("| case | %s |", table.concat(planners, " | "))
  say("|---|%s", ("---|"):rep(#planners))
  local counts = {}
  for _, case in ipairs(cases[suite]) do
    local run, of = run_of(suite, case)
    local cells = {}
    for i, planner in ipairs(planners) do
      local result = (run.of[planner] or {}).verdict or ""
      counts[i] = (counts[i] or 0) + ((result == "pass" or result == "std") and 1 or 0)
      cells[i] = case.needs and "–" or result == "fail" and "**fail**" or result
    end
    local note = case.needs and (" *needs %s*"):format(case.needs) or ""
    say("| [%s](#%s) %s%s%s | %s |", case.number, anchor(of, run.number), case.title, SURE[tostring(case.sure)], note,
      table.concat(cells, " | "))
  end
  say("| **of %d** | %s |\n", #cases[suite], table.concat(counts, " | "))
  return counts
end

local function details(suite)
  for _, case in ipairs(cases[suite]) do
    local first
    for _, planner in ipairs(planners) do
      first = first or (case.of[planner] or {}).checks
    end
    if first then
      say("### <a id=\"%s\"></a>%s %s, %s\n", anchor(suite, case.number), titles[suite], case.number, case.title)
      say("%s\n", case.says or "")
      say("| | must be | by | %s |", table.concat(planners, " | "))
      say("|---|---|---|%s", ("---|"):rep(#planners))
      local rows, order = {}, {}
      for _, planner in ipairs(planners) do
        for _, check in ipairs((case.of[planner] or {}).checks or {}) do
          local key = check.what .. check.by
          if not rows[key] then
            rows[key] = { check = check, cells = {} }
            order[#order + 1] = key
          end
          local interval = not check.once and check.interval or ""
          local text = check.value and ("%.4g"):format(check.value) .. interval or "none"
          rows[key].cells[planner] = (check.holds or check.by == "told") and text or ("**%s**"):format(text)
        end
      end
      for _, key in ipairs(order) do
        local row, cells = rows[key], {}
        for i, planner in ipairs(planners) do
          cells[i] = row.cells[planner] or ""
        end
        local unit = row.check.unit and (", %s"):format(row.check.unit) or ""
        unit = unit .. (row.check.once and row.check.interval or "")
        say("| %s%s | %s | %s | %s |", row.check.what:gsub("|", "/"), unit, bounds_of(row.check), BY[row.check.by],
          table.concat(cells, " | "))
      end
      local hashes = {}
      for i, planner in ipairs(planners) do
        local record = case.of[planner] or {}
        hashes[i] = record.hash and ("`%s`"):format(record.hash:sub(1, 8)) or ""
      end
      say("| hash of the last world | | | %s |\n", table.concat(hashes, " | "))
    end
  end
end

for i = 2, #arg do
  read(arg[i])
end
table.sort(planners)
for i, planner in ipairs(planners) do -- the default one first
  if planner == "orca" then table.insert(planners, 1, table.remove(planners, i)) end
end

io.write(([[
# Verification suites

Written by `make standards`: the cases of RiMEA 4.1.1, IMO MSC.1/Circ.1533, NIST TN 1822 and ISO 20414, under every
planner, what is of chance in them RUNS times at most. `throng test --suite rimea` runs one suite under the default
planner, orca; the cases are in `*_spec.lua` here.

- **pass**: the standard's criterion holds, and ours, which are closer or stand where the standard has no number.
- **std**: the standard's holds, and one of ours does not.
- **fail**: the standard's does not.
- –: the case is not run; it says what it needs.

Criteria: ¹ known from one source; ² from memory; the others alike from two sources. Figures in bold do not hold. A
criterion that others assert in the place of the standard's, where it is looser, is told as "published" and counts for
nothing. `figure ± half of its 95 % interval (runs)`; ?: the bound lies in it.

]]):gsub("RUNS", arg[1]), "")
local total, number = {}, 0
for _, suite in ipairs(SUITES) do
  if cases[suite] then
    for i, count in ipairs(overview(suite)) do
      total[i] = (total[i] or 0) + count
    end
    number = number + #cases[suite]
  end
end
say("## All\n")
say("| | %s |", table.concat(planners, " | "))
say("|---|%s", ("---|"):rep(#planners))
say("| the standard's criterion holds, of %d | %s |\n", number, table.concat(total, " | "))
say("## Figures\n")
for _, suite in ipairs(SUITES) do
  if cases[suite] then details(suite) end
end
