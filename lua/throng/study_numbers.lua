-- Numbers as studies and calibrations tell them.
local numbers = {}

function numbers.text(value) return value and ("%.4g"):format(value) or "-" end

-- "1 run", "2 runs"
function numbers.counted(count, what) return ("%d %s%s"):format(count, what, count == 1 and "" or "s") end

return numbers
