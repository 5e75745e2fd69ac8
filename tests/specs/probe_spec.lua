-- world:probe: what every planner saw and chose, as far as the choice follows from it.
local throng = require "throng"
local planners = dofile "tests/specs/planners.lua"

local DT = 0.1

-- Six who cross in a corridor, after some steps.
local function crossing(planner)
  local map = throng.map { boundary = throng.box(0, 0, 8, 2.4) }
  local world = throng.world { map = map, dt = DT, people = false }
  local group = world:spawn {
    at = { { 3, 0.6 }, { 3, 1.2 }, { 3, 1.8 }, { 4.2, 0.7 }, { 4.2, 1.3 }, { 4.2, 1.9 } },
    radius = 0.2,
    speed = 1.3,
    planner = planner,
  }
  for i = 1, 6 do group[i]:go_to({ i < 4 and 7.5 or 0.5, group.y[i] }, { radius = 0.2 }) end
  world:run { steps = 4 }
  return world, group
end

-- Calls check with the probes of all six.
local function each(planner, check)
  local world <close>, group = crossing(planner)
  local listed = 0
  for i = 1, #group do listed = listed + check(world:probe(group[i])) end
  assert.is_true(listed > 0, "nobody saw anything")
end

local function dot(a, b) return a[1] * b[1] + a[2] * b[2] end

local function total(probe)
  local x, y = probe.attraction[1], probe.attraction[2]
  for _, push in ipairs(probe.pushes) do x, y = x + push.force[1], y + push.force[2] end
  return x, y
end

describe("world:probe", function()
  it("says what was preferred and chosen, under every planner", function()
    for _, name in ipairs(planners) do
      each(name, function(probe)
        assert.equal(name, probe.planner)
        for _, field in ipairs { "velocity", "preferred", "chosen" } do
          assert.is_true(math.sqrt(dot(probe[field], probe[field])) < 3, name .. ": " .. field)
        end
        local lists = 0
        for _, list in ipairs { "half_planes", "velocity_obstacles", "samples", "pushes", "map" } do
          lists = lists + (probe[list] and 1 or 0)
        end
        assert.equal(name == "none" and 0 or 1, lists, name)
        return 1
      end)
    end
  end)

  it("knows nothing of who took no step", function()
    local world <close> = throng.world {}
    local group = world:spawn { at = { { 0, 0 } }, planner = "orca" }
    assert.is_nil(world:probe(group[1]).chosen)
  end)

  it("shows half-planes within which orca's choice lies", function()
    each("orca", function(probe)
      for _, plane in ipairs(probe.half_planes) do
        local x, y = probe.chosen[1] - plane.at[1], probe.chosen[2] - plane.at[2]
        assert.is_true(plane.direction[1] * y - plane.direction[2] * x > -1e-4)
        assert.is_boolean(plane.wall)
      end
      return #probe.half_planes
    end)
  end)

  it("shows velocity obstacles beyond which clearpath's choice lies", function()
    each("clearpath", function(probe)
      for _, obstacle in ipairs(probe.velocity_obstacles) do
        local least = math.huge
        for _, side in ipairs(obstacle.sides) do
          assert.near(1, math.sqrt(dot(side.normal, side.normal)), 1e-4)
          least = math.min(least, dot(side.normal, probe.chosen) - side.offset)
        end
        assert.is_true(least < 1e-3, "the choice lies in an obstacle")
      end
      return #probe.velocity_obstacles
    end)
  end)

  it("shows the samples of which rvo chose the cheapest", function()
    each(throng.rvo { samples = 100 }, function(probe)
      local best = probe.samples[1]
      for _, sample in ipairs(probe.samples) do best = sample.cost < best.cost and sample or best end
      assert.near(best.velocity[1], probe.chosen[1], 1e-4)
      assert.near(best.velocity[2], probe.chosen[2], 1e-4)
      return #probe.samples - 1
    end)
  end)

  it("shows the forces that changed the velocity", function()
    for _, name in ipairs { "social_force", "generalized_centrifugal_force" } do
      local tau = 0.5
      local growth = math.exp(DT / tau) - 1
      each(throng[name] { relaxation = tau }, function(probe)
        local x, y = total(probe)
        local speed = math.sqrt(dot(probe.chosen, probe.chosen))
        if speed < probe.max_speed - 1e-3 then -- else it was cut off
          local part = DT * (1 + growth) / (growth * tau)
          assert.near(part * probe.sum[1], x, 0.02 * (1 + math.abs(x)), name)
          assert.near(part * probe.sum[2], y, 0.02 * (1 + math.abs(y)), name)
        end
        return #probe.pushes
      end)
    end
    each("power_law", function(probe)
      for _, push in ipairs(probe.pushes) do assert.is_true(dot(push.at, push.force) < 0, "they push away") end
      return #probe.pushes
    end)
  end)

  it("shows what turned a direction, and the gap ahead", function()
    each("collision_free_speed", function(probe)
      local x, y = total(probe)
      local length = math.sqrt(x * x + y * y)
      assert.near(x / length, probe.sum[1], 1e-3)
      assert.near(y / length, probe.sum[2], 1e-3)
      local speed = math.sqrt(dot(probe.chosen, probe.chosen))
      assert.near(math.max(0, math.min(1.3, probe.ahead or 1.3)), speed, 1e-3) -- a time gap of 1 s
      return #probe.pushes
    end)
    each("anticipation", function(probe)
      for _, push in ipairs(probe.pushes) do
        if not push.wall then assert.near(0, dot(push.force, probe.attraction), 1e-3) end
      end
      assert.near(1, math.sqrt(dot(probe.sum, probe.sum)), 1e-3)
      return #probe.pushes
    end)
  end)
end)
