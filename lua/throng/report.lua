-- busted output handler of `throng test`: a line for every test that did not
-- pass, and "N passed, N failed" at the end. Errors count as failed.
local write = io.write

return function(options)
  local busted = require "busted"
  local handler = require "busted.outputHandlers.base"()
  local dots = 0

  local function place(item)
    local trace = item.element.trace or item.trace
    if not trace or not trace.short_src then return "" end
    return ("%s:%s: "):format(trace.short_src, trace.currentline)
  end

  local function text_of(message)
    if type(message) == "string" then return message end
    if message == nil then return "no message" end
    return require("pl.pretty").write(message)
  end

  local function describe(word, item)
    write("\n", word, " ", item.name, "\n  ", place(item), (text_of(item.message):gsub("\n", "\n  ")), "\n")
    if options.verbose and item.trace and item.trace.traceback then write(item.trace.traceback, "\n") end
  end

  local function dot(mark)
    write(mark)
    dots = dots + 1
    if dots % 72 == 0 then write("\n") end
    io.flush()
  end

  local marks = { success = ".", pending = "s", failure = "F", error = "E" }

  function handler.testEnd(_, _, status)
    dot(marks[status] or "?")
    return nil, true
  end

  local function describe_all(word, items)
    for _, item in ipairs(items) do
      describe(word, item)
    end
  end

  function handler.suiteEnd()
    if dots % 72 ~= 0 then write("\n") end
    describe_all("SKIPPED", handler.pendings)
    describe_all("FAILED", handler.failures)
    describe_all("ERROR", handler.errors)
    local failed = handler.failuresCount + handler.errorsCount
    local skipped = handler.pendingsCount > 0 and (", %d skipped"):format(handler.pendingsCount) or ""
    write(("%d passed, %d failed%s\n"):format(handler.successesCount, failed, skipped))
    io.flush()
    return nil, true
  end

  busted.subscribe({ "test", "end" }, handler.testEnd, { predicate = handler.cancelOnPending })
  busted.subscribe({ "suite", "end" }, handler.suiteEnd)

  return handler
end
