-- world:environment: what it takes and refuses. What programs make of it: tests/unit/test_env.c, tests/embed/learn.py.
local throng = require "throng"

local function stage()
  local world = throng.world { seed = 7, threads = 1 }
  local walkers = world:spawn { name = "walkers", at = { { 0, 0 }, { 3, 0 } } }
  return world, walkers
end

-- What is wrong with an environment that has these settings in place of good ones.
local function refused(changes)
  local world, walkers = stage()
  local settings = { learners = walkers, observe = { "x" }, velocity = 1, reward = function() return 1 end }
  for name, value in pairs(changes) do settings[name] = value ~= "none" and value or nil end
  local ok, problem = pcall(world.environment, world, settings)
  world:close()
  assert.is_false(ok)
  return problem
end

describe("world:environment", function()
  it("leaves a run as it is", function()
    local function hash(with)
      local world, walkers = stage()
      walkers:go_to { 10, 0 }
      if with then
        world:environment { learners = walkers, rays = 8, neighbours = 2, observe = { "x" }, velocity = 1,
          act = { time_gap = { 0.1, 2 } }, reward = function() return 1 end, ended = function() return false end }
      end
      world:run { seconds = 3 }
      return world:hash()
    end
    assert.equal(hash(false), hash(true))
  end)

  it("says what is wrong", function()
    for what, changes in pairs {
      ["unknown field 'obsreve', did you mean 'observe'?"] = { obsreve = { "x" } },
      ["field 'learners' must be a group of at least one agent, got a table"] = { learners = {} },
      ["field 'observe': unknown column 'xs', did you mean 'x'?"] = { observe = { "xs" } },
      ["learners see nothing: give observe"] = { observe = "none" },
      ["learners do nothing: give velocity"] = { velocity = "none" },
      ["field 'rays' must be a whole number from 0 to 64, got 65"] = { rays = 65 },
      ["field 'neighbours' must be a whole number from 0 to 64, got 1.5"] = { neighbours = 1.5 },
      ["field 'range' must be a number from 0.1 to 1000, got 0"] = { range = 0 },
      ["field 'velocity' must be a number from 0.01 to 1000, got -1"] = { velocity = -1 },
      ["field 'act': 'speed' must be { least, most }, two numbers, got a list of 2"] = { act = { speed = { 2, 1 } } },
      ["field 'act': column 'id' cannot be written by a program"] = { act = { id = { 0, 1 } } },
      ["field 'act': unknown column 'sped', did you mean 'speed'?"] = { act = { sped = { 0, 1 } } },
      ["field 'act': 'speed' is from -1.0 to 2.0, and the column takes 0.0 to 1000.0"] =
        { act = { speed = { -1, 2 } } },
      ["field 'reward' must be a function(learners), got nil"] = { reward = "none" },
      ["field 'ended' must be a function(learners), got 3"] = { ended = 3 },
    } do
      local problem = refused(changes)
      assert(problem:find(what, 1, true), ("expected '%s' in:\n%s"):format(what, problem))
    end
    local world, walkers = stage()
    assert(refused({ learners = walkers - walkers }):find("got nobody", 1, true))
    assert(refused({ learners = walkers }):find("is a group of another world", 1, true))
    local settings = { learners = walkers, rays = 4, velocity = 1, reward = function() return 1 end }
    world:environment(settings)
    assert.has_error(function() world:environment(settings) end)
    assert.has_error(function() world:environment(3) end)
  end)
end)
