-- What `throng bench program` measures: a behaviour function of ten operations, and calling it for each agent.
local bench = {}

function bench.speed(t, a)
  return 1.2 + 0.3 * math.sin(0.6 * t + a.id) * math.abs(math.cos(a.x)) + math.min(a.y, 0.5)
end

function bench.call(count)
  local speed, results = bench.speed, {}
  local agent = {}
  for i = 1, count do
    agent.id, agent.x, agent.y = i, 0.5 * i, 0.25 * i
    results[i] = speed(3.5, agent)
  end
  return results
end

return bench
