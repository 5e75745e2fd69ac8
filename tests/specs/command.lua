-- For specs of the command line: runs this very executable, as users do.
local command = { THRONG = io.popen("readlink /proc/$PPID/exe"):read "l" }

-- Runs a command; exit code, stdout, stderr.
function command.shell(text)
  local out, err = os.tmpname(), os.tmpname()
  local code = select(3, os.execute(("{ %s; } >%s 2>%s </dev/null"):format(text, out, err)))
  local function take(path)
    local file = assert(io.open(path))
    local all = file:read "a"
    file:close()
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
