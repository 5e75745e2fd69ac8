-- Floors over each other know nothing of each other, and nobody is lost where floors and flights meet.
local throng = require "throng"
local planners = dofile "tests/specs/planners.lua"

local HALL = throng.box(0, 0, 16, 12)

describe("floors over each other", function()
  -- A crowd on each floor, all across; where and how fast each is after some time, of those who stay.
  local function run(stay, planner)
    local floors = {}
    for i, name in ipairs { "ground", "first" } do
      floors[name] = {
        z = 3.5 * (i - 1), boundary = HALL, walls = { throng.box(7, 4, 8, 5), throng.box(9, 7, 9.5, 8) },
      }
    end
    local world <close> = throng.world { map = throng.building { floors = floors }, seed = 3, dt = 0.1, threads = 1 }
    local there = {}
    for _, name in ipairs { "ground", "first" } do
      local group = world:spawn { name = name, count = 40, where = name, planner = throng[planner] {} }
      local goals = {}
      for i = 1, 40 do goals[i] = { 16 - group.x[i], 12 - group.y[i], floor = name } end
      group:go_to(goals)
      there[name] = group
    end
    for name, group in pairs(there) do if not stay[name] then group:remove() end end
    world:run { seconds = 15 }
    local values = {}
    for name in pairs(stay) do
      local group = there[name]
      values[name] = { x = group.x:list(), y = group.y:list(), vx = group.vx:list(), vy = group.vy:list() }
    end
    return values
  end

  for _, planner in ipairs(planners) do if planner ~= "none" then
    it("are each as if nobody were on the other, to the bit, under " .. planner, function()
      local both = run({ ground = true, first = true }, planner)
      for _, name in ipairs { "ground", "first" } do
        local alone = run({ [name] = true }, planner)[name]
        for column, values in pairs(alone) do
          for i, value in ipairs(values) do assert.equal(value, both[name][column][i], column .. i .. name) end
        end
      end
    end)
  end end
end)

describe("seams", function()
  -- `make seams`: a million in all.
  local wanted = tonumber(os.getenv "SEAM_CROSSINGS") or 400
  local stairs = {}
  for i = 0, 3 do
    local up = i % 2 == 0
    stairs[i + 1] = {
      from = "ground", to = "first", width = 3,
      foot = { up and 12 or 20, 3 + 6 * i }, head = { up and 20 or 12, 3 + 6 * i },
    }
  end
  local hall = throng.box(0, 0, 32, 24)
  local ends = { throng.box(1, 1, 6, 23), throng.box(26, 1, 31, 23) }

  for _, planner in ipairs(planners) do if planner ~= "none" then
    it("lose nobody under " .. planner, function()
      local world <close> = throng.world {
        map = throng.building {
          floors = {
            ground = { z = 0, boundary = hall, regions = { ends = ends } },
            first = { z = 4, boundary = hall, regions = { ends = ends } },
          },
          stairs = stairs,
        },
        seed = 5, dt = 0.1,
      }
      local there, crossings = {}, 0
      for _, name in ipairs { "ground", "first" } do
        local group = world:spawn { name = name, count = 100, where = name .. "/ends", planner = throng[planner] {} }
        there[#there + 1] = group
        group:go_to((name == "ground" and "first" or "ground") .. "/ends")
        group:on("arrived", function(arrived) -- and back
          for _, floor in ipairs { "ground", "first" } do
            local here = arrived:filter(function(a) return a.floor == floor end)
            if #here > 0 then here:go_to((floor == "ground" and "first" or "ground") .. "/ends") end
          end
        end)
        group:on("floor", function(who) crossings = crossings + #who end)
      end
      while crossings < wanted and world.time < wanted do world:run { seconds = 5 } end
      assert.is_true(crossings >= wanted, ("%d crossings in %g s"):format(crossings, world.time))
      local found = 0
      for _, group in ipairs(there) do
        assert.equal(100, #group)
        for i = 1, #group do
          local x, y, floor = group.x[i], group.y[i], group.floor[i]
          assert.is_true(world.map:fits({ x, y, floor = floor }, 0), ("%g, %g on %s"):format(x, y, floor))
          found = found + 1
        end
      end
      assert.equal(200, found)
    end)
  end end
end)
