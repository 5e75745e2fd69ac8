-- The busted output handler of `throng test`: makes a record of every test, which reports are made of, also those that
-- other processes ran:
--   { file, line, name, status = "success"|"pending"|"failure"|"error", message, traceback, seconds }
-- and what `details` adds.
local report, begins, finished, details = ...

local function text_of(message)
  if type(message) == "string" then return message end
  if message == nil then return nil end
  return require("pl.pretty").write(message)
end

return function(options)
  local busted = require "busted"
  local handler = require "busted.outputHandlers.base"()

  local function file_of(element)
    while element and element.descriptor ~= "file" do element = busted.parent(element) end
    return element and element.name
  end

  local function record_of(element, status, item)
    local trace = item and item.trace or element.trace or {}
    local message = item and text_of(item.message)
    return {
      file = file_of(element) or trace.short_src,
      line = element.trace and element.trace.currentline or trace.currentline,
      name = element.descriptor and handler.getFullName(element) or "the spec files", -- that are not there
      status = status,
      message = message or (status == "failure" or status == "error") and "no message" or nil,
      traceback = item and trace.traceback,
      seconds = element.duration or 0,
    }
  end

  local lists = { pending = "pendings", failure = "failures", error = "errors" }

  function handler.testStart(element)
    begins(file_of(element), element.trace and element.trace.currentline, handler.getFullName(element))
    report.begin(handler.getFullName(element), file_of(element))
    return nil, true
  end

  function handler.testEnd(element, _, status)
    local list = handler[lists[status]]
    report.test(details.add(record_of(element, status, list and list[#list])))
    return nil, true
  end

  -- of a file, or of what is done before and after tests
  function handler.elsewhere(element)
    if element.descriptor ~= "it" then
      report.test(record_of(element, "error", handler.errors[#handler.errors]))
    end
    return nil, true
  end

  function handler.fileEnd()
    report.file()
    return nil, true
  end

  function handler.exit()
    finished(report.finish())
    return nil, true
  end

  report.verbose = options.verbose
  busted.subscribe({ "exit" }, handler.exit)
  busted.subscribe({ "test", "start" }, handler.testStart, { predicate = handler.cancelOnPending })
  busted.subscribe({ "test", "end" }, handler.testEnd, { predicate = handler.cancelOnPending })
  busted.subscribe({ "file", "end" }, handler.fileEnd)
  busted.subscribe({ "error" }, handler.elsewhere)
  busted.subscribe({ "failure" }, handler.elsewhere)

  return handler
end
