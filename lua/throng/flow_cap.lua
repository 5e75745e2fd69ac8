-- world:flow_cap { door = "exit", flow = 1.33 }: a door that lets through so many a second, or so many in all.

--- class throng.flow_cap.settings
--- Settings of world:flow_cap: `door`, a flow or none, and a `limit` or none.
--- @field door string A door of the map, by its name.
--- @field flow? number(1/s) Persons a second at most.
--- @field specific_flow? number(1/s) Persons a second at most by metre of the door's width.
--- @field limit? integer It opens for so many people, and closes behind the last; cap:admit opens it for more. Those
--- who pass abreast of the last may make it one or two more.

--- class throng.flow_cap as cap
--- A cap on a door. The result of world:flow_cap.
--- @field door string The door's name.
--- @field flow number(1/s) Persons a second at most, infinite where none was given; it may be changed.
--- @field limit number(1) For how many people it opens in all, infinite where none was given.
--- @field measure throng.measure Who has passed.

local host = ...
local pairs = host.pairs -- in the order of keys

local FIELDS = { "door", "flow", "specific_flow", "limit" }

-- Persons who may follow at once where nobody came for a while: a door must not lose what it could have let through
-- because the next was a step away.
local SAVED = 2

local function raise(...) host.raise("world:flow_cap: " .. string.format(...)) end

local caps = setmetatable({}, { __mode = "k" }) -- by world: the caps in force, by doors' names
local own = setmetatable({}, { __mode = "k" }) -- by cap: what it knows

local FIELDS_OF_CAPS = { door = true, measure = true }
local NUMBERS = { flow = true, limit = true } -- which may change

local function cap_of(value, method)
  if not own[value] then
    host.raise(("expected a cap, got %s (methods are called with a colon: cap:%s(...))"):format(host.describe(value),
      method))
  end
  return own[value]
end

local function in_force(cap) return caps[cap.world][cap.door] == cap end

local methods = {}
local Cap = { __name = "cap", __metatable = false }

function Cap:__index(name)
  if methods[name] then return methods[name] end
  if FIELDS_OF_CAPS[name] then return own[self][name] end
  if NUMBERS[name] then return own[self].numbers[name] end
end

function Cap:__newindex(name, value)
  if name ~= "flow" then host.raise(("cap.%s cannot be written; cap.flow can"):format(tostring(name))) end
  own[self].numbers.flow = host.number(value, "cap.flow", 0, true)
end

local function lift(cap)
  host.hold_door(cap.world, cap.door, false)
  caps[cap.world][cap.door] = nil -- last: it stays in force where there is no memory to lift it
end

--- cap:remove()
--- Lifts the cap.
--- @example
--- local cap = world:flow_cap { door = "north", flow = 1 }
--- world:at(world.time + 60, function() cap:remove() end)
function methods:remove()
  local cap = cap_of(self, "remove")
  if not in_force(cap) then return end
  if cap.numbers.full == 1 then cap.world.map:door(cap.door):open() end
  lift(cap)
  cap.numbers.removed, cap.numbers.full = 1, 0
end

local function whole(value, what) -- of people
  if math.type(value) ~= "integer" or value < 0 or value > 1e9 then
    raise("%s must be a whole number from 0 to 1e9, got %s", what, host.describe(value))
  end
  return value
end

--- cap:admit(count)
--- Opens a door with a `limit` for so many more people.
--- @param count integer How many.
--- @error a cap without a `limit`
--- @example
--- local gate = world:flow_cap { door = "north", limit = 20 } -- it closes behind the 20th
--- world:every(60, function() gate:admit(20) end)
function methods:admit(count)
  local numbers = cap_of(self, "admit").numbers
  if numbers.limit == math.huge then raise "the cap has no 'limit', so that there is nobody to admit" end
  numbers.limit = numbers.limit + whole(count, "cap:admit: the count")
end

-- Closed behind the last, so that people look for another route, as their door_policy says.
local function follow_limit(cap)
  local numbers = cap.numbers
  local full = numbers.passed >= numbers.limit and 1 or 0
  if full == numbers.full then return end
  numbers.full = full
  local door = cap.world.map:door(cap.door)
  if full == 1 then door:close() else door:open() end
end

local function tick(cap)
  if not in_force(cap) then return false end
  local tally, numbers = cap.tally, cap.numbers
  if tally.before and tally.before ~= tally.plan then -- the file was reloaded, and says another
    numbers.flow, numbers.limit, numbers.removed = cap.flow, cap.limit, 0
  end
  tally.before = nil
  if numbers.removed == 1 then -- before the file was reloaded
    lift(cap)
    return false
  end
  local count = cap.measure.forth + cap.measure.back
  local came = count - numbers.measured
  numbers.measured = count
  numbers.passed = numbers.passed + came
  follow_limit(cap)
  numbers.allowed = math.min(numbers.allowed + numbers.flow * cap.world.dt, SAVED) - came
  local holds = numbers.allowed < 1 - 1e-9
  if holds ~= cap.holds then -- nil: a reload may have brought the door as it was
    host.hold_door(cap.world, cap.door, holds)
  end
  cap.holds = holds
end

local function check(world, settings)
  if type(settings) ~= "table" then
    raise("expected a table like {door = \"exit\", flow = 1.33}, got %s", host.describe(settings))
  end
  host.check_names("world:flow_cap", "field", settings, FIELDS)
  if type(settings.door) ~= "string" then
    raise("field 'door' must be the name of a door, got %s", host.describe(settings.door))
  end
  local both = settings.flow ~= nil and settings.specific_flow ~= nil
  if both or settings.flow == nil and settings.specific_flow == nil and settings.limit == nil then
    raise "give 'flow' (persons a second) or 'specific_flow' (by metre of width), or a 'limit' (persons)"
  end
  if settings.limit ~= nil then whole(settings.limit, "field 'limit'") end
  if not world.map then raise "the world has no map, and no doors" end
  return world.map:door(settings.door)
end

local function width_of(map, name)
  for _, door in ipairs(map.doors) do
    if door.name == name then return math.sqrt((door.b[1] - door.a[1]) ^ 2 + (door.b[2] - door.a[2]) ^ 2) end
  end
end

-- Of the measure: a door that had a cap can get another.
local function name_of(world, door)
  local taken, name, number = {}, ("flow cap of '%s'"):format(door), 1
  for known in pairs(world.measures) do taken[known] = true end
  while taken[name] do
    number = number + 1
    name = ("flow cap %d of '%s'"):format(number, door)
  end
  return name
end

host.make_entries(methods)

--- world:flow_cap(settings)
--- Caps the flow through a door: it lets through that many persons a second on average; after a pause, two may follow
--- at once. While it holds people back it is a wall to them, but routes still lead to it, and `is_open` stays true.
--- Design rules cap doors at 1.3 to 1.33 persons a second and metre (SFPE; IMO MSC.1/Circ.1533). Each time that it lets
--- somebody through, the map's walls are built again.
--- @param settings throng.flow_cap.settings The door, and how many.
--- @return throng.flow_cap
--- @error an unknown door, or one that has a cap; a flow that is not above 0; both flows, or neither and no limit; a
--- door that ends in the open
--- @example
--- local cap = world:flow_cap { door = "north", specific_flow = 1.33 }
--- world:run { seconds = 60 }
--- print(cap.measure.count)
return function(world, settings)
  local door = check(world, settings)
  local flow = math.huge
  if settings.flow ~= nil then flow = host.number(settings.flow, "world:flow_cap: field 'flow'", 0, true) end
  if settings.specific_flow ~= nil then
    flow = host.number(settings.specific_flow, "world:flow_cap: field 'specific_flow'", 0, true)
      * width_of(world.map, settings.door)
  end
  caps[world] = caps[world] or {}
  if caps[world][door.name] then
    raise("the door '%s' has a cap already: write its flow, or remove it first", door.name)
  end
  local cap = {
    world = world,
    door = door.name,
    flow = flow,
    limit = settings.limit or math.huge,
    measure = false,
  }
  cap.numbers = { flow = cap.flow, limit = cap.limit, allowed = 0, passed = 0, measured = 0, full = 0, removed = 0 }
  local value = setmetatable({}, Cap)
  own[value] = cap
  local _ <close> = setmetatable({}, { __close = function()
    if cap.measure then return end
    caps[world][door.name] = nil -- which ends its timer, too
    host.hold_door(world, door.name, false)
  end })
  host.hold_door(world, door.name, true) -- says at once when the door cannot close
  caps[world][door.name] = cap
  host.repeat_now(world, world.dt, function() return tick(cap) end, ("the flow cap of door '%s'"):format(door.name))
  cap.tally = host.tally(world, "cap of " .. door.name, ("%.17g %.17g"):format(cap.flow, cap.limit))
  cap.tally.numbers = cap.numbers
  cap.measure = world:measure { flow = door, name = name_of(world, door.name) }
  cap.tally.measure = cap.measure
  return value
end
