-- Random buildings: floors of rooms along a corridor, with doors, stairs, switchbacks, ramps, escalators of either
-- direction, alone or beside stairs, and lifts between them, or not. Everybody who has a way out arrives, and nobody
-- else does. Who has one is found here by hand, and not from the mesh: from the open doors, the flights and the lifts
-- that there are.
local throng = require "throng"

local function generator(seed)
  local state = seed * 7919 + 12345
  local function number(low, high)
    state = (state * 1103515245 + 12345) % 2147483648
    return low + (high - low) * state / 2147483648
  end
  return number, function(low, high) return math.floor(number(low, high + 1)) end
end

--   y = 16 +---+------+------+------+---------------+
--          |   | room | room | room |               |
--   y =  9 |   +-- --+--- --+-- ---+   flights of    |
--          | lift        corridor      even floors;  |
--   y =  7 |   +- ---+-- ---+--- --+   of odd ones   |
--          |   | room | room | room |               |
--   y =  0 +---+------+------+------+---------------+
--       x = -6 0                    24              44

local LEFT, RIGHT, EAST, TOP = -6, 24, 44, 16

-- The rooms of one side of the corridor: walls between them and before them, with a gap for the door of each.
local function rooms(number, whole, floor, side, plan)
  local count = whole(1, 4)
  local low, high, wall = side == 1 and 9 or 0, side == 1 and TOP or 7, side == 1 and 9 or 7
  local from = 0
  for i = 1, count do
    local to = i == count and RIGHT or RIGHT * i / count + number(-1, 1)
    local width = number(0.9, 1.6)
    local gap = number(from + 0.5, to - 0.5 - width)
    local name = ("room %d.%d"):format(side, i)
    table.insert(plan.walls, throng.box(from, wall - 0.1, gap, wall + 0.1))
    table.insert(plan.walls, throng.box(gap + width, wall - 0.1, to, wall + 0.1))
    table.insert(plan.walls, throng.box(to - 0.1, low, to + 0.1, high))
    plan.regions[name] = throng.box(from + 0.3, low + 0.3, to - 0.3, high - 0.3)
    plan.doors[name] = { { gap, wall }, { gap + width, wall } }
    floor.rooms[#floor.rooms + 1] = { name = name, shut = number(0, 1) < 0.15 }
    from = to
  end
  if side == 1 then table.insert(plan.walls, throng.box(-0.1, 9, 0.1, TOP)) end
  if side == 0 then table.insert(plan.walls, throng.box(-0.1, 0, 0.1, 7)) end
end

-- Flights from one floor to the next, beside those to the one before, into their lists; can people climb by them, and
-- descend?
local function join(settings, number, whole, level, rise)
  local y = (level % 2 == 1 and 2 or 10) + number(0, 1)
  local from, to = 28, 28 + number(7, 10)
  if whole(0, 1) == 1 then from, to = to, from end
  local one = { name = "flight " .. level, from = "floor " .. level, to = "floor " .. level + 1, foot = { from, y },
    head = { to, y }, width = number(1.2, 1.8) }
  local kind, belt = whole(1, 6), nil
  if kind >= 5 then -- 5: alone
    belt = { name = "belt " .. level, from = one.from, to = one.to, foot = { from, y + 3 }, head = { to, y + 3 },
      direction = whole(0, 1) == 1 and "up" or "down", speed = number(0.4, 0.75), walkers = number(0, 1) }
    table.insert(settings.escalators, belt)
  end
  if kind ~= 5 then
    one.rise = rise
    if kind == 3 then one.flights, one.turn = 2, from < to and "left" or "right" end
    table.insert(kind == 4 and settings.ramps or settings.stairs, one)
  end
  return kind ~= 5 or belt.direction == "up", kind ~= 5 or belt.direction == "down"
end

-- The settings of a building, and its floors: what joins them, and their rooms.
local function draw(seed)
  local number, whole = generator(seed)
  local settings = { floors = {}, stairs = {}, ramps = {}, escalators = {}, lifts = {}, name = "random " .. seed }
  local floors, z = {}, 0
  local lift = number(0, 1) < 0.5
  local served = {}
  for level = 1, whole(2, 5) do
    local plan = { z = z, boundary = throng.box(LEFT, 0, EAST, TOP), walls = {}, regions = {}, doors = {} }
    local floor = { rooms = {}, name = "floor " .. level }
    rooms(number, whole, floor, 0, plan)
    rooms(number, whole, floor, 1, plan)
    if level == 1 then plan.regions.exit = throng.box(42.5, 12, EAST, TOP) end
    settings.floors[floor.name], floors[level] = plan, floor
    floor.lift = lift and (level == 1 or number(0, 1) < 0.8)
    if floor.lift then served[#served + 1] = floor.name end
    floor.height = number(2.8, 4.5)
    z = z + floor.height
  end
  for level = 1, #floors - 1 do
    local floor = floors[level]
    if number(0, 1) < 0.75 then
      floor.climbs, floor.descends = join(settings, number, whole, level, floor.height)
    end
  end
  if #served > 1 then
    settings.lifts[1] = { name = "a", floors = served, at = { -2, 8 }, back = { -4, 8 }, width = 2, capacity = 6,
      speed = 2 }
  else
    floors[1].lift = false
  end
  return settings, floors
end

-- From which floors there is a way to the first; or could be, if escalators were turned round.
local function joined(floors, turned)
  local reached, again = { true }, true
  while again do
    again = false
    for level, floor in ipairs(floors) do
      local below = floors[level - 1]
      local beside = level > 1 and reached[level - 1] and (below.descends or turned and below.climbs)
        or reached[level + 1] and (floor.climbs or turned and floor.descends)
      for other, one in ipairs(floors) do
        beside = beside or floor.lift and one.lift and reached[other]
      end
      if beside and not reached[level] then reached[level], again = true, true end
    end
  end
  return reached
end

-- Runs a building; who should have arrived and has not, and who has and should not.
local function run(seed, routing)
  local settings, floors = draw(seed)
  local world = throng.world { map = throng.building(settings), seed = seed, dt = 0.1, threads = 1 }
  local reached, turned, groups, expected = joined(floors), joined(floors, true), {}, 0
  for level, floor in ipairs(floors) do
    for _, room in ipairs(floor.rooms) do
      local place = ("%s/%s"):format(floor.name, room.name)
      if room.shut then world.map:door(place):close() end
      local group = world:spawn { name = place, count = 3, where = place, routing = routing }
      local out = reached[level] and not room.shut
      expected = expected + (out and 3 or 0)
      local sent, message = pcall(group.go_to, group, "exit")
      assert.equal(turned[level] == true, sent, message) -- of no way at all go_to tells at once
      group:on("arrived", function(arrived) arrived:remove() end)
      groups[#groups + 1] = { group = group, out = out, place = place }
    end
  end
  while world.time < 900 and world:stats().arrived < expected do
    world:run { seconds = 5 }
  end
  local wrong = {}
  for _, one in ipairs(groups) do
    local left = #one.group
    if one.out == (left > 0) then
      wrong[#wrong + 1] = ("%s: %d of 3 left after %d s"):format(one.place, left, math.floor(world.time))
    end
  end
  local overlaps = world:stats().overlaps
  world:close()
  return wrong, expected, 3 * #groups, overlaps
end

describe("random buildings", function()
  local function leave(routing, seeds)
    local out, stayed = 0, 0
    for seed = 1, seeds do
      local wrong, expected, all, overlaps = run(seed, routing)
      assert.same({}, wrong, "seed " .. seed)
      assert.equal(0, overlaps, "seed " .. seed)
      out, stayed = out + expected, stayed + all - expected
    end
    assert.is_true(out > 33 * seeds and stayed > 6 * seeds, ("%d have a way, %d have none"):format(out, stayed))
  end

  it("are left by everybody who has a way, and by nobody else", function() leave("navmesh", 24) end)

  it("are left by the roadmap likewise", function() leave("roadmap", 24) end)

  it("are left by potentials likewise", function() leave("field", 12) end)
end)
