-- Does what a throng.calibrate asks for: runs its experiments with values of the parameters that NLopt proposes. The
-- search is a function of the runs alone, so that one that was interrupted is made again from those that are there.
local host, calibration, options, complain = ...

local DONE, FAILED, USAGE = 0, 1, 2
local OTHER_SEEDS = 1000000 -- of the runs by which the fit is reported
local HOPELESS = 1000 -- the misfit of what cannot be run
local GIVE_UP = 3 -- when the first evaluations all failed, so will the others
local WEIGHT = 9 -- of the experiment that is to fit better than the others

local GLOBAL = { crs = "GN_CRS2_LM", direct = "GN_DIRECT_L", isres = "GN_ISRES" }
local parameters, experiments = calibration.parameters, calibration.experiments
local LOCAL = { bobyqa = "LN_BOBYQA", subplex = "LN_SBPLX" }

local store, messages = host.library "calibrate_store"(host), host.library "study_messages"()
local results = store.open(options.out, calibration, options.file)
local known, last_run, there = results:known(parameters)

local fitted, most_runs = {}, 1
for _, experiment in ipairs(experiments) do
  if not experiment.held_out then
    fitted[#fitted + 1], most_runs = experiment, math.max(most_runs, experiment.runs)
  end
end

-- ---- one evaluation: the runs of some experiments with values of the parameters; `runs` of each row, or the
-- experiment's own

local function count_of(list, runs)
  local count = 0
  for _, experiment in ipairs(list) do count = count + #experiment.points * (runs or experiment.runs) end
  return count
end

local jobs = host.library "study_jobs"(host, options).own(
  math.max(count_of(fitted), count_of(experiments, calibration.verify)))
local progress_line = host.library "study_progress"(host, options.terminal)
local begin, ended, planned, evaluations, failed = host.clock(), 0, 0, 0, 0
local first_failure

local function progress(last)
  progress_line(last, function(time_text)
    local seconds = host.clock() - begin
    local left = (ended > 0 and evaluations > 0) and seconds / evaluations * (planned - evaluations) or 0
    return ("%d of about %d evaluations, %.1f runs a second%s%s"):format(evaluations, planned,
      ended / math.max(seconds, 1e-9), (last or left <= 0) and "" or (", %s left"):format(time_text(left)),
      failed > 0 and (", %d runs failed"):format(failed) or "")
  end)
end

local function order_line(order)
  local params = {}
  for j, parameter in ipairs(parameters) do params[parameter.name] = order.values_of_parameters[j] end
  for name, value in pairs(order.point.params) do params[name] = value end
  return messages.write { run = order.run, seed = order.seed, params = params, experiment = order.number }
end

-- The runs that are not there yet.
local function orders_of(values, list, seed, runs)
  local orders = {}
  for number, experiment in ipairs(experiments) do
    for _, one in ipairs(list) do
      for _, point in ipairs(one == experiment and experiment.points or {}) do
        for replicate = 1, runs or one.runs do
          local own = seed + replicate - 1
          local key = store.key(experiment.name, point.name, own, values)
          if known[key] == nil then
            last_run = last_run + 1
            orders[#orders + 1] = { run = last_run, experiment = experiment, number = number, point = point,
              seed = own, values_of_parameters = values, key = key }
          end
        end
      end
    end
  end
  return orders
end

local function do_runs(orders)
  local at, done = 0, {}
  jobs:run {
    next = function()
      at = at + 1
      return orders[at]
    end,
    line = order_line,
    finish = function(order, answer)
      results:check_files(answer.files)
      order.hash, order.steps, order.seconds, order.error = answer.hash, answer.steps, answer.seconds, answer.error
      order.files, order.measured = answer.files, {}
      for m, measure in ipairs(order.experiment.measures) do
        order.measured[measure.name] = answer.values and answer.values[m]
      end
      known[order.key] = answer.error == nil and order.measured
      if answer.error then
        failed = failed + 1
        first_failure = first_failure or ("%s, %s, seed %d: %s"):format(order.experiment.name, order.point.name,
          order.seed, answer.error)
      end
      ended, done[#done + 1] = ended + 1, order
    end,
    patience = function() end, -- an evaluation is written when all of its runs are there
    stop = function() progress() end,
  }
  return done
end

-- The root mean square of an experiment's differences, by their tolerances; nobody measured is 0.
local function misfit_of(experiment, values, seed, runs)
  local sum, count = 0, 0
  runs = runs or experiment.runs
  for _, point in ipairs(experiment.points) do
    for m, measure in ipairs(experiment.measures) do
      local datum, total, of = point.data[m], 0, 0
      for replicate = 1, datum and runs or 0 do
        local measured = known[store.key(experiment.name, point.name, seed + replicate - 1, values)]
        if not measured then return HOPELESS end
        local value = measured[measure.name]
        if value then total, of = total + value, of + 1 end
      end
      if datum then
        sum, count = sum + ((total / math.max(of, 1) - datum[1]) / datum[2]) ^ 2, count + 1
      end
    end
  end
  return (sum / count) ^ 0.5
end

local best -- {values =, misfit =} of all evaluations

-- The misfit of experiments by their names, and of all together.
local function evaluate(values, phase, held, list, seed, runs)
  evaluations = evaluations + 1
  planned = math.max(planned, evaluations)
  local done, misfits, sum = do_runs(orders_of(values, list, seed, runs)), {}, 0
  for _, experiment in ipairs(list) do
    local misfit = misfit_of(experiment, values, seed, runs)
    misfits[experiment.name] = misfit
    if not experiment.held_out then sum = sum + misfit ^ 2 end
  end
  local misfit = (sum / #fitted) ^ 0.5
  results:add(done, { number = evaluations, phase = phase, held = held, misfit = misfit, misfits = misfits,
    seed = seed, runs = runs or most_runs, values = values })
  progress()
  return misfits, misfit
end

-- ---- the search

local function values_of(u)
  local values = {}
  for j, parameter in ipairs(parameters) do
    values[j] = parameter.low + u[j] * (parameter.high - parameter.low)
  end
  return values
end

local function units_of(values)
  local u = {}
  for j, parameter in ipairs(parameters) do
    u[j] = (values[j] - parameter.low) / (parameter.high - parameter.low)
  end
  return u
end

local function try(u, phase, held)
  local values = values_of(u)
  local misfits, misfit = evaluate(values, phase, held, fitted, calibration.seed)
  if not best or misfit < best.misfit then best = { values = values, misfit = misfit } end
  if evaluations == GIVE_UP and best.misfit >= HOPELESS and first_failure then
    error("nothing runs: " .. first_failure, 0)
  end
  return misfits, misfit
end

-- Searches over all parameters but `fixed` from u on; weights by experiment. The units of the best.
local function search(settings)
  local from, order = {}, {}
  for j in ipairs(parameters) do
    if j ~= settings.fixed then order[#order + 1], from[#from + 1] = j, settings.u[j] end
  end
  local function whole(part)
    local u = { table.unpack(settings.u) }
    for i, j in ipairs(order) do u[j] = part[i] end
    return u
  end
  if #order == 0 then
    try(settings.u, settings.phase, settings.held)
    return
  end
  -- BOBYQA needs two numbers
  local algorithm = (#order == 1 and settings.algorithm == LOCAL.bobyqa) and LOCAL.subplex or settings.algorithm
  host.minimise(algorithm, from, settings.step, settings.evaluations, calibration.seed, function(part)
    local misfits = try(whole(part), settings.phase, settings.held)
    local sum, weights = 0, 0
    for _, experiment in ipairs(fitted) do
      local weight = experiment == settings.favoured and WEIGHT or 1
      sum, weights = sum + weight * misfits[experiment.name] ^ 2, weights + weight
    end
    return (sum / weights) ^ 0.5
  end)
end

local function search_all()
  local start = {}
  for j, parameter in ipairs(parameters) do start[j] = parameter.start end
  local inner = math.max(1, 5 * (#parameters - 1))
  local is_local = LOCAL[calibration.method] ~= nil
  planned = calibration.evaluations + (is_local and 0 or calibration.polish)
    + (#fitted > 1 and #fitted * calibration.front or 0) + #parameters * calibration.profile * inner + 1
  search { algorithm = GLOBAL[calibration.method] or LOCAL[calibration.method], u = units_of(start), step = 0.25,
    evaluations = calibration.evaluations, phase = "search" }
  if not is_local and calibration.polish > 0 then
    search { algorithm = LOCAL.bobyqa, u = units_of(best.values), step = 0.1, evaluations = calibration.polish,
      phase = "polish" }
  end
  for _, experiment in ipairs((#fitted > 1 and calibration.front > 0) and fitted or {}) do
    search { algorithm = LOCAL.bobyqa, u = units_of(best.values), step = 0.1, evaluations = calibration.front,
      phase = "front", favoured = experiment }
  end
  for j, parameter in ipairs(calibration.profile > 0 and parameters or {}) do
    for i = 1, calibration.profile do
      local u = units_of(best.values)
      u[j] = calibration.profile > 1 and (i - 1) / (calibration.profile - 1) or 0.5
      search { algorithm = LOCAL.bobyqa, u = u, fixed = j, step = 0.1, evaluations = inner,
        phase = "profile " .. parameter.name, held = values_of(u)[j] }
    end
  end
  evaluate(best.values, "verified", nil, experiments, calibration.seed + OTHER_SEEDS, calibration.verify)
end

if there > 0 then io.stderr:write(("  %d runs are there already, in %s\n"):format(there, options.out)) end
local ok, why = pcall(search_all)
if evaluations > 0 then progress(true) end
jobs:close()
results:close()
if not ok then
  complain("%s", why)
  return first_failure and FAILED or USAGE
end
local statistics = host.library "statistics"(host, host.library "study_design"(host).uniform)
host.library "calibrate_show"(host, statistics)(store.read(options.out), options)
if failed > 0 then
  complain("%d runs failed; they are in '%s' with their errors, and the same command tries them again. The first:\n%s",
    failed, options.out, first_failure)
  return FAILED
end
return DONE
