-- What came of a calibration, as text on stdout, as a page, and as a table for other programs.
local host, statistics = ...

local read = host.library "calibrate_results"(statistics)
local files = host.library "study_files"(host)
local numbers = host.library "study_numbers"()
local number, counted = numbers.text, numbers.counted

local MOST_FRONT = 12 -- lines

local function out(...) io.stdout:write(string.format(...), "\n") end

local function tell_experiment(data, experiment)
  local held, misfit = 0, data.verified and data.verified.misfits[experiment.name]
  for _, datum in ipairs(experiment.data) do held = held + (read.holds(datum) and 1 or 0) end
  out("\n%s%s: misfit %s, %d of %d within their tolerances", experiment.name,
    experiment.held_out and " (held out)" or "", number(misfit), held, #experiment.data)
  for _, datum in ipairs(experiment.data) do
    local unit = datum.unit ~= "" and " " .. datum.unit or ""
    out("  %-28s %s: measured %s, simulated %s%s%s%s", datum.point, datum.measure, number(datum.value),
      number(datum.mean), unit, datum.from and (" (%s to %s)"):format(number(datum.from), number(datum.to)) or "",
      read.holds(datum) and "" or ", outside")
  end
end

local function tell_front(data)
  if #data.front < 2 then return end
  out("\nCompromises that nothing beats in all experiments:")
  for i, one in ipairs(data.front) do
    if i > MOST_FRONT then
      out("  and %d more", #data.front - MOST_FRONT)
      return
    end
    local parts = {}
    for _, experiment in ipairs(data.fitted) do
      parts[#parts + 1] = ("%s %s"):format(experiment.name, number(one.misfits[experiment.name]))
    end
    for j, parameter in ipairs(data.parameters) do
      parts[#parts + 1] = ("%s = %s"):format(parameter.name, number(one.values[j]))
    end
    out("  %s", table.concat(parts, ", "))
  end
end

return function(store, options)
  local data = read.read(store)
  out("calibration: %s by %s, %s, %s", counted(#data.parameters, "parameter"), counted(#data.fitted, "experiment"),
    counted(#data.evaluations, "evaluation"), counted(data.runs, "run"))
  if data.best then
    for _, parameter in ipairs(data.parameters) do
      out("  %s = %s, searched from %s to %s%s", parameter.name, number(parameter.value), number(parameter.low),
        number(parameter.high), parameter.from and ("; as good from %s to %s"):format(number(parameter.from),
          number(parameter.to)) or "")
    end
    out("  misfit %s, by which the search went%s; 1: as far off as the tolerances", number(data.best.misfit),
      data.verified and (", and %s with other seeds"):format(number(data.verified.misfit)) or "")
    for _, experiment in ipairs(data.experiments) do tell_experiment(data, experiment) end
    tell_front(data)
  end
  out ""
  if not options.show then out("  results  %s", store.path) end
  if options.csv then
    files.write(options.csv, files.csv(store, "SELECT * FROM fit_evaluations ORDER BY evaluation"))
  end
  if options.report then host.library "study_report"(host, nil, store.path, "") end
  store:close()
end
