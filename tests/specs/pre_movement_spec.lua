-- pre_movement: how long agents stay where they are once they were spawned.
local throng = require "throng"
local needs = dofile "tests/specs/needs.lua"

-- The times at which each has moved by 0.05 m, by id, until all have or the time is over.
local function starts(world, group, seconds)
  local x0, y0, ids, times = group.x:list(), group.y:list(), group.id:list(), {}
  for _ = 1, math.floor(seconds / world.dt + 0.5) do
    world:step()
    local x, y = group.x:list(), group.y:list()
    for i, id in ipairs(ids) do
      times[id] = times[id] or ((x[i] - x0[i]) ^ 2 + (y[i] - y0[i]) ^ 2 > 0.05 ^ 2 and world.time) or nil
    end
  end
  return times
end

local function row(count)
  local at = {}
  for i = 1, count do
    at[i] = { 0, 2 * i }
  end
  return at
end

describe("pre_movement", function()
  it("holds each where it is for so long", function()
    local world <close> = throng.world { threads = 1 }
    local group = world:spawn { at = row(8), pre_movement = throng.uniform(0, 5), relaxation = 0 }
    group:go_to { 40, 8 }
    local given, ids = group.pre_movement:list(), group.id:list()
    local times = starts(world, group, 7)
    for i, id in ipairs(ids) do
      local late = times[id] - given[i]
      assert.is_true(late >= 0 and late <= 2 * world.dt + 1e-6, ("%g s for %g"):format(times[id], given[i]))
    end
  end)

  it("counts from when one was spawned", function()
    local world <close> = throng.world { threads = 1 }
    world:spawn({ at = { { 0, 0 } }, name = "first" }):go_to { 40, 0 }
    world:run { seconds = 3 }
    local later = world:spawn { at = { { 0, 5 } }, pre_movement = 2, name = "later", relaxation = 0 }
    later:go_to { 40, 5 }
    assert.near(5.1, starts(world, later, 4)[1], 0.11)
  end)

  it("may be given to those of a place, and changed", function()
    local world <close> = throng.world { threads = 1 }
    local group = world:spawn { at = { { 0, 0 }, { 0, 10 } }, relaxation = 0 }
    group:go_to { 40, 5 }
    group:inside(throng.box(-1, 9, 1, 11)).pre_movement = 3
    local times = starts(world, group, 5)
    assert.near(0.1, times[0], 0.11)
    assert.near(3.1, times[1], 0.11)
    assert.has_error(function() group.pre_movement = -1 end)
  end)

  it("does not make one stuck, and a machine's goals wait, too", function()
    local world <close> = throng.world { threads = 1 }
    local group = world:spawn { at = { { 0, 0 } }, pre_movement = 20 }
    group:run(throng.fsm { start = "leave", leave = { goal = throng.go_to { 10, 0 } } })
    world:run { seconds = 19 }
    assert.near(0, group.x[1], 1e-6)
    assert.equal(0, #world:stuck())
    world:run { seconds = 10 }
    assert.is_true(group.x[1] > 5)
  end)

  it("gives the same bits at every width", function()
    local hash
    for _, simd in ipairs(needs.which_simd { 1, 4, 8, 16 }) do
      local world <close> = throng.world { simd = simd, threads = 1, seed = 3 }
      local group = world:spawn { where = throng.box(0, 0, 12, 12), count = 60,
        pre_movement = throng.gamma(2, 1) }
      group:go_to { 30, 6 }
      world:run { seconds = 6 }
      hash = hash or world:hash()
      assert.equal(hash, world:hash())
    end
  end)
end)
