-- throng run --watch: files that are edited while they run. What goes on and what starts over is in unit/test_live.c.
local host = dofile "tests/specs/command.lua"
local write, THRONG = host.write, host.THRONG

local function read(path)
  local file = io.open(path)
  if not file then return "" end
  local text = file:read "a"
  file:close()
  return text
end

local function command(line)
  local pipe = assert(io.popen(line))
  local text = pipe:read "a"
  pipe:close()
  return (text:gsub("%s+$", ""))
end

-- A run of the scenario that is watched: waits for what it says, and ends with the test.
local function watched(text, options)
  local folder = command "mktemp -d"
  local path, log = folder .. "/room.lua", folder .. "/log"
  write(path, text)
  local pid = command(("timeout 120 %s run --watch %s %s >%s 2>&1 & echo $!"):format(THRONG, path,
    options or "--out none", log))
  finally(function() os.execute(("kill %s 2>/dev/null; rm -r %s"):format(pid, folder)) end)
  local run = { folder = folder, path = path }
  function run.log() return read(log) end

  function run.waits_for(pattern)
    for _ = 1, 400 do
      local found = read(log):match(pattern)
      if found then return found end
      os.execute "sleep 0.05"
    end
    error(("'%s' did not come in:\n%s"):format(pattern, read(log)), 2)
  end

  function run.interrupt() os.execute("kill -INT " .. pid) end
  return run
end

local ROOM = [[
local throng = require "throng"
local world = throng.world { threads = 1, seconds = 1e8, until_done = false, record = false }
local guests = world:spawn { name = "guests", at = { { 2, 2 }, { 2, 9 } }, speed = %s }
guests:go_to { 9e5, 5 }
local said = false
world:on_step(function()
  if not said and world.steps > 50 then print("speed", %s) end
  said = said or world.steps > 50
end)
return world
]]

local function room(speed, shown) return ROOM:format(speed, shown or "guests.speed[1]") end

describe("a run that is watched", function()
  it("goes on with what was saved, in a few milliseconds", function()
    local run = watched(room(1))
    run.waits_for "speed\t1.0\n"
    write(run.path, room(1.5))
    run.waits_for "speed\t1.5\n"
    local ms, time = run.log():match "room reloaded in ([%d.]+) ms: 2 agents go on at (%S+) s\n"
    assert.is_true(tonumber(ms) > 0 and tonumber(time) > 5)
  end)

  it("keeps people and bodies on their floors, belts and lifts as they run, unless a flight is another", function()
    local text = [[
local throng = require "throng"
local hall = throng.box(0, 0, 20, 10)
local map = throng.building {
  floors = { ground = { z = 0, boundary = hall }, first = { z = 3, boundary = hall } },
  stairs = { { from = "ground", to = "first", foot = { 8, 8 }, head = { 14, 8 }, climb = %s } },
  escalators = { { name = "up", from = "ground", to = "first", foot = { 8, 3 }, head = { 14, 3 } } },
  lifts = { { name = "a", at = { 18, 3 }, back = { 18, 1 }, width = 2 } },
}
local world = throng.world { map = map, threads = 1, seconds = 1e8, until_done = false, record = false }
local guests = world:spawn { name = "guests", at = { { 3, 3 }, { 3, 3, floor = "first" } }, speed = %s }
local said, up = false, world.map:flight "up"
local crate = world:body { box = { 1, 1 }, at = { 5, 8 } }
%s
world:on_step(function()
  if not said and world.steps > 50 then
    print("speed", guests.speed[1], guests.floor[1], guests.floor[2], up.direction, world.lifts.a.is_running)
    print("crate", crate.floor, crate.x)
  end
  said = said or world.steps > 50
end)
return world
]]
    local run = watched(text:format(0.5, 1,
      "world:at(0.1, function() up:reverse() world.lifts.a:stop() crate.floor, crate.x = 'first', 6 end)"))
    run.waits_for "speed\t1.0\tground\tfirst\tdown\tfalse\n"
    write(run.path, text:format(0.5, 1.5, ""))
    run.waits_for "speed\t1.5\tground\tfirst\tdown\tfalse\ncrate\tfirst\t6.0\n"
    run.waits_for "2 agents go on at"
    -- with another body: a world of its own, to which bodies are moved one by one
    write(run.path, text:format(0.5, 1.75, "world:body { circle = 0.2, at = { 18, 8 } }"))
    run.waits_for "speed\t1.75\tground\tfirst\tdown\tfalse\ncrate\tfirst\t6.0\n"
    write(run.path, text:format(0.7, 1.25, ""))
    run.waits_for "the map"
    run.waits_for "speed\t1.25\tground\tfirst\tup\ttrue\n"
  end)

  it("leaves agents on the way that they were sent, whatever their columns say now", function()
    local text = [[
local throng = require "throng"
local map = throng.map { boundary = throng.box(0, 0, 40, 10), walls = { throng.box(20, 0, 21, 8) } }
local world = throng.world { map = map, threads = 1, seconds = 1e8, until_done = false, record = false }
local guests = world:spawn { name = "guests", at = { { 2, 2 } }, speed = %s }
world:at(0.2, function() -- what this writes counts from when they are sent again; then the two would not go together
  guests:go_to(throng.box(37, 4, 38, 6))
  guests.congestion, guests.routing = true, "field"
end)
local said = false
world:on_step(function()
  if not said and world.steps > 50 then print("speed", guests.speed[1], guests.routing[1]) end
  said = said or world.steps > 50
end)
return world
]]
    local run = watched(text:format(1))
    run.waits_for "speed\t1.0\tfield\n"
    write(run.path, text:format(1.5))
    run.waits_for "speed\t1.5\tfield\n"
  end)

  it("keeps what runs when there is a mistake, and takes in the next save", function()
    local run = watched(room(1))
    run.waits_for "speed\t1.0\n"
    write(run.path, "local throng = require 'throng'\nreturn throng.wrld {}\n")
    run.waits_for "not loaded, what ran before goes on: %S+/room.lua:2: "
    write(run.path, room(2))
    run.waits_for "room reloaded in [%d.]+ ms: 2 agents go on at"
    run.waits_for "speed\t2.0\n"
  end)

  it("stands where a callback failed until that is mended", function()
    local run = watched(room(1, "nothing.at_all"))
    run.waits_for "room.lua:7: attempt to index a nil value %(global 'nothing'%)"
    run.waits_for "in a world:on_step callback, step 51"
    run.waits_for "the run stands at 5.1 s until a file is saved"
    write(run.path, room(1, "'mended'"))
    run.waits_for "2 agents go on at 5.1 s\n.*speed\tmended\n"
  end)

  it("watches what is required, and that with a mistake in it", function()
    local run = watched(room(1))
    run.waits_for "speed\t1.0\n"
    write(run.path, "local speed = require 'part'\n" .. room "speed")
    run.waits_for "there is no module 'part'"
    write(run.folder .. "/part.lua", "return 1.25")
    run.waits_for "speed\t1.25\n"
    write(run.folder .. "/part.lua", "return {")
    run.waits_for "not loaded, what ran before goes on: %S+/part.lua:1: "
    write(run.folder .. "/part.lua", "return 1.75")
    run.waits_for "speed\t1.75\n"
  end)

  it("starts again after its end, and writes its files each time", function()
    local short = room(1):gsub("1e8", "6"):gsub("record = false", "record = { every = 1 }")
    local run = watched(short, "--out " .. command "mktemp -d")
    run.waits_for "the time was up after 6.0 s.*watching %S+room.lua: the run starts again when a file is saved"
    write(run.path, (short:gsub("seconds = 6", "seconds = 7")))
    run.waits_for "reloaded in [%d.]+ ms: the run starts over, with 2 agents\n.*the time was up after 7.0 s"
    local _, written = run.log():gsub("wrote        %S+trajectory.sqlite", "")
    assert.equal(2, written)
  end)

  it("ends with its summary on Ctrl-C", function()
    local run = watched(room(1))
    run.waits_for "speed"
    run.interrupt()
    run.waits_for "interrupted after [%d.]+ s"
  end)
end)
