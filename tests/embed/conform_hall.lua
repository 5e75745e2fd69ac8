-- What the bindings' conformance programs (conform.c, conform.lua, conform.py) have in common: a hall with a door.
local throng = require "throng"
local params = throng.params { count = 12, width = 1.2 }
local world = throng.world {
  map = throng.map {
    boundary = throng.box(0, 0, 16, 8),
    walls = { throng.box(8, 0, 8.2, 4 - params.width / 2), throng.box(8, 4 + params.width / 2, 8.2, 8) },
    regions = { left = throng.box(1, 1, 6, 7), right = throng.box(12, 1, 15, 7) },
  },
  seed = 3, threads = 1,
}
world:column("patience", { default = throng.uniform(20, 60), unit = "s" })
local people = world:spawn { name = "people", count = params.count, where = "left" }
people:go_to "right"
people:on("arrived", function(group) group.speed = 0.25 end)
return world
