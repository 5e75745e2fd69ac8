-- From the notes of a behaviour function to its program: instructions over registers, and their text.
local host = ...

local REGISTERS = 32

local function raise(...) host.raise(string.format(...)) end

-- Nodes in the order in which they are computed, each as late as can be, with the number of their uses.
local function ordered(results)
  local order, uses = {}, {}
  local function visit(n)
    if uses[n.id] then
      uses[n.id] = uses[n.id] + 1
      return
    end
    uses[n.id] = 1
    for _, input in ipairs(n.inputs) do
      visit(input)
    end
    order[#order + 1] = n
  end
  for _, result in ipairs(results) do
    visit(result)
  end
  return order, uses
end

local function allocator()
  local taken, most = {}, 0
  local registers = {}
  function registers.take()
    for r = 0, REGISTERS - 1 do
      if not taken[r] then
        taken[r] = true
        most = math.max(most, r + 1)
        return r
      end
    end
    raise("this behaviour function is too large: more than %d values are needed at once", REGISTERS)
  end
  function registers.free(r) taken[r] = nil end
  function registers.most() return most end
  return registers
end

-- The program that computes the results, of the recording whose nodes these are.
local function emit(results, nodes)
  local order, uses = ordered(results)
  local registers, at, code = allocator(), {}, {}
  for _, n in ipairs(order) do
    local inputs = {}
    for i, input in ipairs(n.inputs) do
      inputs[i] = at[input.id]
    end
    local function release()
      for _, input in ipairs(n.inputs) do
        uses[input.id] = uses[input.id] - 1
        if uses[input.id] == 0 then registers.free(at[input.id]) end
      end
    end
    if n.op == "x" or n.op == "y" then
      at[n.id] = at[n.inputs[1].id][n.op] -- the vector's instruction has written it
    elseif n.op:find "^to_" then
      local x, y = registers.take(), registers.take()
      at[n.id] = { x = x, y = y }
      code[#code + 1] = { op = n.op, to = x, b = y, index = n.index, at = n.at }
      for _, component in ipairs { "x", "y" } do
        local reader = nodes[component .. " nil " .. n.id]
        if not reader or not uses[reader.id] then registers.free(at[n.id][component]) end
      end
    else
      release()
      at[n.id] = registers.take()
      code[#code + 1] =
        { op = n.op, to = at[n.id], a = inputs[1], b = inputs[2], c = inputs[3], index = n.index, at = n.at }
    end
  end
  local registers_of = {}
  for i, result in ipairs(results) do
    registers_of[i] = at[result.id]
  end
  return { code = code, results = registers_of, registers = registers.most() }
end

-- ---- the program as text

local infix = { add = "+", subtract = "-", multiply = "*", divide = "/", less = "<", less_equal = "<=", equal = "==" }

local function instruction_text(program, i)
  local r = function(register) return "r" .. register end
  if infix[i.op] then return ("%s = %s %s %s"):format(r(i.to), r(i.a), infix[i.op], r(i.b)) end
  if i.op == "value" then return ("%s = %.9g"):format(r(i.to), i.index) end
  if i.op == "time" then return r(i.to) .. " = t" end
  if i.op == "column" or i.op == "whole" then return ("%s = a.%s"):format(r(i.to), i.index) end
  if i.op == "seen" or i.op == "walking" then
    local who = i.index == "" and "agents" or i.index
    return ("%s = how many %s it saw%s"):format(r(i.to), who, i.op == "walking" and " walk" or "")
  end
  if i.op == "air" then return ("%s = air, layer %d"):format(r(i.to), i.index) end
  if i.op == "to_place" then
    local place = program.places[i.index]
    local name = type(place) == "string" and place or "a shape"
    return ("%s, %s = vector to %s"):format(r(i.to), r(i.b), name)
  end
  if i.op == "to_goal" then return ("%s, %s = vector to its goal"):format(r(i.to), r(i.b)) end
  if i.op == "to_nearest" then
    return ("%s, %s = vector to the nearest %s"):format(r(i.to), r(i.b), i.index == "" and "agent" or i.index)
  end
  local inputs = {}
  for _, register in ipairs { i.a, i.b, i.c } do
    inputs[#inputs + 1] = r(register)
  end
  return ("%s = %s(%s)"):format(r(i.to), i.op, table.concat(inputs, ", "))
end

local function program_text(program)
  local lines = {}
  for k, instruction in ipairs(program.code) do
    lines[k] = "  " .. instruction_text(program, instruction)
  end
  local results = {}
  for k, register in ipairs(program.results) do
    results[k] = "r" .. register
  end
  lines[#lines + 1] = "  return " .. table.concat(results, ", ")
  return table.concat(lines, "\n")
end

return { emit = emit, text = program_text }
