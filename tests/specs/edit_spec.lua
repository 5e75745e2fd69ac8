-- throng edit as far as words go; tests/unit/test_editor.c draws with it, tests/unit/test_edit.c tests its document.
local command = dofile "tests/specs/command.lua"
local throng, refuses = command.window "edit"

describe("throng edit", function()
  it("needs a map", function()
    refuses("", "which map?", ".xml")
    refuses("--width 3 x.xml", "--width must be")
  end)

  if not command.has_windows() then
    pending "no SDL2: the map maker was not built"
    return
  end

  it("refuses what is no map", function()
    refuses("no-such.tmx --frames 1", "no-such.tmx")
    refuses("README.md --frames 1", "README.md")
    refuses("x.xml --do 'key:F scribble:2'", "'scribble:2' is not an action", "type:TEXT")
  end)

  it("refuses files of its own kind that are wrong, by line", function()
    local folder = io.popen("mktemp -d"):read "l"
    local file = assert(io.open(folder .. "/bad.xml", "w"))
    file:write '<map>\n<face><point x="0" y="zero"/></face></map>'
    file:close()
    refuses(folder .. "/bad.xml --frames 1", "bad.xml:2:", "<point>")
    os.execute("rm -r " .. folder)
  end)

  it("ends by a signal with the code of that, and keeps what was not saved", function()
    local folder = io.popen("mktemp -d"):read "l"
    finally(function() os.execute("rm -r " .. folder) end)
    for signal, code in pairs { TERM = 143, INT = 130, HUP = 129 } do
      local map = folder .. "/" .. signal
      local ended = select(3, os.execute(("cd %s && { SDL_VIDEODRIVER=dummy env --default-signal=%s %s edit %s.xml"
        .. " --do 'key:F click:200,200 click:500,200 click:500,500 key:Return wait:1000000' >log 2>&1 & pid=$!;"
        .. " for i in $(seq 400); do test -s %s.autosave.xml && break; sleep 0.05; done;"
        .. " kill -%s $pid; (sleep 30; kill -KILL $pid) 2>/dev/null & late=$!; wait $pid; code=$?;"
        .. " kill $late 2>/dev/null; exit $code; }"):format(folder, signal, command.THRONG, map, map, signal)))
      assert.equal(code, ended, command.read(folder .. "/log"))
      assert.matches("<face", command.read(map .. ".autosave.xml"))
    end
  end)

  it("opens the maps that come with throng, and writes nothing unasked", function()
    for _, map in ipairs { "maps/office.tmx", "maps/willow.yaml", "maps/museum.xml" } do
      local code, text = throng(("edit %s --frames 2"):format(map))
      assert.equal(0, code, text)
      assert.is_true(map:find "xml" ~= nil or io.open((map:gsub("%.%a+$", ".xml"))) == nil)
      assert.is_nil(io.open((map:gsub("%.%a+$", ".autosave.xml"))))
    end
  end)
end)
