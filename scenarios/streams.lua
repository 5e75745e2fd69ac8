-- Four streams meet: from each corner of a square a crowd walks to the corner
-- opposite.
-- ClearPath's 4-Streams; those that meet head on form lanes:
--   throng run scenarios/streams.lua --set count=2000 --set planner=clearpath --png streams.png --at 45
-- The same with people, who slow down as it grows dense, and turn round each other in the middle:
--   throng run scenarios/streams.lua --set count=2000 --set people=true --png streams.png --at 45
-- With --set shoulders=true their bodies are as wide as shoulders, and half as deep; under ClearPath 27 pairs a step
-- are left to the contacts then, in place of 398.
-- They are equal here, as in the paper, and pack like equal discs: the middle turns as a whole, and lets people go at
-- its rim. All come through, 2,000 in 169 s, 4,000 in 294 s, 8,000 in 446 s.
local throng = require "throng"

local streams = {}
local params = throng.params {
  count = { 20000, 4 }, -- persons, all streams together
  planner = "orca",
  people = false, -- discs, as in the paper
  shoulders = false, -- true: bodies wider than deep, as people's are, in place of round ones
  speed = { -- m/s
    1.3, 0.4, 2, on_change = function(speed)
      for _, stream in ipairs(streams) do stream.speed, stream.max_speed = speed, speed + 0.3 end
    end,
  },
}

local each = params.count // 4
local block = math.sqrt(each / 1.2) -- m: a stream starts in a square, 1.2 persons/m^2
local gap = 10 + block / 2 -- m: from the centre to the blocks

-- The square block of side `block` in the corner of signs sx, sy.
local function corner(sx, sy)
  return throng.box(sx * gap, sy * gap, sx * (gap + block), sy * (gap + block))
end

local world = throng.world {
  people = params.people,
  dt = 0.1,
  seconds = 60 + (params.people and 16 or 8) * (gap + block),
  regions = {
    northeast = corner(1, 1),
    northwest = corner(-1, 1),
    southwest = corner(-1, -1),
    southeast = corner(1, -1),
  },
}

local ways = {
  { "northeast", "southwest" },
  { "northwest", "southeast" },
  { "southwest", "northeast" },
  { "southeast", "northwest" },
}
for _, way in ipairs(ways) do
  local from, to = way[1], way[2]
  local stream = world:spawn {
    name = "from " .. from,
    count = each,
    where = from,
    body = params.shoulders and throng.stadium() or throng.disc { radius = 0.25 }, -- m
    speed = params.speed,
    max_speed = params.speed + 0.3, -- m/s
    planner = params.planner,
  }
  stream:go_to(to)
  stream:on("arrived", function(group) group:remove() end)
  streams[#streams + 1] = stream
end

return world
