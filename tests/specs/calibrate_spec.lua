-- throng.calibrate: finds the parameters that data were made with, says which of them the data determine, and goes on
-- where it was interrupted.
local command = dofile "tests/specs/command.lua"
local read = command.read

local scratch -- a folder for each test

before_each(function() scratch = io.popen("mktemp -d"):read "l" end)
after_each(function() os.execute("rm -rf '" .. scratch .. "'") end)

-- A world of no people whose end is 40 a + 20 b k s; c does nothing; with `bad` it cannot be loaded.
local SUM = [[
local throng = require "throng"
local params = throng.params { a = 0.5, b = 0.5, c = 0.5, k = 1.0 }
if params.a > 0.9 then error "a is too large" end
return throng.world { map = throng.map { boundary = throng.box(0, 0, 4, 4) }, threads = 1, dt = 0.1, until_done = false,
  seconds = 1 + 40 * params.a + 20 * params.b * params.k }
]]

-- Of a = 0.3 and b = 0.6.
local EXACT = [[one = { scenario = "sum.lua", over = "k", measure = "time", within = 0.02,
  data = { { k = 0, time = 13 }, { k = 1, time = 25 }, { k = 2, time = 37 } } }]]

local function calibration(settings)
  command.write(scratch .. "/sum.lua", SUM)
  return command.write(scratch .. "/fit.lua",
    ('local throng = require "throng"\nreturn throng.calibrate { %s }'):format(settings))
end

local function run(arguments) return command.throng("study " .. arguments, scratch) end

local has = command.has

local function fitted(out, name) return tonumber(out:match("\n  " .. name .. " = ([%d.e+-]+)")) end

local function as_good(out, name)
  local from, to = out:match("\n  " .. name .. " = [^\n]*as good from ([%d.e+-]+) to ([%d.e+-]+)")
  return tonumber(from), tonumber(to)
end

describe("throng.calibrate", function()
  it("finds what the data were made with, and says what they do not determine", function()
    calibration([[parameters = { a = { 0, 0.8 }, b = { 0, 1 }, c = { 0, 1 } }, experiments = { ]] .. EXACT .. [[,
      two = { scenario = "sum.lua", over = { k = "factor" }, measure = { seconds = "time" }, data = "two.csv",
        tolerance = 1, held_out = true } }, runs = 1, evaluations = 60, polish = 40, profile = 3, verify = 2]])
    command.write(scratch .. "/two.csv", "factor,seconds\n0.5,19\n1.5,31\n3,60\n")
    local code, out, err = run "fit.lua --csv fit.csv --report"
    if code ~= 0 then error(out .. err) end
    assert.near(0.3, fitted(out, "a"), 0.02)
    assert.near(0.6, fitted(out, "b"), 0.03)
    local from, to = as_good(out, "a")
    assert.is_true(from > 0.25 and to < 0.35)
    from, to = as_good(out, "c")
    assert.equal(0, from)
    assert.equal(1, to)
    -- what is held out is compared, and is not fitted to: its last line is off by 11 s of a tolerance of 1
    has(out, "one: misfit", "3 of 3 within", "two (held out): misfit 6", "2 of 3 within", ", outside")
    has(read(scratch .. "/fit.csv"), "evaluation,phase,held,misfit,seed,runs,a,b,c", "profile c")
    has(read(scratch .. "/out/fit/report.html"), "two (held out)", "misfit by c", '<span class="failed">outside</span>',
      "throng study fit.lua --report")
    -- the profile is drawn through the best, and its bar where it is as good
    local x1, x2, points, cx, cy = read(scratch .. "/out/fit/report.html"):match
      '>misfit by a<.-class="thick" x1="([%d.]+)".- x2="([%d.]+)".-points="([^"]+)".-cx="([%d.]+)" cy="([%d.]+)"'
    has(points, ("%s,%s"):format(cx, cy))
    x1, x2, cx = tonumber(x1), tonumber(x2), tonumber(cx)
    assert.is_true(x1 < cx and cx < x2 and x2 - x1 < 100, ("%g %g %g"):format(x1, cx, x2))
  end)

  it("gives the same fit when it is killed and goes on, on one process as on two", function()
    calibration("parameters = { a = { 0, 0.8 }, b = { 0, 1 } }, experiments = { " .. EXACT ..
      " }, runs = 1, evaluations = 25, polish = 10, profile = 2, verify = 1")
    assert.equal(0, (run "fit.lua --jobs 1 --out whole.sqlite --csv whole.csv"))
    for _ = 1, 3 do
      command.shell(("cd '%s' && timeout -s KILL 0.4 %s study fit.lua --jobs 2 --out parts.sqlite"):format(scratch,
        command.THRONG))
    end
    local code, out, err = run "fit.lua --jobs 2 --worlds 3 --out parts.sqlite --csv parts.csv"
    if code ~= 0 then error(out .. err) end
    assert.equal(read(scratch .. "/whole.csv"), read(scratch .. "/parts.csv"))
    -- and again: nothing is left to do
    local again = { run "fit.lua --out parts.sqlite" }
    assert.equal(0, again[1])
    has(again[3], "runs are there already", "0.0 runs a second")
  end)

  it("shows the compromise between experiments that contradict each other", function()
    calibration([[parameters = { a = { 0, 0.8 } }, experiments = {
      early = { scenario = "sum.lua", measure = "time", tolerance = 1, data = { { time = 19 } } },
      late = { scenario = "sum.lua", measure = "time", tolerance = 1, data = { { time = 23 } } } },
      runs = 1, method = "bobyqa", evaluations = 20, front = 15, profile = 0, verify = 1]])
    local code, out, err = run "fit.lua"
    if code ~= 0 then error(out .. err) end
    assert.near(0.25, fitted(out, "a"), 0.01) -- half-way
    has(out, "Compromises that nothing beats")
    local least = { early = math.huge, late = math.huge }
    for early, late in out:gmatch "  early ([%d.]+), late ([%d.]+), a" do
      least.early, least.late = math.min(least.early, tonumber(early)), math.min(least.late, tonumber(late))
    end
    assert.is_true(least.early < 1.5 and least.late < 1.5) -- 2 where both count alike
  end)

  it("goes on past runs that fail, and ends where all do", function()
    calibration("parameters = { a = { 0, 1 } }, experiments = { " .. [[one = { scenario = "sum.lua", measure = "time",
      data = { { time = 23 } } } }, runs = 1, evaluations = 30, polish = 5, profile = 3, verify = 1]])
    local code, out, err = run "fit.lua"
    assert.equal(1, code)
    assert.near(0.3, fitted(out, "a"), 0.05)
    has(err, "runs failed", "sum.lua:3: a is too large")
    calibration("parameters = { a = { 0.91, 1 } }, experiments = { " .. EXACT .. " }")
    local other = { run "fit.lua --out other.sqlite" }
    assert.equal(1, other[1])
    has(other[3], "nothing runs: one, k = ", "sum.lua:3: a is too large")
  end)

  it("names a file that is damaged, and what is wrong with it", function()
    calibration("parameters = { a = { 0, 0.8 } }, experiments = { " .. EXACT ..
      " }, runs = 1, evaluations = 4, polish = 0, profile = 2, verify = 1")
    assert.equal(0, (run "fit.lua --out a.sqlite"))
    local python = "cd '%s' && cp a.sqlite b.sqlite && python3 -c \"import sqlite3; c = sqlite3.connect('b.sqlite'); "
      .. "c.execute('''%s '''); c.commit()\""
    local all, shown = { "study --show b.sqlite", "report b.sqlite", "study fit.lua --out b.sqlite" }, 2
    for sql, what in pairs {
      ["DROP TABLE runs"] = { "it has no table 'runs'", #all },
      ["ALTER TABLE runs DROP COLUMN a"] = { "its table 'runs' has no column 'a'", #all },
      ["UPDATE runs SET a = NULL WHERE run = 1"] = { "1 of the rows of its table 'runs' have no 'a'", #all },
      ["UPDATE measured SET value = 'x' WHERE run = 1"] = { "1 of the rows of its table 'measured' have no", #all },
      ["DELETE FROM calibration WHERE key = 'version'"] = { "its table 'calibration' has no string 'version'", shown },
      ["DROP TABLE fit_data"] = { "it has no table 'fit_data'", shown },
      ["UPDATE fit_data SET tolerance = NULL"] = { "3 of the rows of its table 'fit_data' have no 'toler", shown },
      ["UPDATE fit_evaluations SET misfit = 'x'"] = { "of its table 'fit_evaluations' have no 'misfit'", shown },
      ["UPDATE fit_evaluations SET held = NULL"] = { "'fit_evaluations' has profiles of no value", shown },
      ["DELETE FROM fit_evaluations"] = { "'fit_misfits' has misfits of no evaluation", shown },
      ["DELETE FROM fit_misfits"] = { "its table 'fit_misfits' lacks misfits of evaluations", shown },
      ["UPDATE fit_experiments SET held_out = 1"] = { "its table 'fit_experiments' has none that is fitted", shown },
    } do
      command.done(python:format(scratch, sql))
      for i = 1, what[2] do
        local code, _, err = command.throng(all[i], scratch)
        assert.equal(2, code, sql .. err)
        has(err, "'b.sqlite' is damaged: ", what[1], "or remove it and run the study again")
      end
    end
  end)

  it("ends measure functions that do not end", function()
    calibration([[parameters = { a = { 0, 0.8 } }, runs = 1, evaluations = 1, experiments = { one = {
      scenario = "sum.lua", data = { { late = 23 } }, measure = { late = function() while true do end end } } }]])
    local code, _, err = run "fit.lua --instructions 1000000"
    assert.equal(1, code)
    has(err, "nothing runs: one, all, seed 1: fit.lua:3: stopped after 1000000 instructions")
  end)

  it("reads tables as spreadsheets write them", function()
    calibration([[parameters = { a = { 0, 0.8 } }, evaluations = 1, polish = 0, profile = 0, verify = 1,
      experiments = { one = { scenario = "sum.lua", over = { k = "fac,tor" },
        measure = { ['the "time"'] = "time" }, data = "a.csv" } }]])
    command.write(scratch .. "/a.csv", '\xEF\xBB\xBF"fac,tor","the ""time""",note\r\n"0.5","19","a, b"\r\n')
    local code, out, err = run "fit.lua"
    assert.equal(0, code, err)
    has(out, "calibration: 1 parameter by 1 experiment, 2 evaluations, 4 runs\n", "k = 0.5", "measured 19, ")
    command.write(scratch .. "/a.csv", "factor;seconds\n0,5;19\n")
    local again = { run "fit.lua" }
    assert.equal(2, again[1])
    has(again[3], "a.csv:1: columns must be separated by commas")
  end)

  it("tolerates of each measure what is said of it", function()
    calibration([[parameters = { a = { 0, 0.8 } }, evaluations = 1, polish = 0, profile = 0, verify = 1, runs = 1,
      experiments = { one = { scenario = "sum.lua", over = "b", within = { x = 0.06 }, tolerance = { z = 5 },
        measure = { x = "time", y = function(w) return w.time end, z = function(w) return w.time end },
        data = { { b = 0, x = 20, y = 20, z = 20 } } } }]])
    local code, out, err = run "fit.lua --report"
    assert.equal(0, code, err)
    local text = read(scratch .. "/out/fit/report.html")
    local tolerances = {}
    for tolerance in text:gmatch "<td[^>]*>%l+</td><td[^>]*>20</td><td[^>]*>([%d.]+)</td>" do
      tolerances[#tolerances + 1] = tolerance
    end
    table.sort(tolerances)
    assert.same({ "1.2", "2", "5" }, tolerances, out)
  end)

  it("gives scenarios parameters that are the same in all rows, and refuses to go on with others", function()
    local settings = [[parameters = { a = { 0, 0.8 } }, method = "bobyqa", evaluations = 15, profile = 0, runs = 1,
      verify = 1, experiments = { one = { scenario = "sum.lua", params = { b = 0.6, k = %d }, measure = "time",
        data = { { time = 37 } } } }]]
    calibration(settings:format(2))
    local code, out, err = run "fit.lua"
    assert.equal(0, code, err)
    assert.near(0.3, fitted(out, "a"), 0.01) -- 37 = 1 + 40 a + 20 * 0.6 * 2
    calibration(settings:format(1))
    local again = { run "fit.lua" }
    assert.equal(2, again[1])
    has(again[3], "its experiment one is time of ", "sum.lua with b = 0.6 with k = 2, and now ")
  end)

  it("runs an experiment as often as it says, and in the end all alike", function()
    calibration([[parameters = { a = { 0, 0.8 } }, evaluations = 1, polish = 0, front = 0, profile = 0, runs = 1,
      verify = 2, experiments = {
        few = { scenario = "sum.lua", measure = { seed = function(w) return w.seed end }, data = { { seed = 1 } } },
        many = { scenario = "sum.lua", runs = 4, measure = { seed = function(w) return w.seed end },
          data = { { seed = 2.5 } } } }]]) -- the mean of 1, 2, 3 and 4
    local code, out, err = run "fit.lua --csv fit.csv"
    assert.equal(0, code, err)
    has(out, "2 evaluations, 9 runs\n", "misfit 0, by which the search went") -- 1 + 4, and 2 of each
    has(read(scratch .. "/fit.csv"), "\n1,search,,0,1,4,", "\n2,verified,,")
  end)

  it("refuses to go on with another function", function()
    local settings = [[parameters = { a = { 0, 0.8 } }, evaluations = 2, polish = 0, profile = 0, experiments = {
      one = { scenario = "sum.lua", measure = { time = function(world) return %d * world.time end },
        data = { { time = 13 } } } }]]
    calibration(settings:format(1))
    assert.equal(0, (run "fit.lua --out a.sqlite"))
    assert.equal(0, (run "fit.lua --out a.sqlite"))
    calibration(settings:format(2))
    local code, _, err = run "fit.lua --out a.sqlite"
    assert.equal(2, code)
    has(err, "holds another calibration: its function 'time' of experiment 'one' is", "--out")
  end)

  it("says what is wrong with its settings", function()
    local one = 'experiments = { one = { scenario = "sum.lua", measure = "time", data = { { time = 1 } } } }'
    for settings, message in pairs {
      ["experiments = {}"] = "field 'parameters' must be a table like",
      ["parameters = { a = { 2, 1 } }, " .. one] = "parameter 'a' must have its least and greatest value",
      ["parameters = { a = { 0, 1, 3 } }, " .. one] = "parameter 'a': the search must begin from 0 to 1, got 3",
      ["parameters = { a = { 0, 1 } }, experiments = {}"] = "there is no experiment to fit to",
      ["parameters = { a = { 0, 1 } }, method = 'cmaes', " .. one] = "unknown method 'cmaes'",
      [ [[parameters = { a = { 0, 1 } }, experiments = { one = { scenario = "sum.lua", measure = "time",
        data = { { tiem = 1 } } } }]] ] = "experiment 'one': data: unknown column 'time', did you mean 'tiem'?",
      [ [[parameters = { a = { 0, 1 } }, experiments = { one = { scenario = "sum.lua", measure = "time",
        data = { { time = 0 } } } }]] ] = "row 1 of 'data': of 0 no part can be tolerated",
      [ [[parameters = { k = { 0, 1 } }, experiments = { one = { scenario = "sum.lua", measure = "time", over = "k",
        data = { { time = 1, k = 1 } } } }]] ] = "'k' is fitted, it cannot come from the data",
      [ [[parameters = { a = { 0, 1 } }, experiments = { one = { scenario = "sum.lua", measure = "tmie",
        data = { { tmie = 1 } } } }]] ] = "unknown measure 'tmie', did you mean 'time'?",
      [ [[parameters = { a = { 0, 1 } }, experiments = { one = { scenario = "sum.lua", runs = 0, measure = "time",
        data = { { time = 1 } } } }]] ] = "experiment 'one': field 'runs' must be a whole number from 1 to ",
      [ [[parameters = { a = { 0, 1 } }, experiments = { one = { scenario = "sum.lua", params = { a = 1 },
        measure = "time", data = { { time = 1 } } } }]] ] = "'a' is fitted, it cannot be in 'params'",
      [ [[parameters = { a = { 0, 1 } }, experiments = { one = { scenario = "sum.lua", params = { k = 1 }, over = "k",
        measure = "time", data = { { k = 1, time = 1 } } } }]] ] = "'k' is in 'params' and in 'over'; give it once",
      [ [[parameters = { a = { 0, 1 } }, experiments = { one = { scenario = "sum.lua", params = { k = {} },
        measure = "time", data = { { time = 1 } } } }]] ] = "'k' must be a number, a text or a boolean, got ",
      [ [[parameters = { a = { 0, 1 } }, experiments = { one = { scenario = "sum.lua",
        measure = { x = "time", y = "time" }, data = { { x = 1, y = 1 } } } }]] ] =
        "field 'measure': 'time' stands for 'x' and 'y'; compare it once",
      [ [[parameters = { a = { 0, 1 } }, experiments = { one = { scenario = "sum.lua", measure = "time",
        within = { tiem = 0.1 }, data = { { time = 1 } } } }]] ] =
        "experiment 'one': field 'within': unknown measure 'tiem', did you mean 'time'?",
      [ [[parameters = { a = { 0, 1 } }, experiments = { one = { scenario = "sum.lua", measure = "time",
        within = { time = 0 }, data = { { time = 1 } } } }]] ] =
        "experiment 'one': field 'within' of 'time' must be a number > 0",
      [ [[parameters = { a = { 0, 1 } }, experiments = { one = { scenario = "sum.lua", measure = "time",
        within = { time = 0.1 }, tolerance = 1, data = { { time = 1 } } } }]] ] =
        "experiment 'one': give 'within' or 'tolerance' of 'time', not both",
      [ [[parameters = { a = { 0, 1 } }, experiments = { one = { scenario = "sum.lua", measure = "time",
        data = "bad.csv" } }]] ] = "bad.csv:3: column 'time' must be a number, got \"soon\"",
    } do
      calibration(settings)
      command.write(scratch .. "/bad.csv", "time\n1\nsoon\n")
      local code, _, err = run "fit.lua"
      assert.equal(2, code)
      has(err, "fit.lua:2: throng.calibrate: ", message)
    end
    calibration("parameters = { a = { 0, 1 } }, " .. one)
    local code, _, err = command.throng("run fit.lua", scratch)
    assert.equal(2, code)
    has(err, "fit.lua is a study: `throng study fit.lua` runs it")
  end)
end)
