-- What kernels/contract/columns.h says of the columns, by the reference, which is made from it: who writes them.
local throng = require "throng"

local command = dofile "tests/specs/command.lua"
local planners = dofile "tests/specs/planners.lua"

-- By column of throng.group: {stages = {goals = true}, read_only = false}.
local function declared()
  local columns, inside = {}, false
  for line in command.read("lua/reference.md"):gmatch "[^\n]+" do
    if line:find "^#" then inside = line:find "^## throng%.group" end
    local name, text = line:match "^%- `([%w_]+)%??` `throng%.column.-`: (.*)$"
    if inside and name then
      local stages = {}
      for stage in (text:match "Written by stage ([%l, ]+)%." or ""):gmatch "%l+" do stages[stage] = true end
      columns[name] = { stages = stages, read_only = text:find("Read only", 1, true) ~= nil }
    end
  end
  return columns
end

local columns = declared()

local function snapshot(group)
  local values = {}
  for name in pairs(columns) do values[name] = group[name]:list() end
  return values
end

-- Adds what each stage changed in `seconds` of the world: written.arrived.goals = true.
local function watch(world, seconds, written)
  local before
  for _, stage in ipairs(world.stages) do
    stage:before(function() before = snapshot(world.agents) end)
    stage:after(function()
      for name, values in pairs(snapshot(world.agents)) do
        for i, value in ipairs(values) do
          if value ~= before[name][i] then
            written[name] = written[name] or {}
            written[name][stage.name] = true
          end
        end
      end
    end)
  end
  world:run { seconds = seconds }
end

local function hall(settings)
  settings.seed, settings.threads = 3, 1
  local walls = { throng.box(7, 0, 7.2, 4), throng.box(7, 6, 7.2, 10) }
  settings.map = throng.map { boundary = throng.box(0, 0, 14, 10), walls = walls }
  return throng.world(settings)
end

local function crowd_of_all_planners(latency)
  local world = hall { latency = latency }
  for i, name in ipairs(planners) do
    world:spawn { count = 4, where = throng.box(0.5, 0.5, 6, 9.5), planner = name, name = name }
      :go_to(i % 2 == 0 and { 13, 5 } or { 7.5, 5 })
  end
  return world
end

local function machines()
  local world = hall {}
  local group = world:spawn { count = 12, where = throng.box(0.5, 0.5, 6, 9.5) }
  group:run(throng.fsm {
    start = "walk",
    walk = { goal = throng.go_to { 12, 8 }, after = 1, timeout = "rest" },
    rest = { goal = throng.wait(0.4), timeout = "roam" },
    roam = { goal = throng.wander { radius = 3 }, after = 0.6, timeout = "walk" },
  })
  return world
end

describe("a column", function()
  it("is written by the stages that its row names alone", function()
    local written = {}
    watch(crowd_of_all_planners(0), 3, written)
    watch(crowd_of_all_planners(1), 0.5, written)
    watch(machines(), 3, written)
    local HOST = { routing = true, paths = true }
    for name, stages in pairs(written) do
      for stage in pairs(stages) do
        assert(HOST[stage] or columns[name].stages[stage],
          ("stage %s writes %s, which its row in kernels/contract/columns.h does not say"):format(stage, name))
      end
    end
    for name, stage in pairs {
      x = "move", vx = "move", hx = "move", desired_vx = "desire", face = "desire", frustration = "move",
      force_x = "plan", planned_vx = "move", last_progress_step = "goals", arrived = "goals", goal_x = "goals",
      fsm_state = "goals", fsm_since = "goals", home_x = "goals",
    } do
      assert(written[name] and written[name][stage], ("stage %s never wrote %s here"):format(stage, name))
    end
  end)

  it("is read only but for those with a range", function()
    assert.is_true(columns.id.read_only and columns.x.read_only and columns.fsm_until.read_only)
    assert.is_false(columns.mass.read_only or columns.goal_x.read_only)
  end)
end)

describe("reading a column", function()
  -- Everybody's values of all columns, of a world whose people have no turn rate.
  it("changes nothing", function()
    local function run(read)
      local world <close> = throng.load("scenarios/museum.lua", { threads = 1 })
      world:run { steps = 20 }
      if read then
        for name in pairs(columns) do assert.is_number(#world.agents[name]:list()) end
      end
      world:run { steps = 60 }
      return world:hash()
    end
    assert.equal(run(false), run(true))
  end)
end)
