-- May programs that were built with an older runtime/throng.h go on with this libthrong? Run from the root, by
-- `make abi` and by tests/specs/embed_spec.lua:
--
--   lua5.4 tests/abi.lua BUILD [HEADER [LIST]]    compares header and library with the list, runtime/embed/abi.txt
--   lua5.4 tests/abi.lua BUILD --accept           writes what is new there
--
-- A line of abi.txt is a function as it is declared, or a struct's field with its place in bytes. What is there stays,
-- as long as SOVERSION of the Makefile does; a struct that tells its own size may get further fields at its end.
local BUILD, ACCEPT = arg[1] or "build", arg[2] == "--accept"
local HEADER, LIST = not ACCEPT and arg[2] or "runtime/throng.h", arg[3] or "runtime/embed/abi.txt"

local function read(path)
  local file <close> = assert(io.open(path))
  return file:read "a"
end

local function output_of(command)
  local pipe = assert(io.popen(command))
  local text = pipe:read "a"
  assert(pipe:close(), command)
  return text
end

local function plain(text) return (text:gsub("%s+", " "):gsub("^ ", ""):gsub(" $", "")) end

local text = read(HEADER):gsub("/%*.-%*/", " "):gsub("\n%s*#[^\n]*", "\n"):gsub('extern "C" {', "")

-- ---- what the header declares

local lines, functions, structs = {}, {}, {}
for declaration in text:gmatch "THRONG_API%s+([^;]+);" do
  declaration = plain(declaration)
  functions[#functions + 1] = assert(declaration:match "([%w_]+)%(", declaration)
  lines[#lines + 1] = "function " .. declaration
end

-- "const char *name, *unit" is two fields; a pointer to a function is one.
local function fields_of(body)
  local fields = {}
  for declaration in body:gmatch "([^;]+);" do
    declaration = plain(declaration)
    local called = declaration:match "%(%*([%w_]+)%)"
    if called then
      fields[#fields + 1] = { name = called, type = declaration }
    elseif declaration ~= "" then
      local kind, first, rest = (declaration .. ","):match "^([^,]- )(%**[%a_][%w_]*%[?[%w_]*%]?)(,.*)$"
      for stars, name, array in (first .. rest):gmatch "(%**)([%a_][%w_]*)([%[%]%w_]*)" do
        fields[#fields + 1] = { name = name, type = plain(kind .. stars .. array) }
      end
    end
  end
  return fields
end

for body, name in text:gmatch "typedef struct [%w_]+ {(.-)}%s*([%w_]+);" do
  structs[#structs + 1] = { name = name, fields = fields_of(body) }
end

-- ---- where the compiler puts fields

local base = os.tmpname()
do
  local file <close> = assert(io.open(base .. ".c", "w"))
  file:write('#include <stdio.h>\n#include "', HEADER, '"\nint main(void)\n{\n')
  for _, s in ipairs(structs) do
    for _, f in ipairs(s.fields) do
      file:write(('printf("%%zu\\n", offsetof(%s, %s));\n'):format(s.name, f.name))
    end
    file:write(('printf("%%zu\\n", sizeof(%s));\n'):format(s.name))
  end
  file:write "return 0;\n}\n"
end
local numbers = output_of(("gcc -std=c17 -I. -o %s.out %s.c && %s.out"):format(base, base, base)):gmatch "%d+"
for _, ending in ipairs { "", ".c", ".out" } do os.remove(base .. ending) end

for _, s in ipairs(structs) do
  for _, f in ipairs(s.fields) do
    lines[#lines + 1] = ("struct %s %s: %s at %s"):format(s.name, f.name, f.type, numbers())
  end
  local line = ("struct %s has %s bytes"):format(s.name, numbers())
  -- one that tells its size grows at its end; of others programs hold arrays
  if s.fields[1].name == "size" then line = ("struct %s tells its size"):format(s.name) end
  lines[#lines + 1] = line
end

-- ---- what the library has

local problems = {}
local function problem(...) problems[#problems + 1] = string.format(...) end

local library = BUILD .. "/libthrong.so.0"
local exported, declared = {}, {}
for name in output_of(("nm -D --defined-only '%s'"):format(library)):gmatch " %u ([%w_]+)" do exported[name] = true end
for _, name in ipairs(functions) do
  declared[name] = true
  if not exported[name] then problem("%s declares %s, which %s does not have", HEADER, name, library) end
end
for name in pairs(exported) do
  if not declared[name] then problem("%s shows %s, which %s does not declare", library, name, HEADER) end
end

local MOST = 4 * 1024 * 1024
local stripped = base .. ".so"
output_of(("strip -o %s '%s'"):format(stripped, library))
local size = #read(stripped)
os.remove(stripped)
if size > MOST then problem("%s has %d bytes stripped, at most %d were wished", library, size, MOST) end

-- ---- and what it had

local now, was = {}, {}
for _, line in ipairs(lines) do now[line] = true end
local file = io.open(LIST)
for line in (file and file:read "a" or ""):gmatch "[^\n]+" do
  was[line] = true
  if not now[line] then
    problem("%s: gone or changed: %s\n  programs that were built before break: keep it, or raise SOVERSION in the "
      .. "Makefile and take the line out", LIST, line)
  end
end
if file then file:close() end
for _, line in ipairs(lines) do
  if not was[line] and not ACCEPT then problem("%s lacks: %s\n  `make abi-accept` adds it", LIST, line) end
end

table.sort(problems)
for _, line in ipairs(problems) do io.stderr:write("abi: ", line, "\n") end
if #problems > 0 then os.exit(1) end
if ACCEPT then
  local out <close> = assert(io.open(LIST, "w"))
  out:write(table.concat(lines, "\n"), "\n")
end
print(("%d functions, %d structs, %.1f MB stripped"):format(#functions, #structs, size / 1e6))
