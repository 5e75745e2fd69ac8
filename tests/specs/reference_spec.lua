-- Every function of lua/reference.md has an example, and every example runs.
local throng = require "throng"

local read = dofile("tests/specs/command.lua").read

-- What examples speak of: two halls with a door between, several groups, things, and what was asked for.
local function stage()
  local world = throng.world {
    map = throng.map {
      boundary = throng.box(0, 0, 40, 20),
      walls = { throng.box(20, 0, 20.2, 8), throng.box(20, 12, 20.2, 20) },
      doors = { north = { { 20.1, 8 }, { 20.1, 12 } } },
      regions = {
        left = throng.box(1, 1, 18, 19), right = throng.box(22, 1, 39, 19), hall = throng.box(1, 1, 18, 19),
        lobby = throng.box(1, 8, 8, 14), entrance = throng.box(1, 15, 3, 18), exit = throng.box(36, 8, 39, 12),
        platform = throng.box(30, 1, 36, 5), gate = throng.box(22, 8, 24, 12),
      },
    },
    threads = 1, seconds = 20,
  }
  local env = { throng = throng, world = world, print = function() end }
  for i, name in ipairs { "guests", "visitors", "civilians", "zombies", "staff", "guard", "dancers", "bitten" } do
    env[name] = world:spawn { name = name, count = name == "guard" and 1 or 4, where = "left" }
    env[name]:go_to { 24 + i, 16 }
  end
  env.group, env.guests.planner = env.guests, "orca"
  env.hunt = throng.fsm { start = "hunt", hunt = { goal = throng.pursue "civilians" } }
  env.visitors:run(throng.fsm { start = "stroll", stroll = { goal = throng.wander() } })
  local function send(agent) agent:go_to "exit" end
  env.counter = world:queue { line = { { 12, 5 }, { 6, 5 } }, serve = 1, served = send }
  env.crate = world:body { box = { 1, 0.5 }, at = { 30, 14 }, mass = 30 }
  env.fire = world:hazard { at = { 34, 16 }, reach = 3 }
  env.door = world.map:door "north"
  env.mall = throng.world {
    map = throng.building {
      floors = { ground = { z = 0, boundary = throng.box(0, 0, 20, 10) },
        first = { z = 3.5, boundary = throng.box(0, 0, 20, 10) } },
      escalators = { { name = "up", from = "ground", to = "first", foot = { 8, 8 }, head = { 14, 8 } } },
      lifts = { { name = "a", at = { 16, 3 }, back = { 18, 3 } } },
    },
    threads = 1,
  }
  env.request = world.paths:request { from = { 2, 3 }, to = { 9, 4 } }
  env.across, env.assert = function() end, assert -- across runs whole scenarios: specs of its own do
  world:step()
  return setmetatable(env, { __index = _G })
end

-- Files that examples name and that are not there.
local OTHERS = { ["throng.load"] = "scenarios/door.lua" }

local heading, code
local anchors, times, links = {}, {}, {}
local examples, lacking = {}, {}
for line in read("lua/reference.md"):gmatch "([^\n]*)\n" do
  if line:find "^##" then
    if heading and not examples[heading] then lacking[#lacking + 1] = heading end
    heading = line:match "^### (.*)$"
    -- as Markdown pages name the places of headings
    local anchor = line:match("^##+ (.*)$"):lower():gsub("[^%w_%- ]", ""):gsub(" ", "-")
    anchors[times[anchor] and anchor .. "-" .. times[anchor] or anchor] = true
    times[anchor] = (times[anchor] or 0) + 1
  end
  for anchor in line:gmatch "%]%(#(.-)%)" do links[anchor] = true end
  if line == "```lua" then
    code = {}
  elseif line == "```" then
    if heading then examples[heading] = table.concat(code, "\n") end
    code = nil
  elseif code then
    code[#code + 1] = line
  end
end

describe("the reference", function()
  it("has an example of every function", function() assert.same({}, lacking) end)

  it("has no link that leads nowhere, and one to every section", function()
    for anchor in pairs(links) do assert.is_true(anchors[anchor], anchor) end
    for anchor in pairs(anchors) do assert.is_true(links[anchor], anchor) end
  end)

  for name, text in pairs(examples) do
    if not OTHERS[name:match "^[%w_%.:]+"] then
      it("has an example that runs: " .. name, function()
        local env <const> = stage()
        local run = assert(load(text, "=example", "t", env))
        run()
        if text:find "world" == nil or not text:find ":close%(%)\n?$" then env.world:run { seconds = 1 } end
      end)
    end
  end
end)
