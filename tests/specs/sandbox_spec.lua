-- Known ways out of Lua sandboxes, and round their limits: none leads anywhere.
local throng = require "throng"

local host = dofile "tests/specs/command.lua"
local write_file, THRONG = host.write, host.THRONG

local function write(text)
  local path = write_file(os.tmpname(), text)
  finally(function() os.remove(path) end)
  return path
end

-- Loads a scenario of this code.
local function run(code)
  return throng.load(write('local throng = require "throng"\n' .. code .. "\nreturn throng.world { threads = 1 }\n"))
end

-- A world in which somebody is: one with nobody would be told of.
local SOMEBODY = "local world = throng.world { threads = 1 } world:spawn { at = { { 0, 0 } } } return world\n"

-- What `throng run` with these options says about a scenario of this code, and its exit code.
local function says(code, options)
  local path = write('local throng = require "throng"\n' .. code .. "\n" .. SOMEBODY)
  local command = "timeout 60 " .. THRONG .. " run %s --steps 1 --out none %s 2>&1"
  local pipe = assert(io.popen(command:format(path, options or "")))
  local text = pipe:read "a"
  local _, _, status = pipe:close()
  return (text:gsub(path:gsub("%p", "%%%0"), "scenario.lua")), status
end

local function is_stopped(code)
  local text, status = says(code, "--instructions 3000000 --memory 4096")
  assert.matches("scenario.lua:%d+: stopped after 3000000 instructions", text)
  assert.equal(2, status)
end

describe("nothing outside is reached", function()
  it("by bytecode", function()
    run [[
      assert(string.dump == nil and (""):len() == 0 and ("").dump == nil)
      local chunk, message = load("\27Lua\x54\0\x19\x93\r\n\x1a\n")
      assert(chunk == nil and message:find "attempt to load a binary chunk")
      assert(load("\27Lua", "x", "b") == nil, "the mode is not the script's to choose")
      local parts = { "\27", "Lua" }
      assert(load(function() return table.remove(parts, 1) end) == nil)
    ]]
  end)

  it("by the strings' metatable", function()
    run [[
      assert(getmetatable "" == nil and getmetatable(("x"):rep(3)) == nil)
      string.format = function() error "reached" end
      assert(("%d"):format(3) == "3", "methods of strings are not the script's table")
      assert(not pcall(function() ("").upper = nil end) and ("a"):upper() == "A")
      assert(not pcall(setmetatable, "", {}))
    ]]
    assert.equal("3", ("%d"):format(3))
  end)

  it("by wrong arguments, of which it tells the line", function()
    run [[
      local function says(text, f, ...)
        local arguments = table.pack(...)
        local ok, message = pcall(function() return f(table.unpack(arguments, 1, arguments.n)) end)
        assert(not ok and message:find(text, 1, true) and not message:find("%[throng%]"), message)
      end
      says("table.sort: expected a table, got nil", table.sort, nil)
      says("table.sort: the order: expected a function, got 5", table.sort, {}, 5)
      says("table.sort: attempt to compare table with number", table.sort, { 2, {}, 1 })
      says("setmetatable: expected a table, got 5", setmetatable, 5, {})
      says("setmetatable: the metatable: expected a table, got 5", setmetatable, {}, 5)
      says("setmetatable: cannot change a protected metatable", setmetatable, setmetatable({}, { __metatable = 1 }), {})
      says("rawset: expected a table, got 5", rawset, 5, 1, 1)
      says("load: expected a text or a function, got nil", load, nil)
      says("coroutine.resume: expected a thread, got 5", coroutine.resume, 5)
      says("coroutine.close: expected a thread, got 5", coroutine.close, 5)
      local list = { 3, 1, 2 }
      table.sort(list, function(a, b) return a > b end)
      assert(list[1] == 3 and list[3] == 1)
    ]]
  end)

  it("by load with another environment", function()
    run [[
      local inner = { assert = assert }
      assert(load("return assert, io, os, require, debug", "x", "t", inner)() == assert)
      assert(select("#", load("return io", "x", "t", {})()) == 1 and load("return io", "x", "t", {})() == nil)
      assert(load("return _ENV", "x", "t", nil)() == nil)
      assert(load("return rawget(_G, 'io')")() == nil)
    ]]
  end)

  it("by require", function()
    run [[
      for _, name in ipairs { "../secret", "..secret", "/etc/passwd", "a/b", "a\0b", "", "ffi", "socket", "os" } do
        local ok, message = pcall(require, name)
        assert(not ok and message:find "require: ", name)
      end
      assert(not pcall(require, 5) and not pcall(require, {}))
    ]]
  end)

  it("by the host's values", function()
    run [[
      local world = throng.world { threads = 1, regions = { hall = throng.box(0, 0, 9, 9) } }
      local group = world:spawn { count = 3, where = "hall" }
      for _, value in ipairs { world, group, group.x, throng.box(0, 0, 1, 1), throng.orca {}, throng.fsm {
        start = "a", a = { goal = throng.wait() } }, throng.uniform(0, 1), world.groups } do
        assert(not getmetatable(value), tostring(value))
      end
      assert(not pcall(setmetatable, world.groups, {}))
    ]]
  end)

  it("by another scenario's module", function()
    run [[throng.goals.idle_walker = nil; throng.box = nil]]
    run [[assert(throng.goals.idle_walker and throng.box)]]
  end)

  it("by finalizers", function()
    run [[
      assert(not pcall(setmetatable, {}, { __gc = function() end }))
      assert(not pcall(setmetatable, {}, { __gc = true }))
      local later = setmetatable({}, {})
      getmetatable(later).__gc = function() error "reached" end -- too late to count
    ]]
  end)

  it("by a chunk that calls itself the host's", function()
    local text = says 'load("error(\'mine\')", "=[throng] init.lua")()'
    assert.matches("mine", text)
    assert.matches("stack:\n  %(load%):1: in the main chunk\n  scenario.lua:2:", text)
  end)

  it("and random numbers that follow the seed, with --trust, too", function()
    local function drawn(options) return (says("print(math.random(1 << 40))", options)):match "^%d+\n" end
    assert.truthy(drawn())
    assert.equal(drawn(), drawn "--trust")
    assert.equal(drawn "--trust", drawn "--trust")
    assert.not_equal(drawn(), drawn "--trust --seed 8")
    assert.equal(drawn "--seed 8", drawn "--trust --seed 8")
  end)

  it("and pairs in the order of the keys, with --trust, too", function()
    local script = [[
      local t = { [true] = 1, [2.5] = 1, [-1] = 1 }
      for i = 1, 40 do t["key" .. i] = 1 end
      for key in pairs(t) do io.write(tostring(key), " ") end
      t[t], t[print] = 1, 1
      local last = 0
      for key in pairs(t) do last = type(key):find "^[tf]" and last + 1 or 0 end -- a table, a function
      print(last)
    ]]
    local keys = { "-1", "2.5" }
    for i = 1, 40 do keys[i + 2] = "key" .. i end
    table.sort(keys)
    keys[#keys + 1] = "true"
    assert.equal(table.concat(keys, " ") .. " 2\n", (says(script, "--trust")):match "^[^\n]+\n")
  end)

  it("but with --trust", function()
    local text, status = says('print(io.open(arg and "x" or "/dev/null") ~= nil, os.time() > 0)', "--trust")
    assert.equal(0, status)
    assert.matches("true\ttrue", text)
  end)
end)

describe("the limit of instructions holds", function()
  local cases = {
    ["in a loop"] = "while true do end",
    ["in pcall"] = "while true do pcall(function() while true do end end) end",
    ["in xpcall"] = "while true do xpcall(function() while true do end end, function() end) end",
    ["in the handler of xpcall"] = "xpcall(error, function() while true do end end)",
    ["in a coroutine"] = "while true do coroutine.resume(coroutine.create(function() while true do end end)) end",
    ["in coroutine.wrap"] = "while true do pcall(coroutine.wrap(function() while true do end end)) end",
    ["over many short coroutines"] = [[
      while true do coroutine.wrap(function() for _ = 1, 4000 do end end)() end]],
    ["in what closes a coroutine"] = [[
      while true do
        local co = coroutine.create(function()
          local _ <close> = setmetatable({}, { __close = function() while true do end end })
          coroutine.yield()
        end)
        coroutine.resume(co)
        coroutine.close(co)
      end]],
    ["in a metamethod"] = "local t = setmetatable({}, { __index = function() while true do end end }) print(t.x)",
    ["in an error's __tostring"] = [[
      error(setmetatable({}, { __tostring = function() while true do end end }))]],
    ["in what load reads"] = 'load(function() return " " end)',
    ["in a comparison of sort"] = "table.sort({ 1, 2, 3 }, function() while true do end end)",
    ["in the replacement of gsub"] = 'local s = ("x"):gsub(".", function() while true do end end)',
    ["in a module's name"] = "while true do pcall(require, 'nothing') end",
  }
  local names = {}
  for name in pairs(cases) do names[#names + 1] = name end
  table.sort(names)
  for _, name in ipairs(names) do
    it(name, function() is_stopped(cases[name]) end)
  end

  it("is as high as --instructions says", function()
    local code = "for _ = 1, 2e6 do end"
    assert.equal(2, select(2, says(code, "--instructions 1000000")))
    assert.equal(0, select(2, says(code, "--instructions 9000000")))
  end)
end)

describe("the limit of memory holds", function()
  local function is_refused(code)
    local text, status = says(code, "--memory 32")
    assert.matches("scenario.lua:2: out of memory: more than 32 MiB %(limit: %-%-memory MIB%)", text)
    assert.equal(2, status)
  end

  it("for a bomb of string.rep", function() is_refused 'local s = ("x"):rep(1 << 30)' end)
  it("for strings that double", function() is_refused 'local s = "x" while true do s = s .. s end' end)
  it("for tables", function() is_refused "local t = {} for i = 1, 1 << 30 do t[i] = i end" end)
  it("for what format pads", function()
    is_refused 'local t = {} for i = 1, 1e7 do t[i] = ("%99d"):format(i) end'
  end)
  it("for table.concat", function()
    is_refused 'local t = {} for i = 1, 40 do t[i] = ("x"):rep(1e6) end table.concat(t)'
  end)

  it("for agents, with the line, and before they are there", function()
    for _, count in ipairs { 1900000, 4000000 } do -- the handles of either group are twice 8 bytes each
      local world = 'local world = throng.world { regions = { hall = throng.box(0, 0, 2000, 2000) } }'
      local text, status = says(world .. "\nworld:spawn { where = 'hall', count = " .. count .. " }", "--memory 16")
      assert.matches("lua:%d+: world:spawn: field 'count': " .. count .. " agents take more than .* 16 MiB", text)
      assert.equal(2, status)
    end
  end)

  it("and a script may catch it and go on", function()
    local _, status = says('assert(not pcall(string.rep, "x", 1 << 30)) local t = { 1 } assert(#t == 1)', "--memory 32")
    assert.equal(0, status)
  end)
end)

describe("what else a script may try", function()
  it("is no way out of the program", function()
    assert.matches("attempt to index a nil value %(global 'os'%)", (says "os.exit(0)"))
  end)

  it("prints so much in a callback, and no more", function()
    local text, status = says "for i = 1, 1e5 do print(i, 'flood') end print 'end'"
    assert.equal(0, status)
    assert.matches("print: more than 256 KiB in one callback; the rest of it is left out", text)
    assert.is_true(#text < 300000)
    assert.is_nil(text:find("end\n", 1, true))
  end)

  it("prints what throng's values are", function()
    local text = says [[
      local world = throng.world { threads = 1,
        map = throng.map { boundary = throng.box(0, 0, 9, 9), doors = { gate = { { 3, 0 }, { 3, 9 } } } } }
      print(world.map, world.map:door "gate", throng.box(0, 0, 1, 1), throng.go_to { 3, 3 }, world.stages, {})]]
    assert.matches("a map\tdoor 'gate'\ta shape\ta goal\ta list of stages\ttable\n", text)
  end)

  it("yields nowhere but in coroutines", function()
    assert.matches("attempt to yield from outside a coroutine", (says "coroutine.yield()"))
    assert.matches("attempt to yield across a C%-call boundary", (says [[
      local world = throng.world { threads = 1 }
      world:on_step(function() coroutine.yield() end)
      coroutine.wrap(function() world:step() end)()]]))
  end)

  it("recurses until it is stopped", function()
    assert.matches("stack overflow", (says "local function f() return 1 + f() end f()"))
    assert.matches("stack overflow", (says 'local s = "x" local function f() return (s:gsub(".", f)) end f()'))
  end)

  it("is nested too deeply, by its file's name", function()
    local folder = os.tmpname()
    os.remove(folder)
    os.execute("mkdir " .. folder)
    finally(function() os.execute("rm -rf " .. folder) end)
    local deep = "return " .. ("("):rep(300) .. "1" .. (")"):rep(300)
    write_file(folder .. "/deep.lua", deep)
    for path, code in pairs { ["deep.lua"] = deep, ["scenario.lua"] = 'require "deep"' } do
      write_file(folder .. "/" .. path, code)
      local pipe = io.popen(("%s run %s/%s --out none 2>&1"):format(THRONG, folder, path))
      assert.matches("/deep.lua: brackets, tables or blocks are nested too deeply in it", pipe:read "a", 1, true)
      pipe:close()
    end
  end)

  it("loads itself, which is named", function()
    local folder = os.tmpname()
    os.remove(folder)
    os.execute("mkdir " .. folder)
    finally(function() os.execute("rm -rf " .. folder) end)
    write_file(folder .. "/other.lua", 'return require("throng").load "round.lua"')
    for name, code in pairs { does = "\ndofile 'does.lua'", loads = "\nrequire('throng').load 'loads.lua'",
      requires = "\nrequire 'requires'", round = "\nrequire('throng').load 'other.lua'" } do
      write_file(("%s/%s.lua"):format(folder, name), code)
      local pipe = io.popen(("cd %s && %s run %s.lua --trust --out none 2>&1"):format(folder, THRONG, name))
      local text = pipe:read "a"
      pipe:close()
      local file, line, itself = text:match "(%w+)%.lua:(%d): '[./]*(%w+).lua' loads itself, again and again; dofile,"
      assert.equal(file, itself)
      assert.is_true(file == name and line == "2" or name == "round" and file == "other" and line == "1", text)
    end
  end)

  it("throws errors that are no strings", function()
    for _, value in ipairs { "nil", "{}", "true", "setmetatable({}, { __tostring = function() return {} end })",
      "setmetatable({}, { __tostring = function() error 'again' end })" } do
      local text, status = says("error(" .. value .. ")")
      assert.equal(2, status)
      assert.matches("^throng run: .", text)
    end
  end)
end)

describe("a world", function()
  -- Tries to close the world by its metamethods and callbacks, each time while a call of it is under way.
  local CLOSES = [=[
    local world = throng.world { regions = { here = throng.box(0, 0, 9, 9) }, threads = 1 }
    local group, told, count = world:spawn { count = 5, where = "here" }, nil, 0
    local function close()
      local ok, message = pcall(%s)
      count, told = count + 1, told or ok or message
      return true
    end
    local function closing(t) return setmetatable(t, { __index = close }) end
    local function try(f, ...)
      local before = count
      pcall(f, ...)
      assert(count > before)
    end
    try(world.bodies, world, closing { circle = 0.2, count = 2, where = "here" })
    try(world.spawn, world, closing { count = 3, where = "here" })
    try(world.measure, world, closing { density = "here" })
    try(group.filter, group, close)
    try(group.go_to, group, "here", closing {})
    try(world.run, world, closing { steps = 1 })
    error(tostring(told), 0)
  ]=]

  it("is not closed while a call of it has not come back", function()
    for _, close in ipairs { "world.close, world", "coroutine.wrap(function() world:close() end)" } do
      local text = says(CLOSES:format(close))
      assert.matches("world:close cannot be called while another call to the same world", text, 1, true)
    end
    local text, status = says [[
      local other = throng.world { threads = 1 }
      local world = throng.world { regions = { here = throng.box(0, 0, 9, 9) }, threads = 1 }
      world:spawn { count = 2, where = "here" }:filter(function() return other:close() end)
      do local third <close> = throng.world { threads = 1 } end
      coroutine.wrap(function() throng.world({ threads = 1 }):close() end)()
    ]]
    assert.equal(0, status, text)
  end)
end)

describe("what a scenario is told", function()
  it("has no addresses in it", function()
    local text = says [[
      print(pcall(string.format, "\0%p", "a string"))
      print(pcall(string.format, "%%%-5p", "a string"))
      print(("%%p %s \0 %d%%"):format({}, 3))
      local world = throng.world { threads = 1 }
      print(select(2, pcall(world.queue, world, { [{}] = 1 })))
      print(select(2, pcall(world.sink, world, { [print] = 1 })))
      print(select(2, pcall(world.source, world, { [coroutine.create(print)] = 1 })))
      print(select(2, pcall(function() return throng[{}] end)))]]
    assert.is_nil(text:find("0x%x+"), text)
    assert.matches("false\tscenario.lua:2: string.format: %%p is not available", text)
    assert.matches("false\tscenario.lua:3: string.format: %%p is not available", text)
    assert.matches("unknown field 'table'", text)
    assert.matches("unknown field 'function'", text)
  end)

  it("holds no words and names of other files", function()
    local folder = os.tmpname()
    os.remove(folder)
    os.execute("mkdir " .. folder .. " " .. folder .. "/own " .. folder .. "/other")
    finally(function() os.execute("rm -rf " .. folder) end)
    write_file(folder .. "/other/plan.lua", "secret word")
    write_file(folder .. "/own/near.wkt", "POLYGON ((0 0, 9 0, 9 9, 0 9, 0 0))")
    os.execute(("ln -s ../other/plan.lua %s/own/link.lua; mkfifo %s/own/pipe"):format(folder, folder))
    local scenario = write_file(folder .. "/own/scenario.lua", [[
      local throng = require "throng"
      for _, path in ipairs { "../other/plan.lua", "]] .. folder .. [[/other/plan.lua", "link.lua", "/etc/passwd",
        "/etc/no-such-file", "../other/no-such-file.lua" } do
        local ok, said = pcall(throng.load, path)
        print(ok, said)
        print(select(2, coroutine.resume(coroutine.create(throng.load), path)))
      end
      print(pcall(throng.map, "../other/plan.lu"))
      print(pcall(throng.map, "/etc/passwdd"))
      print(pcall(load("return #nil", "@/etc/passwd")))
      print(pcall(load("return #nil", "@pipe"))) -- nobody writes to it: who reads it waits for ever
      print(pcall(load("local throng = ... return throng.map 'passwd'", "@/etc/x"), throng))
      return throng.world { threads = 1, map = "near.wkt" }]])
    local pipe = io.popen(("cd / && timeout 60 %s run %s --steps 1 --out none 2>&1"):format(THRONG, scenario))
    local text = pipe:read "a"
    pipe:close()
    for _, word in ipairs { "secret", "mean '../", "mean '/", "root", "unexpected symbol" } do
      assert.is_nil(text:find(word, 1, true), text)
    end
    local _, refused = text:gsub("outside of the folders that this scenario sees", "")
    assert.equal(12, refused, text) -- and three whose names alone say nothing are not there
    assert.matches("there is no file 'link.lua'", text)
    assert.matches("there is no file 'passwd'", text)
  end)

  it("holds no other files where folders have long names", function()
    local folder = os.tmpname()
    os.remove(folder)
    local long = {}
    for i, letter in ipairs { "d", "e", "f" } do long[i] = letter:rep(200) end
    local deep = folder .. "/own/" .. table.concat(long, "/")
    os.execute("mkdir -p " .. deep)
    finally(function() os.execute("rm -rf " .. folder) end)
    local code = 'local throng = require "throng" print(pcall(throng.map, { file = "' .. folder .. '/other.wkt" })) '
    write_file(folder .. "/other.wkt", "POLYGON ((0 0, 9 0, 9 9, 0 9, 0 0))")
    write_file(deep .. "/module.lua", code .. "return true")
    write_file(deep .. "/scenario.lua", code .. SOMEBODY)
    local name = table.concat(long, ".") .. ".module"
    write_file(folder .. "/own/scenario.lua", ('require %q '):format(name) .. SOMEBODY)
    for _, path in ipairs { deep, folder .. "/own" } do
      local pipe = io.popen(("cd / && %s run %s/scenario.lua --steps 1 --out none 2>&1"):format(THRONG, path))
      local text = pipe:read "a"
      pipe:close()
      assert.matches("^false.*outside of the folders that this scenario sees", text)
    end
  end)

  it("is in the files that the command line names", function()
    local plan = write "POLYGON ((0 0, 9 0, 9 9, 0 9, 0 0))"
    os.rename(plan, plan .. ".wkt")
    finally(function() os.remove(plan .. ".wkt") end)
    local folder = os.tmpname()
    os.remove(folder)
    os.execute("mkdir " .. folder)
    finally(function() os.execute("rm -rf " .. folder) end)
    local scenario = write_file(folder .. "/scenario.lua", [[
      local throng = require "throng"
      local world = throng.world { threads = 1, map = throng.params { plan = "none" }.plan }
      world:spawn { count = 1 }
      return world]])
    local function code_of(options)
      return select(3, os.execute(("timeout 60 %s run %s --steps 1 --out none %s >/dev/null 2>&1"):format(THRONG,
        scenario, options)))
    end
    assert.equal(0, code_of("--set plan=" .. plan .. ".wkt"))
    assert.equal(2, code_of "")
  end)
end)

describe("what a scenario writes", function()
  it("in one print is as short as in many", function()
    local text, status = says 'print(("x"):rep(1e7)) print "end"'
    assert.equal(0, status)
    assert.matches("print: more than 256 KiB in one callback; the rest of it is left out", text)
    assert.is_true(#text < 300000)
  end)

  it("in all callbacks of a run has an end, too", function()
    local code = [[
      local world = throng.world { threads = 1, seconds = 1e4, until_done = false }
      world:spawn { at = { { 0, 0 } } }
      world:every(0.1, function() print(("x"):rep(3e5)) end)
      if true then return world end]]
    local text, status = says(code, "--steps 400")
    assert.equal(0, status)
    assert.matches("print: more than 64 MiB in one run; the rest of it is left out", text)
    assert.is_true(#text > 64 << 20 and #text < 65 << 20)
  end)

  it("in an error is as short as somebody reads", function()
    local text, status = says 'error(("x"):rep(1e7))'
    assert.equal(2, status)
    assert.matches("^throng run: scenario.lua:2: x+ %.%.%. and %d+ bytes more\n$", text)
    assert.is_true(#text < 20000)
    text, status = says([[
      local world = throng.world { threads = 1, seconds = 1, until_done = false }
      world:every(0.1, function() error(("x"):rep(1e7)) end)
      if true then return world end]], "--steps 5 --keep-going")
    assert.equal(1, status)
    assert.matches("failed       4 times: scenario.lua:3: x+\n", text)
    assert.is_true(#text < 20000)
  end)

  it("steers no terminal", function()
    local text = says [[local _ = _G["\27]0;title\7"] print("\27[2Jcleared\u{9b}31m\r", "a\tb") error "\27]0;title\7"]]
    assert.is_nil(text:find "[\27\7\r]", text)
    assert.is_nil(text:find("\u{9b}", 1, true))
    assert.matches("%?%[2Jcleared%?%?31m%?\ta\tb\n", text)
    assert.matches("scenario.lua:2: %?%]0;title%?", text)
  end)
end)
