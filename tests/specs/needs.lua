-- What a test needs of the machine it runs on. Where that is missing, the test is skipped and says why. `pending` is
-- busted's own, which only the test itself sees.
local throng = require "throng"
local command = dofile "tests/specs/command.lua"

local needs = {}

-- A CUDA device.
function needs.device(pending)
  if throng.backends()[2] ~= "cuda" then pending "no device" end
end

local function has_simd(simd)
  local ok, result = pcall(throng.world, { backend = "cpu", simd = simd })
  if ok then result:close() end
  return ok or not tostring(result):find "needs a processor with"
end

-- A processor that computes so many agents at once.
function needs.simd(pending, simd)
  if not has_simd(simd) then pending(("this processor has no SIMD of width %d"):format(simd)) end
end

-- Which of them this processor has, for tests that compare them; same_bits_spec.lua skips, and counts, the others.
function needs.which_simd(all)
  local here = {}
  for _, simd in ipairs(all) do
    if has_simd(simd) then here[#here + 1] = simd end
  end
  return here
end

-- A pseudo-terminal, which `script` opens.
function needs.terminal(pending)
  local code, out, err = command.shell "script -qec true /dev/null"
  if code ~= 0 then pending("no pseudo-terminal: " .. (err .. out):gsub("%s+", " ")) end
end

-- How chromium is started, for a minute at most.
needs.BROWSER = "timeout -s KILL 60 chromium --headless --no-sandbox --disable-gpu --disable-dev-shm-usage "

-- A browser, which looks at pages. Some machines have one that may not start: tried once.
local browser_missing -- why there is none; false where it starts
function needs.browser(pending)
  if browser_missing == nil then
    local code, out, err = command.shell("home=$(mktemp -d); HOME=$home " .. needs.BROWSER
      .. "--dump-dom about:blank; code=$?; rm -rf $home; exit $code")
    browser_missing = code == 127 and "no browser: chromium is not installed"
      or code ~= 0 and "no browser that starts: " .. (err .. out):sub(-300):gsub("%s+", " ")
  end
  if browser_missing then pending(browser_missing) end
end

-- Python with NumPy and these modules; how it is started. THRONG_PYTHON names one that has what Debian's has not.
function needs.python(pending, ...)
  local modules = { "numpy", ... }
  for _, python in ipairs { os.getenv "THRONG_PYTHON" or "python3", "python3", "/usr/bin/python3" } do
    if command.shell(("%s -c 'import %s'"):format(python, table.concat(modules, ", "))) == 0 then return python end
  end
  pending("no python3 with " .. table.concat(modules, ", "))
end

-- libthrong.so beside the executable: sanitized builds have none.
function needs.library(pending)
  local file = io.open((command.THRONG:gsub("throng$", "libthrong.so.0")))
  if not file then pending "no libthrong.so in this build" end
  file:close()
end

-- Godot 4.3 or later; how it is started.
function needs.godot(pending)
  for _, godot in ipairs { "godot4", "godot" } do
    local code, out = command.shell(("HOME=$(mktemp -d) %s --headless --version"):format(godot))
    if code == 0 and tonumber(out:match "^4%.(%d+)" or 0) >= 3 then return godot .. " --headless --no-header" end
  end
  pending "no godot of version 4.3 or later"
end

-- A namespace with mounts of its own.
function needs.mounts(pending)
  local code, out, err = command.shell "unshare -rm mount -t tmpfs none /mnt"
  if code ~= 0 then pending("no mounts of one's own: " .. (err .. out):gsub("%s+", " ")) end
end

-- A user of one's own, who may have so many processes (threads count): what a command is put behind, with %d for them.
function needs.limit_of_processes(pending)
  local own = 100000 + io.open("/proc/self/stat"):read "n" -- other tests may run beside this one
  local as_user = ("setpriv --reuid %d --regid %d --clear-groups prlimit --nproc=%%d "):format(own, own)
    .. "env ASAN_OPTIONS=detect_leaks=0 " -- to look for leaks takes a process
  local code, out, err = command.shell(as_user:format(100) .. command.THRONG .. " --version")
  if code ~= 0 then pending("no user of one's own to limit: " .. (err .. out):gsub("%s+", " ")) end
  return as_user
end

-- A locale of that name in `folder`, for LOCPATH, whose numbers have a decimal comma; the folder.
function needs.comma(pending, folder)
  local numbers = 'decimal_point ","\nthousands_sep "."\ngrouping 3;3\n'
  command.write(folder .. "/source", ("LC_NUMERIC\n%sEND LC_NUMERIC\n"):format(numbers))
  command.shell(("localedef --no-archive -c -i '%s/source' '%s/comma'"):format(folder, folder)) -- warns: no other part
  local _, out, err = command.shell(("LOCPATH='%s' LC_ALL=comma locale decimal_point"):format(folder))
  if out ~= ",\n" then pending("no locale with a decimal comma: " .. (err .. out):gsub("%s+", " ")) end
  return folder
end

return needs
