-- Is a text one of Lua's patterns? string.find alone says so of what it comes to only.

-- Where the set that begins at `at` ends; nil: it does not.
local function end_of_set(text, at)
  at = at + (text:sub(at + 1, at + 1) == "^" and 2 or 1)
  repeat
    if at > #text then return nil end
    at = at + (text:sub(at, at) == "%" and 2 or 1)
  until text:sub(at, at) == "]"
  return at
end

-- Where the item that begins at `at` ends; nil: it is none.
local function end_of_item(text, at)
  local first, second, third = text:sub(at, at), text:sub(at + 1, at + 1), text:sub(at + 2, at + 2)
  if first == "[" then return end_of_set(text, at) end
  if first ~= "%" then return at end
  if second == "b" then return at + 3 <= #text and at + 3 or nil end
  if second == "f" then return third == "[" and end_of_set(text, at + 2) or nil end
  return second ~= "" and at + 1 or nil
end

return function(text)
  local at, open = 1, 0
  while at <= #text do
    local item = text:sub(at, at)
    open = open + (item == "(" and 1 or item == ")" and -1 or 0)
    local last = end_of_item(text, at)
    if not last or open < 0 then return false end
    at = last + 1
  end
  return open == 0 and pcall(string.find, "", text)
end
