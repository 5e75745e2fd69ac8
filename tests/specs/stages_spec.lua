-- The stages of a frame as values: world.stages.
local throng = require "throng"

local function crossing(settings)
  settings = settings or { threads = 1 }
  local world = throng.world(settings)
  world:spawn { count = 40, where = throng.box(-8, -4, -2, 4), name = "west" }:go_to({ 20, 0 })
  world:spawn { count = 40, where = throng.box(2, -4, 8, 4), name = "east" }:go_to({ -20, 0 })
  return world
end

local function message_of(f)
  local ok, message = pcall(f)
  assert.is_false(ok)
  return message
end

describe("world.stages", function()
  it("lists the stages in order, with what they do", function()
    local names = {}
    for i, stage in ipairs(crossing().stages) do
      names[i] = stage.name
      assert.is_truthy(stage.does:find("->", 1, true) or stage.name == "sense")
    end
    assert.same({ "routing", "paths", "goals", "desire", "sense", "plan", "move" }, names)
  end)

  it("are the frame, one by one", function()
    local whole, parts = crossing(), crossing()
    for _ = 1, 3 do
      whole:step()
      parts:step()
    end
    whole:step()
    for _, stage in ipairs(parts.stages) do
      stage:run()
    end
    assert.equal(whole.steps, parts.steps + 1)
    assert.same(whole.agents.x:list(), parts.agents.x:list())
    assert.same(whole.agents.vy:list(), parts.agents.vy:list())
  end)

  it("may run twice, with the same bits on every backend", function()
    local function after(backend)
      local world = crossing { backend = backend }
      world:run { seconds = 3 }
      local stages = world.stages
      stages.desire:run()
      stages.sense:run()
      stages.sense:run()
      for _ = 1, 2 do
        stages.plan:run()
        stages.move:run()
        stages.sense:run()
      end
      world:run { seconds = 1 }
      return world:hash()
    end
    for _, backend in ipairs(throng.backends()) do assert.same_hash(after "cpu", after(backend)) end
  end)

  -- Two who stand in their goal when they are given it.
  local function arriving(backend)
    local world = throng.world { backend = backend, regions = { here = throng.box(-5, -5, 5, 5) } }
    local group = world:spawn { at = { { -1, 0 }, { 1, 0 } }, name = "two" }
    local told = { count = 0 }
    group:go_to "here"
    group:on("arrived", function(agents) told.count = told.count + #agents end)
    return world, group, told
  end

  it("tell in the frame who arrived when goals ran by hand", function()
    for _, backend in ipairs(throng.backends()) do
      local world, _, told = arriving(backend)
      world.stages.goals:run()
      world:step()
      assert.equal(2, told.count)
    end
  end)

  it("do not tell of those whom a hook sent off again", function()
    for _, backend in ipairs(throng.backends()) do
      local world, group, told = arriving(backend)
      world.stages.goals:after(function() group:go_to { 50, 0 } end)
      world:step():step()
      assert.equal(0, told.count)
      assert.equal(0, world:stats().arrived)
    end
  end)

  it("know the time of the last frame", function()
    local world = crossing()
    assert.is_nil(world.stages.plan.ms)
    world:step():step()
    assert.is_true(world.stages.plan.ms > 0)
  end)

  it("have parameters", function()
    local world = crossing()
    assert.same({ iterations = 40, tolerance = 0.002 }, world.stages.move.parameters)
    world.stages.move.iterations = 1
    world:run { seconds = 8 }
    assert.equal(1, world:stats().iterations)
    world.stages.paths.budget = 77
    assert.equal(77, world.paths.budget)
  end)

  it("cannot run without what they need", function()
    local world = crossing()
    assert.matches("plan:run: plan needs the results of sense, .*: run sense first",
      message_of(function() world.stages.plan:run() end))
    world.stages.sense:run()
    assert.matches("move needs the results of plan, .*: run plan first",
      message_of(function() world.stages.move:run() end))
    world.stages.plan:run()
    world.groups.west:remove()
    assert.matches("run sense first", message_of(function() world.stages.move:run() end))
  end)

  it("refuse what they do not have", function()
    local world = crossing()
    assert.matches("unknown stage 'plann', did you mean 'plan'%?", message_of(function() return world.stages.plann end))
    assert.matches("this stage has no parameters", message_of(function() world.stages.sense.cell = 1 end))
    assert.matches("unknown parameter 'iteration', did you mean 'iterations'%?",
      message_of(function() world.stages.move.iteration = 1 end))
    local message = message_of(function() world.stages.move.iterations = 0 end)
    assert.matches("move.iterations must be a whole number", message)
    assert.matches("expected a function%(agents, stage%), got 7", message_of(function() world.stages.move:after(7) end))
  end)
end)

describe("hooks of stages", function()
  it("see whole columns and write them for the stages that follow", function()
    local world = throng.world { threads = 1 }
    local walkers = world:spawn { at = { { 0, 0 }, { 5, 0 } } }
    walkers:go_to { 100, 0 }
    local seen
    world.stages.desire:after(function(agents, stage)
      assert.equal("desire", stage.name)
      seen = agents.desired_vx:list()
      agents.desired_vx = 0
      agents.desired_vy = { 1, -1 }
    end)
    world:run { seconds = 3 }
    assert.near(1.34, seen[1], 0.01)
    assert.near(0, walkers.x[1], 1e-3)
    assert.is_true(walkers.y[1] > 2.5 and walkers.y[2] < -2.5)
  end)

  it("give the same bits on every backend", function()
    local hashes = {}
    for _, backend in ipairs(throng.backends()) do
      for _, simd in ipairs(backend == "cpu" and { 1, 4 } or { 0 }) do
        local world = crossing { backend = backend, simd = simd, threads = 2 }
        world.stages.sense:before(function(agents) agents.x = agents.x:list() end)
        world.stages.plan:before(function(agents)
          local vx = agents.desired_vx:list()
          for i = 1, #vx do
            vx[i] = 0.5 * vx[i]
          end
          agents.desired_vx = vx
        end)
        world.stages.move:after(function(agents) agents.radius = 0.2 + 0.001 * (world.steps % 10) end)
        world:run { seconds = 10 }
        hashes[#hashes + 1] = world:hash()
      end
    end
    for _, hash in ipairs(hashes) do
      assert.equal(hashes[1], hash)
    end
  end)

  it("change nothing when they only look", function()
    local plain, watched = crossing(), crossing()
    for _, stage in ipairs(watched.stages) do
      stage:before(function(agents) return agents.x:mean() < math.huge end)
      stage:after(function(agents) return agents.x:mean() < math.huge end)
    end
    plain:run { seconds = 5 }
    watched:run { seconds = 5 }
    assert.equal(plain:hash(), watched:hash())
  end)

  -- A column that nobody has used makes the store's arrays move, after the functions have given each agent its value.
  it("keep what behaviour functions computed, whatever columns they read", function()
    local function after(backend, column)
      local world = crossing { backend = backend }
      local function acceleration(_, a) return 2 + math.abs(a.vx) end
      world.agents.planner = throng.rvo { samples = 40, max_acceleration = acceleration }
      if column then world.stages.desire:after(function(agents) return agents[column] and nil end) end
      world:run { seconds = 2 }
      return world:hash()
    end
    for _, backend in ipairs(throng.backends()) do
      for _, column in ipairs { "door_policy", "congestion" } do
        assert.same_hash(after("cpu"), after(backend, column))
      end
    end
  end)

  it("end when they return false", function()
    local world, calls = crossing(), { 0, 0 }
    world.stages.goals:before(function() calls[1] = calls[1] + 1; return calls[1] < 3 end)
    world.stages.goals:before(function() calls[2] = calls[2] + 1 end)
    world:run { steps = 5 }
    assert.same({ 3, 5 }, calls)
    local once = crossing()
    once.stages.routing:before(function() calls[1] = calls[1] + 1; return false end)
    once:run { steps = 5 }
    assert.same({ 4, 5 }, calls)
  end)

  it("tell stage and step in errors", function()
    local world = crossing()
    world.stages.plan:before(function() if world.steps == 2 then error "no" end end)
    assert.matches("stages_spec.lua:%d+: no\n  in a hook before the stage plan, step 2 %(0.2 s%)",
      message_of(function() world:run { steps = 5 } end))
    assert.equal(2, world.steps)
  end)

  it("leave alone what the frame has taken in", function()
    local world = crossing()
    world.stages.plan:before(function(agents) agents.radius = 0.3 end)
    assert.matches("group.radius cannot be written between the stages sense and move",
      message_of(function() world:step() end))
    assert.matches("group.x cannot be written; .*; this one can in a hook of a stage",
      message_of(function() world.agents.x = 0 end))
  end)

  it("write numbers where they may, and no functions", function()
    for column, why in pairs {
      x = "only hooks of stages write it",
      frustration = "only hooks of stages write it",
      desired_vx = "give group.desired one",
      routing = "chosen by name",
    } do
      local world = crossing()
      world.stages.desire:after(function(agents) agents[column] = function() return 1 end end)
      assert.is_truthy(message_of(function() world:step() end):find(why, 1, true))
    end
  end)

  it("add and remove nobody", function()
    local world = crossing()
    world.stages.goals:after(function(agents) agents:remove() end)
    assert.matches("group:remove cannot be called in a hook of a stage", message_of(function() world:step() end))
  end)
end)
