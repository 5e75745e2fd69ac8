-- What broke throng once, hung it, took all memory or told what it should not: the scripts that did so, by the names
-- that they were reported by, and how each ends now.
local throng = require "throng"
local command = dofile "tests/specs/command.lua"

local HEAD = 'local throng = require "throng"\n'

-- Two rooms of 10 m by 10 m with a named door between them, from y = 4.4 to 5.6 m, and a goal: the case.
local function through_door(goal)
  return {
    HEAD .. [[
local world
for _, routing in ipairs { "roadmap", "field", "navmesh" } do
  world = throng.world { map = throng.map {
    boundary = throng.box(0, 0, 20, 10),
    walls = { throng.box(10, 0, 10.2, 4.4), throng.box(10, 5.6, 10.2, 10) },
    doors = { north = { { 10.1, 4.4 }, { 10.1, 5.6 } } },
  } }
  local group = world:spawn { at = { { 1, 1 }, { 19, 9 } }, routing = routing }
  group:go_to(]] .. goal .. [[)
  world:run { seconds = 40 }
  assert(group:stats().arrived == 2, routing)
end
return world]],
    says = { "arrived      2 of 2 agents" },
  }
end

-- The code in a callback, from line 4 on, which does not come back: the case.
local ENDLESS = "--seconds 1 --deadline 0.3 --instructions 1000000000000"
local function attack(code)
  return {
    HEAD .. "local world = throng.world {}\nworld:every(0.1, function()\n" .. code .. "\nend)\nreturn world\n",
    options = ENDLESS, code = "[12]",
    says = { ".lua:4: stopped after 0.3 s without coming back: an endless loop? (limit: --deadline S)" },
  }
end

-- A change after a step, before somebody is asked on line 6 what it saw in that: the case.
local function stale(change, planner, is_refused)
  return {
    HEAD .. "local world = throng.world { threads = 1, map = throng.map { boundary = throng.box(0, 0, 40, 40) } }\n"
      .. ("local group = world:spawn { count = 3, planner = %q }\n"):format(planner)
      .. "world:step()\n" .. change .. "\nworld:probe(group[1])\nreturn world",
    code = is_refused and 2,
    says = { is_refused and ".lua:6: world:probe: agents, walls, doors or bodies have changed since the last step: "
      .. "probe before the change, or after the next step" },
  }
end

local TINY = "field 'dt' must be a number >= 0.0001 and <= 1 s, got "
local PLAIN = "throng.world { threads = 1, regions = { all = throng.box(-5000, -5000, 5000, 5000) } }\n"

-- The script, and how `throng run --seconds 1` with these options ends: its exit code (0), what it says and what it
-- never says, and the seconds of processor that it may take (60). Who ends with 0 has the same hash by one lane and one
-- thread as by many, unless it is run once.
local CASES = {
  crash_min = { -- a source, then groups that leave: written beyond an array
    HEAD .. [[
local world = throng.world { regions = { here = throng.box(0, 0, 5, 5) }, seconds = 60, until_done = false }
world:source { name = "shoppers", rate = 0.2, where = "here" }
for i = 1, 40 do
  local group = world:spawn { name = "group " .. i, at = { { i * 2, 8 } } }
  group:go_to { i * 2, 10 }
  group:on("arrived", function(who) who:remove() end)
end
world:at(50, function()
  for i = 1, 40 do
    local stats = world.groups["group " .. i]:stats()
    assert(stats.arrived == 1 and stats.spawned == 1)
  end
end)
return world]],
    options = "--seconds 60", says = { "arrived      40 of 52 agents" },
  },

  -- Addresses that went stale when a table moved.
  uaf_probe_hazard = { HEAD .. [[
local world = throng.world { threads = 1 }
local group = world:spawn { at = { { 1, 1 } }, planner = "bvp" }
world:hazard { at = { 2, 2 } }
world:step()
for _ = 1, 200 do world:hazard { at = { 2, 2 } } end
assert(world:probe(group[1]).map.width > 0)
return world]] },
  uaf_probe_goals = {
    HEAD .. [[
local regions = { a = throng.box(10, 0, 12, 2), b = throng.box(20, 0, 22, 2) }
local world = throng.world { threads = 1, regions = regions }
local group = world:spawn { at = { { 1, 1 } }, planner = "bvp" }
group:go_to "a"
world:step()
group:go_to "b"
local bad = true
world.stages.routing:before(function() if bad then error "no" end end)
print(pcall(world.step, world))
bad = false
assert(world:probe(group[1]).map.width > 0)
return world]],
    says = { "false\tuaf_probe_goals.lua:9: no\n  in a hook before the stage routing, step 1 (0.1 s)" },
  },
  uaf_fsm_failed_run = { -- without a map, random_path fails when the tables have grown
    HEAD .. [[
local world = throng.world { threads = 1 }
local group = world:spawn { at = { { 1, 1 }, { 3, 1 } } }
group:run(throng.fsm {
  start = "a", a = { goal = throng.wander(), after = 0.1, timeout = "b" }, b = { after = 0.1, timeout = "a" },
})
world:step()
local states, before = { start = "s1" }, world:hash()
for i = 1, 200 do
  states["s" .. i] = { goal = throng.random_path(), after = 1, timeout = "s" .. (i % 200 + 1) }
end
print(pcall(group.run, group, throng.fsm(states)))
assert(world:hash() == before)
for _ = 1, 10 do world:step() end
assert(group:in_state("a").count + group:in_state("b").count == 2)
return world]],
    says = { "false\tuaf_fsm_failed_run.lua:12: group 'agents':run: a random path without places" },
  },

  probe_stale_agents = stale("world:spawn { count = 3000, radius = 0.05 }", "bvp", true),
  probe_stale_size = stale("group.planner = throng.bvp { size = 32 }", "bvp", true),
  probe_stale_planner = stale("group.planner = throng.bvp {}", "orca"),
  probe_stale_program = stale("group.planner = throng.bvp { epsilon = function() return 0.1 end }", "bvp"),

  -- Values that steer an index, or are none.
  oob_read_ways_behaviour = {
    HEAD .. [[
local world = throng.world {}
local group = world:spawn { at = { { 1, 1 } } }
print(pcall(function() group.door_policy = function() return 7 * 2.0 ^ -149 end end))
group.routing = function() return 7 * 2.0 ^ -149 end -- the number of these bits]],
    code = 2, says = {
      "false\toob_read_ways_behaviour.lua:4: group.door_policy takes no behaviour function: it is chosen by name",
      'oob_read_ways_behaviour.lua:5: group.routing takes no behaviour function: it is chosen by name, like "field"',
    },
  },
  null_behaviour_in_hook = {
    HEAD .. [[
local world = throng.world {}
world:spawn { at = { { 1, 1 } } }
world.stages.desire:after(function(agents) agents.x = function() return 1 end end)
world:step()]],
    code = 2, says = {
      "null_behaviour_in_hook.lua:4: group.x takes no behaviour function: only hooks of stages write it\n"
        .. "  in a hook after the stage desire, step 0 (0 s)",
    },
  },
  fpe_tiny_dt = { HEAD .. "throng.world { dt = 1e-300 }", code = 2, says = { "tiny_dt.lua:2: ", TINY .. "1e-300" } },
  fpe_least_dt = { -- walked in by the frustrated, with timers as short as they may be
    HEAD .. [[
local world = throng.world { dt = 1e-4, map = throng.map { boundary = throng.box(0, 0, 3, 3) } }
local group, calls = world:spawn { count = 12 }, 0
group:go_to { 2, 2 }
world:every(0.001, function() calls = calls + 1 end)
world.stages.desire:after(function(agents) agents.frustration = 1 end)
for _ = 1, 50 do world:step() end
assert(calls == 4)
for _, name in ipairs { "x", "y", "vx", "vy" } do
  for _, value in ipairs(group[name]:list()) do assert(value > -9 and value < 9) end
end
return world]],
    options = "--steps 60",
  },
  ub_headway_dt = { HEAD .. "throng.world { dt = 5e-324 }", code = 2, says = { "ub_headway_dt.lua:2: ", TINY } },
  hang_every_tiny_dt = {
    HEAD .. "print(pcall(throng.world, { dt = 1e-30 }))\n"
      .. "throng.world({ dt = 1e-4 }):every(1e-30, print)",
    code = 2, says = { TINY .. "1e-30", "hang_every_tiny_dt.lua:3: world:every: " },
  },

  -- Going to what a door runs through.
  hang_go_to = through_door "throng.box(1.10556940557, 1.29053149746, 13.371082008732, 9.13310606359)",
  hang_go_to_door = through_door "throng.box(9, 4.4, 11, 5.6)",
  hang_min = through_door "throng.box(9, 4, 10.1, 6)", -- ends in the wall

  -- What no limit saw, in C and in worlds within worlds.
  runaway_findlongpat = attack 'local s = ("x"):rep(1e8) while true do string.find("", s) end',
  runaway_packsize = attack 'local s = (" "):rep(1e8) while true do string.packsize(s) end',
  runaway_strarith = attack 'local s = (" "):rep(1e8) .. "1" while true do local _ = s + 0 end',
  runaway_strcmp = attack 'local s, t = ("x"):rep(1e8), ("x"):rep(1e8) while true do local _ = s == t end',
  runaway_strlt = attack 'local s = ("x"):rep(1e8) local t = s .. "y" while true do local _ = s < t end',
  runaway_tonumber = attack 'local s = (" "):rep(1e8) while true do tonumber(s) end',
  runaway_tonumberbase = attack 'local s = (" "):rep(1e8) while true do tonumber(s, 36) end',
  runaway_unpackhole = attack 'local t = {} while true do select("#", table.unpack(t, 1, 900000)) end',
  runaway_utf8codes = attack
    'local s = ("\\x80"):rep(1e8) while true do for _ in utf8.codes(s, true) do break end end',
  runaway_utf8offset = attack 'local s = ("x"):rep(1e8) while true do utf8.offset(s, 1e8) end',
  runaway_vararg = attack("local function nothing(...) end local function again(...) while true do nothing(...) "
    .. "end end again(table.unpack({}, 1, 240000))"),
  runaway_newworlds = attack "while true do throng.world { threads = 1 } end",
  runaway_inner_world = {
    HEAD .. [[
local world = throng.world {}
world:every(0.1, function()
  local inner = throng.world { threads = 1 }
  inner:every(0.1, function() for _ = 1, 1e5 do end end)
  inner:run { steps = 4294967295, until_done = false }
end)
return world]],
    options = "--steps 9 --instructions 3000000 --deadline 0", code = 1,
    says = { "stopped after 3000000 instructions" },
  },
  runaway_story_close_keepgoing = {
    HEAD .. [[
local world, thread = throng.world {}
world:story(function()
  thread = coroutine.running()
  local _ <close> = setmetatable({}, { __close = function() while true do end end })
  while true do end
end)
world:every(0.2, function() if thread then print(pcall(coroutine.close, thread)) end end)
return world]],
    options = "--keep-going " .. ENDLESS, code = 1,
    says = { "error: runaway_story_close_keepgoing.lua:6: stopped after 0.3 s", "the time was up after 1.0 s" },
  },
  loadself2 = {
    HEAD .. 'pcall(throng.load, "loadself2.lua")\nfor _ = 1, 1e5 do end\npcall(throng.load, "loadself2.lua")\n',
    options = "--steps 9 --instructions 3000000 --deadline 0", code = 2,
    says = { "stopped after 3000000 instructions" },
  },

  -- What took all memory, or would be read for ever.
  memory_spawn = {
    HEAD .. "local world = " .. PLAIN .. 'for _ = 1, 200 do world:spawn { count = 1000000, where = "all" } end',
    options = "--memory 100", code = 2, says = {
      "memory_spawn.lua:3: world:spawn: field 'count': 1000000 agents take more than what is left of the 100 MiB of "
        .. "memory (limit: --memory MIB)",
    },
  },
  memory_bodies = {
    HEAD .. "local world = " .. PLAIN .. 'world:bodies { count = 10000000, box = { 0.1, 0.1 }, where = "all" }',
    options = "--memory 100", code = 2, says = {
      "memory_bodies.lua:3: world:bodies: 10000000 bodies take more memory than is left; make fewer, or allow more "
        .. "(--memory MIB)",
    },
  },
  memory_worlds = {
    HEAD .. "local kept = {}\nfor i = 1, 100000 do\nkept[i] = " .. PLAIN
      .. 'kept[i]:spawn { count = 5000, where = "all", planner = "none" }\nend',
    options = "--memory 100", code = 2, says = { "memory_worlds.lua:", "memory", "--memory MIB)" },
  },
  memory_map_dev_zero = {
    HEAD .. 'throng.map { file = "/dev/zero" }',
    code = 2, says = { "zero.lua:2: throng.map: '/dev/zero' is outside of the folders that this scenario sees" },
  },

  -- What a script was told of the process and of files that are none of its own.
  leak_address = {
    HEAD .. [[
print(pcall(string.format, "\0%p", "a string"))
local world = throng.world {}
print(pcall(world.queue, world, { [{}] = 1 }))
print(pcall(world.sink, world, { [print] = 1 }))
print(pcall(function() return throng[{}] end))
return world]],
    code = 1, says = {
      "false\tleak_address.lua:2: string.format: %p is not available: addresses differ from run to run",
      "unknown field 'table'", "unknown field 'function'",
    },
  },
  leak_file = {
    HEAD .. [[
for i = 1, 40 do print(pcall(load(("\n"):rep(i - 1) .. "return #nil", "@/etc/passwd"))) end
print(pcall(throng.load, "/etc/passwd"))
print(pcall(throng.map, "/etc/passwdd"))
return throng.world {}]],
    code = 1, never = { "root", "mean '", "unexpected symbol" }, says = {
      "false\tleak_file.lua:3: throng.load: '/etc/passwd' is outside of the folders that this scenario sees",
      "false\tleak_file.lua:4: throng.map: '/etc/passwdd' is outside of the folders that this scenario sees",
    },
  },
  print_flood = { -- 400 MB in each callback
    HEAD .. 'local world = throng.world {}\nworld:every(0.1, function() print(("x"):rep(4e8)) end)\nreturn world',
    options = "--steps 2", code = 1, longest = 300000,
    says = { "print: more than 256 KiB in one callback; the rest of it is left out" },
  },

  -- What took a minute a step, or a second.
  slow_timers = {
    HEAD .. "local world, calls = throng.world { until_done = false }, 0\n"
      .. "for _ = 1, 10000 do world:every(0.1, function() calls = calls + 1 end) end\n"
      .. 'world:at(0.9, function() print(calls .. " calls") end)\nreturn world',
    code = 1, processor = 3, says = { "90000 calls" },
  },
  slow_same_point = {
    HEAD .. "local at = {}\nfor i = 1, 500 do at[i] = { 5, 5 } end\n"
      .. "local world = throng.world { map = throng.map { boundary = throng.box(0, 0, 20, 20) } }\n"
      .. "world:spawn { at = at }\nreturn world",
    processor = 3, says = { "499 of 500 agents begin inside of another, the first is agent 1; `at` takes places as" },
  },
  slow_one_large_agent = {
    HEAD .. "local world = throng.world {}\nworld:spawn { at = { { 0, 0 } }, radius = 100 }\n"
      .. "world:spawn { count = 20000, where = throng.box(150, -100, 350, 100), radius = 0.1 }\n"
      .. "world.agents:go_to { 0, 0 }\nreturn world",
    options = "--steps 4", processor = 8, says = { "agent 0 has a radius of 100 m, and people have one of 0.2 to 0.3" },
  },

  -- What walked wrongly.
  clearpath_mirror = { -- 1.78 m/s off the preferred velocity, where the mirror image was .98
    HEAD .. [[
local function chosen(sign)
  local world <close> = throng.world { dt = 0.1, latency = 1, people = false, threads = 1 }
  local group = world:spawn {
    at = { { 0, 0 }, { -0.98486, sign * 0.253246 } },
    radius = 0.1, speed = 2, max_speed = 2, planner = throng.clearpath { sight = 20 },
  }
  group.radius = { 0.248276, 0.237669 }
  group.vx, group.vy = { 0.670126, 1.198787 }, { sign * -1.248631, sign * -0.103046 }
  group.desired = { { -1.957141, 1 }, { sign * -0.411823, 0 } }
  world:step()
  local x, y = group.planned_vx[1], sign * group.planned_vy[1]
  return ("%.2f m/s off"):format(math.sqrt((x + 1.957141) ^ 2 + (y + 0.411823) ^ 2))
end
print(chosen(1), chosen(-1))
return throng.world {}]],
    code = 1, says = { "0.98 m/s off\t0.98 m/s off" },
  },
  crate = { -- a body in a doorway, which the crowd pushed against for ever
    HEAD .. [[
for _, planner in ipairs { "forces", "orca", "clearpath", "rvo" } do
  for _, congestion in ipairs { false, true } do
    local walls = { throng.box(12, 0, 12.3, 2), throng.box(12, 3.5, 12.3, 11), throng.box(12, 12.5, 12.3, 16) }
    local world <close> = throng.world {
      map = throng.map { boundary = throng.box(0, 0, 24, 16), walls = walls }, seconds = 180,
    }
    local group = world:spawn { count = 30, where = throng.box(1, 1, 8, 6), planner = planner, congestion = congestion }
    world:body { box = { 1.2, 1.4 }, at = { 12.15, 2.75 }, static = true }
    group:go_to(throng.box(21, 1, 23, 5))
    local other = world:measure { flow = { { 12.15, 11 }, { 12.15, 12.5 } } }
    assert(world:run {} == "arrived" and world:stats().arrived == 30 and other.count == 30)
  end
end
print "all went by the other door"
return throng.world {}]],
    code = 1, says = { "all went by the other door" },
  },
}


-- A folder for what a test writes, which goes with it.
local function folder()
  local path = os.tmpname()
  os.remove(path)
  os.execute("mkdir " .. path)
  finally(function() os.execute("rm -rf " .. path) end)
  return path
end

describe("what broke it once", function()
  local function check(name, case)
    local dir = folder()
    command.write(("%s/%s.lua"):format(dir, name), case[1])
    local function ran(options)
      local code, out, err = command.shell(
        ("cd %s; ulimit -t %d; timeout -s KILL 120 %s run %s.lua --out none %s %s"):format(dir,
          case.processor or 60, command.THRONG, name, case.options or "--seconds 1", options))
      local text = out .. err
      assert.matches("^" .. (case.code or 0) .. "$", tostring(code), nil, nil, text:sub(1, 5000))
      command.has(text, table.unpack(case.says or {}))
      for _, word in ipairs(case.never or {}) do assert.is_nil(text:find(word, 1, true), text) end
      assert.is_nil(text:find "0x%x%x%x%x", text:sub(1, 5000))
      assert.is_true(#text < (case.longest or 20000), #text .. " bytes")
      return out:match "hash (%x+)"
    end
    local hash = ran "--threads 2"
    if (case.code or 0) == 0 then assert.equal(hash, ran "--threads 1 --simd 1") end
  end

  local names = {}
  for name in pairs(CASES) do names[#names + 1] = name end
  table.sort(names)
  for _, name in ipairs(names) do
    it("ends as it should: " .. name, function() check(name, CASES[name]) end)
  end

  -- Here, where frames count for no deadline: a machine with other work takes minutes.
  it("comes out: locked_crowd_rimea09", function() -- 906 of 1,000 never did
    local walls = { throng.box(0, -0.2, 4.5, 0), throng.box(5.5, -0.2, 24.5, 0), throng.box(25.5, -0.2, 30, 0) }
    local world = throng.world { map = throng.map { boundary = throng.box(0, -3, 30, 20.2), walls = walls } }
    local group = world:spawn {
      count = 1000, where = throng.box(0.3, 0.3, 29.7, 19.7), speed = throng.normal(1.34, 0.2), planner = "rvo",
    }
    group:go_to(throng.box(0, -3, 30, -1.2))
    group:on("arrived", function(who) who:remove() end)
    assert.equal("arrived", world:run { seconds = 400, until_done = true })
    assert.equal(1000, world:stats().arrived)
  end)

  it("waits for no input: hang_chunkname_stdin", function()
    local dir = folder()
    command.write(dir .. "/a.lua", HEAD .. 'print(pcall(load("return #nil", "@/dev/stdin")))\nreturn throng.world {}')
    local code, out, err = command.shell(("cd %s; mkfifo input; timeout 20 %s run a.lua --out none --steps 1 <>input")
      :format(dir, command.THRONG))
    assert.equal(1, code, err)
    command.has(out .. err, "false\t/dev/stdin:1: attempt to get length of a nil value")
  end)

  it("is refused: memory_map_dev_zero.yaml and endless_view.sqlite", function()
    local dir = folder()
    command.write(dir .. "/zero.yaml", "image: /dev/zero\nresolution: 0.05\norigin: [0, 0, 0]\n")
    local code, _, err = command.throng("map " .. dir .. "/zero.yaml")
    assert.same({ 2, "throng map: " .. dir .. "/zero.yaml: the image that it names: /dev/zero: cannot be read: it is a "
      .. "device; give a regular file\n" }, { code, err })
    local view = "tests/fuzz/sqlite/endless_view.sqlite"
    code, _, err = command.throng(("convert %s %s/out.throng"):format(view, dir))
    assert.equal(2, code)
    command.has(err, ("'%s' is not a JuPedSim trajectory that can be read: it has no plain table"):format(view))
  end)

  it("hears one signal: signal_longrun", function()
    local path = command.write(folder() .. "/signal_longrun.lua", HEAD .. [[
local world = throng.world {}
world:spawn { at = { { 1, 1 } } }
world:run { steps = 4294967295, until_done = false }]])
    local code, _, err = command.shell(("timeout -k 30 -s TERM 1 %s run %s --out none"):format(command.THRONG, path))
    assert.equal(124, code, err) -- by its end, not by being killed 30 s later
    command.has(err, "signal_longrun.lua:4: interrupted")
  end)

  for format, ending in pairs { sqlite = "sqlite", compact = "throng" } do
    it("keeps two runs apart: two_runs_one_out, " .. format, function()
      local dir = folder()
      command.write(dir .. "/two.lua", HEAD .. ([[
local world = throng.world { record = { every = 0.1, format = %q }, seconds = 1e6, until_done = false }
world:spawn { count = 300, where = throng.box(0, 0, 40, 40) }:go_to { 20, 20 }
return world]]):format(format))
      local code, _, err = command.shell(([[
        cd DIR; env --default-signal=INT THRONG run two.lua --out both >log 2>&1 & first=$!
        for _ in $(seq 400); do test -s both/trajectory.*.part && break; sleep 0.05; done
        THRONG run two.lua --out both --steps 9; code=$?
        kill -INT $first; wait $first; echo $? >code; exit $code]]):gsub("DIR", dir):gsub("THRONG", command.THRONG))
      assert.equal(2, code, err)
      command.has(err, "throng run: cannot write 'both/summary.json': another run is writing it; wait for its end or "
        .. "name another folder")
      assert.equal("130\n", command.read(dir .. "/code"))
      command.has(command.read(dir .. "/both/summary.json"), '"interrupted"')
      assert.equal(1, (command.shell(("ls %s/both | grep part"):format(dir))))
      command.done(("%s convert %s/both/trajectory.%s %s/again.throng"):format(command.THRONG, dir, ending, dir))
    end)
  end

  -- Fundamental diagram: a corridor of 20 m by 5 m that goes on round a torus (RiMEA 4).
  for _, planner in ipairs { "orca", "clearpath", "rvo", "forces", "bvp" } do
    it("slows down with density: speed_density, " .. planner, function()
      local before = 1.34 / 0.8
      for _, density in ipairs { 1, 2, 3 } do
        local at, apart = {}, 1 / math.sqrt(density)
        for x = 0.3, 19.7, apart do
          for y = 0.3, 4.7, apart do at[#at + 1] = { x, y } end
        end
        local world <close> = throng.world {
          map = throng.map { boundary = throng.box(0, 0, 20, 5) }, wrap = { 20, 20 }, threads = 2,
        }
        local group = world:spawn {
          at = at, radius = 0.25, planner = planner, routing = planner == "bvp" and "field" or "navmesh",
        }
        group.desired = function(_, a) return a.speed, 0 end
        world:run { seconds = 10, until_done = false }
        local speed = group.vx:mean()
        assert.is_true(speed > 0.1 and speed < 0.85 * before, ("%.2f m/s at %g/m^2"):format(speed, density))
        before = speed
      end
    end)
  end
end)
