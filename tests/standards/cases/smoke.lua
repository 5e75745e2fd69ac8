-- Smoke: speed by extinction, and dose by gases (world:smoke).
local throng = require "throng"

local smoke = {}

-- Laws of the speed: what world:smoke is told, and v(v0, K) by hand, v0 the speed in clear air in m/s, K the extinction
-- coefficient in 1/m.
local function fractional(v0, k) return v0 * math.max(0.24, 1 - 0.5 * k) end

local LAWS = {
  { "fractional loss, least 0.24", { law = fractional }, fractional },
  {
    "Frantzich and Nilsson, by FDS+Evac", { law = "frantzich-nilsson" },
    function(v0, k) return v0 * math.max(0.1, 1 - 0.057 / 0.706 * k) end,
  },
  {
    "Frantzich and Nilsson, the same for all", { law = "frantzich-nilsson", loss = "absolute", least = 0.2 },
    function(v0, k) return math.min(v0, math.max(0.2, 0.706 - 0.057 * k)) end,
  },
  { "Fridolf and others, by visibility", { law = "fridolf" }, function(v0, k) return v0 * 3 / (3 + 2 * k) end },
  {
    "Jin, the same for all", { law = "jin", loss = "absolute" },
    function(v0, k) return math.min(v0, math.max(0.3, math.min(1, 1 - 0.625 * (k - 0.2)))) end,
  },
}

--         measured
--   +----+---- 100 m ----+------+ y = 2
--   | o ->               |      |       o: one person, at (-1, 1), wants to (114, 1); smoke everywhere
--   +----+---------------+------+ y = 0
--  x = -10  0           100    115
--
-- One person walks 100 m; `k` is the extinction: a number, or a function of x.
local function walk(run, v0, law, k)
  local world = run:world { floor = throng.box(-10, 0, 115, 2) }
  local one = run:people(world, { at = { { -1, 1 } }, speed = v0, radius = 0.2, relaxation = 0 })
  one:go_to { 114, 1 }
  local settings = { extinction = k }
  for name, value in pairs(law[2]) do settings[name] = value end
  world:smoke(settings)
  local from, to, x = nil, nil, -1
  while world.time < 4000 and not to do
    world:step()
    local now = one.x[1]
    local function passed(line)
      return x < line and now >= line and world.time - world.dt * (now - line) / (now - x)
    end
    from, to = from or passed(0) or nil, passed(100) or nil
    x = now
  end
  run:close()
  return to and to - from or 0 / 0
end

function smoke.speed(settings)
  return function(run)
    for _, law in ipairs(LAWS) do
      local off = 0
      for _, v0 in ipairs { 0.25, 0.75, 1.25 } do
        for _, k in ipairs(settings.extinctions) do
          local time = walk(run, v0, law, run:given("extinction", k))
          off = math.max(off, math.abs(time * law[3](v0, k) / 100 - 1))
        end
      end
      run:expect("std", law[1] .. ": time over 100 m, off the law", off, { most = 0.005 })
      -- extinction that rises from 0 to 2 along the way, against the integral of dx / v
      local exact = 0
      for i = 1, 10000 do
        exact = exact + 0.01 / law[3](1.25, 2 * (i - 0.5) / 10000)
      end
      local time = walk(run, 1.25, law, function(x) return run:given("extinction", 0.02) * math.max(x, 0) end)
      run:expect("ours", law[1] .. ": the same in smoke that grows denser", math.abs(time / exact - 1),
        { most = 0.005 })
    end
    local time = walk(run, 1.25, LAWS[1], run:given("extinction", 1))
    run:expect("published", "time over 100 m at 1.25 m/s and 1 /m", time, { least = 159.5, most = 160.5, unit = "s" })
  end
end

-- What is breathed, and when the dose is 1, by hand (Purser, as in FDS+Evac): s.
local DOSES = {
  { co = 5000, co2 = 2, o2 = 18, co2_coefficient = 0.193, time = 207.58 },
  { co = 5000, co2 = 2, o2 = 18, time = 208.70 },
  { co = 1000, co2 = 2, o2 = 15, time = 981.63 },
  { co = 0, co2 = 0, o2 = 12, time = 1666.27 },
  { co = 1000, co2 = 0, o2 = 21, time = 1613.64 },
  { co = 1000, co2 = 3.43, o2 = 21, time = 843.13 },
}

-- By the same equations, in air of 20.9 % oxygen: CO that begins after `from` s, and HCN alone. s
local BREATH, AIR = math.exp(2.0004) / 7.1, 1 / (60 * math.exp(8.13))
local function of_step(co, from) return from + (1 - from * AIR) / (2.764e-5 / 60 * co ^ 1.036 * BREATH + AIR) end
local function of_hcn(hcn) return 1 / ((math.exp(hcn / 43) / 220 - 0.0045) / 60 * BREATH + AIR) end

-- A room of 10 x 10 m, one person in its middle, (5, 5).
-- Somebody stands in gases, who wants to walk from when the dose is 1: when it is, and how far they come.
local function incapacitation(run, gas, step)
  local world = run:world { floor = throng.box(0, 0, 10, 10), dt = step }
  local one = run:people(world, { at = { { 5, 5 } }, speed = 1, relaxation = 0 })
  local time
  one:on("incapacitated", function()
    time = world.time
    one:go_to { 9, 9 }
    if not run:given("stays down", true) then one.tolerance, one.pace = 1e6, 1 end
  end)
  local air = { co2 = gas.co2, o2 = gas.o2 and run:given("O2", gas.o2), co2_coefficient = gas.co2_coefficient,
    hcn = gas.hcn and run:given("HCN", gas.hcn) }
  local co, from = run:given("CO", gas.co), gas.from and run:given("CO from", gas.from)
  air.co, air.every = from and function(_, _, t) return t < from and 0 or co end or co, from and step
  world:smoke(air)
  while world.time < 2000 and not time do
    world:step()
  end
  local x, y = one.x[1], one.y[1]
  world:run { seconds = 5 }
  local way = math.sqrt((one.x[1] - x) ^ 2 + (one.y[1] - y) ^ 2)
  run:close()
  return time or 0 / 0, way
end

function smoke.dose()
  return function(run)
    for i, gas in ipairs(DOSES) do
      local step = gas.time < 500 and 0.05 or 0.25
      local time, way = incapacitation(run, gas, step)
      run:expect("std", ("mixture %d: when the dose is 1"):format(i), time,
        { least = gas.time - 1.1 * step, most = gas.time + 1.1 * step, unit = "s" })
      run:expect("std", ("mixture %d: way after that"):format(i), way, { most = 1e-3, unit = "m" })
    end
    local step = 0.05
    for what, gas in pairs {
      ["5,000 ppm of CO from 60 s"] = { co = 5000, from = 60, time = of_step(5000, 60) },
      ["200 ppm of HCN alone"] = { co = 0, hcn = 200, time = of_hcn(200) },
    } do
      run:expect("ours", what .. ": when the dose is 1", (incapacitation(run, gas, step)),
        { least = gas.time - 2.1 * step, most = gas.time + 2.1 * step, unit = "s" })
    end
  end
end

return smoke
