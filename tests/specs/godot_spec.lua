-- The addon for Godot 4: `make godot`, and what it does in a Godot that is installed.
local command = dofile "tests/specs/command.lua"
local needs = dofile "tests/specs/needs.lua"
local shell, done, has = command.shell, command.done, command.has

local build = command.THRONG:match "(.*)/[^/]*$"
local scratch, project

-- Runs a script of tests/embed in the project; what it wrote to its file, and what Godot said.
local function run(godot, script, ...)
  local all = table.concat({ scratch .. "/out.txt", io.popen("pwd"):read "l", ... }, " ")
  local line = "HOME='%s' timeout -s KILL 60 %s --path '%s' --script \"$PWD/tests/embed/%s\" -- %s"
  local _, out, err = shell(line:format(scratch, godot, project, script, all))
  return command.read(scratch .. "/out.txt"), out .. err
end

describe("make godot", function()
  teardown(function() if scratch then os.execute("rm -rf '" .. scratch .. "'") end end)

  local function make(pending)
    needs.library(pending)
    if project then return end
    scratch = io.popen("mktemp -d"):read "l"
    project = scratch .. "/project"
    done(("make --no-print-directory godot-only B='%s' GODOT='%s'"):format(build, project))
  end

  -- Made, and imported; how Godot is started.
  local function import(pending)
    make(pending)
    local godot = needs.godot(pending)
    done(("HOME='%s' %s --path '%s' --import"):format(scratch, godot, project))
    return godot
  end

  it("makes a project whose addon has all that it needs", function()
    make(pending)
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
    local godot = import(pending)
    local scenarios = "scenarios/evacuation.lua scenarios/tower.lua scenarios/lifts.lua scenarios/museum.lua"
    done(("gcc -std=c17 -Iruntime -o '%s/conform' tests/embed/conform.c '%s/libthrong.so.0' -Wl,-rpath,'%s'"):format(
      scratch, build, build))
    assert.equal(done(("'%s/conform' %s"):format(scratch, scenarios)), (run(godot, "conform.gd", scenarios)))
  end)

  it("builds crowds of nodes there, draws them between their steps, and tells what is wrong", function()
    local godot = import(pending)
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
