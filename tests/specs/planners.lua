-- The names of all planners (kernels/contract/planners.h), for tests that hold for every one.
local throng = require "throng"
local world <close> = throng.world { threads = 1 }
local names = {}
for name in pairs(world:stats().conflicts_of) do
  names[#names + 1] = name
end
table.sort(names)
return names
