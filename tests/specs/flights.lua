-- A building of two floors over each other, joined by flights along y = 8, "north", and y = 2, "south", and who walks
-- in it, for tests of each routing.
local throng = require "throng"
local needs = dofile "tests/specs/needs.lua"

local flights = { OUTLINE = throng.box(0, 0, 20, 10) }

-- `settings`: more of "south" and "north"; `escalator`, of one in the place of "north"; the roadmap.
function flights.building(settings)
  settings = settings or {}
  local function between(name, y, more)
    local flight = { name = name, from = "ground", to = "first", foot = { 6, y }, head = { 12, y }, width = 2 }
    for key, value in pairs(more or {}) do flight[key] = value end
    return flight
  end
  return throng.building {
    floors = {
      ground = { z = 0, boundary = flights.OUTLINE, regions = { west = throng.box(1, 4, 2, 6) } },
      first = { z = 3.5, boundary = flights.OUTLINE, regions = { east = throng.box(18, 4, 19, 6) } },
    },
    stairs = {
      between("south", 2, settings.south), not settings.escalator and between("north", 8, settings.north) or nil,
    },
    escalators = settings.escalator and { between("north", 8, settings.escalator) } or nil,
    roadmap = settings.roadmap,
  }
end

-- A world where somebody walks from a place to another, and the names of what it walks on, as they come.
function flights.walk(map, routing, from, to)
  local world = throng.world { map = map, dt = 0.1, seed = 1, people = false }
  local one = world:spawn { at = { from }, radius = 0.25, speed = 1.3, routing = routing }
  one:go_to(to)
  local seen, on = {}, {}
  world:on_step(function()
    local floor = one.floor[1]
    if not seen[floor] then on[#on + 1] = floor end
    seen[floor] = true
  end)
  return world, on
end

-- Those names until it is there.
function flights.taken(map, routing, from, to)
  local world <close>, on = flights.walk(map, routing, from, to)
  world:run { seconds = 60, until_done = true }
  assert(world:stats().arrived == 1, "nobody came there")
  return on
end

-- The hash of a world of two crowds by a routing, one up and one down, as a function of its backend, SIMD width and
-- threads. `more` adds to the world.
function flights.hash_of(routing, settings, more)
  return function(def)
    def.map, def.seed, def.dt = flights.building(settings), 4, 0.1
    local world <close> = throng.world(def)
    world:spawn { count = 40, where = "ground", routing = routing }:go_to "first/east"
    world:spawn { count = 40, where = "first", routing = routing }:go_to "ground/west"
    if more then more(world) end
    world:run { steps = 200 }
    return world:hash()
  end
end

-- Has it the same bits on every width and number of threads? Compared by `same`, of two hashes.
function flights.on_every_width(hash, same)
  local once = hash { backend = "cpu", simd = 1, threads = 1 }
  for _, simd in ipairs(needs.which_simd { 4, 8, 16 }) do
    same(once, hash { backend = "cpu", simd = simd, threads = 3 })
  end
end

return flights
