-- Spec files in processes of their own: the workers, and what their parent makes of what they say.
local host, arguments, options = ...
local json = require "dkjson"

local jobs = {}

-- ---- in a worker: a report that passes records on, a line of JSON each

function jobs.report()
  local file = assert(io.open("/dev/fd/3", "w"))
  file:setvbuf "line"
  local function say(value) file:write(json.encode(value), "\n") end
  return {
    begin = function(name) say { begins = name } end,
    test = function(record) say { record = record } end,
    file = function() end,
    finish = function()
      say { done = true }
      return 0
    end,
  }
end

-- ---- in the parent

local SIGNALS = { [4] = "SIGILL", [6] = "SIGABRT", [7] = "SIGBUS", [8] = "SIGFPE", [9] = "SIGKILL", [11] = "SIGSEGV" }

-- `begun`: the test that it was in, `last`: the one before; nil: none.
local function crash_of(file, begun, last, code, signal, output)
  local how = signal > 0 and ("signal %d%s"):format(signal, SIGNALS[signal] and " (" .. SIGNALS[signal] .. ")" or "")
    or ("exit code %d before it was through"):format(code)
  local where = begun and (", in the test '%s'"):format(begun) or last and (", after the test '%s'"):format(last) or ""
  if begun then where = where .. "; those after it in the file did not run" end
  local said = output == "" and "" or "; it wrote:\n" .. (output:sub(-2000):gsub("%s+$", ""))
  return {
    file = file,
    line = 1,
    name = begun or file,
    status = "error",
    message = ("%s:1: the process of this file ended by %s%s%s"):format(file, how, where, said),
    seconds = 0,
  }
end

local function take(report, file, code, signal, output, results)
  local begun, last, done
  for line in results:gmatch "([^\n]*)\n" do
    local said = json.decode(line) or {}
    if said.begins then begun = said.begins end
    if said.record then
      begun, last = nil, said.record.name
      report.test(said.record)
    end
    done = done or said.done
  end
  if not done or signal > 0 or code ~= 0 then report.test(crash_of(file, begun, last, code, signal, output)) end
  report.file()
end

-- The parent's own arguments, but for what is different there.
local function arguments_for(file, planner, part)
  local list = { "test", table.unpack(arguments) }
  local threads = options.threads or math.max(1, host.cores() // options.jobs)
  local own = { "--worker=" .. file, ("--part=%d/%d"):format(part, options.parts), "--jobs=1", "--threads=" .. threads }
  if planner then own[#own + 1] = "--planner=" .. planner end
  for _, one in ipairs(own) do list[#list + 1] = one end
  return list
end

-- Runs the files side by side, those of suites once for each planner, and each part of their tests apart. Reports come
-- in the order of the files.
function jobs.run(files, report)
  local lists, file_of = {}, {}
  for _, file in ipairs(files) do
    for _, planner in ipairs(options.suite and options.planners or { false }) do
      for part = 1, options.parts do
        lists[#lists + 1] = arguments_for(file, planner, part)
        file_of[#lists] = file
      end
    end
  end
  host.run_jobs(lists, options.jobs, function(i, code, signal, output, results)
    report.output(output)
    take(report, file_of[i], code, signal, output, results)
    return true
  end)
end

return jobs
