-- A process of `throng study`, or one of those that it does at a time: takes runs, a line each, and answers with what
-- was measured. options.worker: the first.
local host, study, options = ...

local quantity = host.library "study_quantity"(host)
local messages = host.library "study_messages"()

local told = {} -- digests of files by path
local threads = math.tointeger(tonumber(options.threads))

-- Files that were read for the first time, with what is in them.
local function new_files()
  local files = {}
  for _, path in ipairs(host.files()) do
    if not told[path] and path ~= options.file then
      told[path] = host.digest(path) or "-"
      files[path] = told[path]
    end
  end
  return files
end

-- A value that is no finite number counts as none: as NULL it would come back from a resumed study, and nothing can be
-- said of a mean that is infinite.
local function finite(value) return value and math.abs(value) < math.huge and value or nil end

-- Steps the world to its end as `throng run` does; curves hold a value at the start and after each period.
local function step(world, of)
  local most, until_done = host.run_plan(world)
  local curves, period = of.curves, math.max(1, math.floor(of.every / world.dt + 0.5))
  local samples = {}
  for i in ipairs(curves) do samples[i] = {} end
  local function sample()
    for i, curve in ipairs(curves) do table.insert(samples[i], finite(quantity.now(world, curve)) or 0 / 0) end
  end
  sample()
  local left, ended = most, "time"
  while left > 0 and ended == "time" do
    local steps = math.min(left, period)
    ended = world:run { steps = steps, until_done = until_done }
    left = left - steps
    sample()
  end
  return samples, ended, period * world.dt
end

local function measure(order)
  local of = study.experiments and study.experiments[order.experiment] or study
  local world <close> = setmetatable({
    world = host.run_scenario(of.scenario, {
      seed = order.seed, params = order.params, backend = options.backend, threads = threads,
    }),
  }, { __close = function(own) own.world:close() end })
  collectgarbage() -- what the map was made of: many worlds lie beside this one
  local begin = host.clock()
  local samples, ended, every = step(world.world, of)
  local curves, values = {}, {}
  for i, numbers in ipairs(samples) do curves[i] = ("<" .. ("d"):rep(#numbers)):pack(table.unpack(numbers)) end
  for i, one in ipairs(of.measures) do values[i] = finite(quantity.value(world.world, one)) end
  return {
    values = values, curves = curves, every = every, ended = ended, steps = world.world.steps,
    hash = world.world:hash(), seconds = host.clock() - begin,
  }
end

local line = options.worker
while line do
  local order = messages.read(line)
  local ok, result = pcall(measure, order)
  if not ok and host.is_interrupted() then return 1 end -- the run is not wrong: another may do it
  if not ok then result = { error = tostring(result) } end
  result.run, result.files = order.run, new_files()
  if not host.answer_order(messages.write(result) .. "\n") then return 1 end
  collectgarbage()
  line = host.take_order()
end
return 0
