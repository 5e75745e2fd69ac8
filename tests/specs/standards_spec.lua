-- Cases of the verification suites (tests/standards) that take little time, under the default planner, and that each
-- fails on a model that is wrong as its mutations say. `make standards` runs all, under all planners.
package.path = "tests/standards/?.lua;" .. package.path
local suite = require "suite"

for _, name in ipairs { "imo", "rimea", "nist", "iso" } do
  local cases = suite.of("tests/standards/", name)
  describe("suite " .. name, function()
    for _, case in ipairs(cases) do
      if case.quick then
        it(("holds in %s, %s"):format(case.number, case.title), function()
          assert.same({}, suite.misses(case, "orca"))
        end)
        for _, mutation in ipairs(suite.names(case.mutations)) do
          it(("%s fails with %s"):format(case.number, mutation), function()
            assert.is_nil(suite.unseen(case, "orca", mutation))
          end)
        end
      end
    end

    it("names every case once, and what each that is not run needs", function()
      local numbers = {}
      for _, case in ipairs(cases) do
        assert.is_nil(numbers[case.number], case.number)
        numbers[case.number] = true
        assert.is_true((case.needs == nil) ~= (case.run == nil), case.number)
        assert.is_truthy(case.needs or case.says, case.number)
      end
    end)
  end)
end

describe("a case of one run", function()
  local throng = require "throng"

  local function misses(definition)
    return suite.misses({ run = function(run)
      local group = run:people(run:world {}, definition)
      run:expect("std", "speed", group.speed[1], { least = 0 })
    end }, "orca")
  end

  it("has nothing random in it: another seed tells the same", function()
    assert.same({}, misses { at = { { 0, 0 } }, speed = 1 })
    assert.same({ "figures of one run that another seed changes: 1, must be at most 0 (ours)" },
      misses { at = { { 0, 0 } }, speed = throng.uniform(1, 2) })
  end)
end)

describe("throng test --suite", function()
  local command = dofile "tests/specs/command.lua"
  local scratch

  before_each(function()
    scratch = os.tmpname()
    os.remove(scratch)
    os.execute("mkdir " .. scratch)
  end)
  after_each(function() os.execute("rm -rf '" .. scratch .. "'") end)

  -- In a folder without tests/standards: it finds those beside the executable.
  local function says(arguments, text)
    local _, out, err = command.throng("test " .. arguments, scratch)
    assert.is_truthy((out .. err):find(text, 1, true), out .. err)
  end

  it("runs a suite's cases, and --tags mutation its mutations", function()
    says("--suite imo --filter 'IMO 1,'", "1 passed, 0 failed")
    says("--suite imo --tags mutation --filter 'IMO 1,'", "3 passed, 0 failed")
    local found = command.read(scratch .. "/out/standards/imo-orca.jsonl")
    assert.is_truthy(found == "" or found:find '"number":"1"', found)
  end)

  it("shows a case as one reads it beside the standard, with --figures", function()
    local _, out = command.throng("test --suite imo --figures --filter 'IMO 1,'", scratch)
    assert.matches("One person walks 40 m of a corridor", out)
    assert.matches("cases/walking.lua:%d+\n", out)
    assert.matches("holds time over 40 m: 40[%d.]* %(one run: nothing random in it%) s, must be 39.6 to 40.4 " ..
      "%(the standard%)", out)
  end)

  it("writes what assertions were seen to fail on", function()
    command.throng("test --suite imo --tags mutation --filter 'IMO 1,'", scratch)
    local here = io.popen("pwd"):read "l"
    command.write(scratch .. "/RESULTS.md", "# Before\n\n## Mutations\n\nwhat was\n")
    for _ = 1, 2 do
      local code, _, problem = command.shell(("cd %s && lua5.4 %s/tests/standards/mutations.lua RESULTS.md "
        .. "out/standards/mutations/*.jsonl"):format(scratch, here))
      assert.equal(0, code, problem)
    end
    local text = command.read(scratch .. "/RESULTS.md")
    assert.matches("^# Before\n\n## Mutations\n\nWritten by", text)
    assert.matches("| a speed 10 %% lower | time over 40 m %(S%); time over 40 m |", text)
    assert.matches("3 of the 3 assertions", text)
    assert.is_nil(text:find("what was", 1, true))
  end)

  it("runs planners side by side", function()
    says("--suite imo --planner orca,rvo --jobs 2 --filter 'IMO 1,'", "2 passed, 0 failed")
    assert.is_truthy(command.read(scratch .. "/out/standards/imo-rvo.jsonl"):find('"planner":"rvo"', 1, true))
  end)

  it("knows suites and planners", function()
    says("--suite x", "--suite must be rimea, imo, nist, iso or all, got 'x'")
    says("--planner orca tests/specs/timers_spec.lua", "--planner is of the suites: give --suite too")
    says("--planner orca,x", "--planner must be all, or some of")
    says("--suite imo tests/specs", "--suite and files")
  end)
end)
