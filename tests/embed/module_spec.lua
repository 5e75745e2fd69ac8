-- throng in a plain busted, which has its assertions then.
local throng = require "throng"

describe("a room", function()
  local function people(settings)
    local world = throng.world { seed = settings.seed }
    local group = world:spawn { count = 20, where = throng.box(0, 0, 8, 8), name = "people" }
    group:go_to(throng.box(20, 0, 30, 8))
    world:run { seconds = settings.seconds }
    return world, group
  end

  it("is left by all", function()
    local world, group = people { seed = 3, seconds = 60 }
    assert.arrives(group, { within = 60 })
    assert.no_overlap(world)
  end)

  it("is left by nobody in a second", function()
    local _, group = people { seed = 3, seconds = 1 }
    assert.arrives(group, { within = 1 })
  end)

  it("outlives the module in package.loaded, which busted forgets after each file", function()
    local kept = debug.getregistry()["throng.guest"]
    local world, group = people { seed = 3, seconds = 1 }
    package.loaded.throng = nil
    assert.equal(throng, require "throng")
    assert.equal(kept, debug.getregistry()["throng.guest"]) -- what the world has of it is not freed before it
    collectgarbage()
    world:run { seconds = 60 }
    assert.arrives(group, { within = 60 })
    world:close()
  end)

  it("is left at the same time with every seed", function()
    across({ seeds = 3, at_most = 40 }, function(seed)
      return people({ seed = seed, seconds = 60 }):stats().last_arrival
    end)
  end)
end)
