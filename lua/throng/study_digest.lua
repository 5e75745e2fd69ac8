-- What a function of a study's script does, as a short text: the same in every process, and another when its code or
-- the numbers, texts, booleans and functions that it takes from around it are others.
local digest = {}

-- FNV-1a.
local function add(hash, text)
  for i = 1, #text do hash = (hash ~ text:byte(i)) * 0x100000001b3 end
  return hash
end

local function add_function(hash, call, seen)
  seen[call] = true
  hash = add(hash, string.dump(call, true))
  for i = 1, debug.getinfo(call, "u").nups do
    local _, value = debug.getupvalue(call, i)
    local kind = type(value)
    if kind == "number" or kind == "string" or kind == "boolean" then hash = add(hash, ("%q"):format(value)) end
    if kind == "function" and debug.getinfo(value, "S").what == "Lua" and not seen[value] then
      hash = add_function(hash, value, seen)
    end
  end
  return hash
end

-- "" where there is no function.
function digest.of(call) return call and ("%016x"):format(add_function(0xcbf29ce484222325, call, {})) or "" end

return digest
