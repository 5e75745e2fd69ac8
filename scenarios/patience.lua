-- Two counters. Everybody lines up at the slow one, which is nearer. Everybody has some patience, a column of this
-- script's own: it runs while they stand. Whose patience has run out changes to the other line.
-- `throng view scenarios/patience.lua --colour patience` shows who will be next.
local throng = require "throng"

local wear -- how fast patience goes, by how much of it there is now for what there was at first
local params = throng.params {
  count = { 40, 1, 100 },
  patience = { 40, 5, 4000, on_change = function(patience) wear(patience) end }, -- s that people stand, on average
}

local world = throng.world {
  map = throng.map { name = "two counters", boundary = throng.box(0, 0, 24, 12) },
  regions = { entrance = throng.box(0.5, 0.5, 4, 11.5), way_out = throng.box(22, 0, 24, 12) },
  seed = 3,
  seconds = 600,
}

world:column("patience", { default = throng.uniform(0.25 * params.patience, 1.75 * params.patience), unit = "s" })

local function leave(visitor) visitor:go_to "way_out" end
local slow = world:queue { line = { { 18, 3 }, { 6, 3 } }, serve = throng.uniform(6, 10), served = leave }
local fast = world:queue { line = { { 18, 9 }, { 6, 9 } }, serve = throng.uniform(3, 5), served = leave }

local people = world:spawn { count = params.count, where = "entrance", name = "people" }
local dt, at_first = world.dt, params.patience
function wear(patience)
  local each = dt * at_first / patience
  people.patience = function(_, a)
    local stands = throng.select(a.vx * a.vx + a.vy * a.vy < 0.01, 1, 0)
    return math.max(0, a.patience - each * stands)
  end
end
wear(at_first)

slow:join(people)
world:every(1, function() fast:join(slow:leave(people:filter(function(a) return a.patience == 0 end))) end)
world:sink { where = "way_out" }

return world
