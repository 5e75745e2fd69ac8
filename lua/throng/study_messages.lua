-- Plain values as a line of text and back: what a study's processes tell each other. As Lua, not as JSON, whose numbers
-- would not come back with all their bits, NaN not at all, and curves are bytes.
local messages = {}

local function write(value, out)
  if type(value) ~= "table" then
    out[#out + 1] = ("%q"):format(value):gsub("\\\n", "\\n")
    return
  end
  out[#out + 1] = "{"
  for key, one in pairs(value) do
    out[#out + 1] = ("[%q]="):format(key)
    write(one, out)
    out[#out + 1] = ","
  end
  out[#out + 1] = "}"
end

function messages.write(value)
  local out = {}
  write(value, out)
  return table.concat(out)
end

function messages.read(line) return assert(load("return " .. line, "=messages", "t", {}))() end

return messages
