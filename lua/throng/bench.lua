-- What `throng bench program` measures: a behaviour function of ten operations, and calling it for each agent; and
-- what `throng bench fsm` does: a machine whose hooks are called for every agent in every step.
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

function bench.machine(throng, settings, count)
  local world = throng.world(settings)
  local side = 2 * math.ceil(math.sqrt(count))
  local walkers = world:spawn { count = count, where = throng.box(0, 0, side, side), max_speed = 1.6 }
  local function enter(group) group.speed = 1.3 end
  local step = world.dt
  walkers:run(throng.fsm {
    start = "wander",
    wander = { goal = throng.wander { radius = 8 }, after = step, timeout = { wait = 1, seek = 1 }, enter = enter },
    wait = { goal = throng.wait(step), timeout = { wander = 1, seek = 1 }, enter = enter },
    seek = { goal = throng.seek { 0, 0 }, after = step, timeout = { wander = 1, wait = 1 }, enter = enter },
  })
  return world
end

return bench
