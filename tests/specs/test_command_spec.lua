-- `throng test` itself: reports, processes, what a failing test leaves behind, statistics over seeds.
local shared = dofile "tests/specs/command.lua"
local throng = shared.throng

local scratch -- a folder for each test

local function write(name, text) shared.write(scratch .. "/" .. name, text) end

local function exists(path)
  local file = io.open(scratch .. "/" .. path)
  if file then file:close() end
  return file ~= nil
end

local has = shared.has

-- In the scratch folder.
local function test(arguments) return throng("test " .. arguments, scratch) end

-- One walks 1 m/s from x = 0; a line at x = 1.
local WALK = [[
local throng = require "throng"
local function walk(seed, seconds)
  local world = throng.world { seed = seed, dt = 0.1, threads = 1 }
  local line = world:measure { flow = { { 1, -1 }, { 1, 1 } } }
  local walker = world:spawn { name = "walker", at = { { 0, 0 } }, speed = 1, planner = "none" }
  walker:go_to({ { 10, 0 } })
  world:run { seconds = seconds }
  return world, line, walker
end
]]

before_each(function() scratch = io.popen("mktemp -d"):read "l" end)

after_each(function() os.execute("rm -rf '" .. scratch .. "'") end)

describe("throng test", function()
  it("closes with a line of counts and fails when a test does", function()
    write("good_spec.lua", "it('works', function() assert.is_true(true) end)")
    local code, out = test "."
    assert.equal(0, code)
    assert.matches("1 passed, 0 failed\n$", out)
    write("bad_spec.lua", "it('fails', function() assert.equal(1, 2) end) it('errs', function() error 'x' end)"
      .. " it('waits', function() pending 'later' end)")
    code, out = test "."
    assert.equal(1, code)
    has(out, "FAILED fails\n  ./bad_spec.lua:1: Expected", "ERROR errs", "SKIPPED waits")
    assert.matches("1 passed, 2 failed, 1 skipped\n$", out)
  end)

  it("counts a spec that cannot be loaded as failed", function()
    write("broken_spec.lua", "it('works', function(")
    local code, out = test "."
    assert.equal(1, code)
    has(out, "broken_spec.lua:1:")
    assert.matches("0 passed, 1 failed\n$", out)
  end)

  it("gives each file the same random numbers every time", function()
    local spec = "it('draws', function() error('drawn ' .. math.random(1 << 40)) end)"
    write("first_spec.lua", spec)
    write("second_spec.lua", spec)
    for _, options in ipairs { "", "--sandbox " } do
      local drawn = {}
      for _, what in ipairs { ".", "--jobs 2 .", "second_spec.lua" } do
        local _, out = test(options .. what)
        for number in out:gmatch "drawn (%d+)" do drawn[#drawn + 1] = number end
      end
      assert.equal(5, #drawn)
      for _, number in ipairs(drawn) do assert.equal(drawn[1], number) end
    end
  end)

  it("fails when --filter finds no test", function()
    write("good_spec.lua", "it('works', function() assert.is_true(true) end)")
    write("more_spec.lua", "it('works, too', function() assert.is_true(true) end)")
    for _, jobs in ipairs { 1, 2 } do
      local code, out, err = test((". --filter wroks --jobs %d"):format(jobs))
      assert.equal(2, code)
      assert.equal("0 passed, 0 failed\n", out)
      has(err, "no test has a name that --filter finds")
      assert.equal(0, (test((". --filter too --jobs %d"):format(jobs))))
    end
  end)

  it("fails when there is no test at all", function()
    write("room.lua", 'return require("throng").world {}') -- a scenario, for example
    for _, jobs in ipairs { 1, 2 } do
      local code, _, err = test(("room.lua --jobs %d"):format(jobs))
      assert.equal(2, code)
      has(err, "no test ran: a spec has some")
    end
  end)

  it("shares the tests of a file out among processes", function()
    local spec = {}
    for i = 1, 7 do
      spec[i] = ("it('works %d', function() print('ran %d in ' .. io.popen('echo $PPID'):read()) end)"):format(i, i)
    end
    write("many_spec.lua", table.concat(spec, "\n") .. "\nit('is another', function() end)")
    local code, out = test "many_spec.lua --jobs 2 --parts 3 --filter works"
    assert.equal(0, code)
    local processes, tests = {}, {}
    for which, process in out:gmatch "ran (%d) in (%d+)" do
      processes[process] = (processes[process] or 0) + 1
      tests[#tests + 1] = which
    end
    local sizes = {}
    for _, size in pairs(processes) do sizes[#sizes + 1] = size end
    table.sort(sizes)
    table.sort(tests)
    assert.same({ 2, 2, 3 }, sizes)
    assert.equal("1234567", table.concat(tests))
    assert.matches("7 passed, 0 failed\n$", out)
  end)

  it("fails when a folder has no spec", function()
    shared.done(("mkdir '%s/empty'"):format(scratch))
    for _, options in ipairs { "", "--jobs 2", "-o TAP", "-o junit", "-o json", "--list" } do
      local code, _, err = test("empty " .. options)
      assert.equal(2, code)
      has(err, "throng test: there is no spec, no file named like x_spec.lua")
    end
  end)

  it("goes on after os.exit, which is an error of its test", function()
    write("a_spec.lua", "it('leaves', function() os.exit(0) end)\nit('works', function() end)")
    write("b_spec.lua", "os.exit(0)")
    for _, jobs in ipairs { 1, 2 } do
      local code, out = test((". --jobs %d"):format(jobs))
      assert.equal(1, code)
      has(out, "ERROR leaves\n  ./a_spec.lua:1: os.exit: a test must not end the process",
        "./b_spec.lua:1: os.exit: a test must not end the process")
      assert.matches("1 passed, 2 failed\n$", out)
    end
    local code, out = test "a_spec.lua -o TAP"
    assert.equal(1, code)
    has(out, "not ok 1 - leaves", "ok 2 - works", "1..2")
    assert.equal(1, (test "a_spec.lua -o junit"))
    assert.equal(1, (test "a_spec.lua -o json"))
    assert.equal(1, (test "a_spec.lua --report"))
  end)

  it("says that a pattern is none", function()
    write("a_spec.lua", "it('a', function() end)")
    for _, pattern in ipairs { "[", "a%", "(", "a)", "[a%]", "%f", "%ba", "%1" } do
      for _, option in ipairs { "--filter", "--filter-out", "--pattern", "--exclude-pattern" } do
        local code, out, err = test((". %s='%s'"):format(option, pattern))
        assert.equal(2, code)
        assert.equal("", out)
        has(err, ("throng test: %s must be a Lua pattern"):format(option), ("got '%s'"):format(pattern))
      end
    end
    for _, pattern in ipairs { "^a$", "[]a]", "[^]]", "[%]a]", "(a)", "%f[%w]a", "%l", "a-" } do
      assert.equal(0, (test((". --filter '%s'"):format(pattern))))
    end
  end)

  it("says that a spec is not there", function()
    for _, arguments in ipairs { "nowhere", "nowhere . --jobs 2", "-o TAP nowhere" } do
      local code, out, err = test(arguments)
      assert.equal(2, code)
      assert.equal("throng test: there is no file or folder 'nowhere'\n", err)
      assert.equal("", out)
    end
  end)

  it("says what its options must be", function()
    for arguments, message in pairs {
      ["--jobs 0"] = "--jobs must be a whole number >= 1, got '0'",
      ["--jobs"] = "--jobs needs a value",
      ["--shard 3/2"] = "--shard must be K/N with 1 <= K <= N, like 2/4, got '3/2'",
      ["--seeds 5-1"] = "--seeds must be seeds like 7 or 1-20",
      ["-o jsn"] = "-o must be text, TAP, junit or another output that busted finds, got 'jsn'",
      ["--jobs 2 -o json"] = "--jobs goes with the outputs text, TAP and junit, not with 'json'",
    } do
      local code, _, err = test(arguments)
      assert.equal(2, code, arguments)
      has(err, message)
    end
    local code, _, err = test "--nonsense"
    assert.equal(2, code)
    has(err, "unknown/bad flag: --nonsense")
    assert.equal(0, (test "--version"))
  end)

  it("has busted's outputs", function()
    write("good_spec.lua", "it('works', function() end)")
    local code, out = test "-o json ."
    assert.equal(0, code)
    assert.equal(1, #require("dkjson").decode(out).successes)
  end)

  it("has outputs that busted finds by its own options", function()
    write("good_spec.lua", "it('works', function() end)")
    os.execute("mkdir '" .. scratch .. "/own'")
    write("own/mine.lua", "return function() return { subscribe = function() print 'mine' end } end")
    local finds = { "own/mine.lua .", "mine --lpath own/?.lua .", "mine -m ./own/?.lua .", "mine.lua -C own .." }
    for _, found in ipairs(finds) do
      local code, out = test("-o " .. found)
      assert.equal(0, code, found)
      assert.equal("mine\n", out, found)
    end
    for _, lost in ipairs { "-o mine .", "-o mine.lua .", "-o mine -m other/?.lua ." } do
      local code, out, err = test(lost)
      assert.equal(2, code, lost)
      assert.equal("", out, lost)
      assert.matches("^throng test: %-o must be .*, got 'mine[.lua]*'\n$", err)
    end
  end)

  it("lists tests", function()
    write("good_spec.lua", "it('works', function() error 'not run' end)")
    local code, out = test "--list ."
    assert.equal(0, code)
    has(out, "works\n")
    assert.is_nil(out:find "passed")
  end)
end)

-- Names with what XML and TAP give a meaning to.
local MIXED = [[
describe("a <b> & \"c\" # d", function()
  it("passes", function() print "printed" end)
  it("fails", function() assert.equal("<", "&\1") end)
  it("errs", function() error "x" end)
  it("waits", function() pending "till # later" end)
end)
]]

describe("throng test -o TAP", function()
  it("is TAP 13, which prove reads", function()
    write("mixed_spec.lua", MIXED)
    local code, out, err = test "-o TAP ."
    assert.equal(1, code)
    has(err, "printed")
    local lines = {}
    for line in out:gmatch "[^\n]+" do lines[#lines + 1] = line end
    assert.equal("TAP version 13", lines[1])
    assert.equal([[ok 1 - a <b> & "c" \# d passes]], lines[2])
    assert.equal([[not ok 2 - a <b> & "c" \# d fails]], lines[3])
    assert.equal("  ---", lines[4])
    has(out, "\n  ...\n", "\n    file: \"./mixed_spec.lua\"\n    line: 3\n", "\nok 4 - ", " # SKIP ")
    assert.equal("1..4", lines[#lines])
    for _, line in ipairs(lines) do -- nothing but these
      assert.is_truthy(line:find "^TAP version 13$" or line:find "^n?o?t? ?ok %d+ %- " or line:find "^  "
        or line:find "^1%.%.4$", line)
    end
  end)
end)

describe("throng test -o junit", function()
  -- The elements and attributes that the schema of Jenkins' xUnit plug-in (junit-10.xsd) has and we use.
  local ALLOWED = {
    testsuites = { "name", "tests", "failures", "errors", "skipped", "time" },
    testsuite = { "name", "tests", "failures", "errors", "skipped", "time" },
    testcase = { "classname", "name", "time" },
    failure = { "message", "type" },
    error = { "message", "type" },
    skipped = { "message" },
  }
  local INSIDE = { testsuites = "testsuite", testsuite = "testcase" }

  local function check(node)
    local known = assert(ALLOWED[node.tag], node.tag)
    for name in pairs(node.attr) do
      if type(name) == "string" then assert.is_truthy(table.concat(known, " "):find(name, 1, true), name) end
    end
    for _, child in ipairs(node) do
      if type(child) == "table" then
        if INSIDE[node.tag] then assert.equal(INSIDE[node.tag], child.tag) end
        check(child)
      end
    end
  end

  it("is well-formed, with the schema's names, and counts right", function()
    write("mixed_spec.lua", MIXED)
    write("good_spec.lua", "it('works', function() end)")
    local code, out, err = test "-o junit ."
    assert.equal(1, code)
    has(err, "printed")
    local root = require("pl.xml").parse(out, false, true)
    check(root)
    assert.equal("testsuites", root.tag)
    local attr = root.attr
    assert.same({ "5", "1", "1", "1" }, { attr.tests, attr.failures, attr.errors, attr.skipped })
    assert.equal(2, #root)
    local mixed = root[2]
    assert.equal("./mixed_spec.lua", mixed.attr.name)
    assert.equal(4, #mixed)
    assert.equal("mixed_spec", mixed[1].attr.classname)
    assert.equal([[a <b> & "c" # d fails]], mixed[2].attr.name)
    assert.equal("failure", mixed[2][1].tag)
    assert.matches("mixed_spec.lua:3: Expected objects to be equal.", mixed[2][1].attr.message, 1, true)
    assert.equal("error", mixed[3][1].tag)
    assert.equal("skipped", mixed[4][1].tag)
  end)

  it("tells bytes that are no UTF-8, as the page of --report does", function()
    write("bytes_spec.lua", "it('n\\xE4me é \\xED\\xA0\\x80 \\u{FFFF}', function() error 'm\\xFFssage' end)")
    local code, out = test "-o junit --report bytes_spec.lua"
    assert.equal(1, code)
    write("out.xml", out)
    local read = 'python3 -c "import sys, xml.dom.minidom as dom; print(dom.parse(sys.argv[1]).toxml())" '
    local xml = shared.done(read .. scratch .. "/out.xml")
    for _, text in ipairs { xml, shared.read(scratch .. "/out/test/report.html") } do
      has(text, "n\\xE4me é \\xED\\xA0\\x80 \\xEF\\xBF\\xBF", "m\\xFFssage")
      assert.is_truthy(utf8.len(text))
    end
  end)
end)

describe("throng test --jobs", function()
  local function fill()
    write("a_spec.lua", MIXED)
    write("b_spec.lua", "it('is slow', function() os.execute 'sleep 0.2' print 'b' end)")
    write("c_spec.lua", "it('is quick', function() print 'c' end) it('fails', function() error 'c' end)")
  end

  it("prints the same with any number of processes", function()
    fill()
    for _, format in ipairs { "text", "TAP" } do
      local texts = {}
      for jobs = 1, 3 do
        local code, out = test(("-o %s --jobs %d ."):format(format, jobs))
        assert.equal(1, code)
        texts[jobs] = out:gsub("duration_ms: %d+", "")
      end
      has(texts[1], "c")
      assert.equal(texts[1], texts[2])
      assert.equal(texts[1], texts[3])
    end
  end)

  it("reports a process that dies with its file, its test and its output", function()
    write("a_spec.lua", "it('is fine', function() end)")
    write("b_spec.lua", "it('starts', function() end) it('dies', function() print 'last words'"
      .. " os.execute 'kill -KILL $PPID' end)")
    write("c_spec.lua", "it('leaves', function() leave(0) end)")
    write("helper.lua", "leave = os.exit")
    local code, out = test "--jobs 2 --helper helper.lua ."
    assert.equal(1, code)
    has(out, "ERROR dies\n  ./b_spec.lua:1: the process of this file ended by signal 9 (SIGKILL), in the test 'dies'; "
      .. "those after it in the file did not run; it wrote:\n  last words", "ERROR leaves",
      "c_spec.lua:1: the process of this file ended by exit code 0")
    assert.matches("2 passed, 2 failed\n$", out)
  end)

  it("reports a process that is ended once its tests are through", function()
    write("a_spec.lua", "it('is fine', function() end)")
    write("b_spec.lua", "it('leaves it', function() left = setmetatable({}, { __gc = function()"
      .. " os.execute 'kill -TERM $PPID' while true do end end }) end)")
    local code, out = test "--jobs 2 ."
    assert.equal(1, code)
    has(out, "ERROR ./b_spec.lua\n  ./b_spec.lua:1: the process of this file ended by exit code 143",
      ", after the test 'leaves it'; it wrote:\n  throng test: ")
    assert.matches("2 passed, 1 failed\n$", out)
  end)

  it("shares the files of --shard", function()
    fill()
    local all = {}
    for k = 1, 2 do
      local _, out = test(("--shard %d/2 -o TAP ."):format(k))
      for name in out:gmatch "\n?n?o?t? ?ok %d+ %- ([^\n]*)" do all[#all + 1] = name end
    end
    assert.equal(7, #all)
    local code, out, err = test "--shard 4/4 ."
    assert.equal(2, code)
    assert.equal("0 passed, 0 failed\n", out)
    has(err, "throng test: shard 4/4 has none of the 3 files, so no test ran")
  end)
end)

describe("a failing test", function()
  it("leaves a picture, the trajectory, the seed and the command", function()
    write("walk_spec.lua", WALK .. [[
it("walks (fast)", function()
  local world, line = walk(5, 3)
  assert.flow(line, { at_least = 2 })
end)
it("stays", function()
  local world <close> = walk(6, 1)
  assert.equal(1, world.steps)
end)
it("has no world", function() error "x" end)
it("leaves", function()
  local world = throng.world { dt = 0.1, threads = 1 }
  local walker = world:spawn { name = "walker", at = { { 0, 0 } }, speed = 1, planner = "none" }
  local kept = world:measure { inside = throng.box(-1, -1, 2.05, 1) }
  walker:go_to { { 10, 0 } }
  world:run { seconds = 5 }
  assert.stays_in(kept)
end)
it("passes", function() assert.arrives((select(3, walk(7, 12)))) end)
]])
    local code, out = test "walk_spec.lua"
    assert.equal(1, code)
    has(out, "1 passage at 1.0 s", "expected at least 2 persons/s", "seed 5, at 3.0 s", "seed 6, at 1.0 s",
      "picture: out/test/walk_spec-10-walks-fast/moment.png", "--filter 'walks %(fast%)'\n")
    for _, name in ipairs { "walk_spec-10-walks-fast", "walk_spec-14-stays" } do
      assert.is_true(exists("out/test/" .. name .. "/moment.png"), name)
      assert.is_true(exists("out/test/" .. name .. "/trajectory.sqlite"), name)
    end
    local count = select(2, out:gsub("moment.png", ""))
    assert.equal(3, count)
    has(out, "agent 0 was outside, at (2.10, 0.00) at 2.1 s", "seed 1, at 5.0 s\n", "picture of about 2.1 s: out/test/")
    assert.matches("1 passed, 4 failed\n$", out)
    local command = out:match "again: [^\n]-throng test ([^\n]*walks[^\n]*)\n"
    code, out = test(command .. " --out elsewhere")
    assert.equal(1, code)
    has(out, "picture: elsewhere/walk_spec-10-walks-fast/moment.png")
    assert.matches("0 passed, 1 failed\n$", out)
    assert.is_true(exists "elsewhere/walk_spec-10-walks-fast/trajectory.sqlite")
  end)

  it("says so when the files cannot be written", function()
    write("walk_spec.lua", WALK .. "it('fails', function() walk(5, 1) error 'x' end)")
    write("taken", "")
    local _, out = test "walk_spec.lua --out taken"
    has(out, "no files: cannot make 'taken/walk_spec-10-fails'", "another folder: --out DIR")
  end)
end)

describe("across", function()
  local body = "function(seed) return seed end)"

  local function run(settings, arguments)
    write("many_spec.lua", ("it('holds', function() across(%s, %s end)"):format(settings, body))
    return test("many_spec.lua " .. (arguments or ""))
  end

  it("wants so many per cent of the seeds within the bounds", function()
    for settings, fine in pairs {
      ["{ seeds = 10, at_most = 10 }"] = true,
      ["{ seeds = 10, at_most = 9 }"] = false,
      ["{ seeds = 10, percentile = 90, at_most = 9 }"] = true,
      ["{ seeds = 10, percentile = 91, at_most = 9 }"] = false,
      ["{ seeds = 10, percentile = 50, at_least = 6 }"] = true,
      ["{ seeds = 10, percentile = 51, at_least = 6 }"] = false,
      ["{ seeds = 3, first = 8, at_least = 8, at_most = 10 }"] = true,
    } do
      assert.equal(fine and 0 or 1, (run(settings)), settings)
    end
    local _, out = run "{ seeds = 10, percentile = 70, at_most = 4 }"
    has(out, "FAILED holds", "4 of 10 seeds held, 7 must (70 %)", "values: least 1, median 5, 70 % at most 7 (too few",
      "to say how sure that is: it takes 11)",
      "seed 5: 5, at most 4", "seed 9: 9, at most 4", "and 1 more", "--seeds 5")
    _, out = run "{ seeds = 100, percentile = 50, at_most = 4 }" -- ranks from the binomial distribution
    has(out, "median 50, 50 % at most 50 (95 % confidence: 40 to 61), most 100")
    assert.equal(1, (run("{ seeds = 10, percentile = 70, at_most = 4 }", "--seeds 5")))
    assert.equal(0, (run("{ seeds = 10, percentile = 70, at_most = 4 }", "--seeds 1-3,2")))
  end)

  it("counts failing assertions, and keeps the files of the first", function()
    write("many_spec.lua", WALK .. [[
it("walks", function()
  across({ seeds = 4, percentile = 75 }, function(seed)
    local world <close>, line = walk(seed, seed)
    assert.equal(1, line.count)
    assert.flow(line)
  end)
end)
it("walks farther", function()
  across({ seeds = 4 }, function(seed)
    local world <close>, line = walk(seed, 5 - seed)
    assert.flow(line)
    assert.is_true(world.time > 1.5)
  end)
end)
]])
    local _, out = test "many_spec.lua"
    has(out, "3 of 4 seeds held, 4 must (100 %)", "seed 4: many_spec.lua:21: ", "seed 4, at 1.0 s", "--seeds 4")
    assert.matches("1 passed, 1 failed\n$", out)
  end)

  it("says what is wrong with its settings", function()
    for settings, message in pairs {
      ["{}"] = "field 'seeds' must be a whole number from 1 to 1000000, got nil",
      ["{ seeds = 1000001 }"] = "field 'seeds' must be a whole number from 1 to 1000000, got 1000001",
      ["{ seeds = 2, first = 0.5 }"] = "field 'first' must be a whole number from 0 to 2^53, got 0.5",
      ["{ seeds = 2, percentil = 9 }"] = "unknown field 'percentil', did you mean 'percentile'?",
      ["{ seeds = 2, percentile = 0 }"] = "must be more than 0 and at most 100",
      ["{ seeds = 2, at_most = 'x' }"] = "field 'at_most' must be a number",
    } do
      local code, out = run(settings)
      assert.equal(1, code)
      has(out, "many_spec.lua:1: across: ", message)
    end
  end)
end)

describe("throng test --sandbox", function()
  local FINE = [[
    local throng, part = require "throng", require "part"
    local place = throng.box(0, 0, 1, 1)
    describe("a spec", function()
      local begun
      before_each(function() begun = true end)
      it("has what scenarios have, and busted's words", function()
        assert.equal(7, part.seven)
        assert.is_true(begun)
        local world <close> = throng.world { threads = 1 }
        world:spawn { count = 2, where = place, name = "walkers" }:go_to { 3, 0 }
        world:run { seconds = 20 }
        assert.arrives(world.groups.walkers)
        across({ seeds = 2, at_most = 1 }, function() return 0 end)
      end)
    end)]]

  it("gives specs what scenarios have", function()
    write("part.lua", "return { seven = 7 }")
    write("fine_spec.lua", FINE)
    local code, out = test "--sandbox ."
    assert.matches("1 passed, 0 failed\n$", out)
    assert.equal(0, code)
  end)

  it("has no way to files and processes, in specs, their modules and .busted", function()
    local GONE = { "io", "os", "debug", "package", "dofile", "loadfile", "_G.io", "_ENV.os", "load('return io')()",
      "string.dump", "getmetatable('')" }
    for i, name in ipairs(GONE) do
      write(("gone_%d_spec.lua"):format(i), ("it('%d', function() assert.is_nil((%s)) end)"):format(i, name))
    end
    write("require_spec.lua", "it('requires', function() assert.has_error(function() require 'busted' end) end)")
    write("part.lua", "return io and 1 or 2")
    write("part_spec.lua", "it('has a part', function() assert.equal(2, (require 'part')) end)")
    local made = "(io and io.open or function() end)('made', 'w') return {}"
    write(".busted", made)
    write("moonscript.lua", made)
    local code, out = test "--sandbox ."
    assert.matches((#GONE + 2) .. " passed, 0 failed\n$", out)
    assert.equal(0, code)
    assert.is_false(exists "made")
    test "."
    assert.is_true(exists "made") -- which is what it would do
  end)

  it("holds in the processes of --jobs", function()
    for i = 1, 2 do write(("%d_spec.lua"):format(i), "it('has none', function() assert.is_nil(io) end)") end
    assert.matches("2 passed, 0 failed\n$", select(2, test "--sandbox --jobs 2 ."))
  end)
end)

describe("the limits of throng test", function()
  it("are those of throng run", function()
    write("full_spec.lua", "it('hoards', function()\n local t = {} for i = 1, 1e8 do t[i] = i end end)")
    local code, out = test "--memory 100 ."
    assert.equal(1, code)
    has(out, "full_spec.lua:2:", "out of memory: more than 100 MiB (limit: --memory MIB)")
    write("full_spec.lua", [[
      it("counts", function()
        local world <close> = require "throng".world { threads = 1 }
        world:on_step(function() for _ = 1, 1e5 do end end)
        world:step()
      end)]])
    assert.equal(0, (test "."))
    code, out = test "--instructions 20000 ."
    assert.equal(1, code)
    has(out, "full_spec.lua:3:", "stopped after 20000 instructions")
  end)
end)
