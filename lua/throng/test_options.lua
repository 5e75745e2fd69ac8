-- The options of `throng test` that busted does not know: takes them out of the arguments. Returns the options and
-- busted's arguments, or nil and what is wrong.
local host, arguments = ...

local function whole(text, least)
  local number = math.tointeger(tonumber(text))
  return number and number >= least and number or nil
end

-- "7", "1-20", "3,5,8-10"
local function read_seeds(text)
  local seeds = {}
  for part in (text .. ","):gmatch "([^,]*)," do
    local from, to = part:match "^(%d+)%-(%d+)$"
    from, to = whole(from or part, 0), whole(to or part, 0)
    if not from or not to or to < from or to - from > 1e6 then return nil end
    for seed = from, to do seeds[#seeds + 1] = seed end
  end
  return seeds
end

local function read_shard(text)
  local which, of = text:match "^(%d+)/(%d+)$"
  which, of = whole(which, 1), whole(of, 1)
  return which and of and which <= of and { which = which, of = of } or nil
end

local PLANNERS = {}
for name in pairs(host.planners) do PLANNERS[#PLANNERS + 1] = name end
table.sort(PLANNERS)

-- "orca", "orca,rvo", "all"
local function read_planners(text)
  local names = {}
  for name in text:gmatch "[^,]+" do
    local known = name == "all"
    for _, one in ipairs(PLANNERS) do
      if name == one or name == "all" then
        names[#names + 1] = one
        known = true
      end
    end
    if not known then return nil end
  end
  return #names > 0 and names or nil
end

local SUITES = { rimea = true, iso = true, nist = true, imo = true, all = true }

local is_pattern = host.library "test_pattern"()

local function read_pattern(text) return is_pattern(text) and text or nil end

local PATTERN = 'a Lua pattern, in which "%[" finds "["'

local OWN = { text = true, TAP = true, junit = true }

-- By name: what it sets (nil: it is busted's), how the value is read, and what it must be.
local OPTIONS = {
  ["--jobs"] = { "jobs", function(text) return whole(text, 1) end, "a whole number >= 1" },
  ["--threads"] = { "threads", function(text) return whole(text, 1) end, "a whole number >= 1" },
  ["--parts"] = { "parts", function(text) return whole(text, 1) end, "a whole number >= 1" },
  ["--part"] = { "part", read_shard, "K/N" }, -- of a worker
  ["--shard"] = { "shard", read_shard, "K/N with 1 <= K <= N, like 2/4" },
  ["--memory"] = { "memory", function(text) return whole(text, 1) end, "MiB, a whole number >= 1" },
  ["--instructions"] = { "instructions", function(text) return whole(text, 1) end, "a whole number >= 1" },
  ["--sandbox"] = { "sandbox" }, -- takes none
  ["--seeds"] = { "seeds", read_seeds, "seeds like 7 or 1-20 or 3,5,8-10" },
  ["--deadline"] = { "deadline", function(text) return tonumber(text) and tonumber(text) >= 0 and tonumber(text) end,
    "seconds" },
  ["--out"] = { "out", tostring, "a folder" },
  ["--output"] = { "format", tostring, "an output" },
  ["--suite"] = { "suite", function(text) return SUITES[text] and text end, "rimea, imo, nist, iso or all" },
  ["--planner"] = { "planners", read_planners, "all, or some of " .. table.concat(PLANNERS, ", ") },
  ["--figures"] = { "figures" }, -- takes none
  ["--report"] = { "report" },
  ["--runs"] = { "runs", function(text) return whole(text, 1) end, "a whole number >= 1" },
  ["--worker"] = { "worker", tostring, "a file" },
  ["--filter"] = { nil, read_pattern, PATTERN },
  ["--filter-out"] = { nil, read_pattern, PATTERN },
  ["--pattern"] = { nil, read_pattern, PATTERN },
  ["--exclude-pattern"] = { nil, read_pattern, PATTERN },
}
OPTIONS["-o"], OPTIONS["-p"] = OPTIONS["--output"], OPTIONS["--pattern"]

local options = { out = "out/test", format = "text", jobs = 1, parts = 1, deadline = 10 }
local rest = {}
local at = 1
while at <= #arguments do
  local argument = arguments[at]
  local name, value = argument:match "^(%-%-[%w%-]+)=(.*)$"
  if not name then name = argument end
  if argument:match "^%-o." then name, value = "-o", argument:sub(3) end
  local option = OPTIONS[name]
  if option and not option[2] then
    if value then return nil, name .. " takes no value" end
    options[option[1]] = true
  elseif option then
    if value == nil then
      at = at + 1
      value = arguments[at]
    end
    if value == nil then return nil, name .. " needs a value" end
    local read = option[2](value)
    if read == nil then return nil, ("%s must be %s, got '%s'"):format(name, option[3], value) end
    if option[1] then
      options[option[1]] = read
    else
      rest[#rest + 1], rest[#rest + 2] = name, value
    end
  else
    rest[#rest + 1] = argument
  end
  at = at + 1
end

if options.planners and not options.suite then
  return nil, "--planner is of the suites: give --suite too; other tests name the planners of their worlds"
end
options.planners = options.planners or { "orca" }
options.own = OWN[options.format] or false
if not options.own then
  if options.report then
    return nil, ("--report goes with the outputs text, TAP and junit, not with '%s'"):format(options.format)
  end
  if options.jobs > 1 then
    return nil, ("--jobs goes with the outputs text, TAP and junit, not with '%s'"):format(options.format)
  end
  rest[#rest + 1] = "--output=" .. options.format
end
host.limit(options)
return options, rest
