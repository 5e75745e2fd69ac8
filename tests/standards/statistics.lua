-- Statistics that the cases assert: the product's own of lists and runs (lua/throng/statistics.lua), and beside them
-- distances between distributions, lines through points, laws.
local statistics = setmetatable({}, { __index = require("throng.suites").statistics })

-- The interval of a figure of repeated runs, of which `left` has what it is without each one of them; nil of less than
-- LEAST. For a mean it is the one of statistics.interval_of_mean (Efron and Stein, 1981).
function statistics.interval_of_jackknife(figure, left, confidence)
  local n = #left
  if n < statistics.LEAST then return nil end
  local half = statistics.student((1 + confidence) / 2, n - 1) * statistics.deviation(left) * (n - 1) / n ^ 0.5
  return figure - half, figure + half
end

function statistics.median(values) return statistics.rank(statistics.sorted(values), 50) end

-- Kolmogorov and Smirnov: the greatest distance between the values' distribution and the function `cumulative`.
function statistics.distance(values, cumulative)
  local sorted, most = statistics.sorted(values), 0
  for i, value in ipairs(sorted) do
    local p = cumulative(value)
    most = math.max(most, i / #sorted - p, p - (i - 1) / #sorted)
  end
  return most
end

-- The distance that 1 of 100 samples of that size passes (for sizes of 35 and more).
function statistics.distance_of_chance(count) return 1.628 / math.sqrt(count) end

-- The line y = slope x + offset through points {x, y}, and the share r^2 of the variance that it explains.
function statistics.line(points)
  local n, x, y, xx, xy, yy = #points, 0, 0, 0, 0, 0
  for _, point in ipairs(points) do
    x, y = x + point[1], y + point[2]
    xx, xy, yy = xx + point[1] ^ 2, xy + point[1] * point[2], yy + point[2] ^ 2
  end
  local across, along, up = xy - x * y / n, xx - x * x / n, yy - y * y / n
  local slope = across / along
  return slope, (y - slope * x) / n, up > 0 and across ^ 2 / (along * up) or 0
end

-- --- cumulative functions of laws ----------------------------------------------------------------

function statistics.uniform(from, to)
  return function(x) return math.max(0, math.min(1, (x - from) / (to - from))) end
end

-- Abramowitz and Stegun 7.1.26, within 1.5e-7.
function statistics.normal(mean, deviation)
  return function(value)
    local z = (value - mean) / deviation / math.sqrt(2)
    local t = 1 / (1 + 0.3275911 * math.abs(z))
    local tail = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
    local erf = 1 - tail * math.exp(-z * z)
    return 0.5 * (1 + (z < 0 and -erf or erf))
  end
end

function statistics.log_normal(mu, sigma)
  local normal = statistics.normal(mu, sigma)
  return function(value) return value > 0 and normal(math.log(value)) or 0 end
end

function statistics.weibull(scale, shape)
  return function(value) return value > 0 and 1 - math.exp(-(value / scale) ^ shape) or 0 end
end

-- By the trapezoidal rule over the density in the root of x, which is smooth at 0.
function statistics.gamma(shape, scale)
  local function integral(to)
    local steps, sum = 400, 0
    for i = 1, steps do
      local root = math.sqrt(to) * (i - 0.5) / steps
      sum = sum + 2 * root ^ (2 * shape - 1) * math.exp(-root * root) * math.sqrt(to) / steps
    end
    return sum
  end
  local whole = integral(60 + 4 * shape)
  return function(value) return value > 0 and integral(value / scale) / whole or 0 end
end

-- A law cut off at both ends.
function statistics.truncated(cumulative, from, to)
  local low, high = cumulative(from), cumulative(to)
  return function(value) return math.max(0, math.min(1, (cumulative(value) - low) / (high - low))) end
end

return statistics
