-- world:smoke of what FDS has computed: Smokeview files and the slices that they name.
local throng = require "throng"
local command = dofile "tests/specs/command.lua"

local scratch

before_each(function()
  scratch = os.tmpname()
  os.remove(scratch)
  os.execute("mkdir " .. scratch)
end)
after_each(function() os.execute("rm -r " .. scratch) end)

local function record(data) return string.pack("<I4", #data) .. data .. string.pack("<I4", #data) end

local function text(value) return record((value .. (" "):rep(30)):sub(1, 30)) end

-- A slice file: nodes { i1, i2, j1, j2, k1, k2 }, and by time f(i, j).
local function slice_of(quantity, nodes, frames)
  local parts = { text(quantity), text "short", text "unit", record(string.pack("<i4i4i4i4i4i4", table.unpack(nodes))) }
  for _, frame in ipairs(frames) do
    local values = {}
    for j = nodes[3], nodes[4] do
      for i = nodes[1], nodes[2] do values[#values + 1] = string.pack("<f", frame[2](i, j)) end
    end
    parts[#parts + 1] = record(string.pack("<f", frame[1])) .. record(table.concat(values))
  end
  return table.concat(parts)
end

local function axis(name, from, step, count)
  local lines = { name, "    0" }
  for i = 0, count do lines[#lines + 1] = ("%5d %.5f"):format(i, from + i * step) end
  return table.concat(lines, "\n") .. "\n\n"
end

-- A mesh of cells of 0.5 m from (x, 0, 0) on, 10 m x 10 m x 3 m.
local function mesh(name, x)
  return ("GRID %s\n   20   20    6    0\n\nPDIM\n 0 1 0 1 0 1 0 0 0\n\n"):format(name) .. axis("TRNX", x, 0.5, 20)
    .. axis("TRNY", 0, 0.5, 20) .. axis("TRNZ", 0, 0.5, 6)
end

local function entry(number, file, quantity)
  return ("SLCF %5d # STRUCTURED &     0    20     0    20     4     4\n %s\n %s\n short\n unit\n"):format(number, file,
    quantity:sub(1, 30))
end

local LEVEL = { 0, 20, 0, 20, 4, 4 } -- at a height of 2 m

local function write(name, data) return command.write(scratch .. "/" .. name, data) end

-- Extinction 0.1 i in the first mesh, which doubles in 10 s, and 0.7 in the second.
local function fire()
  write("a.sf", slice_of("SOOT EXTINCTION COEFFICIENT", LEVEL, {
    { 0, function(i) return 0.1 * i end }, { 10, function(i) return 0.2 * i end } }))
  write("b.sf", slice_of("SOOT EXTINCTION COEFFICIENT", LEVEL, { { 0, function() return 0.7 end } }))
  write("co.sf", slice_of("CARBON MONOXIDE VOLUME FRACTION", LEVEL, { { 0, function() return 0.002 end } }))
  write("t.sf", slice_of("TEMPERATURE", LEVEL, { { 0, function(_, j) return 20 + j end } }))
  return write("fire.smv", "TITLE\n fire\n\n" .. mesh("one", 0) .. mesh("two", 10)
    .. entry(1, "a.sf", "SOOT EXTINCTION COEFFICIENT") .. entry(2, "b.sf", "SOOT EXTINCTION COEFFICIENT")
    .. entry(1, "co.sf", "CARBON MONOXIDE VOLUME FRACTION") .. entry(1, "t.sf", "TEMPERATURE"))
end

local function hall() return throng.world { map = throng.map { boundary = throng.box(0, 0, 20, 10) }, threads = 1 } end

describe("smoke of FDS", function()
  it("is what its slices have, in place and time, over all meshes", function()
    local world <close> = hall()
    local smoke = world:smoke { file = fire(), every = 0.5 }
    world:step()
    assert.near(0.1 * 6 * (1 + world.time / 10), smoke:at({ 3, 5 }, "extinction"), 0.005)
    assert.near(0.7, smoke:at({ 15, 5 }, "extinction"), 1e-5)
    assert.near(2000, smoke:at({ 3, 5 }, "co"), 0.1)
    assert.near(0, smoke:at({ 15, 5 }, "co"), 0.1)
    assert.near(26, smoke:at({ 3, 3 }, "temperature"), 1e-3)
    assert.near(20.9, smoke:at({ 3, 3 }, "o2"), 1e-9)
    world:run { seconds = 5 }
    assert.near(0.1 * 6 * (1 + world.time / 10), smoke:at({ 3, 5 }, "extinction"), 0.005)
    world:run { seconds = 10 }
    assert.near(1.2, smoke:at({ 3, 5 }, "extinction"), 1e-3)
  end)

  it("slows people and fills their lungs", function()
    local world <close> = hall()
    world:smoke { file = fire(), law = "jin" }
    local people = world:spawn { at = { { 8, 5 }, { 1, 5 } } }
    world:run { seconds = 10 }
    assert.is_true(people.pace[1] < people.pace[2] and people.pace[2] <= 1)
    assert.is_true(people.fed[1] > 0.005)
  end)

  it("takes visibilities and optical densities for what they are", function()
    for quantity, value in pairs { ["SOOT VISIBILITY"] = 6, ["SOOT OPTICAL DENSITY"] = 0.5 / math.log(10) } do
      write("v.sf", slice_of(quantity, LEVEL, { { 0, function(i) return i < 10 and value or 30 end } }))
      local world <close> = hall()
      local smoke = world:smoke { file = write("v.smv", mesh("one", 0) .. entry(1, "v.sf", quantity)) }
      assert.near(0.5, smoke:at({ 2, 5 }, "extinction"), 1e-4)
      if quantity == "SOOT VISIBILITY" then assert.near(0, smoke:at({ 8, 5 }, "extinction"), 1e-6) end
    end
  end)

  it("is that of the slice over each floor", function()
    for k, name in pairs { [2] = "low", [4] = "high" } do
      local frames = { { 0, function() return k end } }
      write(name .. ".sf", slice_of("EXTINCTION COEFFICIENT", { 0, 20, 0, 20, k, k }, frames))
    end
    local both = mesh("one", 0):gsub("TRNZ.*", axis("TRNZ", 0, 1, 6))
    local floor = throng.box(0, 0, 10, 10)
    local world <close> = throng.world { threads = 1, map = throng.building {
      floors = { ground = { z = 0, boundary = floor }, first = { z = 3, boundary = floor } },
      stairs = { { from = "ground", to = "first", foot = { 2, 2 }, head = { 7, 2 } } },
    } }
    local smoke = world:smoke { height = 1.5, file = write("floors.smv", both
      .. entry(1, "low.sf", "EXTINCTION COEFFICIENT") .. entry(1, "high.sf", "EXTINCTION COEFFICIENT")) }
    assert.near(2, smoke:at({ 4, 8 }, "extinction"), 1e-5)
    assert.near(4, smoke:at({ 4, 8, floor = "first" }, "extinction"), 1e-5)
  end)

  local function fails(pattern, settings)
    local world <close> = hall()
    local ok, message = pcall(world.smoke, world, settings)
    assert.is_false(ok)
    assert.matches(pattern, message)
  end

  local function smv(head) return write("x.smv", (head or mesh("one", 0)) .. entry(1, "x.sf", "TEMPERATURE")) end

  it("is refused where the Smokeview file is none", function()
    write("x.sf", slice_of("TEMPERATURE", LEVEL, { { 0, function() return 20 end } }))
    fails("names no horizontal slice of smoke, gases or heat;", { file = write("x.smv", "nothing\n") })
    fails("heat, but of VELOCITY;", { file = write("x.smv", mesh("one", 0) .. entry(1, "x.sf", "VELOCITY")) })
    fails(":1: there is no mesh 1", { file = smv "" })
    fails(":2: expected how many cells a mesh has", { file = smv "GRID one\n x 2 3\n" })
    fails("mesh 1 has no coordinates", { file = smv "GRID one\n 2 2 2 0\n" })
    fails(":6: expected node 1 of a mesh and its coordinate",
      { file = smv "GRID one\n 2 2 2 0\nTRNX\n0\n0 0.0\n1 -1\n2 2\n" })
    fails(":7: expected node 0 of a mesh", { file = smv "GRID one\n 2 2 2 0\nTRNX\n2\na note\nanother\n0 x\n" })
    fails("'x.sf' has more nodes than its mesh", { file = smv(mesh("one", 0):gsub("20   20", "20   12", 1)
      :gsub("TRNY.-\n\n", axis("TRNY", 0, 0.5, 12))) })
    fails("there is no file", { file = write("x.smv", mesh("one", 0) .. entry(1, "none.sf", "TEMPERATURE")) })
    fails("'height' goes with a 'file' of FDS", { extinction = 1, height = 2 })
  end)

  it("is refused where a slice file is none", function()
    local good = slice_of("TEMPERATURE", LEVEL, { { 0, function() return 20 end }, { 1, function() return 21 end } })
    local head = 3 * 38
    local function with(data, pattern)
      write("x.sf", data)
      fails(pattern, { file = smv() })
    end
    with("", "is no slice file of FDS")
    with(("x"):rep(5000), "is no slice file of FDS")
    with(good:sub(1, head + 3), "the record of its nodes is missing")
    with(good:sub(1, head + 40), "has no whole frame yet")
    local function nodes(...)
      return good:sub(1, head) .. record(string.pack("<i4i4i4i4i4i4", ...)) .. good:sub(head + 33)
    end
    with(nodes(0, -1, 0, 20, 4, 4), "it has nodes 0 to %-1 along x")
    with(nodes(0, 20, 0, 0x7fffffff, 4, 4), "along y")
    with(nodes(0, 1000000, 0, 1000000, 4, 4), "more than 4194304 points")
    local frame = 12 + 8 + 4 * 441
    local begin = head + 32
    with(good:sub(1, begin + 8) .. "xxxx" .. good:sub(begin + 13), "frame 0 has no record of its time")
    with(good:sub(1, begin + frame + 4) .. string.pack("<f", -1) .. good:sub(begin + frame + 9),
      "frame 1 is at %-1 s, not later")
    with(good:sub(1, begin + 12) .. "xxxx" .. good:sub(begin + 17), "frame 0 has no record of 441 values")
    with(good:sub(1, begin + 16) .. string.pack("<f", 0 / 0) .. good:sub(begin + 21), "value 0 .- is not finite")
    write("x.sf", good .. good:sub(begin + 1, begin + 500)) -- a run that goes on
    local world <close> = hall()
    assert.near(20, world:smoke({ file = smv() }):at({ 3, 3 }, "temperature"), 0.2)
  end)
end)
