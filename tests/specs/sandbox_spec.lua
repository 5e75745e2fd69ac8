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

-- What `throng run` with these options says about a scenario of this code, and its exit code.
local function says(code, options)
  local path = write('local throng = require "throng"\n' .. code .. "\nreturn throng.world { threads = 1 }\n")
  local command = "timeout 60 " .. THRONG .. " run %s --steps 1 --out none %s 2>&1"
  local pipe = assert(io.popen(command:format(path, options or "")))
  local text = pipe:read "a"
  local _, _, status = pipe:close()
  return (text:gsub(path:gsub("%p", "%%%0"), "scenario.lua")), status
end

local function is_stopped(code)
  local text, status = says(code, "--instructions 3000000 --memory 64")
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
    ["of a pattern that backtracks"] = 'local s = (("a"):rep(300)):find((".-"):rep(20) .. "b")',
    ["of a pattern in pcall"] = 'while true do pcall(string.match, ("a"):rep(300), ("a*"):rep(20) .. "b") end',
    ["of gsub with such a pattern"] = 'local s = (("a"):rep(300)):gsub((".-"):rep(20) .. "b", "")',
    ["of gmatch with such a pattern"] = 'for _ in (("a"):rep(300)):gmatch((".-"):rep(20) .. "b") do end',
    ["of %b on a long text"] = 'local s = ("("):rep(1e6) while true do s:find "%b()" end',
    ["of plain find on a long text"] = 'local s = ("x"):rep(1e6) while true do s:find("y", 1, true) end',
    ["of long strings"] = 'local s = ("x"):rep(2e7) while true do local _ = s .. "y" end',
    ["of table.move"] = "table.move({}, 1, 1 << 60, 1, {})",
    ["of table.insert"] = "table.insert(setmetatable({}, { __len = function() return 1 << 60 end }), 1, 1)",
    ["of table.remove"] = "table.remove(setmetatable({}, { __len = function() return 1 << 60 end }), 1)",
    ["of table.concat"] = [[
      table.concat(setmetatable({}, { __len = function() return 1 << 60 end, __index = rawlen }))]],
    ["of pairs"] = "local t = {} for i = 1, 1000 do t[i] = i end while true do pairs(t) end",
    ["of utf8.len"] = 'local s = ("x"):rep(1e6) while true do utf8.len(s) end',
  }
  local names = {}
  for name in pairs(cases) do names[#names + 1] = name end
  table.sort(names)
  for _, name in ipairs(names) do
    it(name, function() is_stopped(cases[name]) end)
  end

  it("for a string repeated of nothing", function()
    run 'assert(("").rep("", 1 << 60) == "" and #("x"):rep(3, ",") == 5)'
  end)

  it("is as high as --instructions says", function()
    local code = "for _ = 1, 2e6 do end"
    assert.equal(2, select(2, says(code, "--instructions 1000000")))
    assert.equal(0, select(2, says(code, "--instructions 9000000")))
  end)
end)

describe("the limit of memory holds", function()
  local function is_refused(code)
    local text, status = says(code, "--memory 32")
    assert.matches("out of memory: the script wanted more than 32 MiB %(limit: %-%-memory MIB%)", text)
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

  it("throws errors that are no strings", function()
    for _, value in ipairs { "nil", "{}", "true", "setmetatable({}, { __tostring = function() return {} end })",
      "setmetatable({}, { __tostring = function() error 'again' end })" } do
      local text, status = says("error(" .. value .. ")")
      assert.equal(2, status)
      assert.matches("^throng run: .", text)
    end
  end)
end)

describe("patterns", function()
  -- The text of a scenario that compares results with those of Lua's own functions.
  local random = 7
  local function pick(list)
    random = (random * 1103515245 + 12345) % (1 << 31)
    return list[(random >> 8) % #list + 1]
  end

  local atoms = { "a", "b", ".", "%a", "%d", "[ab]", "[^b]", "%s", "[a-c%]]", "%W", "x", "%.", "[%a_]", "%f[%w]",
    "%b()" }
  local suffixes = { "", "", "*", "+", "-", "?" }

  local function random_pattern()
    local parts = {}
    if pick { true, false, false } then parts[1] = "^" end
    for _ = 1, pick { 1, 2, 3, 4 } do
      local item = pick(atoms)
      if not item:find "^%%[fb]" then item = item .. pick(suffixes) end
      parts[#parts + 1] = pick { item, item, "(" .. item .. ")", "()" .. item }
    end
    if pick { true, false, false } then parts[#parts + 1] = "$" end
    return table.concat(parts)
  end

  local function random_text()
    local parts = {}
    for i = 1, pick { 0, 1, 3, 8, 15 } do parts[i] = pick { "a", "b", "c", "x", "1", " ", ".", "(", ")", "]", "_" } end
    return table.concat(parts)
  end

  local function packed(...)
    local parts = table.pack(...)
    for i = 1, parts.n do parts[i] = ("%q"):format(parts[i]) end
    return table.concat(parts, ",")
  end

  local function all_of(text, pattern)
    local list = {}
    for a, b in text:gmatch(pattern) do list[#list + 1] = packed(a, b) end
    return table.concat(list, ";")
  end

  it("give what Lua's own give", function()
    local lines = { [[
      local function packed(...)
        local parts = table.pack(...)
        for i = 1, parts.n do parts[i] = ("%q"):format(parts[i]) end
        return table.concat(parts, ",")
      end
      local function all_of(text, pattern)
        local list = {}
        for a, b in text:gmatch(pattern) do list[#list + 1] = packed(a, b) end
        return table.concat(list, ";")
      end
      local function is(text, pattern, find, match, gsub, walked)
        local what = ("%q in %q"):format(pattern, text)
        assert(packed(string.find(text, pattern)) == find, what)
        assert(packed(string.match(text, pattern, 2)) == match, what)
        assert(packed(string.gsub(text, pattern, "<%0>", 3)) == gsub, what)
        assert(all_of(text, pattern) == walked, what)
      end]] }
    for _ = 1, 400 do
      local text, pattern = random_text(), random_pattern()
      lines[#lines + 1] = ("is(%q, %q, %q, %q, %q, %q)"):format(text, pattern, packed(text:find(pattern)),
        packed(text:match(pattern, 2)), packed(text:gsub(pattern, "<%0>", 3)), all_of(text, pattern))
    end
    run(table.concat(lines, "\n"))
  end)

  it("have their replacements and errors", function()
    run [[
      assert(("hello world"):gsub("(%w+) (%w+)", "%2 %1") == "world hello")
      assert(("a b"):gsub("%w", { a = "1" }) == "1 b")
      assert(("a b"):gsub("%w", function(c) return c == "b" and 2 end) == "a 2")
      assert(("abc"):gsub("", "-") == "-a-b-c-" and select(2, ("abc"):gsub("", "-")) == 4)
      assert(("a.b"):find(".", 1, true) == 2 and ("a\0b"):find("\0b") == 2 and ("abc"):find("b", -1) == nil)
      assert(("x = 1"):match "^(%w+)%s*=%s*(%w+)$" == "x" and ("key"):match "()" == 1)
      assert(("abab"):match "(ab)%1" == "ab")
      for _, bad in ipairs { "(", "%", "[a", "[%", "%b", "%f", "(()", "%1", "(%1)" } do
        assert(not pcall(string.find, "aaa", bad), bad)
      end
      for _, bad in ipairs { "%", "%2", "%x" } do assert(not pcall(string.gsub, "a", "a", bad)) end
      assert(not pcall(string.gsub, "a", "a"))
      assert(not pcall(string.rep, "a", 300, {}) and not pcall(string.find, "a", ("()"):rep(33)))
    ]]
  end)
end)

describe("the length operator", function()
  it("is Lua's, wherever it stands", function()
    run [==[
      local t, u, s = { 1, 2, 3 }, { n = { 4, 5 } }, "four"
      local function f(...) return#t, ... end -- #s in a comment --[[ is none
      assert(#t == 3 and #u.n == 2 and #u["n"] == 2 and #s == 4 and #"#--" == 3)
      assert(#'\'#' == 2 and #{ #t, #s } == 2)
      assert(2^#t == 8 and not pcall(function() return #t^2 end) and -#t == -3)
      assert(not #t == false and #t * 2 + 1 == 7 and 10 - #t - 1 == 6)
      assert(#t .. "" == "3" and "n" .. #t == "n3" and #s:rep(2) == 8 and #(t) == 3 and # --[=[ # ]=] t == 3)
      assert([[#t]] == "\35t" and [=[ ]] #]=] == " ]] \35" and f(1) == 3 and select("#", f(1, 2)) == 3)
      assert(#t > 2 and #t ~= 2 and (#t == 3 and #s or 0) == 4 and "a\z
              #" == "a\35" and #[[
two
lines]] == 9)
      assert(load("return #{ 1, 2 }")() == 2 and load("# return 5\nreturn 6")() == 6)
      local pieces = { "return #", "'ab'", nil }
      assert(load(function() return table.remove(pieces, 1) end)() == 2)
      assert(rawlen(t) == 3 and rawlen(s) == 4 and #setmetatable({}, { __len = function() return 42 end }) == 42)
    ]==]
  end)

  it("and table's functions agree about a list with holes", function()
    run [[
      for round = 1, 300 do
        local list = {}
        for i = 1, math.random(0, 12) do if math.random() < 0.7 then list[i] = i end end
        local n = #list
        assert((n == 0 or list[n] ~= nil) and list[n + 1] == nil and rawlen(list) == n)
        assert(select("#", table.unpack(list)) == n)
        table.insert(list, "last")
        assert(list[n + 1] == "last")
        list[n + 1] = nil
        assert(table.remove(list) == (n > 0 and n or nil) or list[n] == nil)
      end
    ]]
  end)

  it("says what has none, by its name", function()
    assert.matches("scenario.lua:2: attempt to get length of nil %('guests.list'%)",
      (says("local guests = {} local n = #guests.list")))
    assert.matches("attempt to perform arithmetic on a boolean", (says("local n = 2 ^ true")))
    assert.matches("attempt to perform arithmetic on a boolean", (says("local flag = false local n = flag ^ 2")))
    run "assert(getmetatable(true) == nil)"
  end)
end)
