-- The scenarios of scenarios/experiments beside the recordings that they are of, SEEDS (default 12) seeds each: writes
-- tests/people/EXPERIMENTS.md. Run by `make experiments RECORDINGS=FOLDER`; a recording that is not there is an error.
local throng = require "throng"

local FOLDER, SEEDS = os.getenv "RECORDINGS", tonumber(os.getenv "SEEDS") or 12
local PAGE = "tests/people/EXPERIMENTS.md"

local EXPERIMENTS = {
  { "bottleneck", "A passage of 0.5 m", "040_c_56_h-.txt" },
  { "corridor", "A corridor of 1.8 m, 0.5 m to come in by", "uo-050-180-180.txt", exit = 1.8 },
  { "corridor", "1.0 m to come in by", "uo-100-180-180.txt", exit = 1.8 },
  { "corridor", "1.45 m to come in by", "uo-145-180-180.txt", exit = 1.8 },
  { "corridor", "1.8 m to come in by", "uo-180-180-180.txt", exit = 1.8 },
  { "corridor", "An exit of 1.2 m", "uo-180-180-120.txt", exit = 1.2 },
  { "corridor", "An exit of 0.95 m", "uo-180-180-095.txt", exit = 0.95 },
  { "corridor", "An exit of 0.7 m", "uo-180-180-070.txt", exit = 0.7 },
  { "counterflow", "Both ways through a corridor of 4 m", "bi_corr_400_b_03.txt" },
}

local lines = {}
local function line(...) lines[#lines + 1] = string.format(...) end

local function number(value) return value and ("%.3g"):format(value) or "" end

describe("people", function()
  for _, experiment in ipairs(EXPERIMENTS) do
    local name, title, file = table.unpack(experiment)
    it("as recorded: " .. title, function()
      assert(FOLDER, "say where the recordings are: make experiments RECORDINGS=FOLDER")
      local recording, comparisons = ("%s/%s"):format(FOLDER, file), {}
      for seed = 1, SEEDS do
        local settings = { seed = seed, params = { recording = recording, exit = experiment.exit } }
        local world <close> = throng.load(("scenarios/experiments/%s.lua"):format(name), settings)
        world:run { until_done = false } -- as long as the recording, however soon everybody is out
        comparisons[seed] = world:compare(throng.trajectory(recording))
      end
      local compared = throng.compared(comparisons)
      line("| **%s** (`%s`) | | | | |", title, file)
      for _, row in ipairs(compared) do
        line("| %s | %s | %s | %s to %s | %s |", row.name, number(row.recorded), number(row.mean), number(row.from),
          number(row.to), row.alike and "yes" or row.alike == false and "**no**" or "")
      end
    end)
  end

  teardown(function()
    if #lines == 0 then return end
    local page = assert(io.open(PAGE, "w"))
    page:write(([[
# Recorded experiments

Written by `make experiments`: the scenarios of [`scenarios/experiments`](../../scenarios/experiments) with people by
default (orca, shoulders), %d seeds each, beside the recordings that they are of. These are Forschungszentrum
Jülich's (doi.org/10.34735/ped.2018.1, ped.2009.5, ped.2013.5) and not ours to give away: the scenarios say where they
are. People stand, or come in, where and when the recording has them; the rest is the model's. Flows in persons/s,
densities of Voronoi cells in persons/m^2, speeds in m/s, times in s. Alike: the recording could have been one more run,
with a confidence of 95 %% for all rows of an experiment.

| | recorded | throng, mean | one more run is from, to | alike |
|---|---|---|---|---|
%s
]]):format(SEEDS, table.concat(lines, "\n")))
    page:close()
  end)
end)
