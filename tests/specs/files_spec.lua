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

describe("a folder of results", function()
  local SCENE = [[
    local throng = require "throng"
    local recording = { every = 0.1, format = "%s" }
    local world = throng.world { seconds = 1e6, until_done = false, threads = 1, record = recording }
    world:spawn { at = { { 0, 0 } }, count = 1 }
    return world
  ]]

  -- Starts a run in the folder, and waits until it records; its process.
  local function started(dir, format)
    command.write(dir .. "/scene.lua", SCENE:format(format))
    local _, pid = shell(("%s run %s/scene.lua --out %s/out >%s/log 2>&1 & echo $!"):format(THRONG, dir, dir,
      dir))
    for _ = 1, 400 do
      if shell(("test -s %s/out/trajectory.*.part"):format(dir)) == 0 then break end
      os.execute "sleep 0.05"
    end
    return tonumber(pid)
  end

  for format, ending in pairs { sqlite = "sqlite", compact = "throng" } do
    it("belongs to one run at a time, with " .. format, function()
      local dir = folder()
      local pid = started(dir, format)
      finally(function() shell(("kill -9 %d; rm -rf %s"):format(pid, dir)) end)
      local code, _, err = throng(("run %s/scene.lua --steps 5 --out %s/out"):format(dir, dir))
      assert.equal(2, code, err)
      assert.is_truthy(err:find(("cannot write '%s/out/summary.json': another run is writing it; wait for its end or "
        .. "choose another folder with --out"):format(dir), 1, true), err)
      code, _, err = throng(("run %s/scene.lua --steps 5 --out %s/other"):format(dir, dir))
      assert.equal(0, code, err)

      shell(("kill -INT %d; while kill -0 %d 2>/dev/null; do sleep 0.05; done"):format(pid, pid))
      assert.equal(1, (shell(("ls %s/out | grep part"):format(dir))))
      assert.is_truthy(command.read(dir .. "/out/summary.json"):find '"interrupted"')
      code, _, err = throng(("convert %s/out/trajectory.%s %s/copy.throng"):format(dir, ending, dir))
      assert.equal(0, code, err)
    end)

    it("is free again when its run was killed, with " .. format, function()
      local dir = folder()
      local pid = started(dir, format)
      shell(("kill -9 %d; while kill -0 %d 2>/dev/null; do sleep 0.05; done"):format(pid, pid))
      assert.equal(0, (shell(("ls %s/out | grep part"):format(dir))))
      local code, _, err = throng(("run %s/scene.lua --steps 5 --out %s/out"):format(dir, dir))
      assert.equal(0, code, err)
      assert.equal(1, (shell(("ls %s/out | grep part"):format(dir))))
    end)
  end
end)

describe("a name", function()
  local SCENE = 'local world = require("throng").world {}\nworld:spawn { at = { { 0, 0 } }, count = 1 }\nreturn world\n'

  it("of a film is no option and no protocol of ffmpeg's", function()
    if shell "command -v ffmpeg" ~= 0 then pending "ffmpeg is not installed" end
    local dir = folder()
    command.write(dir .. "/scene.lua", SCENE)
    for _, name in ipairs { "-f.mp4", "pipe:1.mp4", "concat:a.mp4" } do
      local code, _, err = command.throng("run scene.lua --steps 3 --out none --film " .. name, dir)
      assert.equal(0, code, err)
      assert.equal("ftyp", command.read(dir .. "/" .. name):sub(5, 8))
    end
  end)

  it("steers no terminal from a message", function()
    local dir = folder()
    command.write(dir .. "/scene.lua", SCENE)
    local name = dir .. "/\27[31m\n\u{9b}2J\u{e9}"
    local code, out, err = throng(("run %s/scene.lua --steps 3 --out '%s'"):format(dir, name))
    assert.equal(0, code, err)
    assert.is_truthy(out:find(dir .. "/\\x1b[31m\\n\\x9b2J\u{e9}/summary.json\n", 1, true), out)
    for _, arguments in ipairs { "map '%s'", "replay '%s'", "bench '%s'", "'%s'", "run '%s'",
      "convert '%s' a.throng", "run --png '%s/a/b.png' --out none scenarios/circle.lua --steps 1" } do
      code, out, err = throng(arguments:format(name .. "-"))
      assert.equal(2, code, arguments)
      assert.is_nil((out .. err):find "[\1-\8\11-\31]", arguments .. "\n" .. err)
    end
  end)
end)
