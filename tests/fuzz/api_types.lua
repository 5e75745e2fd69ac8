-- What is documented, read from lua/meta/throng.lua: classes with their fields and functions, and aliases, with their
-- types. api.lua makes its calls from that, so that what is documented is called without being named anywhere else.
-- A type is a table: { kind = "union", ... }, "list" (of), "map" (key, value), "record" (fields), "function" (params,
-- returns), "value" (text: a literal of Lua), or "name" (name).
local types = {}

-- ---- types

local parse_union

local function skip(text, at) return text:match("^%s*()", at) end

-- name?: type, or [1]: type
local function parse_fields(text, at, closing)
  local fields = {}
  at = skip(text, at)
  while text:sub(at, at) ~= closing do
    local name, optional, next_at = text:match("^([%w_%.]+)(%??)%s*:?()", at)
    if not name then
      name, optional, next_at = text:match("^%[([%w_]+)%](%??)%s*:?()", at)
      name = tonumber(name) or name
    end
    if not name then error(("no field at '%s'"):format(text:sub(at, at + 20))) end
    local kind
    kind, at = parse_union(text, skip(text, next_at))
    fields[#fields + 1] = { name = name, optional = optional == "?", type = kind }
    at = skip(text, at)
    if text:sub(at, at) == "," then at = skip(text, at + 1) end
  end
  return fields, at + 1
end

local function parse_returns(text, at)
  local returns = {}
  local next_at = text:match("^%s*:%s*()", at)
  while next_at do
    returns[#returns + 1], at = parse_union(text, next_at)
    next_at = text:match("^,%s*()", at)
    if next_at and (text:find("^[%w_]+%??%s*:", next_at) or text:find("^%[", next_at)) then break end -- of a record
  end
  return returns, at
end

local function parse_primary(text, at)
  local first, name, next_at = text:sub(at, at), text:match("^([%w_%.]+)()", at)
  if first == "(" then
    local inner
    inner, at = parse_union(text, at + 1)
    return inner, at + 1
  elseif first == "{" then
    local fields
    fields, at = parse_fields(text, at + 1, "}")
    return { kind = "record", fields = fields }, at
  elseif first == '"' then
    local literal, after = text:match('^(".-")()', at)
    return { kind = "value", text = literal }, after
  elseif name == "fun" then
    local params, returns
    params, at = parse_fields(text, next_at + 1, ")")
    returns, at = parse_returns(text, at)
    return { kind = "function", params = params, returns = returns }, at
  elseif name == "table" and text:sub(next_at, next_at) == "<" then
    local key, value
    key, at = parse_union(text, next_at + 1)
    value, at = parse_union(text, skip(text, at + 1))
    return { kind = "map", key = key, value = value }, at + 1
  elseif tonumber(name) or name == "true" or name == "false" then
    return { kind = "value", text = name }, next_at
  elseif name then
    return { kind = "name", name = name }, next_at
  end
  error(("no type at '%s'"):format(text:sub(at, at + 20)))
end

function parse_union(text, at)
  local all, optional = { kind = "union" }, false
  repeat
    local one
    one, at = parse_primary(text, at)
    while text:find("^%[%]", at) or text:find("^%?", at) do
      if text:sub(at, at) == "?" then
        optional, at = true, at + 1
      else
        one, at = { kind = "list", of = one }, at + 2
      end
    end
    all[#all + 1] = one
    local more = text:sub(at, at) == "|"
    if more then at = at + 1 end
  until not more
  local result = #all == 1 and all[1] or all
  if optional then result = { kind = "union", { kind = "value", text = "nil" }, result } end
  return result, at
end

-- ---- numbers: the range that the text gives

local NUMBER = "(%-?[%d%.]+e?[%d]*)"

local function number(text) return tonumber((text:gsub("%.$", ""))) end

local function range_of(text)
  local range = {}
  local from, to = text:match("From " .. NUMBER .. " to " .. NUMBER)
  local least, most = text:match("[Aa]t least " .. NUMBER), text:match("[Aa]t most " .. NUMBER)
  local above, below = text:match("[Mm]ore than " .. NUMBER), text:match("[Ll]ess than " .. NUMBER)
  range.least, range.most = number(from or least or above or ""), number(to or most or below or "")
  range.above, range.below = not (from or least) and above ~= nil, not (to or most) and below ~= nil
  range.default = number(text:match("[Dd]efault " .. NUMBER) or "")
  return range
end

local function read_member(line)
  local name, optional, rest = line:match "^(%[?[%w_%.]+%]?)(%??) (.*)$"
  local kind, at = parse_union(rest, 1)
  local text = rest:sub(at)
  return { name = name, optional = optional == "?", type = kind, text = text, range = range_of(text) }
end

-- ---- the file

-- { classes = { [name] = { name, parent, fields, functions } }, aliases = { [name] = type }, functions = { names } }
function types.read(text)
  local all = { classes = {}, aliases = {}, functions = {} }
  local class, var_of, pending = nil, {}, { params = {}, returns = {} }
  for line in text:gmatch "[^\n]+" do
    local tag, rest = line:match "^%-%-%-@(%w+) (.*)$"
    if tag == "class" then
      local name, parent = rest:match "^([%w_%.]+):? ?([%w_%.]*)"
      class = { name = name, parent = parent ~= "" and parent or nil, fields = {}, functions = {} }
      all.classes[name] = class
    elseif tag == "alias" then
      local name, kind = rest:match "^([%w_%.]+) (.*)$"
      all.aliases[name] = parse_union(kind, 1)
    elseif tag == "field" then
      table.insert(class.fields, read_member(rest))
    elseif tag == "param" then
      table.insert(pending.params, read_member(rest))
    elseif tag == "return" then
      table.insert(pending.returns, (parse_union(rest, 1)))
    elseif line:find "^local [%w_]+ = {}" then
      var_of[line:match "^local ([%w_]+)"] = class
    end
    local owner, separator, name = line:match "^function ([%w_]-)([%.:]?)([%w_]+)%("
    if name then
      local of = separator ~= "" and var_of[owner] or nil
      local entry = { name = name, method = separator == ":", params = pending.params, returns = pending.returns,
        class = of and of.name, full = of and of.name .. separator .. name or name }
      if of then of.functions[name] = entry end
      table.insert(all.functions, entry)
      pending = { params = {}, returns = {} }
    end
  end
  return all
end

-- Fields of a class, its parents' too.
function types.fields(all, name)
  local fields, class = {}, all.classes[name]
  while class do
    for _, field in ipairs(class.fields) do fields[#fields + 1] = field end
    class = class.parent and all.classes[class.parent]
  end
  return fields
end

return types
