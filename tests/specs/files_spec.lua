-- What commands do with files that somebody else made, and with places where files cannot be made.
local command = dofile "tests/specs/command.lua"
local shell, THRONG = command.shell, command.THRONG

-- `throng arguments`, which must end by itself: code, stdout, stderr.
local function throng(arguments) return shell(("timeout -s KILL 60 %s %s"):format(THRONG, arguments)) end

local function folder()
  local _, path = shell "mktemp -d"
  path = path:gsub("%s", "")
  finally(function() shell("chmod -R u+rwx '" .. path .. "'; rm -rf '" .. path .. "'") end)
  return path
end

describe("a file that is none", function()
  it("is refused by every command, at once", function()
    local dir = folder()
    shell(("mkfifo '%s/pipe'"):format(dir))
    local scene = command.write(dir .. "/scene.lua", 'require("throng").map { file = "/dev/zero" }')
    local image = command.write(dir .. "/map.yaml", "image: /dev/zero\nresolution: 0.05\norigin: [0, 0, 0]\n")
    for _, case in ipairs {
      { "map /dev/zero", "/dev/zero: cannot be read: it is a device; give a regular file" },
      { "map " .. image, "/dev/zero: cannot be read: it is a device; give a regular file" },
      { "map " .. dir .. "/pipe", "/pipe: cannot be read: it is a pipe; give a regular file" },
      { "map " .. dir, ": cannot be read: it is a folder; give a regular file" },
      { "convert /dev/zero out.throng", "/dev/zero: cannot be read: it is a device; give a regular file" },
      { "paths maps/museum.xml /dev/zero", "/dev/zero: cannot be read: it is a device; give a regular file" },
      { "run --out none " .. scene, "scene.lua:1: /dev/zero: cannot be read: it is a device; give a regular file" },
      { "run --out none " .. dir .. "/pipe", "it is not a file" },
    } do
      local code, _, err = throng(case[1])
      assert.equal(2, code, case[1] .. "\n" .. err)
      assert.is_truthy(err:find(case[2], 1, true), err)
    end
  end)
end)
