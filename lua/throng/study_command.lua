-- `throng study`: runs a study's runs in processes of their own, and tells what came of them. Called with the host's
-- functions, throng's library folder and the options in this order (runtime/command/cli_study.c), "" for those that
-- were not given; returns the exit code.
local host = ...

local options = {}
for i, name in ipairs {
  "file", "out", "show", "report", "csv", "curves", "worker", "terminal", "backend", "jobs", "worlds", "threads",
  "deadline", "instructions", "memory", "share", "join", "device", "devices",
} do
  local given = select(i + 2, ...)
  if given ~= "" then options[name] = given end
end

local DONE, FAILED, USAGE = 0, 1, 2

local function complain(...) io.stderr:write("throng study: ", string.format(...), "\n") end

-- ---- the study of a script

local function load_study(path)
  local ok, value = pcall(host.run_file, path, {})
  if not ok then return nil, value end
  local study = host.study_of(value)
  if study then return study end
  return nil, ("%s returned %s, not a study: end it with `return throng.study{...}`"):format(path, host.describe(value))
end

local study, problem
if options.file then
  study, problem = load_study(options.file)
  if not study then
    complain("%s", problem)
    return USAGE
  end
end
if options.worker then return host.library "study_worker"(host, study, options) end
if options.join then
  local ok, why = pcall(host.library "study_jobs"(host, options).join)
  if not ok then complain("%s", why) end
  return (ok or options.join == "rank") and DONE or USAGE -- a study that was done before others came is done
end

if study and study.experiments then return host.library "calibrate_command"(host, study, options, complain) end

local store = host.library "study_store"(host)
local design = host.library "study_design"(host)
local statistics = host.library "statistics"(host, design.uniform)
local read = host.library "study_results"(statistics)
local show = host.library "study_show"(host, statistics)

if options.show then
  local fit = host.library "calibrate_store"(host)
  if fit.is_at(options.show) then
    host.library "calibrate_show"(host, statistics)(fit.read(options.show), options)
    return DONE
  end
  local results = store.read(options.show)
  show(results, options)
  results:close()
  return DONE
end

-- ---- which runs there are to be

local messages = host.library "study_messages"()
local points, value = design.of(study)
local precise = type(study.runs) == "table" and study.runs or nil

-- By point: how many runs are asked for so far, their values by replicate (false: a run without one), and how many of
-- these are known from the first on.
local asked, known, done = {}, {}, {}
for p = 1, points do asked[p], known[p], done[p] = precise and precise.least or study.runs, {}, 0 end

-- Runs are numbered through the points for one replicate after the other, so that more may come.
local function run_of(point, replicate) return (replicate - 1) * points + point end

-- Is a point known well enough by the runs that were asked for? Those that failed have no value.
local function is_known(point)
  local values = {}
  for replicate = 1, asked[point] do values[#values + 1] = known[point][replicate] or nil end
  return statistics.is_precise(values, precise)
end

local given = {} -- by run
local all_given = false -- that are asked for so far

-- A run's values of the study's measures; nil: it failed.
local function take(point, replicate, values)
  known[point][replicate] = precise and values and values[precise.statistic.measure] or false
  while known[point][done[point] + 1] ~= nil do done[point] = done[point] + 1 end
  while precise and done[point] >= asked[point] and asked[point] < precise.most and not is_known(point) do
    asked[point] = math.min(precise.most, asked[point] + math.max(10, asked[point] // 10))
    all_given = false
  end
end

-- The next run that nobody has: {run, point, replicate, seed, levels}.
local at_point, at_replicate = 1, 1
local function next_order()
  local begin, looked = at_replicate, false
  while not all_given do
    if at_point > points then at_point, at_replicate = 1, at_replicate + 1 end
    local highest = 0
    if at_point == 1 then
      for p = 1, points do highest = math.max(highest, asked[p]) end
      if at_replicate > highest then
        if looked or begin == 1 then
          all_given = true
          return nil
        end
        at_replicate, begin, looked = 1, 1, true -- from the first on again: some may be asked for more now
      end
    end
    local point, replicate = at_point, at_replicate
    at_point = at_point + 1
    local run = run_of(point, replicate)
    if replicate <= asked[point] and not given[run] then
      given[run] = true
      local levels = {}
      for j in ipairs(study.factors) do levels[j] = value(point, j, replicate) end
      return { run = run, point = point, replicate = replicate, seed = study.seed + replicate - 1, levels = levels }
    end
  end
end

local function total()
  local sum = 0
  for p = 1, points do sum = sum + asked[p] end
  return sum
end

-- ---- what was done before

local results = store.open(options.out, study, options.file)
local before, failed = 0, 0
local first_failure -- {run =, text =} of the lowest number, whoever was faster
local there = results:rows(study)
for _, row in ipairs(there) do
  if row.point > points then
    results:damaged(("its table 'runs' has a point %d, where there are %d"):format(row.point, points))
  end
  given[row.run] = true
  take(row.point, row.replicate, row.values)
end
for _, row in ipairs(there) do
  if row.replicate <= asked[row.point] then before = before + 1 end
end

-- ---- progress, and writing from time to time

local begin, ended, waiting, written = host.clock(), 0, {}, host.clock()
local progress_line = host.library "study_progress"(host, options.terminal)

local function progress(last)
  progress_line(last, function(time_text)
    local all, have, seconds = total(), before + ended, host.clock() - begin
    return ("%d of %d runs%s, %.1f a second%s%s"):format(have, all, precise and " asked for so far" or "",
      ended / math.max(seconds, 1e-9),
      (last or ended == 0) and "" or (", %s left"):format(time_text((all - have) * seconds / ended)),
      failed > 0 and (", %d failed"):format(failed) or "")
  end)
end

local function write_waiting()
  if #waiting > 0 then results:add(study, waiting) end
  waiting, written = {}, host.clock()
end

-- ---- running

local function order_line(order)
  local params = {}
  for j, factor in ipairs(study.factors) do params[factor.name] = order.levels[j] end
  return messages.write { run = order.run, seed = order.seed, params = next(params) and params or nil }
end

local function finish(order, answer)
  for key, one in pairs(answer) do order[key] = one end
  if answer.error then
    failed = failed + 1
    if not first_failure or order.run < first_failure.run then
      first_failure = { run = order.run, text = ("%s: %s"):format(read.run_text(study, order), answer.error) }
    end
  end
  results:check_files(answer.files)
  ended = ended + 1
  waiting[#waiting + 1] = order
  take(order.point, order.replicate, answer.values)
end

local UNWRITTEN = 0.25 -- s, as long as results may wait, also for runs that take an hour
local GIVE_UP = 10 -- when all of the first runs failed, so will the others

local function run_all()
  local jobs = host.library "study_jobs"(host, options).own(math.max(1, total()))
  jobs:run {
    next = next_order,
    line = order_line,
    finish = finish,
    patience = function() return #waiting > 0 and UNWRITTEN or nil end,
    stop = function()
      if host.clock() - written > UNWRITTEN then write_waiting() end
      progress()
      return failed == ended and failed >= GIVE_UP
    end,
  }
  jobs:close()
  write_waiting()
end

if before > 0 then
  io.stderr:write(("  %d of %d runs are there already, in %s\n"):format(before, total(), options.out))
end
if before < total() then
  local ok, why = pcall(run_all)
  write_waiting()
  progress(true)
  if not ok then
    complain("%s", why)
    return USAGE
  end
end
results:close()
results = store.read(options.out)
show(results, options)
results:close()
if failed > 0 then
  complain("%d of %d runs failed; they are in '%s' with their errors, and the same command tries them again. The first:"
    .. "\n%s", failed, before + ended, options.out, first_failure.text)
  return FAILED
end
return DONE
