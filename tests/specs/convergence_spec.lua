-- throng.convergence, beside a calculation by hand.
local throng = require "throng"

describe("throng.convergence", function()
  it("is the change of mean, deviation and mean curves from run to run", function()
    local list = throng.convergence { { 1, 2, 4, 8 }, { 3, 2, 4, 10 }, { 2, 5, 7, 12 } }
    assert.equal(1, #list)
    local one = list[1]
    assert.equal(3, one.runs)
    assert.near(1 / 10, one.mean, 1e-12) -- 10 after 9
    assert.near((2 - math.sqrt(2)) / 2, one.deviation, 1e-12)
    -- mean curves: 1 2 4 8, then 2 2 4 9, then 2 3 5 10
    local erd = { math.sqrt(2 / 85), math.sqrt(3 / 105) }
    local epc = { (2 + 4 + 16 + 72) / 85, (4 + 6 + 20 + 90) / 105 }
    local function cosine(a, b)
      local ab, aa, bb = 0, 0, 0
      for i = 1, 3 do
        local u, v = a[i + 1] - a[i], b[i + 1] - b[i]
        ab, aa, bb = ab + u * v, aa + u * u, bb + v * v
      end
      return ab / math.sqrt(aa * bb)
    end
    local sc = { cosine({ 2, 2, 4, 9 }, { 1, 2, 4, 8 }), cosine({ 2, 3, 5, 10 }, { 2, 2, 4, 9 }) }
    assert.near(math.abs(erd[2] - erd[1]), one.erd, 1e-12)
    assert.near(math.abs(epc[2] - epc[1]), one.epc, 1e-12)
    assert.near(math.abs(sc[2] - sc[1]), one.sc, 1e-12)
  end)

  it("falls as runs that are alike go on", function()
    local curves = {}
    for run = 1, 60 do
      curves[run] = {}
      for i = 1, 50 do curves[run][i] = i + 0.3 * math.sin(7 * run + i) end
    end
    local list = throng.convergence(curves)
    assert.equal(58, #list)
    for _, name in ipairs { "mean", "deviation", "erd", "epc", "sc" } do
      assert.is_true(list[58][name] < 0.02, name)
      assert.is_true(list[1][name] > list[58][name], name)
    end
  end)

  it("refuses curves that cannot be compared", function()
    for pattern, curves in pairs {
      ["expected a list of curves"] = {}, ["curve 2 has 3 times, the first 4"] = { { 1, 2, 3, 4 }, { 1, 2, 3 } },
      ["curve 1: time 2 must be a number"] = { { 1, 0 / 0, 3 } },
    } do
      local ok, message = pcall(throng.convergence, curves)
      assert.is_false(ok)
      assert.matches(pattern, message)
    end
  end)
end)
