-- Fuzzes the Lua API: plays stories (api.lua) in processes of their own, and makes of what goes wrong the least script
-- that shows it. Run by this very executable, built with sanitizers or not:
--   FUZZ_SECONDS=60 build/sanitize/throng test --deadline 0 tests/fuzz/api_spec.lua
-- FUZZ_SECONDS (10; at least 50,000 calls), or FUZZ_CALLS; FUZZ_SEED (1); FUZZ_BACKEND (cpu): cuda is compared with the
-- CPU; FUZZ_FIRST: the story to begin with; FUZZ_PATIENCE (60): seconds for one; FUZZ_MODE: one of PLAYED, for all
-- stories; FUZZ_PROGRESS: say how far it is; FUZZ_OUT: the folder for what is found, build/fuzz/api.
-- FUZZ_UNDER: a command that every process of stories runs under, which exits with a code of its own when it found
-- something, such as "compute-sanitizer --error-exitcode 9" or "valgrind -q --error-exitcode=9"; without sanitizers
-- then, and with more patience:
--   FUZZ_UNDER="compute-sanitizer --error-exitcode 9" FUZZ_BACKEND=cuda FUZZ_PATIENCE=600 FUZZ_CALLS=10000 \
--       build/throng test --deadline 0 tests/fuzz/api_spec.lua
local command = dofile "tests/specs/command.lua"
local read, write = command.read, command.write

local function setting(name, otherwise)
  local value = os.getenv("FUZZ_" .. name)
  return value and (tonumber(value) or value) or otherwise
end

local HERE = "tests/fuzz/"
local OUT = setting("OUT", "build/fuzz/api")
local SEED, BACKEND = setting("SEED", 1), setting("BACKEND", "cpu")
local STORIES = 20 -- a process
local CALLS_A_STORY, TRIALS = 120, 250 -- runs to make a script smaller
local LEAST = 50000 -- calls in which everything is called, but for the fields of what is seldom there
local PATIENCE = setting("PATIENCE", 60) -- seconds for one story
local UNDER = setting("UNDER", "")

-- Allocations that no memory is there for fail, as they do without sanitizers.
local ENVIRONMENT = "ASAN_OPTIONS=allocator_may_return_null=1:max_allocation_size_mb=1024:quarantine_size_mb=64:"
  .. "detect_leaks=1 UBSAN_OPTIONS=print_stacktrace=1 "

local SCENARIO = [[
local throng = require "throng"
local p = throng.params { count = { 3, 1 } }
local regions = { left = throng.box(0, 0, 6, 6), right = throng.box(12, 0, 18, 6) }
local world = throng.world { seconds = 1, regions = regions }
world:spawn { name = "loaded", count = p.count, where = "left" }:go_to "right"
return world
]]

local MAPS = { ["a.wkt"] = "wkt/holes.wkt", ["b.tmx"] = "tmx/plan.tmx", ["c.xml"] = "xml/faces.xml",
  ["d.map"] = "moving_ai/rooms.map" }

-- ---- running

local function prepare()
  os.execute("mkdir -p " .. OUT)
  for _, name in ipairs { "api", "api_play", "api_test", "api_reload", "api_types", "api_values", "api_check" } do
    name = name .. ".lua"
    write(OUT .. "/" .. name, read(HERE .. name))
  end
  for name, from in pairs(MAPS) do write(OUT .. "/" .. name, read(HERE .. from)) end
  write(OUT .. "/people.txt", read "tests/data/trajectory.txt")
  write(OUT .. "/scenario.lua", SCENARIO)
  write(OUT .. "/documented.lua", ("return %q\n"):format(read "lua/meta/throng.lua"))
end

-- How stories are played: the script, the command, and what a script with lines of a story says and ends with.
local PLAYED = {
  scenario = { script = "api.lua", command = command.THRONG .. " run %s --out none --deadline 0",
    text = "return check.replay({\n  %s,\n}, %s, %s)\n" },
  spec = { script = "api_test.lua",
    command = command.THRONG .. " test --sandbox --deadline 0 --out " .. OUT .. "/failures %s",
    text = "it('plays', function()\n"
      .. "check.replay({\n  %s,\n}, %s, %s, { assert = assert, across = across })\nend)\n" },
  reload = { script = "api_reload.lua", command = command.THRONG:gsub("throng$", "fuzz/reload") .. " %s %d %d",
    text = "local p = require 'throng'.params { story = 1, version = 0 }\n"
      .. "return check.version({\n  %s,\n}, p.version)\n" },
}
local TURNS = { "scenario", "spec", "scenario", "reload" } -- of STORIES each

-- Reloads are another program's, which make fuzz-api builds.
local RELOADER = command.THRONG:gsub("throng$", "fuzz/reload")
if not io.open(RELOADER) then
  print(("fuzz: no reloads: build %s"):format(RELOADER))
  TURNS[4] = nil
end

local function mode_of(story) return setting("MODE", TURNS[(story - 1) // STORIES % #TURNS + 1]) end

-- Runs a script of OUT; its exit code and what it printed.
local function run(mode, script, seconds, first, stories)
  local log = OUT .. "/log.txt"
  local played = PLAYED[mode].command:format(OUT .. "/" .. script, first, stories)
  local line = ("%stimeout -s KILL %d %s %s"):format(ENVIRONMENT, seconds, UNDER, played)
  local code = select(3, os.execute(("{ %s; } >%s 2>&1 </dev/null"):format(line, log)))
  return code, read(log)
end

local function play(first, stories, list)
  local config = "return { seed = %d, first = %d, stories = %d, calls = %d, list = %s, backend = %q }\n"
  local mode = mode_of(first)
  write(OUT .. "/config.lua", config:format(SEED, first, stories, CALLS_A_STORY, list or false, BACKEND))
  return run(mode, PLAYED[mode].script, stories == 1 and PATIENCE or stories * PATIENCE // 8, first, stories)
end

-- ---- what went wrong

-- What stays the same of a message when the script gets smaller.
local function essence(text)
  text = text:gsub("0x%x+", "A"):gsub("'[^']*'", "Q"):gsub('"[^"]*"', "Q"):gsub("hash %x+", "H"):gsub("width %d+", "H")
  return (text:gsub("%-?%d[%d%.]*e?[%+%-]?%d*", "N"):sub(1, 90))
end

-- What compute-sanitizer and valgrind say around what they found.
local SAID = { "^COMPUTE%-SANITIZER", " SUMMARY: ", "^Error: ", "^Target application", "^Warning: " }

-- The first thing that these found, and where; nil: nothing.
local function found_under(log)
  local what
  for text in ("\n" .. log):gmatch "\n==+%d*=* ([^\n]*)" do
    local where, said = text:match "^%s+at%s+(.*)", not text:find "%w"
    if what then return essence(where and what .. " at " .. where or what) end
    for _, pattern in ipairs(SAID) do said = said or text:find(pattern) end
    what = not said and text or nil
  end
  return what
end

-- Of a process that ended early: by what. nil: it did not.
local function ending(code, log)
  local kind, where = log:match "SUMMARY: (%w+Sanitizer: [%w%-]+) [^\n]- in ([%w_]+)"
  if kind then return kind .. " in " .. where end
  kind = log:match "SUMMARY: (LeakSanitizer): "
  if kind then return kind .. " of " .. (log:match "\n    #[1-9] %S+ in (throng_[%w_]+)" or "?") end
  kind = log:match "([%w_/]+%.[ch]:%d+:%d+: runtime error: [^\n]*)"
  if kind then return (kind:gsub("%d%d%d+", "N")) end
  if code ~= 0 and UNDER ~= "" and found_under(log) then return found_under(log) end
  if code == 137 then return "it does not come back" end
  if code >= 128 then return "signal " .. (code - 128) end
  if code ~= 0 then return "exit " .. code .. ": " .. essence(log:match "throng run: ([^\n]*)" or "") end
end

-- What a run found: { signature = text of the first }.
local function found_in(code, log)
  local list = {}
  for problem in ("\n" .. log):gmatch "\n! %d+ %d+ ([^\n]*)" do
    list[essence(problem)] = list[essence(problem)] or problem
  end
  local end_of_it = ending(code, log)
  if end_of_it then list[end_of_it] = end_of_it end
  return list
end

-- ---- the least script

local function script_of(mode, lines, other, comment)
  local text = PLAYED[mode].text:format(table.concat(lines, ",\n  "),
    ('{ simd = 1, threads = 1, backend = "%s" }'):format(BACKEND),
    ('{ simd = %s, threads = %s, backend = "cpu" }'):format(other[1], other[2]))
  return ("-- %s\nlocal check = (function()\n%s\nend)()\n\n%s"):format(comment, read(HERE .. "api_check.lua"), text)
end

local function still_shows(mode, lines, other, signature)
  write(OUT .. "/smaller.lua", script_of(mode, lines, other, signature))
  return found_in(run(mode, "smaller.lua", PATIENCE, 1, 1))[signature] ~= nil
end

local function without(lines, from, count)
  local rest = {}
  for i, line in ipairs(lines) do
    if i < from or i >= from + count then rest[#rest + 1] = line end
  end
  return rest
end

-- Leaves out lines, in larger pieces first, while what was found stays.
local function smallest(mode, lines, other, signature)
  local trials, size = 0, #lines // 2
  while size >= 1 and trials < TRIALS do
    local at, less = #lines - size + 1, false
    while at > 1 - size and trials < TRIALS do
      local fewer = without(lines, math.max(at, 1), size + math.min(at - 1, 0))
      trials = trials + 1
      if #fewer > 0 and #fewer < #lines and still_shows(mode, fewer, other, signature) then
        lines, less = fewer, true
      end
      at = at - size
    end
    if size > 1 or not less then size = size // 2 end
  end
  return lines
end

local findings = {} -- by signature: { count, story, path }
local found = 0

local function note(signature, problem, story)
  local finding = findings[signature]
  if finding then
    finding.count = finding.count + 1
    return
  end
  found = found + 1
  finding = { count = 1, story = story, path = ("%s/found_%d_%d.lua"):format(OUT, SEED, found), problem = problem }
  findings[signature] = finding
  local _, log = play(story, 1, true)
  local lines = {}
  for line in ("\n" .. log):gmatch "\nL ([^\n]*)" do lines[#lines + 1] = line end
  local mode, other = mode_of(story), { log:match "\nR (%d+) (%d+)" }
  if #other == 0 then other = { 1, 1 } end
  local shows = #lines > 0 and still_shows(mode, lines, other, signature)
  if shows then lines = smallest(mode, lines, other, signature) end
  local comment = ("%s (seed %d, story %d%s)"):format(signature, SEED, story,
    shows and "" or "; not by these lines alone")
  write(finding.path, script_of(mode, lines, other, comment))
  io.stderr:write(("fuzz: %s\n  story %d, %d lines: %s\n"):format(problem:sub(1, 300), story, #lines, finding.path))
end

-- ---- the whole

local total = { calls = 0, plausible = 0, good = 0, tried = {}, succeeded = {} }

-- Whether all stories were played.
local function take_counts(log)
  for calls, plausible, good in ("\n" .. log):gmatch "\nT (%d+) (%d+) (%d+)" do
    total.calls, total.plausible = total.calls + calls, total.plausible + plausible
    total.good = total.good + good
  end
  for tried, succeeded, name in log:gmatch "\nN (%d+) (%d+) ([^\n]+)" do
    total.tried[name] = (total.tried[name] or 0) + tried
    total.succeeded[name] = (total.succeeded[name] or 0) + succeeded
  end
  return ("\n" .. log):find "\nE\n" ~= nil
end

-- Plays stories from `first` on; the next one to begin with.
local batch
function batch(first, stories)
  local code, log = play(first, stories)
  local story = first
  for line in log:gmatch "[^\n]+" do
    story = tonumber(line:match "^S (%d+)$") or story
    local problem = line:match "^! %d+ %d+ (.*)$"
    if problem then note(essence(problem), problem, story) end
  end
  local problem = ending(code, log)
  local all = take_counts(log)
  if not problem then return first + stories end
  if all and stories > 1 then -- leaks are told at the end: of which story?
    for one = first, first + stories - 1 do
      local again = ending(play(one, 1))
      if again then note(again, again, one) end
    end
    return first + stories
  end
  if problem == "it does not come back" and stories > 1 then -- or was it the others that took the time?
    return batch(story, 1)
  end
  note(problem, problem, story)
  return story + 1
end

describe("the API", function()
  it("holds against whatever a script calls", function()
    prepare()
    local calls, seconds = setting("CALLS"), setting("SECONDS", 10)
    local first, began = setting("FIRST", 1), os.time()
    while total.calls < (calls or LEAST) or not calls and os.time() - began < seconds do
      first = batch(first, STORIES - (first - 1) % STORIES)
      if setting "PROGRESS" then
        local progress = "fuzz: story %d, %d calls, %d s, %d findings\n"
        io.stderr:write(progress:format(first, total.calls, os.time() - began, found))
      end
    end
    local took = math.max(os.time() - began, 1)
    local summary = "fuzz: seed %d: %d calls in %d s (%d a second); %.1f %% of plausible ones succeeded; %d findings\n"
    io.stderr:write(summary:format(SEED, total.calls, took, total.calls // took,
      100 * total.good / math.max(total.plausible, 1), found))
    local list = {}
    for signature, finding in pairs(findings) do
      list[#list + 1] = ("%d times: %s\n    %s"):format(finding.count, signature, finding.path)
    end
    table.sort(list)
    write(OUT .. "/findings.txt", table.concat(list, "\n") .. "\n")
    assert.equal("", table.concat(list, "\n"))
  end)

  it("is called by every documented name", function()
    if total.calls < LEAST then pending "so few calls do not get to everything" end
    local types = dofile(HERE .. "api_types.lua")
    local all, missing = types.read(read "lua/meta/throng.lua"), {}
    for _, entry in ipairs(all.functions) do
      if not total.tried[entry.full] then missing[#missing + 1] = entry.full end
    end
    for name, class in pairs(all.classes) do
      for _, field in ipairs(class.fields) do
        local seldom = total.calls < 40 * LEAST and not name:find "settings$"
        if not seldom and not total.tried[name .. "." .. field.name] then
          missing[#missing + 1] = name .. "." .. field.name
        end
      end
    end
    table.sort(missing)
    assert.same({}, missing)
  end)
end)
