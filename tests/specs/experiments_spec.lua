-- scenarios/experiments, with recordings made here; tests/people/EXPERIMENTS.md is of those of the experiments.
local throng = require "throng"
local command = dofile "tests/specs/command.lua"

local scratch = os.tmpname()
os.remove(scratch)
os.execute("mkdir " .. scratch)
teardown(function() os.execute("rm -r " .. scratch) end)

-- The scenario with a recording of walkers, { x, y, vx, vy, from frame, frames } each, at 10 frames a second.
local function load(name, walkers, params)
  local rows = { "# framerate: 10", "# id frame x/m y/m" }
  for id, w in ipairs(walkers) do
    for n = 0, w[6] - 1 do
      local x, y = w[1] + w[3] * n / 10, w[2] + w[4] * n / 10
      rows[#rows + 1] = ("%d %d %.3f %.3f"):format(id, w[5] + n, x, y)
    end
  end
  local recording = scratch .. "/people.txt"
  command.write(recording, table.concat(rows, "\n") .. "\n")
  params = params or {}
  params.recording = recording
  return throng.load(("scenarios/experiments/%s.lua"):format(name), { params = params }), throng.trajectory(recording)
end

describe("the experiment's scenario", function()
  it("of the bottleneck begins as recorded, and lets all out by the passage", function()
    local walkers = {}
    for i = 1, 6 do walkers[i] = { -2 + 0.6 * i, 3, 0, 0, 0, 201 } end
    local world <close>, people = load("bottleneck", walkers)
    assert.same(people:at(0).id, { 1, 2, 3, 4, 5, 6 })
    assert.near(-1.4, world.groups.people.x[1], 1e-6)
    world:run {}
    local flow = world:compare(people)[1]
    assert.equal(6, flow.ours_count + 1) -- gaps between them
    assert.equal(0, #world.agents)
  end)

  it("of the corridor has people come as recorded, through an exit as wide as is said", function()
    local walkers = {}
    for i = 1, 8 do walkers[i] = { 0.4 + 0.3 * (i % 4), 7.5, 0, -1.4, 8 * i, 110 } end
    local wide <close>, people = load("corridor", walkers, { exit = 1.8 })
    wide:run {}
    local row = wide:compare(people)["time for 6 m"]
    assert.near(6 / 1.4, row.recorded, 0.2)
    assert.near(row.recorded, row.ours, 1)
    local narrow <close> = load("corridor", walkers, { exit = 0.6 })
    narrow:run {}
    assert.is_true(narrow:compare(people)["time for 6 m"].ours > row.ours)
  end)

  it("of counterflow sends everybody on the way that is recorded", function()
    local walkers = {}
    for i = 1, 8 do
      local right = i % 2 == 0
      walkers[i] = { right and -5.8 or 4.8, 0.4 * i, right and 1.3 or -1.3, 0, 10 * i, 100 }
    end
    local world <close>, people = load("counterflow", walkers)
    world:run {}
    local compared = world:compare(people)
    for _, way in ipairs { "time to the right", "time to the left" } do
      assert.equal(4, compared[way].ours_count)
      assert.near(compared[way].recorded, compared[way].ours, 1.5)
    end
  end)
end)
