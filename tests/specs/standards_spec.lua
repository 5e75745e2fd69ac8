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
    says("--suite imo --tags mutation --filter 'IMO 1,'", "2 passed, 0 failed")
    local found = command.read(scratch .. "/out/standards/imo-orca.jsonl")
    assert.is_truthy(found == "" or found:find '"number":"1"', found)
  end)

  it("runs planners side by side", function()
    says("--suite imo --planner orca,rvo --jobs 2 --filter 'IMO 1,'", "2 passed, 0 failed")
    assert.is_truthy(command.read(scratch .. "/out/standards/imo-rvo.jsonl"):find('"planner":"rvo"', 1, true))
  end)

  it("knows suites and planners", function()
    says("--suite x", "--suite must be rimea, imo, nist, iso or all, got 'x'")
    says("--planner orca,x", "--planner must be all, or some of")
    says("--suite imo tests/specs", "--suite and files")
  end)
end)
