-- Where people stand at first, in dense crowds: a seed gives the same places again.
local places = {}

-- Numbers in [0, 1).
function places.generator(seed)
  local state = seed * 7919 + 12345
  return function()
    state = (state * 1103515245 + 12345) % 2147483648
    return state / 2147483648
  end
end

-- `count` places in a box, on a grid of squares that is jittered by a third of its spacing, or by less, so that no two
-- are closer than `apart` m; `margin` m from its sides.
function places.jittered(box, count, margin, apart, random)
  local x0, y0, x1, y1 = table.unpack(box)
  local rows = math.max(1, math.floor(math.sqrt(count * (y1 - y0) / (x1 - x0)) + 0.5))
  local columns = math.ceil(count / rows)
  local wide, high = (x1 - x0) / columns, (y1 - y0) / rows
  local off_x = math.max(0, math.min(wide / 3, wide - apart))
  local off_y = math.max(0, math.min(high / 3, high - apart))
  local list = {}
  for i = 0, rows * columns - 1 do
    local x = x0 + (i // rows + 0.5) * wide + (random() - 0.5) * off_x
    local y = y0 + (i % rows + 0.5) * high + (random() - 0.5) * off_y
    list[#list + 1] = { x, math.max(y0 + margin, math.min(y1 - margin, y)) }
  end
  while #list > count do
    table.remove(list, 1 + math.floor(random() * #list))
  end
  return list
end

return places
