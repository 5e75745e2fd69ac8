-- Laws of smoke: how fast people walk in it, and what it does to them. Rates of doses are by the minute; gases are in
-- ppm, but CO2 and O2 in %; extinction is in 1/m, temperatures in degrees Celsius. The functions work on numbers and
-- on the values that behaviour functions are recorded with alike.
local host = ...

local laws = { speed = {}, dose = {} }

-- ---- walking speed: what is kept of the own speed, or the speed itself in m/s, at extinction `k`; `c` is what
-- visibility times extinction is (3 to reflecting signs, 8 to lit ones)

local FRANTZICH = 0.057 / 0.706

-- Straight lines between the ends of Jin's measurements, as Ronchi and others (2013) tell them, from 1 m/s down.
local function jin(from, slope)
  local function speed(k) return math.min(1, math.max(0.3, 1 - slope * (k - from))) end
  return { factor = speed, speed = speed }
end

laws.speed["jin"] = jin(0.2, 0.625)
laws.speed["jin irritant"] = jin(0.1, 1.75)

-- Frantzich and Nilsson (2003), measured at 2 to 8 /m; the factor as FDS+Evac has it (Korhonen, 2021).
laws.speed["frantzich-nilsson"] = {
  factor = function(k) return math.max(0.1, 1 - FRANTZICH * k) end,
  speed = function(k) return math.max(0.0706, 0.706 - 0.057 * k) end,
}

-- Fridolf and others (2019), by the visibility.
laws.speed["fridolf"] = {
  factor = function(k, c) return c / (c + 2 * k) end,
  speed = function(k, c, own) return math.max(0.2, own - 0.34 * math.max(0, 3 - c / math.max(k, 1e-3))) end,
}

-- ---- doses

-- x ^ exponent of numbers from 0 on; the logarithm of 0 has none.
local function power(x, exponent) return math.exp(exponent * math.log(math.max(x, 1e-9))) end

-- `yes` where a < b, else `no`.
local function less(a, b, yes, no)
  if type(a) == "number" and type(b) == "number" then return a < b and yes or no end
  return host.recorder.select(a < b, yes, no)
end

local function sum_over(air, list)
  local sum = 0
  for name, concentration in host.pairs(list) do sum = sum + air[name] / concentration end
  return sum
end

local function names_of(...)
  local names = {}
  for _, list in ipairs { ... } do
    for name in host.pairs(list) do names[name] = true end
  end
  return names
end

-- ppm min, and ppm: Purser (SFPE Handbook) as in FDS+Evac.
local PURSER_DOSE = {
  hcl = 114000, hbr = 114000, hf = 87000, so2 = 12000, no2 = 1900, acrolein = 4500, formaldehyde = 22500,
}
local PURSER_NOW = { hcl = 900, hbr = 900, hf = 900, so2 = 120, no2 = 350, acrolein = 20, formaldehyde = 30 }

laws.dose["purser"] = {
  toxic = names_of({ co = 1, co2 = 1, o2 = 1, hcn = 1, no = 1 }, PURSER_DOSE),
  irritant = names_of(PURSER_NOW),
  -- FED a minute
  fed = function(air, options)
    local co = 60 * 4.607e-7 * power(air.co, 1.036)
    local cn = math.exp(math.max(0, air.hcn - air.no2) / 43) / 220 - 1 / 220
    local breathing = math.exp(options.co2_coefficient * air.co2 + 2.0004) / 7.1
    local low = 1 / math.exp(8.13 - 0.54 * (20.9 - air.o2))
    if options.oxygen_limit then low = less(air.o2, options.oxygen_limit, low, 0) end
    return (co + cn + (air.no + air.no2) / 1500 + sum_over(air, PURSER_DOSE)) * breathing + low
  end,
  fec = function(air) return sum_over(air, PURSER_NOW) end,
}

local ISO_NOW = { hcl = 1000, hbr = 1000, hf = 500, so2 = 150, no2 = 250, acrolein = 30, formaldehyde = 250 }

-- ISO 13571:2012
laws.dose["iso 13571"] = {
  toxic = names_of { co = 1, co2 = 1, hcn = 1 },
  irritant = names_of(ISO_NOW),
  fed = function(air)
    local sum = air.co / 35000 + power(air.hcn, 2.36) / 1.2e6
    return sum * less(2, air.co2, math.exp(air.co2 / 5), 1)
  end,
  fec = function(air) return sum_over(air, ISO_NOW) end,
}

-- ISO 13571: convected heat, of people in ordinary clothes or without, a minute.
function laws.heat(temperature, clothed)
  local t = math.max(temperature, 1)
  if clothed then return power(t, 3.61) / 4.1e8 end
  return power(t, 3.4) / 5e7
end

return laws
