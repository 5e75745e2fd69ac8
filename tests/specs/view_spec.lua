-- throng view as far as words go; tests/unit/test_view.c looks at its pictures.
local command = dofile "tests/specs/command.lua"
local throng, refuses = command.window "view"
local THRONG = command.THRONG

describe("throng view", function()
  it("needs a scenario", function()
    refuses("", "which scenario?")
    refuses("--frames -1 x.lua", "--frames must be")
  end)

  it("is all that loads SDL2", function()
    local libraries = io.popen("ldd " .. THRONG):read "a"
    assert.is_truthy(libraries:find("libc.so", 1, true))
    assert.is_nil(libraries:find "SDL")
  end)

  it("says what is missing where it was not built", function()
    local folder = io.popen("mktemp -d"):read "l"
    os.execute(("cp %s %s/throng"):format(THRONG, folder))
    local file = io.popen(("%s/throng view scenarios/circle.lua 2>&1"):format(folder))
    local text = file:read "a"
    assert.equal(2, select(3, file:close()))
    os.execute("rm -r " .. folder)
    assert.is_truthy(text:find("install libsdl2", 1, true), text)
  end)

  if not command.has_windows() then
    pending "no SDL2: the viewer was not built"
    return
  end

  it("refuses what it cannot show or do", function()
    refuses("no-such.lua", "cannot open the scenario 'no-such.lua'")
    local folder = select(2, command.shell "mktemp -d"):gsub("%s", "")
    finally(function() os.execute("rm -r " .. folder) end)
    command.write(folder .. "/boo.lua", 'error "boo"\n')
    local _, text = throng(("view %s/boo.lua --screenshot %s/a.png"):format(folder, folder))
    assert.matches("boo.lua:1: boo\nstack:\n", text)
    refuses("scenarios/circle.lua --colour hue", "there is no column 'hue'", "walking", "radius")
    refuses("scenarios/circle.lua --do 'key:C jump:2'", "'jump:2' is not an action", "click:X,Y")
    refuses("scenarios/circle.lua --do click:2", "'click:2' is not an action")
    refuses("scenarios/circle.lua --screenshot no-such-folder/x.png", "no-such-folder/x.png")
  end)

  it("colours by columns of the script's own, as they are and as they were recorded", function()
    local folder = select(2, command.shell "mktemp -d"):gsub("%s", "")
    finally(function() os.execute("rm -r " .. folder) end)
    assert.equal(0, (throng("run scenarios/patience.lua --seconds 20 --out " .. folder)))
    for _, shown in ipairs { "view scenarios/patience.lua", "replay " .. folder } do
      local code, text = throng(("%s --at 20 --colour patience --screenshot %s/a.png"):format(shown, folder))
      assert.equal(0, code, text)
      code, text = throng(("%s --at 20 --colour patiens --screenshot %s/a.png"):format(shown, folder))
      assert.equal(2, code)
      assert.matches("patience", text)
    end
  end)

  it("shows the shoulders of people as they were recorded", function()
    local folder = select(2, command.shell "mktemp -d"):gsub("%s", "")
    finally(function() os.execute("rm -r " .. folder) end)
    command.write(folder .. "/wide.lua", [[
      local throng = require "throng"
      local world = throng.world { record = { every = 0.5, format = "compact" }, until_done = false }
      world:spawn { at = { { 0, 0 }, { 1, 0 } }, body = throng.stadium { width = 0.9, depth = 0.3 } }
      return world]])
    assert.equal(0, (throng(("run %s/wide.lua --seconds 2 --out %s/run"):format(folder, folder))))
    local file, picture = folder .. "/a.sqlite", folder .. "/a.png"
    assert.equal(0, (throng(("convert %s/run %s"):format(folder, file))))
    local function shown(width)
      command.shell(("python3 -c \"import sqlite3; db = sqlite3.connect('%s'); "
        .. "db.execute('UPDATE trajectory_data SET width = %s'); db.commit()\""):format(file, width))
      local code, text = throng(("replay %s --at 1 --screenshot %s"):format(file, picture))
      return code, code == 0 and command.read(picture) or text
    end
    local _, wide = shown "width"
    local _, discs = shown "0"
    local _, again = shown "0.9"
    assert.is_true(wide == again)
    assert.is_false(wide == discs)
    local code, text = shown "1e9"
    assert.equal(2, code)
    assert.matches("agent 0 of frame 0 is 1e+09 m wide", text, 1, true)
  end)

  it("ends by a signal, with the code of that", function()
    local folder = io.popen("mktemp -d"):read "l"
    finally(function() os.execute("rm -r " .. folder) end)
    assert.equal(0, (command.throng("run scenarios/circle.lua --steps 5 --out " .. folder)))
    for _, shown in ipairs { "view scenarios/circle.lua", "replay " .. folder } do
      local code = select(3, os.execute(("{ SDL_VIDEODRIVER=dummy env --default-signal=TERM %s %s >/dev/null 2>&1 &"
        .. " pid=$!; sleep 1; kill -TERM $pid; (sleep 30; kill -KILL $pid) 2>/dev/null & late=$!; wait $pid; code=$?;"
        .. " kill $late 2>/dev/null; exit $code; }"):format(command.THRONG, shown)))
      assert.equal(143, code, shown)
    end
  end)

  it("replays recordings, and refuses what is none", function()
    local function replay(arguments, ...)
      local code, text = throng("replay " .. arguments)
      assert.equal(2, code, text)
      for _, part in ipairs { ... } do
        assert.is_truthy(text:find(part, 1, true), text)
      end
    end
    replay("", "which recording?")
    replay("no-such.throng", "no-such.throng: cannot be read: ")
    replay("README.md", "'README.md' is not a recording", ".throng, a JuPedSim SQLite file, or rows as a .txt or .csv")
    replay("scenarios", "the folder 'scenarios' holds no trajectory.throng")
  end)

  it("tells what frames cost", function()
    local code, text = throng "view scenarios/circle.lua --frames 3"
    assert.equal(0, code, text)
    assert.is_truthy(text:find "^3 frames of %d+ agents, [%d.]+ ms each, %d+ a second at most", text)
  end)
end)
