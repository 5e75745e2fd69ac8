-- The addon for Godot 4: `make godot`, and what it does in a Godot that is installed.
local command = dofile "tests/specs/command.lua"
local needs = dofile "tests/specs/needs.lua"
local shell = command.shell

local build = command.THRONG:match "(.*)/[^/]*$"
local scratch, project

local function done(text)
  local code, out, err = shell(text)
  if code ~= 0 then error(("%s\ngave %d:\n%s%s"):format(text, code, out, err), 2) end
  return out
end

local function has(text, ...)
  for _, part in ipairs { ... } do
    if not text:find(part, 1, true) then error(("expected '%s' in:\n%s"):format(part, text), 2) end
  end
end

-- Runs a script of tests/embed in the project; what it wrote to its file, and what Godot said.
local function run(godot, script, ...)
  local all = table.concat({ scratch .. "/out.txt", io.popen("pwd"):read "l", ... }, " ")
  local line = "HOME='%s' timeout -s KILL 60 %s --path '%s' --script \"$PWD/tests/embed/%s\" -- %s"
  local _, out, err = shell(line:format(scratch, godot, project, script, all))
  return command.read(scratch .. "/out.txt"), out .. err
end

describe("make godot", function()
  setup(function()
    if not io.open(build .. "/libthrong.so.0") then return end
    scratch = io.popen("mktemp -d"):read "l"
    project = scratch .. "/project"
    done(("make --no-print-directory godot-only B='%s' GODOT='%s'"):format(build, project))
  end)
  teardown(function() if scratch then os.execute("rm -rf '" .. scratch .. "'") end end)

  local function needs_project(pending)
    if not project then pending "no libthrong.so in this build" end
  end

  it("makes a project whose addon has all that it needs", function()
    needs_project(pending)
    local names = "nm -D --defined-only '%s/addons/throng/bin/libthrong-godot.so' | cut -d' ' -f3"
    assert.equal("throng_godot\n", done(names:format(project)))
    has(done(("env -i ldd '%s/addons/throng/bin/libthrong-godot.so'"):format(project)),
      ("libthrong.so.0 => %s/addons/throng/bin/libthrong.so.0"):format(project),
      ("liblua5.4.so.0 => %s/addons/throng/bin/lib/liblua5.4.so.0"):format(project))
    for _, file in ipairs { "LICENSE", "licences.txt", "bin/lua/throng/init.lua", "crowd.gd", "throng.gdextension" } do
      assert.is_truthy(io.open(("%s/addons/throng/%s"):format(project, file)), file)
    end
  end)

  it("has in Godot the hashes, errors, columns, events and snapshots of the other bindings", function()
    needs_project(pending)
    local godot = needs.godot(pending)
    done(("HOME='%s' %s --path '%s' --import"):format(scratch, godot, project))
    local scenarios = "scenarios/evacuation.lua scenarios/tower.lua scenarios/lifts.lua scenarios/museum.lua"
    done(("gcc -std=c17 -Iruntime -o '%s/conform' tests/embed/conform.c '%s/libthrong.so.0' -Wl,-rpath,'%s'"):format(
      scratch, build, build))
    assert.equal(done(("'%s/conform' %s"):format(scratch, scenarios)), (run(godot, "conform.gd", scenarios)))
  end)

  it("builds crowds of nodes there, draws them between their steps, and tells what is wrong", function()
    needs_project(pending)
    local godot = needs.godot(pending)
    done(("HOME='%s' %s --path '%s' --import"):format(scratch, godot, project))
    local lua = scratch .. "/hall.lua"
    local out, said = run(godot, "godot_calls.gd", lua)
    has(out, "loads true\nsteps true 0 cpu 0.1\n",
      "evaluates 4.0 0.0 (program):1: attempt to index a nil value (global 'worl')",
      "warns true\nprints hello\t1 true\n", "one value an agent false there must be one value an agent\n",
      "nobody false false agent 0 of 1 is gone: it was removed, or has never been\n",
      "empty false the scenario's text is empty 0\n",
      "put true (2.0, 4.0) false\n",
      "sizes 36 48\n", "drawn true true true (0.0, 0.0, -1.0) ff0000\ndrawn true true true (0.0, 0.0, -1.0) 0000ff\n" ..
      "drawn true true true (0.0, 0.0, -1.0) ff0000\n",
      "arrived ", "place (3.0, 1.0, -4.0) (3.0, 4.0)\n", "nowhere false true false\n")
    has(said, "ThrongPeople 'visitors': where do they stand? Give it a ThrongShape of kind REGION",
      "people without a place: visitors")
    has(command.read(lua), '["street"] = throng.polygon { { 16.500000, 0.500000 }, { 19.500000, 0.500000 }')
    local _, json = command.throng(("run '%s' --steps 200 --out none --json"):format(lua))
    local hash, living = json:match '"hash": "(%x+)"', json:match '"living": (%d+)'
    has(out, ("hall %s %s\n"):format(hash, living))
    assert.is_true(tonumber(living) < 60)
  end)
end)

describe("throng_sim_heights", function()
  it("says how high people stand, ride and climb, as recordings have it", function()
    if not io.open(build .. "/libthrong.so.0") then pending "no libthrong.so in this build" end
    local folder = io.popen("mktemp -d"):read "l"
    local build_line = "gcc -std=c17 -Wall -Wextra -Werror -Iruntime -o '%s/heights' tests/embed/heights.c "
    done((build_line .. "'%s/libthrong.so.0' -Wl,-rpath,'%s'"):format(folder, build, build))
    local highest = {}
    for name, steps in pairs { lifts = 262, tower = 300, evacuation = 20 } do
      local code, out, err = shell(("'%s/heights' scenarios/%s.lua %d"):format(folder, name, steps))
      assert.equal(0, code)
      has(err, "is gone: it was removed, or has never been")
      done(("%s run scenarios/%s.lua --steps %d --out '%s/%s'"):format(command.THRONG, name, steps, folder, name))
      done(("%s convert '%s/%s/trajectory.sqlite' '%s/%s.csv'"):format(command.THRONG, folder, name, folder, name))
      local expected, z_at = {}, nil
      for line in io.lines(("%s/%s.csv"):format(folder, name)) do
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
    os.execute("rm -rf '" .. folder .. "'")
    assert.equal(0, highest.evacuation)
    assert.is_true(highest.lifts > 0 and highest.tower > 3)
  end)
end)
