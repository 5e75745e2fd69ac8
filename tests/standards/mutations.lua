-- Rewrites the section of mutations in RESULTS.md, from what `make standards-mutations` found:
--   lua5.4 mutations.lua RESULTS.md out/standards/mutations/*.jsonl
local json = require "dkjson"

local SUITES = { "rimea", "imo", "nist", "iso" }
local BEGIN = "## Mutations\n"

local cases, titles = {}, {} -- by suite and place: { number =, title =, mutations = { record, ... } }

for i = 2, #arg do
  for line in assert(io.open(arg[i])):lines() do
    local record = assert(json.decode(line), arg[i])
    local suite = cases[record.suite] or {}
    cases[record.suite], titles[record.suite] = suite, record.suite_title
    suite[record.place] = suite[record.place] or { number = record.number, title = record.title, mutations = {} }
    table.insert(suite[record.place].mutations, record)
  end
end

local out = {}
local function say(...) out[#out + 1] = string.format(...) end

local function cell(text) return (text:gsub("|", "/")) end

local BY = { std = " (S)", ours = "" }

-- What counts of a run, and what of it fails; a standard's own assertion has an S.
local function counted(record)
  local all, failing = {}, {}
  for _, check in ipairs(record.checks) do
    local mark = BY[check.by]
    if mark and not (check.common and check.holds) then
      all[#all + 1] = check.what .. mark
      if not check.holds then failing[#failing + 1] = check.what .. mark end
    end
  end
  return all, failing
end

local function places_of(suite)
  local places = {}
  for place in pairs(suite) do places[#places + 1] = place end
  table.sort(places)
  return places
end

local function table_of(name, number, seen)
  say("### %s\n", titles[name])
  say("| case | with | then fails |")
  say("|---|---|---|")
  for _, place in ipairs(places_of(cases[name])) do
    local case, untold, order = cases[name][place], {}, {}
    table.sort(case.mutations, function(a, b) return a.mutation < b.mutation end)
    for _, record in ipairs(case.mutations) do
      local all, failing = counted(record)
      for _, what in ipairs(all) do
        if untold[what] == nil then
          untold[what] = true
          order[#order + 1] = what
        end
      end
      for _, what in ipairs(failing) do untold[what] = false end
      say("| %s %s | %s | %s |", case.number, case.title, cell(record.mutation),
        #failing > 0 and cell(table.concat(failing, "; ")) or "**nothing**")
    end
    for _, what in ipairs(order) do
      number = number + 1
      seen = seen + (untold[what] and 0 or 1)
    end
    case.untold = {}
    for _, what in ipairs(order) do
      if untold[what] then table.insert(case.untold, what) end
    end
  end
  say ""
  return number, seen
end

say("%s", BEGIN)
say [[
Written by `make standards-mutations`: every case is run under the default planner, orca, with its model or its scenario
changed as named here, and must fail. S: the standard's own assertion; the others are ours. Cases that equal another's
are told there. That nobody overlaps is expected of every case, and told where it fails.
]]
local number, seen = 0, 0
for _, name in ipairs(SUITES) do
  if cases[name] then number, seen = table_of(name, number, seen) end
end
say("%d of the %d assertions (the standards' and ours) fail under at least one of these.", seen, number)
local rest = {}
for _, name in ipairs(SUITES) do
  for _, place in ipairs(cases[name] and places_of(cases[name]) or {}) do
    local case = cases[name][place]
    if #case.untold > 0 then
      rest[#rest + 1] = ("- %s %s: %s"):format(titles[name], case.number, table.concat(case.untold, "; "))
    end
  end
end
if #rest > 0 then say("Those that were not seen to fail:\n\n%s", table.concat(rest, "\n")) end

local file = assert(io.open(arg[1]))
local text = file:read "a"
file:close()
local kept = (text:match("^(.-)\n" .. BEGIN) or text):gsub("%s*$", "\n\n")
file = assert(io.open(arg[1], "w"))
file:write(kept, table.concat(out, "\n"), "\n")
file:close()
