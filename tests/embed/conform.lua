-- The conformance list by the Lua module: lua5.4 conform.lua SCENARIO... prints what conform.c and conform.py print.
local throng = require "throng"
local HALL = "tests/embed/conform_hall.lua"

local function told(call, ...)
  local ok, problem = pcall(call, ...)
  assert(not ok)
  return (tostring(problem):gsub("\n.*", ""):gsub("^[^ ]+:%d+: ", ""))
end

for _, path in ipairs(arg) do
  local world <close> = throng.load(path)
  for _ = 1, 40 do world:step() end
  print("hash", path, world:hash())
end

assert(told(throng.load, "none.lua"):find "there is no file 'none.lua'")
print("error", "none.lua")
print("error", told(throng.load, HALL, { params = { cuont = 3 } }))
print("error", told(throng.load, HALL, { params = { count = "many" } }))

-- 120 steps with what a program does in between; each arrival is a line
local function walk(says)
  local world = throng.load(HALL, { seed = 5, params = { count = 14 } })
  local heard = { "arrived", "entered", "left", arrived = {}, entered = {}, left = {} }
  local function note(event)
    return function(group)
      for _, id in ipairs(group.id:list()) do table.insert(heard[event], id) end
    end
  end
  world:on("arrived", note "arrived"):on("entered", "right", note "entered"):on("left", "left", note "left")
  for step = 1, 120 do
    if step == 10 then world.groups.people:filter(function(a) return a.id < 3 end).speed = 0.5 end
    if step == 20 then world:spawn { name = "late", at = { { 2, 4 } } }:go_to "right" end
    if step == 30 then world.groups.people:filter(function(a) return a.id == 4 end):remove() end
    world:step()
    for _, event in ipairs(heard) do
      table.sort(heard[event])
      for _, id in ipairs(heard[event]) do if says then print("event", step, event, id) end end
      heard[event] = {}
    end
  end
  return world
end

local world = walk(true)
print("text", table.concat({ world.groups.people.name, #world.agents }, " "))
print("living", #world.agents, ("%.14g"):format(world.time))
for _, name in ipairs { "id", "x", "vy", "speed", "patience" } do
  local values = {}
  for i, value in ipairs(world.agents[name]:list()) do values[i] = ("%.9g"):format(value) end
  print("column", name, table.concat(values, " "))
end
print("hash", "hall", world:hash())
print("error", told(function() return world.agents.sped end) ~= "" and "column")
print("error", told(world.spawn, world, { cuont = 1 }))
print("error", told(world.on, world, "entered", "rigth", print))
print("error", told(function() world.agents.speed = -1 end) ~= "" and "value")

-- this module has no snapshots, which make a world again of its scenario and inputs: so does this
local again = walk(false)
for _ = 1, 10 do again:step() end
print("snapshot", again:hash())
