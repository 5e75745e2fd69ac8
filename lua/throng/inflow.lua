-- Of world:source { recording = ... }: who comes into a recording, when and where, and how they are let in.
local host = ...

local CLEAR = 0.2 -- m: from the middle of who comes to the side of who is there

local inflow = {}
inflow.__index = inflow

local function raise(...) host.raise("world:source: " .. string.format(...)) end

-- Those who come after `since` (nil: all who are seen), in the order of their times.
function inflow.new(world, own, where)
  if own.since ~= nil then host.number(own.since, "world:source: field 'since'", 0) end
  local people = host.entries(world, own.recording, own.since, where)
  table.sort(people, function(a, b) return a.time < b.time or a.time == b.time and a.id < b.id end)
  return setmetatable({ people = people, next = 1, waiting = {} }, inflow)
end

-- How many have come by that time.
function inflow:come(time)
  local count = 0
  while self.people[count + 1] and self.people[count + 1].time <= time + 5e-7 do count = count + 1 end
  return count
end

local function is_free(person, taken, xs, ys, radii)
  for i = 1, #xs do
    if (xs[i] - person.x) ^ 2 + (ys[i] - person.y) ^ 2 < (radii[i] + CLEAR) ^ 2 then return false end
  end
  for _, other in ipairs(taken) do
    if (other.x - person.x) ^ 2 + (other.y - person.y) ^ 2 < (2 * CLEAR) ^ 2 then return false end
  end
  return true
end

-- Those of who waits whose places are free; the others wait on.
local function pick(self, world)
  local agents = world.agents
  local xs, ys, radii = agents.x:list(), agents.y:list(), agents.radius:list()
  local picked, left = {}, {}
  for _, person in ipairs(self.waiting) do
    local list = is_free(person, picked, xs, ys, radii) and picked or left
    list[#list + 1] = person
  end
  self.waiting = left
  return picked
end

-- Lets in who is due and finds room where the recording has it, but for the first `made`, who were let in: their group,
-- or nil.
function inflow:admit(world, spawn, time, made)
  self.next = math.max(self.next, made + 1)
  while self.people[self.next] and self.people[self.next].time <= time + 5e-7 do
    table.insert(self.waiting, self.people[self.next])
    self.next = self.next + 1
  end
  local picked = #self.waiting > 0 and pick(self, world) or {}
  if #picked == 0 then return nil end
  local moment = { at = {}, vx = {}, vy = {} }
  for i, person in ipairs(picked) do
    moment.at[i], moment.vx[i], moment.vy[i] = { person.x, person.y }, person.vx, person.vy
  end
  spawn.count, spawn.from = nil, moment
  local ok, batch = pcall(host.spawn_more, world, spawn)
  if ok then return batch end
  local number, lies = tostring(batch):match "position (%d+), .- lies (%l+) "
  if not number then error(batch, 0) end
  local person = picked[tonumber(number)]
  raise("person %d of the recording comes at (%.2f, %.2f), %s; give a smaller 'radius', or a place behind it as "
    .. "'where'", person.id, person.x, person.y,
    lies == "beyond" and "beyond the map" or "in a wall or too near to one for its radius")
end

return inflow
