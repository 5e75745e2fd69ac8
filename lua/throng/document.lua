-- `throng help --write FOLDER SOURCE...`, which `make` calls: from the doc comments of the sources (annotations.lua)
-- and the tables that the host checks settings and columns by (runtime/script/bind_document.c), the annotations for
-- editors (FOLDER/meta/throng.lua) and the reference page (FOLDER/reference.md); `throng help NAME` prints sections.
local host, annotations = ...

local document = {}

-- What a reader meets first stands first; all others follow by name.
local FIRST = { "throng", "throng.world", "throng.group", "throng.column", "throng.map", "luassert" }

local META = [[
---@meta throng

-- The API of scenarios and specs, for editors (LuaLS): made by `make` from the doc comments beside the bindings
-- (runtime/, lua/throng/). Change those.
]]

local PAGE = [[
# Reference

Everything scripts can name, made by `make` from the comments beside the code; `throng help NAME` prints a section.
A number's unit stands behind its type: `number(m)`; `number(1)` has none, and `number(any)` that of the
column or value it is for. y is up, angles are in radians. A wrong kind of value, an unknown field or a number out of
range is an error that names the file, the line and what would be valid; other errors are listed under Errors.
]]

-- ---- what the host declares

-- Columns that scripts see as something else than numbers.
local NAMED = {
  planner = "throng.planner_name|throng.planner",
  routing = "throng.routing_name",
  door_policy = "throng.door_policy",
  congestion = "boolean",
}

local function sentence(text) return (text:gsub("^%l", string.upper)) end

local function with_dot(text)
  if text == "" or text:find "[%.:!?]$" then return text end
  return text .. "."
end

local function figure(value) return ("%.7g"):format(value) end

-- " More than 0, at most 100.", "" for any
local function range_of(entry)
  if not entry.least or entry.most == 0 then return "" end
  local least, most = figure(entry.least), figure(entry.most)
  local from, to = entry.least > -1e6, entry.most < 1e6
  if from and to and not entry.above and not entry.below then return (" From %s to %s."):format(least, most) end
  local words = {}
  if from then words[1] = (entry.above and "more than " or "at least ") .. least end
  if to then words[#words + 1] = (entry.below and "less than " or "at most ") .. most end
  return #words == 0 and "" or " " .. with_dot(sentence(table.concat(words, ", ")))
end

-- As a field of a class: a number gets its unit, the text range and initial value.
local function member(entry)
  local kind, text = entry.type, with_dot(sentence(entry.text))
  if kind:find "number$" or kind == "integer" then text = text .. range_of(entry) end
  if kind:find "number$" then kind = ("%s(%s)"):format(kind, entry.unit == "" and "1" or entry.unit) end
  if entry.computed then kind = kind .. "|throng.behaviour_like" end
  if entry.initial then text = text .. " Default " .. entry.initial .. "." end
  return { name = entry.name, optional = true, type = kind, text = text }
end

local function add_settings(class, declared)
  local own = class.fields
  class.fields = {}
  for i, entry in ipairs(declared) do class.fields[i] = member(entry) end
  for _, field in ipairs(own) do table.insert(class.fields, field) end
end

local function column_type(column)
  local kind = ("throng.column(%s)"):format(column.unit == "" and "1" or column.unit)
  if NAMED[column.name] then return "throng.column|" .. NAMED[column.name] end
  if column.name:find "^fsm_state$" or column.name == "fsm_before" then return "throng.column" end
  if column.least then kind = kind .. "|throng.values" end
  return column.computed and kind .. "|throng.behaviour_like" or kind
end

local function add_columns(class, type_of, note)
  for _, column in ipairs(host.declared_columns()) do
    local text = with_dot(sentence(column.text))
    if note and column.stages ~= "" then
      text = ("%s Written by stage %s."):format(text, (column.stages:gsub("^(.*), ", "%1 and ")))
    end
    if note and not column.least then
      text = text .. (column.hooked and " Read only, but for hooks of stages." or " Read only.")
    end
    table.insert(class.fields, { name = column.name, type = type_of(column), text = text })
  end
end

local function number_type(column) return ("number(%s)"):format(column.unit == "" and "1" or column.unit) end

-- ---- the entries

local function rank(name)
  for i, first in ipairs(FIRST) do
    if first == name then return i end
  end
  return #FIRST + 1
end

local function new_class(name, text)
  return { kind = "class", name = name, text = text, params = {}, returns = {}, fields = {}, errors = {}, events = {},
    operators = {}, functions = {} }
end

-- Of every planner but "none" the class of what its constructor takes, and what all constructors' comments share.
local function add_planners(classes, aliases, functions, by_owner)
  local names, constructors = {}, {}
  for _, entry in ipairs(functions) do constructors[entry.name] = entry end
  for _, planner in ipairs(host.declared_planners()) do
    names[#names + 1] = ('"%s"'):format(planner.name)
    local name = "throng." .. planner.name
    if planner.name ~= "none" then
      local entry = constructors[name]
      if not entry then error(("nothing says `%s(settings)`: add it to kernels/%s.h"):format(name, planner.name), 0) end
      local class = by_owner[name .. ".settings"]
      if not class then
        class = new_class(name .. ".settings", ("Settings of %s."):format(name))
        by_owner[class.name], classes[#classes + 1] = class, class
      end
      add_settings(class, planner.settings)
      entry.params = { { name = "settings", optional = true, type = class.name,
        text = "Its parameters; those not given have their initial values." } }
      entry.returns = { { type = "throng.planner", text = "" } }
      entry.errors = { "an unknown parameter; a value out of range; a behaviour function for a parameter that takes "
        .. "none" }
    end
  end
  table.insert(aliases, { kind = "alias", name = "throng.planner_name", type = table.concat(names, "|"),
    text = "The planners by name; throng.orca{} and so on give them parameters.", events = {}, errors = {}, params = {},
    fields = {}, returns = {} })
end

-- Classes in the order of the page, each with its functions by name; aliases by name.
function document.collect(paths)
  local classes, aliases, functions, by_owner = {}, {}, {}, {}
  for _, path in ipairs(paths) do
    for _, entry in ipairs(annotations.read(path)) do
      local list = entry.kind == "class" and classes or entry.kind == "alias" and aliases or functions
      list[#list + 1] = entry
    end
  end
  for _, class in ipairs(classes) do
    class.functions = {}
    by_owner[class.name], by_owner[class.var or class.name] = class, class
  end
  for _, entry in ipairs(functions) do
    local class = by_owner[entry.owner or "assert"]
    if not (class and class.var) then
      error(("%s: nothing says `class ... as %s`"):format(entry.where, entry.owner), 0)
    end
    table.insert(class.functions, entry)
  end
  for name, declared in pairs(host.declared_settings()) do
    if not by_owner[name] then error(("nothing says `class %s`: add it where it is checked"):format(name), 0) end
    add_settings(by_owner[name], declared)
  end
  add_planners(classes, aliases, functions, by_owner)
  add_columns(by_owner["throng.group"], column_type, true)
  add_columns(by_owner["throng.behaviour.agent"], number_type)
  local function by_name(a, b) return a.name < b.name end
  for _, class in ipairs(classes) do table.sort(class.functions, by_name) end
  table.sort(aliases, by_name)
  table.sort(classes, function(a, b)
    if rank(a.name) ~= rank(b.name) then return rank(a.name) < rank(b.name) end
    return a.name < b.name
  end)
  return { classes = classes, aliases = aliases }
end

-- ---- for editors

-- Without units: number(m) is a number.
local function plain(kind) return (kind:gsub("(%f[%w][%w%.]+)(%([%w%^/]+%))", function(word, unit)
  return word == "fun" and word .. unit or word
end)) end

-- " (m)", "" without one: editors have no place for units in types
local function unit_text(kind)
  local unit = kind:match "%f[%w][%w%.]+(%([%w%^/]+%))"
  return unit and unit ~= "(1)" and unit ~= "(any)" and not kind:find "^fun" and " " .. unit or ""
end

local function wrapped(lines, text, first)
  local line = first
  for word in text:gmatch "%S+" do
    if #line + 1 + #word > 120 and line ~= first then
      lines[#lines + 1] = line
      line = first .. word
    else
      line = line == first and line .. word or line .. " " .. word
    end
  end
  if line ~= first then lines[#lines + 1] = line end
end

local function meta_text(lines, entry)
  wrapped(lines, entry.text, "---")
  for _, event in ipairs(entry.events) do wrapped(lines, "`" .. event.name .. "`: " .. event.text, "---") end
  if #entry.errors > 0 then wrapped(lines, "Errors: " .. with_dot(table.concat(entry.errors, "; ")), "---") end
end

local function meta_member(tag, field)
  local text = field.text == "" and "" or " " .. field.text
  return ("---@%s %s%s %s%s%s"):format(tag, field.name, field.optional and "?" or "", plain(field.type), text,
    unit_text(field.type))
end

local function meta_function(lines, entry, var)
  lines[#lines + 1] = ""
  meta_text(lines, entry)
  for _, param in ipairs(entry.params) do lines[#lines + 1] = meta_member("param", param) end
  for _, overload in ipairs(entry.overloads or {}) do lines[#lines + 1] = "---@overload " .. overload end
  for _, value in ipairs(entry.returns) do
    local text = value.text .. unit_text(value.type)
    if text ~= "" then text = " # " .. text:match "^%s*(.*)$" end
    lines[#lines + 1] = ("---@return %s%s"):format(plain(value.type), text)
  end
  lines[#lines + 1] = ("function %s(%s) end"):format(entry.last and var .. entry.last or entry.name, entry.arguments)
end

local function meta_class(lines, class)
  lines[#lines + 1] = ""
  meta_text(lines, class)
  lines[#lines + 1] = "---@class " .. class.name .. (class.parent and ": " .. class.parent or "")
  for _, operator in ipairs(class.operators) do lines[#lines + 1] = "---@operator " .. operator end
  for _, field in ipairs(class.fields) do lines[#lines + 1] = meta_member("field", field) end
  if class.var then lines[#lines + 1] = ("local %s = {}"):format(class.var) end
  for _, entry in ipairs(class.functions) do meta_function(lines, entry, class.var) end
end

function document.meta(all)
  local lines = { META:sub(1, -2) }
  for _, alias in ipairs(all.aliases) do
    lines[#lines + 1] = ""
    meta_text(lines, alias)
    lines[#lines + 1] = ("---@alias %s %s"):format(alias.name, plain(alias.type))
  end
  for _, class in ipairs(all.classes) do meta_class(lines, class) end
  lines[#lines + 1] = "\nreturn throng\n"
  return table.concat(lines, "\n")
end

-- ---- the page

local function page_member(lines, field)
  local text = field.text == "" and "" or ": " .. field.text
  lines[#lines + 1] = ("- `%s%s` `%s`%s"):format(field.name, field.optional and "?" or "", field.type, text)
end

local function page_body(lines, entry)
  if entry.text ~= "" then
    lines[#lines + 1] = ""
    wrapped(lines, entry.text, "")
  end
  if #entry.params + #entry.fields + #entry.events > 0 then lines[#lines + 1] = "" end
  for _, param in ipairs(entry.params) do page_member(lines, param) end
  for _, event in ipairs(entry.events) do
    page_member(lines, { name = '"' .. event.name .. '"', type = "event", text = event.text })
  end
  for _, field in ipairs(entry.fields) do page_member(lines, field) end
  for i, value in ipairs(entry.returns) do
    lines[#lines + 1] = (i == 1 and "\nReturns " or "and ") .. "`" .. value.type .. "`" ..
      (value.text == "" and "" or ": " .. value.text) .. (i == #entry.returns and "" or ",")
  end
  if #entry.errors > 0 then
    lines[#lines + 1] = ""
    wrapped(lines, "Errors: " .. with_dot(table.concat(entry.errors, "; ")), "")
  end
  if entry.example then lines[#lines + 1] = "\n```lua\n" .. entry.example .. "\n```" end
end

-- { heading =, name =, entry =, level = } of all sections, in order
local function sections_of(all)
  local list = {}
  local function add(level, heading, entry)
    list[#list + 1] = { level = level, heading = heading, name = entry.name, entry = entry }
  end
  for _, class in ipairs(all.classes) do
    add("##", class.name .. (class.parent and ": " .. class.parent or ""), class)
    for _, entry in ipairs(class.functions) do add("###", ("%s(%s)"):format(entry.name, entry.arguments), entry) end
  end
  for _, alias in ipairs(all.aliases) do add("##", ("%s = %s"):format(alias.name, alias.type), alias) end
  return list
end

-- How Markdown pages name the place of each heading: small letters, no punctuation, a hyphen for each space.
local function add_anchors(sections)
  local anchors, times = {}, {}
  for _, section in ipairs(sections) do
    local anchor = section.heading:lower():gsub("[^%w_%- ]", ""):gsub(" ", "-")
    times[anchor] = (times[anchor] or -1) + 1
    section.anchor = times[anchor] == 0 and anchor or anchor .. "-" .. times[anchor]
    if section.level == "##" or not anchors[section.name] then anchors[section.name] = section.anchor end
  end
  return anchors
end

local function link(name, anchor) return ("[%s](#%s)"):format(name, anchor) end

-- A line a class, with its functions; classes without functions, and aliases, in one line each.
local function contents(lines, sections)
  local types, line = {}, nil
  for i, section in ipairs(sections) do
    local following = sections[i + 1]
    if section.level == "###" then
      line[#line + 1] = link(section.name:match "[%w_]+$", section.anchor)
    elseif following and following.level == "###" then
      line = { link(section.name, section.anchor) .. ":" }
      lines[#lines + 1] = line
    else
      types[#types + 1] = link(section.name, section.anchor)
    end
  end
  for i = 1, #lines do
    if type(lines[i]) == "table" then
      lines[i] = "- " .. table.concat(lines[i], ", "):gsub(":,", ":", 1)
    end
  end
  lines[#lines + 1] = "- Tables and other types: " .. table.concat(types, ", ")
end

-- "See ...": the types and functions that the entry names.
local function page_links(lines, entry, anchors)
  local found, seen = {}, { [entry.name] = true }
  local function look(text)
    for name in text:gmatch "%a[%w_]*[%.:][%w_%.:]*[%w_]" do
      if anchors[name] and not seen[name] then found[#found + 1], seen[name] = link(name, anchors[name]), true end
    end
  end
  look(entry.text)
  for _, list in ipairs { entry.params, entry.returns, entry.events, entry.fields } do
    for _, one in ipairs(list) do
      look(one.type or "")
      look(one.text)
    end
  end
  if #found > 0 then lines[#lines + 1] = "\nSee " .. table.concat(found, ", ") .. "." end
end

function document.page(all)
  local lines, sections = { PAGE }, sections_of(all)
  local anchors = add_anchors(sections)
  contents(lines, sections)
  for _, section in ipairs(sections) do
    lines[#lines + 1] = ("\n%s %s"):format(section.level, section.heading)
    page_body(lines, section.entry)
    page_links(lines, section.entry, anchors)
  end
  return table.concat(lines, "\n") .. "\n"
end

-- ---- files

local function write(path, text)
  local old = io.open(path)
  local same = old and old:read "a" == text
  if old then old:close() end
  if same then return end
  local file = assert(io.open(path, "w"))
  file:write(text)
  file:close()
end

function document.write(folder, paths)
  local all = document.collect(paths)
  write(folder .. "/meta/throng.lua", document.meta(all))
  write(folder .. "/reference.md", document.page(all))
end

return document
