-- Plays stories of calls (api_play.lua) in a scenario's sandbox: each in one step of its world.
local throng = require "throng"
local play = require "api_play"

local numbers = play.numbers()
local world = throng.world { threads = 1, simd = 1, backend = "cpu", seconds = 1e9, until_done = false, dt = 1,
  record = false }
world:spawn { at = { { 0, 0 } } } -- a run of nobody is a failed one
world:on_step(function()
  local number = numbers()
  if number then return play.story(number) end
  play.report()
  print "E"
  world:stop()
end)
return world
