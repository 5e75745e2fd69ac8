-- world:queue { line = { { 12, 5 }, { 6, 5 } }, serve = 4, served = f }: agents line up before a place and are served
-- one after the other.

--- class throng.queue.settings
--- Settings of world:queue.
--- @field line throng.point[] Its points, from the place of service to the end of the line, in a building with the name
--- of their `floor`.
--- @field serve throng.number(s) Time to serve one agent: a number, or throng.uniform.
--- @field served fun(agent: throng.group, counter: integer) Called with the agent that was served, and where; send it
--- on here.
--- @field counters? throng.point[] Where agents are served, several at a time: who is first in the line goes to one
--- that is free. Default: at the line's first point alone.
--- @field spacing? number(m) Between two of the line, default 0.7.

--- class throng.queue as queue
--- A service queue: agents line up before a place and are served one after the other. The result of world:queue.
--- @field length integer Agents in the line, with those who are served.
--- @field coming integer Agents on their way to the end of it.
--- @field served integer Agents served so far.
--- @field mean_wait? number(s) From taking a place in the line to having been served.

local host = ...

local FIELDS = { "line", "serve", "spacing", "served", "counters" }
local PLACES = 10000 -- at most
local STANDS = 3 -- s: who was served and has not gone on by then was not sent on
local SERVICE_TIME = 0x51756575 -- what the random number is for

local queues_of = setmetatable({}, { __mode = "k" }) -- lists of queues by world

local function raise(...) host.raise("world:queue: " .. string.format(...)) end

-- ---- the definition

local function check_points(field, points)
  for i = 1, #points do -- not by ipairs: lists may have holes
    local point = points[i]
    for axis = 1, 2 do
      local is_pair, value = type(point) == "table", point
      if is_pair then value = point[axis] end
      local within = is_pair and type(value) == "number" and value >= -1e6 and value <= 1e6
      if not within then
        raise("entry %d of '%s' must be a point {x, y} within 1e+06 m, got %s", i, field, host.describe(value))
      end
    end
  end
end

-- Buildings have their floors beside each other: only a plan's extent says where nobody comes.
local function check_within(map, field, points)
  if not map or #map.floors > 0 then return end
  local bounds = map.bounds
  for i, point in ipairs(points or {}) do
    local x, y = point[1], point[2]
    if x < bounds.x0 or x > bounds.x1 or y < bounds.y0 or y > bounds.y1 then
      raise("entry %d of '%s', (%g, %g), lies beyond the map, which is from (%g, %g) to (%g, %g)", i, field, x, y,
        bounds.x0, bounds.y0, bounds.x1, bounds.y1)
    end
  end
end

-- Those that name no floor of a building are on the lowest.
local function check_floors(map, field, points)
  for i, point in ipairs(points or {}) do
    local ok, problem = pcall(map.fits, map, { point[1], point[2], floor = point.floor }, 0)
    if not ok then raise("entry %d of '%s'%s", i, field, problem:match "the point(.*)") end
  end
end

local function check_line(line)
  if type(line) ~= "table" or #line < 2 then
    raise("field 'line' must be a list of points, from where agents are served to the end, like {{12, 5}, {6, 5}}; "
      .. "got %s", host.describe(line))
  end
  check_points("line", line)
end

-- A copy of them, or nil.
local function read_counters(counters)
  if counters == nil then return nil end
  if type(counters) ~= "table" or #counters < 1 then
    raise("field 'counters' must be a list of points where agents are served, like {{12, 4}, {12, 6}}; got %s",
      host.describe(counters))
  end
  check_points("counters", counters)
  local list = {}
  for i, point in ipairs(counters) do list[i] = { point[1], point[2], floor = point.floor } end
  return list
end

local function length_of(line)
  local length = 0
  for i = 2, #line do
    length = length + math.sqrt((line[i][1] - line[i - 1][1]) ^ 2 + (line[i][2] - line[i - 1][2]) ^ 2)
  end
  return length
end

local function check_seconds(serve)
  if serve == nil then raise "field 'serve' is missing: the seconds that serving one takes" end
  local ok, least, most = pcall(host.seconds, serve)
  if not ok then raise("field 'serve' %s", (least:gsub("^.-:%d+: ", "", 1):gsub("^%(seconds%) ", ""))) end
  return least, most
end

local function check_definition(definition)
  if type(definition) ~= "table" then
    raise("expected a table like {line = {{12, 5}, {6, 5}}, serve = 4, served = fn}, got %s", host.describe(definition))
  end
  host.check_names("world:queue", "field", definition, FIELDS)
  check_line(definition.line)
  local spacing = definition.spacing or 0.7
  if type(spacing) ~= "number" or not (spacing > 0 and spacing < math.huge) then
    raise("field 'spacing' must be a number > 0, got %s", host.describe(spacing))
  end
  if length_of(definition.line) / spacing > PLACES then
    raise("a line of %g m with a 'spacing' of %g m has more than %d places: shorten it, or give a larger 'spacing'",
      length_of(definition.line), spacing, PLACES)
  end
  if type(definition.served) ~= "function" then
    raise("field 'served' must be a function(agent), which sends on the agent that was served, got %s",
      host.describe(definition.served))
  end
end

-- Points `spacing` apart along the line, the first where agents are served.
local function places_on(line, spacing)
  local places, left = { { line[1][1], line[1][2], floor = line[1].floor } }, spacing
  for i = 1, #line - 1 do
    local x, y, floor = line[i][1], line[i][2], line[i].floor
    local dx, dy = line[i + 1][1] - x, line[i + 1][2] - y
    local length = math.sqrt(dx * dx + dy * dy)
    local at = left
    while at <= length + 1e-9 do
      places[#places + 1] = { x + dx * at / length, y + dy * at / length, floor = floor }
      at = at + spacing
    end
    left = at - length
  end
  return places
end

local function plan_of(definition, spacing)
  local parts = { ("%.17g"):format(spacing) }
  for _, points in ipairs { definition.line, definition.counters } do
    for _, point in ipairs(points) do
      parts[#parts + 1] = ("%.17g %.17g %s"):format(point[1], point[2], point.floor or "")
    end
    parts[#parts + 1] = ""
  end
  return table.concat(parts, ", ")
end

-- ---- the queue

local Queue = {}
Queue.__index = Queue

-- Sends agents each to its point, out of its company, who would wait for each other in the line: entries are
-- {agent = a group of one, point =}.
local function send(entries)
  if #entries == 0 then return end
  local points, all, list = {}, entries[1].agent, {}
  for _, entry in ipairs(entries) do
    points[entry.agent.id[1]] = entry.point
    all = all | entry.agent
  end
  for i, id in ipairs(all.id) do
    list[i] = points[id]
  end
  all:walk_alone():go_to(list)
end

function Queue:drop_removed()
  for _, list in ipairs { self.line_list, self.coming_list } do
    for i = #list, 1, -1 do
      if list[i].agent.count == 0 then table.remove(list, i) end
    end
  end
end

-- Its number in the line, nil: it has left.
function Queue:number_of(entry)
  for i, other in ipairs(self.line_list) do
    if rawequal(other, entry) then return i end
  end
end

-- The one who is coming and is nearest to the point, if within `reach` of it.
function Queue:nearest(point, reach)
  local best, least
  for i, entry in ipairs(self.coming_list) do
    local dx, dy = entry.agent.x[1] - point[1], entry.agent.y[1] - point[2]
    local square = dx * dx + dy * dy
    local is_there = square <= reach * reach and entry.agent.floor[1] == (point.floor or self.lowest)
    if is_there and (not best or square < least) then best, least = i, square end
  end
  return best
end

-- How many of the line are not at a counter.
function Queue:waiting()
  local count = 0
  for _, entry in ipairs(self.line_list) do
    if not entry.counter then count = count + 1 end
  end
  return count
end

-- Who gets to the end of the line takes its place there.
function Queue:line_up(time)
  while self:waiting() < #self.places do
    local at = self:nearest(self.places[self:waiting() + 1], self.reach)
    if not at then return end
    local entry = table.remove(self.coming_list, at)
    entry.since = time
    self.line_list[#self.line_list + 1] = entry
  end
end

-- Everybody whose place has changed goes there; who finds the line full goes to its end, and waits.
function Queue:move_up()
  local changed = {}
  local function place(entry, index)
    if entry.place ~= index then
      entry.place, entry.point = index, self.places[index]
      changed[#changed + 1] = entry
    end
  end
  local waiting = 0
  for _, entry in ipairs(self.line_list) do
    if not entry.counter then
      waiting = waiting + 1
      place(entry, waiting)
    end
  end
  for _, entry in ipairs(self.coming_list) do
    place(entry, math.min(waiting + 1, #self.places))
  end
  send(changed)
end

-- `served` may remove anybody, and have them leave or join.
function Queue:release(time, index)
  local entry = table.remove(self.line_list, index)
  local numbers = self.numbers
  numbers.served = numbers.served + 1
  numbers.waited = numbers.waited + time - entry.since
  self.served, self.mean_wait = numbers.served, numbers.waited / numbers.served
  self.callback(entry.agent, entry.counter or 1)
  self:drop_removed()
  if not self.warned and not self.last then
    self.last = { agent = entry.agent, point = entry.point, till = time + STANDS }
  end
end

-- Says once that `served` leaves people where they were served, in the way of who comes next.
function Queue:look_at_last(time)
  local last = self.last
  if not last or time < last.till then return end
  self.last = nil
  if last.agent.count == 0 or last.agent.arrived[1] < 0 then return end
  local dx, dy = last.agent.x[1] - last.point[1], last.agent.y[1] - last.point[2]
  if dx * dx + dy * dy > self.reach ^ 2 then return end
  self.warned = true
  host.warn(("%s: world:queue: agent %d was served %g s ago and stands there still: `served` sends on who was served, "
    .. "served = function(agent) agent:go_to \"exit\" end, or removes them"):format(
    host.place_of(self.callback), last.agent.id[1], STANDS))
end

-- Who stands there is served; the time is drawn when it begins.
function Queue:begin(entry, time)
  if entry.till or entry.agent.arrived[1] < 0 then return end
  entry.till = time + self.least + (self.most - self.least) * host.draw(entry.agent, SERVICE_TIME) - 5e-7
end

-- At the line's first place.
function Queue:serve_first(time)
  local first = self.line_list[1]
  if first and first.till and time >= first.till then
    self:release(time, 1)
    first = self.line_list[1]
  end
  if first and first.place == 1 then self:begin(first, time) end
end

-- The first of the line goes to a counter that is free.
function Queue:call_first(taken)
  local free = 1
  while taken[free] do free = free + 1 end
  for _, entry in ipairs(self.line_list) do
    if free <= #self.counters and entry.place == 1 and entry.agent.arrived[1] >= 0 then
      entry.place, entry.counter, entry.point = nil, free, self.counters[free]
      send { entry }
      return
    end
  end
end

function Queue:serve_counters(time)
  local taken = {}
  for _, entry in ipairs(table.move(self.line_list, 1, #self.line_list, 1, {})) do -- as the line was before any served
    local at = entry.counter and self:number_of(entry)
    if at and entry.till and time >= entry.till then
      self:release(time, at)
    elseif at then
      taken[entry.counter] = true
      self:begin(entry, time)
    end
  end
  self:call_first(taken)
end

function Queue:serve(time)
  if self.counters then self:serve_counters(time) else self:serve_first(time) end
end

-- The file was reloaded and has the line elsewhere: everybody goes there.
function Queue:form_again()
  for _, entry in ipairs(self.line_list) do
    self.coming_list[#self.coming_list + 1] = entry
  end
  for i = #self.line_list, 1, -1 do
    self.line_list[i] = nil
  end
  for _, entry in ipairs(self.coming_list) do
    entry.place, entry.till, entry.counter = nil, nil, nil
  end
end

function Queue:tick(time)
  local before = self.tally.before
  self.tally.before = nil
  if before and before ~= self.tally.plan then self:form_again() end
  if before and self.numbers.served > 0 then
    self.served, self.mean_wait = self.numbers.served, self.numbers.waited / self.numbers.served
  end
  self:drop_removed()
  self:look_at_last(time)
  self:serve(time)
  self:line_up(time)
  self:move_up()
  self.length, self.coming = #self.line_list, #self.coming_list
  local busy = self.length + self.coming > 0
  if busy ~= self.busy then
    host.expect(self.world, busy and 1 or -1) -- the run is not over while somebody waits
    self.busy = busy
  end
end

local methods = {}
local handle, queue_of = host.handles("queue", { "length", "coming", "served", "mean_wait" }, methods)

-- The queue that a method was called of.
local function check(value, method, group, more)
  local self = value ~= nil and queue_of(value)
  if not self then
    host.raise(("expected a queue, got %s (methods are called with a colon: %s(...))"):format(host.describe(value),
      method))
  end
  if more ~= nil then
    host.raise(("%s takes one group, and got %s besides: unite them, a | b"):format(method, host.describe(more)))
  end
  if not host.is_group(group) then
    host.raise(("%s: expected a group, got %s"):format(method, host.describe(group)))
  end
  if group.world ~= self.world then host.raise(method .. ": the group belongs to another world") end
  return self
end

-- The set of their ids.
function Queue:members()
  local ids = {}
  for _, list in ipairs { self.line_list, self.coming_list } do
    for _, entry in ipairs(list) do
      if entry.agent.count > 0 then ids[entry.agent.id[1]] = true end
    end
  end
  return ids
end

-- Takes those of the list out of it whose ids are in `wanted`; them as a group, joined to `gone`.
local function take(list, wanted, gone)
  for i = #list, 1, -1 do
    local agent = list[i].agent
    if agent.count > 0 and wanted[agent.id[1]] then
      gone = gone | agent
      table.remove(list, i)
    end
  end
  return gone
end

function Queue:drop(group)
  local wanted = {}
  for _, id in ipairs(group.id) do wanted[id] = true end
  local gone = take(self.coming_list, wanted, take(self.line_list, wanted, group:filter(function() return false end)))
  self.length, self.coming = #self.line_list, #self.coming_list
  return gone
end

--- queue:join(group)
--- They go to the end of the line and are served in the order of their arrival there. An agent that finds the line
--- full waits at its end. Who is in this queue already keeps its place; who is in another leaves that one. They leave
--- their companies: each has a place of its own. Callbacks for "arrived" are also called for places in the line.
--- @param group throng.group The agents that line up.
--- @return throng.queue self
--- @error no group; a group of another world
--- @example
--- counter:join(guests:inside "hall")
function methods:join(group, more)
  local queue = check(self, "queue:join", group, more)
  local coming = table.move(queue.coming_list, 1, #queue.coming_list, 1, {}) -- all of them, or none and an error
  local here = queue:members()
  for i, id in ipairs(group.id) do
    if not here[id] then coming[#coming + 1] = { agent = group[i] } end
  end
  for _, other in ipairs(queues_of[queue.world]) do
    if other ~= queue and #other.line_list + #other.coming_list > 0 then other:drop(group) end
  end
  queue.coming_list, queue.tally.lists.coming = coming, coming
  queue.coming = #coming
  if not queue.busy and queue.coming > 0 then
    host.expect(queue.world, 1)
    queue.busy = true
  end
  return self
end

--- queue:leave(group)
--- They leave the line, or give up their way to it. They keep the goal that the queue gave them: send them on, or have
--- them join another.
--- @param group throng.group Any agents; those that are not in the line are left alone.
--- @return throng.group left Those that were in it.
--- @error no group; a group of another world
--- @example
--- local gone = counter:leave(guests:inside "hall")
--- gone:go_to "exit"
function methods:leave(group, more) return check(self, "queue:leave", group, more):drop(group) end

host.make_entries(methods)

--- world:queue(settings)
--- Makes a service queue: a line in which agents wait to be served.
--- @param settings throng.queue.settings Place, length of the line, time of service, and callbacks.
--- @return throng.queue
--- @error no `line` of two points or more, no `serve` or no `served`
--- @example
--- local counter = world:queue {
---   line = { { 12, 5 }, { 6, 5 } },
---   serve = throng.uniform(2, 6), -- s
---   served = function(agent) agent:go_to "exit" end,
--- }
--- counter:join(guests)
return function(world, definition)
  check_definition(definition)
  local spacing = definition.spacing or 0.7
  local least, most = check_seconds(definition.serve)
  local counters = read_counters(definition.counters)
  local map = world.map
  check_within(map, "line", definition.line)
  check_within(map, "counters", counters)
  if map then
    check_floors(map, "line", definition.line)
    check_floors(map, "counters", counters)
  end
  local queue = setmetatable({
    world = world, counters = counters, places = places_on(definition.line, spacing),
    lowest = map and #map.floors > 0 and map.floors[1].name or "", reach = 1.5 * spacing, least = least, most = most,
    callback = definition.served, line_list = {}, coming_list = {}, busy = false,
    length = 0, coming = 0, served = 0, numbers = { served = 0, waited = 0 },
  }, Queue)
  queue.tally = host.tally(world, "queue", plan_of(definition, spacing))
  queue.tally.numbers, queue.tally.lists = queue.numbers, { line = queue.line_list, coming = queue.coming_list }
  queues_of[world] = queues_of[world] or {}
  table.insert(queues_of[world], queue)
  host.repeat_later(world, world.dt, function(_, time) queue:tick(time) end, "a queue")
  return handle(queue)
end
