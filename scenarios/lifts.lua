-- A morning in an office: people come in by the ground floor and take the lift to their storey, or the stairs where
-- that is quicker. After ten minutes the alarm goes: the lift lets everybody out at the next floor, and all walk down.
--   throng run scenarios/lifts.lua --set storeys=8 --set count=120
local throng = require "throng"
local params = throng.params { storeys = { 5, 2, 40 }, count = { 60, 1, 400 } }

local outline = throng.box(0, 0, 30, 16)
local floors, stairs = {}, {}
for storey = 0, params.storeys - 1 do
  floors["floor " .. storey] = {
    z = storey * 3.5, boundary = outline,
    regions = storey == 0 and { exit = throng.box(0, 6, 1, 10) } or { desks = throng.box(1, 1, 16, 15) },
  }
  if storey > 0 then
    stairs[storey] = {
      from = "floor " .. storey - 1, to = "floor " .. storey, foot = { 20, 14 }, head = { 26, 14 }, width = 1.6,
    }
  end
end

local world = throng.world {
  map = throng.building {
    name = "lifts", floors = floors, stairs = stairs,
    lifts = { { name = "a", at = { 26, 6 }, back = { 28, 6 }, width = 2, capacity = 8, speed = 1.6 } },
  },
  seed = 1, dt = 0.1, seconds = 900, until_done = false,
}

for storey = 1, params.storeys - 1 do
  local staff = world:source {
    name = "staff of floor " .. storey, where = "exit",
    rate = params.count / (params.storeys - 1) / 300, till = 300,
    each = function(people) people:go_to(("floor %d/desks"):format(storey)) end,
  }
  world:at(600, function() -- the alarm
    staff:go_to "exit"
    staff:on("arrived", function(people) people:remove() end)
  end)
end
world:at(600, function() world.lifts.a:stop() end)

return world
