-- Doors that are open in part: a static body stands in the rest of the doorway.
local THICK, LEAST = 0.05, 0.01 -- m

local leaves = setmetatable({}, { __mode = "k" }) -- by world and door: the body

-- Opens so much of the width from a on; where less than a leaf may be wide is left, all of it.
return function(world, name, a, b, part)
  local own = leaves[world] or {}
  leaves[world] = own
  local dx, dy, middle, leaf = b[1] - a[1], b[2] - a[2], (1 + part) / 2, nil
  local rest = (1 - part) * math.sqrt(dx * dx + dy * dy)
  if rest >= LEAST then
    leaf = world:body {
      box = { rest, THICK },
      at = { a[1] + middle * dx, a[2] + middle * dy },
      angle = math.atan(dy, dx),
      static = true,
    }
  end
  if own[name] and own[name].alive then own[name]:remove() end
  own[name] = leaf
end
