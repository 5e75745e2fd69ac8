-- Fuzzes the windows: throng view, replay and edit, each under a user without sense (windows.c), whose every doing
-- comes of a number. Run by this very executable, built with sanitizers or not, beside which fuzz/windows lies:
--   FUZZ_SECONDS=60 build/sanitize/throng test --deadline 0 tests/fuzz/windows_spec.lua
-- FUZZ_SECONDS (10); FUZZ_SEED (1): the first number; FUZZ_COUNT: so many, whatever that takes; FUZZ_OUT: a folder,
-- build/fuzz/windows, in which the folder of each run that went wrong stays, with what it said.
local command = dofile "tests/specs/command.lua"

local function setting(name, otherwise) return tonumber(os.getenv("FUZZ_" .. name)) or otherwise end

local WINDOWS = command.THRONG:gsub("throng$", "fuzz/windows")
local OUT = os.getenv "FUZZ_OUT" or "build/fuzz/windows"
local FRAMES, PATIENCE = 150, 240 -- of a run; s
local HERE = io.popen("pwd"):read "l"

local ENVIRONMENT = "SDL_VIDEODRIVER=dummy ASAN_OPTIONS=allocator_may_return_null=1:detect_leaks=1 "
  .. "UBSAN_OPTIONS=print_stacktrace=1 "

local SHOWN = {}
for _, name in ipairs { "lifts", "tower", "museum", "smoke", "player", "two_doors", "ticket_office", "zombies", "panic",
  "patience", "company", "learning" } do
  SHOWN[#SHOWN + 1] = ("view %s/scenarios/%s.lua --deadline 5"):format(HERE, name)
end
for _, name in ipairs { "museum.xml", "office.tmx", "warehouse.yaml", "new.xml" } do
  SHOWN[#SHOWN + 1] = ("edit %s"):format(name)
  SHOWN[#SHOWN + 1] = ("edit %s --underlay plan.png --scale 2"):format(name)
end
for _, name in ipairs { "lifts", "smoke" } do SHOWN[#SHOWN + 1] = ("replay ../%s"):format(name) end

-- What may be dropped, and maps to change.
local FILES = [[
  cp %s/maps/museum.xml %s/maps/office.tmx %s/maps/warehouse.* . && cp warehouse.png plan.png && cp museum.xml plan.xml
  head -c 3000 plan.png >torn.png; printf 'P6 30000 30000 255\n' >huge.ppm; mkfifo fifo; echo 'return 1' >scenario.lua]]

local function prepare()
  os.execute("mkdir -p " .. OUT)
  for _, name in ipairs { "lifts", "smoke" } do
    command.done(("%s run scenarios/%s.lua --steps 60 --out %s/%s"):format(command.THRONG, name, OUT, name))
  end
end

-- What went wrong with a number; nil: nothing did.
local function run(seed)
  local folder = ("%s/%d"):format(OUT, seed)
  local shown = SHOWN[seed % #SHOWN + 1]
  command.done(("rm -rf %s && mkdir %s && cd %s && %s"):format(folder, folder, folder, FILES:gsub("%%s", HERE)))
  local code, out, err = command.shell(("cd %s && %s timeout -s KILL %d %s %d %d %s"):format(folder, ENVIRONMENT,
    PATIENCE, WINDOWS, seed, FRAMES, shown))
  local said = out .. err
  if code == 0 and not said:find "runtime error" and not said:find "Sanitizer" then
    os.execute("rm -rf " .. folder)
    return
  end
  command.write(folder .. "/said.txt", said)
  local what = said:match "SUMMARY: [^\n]*" or said:match "[^\n]*runtime error[^\n]*" or said:match "([^\n]*)\n*$"
  return ("%d: code %d, %s\n    (cd %s && SDL_VIDEODRIVER=dummy %s %d %d %s)"):format(seed, code, what, folder, WINDOWS,
    seed, FRAMES, shown)
end

describe("the windows", function()
  it("hold against whatever a user does", function()
    if not io.open(WINDOWS) then pending("make fuzz-windows builds " .. WINDOWS) end
    prepare()
    local began, seed, found = os.time(), setting("SEED", 1), {}
    local first, count, seconds = seed, setting "COUNT", setting("SECONDS", 10)
    while count and seed < first + count or not count and os.time() - began < seconds do
      found[#found + 1] = run(seed)
      seed = seed + 1
    end
    io.stderr:write(("fuzz: windows: %d runs in %d s, %d findings\n"):format(seed - first, os.time() - began, #found))
    assert.equal("", table.concat(found, "\n"))
  end)
end)
