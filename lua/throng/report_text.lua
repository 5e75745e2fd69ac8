-- The short report of `throng test`: a mark for every test, a few lines for every one that did not pass, and
-- "N passed, N failed" at the end. Errors count as failed.
local write = io.write
local marks = { success = ".", pending = "s", failure = "F", error = "E" }
local words = { pending = "SKIPPED", failure = "FAILED", error = "ERROR" }
local counts = { success = 0, pending = 0, failure = 0, error = 0 }
local others = { pending = {}, failure = {}, error = {} }
local waiting, dots = {}, 0
local report = {}

local function dot(mark)
  write(mark)
  dots = dots + 1
  if dots % 72 == 0 then write "\n" end
end

local function show()
  for _, mark in ipairs(waiting) do dot(mark) end
  waiting = {}
  io.flush()
end

local function describe(record)
  local message = record.message or "no message"
  if record.file and not message:find "^[^\n]-:%d+: " then
    message = ("%s:%d: %s"):format(record.file, record.line, message)
  end
  write("\n", words[record.status], " ", record.name, "\n  ", (message:gsub("\n", "\n  ")), "\n")
  if report.verbose and record.traceback then write(record.traceback, "\n") end
end

report.begin = function() end
report.output = write

function report.test(record)
  counts[record.status] = counts[record.status] + 1
  if others[record.status] then table.insert(others[record.status], record) end
  waiting[#waiting + 1] = marks[record.status]
  if report.files == 1 then show() end -- of several, when each ends: the same with any number of jobs
end

report.file = show

function report.finish()
  show()
  if dots % 72 ~= 0 then write "\n" end
  for _, status in ipairs { "pending", "failure", "error" } do
    for _, record in ipairs(others[status]) do describe(record) end
  end
  local failed = counts.failure + counts.error
  local skipped = counts.pending > 0 and (", %d skipped"):format(counts.pending) or ""
  write(("%d passed, %d failed%s\n"):format(counts.success, failed, skipped))
  io.flush()
  return failed
end

return report
