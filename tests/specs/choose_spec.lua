-- group:choose, group:start_with and world:announce: where people go and when, by what they know, see and hear.
local throng = require "throng"

local command = dofile "tests/specs/command.lua"

-- Two exits, west and east, of a hall of 20 x 10 m; `thick`, a screen before the east one's sign.
local function hall(settings)
  settings = settings or {}
  return throng.world {
    map = throng.map { boundary = throng.box(0, 0, 20, 10), walls = settings.walls,
      doors = { east = { { 18, 4 }, { 18, 6 } } } },
    regions = { west = throng.box(0, 4, 1, 6), east = throng.box(19, 4, 20, 6) },
    seed = settings.seed or 1,
    threads = 1,
  }
end

local WALLS = { throng.box(17.9, 0, 18.1, 4), throng.box(17.9, 6, 18.1, 10) }

-- The share of 400 people in the middle who go east.
local function share(settings, more)
  local world <close> = hall(more)
  local crowd = world:spawn { count = 400, where = throng.box(8, 1, 12, 9), radius = 0.03, name = "crowd",
    planner = "none" }
  if more and more.before then more.before(world) end
  crowd:choose(settings)
  world:run { seconds = 1 }
  local east = 0
  for _, vx in ipairs(crowd.desired_vx:list()) do east = east + (vx > 0 and 1 or 0) end
  return east / 400
end

-- Within what 99 of 100 samples of 400 are.
local function near(expected, got)
  assert.near(expected, got, 2.6 * math.sqrt(expected * (1 - expected) / 400) + 1e-9)
end

describe("group:choose", function()
  it("draws by weights, and by nothing else that is not asked for", function()
    near(0.5, (share { exits = { "west", "east" } }))
    near(0.8, (share { exits = { { place = "west", weight = 0.2 }, { place = "east", weight = 0.8 } } }))
    assert.equal(1, (share { exits = { { place = "west", weight = 0 }, "east" } }))
  end)

  it("weighs distances by the way there", function()
    local walls = { throng.box(14, 0, 14.2, 9) } -- the way east is longer
    assert.near(0.5, share { exits = { "west", "east" }, distance = 1 }, 0.1)
    assert.is_true(share({ exits = { "west", "east" }, distance = 1 }, { walls = walls }) < 0.25)
    local world <close> = hall()
    local two = world:spawn { at = { { 9, 5 }, { 11, 5 } } } -- 8 m to one exit, 10 to the other
    two:choose { exits = { "west", "east" }, distance = 1000 }
    world:run { seconds = 1 }
    assert.is_true(two.desired_vx[1] < 0 and two.desired_vx[2] > 0)
  end)

  it("weighs times: of the way, at one's own speed, and of the wait", function()
    for speed, expected in pairs { [0.5] = 1 / (1 + math.exp(2)), [2] = 1 / (1 + math.exp(0.5)) } do
      local world <close> = hall()
      local at = {}
      for i = 1, 400 do at[i] = { 9, 5 } end -- 8 m to the west, 10 m to the east
      local crowd = world:spawn { at = at, speed = speed, planner = "none" }
      crowd:choose { exits = { "west", "east" }, time = 0.5 }
      world:run { seconds = 1 }
      local east = 0
      for _, vx in ipairs(crowd.desired_vx:list()) do east = east + (vx > 0 and 1 or 0) end
      near(expected, east / 400)
    end
    local function after_60(flow)
      return share({ exits = { { place = "west", flow = flow }, "east" }, time = 1000 }, {
        before = function(world)
          world:spawn({ count = 60, where = throng.box(1, 1, 4, 9), name = "before", radius = 0.1 }):go_to "west"
        end,
      })
    end
    assert.equal(1, after_60(1)) -- a minute's wait
    assert.near(0.5, after_60(1000), 0.1)
  end)

  it("keeps from queues, one after the other", function()
    local east = share { exits = { "west", "east" }, queue = 1 }
    assert.near(0.5, east, 0.03)
    local some = share({ exits = { "west", "east" }, queue = 0.05 }, {
      before = function(world)
        world:spawn({ count = 60, where = throng.box(1, 1, 4, 9), name = "before", radius = 0.1 }):go_to "west"
      end,
    })
    assert.is_true(some > 0.55, tostring(some))
  end)

  it("follows those whom one sees", function()
    -- How many of 60, each alone with five who are bound for the east, go there.
    local function followers(settings, walls)
      local east = 0
      settings.exits = { "west", "east" }
      for seed = 1, 60 do
        local world <close> = hall { seed = seed, walls = walls }
        world:spawn({ count = 5, where = throng.box(12.5, 4, 14, 6), name = "bound", radius = 0.2 }):go_to "east"
        local one = world:spawn { at = { { 10, 5 } } }
        one:choose(settings)
        world:run { steps = 2 }
        east = east + (one.desired_vx[1] > 0 and 1 or 0)
      end
      return east
    end
    local screen = { throng.box(11.8, 0, 11.9, 9) } -- they are behind it
    assert.is_true(followers { social = 3 } >= 52) -- 57 are to be expected
    for _, none in ipairs { followers { social = 0 }, followers { social = 3, sight = 2 },
      followers({ social = 3 }, screen) } do
      assert.near(30, none, 11)
    end
  end)

  it("looks at the hundred who are nearest", function()
    local world <close> = hall()
    local function crowd(name, count, from, to)
      world:spawn({ name = name, count = count, where = throng.box(8, from, 12, to), radius = 0.05 }):go_to(name)
    end
    crowd("west", 120, 3, 5)
    crowd("east", 300, 5, 9)
    local one = world:spawn { at = { { 10, 1 } } }
    one:choose { exits = { "west", "east" }, social = 1000 }
    world:run { steps = 2 }
    assert.is_true(one.desired_vx[1] < 0)
  end)

  it("asks no more of each in a larger crowd", function()
    local path = command.write(os.tmpname(), [[
      local throng = require "throng"
      local world = throng.world { map = throng.map { boundary = throng.box(0, 0, 60, 40) }, seconds = 0.2,
        regions = { west = throng.box(0, 4, 1, 6), east = throng.box(59, 4, 60, 6) } }
      world:spawn { count = 3000, where = throng.box(10, 1, 50, 39) }:choose {
        exits = { "west", "east" }, distance = 0.1, queue = 0.05, social = 1 }
      return world]])
    finally(function() os.remove(path) end)
    local code, _, err = command.throng("run " .. path .. " --out none --instructions 30000000") -- 9 million pairs
    assert.equal(0, code, err)
  end)

  it("knows no exit whose sign is not seen, but for those who know it", function()
    local sign = { place = "east", sign = { 19.5, 5 } }
    near(0.5, (share { exits = { "west", sign } }))
    assert.equal(0, (share({ exits = { "west", sign } }, { walls = { throng.box(15, 0.5, 15.2, 9.5) } })))
    sign.known = 0.4
    near(0.2, (share({ exits = { "west", sign } }, { walls = { throng.box(15, 0.5, 15.2, 9.5) } })))
    assert.equal(0, (share { exits = { "west", { place = "east", sign = { 19.5, 5 } } }, sight = 5 }))
  end)

  it("sees signs as far as smoke lets it", function()
    local world <close> = hall()
    local smoke = world:smoke { extinction = 0.4 } -- 7.5 m
    local two = world:spawn { at = { { 10, 5 }, { 14, 5 } }, speed = 1 }
    two:choose { exits = { { place = "east", sign = { 19.5, 5 } } }, smoke = smoke }
    world:run { seconds = 2 }
    assert.equal(0, two.desired_vx[1])
    assert.is_true(two.desired_vx[2] > 0)
  end)

  it("is made when the pre-movement time is over, also by those who come later", function()
    local world <close> = hall()
    local crowd = world:spawn { at = { { 10, 3 } }, pre_movement = 5, name = "crowd" }
    crowd:choose { exits = { "west", "east" } }
    world:run { seconds = 4 }
    assert.equal(-1, crowd.goal[1])
    world:run { seconds = 2 }
    assert.is_true(crowd.goal[1] >= 0)
    local source = world:source { rate = 2, limit = 4, where = throng.box(8, 4, 12, 6), name = "source" }
    source:choose { exits = { "east" } }
    world:run { seconds = 4 }
    for i = 1, 4 do assert.is_true(source.desired_vx[i] > 0) end
  end)

  it("is made again where it is asked for: a door has closed", function()
    local world <close> = hall { walls = WALLS }
    local crowd = world:spawn { count = 20, where = throng.box(8, 1, 12, 9) }
    crowd:choose { exits = { "west", "east" }, distance = 0.1, every = 1 }
    world:run { seconds = 1 }
    local function bound_east()
      local east = 0
      for _, vx in ipairs(crowd.desired_vx:list()) do east = east + (vx > 0.1 and 1 or 0) end
      return east
    end
    assert.is_true(bound_east() > 3)
    world.map:door("east"):close()
    world:run { seconds = 1.5 }
    assert.equal(0, bound_east())
  end)

  it("is the same in a second run", function()
    local function run()
      local world <close> = hall()
      local crowd = world:spawn { count = 40, where = throng.box(8, 1, 12, 9) }
      crowd:choose { exits = { "west", "east" }, queue = 0.2, social = 1, every = 0.5, reconsider = 0.3 }
      world:run { seconds = 4 }
      return world:hash()
    end
    assert.same_hash(run(), run())
  end)

  it("refuses what it cannot mean", function()
    local world <close> = hall()
    local crowd = world:spawn { at = { { 10, 3 } } }
    local function fails(pattern, settings)
      local ok, message = pcall(crowd.choose, crowd, settings)
      assert.is_false(ok)
      assert.matches(pattern, message)
    end
    fails("expected a table like {exits", {})
    fails("exit 2.-nowhere", { exits = { "west", "nowhere" } })
    fails("unknown field 'distanse'", { exits = { "west" }, distanse = 1 })
    fails("exit 1: field 'known' must be a number from 0 to 1", { exits = { { place = "west", known = 2 } } })
    fails("'reconsider' goes with 'every'", { exits = { "west" }, reconsider = 0.5 })
    local other <close> = hall()
    local foreign, fake = other:smoke { extinction = 1 }, { at = function() return "much" end }
    fails("field 'smoke' must be what world:smoke of this world returned, got 0.5", { exits = { "west" }, smoke = 0.5 })
    fails("world:smoke of this world returned, got a table", { exits = { "west" }, smoke = fake })
    fails("world:smoke of this world returned, got another world's", { exits = { "west" }, smoke = foreign })
    for _, x in ipairs { 0 / 0, 1 / 0, -1e300, "3" } do
      fails("exit 1: field 'sign' must be a point {x, y}", { exits = { { place = "west", sign = { 3, x } } } })
    end
    fails("exit 1 of 2 is nil", { exits = { nil, "west" } })
  end)
end)

describe("group:start_with", function()
  -- Ten in a row who wait; how many walk after some seconds when the first `walkers` have set out.
  local function started(walkers, settings, seconds)
    local world <close> = throng.world { threads = 1 }
    local at = {}
    for i = 1, 10 do at[i] = { 2 * i, 0 } end
    local row = world:spawn { at = at, pre_movement = 100, name = "row" }
    row.neighbours = 2
    row:go_to { 10, 500 }
    local first = { at = {} }
    for i = 1, walkers do first.at[i] = { 1.5, 0.6 * i } end
    if walkers > 0 then world:spawn(first):go_to { 1.5, 500 } end
    row:start_with(settings)
    world:run { seconds = seconds }
    local count = 0
    for _, vy in ipairs(row.vy:list()) do count = count + (vy > 0.3 and 1 or 0) end
    return count
  end

  it("is a wave through those who see each other", function()
    assert.equal(0, started(0, {}, 20))
    local few, all = started(1, { share = 0.5 }, 1.5), started(1, { share = 0.5 }, 30)
    assert.is_true(few >= 1 and few < 10, tostring(few))
    assert.equal(10, all)
  end)

  it("takes as many as is said, and who is named", function()
    assert.equal(0, started(1, { least = 2 }, 20))
    assert.is_true(started(2, { least = 2, share = 0.9 }, 20) >= 1)
    assert.equal(0, started(2, { of = "row" }, 20))
  end)

  it("takes its delay", function()
    assert.equal(0, started(1, { delay = 6 }, 5))
    assert.is_true(started(1, { delay = 6 }, 10) >= 1)
  end)

  it("refuses what is none", function()
    local world <close> = hall()
    local one = world:spawn { at = { { 10, 3 } } }
    for pattern, settings in pairs {
      ["field 'share' must be a number from 0 to 1"] = { share = 3 },
      ["unknown field 'shares'"] = { shares = 3 },
      ["field 'of' must be a name"] = { of = 3 },
      ["nobody"] = { of = "nobody" },
    } do
      local ok, message = pcall(one.start_with, one, settings)
      assert.is_false(ok)
      assert.matches(pattern, message)
    end
  end)
end)

describe("world:announce", function()
  it("sends a share of those who hear it, each after its delay", function()
    local world <close> = hall()
    local crowd = world:spawn { count = 300, where = throng.box(6, 1, 9.5, 9), pre_movement = 1000, radius = 0.05,
      planner = "none" }
    local others = world:spawn { count = 20, where = throng.box(12, 1, 15, 9), pre_movement = 1000, name = "others" }
    local told
    world:announce { at = 2, where = throng.box(0, 0, 10, 10), share = 0.6, delay = throng.uniform(1, 3), to = "west",
      each = function(group) told = group.count end }
    local function walking(group)
      local count = 0
      for _, vx in ipairs(group.desired_vx:list()) do count = count + (vx ~= 0 and 1 or 0) end
      return count
    end
    world:run { seconds = 2.9 }
    assert.equal(0, walking(crowd))
    assert.near(180, told, 22)
    world:run { seconds = 1.1 }
    assert.near(told / 2, walking(crowd), 25)
    world:run { seconds = 1.3 }
    assert.equal(told, walking(crowd))
    assert.equal(0, walking(others))
    for _, wait in ipairs(others.pre_movement:list()) do assert.equal(1000, wait) end
  end)

  it("lets people set out for where they are bound, and only those of a group", function()
    local world <close> = hall()
    local a = world:spawn { at = { { 10, 3 } }, pre_movement = 1000, name = "a" }
    local b = world:spawn { at = { { 10, 7 } }, pre_movement = 1000, name = "b" }
    for _, group in ipairs { a, b } do group:go_to "east" end
    world:announce { group = a }
    world:run { seconds = 1 }
    assert.is_true(a.desired_vx[1] > 0)
    assert.equal(0, b.desired_vx[1])
  end)

  it("refuses what is none, at once", function()
    local world <close> = hall()
    local other <close> = hall()
    for pattern, settings in pairs {
      ["field 'share' must be a number from 0 to 1"] = { share = 3 },
      ["field 'where'.-nowhere"] = { where = "nowhere" },
      ["field 'to'.-nowhere"] = { to = "nowhere" },
      ["field 'at'"] = { at = -3 },
      ["field 'group' must be a group"] = { group = "group of mine" },
      ["field 'group' must be a group, got a world"] = { group = world },
      ["field 'group': these groups belong to two worlds"] = { group = other.agents },
      ["field 'delay'"] = { delay = -1 },
      ["unknown field 'when'"] = { when = 3 },
    } do
      local ok, message = pcall(world.announce, world, settings)
      assert.is_false(ok)
      assert.matches(pattern, message)
    end
  end)
end)
