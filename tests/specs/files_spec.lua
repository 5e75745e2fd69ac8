-- What commands do with files that somebody else made, and with places where files cannot be made.
local command = dofile "tests/specs/command.lua"
local shell, THRONG = command.shell, command.THRONG

-- `throng arguments`, which must end by itself: code, stdout, stderr.
local function throng(arguments) return shell(("timeout -s KILL 60 %s %s"):format(THRONG, arguments)) end

local function folder()
  local _, path = shell "mktemp -d"
  path = path:gsub("%s", "")
  finally(function() shell("chmod -R u+rwx '" .. path .. "'; rm -rf '" .. path .. "'") end)
  return path
end

describe("a file that is none", function()
  it("is refused by every command, at once", function()
    local dir = folder()
    shell(("mkfifo '%s/pipe'"):format(dir))
    local scene = command.write(dir .. "/scene.lua", 'require("throng").map { file = "/dev/zero" }')
    local image = command.write(dir .. "/map.yaml", "image: /dev/zero\nresolution: 0.05\norigin: [0, 0, 0]\n")
    for _, case in ipairs {
      { "map /dev/zero", "/dev/zero: cannot be read: it is a device; give a regular file" },
      { "map " .. image, "/dev/zero: cannot be read: it is a device; give a regular file" },
      { "map " .. dir .. "/pipe", "/pipe: cannot be read: it is a pipe; give a regular file" },
      { "report " .. dir .. "/pipe", "/pipe: cannot be read: it is a pipe; give a regular file" },
      { "map " .. dir, ": cannot be read: it is a folder; give a regular file" },
      { "convert /dev/zero out.throng", "/dev/zero: cannot be read: it is a device; give a regular file" },
      { "paths maps/museum.xml /dev/zero", "/dev/zero: cannot be read: it is a device; give a regular file" },
      { "run --trust --out none " .. scene, "scene.lua:1: /dev/zero: cannot be read: it is a device; give" },
      { "run --out none " .. dir .. "/pipe", "it is not a file" },
    } do
      local code, _, err = throng(case[1])
      assert.equal(2, code, case[1] .. "\n" .. err)
      assert.is_truthy(err:find(case[2], 1, true), err)
    end
  end)
end)

describe("a PNG that is damaged", function()
  it("is refused, and not read as another plan", function()
    local plan, path = command.read "maps/warehouse.png", folder() .. "/plan.png"
    for _, case in ipairs {
      { plan:sub(1, 8265) .. string.char(plan:byte(8266) ~ 2) .. plan:sub(8267), "a checksum does not match" },
      { plan:sub(1, -13), "its end is missing" },
    } do
      local code, _, err = throng("map " .. command.write(path, case[1]))
      assert.equal(2, code)
      assert.is_truthy(err:find("plan.png: not an image that can be read (it is damaged: " .. case[2], 1, true), err)
    end
  end)
end)

describe("what a command reads", function()
  it("is not written over by what it makes of it", function()
    local dir = folder()
    local scene = command.write(dir .. "/scene.lua", [[
      local throng = require "throng"
      local world = throng.world { seconds = 0.2, threads = 1, map = throng.map { file = "plan.png", scale = 0.05 } }
      world:spawn { at = { { 2, 2 } } }:go_to { 3, 2 }
      return world]])
    command.write(dir .. "/rows.csv", "speed\n1.2\n1.4\n")
    command.write(dir .. "/building.lua", [[
      local throng = require "throng"
      throng.trajectory "out/trajectory.sqlite"
      local world = throng.world { seconds = 0.2, threads = 1, map = "museum.xml" }
      world:spawn { count = 2, speed = throng.empirical("rows.csv", "speed") }
      return world]])
    shell(("cp maps/warehouse.png '%s/plan.png'; cp maps/museum.xml '%s'"):format(dir, dir))
    command.done(("%s run %s --out %s/out"):format(THRONG, scene, dir))
    for _, case in ipairs {
      { "run %s/scene.lua --out none --png %s/scene.lua", "scene.lua" },
      { "run %s/scene.lua --out none --csv %s/scene.lua", "scene.lua" },
      { "run %s/scene.lua --out none --png %s/plan.png", "plan.png" },
      { "run %s/building.lua --out none --png %s/museum.xml", "museum.xml" },
      { "run %s/building.lua --out none --csv %s/rows.csv", "rows.csv" },
      { "run %s/building.lua --out none --csv %s/out/trajectory.sqlite", "out/trajectory.sqlite" },
      { "map %s/plan.png --png %s/plan.png", "plan.png" },
      { "map %s/museum.xml --png %s/museum.xml", "museum.xml" },
      { "paths %s/museum.xml --random 3 --csv %s/museum.xml", "museum.xml" },
      { "convert %s/out/trajectory.sqlite %s/out/trajectory.sqlite", "out/trajectory.sqlite" },
      { "report %s/out -o %s/out/trajectory.sqlite", "out/trajectory.sqlite" },
    } do
      local path = dir .. "/" .. case[2]
      local before = command.read(path)
      local code, _, err = throng(case[1]:format(dir, dir))
      assert.is_true(code ~= 0, case[1])
      local cure = ("cannot write '%s': it is what is read; name another file"):format(path)
      assert.is_truthy(err:find(cure, 1, true), case[1] .. "\n" .. err)
      assert.equal(before, command.read(path), case[1])
    end
  end)
end)

describe("two files that a command writes", function()
  it("are not the same", function()
    local dir = folder()
    command.write(dir .. "/scene.lua", [[
      local throng = require "throng"
      local world = throng.world { seconds = 0.2, threads = 1, record = { format = "compact" } }
      world:spawn { at = { { 2, 2 } } }:go_to { 3, 2 }
      return world]])
    command.write(dir .. "/study.lua", [[
      return throng.study { scenario = "scene.lua", runs = 1, measures = { "arrived" } }]])
    shell(("cd '%s' && touch same && ln -s same link"):format(dir))
    for _, case in ipairs {
      { "run %s/scene.lua --out %s/d1 --png %s/d1/trajectory.throng", "--png", "--out", "d1/trajectory.throng" },
      { "run %s/scene.lua --out %s/d1 --csv %s/d1/summary.json", "--csv", "--out", "d1/summary.json" },
      { "run %s/scene.lua --out %s/d1 --csv %s/d1/../d1/doors.csv", "--csv", "--out", "d1/doors.csv" },
      { "run %s/scene.lua --out none --png %s/same --csv %s/same", "--png", "--csv", "same" },
      { "run %s/scene.lua --out none --png %s/same --csv %s/link", "--png", "--csv", "link" },
      { "map maps/museum.xml --png %s/same.xml --write %s/same.xml", "--png", "--write", "same.xml" },
      { "study %s/study.lua --csv %s/same --curves %s/same", "--csv", "--curves", "same" },
      { "study %s/study.lua --out %s/same --csv %s/same", "--out", "--csv", "same" },
      { "bench orca --csv %s/same --png %s/same", "--csv", "--png", "same" },
    } do
      local code, _, err = throng(case[1]:gsub("%%s", dir))
      assert.equal(2, code, case[1] .. "\n" .. err)
      local text = ("%s and %s would both write '%s/%s'; name another file for one of them"):format(case[2], case[3],
        dir, case[4])
      assert.is_truthy(err:find(text, 1, true), err)
    end
    local _, left = shell(("cd '%s' && ls . d1"):format(dir))
    assert.equal(".:\nd1\nlink\nsame\nscene.lua\nstudy.lua\n\nd1:\n", left)
  end)
end)

describe("a byte-order mark", function()
  it("is no part of a text", function()
    local dir, MARK = folder(), "\xEF\xBB\xBF"
    command.write(dir .. "/room.png", command.read "maps/warehouse.png")
    local GRID = "type octile\nheight 3\nwidth 4\nmap\n....\n....\n....\n"
    local plain = command.write(dir .. "/plain.map", GRID)
    for _, case in ipairs {
      { "a.txt", "# framerate: 10\n# id frame x/m y/m\n1 0 1 2\n1 1 1.1 2\n", "convert %s " .. dir .. "/out.sqlite" },
      { "a.csv", "id,frame,x,y,time\n1,0,1,2,0\n1,1,1.1,2,0.1\n", "convert %s " .. dir .. "/out.sqlite" },
      { "a.yaml", "image: room.png\nresolution: 0.05\norigin: [0, 0, 0]\n", "map %s" },
      { "a.map", GRID, "map %s" },
      { "a.wkt", "POLYGON ((0 0, 4 0, 4 3, 0 3, 0 0))\n", "map %s" },
      { "a.scen", "version 1\n0\tplain.map\t4\t3\t0\t0\t3\t0\t3\n", "paths " .. plain .. " %s" },
    } do
      for _, mark in ipairs { "", MARK } do
        local file = command.write(dir .. "/" .. case[1], mark .. case[2])
        local code, _, err = throng(case[3]:format(file))
        assert.equal(0, code, err)
      end
    end
  end)
end)

describe("a file that cannot be written", function()
  it("is not a picture by another name", function()
    local dir = folder()
    for _, arguments in ipairs {
      "run scenarios/circle.lua --steps 1 --out none --png %s",
      "map maps/museum.xml --png %s",
      "bench orca --png %s",
    } do
      local code, _, err = throng(arguments:format(dir .. "/a.jpg"))
      assert.equal(2, code, err)
      assert.is_truthy(err:find("a.jpg': pictures are PNGs; give a name that ends in .png", 1, true), err)
      assert.equal("", (select(2, shell(("ls '%s'"):format(dir)))))
    end
  end)

  it("is told of with a way out that every command has", function()
    local dir = folder()
    local rows = command.write(dir .. "/a.csv", "id,frame,x,y,time\n1,0,1,2,0\n1,1,1.1,2,0.1\n")
    for file, arguments in pairs {
      ["none/a.sqlite"] = "convert " .. rows .. " %s",
      ["none/a.wkt"] = "map maps/museum.xml --write %s",
      ["none/a.html"] = "report " .. rows .. " -o %s",
      ["none/a.png"] = "run scenarios/circle.lua --steps 1 --out none --png %s",
    } do
      local code, _, err = throng(arguments:format(dir .. "/" .. file))
      assert.equal(2, code, err)
      assert.is_truthy(err:find(file .. "': its folder does not exist; create it or name another\n", 1, true), err)
    end
  end)
end)

describe("a folder of results", function()
  local SCENE = [[
    local throng = require "throng"
    local recording = { every = 0.1, format = "%s" }
    local world = throng.world { seconds = 1e6, until_done = false, threads = 1, record = recording }
    world:spawn { at = { { 0, 0 } }, count = 1 }
    return world
  ]]

  -- Starts a run in the folder, and waits until it records; its process.
  local function started(dir, format)
    command.write(dir .. "/scene.lua", SCENE:format(format))
    local _, pid = shell(("%s run %s/scene.lua --out %s/out >%s/log 2>&1 & echo $!"):format(THRONG, dir, dir,
      dir))
    for _ = 1, 400 do
      if shell(("test -s %s/out/trajectory.*.part"):format(dir)) == 0 then break end
      os.execute "sleep 0.05"
    end
    return tonumber(pid)
  end

  for format, ending in pairs { sqlite = "sqlite", compact = "throng" } do
    it("is free again when its run was killed, with " .. format, function()
      local dir = folder()
      local pid = started(dir, format)
      shell(("kill -9 %d; while kill -0 %d 2>/dev/null; do sleep 0.05; done"):format(pid, pid))
      assert.equal(0, (shell(("ls %s/out | grep part"):format(dir))))
      if command.has_windows() then
        local code, _, err = throng(("replay %s/out --screenshot %s/a.png"):format(dir, dir))
        assert.equal(2, code)
        local text = ("the recording of a run that has not ended: give %s/out/trajectory.%s.part"):format(dir, ending)
        assert.is_truthy(err:find(text, 1, true), err)
      end
      local code, _, err = throng(("run %s/scene.lua --steps 5 --out %s/out"):format(dir, dir))
      assert.equal(0, code, err)
      assert.equal(1, (shell(("ls %s/out | grep part"):format(dir))))
    end)
  end
end)

describe("a stream that is closed", function()
  it("leaves what is printed out of the files of the run", function()
    local dir = folder()
    command.write(dir .. "/scene.lua", [[
      local world = require "throng".world { threads = 1, seconds = 1, record = { every = 0.1, format = "compact" } }
      world:spawn { at = { { 0, 0 } } }:go_to { 90, 0 }
      world:on_step(function() print "said by the script" end)
      return world]])
    for closed, wanted in pairs { ["2>&-"] = 0, [">&-"] = 2, ["<&- >&- 2>&-"] = 2 } do
      local line = "cd '%s' && rm -rf out && timeout -s KILL 60 %s run scene.lua --out out %s"
      assert.equal(wanted, (shell(line:format(dir, THRONG, closed))), closed)
      local summary = command.read(dir .. "/out/summary.json")
      assert.is_truthy(summary:find '^{"scenario": "scene",', summary:sub(1, 60))
      assert.is_nil(summary:find("said by", 1, true))
    end
  end)
end)

describe("a name", function()
  local SCENE = 'local world = require("throng").world {}\nworld:spawn { at = { { 0, 0 } }, count = 1 }\nreturn world\n'

  it("of a film is no option and no protocol of ffmpeg's", function()
    if shell "command -v ffmpeg" ~= 0 then pending "ffmpeg is not installed" end
    local dir = folder()
    command.write(dir .. "/scene.lua", SCENE)
    for _, name in ipairs { "-f.mp4", "pipe:1.mp4", "concat:a.mp4" } do
      local code, _, err = command.throng("run scene.lua --steps 3 --out none --film " .. name, dir)
      assert.equal(0, code, err)
      assert.equal("ftyp", command.read(dir .. "/" .. name):sub(5, 8))
    end
  end)

  it("of a scenario's file steers no terminal from the summary", function()
    local dir = folder()
    local path = command.write(dir .. "/a\27[31mb.lua", SCENE)
    local code, out, err = throng(("run --steps 3 --out none '%s'"):format(path))
    assert.equal(0, code, err)
    assert.is_truthy(out:find("a\\x1b[31mb: the time was up", 1, true), out)
    path = command.write(dir .. "/a\27[31mb.wkt", "POLYGON((0 0, 1 0, 1 1, 0 1, 0 0))")
    code, out = throng(("map '%s'"):format(path))
    assert.equal(0, code)
    assert.is_truthy(not out:find("\27", 1, true) and out:find("\\x1b[31m", 1, true), out)
  end)

  it("that a script gives holds no control characters", function()
    local throng = require "throng" -- luacheck: ignore
    local world <close> = throng.world { threads = 1 }
    local group = world:spawn { at = { { 0, 0 } } }
    for _, name in ipairs { "a\27[2J", "a\nb", "a\tb", "a\u{9b}b", "\127" } do
      local before = world:hash()
      for whose, call in pairs {
        ["a group"] = function() world:spawn { at = { { 2, 0 } }, name = name } end,
        ["a measure"] = function() world:measure { inside = throng.box(0, 0, 1, 1), name = name } end,
        ["a region of map"] = function()
          throng.map { boundary = throng.box(0, 0, 4, 4), regions = { [name] = throng.box(0, 0, 1, 1) } }
        end,
        ["a door of map"] = function()
          throng.map { boundary = throng.box(0, 0, 4, 4), doors = { [name] = { { 0, 0 }, { 0, 1 } } } }
        end,
      } do
        local message = assert.has_error(call)
        local wanted = whose .. " has a name with a line break or control character (0x"
        assert.is_truthy(tostring(message):find(wanted, 1, true), tostring(message))
      end
      assert.same_hash(before, world:hash())
    end
    assert.equal("agents", group.name)
  end)

  it("that a script gives has no zero byte in it, where C ends it, and is not cut", function()
    local api = require "throng"
    local world <close> = api.world { threads = 1 }
    local zero, plan = "a zero byte in it, after '", "maps/willow.yaml\0.tmx"
    for what, call in pairs {
      ["throng.map: field 'file' has " .. zero .. "maps/willow.yaml'"] = function() api.map { file = plan } end,
      ["throng.building: field 'file' has " .. zero] = function() api.building { file = plan } end,
      ["throng.load: the file's name has " .. zero] = function() api.load "scenarios/door.lua\0" end,
      ["throng.trajectory: the file's name has " .. zero] = function()
        api.trajectory "tests/data/trajectory.txt\0"
      end,
      ["world:smoke: the file's name has " .. zero] = function() world:smoke { file = "smoke.csv\0" } end,
      ["world:spawn: field 'name' has " .. zero] = function() world:spawn { name = "a\0b", at = { { 0, 0 } } } end,
      ["throng.load: the file's name is longer than 4095 bytes"] = function() api.load(("x"):rep(4096)) end,
      ["throng.map: the file's name is longer than"] = function() api.map { file = ("x"):rep(1 << 20) } end,
    } do
      local ok, message = pcall(call)
      assert.is_false(ok)
      assert.matches(what, message, 1, true)
    end
  end)

  it("steers no terminal from a message", function()
    local dir = folder()
    command.write(dir .. "/scene.lua", SCENE)
    local name = dir .. "/\27[31m\n\u{9b}2J\u{e9}"
    local code, out, err = throng(("run %s/scene.lua --steps 3 --out '%s'"):format(dir, name))
    assert.equal(0, code, err)
    assert.is_truthy(out:find(dir .. "/\\x1b[31m\\n\\x9b2J\u{e9}/summary.json\n", 1, true), out)
    for _, arguments in ipairs { "map '%s'", "replay '%s'", "bench '%s'", "'%s'", "run '%s'",
      "convert '%s' a.throng", "run --png '%s/a/b.png' --out none scenarios/circle.lua --steps 1" } do
      code, out, err = throng(arguments:format(name .. "-"))
      assert.equal(2, code, arguments)
      assert.is_nil((out .. err):find "[\1-\8\11-\31]", arguments .. "\n" .. err)
    end
  end)
end)

describe("a recording that somebody made", function()
  -- A compact recording: frames of { number, ids, xs }, in a room of 10 x 8 m.
  local function compact(fps, frames)
    local wkt = "POLYGON ((0 0, 10 0, 10 8, 0 8, 0 0))"
    local parts = { ("<c8dI4I4"):pack("throngT1", fps, #wkt, 0), wkt, ("\0"):rep(-#wkt % 4) }
    for n, frame in ipairs(frames) do
      local number, ids, xs = table.unpack(frame)
      parts[#parts + 1] = ("<c4i4i4i4"):pack("FRAM", number, #ids, n - 1)
      for _, id in ipairs(ids) do parts[#parts + 1] = ("<i4"):pack(id) end
      for _ = 1, 2 do
        for _, x in ipairs(xs) do parts[#parts + 1] = ("<f"):pack(x) end
      end
      for _ = 1, #ids do parts[#parts + 1] = ("<i2i2"):pack(0, -32768) end
    end
    return table.concat(parts)
  end

  -- Looks at it from end to end, as a user would; the code and what was said.
  local function replay(dir, bytes, tables)
    for name, rows in pairs(tables or {}) do command.write(dir .. "/" .. name, rows) end
    command.write(dir .. "/trajectory.throng", bytes)
    local code, _, err = shell(("SDL_VIDEODRIVER=dummy timeout -s KILL 60 %s replay %s/trajectory.throng "
      .. "--do 'key:End wait:2 key:Home key:Space wait:4 click:100,100 key:Right wait:1' --screenshot %s/a.png"):format(
      THRONG, dir, dir))
    return code, err
  end

  local STILL = { { 0, { 1 }, { 5 } }, { 1, { 1 }, { 6 } }, { 2, { 1 }, { 7 } } }
  local DOORS, BODIES = "time,open,x0,y0,x1,y1,door\n", "time,body,x,y,angle,shape\n"

  it("is shown whatever its numbers are", function()
    if not command.has_windows() then pending "SDL2 is not installed" end
    for name, case in pairs {
      slow = { compact(1e-6, STILL) },
      fast = { compact(1e6, STILL) },
      far = { compact(10, { { 0, { 1, 2 }, { 1e30, -1e30 } }, { 1, { 1, 2 }, { -1e30, 1 } } }) },
      ids = { compact(10, { { 0, { -2 ^ 31 | 0, -5, 2 ^ 31 - 1 | 0 }, { 1, 2, 3 } }, { 1, { 5, -5 }, { 1, 2 } } }) },
      numbers = { compact(10, { { 1000000000, { 1 }, { 1 } }, { 5, { 1 }, { 2 } }, { -7, { 1 }, { 3 } } }) },
      nobody = { compact(10, { { 0, {}, {} }, { 1, {}, {} } }) },
      doors = {
        compact(10, STILL), { ["doors.csv"] = DOORS .. "-1e300,1,0,0,1,1,a\n0.1,0,0,0,1,1,a\n1e300,1,0,0,1,1,a\n" },
      },
      walls = { compact(10, STILL), { ["doors.csv"] = DOORS .. "0,1,1e300,1e300,-1e300,0,a\n" } },
      bodies = { compact(10, STILL), { ["bodies.csv"] = BODIES .. "0,0,1e300,1e300,0,1e300\n1e300,0,,,,\n" } },
      flat = { compact(10, STILL), { ["bodies.csv"] = BODIES .. "0,0,0,0,0,0 0 0 0 0 0\n" } },
    } do
      local code, err = replay(folder(), table.unpack(case))
      assert.equal(0, code, name .. ": " .. err)
    end
  end)

  it("is refused with what is wrong", function()
    if not command.has_windows() then pending "SDL2 is not installed" end
    for text, case in pairs {
      ["holds no frames"] = { compact(10, {}) },
      ["is damaged: agent 1 is twice in frame 0"] = { compact(10, { { 0, { 1, 1 }, { 1, 2 } } }) },
      ["heading (0, -1.00003), which is not finite"] = { compact(10, { { 0, { 1 }, { 0 / 0 } } }) },
      ["is damaged: it has 1e+07 frames a second"] = { compact(1e7, STILL) },
      ["doors.csv:3: expected time,"] = {
        compact(10, STILL), { ["doors.csv"] = DOORS .. "0,1,0,0,1,1,a\n0,1,0,0,1,1,\n" },
      },
      ["doors.csv:2: expected time,"] = { compact(10, STILL), { ["doors.csv"] = DOORS .. "nan,1,0,0,1,1,a\n" } },
      ["bodies.csv:2: body 1000000000 has no row with"] = {
        compact(10, STILL), { ["bodies.csv"] = BODIES .. "0,1e9,0,0,0,1\n" },
      },
    } do
      local code, err = replay(folder(), table.unpack(case))
      assert.equal(2, code, err)
      assert.is_truthy(err:find(text, 1, true), err)
    end
  end)
end)
