-- NIST Technical Note 1822 (Ronchi, Kuligowski, Reneke, Peacock and Nilsson, 2013): verification of building fire
-- evacuation models.
--
-- `sure` is how sure we are of the criterion: 2, told alike by two independent sources; 1, by one; "m", from memory.
local here = debug.getinfo(1, "S").source:match "@(.*/)" or ""
package.path = here .. "?.lua;" .. package.path
local throng = require "throng"
local suite = require "suite"
local statistics = require "statistics"
local groups = require "cases.groups"
local lifts = require "cases.lifts"
local people = require "cases.people"
local response = require "cases.response"
local rooms = require "cases.rooms"
local smoke = require "cases.smoke"
local stairs = require "cases.stairs"
local imo = suite.of(here, "imo")

local nist = suite.new("nist", "NIST")

nist:case {
  "1.1", "Pre-evacuation time distributions",
  says = "10 persons in a room of 8 x 5 m start at the times assigned; laws: uniform, gamma, log-normal, Weibull.",
  sure = 2,
  quick = true,
  run = response.times {
    laws = { response.laws.uniform, response.laws.gamma, response.laws.log_normal, response.laws.weibull },
  },
  mutations = imo["5"].mutations,
}

nist:case {
  "2.1", "Speed in a corridor",
  says = "One person walks 40 m of a corridor 2 m wide at 1.0 m/s in 40 s.",
  sure = 2,
  same = imo["1"],
}

for i, way in ipairs { "up", "down" } do
  nist:case {
    "2.2 " .. way, ("Speed %s stairs"):format(way),
    says = ("One person walks %s 100 m of stairs, along the incline, at 1.0 m/s in 100 s."):format(way),
    sure = 2,
    quick = true,
    run = stairs.speed { plan = 86.6, rise = 50, direction = 3 - 2 * i, speeds = { 1 } },
    mutations = imo["2"].mutations,
  }
end

nist:case { "2.3", "Movement around a corner", sure = 2, same = imo["6"] }

nist:case {
  "2.4", "Assigned occupant demographics",
  says = "100 persons with speeds normal(1.2, 0.2) m/s: assigned speeds are represented. (throng.normal is cut off at "
    .. "three deviations: 0.6 and 1.8 m/s. Beside it, ours: a truncated and a uniform law.)",
  sure = 1,
  quick = true,
  run = people.law {
    count = 100,
    samples = 5000, -- by 2,000, as the text has it, 0.01 m/s is twice the deviation of a mean
    within = 0.01,
    laws = {
      {
        name = "normal(1.2, 0.2)",
        speed = throng.normal(1.2, 0.2),
        cumulative = statistics.normal(1.2, 0.2),
        least = 0.6,
        most = 1.8,
        mean = 1.2,
        deviation = 0.2,
      },
      {
        name = "the same from 0.9 to 1.5",
        speed = throng.truncated(throng.normal(1.2, 0.2), 0.9, 1.5),
        cumulative = statistics.truncated(statistics.normal(1.2, 0.2), 0.9, 1.5),
        least = 0.9,
        most = 1.5,
        mean = 1.2,
        deviation = 0.1485,
      },
      {
        name = "uniform(0.8, 1.6)",
        speed = throng.uniform(0.8, 1.6),
        cumulative = statistics.uniform(0.8, 1.6),
        least = 0.8,
        most = 1.6,
        mean = 1.2,
        deviation = 0.8 / math.sqrt(12),
      },
    },
  },
  mutations = {
    ["speeds 10 % lower"] = { speed = suite.times(0.9) },
    ["speeds a fifth lower"] = { speed = suite.times(0.8) },
    ["speeds 10 % higher"] = { speed = suite.times(1.1) },
    ["all of one speed"] = { speed = suite.always(1.2) },
    ["everybody walks 5 % slower than it wants"] = { pace = suite.times(0.95) },
  },
}

nist:case {
  "2.5", "Reduced visibility and walking speed",
  says = "One person walks 100 m at 1.25 m/s in smoke: the time is that of the model's stated correlation.",
  sure = 2,
  quick = true,
  run = smoke.speed { extinctions = { 0.5, 1, 3, 7.5, 10 } },
  mutations = { ["smoke twice as thick"] = { extinction = suite.times(2) } },
}

nist:case {
  "2.6", "Occupant incapacitation",
  says = "The time at which the fractional effective dose is 1 equals a calculation by hand; then the person stays.",
  sure = 2,
  quick = true,
  run = smoke.dose(),
  mutations = {
    ["10 % less CO"] = { CO = suite.times(0.9) },
    ["CO that comes at once"] = { ["CO from"] = suite.always(0) },
    ["10 % less HCN"] = { HCN = suite.times(0.9) },
    ["1 % more oxygen"] = { O2 = suite.plus(1) },
    ["who falls gets up again"] = { ["stays down"] = suite.always(false) },
  },
}

nist:case {
  "2.7", "Elevator usage",
  says = "Somebody calls a lift, rides and leaves by the exit below, in the time it takes by hand; of 20 at most 8 "
    .. "go at once, in three trips; out of service, everybody takes the stairs.",
  sure = "m",
  quick = true,
  run = lifts.usage(),
  mutations = {
    ["a lift half as fast"] = { ["lift speed"] = suite.times(0.5) },
    ["a capacity of 9"] = { capacity = suite.always(9) },
    ["a capacity of 5"] = { capacity = suite.always(5) },
    ["no lift in service"] = { ["in service"] = suite.always(false) },
    ["it serves where it is out of service"] = { ["out of service"] = suite.always(false) },
  },
}

nist:case { "2.8", "Horizontal counterflow", sure = 2, same = imo["8"] }

nist:case {
  "2.9", "Group behaviours",
  says = "Five persons, four at 1.25 m/s and one at 0.5, leave past ten slow ones within 10 s of each other. (Of "
    .. "repeated runs the text names no statistic: the median; ours, closer: the 80th percentile.)",
  sure = 1,
  run = groups.leave_together { fast = 1.25, slow = 0.5, others = 0.2 },
  mutations = {
    ["no groups"] = { groups = suite.always(false) },
    ["nobody is slow"] = { speed = suite.always(1.25) },
  },
}

nist:case {
  "2.10", "People with movement disabilities",
  says = "24 persons with somebody slow (0.8 m/s) and wide before them go down a ramp, and leave later than with "
    .. "nobody such. (The ramp falls by 1 m on 12 m, and slows nobody.)",
  sure = 1,
  run = people.disabled { factor = 1 },
  mutations = {
    ["the slow one is as quick and as slim as the others"] = {
      ["slow speed"] = suite.always(1.25),
      ["slow radius"] = suite.always(0.2),
    },
    ["five runs at most"] = { ["most runs"] = suite.always(5) },
  },
}

nist:case { "3.1", "Exit route allocation", sure = 2, same = imo["10"] }

nist:case {
  "3.2", "Social influence",
  says = "Of two equal exits, more choose exit 2 where somebody else is bound for it.",
  sure = 1,
  quick = true,
  run = rooms.influence(),
  mutations = {
    ["nobody is influenced"] = { influence = suite.always(0) },
    ["exit 2 is familiar"] = { ["familiar share"] = suite.always(0.7) },
  },
}

nist:case {
  "3.3", "Affiliation",
  says = "Of two equal exits, more choose exit 2 where it is familiar to them.",
  sure = 1,
  quick = true,
  run = rooms.affiliation(),
  mutations = {
    ["neither exit is familiar"] = { ["familiar share"] = suite.always(0.5) },
    ["exit 2 is always familiar"] = { ["even share"] = suite.always(0.7) },
  },
}

nist:case {
  "4.1", "Dynamic availability of exits",
  says = "Exit 1 shuts at 1 s: it is not used after that.",
  sure = 1,
  quick = true,
  run = rooms.closing_exit(),
  mutations = {
    ["it shuts at 60 s"] = { ["shuts at"] = suite.always(60) },
    ["exit 2 is the nearer one"] = { start = suite.always(5.5) },
    ["exit 1 stays shut"] = { ["opens again at"] = suite.always(1000) },
    ["both shut for 10 s"] = { ["opens again at"] = suite.always(11) },
  },
}

nist:case {
  "5.1", "Congestion",
  says = "100 persons leave a room of 8 x 5 m by a corridor 2 m wide and 15 m long, at whose end stairs lead up: a jam "
    .. "at the room's exit, steady flow in the corridor, a jam at the foot of the stairs. (The text leaves open who "
    .. "the people are and what the stairs are: men of 30 to 50; 6 m on the plan and 3.6 m high, at half speed.)",
  sure = 2,
  quick = true,
  run = stairs.jam { count = 100, foot = 20, head = 26, rise = 3.6, factor = 0.5 },
  mutations = imo["11"].mutations,
}

nist:case { "5.2", "Maximum flow rates", sure = 2, same = imo["4"] }

return nist:done(describe, it, function(why) pending(why) end)
