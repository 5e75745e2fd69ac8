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

-- Runs `throng arguments`, in the folder if one is given.
function command.throng(arguments, folder)
  return command.shell(("cd '%s' && %s %s"):format(folder or ".", command.THRONG, arguments))
end

return command
