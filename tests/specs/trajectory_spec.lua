-- throng.trajectory: recordings of people as text, and what can be done with them.
local throng = require "throng"
local command = dofile "tests/specs/command.lua"

-- The first walks along x at 1.2 m/s; 2 comes at 0.3 s and walks along y at 0.5 m/s; 7 leaves after 0.6 s.
local FILE = "tests/data/trajectory.txt"

local function written(text, ending)
  local path = os.tmpname()
  os.remove(path)
  path = path .. (ending or ".txt")
  command.write(path, text)
  return path
end

local function fails(pattern, text, time, ending)
  local path = written(text, ending)
  local ok, message = pcall(throng.trajectory, path, time)
  os.remove(path)
  assert.is_false(ok)
  assert.matches(pattern, message)
end

describe("throng.trajectory", function()
  it("reads text in centimetres, with its times", function()
    local recorded = throng.trajectory(FILE)
    assert.equal(11, recorded.frames)
    assert.equal(10, recorded.fps)
    assert.near(1, recorded.seconds, 1e-9)
    local moment = recorded:at(0.45)
    assert.near(0.4, moment.time, 1e-9)
    assert.same({ 1, 2, 7 }, moment.id)
    assert.near(0.48, moment.at[1][1], 1e-4)
    assert.near(2.2, moment.at[2][2], 1e-4)
    assert.same({ 1, 7 }, recorded:at(0).id)
    assert.same({ 1, 2 }, throng.trajectory(FILE, 1).id)
  end)

  it("tells velocities, of those who come and go by the time that they are there", function()
    local moment = throng.trajectory(FILE, 0.4)
    assert.near(1.2, moment.vx[1], 1e-3)
    assert.near(0, moment.vy[1], 1e-3)
    assert.near(-1, moment.vx[3], 1e-3)
    assert.near(-0.4, moment.vy[3], 1e-3)
  end)

  it("goes over its moments", function()
    local counts = {}
    for moment in throng.trajectory(FILE):moments() do counts[#counts + 1] = #moment.at end
    assert.same({ 2, 2, 2, 3, 3, 3, 3, 2, 2, 2, 2 }, counts)
  end)

  it("is what a crowd begins from", function()
    local world <close> = throng.world { map = throng.map { boundary = throng.box(-2, -2, 12, 6) }, threads = 1 }
    local moment = throng.trajectory(FILE, 0.4)
    local people = world:spawn { from = moment, radius = 0.2, name = "people" }
    assert.equal(3, #people)
    for i = 1, 3 do
      assert.near(moment.at[i][1], people.x[i], 1e-5)
      assert.near(moment.vx[i], people.vx[i], 1e-5)
      assert.near(moment.vy[i], people.vy[i], 1e-5)
    end
  end)

  it("reads throng's own recordings, too", function()
    local out = os.tmpname()
    os.remove(out)
    command.write(out .. ".lua", 'local t = require "throng"\n'
      .. 'local w = t.world { record = { every = 0.1 }, seconds = 1 }\n'
      .. 'w:spawn({ at = { { 0, 0 } }, speed = 1 }):go_to { 9, 0 }; return w')
    local code, _, problem = command.throng(("run %s.lua --out %s"):format(out, out))
    assert.equal(0, code, problem)
    local recorded = throng.trajectory(out .. "/trajectory.sqlite")
    assert.is_true(recorded:at(0.8).at[1][1] > 0.2)
    assert.is_true(recorded:at(0.8).vx[1] > 0.3)
    os.execute("rm -r " .. out .. " " .. out .. ".lua")
  end)

  it("reads CSV, as pandas and throng write it", function()
    for _, text in ipairs {
      "# frame_rate: 5.0\nframe,id,x,y\n0,3,1.5,2\n0,1,4,5\n1,1,4,5.2\n", -- the wheel's
      ",id,frame,x,y,time\n0,3,0,1.5,2,0\n1,1,0,4,5,0\n2,1,1,4,5.2,0.2\n", -- of a data frame with its index
      'time,frame,id,group,x,y,speed\r\n0,0,3,"a, ""b""",1.5,2,\r\n0,0,1,c,4,5,\r\n0.2,1,1,c,4,5.2,1\r\n',
    } do
      local path = written(text, ".csv")
      local recorded = throng.trajectory(path)
      assert.near(5, recorded.fps, 1e-9)
      assert.equal(2, recorded.frames)
      assert.same({ 1, 3 }, recorded:at(0).id)
      assert.same({ { 4, 5 }, { 1.5, 2 } }, recorded:at(0).at)
      assert.near(1, recorded:at(0.2).vy[1], 1e-5)
      os.remove(path)
    end
    local folder = os.tmpname()
    os.remove(folder)
    assert.equal(0, (command.throng(("run scenarios/tutorial/01_one_agent.lua --steps 20 --out %s"):format(folder))))
    assert.equal(0, (command.throng(("convert %s %s/a.csv"):format(folder, folder))))
    local its, mine = throng.trajectory(folder .. "/trajectory.sqlite"), throng.trajectory(folder .. "/a.csv")
    assert.near(its.fps, mine.fps, 1e-6)
    assert.equal(its.frames, mine.frames)
    assert.near(its:at(1).at[1][1], mine:at(1).at[1][1], 1e-5)
    assert.near(its:at(1).vx[1], mine:at(1).vx[1], 1e-3)
    os.execute("rm -r " .. folder)
  end)

  it("takes the unit from whole words", function()
    local rows = "1 0 100 200\n1 1 120 200\n"
    for _, case in ipairs {
      { "# id frame x/cm y/cm\n# recorded in march 2018, at speeds in m/s\n", 1 },
      { "# recorded in march 2018\n# id frame x/cm y/cm\n", 1 },
      { "# the camera hung 4 m high, all in m.\n# id frame x/cm y/cm\n", 1 },
      { "# id frame x/cm y/cm\n# the camera hung 4 m high, all in m.\n", 1 },
      { "# lengths (in cm)\n", 1 },
      { "# all in metres\n", 100 },
      { "# id frame x[in m] y[in m]\n", 100 },
    } do
      local path = written("# framerate: 25\n" .. case[1] .. rows)
      assert.near(case[2], throng.trajectory(path, 0).at[1][1], 1e-5, case[1])
      os.remove(path)
    end
    local head = "# framerate: 25\n"
    fails("does not say whether lengths are in m or cm", head .. "# recorded in march 2018\n" .. rows)
    fails("does not say whether lengths are in m or cm", head .. "# id frame x/mm y/mm\n" .. rows)
    fails(":3: lengths are in m here, but in cm in line 2: correct one", head .. "# x/cm\n# x/m\n" .. rows)
    fails(":5: lengths are in m here, but in cm in line 2: correct one", head .. "# x/cm\n" .. rows .. "# x/m\n")
    fails(":2: lengths are in m here, but in cm in line 3: correct one", head .. "# in m\n# in cm\n" .. rows)
  end)

  it("takes the frame rate from behind its name or the colon", function()
    local rows = "# id frame x/m y/m\n1 0 1 2\n1 1 1 2\n"
    for line, rate in pairs {
      ["framerate: .5"] = 0.5,
      ["framerate of camera 2: 25"] = 25,
      ["framerate 16.0 fps"] = 16,
      ["frame_rate = 12.5Hz"] = 12.5,
    } do
      local path = written(("# %s\n%s"):format(line, rows))
      assert.near(rate, throng.trajectory(path).fps, 1e-9, line)
      os.remove(path)
    end
    fails(":1: a frame rate of %-5; expected a positive number", "# framerate: -5\n" .. rows)
    fails(":1: a frame rate of 0; expected a positive number", "# framerate: 0\n" .. rows)
    fails("names no frame rate", "# framerate: unknown, camera 2\n" .. rows)
  end)

  it("refuses times that contradict the frames of CSV", function()
    local function csv(times)
      local lines = { "time,frame,id,x,y" }
      for i, time in ipairs(times) do lines[i + 1] = ("%s,%d,1,2,3"):format(time, i - 1) end
      return table.concat(lines, "\n") .. "\n"
    end
    fails(":3: times and frames contradict each other: frame 1 is at 0.1 s here, where frame 0 is at 0 s and "
      .. "frame 2 at 9 s; correct them, or give a line", csv { 0, 0.1, 9 }, 0, ".csv")
    fails(":4: times and frames contradict each other", csv { 0, 0, 0 }, 0, ".csv")
    fails(":%d+: times and frames contradict", csv { 0, 0.04, 0.08, 0.36, 0.4, 0.44 }, 0, ".csv")
    for _, case in ipairs {
      { "0.00 0.03 0.07 0.10 0.13 0.17", 30, 1 }, -- rounded
      { "0 0.03333333 0.0666666701 0.1", 30, 1e-6 },
      { "100 100.04 100.08", 25, 1e-6 }, -- of a clock that began before
      { "0.0 0.0 0.1 0.1 0.2 0.2 0.2", 30, 4 },
    } do
      local times = {}
      for time in case[1]:gmatch "%S+" do times[#times + 1] = time end
      local path = written(csv(times), ".csv")
      assert.near(case[2], throng.trajectory(path).fps, case[3])
      os.remove(path)
    end
  end)

  it("keeps frames below 0", function()
    local path = written("# framerate: 10\nid,frame,x,y\n1,-2,0,1\n1,-1,0.1,1\n1,0,0.2,1\n1,1,0.3,1\n", ".csv")
    for _, ending in ipairs { ".csv", ".sqlite", ".throng" } do
      local code, _, problem = command.throng(("convert %s %s"):format(path, path .. ending))
      assert.equal(0, code, problem)
      local recorded = throng.trajectory(path .. ending)
      assert.equal(4, recorded.frames)
      assert.near(10, recorded.fps, 1e-6)
      assert.near(0, recorded:at(0).at[1][1], 1e-6)
      os.remove(path .. ending)
    end
    os.remove(path)
  end)

  it("refuses what is none, by its lines", function()
    local csv = "# framerate: 25\nid,frame,x,y\n"
    fails(":1: expected a line that names the columns, id,frame,x,y and others; it has no 'frame'", "id,x\n", 0, ".csv")
    fails("names no frame rate; expected a column 'time'", "id,frame,x,y\n1,0,1,2\n", 0, ".csv")
    fails(":3: expected a row of as many numbers as columns", csv .. "1,0,1\n", 0, ".csv")
    fails(":4: expected a row", csv .. "1,0,1,2\n1,1,x,2\n", 0, ".csv")
    fails(":3: expected a row", csv .. "1,0.5,1,2\n", 0, ".csv")
    fails(":3: expected a row", csv .. "1,0,1,nan\n", 0, ".csv")
    fails(":3: expected a row", csv .. "-1,0,1,2\n", 0, ".csv")
    fails("has no rows", csv, 0, ".csv")
    fails(":3: expected a row of as many numbers", "id,frame,x,y,time,speed\n1,0,1,2,0,1\n1,1,1,2,0.1", 0, ".csv")
    fails(":3: expected a row of as many numbers", csv .. "1,0,1,5,2,5\n", 0, ".csv") -- with commas for points
    fails(":1: there are two columns 'x': remove one", "id,frame,x,y,x\n1,0,1,2,3\n", 0, ".csv")
    fails(":1: there are two columns 'floor'", "id,frame,x,y,floor,floor\n1,0,1,2,a,a\n", 0, ".csv")
    local head = "# framerate: 25\n# id frame x/m y/m\n"
    fails("names no frame rate.-add it", "# id frame x/m y/m\n1 0 1 2\n")
    fails("does not say whether lengths are in m or cm", "# framerate: 25\n1 0 1 2\n")
    fails(":4: expected a row \"id frame x y\"", head .. "1 0 1 2\n1 1 x 2\n")
    fails(":3: expected a row", head .. "1 0.5 1 2\n")
    fails("has no rows", head)
    fails("agent 1 is twice in frame 0", head .. "1 0 1 2\n1 0 1 3\n")
    fails("the time must be at most 0.04 s, the recording's end, got 3", head .. "1 0 1 2\n1 1 1 2\n", 3)
    local ok, message = pcall(throng.trajectory, "nowhere.txt")
    assert.is_false(ok)
    assert.matches("there is no file 'nowhere.txt'", message)
  end)

  describe("of a building", function()
    local folder, files

    setup(function()
      folder = os.tmpname()
      os.remove(folder)
      command.done(command.THRONG .. " run scenarios/tower.lua --set count=60 --seconds 20 --out " .. folder)
      files = { folder .. "/trajectory.sqlite", folder .. "/a.throng", folder .. "/a.csv" }
      for i = 2, 3 do command.done(("%s convert %s %s"):format(command.THRONG, folder, files[i])) end
    end)

    teardown(function() os.execute("rm -r " .. folder) end)

    it("has everybody on the plan, with a floor", function()
      local whole
      for _, file in ipairs(files) do
        local counts, farthest = {}, 0
        for moment in throng.trajectory(file):moments() do
          for i, at in ipairs(moment.at) do
            counts[at.floor] = (counts[at.floor] or 0) + 1
            farthest = math.max(farthest, at[1])
            assert.is_true(math.abs(moment.vx[i]) < 3) -- also of those who come to another floor
          end
        end
        assert.is_true(counts["floor 0"] > 0 and counts["floor 2"] > 0 and counts["stairs 1W"] > 0)
        assert.is_true(farthest > 40 and farthest < 48)
        whole = whole or counts
        assert.same(whole, counts)
        for floor, count in pairs(counts) do
          local alone = 0
          for moment in throng.trajectory({ file = file, floor = floor }):moments() do
            alone = alone + #moment.at
            for _, at in ipairs(moment.at) do assert.is_true(at.floor == nil and at[1] < 48 and at[2] < 24) end
          end
          assert.equal(count, alone)
        end
        local moment, ids = throng.trajectory(file, 9), {}
        for i, at in ipairs(moment.at) do
          if at.floor == "floor 1" then ids[#ids + 1] = moment.id[i] end
        end
        assert.is_true(#ids < #moment.id)
        assert.same(ids, throng.trajectory({ file = file, floor = "floor 1" }, 9).id)
      end
    end)

    it("is what a crowd in it begins from", function()
      local world <close> = throng.load "scenarios/tower.lua"
      local moment = throng.trajectory(files[2], 9)
      local people = world:spawn { from = moment, radius = 0.2, name = "people" }
      for i, at in ipairs(moment.at) do
        assert.equal(at.floor, people.floor[i])
        assert.near(at[1], people.x[i], 0.5)
      end
    end)

    it("is compared by one floor", function()
      local world <close> = throng.world { threads = 1 }
      world:measure { count = throng.box(0, 0, 48, 24), name = "people" }
      world:run { seconds = 1 }
      local one = { file = files[1], floor = "floor 1" }
      assert.near(#throng.trajectory(one, 0).at, world:compare(throng.trajectory(one))["people"].recorded, 1)
      local all = throng.trajectory(files[1])
      local building <close> = throng.load "scenarios/tower.lua"
      for pattern, call in pairs {
        ["trajectory.sqlite' is of a building.-floor = \"floor 0\" }; it has floor 0, floor 1, floor 2, stairs 1W, "] =
          function() world:compare(all) end,
        ["world:source.*is of a building"] = function() world:source { recording = all } end,
        ["the world is a building"] = function() building:source { recording = throng.trajectory(one) } end,
        ["has no floor 'roof'; expected one of: floor 2, floor 1, floor 0, "] =
          function() throng.trajectory { file = files[3], floor = "roof" } end,
        ["has no floor 'roof': it is of no building"] =
          function() throng.trajectory { file = FILE, floor = "roof" } end,
        ["unknown field 'flor', did you mean 'floor'"] =
          function() throng.trajectory { file = FILE, flor = "roof" } end,
        ["expected the name of a file, got nil"] = function() throng.trajectory {} end,
      } do
        local ok, message = pcall(call)
        assert.is_false(ok)
        assert.matches(pattern, message)
      end
    end)

    it("is not converted from CSV, which has no plan", function()
      local code, _, problem = command.throng(("convert %s %s/b.throng"):format(files[3], folder))
      assert.equal(2, code)
      assert.matches("give the recording that it was made of", problem)
    end)
  end)

  it("is refused as a start that is none", function()
    local world <close> = throng.world { threads = 1 }
    for pattern, definition in pairs {
      ["field 'from' must be a moment"] = { from = 3 },
      ["with a list 'at'"] = { from = {} },
      ["'at' or 'from', not both"] = { from = { at = { { 1, 1 } } }, at = { { 1, 1 } } },
    } do
      local ok, message = pcall(world.spawn, world, definition)
      assert.is_false(ok)
      assert.matches(pattern, message)
    end
  end)
end)
