-- throng in a plain lua5.4: runs the named scenario, prints its hash, then does what other programs do.
local throng = require "throng"

local world = throng.load(arg[1])
world:run()
print(world:hash())

-- a world of the program's own, in a coroutine, with a behaviour function and a callback
local arrived = 0
local walk = coroutine.wrap(function()
  local own <close> = throng.world { seed = 7 }
  local people = own:spawn { count = 20, where = throng.box(0, 0, 6, 6), name = "people" }
  people.speed = function(t, a) return 1.2 + 0.1 * math.sin(t + a.id) end
  people:go_to(throng.box(14, 0, 20, 6))
  people:on("arrived", function(group) arrived = arrived + #group end)
  while own.time < 30 do
    own:step()
    if own.steps % 50 == 0 then coroutine.yield() end
  end
  return true
end)
repeat until walk()
assert(arrived == 20, arrived)

local ok, problem = pcall(throng.world, { dtt = 1 })
assert(not ok and problem:find "unknown field 'dtt', did you mean 'dt'", problem)
assert(os.time and io.open and not _G.across) -- the program keeps what it has
