-- What was measured of people, as the cases compare with it.
local data = {}

-- The walking speed at a density, Weidmann (1993): m/s at persons/m^2.
function data.weidmann(density)
  return 1.34 * (1 - math.exp(-1.913 * (1 / density - 1 / 5.4)))
end

-- One way through open corridors of 0.8 to 3 m: persons/m^2, and the 10th and 90th of 100 speeds in m/s. Our statistics
-- of measurements by Zhang, Klingsch, Schadschneider and Seyfried (J. Stat. Mech. P06004, 2011).
data.open_corridors = {
  { 0.375, 1.315, 1.692 },
  { 0.625, 1.308, 1.584 },
  { 0.875, 1.231, 1.556 },
  { 1.125, 1.137, 1.289 },
  { 1.375, 1.088, 1.289 },
  { 1.625, 0.974, 1.259 },
  { 1.875, 0.792, 1.072 },
  { 2.125, 0.515, 0.899 },
  { 2.375, 0.360, 0.569 },
  { 2.625, 0.315, 0.549 },
  { 2.875, 0.217, 0.449 },
  { 3.125, 0.169, 0.342 },
  { 3.375, 0.166, 0.200 },
  { 3.625, 0.143, 0.185 },
}

-- One way in a closed corridor of 1.8 m, a ring: the same of that campaign's series there. Motivation and geometry
-- shift the curve: it lies well below the open corridors'.
data.closed_corridors = {
  { 0.375, 1.011, 1.209 },
  { 0.625, 0.943, 1.052 },
  { 0.875, 0.731, 0.989 },
  { 1.125, 0.721, 0.827 },
  { 1.375, 0.518, 0.821 },
  { 1.625, 0.501, 0.764 },
  { 1.875, 0.480, 0.570 },
  { 2.125, 0.300, 0.552 },
  { 2.375, 0.266, 0.542 },
  { 2.625, 0.298, 0.447 },
  { 2.875, 0.277, 0.345 },
  { 3.125, 0.221, 0.290 },
  { 3.375, 0.165, 0.254 },
  { 3.625, 0.117, 0.235 },
}

-- Single file: persons/m, and the 10th, 50th and 90th of 100 speeds in m/s. From RiMEA e.V.'s Test 16, as shipped in
-- PedestrianDynamics/jupedsim-web-community (MIT License, copyright (c) 2026 Pedestrian Dynamics: LICENCES.md).
data.single_file = {
  { 0.0989, 0.9607, 1.1857, 1.4830 },
  { 0.2989, 0.8395, 1.1595, 1.4725 },
  { 0.4989, 0.7083, 1.0910, 1.3887 },
  { 0.6989, 0.5978, 0.9748, 1.3053 },
  { 0.8989, 0.4475, 0.7472, 1.1008 },
  { 1.0989, 0.3157, 0.5195, 0.8395 },
  { 1.2989, 0.1872, 0.3925, 0.6077 },
  { 1.4989, 0.1120, 0.2733, 0.4850 },
  { 1.6989, 0.0705, 0.1988, 0.3822 },
  { 1.8989, 0.0480, 0.1577, 0.3140 },
  { 2.0989, 0.0347, 0.1313, 0.2702 },
  { 2.2989, 0.0267, 0.1138, 0.2390 },
  { 2.4989, 0.0220, 0.1020, 0.2202 },
  { 2.6989, 0.0190, 0.0935, 0.2078 },
}

-- Time gap in single file, s: headway = 0.36 m + 1.06 s x speed (Seyfried, Steffen, Klingsch and Boltes, J. Stat. Mech.
-- P10002, 2005).
data.file_time_gap = 1.06

-- Walking speeds on stairs along the incline, m/s: Fruin (1971) as RiMEA has them.
data.fruin = { -- below 30 years, 30 to 50, above; impaired (told for no kind of stairs); the three outside buildings
  up = { 0.55, 0.50, 0.42, 0.32, 0.58, 0.58, 0.42 },
  down = { 0.76, 0.65, 0.55, 0.42, 0.81, 0.78, 0.59 },
}

-- Least and greatest horizontal speeds of people on stairs, m/s at 0.6 to 1.5 persons/m^2: a deviation about the quick
-- and the slow of Corbetta and others' measurements.
function data.corbetta(way, density)
  local r, quick, off, slow, other = density
  if way == "up" then
    quick, off = 0.18 * r ^ 2 - 0.55 * r + 1.02, 0.35 - 0.14 * r
    slow, other = 0.01 * r + 0.48, 0.10 - 0.02 * r
  else
    quick, off = 0.33 * r ^ 2 - 1.02 * r + 1.39, 0.29 - 0.11 * r
    slow, other = 0.67 - 0.08 * r, 0.14 - 0.06 * r
  end
  return math.min(quick - off, slow - other), math.max(quick + off, slow + other)
end

-- Column `column` of a table at x, straight between its rows.
function data.at(rows, x, column)
  for i = 1, #rows - 1 do
    local low, high = rows[i], rows[i + 1]
    if x <= high[1] or i == #rows - 1 then
      local share = math.max(0, math.min(1, (x - low[1]) / (high[1] - low[1])))
      return low[column] + share * (high[column] - low[column])
    end
  end
end

return data
