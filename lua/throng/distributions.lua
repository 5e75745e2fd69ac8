-- How far two samples are apart, and whether that is more than chance.
local distributions = {}

-- Kolmogorov's and Smirnov's distance of two sorted lists: the greatest between their distribution functions.
-- And the area between these, in the values' unit (Wasserstein's distance).
function distributions.distance(a, b)
  local i, j, most, area, last = 0, 0, 0, 0, nil
  while i < #a or j < #b do
    local value = math.min(a[i + 1] or math.huge, b[j + 1] or math.huge)
    local apart = math.abs(i / #a - j / #b)
    if last then area = area + apart * (value - last) end
    while a[i + 1] == value do i = i + 1 end
    while b[j + 1] == value do j = j + 1 end
    most, last = math.max(most, math.abs(i / #a - j / #b)), value
  end
  return most, area
end

-- The share of pairs of samples of one law, of n and m independent values, that are at least so far apart (Stephens,
-- 1970).
function distributions.chance(distance, n, m)
  local root = (n * m / (n + m)) ^ 0.5
  local lambda = (root + 0.12 + 0.11 / root) * distance
  if lambda < 0.2 then return 1 end
  local sum = 0
  for k = 1, 100 do sum = sum + 2 * (-1) ^ (k - 1) * math.exp(-2 * k * k * lambda * lambda) end
  return math.max(0, math.min(1, sum))
end

local MOST = 4000 -- values whose correlations are looked at: their time goes by the square

-- How many independent values a list in the order of time is worth: its number by 1 + 2 (the sum of its correlations
-- with itself so far as they are above 0). Of a long list every second, third ... counts, which is worth no more.
function distributions.independent(all)
  local values, every = {}, math.ceil(#all / MOST)
  for i = 1, #all, math.max(every, 1) do values[#values + 1] = all[i] end
  local n, mean, variance = #values, 0, 0
  for i = 1, n do mean = mean + values[i] / n end
  for i = 1, n do variance = variance + (values[i] - mean) ^ 2 end
  if variance == 0 then return n end
  local sum = 0
  for lag = 1, n // 2 do
    local product = 0
    for i = 1, n - lag do product = product + (values[i] - mean) * (values[i + lag] - mean) end
    if product <= 0 then break end
    sum = sum + product / variance
  end
  return math.max(1, n / (1 + 2 * sum))
end

return distributions
