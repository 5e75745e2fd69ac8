-- TAP (testanything.org): `throng test -o TAP`. Version 13, which Perl's prove reads; 14 would mean the same here. What
-- specs print goes to stderr.
local number, failed = 0, 0
local report = {}

local function say(...)
  io.write(...)
  io.write "\n"
end

-- "\" and "#" have a meaning in descriptions.
local function plain(text) return (text:gsub("%s+", " "):gsub("[\\#]", "\\%0")) end

local function quoted(text) return '"' .. text:gsub('[\\"]', "\\%0"):gsub("%c", " ") .. '"' end

local function explain(record)
  say "  ---"
  say "  message: |"
  for line in ((record.message or "no message") .. "\n"):gmatch "([^\n]*)\n" do
    say("    ", (line:gsub("%c", " ")))
  end
  say("  severity: ", record.status == "error" and "error" or "fail")
  say "  at:"
  say("    file: ", quoted(record.file or "?"))
  say("    line: ", record.line or 0)
  say(("  duration_ms: %.0f"):format(1000 * (record.seconds or 0)))
  say "  ..."
end

local function begin()
  if number == 0 then say "TAP version 13" end
end

report.begin, report.file = function() end, function() end
report.output = function(text) io.stderr:write(text) end

function report.test(record)
  begin()
  number = number + 1
  local bad = record.status == "failure" or record.status == "error"
  local skip = record.status == "pending" and " # SKIP " .. plain(record.message or "pending") or ""
  say(("%sok %d - %s%s"):format(bad and "not " or "", number, plain(record.name), skip))
  if bad then
    failed = failed + 1
    explain(record)
  end
  io.flush()
end

function report.finish()
  begin()
  say(("1..%d"):format(number))
  io.flush()
  return failed
end

return report
