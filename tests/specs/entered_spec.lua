-- group:on("entered", place, f) and group:on("left", place, f).
local throng = require "throng"
local needs = dofile "tests/specs/needs.lua"

-- One walks 1 m/s along y = 5, from x.
local function walk(world, x)
  local walker = world:spawn { at = { { x, 5 } }, planner = "none", name = "walker at " .. x }
  walker.desired = function() return 1, 0 end
  return walker
end

local function corridor()
  return throng.world {
    map = throng.map { boundary = throng.box(0, 0, 40, 10) }, people = false, threads = 1, dt = 0.1,
    regions = { hall = throng.box(5, 0, 8, 10) },
  }
end

describe("entered and left", function()
  it("tell who came into a place and went out of it, and when", function()
    local world, told = corridor(), {}
    local first, second = walk(world, 3.05), walk(world, 1.05)
    local both = first | second
    local function tell(what)
      return function(group, place)
        told[#told + 1] = ("%s %s %d at %.1f"):format(what, place, group.id[1], world.time)
        assert.equal(1, #group)
      end
    end
    assert.equal(both, both:on("entered", "hall", tell "entered"))
    both:on("left", "hall", tell "left")
    second:on("entered", "hall", function(group) assert.equal(second.id[1], group.id[1]) end)
    world:run { seconds = 8 }
    local a, b = first.id[1], second.id[1]
    assert.same({ ("entered hall %d at 2.0"):format(a), ("entered hall %d at 4.0"):format(b),
      ("left hall %d at 5.0"):format(a), ("left hall %d at 7.0"):format(b) }, told)
  end)

  it("pass over who begins in the place, and who is removed or comes in its stead", function()
    local world, entered, left = corridor(), 0, 0
    local inside = walk(world, 6.05)
    local near = walk(world, 3.05)
    world.agents:on("entered", throng.box(5, 0, 8, 10), function(group) entered = entered + #group end)
    local all = inside | near
    all:on("left", { "hall" }, function(group) left = left + #group end)
    world:run { steps = 2 }
    assert.same({ 0, 0 }, { entered, left })
    inside:remove() -- another may get its slot
    local late = walk(world, 7.05)
    late:on("entered", "hall", function() error "it was there" end)
    world:run { seconds = 6.3 }
    assert.equal(1, left) -- near, and nobody else of those
    assert.equal(1, entered)
  end)

  it("take nobody for another who had its slot", function()
    local world, left = corridor(), 0
    local visitors = world:source {
      schedule = { { 0, 1 }, { 0.5, 1 } }, where = "hall", planner = "none",
    }
    world.stages.desire:after(function()
      if world.time > 0.45 then visitors.x = 30 end -- the second begins out of the hall, before anybody looks
    end)
    visitors:on("left", "hall", function(group) left = left + #group end)
    world:run { seconds = 0.4 }
    visitors:remove()
    world:run { seconds = 0.4 }
    assert.same({ 1, 30 }, { visitors.count, visitors.x[1] })
    assert.equal(0, left)
  end)

  it("begin with the next step where a hook asks for them", function()
    for _, stage in ipairs { "goals", "desire", "move" } do
      local world, told, asked = corridor(), {}, false
      walk(world, 6.05)
      local near = walk(world, 3.05)
      world.stages[stage]:after(function()
        if asked then return end
        asked = true
        world:on("entered", "hall", function(group) told[#told + 1] = group.id[1] end)
      end)
      world:run { seconds = 3 }
      assert.same({ near.id[1] }, told)
    end
  end)

  it("go on while agents are added", function()
    local world, count = corridor(), 0
    local walkers = walk(world, 3.05)
    walkers:on("entered", "hall", function(group) count = count + #group end)
    world:spawn { count = 300, where = throng.box(20, 0, 40, 10) }
    world:run { seconds = 3 }
    assert.equal(1, count)
  end)

  -- Two groups walk to and fro through a triangle, and two boxes that make one place.
  local function busy_hall(settings)
    settings.map = throng.map { boundary = throng.box(0, 0, 30, 12) }
    settings.regions = { west = throng.box(0, 0, 4, 12), east = throng.box(26, 0, 30, 12) }
    settings.dt, settings.seed = 0.1, 5
    local world = throng.world(settings)
    world:spawn({ count = 25, where = "west", name = "a" }):run(throng.fsm {
      start = "out", out = { goal = throng.go_to "east", arrived = "back" },
      back = { goal = throng.go_to "west", arrived = "out" },
    })
    world:spawn({ count = 25, where = "east", name = "b" }):go_to "west"
    return world, { triangle = throng.polygon { { 8, 1 }, { 16, 6 }, { 8, 11 } },
      boxes = { throng.box(18, 0, 20, 12), throng.box(19, 4, 24, 8) } }
  end

  local function listen(world, places, tell)
    for _, name in ipairs { "triangle", "boxes" } do
      for _, event in ipairs { "entered", "left" } do
        world:on(event, places[name], function(group)
          for _, id in ipairs(group.id) do tell(("%s %s %d at %.1f"):format(event, name, id, world.time)) end
        end)
      end
    end
  end

  it("tell what one sees who looks at everybody after each step", function()
    local world, places = busy_hall { threads = 1 }
    local told, seen, before = {}, {}, {}
    local function look(report)
      for _, name in ipairs { "triangle", "boxes" } do
        local here, was = {}, before[name] or {}
        for _, id in ipairs(world.agents:inside(places[name]).id) do here[id] = true end
        for _, id in ipairs(world.agents.id) do
          if report and here[id] ~= was[id] then
            seen[("%s %s %d at %.1f"):format(here[id] and "entered" or "left", name, id, world.time)] = true
          end
        end
        before[name] = here
      end
    end
    listen(world, places, function(text) told[text] = true end)
    look(false)
    for _ = 1, 400 do
      world:step()
      look(true)
    end
    assert.same(seen, told)
    local count = 0
    for _ in pairs(told) do count = count + 1 end
    assert.is_true(count > 150, count)
  end)

  it("tell the same on every width, on threads and on CUDA", function()
    local function told_by(settings)
      local world, places = busy_hall(settings)
      local told = {}
      listen(world, places, function(text) told[#told + 1] = text end)
      world:run { seconds = 20, until_done = false }
      return told
    end
    local expected = told_by { simd = 1, threads = 1 }
    for _, width in ipairs(needs.which_simd { 4, 16 }) do
      assert.same(expected, told_by { simd = width, threads = 2 })
    end
    needs.device(pending)
    assert.same(expected, told_by { backend = "cuda" })
  end)

  it("say what is missing", function()
    local world = corridor()
    local walker = walk(world, 1)
    local function refuses(text, ...)
      local ok, message = pcall(walker.on, walker, ...)
      assert.is_false(ok)
      assert.truthy(message:find(text, 1, true), message)
    end
    refuses("event 'entered' needs a place: group:on(\"entered\", \"hall\"", "entered", function() end)
    refuses("event 'left' needs a place", "left")
    refuses("event 'left': the third argument must be a function(group, place), got nothing", "left", "hall")
    refuses("did you mean 'hall'?", "entered", "hal", function() end)
    refuses("did you mean 'entered'?", "enterd", "hall", function() end)
    world:run { seconds = 1 }
  end)
end)
