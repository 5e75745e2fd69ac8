-- A city: blocks of buildings (about 1,500 sides) and crowds that walk from square
-- to square (ClearPath's City-10K to 250K).
--   throng run scenarios/city.lua --png city.png --at 60
--   throng run scenarios/city.lua --set count=250000 --steps 100
local throng = require "throng"

local crowds = {}
local params = throng.params {
  count = { 10000, 16 },
  planner = "clearpath",
  speed = { -- m/s, on average: they overtake each other
    1.3, 0.8, 2, on_change = function(speed)
      for _, crowd in ipairs(crowds) do crowd.speed = throng.normal(speed, 0.25) end
    end,
  },
}

-- Streets of 12 m between blocks; every fifth block both ways is a square. People
-- get about 26 m^2 of street each: with more of them all is larger.
local SIDE = 18 -- blocks along a side
local scale = math.max(1, math.sqrt(params.count / 10000))
local BLOCK, STREET = 24 * scale, 12 * scale -- m
local size = SIDE * (BLOCK + STREET) + STREET

local buildings, squares = {}, {}
for row = 0, SIDE - 1 do
  for column = 0, SIDE - 1 do
    local x, y = STREET + column * (BLOCK + STREET), STREET + row * (BLOCK + STREET)
    if row % 5 == 2 and column % 5 == 2 then
      squares[#squares + 1] = throng.box(x, y, x + BLOCK, y + BLOCK)
    else
      local cut = BLOCK * (0.1 + 0.05 * ((row * 7 + column * 3) % 4)) -- corners are cut off, differently
      buildings[#buildings + 1] = throng.polygon {
        { x + cut, y }, { x + BLOCK, y }, { x + BLOCK, y + BLOCK }, { x, y + BLOCK }, { x, y + cut },
      }
    end
  end
end

local world = throng.world {
  people = false, -- discs, as in the paper
  map = throng.map { name = "city", boundary = throng.box(0, 0, size, size), walls = buildings },
  dt = 0.1, -- s
  seconds = 800 * scale,
  record = params.count <= 20000 and { every = 1 },
}

-- The crowds around two squares change places.
local streets = {}
for i = 1, #squares do
  local column, row = (i - 1) % 4, (i - 1) // 4
  local span = size / 4
  streets[i] = throng.box(column * span, row * span, (column + 1) * span, (row + 1) * span)
end
local each = params.count // #squares
for i = 1, #squares do
  local crowd = world:spawn {
    name = "from square " .. i,
    count = each,
    where = streets[i],
    radius = 0.25, -- m
    speed = throng.normal(params.speed, 0.25),
    planner = params.planner,
  }
  crowd:go_to(squares[i % 2 == 1 and i + 1 or i - 1])
  crowd:on("arrived", function(arrived) arrived:remove() end)
  crowds[i] = crowd
end

return world
