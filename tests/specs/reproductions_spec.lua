-- What broke throng once, or hung it, or gave away what it should not, and the test that holds it now: by files below
-- tests/ and words of their names, which must be there, so that the list stays true. What no other file holds is tested
-- below it.
local throng = require "throng"
local command = dofile "tests/specs/command.lua"

local HELD = {
  ["specs/source_spec.lua"] = {
    { "a source, then groups whose agents leave: a count beyond an array", "counts its own, whatever was spawned" },
  },
  ["specs/stale_spec.lua"] = {
    { "probing after many agents came: pointers of the last frame", "many agents come" },
    { "probing after a planner of another size", "a planner of another size" },
    { "probing after a planner with other columns", "a planner that is computed" },
    { "probing after hazards that made their table move", "many hazards" },
    { "probing after a step that a hook ended, with other goals", "is answered after a step that a hook ended" },
    { "a machine that fails after its tables grew: freed memory", "leaves those that run as they are" },
  },
  ["unit/test_live.c"] = {
    { "a reload of a file that did not change: other bits where people press", "test_pressed" },
    { "the same where they walk by paths of their own, or by neighbours", "test_scenarios" },
    { "a reload while paths by lifts are searched for: the map of before", "test_searches_by_lifts" },
    { "a reload that moves a machine to another mesh: a face beyond its routes", "test_machines_on_other_meshes" },
  },
  ["specs/behaviour_spec.lua"] = {
    { "a function for routing or door_policy: an index that scripts steer", "takes no behaviour function: " },
  },
  ["specs/stages_spec.lua"] = {
    { "a function for a column that only hooks write: a null pointer", "write numbers where they may, and no func" },
  },
  ["specs/errors_spec.lua"] = {
    { "dt = 1e-300, 5e-324: a division by zero, an overflow", "throng.world { dt = 5e-324 }" },
    { "every(1e-30): no end of calls", "world:every(1e-9, print)" },
  },
  ["specs/doors_spec.lua"] = {
    { "going to what a door runs through, by the mesh: no end", "is reached from both sides by the " },
    { "the same as a machine's goal", "is a machine's, too" },
  },
  ["specs/limits_spec.lua"] = {
    { "worlds that a callback makes: no limit counts them", "that makes worlds" },
    { "finding a long pattern", "in find with a long pattern" },
    { "string.packsize of a long format", "in string.packsize" },
    { "adding to a string of hundreds of MB", "in arithmetic on a string" },
    { "comparing such strings", "in comparing strings\"]" },
    { "comparing them where they are the same", "in comparing strings that are the same" },
    { "many values of a function", "in handing on many values" },
    { "utf8.codes", "in utf8.codes" },
    { "utf8.offset", "in utf8.offset" },
    { "tonumber, with a base and without", "in tonumber" },
    { "unpacking what is not there", "in unpack" },
    { "a world that a callback runs", "in the frames that it runs" },
    { "what a story closes after its end", "that is a story, and what it closes after that" },
    { "a scenario that loads itself: budgets of their own", "is for a scenario and those that it loads" },
    { "inner worlds with callbacks: likewise", "is for a callback and the worlds that it runs" },
    { "200 million agents", "is for agents" },
    { "the same: loading met its deadline first where others had the processor", "in which others have the processor" },
    { "10 million bodies", "is for bodies" },
    { "hundreds of worlds", "is for worlds" },
    { "a world that is run for ever: one SIGTERM not heeded", "a world that is run" },
  },
  ["specs/files_spec.lua"] = {
    { "/dev/zero as a map, and in one: all memory", "is refused by every command, at once" },
    { "two runs in one folder: files of the other", "belongs to one run at a time, with " },
    { "films named -x.mp4 and pipe:1, to ffmpeg more than names", "of a film is no option and no protocol" },
    { "escapes in the names of files, told to terminals", "of a scenario's file steers no terminal" },
    { "control characters in names that scripts give", "that a script gives holds no control characters" },
  },
  ["unit/test_script_failures.c"] = {
    { "no memory for the last of what a call does: measures, bodies, caps, smoke half there", "IN_ROOMS" },
    { "no memory for a mesh: one of another clearance", "world.paths:request" },
  },
  ["specs/names_spec.lua"] = {
    { "names cut at a zero byte: another region, column, field than was named", "is refused by " },
  },
  ["specs/sandbox_spec.lua"] = {
    { "%p after a zero byte, and tables as names of fields: addresses", "has no addresses in it" },
    { "a chunk that is named as a file: words of it, and endless waiting", "holds no words and names of other files" },
    { "a print of 400 MB in each callback", "in one print is as short as in many" },
    { "prints without end, one a callback", "in all callbacks of a run has an end, too" },
    { "an error of many megabytes", "in an error is as short as somebody reads" },
    { "escapes in an error", "steers no terminal" },
  },
  ["unit/test_record.c"] = {
    { "a recording with a view that never ends", "sqlite_files_are_not_believed" },
    { "a link where a run keeps its .part file, and to what", "links_that_lie_in_wait_are_not_followed" },
    { "a disk that fills before the first commit", "a_disk_that_is_full_at_once_leaves_nothing" },
  },
  ["unit/test_threads.c"] = {
    { "no thread is left to watch with, or to record", "so_does_the_watchdog" },
  },
  ["specs/processes_spec.lua"] = {
    { "no process is left for tests side by side: throng's own line and a traceback", "is told, or does not matter" },
  },
  ["specs/windows_spec.lua"] = {
    { "keys and clicks at random in the viewer, the map maker and a replay", "goes on: throng " },
  },
  ["specs/locale_spec.lua"] = {
    { "a locale of decimal commas", "changes no number that is read or written" },
  },
  ["layers.lua"] = {
    { "clocks that are set back, while something waits by them", "asks the clock of the day" },
  },
  ["specs/timers_spec.lua"] = {
    { "thousands of timers: all of them in each step", "cost no more each when there are very many" },
  },
  ["specs/extremes_spec.lua"] = {
    { "500 agents in one place: each looked at all", "is counted: of a heap about all but 512" },
    { "one of 100 m among 20,000: all looked at all", "is nobody beside few giants" },
  },
  ["unit/test_clearpath.c"] = {
    { "a velocity 1.8 m/s off where its mirror image got 0.98", "nothing_of_the_definition_is_better" },
  },
  ["specs/standing_spec.lua"] = {
    { "a crate in a doorway, which stopped the crowd", "sends the crowd to the other one: " },
  },
  ["specs/same_bits_spec.lua"] = {
    { "BVP beside a hazard: headings read as they are turned", "come beside those who want nothing, and make way" },
  },
  ["specs/crowds_spec.lua"] = {
    { "RiMEA 9 under rvo with two doors: 906 of 1,000 never out", "are not locked by those who all avoid each other" },
  },
  ["specs/people_spec.lua"] = {
    { "speeds that did not fall with density", "is as measured at %g persons/m^2, by %s" },
  },
}

describe("what broke it once", function()
  for file, rows in pairs(HELD) do
    it("is held by tests/" .. file, function()
      local text = command.read("tests/" .. file)
      for _, row in ipairs(rows) do assert.is_truthy(text:find(row[2], 1, true), row[1] .. ": " .. row[2]) end
    end)
  end
end)

describe("the least time step", function()
  it("is walked in by the frustrated, who have numbers, with timers as short as they may be", function()
    local floor = throng.map { boundary = throng.box(0, 0, 3, 3) }
    local world <close> = throng.world { backend = "cpu", threads = 1, dt = 1e-4, map = floor }
    local group, calls = world:spawn { count = 12 }, 0
    group:go_to { 2, 2 }
    world:every(0.001, function() calls = calls + 1 end)
    world.stages.desire:after(function(agents) agents.frustration = 1 end)
    for _ = 1, 50 do world:step() end
    assert.equal(4, calls)
    for _, name in ipairs { "x", "y", "vx", "vy" } do
      for _, value in ipairs(group[name]:list()) do assert.is_true(value == value and value > -9 and value < 9) end
    end
  end)
end)

describe("going to what a door runs through", function()
  -- Shapes that cover a doorway, and end within the wall beside it.
  for name, goal in pairs {
    ["a box across both rooms"] = throng.box(1.10556940557, 1.29053149746, 13.3710820087, 9.13310606359),
    ["a box that ends in the wall"] = throng.box(9, 4, 10.1, 6),
    ["a box as wide as the door"] = throng.box(9, 4.4, 11, 5.6),
  } do
    it("comes back, and they arrive: " .. name, function()
      local map = throng.map {
        boundary = throng.box(0, 0, 20, 10),
        walls = { throng.box(10, 0, 10.2, 4.4), throng.box(10, 5.6, 10.2, 10) },
        doors = { north = { { 10.1, 4.4 }, { 10.1, 5.6 } } },
      }
      for _, routing in ipairs { "navmesh", "field", "roadmap" } do
        local world <close> = throng.world { map = map, backend = "cpu", threads = 1 }
        local group = world:spawn { at = { { 1, 1 }, { 19, 9 } }, routing = routing }
        group:go_to(goal)
        world:run { seconds = 40 }
        assert.arrives(group)
      end
    end)
  end
end)
