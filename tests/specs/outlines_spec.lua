-- Outlines with fewer corners (throng.map{ simplify = ... }).
local throng = require "throng"

-- A room of 20 x 10 m whose walls are ragged by so much.
local function ragged(by)
  local points = {}
  for i = 0, 79 do
    points[#points + 1] = { i / 4, i % 2 * by }
  end
  points[#points + 1] = { 20, 0 }
  points[#points + 1] = { 20, 10 }
  points[#points + 1] = { 0, 10 }
  return throng.polygon(points)
end

-- Two rooms, and between them a passage of 0.64 m; where one wall juts 0.25 m into it the other stands back by 0.13 m.
local function bent(simplify)
  return throng.map {
    boundary = throng.polygon {
      { 0, 0 }, { 8, 0 }, { 8, 4.36 }, { 9.6, 4.36 }, { 9.6, 4.61 }, { 10.4, 4.61 }, { 10.4, 4.36 }, { 12, 4.36 },
      { 12, 0 }, { 20, 0 }, { 20, 10 }, { 12, 10 }, { 12, 5 }, { 11, 5 }, { 11, 5.13 }, { 9, 5.13 }, { 9, 5 },
      { 8, 5 }, { 8, 10 }, { 0, 10 },
    },
    simplify = simplify,
  }
end

local function closed(map)
  for _, finding in ipairs(map.findings) do
    if finding.text:find("close a passage", 1, true) then return finding.text end
  end
end

describe("throng.map{ simplify = ... }", function()
  it("leaves out corners that move outlines by less", function()
    local map = throng.map { boundary = ragged(0.02), simplify = 0.05 }
    assert.near(200, map.area, 0.5)
    local corners = map:path({ 1, 0.3 }, { 19, 0.3 }, 0.25)
    assert.equal(2, #corners)
    local file = os.tmpname() .. ".wkt"
    local out = assert(io.open(file, "w"))
    out:write "POLYGON((0 0,5 0.02,10 0,20 0,20 10,0 10,0 0))"
    out:close()
    assert.near(200, throng.map({ file = file, simplify = 0.05 }).area, 0.5)
    assert.near(199.9, throng.map({ file = file }).area, 1e-9)
    os.remove(file)
  end)

  it("keeps every corner that counts", function()
    local map = throng.map { boundary = ragged(0.2), simplify = 0.05 }
    assert.near(throng.map({ boundary = ragged(0.2) }).area, map.area, 1e-9)
  end)

  it("ends where outlines touch at a corner", function()
    local file = os.tmpname() .. ".map"
    local out = assert(io.open(file, "w"))
    out:write "type octile\nheight 4\nwidth 4\nmap\n....\n.@..\n..@.\n....\n"
    out:close()
    assert.near(14, throng.map({ file = file }).area, 1e-9)
    for _, by in ipairs { 0.05, 1, 5 } do assert.near(14, throng.map({ file = file, simplify = by }).area, 4) end
    os.remove(file)
  end)

  it("says when it closes a passage", function()
    assert.is_nil(closed(bent(0)))
    assert.is_nil(closed(bent(0.05)))
    assert.is_true(bent(0.05):distance({ 2, 5 }, { 18, 5 }, 0.25) < 17)
    local map = bent(0.15)
    assert.equal(math.huge, map:distance({ 2, 5 }, { 18, 5 }, 0.25))
    assert.matches("simplified by 0.15 m close a passage for a body of 0.25 m radius: simplify less", closed(map))
  end)

  it("wants a length", function()
    assert.error_matches(function() bent(-1) end, "simplify")
  end)
end)
