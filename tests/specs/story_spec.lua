-- world:story: a script for one actor.
local throng = require "throng"

describe("a story", function()
  it("walks, waits and goes on", function()
    local world = throng.world { people = false, dt = 0.1 }
    local actor = world:spawn { at = { { 0, 0 } }, name = "actor", speed = 1 }
    local log = {}
    local function note(what) log[#log + 1] = ("%s %.0f %.0f"):format(what, actor.x[1], world.time) end
    world:story(function(story)
      note "begins"
      story:walk(actor, { 5, 0 }, { radius = 0.1 })
      note "there"
      story:wait(3)
      note "waited"
      actor:go_to { 0, 0 }
      story:wait_until(function() return actor.x[1] < 3 end)
      note "half back"
    end)
    world:run { seconds = 30 }
    -- four metres at 1 m/s, then slower and slower to a tenth of the last: 4 + ln 10 s
    assert.same({ "begins 0 0", "there 5 6", "waited 5 9", "half back 3 11" }, log)
  end)

  it("tells its errors, and what it cannot do", function()
    local function problem(script)
      local world = throng.world {}
      world:story(script)
      local ok, message = pcall(world.run, world, { steps = 3 })
      assert.is_false(ok)
      return message
    end
    assert.is_truthy(problem(function() error "forgot the line" end):find "story_spec.lua:%d+: forgot the line")
    assert.is_truthy(problem(function(story) story:wait "long" end):find 'story_spec.lua:%d+: story:wait: .* "long"')
    assert.is_truthy(problem(function(story) story:walk(3, { 0, 0 }) end):find "expected a group")
    assert.has_error(function() throng.world({}):story(3) end)
    assert.is_truthy(problem(function(story) story:wait(0 / 0) end):find "story_spec.lua:%d+: story:wait: expected sec")
    local own = "story_spec.lua:%d+: a story can only wait in its own function, not in one that it gives to another"
    assert.is_truthy(problem(function(story) ("ab"):gsub(".", function() story:wait(1) end) end):find(own))
    assert.is_truthy(problem(function(story)
      story.world:spawn({ at = { { 0, 0 } } }):filter(function() return story:wait(1) end)
    end):find(own))
  end)
end)
