-- What was measured of people, as RESULTS.md sets it beside crowds; see tests/standards/LICENCES.md.
local standards = dofile "tests/standards/data.lua"
local data = {}

data.SHOULDERS = "orca, shoulders" -- bodies that are wider than deep (throng.stadium)

-- All planners but "none", those of the papers first.
data.planners = {
  "orca", "clearpath", "rvo", "forces", "bvp", "collision_free_speed", "anticipation", "social_force",
  "generalized_centrifugal_force", "power_law",
}

-- m/s at persons/m^2: Weidmann (1993), and the 10th to 90th of 100 speeds in open corridors (Zhang and others, 2011).
data.weidmann = standards.weidmann
data.open_corridors = standards.open_corridors

-- At these densities a table shows speeds.
data.shown = { 0.5, 1, 1.5, 2, 3, 4 }

-- m/s: what the people of the band walked who were alone (Zhang and others, 2011).
data.band_speed = { mean = 1.55, deviation = 0.18 }

-- Between the bins of the band, and at its end.
function data.band(density)
  return standards.at(data.open_corridors, density, 2), standards.at(data.open_corridors, density, 3)
end

-- m/s at persons/m^2 in two-way corridors (Zhang and others, 2012).
data.two_way = {
  { density = 1.0, people = 1.19 },
  { density = 1.5, people = 0.88 },
  { density = 2.0, people = 0.67 },
  { density = 3.0, people = 0.42 },
}

-- Persons/s by m, of two experiments. 0.5: Kretz (2006) and Daamen (2010); 0.8 to 1.2: Seyfried (2009) and Kretz; 2.0:
-- soldiers (2006) and Nagai (2006); 2.4: soldiers and a wide exit (Juelich, 2009). `narrow`: no route is wide
-- enough for discs of up to 0.25 m.
data.doors = {
  { width = 0.5, people = 1.05, narrow = true },
  { width = 0.8, people = 1.36 },
  { width = 1.0, people = 1.88 },
  { width = 1.2, people = 2.25 },
  { width = 1.4 },
  { width = 1.6 },
  { width = 1.8 },
  { width = 2.0, people = 3.71 },
  { width = 2.2 },
  { width = 2.4, people = 5.3 },
}

-- Persons/s that come to a right-angled bend 2.4 m wide, and that got through. Of the means of densities and speeds
-- there (Keip and Ries, 2009; Zhang, 2012) the greatest flow is 2.1 persons/m^2 at 0.74 m/s.
data.bends = {
  { inflow = 2.5, people = 2.5 },
  { inflow = 6.0, people = 3.76 },
}

-- Single file, persons/m: the 10th, 50th and 90th of 100 speeds (RiMEA, Test 16).
data.files = {}
for _, density in ipairs { 0.5, 1, 1.5, 1.8 } do
  local row = { density = density }
  for column = 2, 4 do
    row[column - 1] = standards.at(standards.single_file, density, column)
  end
  data.files[#data.files + 1] = row
end

return data
