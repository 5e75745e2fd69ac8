-- The processes of `throng study`: each takes a run, a line, and answers with what came of it (study_worker.lua).
local host, options, most = ...

local words = host.library "study_words"()

local jobs = {}
jobs.__index = jobs

local SIGNALS = { [6] = "SIGABRT", [7] = "SIGBUS", [8] = "SIGFPE", [9] = "SIGKILL", [11] = "SIGSEGV", [15] = "SIGTERM" }

local function crash_text(code, signal, output)
  local how = signal > 0 and ("signal %d%s"):format(signal, SIGNALS[signal] and " (" .. SIGNALS[signal] .. ")" or "")
    or ("exit code %d"):format(code)
  return ("its process ended by %s%s"):format(how, output == "" and "" or ": " .. output:gsub("%s+$", ""))
end

-- Does runs until there are no more: settings.next() gives an order or nil, settings.line(order) is how it is said,
-- settings.finish(order, answer) takes what was answered, and settings.stop() is asked after each: true ends all.
function jobs:run(settings)
  local busy, running = {}, 0
  local function feed_idle()
    for worker = 1, self.count do
      local order = not busy[worker] and settings.next()
      if order then
        busy[worker], running = order, running + 1
        self.workers:say(worker, settings.line(order))
      end
    end
  end
  feed_idle()
  while running > 0 do
    local worker, line, code, signal, output = self.workers:hear()
    local order = busy[worker]
    busy[worker] = nil
    if order then
      running = running - 1
      settings.finish(order, line and words.read(line) or { error = crash_text(code, signal, output) })
    end
    if settings.stop() then return end
    feed_idle()
  end
end

function jobs:close() self.workers:close() end

local arguments = { "study", options.file, "--worker" }
for _, name in ipairs { "backend", "threads", "deadline", "memory", "instructions" } do
  if options[name] then arguments[#arguments + 1] = ("--%s=%s"):format(name, options[name]) end
end
local count = math.min(math.tointeger(tonumber(options.jobs)), most)
return setmetatable({ count = count, workers = host.workers(arguments, count) }, jobs)
