-- The annotations in lua/meta/ name everything there is.
local throng = require "throng"

local function read(path)
  local file = assert(io.open(path))
  local text = file:read "a"
  file:close()
  return text
end

-- The names that an unknown one is answered with.
local function names_in(value)
  local _, message = pcall(function() return value.no_such_name end)
  return message:match "xpected one of: (.*)$"
end

local function each_name(list)
  return list:gmatch "[%w_]+"
end

describe("lua/meta", function()
  it("has the module", function()
    local meta = read "lua/meta/throng.lua"
    for name, value in pairs(throng) do
      local line = type(value) == "function" and "\nfunction throng." .. name .. "(" or "---@field " .. name .. " "
      assert.is_truthy(meta:find(line, 1, true), name)
    end
  end)

  it("has worlds", function()
    local meta = read "lua/meta/world.lua"
    local world = throng.world { threads = 1 }
    for name in each_name(names_in(world)) do
      assert.is_truthy(meta:find("\nfunction world:" .. name .. "(", 1, true)
        or meta:find("---@field " .. name .. " ", 1, true), name)
    end
    for name in pairs(world:stats()) do
      assert.is_truthy(meta:find("---@field " .. name .. "[ ?]"), name)
    end
  end)

  it("has groups and columns", function()
    local meta = read "lua/meta/group.lua"
    local group = throng.world({ threads = 1 }):spawn { at = { { 0, 0 } } }
    for name in each_name(names_in(group)) do
      assert.is_truthy(meta:find("\nfunction group:" .. name .. "(", 1, true)
        or meta:find("---@field " .. name .. " ", 1, true), name)
    end
    for name in each_name(names_in(group.x)) do
      assert.is_truthy(meta:find("\nfunction column:" .. name .. "(", 1, true)
        or meta:find("---@field " .. name .. " ", 1, true), name)
    end
  end)

  it("has the agent of behaviour functions", function()
    local meta = read "lua/meta/throng.lua":match "%-%-%-@class throng.behaviour.agent\n(.-)\n%-%-%-What throng.world"
    local group = throng.world({ threads = 1 }):spawn { at = { { 0, 0 } } }
    local _, message = pcall(function() group.speed = function(_, a) return a.no_such_name end end)
    for name in each_name(message:match "xpected one of: (.*)$") do
      assert.is_truthy(meta:find("\nfunction agent:" .. name .. "(", 1, true)
        or meta:find("---@field " .. name .. " ", 1, true), name)
    end
  end)

  it("has maps", function()
    local meta = read "lua/meta/world.lua"
    for name in each_name(names_in(throng.map { boundary = throng.box(0, 0, 1, 1) })) do
      assert.is_truthy(meta:find("\nfunction map:" .. name .. "(", 1, true)
        or meta:find("---@field " .. name .. " ", 1, true), name)
    end
  end)

  it("has paths", function()
    local meta = read "lua/meta/world.lua"
    local world = throng.world { map = throng.map { boundary = throng.box(0, 0, 1, 1) }, threads = 1 }
    local request = world.paths:request { from = { 0.2, 0.2 }, to = { 0.8, 0.8 } }
    for class, value in pairs { paths = world.paths, request = request } do
      for name in each_name(names_in(value)) do
        assert.is_truthy(meta:find("\nfunction " .. class .. ":" .. name .. "(", 1, true)
          or meta:find("---@field " .. name .. " ", 1, true), name)
      end
    end
  end)

  it("has measures", function()
    local meta = read "lua/meta/world.lua"
    local world = throng.world { threads = 1 }
    local area = throng.box(0, 0, 1, 1)
    for _, kind in ipairs { "flow", "density", "inside", "lanes" } do
      for name in each_name(names_in(world:measure { [kind] = area })) do
        assert.is_truthy(meta:find("---@field " .. name .. " ", 1, true), name)
      end
    end
    local _, message = pcall(world.measure, world, { no_such_name = 1 })
    for name in each_name(message:match "xpected one of: (.*)$") do
      assert.is_truthy(meta:find("---@field " .. name .. "?", 1, true), name)
    end
  end)

  it("has stages", function()
    local meta = read "lua/meta/world.lua"
    for _, stage in ipairs(throng.world({ threads = 1 }).stages) do
      assert.is_truthy(meta:find("---@field " .. stage.name .. " throng.stage", 1, true), stage.name)
      for name in each_name(names_in(stage)) do
        assert.is_truthy(meta:find("\nfunction stage:" .. name .. "(", 1, true)
          or meta:find("---@field " .. name .. "[ ?]"), name)
      end
    end
  end)

  it("has settings", function()
    local meta = read "lua/meta/throng.lua"
    for _, make in ipairs {
      function() throng.world { no_such_name = 1 } end,
      function() throng.world({}):spawn { no_such_name = 1 } end,
      function() throng.orca { no_such_name = 1 } end,
      function() throng.clearpath { no_such_name = 1 } end,
      function() throng.rvo { no_such_name = 1 } end,
      function() throng.map { no_such_name = 1 } end,
      function() throng.load("x.lua", { no_such_name = 1 }) end,
    } do
      local _, message = pcall(make)
      for name in each_name(message:match "xpected one of: (.*)$") do
        assert.is_truthy(meta:find("---@field " .. name .. "?", 1, true), name)
      end
    end
  end)
end)
