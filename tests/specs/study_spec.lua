-- throng study: its runs are those of `throng run`, whoever does them and however often they are interrupted; its
-- designs and statistics are those of the books.
local command = dofile "tests/specs/command.lua"
local shell, read = command.shell, command.read

local scratch -- a folder for each test

before_each(function() scratch = io.popen("mktemp -d"):read "l" end)
after_each(function() os.execute("rm -rf '" .. scratch .. "'") end)

-- A crowd that leaves a room by a door; bad: what goes wrong.
local ROOM = [[
local throng = require "throng"
local params = throng.params { width = 1.0, count = 12, speed = 1.3, planner = "orca", bad = "" }
if params.bad == "error" then error "it is bad" end
if params.bad == "loop" then while true do end end
local half = params.width / 2
local world = throng.world {
  map = throng.map {
    boundary = throng.box(0, 0, 16, 8),
    walls = { throng.box(8, 0, 8.2, 4 - half), throng.box(8, 4 + half, 8.2, 8) },
    doors = { gate = { { 8.1, 4 - half }, { 8.1, 4 + half } } },
    regions = { left = throng.box(1, 1, 6, 7), right = throng.box(12, 0, 16, 8) },
  },
  threads = 1, seconds = 60,
}
local people = world:spawn { count = params.count, where = "left", planner = params.planner,
  speed = throng.normal(params.speed, 0.1) }
people:go_to "right"
world:measure { flow = "gate", name = "gate" }
world:measure { density = "left" }
return world
]]

-- A world of no people whose end is a sum of factors: 40 a + 20 b s, and c does nothing.
local SUM = [[
local throng = require "throng"
local params = throng.params { a = 0, b = 0, c = 0 }
return throng.world { map = throng.map { boundary = throng.box(0, 0, 4, 4) }, threads = 1, dt = 0.1, until_done = false,
  seconds = 40 * params.a + 20 * params.b }
]]

-- Writes the scenarios, and a study of these settings; its file.
local function study(settings, scenario)
  command.write(scratch .. "/room.lua", ROOM)
  command.write(scratch .. "/sum.lua", SUM)
  return command.write(scratch .. "/study.lua",
    ('local throng = require "throng"\nreturn throng.study { scenario = "%s",\n%s }'):format(scenario or "room.lua",
      settings))
end

local function run(arguments) return command.throng("study " .. arguments, scratch) end

-- The table that --csv writes, or --curves: rows by the names of their columns.
local function table_of(file, option)
  local path = scratch .. "/table.csv"
  local code, out, err = run(("--show %s %s table.csv"):format(file, option or "--csv"))
  if code ~= 0 then error(out .. err, 2) end
  local text, names, rows, row = read(path), nil, {}, {}
  text = text:gsub('"([^"]*)"', function(inner) return (inner:gsub("[,\n]", " ")) end)
  for field, mark in text:gmatch "([^,\n]*)([,\n])" do
    row[#row + 1] = field
    if mark == "\n" then
      if names then
        local named = {}
        for i, name in ipairs(names) do named[name] = row[i] end
        rows[#rows + 1] = named
      end
      names, row = names or row, {}
    end
  end
  return rows
end

-- What must be the same whoever does the runs.
local function results_of(file)
  local lines = {}
  for i, row in ipairs(table_of(file)) do
    row.seconds = nil
    local fields = {}
    for name, value in pairs(row) do fields[#fields + 1] = name .. "=" .. value end
    table.sort(fields)
    lines[i] = table.concat(fields, " ")
  end
  return lines
end

local function distinct(rows, name)
  local seen, count = {}, 0
  for _, row in ipairs(rows) do
    if not seen[row[name]] then seen[row[name]], count = true, count + 1 end
  end
  return count
end

local WIDTHS = [[factors = { width = { 0.8, 1.2 } }, runs = 4, measure = { "last_arrival" }]]

local has = command.has

describe("throng study", function()
  it("does the runs of throng run, on one process as on three, of one world or eight", function()
    study(WIDTHS)
    assert.equal(0, (run "study.lua --jobs 1 --out one.sqlite"))
    for _, other in ipairs { "--jobs 3", "--jobs 2 --worlds 3 --threads 1", "--jobs 1 --worlds 8 --threads 3" } do
      os.remove(scratch .. "/other.sqlite")
      assert.equal(0, (run("study.lua --out other.sqlite " .. other)))
      assert.same(results_of "one.sqlite", results_of "other.sqlite")
    end
    local rows = table_of "one.sqlite"
    assert.equal(8, #rows)
    for _, row in ipairs(rows) do
      assert.equal(row.replicate, row.seed)
      local code, out = command.throng(("run room.lua --seed %s --set width=%s --out none --json"):format(row.seed,
        row.width), scratch)
      assert.equal(0, code)
      has(out, '"' .. row.hash .. '"')
      assert.near(tonumber(row.last_arrival), tonumber(out:match '"last_arrival[^:]*": *([%d.]+)'), 1e-6)
    end
  end)

  it("gives its worlds the threads that were said, or shares these among them", function()
    study [[measure = { threads = function(world) return world.threads end }]]
    assert.equal(0, (run "study.lua --out own.sqlite --jobs 1 --threads 2"))
    assert.equal("2", table_of "own.sqlite"[1].threads)
    assert.equal(0, (run "study.lua --out shared.sqlite --jobs 1 --threads 2 --worlds 2"))
    assert.equal("1", table_of "shared.sqlite"[1].threads)
  end)

  it("says once by how many processes and worlds its runs go", function()
    study(WIDTHS)
    local _, _, err = run "study.lua --out a.sqlite --jobs 2 --worlds 3 --threads 1"
    assert.matches("^  6 runs at a time: %-%-jobs 2 %-%-worlds 3 %-%-threads 1\n", err)
    assert.equal(1, select(2, err:gsub("at a time", "")))
  end)

  it("takes answers that are too long to be written at once", function()
    study([[factors = { a = { 60, 61 } }, measure = { "time" }, every = 0.1]], "sum.lua")
    local code, _, err = run "study.lua --out a.sqlite --jobs 1 --worlds 2 --threads 2"
    assert.equal(0, code, err)
    assert.equal(0, (run "--show a.sqlite --curves curves.csv"))
    assert.equal(1 + 24001 + 24401, select(2, read(scratch .. "/curves.csv"):gsub("\n", "")))
  end)

  it("goes on where it was killed, and does nothing twice", function()
    study [[factors = { width = { 0.8, 1.2 } }, runs = 200, measure = { "last_arrival" }]]
    assert.equal(0, (run "study.lua --out whole.sqlite"))
    local counts, code = {}, nil
    for attempt = 1, 12 do
      code = shell(("cd '%s' && timeout -s KILL %g %s study study.lua --out killed.sqlite --worlds %d"):format(scratch,
        attempt < 12 and 0.1 * attempt or 60, command.THRONG, attempt % 2 == 1 and 5 or 1))
      local begun, rows = pcall(table_of, "killed.sqlite") -- on a busy machine it was killed before it began
      counts[#counts + 1] = begun and #rows or 0
      if code == 0 then break end
    end
    assert.equal(0, code)
    assert.is_true(counts[1] < 400) -- it was killed
    assert.same(results_of "whole.sqlite", results_of "killed.sqlite")
    assert.same(table_of("whole.sqlite", "--curves"), table_of("killed.sqlite", "--curves"))
  end)

  it("keeps what is done while others take long", function()
    study [[factors = { bad = { "", "loop" }, width = { 0.8, 1.2 } }, measure = { "last_arrival" }]]
    shell(([[cd '%s'; exec >/dev/null 2>&1
      %s study study.lua --out a.sqlite --jobs 2 --deadline 1000 --instructions 1000000000000 & study=$!
      for i in $(seq 200); do
        sleep 0.1
        [ "$(%s study --show a.sqlite | grep -c '2 runs')" = 1 ] && break
      done
      kill -KILL $study]]):format(scratch, command.THRONG, command.THRONG))
    assert.equal(2, #table_of "a.sqlite")
  end)

  it("does more runs when more are asked for", function()
    study(WIDTHS)
    run "study.lua --out a.sqlite"
    study((WIDTHS:gsub("runs = 4", "runs = 6")))
    local code, _, err = run "study.lua --out a.sqlite"
    assert.equal(0, code)
    has(err, "8 of 12 runs are there already")
    run "study.lua --out b.sqlite"
    assert.same(results_of "b.sqlite", results_of "a.sqlite")
  end)

  it("keeps what is wrong in one run from all others, and tries it again", function()
    study [[factors = { bad = { "", "error", "loop" }, width = { 1 } }, runs = 2, measure = { "last_arrival" }]]
    local code, _, err = run "study.lua --out a.sqlite --instructions 1000000"
    assert.equal(1, code)
    has(err, "4 of 6 runs failed", "run 2 (seed 1, bad = error, width = 1): ", "room.lua:3: it is bad",
      "the same command tries them again")
    has(select(2, run "--show a.sqlite"), "study of ./room.lua: 3 points, 6 runs, 4 failed",
      "failed:\n  2 runs, first run 2 (seed 1, bad = error, width = 1): ./room.lua:3: it is bad\n",
      "\n  2 runs, first run 3 (seed 1, bad = loop, width = 1): ./room.lua:4: stopped")
    for _, row in ipairs(table_of "a.sqlite") do
      assert.equal(row.bad == "", row.error == "")
      assert.equal(row.bad ~= "", row.last_arrival == "")
      if row.bad == "loop" then has(row.error, "stopped after 1000000 instructions") end
    end
    local alone = results_of "a.sqlite"
    _, _, err = run "study.lua --out a.sqlite --instructions 1000000 --jobs 1 --worlds 6 --threads 2"
    has(err, "2 of 6 runs are there already")
    assert.same(alone, results_of "a.sqlite")
    _, _, err = run("study.lua --out b.sqlite --deadline 0.1 --instructions 1000000000000 --jobs 1 --worlds 6 "
      .. "--threads 2")
    has(err, "4 of 6 runs failed")
    for _, row in ipairs(table_of "b.sqlite") do
      if row.bad == "loop" then assert.matches("^%./room%.lua:4: stopped after 1 s", row.error) end
    end
  end)

  it("ends measure functions that do not end", function()
    study [[runs = 2, measure = { "time", endless = function(world)
      while world do end
    end }]]
    local code, _, err = run "study.lua --out a.sqlite --jobs 1 --instructions 1000000"
    assert.equal(1, code)
    has(err, "2 of 2 runs failed", "study.lua:4: stopped after 1000000 instructions")
    code, _, err = run "study.lua --out b.sqlite --jobs 1 --deadline 0.1 --instructions 1000000000000"
    assert.equal(1, code)
    has(err, "2 of 2 runs failed", "study.lua:4: stopped after 0.1 s")
  end)

  it("begins anew with a scenario that was mended, where no run had come to anything", function()
    study [[runs = 2, measure = { "last_arrival" }, factors = { wdith = { 1 } }]]
    local code, _, err = run "study.lua --out a.sqlite"
    assert.equal(1, code)
    has(err, "2 of 2 runs failed", "unknown parameter 'wdith'")
    study [[runs = 2, measure = { "last_arrival" }, factors = { width = { 1, 2 } }]]
    command.write(scratch .. "/room.lua", ROOM .. "-- mended\n")
    assert.equal(0, (run "study.lua --out a.sqlite"))
    assert.equal(4, #table_of "a.sqlite")
    command.write(scratch .. "/room.lua", ROOM)
    code, _, err = run "study.lua --out a.sqlite"
    assert.equal(2, code)
    has(err, "room.lua has changed since")
  end)

  -- Runs the study, and kills one of its processes.
  local function killed(arguments)
    return shell(([[cd '%s'; %s study study.lua %s & study=$!
      until
        worker=$(cat /proc/$study/task/*/children | cut -d ' ' -f 1)
        tr '\0' ' ' <"/proc/${worker:-none}/cmdline" | grep -q 'study.lua --worker' && kill -KILL "$worker"
      do kill -0 $study || break; sleep 0.05; done 2>/dev/null
      wait $study]]):format(scratch, command.THRONG, arguments))
  end

  it("outlives a process that is killed", function()
    study [[runs = 300, measure = { "last_arrival" }, factors = { width = { 1 } }]]
    local code, _, err = killed "--out a.sqlite --jobs 2"
    assert.equal(1, code)
    has(err, "1 of 300 runs failed", "its process ended by signal 9 (SIGKILL)")
    assert.equal(0, (run "study.lua --out a.sqlite"))
    assert.equal(300, #table_of "a.sqlite")
    for _, row in ipairs(table_of "a.sqlite") do assert.not_equal("", row.last_arrival) end
    assert.equal(0, (killed "--out b.sqlite --jobs 2 --worlds 4")) -- it had several: all are done again
    assert.same(results_of "a.sqlite", results_of "b.sqlite")
  end)

  it("finds which of a process's runs ended it", function()
    study [[factors = { bad = { "a", "b", "loop", "c", "d" } }, measure = { "last_arrival" }]]
    local code, _, err = shell(([[cd '%s'; ulimit -t 1 # s of the processor
      %s study study.lua --out a.sqlite --jobs 1 --worlds 5 --threads 1 --deadline 1000 --instructions 1000000000000]]
      ):format(scratch, command.THRONG))
    assert.equal(1, code)
    has(err, "1 of 5 runs failed", "run 3 (seed 1, bad = loop): its process ended by signal 9")
    for _, row in ipairs(table_of "a.sqlite") do assert.equal(row.bad == "loop", row.last_arrival == "") end
  end)

  it("says so when its results are moved away", function()
    study [[runs = 3000, measure = { "last_arrival" }]]
    local code, out, err = shell(([[cd '%s'; timeout 60 %s study study.lua --out a.sqlite >out 2>err & study=$!
      until mv a.sqlite b.sqlite; do sleep 0.02; done 2>/dev/null
      wait $study; code=$?; cat err >&2; exit $code]]):format(scratch, command.THRONG))
    assert.equal(2, code, out .. err)
    has(err, "cannot use 'a.sqlite': it was moved or removed while it was written; leave it where it is until the end")
  end)

  it("is done by several that mpirun starts as by one", function()
    study [[runs = 60, measure = { "last_arrival" }, factors = { width = { 1 } }]]
    assert.equal(0, (run "study.lua --jobs 1 --out one.sqlite"))
    local code, out, err = shell(([[cd '%s'
      for rank in 0 1 2; do
        OMPI_COMM_WORLD_SIZE=3 OMPI_COMM_WORLD_RANK=$rank %s study study.lua --out three.sqlite \
          --worlds $((1 + 3 * rank)) 2>$rank.err >$rank.out &
        pids="$pids $!"
      done
      for pid in $pids; do wait $pid || echo "exit code $?"; done]]):format(scratch, command.THRONG))
    assert.equal(0, code)
    assert.equal("", out .. err)
    assert.same(results_of "one.sqlite", results_of "three.sqlite")
    assert.equal("", read(scratch .. "/1.out")) -- the first alone tells results
    assert.is_nil(io.open(scratch .. "/three.sqlite.join"))
  end)

  it("lets others join, outlives those that are killed, and heeds no strangers", function()
    study [[runs = 200, measure = { "last_arrival" }, factors = { width = { 1 } }]]
    assert.equal(0, (run "study.lua --out one.sqlite"))
    local code, out, err = shell(([[cd '%s'
      %s study study.lua --out many.sqlite --jobs 1 --share >share.out 2>share.err & share=$!
      while [ ! -s many.sqlite.join ]; do sleep 0.05; done
      read host port <many.sqlite.join
      stat -c %%a many.sqlite.join
      bash -c "exec 3<>/dev/tcp/127.0.0.1/$port; echo throng-study 0 guess >&3; cat <&3"; echo "stranger: $?"
      sed 's/throng-study [^ ]*/throng-study 0.0.1/' many.sqlite.join >old.sqlite.join
      %s study study.lua --out old.sqlite --join; echo "old: $?"
      %s study study.lua --out many.sqlite --jobs 2 --worlds 5 --join 2>killed.err & join=$!
      sleep 0.3; kill -KILL $join
      %s study study.lua --out many.sqlite --jobs 1 --join || echo "join: $?"
      wait $share; echo "share: $?"]]):format(scratch, command.THRONG, command.THRONG, command.THRONG, command.THRONG))
    assert.equal(0, code)
    has(out .. err, "600\n", "stranger: 0\n", "old: 2\n", "of another version of throng", "share: 0\n")
    assert.same(results_of "one.sqlite", results_of "many.sqlite")
  end)

  it("keeps curves, measures by name and functions", function()
    study [[
      measure = { "last_arrival", "flow.gate", "count(flow.gate)", "density.left", "max(density.left)", "time",
        "stuck.crowd", agents = function(world) return world:stats().spawned end },
      curves = { "arrived", "density.left", "flow.gate" }, every = 2]]
    assert.equal(0, (run "study.lua --out a.sqlite"))
    local row = table_of("a.sqlite")[1]
    assert.equal("12", row["count(flow.gate)"])
    assert.equal("12", row.agents)
    assert.is_true(tonumber(row["flow.gate"]) > 0 and row["stuck.crowd"] ~= "")
    assert.is_true(tonumber(row["density.left"]) > 0)
    assert.is_true(tonumber(row["max(density.left)"]) > tonumber(row["density.left"]))
    local curves = { arrived = {}, ["density.left"] = {}, ["flow.gate"] = {} }
    for _, one in ipairs(table_of("a.sqlite", "--curves")) do table.insert(curves[one.name], one) end
    local arrived = curves.arrived
    assert.equal(1 + math.ceil(tonumber(row.time) / 2 - 1e-9), #arrived)
    assert.equal("0 0 4", ("%s %s %s"):format(arrived[1].time, arrived[1].value, arrived[3].time))
    assert.equal("12", arrived[#arrived].value)
    assert.equal("12", curves["flow.gate"][#arrived].value)
    assert.near(12 / 30, tonumber(curves["density.left"][2].value), 0.2)
  end)

  it("keeps measures of every kind", function()
    local kinds = { "count", "density", "flow", "inside", "lanes", "level_of_service", "speed", "time_gap",
      "travel_time" }
    local measures, asked = {}, {}
    for i, kind in ipairs(kinds) do
      measures[i] = ('world:measure { %s = "left", name = "%s here" }\n'):format(kind, kind)
      asked[i] = ('"%s.%s here"'):format(kind, kind)
    end
    study(("measure = { %s }"):format(table.concat(asked, ", ")), "kinds.lua")
    command.write(scratch .. "/kinds.lua", (ROOM:gsub("return world", table.concat(measures) .. "return world")))
    local code, out, err = run "study.lua --out a.sqlite"
    assert.equal(0, code, err)
    has(out, "level_of_service.level_of_service here", "speed.speed here, m/s", "time_gap.time_gap here, s")
    local row = table_of("a.sqlite")[1]
    for _, kind in ipairs(kinds) do
      local value = tonumber(row[("%s.%s here"):format(kind, kind)])
      assert.is_true(value ~= nil or kind == "travel_time", kind) -- nobody comes to where all begin
    end
    assert.is_true(tonumber(row["speed.speed here"]) > 0.2 and tonumber(row["speed.speed here"]) < 1.3)
  end)

  it("stops when a number is known well enough, the same on any number of processes", function()
    local settings = [[factors = { speed = { 1.3, 0.9 }, width = { 1 } }, measure = { "last_arrival" },
      runs = throng.until_precise { of = "%s", within = %g, least = 10, most = 40 }]]
    study(settings:format("p50(last_arrival)", 0.08))
    local _, out = run "study.lua --out one.sqlite --jobs 1"
    run "study.lua --out two.sqlite --jobs 2"
    local rows = results_of "one.sqlite"
    assert.same(rows, results_of "two.sqlite")
    has(out, "p50(last_arrival), known to 8 % at 95 % confidence", "speed = 1.3")
    assert.is_true(#rows >= 20 and #rows < 80, #rows)
    for levels, part in out:gmatch "speed = ([%d.]+), width = 1: [^\n]*%+%- ([%d.]+) %%" do
      local runs = 0
      for _, row in ipairs(table_of "one.sqlite") do
        if tonumber(row.speed) == tonumber(levels) then runs = runs + 1 end
      end
      assert.is_true(runs == 40 or tonumber(part) <= 8, levels)
    end
    study(settings:format("last_arrival", 1e-9))
    _, out = run "study.lua --out most.sqlite"
    assert.equal(80, #table_of "most.sqlite")
    has(out, "not as well as asked for")
  end)

  it("takes numbers that are not finite for none, and draws the others", function()
    study([[factors = { a = { 1, 2, 3 } }, measure = { "time", odd = function(world)
        return world.time > 100 and 0 / 0 or world.time > 79 and 1 / 0 or world.time
      end, never = function() return -1 / 0 end } ]], "sum.lua")
    local code, out, err = run "study.lua --out a.sqlite --report"
    assert.equal(0, code, err)
    has(out, "a = 1                1        40")
    for _, row in ipairs(table_of "a.sqlite") do
      assert.equal(row.a == "1", row.odd ~= "")
      assert.equal("", row.never)
    end
    local page = read(scratch .. "/report.html")
    assert.is_nil(page:find "inf<" or page:find "nan")
  end)

  it("asks for what failed again among the first runs of a number that is known", function()
    local settings = [[factors = { a = throng.uniform(-0.5, 1) }, measure = { "time" }, -- below 0 is an error
      runs = throng.until_precise { of = "time", within = %g, least = 10, most = 40 }]]
    study(settings:format(1e-9), "sum.lua")
    run "study.lua --out a.sqlite"
    local failed = 0
    for _, row in ipairs(table_of "a.sqlite") do
      if tonumber(row.run) <= 10 and row.error ~= "" then failed = failed + 1 end
    end
    assert.is_true(failed > 0 and failed < 9, failed)
    study(settings:format(10), "sum.lua")
    local code, _, err = run "study.lua --out a.sqlite"
    has(err, ("%d of 10 runs are there already"):format(10 - failed), ("%d of 10 runs failed"):format(failed))
    assert.equal(1, code)
  end)

  it("tells a sum's Sobol' indices, elementary effects and ranks", function()
    local factors = [[factors = { a = throng.uniform(0, 1), b = throng.uniform(0, 1), c = throng.uniform(0, 1) },
      measure = { "time" }, ]]
    local function told(design)
      study(factors .. design, "sum.lua")
      os.remove(scratch .. "/a.sqlite")
      local code, out = run "study.lua --out a.sqlite"
      assert.equal(0, code)
      return function(factor, pattern) return tonumber(out:match("\n  " .. factor .. " .-" .. pattern)) end
    end
    local number = "(%-?[%d.]+)"
    local sobol = told [[design = "sobol", points = 256]] -- of the variance a has 4/5, b 1/5
    assert.near(0.8, sobol("a", number), 0.03)
    assert.near(0.8, sobol("a", "alone " .. number), 0.06)
    assert.near(0.2, sobol("b", number), 0.02)
    assert.near(0.2, sobol("b", "alone " .. number), 0.04)
    assert.near(0, sobol("c", number), 1e-9)
    assert.equal(256 * 5, #table_of "a.sqlite")
    local morris = told [[design = "morris", points = 6]]
    assert.near(20, morris("a", number), 0.2)
    assert.near(10, morris("b", "mean " .. number), 0.2)
    assert.near(0, morris("c", "deviation " .. number), 1e-9)
    assert.equal(6 * 4, #table_of "a.sqlite")
    local latin = told [[design = "latin", points = 40]]
    assert.is_true(latin("a", number) > 0.8 and latin("b", number) > 0.2 and math.abs(latin("c", number)) < 0.35)
    local rows = table_of "a.sqlite"
    for _, name in ipairs { "a", "b", "c" } do -- one in each part
      for _, row in ipairs(rows) do row[name] = math.floor(40 * tonumber(row[name])) end
      assert.equal(40, distinct(rows, name))
    end
    study([[factors = { a = { 3, 1, 2 }, b = { 1, 2 } }, design = "sobol", points = 8, measure = { "time" } ]],
      "sum.lua")
    local _, out = run "study.lua --out levels.sqlite"
    has(out, "\n  b =           1         2\n  a = 1        60        80\n  a = 2       100       120\n  a = 3 ")
    told [[design = "random", points = 9, seed = 4]]
    rows = table_of "a.sqlite"
    assert.equal(9, #rows)
    assert.equal(9, distinct(rows, "a"))
    assert.equal("4", rows[1].seed)
  end)

  it("draws laws for each run of a grid, alike at all points", function()
    study([[factors = { a = throng.normal(3, 0.5), b = { 1, 2 } }, runs = 5, measure = { "time" }]], "sum.lua")
    run "study.lua --out a.sqlite"
    local rows = table_of "a.sqlite"
    assert.equal(10, #rows)
    assert.equal(5, distinct(rows, "a"))
    for i = 1, 9, 2 do
      assert.equal(rows[i].a, rows[i + 1].a)
      assert.near(20, tonumber(rows[i + 1].time) - tonumber(rows[i].time), 0.01)
    end
  end)

  it("tells what there is as text, as a page and as a table", function()
    study [[factors = { width = { 0.8, 1.2 }, planner = { "orca", "rvo" } }, runs = 4, measure = { "last_arrival" }]]
    run "study.lua --out a.sqlite"
    local code, out = run "--show a.sqlite --report --csv a.csv"
    assert.equal(0, code)
    has(out, "4 points, 16 runs", "planner = orca, width = 0.8", "all 4 points", "wrote  report.html",
      "width =              0.8       1.2")
    local page, csv = read(scratch .. "/report.html"), read(scratch .. "/a.csv")
    has(page, ">last_arrival, s</h2>", "<polygon class=\"band\"", "Two factors together",
      "N-t: people who have arrived")
    assert.is_nil(page:find "<script")
    assert.is_nil(page:find "nan")
    assert.equal(17, select(2, csv:gsub("\n", "")))
    has(csv, "run,point,replicate,seed,planner,width,last_arrival,hash,steps,seconds,ended,error\n1,1,1,1,orca,0.8")
    local sum = 0
    for _, row in ipairs(table_of "a.sqlite") do
      if row.planner == "orca" and row.width:find "^0.8" then sum = sum + tonumber(row.last_arrival) end
    end
    has(out, ("planner = orca, width = 0.8     4  %8.4g"):format(sum / 4))
    study [[factors = { width = { 0.8, 1.2 } }, measure = { "max(density.left)" }]]
    out = select(2, run "study.lua --out b.sqlite")
    local head, row = out:match "\n(max%(density.left%), 1/m^2 [^\n]*)\n(width = 0.8 [^\n]*)\n"
    assert.equal(#head, #row)
  end)

  it("tells booleans as such, and how to run them again", function()
    command.write(scratch .. "/late.lua", [[
      local throng = require "throng"
      local params = throng.params { late = true, a = 0 }
      return throng.world { map = throng.map { boundary = throng.box(0, 0, 4, 4) }, threads = 1, dt = 0.5,
        until_done = false, seconds = params.late and 9 or 4 }
    ]])
    local settings = [[factors = { late = { true, false }, a = { 1, 2 } }, measure = { "time" }]]
    study(settings, "late.lua")
    local _, out = run "study.lua --out a.sqlite --report"
    has(out, "late: true, false", "a = 1, late = false", "late              1  of 4 runs")
    assert.equal("true", table_of "a.sqlite"[1].late)
    local again = read(scratch .. "/report.html"):match "throng (run [^\n]*late=false)"
    has(select(2, command.throng(again .. " --out none", scratch)), "the time was up after 4.0 s")
    study(settings .. [[, design = "morris", points = 4]], "late.lua")
    _, out = run "study.lua --out b.sqlite"
    has(out, "late              5  mean 5, deviation 0")
  end)

  it("has rows of names and levels of many kinds", function()
    command.write(scratch .. "/odd.lua", [[
      local throng = require "throng"
      throng.params { ["grö\"ße, m"] = 1, ["; --"] = "x", rowid = 1 }
      return throng.world { map = throng.map { boundary = throng.box(0, 0, 4, 4) }, threads = 1, seconds = 1 }
    ]])
    study([=[factors = { ["grö\"ße, m"] = { 1, 1e300 }, rowid = (function()
        local list = {} for i = 1, 60 do list[i] = i end return list end)(), ["; --"] = { "<b>&\n\"c\"", "it's" } },
      measure = { "time", select = function() return 1 end }]=], "odd.lua")
    local code, out, err = run "study.lua --out a.sqlite --report --csv a.csv"
    assert.equal(0, code, err)
    has(out, "\n  rowid: 1, 2, 3,", "41, 42, ...\n", '\n  ; --: "<b>&\\ \\"c\\"", "it\'s"\n', '; -- = <b>& "c"')
    has(read(scratch .. "/a.csv"), 'run,point,replicate,seed,; --,"grö""ße, m",rowid,time,select,hash,',
      '\n1,1,1,1,"<b>&\n""c""",1,1,')
    has(read(scratch .. "/report.html"), "&lt;b&gt;&amp; &quot;c&quot;")
  end)

  it("gives the mean's interval by Student's law, percentiles' by their ranks", function()
    command.write(scratch .. "/eleven.lua", [[
      local throng = require "throng"
      local params = throng.params { a = 0 }
      return throng.world { map = throng.map { boundary = throng.box(0, 0, 4, 4) }, threads = 1, dt = 0.5,
        until_done = false, seconds = params.a }
    ]])
    study([[factors = { a = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 } }, measure = { "time" }]], "eleven.lua")
    local _, out = run "study.lua --out a.sqlite"
    -- deviation sqrt(11); t(0.975, 10) = 2.228
    local from, to = out:match "all 11 points.-([%d.]+) to ([%d.]+)"
    assert.near(6 - 2.228, tonumber(from), 0.002)
    assert.near(6 + 2.228, tonumber(to), 0.002)
    has(out, "11   too few") -- the 95th percentile's
    -- Of 1 to 100 the 95th is 95, and by the binomial distribution from the 90th to the 100th at 95 % confidence.
    study([[factors = { a = (function() local a = {} for i = 1, 100 do a[i] = i end return a end)() },
      measure = { "time" } ]], "eleven.lua")
    _, out = run "study.lua --out b.sqlite --report"
    has(out, "95 %   its interval ", " 95   90 to 100 ")
    has(read(scratch .. "/report.html"), "<td>95</td><td>90 to 100</td>", "95th percentile by order statistics")
    study([[runs = throng.until_precise { of = "p90(time)", least = 30, most = 40, within = 0.1 }, measure = { "time" },
      factors = { a = throng.uniform(10, 11) } ]], "eleven.lua")
    run "study.lua --out c.sqlite --report"
    has(read(scratch .. "/report.html"), ">p90(time), known to 10 %</h2>", "half of it")
  end)
end)

describe("throng study says what is wrong with", function()
  local function refused(file_or_settings, ...)
    if not file_or_settings:find "%.lua" then
      study(file_or_settings)
      file_or_settings = "study.lua"
    end
    local code, out, err = run(file_or_settings)
    assert.equal(2, code, out .. err)
    has(err, "throng study: ", ...)
  end

  it("tables that cannot be written, before the first run", function()
    study [[measure = { "last_arrival" }, runs = 2]]
    for _, option in ipairs { "csv", "curves" } do
      local code, out, err = run(("study.lua --out tables.sqlite --%s nowhere/x.csv"):format(option))
      assert.equal(2, code, out .. err)
      has(err, "cannot write 'nowhere/x.csv': its folder does not exist; create it or name another")
      assert.is_nil(io.open(scratch .. "/tables.sqlite"))
    end
    for out, problem in pairs { ["/dev/full"] = "it is a device or a pipe", ["''"] = "--out: give the name", ["."] =
      "it is a folder" } do
      local code, _, err = run("study.lua --out " .. out)
      assert.equal(2, code)
      has(err, problem)
    end
    assert.is_nil(io.open "/dev/full-journal")
  end)

  it("results with runs that there cannot be", function()
    study [[measure = { "last_arrival" }, runs = 2]]
    for change, problem in pairs {
      ["runs set point = 9"] = "its table 'runs' has a point 9, where there are 1",
      ["runs set point = -1"] = "its table 'runs' counts runs, points or replicates from less than 1",
      ["runs set seed = 1e300"] = "have no 'seed' that makes sense", ["files set path = null"] = "have no 'path' that",
    } do
      os.execute(("rm -f '%s/odd.sqlite'"):format(scratch))
      assert.equal(0, (run "study.lua --out odd.sqlite"))
      local changed = command.shell(("python3 -c \"import sqlite3; c = sqlite3.connect('%s/odd.sqlite'); "
        .. "c.execute('update %s'); c.commit()\""):format(scratch, change))
      assert.equal(0, changed)
      local code, _, err = run "study.lua --out odd.sqlite"
      assert.equal(2, code)
      has(err, "odd.sqlite' is damaged: ", problem)
    end
  end)

  it("settings", function()
    refused([[measure = { "last_arival" }]],
      "study.lua:2: throng.study: unknown measure 'last_arival', did you mean 'last_arrival'?")
    refused([[measure = { "max(flow.gate)" }]],
      "measure 'max(flow.gate)': a measure of flow has no most; give one without max(...), or a function")
    refused([[measure = { "max(last_arrival)" }]], "max is of measures, like max(density.hall)")
    refused([[measure = { "top(density.left)" }]], "unknown function of a measure 'top'", "max")
    refused([[measure = {}]], "field 'measure' must be a list")
    refused([[measure = { "time" }, factors = { width = 3 }]], "factor 'width' must be a list like {0.8, 1.0} or a law")
    refused([[measure = { "time" }, factors = { width = { 1, {} } }]], "factor 'width': level 2 must be a number")
    refused([[measure = { "time" }, factors = { seed = { 1 } }]], "'seed' is a column of every study's results")
    refused([[measure = { "time" }, factors = { ["wi\nde"] = { 1 } }]], "names of letters that can be seen")
    refused([[measure = { "time", [""] = print }]], "names of letters that can be seen")
    refused([[measure = { "time" }, design = "grit"]], "unknown design 'grit', did you mean 'grid'?")
    refused([[measure = { "time" }, design = "latin"]], 'design "latin" needs factors')
    refused([[measure = { "time" }, factors = (function()
        local levels, factors = {}, {}
        for i = 1, 50 do levels[i] = i end
        for name in ("abcdefghij"):gmatch "." do factors[name] = levels end
        return factors
      end)()]], "makes 9.765625e+16 points, more than 1000000", 'design = "latin"')
    refused([[measure = { "time" }, runs = 0]], "field 'runs' must be a whole number from 1")
    refused([[measure = { "time" }, runs = { of = "time" }]], "a whole number or throng.until_precise{...}")
    refused([[measure = { "time" }, runs = throng.until_precise { of = "p95(last)" }]],
      "unknown measure in field 'of' 'last'")
    refused([[measure = { "time" }, runs = throng.until_precise { of = "p95(time)", most = 71 }]],
      "field 'most': it takes 72 runs to say how precise p95(time) is at 95 % confidence, got 71")
    refused([[measure = { "time" }, runs = throng.until_precise { of = "median(time)", least = 10, most = 10,
      confidence = 0.999 }]], "it takes 11 runs to say how precise median(time) is at 99.9 % confidence, got 10")
    refused([[measure = { "time" }, repeats = 3]], "unknown field 'repeats'")
  end)

  it("files", function()
    study [[measure = { "time" }]]
    refused("none.lua", "none.lua")
    refused("room.lua", "room.lua returned", "not a study")
    command.write(scratch .. "/lost.lua",
      'return require "throng".study { scenario = "rom.lua", measure = { "time" } }')
    refused("lost.lua", "there is no file 'rom.lua'", "did you mean 'room.lua'?")
    command.write(scratch .. "/far.lua",
      'return require "throng".study { scenario = "/etc/passwd", measure = { "time" } }')
    refused("far.lua", "'/etc/passwd' is outside of the folders",
      "and maps beside them; run from a folder above both")
    command.write(scratch .. "/text.sqlite", "not a database, and longer than a hundred bytes: " .. ("x"):rep(200))
    refused("study.lua --out text.sqlite", "cannot use 'text.sqlite'", "not a database")
    local code, _, err = command.throng("run study.lua", scratch)
    assert.equal(2, code)
    has(err, "study.lua is a study: `throng study study.lua` runs it")
    run "study.lua --out a.sqlite"
    for _, option in ipairs { "--csv", "--curves" } do
      code, _, err = run("--show a.sqlite " .. option .. " a.sqlite")
      assert.equal(2, code)
      has(err, "cannot write 'a.sqlite': it is a file of results; give another name")
    end
    assert.equal(1, #table_of "a.sqlite")
    code, _, err = shell(("cd '%s'; ulimit -f 1; %s study --show a.sqlite --report"):format(scratch, command.THRONG))
    assert.equal(2, code)
    has(err, "cannot write 'report.html': the file reached the largest size allowed here")
    assert.is_nil(io.open(scratch .. "/report.html"))
    code, _, err = run "--show none.sqlite"
    assert.equal(2, code)
    has(err, "cannot use 'none.sqlite'")
  end)

  it("a file that is damaged", function()
    study [[runs = 5, factors = { width = { 0.8, 1.2 } }, measure = { "time" }, curves = { "flow.gate" }]]
    assert.equal(0, (run "study.lua --out a.sqlite"))
    local python = "cd '%s' && cp a.sqlite b.sqlite && python3 -c \"import sqlite3; c = sqlite3.connect('b.sqlite'); "
      .. "c.execute('''%s '''); c.commit()\""
    for sql, what in pairs {
      ["UPDATE factors SET text = NULL"] = "1 of the rows of its table 'factors' have no 'text' that makes sense",
      ["DELETE FROM study"] = "its table 'study' has no string 'version'",
      ["UPDATE study SET value = 'x' WHERE key = 'seed'"] = "its table 'study' has no number 'seed'",
      ["ALTER TABLE runs DROP COLUMN time"] = "its table 'runs' has no column 'time'",
      ["ALTER TABLE runs DROP COLUMN width"] = "its table 'runs' has no column 'width'",
      ["UPDATE runs SET time = 'soon'"] = "10 of the rows of its table 'runs' have no 'time' that makes sense",
      ["UPDATE runs SET width = NULL WHERE run = 1"] = "1 of the rows of its table 'runs' have no 'width'",
      ["UPDATE measures SET unit = NULL"] = "1 of the rows of its table 'measures' have no 'unit'",
      ["DROP TABLE measures"] = "it has no table 'measures'",
      ["DROP TABLE curves"] = "it has no table 'curves'",
      ["UPDATE curves SET samples = NULL"] = "of its table 'curves' have no 'samples' that makes sense",
    } do
      command.done(python:format(scratch, sql))
      for _, arguments in ipairs { "study --show b.sqlite", "study study.lua --out b.sqlite", "report b.sqlite" } do
        local code, _, err = command.throng(arguments, scratch)
        assert.equal(2, code, sql .. err)
        has(err, "'b.sqlite' is damaged: " .. what:match "^%d*", what, "or remove it and run the study again")
      end
    end
  end)

  it("results of another study", function()
    study(WIDTHS)
    run "study.lua --out a.sqlite"
    study((WIDTHS:gsub("1.2", "1.3")))
    refused("study.lua --out a.sqlite", "holds another study: it has other factors", "--out")
    study(WIDTHS .. ", seed = 9")
    refused("study.lua --out a.sqlite", "its seed is 1, and now 9")
    study(WIDTHS .. ", curves = { 'arrived', 'living' }")
    refused("study.lua --out a.sqlite", "its list of curves is arrived, and now arrived, living")
    study(WIDTHS)
    command.write(scratch .. "/room.lua", ROOM .. "\n")
    refused("study.lua --out a.sqlite", "room.lua has changed since")
  end)

  it("functions that measure nothing", function()
    study [[measure = { late = tostring }]]
    local code, _, err = run "study.lua --out a.sqlite"
    assert.equal(1, code)
    has(err, "measure 'late' returned \"", "no number")
  end)

  it("results of another law", function()
    local function with(law) study(("measure = { 'time' }, factors = { a = %s }"):format(law), "sum.lua") end
    for name, laws in pairs {
      cut = { "throng.truncated(throng.normal(2, 0.5), 1, 3)", "throng.truncated(throng.normal(2, 0.5), 1, 2.5)" },
      list = { "throng.empirical { 1, 2, 3 }", "throng.empirical { 1, 2.5, 3 }" },
      mixed = { "throng.mixture { { 1, 1 }, { 1, 2 } }", "throng.mixture { { 1, 1 }, { 2, 2 } }" },
    } do
      with(laws[1])
      local _, out = run(("study.lua --out %s.sqlite"):format(name))
      has(out, name == "cut" and "a: throng.normal(2.0, 0.5), from 1 to 3\n" or "a: throng.")
      assert.equal(0, (run(("study.lua --out %s.sqlite"):format(name))))
      with(laws[2])
      refused(("study.lua --out %s.sqlite"):format(name), "holds another study: it has other factors")
    end
    command.write(scratch .. "/two.lua", [[
      local throng = require "throng"
      throng.params { a = 1, ["a b"] = 1 }
      return throng.world { map = throng.map { boundary = throng.box(0, 0, 4, 4) }, threads = 1, seconds = 1 }
    ]])
    study([[measure = { "time" }, factors = { a = throng.uniform(0, 1), ["a b"] = { 1 } }]], "two.lua")
    for _ = 1, 2 do assert.equal(0, (run "study.lua --out two.sqlite")) end
  end)

  it("results of another function", function()
    local function measuring(least, factor, rest)
      local file = study([[factors = { a = { 1, 2 } },
        measure = { late = function(world) return world.time > least and twice(world.time) or 0 end }]]
        .. (rest or ""), "sum.lua")
      command.write(file, ("local least = %d\nlocal function twice(t) return %d * t end\n"):format(least, factor)
        .. read(file))
    end
    measuring(1, 2)
    assert.equal(0, (run "study.lua --out a.sqlite"))
    measuring(1, 2, ", runs = 2 -- more, and written otherwise\n")
    assert.equal(0, (run "study.lua --out a.sqlite"))
    measuring(1, 3)
    refused("study.lua --out a.sqlite", "holds another study: the function of measure 'late' was another", "--out")
    measuring(50, 2)
    refused("study.lua --out a.sqlite", "the function of measure 'late' was another")
  end)

  it("parameters and measures that the scenario has not", function()
    study [[measure = { "time" }, factors = { widht = { 1, 2 } }]]
    local code, _, err = run "study.lua --out a.sqlite"
    assert.equal(1, code)
    has(err, "2 of 2 runs failed", "widht", "did you mean 'width'?")
    study [[measure = { "flow.door" }]]
    local out
    code, out, err = run "study.lua --out b.sqlite"
    assert.equal(1, code)
    has(out, "1 point, 1 run, 1 failed", "\nflow.door, 1/s: no run has it\n")
    has(err, "measure 'flow.door': the scenario has none of that name; it has flow.gate, density.left")
  end)

  it("two that write one file", function()
    study [[factors = { width = { 0.8, 1.2 } }, runs = 6000, measure = { "last_arrival" }]]
    local code, out, err = shell(("cd '%s' && (%s study study.lua --out a.sqlite >first 2>&1 & echo $! >pid; "
      .. "sleep 0.5; %s study study.lua --out a.sqlite; code=$?; kill $(cat pid); exit $code)"):format(scratch,
      command.THRONG, command.THRONG))
    assert.equal(2, code, out)
    has(err, "cannot use 'a.sqlite': another process is writing it")
  end)
end)
