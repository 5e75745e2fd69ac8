-- The lane index: how far people walk in lanes of their own direction.
local lanes = {}

-- Everybody of the groups who moves along x in [-reach, reach] is compared with whoever is in
-- the same strip of `width` metres: 1 when all in a strip go the same way, 0 when
-- as many go either way. Strips count by how many they hold.
function lanes.index(groups, width, reach)
  width, reach = width or 0.6, reach or 12
  local sums, counts, all = {}, {}, 0
  for _, group in ipairs(groups) do
    local x, y, vx = group.x, group.y, group.vx
    for i = 1, #group do
      if math.abs(x[i]) <= reach and math.abs(vx[i]) > 0.1 then
        local strip = math.floor(y[i] / width)
        sums[strip] = (sums[strip] or 0) + (vx[i] > 0 and 1 or -1)
        counts[strip] = (counts[strip] or 0) + 1
        all = all + 1
      end
    end
  end
  local index, strips = 0, {}
  for strip in pairs(sums) do strips[#strips + 1] = strip end
  table.sort(strips)
  for _, strip in ipairs(strips) do
    if counts[strip] > 1 then -- nobody is a lane alone; of n at random |sum| is about sqrt(n)
      local n = counts[strip]
      index = index + (sums[strip] ^ 2 - n) / (n - 1)
    end
  end
  return all > 0 and index / all or 0
end

return lanes
