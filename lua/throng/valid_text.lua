-- A text that XML and HTML may hold: bytes that are no character's of UTF-8, and U+FFFE and U+FFFF, are told like \xFF.
local function told(bytes)
  return (bytes:gsub(".", function(byte) return ("\\x%02X"):format(byte:byte()) end))
end

return function(text)
  local parts, at = {}, 1
  local whole, bad = utf8.len(text)
  while not whole do
    parts[#parts + 1] = text:sub(at, bad - 1) .. told(text:sub(bad, bad))
    at = bad + 1
    whole, bad = utf8.len(text, at)
  end
  parts[#parts + 1] = text:sub(at)
  return (table.concat(parts):gsub("\xEF\xBF[\xBE\xBF]", told))
end
