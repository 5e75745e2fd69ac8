-- `throng help NAME`: sections of the reference page (lua/reference.md). Called with the host's functions, throng's
-- library folder, the name and what else there is help about; returns the exit code, 0, or 2 for an unknown name. In a
-- session of `throng repl` a function that writes comes before the name.
local host, library = ...
local arguments = { select(3, ...) }
local write, complain
if type(arguments[1]) == "function" then
  write = table.remove(arguments, 1)
  complain = write
else
  write = function(text) io.write(text) end
  complain = function(text) io.stderr:write("throng help: ", text) end
end

-- The page's sections in order: ## classes and aliases, with ### their functions.
local function sections(text)
  local list = {}
  for line in text:gmatch "([^\n]*)\n" do
    local level, heading = line:match "^##(#?) (.*)$"
    if heading then
      local name, parent = heading:match "^([%w_%.]+): ([%w_%.]+)$"
      local is_function = level == "#"
      if is_function and not list[#list].is_function then list[#list].has_functions = true end
      list[#list + 1] = { heading = heading, name = name or heading:match "^[%w_%.:]+", parent = parent,
        is_function = is_function, lines = {} }
    elseif #list > 0 then
      table.insert(list[#list].lines, line)
    end
  end
  return list
end

local function body(section)
  local text = table.concat(section.lines, "\n"):gsub("```lua\n(.-)\n```", function(code)
    return "  " .. code:gsub("\n", "\n  ")
  end)
  text = text:gsub("%[([%w_%.:]+)%]%(#[%w_%-]*%)", "%1")
  return (text:gsub("`", ""):gsub("^\n+", ""):gsub("\n+$", ""))
end

local function last_part(name) return name:match "[%w_]+$" end

-- The lines "- `radius?` `number(m)`: text" of a section.
local function members(section)
  local at = 0
  return function()
    while at < #section.lines do
      at = at + 1
      local name = section.lines[at]:match "^%- `\"?([%w_]+)"
      if name then return name, section.lines[at] end
    end
  end
end

local printed = {}

local function print_section(section)
  if printed[section] then return end
  write((next(printed) and "\n" or "") .. section.heading .. "\n\n" .. body(section) .. "\n")
  printed[section] = true
end

local function section_of(all, name)
  for _, section in ipairs(all) do
    if section.name == name then return section end
  end
end

-- Tables that a function takes are told with it: throng.spawn with world:spawn.
local function print_fields_of(all, name)
  local section = section_of(all, name)
  if not section or section.has_functions or section.is_function or not members(section)() then return end
  print_section(section)
  if section.parent then print_fields_of(all, section.parent) end
end

local function print_settings(all, section)
  for _, line in ipairs(section.lines) do
    for name in (line:match "^%- `[%w_]+%??` `(.-)`" or ""):gmatch "throng[%w_%.]+" do print_fields_of(all, name) end
  end
end

local function matches(all, name)
  local exact, parts = {}, {}
  for _, section in ipairs(all) do
    if section.name == name then exact[#exact + 1] = section end
    if last_part(section.name) == name then parts[#parts + 1] = section end
  end
  return #exact > 0 and exact or parts
end

local function print_places(all, name)
  local found = false
  for _, section in ipairs(all) do
    for member, line in members(section) do
      if member == name then
        if not found then write(name .. " stands in\n\n") end
        write(section.heading .. "\n  " .. line:gsub("`", ""):gsub("^%- ", "") .. "\n")
        found = true
      end
    end
  end
  return found
end

local function names(all, commands)
  local list, seen = commands, {}
  local function add(name)
    if not seen[name] then list[#list + 1], seen[name] = name, true end
  end
  for _, section in ipairs(all) do
    add(section.name)
    add(last_part(section.name))
    for member in members(section) do add(member) end
  end
  return list
end

local function tell_of(all, name)
  local found = matches(all, name)
  for _, section in ipairs(found) do
    print_section(section)
    print_settings(all, section)
  end
  return #found > 0 or print_places(all, name)
end

-- A name as scripts have it, too: world.stages, guests:go_to.
local function tell(name, commands)
  local text = host.read(library .. "/reference.md")
  if not text then error(("cannot read %s/reference.md: run make"):format(library), 0) end
  local all = sections(text)
  if tell_of(all, name) or tell_of(all, last_part(name) or "") then return 0 end
  local nearest = host.nearest(name, names(all, commands))
  complain(("there is nothing named '%s'%s\n"):format(name,
    nearest and (", did you mean '%s'?"):format(nearest)
      or "; `throng help` lists the commands, lua/reference.md all names"))
  return 2
end

if arguments[1] == "--write" then
  local annotations = host.library "annotations"()
  host.library "document"(host, annotations).write(arguments[2], { select(3, table.unpack(arguments)) })
  return 0
end
return tell(arguments[1], { select(2, table.unpack(arguments)) })
