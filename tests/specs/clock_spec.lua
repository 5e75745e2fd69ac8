-- Clocks of the day are set while throng runs: by a year, forth and back, each time that somebody looks. Nothing hangs,
-- ends early or changes.
local command = dofile "tests/specs/command.lua"

local CLOCK = [[
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sys/time.h>
#include <time.h>
int clock_gettime(clockid_t clock, struct timespec *t)
{
    static int looks;
    int code = ((int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime"))(clock, t);
    if (clock == CLOCK_REALTIME)
        t->tv_sec += (looks++ % 3 - 1) * 365L * 86400;
    return code;
}
int gettimeofday(struct timeval *t, void *unused)
{
    struct timespec now;
    int code = clock_gettime(CLOCK_REALTIME, &now);
    *t = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
    return (void)unused, code;
}
time_t time(time_t *t)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return t ? *t = now.tv_sec : now.tv_sec;
}
]]

local SCENARIO = [[
local throng = require "throng"
local p = throng.params { width = 1.2 }
local world = throng.world { seed = 3, seconds = 1, until_done = false }
world:spawn({ count = 30, where = throng.box(1, 1, 9, 9), radius = 0.2 * p.width }):go_to { 18, 5 }
return world]]

local STUDY = [[
return require "throng".study {
  scenario = "walk.lua", factors = { width = { 1, 1.2 } }, runs = 2, measure = { "mean_travel" },
}]]

local COMMANDS = {
  ["run walk.lua --out out --report"] = 0,
  ["run endless.lua --out none --deadline 0.01"] = 2,
  ["test a_spec.lua b_spec.lua --jobs 2"] = 0,
  ["study study.lua --jobs 2 --out study.sqlite"] = 0,
}
if command.has_windows() then
  COMMANDS["view walk.lua --frames 5"] = 0
  COMMANDS["edit map.xml --frames 5"] = 0
end

describe("a clock that is set", function()
  local folder, set

  setup(function()
    folder = io.popen("mktemp -d"):read "l"
    command.write(folder .. "/walk.lua", SCENARIO)
    command.write(folder .. "/endless.lua", "while true do end")
    command.write(folder .. "/study.lua", STUDY)
    for _, name in ipairs { "a", "b" } do
      command.write(("%s/%s_spec.lua"):format(folder, name), 'it("works", function() end)')
    end
    command.write(folder .. "/clock.c", CLOCK)
    command.done(("cd %s && gcc -shared -fPIC -o clock.so clock.c"):format(folder))
    set = ("cd %s && SDL_VIDEODRIVER=dummy ASAN_OPTIONS=verify_asan_link_order=0"):format(folder)
      .. " LD_PRELOAD=$PWD/clock.so timeout -s KILL 60 " .. command.THRONG .. " "
  end)

  teardown(function() os.execute("rm -rf '" .. folder .. "'") end)

  for what, expected in pairs(COMMANDS) do
    it("does not matter: throng " .. what, function()
      local code, out, err = command.shell(set .. what)
      assert.equal(expected, code, out .. err)
      if expected == 2 then command.has(err, "endless.lua:1", "stopped after 0.1 s") end
    end)
  end

  it("leaves the bits of a run as they are", function()
    local here, there = command.done(set .. "run walk.lua --out none --json"),
      command.done(("cd %s && %s run walk.lua --out none --json"):format(folder, command.THRONG))
    assert.equal(there:match '"hash": "%x+"', here:match '"hash": "%x+"')
    assert.is_truthy(here:match '"hash": "%x+"')
  end)
end)
