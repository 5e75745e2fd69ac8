-- world:on(event, f): of all agents, those who come later too.
local throng = require "throng"

local function corridor()
  return throng.world {
    map = throng.map { boundary = throng.box(0, 0, 30, 6) }, people = false, threads = 1, dt = 0.1,
    regions = { hall = throng.box(10, 0, 14, 6), exit = throng.box(26, 0, 30, 6) },
  }
end

describe("world:on", function()
  it("tells of all agents, of those who come later too, each event once a step", function()
    local world, told = corridor(), {}
    local function tell(event)
      return function(group)
        for i = 1, #group do told[#told + 1] = ("%s %d"):format(event, group.id[i]) end
      end
    end
    world:on("entered", "hall", tell "entered"):on("left", "hall", tell "left")
    world:on("arrived", function(group)
      tell "arrived"(group)
      group:remove()
    end)
    local one = world:spawn { at = { { 2, 3 } }, name = "one" }:go_to "exit"
    local early, late = one.id[1], nil
    world:at(4, function()
      late = world:spawn { at = { { 2, 2 } }, name = "late" }:go_to("exit").id[1]
    end)
    world:run { seconds = 60 }
    assert.equal(0, #world.agents)
    local of = {}
    for _, line in ipairs(told) do
      local event, id = line:match "(%a+) (%d+)"
      of[tonumber(id)] = (of[tonumber(id)] or "") .. event .. " "
    end
    assert.same({ [early] = "entered left arrived ", [late] = "entered left arrived " }, of)
  end)

  it("tells who is stuck, and why", function()
    local world, causes = throng.world {
      map = throng.map { boundary = throng.box(0, 0, 30, 6), doors = { gate = { { 15, 0 }, { 15, 6 } } } }, threads = 1,
    }, {}
    world.map.doors.gate:close()
    world:on("stuck", function(group, cause) causes[#causes + 1] = ("%d %s"):format(#group, cause) end)
    world:spawn { at = { { 2, 3 } } }:go_to { 28, 3 }
    world:run { seconds = 40 }
    assert.same({ "1 closed door" }, causes)
  end)

  it("says what is wrong with a call", function()
    local world = corridor()
    for text, call in pairs {
      ["world:on: unknown event 'arived', did you mean 'arrived'?"] = function() world:on("arived", print) end,
      ["world:on: the first argument must be the name of an event"] = function() world:on(print) end,
      ["world:on: the second argument must be a function(group), got nothing"] = function() world:on "arrived" end,
      [ [[event 'left' needs a place: world:on("left", "hall", function(group, place) ... end)]] ] = function()
        world:on("left", print)
      end,
      ["world:on: 'entered': unknown region 'hal', did you mean 'hall'?"] = function()
        world:on("entered", "hal", print)
      end,
      ["world:on: event 'floor': this world has one floor"] = function() world:on("floor", print) end,
    } do
      local _, message = pcall(call)
      assert.is_truthy(tostring(message):find(text, 1, true), text .. " / " .. tostring(message))
    end
    world:step() -- nothing of them is called
  end)
end)
