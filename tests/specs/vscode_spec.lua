-- The extension for Visual Studio Code: what `make vsix` packs, that its snippets run, and that errors are found.
local command = dofile "tests/specs/command.lua"
local json = require "dkjson"

local scratch, package, snippets

local done = command.done

setup(function()
  scratch = io.popen("mktemp -d"):read "l"
  local vsix = done(("make --no-print-directory vsix B='%s'"):format(scratch)):gsub("\n$", "")
  done(("python3 -m zipfile -e '%s' '%s'"):format(vsix, scratch))
  package = assert(json.decode(command.read(scratch .. "/extension/package.json")))
  snippets = assert(json.decode(command.read(scratch .. "/extension/snippets/throng.json")))
end)

teardown(function() os.execute("rm -rf '" .. scratch .. "'") end)

-- What the editor makes of a snippet whose fields are left as they are.
local function expanded(name)
  local body = snippets[name].body
  return (table.concat(body, "\n"):gsub("%${%d+:(.-)}", "%1"):gsub("%$0", ""))
end

local function run(name, text)
  command.write(("%s/%s.lua"):format(scratch, name), text)
  local code, out, err = command.throng(("run %s.lua --out none --seconds 60"):format(name), scratch)
  assert.equal(0, code, out .. err)
  return out .. err
end

describe("the extension for Visual Studio Code", function()
  it("is packed with what it names, and its version", function()
    for _, path in ipairs { package.main, package.contributes.snippets[1].path, "README.md", "LICENSE.txt" } do
      assert.is_truthy(io.open(scratch .. "/extension/" .. path), path)
    end
    local manifest = command.read(scratch .. "/extension.vsixmanifest")
    local version = done(command.THRONG .. " info"):match "throng (%d+%.%d+%.%d+)"
    assert.equal(version, package.version)
    assert.is_truthy(manifest:find(('Version="%s" Publisher="throng"'):format(version), 1, true))
    done(("python3 -c 'import xml.dom.minidom as x; x.parse(\"%s/extension.vsixmanifest\")'"):format(scratch))
  end)

  it("has snippets that run as they are", function()
    local scenario, parts, count = expanded "throng: a scenario", {}, 0
    for name, snippet in pairs(snippets) do
      assert.is_truthy(snippet.prefix:find "^throng%-", name)
      count = count + 1
      if name ~= "throng: a scenario" and name ~= "throng: a test" then parts[#parts + 1] = name end
    end
    assert.equal(7, count)
    assert.is_truthy(run("room", scenario):find("40 of 40", 1, true))
    for _, name in ipairs(parts) do
      run("part", (scenario:gsub("return world", function() return expanded(name) .. "\nreturn world" end)))
    end
    command.write(scratch .. "/room_spec.lua", expanded "throng: a test")
    local code, out, err = command.throng("test room_spec.lua", scratch)
    assert.equal(0, code, out .. err)
    assert.is_truthy(out:find "1 passed, 0 failed", out)
  end)

  it("has Tiled's types of what throng reads of objects, and no others", function()
    local types = assert(json.decode(command.read(scratch .. "/extension/tiled.propertytypes.json")))
    local meta, classes = command.read "lua/meta/throng.lua", {}
    for _, made in ipairs(types) do classes[made.name] = made end
    local ON_PLAN = { name = true, from = true, foot = true, head = true, at = true, back = true } -- drawn, not told
    local KIND = { number = "float", integer = "int", string = "string", ["string[]"] = "string" }
    for name, settings in pairs { Stairs = "flight", Ramp = "flight", Escalator = "belt", Walkway = "belt",
      Lift = "lift" } do
      local expected, found = {}, {}
      local text = assert(meta:match("\n%-%-%-@class throng%." .. settings .. "%.settings\n(.-)\n\n"))
      for field, kind, about in text:gmatch "@field ([%w_]+)%? ([%w%[%]]+) ([^\n]*)" do
        if not ON_PLAN[field] and KIND[kind] then
          expected[field] = { KIND[kind], tonumber(about:match "Default ([%d.]+)%.") or about:match 'Default "(%a+)"' }
        end
      end
      for _, member in ipairs(classes[name].members) do
        local want = assert(expected[member.name], name .. "." .. member.name)
        found[member.name] = { member.type, want[2] and member.value or nil }
      end
      assert.same(expected, found)
    end
    -- a map with all of them as they are is read
    local function object(layer, id, name, x1, x2)
      local properties = {}
      for _, member in ipairs(classes[name].members) do
        local value = ({ to = "first", floors = "ground, first", rise = 3.5 })[member.name] or member.value
        local told = '<property name="%s" type="%s" value="%s"/>'
        properties[#properties + 1] = told:format(member.name, member.type, value)
      end
      return ('<objectgroup name="%s"><object id="%d" class="%s" x="%g" y="%g"><properties>%s</properties>'
        .. '<polyline points="0,0 %g,0"/></object></objectgroup>'):format(layer, id, name, x1, id * 5,
        table.concat(properties), x2 - x1)
    end
    local floor = '<objectgroup name="floor"><object id="9" x="0" y="0" width="40" height="40"/></objectgroup>'
    local links = object("stairs", 1, "Stairs", 5, 12) .. object("ramps", 2, "Ramp", 5, 30)
      .. object("escalators", 3, "Escalator", 5, 12) .. object("lifts", 4, "Lift", 5, 7)
    command.write(scratch .. "/all.tmx", ('<map width="40" height="40" tilewidth="1" tileheight="1">'
      .. '<group name="ground"><properties><property name="z" value="0"/></properties>%s%s</group>'
      .. '<group name="first"><properties><property name="z" value="3.5"/></properties>%s</group></map>'):format(floor,
      links, floor))
    local code, out, err = command.throng("map all.tmx", scratch)
    assert.equal(0, code, out .. err)
    for _, part in ipairs { "stairs     ", "ramp       ", "escalator  ", "lift       " } do
      assert.is_truthy(out:find(part, 1, true), out)
    end
  end)

  it("finds errors of runs and tests at their lines", function()
    local regexp = package.contributes.problemMatchers[1].pattern.regexp
    command.write(scratch .. "/regexp", regexp)
    local function found(arguments, text)
      command.write(scratch .. "/bad.lua", text)
      local code, out, err = command.throng(arguments, scratch)
      assert.is_true(code == 1 or code == 2)
      command.write(scratch .. "/said", out .. "\n" .. err)
      return done(("cd '%s' && python3 -c 'import re; r = re.compile(open(\"regexp\").read())\n"
        .. "for m in filter(None, map(r.match, open(\"said\"))): print(*m.groups(), sep=\"|\")'"):format(scratch))
    end
    assert.is_truthy(found("run bad.lua --out none", "local throng = require 'throng'\nx = = 2\n"):find(
      "^bad.lua|2|unexpected symbol near '='\n"))
    assert.is_truthy(found("run bad.lua --out none",
      "local world = require('throng').world {}\n\nworld:spawn { cuont = 1 }\nreturn world\n"):find(
      "^bad.lua|3|world:spawn: unknown field 'cuont', did you mean 'count'?"))
    assert.is_truthy(found("test bad.lua", "it('fails', function()\n  assert.equal(1, 2)\nend)\n"):find(
      "^bad.lua|2|Expected objects to be equal"))
  end)
end)
