-- throng as a library: what `make install` puts where, and programs of somebody's own that are built with it.
local command = dofile "tests/specs/command.lua"
local needs = dofile "tests/specs/needs.lua"
local shell, done, has = command.shell, command.done, command.has

local build = command.THRONG:match "(.*)/[^/]*$"
local prefix -- where it is installed

-- What pkg-config says for it; it is a text with few rules.
local function flags(name)
  local text, values = command.read(prefix .. "/lib/pkgconfig/throng.pc"), {}
  for key, value in text:gmatch "(%w+)=([^\n]*)\n" do values[key] = value end
  return (text:match("\n" .. name .. ": ([^\n]*)"):gsub("${(%w+)}", values))
end

local function install()
  prefix = io.popen("mktemp -d"):read "l"
  done(("make --no-print-directory install-only B='%s' PREFIX='%s'"):format(build, prefix))
end

local unpacked -- the wheel, made once for all tests

-- A folder for the test, and how a program in Python runs with the wheel.
local function wheel(python)
  prefix = io.popen("mktemp -d"):read "l"
  if not unpacked then
    local folder = io.popen("mktemp -d"):read "l"
    local made = done(("make --no-print-directory wheel-only B='%s' WHEEL='%s/wheel'"):format(build, folder))
    done(("%s -m zipfile -e '%s' '%s/installed'"):format(python, made:match "%S+%.whl", folder))
    unpacked = folder
  end
  return ("PYTHONPATH='%s/installed' %s "):format(unpacked, python)
end

local hashes = {} -- at the end of scenarios, each run once by the command

local function hash_of(scenario)
  if not hashes[scenario] then
    local _, out = command.throng(("run scenarios/%s.lua --out none --json"):format(scenario))
    hashes[scenario] = assert(out:match '"hash": "(%x+)"', out)
  end
  return hashes[scenario]
end

describe("make install", function()
  teardown(function() if unpacked then os.execute("rm -rf '" .. unpacked .. "'") end end)
  after_each(function() if prefix then os.execute("rm -rf '" .. prefix .. "'") end end)

  it("puts a command there that runs", function()
    needs.library(pending)
    install()
    local out = done(("env -i '%s/bin/throng' run --out none --steps 5 --json scenarios/evacuation.lua"):format(prefix))
    has(out, '"steps": 5')
    has(done(("env -i '%s/bin/throng' help world:spawn"):format(prefix)), "world:spawn(definition)")
  end)

  it("puts a library there that programs in C and C++ are built with, warnings being errors", function()
    needs.library(pending)
    install()
    local rest = ("-Wall -Wextra -Wpedantic -Werror %s %s -Wl,-rpath,'%s/lib'"):format(flags "Cflags", flags "Libs",
      prefix)
    done(("gcc -std=c17 -o '%s/crowd' tests/embed/crowd.c %s -lm"):format(prefix, rest))
    local out = done(("'%s/crowd' scenarios/evacuation.lua"):format(prefix))
    assert.equal(hash_of "evacuation", out:match "^%x+")
    done(("g++ -std=c++17 -o '%s/player' tests/embed/player.cpp %s"):format(prefix, rest))
    out = done(("'%s/player'"):format(prefix))
    has(out, ", 13 others in the west, 0 overlaps")
    assert.is_true(tonumber(out:match "x = ([%d.]+)") > 15) -- he came through those who came towards him
    local code, _, err = shell(("'%s/crowd' none.lua"):format(prefix))
    assert.equal(1, code)
    has(err, "cannot open the scenario 'none.lua': there is no such file")
  end)

  it("takes all memory from the program's allocator, gives it back, and fails when there is no more", function()
    needs.library(pending)
    install()
    local warnings = "gcc -std=gnu17 -Wall -Wextra -Wpedantic -Werror " .. flags "Cflags"
    done(("%s -o '%s/shared' tests/embed/allocator.c %s -Wl,-rpath,'%s/lib' -lpthread"):format(warnings, prefix,
      flags "Libs", prefix))
    done(("%s -o '%s/bin/static' tests/embed/allocator.c '%s/lib/libthrong.a' %s"):format(warnings, prefix, prefix,
      flags "Libs.private"))
    local scenarios = { "evacuation", "tower", "lifts", "smoke", "cluttered" } -- an image, a building, XML, ...
    local given = " scenarios/" .. table.concat(scenarios, ".lua scenarios/") .. ".lua"
    local out = done(("'%s/shared' 1000%s"):format(prefix, given))
    has(out, "throng_set_allocator: allocate, reallocate and release are needed, all three",
      "throng_set_allocator: give a throng_allocator with .size = sizeof(throng_allocator)",
      "throng_set_allocator: memory has been allocated before: set it before anything else of throng is called")
    for _, name in ipairs(scenarios) do
      local _, run = command.throng(("run scenarios/%s.lua --steps 50 --out none --json"):format(name))
      local hash, most = out:match(("(%%x+) (%%d+) MB scenarios/%s.lua 0 left\n"):format(name))
      assert.equal(run:match '"hash": "(%x+)"', hash)
      assert.is_true(tonumber(most) > 0)
    end
    assert.equal(out, done(("'%s/bin/static' 1000%s"):format(prefix, given)))
    local code, refused = shell(("'%s/shared' 1 scenarios/evacuation.lua scenarios/tower.lua"):format(prefix))
    assert.equal(1, code)
    has(refused, "scenarios/evacuation.lua:52: maps/willow.yaml: the image that it names: maps/willow.pgm: cannot be "
      .. "read: Cannot allocate memory; 0 left")
    assert.matches("scenarios/tower.lua:49: [^;]*out of memory[^;]*; 0 left", refused) -- the map's, or Lua's own
  end)

  it("keeps worlds in lockstep that hear the same inputs, and names the step of another", function()
    needs.library(pending)
    install()
    done(("gcc -std=gnu17 -Wall -Wextra -Werror -o '%s/lockstep' tests/embed/lockstep.c %s %s -lm"):format(prefix,
      flags "Cflags", flags "Libs" .. (" -Wl,-rpath,'%s/lib'"):format(prefix)))
    for name, count in pairs { player = 300, zombies = 1000 } do -- 10,000 take half a minute
      local out = done(("'%s/lockstep' scenarios/%s.lua %d"):format(prefix, name, count))
      has(out, ("the same for %d steps on cpu and at SIMD width 4, told in "):format(count))
      assert.is_true(tonumber(out:match "told in ([%d.]+) bytes") < 16)
    end
    local code, _, err = shell(("'%s/lockstep' scenarios/zombies.lua 300 cpu 155"):format(prefix))
    assert.equal(1, code)
    has(err, "the worlds differ since one of the 10 steps before step 160: ")
    local id, x, y = err:match "first: agent (%d+) of group 'zombies', column '[%w_]+': (%S+) and (%S+) "
    local columns = err:match "\n(%d+) columns differ"
    assert.equal("0", id, err)
    assert.is_true(x ~= y and tonumber(columns) >= 1)
  end)

  it("makes a simulation again from a snapshot, which goes on as the other, and from its inputs", function()
    needs.library(pending)
    install()
    done(("gcc -std=c17 -Wall -Wextra -Wpedantic -Werror -o '%s/snapshot' tests/embed/snapshot.c %s %s"):format(prefix,
      flags "Cflags", flags "Libs" .. (" -Wl,-rpath,'%s/lib'"):format(prefix)))
    local out = done(("'%s/snapshot' scenarios/%s.lua"):format(prefix,
      table.concat({ "lifts", "smoke", "ticket_office", "patience", "museum" }, ".lua scenarios/")))
    has(out, "'walk.lua' and its inputs give another state than in the snapshot: at step 1 the hash is",
      "this is no snapshot: throng_sim_snapshot makes one",
      "restore: these inputs are damaged, or begin at another step: after step 0 they have 2000000000 steps to step 1",
      "apply: these inputs are damaged, or begin at another step: after step 0 they have 2000000000 steps to step 1",
      "late: these inputs are damaged, or begin at another step: after step 1 they have 1 steps to step 1",
      "after step 1 an input fails here that did not there: (program):1: no",
      "these inputs are damaged: they end too soon, or are none")
    local made = 0
    for plain, taken, restored in out:gmatch "(%x+) (%x+) (%x+) scenarios" do
      assert.same({ plain, plain }, { taken, restored })
      made = made + 1
    end
    assert.equal(5, made)
  end)

  it("lets programs move characters of their own among those who walk by themselves", function()
    needs.library(pending)
    install()
    done(("gcc -std=c17 -Wall -Wextra -Wpedantic -Werror -o '%s/place' tests/embed/place.c %s %s -lm"):format(prefix,
      flags "Cflags", flags "Libs" .. (" -Wl,-rpath,'%s/lib'"):format(prefix)))
    has(done(("'%s/place' scenarios/lifts.lua"):format(prefix)), "put where they are same\n", "own 5.8 1 1\n",
      "refused 0 1 position 2, (-1, 3), lies beyond the map, which is from (0, 0) to (30, 6)\n",
      "refused 0 1 position 2 is (nan, 3); positions must be finite\n", "refused 0 1 agent 1 of 2 is gone",
      "again same\n", "upper 3.5 3.5\n", "attic 0 world:spawn: field 'at'[1]: unknown floor 'attic'; expected one of: ",
      "building 1 1\n")
  end)

  it("says how high people stand, ride and climb, as recordings have it", function()
    needs.library(pending)
    install()
    done(("gcc -std=c17 -Wall -Wextra -Wpedantic -Werror -o '%s/heights' tests/embed/heights.c %s %s"):format(prefix,
      flags "Cflags", flags "Libs" .. (" -Wl,-rpath,'%s/lib'"):format(prefix)))
    local highest = {}
    for name, steps in pairs { lifts = 262, tower = 300, evacuation = 20 } do
      local code, out, err = shell(("'%s/heights' scenarios/%s.lua %d"):format(prefix, name, steps))
      assert.equal(0, code)
      has(err, "is gone: it was removed, or has never been")
      done(("%s run scenarios/%s.lua --steps %d --out '%s/%s'"):format(command.THRONG, name, steps, prefix, name))
      done(("%s convert '%s/%s/trajectory.sqlite' '%s/%s.csv'"):format(command.THRONG, prefix, name, prefix, name))
      local expected, z_at = {}, nil
      for line in io.lines(("%s/%s.csv"):format(prefix, name)) do
        local cells = {}
        for cell in (line .. ","):gmatch "([^,]*)," do cells[#cells + 1] = cell end
        if not z_at then
          for i, cell in ipairs(cells) do if cell == "z" then z_at = i end end
          z_at = z_at or 0
        elseif tonumber(cells[2]) == steps then
          expected[tonumber(cells[3])] = tonumber(cells[z_at] or 0)
        end
      end
      local count = 0
      for id, z in out:gmatch "(%d+) (%S+)\n" do
        assert.near(expected[tonumber(id)], tonumber(z), 0.001)
        highest[name] = math.max(highest[name] or 0, tonumber(z))
        count = count + 1
      end
      assert.is_true(count >= 8)
    end
    assert.equal(0, highest.evacuation)
    assert.is_true(highest.lifts > 0 and highest.tower > 3)
  end)

  it("puts a module there that a plain lua5.4 and a plain busted require", function()
    needs.library(pending)
    install()
    local with = ("env -i PATH=/usr/bin LUA_CPATH='%s/lib/lua/5.4/?.so;;' lua5.4 "):format(prefix)
    local out = done(with .. "tests/embed/module.lua scenarios/evacuation.lua")
    assert.equal(hash_of "evacuation", out:match "^%x+")
    local code, text = shell(with .. "/usr/bin/busted tests/embed/module_spec.lua")
    assert.equal(1, code)
    has(text, "3 successes / 1 failure / 0 errors", "module_spec.lua:21: 20 of the 20 agents of group 'people' have "
      .. "not arrived at 1.0 s")
  end)

  it("makes a rock that luarocks installs", function()
    needs.library(pending)
    if shell "command -v luarocks" ~= 0 then pending "no luarocks" end
    prefix = io.popen("mktemp -d"):read "l"
    local rock = done(("make --no-print-directory rock-only B='%s' ROCK='%s/rock'"):format(build, prefix)):match "%S+"
    done(("luarocks --lua-version 5.4 --tree '%s' install --deps-mode none '%s'"):format(prefix, rock))
    local with = "env -i PATH=/usr/bin LUA_PATH='%s/share/lua/5.4/?.lua' LUA_CPATH='%s/lib/lua/5.4/?.so' lua5.4 "
    local out = done(with:format(prefix, prefix) .. "tests/embed/module.lua scenarios/tutorial/01_one_agent.lua")
    assert.equal(hash_of "tutorial/01_one_agent", out:match "^%x+")
  end)

  it("makes a wheel that a program in Python runs with", function()
    needs.library(pending)
    local python = needs.python(pending)
    local with = wheel(python)
    has(done(with .. "-c 'from importlib.metadata import requires; print(requires(\"throng\"))'"), "'numpy'",
      [["gymnasium; extra == 'gym'"]], [["pyarrow; extra == 'tables'"]], [["ifcopenshell; extra == 'ifc'"]])
    local out = done(with .. "tests/embed/crowd.py scenarios/evacuation.lua")
    assert.equal(hash_of "evacuation", out:match "^%x+")
  end)

  it("has bindings that all pass one list: hashes, errors, columns, events, a snapshot", function()
    needs.library(pending)
    install()
    local scenarios = {}
    for name in ("evacuation tower museum lifts door crossing patience ticket_office smoke zombies"):gmatch "%S+" do
      scenarios[#scenarios + 1] = ("scenarios/%s.lua"):format(name)
    end
    local all = " " .. table.concat(scenarios, " ")
    local rest = ("%s %s -Wl,-rpath,'%s/lib'"):format(flags "Cflags", flags "Libs", prefix)
    local function compiled(compiler, language)
      local warnings = "-Wall -Wextra -Wpedantic -Werror"
      done(("%s %s -o '%s/conform' -x %s tests/embed/conform.c -x none %s"):format(compiler, warnings, prefix, language,
        rest))
      return done(("'%s/conform'%s"):format(prefix, all))
    end
    local listed = compiled("gcc -std=c17", "c")
    assert.equal(listed, compiled("g++ -std=c++17", "c++"))
    for _, path in ipairs(scenarios) do
      local _, out = command.throng(("run %s --steps 40 --out none --json"):format(path))
      has(listed, ("hash\t%s\t%s\n"):format(path, out:match '"hash": "(%x+)"'))
    end
    local _, lines = listed:gsub("\n", "")
    assert.is_true(lines >= #scenarios + 20)
    assert.is_truthy(listed:find "\nevent\t" and listed:find "\nsnapshot\t%x+\n$")
    local with = ("env -i PATH=/usr/bin LUA_CPATH='%s/lib/lua/5.4/?.so;;' lua5.4 "):format(prefix)
    assert.equal(listed, done(with .. "tests/embed/conform.lua" .. all))
    os.execute("rm -rf '" .. prefix .. "'")
    assert.equal(listed, done(wheel(needs.python(pending)) .. "tests/embed/conform.py" .. all))
  end)

  it("makes environments of scenarios, which Gymnasium's and PettingZoo's own tests pass", function()
    needs.library(pending)
    local with = wheel(needs.python(pending, "gymnasium", "pettingzoo"))
    has(done(with .. "tests/embed/learn.py scenarios/learning.lua"), "environments pass")
  end)

  it("writes and reads trajectories as Parquet and HDF5", function()
    needs.library(pending)
    local with = wheel(needs.python(pending, "pyarrow", "h5py", "pandas"))
    assert.equal(0, (command.throng(("run scenarios/tutorial/01_one_agent.lua --out '%s/run'"):format(prefix))))
    assert.equal(0, (command.throng(("run scenarios/tower.lua --steps 60 --out '%s/tower'"):format(prefix))))
    local function convert(how, from, to) return done(("%s '%s/%s' '%s/%s'"):format(how, prefix, from, prefix, to)) end
    local own = command.THRONG .. " convert"
    convert(own, "tower", "tower.csv")
    has(done((with .. "tests/embed/tables.py '%s/run/trajectory.sqlite' '%s/tower/trajectory.sqlite' '%s/tower.csv' "
      .. "scenarios/tower.lua"):format(prefix, prefix, prefix)), "tables pass")
    -- the command reads HDF5 as CSV
    convert(with .. "-m throng", "run/trajectory.sqlite", "walk.h5")
    convert(with .. "-m throng", "walk.h5", "walk.csv")
    local frames = convert(own, "run", "a.csv"):match "%d+ frames"
    assert.equal(frames, convert(own, "walk.csv", "b.csv"):match "%d+ frames")
    local code, _, err = shell(("%s '%s/walk.h5' '%s/c.csv'"):format(own, prefix, prefix))
    assert.equal(2, code)
    has(err, ("python3 -m throng '%s/walk.h5' trajectory.csv makes a .csv of it"):format(prefix))
  end)

  it("converts recordings in Python whatever their names", function()
    needs.library(pending)
    local with = wheel(needs.python(pending)) .. "-m throng "
    assert.equal(0, (command.throng(("run scenarios/tutorial/01_one_agent.lua --out '%s/run'"):format(prefix))))
    for i, name in ipairs { "a#b", "a?b", "a%41", "a b" } do
      local from = ("%s/%s.sqlite"):format(prefix, name)
      done(("cp '%s/run/trajectory.sqlite' '%s'"):format(prefix, from))
      done(("%s '%s' '%s/%d.csv'"):format(with, from, prefix, i))
      has(command.read(("%s/%d.csv"):format(prefix, i)), "frame,id,x,y\n0,")
    end
    assert.equal("run\n", done(("ls '%s' | grep -v '[.]'"):format(prefix))) -- and no file besides
  end)

  it("says in a line what cannot be written or read in Python", function()
    needs.library(pending)
    local with = wheel(needs.python(pending)) .. "-m throng "
    assert.equal(0, (command.throng(("run scenarios/tutorial/01_one_agent.lua --out '%s/run'"):format(prefix))))
    done(("ln -s /dev/full '%s/full.csv' && ln -s /proc/self/mem '%s/none.csv'"):format(prefix, prefix))
    local function refused(from, to, why)
      local code, out, err = shell(("%s '%s/%s' '%s/%s'"):format(with, prefix, from, prefix, to))
      assert.equal(1, code)
      assert.equal("", out)
      assert.equal(("throng: %s\n"):format(why:gsub("@", prefix)), err)
    end
    refused("run/trajectory.sqlite", "none/a.csv", "cannot write '@/none/a.csv': No such file or directory")
    refused("run/trajectory.sqlite", "full.csv", "cannot write '@/full.csv': No space left on device")
    refused("none.csv", "a.csv", "cannot read '@/none.csv': Input/output error")
  end)

  it("runs studies that have the rows of `throng study`", function()
    needs.library(pending)
    local with = wheel(needs.python(pending))
    command.write(prefix .. "/door.lua", command.read "scenarios/door.lua")
    command.write(prefix .. "/study.lua", [[return require "throng".study {
      scenario = "door.lua", factors = { width = { 0.8, 1.2 }, count = { 20 } }, runs = 2, seed = 3,
      measure = { "last_arrival", people = function(world) return #world.agents end },
    }]])
    assert.equal(0, (command.throng(("study '%s/study.lua' --out '%s/study.sqlite'"):format(prefix, prefix))))
    has(done(("%stests/embed/studies.py '%s/study.sqlite' '%s/door.lua'"):format(with, prefix, prefix)), "studies pass")
  end)

  it("has a notebook that runs from top to bottom", function()
    needs.library(pending)
    local with = wheel(needs.python(pending, "nbclient", "ipykernel", "pandas"))
    has(done(with .. "tests/embed/notebook.py runtime/embed/python/throng.ipynb"), "ran 5 cells")
  end)

  it("makes a building of an IFC file, which people leave by its stairs and doors", function()
    needs.library(pending)
    local with = wheel(needs.python(pending, "ifcopenshell", "shapely"))
    done(("%s tests/embed/house_ifc.py '%s/house.ifc'"):format(with, prefix))
    local code, _, err = shell(("%s -m throng '%s/house.ifc' '%s/house.tmx'"):format(with, prefix, prefix))
    assert.equal(0, code, err)
    has(err, "IfcSlab 'lost' was left out: it is on no storey", "IfcStair 'back stairs' was left out: it has 2 flights",
      "storey 'roof' was left out", "IfcTransportElement 'lift' was left out: lifts and escalators are not read")
    local ok, out = command.throng(("map '%s/house.tmx'"):format(prefix))
    assert.equal(0, ok)
    has(out, "floor      first, z = 3 m", "floor      ground, z = 0 m", "stairs     up, from ground to first",
      "7: ground, ground/exit, ground/hall, ground/lobby, first, first/office, up",
      "doors      ground/ground door, ground/front door, first/first door")
    command.write(prefix .. "/walk.lua", [[
      local throng = require "throng"
      local params = throng.params { shut = false }
      local map = throng.building { file = "house.tmx" }
      local world = throng.world { map = map, seconds = 150, threads = 1 }
      if params.shut then world.map:door "first/first door":close() end
      world:spawn { count = 20, where = "first/office" }:go_to "ground/exit"
      return world]])
    local function left(options)
      local _, json = command.throng(("run '%s/walk.lua' --out none --json %s"):format(prefix, options))
      return tonumber(json:match '"arrived": (%d+)')
    end
    assert.equal(20, left "")
    assert.equal(0, left "--set shut=true") -- walls and a window on the first floor hold people back
    command.write(prefix .. "/bad.ifc", "ISO-10303-21;")
    code, _, err = shell(("%s -m throng '%s/bad.ifc' '%s/bad.tmx'"):format(with, prefix, prefix))
    assert.equal(1, code)
    has(err, "throng: ", "bad.ifc'")
  end)

  it("has types in its package that hold", function()
    needs.library(pending)
    local python = needs.python(pending, "mypy")
    wheel(python)
    has(done(("cd '%s/installed' && %s -m mypy --strict --ignore-missing-imports -p throng"):format(unpacked, python)),
      "no issues found")
  end)

  it("makes Debian packages that have what belongs to each, and need what their files need", function()
    needs.library(pending)
    for _, tool in ipairs { "dpkg-shlibdeps", "chrpath" } do
      if shell("command -v " .. tool) ~= 0 then pending("no " .. tool) end
    end
    prefix = io.popen("mktemp -d"):read "l"
    done(("DEB_COMPRESS=-Znone make --no-print-directory deb-only B='%s' DEB='%s'"):format(build, prefix))
    local function field(package, name)
      return done(("dpkg-deb -f '%s'/%s_*.deb %s"):format(prefix, package, name)):gsub("\n$", "")
    end
    local version = field("throng", "Version")
    for package, files in pairs {
      throng = { "./usr/bin/throng", "./usr/share/man/man1/throng.1.gz" },
      ["throng-common"] = { "./usr/share/throng/lua/throng/init.lua" },
      libthrong0 = { "./usr/lib/libthrong.so.0" },
      ["libthrong-dev"] = { "./usr/include/throng.h", "./usr/lib/libthrong.so", "./usr/lib/pkgconfig/throng.pc" },
      ["lua-throng"] = { "./usr/lib/lua/5.4/throng.so" },
    } do
      local list = done(("dpkg-deb --fsys-tarfile '%s'/%s_*.deb | tar t"):format(prefix, package))
      has(list, table.unpack(files))
      has(list, ("./usr/share/doc/%s/copyright\n"):format(package),
        ("./usr/share/doc/%s/changelog.Debian.gz\n"):format(package))
      local depends = field(package, "Depends")
      if package ~= "throng-common" then has(depends, "throng") end
      if list:find("/bin/", 1, true) or list:find(".so.0", 1, true) or list:find("/lua/5", 1, true) then
        has(depends, "libc6 (>= 2.", "libgeos-c1v5", "liblua5.4-0", "throng-common (= " .. version .. ")")
      end
      done(("dpkg-deb -x '%s'/%s_*.deb '%s/root'"):format(prefix, package, prefix))
      done(("dpkg-deb -e '%s'/%s_*.deb '%s/%s' && cd '%s/root' && md5sum -c --quiet '%s/%s/md5sums'"):format(prefix,
        package, prefix, package, prefix, prefix, package))
    end
    has(field("throng", "Recommends"), "libsdl2-2.0-0")
    has(field("throng", "Suggests"), "libgdal32")
    assert.equal("libthrong 0 libthrong0 (>= " .. version:match "^[%d.]+" .. ")\n",
      command.read(prefix .. "/libthrong0/shlibs"))
    -- what they unpack runs together
    local root = prefix .. "/root/usr"
    local hash = hash_of "tutorial/01_one_agent"
    has(done(("env -i '%s/bin/throng' run --out none --json scenarios/tutorial/01_one_agent.lua"):format(root)), hash)
    has(done(("env -i PATH=/usr/bin LUA_CPATH='%s/lib/lua/5.4/?.so;;' lua5.4 tests/embed/module.lua "
      .. "scenarios/tutorial/01_one_agent.lua"):format(root)), hash)
    done(("gcc -o '%s/crowd' tests/embed/crowd.c -I'%s/include' -L'%s/lib' -lthrong -Wl,-rpath,'%s/lib' -lm"):format(
      prefix, root, root, root))
    has(done(("'%s/crowd' scenarios/tutorial/01_one_agent.lua"):format(prefix)), hash)
  end)

  it("keeps what programs were built with, exports what throng.h declares, and is small", function()
    needs.library(pending)
    if shell "command -v abidw" ~= 0 then pending "no abidw: abigail-tools is not installed" end
    prefix = io.popen("mktemp -d"):read "l"
    local known = command.read "runtime/embed/abi.xml"
    local header = command.read "runtime/throng.h"
    -- What abidiff says when programs know that of the library, by such a header.
    local function abi(text, declared)
      command.write(prefix .. "/abi.xml", text)
      command.write(prefix .. "/throng.h", declared or header)
      return shell(("make --no-print-directory abi-only B='%s' ABI='%s/abi.xml' API='%s/throng.h'"):format(build,
        prefix, prefix))
    end
    local function edited(from, to)
      local at, last = known:find(from)
      assert(at, from)
      return known:sub(1, at - 1) .. to .. known:sub(last + 1)
    end
    local function breaks(text, ...)
      local code, out = abi(text)
      assert.equal(2, code)
      has(out, ...)
    end
    local code, out, err = abi(known)
    assert.equal(0, code, out .. err)
    code, out = abi(known, (header:gsub("throng_sim_dt%(", "throng_sim_d2(")))
    assert.equal(2, code)
    has(out, "\n-throng_sim_d2\n", "\n+throng_sim_dt\n")
    breaks((known:gsub("throng_sim_dt%f[%W]", "throng_sim_ds")), "1 Removed function:",
      "[D] 'function double throng_sim_ds(const throng_sim*)'", "1 Added function:",
      "[A] 'function double throng_sim_dt(const throng_sim*)'")
    breaks(edited("<data%-member [^>]*layout%-offset%-in%-bits='32'>(%s*<var%-decl name='generation')",
      "<data-member access='public' layout-offset-in-bits='64'>\n<var-decl name='generation'"),
      "'uint32_t generation' offset changed from 64 to 32 (in bits)")
    -- a member more in the middle of what tells its size, and at its end
    local member = "%%s*<data%%-member [^>]*>%%s*<var%%-decl name='%s'[^>]*>%%s*</data%%-member>"
    breaks(edited(member:format "simd", ""), "'int32_t simd', at offset 128 (in bits)")
    code, out, err = abi(edited(member:format "keep_inputs", ""))
    assert.equal(0, code, out .. err)
    done(("strip -o '%s/stripped' '%s/libthrong.so.0'"):format(prefix, build))
    assert.is_true(#command.read(prefix .. "/stripped") <= 4 * 1024 * 1024)
  end)
end)
