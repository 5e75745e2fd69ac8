-- Does the host keep its layers (runtime/README.md)? Folders include and call in one direction, and no file of theirs,
-- or of the kernels' launchers, calls one that calls it. Run from the root by `make lint`; reads sources alone.
local FOLDERS = { -- each may use those before it
  "base", "stages", "map", "navigation", "picture", "world", "record", "export", "report", "script", "embed", "bench",
  "view", "editor", "command",
}

-- Parts of struct throng_world (runtime/world/world_parts.h), and the files that write them, beside world.c, which
-- makes a world, and world_migrate*.c, which makes one of another.
local OWNERS = {
  groups = { "spawn" }, taken = { "spawn_taken" }, companies = { "companies" }, planners = { "world_planners" },
  influences = { "world_influences" },
  limits = { "world_limits" }, player = { "world_player" }, watched = { "world_probe" }, stuck = { "world_stuck" },
  overcome = { "world_overcome" },
  walls = { "world_walls" }, sheets = { "world_sheets" }, bodies = { "world_bodies", "world_standing" },
  doors = { "world_doors" }, lifts = { "world_lifts" }, floors = { "world_floors" },
  routing = {
    "world_goals", "world_goal_table", "routing", "world_navigation", "congestion", "world_doors", "world_standing",
  },
  paths = { "path_own", "path_requests" }, air = { "world_air" }, crossings = { "world_crossings" },
  programs = { "world_programs" }, undefined = { "world_undefined" },
  fsm = { "world_machines" },
  phases = { "world_phases" }, sensed = { "world_phases" }, measures = { "measure" },
  arrivals = { "world_arrivals", "world_pending" }, gone = { "world_arrivals" },
  times = { "world_answers", "world_arrivals", "world_phases" },
}

local rank = {}
for i, folder in ipairs(FOLDERS) do rank["runtime/" .. folder] = i end

local function lines_of(command)
  local pipe, lines = assert(io.popen(command)), {}
  for line in pipe:lines() do lines[#lines + 1] = line end
  pipe:close()
  return lines
end

local function read(path)
  local file <close> = assert(io.open(path))
  return file:read "a"
end

local function folder_of(path) return path:match "^(.*)/" end

local problems = {}
local function problem(...) problems[#problems + 1] = string.format(...) end

-- Comments and texts name functions that nobody calls.
local function code_of(path)
  return read(path):gsub("\\.", ""):gsub('"[^"\n]*"', '""'):gsub("/%*.-%*/", " ")
end

local sources = lines_of "ls runtime/*/*.c"
assert(#sources > 100, "tests/layers.lua runs in the root of the sources")
local function note_functions(path, text, defined)
  for head, name in ("\n" .. text):gmatch "\n([%a_][%w_ %*]-[ %*])(%l+_[%w_]*)%([^;{}]*%)%s*{" do
    if not head:find "static" then defined[name] = path end
  end
end
local code, defined_in = {}, {}
for _, path in ipairs(sources) do
  code[path] = code_of(path)
  note_functions(path, code[path], defined_in)
end

for _, path in ipairs(sources) do
  assert(rank[folder_of(path)], path .. ": a folder that tests/layers.lua does not know; put it in FOLDERS")
end

-- Who uses whom: once a pair, by the first name.
local uses = {}
local function note_uses(path, text, defined)
  uses[path] = {}
  for name in text:gmatch "[%a_][%w_]*" do
    local other = defined[name]
    if other and other ~= path then uses[path][other] = uses[path][other] or name end
  end
end
for _, path in ipairs(sources) do
  note_uses(path, code[path], defined_in)
  for other, name in pairs(uses[path]) do
    if rank[folder_of(other)] > rank[folder_of(path)] then
      problem("%s calls %s of %s, a layer above its own", path, name, other)
    end
  end
end

-- A function that no other file of the host, nor a kernel or a program with the library, has is static, or goes; a
-- header has it once where it is declared. By name: a library's entry is looked for by a text.
local TESTED = { throng_level_is_in = true } -- beside its own file by its test, of many lists
local called = {}
for _, path in ipairs(lines_of "ls runtime/throng.h runtime/*/*.* runtime/embed/*/*.* kernels/*.h kernels/*/*.*") do
  local count = {}
  for name in read(path):gsub("/%*.-%*/", " "):gmatch "[%a_][%w_]*" do
    if defined_in[name] and defined_in[name] ~= path then count[name] = (count[name] or 0) + 1 end
  end
  for name, times in pairs(count) do
    called[name] = called[name] or times > 1 or not path:find "%.h$"
  end
end
for name, path in pairs(defined_in) do
  if not called[name] and not TESTED[name] then problem("%s: no other file calls %s: make it static", path, name) end
end

for _, path in ipairs(lines_of "ls runtime/*/*.[ch]") do
  for name in read(path):gmatch '#include "([%w_]+)/[%w_]+%.h"' do
    local above = rank["runtime/" .. name]
    if above and above > rank[folder_of(path)] then problem("%s includes %s/, a layer above its own", path, name) end
  end
end

for path in pairs(code) do
  if folder_of(path) ~= "runtime/script" and read(path):find "#include <lua" then
    problem("%s includes Lua, which only runtime/script knows", path)
  end
  if rank[folder_of(path)] < rank["runtime/view"] and read(path):find "#include <SDL" then
    problem("%s includes SDL2, which only the windows know", path)
  end
end

for part, owners in pairs(OWNERS) do
  local owned = { ["runtime/world/world.c"] = true }
  for _, name in ipairs(owners) do owned["runtime/world/" .. name .. ".c"] = true end
  for _, path in ipairs(sources) do
    local foreign = folder_of(path) == "runtime/world" and not owned[path] and not path:find "world_migrate"
    local text = foreign and code[path]:gsub("%b[]", "") or ""
    for member, sets, after in text:gmatch("->(" .. part .. "%.[%w_.]*)%s*([%+%-|&]?[=%+%-])(.)") do
      if sets ~= "=" and sets:find "=" or sets == "=" and after ~= "=" or sets == "++" or sets == "--" then
        problem("%s writes %s, which is for %s.c to write", path, member, table.concat(owners, ".c, "))
      end
    end
  end
end

-- The clock of the day may be set while something waits by it: base/clock.h has one that goes on.
for _, path in ipairs(lines_of "ls runtime/*/*.[ch] kernels/*/*.*") do
  local text = code_of(path)
  for _, name in ipairs { "time", "clock", "gettimeofday", "sem_timedwait", "pthread_cond_timedwait", "ftime" } do
    if text:find("%f[%w_]" .. name .. "%s*%(") then problem("%s asks the clock of the day, by %s", path, name) end
  end
  if text:find "CLOCK_REALTIME" then problem("%s asks the clock of the day", path) end
end

-- The launchers' files, of which one is compiled for each number of lanes.
local launchers, defined_by = lines_of "ls kernels/cpu/*.c kernels/cuda/*.cu", {}
for _, path in ipairs(launchers) do note_functions(path, code_of(path), defined_by) end
for _, path in ipairs(launchers) do note_uses(path, code_of(path), defined_by) end

-- A circle is found going down from each file that has not been gone through.
local state, trail = {}, {}
local function go_down(path)
  state[path] = "open"
  trail[#trail + 1] = path
  for other, name in pairs(uses[path]) do
    if not state[other] then go_down(other) end
    if state[other] == "open" then
      local from = 1
      while trail[from] ~= other do from = from + 1 end
      problem("%s calls %s of %s, which calls it: %s", path, name, other, table.concat(trail, " > ", from))
    end
  end
  trail[#trail] = nil
  state[path] = "done"
end
for _, path in ipairs(table.move(launchers, 1, #launchers, #sources + 1, sources)) do
  if not state[path] then go_down(path) end
end

table.sort(problems)
for _, text in ipairs(problems) do io.stderr:write("layers: ", text, "\n") end
os.exit(#problems == 0)
