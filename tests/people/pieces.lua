-- The runs of `make people`, a test each, so that `throng test --jobs N --parts M` shares them out: each writes what it
-- measured as a line of JSON to out/people, of which results.lua makes RESULTS.md.
-- SEEDS=2 takes fewer seeds than 5; PLANNERS=orca,rvo looks at some planners.
package.path = "tests/people/?.lua;" .. package.path
local json = require "dkjson"
local throng = require "throng"
local data = require "data"
local measure = require "measure"
local part = require("throng.suites").part or 1

local SEEDS = tonumber(os.getenv "SEEDS" or 5)
local MANY = 4 * SEEDS -- of whom none may lock

-- Planners, and the default one with bodies that are wider than deep.
local WALKERS = {}
for name in (os.getenv "PLANNERS" or table.concat(data.planners, ",")):gmatch "[%w_]+" do
  WALKERS[#WALKERS + 1] = { name = name, planner = name }
  if name == "orca" then
    WALKERS[#WALKERS + 1] = { name = data.SHOULDERS, planner = name, more = { body = throng.stadium() }, wide = true }
  end
end

local begun

local function write(record)
  if not begun then os.execute "mkdir -p out/people" end
  local file = assert(io.open(("out/people/%d.jsonl"):format(part), begun and "a" or "w"))
  begun = true
  file:write(json.encode(record), "\n")
  file:close()
end

-- One run of a table: `at` is the column, or the name of the row's part; f(settings) gives the values.
local function piece(name, walker, at, seed, f, settings)
  settings = settings or {}
  settings.planner, settings.more, settings.seed = walker.planner, walker.more, seed
  it(("%s, %s, %s, seed %d"):format(name, walker.name, at, seed), function()
    local values, drawing = f(settings)
    write { table = name, planner = walker.name, at = at, seed = seed, values = values, drawing = drawing }
  end)
end

local function each(seeds, f)
  for seed = 1, seeds do
    for _, walker in ipairs(WALKERS) do f(seed, walker) end
  end
end

describe("people", function()
  -- the longest first, so that none is alone at the end
  each(SEEDS, function(seed, walker)
    if walker.wide then return end
    for _, doors in ipairs { 2, 4 } do
      piece("room", walker, doors, seed, function(s) return { measure.room(s) } end, { doors = doors })
    end
    for _, where in ipairs { "evacuation", "streams" } do
      piece("walking", walker, where, seed, function(s)
        local r = measure[where](s)
        return { r.acceleration, r.turns, r.backwards, r.fast, r.circles, r.people, r.arrived, r.last or 0 }
      end)
    end
  end)
  each(SEEDS, function(seed, walker)
    for _, door in ipairs(data.doors) do
      if walker.wide or not door.narrow then
        piece("door", walker, door.width, seed, function(s) return { measure.door(s) } end, { width = door.width })
      end
    end
  end)
  each(SEEDS, function(seed, walker)
    for _, bend in ipairs(data.bends) do
      piece("bend", walker, bend.inflow, seed, function(s) return { measure.bend(s) } end, { inflow = bend.inflow })
    end
  end)
  each(MANY, function(seed, walker)
    for _, two in ipairs(data.two_way) do
      if seed <= SEEDS or walker.name == "orca" then
        piece("two ways", walker, two.density, seed, function(s)
          local speed, order, places = measure.corridor(s)
          return { speed, order }, seed == 1 and walker.name == "orca" and places or nil
        end, { density = two.density, ways = 2 })
      end
    end
  end)
  each(SEEDS, function(seed, walker)
    for _, density in ipairs(data.shown) do
      piece("one way", walker, density, seed, function(s) return { (measure.corridor(s)) } end, { density = density })
    end
    for _, bin in ipairs(data.open_corridors) do
      piece("band", walker, bin[1], seed, function(s) return { (measure.corridor(s)) } end,
        { density = bin[1], speed = data.band_speed })
    end
    for _, file in ipairs(data.files) do
      piece("single file", walker, file.density, seed, function(s)
        local speed, stands, stops, trajectories = measure.file(s)
        return { speed, stands, stops }, seed == 1 and walker.name == "orca" and trajectories or nil
      end, { density = file.density })
    end
  end)
end)
