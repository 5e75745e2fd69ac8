-- What agents do in a state of a machine: the goals of throng.fsm.

--- class throng.goal
--- What agents do in a state of a machine: throng.go_to, throng.wait, throng.wander and so on.

local host = ...

local make_goal, values_of = host.sealed("goal", "make another, like throng.go_to(\"exits\")")
local POINT = -2 -- THRONG_FSM_POINT

local goals = {}

local function raise(...) host.raise(string.format(...)) end

goals.values_of = values_of -- nil: it is no goal

local function made(values)
  values.at = host.position()
  return make_goal(values)
end

function goals.is_point(place)
  return type(place) == "table" and type(place[1]) == "number" and type(place[2]) == "number"
end

local function check_place(owner, place)
  if place == nil then raise("%s: the place is missing: a point {x, y}, a region's name or a shape", owner) end
  return place
end

--- throng.go_to(place, options)
--- Walk to a region, a shape or a point, around walls.
--- @param place throng.place|throng.point Where: a region by name, a shape, a point, or a list of regions and shapes,
--- which are looked up when group:run gets the machine.
--- @param options? { radius?: number(m), straight?: boolean, own_path?: boolean } As those of group:go_to; `own_path`:
--- to a point by a path of its own, which the path queue finds; the agent waits where it stands until the path is
--- ready.
--- @return throng.goal
--- @error no place; an unknown option; `own_path` with `straight`, or to something else than a point
--- @example
--- guests:run(throng.fsm { start = "leave", leave = { goal = throng.go_to({ 8, 6 }, { radius = 1 }) } })
function goals.go_to(place, options)
  options = host.options_of("throng.go_to", options, { "own_path", "radius", "straight" })
  local radius = host.number(options.radius or 0.5, "throng.go_to: field 'radius'", 0, true)
  if options.own_path then
    if options.straight then raise "throng.go_to: give 'own_path' or 'straight', not both" end
    if not goals.is_point(place) then
      raise("throng.go_to: with 'own_path' the place must be a point {x, y}, got %s", host.describe(place))
    end
  end
  return made { name = "go_to", action = "go", places = { check_place("throng.go_to", place) }, radius = radius,
    straight = options.straight == true, own_path = options.own_path == true, arrives = true }
end

--- throng.arrive(place, options)
--- Walk straight to a place, in a building on the same floor, slowing down before it.
--- @param place throng.place|throng.point Where: a region by name, a shape, a point, or a list of regions and shapes.
--- @param options? { radius?: number(m) } Arrived within that distance of a point, default 0.5.
--- @return throng.goal
--- @error no place; an unknown option
--- @example
--- guests:run(throng.fsm { start = "come", come = { goal = throng.arrive({ 8, 6 }, { radius = 1 }) } })
function goals.arrive(place, options)
  options = host.options_of("throng.arrive", options, { "radius" })
  local radius = host.number(options.radius or 0.5, "throng.arrive: field 'radius'", 0, true)
  return made { name = "arrive", action = "go", places = { check_place("throng.arrive", place) }, radius = radius,
    straight = true, arrives = true }
end

--- throng.random_path(options)
--- Walk to a place picked at random, around walls.
--- @param options? { places?: integer, to?: (throng.place|throng.point)[], own_path?: boolean } `places`: the number of
--- random points of the map to choose from, 1 to 256, default 16; `to`: the places to choose from instead; `own_path`
--- as in throng.go_to.
--- @return throng.goal
--- @error both `to` and `places`
--- @example
--- guests:run(throng.fsm { start = "stroll", stroll = { goal = throng.random_path { to = { "lobby", "hall" } } } })
function goals.random_path(options)
  options = host.options_of("throng.random_path", options, { "own_path", "places", "to" })
  local places = {}
  if options.to ~= nil then
    if type(options.to) ~= "table" or #options.to == 0 or goals.is_point(options.to) then
      raise("throng.random_path: field 'to' must be a list of places, got %s", host.describe(options.to))
    end
    if options.places then raise "throng.random_path: give 'to' (which places) or 'places' (how many), not both" end
    for i, place in ipairs(options.to) do
      if options.own_path and not goals.is_point(place) then
        raise("throng.random_path: with 'own_path' the places must be points {x, y}, got %s", host.describe(place))
      end
      places[i] = place
    end
    if #places < #options.to then raise("throng.random_path: field 'to' has no place %d", #places + 1) end
  else
    local count = options.places or 16
    if math.type(count) ~= "integer" or count < 1 or count > 256 then
      raise("throng.random_path: field 'places' must be a whole number from 1 to 256, got %s", host.describe(count))
    end
    for i = 1, count do
      places[i] = false
    end
  end
  return made { name = "random_path", action = "go", places = places, radius = 0.5, arrives = true,
    own_path = options.own_path == true }
end

--- throng.go_on()
--- Keep the goal and the path of the state before.
--- @return throng.goal
--- @example
--- guests:run(throng.fsm {
---   start = "walk",
---   walk = { goal = throng.go_to "exit", blocked = "push" },
---   push = { goal = throng.go_on(), after = 3, timeout = "walk" },
--- })
function goals.go_on() return made { name = "go_on", action = "on", arrives = true } end

--- throng.follow(path)
--- Walk to places one after the other, around walls; arrives at the last.
--- @param path (throng.place|throng.point)[] The places in order.
--- @return throng.goal
--- @error an empty list
--- @example
--- throng.follow { { 2, 3 }, "lobby", { 9, 4 } }
function goals.follow(path)
  if type(path) ~= "table" or goals.is_point(path) or #path == 0 then
    raise("throng.follow: expected a list of places, like {{2, 3}, \"lobby\", {9, 4}}, got %s", host.describe(path))
  end
  local places = {}
  for i, place in ipairs(path) do
    places[i] = place
  end
  if #places < #path then raise("throng.follow: there is no place %d in the list", #places + 1) end
  return made { name = "follow", action = "follow", places = places, radius = 0.5, arrives = true }
end

--- throng.wait(from, to)
--- Stay in place, and come back when pushed away; who is kept away by others stays where it is by then, and makes room.
--- @param from? number(s) At least this long; none: until something else happens.
--- @param to? number(s) At most this long, default `from`.
--- @return throng.goal
--- @error a negative time; `to` less than `from`
--- @example
--- guests:run(throng.fsm {
---   start = "look",
---   look = { goal = throng.wait(5, 10), timeout = "leave" },
---   leave = { goal = throng.go_to "exit" },
--- })
function goals.wait(from, to)
  if from == nil then return made { name = "wait", action = "wait" } end
  host.number(from, "throng.wait: the least time in seconds", 0)
  host.number(to or from, "throng.wait: the greatest time in seconds", from)
  return made { name = "wait", action = "wait", least = from, most = to or from }
end

--- throng.wander(options)
--- Walk from one random point to the next within a radius of the starting point, never through walls. The agent arrives
--- at each point, and goes on to the next if the state has no `arrived`.
--- @param options? { radius?: number(m) } Distance from the start, default 5.
--- @return throng.goal
--- @error a radius of 0 or less
--- @example
--- guests:run(throng.fsm { start = "stroll", stroll = { goal = throng.wander { radius = 3 } } })
function goals.wander(options)
  options = host.options_of("throng.wander", options, { "radius" })
  local radius = host.number(options.radius or 5, "throng.wander: field 'radius'", 0, true)
  return made { name = "wander", action = "wander", reach = radius, arrives = true }
end

-- A point, or the name of a spawn (nil: anybody).
local function whom(owner, values, target)
  if goals.is_point(target) then
    values.kind, values.point = POINT, target
  elseif target == nil or type(target) == "string" then
    values.whom = target or ""
  else
    raise("%s: expected a point {x, y} or the name of a spawn, got %s", owner, host.describe(target))
  end
  return made(values)
end

--- throng.seek(point, options)
--- Walk straight at a point, in a building on the same floor, without slowing down.
--- @param point throng.point Where to.
--- @param options? { radius?: number(m) } Arrived within that distance, default 0.5.
--- @return throng.goal
--- @error a place that is no point
--- @example
--- guests:run(throng.fsm { start = "run", run = { goal = throng.seek({ 5, 8 }, { radius = 1 }) } })
function goals.seek(point, options)
  options = host.options_of("throng.seek", options, { "radius" })
  if not goals.is_point(point) then raise("throng.seek: expected a point {x, y}, got %s", host.describe(point)) end
  local radius = host.number(options.radius or 0.5, "throng.seek: field 'radius'", 0, true)
  return whom("throng.seek", { name = "seek", action = "seek", reach = radius, arrives = true }, point)
end

--- throng.pursue(name, options)
--- Run straight after the nearest agent in sight (of its nearest `neighbours` within `sight`). throng.follow_leader
--- goes round walls, and farther.
--- @param name? string Only agents of the group of this name.
--- @param options? { radius?: number(m) } Arrived within that distance, default 1.
--- @return throng.goal
--- @error a name of no group, when group:run gets the machine
--- @example
--- zombies:run(throng.fsm { start = "hunt", hunt = { goal = throng.pursue("civilians", { radius = 0.6 }) } })
function goals.pursue(name, options)
  options = host.options_of("throng.pursue", options, { "radius" })
  if name ~= nil and type(name) ~= "string" then
    raise("throng.pursue: expected the name of a spawn, got %s", host.describe(name))
  end
  local radius = host.number(options.radius or 1, "throng.pursue: field 'radius'", 0, true)
  return whom("throng.pursue", { name = "pursue", action = "seek", reach = radius, arrives = true }, name)
end

--- throng.follow_leader(name, options)
--- Walk after the one of a group who came first, around walls and over floors, however far off it is. Where it is, is
--- looked up twice a second, and counts when it has moved by half a metre. When it leaves, the next of the group leads;
--- when nobody of it is left, they go to where the last was.
--- @param name string The leader's group.
--- @param options? { radius?: number(m) } Arrived, and stands, within that distance of it, default 1.5.
--- @return throng.goal
--- @error a name of no group, or of one in which nobody is, when group:run gets the machine
--- @example
--- local guide = world:spawn { name = "guide", count = 1, where = "lobby" }
--- guests:run(throng.fsm { start = "tour", tour = { goal = throng.follow_leader "guide" } })
function goals.follow_leader(name, options)
  options = host.options_of("throng.follow_leader", options, { "radius" })
  if type(name) ~= "string" or name == "" then
    raise("throng.follow_leader: expected the name of a group, got %s", host.describe(name))
  end
  local radius = host.number(options.radius or 1.5, "throng.follow_leader: field 'radius'", 0, true)
  return made { name = "follow_leader", action = "go", places = { { leader = name } }, reach = radius, arrives = true }
end

--- throng.flee(from, options)
--- Run away from a point, or from the nearest agent in sight (of its nearest `neighbours` within `sight`).
--- @param from? throng.point|string A point, or the name of a group; none: any agent.
--- @param options? { distance?: number(m) } Arrived at this distance, or with none in sight. Default 5.
--- @return throng.goal
--- @error neither a point nor a name
--- @example
--- civilians:run(throng.fsm { start = "run", run = { goal = throng.flee("zombies", { distance = 8 }) } })
function goals.flee(from, options)
  options = host.options_of("throng.flee", options, { "distance" })
  local distance = host.number(options.distance or 5, "throng.flee: field 'distance'", 0, true)
  return whom("throng.flee", { name = "flee", action = "flee", reach = distance, arrives = true }, from)
end

return goals
