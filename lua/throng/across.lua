-- Called with the host's functions, the options of `throng test` and the writer of failures' files.

--- class throng.across
--- Settings of `across`.
--- @field seeds integer Number of seeds, from 1 to 1000000; `throng test --seeds LIST` gives others.
--- @field first? integer The first of them, default 1.
--- @field percentile? number(1) Per cent of the seeds that must pass, default 100.
--- @field at_least? number(any) Least value that the function may return.
--- @field at_most? number(any) Greatest.

--- across(settings, body)
--- Tests the statistics of a scenario, in specs. The function runs for every seed. A seed passes when no assertion
--- fails and the returned number is within the bounds. `percentile` per cent of the seeds must pass.
--- @param settings throng.across Number of seeds, and how many must pass.
--- @param body fun(seed: integer): number(any)? Called with each seed; returns a number.
--- @return (number(any)?)[] The numbers, by seed.
--- @error it fails with the seeds that did not hold, and why; an unknown field
--- @example
--- across({ seeds = 20, percentile = 90, at_most = 95 }, function(seed)
---   local world = throng.load("scenarios/evacuation.lua", { seed = seed })
---   world:run()
---   return world:stats().last_arrival
--- end)

local host, options, failure_files = ...
local pairs = host.pairs -- in the order of keys

local statistics = host.library "statistics"(host)

local function raise(...) host.raise("across: " .. string.format(...)) end

local FIELDS = { "seeds", "first", "percentile", "at_least", "at_most" }

local MOST = 1000000

local function check(settings, body)
  if type(settings) ~= "table" or type(body) ~= "function" then
    raise "expected a table like {seeds = 20, percentile = 90} and a function(seed)"
  end
  host.check_names("across", "field", settings, FIELDS)
  for name, value in pairs(settings) do
    if type(value) ~= "number" then raise("field '%s' must be a number, got %s", name, host.describe(value)) end
  end
  if math.type(settings.seeds) ~= "integer" or settings.seeds < 1 or settings.seeds > MOST then
    raise("field 'seeds' must be a whole number from 1 to %d, got %s", MOST, host.describe(settings.seeds))
  end
  local first = settings.first or 1
  if math.type(first) ~= "integer" or first < 0 or first > 1 << 53 then
    raise("field 'first' must be a whole number from 0 to 2^53, got %s", host.describe(first))
  end
  local percentile = settings.percentile or 100
  if not (percentile > 0 and percentile <= 100) then
    raise("field 'percentile' must be more than 0 and at most 100, got %g", percentile)
  end
end

-- 1 .. seeds, or from `first` on, or those of --seeds.
local function seeds_of(settings)
  if options.seeds then return options.seeds end
  local seeds, first = {}, settings.first or 1
  for i = 1, settings.seeds do seeds[i] = first + i - 1 end
  return seeds
end

-- Why the value does not hold, or nil.
local function miss_of(value, settings)
  if not settings.at_least and not settings.at_most then return nil end
  if type(value) ~= "number" or value ~= value then return ("returned %s, no number"):format(host.describe(value)) end
  local least, most = settings.at_least or -math.huge, settings.at_most or math.huge
  if value > most then return ("%g, at most %g"):format(value, most) end
  if value < least then return ("%g, at least %g"):format(value, least) end
  return nil
end

local function first_line(problem) return (tostring(problem):match "^[^\n]*") end

-- Runs one seed: what it returned, and why it does not hold.
local function run(seed, settings, body)
  local ok, value = xpcall(body, function(problem)
    if not failure_files.is_pending(problem) then failure_files.capture(tostring(problem), seed) end
    return problem
  end, seed)
  if not ok and failure_files.is_pending(value) then error(value, 0) end
  if not ok then return nil, first_line(value) end
  local miss = miss_of(value, settings)
  if miss then failure_files.capture(miss, seed) end
  return value, miss
end

local CONFIDENCE = 0.95

-- "90 % at most 93.5 (95 % confidence: 91 to 96)"
local function percentile_text(sorted, percentile)
  local from, to = statistics.interval_of_rank(sorted, percentile, CONFIDENCE)
  return (", %g %% at most %g%s"):format(percentile, statistics.rank(sorted, percentile),
    from and (" (%g %% confidence: %g to %g)"):format(100 * CONFIDENCE, from, to)
      or (" (too few seeds to say how sure that is: it takes %d)"):format(statistics.least(percentile, CONFIDENCE)))
end

local function spread_of(values, percentile)
  local numbers = {}
  for _, value in pairs(values) do numbers[#numbers + 1] = type(value) == "number" and value or nil end
  if #numbers == 0 then return "" end
  local sorted = statistics.sorted(numbers)
  return ("\nvalues: least %g, median %g%s, most %g"):format(sorted[1], statistics.rank(sorted, 50),
    percentile < 100 and percentile_text(sorted, percentile) or "", sorted[#sorted])
end

local SHOWN = 5

return function(settings, body)
  check(settings, body)
  local seeds, percentile = seeds_of(settings), settings.percentile or 100
  local values, misses = {}, {}
  for i, seed in ipairs(seeds) do
    local miss
    values[i], miss = run(seed, settings, body)
    if miss then misses[#misses + 1] = ("seed %d: %s"):format(seed, miss) end
  end
  local held, needed = #seeds - #misses, math.ceil(percentile / 100 * #seeds - 1e-9)
  if held >= needed then return values end
  local more = #misses > SHOWN and ("\nand %d more"):format(#misses - SHOWN) or ""
  local shown = table.concat(misses, "\n", 1, math.min(SHOWN, #misses))
  require("busted").fail(("%d of %d seeds held, %d must (%g %%)%s\n%s%s"):format(held, #seeds, needed, percentile,
    spread_of(values, percentile), shown, more), 2)
end
