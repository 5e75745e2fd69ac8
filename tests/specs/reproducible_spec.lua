-- A scenario is the same in every process: scripts that try to see the clock, addresses, the hash seed of Lua's tables
-- or when memory is collected print the same in each, and end in the same state.
local command = dofile "tests/specs/command.lua"
local throng = command.throng

local PROCESSES = 4

local scratch

before_each(function() scratch = io.popen("mktemp -d"):read "l" end)

after_each(function() os.execute("rm -rf '" .. scratch .. "'") end)

-- The body calls say(...); what it said decides where the agents stand.
local FRAME = [[
local throng = require "throng"
local said = {}
local function say(...)
  local texts = table.pack(...)
  for i = 1, texts.n do said[#said + 1] = tostring(texts[i]) end
end
local world = throng.world { seed = 4, threads = 1, seconds = 1, record = false }
local crowd = world:spawn { name = "crowd", at = { { 0, 0 }, { 3, 0 }, { 6, 0 } } }
crowd:go_to { { 20, 1 }, { 20, 4 }, { 20, 7 } }
%s
local text, sum = table.concat(said, " "):gsub("\n", " "), 0
for i = 1, #text do sum = (31 * sum + text:byte(i)) %% 1000003 end
crowd.speed = 0.5 + sum / 1000003
print(text)
return world
]]

local function run(body)
  local path = command.write(scratch .. "/scenario.lua", (FRAME:format(body)))
  local code, out, err = throng("run --json --out none " .. path)
  assert.equal(0, code, err)
  return out:match '"hash": "(%x+)"', err:match "^[^\n]*"
end

-- Returns what it said.
local function same_everywhere(body)
  local hash, said = run(body)
  assert.is_string(hash)
  for _ = 2, PROCESSES do
    local other, heard = run(body)
    assert.equal(said, heard)
    assert.same_hash(hash, other)
  end
  return said
end

describe("a scenario is the same in every process", function()
  it("that walks tables", function()
    same_everywhere [[
      local t = {}
      for i = 1, 60 do t["key" .. math.random(1000)] = i t[math.random()] = i end
      for key, value in pairs(t) do say(key, value) end
      say(next(t))
      for name in pairs(_G) do say(name) end
      for name in pairs(string) do say(name) end
      for name in pairs(throng) do say(name) end
      for name in pairs(world:stats()) do say(name) end
      for name in pairs(world.groups) do say(name) end
    ]]
  end)

  it("that asks for text of what has none", function()
    local said = same_everywhere [[
      local co = coroutine.create(function() end)
      for _, value in ipairs { {}, print, co, say, world, crowd, crowd.x, throng.orca {}, throng.box(0, 0, 1, 1),
        setmetatable({}, { __name = "mine" }) } do
        say(value, ("%s %-20s"):format(value, value), select(2, pcall(error, value)))
      end
      say(pcall(string.format, "%p", {}), pcall(string.format, "%-5p", print))
      say(select(2, pcall(function() return {} .. "x" end)), select(2, pcall(function() return world.x.y end)))
      say(select(2, pcall(string.rep)), select(2, pcall(table.concat, { {} })))
    ]]
    assert.is_nil(said:find "0x%x%x%x")
  end)

  it("that catches errors of callbacks", function()
    local said = same_everywhere [[
      local first = true
      world:on_step(function() if first then first = false error(setmetatable({}, { __name = "mine" })) end end)
      say(select(2, pcall(function() world:step() end)))
      say(select(2, pcall(function() return world.groups.crwd end)))
      for i = 1, 9 do world:spawn { name = "group " .. i, at = { { i, 20 } } } end
      say(select(2, pcall(function() return world.groups.other end)))
      say(select(2, pcall(function() world:spawn { cuont = 1, wehre = 2, raduis = 3, sped = 4 } end)))
      say(select(2, pcall(throng.fsm, { a = {}, b = {}, c = {}, start = "d" })))
      say(select(2, pcall(throng.wander, { x = 1, y = 2, z = 3 })))
      say(select(2, pcall(throng.params, { a = {}, b = {}, c = {} })))
    ]]
    assert.is_nil(said:find "0x%x%x%x")
    assert.matches("unknown field 'cuont'", said, 1, true)
    assert.matches("expected one of: crowd, group 1, group 2", said, 1, true)
  end)

  it("that looks for a clock", function()
    local said = same_everywhere [[
      say(os, io, debug, collectgarbage, dofile, package)
      say(pcall(math.randomseed))
      say(math.random(), math.random(1 << 40), math.random(0))
      local stats = {}
      world:on_step(function()
        for name, value in pairs(world:stats()) do stats[#stats + 1] = name .. "=" .. tostring(value) end
      end)
      world:run { seconds = 0.5 }
      say(table.concat(stats, " "), world)
    ]]
    assert.is_nil(said:find "ms_per_step")
  end)

  it("that looks for the collector of memory", function()
    local said = same_everywhere [[
      say(pcall(setmetatable, {}, { __gc = function() end }))
      say(pcall(setmetatable, {}, { __mode = "k" }))
      say(pcall(rawset, {}, "__mode", "v"))
      local meta = { __close = function() say "closed" end }
      do local x <close> = setmetatable({}, meta) end
      local co = coroutine.wrap(function() local y <close> = setmetatable({}, meta) coroutine.yield() end)
      co()
      co = nil
      for i = 1, 2e5 do local _ = { i } end
    ]]
    assert.matches("__mode is not available", said, 1, true)
    assert.equal(1, select(2, said:gsub("closed", "")))
  end)

  it("that sorts with an order that is none", function()
    same_everywhere [[
      local list = {}
      for i = 1, 500 do list[i] = math.random(50) end
      say(pcall(table.sort, list, function(a, b) return (a * 7 + b * 3) % 5 < 2 end))
      say(table.concat(list, " "))
      say(pcall(table.sort, list, function() error "no" end))
    ]]
  end)

  -- What it must not do is #t: of a list with holes Lua gives any border, and which depends on the hash seed.
  it("that fills tables, empties them and fills them again", function()
    same_everywhere [[
      local t = {}
      for i = 1, 400 do
        t["name" .. i % 37] = i % 3 > 0 and i or nil
        t[i % 29] = i % 5 > 0 and i or nil
        local count = 0
        for key in pairs(t) do count = count + 1 end
        say(count, next(t))
        for at, value in ipairs(t) do say(at, value) end
      end
    ]]
  end)

  it("that makes machines, behaviours and regions by name", function()
    same_everywhere [[
      local states = { start = "s1" }
      for i = 1, 9 do
        local next = { ["s" .. i % 9 + 1] = 2, ["s" .. (i + 3) % 9 + 1] = 1 }
        states["s" .. i] = { goal = throng.wait(0.1, 0.3), timeout = next }
      end
      crowd:run(throng.fsm(states))
      crowd.speed = function(t, a) return 1 + 0.2 * throng.random() + 0.1 * math.sin(t + a.id) end
      world:measure { flow = { { 1, -9 }, { 1, 9 } } }
    ]]
  end)
end)
