-- Groups as sets, filters, tags.
local throng = require "throng"

local function ids(group) return group.id:list() end

describe("groups", function()
  local world, odd, low

  before_each(function()
    world = throng.world {}
    local at = {}
    for i = 1, 8 do
      at[i] = { 2 * i, 0 }
    end
    local all = world:spawn { at = at, name = "all" }
    odd = all:filter(function(a) return a.id % 2 == 1 end)
    low = all:filter(function(a) return a.x < 9 and a.speed > 1 end)
  end)

  it("are filtered by what a function says of each", function()
    assert.same({ 1, 3, 5, 7 }, ids(odd))
    assert.same({ 0, 1, 2, 3 }, ids(low))
    assert.equal("all", odd.name)
    assert.equal(0, odd:filter(function() end).count)
    assert.has_error(function() odd:filter(3) end)
    assert.error_matches(function() odd:filter(function(a) return a.x end) end,
      "sets_spec.lua:%d+ must return true or false, as a.x < 3 does; it returned [%d.]+ for agent %d")
    local ok, message = pcall(odd.filter, odd, function(a) return a.sped > 1 end)
    assert.is_false(ok)
    assert.is_truthy(message:find "sets_spec.lua:%d+: agent: unknown field 'sped', did you mean 'speed'")
  end)

  it("are equal where their agents are", function()
    local all = world.groups.all
    assert.is_true(all[1] == all[1] and odd[1] == all[2] and (odd | low) - low == odd - low)
    assert.is_false(odd == low or all[1] == all[2] or odd == 3)
    assert.is_false(throng.world {}:spawn { count = 1, where = throng.box(0, 0, 1, 1) } == all[1])
    local first = all[1]
    all:remove()
    assert.is_true(first == odd) -- nobody
  end)

  it("are united, intersected and subtracted", function()
    assert.same({ 0, 1, 2, 3, 5, 7 }, ids(odd | low))
    assert.same({ 1, 3 }, ids(odd & low))
    assert.same({ 5, 7 }, ids(odd - low))
    assert.same({ 0, 2 }, ids(low - odd))
    assert.equal(0, ((odd - odd) | (low - low)).count)
    low:remove()
    assert.same({ 5, 7 }, ids(odd | low))
    local other = throng.world({}):spawn { at = { { 0, 0 } } }
    assert.has_error(function() return odd | other end)
    assert.has_error(function() return odd - 3 end)
  end)

  it("are united as they are at that moment", function()
    local open = throng.world {}
    local some = open:spawn { at = { { 0, 0 } }, name = "some" }
    local later = open:source { rate = 1, limit = 3, where = throng.box(5, 0, 9, 4), name = "later" }
    local both = some | later
    local before = both.count
    open:run { seconds = 4 }
    assert.equal(3, later.count)
    assert.equal(before, both.count)
    assert.equal(4, (some | later).count)
  end)

  it("are walked through as they are when the loop begins, while a scenario's loop removes them", function()
    local path = os.tmpname()
    for _, walk in ipairs { "ipairs", "pairs" } do
      local file <close> = assert(io.open(path, "w"))
      file:write(([[
        local world = require "throng".world {}
        local group = world:spawn { at = { { 0, 0 }, { 2, 0 }, { 4, 0 }, { 6, 0 }, { 8, 0 } } }
        local last = group[5]
        for i, agent in %s(group) do
          world:spawn { at = { { agent.x[1], i } }, name = "seen" .. i }
          if i == 2 then last:remove() end
          agent:remove()
        end
        assert(group.count == 0)
        return world]]):format(walk))
      file:close()
      local open = throng.load(path)
      local x, y = open.agents.x:list(), open.agents.y:list()
      table.sort(x)
      table.sort(y)
      assert.same({ 0.0, 2.0, 4.0, 6.0 }, x)
      assert.same({ 1.0, 2.0, 3.0, 4.0 }, y)
    end
    os.remove(path)
  end)

  it("are tagged", function()
    odd:tag "late"
    low:tag "late":tag "near"
    assert.same({ 0, 1, 2, 3, 5, 7 }, ids(world:tagged "late"))
    assert.same({ 0, 1, 2, 3 }, ids(world:tagged "near"))
    assert.equal(0, world:tagged("nobody").count)
    odd:untag "late"
    assert.same({ 0, 2 }, ids(world:tagged "late"))
    low[1]:remove()
    assert.same({ 2 }, ids(world:tagged "late"))
    world:spawn { at = { { 0, 9 } } } -- takes the free slot, not the tag
    assert.same({ 2 }, ids(world:tagged "late"))
    assert.has_error(function() odd:tag(3) end)
  end)
end)
