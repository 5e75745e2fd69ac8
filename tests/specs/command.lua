-- For specs of the command line: runs this very executable, as users do. And files, for all specs.
local command = { THRONG = io.popen("readlink /proc/$PPID/exe"):read "l" }

-- The text that lies in a file, which must be there.
function command.read(path)
  local file = assert(io.open(path))
  local text = file:read "a"
  file:close()
  return text
end

-- Writes the file; its path.
function command.write(path, text)
  local file = assert(io.open(path, "w"))
  file:write(text)
  file:close()
  return path
end

-- Runs a command; exit code, stdout, stderr.
function command.shell(text)
  local out, err = os.tmpname(), os.tmpname()
  local code = select(3, os.execute(("{ %s; } >%s 2>%s </dev/null"):format(text, out, err)))
  local function take(path)
    local all = command.read(path)
    os.remove(path)
    return all
  end
  return code, take(out), take(err)
end

-- The command succeeds; what it wrote to stdout.
function command.done(text)
  local code, out, err = command.shell(text)
  if code ~= 0 then error(("%s\ngave %d:\n%s%s"):format(text, code, out, err), 2) end
  return out
end

-- The text has each of these.
function command.has(text, ...)
  for _, part in ipairs { ... } do
    if not text:find(part, 1, true) then error(("expected '%s' in:\n%s"):format(part, text), 2) end
  end
end

-- Runs `throng arguments`, in the folder if one is given.
function command.throng(arguments, folder)
  return command.shell(("cd '%s' && %s %s"):format(folder or ".", command.THRONG, arguments))
end

-- For commands that open a window: `throng NAME arguments` without a display, and a check that it is refused with code
-- 2 and says each of these.
function command.window(name)
  local function window(arguments)
    local file = io.popen(("SDL_VIDEODRIVER=dummy %s %s 2>&1 </dev/null"):format(command.THRONG, arguments))
    local text = file:read "a"
    return select(3, file:close()) or 0, text
  end
  local function refuses(arguments, ...)
    local code, text = window(name .. " " .. arguments)
    if code ~= 2 then error(("code %d, expected 2:\n%s"):format(code, text), 2) end
    command.has(text, ...)
  end
  return window, refuses
end

-- Were the windows built? They are not for want of SDL2.
function command.has_windows()
  local file = io.open((command.THRONG:gsub("throng$", "throng-view.so")))
  return file ~= nil and file:close()
end

return command
