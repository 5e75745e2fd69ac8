-- JUnit XML as Jenkins, GitLab and GitHub's actions read it: `throng test -o junit`. A testsuite for every file; what
-- specs print goes to stderr.
local host = ...

local valid = host.library "valid_text"()

local suites, order = {}, {}
local total = { tests = 0, failures = 0, errors = 0, skipped = 0, time = 0 }
local report = {}

local escapes = { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", ['"'] = "&quot;" }

-- XML 1.0 has no control characters but for these.
local function attribute(text)
  return (valid(text):gsub('[&<>"]', escapes):gsub("[\n\t]", " "):gsub("%c", "?"))
end

local function body(text) return (valid(text):gsub("[&<>]", escapes):gsub("[^%C\n\t]", "?")) end

local function numbers(of)
  return ('tests="%d" failures="%d" errors="%d" skipped="%d" time="%.3f"'):format(of.tests, of.failures, of.errors,
    of.skipped, of.time)
end

report.begin, report.file = function() end, function() end
report.output = function(text) io.stderr:write(text) end

local fields = { failure = "failures", error = "errors", pending = "skipped" }

function report.test(record)
  local file = record.file or "?"
  local suite = suites[file]
  if not suite then
    suite = { tests = 0, failures = 0, errors = 0, skipped = 0, time = 0, name = file }
    suites[file], order[#order + 1] = suite, suite
  end
  suite[#suite + 1] = record
  for _, of in ipairs { suite, total } do
    of.tests, of.time = of.tests + 1, of.time + (record.seconds or 0)
    local field = fields[record.status]
    if field then of[field] = of[field] + 1 end
  end
end

-- Jenkins splits at the last dot: folders as packages, the file as the class
local function class_of(file) return (file:gsub("^[%./]+", ""):gsub("%.lua$", ""):gsub("%.", "_"):gsub("/", ".")) end

local function outcome(record)
  local message = record.message or ""
  local first = attribute(message:match "^[^\n]*")
  if record.status == "pending" then return ('<skipped message="%s"/>'):format(first) end
  local text = body(message .. (record.traceback and "\n" .. record.traceback or ""))
  return ('<%s message="%s" type="%s">%s</%s>'):format(record.status, first, record.status, text, record.status)
end

local function write_case(record)
  local open = ('    <testcase classname="%s" name="%s" time="%.3f"'):format(attribute(class_of(record.file or "?")),
    attribute(record.name), record.seconds or 0)
  if record.status == "success" then
    io.write(open, "/>\n")
  else
    io.write(open, ">\n      ", outcome(record), "\n    </testcase>\n")
  end
end

function report.finish()
  io.write('<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="throng test" ', numbers(total), ">\n")
  for _, suite in ipairs(order) do
    io.write(('  <testsuite name="%s" '):format(attribute(suite.name)), numbers(suite), ">\n")
    for _, record in ipairs(suite) do write_case(record) end
    io.write "  </testsuite>\n"
  end
  io.write "</testsuites>\n"
  io.flush()
  return total.failures + total.errors
end

return report
