-- Tutorial 1 of 11: one agent walks to a point.
--
--   throng run scenarios/tutorial/01_one_agent.lua     what happened, in words and files
--   throng view scenarios/tutorial/01_one_agent.lua    the same, to watch
--
-- Change a number, save, and run it again; a window that is open shows the new one by itself.

-- Everything throng has is in this table. `throng help` explains a name: `throng help spawn`.
local throng = require "throng"

-- A world holds agents and time. Without a map it is an open plane. Lengths are in metres, times in seconds, and y
-- points up, here and everywhere.
local world = throng.world { dt = 0.1 } -- s: it moves on in steps of a tenth of a second

-- Agents are always spawned as a group, even when it is a group of one. `at` gives exact places.
local walker = world:spawn { name = "walker", at = { { 0, 0 } }, speed = 1.3 } -- m/s

-- Where the agent wants to go. How it gets there is throng's business.
walker:go_to { 8, 6 } -- 10 m away: it needs a little less than 8 s, for it has arrived within 0.5 m

-- A scenario ends by handing over its world. The run is done when everybody who was sent somewhere has arrived.
return world
