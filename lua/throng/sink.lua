-- world:sink { where = "exit" }: a place that takes agents out of the world, and counts them.

--- class throng.sink.settings
--- Settings of world:sink.
--- @field where throng.place Where agents go.
--- @field of? throng.group Only these agents; none: all.
--- @field each? fun(batch: throng.group) Called with those that came in a step, before they are removed.

--- class throng.sink
--- A place that removes agents from the world, and counts them. The result of world:sink.
--- @field count integer Agents removed so far.
--- @field first? number(s) When the first went.
--- @field last? number(s) When the last so far went.

local host = ...

local FIELDS = { "where", "of", "each" }
local handle = host.handles("sink", { "count", "first", "last" }, {})

local function raise(...) host.raise("world:sink: " .. string.format(...)) end

local function check(world, definition)
  if type(definition) ~= "table" then
    raise("expected a table like {where = \"exit\"}, got %s", host.describe(definition))
  end
  host.check_names("world:sink", "field", definition, FIELDS)
  if definition.where == nil then raise "field 'where' is missing: a region's name or a shape" end
  if definition.of ~= nil and not host.is_group(definition.of) then
    raise("field 'of' must be a group, got %s", host.describe(definition.of))
  end
  if definition.of and definition.of.world ~= world then raise "field 'of': the group belongs to another world" end
  if definition.each ~= nil and type(definition.each) ~= "function" then
    raise("field 'each' must be a function(batch), got %s", host.describe(definition.each))
  end
end

--- world:sink(settings)
--- Removes agents from the world when their centre is in the place. Agents whose goal is the place must have arrived
--- there.
--- @param settings throng.sink.settings Where, and whom.
--- @return throng.sink
--- @error no `where`; an unknown region
--- @example
--- local exit = world:sink { where = "exit" }
--- world:run()
--- print(exit.count, exit.last)
return function(world, definition)
  check(world, definition)
  local where, of, each = definition.where, definition.of, definition.each
  local sink = { count = 0 }
  local tally = host.tally(world, "sink", "")
  local inside = host.call_at("world:sink: field 'where'", world.agents.inside, world.agents, where)
  inside = inside - inside
  tally.numbers, tally.people = sink, inside -- who was there already
  local busy, awake, looked = false, true, false
  local function take(batch, time)
    sink.count = sink.count + batch.count
    sink.first, sink.last = sink.first or time, time
    if each then each(batch) end
    batch:remove()
  end
  local function tick(_, time)
    if not looked then -- who was there when it was made, or the file was reloaded
      inside, looked = (of or world.agents):inside(where), true
    end
    local batch = inside & tally.people -- who came in with the last step arrives in this one
    tally.people = inside - batch
    inside = tally.people
    if (inside.count > 0) ~= busy then
      busy = not busy
      host.expect(world, busy and 1 or -1) -- the run is not over before it has taken them
    end
    if batch.count > 0 then take(batch, time) end
    awake = inside.count > 0
    return awake
  end
  local who = of or world
  who:on("left", where, function(batch) inside = inside - batch end)
  host.on_present(who, where, function(batch)
    inside = inside | batch
    if not awake then
      awake = true
      host.repeat_now(world, world.dt, tick, "a sink")
    end
  end)
  host.repeat_later(world, world.dt, tick, "a sink")
  return handle(sink)
end
