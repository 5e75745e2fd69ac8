-- Reads what sources say about the Lua API: doc comments beside the bindings, in C
--
--   /*--- group:tag(name)
--    * Gives the agents a tag. world:tagged finds them by it.
--    * @param name string The tag.
--    * @return throng.group self
--    * @error an empty name */
--
-- and in Lua, with `---` before each line. The first line says what is documented: a function with its arguments,
-- `class throng.group as group` (and `: parent`), or `alias throng.place = string|throng.shape`. A line that begins
-- with no @ goes on with the one before it. Tags: @param, @return, @error (input that raises), @event name (of group:on
-- and the like), @overload (other arguments, as LuaLS has it), @field, @operator (of classes), and @example with all
-- lines below it. Types are those of LuaLS, and numbers have their unit: number(m), number(1) for one without.
local annotations = {}

-- The end of the type that `text` begins with: spaces end it, but not inside brackets and quotes or after `:`, `,` and
-- `|`.
local function type_end(text)
  local depth, before, quoted = 0, "", false
  for at = 1, #text do
    local c = text:sub(at, at)
    if c:find "[%(%[{<]" then depth = depth + 1 end
    if c:find "[%)%]}>]" then depth = depth - 1 end
    if c == '"' then quoted = not quoted end
    if c == " " and depth == 0 and not quoted and not before:find "[:,|]" then return at - 1 end
    if c ~= " " then before = c end
  end
  return #text
end

local function split_type(text)
  local to = type_end(text)
  return text:sub(1, to), text:sub(to + 1):match "^%s*(.*)$"
end

local function named(text)
  local name, optional, rest = text:match "^(%[?[%w_%.]+%]?)(%??)%s+(.*)$"
  if not name then return nil end
  local kind, words = split_type(rest)
  return { name = name, optional = optional == "?", type = kind, text = words }
end

local tags = {
  param = function(entry, text) table.insert(entry.params, (assert(named(text), text))) end,
  field = function(entry, text) table.insert(entry.fields, (assert(named(text), text))) end,
  event = function(entry, text)
    local name, words = text:match "^([%w_]+)%s+(.*)$"
    table.insert(entry.events, { name = name, text = words })
  end,
  ["return"] = function(entry, text)
    local kind, words = split_type(text)
    table.insert(entry.returns, { type = kind, text = words })
  end,
  error = function(entry, text) table.insert(entry.errors, text) end,
  overload = function(entry, text) table.insert(entry.overloads, text) end,
  operator = function(entry, text) table.insert(entry.operators, text) end,
  example = function(entry, text) entry.example = text:match "^%s*(.*)$" end,
}

local function heading(line)
  local class, rest = line:match "^class ([%w_%.]+)(.*)$"
  if class then
    return { kind = "class", name = class, var = rest:match " as (%w+)", parent = rest:match ": ([%w_%.]+)" }
  end
  local alias, meaning = line:match "^alias ([%w_%.]+) = (.+)$"
  if alias then return { kind = "alias", name = alias, type = meaning } end
  local name, arguments = line:match "^([%w_%.:]+)%((.-)%)$"
  if name then
    local owner, last = name:match "^(.*)([%.:][%w_]+)$" -- none: a global of specs
    return { kind = "function", name = name, arguments = arguments, owner = owner, last = last }
  end
end

local function parse(lines, where)
  local entry = heading(lines[1])
  if not entry then
    error(("%s: expected a function, class or alias after ---, got '%s'"):format(where, lines[1]), 0)
  end
  entry.where = where
  entry.text, entry.params, entry.returns, entry.fields = "", {}, {}, {}
  entry.errors, entry.events, entry.operators, entry.overloads = {}, {}, {}, {}
  local parts = { { "text", "" } }
  for i = 2, #lines do
    local tag, rest = lines[i]:match "^%s*@(%w+)%s?(.*)$"
    local last = parts[#parts]
    if tag then
      if not tags[tag] then error(("%s: unknown tag @%s"):format(where, tag), 0) end
      parts[#parts + 1] = { tag, rest }
    elseif last[1] == "example" then
      last[2] = last[2] .. "\n" .. lines[i]
    else
      last[2] = (last[2] .. " " .. lines[i]:match "^%s*(.-)%s*$"):match "^%s*(.*)$"
    end
  end
  entry.text = parts[1][2]
  for i = 2, #parts do
    tags[parts[i][1]](entry, parts[i][2])
  end
  return entry
end

-- The lines of the doc comment that begins at lines[at], and the line after it; nil when none begins there.
local function block(lines, at, in_lua)
  local first = lines[at]:match(in_lua and "^%-%-%- (.+)$" or "^%s*/%*%-%-%- (.+)$")
  if not first then return nil end
  local found = {}
  if in_lua then
    repeat
      found[#found + 1] = lines[at]:match "^%-%-%- ?(.*)$"
      at = at + 1
    until not (lines[at] and lines[at]:find "^%-%-%-")
    return found, at
  end
  local line, open = first, true
  while open do
    local text = line:match "^(.-)%s*%*/"
    open = not text
    found[#found + 1] = text or line
    at = at + 1
    if open then line = lines[at]:match "^%s*%* ?(.*)$" or lines[at] end
    if open and lines[at]:find "^%s*%*/" then open, at = false, at + 1 end
  end
  return found, at
end

-- The entries of a source file, in its order.
function annotations.read(path)
  local file = assert(io.open(path))
  local lines, entries = {}, {}
  for line in file:lines() do lines[#lines + 1] = line end
  file:close()
  local at = 1
  while at <= #lines do
    local found, after = block(lines, at, path:find "%.lua$" ~= nil)
    if found then entries[#entries + 1] = parse(found, path .. ":" .. at) end
    at = after or at + 1
  end
  return entries
end

return annotations
