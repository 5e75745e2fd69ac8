-- For specs of files that hold bytes as text.
local DIGITS = {}
for i, c in ipairs { ("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"):byte(1, 64) } do
  DIGITS[c] = i - 1
end

-- The bytes that a text in base64 stands for.
return function(text)
  local bytes = {}
  for i = 1, #text, 4 do
    local a, b, c, d = text:byte(i, i + 3)
    local three = DIGITS[a] << 18 | DIGITS[b] << 12 | (DIGITS[c] or 0) << 6 | (DIGITS[d] or 0)
    bytes[#bytes + 1] = string.pack(">I3", three):sub(1, DIGITS[d] and 3 or DIGITS[c] and 2 or 1)
  end
  return table.concat(bytes)
end
