-- throng.paths: batches of cheapest paths on graphs of the script's own.
local throng = require "throng"

-- Costs to one goal by relaxing every edge until nothing changes (Bellman and Ford).
local function costs_to(goal, nodes, edges)
  local cost = {}
  for n = 1, nodes do
    cost[n] = n == goal and 0 or math.huge
  end
  local changed = true
  while changed do
    changed = false
    for _, e in ipairs(edges) do
      if cost[e[2]] + e[3] < cost[e[1]] then
        cost[e[1]] = cost[e[2]] + e[3]
        changed = true
      end
    end
  end
  return cost
end

-- Whole costs, so that sums are exact; some of them 0, some edges twice.
local function random_graph(nodes, count)
  local edges = {}
  for e = 1, count do
    edges[e] = { math.random(nodes), math.random(nodes), math.random(0, 9) }
  end
  return edges
end

local function cost_along(path, edges)
  local total = 0
  for i = 2, #path do
    local least = math.huge
    for _, e in ipairs(edges) do
      if e[1] == path[i - 1] and e[2] == path[i] then
        least = math.min(least, e[3])
      end
    end
    total = total + least
  end
  return total
end

local function assert_fails(text, settings)
  local ok, message = pcall(throng.paths, settings)
  assert.is_false(ok)
  assert.is_truthy(tostring(message):find(text, 1, true), tostring(message))
end

describe("throng.paths", function()
  before_each(function() math.randomseed(1) end) -- else a graph in 700 has paths from everywhere

  it("says how much memory a batch took", function()
    local rows, from, to = {}, {}, {}
    for y = 1, 100 do
      rows[y] = string.rep(".", 100)
    end
    for q = 1, 500 do
      from[q], to[q] = math.random(10000), math.random(10000)
    end
    local found = throng.paths { grid = rows, from = from, to = to, method = "searches" }
    local nodes = 0
    for _, path in ipairs(found.path) do
      nodes = nodes + #path
    end
    -- 12 B a query, 4 B a node of a path, and a search's memory for each node of the grid.
    assert.is_true(found.host_bytes > 500 * 12 + 4 * nodes + 10000 * 8)
    assert.is_true(found.host_bytes < 4 * (500 * 12 + 4 * nodes) + 10000 * 64 * 64)
    assert.equal(0, found.device_bytes)
  end)

  it("finds the cheapest paths, by searches and by trees", function()
    local nodes, from, to = 60, {}, {}
    local edges = random_graph(nodes, 150)
    for q = 1, 200 do
      from[q], to[q] = math.random(nodes), math.random(5)
    end
    local by = {}
    for _, method in ipairs { "searches", "trees" } do
      by[method] = throng.paths { edges = edges, nodes = nodes, from = from, to = to, method = method }
      assert.equal(method, by[method].method)
    end
    local missing = 0
    for q = 1, #from do
      local cost = costs_to(to[q], nodes, edges)[from[q]]
      for _, found in pairs(by) do
        local path = found.path[q]
        assert.equal(cost, found.cost[q])
        if cost == math.huge then
          missing = missing + 1
          assert.equal(0, #path)
        else
          assert.same({ from[q], to[q], cost }, { path[1], path[#path], cost_along(path, edges) })
        end
      end
    end
    assert.is_true(missing > 0 and missing < 400)
  end)

  it("shares a batch out among devices, with the same paths in the same order", function()
    local nodes, from, to = 60, {}, {}
    local edges = random_graph(nodes, 150)
    for q = 1, 300 do
      from[q], to[q] = math.random(nodes), math.random(nodes)
    end
    for _, method in ipairs { false, "searches", "trees" } do
      local asked = { edges = edges, nodes = nodes, from = from, to = to, method = method or nil }
      local one = throng.paths(asked)
      asked.devices = { 0, 0, 0 }
      local shared = throng.paths(asked)
      for _, field in ipairs { "cost", "path", "method", "shared_suffixes" } do
        assert.same(one[field], shared[field])
      end
      assert.is_true(shared.host_bytes > one.host_bytes, "each has its searches")
    end
    local grid = { grid = { "..", ".." }, from = { 1 }, to = { 4 } }
    local function fails(text, devices, map)
      assert_fails(text, map or { grid = grid.grid, from = grid.from, to = grid.to, devices = devices })
    end
    fails("field 'devices' must be a list, got 1", 1)
    fails("field 'devices' must name 1 to 64 devices, got 0", {})
    fails("devices[2]: expected a device's number, 0 or more, got -1", { 0, -1 })
    fails("there is no device 1: the backend cpu has 1, counted from 0", { 0, 1 })
    local map = throng.map { boundary = throng.box(0, 0, 9, 9) }
    fails("leave 'devices' out", nil, { map = map, from = { { 1, 1 } }, to = { { 2, 2 } }, devices = { 0 } })
  end)

  it("finds the same costs by every method, whatever numbers they are", function()
    local rows, costs, from, to = {}, {}, {}, {}
    for row = 1, 20 do
      rows[row] = ("."):rep(20)
    end
    for cell = 1, 400 do
      costs[cell] = math.random() / 3
    end
    for q = 1, 500 do
      from[q], to[q] = math.random(400), math.random(10)
    end
    for _, node_cost in ipairs { {}, costs } do
      local cost = {}
      for i, method in ipairs { "searches", "trees", false } do
        local settings = { grid = rows, diagonal = true, node_cost = node_cost, from = from, to = to }
        settings.method = method or nil
        cost[i] = throng.paths(settings).cost
      end
      assert.same(cost[1], cost[2])
      assert.same(cost[1], cost[3])
    end
  end)

  -- Edges of whole costs between random places, not less than their length times `scale`: many routes are equally good.
  local function placed_graph(nodes, scale)
    local edges, at = {}, {}
    for n = 1, nodes do
      at[n] = { math.random() * 10, math.random() * 10 }
    end
    for _ = 1, 8 * nodes do
      local from, to = math.random(nodes), math.random(nodes)
      local length = math.sqrt((at[from][1] - at[to][1]) ^ 2 + (at[from][2] - at[to][2]) ^ 2)
      if length < 3 then edges[#edges + 1] = { from, to, scale * math.ceil(length + math.random(0, 1)) } end
    end
    return edges, at
  end

  it("searches edges whose nodes have places towards them, at the same costs", function()
    math.randomseed(4)
    for _, scale in ipairs { 1, 0.25, 40 } do
      local from, to = {}, {}
      for q = 1, 200 do
        from[q], to[q] = q, 401 - q
      end
      local edges, at = placed_graph(400, scale)
      local asked = { nodes = 400, edges = edges, from = from, to = to, method = "searches" }
      local blind = throng.paths(asked)
      asked.at = at
      local found = throng.paths(asked)
      asked.method = "trees"
      assert.same(blind.cost, found.cost)
      assert.same(blind.cost, throng.paths(asked).cost)
      assert.not_same(blind.path, found.path) -- of equally good ones, by another order of expansions
    end
  end)

  it("takes trees where many share a goal", function()
    local from, to = {}, {}
    for q = 1, 256 do
      from[q], to[q] = (q - 1) % 16 + 1, q % 2 + 1
    end
    local grid = { "....", "....", "....", "...." }
    assert.equal("trees", throng.paths({ grid = grid, from = from, to = to }).method)
    assert.equal("searches", throng.paths({ grid = grid, from = { 1, 2 }, to = { 3, 4 } }).method)
  end)

  it("gives who begins on a known path its suffix", function()
    local nodes, from, to = 80, {}, {}
    local edges = random_graph(nodes, 30)
    for n = 1, nodes do -- a corridor through all of them, whose ends many go to
      edges[#edges + 1] = { n, n % nodes + 1, 3 }
    end
    for q = 1, 300 do
      from[q], to[q] = math.random(nodes), math.random(20)
    end
    local found = throng.paths { edges = edges, nodes = nodes, from = from, to = to }
    local alone = throng.paths { edges = edges, nodes = nodes, from = from, to = to, method = "searches" }
    assert.same(alone.cost, found.cost)
    assert.same({ 0, "searches" }, { alone.shared_suffixes, found.method })
    assert.is_true(found.shared_suffixes > 50 and found.shared_suffixes < 300)
    for q, path in ipairs(found.path) do
      assert.same({ from[q], to[q], found.cost[q] }, { path[1], path[#path], cost_along(path, edges) })
    end
  end)

  it("knows diagonal steps, which pass no corner, blocked nodes, and what nodes cost", function()
    local function cost(settings)
      settings.from, settings.to = { 1 }, { 9 }
      return throng.paths(settings).cost[1]
    end
    local open = { "...", "...", "..." }
    assert.equal(4, cost { grid = open })
    assert.near(2 * math.sqrt(2), cost { grid = open, diagonal = true }, 1e-6)
    assert.equal(4, cost { grid = { "...", ".#.", "..." }, diagonal = true })
    assert.equal(4, cost { grid = open, diagonal = true, blocked = { 5 } })
    assert.equal(4, cost { grid = open, diagonal = true, node_cost = { [5] = math.huge } })
    assert.equal(5, cost { grid = open, node_cost = { [2] = 9, [7] = 1, [4] = 0, [5] = 1, [6] = 5 } })
    assert.equal(math.huge, cost { grid = { ".#.", "##.", "..." } })
    assert.same({ { 3 } }, throng.paths({ grid = open, from = { 3 }, to = { 3 } }).path)
  end)

  it("finds the shortest paths on a map", function()
    local room = throng.map {
      boundary = throng.box(0, 0, 20, 10),
      walls = { throng.box(10, 0, 10.2, 7), throng.box(15, 5, 16, 6), throng.box(2, 2, 4, 2.5) },
    }
    local from, to = { { 1, 1 }, { 15.5, 5.5 } }, { { 19, 1 }, { 1, 1 } } -- the second begins in a wall
    for i = 3, 1500 do
      from[i], to[i] = room:random_point(nil, 0.3), room:random_point(nil, 0.3)
    end
    local found = throng.paths { map = room, radius = 0.25, from = from, to = to }
    assert.same({ math.huge, {} }, { found.cost[2], found.path[2] })
    for i, path in ipairs(found.path) do
      assert.equal(room:distance(from[i], to[i], 0.25), found.cost[i])
      assert.same(room:path(from[i], to[i], 0.25) or {}, path)
    end
    assert.is_true(found.cost[1] > 18 and found.cost[1] < math.huge)
  end)

  it("says what is wrong", function()
    local room = throng.map { boundary = throng.box(0, 0, 9, 9) }
    assert_fails("with 'map', leave 'grid' out", { map = room, grid = { "." }, from = { 1 }, to = { 1 } })
    assert_fails("'from' has 1 points and 'to' 2", { map = room, from = { { 1, 1 } }, to = { { 1, 1 }, { 2, 2 } } })
    assert_fails("field 'from'", { map = room, from = { 1 }, to = { { 1, 1 } } })
    assert_fails("paths: field 'map' must be throng.map{...}, got \"room\"", { map = "room", from = {}, to = {} })
    local function edge(...)
      return { nodes = 2, edges = { { ... } }, from = { 1 }, to = { 2 } }
    end
    assert_fails("edges[1]: a cost must be a number of 0 or more, got -1", edge(1, 2, -1))
    assert_fails("edges[1]: expected a node, 1 to 2, got 3", edge(1, 3, 1))
    local placed = edge(1, 2, 1)
    placed.at = { { 0, 0 } }
    assert_fails("field 'at' has 1 places, but there are 2 nodes", placed)
    placed.at = { { 0, 0 }, 7 }
    assert_fails("at[2]", placed)
    assert_fails("'at' is for 'edges'", { grid = { "." }, at = { { 0, 0 } }, from = { 1 }, to = { 1 } })
    assert_fails("with 'map', leave 'at' out", { map = room, at = {}, from = {}, to = {} })
    assert_fails("needs either 'map', or 'grid'", { from = { 1 }, to = { 1 } })
    assert_fails("with 'edges' needs 'nodes'", { edges = {}, from = { 1 }, to = { 1 } })
    assert_fails("grid[2] has 1 cells, but the first row 2", { grid = { "..", "." }, from = { 1 }, to = { 1 } })
    assert_fails("expected '.' (free) or '#' (not), got 'x'", { grid = { ".x" }, from = { 1 }, to = { 1 } })
    assert_fails("'from' has 2 nodes and 'to' 1", { grid = { ".." }, from = { 1, 2 }, to = { 1 } })
    assert_fails("did you mean 'trees'", { grid = { ".." }, from = { 1 }, to = { 2 }, method = "tree" })
    assert_fails("node_cost[1]: a cost", { grid = { ".." }, from = { 1 }, to = { 2 }, node_cost = { -1 } })
  end)
end)
