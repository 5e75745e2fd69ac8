-- scenarios/museum.lua: what a scenario is made of, each part doing what its comment says.
local throng = require "throng"

local function museum(params)
  return throng.load("scenarios/museum.lua", { params = params })
end

local function count(set)
  local n = 0
  for _ in pairs(set) do n = n + 1 end
  return n
end

describe("the museum", function()
  it("has visitors who ask for paths, follow them, wait and wander", function()
    local world <close> = museum()
    local visitors, most, seen = world.groups.visitors, 0, {}
    world:on_step(function()
      most = math.max(most, world.paths.spent)
      for i, state in ipairs(visitors.fsm_state) do
        seen[state] = seen[state] or {}
        seen[state][i] = true
      end
    end)
    world:run { steps = 2 }
    assert.is_true(visitors:in_state("ask").count > 10) -- 30 paths, for which one frame has not the budget
    world:run { seconds = 118 }
    assert.equal(50, most)
    for _, state in ipairs { "ask", "follow", "wait", "wander" } do
      assert.is_true(count(seen[state] or {}) > 25, state)
    end
    assert.no_overlap(world)
  end)

  it("has children who run to the garden and back", function()
    local world <close> = museum()
    local children, there, back = world.groups.children, {}, {}
    world:on_step(function()
      for i, x in ipairs(children.x) do
        there[i] = there[i] or x > 18.5 or nil
        back[i] = back[i] or there[i] and x < 11.5 or nil
      end
    end)
    world:run { seconds = 120 }
    assert.equal(8, count(back))
  end)

  it("is quiet where it says so", function()
    local function pace(hush)
      local world <close> = museum { hush = hush }
      local sum, steps = 0, 0
      world:on_step(function()
        local them = world.groups.visitors:inside("quiet room"):in_state("follow")
        local vx, vy = them.vx, them.vy
        for i = 1, #them do
          sum, steps = sum + math.sqrt(vx[i] ^ 2 + vy[i] ^ 2), steps + 1
        end
      end)
      world:run { seconds = 60 }
      assert.is_true(steps > 100)
      return sum / steps
    end
    local loud, quiet = pace(1), pace(0.3)
    assert.is_true(quiet < 0.5 * loud, ("%.2f m/s, %.2f without"):format(quiet, loud))
  end)
end)
