-- Machines that are ready to use: group:run(throng.goals.idle_walker()).

--- class throng.goals as goals
--- Machines that are ready to use.

local throng, host = ...

local goals = {}

--- throng.goals.idle_walker(options)
--- Follows a random path, waits, or wanders around, in random order.
--- @param options? { places?: integer, to?: (throng.place|throng.point)[], radius?: number(m), wander?:
--- throng.number(s) } `places` and `to` of throng.random_path; `radius` to wander within, default 4; how long to
--- `wander`, default 8.
--- @return throng.machine
--- @error both `to` and `places`; an unknown option
--- @example
--- visitors:run(throng.goals.idle_walker { radius = 3 })
-- The agent of "Dynamic object avoidance" (O'Sullivan, 2009, section 4.3.2): it follows a random path, then waits and
-- observes, wanders around, or follows another one. Times and shares are not given there and are ours.
function goals.idle_walker(options)
  options = host.options_of("throng.goals.idle_walker", options, { "places", "radius", "to", "wander" })
  local next_goal = { follow = 2, wait = 1, wander = 1 }
  return throng.fsm {
    start = "follow",
    follow = {
      goal = throng.random_path { places = options.places, to = options.to },
      arrived = next_goal,
      blocked = "wander",
    },
    wait = { goal = throng.wait(2, 8), timeout = next_goal },
    wander = {
      goal = throng.wander { radius = options.radius or 4 },
      after = options.wander or 8,
      timeout = next_goal,
    },
  }
end

return goals
