-- A world is not closed while a call of it is under way, by whatever way the script comes to its turn in that call.
-- Specs have all of Lua's libraries, and Lua's own coroutines.
local throng = require "throng"

-- Collections follow each other at once, from the first on, which would else wait for as much as all files before have
-- left. Returns what ends that.
local function collect_always()
  local pause, multiplier = collectgarbage("setpause", 1), collectgarbage("setstepmul", 1000)
  collectgarbage("incremental", 1, 1000, 1)
  collectgarbage()
  return function() collectgarbage("incremental", pause, multiplier, 13) end
end

local function nested(depth, f)
  if depth == 0 then return f() end
  return coroutine.wrap(function() return nested(depth - 1, f) end)()
end

-- By what calls it: each calls `f`, somehow.
local WAYS = {
  ["a function"] = function(f) f() end,
  ["coroutine.wrap"] = function(f) coroutine.wrap(f)() end,
  ["coroutine.resume"] = function(f) coroutine.resume(coroutine.create(f)) end,
  ["coroutines in coroutines"] = function(f) nested(20, f) end,
  ["coroutines that wait for each other by both functions"] = function(f)
    coroutine.wrap(function() coroutine.resume(coroutine.create(function() nested(2, f) end)) end)()
  end,
  ["a coroutine that knows itself"] = function(f)
    debug.setmetatable(coroutine.running(), { __tostring = function() f() return "" end })
    coroutine.wrap(function() tostring(coroutine.running()) end)()
    debug.setmetatable(coroutine.running(), nil)
  end,
  ["coroutine.close"] = function(f)
    local co = coroutine.create(function()
      local _ <close> = setmetatable({}, { __close = f })
      coroutine.yield()
    end)
    coroutine.resume(co)
    coroutine.close(co)
  end,
  ["coroutine.close in a coroutine"] = function(f)
    local co = coroutine.create(function()
      local _ <close> = setmetatable({}, { __close = f })
      coroutine.yield()
    end)
    coroutine.resume(co)
    coroutine.wrap(coroutine.close)(co)
  end,
  ["a coroutine that an error ends"] = function(f)
    pcall(coroutine.wrap(function()
      local _ <close> = setmetatable({}, { __close = f })
      error "ends"
    end))
  end,
  ["a variable's end"] = function(f) local _ <close> = setmetatable({}, { __close = f }) end,
  ["a variable's end by an error"] = function(f)
    pcall(function()
      local _ <close> = setmetatable({}, { __close = f })
      error(nil)
    end)
  end,
  ["a loop's end"] = function(f)
    for _ in next, {}, nil, setmetatable({}, { __close = f }) do error "there is none" end
  end,
  ["string.gsub"] = function(f) ("x"):gsub(".", function() f() end) end,
  ["table.sort"] = function(f) table.sort({ 2, 1 }, function(a, b) f() return a < b end) end,
  ["table.concat"] = function(f) table.concat(setmetatable({}, { __len = function() f() return 0 end })) end,
  ["load"] = function(f) load(function() f() end) end,
  ["require"] = function(f)
    package.preload.held_spec = f
    require "held_spec"
    package.loaded.held_spec, package.preload.held_spec = nil, nil
  end,
  ["tostring"] = function(f) tostring(setmetatable({}, { __tostring = function() f() return "" end })) end,
  ["a comparison"] = function(f)
    local object = setmetatable({}, { __lt = f, __eq = f })
    return object < object, object == setmetatable({}, getmetatable(object))
  end,
  ["xpcall's handler"] = function(f) xpcall(error, f) end,
  ["a finalizer"] = function(f)
    setmetatable({}, { __gc = f })
    collectgarbage()
  end,
  ["a hook of a call"] = function(f)
    local done
    debug.sethook(function()
      if not done then done = true f() end
    end, "c")
    local _ = math.abs(1)
    debug.sethook()
  end,
  ["a hook of a line"] = function(f)
    debug.sethook(function()
      debug.sethook()
      f()
    end, "l")
    local _ = 1
  end,
}

-- Tables whose fields are asked for, so that `f` has its turn.
local function asks(f, t) return setmetatable(t, { __index = f }) end

-- By what is under way: calls of the world that come to `f`.
local CALLS = {
  ["group:filter"] = function(_, group, f) group:filter(function() f() return true end) end,
  ["world:spawn"] = function(world, _, f) world:spawn(asks(f, { count = 3, where = "here" })) end,
  ["world:bodies"] = function(world, _, f) world:bodies(asks(f, { circle = 0.2, count = 2, where = "here" })) end,
  ["world:measure"] = function(world, _, f) world:measure(asks(f, { density = "here" })) end,
  ["world:run"] = function(world, _, f) world:run(asks(f, { steps = 1 })) end,
  ["group:go_to"] = function(_, group, f) group:go_to("here", asks(f, {})) end,
  ["world:step"] = function(world, group, f)
    group.speed = throng.behaviour(function() f() return 1 end, { slow = true })
    world:step()
  end,
  ["a stage's hook"] = function(world, _, f)
    world.stages.plan:before(f)
    world:step()
  end,
  ["a behaviour function"] = function(_, group, f) group.speed = function() f() return 1 end end,
}

describe("a finalizer", function()
  -- Has what is done in it done at the n-th collection, of which there is one in almost every call.
  local function at_collection(n, f)
    local meta = {}
    function meta.__gc()
      n = n - 1
      if n == 0 then f() else setmetatable({}, meta) end
    end
    setmetatable({}, meta)
  end

  it("changes nothing under a call", function()
    finally(collect_always())
    local at, values = {}, {}
    for i = 1, 60 do at[i], values[i] = { i, 0 }, 1 end
    local refused = 0
    for n = 1, 60 do
      local world <close> = throng.world { threads = 1 }
      local group = world:spawn { name = "group", at = at }
      local others = world:spawn { name = "others", count = 60, where = throng.box(0, 3, 60, 20) }
      at_collection(n, function()
        local ok, message = pcall(function() others:become "group" end)
        assert(not ok and message:find "a finalizer %(__gc%) cannot use worlds and groups")
        refused = refused + 1
      end)
      for _ = 1, 20 do
        group.speed = values
        group.speed = group.max_speed
        group:go_to { 3, 3 }
      end
      assert.equal(60, #group)
    end
    assert.is_true(refused > 10, tostring(refused))
  end)
end)

describe("a text that a metamethod gives", function()
  it("is there as long as it is read", function()
    finally(collect_always())
    -- Every other field has a text of the same length made and lost.
    local function with(name, fields)
      return setmetatable(fields, { __index = function(_, key)
        local text = (key == "name" and name or "x"):rep(key == "name" and 1 or #name)
        if key == "name" then return text .. "." end
        for i = 1, 20 do text = (text .. i):sub(-#name - 1) end
      end })
    end
    for i = 1, 50 do
      local world <close> = throng.world { threads = 1 }
      local name = ("n"):rep(40 + i % 3)
      local map = throng.map(with(name, { boundary = throng.box(0, 0, 9, 9) }))
      assert.equal(name .. ".", map.name)
      world:spawn(with(name, { at = { { 1, 1 } } }))
      assert.is_truthy(world.groups[name .. "."])
      local measure = world:measure(with(name, { density = throng.box(0, 0, 1, 1) }))
      assert.equal(name .. ".", measure.name)
    end
  end)
end)

describe("a world is not closed", function()
  for what, call in pairs(CALLS) do
    for by, way in pairs(WAYS) do
      it("in " .. what .. " by " .. by, function()
        local world = throng.world { regions = { here = throng.box(0, 0, 9, 9) }, threads = 1 }
        local group = world:spawn { count = 5, where = "here" }
        local tried, closed = 0, 0
        local function close()
          local ok, message = pcall(world.close, world)
          tried = tried + 1
          if ok then closed = closed + 1 end
          assert(ok or message:find "world:close cannot be called")
        end
        for depth = 0, 2 do -- coroutines around the call
          local before = tried
          nested(depth, function() pcall(call, world, group, function() way(close) end) end)
          assert.is_true(tried > before)
        end
        assert.equal(0, closed)
        world:close() -- now it can be
        assert.error_matches(function() return #group end, "was closed")
      end)
    end
  end
end)
