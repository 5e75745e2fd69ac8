-- For group:choose: what the others do. Who is bound for which exit, how many of them are before somebody, and for
-- which those are bound whom one sees. Each choice is known to the next who choose.
local host = ...

local LOOKS_AT = 100 -- so many, the nearest: what is asked of each does not grow with the crowd

-- ---- how many of some numbers are below another; they come and go (Fenwick, 1994)

local Counter = {}
Counter.__index = Counter

-- For numbers that are all in the list.
local function counter(list)
  table.sort(list)
  local rank, count = {}, 0
  for _, number in ipairs(list) do
    if not rank[number] then
      count = count + 1
      rank[number] = count
    end
  end
  local sums = {}
  for i = 1, count do sums[i] = 0 end
  return setmetatable({ rank = rank, sums = sums }, Counter)
end

-- So many more of the number, or fewer.
function Counter:add(number, more)
  local i, sums = self.rank[number], self.sums
  while i <= #sums do
    sums[i] = sums[i] + more
    i = i + (i & -i)
  end
end

function Counter:below(number)
  local i, sums, all = self.rank[number] - 1, self.sums, 0
  while i > 0 do
    all = all + sums[i]
    i = i & (i - 1)
  end
  return all
end

-- ---- who is bound for an exit

local Bound = {}
Bound.__index = Bound

-- Those of everybody who are bound for exit k: their paths are counted in `paths`, with those of who may choose it.
local function read_exit(bound, k, everybody, targets, lengths)
  local exit, list, ids = bound.chooser.exits[k], {}, {}
  for i, target in ipairs(targets) do
    if target == exit.target then ids[#ids + 1] = bound.points[i].id end
  end
  local own = bound.chooser.counts and host.route_lengths(host.pick(everybody, targets, exit.target), exit.target)
  if own then
    table.move(own, 1, #own, 1, list)
    bound.paths[k] = counter(table.move(lengths[k], 1, #lengths[k], #list + 1, list))
  end
  for at, id in ipairs(ids) do bound:enter(id, k, own and own[at]) end
end

-- Everybody who is bound for one of the exits, for those who have these lengths of paths to each of them. `points_of`
-- gives the points of a group, and `sees` tells whether one is seen from another.
function Bound.of(chooser, points_of, sees, lengths)
  local everybody = chooser.world.agents
  local points, targets = points_of(chooser, everybody), host.targets_of(everybody)
  local bound = setmetatable({ chooser = chooser, points = points, sees = sees, paths = {}, exit = {}, length = {} },
    Bound)
  for k = 1, #chooser.exits do read_exit(bound, k, everybody, targets, lengths) end
  if chooser.social > 0 then
    bound.places, bound.number = host.places_of(everybody), {}
    for i, point in ipairs(points) do bound.number[point.id] = i end
  end
  return bound
end

function Bound:enter(id, k, length)
  self.exit[id], self.length[id] = k, length
  if self.paths[k] then self.paths[k]:add(length, 1) end
end

-- Somebody at the point has chosen exit k, to which the path has that length.
function Bound:note(point, k, length)
  local id = point.id
  local before = self.exit[id]
  if before and self.paths[before] then self.paths[before]:add(self.length[id], -1) end
  self:enter(id, k, length)
end

-- How many are bound for each exit, and nearer to it than who is at the point, with paths of these lengths.
function Bound:before(point, lengths)
  local ahead, own = {}, self.exit[point.id]
  for k = 1, #self.chooser.exits do
    ahead[k] = self.paths[k] and self.paths[k]:below(lengths[k]) or 0
    if own == k and self.paths[k] and self.length[point.id] < lengths[k] then ahead[k] = ahead[k] - 1 end
  end
  return ahead
end

-- The part of those whom one sees from the point that is bound for each exit.
function Bound:seen(point)
  local seen, all = {}, 0
  for k = 1, #self.chooser.exits do seen[k] = 0 end
  local near = self.places and host.nearest_of(self.places, self.number[point.id], LOOKS_AT, self.chooser.sight) or {}
  for _, i in ipairs(near) do
    local other = self.points[i]
    local k = self.exit[other.id]
    if k and self.sees(self.chooser, point, other) then seen[k], all = seen[k] + 1, all + 1 end
  end
  for k = 1, #seen do seen[k] = all > 0 and seen[k] / all or 0 end
  return seen
end

return { bound = Bound.of }
