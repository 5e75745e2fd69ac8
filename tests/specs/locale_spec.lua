-- Numbers are read and written in the same way whatever the user's locale is.
local host = dofile "tests/specs/command.lua"
local needs = dofile "tests/specs/needs.lua"

local SCENARIO = [[
print(1.5, tonumber "2.5", ("%.2f"):format(3.25))
local throng = require "throng"
return throng.load(throng.params { scenario = "" }.scenario)
]]

describe("a locale with a decimal comma", function()
  local scratch

  before_each(function() scratch = io.popen("mktemp -d"):read "l" end)

  after_each(function() os.execute("rm -rf '" .. scratch .. "'") end)

  -- What a run says and leaves, but for how long it took.
  local function run(locale)
    local folder = scratch .. "/out"
    local command = ("%s %s run --json --seconds 1.5 --set scenario=scenarios/evacuation.lua --out %s %s/walk.lua")
      :format(locale, host.THRONG, folder, scratch)
    local code, out, err = host.shell(command)
    assert.equal(0, code, err)
    local left = { printed = err:match "[^\n]*" }
    left.out = out:gsub('"wall": [%d.]+', ""):gsub('"ms_per_step": [%d.]+', "")
    for _, name in ipairs { "walk.png", "trajectory.sqlite" } do left[name] = host.read(scratch .. "/out/" .. name) end
    command = "%s %s map maps/office.tmx --radius 0.3 --write %s/office.wkt"
    code, out, err = host.shell(command:format(locale, host.THRONG, scratch))
    assert.equal(0, code, err)
    left.map = out:gsub("[%d.]+ s%f[%W]", "")
    left.wkt = host.read(scratch .. "/office.wkt")
    return left
  end

  it("changes no number that is read or written", function()
    local folder = needs.comma(pending, scratch)
    host.write(scratch .. "/walk.lua", SCENARIO)
    local expected = run "LC_ALL=C"
    assert.equal("1.5\t2.5\t3.25", expected.printed)
    for name, text in pairs(run(("LOCPATH='%s' LC_ALL=comma"):format(folder))) do
      assert.is_true(text == expected[name], name .. " is another one")
    end
  end)

  it("is refused when a script asks for it", function()
    assert.equal("C", os.setlocale())
    assert.equal("C", os.setlocale "C")
    assert.error_matches(function() os.setlocale "" end, 'os.setlocale: the locale stays "C"', 1, true)
  end)
end)
