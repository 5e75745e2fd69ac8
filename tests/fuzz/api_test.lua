-- Plays stories of calls (api_play.lua) in a spec, whose assertions are called, too: throng test --sandbox.
local play = require "api_play"

it("plays", function()
  for number in play.numbers() do play.story(number, { assert = assert, across = across }) end
  play.report()
  print "E"
end)
