-- High density ("Dynamic object avoidance", O'Sullivan, 2009): four groups cross on a torus, and lanes form that reach
-- all round it. They do where people look to the sides, walk behind who goes their way, and heed those who cross
-- less than those who come towards them. With --set crossing=1 lanes are short, at right angles to each other; with
-- own = 1 as well, the paper's equations to the letter, four groups form none: who walks the same way ahead pushes
-- aside for as long as he is followed, who comes towards one for a moment. Two groups (--set groups=2) always do.
-- Forces do not ask who will be met when: those in a lane run up to who is slower ahead, and are left to the contacts.
-- Who walks like people do keeps a gap: --set people=true.
--   throng run scenarios/high_density.lua --set groups=2 --set count=700 --set density=0.7 --png lanes.png --at 60
local throng = require "throng"

local weigh -- once there is a world
local params = throng.params {
  count = { 2000, 50 }, -- people, in all groups
  groups = 4, -- 2: east and west alone
  density = { 0.5, 0.01 }, -- persons/m^2
  planner = "forces",
  -- What avoiding those who walk the same way weighs; below 0: drawn to them.
  own = { 0, -5, 5, on_change = function() weigh() end },
  people = false, -- false: discs, as in the paper
  -- What avoiding those who cross weighs; 1: as much as those who come towards one.
  crossing = { 0.2, 0.0, 2.0, on_change = function() weigh() end },
}

local size = math.sqrt(params.count / params.density)
local world = throng.world { people = params.people, wrap = { size, size }, dt = 0.1, seconds = 60 }
local forces = throng.forces { published = 1, length = 6, width = 5, avoidance = 0.1 }

local ways = { { "east", 1, 0 }, { "west", -1, 0 }, { "north", 0, 1 }, { "south", 0, -1 } }

for i = 1, math.min(params.groups, #ways) do
  local name, x, y = table.unpack(ways[i])
  local crowd = world:spawn {
    name = name,
    count = (params.count + i - 1) // params.groups,
    where = throng.box(0, 0, size, size),
    speed = throng.normal(1.34, 0.2), -- m/s
    planner = params.planner == "forces" and forces or params.planner,
  }
  crowd.desired = function(_, a) return x * a.speed, y * a.speed end
end

function weigh()
  for i = 1, math.min(params.groups, #ways) do
    local name = ways[i][1]
    world:avoidance(name, name, params.own)
    for j = 1, i - 1 do
      if (i > 2) ~= (j > 2) then
        world:avoidance(name, ways[j][1], params.crossing)
        world:avoidance(ways[j][1], name, params.crossing)
      end
    end
  end
end
weigh()

-- How far those who walk along the same line are sorted into lanes, at the end: 0: mixed, 1: each lane goes one way.
for i = 2, math.min(params.groups, #ways), 2 do
  local one, other = ways[i - 1], ways[i]
  world:measure {
    lanes = true,
    name = one[1] .. " and " .. other[1],
    group = world.groups[one[1]] | world.groups[other[1]],
    along = { one[2], one[3] },
    from = 50, -- s
  }
end

return world
