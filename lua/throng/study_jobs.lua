-- The processes of `throng study`: each takes a run, a line, and answers with what came of it (study_worker.lua).
local host, options = ...

local words = host.library "study_words"()

local jobs = {}
jobs.__index = jobs

local SIGNALS = { [6] = "SIGABRT", [7] = "SIGBUS", [8] = "SIGFPE", [9] = "SIGKILL", [11] = "SIGSEGV", [15] = "SIGTERM" }

local function crash_text(code, signal, output)
  local how = signal > 0 and ("signal %d%s"):format(signal, SIGNALS[signal] and " (" .. SIGNALS[signal] .. ")" or "")
    or ("exit code %d"):format(code)
  return ("its process ended by %s%s"):format(how, output == "" and "" or ": " .. output:gsub("%s+$", ""))
end

local MOST_LOST = 3 -- times that a run goes to another, when who had it is lost

-- Does runs until there are no more: settings.next() gives an order or nil, settings.line(order) is how it is said,
-- settings.finish(order, answer) takes what was answered, and settings.stop() is asked after each, or when nothing was
-- answered for settings.patience() seconds (nil: however long it takes): true ends all.
function jobs:run(settings)
  local busy, running, again = {}, 0, {}
  local function feed_idle()
    for worker = 1, self.count do -- who would join, and has not greeted, is not there
      local order = self.there[worker] and not busy[worker] and (table.remove(again) or settings.next())
      if order then
        busy[worker], running = order, running + 1
        self.workers:say(worker, settings.line(order))
      end
    end
  end
  feed_idle()
  while running > 0 do
    local worker, line, code, signal, output = self.workers:hear(settings.patience())
    local order = worker and busy[worker]
    if order then busy[worker] = nil end
    if code == "joined" or code == "lost" then
      self.count, self.there[worker] = math.max(self.count, worker), code == "joined"
    end
    if order then
      running = running - 1
      order.lost = (order.lost or 0) + (code == "lost" and 1 or 0)
      if code ~= "lost" then
        settings.finish(order, line and words.read(line) or { error = crash_text(code, signal, output) })
      elseif order.lost < MOST_LOST then
        again[#again + 1] = order
      else
        settings.finish(order, { error = ("whoever did it was lost, %d times"):format(order.lost) })
      end
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

local start = {}

local count = math.tointeger(tonumber(options.jobs))

-- As many processes as are wanted, and at most `most`; others may join them where options.share says so.
function start.own(most)
  local self = setmetatable({ count = math.min(count, most), there = {} }, jobs)
  for worker = 1, self.count do self.there[worker] = true end
  self.workers = host.workers(arguments, self.count)
  if options.share then self.workers:let_join(options.out .. ".join", host.version) end
  return self
end

local PATIENCE = 20 -- s

-- The processes of a study that another has begun; until it ends.
function start.join() host.join(options.out .. ".join", host.version, arguments, count, PATIENCE) end

return start
