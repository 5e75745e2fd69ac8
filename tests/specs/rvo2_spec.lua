-- Until bodies touch, a scene follows RVO2's own trajectories. tests/data/rvo2.lua
-- holds positions of every tenth agent, recorded from RVO2 itself.
local throng = require "throng"
local needs = dofile "tests/specs/needs.lua"
local recorded = dofile "tests/data/rvo2.lua"

-- Steps at which a change of the start in the last bit does not yet show in RVO2
-- itself (`drift` there), and what may be lost to rounding until then.
local scenes = {
  circle = { steps = { 1, 10, 50, 100, 150, 200 }, within = 1e-4 },
  blocks = { steps = { 1, 10, 25, 50, 75, 100 }, within = 1e-4 }, -- then the four on the diagonals meet a corner
  roadmap = { steps = { 1, 10, 25, 50, 75, 100, 150, 200 }, within = 1e-4 },
}

-- The largest difference of a coordinate, m, and the agent.
local function difference(walkers, places)
  local x, y = walkers.x, walkers.y
  local worst, who = 0, 0
  for i, place in ipairs(places) do
    local agent = (i - 1) * 10 + 1
    local apart = math.max(math.abs(x[agent] - place[1]), math.abs(y[agent] - place[2]))
    if apart > worst then
      worst, who = apart, agent
    end
  end
  return worst, who
end

describe("RVO2's own scenes:", function()
  for _, name in ipairs { "circle", "blocks", "roadmap" } do
    for _, simd in ipairs(needs.which_simd { 1, 8 }) do
      it(("%s, SIMD width %d"):format(name, simd), function()
        local world = throng.load("scenarios/" .. name .. ".lua", { simd = simd, backend = "cpu" })
        for _, step in ipairs(scenes[name].steps) do
          world:run { steps = step - world.steps }
          local worst, who = difference(world.groups.walkers, recorded[name][step])
          assert.is_true(worst <= scenes[name].within,
            ("step %d: agent %d is %g m from where RVO2 has it"):format(step, who, worst))
        end
      end)
    end
  end
end)
