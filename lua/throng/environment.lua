-- world:environment { learners = walkers, ... }: what programs that learn see, do and get.

--- class throng.environment.settings
--- Settings of world:environment.
--- @field learners throng.group Who learns: from now on they are these, in the group's order.
--- @field observe? string[] Columns that they see of themselves, like "vx", "goal_x" or one of world:column.
--- @field neighbours? integer So many of the nearest agents that they see, default 0: four numbers each, where it is
--- and how fast it walks, seen from the learner, m and m/s; zeros where there is none.
--- @field rays? integer Distances to the first wall, closed door, body or agent in so many directions, default 0: the
--- first along the x axis, the others evenly to its left; the range where nothing is.
--- @field range? number(m) How far neighbours and rays reach, default 5. In a building they see their own floor.
--- @field velocity? number(m/s) They say the velocity that they wish to walk with, at most so fast: two numbers.
--- @field act? table<string, number(any)[]> Columns that they say, each with its least and its most value: `{ speed =
--- { 0, 2 } }`. Planners' parameters that differ from agent to agent are columns: time_gap, horizon, sight ...
--- @field every? number(s) How long an action holds, default a step.
--- @field reward fun(learners: throng.group): number(any)|number(any)[]|throng.column What the last action was worth to
--- those who have not ended: a number for all, or one for each in the group's order.
--- @field ended? fun(learners: throng.group): boolean|number(any)[]|throng.column Who of them has come to the end: all,
--- or each for whom it is not 0. They stand still from then on. Who was removed has ended, too; default: nobody does.

local host = ...

local FIELDS = { "learners", "observe", "neighbours", "rays", "range", "velocity", "act", "every", "reward", "ended" }
local MOST = 64 -- of columns, neighbours and rays each

local function raise(...) host.raise("world:environment: " .. string.format(...)) end

local function whole(settings, name)
  local value = settings[name]
  if value == nil then return 0 end
  if math.type(value) ~= "integer" or value < 0 or value > MOST then
    raise("field '%s' must be a whole number from 0 to %d, got %s", name, MOST, host.describe(value))
  end
  return value
end

local function check_function(settings, name)
  local value = settings[name]
  if type(value) ~= "function" then
    raise("field '%s' must be a function(learners), got %s", name, host.describe(value))
  end
  return value
end

local function check_list(settings, name, example)
  local list = settings[name]
  if list == nil then return {} end
  if type(list) ~= "table" then
    raise("field '%s' must be a table like %s, got %s", name, example, host.describe(list))
  end
  return list
end

-- Columns with bounds, in the order of their names.
local function acted_of(settings)
  local acted, given = {}, check_list(settings, "act", "{ speed = { 0, 2 } }")
  for _, name in ipairs(host.names_of(given)) do
    local bounds = given[name]
    local least, most = type(bounds) == "table" and bounds[1], type(bounds) == "table" and bounds[2]
    if type(least) ~= "number" or type(most) ~= "number" or not (least < most and most - least < math.huge) then
      raise("field 'act': '%s' must be { least, most }, two numbers, got %s", name, host.describe(bounds))
    end
    acted[#acted + 1] = { name = name, least = least, most = most }
  end
  return acted
end

--- world:environment(settings)
--- Makes the scenario an environment for programs that learn: who acts, what they see, what they may say, what that is
--- worth and when it ends. `throng run` does not care; throng_env of `throng.h` and `throng.gym` of the Python package
--- step many worlds of the scenario at once. An episode also ends at the world's `seconds`, or
--- by world:stop, but not because others have arrived.
--- @param settings throng.environment.settings Who learns, and from what.
--- @error learners that are no group or nobody; nothing that they could see or do; a second environment
--- @example
--- local walkers = world:spawn { count = 3, where = "left", name = "walkers" }
--- world:environment {
---   learners = walkers, observe = { "x", "y", "vx", "vy" }, neighbours = 2, rays = 8, velocity = 1.5,
---   reward = function(learners) return learners.vx end,
---   ended = function(learners)
---     local there = {}
---     for i, x in ipairs(learners.x:list()) do there[i] = x > 30 and 1 or 0 end
---     return there
---   end,
--- }
return function(_, settings)
  if type(settings) ~= "table" then
    raise("expected a table like {learners = walkers, rays = 8, velocity = 1.5, reward = function(learners) ... end}, "
      .. "got %s", host.describe(settings))
  end
  host.options_of("world:environment", settings, FIELDS)
  if not host.is_group(settings.learners) or #settings.learners == 0 then
    raise("field 'learners' must be a group of at least one agent, got %s", host.is_group(settings.learners)
      and "nobody" or host.describe(settings.learners))
  end
  local made = {
    learners = settings.learners & settings.learners, -- as it is now
    observe = check_list(settings, "observe", '{ "x", "y" }'),
    neighbours = whole(settings, "neighbours"),
    rays = whole(settings, "rays"),
    range = host.setting("world:environment", settings, "range", 5, 0.1, 1000),
    velocity = host.setting("world:environment", settings, "velocity", 0, 0.01, 1000),
    act = acted_of(settings),
    every = host.setting("world:environment", settings, "every", 0, 0.001, 1e6),
    reward = check_function(settings, "reward"),
    ended = settings.ended ~= nil and check_function(settings, "ended") or nil,
  }
  if #made.observe + made.neighbours + made.rays == 0 then
    raise "learners see nothing: give observe = { \"x\", \"y\" }, neighbours or rays"
  end
  if made.velocity == 0 and #made.act == 0 then
    raise "learners do nothing: give velocity = 1.5, or act = { speed = { 0, 2 } }"
  end
  if #made.observe > MOST or #made.act > MOST then raise("there are at most %d columns each", MOST) end
  return made
end
