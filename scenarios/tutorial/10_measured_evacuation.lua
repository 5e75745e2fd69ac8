-- Tutorial 10 of 11: an evacuation that is measured, and its test.
--
-- How many people get through a door in a second? Measured crowds (Seyfried and others, 2009) pass a door of 1.2 m at
-- about 2.4 persons a second; what this one prints may be compared. tests/specs/tutorial_spec.lua says what must hold:
--
--   it("empties the room", function()
--     local world = throng.load "scenarios/tutorial/10_measured_evacuation.lua"
--     world:run { seconds = 120 }
--     assert.arrives(world.groups.people, { within = 90 })
--     assert.no_overlap(world)
--   end)
--
-- `throng test` runs it, on your machine and in CI; `-o junit` and `-o TAP` are for the latter. A test may load the
-- scenario with other parameters, and the same seed gives it the same numbers everywhere.
--
-- Where people were recorded, the recording may stand beside: local recorded = throng.trajectory "run.txt"; world:spawn
-- { from = recorded:at(0) } begins with them, and world:compare(recorded) says by how much the world's measures differ.
-- scenarios/experiments does so.
local throng = require "throng"

local params = throng.params {
  count = { 100, 20, 200 },
  width = { 1.2, 0.7, 4.0 }, -- m
}

local half = params.width / 2

local world = throng.world {
  map = throng.map {
    boundary = throng.box(-10, -5, 10, 5),
    walls = { throng.box(0, half, 0.6, 5), throng.box(0, -5, 0.6, -half) },
  },
  regions = { room = throng.box(-10, -5, 0, 5), outside = throng.box(4, -5, 10, 5) },
  seconds = 120,
}

local people = world:spawn {
  name = "people",
  count = params.count,
  where = "room",
  radius = throng.uniform(0.20, 0.25),
  speed = throng.normal(1.34, 0.26),
}
people:go_to "outside"

-- Flow: those who arrive between the tenth and the last but ninth, by the time they take. The first and the last
-- few are left out, for they walk freely.
local arrived, first, last = 0, nil, nil
people:on("arrived", function(group)
  arrived = arrived + group.count
  if not first and arrived >= 10 then first = { arrived, world.time } end
  if arrived <= params.count - 10 then last = { arrived, world.time } end
  group:remove()
  if arrived == params.count then
    print(("%d people through %.1f m in %.1f s: %.2f persons a second"):format(arrived, params.width, world.time,
      (last[1] - first[1]) / (last[2] - first[2])))
  end
end)

return world
