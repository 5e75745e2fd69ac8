-- throng repl: lines from a pipe, what they print, and what does not end it.
local host = dofile "tests/specs/command.lua"
local needs = dofile "tests/specs/needs.lua"
local write, THRONG = host.write, host.THRONG

local ROOM = [[
local throng = require "throng"
local world = throng.world { threads = 1 }
local guests = world:spawn { name = "guests", at = { { 2, 2 }, { 2, 9 } }, speed = 1 }
guests:go_to { 90, 5 }
world:on_step(function() if world.time > 5 then error "late" end end)
return world
]]

local function files(lines, scenario)
  local room, input = os.tmpname(), os.tmpname()
  write(room, scenario or ROOM)
  write(input, lines)
  finally(function() os.remove(room) os.remove(input) end)
  return room, input
end

-- What the REPL prints to these lines, on a scenario unless `alone`, and its exit code.
local function printed(lines, alone, options)
  local room, input = files(lines)
  local command = ("timeout 60 %s repl %s %s <%s 2>&1"):format(THRONG, alone and "" or room, options or "", input)
  local pipe = assert(io.popen(command))
  local text = pipe:read "a"
  local _, _, status = pipe:close()
  return text, status
end

describe("the REPL", function()
  it("prints values", function()
    local lines = '1 + 1\n"a", nil, true\n{ 1, { x = 2 }, [9] = "b" }\nx = 7\nx * 2\nlocal y = 1\n'
    local text, status = printed(lines, true)
    assert.equal('2\n"a"\tnil\ttrue\n{ 1, { x = 2 }, [9] = "b" }\n14\n', text)
    assert.equal(0, status)
  end)

  it("shows the world, its groups and columns, steps it, and writes", function()
    local text = printed("guests\nstep(10)\nguests.speed = 1.5\nguests.speed\n"
      .. "guests[2].x[1] > 2.5, #world.groups.guests\n")
    assert.matches("^world of 2 agents at 0.0 s\ngroups: guests\n", text)
    assert.matches("group 'guests' of 2 agents\n +id +x +y .-\n +0 +2 +2 .-\n +1 +2 +9 .-\n", text)
    assert.matches("world of 2 agents at 1.0 s, step 10\n", text)
    assert.matches("speed: 2 values in m/s: 1.5 1.5\nleast 1.5, mean 1.5, greatest 1.5\n", text)
    assert.matches("true\t2\n$", text)
  end)

  it("makes worlds of its own", function()
    local text = printed("step()\nworld = throng.world { threads = 1 }\nworld:spawn { at = { { 1, 1 } } }\n"
      .. "step(3)\n", true)
    assert.matches("^there is no world yet: world = throng.world {}", text)
    assert.matches("world of 1 agents at 0.3 s, step 3\n$", text)
  end)

  it("goes on after errors", function()
    local text, status = printed "guests.sped\nerror 'mine'\nx = 1 +* 2\nstep(100)\nstep 'x'\nio.open 'x'\n3\n"
    assert.matches("line:1: group: unknown field 'sped', did you mean 'speed'%?", text)
    assert.matches("line:1: mine\nline:1: unexpected symbol near '%*'\n", text)
    assert.matches("late\n  in a world:on_step callback, step 51 %(5.1 s%)", text)
    assert.matches("step: expected a number of steps\n", text)
    assert.matches("attempt to index a nil value %(global 'io'%)", text)
    assert.matches("\n3\n$", text)
    assert.equal(1, status)
  end)

  it("fails at the end when a line from a pipe did", function()
    for _, line in ipairs { "error 'mine'", "1 +* 2", "f(", "setmetatable({}, { __tostring = error })" } do
      assert.equal(1, (select(2, printed(line .. "\n2\n", true))), line)
    end
    assert.equal(0, (select(2, printed("pcall(error, 'mine')\n", true))))
  end)

  it("prints to stdout, as it does values", function()
    local room, input = files "print(1)\n2\n"
    assert.equal("1\n2\n", host.done(("%s repl <%s 2>/dev/null"):format(THRONG, input)))
    assert.equal("", host.done(("%s repl %s <%s 2>&1 >/dev/null"):format(THRONG, room, input)))
  end)

  it("reads on where a line is not complete", function()
    assert.equal("3\n6\n", (printed("1 +\n2\ns = 0\nfor i = 1, 3 do\n  s = s + i\nend\ns\n", true)))
    assert.matches("<eof>", (printed("f(\n", true)))
  end)

  it("helps", function()
    assert.matches("step%(100%)", (printed("help\n", true)))
    assert.equal(printed("help\n", true), printed("help()\n", true))
    assert.matches("Applies a force to its centre of mass", (printed('help "body:push"\n', true)))
    assert.matches("nothing named 'spwan', did you mean 'spawn'%?", (printed('help "spwan"\n', true)))
  end)

  it("stops a line that does not come back, by the limit and by Ctrl-C", function()
    local text = printed("while true do end\n5\n", true, "--instructions 1000000 --deadline 0")
    assert.matches("^line:1: stopped after %d+ instructions.-\n5\n$", text)
    local _, input = files "print 'begun'\nwhile true do pcall(function() while true do end end) end\n6\n"
    local log = os.tmpname()
    finally(function() os.remove(log) end)
    local command = "env --default-signal=INT " .. THRONG
      .. " repl --instructions 1000000000000000 --deadline 0 <%s >%s 2>&1 & echo $!"
    local pipe = io.popen(command:format(input, log))
    local pid = pipe:read "n"
    pipe:close()
    finally(function() os.execute(("kill -9 %d 2>/dev/null"):format(pid)) end)
    for _ = 1, 400 do
      local file = io.open(log)
      text = file:read "a"
      file:close()
      if text:find "6\n$" then break end
      if text:find "begun" then os.execute("kill -INT " .. pid) end
      os.execute "sleep 0.05"
    end
    assert.equal("begun\nline:1: interrupted\n6\n", text)
  end)

  it("completes names on a terminal", function()
    needs.terminal(pending)
    local room = files ""
    local line = "gue\\t.spee\\t:mea\\t()\\nthr\\t.or\\t{}\\n\\004"
    local command = "(sleep 1; printf '%s'; sleep 1) | timeout 20 script -qc '" .. THRONG .. " repl %s' /dev/null"
    local pipe = assert(io.popen(command:format(line, room)))
    local text = pipe:read "a"
    pipe:close()
    assert.matches("\n1\r\n", text)
    assert.matches("throng.orca\r\n", text)
  end)

  it("refuses a scenario that cannot be loaded", function()
    local pipe = io.popen(THRONG .. " repl scenarios/nowhere.lua 2>&1 </dev/null")
    assert.matches("^throng repl: cannot open the scenario", pipe:read "a")
    assert.equal(2, select(3, pipe:close()))
  end)
end)
