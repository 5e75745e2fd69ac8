-- Behaviour functions: called once, with values that note what is computed from them. The notes are a program
-- (kernels/behaviour/program.h) that runs for every agent in every frame; Lua is not entered again.
--
-- A comparison of such values gives Lua a plain boolean, whatever its metamethod returns. So each comparison is noted
-- and answered "true", and the throng.select whose first argument it is takes the note. Then the function is called
-- again with "false" for an answer: only where every answer went straight into its throng.select are the two
-- programs the same. All else (`if`, `and`, `or`, `not` between them) differs or leaves notes over, and is an error.

local host = ...

local notes = host.library "program_notes"(host)
local agent = host.library "program_agent"(host, notes)
local code = host.library "program_code"(host)
local slow = host.library "program_slow"(host, notes, agent)
local node, operand, apply = notes.node, notes.operand, notes.apply
local either_way, is_recorded = notes.either_way, notes.is_recorded

local recorder = { call = slow.call, choose = slow.choose, check_free = agent.check_free }

local function raise(...) host.raise(string.format(...)) end

-- ---- throng.select and its like

-- Outside of behaviour functions, where nothing is recorded that would look.
local function check_numbers(name, cure, ...)
  for i = 1, select("#", ...) do
    local value = select(i, ...)
    if type(value) ~= "number" then raise("%s: expected numbers, got %s%s", name, host.describe(value), cure) end
  end
end

local function unknown_truth(value)
  raise("throng.select: the first argument must be a comparison like a.x < 3, or a number (0: no), got %s%s",
    host.describe(value), type(value) == "boolean" and "; for equality there is throng.equal(a.group, 1), for what is"
    .. " known beforehand there is `if`" or "")
end

--- throng.select(condition, yes, no)
--- `yes` where the condition holds, else `no`: throng.select(a.speed < 1, 0.5, 2). The comparison must stand in the
--- call; to use it twice, or join two, make numbers of them: `local slow = throng.select(a.speed < 1, 1, 0)`,
--- throng.select(slow, x, y).
--- @param condition boolean|number(1) A comparison, or a number: 0 is no.
--- @param yes number(any) The value where it holds.
--- @param no number(any) The value elsewhere.
--- @return number(any)
--- @error a condition that Lua has decided already, like one that was kept in a local; a value that is no number
--- @example
--- guests.speed = function(t, a) return throng.select(a.x < 3, 0.8, 1.3) end
function recorder.select(condition, yes, no)
  if not notes.current then
    if type(condition) ~= "boolean" and type(condition) ~= "number" then unknown_truth(condition) end
    check_numbers("throng.select", "; outside of behaviour functions `if` chooses between other values", yes, no)
    if condition and condition ~= 0 then return yes end
    return no
  end
  if type(condition) == "boolean" then
    local pending = table.remove(notes.current.pending)
    if not pending then unknown_truth(condition) end
    if condition ~= notes.current.answer then
      yes, no = no, yes
    end
    condition = pending.node
  elseif type(condition) ~= "number" and not is_recorded(condition) then
    unknown_truth(condition)
  end
  condition, yes, no = operand(condition), operand(yes), operand(no)
  return node("select", nil, condition, yes, no)
end

--- throng.equal(a, b)
--- 1 where the numbers are equal, else 0: `==` itself cannot be recorded.
--- @param a number(any) A value.
--- @param b number(any) Another one.
--- @return number(1)
--- @error a value that is no number
--- @example
--- guests.speed = function(t, a) return throng.select(throng.equal(a.id, 0), 0.8, 1.3) end
function recorder.equal(a, b)
  if is_recorded(a) or is_recorded(b) then return either_way("equal", a, b) end
  check_numbers("throng.equal", "; outside of behaviour functions == compares other values", a, b)
  return a == b and 1 or 0
end

--- throng.noise(x, y, z)
--- Smooth noise in space, -1 to 1, 0 at whole numbers: the same in every world.
--- @param x number(1) Where.
--- @param y? number(1) Where, default 0.
--- @param z? number(1) Where, default 0: time, for noise that changes.
--- @return number(1)
--- @error a value that is no number
--- @example
--- guests.speed = function(t, a) return 1.2 + 0.3 * throng.noise(a.x / 5, a.y / 5, t / 10) end
function recorder.noise(x, y, z)
  y, z = y or 0, z or 0
  if is_recorded(x) or is_recorded(y) or is_recorded(z) then return apply("noise", x, y, z) end
  check_numbers("throng.noise", "", x, y, z)
  return host.noise(x, y, z)
end

--- throng.random()
--- In a behaviour function: a random number in [0, 1), different for each agent, frame and call.
--- Elsewhere there is math.random. In a scenario it follows the world's seed; in a spec it gives the same numbers from
--- the start of each file, whatever ran before (`before_each(function() math.randomseed(7) end)`: of each test).
--- @return number(1)
--- @error outside a behaviour function
--- @example
--- guests.speed = function(t, a) return 1.2 + 0.1 * throng.random() end
function recorder.random()
  if not notes.current then raise "throng.random is for behaviour functions; elsewhere there is math.random" end
  notes.current.randoms = notes.current.randoms + 1
  return node("random", notes.current.randoms - 1)
end

-- A number as the value that a behaviour function computes with.
function recorder.value(number) return operand(number) end

-- Raises unless a behaviour function is being recorded that may read the smoke of that world.
function recorder.check_smoke(world)
  local current = notes.current
  if not current then raise "smoke:here is for behaviour functions; elsewhere there is smoke:at" end
  if current.world and current.world ~= host.identity_of(world) then
    raise("smoke:here: this is another world's smoke; the agents that the behaviour function is given to have what"
      .. " world:smoke of their own world returned")
  end
end

-- What is in a layer of the air where the agent stands (kernels/behaviour/air.h).
function recorder.air(layer) return node("air", layer) end

-- ---- recording

-- Of a line of Lua what is inside functions that end in it.
local function inside_functions(line)
  local kept, depth = {}, 0
  for before, word in line:gmatch "(.-)%f[%w_](%a+)%f[^%w_]" do
    if depth > 0 then kept[#kept + 1] = before end
    if word == "function" or depth > 0 and (word == "if" or word == "do" or word == "repeat") then
      depth = depth + 1
    elseif depth > 0 and (word == "end" or word == "until") then
      depth = depth - 1
    end
  end
  return table.concat(kept, " ")
end

-- Comparisons with == never reach us when one side is a plain number: look for them in the text.
local function check_text(fn)
  local source, first, last = host.text_of(fn)
  local text = source and host.read(source)
  if not text then return end
  local number = 0
  for line in text:gmatch "([^\n]*)\n?" do
    number = number + 1
    if number >= first and number <= last then
      line = line:gsub([[(["'])(.-)%1]], '""'):gsub("%-%-.*", "")
      if first == last then
        line = inside_functions(line)
      elseif number == first then
        line = line:gsub("^.-function", "function", 1)
      end
      if line:find("[=~]=") then
        error(("%s:%d: == and ~= do not work in a behaviour function; write throng.select(throng.equal(a.group, 1),"
          .. " x, y), or compare plain values before the function"):format(source, number), 0)
      end
    end
  end
end

local function results_of(fn, answer, wanted, agents)
  notes.current = {
    nodes = {}, pending = {}, places = {}, count = 0, randoms = 0, answer = answer,
    own = agents.own, world = agents.world,
  }
  local t = node("time")
  local got = table.pack(fn(t, agent.recorded()))
  local left = notes.current.pending[1]
  if left then error(("%s: %s"):format(left.at, notes.BRANCH), 0) end
  local at = host.place_of(fn)
  if wanted and got.n ~= wanted then
    error(("%s: this behaviour function must return %s, it returned %d values"):format(at, notes.RESULTS[wanted],
      got.n), 0)
  end
  for i = 1, got.n do
    if not is_recorded(got[i]) and type(got[i]) ~= "number" then
      error(("%s: this behaviour function must return numbers, it returned %s%s"):format(at, host.describe(got[i]),
        got[i] == nil and " (a table cannot be looked up by an agent's value: assign a list of values, or use "
          .. "throng.behaviour(f, { slow = true }))" or ""), 0)
    end
    got[i] = operand(got[i])
  end
  if got.n == 0 or got.n > 2 then
    error(("%s: a behaviour function returns one number or two, it returned %d"):format(at, got.n), 0)
  end
  local program = code.emit({ table.unpack(got, 1, got.n) }, notes.current.nodes)
  program.places = notes.current.places
  program.text = code.text(program)
  return program
end

local function protected(fn, answer, wanted, agents)
  host.recording(true)
  local ok, program = pcall(results_of, fn, answer, wanted, agents)
  host.recording(false)
  notes.current = nil
  local at = not ok and type(program) == "string" and program:match "^(.-:%d+): 'for' .- must be a number"
    or not ok and type(program) == "string" and program:match "^(.-:%d+): bad 'for' "
  if at then error(("%s: %s"):format(at, notes.LOOP), 0) end
  if not ok then error(program, 0) end
  return program
end

-- The program of a function with `wanted` results (nil: one or two). `agents` says whose it is: `own`, the script's own
-- columns that they have, and `world`, the identity of theirs (nil: not known):
-- { code = { { op =, to =, a =, b =, c =, index =, at = "file:line" }, ... }, results = { register, ... },
-- places = {...}, text = }
function recorder.compile(fn, wanted, agents)
  check_text(fn)
  local program = protected(fn, true, wanted, agents)
  if protected(fn, false, wanted, agents).text ~= program.text then
    error(("%s: %s"):format(host.place_of(fn), notes.BRANCH), 0)
  end
  return program
end

--- throng.explain(f, world)
--- Prints the program that a behaviour function is compiled to, an instruction a line, and returns that text.
--- @param f throng.behaviour_like A function(t, a), or throng.behaviour(...).
--- @param world? throng.world Whose own columns (world:column) it may read.
--- @return string
--- @error a function that cannot be recorded; the message has the line and the remedy
--- @example
--- throng.explain(function(t, a) return 1 + 0.2 * math.sin(t + a.id) end)
function recorder.explain(fn, world)
  fn = host.function_of(fn)
  local agents = { own = world and host.own_columns(world) or {}, world = world and host.identity_of(world) }
  local program = recorder.compile(fn, nil, agents)
  local text = ("behaviour function of %s: %d instructions, %d registers\n%s"):format(host.place_of(fn), #program.code,
    program.registers, program.text)
  host.print(text)
  return text
end

return recorder
