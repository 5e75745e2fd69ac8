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

describe("a window that gets any keys and clicks", function()
  if not command.has_windows() then
    pending "no SDL2: the windows were not built"
    return
  end

  for _, opened in ipairs { "view room.lua", "edit map.xml" } do
    it("goes on: throng " .. opened, function()
      local folder = io.popen("mktemp -d"):read "l"
      finally(function() os.execute("rm -r " .. folder) end)
      command.write(folder .. "/room.lua", [[
        local throng = require "throng"
        local world = throng.world { map = throng.map { boundary = throng.box(0, 0, 20, 10) } }
        world:spawn({ count = 20, where = throng.box(1, 1, 8, 9) }):go_to { 18, 5 }
        return world]])
      for seed = 1, 4 do
        math.randomseed(seed)
        local code, _, err = command.shell(("cd %s && SDL_VIDEODRIVER=dummy %s %s --do '%s' --screenshot seen.png")
          :format(folder, command.THRONG, opened, actions(150)))
        assert.equal(0, code, ("seed %d: %s"):format(seed, err))
      end
    end)
  end
end)
