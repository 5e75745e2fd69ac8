-- Doors that are open in part: a static body stands in the rest of the doorway.
local THICK = 0.05 -- m

local leaves = setmetatable({}, { __mode = "k" }) -- by world and door: the body

-- Opens so much of the width from a on; 1 takes the leaf away.
return function(world, name, a, b, part)
  local own = leaves[world] or {}
  leaves[world] = own
  if own[name] and own[name].alive then own[name]:remove() end
  own[name] = nil
  if part == 1 then return end
  local dx, dy, middle = b[1] - a[1], b[2] - a[2], (1 + part) / 2
  own[name] = world:body {
    box = { (1 - part) * math.sqrt(dx * dx + dy * dy), THICK },
    at = { a[1] + middle * dx, a[2] + middle * dy },
    angle = math.atan(dy, dx),
    static = true,
  }
end
