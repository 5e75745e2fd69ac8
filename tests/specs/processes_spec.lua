-- Where the system gives few threads and processes (ulimit -u), or open files (ulimit -n): what fewer can do is done,
-- all else is refused by a line that says why. tests/unit/test_threads.c has the parts.
local command = dofile "tests/specs/command.lua"
local needs = dofile "tests/specs/needs.lua"

local SCENARIO = [[
local throng = require "throng"
local p = throng.params { width = 1.2, threads = 0 }
local world = throng.world { seed = 3, seconds = 1, until_done = false, backend = "cpu",
  threads = p.threads > 0 and p.threads or nil, map = throng.map { boundary = throng.box(0, 0, 20, 10) } }
world:spawn({ count = 30, where = throng.box(1, 1, 9, 9), radius = 0.2 * p.width }):go_to { 18, 5 }
return world]]

local STUDY = [[
return require "throng".study {
  scenario = "walk.lua", factors = { width = { 1, 1.2 } }, runs = 2, measure = { "mean_travel" },
}]]

local TEST = 'it("works", function() end)'

local COMMANDS = {
  "run walk.lua --out out --json",
  "run walk.lua --out none --json",
  "run walk.lua --out none --set threads=4",
  "run walk.lua --out none --seconds 0.2 --film film",
  "test a_spec.lua b_spec.lua --jobs 2",
  "study study.lua --jobs 2 --out study.sqlite",
}
if command.has_windows() then
  COMMANDS[#COMMANDS + 1] = "view walk.lua --frames 3"
  COMMANDS[#COMMANDS + 1] = "edit map.xml --frames 3"
end

describe("a limit of threads and processes", function()
  local folder

  setup(function()
    folder = io.popen("mktemp -d"):read "l"
    command.write(folder .. "/walk.lua", SCENARIO)
    command.write(folder .. "/study.lua", STUDY)
    for _, name in ipairs { "a", "b" } do command.write(("%s/%s_spec.lua"):format(folder, name), TEST) end
  end)

  teardown(function() os.execute("rm -rf '" .. folder .. "'") end)

  for _, what in ipairs(COMMANDS) do
    it("is told, or does not matter: throng " .. what, function()
      local limited = needs.limit_of_processes(pending)
      local done
      for _, most in ipairs { 1, 2, 3, 4, 6, 9, 14, 1000 } do -- the last is enough for every processor
        local here = ("%s/%d"):format(folder, most)
        os.execute(("mkdir -p %s && cp %s/*.lua %s && chmod -R a+rwX %s"):format(here, folder, here, folder))
        local code, out, err = command.shell(("cd %s && SDL_VIDEODRIVER=dummy timeout -s KILL 60 %s %s %s"):format(here,
          limited:format(most), command.THRONG, what))
        local said = ("at most %d: code %d\n%s%s"):format(most, code, out, err)
        assert.is_true(code >= 0 and code <= 2, said)
        assert.is_nil((out .. err):find "%[throng%]", said)
        local why = said:find("ulimit -u", 1, true) or said:find("fewer --jobs", 1, true)
        assert.is_true(code == 0 or why ~= nil, said)
        done = done or code == 0 and most or nil
        assert.is_true(done == nil or code == 0, said) -- more are never worse
        os.execute("rm -rf " .. here)
      end
      assert.is_truthy(done, what)
    end)
  end
end)

describe("a limit of open files", function()
  for _, what in ipairs { "run walk.lua --out out --report", "run walk.lua --out none --seconds 0.2 --film film",
    "study study.lua --jobs 2 --out study.sqlite", "test a_spec.lua b_spec.lua --jobs 2" } do
    it("is told, or does not matter: throng " .. what, function()
      local folder = io.popen("mktemp -d"):read "l"
      finally(function() os.execute("rm -rf '" .. folder .. "'") end)
      command.write(folder .. "/walk.lua", SCENARIO)
      command.write(folder .. "/study.lua", STUDY)
      for _, name in ipairs { "a", "b" } do command.write(("%s/%s_spec.lua"):format(folder, name), TEST) end
      local done
      for _, most in ipairs { 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 16, 18, 20, 24, 1000 } do -- enough for all
        local line = "cd %s && (ulimit -n %d && ASAN_OPTIONS=detect_leaks=0 timeout -s KILL 60 %s %s)"
        -- to look for leaks takes a file
        local code, out, err = command.shell(line:format(folder, most, command.THRONG, what))
        local said = ("at most %d: code %d\n%s%s"):format(most, code, out, err)
        local loaded = not said:find "Error 24" -- the linker's: what is open here is open there, too
        assert.is_true(not loaded or code == 0 or code == 2, said)
        assert.is_true(not loaded or code == 0 or said:find("ulimit -n", 1, true) ~= nil, said)
        done = done or code == 0
        assert.is_true(not done or code == 0, said) -- more are never worse
      end
      assert.is_true(done, what)
    end)
  end
end)
