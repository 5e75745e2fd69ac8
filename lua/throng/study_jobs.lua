-- The processes of `throng study`: each takes some runs at a time, a line each, and answers with what came of them
-- (study_worker.lua).
local host, options = ...

local messages = host.library "study_messages"()

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
  local had, running = {}, 0 -- by worker: {count =, orders = by run, apart = from all others}
  local again = {} -- lists of orders that are to be done apart from all others

  -- Gives those who may take some what there is, one after the other, so that few are shared out.
  local function feed()
    local lines = {}
    local function give(worker, order)
      local own = had[worker]
      own.count, own.orders[order.run] = own.count + 1, order
      lines[worker] = lines[worker] or {}
      table.insert(lines[worker], settings.line(order))
      running = running + 1
    end
    local function may_take(worker)
      local own, most = had[worker], self.takes[worker] or 0
      if not own or own.count == 0 then
        own = { count = 0, orders = {}, apart = false }
        had[worker] = own
        if most > 0 and again[1] then
          for _, order in ipairs(table.remove(again)) do give(worker, order) end
          own.apart = true
        end
      end
      return not own.apart and own.count < most
    end
    local given
    repeat
      given = false
      for worker = 1, self.count do
        local order = may_take(worker) and settings.next()
        if order then
          give(worker, order)
          given = true
        end
      end
    until not given
    for worker, list in pairs(lines) do self.workers:say(worker, table.concat(list, "\n")) end
  end

  -- A worker has ended. One of what it had may have ended it: which, is found by doing each half of them again.
  local function retry(own, how)
    local orders = {}
    for _, order in pairs(own.orders) do table.insert(orders, order) end
    table.sort(orders, function(a, b) return a.run < b.run end)
    running = running - #orders
    local order = orders[1]
    if #orders > 1 then
      local half = #orders // 2
      table.insert(again, table.move(orders, half + 1, #orders, 1, {}))
      table.insert(again, table.move(orders, 1, half, 1, {}))
    elseif order and how then
      settings.finish(order, { error = how })
    elseif order then
      order.lost = (order.lost or 0) + 1
      if order.lost < MOST_LOST then
        table.insert(again, orders)
      else
        settings.finish(order, { error = ("whoever did it was lost, %d times"):format(order.lost) })
      end
    end
  end

  feed()
  while running > 0 do
    local worker, line, code, signal, output = self.workers:hear(settings.patience())
    if line then
      local answer, own = messages.read(line), had[worker]
      local order = own.orders[answer.run]
      own.count, own.orders[answer.run] = own.count - 1, nil
      running = running - 1
      settings.finish(order, answer)
    elseif code == "joined" then
      self.count, self.takes[worker] = math.max(self.count, worker), signal
    elseif worker then
      if code == "lost" then self.takes[worker] = 0 end
      local own = had[worker] or { orders = {} }
      had[worker] = nil
      retry(own, code ~= "lost" and crash_text(code, signal, output))
    end
    if settings.stop() then return end
    feed()
  end
end

function jobs:close() self.workers:close() end

local count, worlds = math.tointeger(tonumber(options.jobs)), math.tointeger(tonumber(options.worlds))

-- The arguments of so many processes. Those on CUDA take the devices in turn.
local function arguments(most)
  local all = { "study", options.file, "--worker" }
  for _, name in ipairs { "backend", "worlds", "threads", "deadline", "memory", "instructions" } do
    if options[name] then all[#all + 1] = ("--%s=%s"):format(name, options[name]) end
  end
  local lists = {}
  for i = 1, most do
    lists[i] = table.move(all, 1, #all, 1, {})
    if options.devices then
      local device = (tonumber(options.device) + i - 1) % tonumber(options.devices)
      table.insert(lists[i], ("--device=%d"):format(device))
    end
  end
  return lists
end

local start = {}

-- Orders that a process takes: one a world, and, of several, some ahead, so that a world that is free has the next at
-- once.
local takes = worlds > 1 and worlds + math.max(worlds // 4, math.tointeger(tonumber(options.threads))) or 1

-- As many processes as are wanted, and at most `most`; others may join them where options.share says so.
function start.own(most)
  local self = setmetatable({ count = math.min(count, most), takes = {} }, jobs)
  for worker = 1, self.count do self.takes[worker] = takes end
  io.stderr:write(("  %d runs at a time: --jobs %d --worlds %d --threads %s\n"):format(
    math.min(self.count * worlds, most), self.count, worlds, options.threads))
  self.workers = host.workers(arguments(self.count))
  if options.share then self.workers:let_join(options.out .. ".join", host.version) end
  return self
end

local PATIENCE = 20 -- s

-- The processes of a study that another has begun; until it ends.
function start.join() host.join(options.out .. ".join", host.version, arguments(count), takes, PATIENCE) end

return start
