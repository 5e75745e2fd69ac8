-- What a failing test leaves behind: a picture and the trajectory of the world it stepped last, and the command that
-- runs it again.
local host, options = ...

local failure = {}
local test, captured, moment, picture

-- A test begins.
function failure.begin(file, line, name)
  test, captured, moment, picture = { file = file or "?", line = line or 0, name = name }, nil, nil, nil
  host.forget_world()
end

-- What pending() throws.
function failure.is_pending(problem)
  return type(problem) == "table" and (debug.getmetatable(problem) or {}).__type == "pending"
end

-- An assertion that fails with this text is about that time, s: the picture shows it.
function failure.about(text, time) moment = { text = text, time = time } end

local function folder_of(one)
  local base = one.file:match "([^/]+)%.lua$" or "test"
  local name = one.name:gsub("[^%w]+", "-"):sub(1, 60):gsub("^%-", ""):gsub("%-$", "")
  return ("%s/%s-%d-%s"):format(options.out, base, one.line, name)
end

local function quoted(text) return "'" .. text:gsub("'", "'\\''") .. "'" end

local function command(seed)
  local pattern = test.name:gsub("[%^%$%(%)%%%.%[%]%*%+%-%?]", "%%%0")
  return ("%s test %s --filter %s%s"):format(host.executable(), test.file, quoted(pattern),
    seed and " --seeds " .. seed or "")
end

local function files(message)
  local folder = folder_of(test)
  local made, problem = require("pl.dir").makepath(folder)
  if not made then return { ("no files: cannot make '%s': %s (another folder: --out DIR)"):format(folder, problem) } end
  local png, trajectory = folder .. "/moment.png", folder .. "/trajectory.sqlite"
  local time = moment and message:find(moment.text, 1, true) and moment.time or -1
  local seed, now = host.write_world(png, trajectory, test.name, time)
  if not seed then
    os.remove(folder)
    return now and { "no files: " .. now } or {}
  end
  picture = png
  local of = time >= 0 and (" of about %.1f s"):format(time) or ""
  return { ("seed %d, at %.1f s"):format(seed, now), ("picture%s: %s"):format(of, png), "trajectory: " .. trajectory }
end

-- Keeps the files of now for this test's failure; `seed`: of across.
function failure.capture(message, seed)
  if captured or not test then return end
  local lines = files(message)
  lines[#lines + 1] = "again: " .. command(seed)
  captured = "\n" .. table.concat(lines, "\n")
end

-- The file of the picture that this test's failure left behind, nil: it left none.
function failure.picture() return picture end

-- Lines for the message of the test that fails.
function failure.text(message)
  if not test then return "" end -- in a file, outside of its tests
  failure.capture(message)
  return captured
end

return failure
