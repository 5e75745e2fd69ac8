-- Smoke: speed by extinction, and dose by gases. Both are behaviour functions, which the kernels run for each agent.
local throng = require "throng"

local smoke = {}

-- Laws of the speed: v(v0, K), v0 the speed in clear air in m/s, K the extinction coefficient in 1/m.
local LAWS = {
  { "fractional loss, least 0.24", function(v0, k) return v0 * math.max(0.24, 1 - 0.5 * k) end },
  { "Frantzich and Nilsson, by FDS+Evac", function(v0, k) return v0 * math.max(0.1, 1 - 0.057 / 0.706 * k) end },
}

-- One person walks 100 m; `k` is the extinction at x: a number, or a function that both Lua and the kernels compute.
local function walk(run, v0, law, k)
  local world = run:world { floor = throng.box(-10, 0, 115, 2) }
  local one = run:people(world, { at = { { -1, 1 } }, speed = 1, radius = 0.2, relaxation = 0 })
  one:go_to { 114, 1 }
  one.speed = function(_, a) return law(v0, k(a.x)) end
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
          local there = run:given("extinction", k)
          local time = walk(run, v0, law[2], function() return there end)
          off = math.max(off, math.abs(time * law[2](v0, k) / 100 - 1))
        end
      end
      run:expect("std", law[1] .. ": time over 100 m, off the law", off, { most = 0.005 })
      -- extinction that rises from 0 to 2 along the way, against the integral of dx / v
      local exact = 0
      for i = 1, 10000 do
        exact = exact + 0.01 / law[2](1.25, 2 * (i - 0.5) / 10000)
      end
      local time = walk(run, 1.25, law[2], function(x) return 0.02 * x end)
      run:expect("ours", law[1] .. ": the same in smoke that grows denser", math.abs(time / exact - 1),
        { most = 0.005 })
    end
    local time = walk(run, 1.25, LAWS[1][2], function() return run:given("extinction", 1) end)
    run:expect("std", "time over 100 m at 1.25 m/s and 1 /m", time, { least = 159.5, most = 160.5, unit = "s" })
  end
end

-- Purser's fractional effective dose of CO, CO2 and low O2, of a second. CO in ppm, the others in %.
local function rate(gas, hv)
  local co, hyperventilation = 4.607e-7 * gas.co ^ 1.036, math.exp(hv * gas.co2 + 2.0004) / 7.1
  local o2 = 1 / (60 * math.exp(8.13 - 0.54 * (20.9 - gas.o2)))
  return co * hyperventilation + o2
end

-- What is breathed, and when the dose is 1, by hand. s
local DOSES = {
  { co = 5000, co2 = 2, o2 = 18, hv = 0.193, time = 207.58 },
  { co = 5000, co2 = 2, o2 = 18, hv = 0.1903, time = 208.70 },
  { co = 1000, co2 = 2, o2 = 15, hv = 0.1903, time = 981.63 },
  { co = 0, co2 = 0, o2 = 12, hv = 0.1903, time = 1666.27 },
  { co = 1000, co2 = 0, o2 = 21, hv = 0.1903, time = 1613.64 },
  { co = 1000, co2 = 3.43, o2 = 21, hv = 0.1903, time = 843.13 },
}

function smoke.dose()
  return function(run)
    for i, gas in ipairs(DOSES) do
      local step = gas.time < 500 and 0.05 or 0.5 -- columns are single floats, which many small doses would round
      local world = run:world { floor = throng.box(0, 0, 10, 10), dt = step }
      world:column("dose", { default = 0 })
      local one = run:people(world, { at = { { 5, 5 } }, speed = 1, relaxation = 0 })
      local each = rate({ co = run:given("CO", gas.co), co2 = gas.co2, o2 = gas.o2 }, gas.hv) * world.dt
      one.dose = function(_, a) return a.dose + each end
      one.speed = function(_, a) return throng.select(a.dose < 1, 1, 0) end
      local time
      while world.time < 2000 and not time do
        world:step()
        if one.dose[1] >= 1 then time = world.time end
      end
      run:expect("std", ("mixture %d: when the dose is 1"):format(i), time or 0 / 0,
        { least = gas.time - 1.1 * step, most = gas.time + 1.1 * step, unit = "s" })
      if i == 1 then
        one:go_to { 9, 9 }
        local x = one.x[1]
        world:run { seconds = 5 }
        run:expect("std", "way after that", math.abs(one.x[1] - x), { most = 0.15, unit = "m" })
      end
      run:close()
    end
  end
end

return smoke
