-- Whatever is typed and clicked, the windows stay and draw.
local command = dofile "tests/specs/command.lua"

local KEYS = {
  "Escape", "Return", "Tab", "Up", "Down", "Left", "Right", "PageUp", "PageDown", "Home", "End", "Delete", "Backspace",
  "Space", "F1", "F11", "Ctrl+A", "Ctrl+C", "Ctrl+O", "Ctrl+S", "Ctrl+V", "Ctrl+X", "Ctrl+Y", "Ctrl+Z",
}

local function character()
  local c = string.char(math.random(33, 126))
  return c == "'" and '"' or c
end

local function place()
  local far = { -1, 0, -1e6, 1e6, 2 ^ 31 - 1, -2 ^ 31 }
  return ("%d"):format(math.random(4) == 1 and far[math.random(#far)] or math.random(0, 999))
end

local function any_action()
  local x, y, kind = place(), place(), math.random(10)
  if kind <= 3 then return "key:" .. character() end
  if kind <= 5 then return "key:" .. KEYS[math.random(#KEYS)] end
  if kind == 6 then return ("%s:%s,%s"):format(({ "click", "double", "move" })[math.random(3)], x, y) end
  if kind == 7 then return ("drag:%s,%s,%s,%s"):format(x, y, place(), place()) end
  if kind == 8 then return ("wheel:%s,%s,%d"):format(x, y, ({ -3, 3, 1000, -100000 })[math.random(4)]) end
  if kind == 9 then return "type:" .. character():rep(math.random(40)) end
  return "wait:2"
end

local function actions(count)
  local list = {}
  for i = 1, count do list[i] = any_action() end
  return table.concat(list, " ")
end

-- With how many seeds each is tried.
local SEEDS = tonumber(os.getenv "WINDOW_SEEDS") or 2

local ROOM = [[
local throng = require "throng"
local p = throng.params { speed = { 1.3, 0.1, 3 }, count = { 20, 1, 40 } }
local world = throng.world { map = throng.map { boundary = throng.box(0, 0, 20, 10) } }
local group = world:spawn { count = p.count, where = throng.box(1, 1, 8, 9), speed = p.speed }
group:go_to { 18, 5 }
world:body { box = { 0.5, 0.5 }, at = { 12, 5 }, mass = 10 }
world:every(1, function() group.speed = p.speed end)
return world]]

local STOREYS = [[
local throng = require "throng"
local floor = throng.box(0, 0, 20, 10)
local world = throng.world {
  map = throng.building {
    floors = { ground = { z = 0, boundary = floor }, first = { z = 3, boundary = floor } },
    stairs = { { from = "ground", to = "first", foot = { 10, 2 }, head = { 15, 2 }, width = 1.5 } },
    escalators = { { name = "up", from = "ground", to = "first", foot = { 10, 5 }, head = { 15, 5 } } },
    lifts = { { name = "a", at = { 18, 8 }, back = { 19.8, 8 }, capacity = 4 } },
  },
  seconds = 60, record = { every = 0.1 },
}
world:smoke { extinction = function(x) return 0.02 * x end }
world:spawn({ count = 15, where = throng.box(1, 1, 8, 9) }):go_to { 3, 5, floor = "first" }
world:queue { line = { { 1, 9.5 }, { 4, 9.5 } }, serve = 1, served = function() end }
local player = world:spawn { at = { { 4, 1 } }, colour = "#c33" }
player:control()
return world]]

local HOUSE = "key:f drag:300,200,450,400 drag:550,200,700,400 drag:450,280,550,330 key:d click:500,280 click:500,330 "
  .. "key:s drag:310,220,430,380 key:x drag:620,220,690,380 "

-- By what is opened: the files that are there then, and the commands that make others.
local OPENED = {
  ["view room.lua"] = { ["room.lua"] = ROOM },
  ["view storeys.lua"] = { ["storeys.lua"] = STOREYS },
  ["replay run/trajectory.sqlite"] = { ["storeys.lua"] = STOREYS, "run storeys.lua --seconds 3 --out run" },
  ["edit map.xml"] = {},
  ["edit house.xml"] = { "edit house.xml --do '" .. HOUSE .. "key:Ctrl+S' --screenshot seen.png" },
}

describe("a window that gets any keys and clicks", function()
  if not command.has_windows() then
    pending "no SDL2: the windows were not built"
    return
  end

  for opened, files in pairs(OPENED) do
    it("goes on: throng " .. opened, function()
      local folder = io.popen("mktemp -d"):read "l"
      finally(function() os.execute("rm -r " .. folder) end)
      local function throng(arguments, seed)
        local code, _, err = command.shell(("cd %s && SDL_VIDEODRIVER=dummy timeout -s KILL 300 %s %s")
          :format(folder, command.THRONG, arguments))
        assert.equal(0, code, ("%s %s: %s"):format(seed, arguments, err))
      end
      for name, text in pairs(files) do
        if type(name) == "string" then command.write(folder .. "/" .. name, text) end
      end
      for _, arguments in ipairs(files) do throng(arguments, "before") end
      for seed = 1, SEEDS do
        math.randomseed(seed)
        throng(("%s --do '%s' --screenshot seen.png"):format(opened, actions(150)), "seed " .. seed)
      end
    end)
  end
end)
