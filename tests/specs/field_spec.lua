-- Routes by a field: everybody arrives, the same bits everywhere.
local throng = require "throng"
local needs = dofile "tests/specs/needs.lua"

-- Rooms on both sides of a corridor, with doors of 1 m.
local function rooms(settings, far)
  local walls = {}
  for i = 1, 4 do
    local x = 5 * i
    if i < 4 then
      walls[#walls + 1] = throng.box(x - 0.05, 0, x + 0.05, 5)
      walls[#walls + 1] = throng.box(x - 0.05, 8, x + 0.05, 13)
    end
    for _, y in ipairs { 5, 8 } do
      walls[#walls + 1] = throng.box(x - 5, y - 0.05, x - 3, y + 0.05)
      walls[#walls + 1] = throng.box(x - 2, y - 0.05, x, y + 0.05)
    end
  end
  settings.map = throng.map { boundary = throng.box(0, 0, 20, 13), walls = walls }
  settings.regions = { [far or "far"] = throng.box(18, 9, 19.5, 12.5), near = throng.box(0.5, 0.5, 4.5, 4.5) }
  return throng.world(settings)
end

local function crowd(settings, far)
  local world = rooms(settings, far)
  local group = world:spawn { count = 60, name = "guests", routing = "field", radius = throng.uniform(0.2, 0.25) }
  group:go_to(far or "far")
  group:on("arrived", function(set) set:remove() end) -- 60 do not fit into it
  return world, group
end

describe("routes by a field", function()
  it("lead everybody out of every room", function()
    local world, group = crowd { seed = 5 }
    world:run { seconds = 120, until_done = true }
    assert.arrives(group, { within = 120 })
    assert.no_overlap(world)
  end)

  it("keep to the middle of a corridor", function()
    local world <close> = rooms {}
    local group = world:spawn { at = { { 1, 5.5 } }, routing = "field", planner = "none", radius = 0.2 }
    group:go_to { 19.5, 6.5 }
    world:run { seconds = 6 }
    assert.near(6.5, group.y[1], 0.35)
  end)

  it("have the same bits at any SIMD width", function()
    local reference
    for _, simd in ipairs(needs.which_simd { 1, 4, 8, 16 }) do
      local world <close> = crowd { seed = 9, backend = "cpu", simd = simd, threads = 2 }
      world:run { steps = 100 }
      reference = reference or world:hash()
      assert.same_hash(reference, world:hash())
    end
  end)

  it("have the same bits on CUDA, which solves the field itself", function()
    needs.device(pending)
    local here <close> = crowd { seed = 9, backend = "cpu" }
    local there <close> = crowd({ seed = 9, backend = "cuda" }, "yonder") -- another name, or it would be here's field
    here:run { steps = 100 }
    there:run { steps = 100 }
    assert.same_hash(here:hash(), there:hash())
  end)

  it("say where agents are that have no way", function()
    local world <close> = rooms {}
    local group = world:spawn { at = { { 1, 6 } }, routing = "field" }
    assert.error_matches(function() group:go_to { 40, 40 } end, "no agent of radius")
  end)
end)
