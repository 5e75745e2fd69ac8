-- IMO MSC.1/Circ.1533, Annex 3: the verification tests of evacuation models of passenger ships.
--
-- Unless said: men of 30 to 50 years, 0.97 to 1.62 m/s, who start at once. `sure` is how sure we are of the criterion:
-- 2, told alike by two independent sources; 1, by one; "m", from memory.
local here = debug.getinfo(1, "S").source:match "@(.*/)" or ""
package.path = here .. "?.lua;" .. package.path
local throng = require "throng"
local suite = require "suite"
local statistics = require "statistics"
local counterflow = require "cases.counterflow"
local people = require "cases.people"
local response = require "cases.response"
local rooms = require "cases.rooms"
local stairs = require "cases.stairs"
local walking = require "cases.walking"

local imo = suite.new("imo", "IMO")

imo:case {
  "1", "Maintaining set walking speed in a corridor",
  says = "One person walks 40 m of a corridor 2 m wide at 1.00 m/s in 40 s.",
  sure = 2,
  quick = true,
  run = walking.corridor { speed = 1, window = { 39.6, 40.4 }, within = 0.01 },
  mutations = {
    ["a speed 10 % lower"] = { speed = suite.times(0.9) },
    ["a speed 10 % higher"] = { speed = suite.times(1.1) },
    ["a start 0.3 m off the middle"] = { start = suite.plus(0.3) },
  },
}

imo:case {
  "2", "Maintaining set walking speed up a staircase",
  says = "One person walks up 10 m of stairs, along the incline, at 1.00 m/s in 10 s.",
  sure = 2,
  quick = true,
  run = stairs.speed { plan = 8, rise = 6, direction = 1, speeds = { 1, 0.5 }, named = 1 },
  mutations = {
    ["stairs a tenth slower"] = { ["speed on the stairs"] = suite.times(0.9) },
    ["stairs a tenth quicker"] = { ["speed on the stairs"] = suite.times(1.1) },
    ["floors a tenth quicker"] = { ["speed on the level"] = suite.times(1.1) },
  },
}

imo:case {
  "3", "Maintaining set walking speed down a staircase",
  says = "One person walks down 10 m of stairs, along the incline, at 1.00 m/s in 10 s.",
  sure = 2,
  quick = true,
  run = stairs.speed { plan = 8, rise = 6, direction = -1, speeds = { 1, 0.75 }, named = 1 },
  mutations = imo.cases["2"].mutations,
}

imo:case {
  "4", "Exit flow rate",
  says = "100 persons leave a room of 8 x 5 m by an exit of 1.0 m: at most 1.33 persons/s over the whole period. (The "
    .. "exit is capped at 1.33 persons/s by metre, as the circular's rules cap it; the flow without is told beside it: "
    .. "more people pass a real door.)",
  sure = 2,
  quick = true,
  run = rooms.exit_flow(),
  mutations = {
    ["no flow cap"] = { ["flow cap"] = suite.always(100) },
    ["a flow cap 10 % lower"] = { ["flow cap"] = suite.times(0.9) },
    ["a time gap of 10 s"] = { gap = suite.always(10) },
    ["contacts are solved once a frame"] = { ["contact iterations"] = suite.always(1) },
  },
}

imo:case {
  "5", "Response duration",
  says = "10 persons in a room of 8 x 5 m respond uniformly between 10 and 100 s: each starts at its own time.",
  sure = 2,
  quick = true,
  run = response.times { laws = { response.laws.uniform, response.laws.day, response.laws.night } },
  mutations = {
    ["pre-movement ignored"] = { ["pre-movement"] = suite.always(0) },
    ["pre-movement 10 % longer"] = { ["pre-movement"] = suite.always(1.1) },
  },
}

imo:case {
  "6", "Rounding corners",
  says = "20 persons round a corner of corridors 2 m wide without touching its walls or passing through them.",
  sure = 2,
  quick = true,
  run = walking.corner { start = 4, speed = throng.uniform(0.97, 1.62) },
  mutations = {
    ["inner walls 0.3 m off"] = { wall = suite.always(0.3) },
    ["one person less"] = { persons = suite.plus(-1) },
  },
}

imo:case {
  "7", "Assignment of population demographics parameters",
  says = "50 men of 30 to 50 years: walking speeds are distributed as in the table, 0.97 to 1.62 m/s.",
  sure = 2,
  quick = true,
  run = people.law {
    count = 50,
    samples = 1000,
    within = 0.02,
    laws = { {
      name = "men of 30 to 50",
      speed = throng.population("imo").of["male 30-50"].speed,
      cumulative = statistics.uniform(0.97, 1.62),
      least = 0.97,
      most = 1.62,
      mean = 1.295,
      deviation = 0.65 / math.sqrt(12),
    } },
  },
  mutations = {
    ["speeds 10 % lower"] = { speed = suite.times(0.9) },
    ["speeds 10 % higher"] = { speed = suite.times(1.1) },
    ["all of one speed"] = { speed = suite.always(1.295) },
    ["everybody walks 5 % slower than it wants"] = { pace = suite.times(0.95) },
  },
}

imo:case {
  "8", "Counterflow, two rooms connected by a corridor",
  says = "100 persons cross a corridor of 10 x 2 m against 0, 10, 50 and 100: the time grows with their number.",
  sure = 2,
  run = counterflow.rooms(),
  mutations = {
    ["nobody comes the other way"] = { opposed = suite.always(0) },
    ["five runs at most"] = { ["most runs"] = suite.always(5) },
    ["a tenth of the people missing"] = { people = suite.times(0.9) },
  },
}

imo:case {
  "9", "Exit flow, crowd dissipation from a large public room",
  says = "1,000 persons leave a room of 30 x 20 m by four doors of 1.0 m, then by two: the time about doubles.",
  sure = 2,
  run = rooms.fewer_exits { least = 1.6, most = 2.4 },
  mutations = {
    ["no door shuts"] = { ["open doors"] = suite.always(4) },
    ["one door shuts"] = { ["open doors"] = suite.always(3) },
    ["a tenth of the people missing"] = { people = suite.times(0.9) },
  },
}

imo:case {
  "10", "Exit route allocation",
  says = "23 persons in 12 cabins, of whom those of cabins 1 to 4 and 7 to 10 (15) are sent to the main exit and the "
    .. "others (8) to the secondary: all use it. (Two a cabin and one in the narrowed third: the split is ours.)",
  sure = 2,
  quick = true,
  run = rooms.allocation(),
  mutations = {
    ["cabin 5 is sent to the main exit"] = { ["exit of cabin 5"] = suite.always "main" },
    ["all are sent to the nearer exit"] = { ["sent to"] = suite.always { "main", "secondary" } },
  },
}

imo:case {
  "11", "Staircase",
  says = "150 persons leave a room by a corridor 2 m wide and 12 m long, at whose end stairs lead up: a jam at the "
    .. "room's exit, steady flow in the corridor, a jam at the foot of the stairs.",
  sure = 2,
  -- men of 30 to 50: 0.63 m/s up, along the incline, of 1.295
  run = stairs.jam { count = 150, foot = 17, head = 20, rise = 1.9, factor = 0.487 * 3 / math.sqrt(3 ^ 2 + 1.9 ^ 2) },
  mutations = {
    ["stairs as quick as the corridor"] = { ["factor on the stairs"] = suite.always(1) },
    ["stairs twice as quick as the corridor"] = { ["factor on the stairs"] = suite.always(2) },
    ["a corridor nearly as wide as the room"] = { corridor = suite.always(7.8) },
    ["ten persons, a corridor nearly as wide as the room"] = {
      corridor = suite.always(7.8),
      people = suite.always(10),
    },
    ["a tenth of the people missing"] = { people = suite.times(0.9) },
    ["five runs at most"] = { ["most runs"] = suite.always(5) },
  },
}

return imo:done(describe, it, function(why) pending(why) end)
