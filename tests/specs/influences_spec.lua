-- Weights of pairs of groups, agents that change type, and hazards.
local throng = require "throng"
local needs = dofile "tests/specs/needs.lua"
local planners = dofile "tests/specs/planners.lua"

describe("world:avoidance", function()
  -- Where a walker's way ends that passes somebody who stands beside it, in an empty world.
  local function passes(weight)
    local world = throng.world { dt = 0.1 }
    world:spawn { name = "post", at = { { 0, 0.8 } }, planner = "none" }
    local planner = throng.forces { width = 4, length = 5 }
    local walker = world:spawn { name = "walker", at = { { -6, 0 } }, planner = planner }
    walker.desired = { 1.3, 0 }
    if weight then world:avoidance("walker", "post", weight) end
    local least = math.huge
    for _ = 1, 60 do
      world:step()
      least = math.min(least, math.sqrt(walker.x[1] ^ 2 + (walker.y[1] - 0.8) ^ 2))
    end
    return least, world:hash()
  end

  it("says how much agents of one group avoid those of another", function()
    local drawn, none, plain, strong = passes(-2), passes(0), passes(), passes(5)
    assert.is_true(drawn < 0.6, tostring(drawn))
    assert.near(0.8, none, 1e-3)
    assert.is_true(plain > none and strong > plain + 0.05, ("%.2f %.2f"):format(plain, strong))
    local _, one = passes(1)
    local _, first = passes()
    assert.equal(first, one)
  end)

  it("names groups that were spawned", function()
    local world = throng.world {}
    world:spawn { name = "people", count = 1, where = throng.box(0, 0, 3, 3) }
    assert.error_matches(function() world:avoidance("people", "poeple", 1) end, "did you mean 'people'")
    assert.error_matches(function() world:avoidance("people", "people", 1 / 0) end, "weight")
  end)
end)

describe("group:become", function()
  it("makes agents those of another group, in whatever asks for groups", function()
    local world = throng.world { dt = 0.1 }
    local people = world:spawn { name = "people", at = { { 0, 0 }, { 2, 0 }, { 4, 0 } }, planner = "none" }
    local zombies = world:spawn { name = "zombies", at = { { 20, 0 } }, planner = "none" }
    local turned = (people[1] | zombies):become "zombies"
    assert.equal(1, turned.count)
    assert.same({ 1, 2 }, { turned.group[1], people.count })
    assert.equal(2, world.groups.zombies.count)
    assert.equal("zombies", turned.name)
    assert.same({ 0, 20 }, { zombies.x[1], zombies.x[2] })
    assert.equal(2, zombies:stats().spawned)
    people:run(throng.fsm {
      start = "stand",
      stand = { goal = throng.wander { radius = 0.01 }, when = { { throng.near("zombies", 2.5), "seen" } } },
      seen = {},
    })
    world:run { seconds = 0.5 }
    assert.equal(1, people:in_state("seen").count) -- the one two metres from the new zombie
    turned:remove()
    assert.equal(1, zombies.count)
    assert.error_matches(function() people:become "ghosts" end, "ghosts")
  end)
end)

describe("a hazard", function()
  local function stand(planner)
    local world = throng.world { dt = 0.1 }
    return world, world:spawn { name = "people", at = { { 1, 0 }, { 9, 0 } }, planner = planner }
  end

  for _, planner in ipairs(planners) do
    it("is run away from, within its reach: " .. planner, function()
      local world, people = stand(planner)
      world:hazard { at = { 0, 0 }, reach = 5, weight = 2 }
      world:run { seconds = 12 }
      assert.is_true(people.x[1] > 4, tostring(people.x[1]))
      assert.near(9, people.x[2], 1.1) -- who is pushed by the other may go farther
    end)
  end

  it("moves, may be moved, and goes", function()
    local world, people = stand "none"
    local shot = world:hazard { at = { 14, 0 }, vx = -10, reach = 2, weight = 5, seconds = 0.5 }
    world:run { seconds = 0.4 }
    assert.near(10, shot.x, 1e-6)
    assert.near(9, people.x[2], 1e-6)
    shot.reach = 3
    world:step()
    assert.is_true(people.x[2] < 9)
    assert.is_false(shot.is_there)
    assert.error_matches(function() return shot.x end, "was removed, or its time is over")
    local fire = world:hazard { at = { -3, 0 }, reach = 1 }
    world:step()
    assert.near(1, people.x[1], 1e-6)
    fire.x = 0.5
    world:step()
    assert.is_true(people.x[1] > 1)
    fire:remove()
    assert.is_false(fire.is_there)
  end)

  it("does no harm to who stands in its middle", function()
    local world, people = stand "orca"
    world:hazard { at = { 1, 0 }, reach = 5, weight = 1000 }
    world:run { seconds = 1 }
    assert.equal(1, people.x[1])
  end)

  it("says what it takes", function()
    local world = throng.world {}
    assert.error_matches(function() world:hazard { reach = 3 } end, "'at' is missing")
    assert.error_matches(function() world:hazard { at = { 0, 0 }, raech = 3 } end, "did you mean 'reach'")
    assert.error_matches(function() world:hazard { at = { 0, 0 } }.reach = -1 end, "hazard.reach")
  end)
end)

describe("world:hash", function()
  it("tells worlds apart whose hazards differ, in whatever they are and do", function()
    local function hash_with(hazard)
      local world = throng.world { dt = 0.1 }
      world:spawn { at = { { 50, 50 } } } -- too far off to heed it
      local it = hazard and world:hazard { at = { 0, 0 }, reach = hazard.reach or 2, vx = hazard.vx }
      if hazard and hazard.gone then it:remove() end
      world:step()
      return world:hash()
    end
    local none = hash_with()
    local hashes = { none, hash_with {}, hash_with { reach = 3 }, hash_with { vx = 1 } }
    for i = 1, #hashes do
      for j = i + 1, #hashes do
        assert.not_equal(hashes[i], hashes[j])
      end
    end
    assert.same_hash(none, hash_with { gone = true })
  end)
end)

describe("the outbreak", function()
  it("spreads by contact", function()
    local world = throng.load("scenarios/zombies.lua", { params = { people = 80, zombies = 4 } })
    local people, zombies = world.groups.people, world.groups.zombies
    world:run { seconds = 90 }
    assert.equal(84, people.count + zombies.count)
    assert.is_true(zombies.count > 20 and people.count > 0, tostring(zombies.count))
    assert.no_overlap(world)
  end)

  it("is the same at any SIMD width", function()
    local first
    for _, simd in ipairs(needs.which_simd { 1, 4, 8, 16 }) do
      local world = throng.load("scenarios/zombies.lua", { simd = simd, backend = "cpu" })
      world:hazard { at = { 20, 20 }, vx = 0.5 }
      world:run { seconds = 20 }
      first = first or world:hash()
      assert.equal(first, world:hash())
    end
  end)
end)

describe("positions", function()
  for _, planner in ipairs(planners) do
    it("stay numbers whatever pulls at them: " .. planner, function()
      local world = throng.world { dt = 0.1 }
      local at = { { 0, 0 }, { 0, 0 }, { 0, 0 }, { 0, 0 }, { 1e-30, 0 }, { 0.25, 0 }, { 5, 5 }, { 5, 5 } }
      local pile = world:spawn { name = "pile", at = at, planner = planner, mass = 1e6, radius = 1e-3 }
      world:spawn { name = "giants", at = { { 0, 0 }, { 1, 0 } }, planner = planner, mass = 1e-6, radius = 0.5 }
      if planner == "forces" then
        pile.planner = throng.forces { avoidance = 1000, memory = 1000, attraction = 1000, max_acceleration = 1e6 }
      end
      world:avoidance("pile", "giants", -1000)
      world:avoidance("giants", "pile", 1000)
      world:hazard { at = { 0, 0 }, weight = 1000, reach = 1e6 }
      world:hazard { at = { 0, 0 }, weight = -1000, reach = 1e-3 }
      pile.desired = { 1000, -1000 }
      for _ = 1, 50 do
        world:step()
        for _, column in ipairs { "x", "y", "vx", "vy", "hx", "hy", "frustration" } do
          for i, value in ipairs(world.agents[column]) do
            assert.is_true(value == value and math.abs(value) < 1e4, ("%s[%d] = %s"):format(column, i, value))
          end
        end
      end
    end)
  end

  it("need masses and radii", function()
    local world = throng.world {}
    for _, name in ipairs { "mass", "radius" } do
      assert.error_matches(function() world:spawn { at = { { 0, 0 } }, [name] = 0 } end, name)
      assert.error_matches(function() world:spawn { at = { { 0, 0 } }, [name] = 0 / 0 } end, name)
    end
  end)
end)

describe("a player", function()
  -- How far a player of that mass gets through the crowd in 12 s, steered by a script.
  local function walk(mass)
    local world = throng.load("scenarios/player.lua", { params = { mass = mass, people = 250 } })
    local player = world.groups.player
    world:run { seconds = 1 }
    assert.same({ 2, 10 }, { player.x[1], player.y[1] }) -- it waits for its player
    player.desired = { 1.8, 0 }
    world:run { seconds = 12 }
    assert.no_overlap(world)
    return player.x[1]
  end

  it("is made way for, the more the heavier it is", function()
    local light, heavy = walk(20), walk(2000)
    assert.is_true(heavy > 2 + 0.75 * 12 * 1.8, ("%.1f m"):format(heavy))
    assert.is_true(heavy > light, ("%.1f m, %.1f m"):format(light, heavy))
  end)
end)
