-- group:choose { exits = { "north", "south" }, ... }: people choose among exits, each by what it knows and sees.

--- class throng.exit
--- An exit that may be chosen, in group:choose.
--- @field place throng.place|throng.point Where it leads.
--- @field weight? number(1) How much it is preferred to the others, all else equal (familiarity); default 1.
--- @field sign? throng.point Who does not know the exit finds it by this sign.
--- @field known? number(1) Share of the people who know it without its sign; default 1, with a sign 0.
--- @field flow? number(1/s) How many it lets out, for `time`; none: nobody waits before it.

--- class throng.choose.settings
--- Settings of group:choose. What is not given does not count.
--- @field exits (string|throng.exit)[] Names of regions, or exits with more to them.
--- @field distance? number(1/m) What a metre of the path costs.
--- @field time? number(1/s) What a second costs until one is out: those of the path, at one's own speed, or, where they
---   are more, those in which who is bound for the exit and nearer to it passes by its `flow`.
--- @field queue? number(1) What each person costs who is bound for the exit and nearer to it.
--- @field social? number(1) What it gains when all whom one sees are bound for it; of a part of them, that part. People
---   look at the 100 who are nearest.
--- @field sight? number(m) How far people see others and signs in clear air, default 30.
--- @field smoke? throng.smoke Signs are seen as far as it lets them.
--- @field signs? number(1) Visibility times extinction, for signs in smoke: 3 reflecting, 8 lit; default 3.
--- @field every? number(s) Choices are made again so often; default: once, unless nothing was known.
--- @field reconsider? number(1) With `every`: the share who do, default 1.

local host = ...

local others = host.library "choose_others"(host)

local FIELDS = { "exits", "distance", "time", "queue", "social", "sight", "smoke", "signs", "every", "reconsider" }
local EXIT_FIELDS = { "place", "weight", "sign", "known", "flow" }
local KNOWS, CHOOSES, RECONSIDERS = 0x43480000, 0x43490000, 0x434a0000 -- what numbers are drawn for

local function raise(...) host.raise("group:choose: " .. string.format(...)) end

local function number(settings, name, what, default, least, most)
  local value = settings[name]
  if value == nil then return default end
  if type(value) ~= "number" or not (value >= least and value <= most) then
    raise("%sfield '%s' must be a number from %g to %g, got %s", what, name, least, most, host.describe(value))
  end
  return value
end

-- ---- exits

local FAR = 1e9 -- m

local function is_coordinate(x) return type(x) == "number" and math.abs(x) <= FAR end

local function read_exit(world, i, given)
  local exit = type(given) == "table" and given.place ~= nil and given or { place = given }
  local what = ("exit %d: "):format(i)
  host.options_of("group:choose: exit " .. i, exit, EXIT_FIELDS)
  local sign = exit.sign
  if sign ~= nil and not (type(sign) == "table" and is_coordinate(sign[1]) and is_coordinate(sign[2])) then
    raise("%sfield 'sign' must be a point {x, y} within %g m, got %s", what, FAR, host.describe(sign))
  end
  return {
    place = exit.place,
    target = host.target_of(world, exit.place, "group:choose: exit " .. i),
    weight = number(exit, "weight", what, 1, 0, 1e6),
    sign = sign,
    known = number(exit, "known", what, sign and 0 or 1, 0, 1),
    flow = number(exit, "flow", what, math.huge, 0.001, 1e6),
  }
end

-- ---- what somebody knows and sees

-- Is the line between two points free, and short enough for what smoke lets through?
local function sees(chooser, from, to)
  local dx, dy = to[1] - from[1], to[2] - from[2]
  local length = math.sqrt(dx * dx + dy * dy)
  if length > chooser.sight or from.floor ~= to.floor then return false end
  local smoke = chooser.smoke
  if smoke then
    local through, parts = 0, math.max(1, math.ceil(length))
    for i = 1, parts do
      local at = (i - 0.5) / parts
      local point = { from[1] + at * dx, from[2] + at * dy, floor = from.floor }
      through = through + smoke:at(point, "extinction") * length / parts
    end
    if through > chooser.signs then return false end
  end
  local map = chooser.world.map
  return not map or map:visible(from, to)
end

-- Points of agents, with their numbers and speeds; in a building with their floors.
local function points_of(chooser, group)
  local x, y, id, speed = group.x:list(), group.y:list(), group.id:list(), group.speed:list()
  local floors = chooser.floors and group.floor:list()
  local points = {}
  for i = 1, #x do
    points[i] = { x[i], y[i], id = id[i], speed = speed[i], floor = floors and floors[i] or nil }
  end
  return points
end

-- Does the agent know the exit? Whose number is below the share does, always the same.
local function knows(exit, k, agent, point, chooser)
  if exit.known >= 1 then return true end
  if exit.known > 0 and host.draw_once(agent, KNOWS + k) < exit.known then return true end
  return exit.sign ~= nil and sees(chooser, point, exit.sign)
end

-- ---- choosing

local SLOWEST = 0.01 -- m/s: who stands would take for ever to any exit

-- How long it takes until somebody of that point is out, if `ahead` are nearer, s.
local function seconds(exit, point, length, ahead)
  return math.max(length / math.max(point.speed, SLOWEST), ahead / exit.flow)
end

-- Draws an exit by weights that are exponential in what speaks for it (multinomial logit); nil: none is known.
local function draw(chooser, agent, point, lengths, bound)
  local ahead, seen
  if bound then ahead, seen = bound:before(point, lengths), bound:seen(point) end
  local utilities, best = {}, -math.huge
  for k, exit in ipairs(chooser.exits) do
    if lengths[k] < math.huge and exit.weight > 0 and knows(exit, k, agent, point, chooser) then
      utilities[k] = math.log(exit.weight) - chooser.distance * lengths[k]
        - chooser.time * seconds(exit, point, lengths[k], ahead and ahead[k] or 0)
        - (ahead and chooser.queue * ahead[k] or 0) + (seen and chooser.social * seen[k] or 0)
      best = math.max(best, utilities[k])
    end
  end
  local sum = 0
  for k = 1, #chooser.exits do
    if utilities[k] then sum = sum + math.exp(utilities[k] - best) end
  end
  local left, last = host.draw(agent, CHOOSES) * sum, nil
  for k = 1, #chooser.exits do
    if utilities[k] then
      left, last = left - math.exp(utilities[k] - best), k
      if left < 0 then return k end
    end
  end
  return last
end

-- Those of the group who may choose now choose. Returns who has.
local function choose(chooser, group)
  local lengths, points = {}, points_of(chooser, group)
  for k, exit in ipairs(chooser.exits) do lengths[k] = host.route_lengths(group, exit.target) end
  local bound = (chooser.counts or chooser.social > 0) and others.bound(chooser, points_of, sees, lengths)
  local chosen, now = {}, host.targets_of(group)
  for i = 1, #group do
    local mine = {}
    for k = 1, #chooser.exits do mine[k] = lengths[k][i] end
    local k = draw(chooser, group[i], points[i], mine, bound)
    chosen[i] = k or 0
    if k and bound then bound:note(points[i], k, mine[k]) end -- the next who choose know of it
  end
  for k, exit in ipairs(chooser.exits) do
    local batch = host.pick(group, chosen, k)
    local targets = {}
    for i = 1, #chosen do
      if chosen[i] == k then targets[#targets + 1] = now[i] == exit.target and 1 or 0 end
    end
    batch = host.pick(batch, targets, 0) -- the others are on their way
    if #batch > 0 then batch:go_to(exit.place) end
  end
  return group - host.pick(group, chosen, 0)
end

-- Those whose pre-movement time is over.
local function started(world, group)
  local born, wait, time, list = group.born:list(), group.pre_movement:list(), world.time, {}
  for i = 1, #born do list[i] = time - born[i] * world.dt >= wait[i] - 1e-6 and 1 or 0 end
  return host.pick(group, list, 1)
end

local function reconsidering(chooser, group)
  if chooser.reconsider >= 1 then return group end
  local list = {}
  for i = 1, #group do list[i] = host.draw(group[i], RECONSIDERS) < chooser.reconsider and 1 or 0 end
  return host.pick(group, list, 1)
end

local LOOKS = 0.5 -- s: who has not chosen looks so often whether it can

-- What people choose by: where a file that was reloaded says another, all choose again.
local function plan_of(chooser)
  local parts = {}
  for _, name in ipairs { "distance", "time", "queue", "social", "sight", "signs", "every", "reconsider" } do
    parts[#parts + 1] = tostring(chooser[name])
  end
  for _, exit in ipairs(chooser.exits) do
    local sign = exit.sign or {}
    for _, value in ipairs { exit.target, exit.weight, exit.known, exit.flow, sign[1] or "none", sign[2] or "" } do
      parts[#parts + 1] = tostring(value)
    end
  end
  return table.concat(parts, " ")
end

local function tick(chooser, time)
  local tally = chooser.tally -- people: who has chosen; numbers.last: when they last chose again, s
  if tally.before and tally.before ~= tally.plan then tally.people = chooser.group - chooser.group end
  tally.before = nil
  local waiting = chooser.group - tally.people
  if #waiting > 0 then
    local ready = started(chooser.world, waiting)
    if #ready > 0 then tally.people = tally.people | choose(chooser, ready) end
  end
  if chooser.every and time >= tally.numbers.last + chooser.every - 1e-6 then
    tally.numbers.last = time
    local again = reconsidering(chooser, tally.people)
    if #again > 0 then choose(chooser, again) end
  end
end

--- group:choose(settings)
--- Each agent of the group, also of those who join it, chooses one of several exits when its pre-movement time is over,
--- and goes there. The chance of an exit is its weight times e to the power of what speaks for it: distance, time,
--- queue and what others do, each times its number in the settings (a multinomial logit model, as Lovreglio, Fonzone
--- and dell'Olio (2016) fit it to people). Exits that no route leads to are not chosen, nor those that somebody neither
--- knows nor sees a sign of; who is left with none stays, and looks again every half second.
--- @param settings throng.choose.settings The exits, and what counts.
--- @return throng.group self
--- @error no exits; a place that is none; an unknown field
--- @example
--- guests:choose {
---   exits = { { place = "exit", weight = 4 }, "entrance" },
---   distance = 0.1, queue = 0.05, social = 1,
--- }
return function(group, settings)
  if type(settings) == "table" and type(settings.exits) == "string" then
    raise("field 'exits' must be a list, { %q }", settings.exits)
  end
  if type(settings) ~= "table" or type(settings.exits) ~= "table" or #settings.exits == 0 then
    raise("expected a table like {exits = {\"north\", \"south\"}, distance = 0.1}, got %s", host.describe(settings))
  end
  host.options_of("group:choose", settings, FIELDS)
  local world = group.world
  local chooser = {
    world = world,
    group = group,
    exits = {},
    distance = number(settings, "distance", "", 0, 0, 1e6),
    time = number(settings, "time", "", 0, 0, 1e6),
    queue = number(settings, "queue", "", 0, 0, 1e6),
    social = number(settings, "social", "", 0, 0, 1e6),
    sight = number(settings, "sight", "", 30, 0, 1e6),
    signs = number(settings, "signs", "", 3, 0.1, 100),
    every = number(settings, "every", "", nil, 0.001, 1e6),
    reconsider = number(settings, "reconsider", "", 1, 0, 1),
    smoke = settings.smoke,
    floors = world.map ~= nil and host.has_floors(world),
  }
  if settings.smoke ~= nil and host.smoky(settings.smoke) ~= world then
    raise("field 'smoke' must be what world:smoke of this world returned, got %s",
      host.smoky(settings.smoke) and "another world's" or host.describe(settings.smoke))
  end
  if settings.reconsider and not settings.every then raise "field 'reconsider' goes with 'every'" end
  chooser.counts = chooser.queue > 0 -- does who is nearer?
  for i = 1, #settings.exits do
    local exit = settings.exits[i]
    if exit == nil then raise("exit %d of %d is nil", i, #settings.exits) end
    chooser.exits[i] = read_exit(world, i, exit)
    chooser.counts = chooser.counts or chooser.time > 0 and chooser.exits[i].flow < math.huge
  end
  chooser.tally = host.tally(world, "choice of " .. group.name, plan_of(chooser))
  chooser.tally.people, chooser.tally.numbers = group - group, { last = world.time }
  host.repeat_now(world, math.max(LOOKS, world.dt), function(_, time) tick(chooser, time) end,
    ("group:choose of '%s'"):format(group.name))
  return group
end
