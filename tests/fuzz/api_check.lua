-- Runs the lines of a story (api.lua), and says what is wrong with what they did. Scripts that api_spec.lua writes have
-- this file's text in them.
local throng = require "throng"

local check = {}

local function cycle()
  local t = {}
  t[1], t.x, t.name = t, t, t
  return t
end

-- How many a group has; one where its world was closed, so that what is done with it is what complains.
local function size(group)
  local ok, count = pcall(function() return #group end)
  return ok and count or 1
end

-- What a column takes: a list as long as the group, and a point for each.
local function spread(group, from, to)
  local list, count = {}, size(group)
  for i = 1, count do list[i] = from + (to - from) * i / count end
  return list
end

local function spots(group, x0, y0, x1, y1)
  local x, y, list = spread(group, x0, x1), spread(group, y0, y1), {}
  for i = 1, #x do list[i] = { x[i], y[i] } end
  return list
end

local Run = {}
Run.__index = Run

-- backend: { simd, threads, backend } of its worlds, which lines see as B. spec: { assert, across } of `throng test`.
function check.run(backend, spec)
  spec = spec or {}
  return setmetatable({ v = {}, B = backend, results = {}, assert = spec.assert, across = spec.across }, Run)
end

-- A line as a table in Lua.
function check.written(line)
  local when = line.version and ("version = %d, step = %d, "):format(line.version, line.step) or ""
  return ("{ at = %d, %sworld = %s, judged = %s, new = %s, text = %q }"):format(line.at, when,
    line.world and ("%q"):format(line.world), line.judged, line.new, line.text)
end

-- Does a function that is called back, one of those in a line, still act? What it makes each time, a source at every
-- point of the smoke's grid, would otherwise keep all steps after it busy.
local function few()
  local calls = {}
  return function(which)
    calls[which] = (calls[which] or 0) + 1
    return calls[which] <= 20
  end
end

local HEAD = "local v, B, throng, cycle, spread, spots, few, assert, across = ... "

function Run:call(text)
  local chunk, problem = load(HEAD .. text, "=story")
  if not chunk then return false, "no Lua: " .. problem end
  return pcall(chunk, self.v, self.B, throng, cycle, spread, spots, few(), self.assert or assert, self.across)
end

-- What a question gives, nil when it cannot be asked.
function Run:ask(text)
  local ok, result = self:call(text)
  if ok then return result end
end

-- Words of Lua's own errors: a mistake of the script's own line has them, too, and its position.
local function is_internal(message)
  if message:find("[throng]", 1, true) then return true end
  return message:find "^[^:]+:%d+: bad argument #%d" and not message:find "^story:%d+:"
end

local function told(problem) return tostring(type(problem) == "table" and problem.message or problem) end

-- Texts that say nothing of a place: what a script raised itself.
local function judged(message)
  if type(message) == "table" and message.message then -- an assertion's, whose place busted adds
    return is_internal(told(message)) and "internal: " .. told(message) or nil
  end
  if type(message) ~= "string" then -- error() and error {} are the script's
    local own = message == nil or type(message) == "table" and next(message) == nil
    return not own and "raised a " .. type(message) or nil
  end
  if message:find "^no Lua: " then return message end
  if is_internal(message) then return "internal: " .. message end
  local has_place = message:find "^[%w_%./]+:%d+: " or message:find "\nstack:\n  [%w_%./]+:%d+: "
    or message:find "^attempt to yield " -- Lua's own, of a C function
  if not has_place then return "no position: " .. message end
end

-- Runs a line; a text when something is wrong.
function Run:line(line)
  local before = line.world and not line.new and self:ask(("return %s:hash()"):format(line.world))
  local ok, result = self:call(line.text)
  self.ok, self.v[line.at] = ok, nil
  if ok then self.v[line.at] = result end
  local after = line.world and self:ask(("return %s:hash()"):format(line.world))
  self.results[line.at] = { ok = ok, message = not ok and told(result) or nil, hash = after }
  if ok then return nil end
  if before and after and before ~= after and line.judged then
    return ("changed: it failed (%s), and the world's hash is another"):format(told(result))
  end
  return judged(result)
end

-- A message but for what it says of the machine, and of lists with holes, whose length is one thing or another.
local function said(message)
  return message and message:gsub("the backend %l+ has %d+", "the backend has some"):gsub("a list of %d+", "a list")
end

-- Where two runs of the same line differ.
function check.difference(one, other, line)
  local a, b = one.results[line.at], other.results[line.at]
  if not a or not b then return nil end
  if a.ok ~= b.ok or said(a.message) ~= said(b.message) then
    return ("differs: '%s' and with another SIMD width '%s'"):format(a.message or "done", b.message or "done")
  end
  if a.hash ~= b.hash then
    return ("differs: hash %s and with another SIMD width %s"):format(tostring(a.hash), tostring(b.hash))
  end
end

function Run:close()
  for _, value in pairs(self.v) do
    pcall(function() if value.spawn and value.hash then value:close() end end)
  end
  self.v = {}
end

-- Runs all lines again, elsewhere: where it differs from the run before, and what is wrong there, goes to `tell`.
function check.again(first, lines, backend, spec, tell)
  local again, differs = check.run(backend, spec), false
  for _, line in ipairs(lines) do
    local problem = again:line(line)
    if problem and not first then tell(line.at, problem) end
    problem = first and not differs and check.difference(first, again, line)
    if problem then
      differs = true
      tell(line.at, problem)
    end
  end
  again:close()
  return again
end

-- What a written script does: the lines, and again with the other SIMD width and threads.
function check.replay(lines, one, other, spec)
  local function tell(at, problem) print(("! 0 %d %s"):format(at, problem)) end
  local first = check.again(nil, lines, one, spec, tell)
  check.again(first, lines, other, spec, tell)
  return throng.world { threads = 1, simd = 1, backend = "cpu", seconds = 1e-3, dt = 1e-3, record = false }
end

-- The world of a scenario that was made by the first line, and what it does in each step.
function check.scenario(run, on_step)
  local world, step = run.v[1], 0
  if not run:ask "return v[1].steps" then error "deliberate" end -- it was closed
  world:on_step(function()
    step = step + 1
    on_step(step)
  end)
  return world
end

-- What a written scenario that is reloaded does: this version's lines.
function check.version(lines, version)
  local run = check.run { simd = 1, threads = 1, backend = "cpu" }
  local function play(step)
    for _, line in ipairs(lines) do
      local problem = line.version == version and line.step == step and run:line(line)
      if problem then print(("! 0 %d %s"):format(line.at, problem)) end
    end
  end
  play(0)
  return check.scenario(run, play)
end

return check
