-- throng edit as far as words go; tests/unit/test_editor.c draws with it, tests/unit/test_edit.c tests its document.
local THRONG = io.popen("readlink /proc/$PPID/exe"):read "l"
local windows = io.open((THRONG:gsub("throng$", "throng-view.so")))

-- Runs throng; exit code and everything said.
local function throng(arguments)
  local file = io.popen(("SDL_VIDEODRIVER=dummy %s %s 2>&1 </dev/null"):format(THRONG, arguments))
  local text = file:read "a"
  return select(3, file:close()) or 0, text
end

-- Fails with code 2 and says each of these.
local function refuses(arguments, ...)
  local code, text = throng("edit " .. arguments)
  assert.equal(2, code, text)
  for _, part in ipairs { ... } do
    if not text:find(part, 1, true) then error(("expected '%s' in:\n%s"):format(part, text), 2) end
  end
end

describe("throng edit", function()
  it("needs a map", function()
    refuses("", "which map?", ".xml")
    refuses("--width 3 x.xml", "--width must be")
  end)

  if not windows then
    pending "the map maker is not built here, for want of SDL2"
    return
  end
  windows:close()

  it("refuses what is no map", function()
    refuses("no-such.tmx --frames 1", "no-such.tmx")
    refuses("README.md --frames 1", "README.md")
    refuses("x.xml --do 'key:F scribble:2'", "'scribble:2' is no action", "type:TEXT")
  end)

  it("refuses files of its own kind that are wrong, by line", function()
    local folder = io.popen("mktemp -d"):read "l"
    local file = assert(io.open(folder .. "/bad.xml", "w"))
    file:write '<map>\n<face><point x="0" y="zero"/></face></map>'
    file:close()
    refuses(folder .. "/bad.xml --frames 1", "bad.xml:2:", "<point>")
    os.execute("rm -r " .. folder)
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
