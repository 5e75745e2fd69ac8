-- What a study goes by, as short texts: the same in every process, and others when it goes by something else.
local digest = {}

local BEGIN = 0xcbf29ce484222325

-- FNV-1a.
local function add(hash, text)
  for i = 1, #text do hash = (hash ~ text:byte(i)) * 0x100000001b3 end
  return hash
end

local function add_function(hash, call, seen)
  seen[call] = true
  if debug.getinfo(call, "S").what == "C" then return hash end -- one of Lua's own, which has no code to look at
  hash = add(hash, string.dump(call, true))
  for i = 1, debug.getinfo(call, "u").nups do
    local _, value = debug.getupvalue(call, i)
    local kind = type(value)
    if kind == "number" or kind == "string" or kind == "boolean" then hash = add(hash, ("%q"):format(value)) end
    if kind == "function" and not seen[value] then hash = add_function(hash, value, seen) end
  end
  return hash
end

function digest.of_text(text) return ("%016x"):format(add(BEGIN, text)) end

-- Of a function: its code, and the numbers, texts, booleans and functions that it takes from around it; "" of nil.
function digest.of(call) return call and ("%016x"):format(add_function(BEGIN, call, {})) or "" end

return digest
