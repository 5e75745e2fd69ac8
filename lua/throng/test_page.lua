-- report.html of `throng test --report`: the outcome of every test, and of suites of verification every case under
-- every planner, with its figures, criteria, seeds, hash and picture.
local host, options, arguments = ...

local chart = host.library "study_chart"(host)
local page = host.library "page"(host, chart)
local escaped, number = chart.escaped, chart.number

local MOST_PICTURES = 60 -- of tests that pass; those that fail all have theirs

local records, pictures = {}, 0
local counts = { success = 0, pending = 0, failure = 0, error = 0 }
local test_page = { path = options.out .. "/report.html" }

-- Why the page cannot be written, nil: it can.
function test_page.problem()
  local made, why = require("pl.dir").makepath(options.out)
  local old = made and io.open(test_page.path, "r")
  local file = made and io.open(test_page.path, "a")
  if old then old:close() end
  if file then file:close() end
  if file and not old then os.remove(test_page.path) end
  return not file and ("cannot write '%s': %s"):format(test_page.path, why or "is the folder yours?") or nil
end

function test_page.take(record)
  counts[record.status] = counts[record.status] + 1
  records[#records + 1] = record
end

local function passed(status) return status == "success" or status == "pending" end

local WORDS = { success = "passed", pending = "skipped", failure = "failed", error = "error" }

local function outcome(status)
  local class = status == "success" and "passed" or passed(status) and "" or "failed"
  return { html = ('<span class="%s">%s</span>'):format(class, WORDS[status]) }
end

local function picture_of(record)
  if not record.picture then return "" end
  if passed(record.status) then
    pictures = pictures + 1
    if pictures > MOST_PICTURES then return "" end
  end
  return page.picture(record.name, record.picture)
end

-- ---- tests

local function failure_article(record)
  return ("<h3>%s</h3>%s%s"):format(escaped(record.name), picture_of(record),
    ('<pre class="message">%s</pre>'):format(escaped(record.message or "no message")))
end

local function failures_section()
  local parts = {}
  for _, record in ipairs(records) do
    if not passed(record.status) and not record.case then parts[#parts + 1] = failure_article(record) end
  end
  return #parts > 0 and page.section("Tests that failed", table.unpack(parts)) or ""
end

-- As they stand in the file: processes that share it give their tests in an order of their own.
local function in_order(a, b)
  if a.line ~= b.line then return (a.line or 0) < (b.line or 0) end
  return a.name < b.name
end

local function file_section(file, list)
  local rows, figures = {}, {}
  table.sort(list, in_order)
  for i, record in ipairs(list) do
    local world = record.world or {}
    rows[i] = { record.name, outcome(record.status), ("%.2f s"):format(record.seconds or 0),
      world.seed and ("%d"):format(world.seed) or nil, world.time and ("%.1f s"):format(world.time) or nil,
      world.hash and { html = "<code>" .. world.hash .. "</code>" } or nil,
      record.status == "pending" and record.message or "" }
    if record.status == "success" then
      local figure = picture_of(record)
      if figure ~= "" then figures[#figures + 1] = figure end
    end
  end
  return page.section(file,
    page.wide({ "test", "", "took", "seed", "simulated", "hash of the last world", "" }, rows), page.grid(figures))
end

-- ---- suites

local VERDICTS = { pass = "passed", std = "standard only", fail = "failed" }
local BY = { std = "the standard", ours = "ours", published = "published, looser", told = "" }

local function bounds_of(check)
  if check.least and check.least == check.most then return ("%g"):format(check.least) end
  if check.least and check.most then return ("%.4g to %.4g"):format(check.least, check.most) end
  if check.least then return ("at least %.4g"):format(check.least) end
  return check.most and ("at most %.4g"):format(check.most) or ""
end

-- {title =, planners = {names}, cases = {{number =, title =, of = {planner = record}}}} of each suite, in their order.
local function suites()
  local list = {}
  for _, record in ipairs(records) do
    local found = record.case
    if found then
      local suite = list[found.suite]
      if not suite then
        suite = { title = found.suite_title, planners = {}, cases = {} }
        list[found.suite], list[#list + 1] = suite, suite
      end
      if not suite.planners[found.planner] then
        suite.planners[found.planner], suite.planners[#suite.planners + 1] = true, found.planner
      end
      local case = suite.cases[found.number]
      if not case then
        case = { found = found, of = {} }
        suite.cases[found.number], suite.cases[#suite.cases + 1] = case, case
      end
      case.of[found.planner] = record
    end
  end
  return list
end

local function anchor(suite, case) return ("%s-%s"):format(suite.title, case.found.number):gsub("[^%w]+", "-") end

local function verdict_of(record)
  local found = record and record.case
  if not found or found.needs or found.same then return { html = "–" } end
  return { html = ('<span class="%s">%s</span>'):format(found.verdict == "fail" and "failed" or "passed",
    VERDICTS[found.verdict]) }
end

local function overview(suite)
  local heads, rows = { "case", table.unpack(suite.planners) }, {}
  heads[#heads + 1] = ""
  for i, case in ipairs(suite.cases) do
    local found = case.found
    local row = { { html = ('<a href="#%s">%s</a> %s'):format(anchor(suite, case), escaped(found.number),
      escaped(found.title)) } }
    for _, planner in ipairs(suite.planners) do row[#row + 1] = verdict_of(case.of[planner]) end
    row[#heads] = found.needs and "not run: needs " .. found.needs
      or found.same and ("run as %s %s"):format(found.same[3], found.same[2]) or ""
    rows[i] = row
  end
  return page.section(suite.title, page.wide(heads, rows), page.note("passed: the standard's criterion holds, and "
    .. "ours, which are closer or stand where the standard has no number. standard only: one of ours does not. "
    .. "failed: the standard's does not."))
end

-- Figures of all planners by what they are of.
local function figures_of(suite, case)
  local rows, by_what = {}, {}
  for p, planner in ipairs(suite.planners) do
    for _, check in ipairs(case.of[planner] and case.of[planner].case.checks or {}) do
      local key = check.what .. check.by
      local row = by_what[key]
      if not row then
        row = { check.what .. (check.unit and ", " .. check.unit or ""), bounds_of(check), BY[check.by] }
        for k = 1, #suite.planners do row[3 + k] = "" end
        by_what[key], rows[#rows + 1] = row, row
      end
      local class = check.by == "told" and "" or check.holds and "passed" or "failed"
      local text = number(check.value) .. (check.interval or "")
      row[3 + p] = { html = ('<span class="%s">%s</span>'):format(class, text) }
    end
  end
  local function told(name, value)
    local row = { name, "", "" }
    for p, planner in ipairs(suite.planners) do
      local record = case.of[planner]
      row[3 + p] = record and value(record.case) or ""
    end
    rows[#rows + 1] = row
  end
  told("seeds", function(found) return found.seeds end)
  told("hash of the last world", function(found) return { html = "<code>" .. escaped(found.hash) .. "</code>" } end)
  return rows
end

local function case_article(suite, case)
  if case.found.needs or case.found.same then return "" end
  local parts = { ('<h3 id="%s">%s %s, %s</h3><p>%s</p>'):format(anchor(suite, case), escaped(suite.title),
    escaped(case.found.number), escaped(case.found.title), escaped(case.found.says or "")) }
  parts[2] = page.wide({ "", "must be", "by", table.unpack(suite.planners) }, figures_of(suite, case))
  for _, planner in ipairs(suite.planners) do
    local record = case.of[planner]
    if record and record.picture and (#parts == 2 or not passed(record.status)) then
      parts[#parts + 1] = page.picture(record.name, record.picture)
    end
  end
  return table.concat(parts, "\n")
end

local function cases_section(suite)
  local parts = {}
  for i, case in ipairs(suite.cases) do parts[i] = case_article(suite, case) end
  return page.section(suite.title .. ", case by case", table.unpack(parts))
end

-- ---- the page

local function again_section()
  local words = { "throng", "test" }
  for _, argument in ipairs(arguments) do words[#words + 1] = page.word(argument) end
  return page.section("To run it again", page.command(table.concat(words, " ")),
    page.note "A test that failed has a command of its own, at the end of its message.",
    page.facts { { "Version", "throng " .. host.version } })
end

-- Writes the page; where.
function test_page.write()
  local parts, of_file, files, seconds = {}, {}, {}, 0
  for _, suite in ipairs(suites()) do
    parts[#parts + 1] = overview(suite)
    parts[#parts + 1] = cases_section(suite)
  end
  parts[#parts + 1] = failures_section()
  for _, record in ipairs(records) do
    seconds = seconds + (record.seconds or 0)
    local file = record.file or "?"
    if not record.case then
      if not of_file[file] then of_file[file], files[#files + 1] = {}, file end
      table.insert(of_file[file], record)
    end
  end
  for _, file in ipairs(files) do parts[#parts + 1] = file_section(file, of_file[file]) end
  if pictures > MOST_PICTURES then
    parts[#parts + 1] = page.note(("%d tests that passed have no picture here."):format(pictures - MOST_PICTURES))
  end
  parts[#parts + 1] = again_section()
  local failed = counts.failure + counts.error
  local html = page.made("Tests", ("%d passed, %d failed, %d skipped"):format(counts.success, failed, counts.pending), {
    { "Passed", counts.success }, { "Failed", failed }, { "Skipped", counts.pending },
    { "Took, of processors", ("%.1f s"):format(seconds) },
  }, parts)
  local file, problem = io.open(test_page.path, "w")
  local ok = file and file:write(html)
  ok = file and file:close() and ok
  if not ok then error(("cannot write '%s': %s"):format(test_page.path, problem or "the disk is full?"), 0) end
  return test_page.path
end

return test_page
