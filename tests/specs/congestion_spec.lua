-- Routes that heed queues: on by choice, clearly faster past a jam, and no flapping between doors.
local throng = require "throng"
local needs = dofile "tests/specs/needs.lua"

local function two_doors(settings, params)
  settings.params = params
  return throng.load("scenarios/two_doors.lua", settings)
end

local function time_to_empty(seed, congestion)
  local world <close> = two_doors({ seed = seed }, { congestion = congestion })
  world:run { until_done = true }
  assert.no_overlap(world)
  return world.groups.people:stats().last_arrival
end

describe("congestion", function()
  it("makes people leave a jam for a free door: the hall is empty in less than three quarters of the time", function()
    across({ seeds = 2, at_most = 0.75 }, function(seed)
      return time_to_empty(seed, true) / time_to_empty(seed, false)
    end)
  end)

  it("changes nothing where there is no queue", function()
    local function path_of(congestion)
      local world <close> = two_doors({}, { count = 5, congestion = congestion })
      world:run { seconds = 10 }
      return world.groups.people.x:list()
    end
    assert.same(path_of(false), path_of(true))
  end)

  it("lets nobody dither between the doors", function()
    local world <close> = two_doors({ seed = 1 }, {})
    local people = world.groups.people
    local aims, turns, most = {}, {}, 0
    while #people > 0 and world.time < 200 do
      world:step()
      local x, y, wx, wy, who = people.x, people.y, people.desired_vx, people.desired_vy, people.speed
      for i = 1, #people do
        if x[i] < 29.5 and wx[i] > 0.05 then
          local id = who[i] -- speeds differ
          local aim = y[i] + (30 - x[i]) * wy[i] / wx[i] > 11
          turns[id] = (turns[id] or 0) + ((aims[id] ~= nil and aims[id] ~= aim) and 1 or 0)
          most = math.max(most, turns[id])
          aims[id] = aim
        end
      end
    end
    assert.is_true(most <= 4, most .. " turns")
  end)

  it("is chosen by group, on the navmesh", function()
    local world <close> = two_doors({}, { congestion = false })
    local people = world.groups.people
    assert.is_false(people.congestion[1])
    people.congestion = true
    assert.is_true(people.congestion[1])
    local machine = throng.fsm { start = "go", go = { goal = throng.go_to "street" } }
    for _, routing in ipairs { "roadmap", "field" } do
      people.routing = routing
      local refusal = ('congestion = true does not go with routing = "%s"'):format(routing)
      assert.error_matches(function() people:go_to "street" end, refusal)
      assert.error_matches(function() people:run(machine) end, refusal)
    end
  end)

  local function state_after(settings)
    local world <close> = two_doors(settings, {})
    world:run { steps = 300 }
    return world:hash()
  end

  it("gives the same bits at any SIMD width and number of threads", function()
    local reference = state_after { backend = "cpu", simd = 1, threads = 1 }
    assert.same_hash(reference, state_after { backend = "cpu", simd = 4, threads = 2 })
    assert.same_hash(reference, state_after { backend = "cpu", threads = 2 })
  end)

  it("gives the same bits on CUDA", function()
    needs.device(pending)
    assert.same_hash(state_after { backend = "cpu" }, state_after { backend = "cuda" })
  end)
end)
