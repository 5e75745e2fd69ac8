-- What a script may cost: time, memory and signals, whatever it does in C; more of that is in reproductions_spec.lua.
-- The limits are short here; that they were what ended it is read from what it says.
local host = dofile "tests/specs/command.lua"
local THRONG = host.THRONG

local HEAD = 'local throng = require "throng"\n'
local ROOM = HEAD .. 'local world = throng.world { threads = 1 }\nworld:spawn { at = { { 1, 1 } } }\n'

local function write(text)
  local path = host.write(os.tmpname(), text)
  finally(function() os.remove(path) end)
  return path
end

local function write_spec(text)
  local path = write ""
  os.remove(path)
  finally(function() os.remove(path .. "_spec.lua") end)
  return host.write(path .. "_spec.lua", text)
end

-- What `throng run` with these options says about the scenario, and its exit code.
local function says(text, options)
  local path = write(text)
  local command = ("timeout -s KILL 120 %s run %s --out none --steps 3 --instructions 1000000000000 %s 2>&1 </dev/null")
    :format(THRONG, path, options or "")
  local pipe = assert(io.popen(command))
  local said = pipe:read "a"
  local _, _, code = pipe:close()
  return (said:gsub(path:gsub("%p", "%%%0"), "scenario.lua")), code
end

-- The code in a callback, with a deadline of half a second.
local function in_callback(code)
  return ROOM .. "world:every(0.1, function()\n" .. code .. "\nend)\nreturn world\n"
end

describe("a deadline ends a callback", function()
  local cases = {
    ["in a loop"] = "while true do end",
    ["that catches what ends it"] = "while true do pcall(function() while true do end end) end",
    ["in a pattern that backtracks"] = 'return (("a"):rep(300)):find((".-"):rep(20) .. "b")',
    ["in gsub with such a pattern"] = 'return (("a"):rep(300)):gsub((".-"):rep(20) .. "b", "")',
    ["in string.rep of nothing"] = '(""):rep(1 << 60)',
    ["in table.concat"] = [[
      table.concat(setmetatable({}, { __len = function() return 1 << 60 end, __index = rawlen }))]],
    ["in table.insert"] = "table.insert(setmetatable({}, { __len = function() return 1 << 60 end }), 1, 1)",
    ["in table.move"] = "table.move({}, 1, 1 << 60, 1, {})",
    ["in pairs"] = "local t = {} for i = 1, 100000 do t[i] = i end while true do pairs(t) end",
    ["in the frames that it runs"] = [[
      local inner = throng.world { threads = 1 }
      inner:every(0.1, function() for _ = 1, 1e6 do end end)
      inner:run { steps = 4294967295, until_done = false }]],
    ["in what closes a coroutine that was ended"] = [[
      local co = coroutine.create(function()
        local _ <close> = setmetatable({}, { __close = function() while true do end end })
        coroutine.yield()
      end)
      coroutine.resume(co)
      coroutine.close(co)]],
  }
  local names = {}
  for name in pairs(cases) do names[#names + 1] = name end
  table.sort(names)
  for _, name in ipairs(names) do
    it(name, function()
      local text, code = says(in_callback(cases[name]), "--deadline 0.5")
      assert.matches("scenario.lua:%d+: stopped after 0.5 s without coming back", text)
      assert.is_true(code == 1 or code == 2, "exit code " .. tostring(code))
    end)
  end

  it("but not what a scenario takes longer for while it is loaded", function()
    assert.equal(0, select(2, says(HEAD .. [[
      local s, n = ("x"):rep(1e6), 0
      local world = throng.world { threads = 1 }
      world:spawn { at = { { 1, 1 } } }
      world:run { steps = 2000, until_done = false }
      return world]], "--deadline 0.5")))
  end)
end)

describe("a deadline", function()
  it("does not count the time in which others have the processor", function()
    local path = write(HEAD .. [[
local world = throng.world { threads = 1, seconds = 0.1 }
world:spawn { at = { { 0, 0 } } }
world:on_step(function()
  local start = os.clock() -- of this process
  while os.clock() - start < 0.6 do end
end)
return world]])
    local others = "taskset -c 0 timeout 60 sh -c 'while :; do :; done' & "
    local command = others:rep(3) .. "taskset -c 0 %s run %s --out none --trust --deadline 1 2>&1; code=$?; "
      .. "kill %%1 %%2 %%3; exit $code"
    local code, said = host.shell("set -m; " .. command:format(THRONG, path))
    assert.equal("", said:match "[^\n]*stopped after[^\n]*" or "")
    assert.equal(0, code)
  end)
end)

describe("one limit of memory", function()
  local function is_refused(code, what, limit)
    local text, status = says(HEAD .. code .. "\nreturn throng.world { threads = 1 }", "--memory " .. (limit or 100))
    assert.matches("scenario.lua:%d+: .*" .. what, text)
    assert.equal(2, status)
  end
  it("is for Lua, also in a coroutine", function()
    is_refused('coroutine.wrap(function()\nlocal s = "x" while true do s = s .. s end\nend)()', "out of memory")
    is_refused("local t = {} for i = 1, 1 << 30 do t[i] = i end", "out of memory: more than 100 MiB")
  end)

  it("is told of with its line where nothing is left to tell it with", function()
    for limit = 8, 16 do
      local text, status = says(ROOM .. [[
local chain = {}
world:at(0.1, function() while true do chain = { chain } end end)
return world]], "--memory " .. limit)
      assert.matches("scenario.lua:5: out of memory: more than " .. limit .. " MiB %(limit: %-%-memory MIB%)", text)
      assert.equal(1, status)
    end
  end)

  it("is for fields, which say the way out", function()
    is_refused([[
local hall = throng.world { map = throng.map { boundary = throng.box(0, 0, 400, 400) }, threads = 1 }
hall:spawn({ at = { { 1, 1 } }, radius = 0.2, routing = "field" }):go_to { 300, 300 }]],
      "out of memory for a field of 2861 x 2861 cells; use routing = \"navmesh\" there, or larger agents, "
        .. "or allow more %(%-%-memory MIB%)", 180) -- where sanitizers have room for what is not the field, too
  end)
end)

describe("one signal ends", function()
  -- Runs the scenario, sends the signal when it has said "begun", and gives what it said, its code and the folder of
  -- its files.
  local function interrupted(text, signal, options)
    local path = write(text)
    local out = path .. ".out"
    finally(function() os.execute("rm -rf " .. out) end)
    local command = ("cd /tmp && { env --default-signal=%s %s run %s --out %s --deadline 0 %s >%s.log 2>&1 & pid=$!;"
      .. " for i in $(seq 400); do grep -q begun %s.log && break; sleep 0.05; done;"
      .. " kill -%s $pid; (sleep 60; kill -KILL $pid) 2>/dev/null & wait $pid; code=$?; kill $! 2>/dev/null;"
      .. " exit $code; }")
      :format(signal, THRONG, path, out, options or "", path, path, signal)
    local code = select(3, os.execute(command))
    finally(function() os.remove(path .. ".log") end)
    return host.read(path .. ".log"), code, out
  end

  for signal, code in pairs { INT = 130, TERM = 143, HUP = 129 } do
    it("a loop while a scenario is loaded, by SIG" .. signal, function()
      local text, status = interrupted(HEAD .. 'print "begun" while true do pcall(throng.box, 0, 0, 1, 1) end', signal)
      assert.matches("lua_[^:]*:2: interrupted", text)
      assert.equal(code, status)
    end)
  end

  it("a call in C", function()
    local text, status = interrupted(
      HEAD .. 'print "begun" local s = (("a"):rep(300)):find((".-"):rep(20) .. "b")', "TERM")
    assert.matches("lua_[^:]*:2: interrupted", text)
    assert.equal(143, status)
  end)

  it("a callback that does not come back, and its recording is whole", function()
    local text, status, out = interrupted(HEAD .. [[
      local world = throng.world { threads = 1, seconds = 100, until_done = false, record = { every = 0.1 } }
      world:spawn { at = { { 1, 1 } } }
      world:at(3, function() print "begun" return (("a"):rep(300)):find((".-"):rep(20) .. "b") end)
      return world]], "TERM")
    assert.equal(143, status)
    assert.matches("lua_[^:]*:4: interrupted\n  in a world:at callback", text)
    assert.matches("wrote        " .. out:gsub("%p", "%%%0") .. "/trajectory.sqlite", text)
    local code, said, problem = host.throng(("convert %s/trajectory.sqlite %s/again.throng"):format(out, out))
    assert.equal(0, code, said .. problem)
    assert.equal("again.throng\ntrajectory.sqlite\n", host.done("ls " .. out)) -- nothing that was begun and not written
  end)

  it("a run between its callbacks, with its summary", function()
    local text, status = interrupted(HEAD .. [[
      local world = throng.world { threads = 1, seconds = 1e8, until_done = false }
      world:spawn { at = { { 1, 1 } } }
      world:on_step(function(_, time) if time == 0 then print "begun" end end)
      return world]], "TERM")
    assert.matches("interrupted after", text)
    assert.matches("summary.json", text)
    assert.equal(143, status)
  end)
end)

describe("one signal ends what nobody reads", function()
  -- The exit code of throng with these arguments, whose stderr is a full pipe, or one that it fills itself.
  local function code_of(arguments, fill)
    local pipe = os.tmpname()
    os.remove(pipe)
    finally(function() os.remove(pipe) end)
    local command = ("mkfifo %s; sleep 60 <%s & reader=$!;"
      .. " { head -c %d /dev/zero >&2; exec env --default-signal=TERM %s %s; } >/dev/null 2>%s & pid=$!;"
      .. " sleep 1; kill -TERM $pid; (sleep 30; kill -KILL $pid) 2>/dev/null & late=$!;"
      .. " wait $pid; code=$?; kill $reader $late 2>/dev/null; exit $code")
      :format(pipe, pipe, fill, THRONG, arguments, pipe)
    return select(3, os.execute(command))
  end

  it("in a callback that prints", function()
    local path = write(ROOM .. 'world:every(0.1, function() print(("x"):rep(2e5)) end)\nreturn world\n')
    assert.equal(143, code_of("run --out none --seconds 1e6 " .. path, 0))
  end)

  it("and in the progress of a run", function()
    local path = write(ROOM .. "return world\n")
    assert.equal(143, code_of("run --out none --seconds 1e3 " .. path, 65536))
  end)
end)

describe("a test", function()
  local function run(text, options)
    local path = write_spec(text)
    local code, said, problem = host.shell(("timeout -s KILL 120 %s test %s --deadline 0.1 %s"):format(THRONG, path,
      options or ""))
    return code, said .. problem
  end

  it("that does not come back fails with its name, and others are run", function()
    local code, text = run [[
      it("hangs", function() while true do end end)
      it("works", function() assert(true) end)]]
    assert.equal(1, code)
    assert.matches("hangs", text)
    assert.matches("stopped after 1 s without coming back", text)
    assert.matches("1 passed, 1 failed", text)
  end)

  it("that stands in C ends the process, with its name", function()
    local code, text = run 'it("stands", function() (("a"):rep(300)):find((".-"):rep(20) .. "b") end)'
    assert.equal(2, code)
    assert.matches("stopped after 1 s without coming back.-in the test 'stands'", text)
  end)

  it("in another process is reported, with those of other files", function()
    local other = write_spec 'it("works", function() end)'
    local code, text = run('it("stands", function() (("a"):rep(300)):find((".-"):rep(20) .. "b") end)',
      other .. " --jobs 2")
    assert.equal(1, code)
    assert.matches("in the test 'stands'", text)
    assert.matches("1 passed, 1 failed", text)
  end)
end)
