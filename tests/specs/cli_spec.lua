-- The command line, run as users run it: this very executable, through a shell.
local cli = dofile "tests/specs/command.lua"
local needs = dofile "tests/specs/needs.lua"
local shell, throng, THRONG = cli.shell, cli.throng, cli.THRONG

local scratch -- a folder for each test

local function write(name, text) return cli.write(scratch .. "/" .. name, text) end

local function exists(path)
  local file = io.open(path)
  if file then file:close() end
  return file ~= nil
end

-- How many frames a recording holds, by throng's own reader.
local function frames_of(recording)
  local code, out, err = throng(("convert '%s' '%s/again.throng'"):format(recording, scratch))
  assert.equal(0, code, err)
  return tonumber(out:match ": (%d+) frames from ")
end

local has = cli.has

local WALK = [[
local throng = require "throng"
local params = throng.params { count = 3, name = "x", slow = false }
local world = throng.world { seed = 5 }
local places = {}
for i = 1, params.count do places[i] = { 0, 2 * i } end
world:spawn { name = "walkers", at = places }:go_to(throng.box(4, -5, 8, 50))
return world
]]

before_each(function()
  scratch = io.popen("mktemp -d"):read "l"
end)

after_each(function() os.execute("chmod -R u+w '" .. scratch .. "'; rm -rf '" .. scratch .. "'") end)

describe("throng", function()
  it("without a command shows what there is", function()
    local code, out = throng ""
    assert.equal(2, code)
    has(out, "throng run", "throng test", "throng bench", "throng info", "throng map", "Exit codes")
  end)

  it("helps", function()
    local code, out = throng "help run"
    assert.equal(0, code)
    has(out, "usage: throng run SCENARIO.lua", "--seconds", "--backend", "--json")
    assert.equal(0, (throng "--help"))
    for _, command in ipairs { "run", "test", "study", "bench" } do
      local status, text = throng(command .. " --help")
      assert.equal(0, status)
      has(text, "usage: throng " .. command)
    end
  end)

  it("measures behaviour functions", function()
    local code, out = throng "bench program --agents 1000 --steps 3 --threads 1 --backend cpu"
    assert.equal(0, code)
    has(out, "program", "in lua")
    assert.equal(2, (throng "bench programs"))
  end)

  it("measures one floor, and as many people on the floors of a tower", function()
    local function rows(arguments)
      local code, out = throng("bench floors --steps 2 --threads 1 --backend cpu --json " .. arguments)
      assert.equal(0, code)
      local names = {}
      for i, row in ipairs(require("dkjson").decode(out)) do
        names[i] = ("%s %s %d"):format(row.name, row.stage, row.agents)
        assert.is_true(row.ms_min > 0)
      end
      return names
    end
    assert.same({ "floors-1 frame 10000", "floors-40 frame 10000" }, rows "--quick")
    assert.same({ "floors-1 frame 4000", "floors-40 frame 4000" }, rows "--agents 4000")
    assert.same({ "floors-1 frame 500" }, rows "--agents 500")
  end)

  it("measures a planner's samples, its conflicts, and what SIMD gains", function()
    local code, out = throng "bench rvo --agents 100 --steps 3 --backend cpu --json"
    assert.equal(0, code)
    has(out, '"name": "rvo-64"', '"name": "rvo-250-random"', '"simd": 1,', '"conflicts": null', '"conflicts": 0')
    local first = require("dkjson").decode(out)[1]
    assert.same({ "cpu", 100, "frame" }, { first.backend, first.agents, first.stage })
    assert.is_true(first.ms_min > 0 and first.ms_median >= first.ms_min and first.us_per_agent > 0)
  end)

  it("compares benchmarks with the machine's limits, and writes them as CSV and a picture", function()
    local csv, png = scratch .. "/rows.csv", scratch .. "/rows.png"
    local code, out = throng("bench orca --quick --backend cpu --threads 1 --csv " .. csv .. " --png " .. png)
    assert.equal(0, code)
    has(out, "% ops", "GFLOP/s")
    local frames = 0
    for line in io.lines(csv) do
      -- ends with operations, bytes, those sent and received (none), the two shares and the link's (none), growth (none
      -- at the first size) and conflicts
      local shape = '^"orca","cpu",".*","frame",%d+,1,(%d+),.-,([%d.]+),[%d.]+,,,[%d.]+,[%d.]+,,[^,]*,%d[^,]*$'
      local agents, operations = line:match(shape)
      if agents then
        frames = frames + 1
        assert.is_true(tonumber(operations) > 300, line) -- ten neighbours, each a line of the linear program
      end
    end
    assert.equal(4, frames)
    assert.equal("\137PNG", io.open(png, "rb"):read(4))
    local err
    code, out, err = throng "bench orca --agents 10 --steps 3 --threads 1 --backend cpu --csv /nowhere/rows.csv"
    assert.equal(2, code)
    assert.equal("", out) -- before anything is measured
    has(err, "cannot write '/nowhere/rows.csv'")
  end)

  it("compares with an earlier run, and fails where that was faster", function()
    local bench = "bench paths --quick --agents 10 --threads 1 --backend cpu "
    local file = scratch .. "/earlier.json"
    local function rewrite(what, with)
      local f = assert(io.open(file, "rb"))
      local text, count = f:read("a"):gsub(what, with)
      f:close()
      assert.is_true(count > 0)
      f = assert(io.open(file, "wb"))
      f:write(text)
      f:close()
    end
    local function fails(...)
      local code, out, err = throng(bench .. "--against " .. file)
      assert.equal(2, code)
      has(out .. err, ...)
    end
    assert.equal(0, (throng(bench .. "--results " .. file)))
    rewrite('"ms_median": [^,]+', '"ms_median": 1e6') -- everything has become faster since, but boxes, which are new
    rewrite('"stage": "boxes"', '"stage": "crates"')
    local code, out = throng(bench .. "--tolerance 5 --against " .. file)
    assert.equal(0, code)
    has(out, "office", "not measured earlier", "5 of 6 rows compared, 0 slower by more than 5 %")
    rewrite('("stage": "rooms".-"ms_median": )[^,]+', "%11e-6")
    code, out = throng(bench .. "--against " .. file)
    assert.equal(1, code)
    has(out, "slower", "5 of 6 rows compared, 1 slower by more than 10 %")
    local whole = cli.read(file)
    for _, cut in ipairs { 1, 3, 5, 100, #whole - whole:find '"rows": %[\n{[^}]+}\n?' - 300, #whole - 30 } do
      cli.write(file, whole:sub(1, -1 - cut))
      if cut > 1 then fails("earlier.json is incomplete", "measure again with --results") end
    end
    cli.write(file, (whole:gsub('"growth"[^\n]*},\n', "\n", 1)))
    fails "earlier.json is incomplete"
    cli.write(file, whole)
    rewrite('"agents": 10,', '"agents": 11,')
    fails("has no row that was measured now")
    rewrite('"ms_median": 1e%-6', '"ms_median": null')
    fails("earlier.json:", '"ms_median" must be a number of at least 0, not null')
    rewrite('"simd"', '"lanes"')
    fails("earlier.json:", 'the row has no "simd"; give a file that throng bench --results wrote')
    rewrite("rows", "columns")
    fails "there are no rows of benchmarks in it"
    local usage, _, err = throng "bench paths --tolerance 5"
    assert.equal(2, usage)
    has(err, "--tolerance is of --against")
  end)

  it("measures searches, neighbours and batches of paths", function()
    local code, out =
      throng "bench paths neighbours batch-paths --quick --agents 100 --steps 3 --threads 1 --backend cpu"
    assert.equal(0, code)
    has(out, "navmesh", "pillars out", "office", "rooms: ", "Detour", "neighbours-16", "paths-G5", "trees")
  end)

  it("measures local maps in parallel against one lane, and draws the BVP paper's figure 9", function()
    local picture = scratch .. "/maps.png"
    local code, out = throng("bench local-maps --agents 100 --steps 2 --backend cpu --png " .. picture)
    assert.equal(0, code)
    has(out, "times as fast as on one lane of one thread", "11 x 11", "the paper: 2.85 to 56.6")
    assert.matches("\n      50 +[%d.]+ +[%d.]+ +[%d.]+\n     100 ", out)
    assert.is_true(#assert(io.open(picture, "rb")):read "a" > 10000)
  end)

  it("measures a state machine", function()
    local code, out = throng "bench fsm --agents 1000 --steps 3 --threads 1 --backend cpu --profile"
    assert.equal(0, code)
    has(out, "goals", "frame", "changes", "a frame of", "by the limits", "<- the largest gap")
  end)

  it("runs the papers' scenarios, and puts what planners leave to the contacts beside what others do", function()
    local code, out = throng "bench scenarios --agents 80 --threads 1 --backend cpu"
    assert.equal(0, code)
    has(out, "OpenSteer, Back&Forth of 80: 16; that planners leave to the contacts here: orca 0", ", clearpath 0,")
    assert.matches("\nback_and_forth +cpu +%d+ +1 +80 +clearpath +[%d.]+", out)
  end)

  it("explains names of the Lua API", function()
    local code, out = throng "help world:spawn"
    assert.equal(0, code)
    has(out, "world:spawn(definition)", "Errors: ", "throng.spawn", "- radius? throng.number(m): ", "from 0.20 to 0.25")
    code, out = throng "help clearpath"
    assert.equal(0, code)
    has(out, "throng.clearpath(settings)", "throng.clearpath.settings", "- variant? integer: ")
    code, out = throng "help frustration" -- a field
    assert.equal(0, code)
    has(out, "throng.group\n  frustration throng.column(1): 0 to 1")
    code, out = throng "help world.stages" -- as scripts have it
    assert.equal(0, code)
    has(out, "throng.stages\n\nThe stages of a frame")
    local _
    code, _, out = throng "help spwan"
    assert.equal(2, code)
    has(out, "there is nothing named 'spwan', did you mean 'spawn'?")
    assert.equal(2, (throng "help --write out"))
  end)

  it("suggests commands and options", function()
    local code, _, err = throng "rnu x.lua"
    assert.equal(2, code)
    has(err, "there is no command 'rnu', did you mean 'run'?")
    code, _, err = throng "run x.lua --secnds 5"
    assert.equal(2, code)
    has(err, "unknown option '--secnds', did you mean '--seconds'?", "usage: throng run SCENARIO.lua")
    code, _, err = throng "help rnu"
    assert.equal(2, code)
    has(err, "there is nothing named 'rnu', did you mean 'run'?")
  end)

  it("checks the values of options", function()
    for arguments, message in pairs {
      ["run"] = "which scenario?",
      ["run a.lua b.lua"] = "unexpected argument 'b.lua'",
      ["run a.lua --seconds"] = "--seconds needs a value",
      ["run a.lua --csv --json"] = "--csv needs a value, and '--json' is the next option",
      ["run a.lua --seconds soon"] = "--seconds must be a number >= 0, got 'soon'",
      ["run a.lua --seconds 1e300"] = "--seconds must be a number from 0 to 1000000000, got '1e300'",
      ["run a.lua --seconds -5"] = "got '-5'",
      ["run a.lua --seconds nan"] = "got 'nan'",
      ["run a.lua --seconds inf"] = "got 'inf'",
      ["run a.lua --steps 2.5"] = "--steps must be a whole number",
      ["run a.lua --steps 2 --seconds 5"] = "--seconds or --steps, not both",
      ["run a.lua --seed -1"] = "--seed must be a whole number >= 0",
      ["run a.lua --simd 3"] = "--simd must be 1, 4, 8 or 16",
      ["run a.lua --backend gpu"] = "--backend must be auto, cpu or cuda, got 'gpu'",
      ["run a.lua --json=yes"] = "--json takes no value",
      ["run a.lua --at 5"] = "give --png FILE too",
      ["run a.lua --png a.png --probe 5"] = "give --png FILE and --at S too",
      ["map"] = "which map?",
      ["paths a.map --random 3 --backend cuda"] = "--backend is of --method batch",
      ["info now"] = "unexpected argument 'now'",
      ["study walk.lua --device 1"] = "CUDA_VISIBLE_DEVICES says which devices a study may take",
    } do
      local code, _, err = throng(arguments)
      assert.equal(2, code, arguments)
      has(err, message, "usage: throng ")
    end
  end)
end)

describe("throng run", function()
  it("prints a summary and writes files", function()
    write("walk.lua", WALK)
    local code, out, err = throng("run walk.lua", scratch)
    assert.equal(0, code, err)
    has(out, "walk: everyone arrived", "3 of 3 agents", "overlaps", "ms a step", "hash")
    for _, name in ipairs { "trajectory.sqlite", "summary.json", "walk.png", "walk-curve.png" } do
      assert.is_true(exists(scratch .. "/out/walk/" .. name), name)
    end
  end)

  it("does not say that people arrived who were removed before", function()
    write("removed.lua", (WALK:gsub("return world", "world:at(0.5, function() world.agents[1]:remove() end)\n%0")))
    local code, out, err = throng("run --report removed.lua", scratch)
    assert.equal(0, code, err)
    has(out, "removed: nobody was left on the way", "2 of 3 agents")
    has(cli.read(scratch .. "/out/removed/report.html"), "; nobody was left on the way")
  end)

  it("prints one JSON object", function()
    local code, out = throng("run --json --out none --seed 9 --simd 4 --threads 2 " .. write("walk.lua", WALK))
    assert.equal(0, code)
    local summary = require("dkjson").decode(out)
    assert.equal("walk", summary.scenario)
    assert.equal("cpu", summary.backend)
    assert.equal(4, summary.simd)
    assert.equal(2, summary.threads)
    assert.equal(9, summary.seed)
    assert.equal(3, summary.agents)
    assert.equal(3, summary.arrived)
    assert.equal(0, summary.overlaps)
    assert.near(summary.steps * 0.1, summary.time, 1e-6)
    assert.is_number(summary.ms_per_step)
    assert.matches("^%x+$", summary.hash)
    assert.equal(1, select(2, out:gsub("\n", "")))
  end)

  it("prints JSON of a file whose name is no UTF-8", function()
    local name = "w\xE4lk \xC3\xA9 \xED\xA0\x80"
    write(name .. ".lua", WALK)
    local code, out = throng(("run --json --out none '%s.lua'"):format(name), scratch)
    assert.equal(0, code)
    assert.is_truthy(utf8.len(out))
    assert.equal("w\u{FFFD}lk é \u{FFFD}\u{FFFD}\u{FFFD}", require("dkjson").decode(out).scenario)
  end)

  it("says why auto took the backend", function()
    local path = write("walk.lua", WALK)
    local _, out = throng("run --out none " .. path)
    has(out, " threads; auto: fewer than 4096 agents began\n")
    for _, told in ipairs { "--backend cpu", "--threads 2" } do
      _, out = throng("run --out none " .. told .. " " .. path)
      assert.is_nil(out:find("auto", 1, true))
    end
  end)

  it("reports what the scenario measures", function()
    local measures = 'world:measure { flow = { { 2, -9 }, { 2, 50 } } }\n'
      .. 'world:measure { name = "crowd", density = throng.box(0, 0, 4, 4) }\n'
    local path = write("walk.lua", (WALK:gsub("return world", measures .. "%0")))
    local _, out = throng("run --out none " .. path)
    has(out, "measured     flow through the line from (2.0, -9.0) to (2.0, 50.0): 3 passages from 1.7 s",
      "measured     crowd: density in the area around (2.0, 2.0): mean")
    _, out = throng("run --json --out none " .. path)
    local measure = require("dkjson").decode(out).measures[1]
    assert.equal("flow", measure.kind)
    assert.equal(3, measure.count)
    assert.is_nil(measure.flow) -- all at once
  end)

  it("shows progress in plain lines when stderr is no terminal", function()
    local _, _, err = throng("run --out none " .. write("walk.lua", WALK))
    has(err, " %  ", "3 of 3 arrived")
    assert.is_nil(err:find("\r"))
  end)

  it("ends at --steps and --seconds", function()
    local path = write("walk.lua", WALK)
    local _, out = throng("run --json --out none --steps 7 " .. path)
    has(out, '"steps": 7,', '"end": "time"')
    _, out = throng("run --json --out none --seconds 1 " .. path)
    has(out, '"steps": 10,')
  end)

  it("sets parameters", function()
    local path = write("walk.lua", WALK)
    local _, out = throng("run --json --out none --set count=5 --set slow=true " .. path)
    has(out, '"agents": 5,')
    for setting, message in pairs {
      ["cuont=5"] = "unknown parameter 'cuont', did you mean 'count'?",
      ["count=many"] = "'count' must be a number like 3, got \"many\"",
      ["slow=maybe"] = "'slow' must be a boolean like false",
      ["count"] = "expected NAME=VALUE",
    } do
      local code, _, err = throng(("run --out none --set %s %s"):format(setting, path))
      assert.equal(2, code)
      has(err, message)
    end
  end)

  it("films a run through ffmpeg, or as pictures without it", function()
    local path, film = write("walk.lua", WALK), scratch .. "/walk.mp4"
    local function run(ffmpeg)
      shell(("rm -f %s/ffmpeg"):format(scratch))
      if ffmpeg then shell(("chmod +x '%s'"):format(write("ffmpeg", "#!/bin/sh\n" .. ffmpeg))) end
      return shell(("PATH=%s %s run --out none --steps 4 --film %s %s"):format(scratch, THRONG, film, path))
    end
    local code, out, err = run()
    assert.equal(0, code, err)
    has(out, "wrote        " .. scratch .. "/walk/*.png; where ffmpeg is installed, an MP4\n")
    assert.is_true(exists(scratch .. "/walk/00004.png"))
    assert.is_false(exists(scratch .. "/walk/00005.png"))

    code, out, err = run 'for last; do :; done\nexec /bin/cat >"$last"\n'
    assert.equal(0, code, err)
    has(out, "wrote        " .. film)
    local file = assert(io.open(film, "rb"))
    assert.equal(0, file:seek "end" % (5 * 3 * 1280)) -- five pictures, RGB
    file:close()
    os.remove(film)

    code, out, err = run "exit 3\n"
    assert.equal(2, code)
    assert.equal("", out)
    has(err, film, "ffmpeg")
    assert.is_false(exists(film) or exists(film .. ".part"))
    code, out, err = throng(("run --out none --film %s/x.avi %s"):format(scratch, path))
    assert.equal(2, code)
    assert.equal("", out)
    has(err, "a name that ends in .mp4, or a folder for PNGs")
  end)

  it("draws a moment", function()
    local path = write("walk.lua", WALK)
    local picture = scratch .. "/moment.png"
    assert.equal(0, (throng(("run --out none --png %s --at 1 %s"):format(picture, path))))
    assert.is_true(exists(picture))
    local code, _, err = throng(("run --out none --png %s --at 500 %s"):format(picture, path))
    assert.equal(2, code)
    has(err, "--at 500: the run ended at")
  end)

  it("draws into the folder that --out makes, and a film beside it", function()
    local folder = scratch .. "/made/anew"
    local run = ("run --steps 2 --out %s --png %s/last.png --film %s/film %s"):format(folder, folder, folder,
      write("walk.lua", WALK))
    local code, _, err = shell(("PATH= %s %s"):format(THRONG, run))
    assert.equal(0, code, err)
    assert.is_true(exists(folder .. "/last.png"))
    assert.is_true(exists(folder .. "/film/00000.png"))
  end)

  it("draws what an agent made of its surroundings", function()
    local picture, plain = scratch .. "/probe.png", scratch .. "/plain.png"
    local run = "run --out none --set size=16 --png %s --at 2 %s scenarios/temperaments.lua"
    assert.equal(0, (throng(run:format(plain, ""))))
    assert.equal(0, (throng(run:format(picture, "--probe 0"))))
    assert.is_true(io.open(picture, "rb"):read "a" ~= io.open(plain, "rb"):read "a")
    local code, _, err = throng(run:format(scratch .. "/none.png", "--probe 99"))
    assert.equal(2, code)
    has(err, "--probe 99: at 2.0 s there is no agent of this number")
    assert.is_false(exists(scratch .. "/none.png"))
    code, _, err = throng("run --out none --png " .. picture .. " --at 1 --probe 1 scenarios/door.lua")
    assert.equal(2, code)
    has(err, "--probe 1: only agents with the planner bvp have a local map")
  end)

  it("names a scenario that is missing or wrong, and runs nothing", function()
    local code, _, err = throng "run nowhere.lua"
    assert.equal(2, code)
    has(err, "cannot open the scenario 'nowhere.lua'")
    code, _, err = throng("run " .. write("bad.lua", "local x = = 5"))
    assert.equal(2, code)
    has(err, "bad.lua:1: unexpected symbol")
    code, _, err = throng("run " .. write("none.lua", "return 5"))
    assert.equal(2, code)
    has(err, "not a world: end the scenario with `return world`")
  end)

  it("fails with a traceback when a callback does, and closes its files", function()
    write("fails.lua", [[
local throng = require "throng"
local world = throng.world {}
local group = world:spawn { name = "staff", at = { { 0, 0 } } }
group:go_to { 9, 0 }
local function broken() error "oh no" end
world:on_step(function(w) if w.steps == 12 then broken() end end)
return world
]])
    local code, _, err = throng("run fails.lua", scratch)
    assert.equal(1, code)
    has(err, "fails.lua:5: oh no", "in a world:on_step callback, step 12 (1.2 s)", "stack:", "fails.lua:6:")
    assert.is_nil(err:find("[C]", 1, true))
    assert.equal(13, frames_of(scratch .. "/out/fails/trajectory.sqlite")) -- of 0, 0.1 ... 1.2 s
  end)

  it("says what is legal and hardly meant", function()
    local function run(text)
      write("odd.lua", 'local throng = require "throng"\n' .. text .. "\nreturn world")
      local code, _, err = throng("run odd.lua --out none", scratch)
      return code, err
    end
    local code, err = run "local world = throng.world { seconds = 1 }"
    assert.equal(1, code)
    has(err, "nobody was ever in its world")
    code, err = run [[local world = throng.world { seconds = 1 }
      world:spawn { at = { { 0, 0 } }, speed = 4.8 }:go_to { 9, 0 }]]
    assert.equal(0, code)
    has(err, "agents want to walk at 4.8 m/s in the mean", "is that km/h?")
    code, err = run [[local world = throng.world { seconds = 1 }
      world:spawn { at = { { 0, 0 }, { 3, 0 }, { 3.1, 0 } }, radius = 0.22 }:go_to { 9, 0 }]]
    assert.equal(0, code)
    has(err, "1 of 3 agents begin inside of another, the first is agent 2")
    -- what is of another unit, beside what is not
    for _, odd in ipairs {
      { "radius", 0.0025, 0.22, "agent 0 has a radius of 0.0025 m, and people have one of 0.2 to 0.3; `radius`" },
      { "radius", 22, 0.22, "agent 0 has a radius of 22 m" },
      { "mass", 1, 3, "agent 0 has a mass of 1 kg" }, { "time_gap", 580, 5.8, "agent 0 has a time_gap of 580 s" },
      { "relaxation", 500, 5, "agent 0 has a relaxation of 500 s" }, { "horizon", 3000, 30, "0 has a horizon of" },
      { "max_speed", 0.5, 1.34, "wants to walk at 1.34 m/s, and its `max_speed` is 0.5 m/s: it never will" },
    } do
      local field, wrong, fine, text = table.unpack(odd)
      for _, value in ipairs { wrong, fine } do
        code, err = run(([[local world = throng.world { seconds = 1 }
          local group = world:spawn { at = { { 0, 0 }, { 99, 0 } }, speed = 1.34 }
          group:go_to { 50, 0 }
          group.%s = %g]]):format(field, value))
        assert.equal(0, code)
        assert.equal(value == wrong, err:find(text, 1, true) ~= nil, err)
        assert.equal(value == wrong, err:find("look at the ", 1, true) ~= nil, err)
      end
    end
    code, err = run [[local world = throng.world { seconds = 1 }
      world:spawn { at = { { 0, 0 }, { 0.4, 0 } }, radius = 0.0025 }:go_to { 9, 0 }]]
    assert.equal(0, code)
    assert.is_nil(err:find("inside of another", 1, true))
    code, err = run "local world = throng.world { seconds = 1 } world:spawn { at = { { 0, 0 } }, speed = 134 }"
    assert.equal(0, code)
    has(err, "agent 0 wants to walk at 134 m/s", "nobody was sent anywhere")
    code, err = run [[local world = throng.world { seconds = 1 }
      local gone = world:spawn { at = { { 0, 0 } } }:go_to { 9, 0 }
      world:spawn { at = { { 5, 5 } } }
      world:at(0.5, function() gone:remove() end)]]
    assert.equal(0, code)
    assert.is_nil(err:find("nobody was sent", 1, true))
    for _, to in ipairs { "", ", to = { 50, 0 }" } do
      code, err = run(([[local world = throng.world { seconds = 5 }
        world:spawn { at = { { 0, 0 } } }:go_to { 99, 0 }
        world:source { name = "late", rate = 1, where = throng.box(0, 5, 5, 9)%s }]]):format(to))
      assert.equal(0, code)
      assert.equal(to == "", err:find("the first of 'late', were sent nowhere and stand", 1, true) ~= nil, err)
    end
    code, err = run "local world = throng.world { seconds = 1 } world:spawn { at = { { 0, 0 } } }:go_to { 99, 0 }"
    assert.equal(0, code)
    assert.is_nil(err:find("look at", 1, true))
    code, err = run [[local map = throng.map { boundary = throng.box(0, 0, 3e4, 10) }
      local world = throng.world { seconds = 0.1, map = map }
      world:spawn { at = { { 5, 5 } } }:go_to { 9, 5 }]]
    assert.equal(0, code)
    has(err, "it is 3e+04 m across; of a plan in millimetres")
    local function hall(count)
      return select(2, run(([[
        local world = throng.world { seconds = 0.1, map = throng.map { boundary = throng.box(0, 0, 8e3, 5e3) } }
        world:spawn { count = %d, where = throng.box(0, 0, 80, 80) }:go_to { 9, 5 }]]):format(count)))
    end
    code, err = run [[local world = throng.world { seconds = 1 }
      world:spawn { at = { { 0, 0 }, { 3, 0 } }, speed = 0 }:go_to { 9, 0 }]]
    assert.equal(0, code)
    has(err, "look at the speeds: all agents want to walk at 0 m/s, so all stood still; `speed` is in m/s")
    code, err = run [[local world = throng.world { seconds = 1 }
      world:spawn { at = { { 0, 0 } }, speed = 0 }:go_to { 9, 0 }
      world:spawn { at = { { 3, 0 } } }:go_to { 9, 0 }]]
    assert.equal(0, code)
    assert.is_nil(err:find("look at", 1, true))
    has(hall(5), "it is 8000 m across; of a plan in millimetres")
    assert.is_nil(hall(500):find("look at", 1, true)) -- a large place, and a crowd in it
  end)

  it("says which timers are due after the end of the run", function()
    local path = write("late.lua", [[
local throng = require "throng"
local world = throng.world { seconds = 2, threads = 1 }
world:spawn { at = { { 0, 0 } } }:go_to { 99, 0 }
world:source { rate = 0.1, from = 50, where = throng.box(5, 5, 6, 6), to = { 99, 0 } }
world:at(2, print)
world:at(30, print)
world:every(20, print)
return world
]])
    local _, _, err = throng("run --out none " .. path)
    has(err, "look at the timers: 2 of world:at and world:every are first due after the end of the run at 2 s, the "
      .. "first at 20 s; `seconds` of throng.world says when it ends")
    _, _, err = throng("run --out none --seconds 1 " .. path) -- another end than the scenario's
    assert.is_nil(err:find("look at", 1, true), err)
    _, _, err = throng("run --out none " .. write("late.lua", [[
local throng = require "throng"
local world = throng.world { seconds = 2, threads = 1 }
world:spawn { at = { { 0, 0 } } }:go_to { 99, 0 }
world:at(1, print)
return world
]]))
    assert.is_nil(err:find("look at", 1, true), err)
  end)

  it("says where in a building people are stuck, as world:stuck does", function()
    local _, out, err = throng("run --out none " .. write("shut.lua", [[
local throng = require "throng"
local hall = throng.box(0, 0, 20, 10)
local world = throng.world {
  seconds = 20, threads = 1,
  map = throng.building {
    floors = {
      ground = { z = 0, boundary = hall },
      first = {
        z = 4, boundary = hall, walls = { throng.box(14, 0, 14.2, 4), throng.box(14, 6, 14.2, 10) },
        doors = { gate = { { 14.1, 4 }, { 14.1, 6 } } },
      },
    },
    stairs = { { from = "ground", to = "first", foot = { 2, 8 }, head = { 8, 8 }, width = 1.6 } },
  },
}
world.map:door("first/gate"):close()
world:spawn({ at = { { 10, 5, floor = "first" } } }):go_to { 18, 5, floor = "first" }
world:at(19, function()
  local place = world:stuck()[1].place
  print(("%.0f %.0f %s"):format(place[1], place[2], place.floor))
end)
return world
]]))
    has(err, "14 5 first\n")
    has(out, ": agent 0 at (13.", ", 5.0) on 'first' since ")
  end)

  it("says that timers and stories wait when everybody has arrived", function()
    local function story(settings)
      local _, _, err = throng("run --out none " .. write("early.lua", ([[
local throng = require "throng"
local world = throng.world { %s seconds = 20, threads = 1 }
local walker = world:spawn { at = { { 0, 0 } } }
world:every(15, print)
world:at(10, print)
world:story(function(story)
  for _, x in ipairs { 2, 4 } do
    story:walk(walker, { x, 0 })
    story:wait(5)
  end
end)
return world
]]):format(settings)))
      return err
    end
    has(story "", "look at the timers: when nobody was on the way, at ", " s, the run was over, and 2 of world:at, "
      .. "world:every and world:story waited still; `until_done = false` of throng.world goes on to its `seconds`")
    assert.is_nil(story("until_done = false,"):find("look at", 1, true))
    local _, _, err = throng("run --out none " .. write("trains.lua", [[
local world = require "throng".world { seconds = 20, threads = 1 }
world:every(5, function() world:spawn { at = { { 0, 0 } } }:go_to { 2, 0 } end)
return world
]]))
    has(err, "the run was over, and 1 of world:at, world:every and world:story waited still")
  end)

  it("names the lifts out of service where there was no other way", function()
    local _, out = throng("run --out none " .. write("lift.lua", [[
local throng = require "throng"
local hall = throng.box(0, 0, 20, 10)
local world = throng.world { seconds = 30, threads = 1, map = throng.building {
  floors = { ground = { z = 0, boundary = hall }, first = { z = 4, boundary = hall } },
  lifts = { { name = "a", at = { 10, 1.8 }, back = { 10, 0 }, capacity = 8 } } } }
world:spawn { count = 5, where = "first" }:go_to { 3, 3, floor = "ground" }
world:at(1, function() world.lifts.a:stop() end)
return world]]))
    has(out, "out of service: lift 'a'; lift:start() takes one into service, and stairs lead past it\n")
  end)

  it("does not take for other maps what drawings have", function()
    for _, option in ipairs { "--layers walls=a", "--level 2", "--thickness 0.2" } do
      local code, _, err = throng("map maps/museum.xml " .. option)
      assert.equal(2, code)
      has(err, "maps/museum.xml is no drawing: layers, level and thickness are for .dxf")
    end
  end)

  it("says which walls and regions lie beyond the map", function()
    local code, out, err = throng("run --out none " .. write("beyond.lua", [[
local throng = require "throng"
local map = throng.map {
  boundary = throng.box(0, 0, 20, 10), walls = { throng.box(3, 3, 4, 4), throng.box(25, 3, 26, 4) },
  regions = { yard = throng.box(0, 11, 5, 12), hall = throng.box(-5, -5, 2, 2) },
}
local world = throng.world { map = map, seconds = 0.5, regions = { street = throng.box(30, 0, 40, 9) } }
world:spawn { count = 2, where = "hall" }:go_to { 9, 5 }
return world
]]))
    assert.equal(0, code, err)
    has(out .. err, "beyond.lua:2: throng.map: wall 2 lies beyond the boundary: it keeps nobody off",
      "beyond.lua:2: throng.map: region 'yard' lies beyond the map, which is from (0.0, 0.0) to (20.0, 10.0): nobody",
      "beyond.lua:6: throng.world: region 'street' lies beyond the map")
    assert.is_nil((out .. err):find("wall 1", 1, true))
    assert.is_nil((out .. err):find("'hall' lies", 1, true))
  end)

  it("tells which lines of behaviour functions gave no finite numbers", function()
    local path = write("nan.lua", [[
local throng = require "throng"
local world = throng.world { seconds = 0.5, threads = 1, dt = 0.1, until_done = false }
local one = world:spawn { at = { { 0, 0 }, { 3, 0 } }, name = "one" }
local two = world:spawn { at = { { 5, 0 }, { 99, 0 } } }
two.speed = function(t, a)
  local safe = throng.select(a.x < 50, 1, 1 / (t - t))
  local near = a:distance_to_nearest "one"
  return safe + math.log(near - 3)
end
one.desired = function(t, a)
  local root = math.sqrt(-1 - t)
  return throng.select(a.id < 1, root, 0),
    math.exp(90 + a.x)
end
return world
]])
    local code, out, err = throng("run --out none --json " .. path)
    assert.equal(0, code, err)
    local lines = {}
    for line, what, results in out:gmatch '"line": "[^"]-:(%d+)", "what": "([^"]+)", "results": (%d+)' do
      lines[#lines + 1] = ("%s %s %s"):format(line, what, results)
    end
    assert.same({ -- nobody has seen anybody before the first step; what throng.select leaves out does not count
      "11 takes the square root of a number below 0 5", "13 gives a number that is too large 5", "6 divides by 0 5",
      "8 takes the logarithm of a number below 0 4", "7 asks for the nearest where nobody is seen 1",
    }, lines)
    code, out = throng("run --out none " .. path)
    assert.equal(0, code)
    has(out, "20 results were no finite numbers, and changed nothing:\n", path .. ":6 divides by 0 (5),\n")
  end)

  it("says that nobody walked, where all were at their goals already", function()
    local path = write("there.lua", [[
local throng = require "throng"
local world = throng.world { seconds = 5, threads = 1, regions = { hall = throng.box(0, 0, 9, 9) } }
world:spawn { count = 5, where = "hall" }:go_to "hall"
return world
]])
    local code, _, err = throng("run --out none " .. path)
    assert.equal(0, code)
    has(err, "look at the goals: everybody was there already")
  end)

  it("tells ms a step and how much faster than real time by one clock", function()
    local path = write("slow.lua", [[
local throng = require "throng"
local world = throng.world { seconds = 5, threads = 1, dt = 0.1, until_done = false }
world:spawn { at = { { 0, 0 } } }:go_to { 9, 0 }
world:on_step(function() for _ = 1, 2e4 do math.random() end end) -- which takes longer than the steps
return world
]])
    local code, out, err = throng("run --out none " .. path)
    assert.equal(0, code, err)
    local ms, faster = out:match "speed +([%d.]+) ms a step, (%d+) x real time; [%d.]+ s in all"
    ms = tonumber(ms) -- to half a thousandth
    assert.is_true(tonumber(faster) >= 100 / (ms + 0.0006) - 1 and tonumber(faster) <= 100 / (ms - 0.0006) + 1, out)
  end)

  it("refuses what would be passed over", function()
    local function run(text)
      write("odd.lua", 'local throng = require "throng"\n' .. text)
      local code, _, err = throng("run odd.lua --out none", scratch)
      assert.equal(2, code)
      return err
    end
    has(run "local params = throng.params { count = 5 } return params.cuont",
      "odd.lua:2: throng.params: unknown parameter", "'cuont', did you mean 'count'?")
    write("room.wkt", "POLYGON ((0 0, 9 0, 9 9, 0 9, 0 0))")
    for _, field in ipairs { "walls", "boundary" } do
      has(run(('throng.map { file = "room.wkt", %s = throng.box(1, 1, 2, 2) }'):format(field)),
        ("'file' and '%s' do not go together"):format(field))
    end
    has(run [[local world = throng.world {}
local group = world:spawn { at = { { 0, 0 } } }
group.speed = function(t, a)
  for _ = 1, a.x do t = t + 1 end
  return t
end]], "odd.lua:5: an agent's value cannot bound a 'for'", "throng.select(i <= n, x, y)")
  end)

  it("stops a runaway callback at --instructions", function()
    local path = write("loop.lua", [[
local throng = require "throng"
local world = throng.world {}
world:spawn { at = { { 0, 0 } } }
world:on_step(function() while true do end end)
return world
]])
    local code, _, err = throng("run --out none --instructions 1000000 " .. path)
    assert.equal(1, code)
    has(err, "loop.lua:4: stopped after 1000000 instructions", "endless loop", "step 0")
    path = write("main.lua", "while true do end")
    code, _, err = throng("run --out none --instructions 1000000 " .. path)
    assert.equal(2, code)
    has(err, "main.lua:1: stopped after 1000000 instructions")
  end)

  it("stops a script that eats memory at --memory", function()
    local path = write("eats.lua", "local t = {} for i = 1, 1e9 do t[i] = ('x'):rep(1e6) .. i end")
    local code, _, err = throng("run --out none --memory 32 " .. path)
    assert.equal(2, code)
    has(err, "out of memory: more than 32 MiB")
  end)

  it("says why a folder above --out cannot be made", function() -- not that there is none below it
    if os.execute "mkdir /sys/none 2>/dev/null && rmdir /sys/none" then pending "anybody may make folders in /sys" end
    local _, _, err = throng "run scenarios/circle.lua --steps 1 --out /sys/none/below"
    has(err, "cannot make the folder '/sys/none/below': ", "choose another with --out")
    assert.is_nil(err:find "No such file")
  end)

  it("says so when --out cannot be written, before the run", function()
    local path = write("walk.lua", WALK)
    write("file", "")
    local code, _, err = throng(("run --out %s/file/deeper %s"):format(scratch, path))
    assert.equal(2, code)
    has(err, "file/deeper", "--out")
    code, _, err = throng(("run --out %s/file %s"):format(scratch, path))
    assert.equal(2, code)
    has(err, "is not a folder")
    code, _, err = throng "run scenarios"
    assert.equal(2, code)
    has(err, "cannot open the scenario 'scenarios': it is not a file")
    code, _, err = throng "info --json >/dev/full"
    assert.equal(2, code)
    has(err, "throng info: cannot write to stdout: No space left on device")
    local pipe = scratch .. "/pipe.png"
    os.execute("mkfifo " .. pipe)
    code, _, err = throng(("run --out none --png %s %s"):format(pipe, path))
    assert.equal(2, code)
    has(err, "cannot write '" .. pipe .. "': it is a device or a pipe, which a file would replace; give another name")
    code, _, err = shell(("ulimit -f 8; %s run %s --out %s/limited"):format(THRONG, path, scratch))
    assert.equal(2, code)
    has(err, "the file reached the largest size allowed here")
    assert.equal("", (select(2, shell(("ls %s/limited"):format(scratch)))))
    os.execute(("touch %s/target.png; ln -s target.png %s/link.png"):format(scratch, scratch))
    assert.equal(0, (throng(("run --out none --png %s/link.png %s"):format(scratch, path))))
    assert.equal(0, (os.execute(("test -L %s/link.png -a -s %s/target.png"):format(scratch, scratch))) and 0 or 1)
    assert.equal(2, (throng "run --help >/dev/full"))
    code, _, err = throng(("run --out none --png /proc/nowhere/x.png %s"):format(path))
    assert.equal(2, code)
    has(err, "/proc/nowhere/x.png")
  end)

  it("says so when the disk is full", function()
    local path = write("crowd.lua", [[
local throng = require "throng"
local world = throng.world { until_done = false, seconds = 60 }
local places = {}
for i = 1, 300 do places[i] = { 0, 2 * i } end
world:spawn { at = places }:go_to { 50, 300 }
return world
]])
    needs.mounts(pending)
    local small = scratch .. "/small" -- a disk of 300 KiB, which only this command sees
    local code, _, err = shell(("mkdir %s && unshare -rm sh -c 'mount -t tmpfs -o size=300k none %s"
      .. " && %s run --out %s/out %s'"):format(small, small, THRONG, small, path))
    assert.equal(2, code)
    has(err, "trajectory.sqlite", "disk is full", "name another folder")
  end)

  it("writes its summary where the pictures have no room", function()
    local path = write("unseen.lua", [[
local throng = require "throng"
local world = throng.world { seconds = 1, record = false }
world:spawn { at = { { 0, 0 } } }:go_to { 5, 0 }
return world
]])
    needs.mounts(pending)
    local disk = scratch .. "/narrow"
    local code, out, err = shell(("mkdir %s && unshare -rm sh -c 'mount -t tmpfs -o size=32k none %s && %s run"
      .. " --out %s/out %s; cat %s/out/summary.json; ls %s/out'"):format(disk, disk, THRONG, disk, path, disk, disk))
    assert.equal(0, code)
    has(err, "unseen.png", "disk is full")
    has(out, '"agents"')
    assert.falsy(out:find "unseen%.png")
  end)

  it("draws no curve where nobody was", function()
    local out = scratch .. "/nobody"
    local code, text = throng(("run --out %s %s"):format(out, write("nobody.lua", [[
local throng = require "throng"
return throng.world { map = throng.map { boundary = throng.box(0, 0, 9, 9) }, until_done = false, seconds = 1 }
]])))
    assert.equal(1, code) -- and says that nobody was
    has(text, "nobody/summary.json", "nobody/nobody.png")
    assert.falsy(text:find "curve")
  end)

  it("keeps the frames that a disk had room for, before the first commit, too", function()
    local path = write("full.lua", [[
local throng = require "throng"
local format = throng.params { format = "sqlite" }.format
local world = throng.world { until_done = false, seconds = 60, threads = 1, record = { every = 0.1, format = format } }
world:spawn { count = 3000, where = throng.box(0, 0, 200, 200) }
return world
]])
    needs.mounts(pending)
    for format, name in pairs { sqlite = "sqlite", compact = "throng" } do
      local disk = ("%s/disk-%s"):format(scratch, format)
      local code, out, err = shell(("mkdir %s && unshare -rm sh -c 'mount -t tmpfs -o size=3m none %s"
        .. " && %s run --set format=%s --out %s/out %s; %s convert %s/out/trajectory.%s %s.throng'"):format(disk, disk,
        THRONG, format, disk, path, THRONG, disk, name, disk))
      assert.equal(0, code, out .. err)
      has(err, "trajectory." .. name, "stopped: the disk is full")
      assert.is_true(tonumber((out .. err):match "throng: (%d+) frames from") > 5, out .. err)
    end
  end)

  it("keeps them where the file system reserves no room, too", function()
    local path = write("few.lua", [[
local throng = require "throng"
local world = throng.world { until_done = false, seconds = 60, threads = 1, record = { every = 0.1 } }
world:spawn { count = 60, where = throng.box(0, 0, 200, 200) }
return world
]])
    needs.mounts(pending)
    write("none.c", [[
#include <errno.h>
int fallocate(int file, int mode, long from, long size)
{
    return (void)file, (void)mode, (void)from, (void)size, errno = EOPNOTSUPP, -1;
}
int fallocate64(int file, int mode, long from, long size) { return fallocate(file, mode, from, size); }
]])
    cli.done(("cd '%s' && gcc -shared -fPIC -o none.so none.c && mkdir disk"):format(scratch))
    local code, out, err = shell(("cd '%s' && unshare -rm sh -c 'mount -t tmpfs -o size=450k none disk"
      .. " && ASAN_OPTIONS=verify_asan_link_order=0 LD_PRELOAD=$PWD/none.so %s run %s --out disk/out;"
      .. " %s convert disk/out/trajectory.sqlite all.throng'"):format(scratch, THRONG, path, THRONG))
    assert.equal(0, code, out .. err)
    has(err, "trajectory.sqlite' stopped: the disk is full")
    assert.is_true(tonumber((out .. err):match "throng: (%d+) frames from") > 30, out .. err)
  end)

  it("says so when there is no CUDA device", function()
    local _, text = throng "info --json"
    local info = require("dkjson").decode(text)
    if info.backends[2].available then pending "a device is there" end
    local code, _, err = throng("run --out none --backend cuda " .. write("walk.lua", WALK))
    assert.equal(2, code)
    has(err, "walk.lua:3:", "cuda", "--backend cpu")
  end)

  it("writes names that are no UTF-8 so that readers of its tables take them", function()
    write("names.lua", [[
local throng = require "throng"
local format = throng.params { format = "sqlite" }.format
local hall = throng.box(0, 0, 20, 20)
local world = throng.world { seconds = 1, until_done = false, threads = 1, record = { every = 0.5, format = format },
  map = throng.map { boundary = hall, doors = { ["d\xF6or, 2"] = { { 3, 3 }, { 4, 3 } } } },
  regions = { ["h\xE4ll"] = hall } }
world:spawn { count = 3, where = "h\xE4ll", name = 'g"\xE4ste é' }
world:measure { inside = "h\xE4ll", name = "m\xE4s" }
return world
]])
    local runs = "cd '%s' && %s run names.lua --out a --csv a.csv --report "
      .. "&& %s run names.lua --set format=compact --out b"
    cli.done(runs:format(scratch, THRONG, THRONG))
    local names = cli.done(("cd '%s' && python3 -c \"import sqlite3; c = sqlite3.connect('a/trajectory.sqlite')\n"
      .. "for t in 'groups', 'regions', 'doors', 'measures':\n print(c.execute('select * from throng_' + t).fetchall())"
      .. '"'):format(scratch))
    has(names, [['g"\\xE4ste é']], [['h\\xE4ll']], [['d\\xF6or, 2']], [['m\\xE4s']])
    cli.done(("cd '%s' && %s convert a/trajectory.sqlite a/all.csv && %s convert b/trajectory.throng b/all.csv"):format(
      scratch, THRONG, THRONG))
    for file, text in pairs { ["a.csv"] = [[,m\xE4s,]], ["a/doors.csv"] = [[,"d\xF6or, 2"]],
      ["a/report.html"] = [[d\xF6or, 2]], ["a/all.csv"] = [[,"g""\xE4ste é",]],
      ["b/all.csv"] = [[,"g""\xE4ste é",]] } do
      local table = cli.read(scratch .. "/" .. file)
      has(table, text)
      assert.is_truthy(utf8.len(table), file)
    end
  end)

  it("ends cleanly at Ctrl-C: files readable, summary printed", function()
    write("long.lua", [[
local throng = require "throng"
local world = throng.world { until_done = false, seconds = 1e8, dt = 0.01 }
world:spawn { at = { { 0, 0 } } }:go_to { 1e5, 0 }
local begun
world:on_step(function(_, time)
  if time > 3 and not begun then begun = true print "begun" end
end)
return world
]])
    local out = scratch .. "/stdout"
    -- a background job of a shell ignores SIGINT, so the signal's default is set again
    local command = ("cd '%s' && { env --default-signal=INT %s run long.lua >stdout 2>stderr & pid=$!;"
      .. " for i in $(seq 1000); do grep -q begun stderr && break; sleep 0.05; done;"
      .. " kill -INT $pid; wait $pid; }"):format(scratch, THRONG)
    local code = select(3, os.execute(command))
    assert.equal(130, code)
    local file = assert(io.open(out))
    has(file:read "a", "long: interrupted after", "1 agents")
    file:close()
    assert.is_true(frames_of(scratch .. "/out/long/trajectory.sqlite") > 1)
  end)

  it("runs on where nobody reads its progress, and ends where nobody reads its results", function()
    write("walk.lua", WALK)
    write("endless.lua", [[
local throng = require "throng"
local world = throng.world { until_done = false, seconds = 1e8 }
world:spawn { at = { { 0, 0 } } }:go_to { 1e5, 0 }
world:every(1, function() print "here" end)
return world
]])
    local function code_of(run) -- its reader has gone before it begins
      return tonumber(cli.done(("cd '%s' && { { sleep 0.1; timeout 60 %s run %s; echo $? >&3; } | :; } 3>&1")
        :format(scratch, THRONG, run)))
    end
    assert.equal(0, code_of "walk.lua --seconds 2 --out progress 2>&1 >/dev/null")
    assert.equal(141, code_of "walk.lua --seconds 2 --out results 2>err")
    assert.equal(141, code_of "endless.lua --out both 2>&1")
    for _, name in ipairs { "progress", "results", "both" } do
      local left = cli.done(("ls '%s/%s'"):format(scratch, name))
      has(left, "summary.json", "trajectory.sqlite", ".png")
      assert.is_nil(left:find "part", name)
      assert.is_true(frames_of(("%s/%s/trajectory.sqlite"):format(scratch, name)) > 1)
    end
    assert.is_nil(cli.read(scratch .. "/err"):find "stdout")
  end)

  it("gives the same hash in two processes", function()
    local path = write("random.lua", [[
local throng = require "throng"
local world = throng.world { seed = 3 }
local kinds = { slow = 0.8, fast = 1.6, normal = 1.3, "first", "second" }
for name, speed in pairs(kinds) do
  local x, y = math.random() * 50, math.random(50)
  local group = world:spawn { name = tostring(name), at = { { x, y } }, speed = tonumber(speed) or 1 }
  group:go_to { -y, x }
end
world:on_step(function(w)
  w.agents.speed = 1 + 0.1 * math.random()
end)
return world
]])
    local hashes = {}
    for i = 1, 3 do
      local _, out = throng("run --json --out none --steps 50 " .. path)
      hashes[i] = out:match '"hash": "(%x+)"'
    end
    assert.is_string(hashes[1])
    assert.equal(hashes[1], hashes[2])
    assert.equal(hashes[1], hashes[3])
  end)

  it("lifts the sandbox with --trust", function()
    local path = write("trusts.lua", 'assert(os.time)\nreturn require("throng").world { seconds = 0.1 }')
    assert.equal(2, (throng("run --out none " .. path)))
    assert.equal(1, (throng("run --out none --trust " .. path))) -- it runs; nobody is there
    assert.equal(0, (throng "run --out none --steps 2 --trust scenarios/blocks.lua"))
  end)
end)

describe("throng map", function()
  it("says what a map holds", function()
    local picture = scratch .. "/willow.png"
    local code, out = throng("map maps/willow.yaml --png " .. picture)
    assert.equal(0, code)
    has(out, "maps/willow.yaml", "size", "walls", "regions", "faces", "mesh")
    assert.is_true(exists(picture))
  end)

  it("lists what to look at, with places", function()
    local plan = write("plan.wkt", "POLYGON ((0 0, 20 0, 20 10, 0 10, 0 0), (9 0.4, 9.2 0.4, 9.2 9.7, 9 9.7, 9 0.4),"
      .. " (30 1, 31 1, 31 2, 30 1))")
    local code, out = throng("map " .. plan)
    assert.equal(0, code)
    has(out, "look at    4 findings", "hole     (30.00, 1.00)  hole 2 of polygon 1 is not a hole: it lies outside",
      "an opening of 0.40 m is too narrow", "an opening of 0.30 m is too narrow", "reach")
    code, out = throng("map " .. plan .. " --json --radius 0.1")
    assert.equal(0, code)
    has(out, '"findings": [{"kind": "hole", "x": 30, "y": 1, "text": "hole 2 of polygon 1')
    assert.is_nil(out:find("too narrow", 1, true))
    local err
    code, out, err = throng("run --out none " .. write("plan.lua", [[
      local world = require("throng").world { map = "plan.wkt", seconds = 0.1 }
      return world]]))
    assert.equal(1, code) -- nobody is there
    has(out, "0 of 0 agents")
    has(err, "look at the map: hole 1, gap 2; throng map " .. scratch .. "/plan.wkt --png OUT shows where")
  end)

  it("writes maps that it reads again", function()
    for _, ending in ipairs { "xml", "wkt" } do
      local path = scratch .. "/office." .. ending
      local code, out, err = throng("map maps/office.tmx --write " .. path)
      assert.equal(0, code)
      assert.equal(ending == "wkt", err:find("5 regions, doors and properties have no place in it", 1, true) ~= nil)
      local area = out:match "free%s+([%d.]+) m"
      code, out = throng("map " .. path)
      assert.equal(0, code)
      assert.equal(area, out:match "free%s+([%d.]+) m")
      assert.equal(ending == "xml", out:find("glass door", 1, true) ~= nil)
    end
    local code, _, err = throng("map maps/office.tmx --write " .. scratch .. "/office.svg")
    assert.equal(2, code)
    has(err, "a map is written as .xml or .wkt")
  end)

  it("shows and writes the map of a scenario", function()
    local plan = write("hall.lua", [[
      local throng = require "throng"
      local params = throng.params { gap = 0.4 }
      return throng.world { map = throng.map { name = "hall", boundary = throng.box(0, 0, 20, 10), walls = {
        throng.box(9, 0, 9.2, 5), throng.box(9, 5 + params.gap, 9.2, 10) } }, seconds = 0.1 }]])
    local code, out = throng("map " .. plan)
    assert.equal(0, code)
    has(out, "hall\n  size       20.00 x 10.00 m", "an opening of 0.40 m is too narrow")
    code, out = throng("map --set gap=2 " .. plan .. " --write " .. scratch .. "/hall.xml")
    assert.equal(0, code)
    assert.is_nil(out:find("too narrow", 1, true))
    has(select(2, throng("map " .. scratch .. "/hall.xml")), out:match "free%s+[%d.]+ m")
    local _, _, err = throng("run --out none " .. plan)
    has(err, "throng map " .. plan .. " --png OUT shows where")
    for arguments, message in pairs {
      [plan .. " --set width=2"] = "hall.lua:2: throng.params: unknown parameter 'width'",
      [plan .. " --scale 2"] = "is a scenario, which says what its map is: leave out --scale",
      ["maps/office.tmx --set gap=2"] = "maps/office.tmx is no scenario: --set is for parameters of a .lua file",
      [write("open.lua", 'return require("throng").world {}')] = "open.lua: its world has no map",
    } do
      code, _, err = throng("map " .. arguments)
      assert.equal(2, code)
      has(err, message)
    end
  end)

  it("names a file that is no map", function()
    local code, _, err = throng "map nowhere.yaml"
    assert.equal(2, code)
    has(err, "nowhere.yaml")
    code, _, err = throng("map " .. write("text.png", "not an image"))
    assert.equal(2, code)
    has(err, "text.png")
    code, _, err = throng("map " .. write("plan.polly", "0 0, 1 0, 1 1"))
    assert.equal(2, code)
    has(err, "plan.polly: not an image that can be read", "`throng help map` lists the other formats")
    local _, help = throng "help map"
    has(help, ".tmx", ".wkt", ".osm")
  end)
end)

describe("throng info", function()
  it("names version, backends and device", function()
    local code, out = throng "info"
    assert.equal(0, code)
    has(out, "throng ", "cpu", "SIMD", "threads", "cuda")
  end)

  it("prints the licences of all that it carries", function()
    local code, out = throng "info --licences"
    assert.equal(0, code)
    assert.matches("^MIT License\n\nCopyright %(c%) %d+ The throng authors\n", out)
    has(out, "The Inter Project Authors", "SIL OPEN FONT LICENSE Version 1.1", "This license becomes null and void",
      "GNU LESSER GENERAL PUBLIC LICENSE", "END OF TERMS AND CONDITIONS", "Apache License", "Willow Garage")
    local pipe <close> = assert(io.popen("ldd " .. THRONG))
    for name in pipe:read("a"):gmatch "lib(%a+)[%w_.+]* =>" do
      if not ("c m dl pthread rt asan ubsan tsan"):find("%f[%w]" .. name .. "%f[%W]") then
        assert.is_truthy(out:lower():find(name:lower(), 1, true), name .. " has no notice")
      end
    end
    for _, module in ipairs { "busted", "luassert", "say", "pl", "cliargs", "mediator", "term", "dkjson", "system" } do
      assert.is_truthy(out:find("%f[%w]" .. module .. "%f[%W]"), module .. " has no notice")
    end
  end)
end)

describe("throng paths", function()
  -- Two rooms that a diagonal pair of walls parts but for one cell, and a cell that nothing leads to.
  local map = "type octile\nheight 5\nwidth 6\nmap\n...@..\n...@..\n..@...\n...@@@\n...@.@\n"
  local head = "version 1\n"

  local function row(x0, y0, x1, y1, optimum)
    return ("0\tm.map\t6\t5\t%d\t%d\t%d\t%d\t%s\n"):format(x0, y0, x1, y1, optimum)
  end

  it("finds every path, none longer than the octile grid's, and writes them down", function()
    local plan = write("m.map", map)
    local rows = { row(0, 0, 2, 4, "4.82842712"), row(0, 0, 5, 0, "0"), row(4, 0, 5, 2, "2.41421356") }
    local queries = write("m.scen", head .. table.concat(rows))
    local csv = scratch .. "/paths.csv"
    local code, out = throng("paths " .. plan .. " " .. queries .. " --method grid --json --csv " .. csv)
    assert.equal(0, code)
    has(out, '"found": 2', '"failures": 1', '"longer": 0', '"method": "grid"')
    local file = assert(io.open(csv))
    local lines = {}
    for line in file:lines() do lines[#lines + 1] = line end
    file:close()
    assert.equal(4, #lines)
    assert.equal("query,length", lines[1]:sub(1, 12))
    assert.near(4.82842712, tonumber(lines[2]:match "^1,([%d.]+),"), 1e-6)
    assert.equal("2,inf,", lines[3]:sub(1, 6))
    code, out = throng("paths " .. plan .. " " .. queries)
    assert.equal(0, code)
    has(out, "3: 2 found, 1 without a path", "paths/s", "0 longer")
  end)

  it("answers in a batch what searches one by one answer, on Moving AI maps", function()
    local function lengths(name, method)
      local csv = scratch .. "/" .. method .. ".csv"
      local plan = "tests/data/movingai/" .. name .. ".map"
      assert.equal(0, (throng("paths " .. plan .. " --random 300 --method " .. method .. " --csv " .. csv)))
      local found = {}
      for line in io.lines(csv) do found[#found + 1] = tonumber(line:match "^%d+,([%d.inf]+),") end
      return found
    end
    for _, name in ipairs { "16room_000", "maze-128-128-2", "random-64-64-20", "room-64-64-8" } do
      local exact, batch = lengths(name, "grid"), lengths(name, "batch")
      assert.is_true(#exact > 250 and #exact == #batch)
      for i, length in ipairs(exact) do assert.near(length, batch[i], 1e-5 * length + 1e-9) end
    end
  end)

  it("draws queries of its own", function()
    local code, out = throng "paths maps/willow.yaml --random 50 --radius 0.25"
    assert.equal(0, code)
    has(out, "50: ", "paths/s")
  end)

  it("names what is wrong", function()
    local plan = write("m.map", map)
    local function fails(arguments, ...)
      local code, _, err = throng("paths " .. arguments)
      assert.equal(2, code)
      has(err, ...)
    end
    fails("", "which map?")
    fails(plan, "which queries? Give a scenario (.scen) or --random N")
    fails(plan .. " --random 5 --method jps", "there is no method 'jps'", "navmesh", "grid")
    fails("maps/willow.yaml --random 5 --method grid", "is not made of cells")
    fails(plan .. " " .. write("a.scen", "version 2\n"), "a.scen:1: the first line must be `version 1`")
    fails(plan .. " " .. write("b.scen", head), "b.scen: holds no query")
    fails(plan .. " " .. write("c.scen", head .. "0\tm.map\t6\n"), "c.scen:2: 3 fields instead of 9")
    fails(plan .. " " .. write("d.scen", head .. row(0, 0, 6, 0, "1")), "d.scen:2: field 7 (goal x) is '6'", "0 to 5")
    fails(plan .. " " .. write("e.scen", head .. row(0, 0, 1, 0, "one")), "e.scen:2: field 9 (optimal length) is 'one'")
    local seven = write("f.scen", head .. "0\tm.map\t7\t5\t0\t0\t1\t0\t1\n")
    fails(plan .. " " .. seven, "7 x 5 cells, no multiple of the 6 x 5")
  end)
end)
