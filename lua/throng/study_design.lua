-- Which values of the factors go together in a study: its points. Numbers come from a counter, so that a point is the
-- same whoever asks, and when.
local host = ...

local design = {}

-- ---- numbers

local function mix(z) -- splitmix64
  z = (z ~ (z >> 30)) * 0xbf58476d1ce4e5b9
  z = (z ~ (z >> 27)) * 0x94d049bb133111eb
  return z ~ (z >> 31)
end

-- A number in [0, 1) of these.
local function uniform(seed, a, b)
  return (mix(mix(mix(seed + 0x9e3779b97f4a7c15) + a) + b) >> 11) * 0x1p-53
end
design.uniform = uniform

-- The value of a factor at u in [0, 1].
local function value_at(factor, u)
  if factor.law then return host.quantile(factor.law, u) end
  return factor.levels[math.min(#factor.levels, 1 + math.floor(u * #factor.levels))]
end

-- ---- designs that place points in the unit cube

local place = {}

function place.random(study)
  return study.points, function(p, j) return uniform(study.seed, p, j) end
end

-- Each factor has one point in each of as many even parts.
function place.latin(study)
  local n, orders = study.points, {}
  for j = 1, #study.factors do
    local order = {}
    for i = 1, n do order[i] = i end
    for i = n, 2, -1 do
      local other = 1 + math.floor(uniform(study.seed, i, -j) * i)
      order[i], order[other] = order[other], order[i]
    end
    orders[j] = order
  end
  return n, function(p, j) return (orders[j][p] - 1 + uniform(study.seed, p, j)) / n end
end

-- M. D. Morris, "Factorial sampling plans for preliminary computational experiments" (1991): trajectories of k + 1
-- points on four levels, each factor changed once by two of them. The levels are the middles of four even parts.
function place.morris(study)
  local k = #study.factors
  local function trajectory(t)
    local order, at, up = {}, {}, {}
    for j = 1, k do
      order[j] = j
      up[j] = uniform(study.seed, t, j) < 0.5
      at[j] = (uniform(study.seed, t, k + j) < 0.5 and 0 or 1) + (up[j] and 0 or 2)
    end
    for i = k, 2, -1 do
      local other = 1 + math.floor(uniform(study.seed, t, 2 * k + i) * i)
      order[i], order[other] = order[other], order[i]
    end
    local points = { { table.unpack(at) } }
    for step, j in ipairs(order) do
      at[j] = at[j] + (up[j] and 2 or -2)
      points[step + 1] = { table.unpack(at) }
    end
    return points
  end
  local known, points
  return study.points * (k + 1), function(p, j)
    local t = (p - 1) // (k + 1)
    if t ~= known then known, points = t, trajectory(t) end
    return (points[(p - 1) % (k + 1) + 1][j] + 0.5) / 4
  end
end

-- Sobol' sequence: degree, coefficients and first numbers of dimensions 2 to 20 from S. Joe and F. Y. Kuo,
-- "Constructing Sobol sequences with better two-dimensional projections" (2008).
local JOE_KUO = {
  { 1, 0, 1 }, { 2, 1, 1, 3 }, { 3, 1, 1, 3, 1 }, { 3, 2, 1, 1, 1 }, { 4, 1, 1, 1, 3, 3 }, { 4, 4, 1, 3, 5, 13 },
  { 5, 2, 1, 1, 5, 5, 17 }, { 5, 4, 1, 1, 5, 5, 5 }, { 5, 7, 1, 1, 7, 11, 19 }, { 5, 11, 1, 1, 5, 1, 1 },
  { 5, 13, 1, 1, 1, 3, 11 }, { 5, 14, 1, 3, 5, 5, 31 }, { 6, 1, 1, 3, 3, 9, 7, 49 }, { 6, 13, 1, 1, 1, 15, 21, 21 },
  { 6, 16, 1, 3, 1, 13, 27, 49 }, { 6, 19, 1, 1, 1, 15, 7, 5 }, { 6, 22, 1, 3, 1, 15, 13, 25 },
  { 6, 25, 1, 1, 5, 5, 19, 61 }, { 7, 1, 1, 3, 7, 11, 23, 15, 103 },
}

local BITS = 32

-- Direction numbers of a dimension, from 1 on.
local function directions(dimension)
  local v = {}
  local row = JOE_KUO[dimension - 1]
  if not row then
    for i = 1, BITS do v[i] = 1 << (BITS - i) end
    return v
  end
  local degree, coefficients = row[1], row[2]
  for i = 1, BITS do
    if i <= degree then
      v[i] = row[2 + i] << (BITS - i)
    else
      v[i] = v[i - degree] ~ (v[i - degree] >> degree)
      for k = 1, degree - 1 do
        if (coefficients >> (degree - 1 - k)) & 1 == 1 then v[i] = v[i] ~ v[i - k] end
      end
    end
  end
  return v
end

-- A. Saltelli and others, "Variance based sensitivity analysis of model output" (2010): for each base point A, B, and A
-- with each factor from B in turn. The sequence is shifted by the seed.
function place.sobol(study)
  local k, v, shift = #study.factors, {}, {}
  for d = 1, 2 * k do
    v[d] = directions(d)
    shift[d] = math.floor(uniform(study.seed, d, 0) * 0x1p32)
  end
  local function sobol(i, d)
    local x, bit = shift[d], 1
    local gray = i ~ (i >> 1)
    while gray > 0 do
      if gray & 1 == 1 then x = x ~ v[d][bit] end
      gray, bit = gray >> 1, bit + 1
    end
    return (x + 0.5) * 0x1p-32
  end
  return study.points * (k + 2), function(p, j)
    local base, which = (p - 1) // (k + 2), (p - 1) % (k + 2)
    return sobol(base, (which == 1 or which == j + 1) and k + j or j)
  end
end

-- ---- points

local function grid_size(factors)
  local count = 1
  for _, factor in ipairs(factors) do
    if factor.levels then count = count * #factor.levels end
  end
  return count
end

-- Every level with every other, the last factor's first; a law's number is each replicate's own, the same at all
-- points.
local function grid(study)
  return grid_size(study.factors), function(p, j, replicate)
    local factor = study.factors[j]
    if factor.law then return host.quantile(factor.law, uniform(study.seed, replicate, j)) end
    local rest = p - 1
    for later = #study.factors, j + 1, -1 do
      local levels = study.factors[later].levels
      if levels then rest = rest // #levels end
    end
    return factor.levels[1 + rest % #factor.levels]
  end
end

-- How many points there are, and value(point, factor's number, replicate).
function design.of(study)
  if study.design == "grid" then return grid(study) end
  local count, u = place[study.design](study)
  return count, function(p, j) return value_at(study.factors[j], u(p, j)) end
end

return design
