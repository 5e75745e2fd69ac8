-- Tutorial 8 of 11: people who come over time, and a door that closes.
local throng = require "throng"

local world = throng.world {
  map = throng.map {
    boundary = throng.box(0, 0, 24, 14),
    walls = { throng.box(12, 0, 12.3, 3), throng.box(12, 5, 12.3, 9), throng.box(12, 11, 12.3, 14) },
    -- A door is a line across an opening. It is open to begin with. With `cost = 5` behind its two points people pass
    -- only where that saves them 5 m, with `max_radius = 0.3` only those who are no wider.
    doors = { south = { { 12.15, 3 }, { 12.15, 5 } }, north = { { 12.15, 9 }, { 12.15, 11 } } },
  },
  regions = { street = throng.box(0.5, 1, 3, 6), shop = throng.box(20, 1, 23.5, 13) },
  seconds = 120,
}

-- A source makes agents as long as it lasts: here one a second, for 40 s. Who comes when there is no room waits
-- outside. `to` sends them on their way, and takes them out of the world when they arrive.
local customers = world:source {
  name = "customers",
  rate = 1, -- agents a second
  till = 40, -- s
  where = "street",
  to = "shop",
  speed = throng.normal(1.3, 0.2),
}

-- While the south door is closed, customers take the north door.
local south = world.map:door "south"
world:at(15, function() south:close() end)
world:at(35, function() south:open() end)
-- south:open(0.5) would open half of it, south.one_way = "forth" let people through that way alone, and
-- world:flow_cap { door = "south", flow = 1 } one a second; with `limit = 20` a door closes behind the twentieth.

-- Who has several ways out chooses: people:choose { exits = { "shop", "street" }, distance = 0.1, queue = 0.05 }; and
-- world:announce { at = 30, share = 0.8, to = "shop" } tells them; people:start_with { share = 0.5 } lets who still
-- waits set out when half of those whom it sees do. scenarios/smoke.lua has all three, and smoke.

-- A story is a script for a few actors, line after line, that waits where it says so.
local guard = world:spawn { name = "guard", at = { { 14, 4 } }, speed = 1.2 }
world:story(function(story)
  story:wait(10)
  story:walk(guard, { 12.9, 4 })
  story:wait_until(function() return not south.is_open end)
  print(("%.1f s: the guard has closed the south door; %d customers are on their way"):format(world.time,
    customers.count))
  story:walk(guard, { 18, 7 })
end)

return world
