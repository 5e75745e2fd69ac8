-- Values for documented types, as Lua text: plausible ones, and in hostile calls one that is not. Calls are made of
-- them: a receiver, a documented name, and a value of its type for each parameter.
local types = require "api_types"

-- ---- numbers from a seed: the same on every machine

local Random = {}
Random.__index = Random

local function mixed(z)
  z = (z ~ (z >> 30)) * 0xbf58476d1ce4e5b9
  z = (z ~ (z >> 27)) * 0x94d049bb133111eb
  return z ~ (z >> 31)
end

local function new_random(...)
  local state = 0
  for _, number in ipairs { ... } do state = mixed(state + number + 0x9e3779b97f4a7c15) end
  return setmetatable({ state = state }, Random)
end

function Random:next()
  self.state = self.state + 0x9e3779b97f4a7c15
  return mixed(self.state)
end

function Random:whole(from, to) return from + (self:next() >> 1) % (to - from + 1) end

function Random:float(from, to) return from + (to - from) * ((self:next() >> 11) * 0x1p-53) end

function Random:chance(part) return self:float(0, 1) < part end

function Random:pick(list) return #list > 0 and list[self:whole(1, #list)] or nil end

-- ---- what calls are made of

-- Worlds are about this large, and have these regions.
local WIDTH, HEIGHT, REGIONS, DOORS = 20, 10, { "left", "right", "hall" }, { "north", "south" }
local TAGS, STATES = { "red", "blue" }, { "a", "b", "c" }
local POPULATIONS = { "imo", "imo crew", "rimea" }

local HOSTILE = {
  "0/0", "1/0", "-1/0", "0", "-1", "-0.0", "0.5", "1e-320", "1e-300", "1e-30", "1e30", "1e300", "2^31", "2^31 - 1",
  "-2^31", "2^32", "2^53", "2^63", "math.maxinteger", "math.mininteger", '""', '"no such name"', '"left\\0"',
  '("x"):rep(100000)', "true", "false", "nil", "{}", "{ 1 }", "{ 1, 2, 3 }", "{ 1, nil, 3 }", "{ {} }", "{ x = 1 }",
  "{ { 1e300, -1e300 }, { 0/0, 1 } }", "cycle()", "setmetatable({}, { __index = function() error 'index' end })",
  "print", "function() end", "function() error 'mine' end", "function() error {} end",
  "function() coroutine.yield() end",
  "coroutine.create(print)", "throng", "v",
}

-- Of these fields a table has one each.
local ONE_OF = {
  ["throng.spawn"] = { { "count", "at" } },
  ["throng.source"] = { { "rate", "schedule" } },
  ["throng.bodies"] = { { "box", "circle", "polygon" }, { "at", "where" } },
  ["throng.measure.settings"] = { { "flow", "density", "inside", "lanes" } },
  ["throng.run.settings"] = { { "steps", "seconds" } },
  ["throng.hazard.settings"] = { { "at" } },
  ["throng.path_request.settings"] = { { "from" }, { "to" } },
  ["throng.map.settings"] = { { "boundary", "boundary", "boundary", "file" } },
  ["throng.world.settings"] = { { "map", "map", "map", "wrap" } },
  ["throng.building.settings"] = { { "floors" } },
  ["throng.flow_cap.settings"] = { { "flow", "specific_flow" } },
  ["throng.flight.settings"] = { { "from" }, { "to" }, { "foot" }, { "head" } },
  ["throng.belt.settings"] = { { "from" }, { "foot" }, { "head" } },
  ["throng.lift.settings"] = { { "at" }, { "back" } },
}
local NOT_IN = {
  ["throng.source"] = { count = true, at = true },
  ["throng.world.settings"] = { simd = true, threads = true, backend = true, regions = true, seconds = true },
}

-- How long it runs: no hostile values, of which some are for ever.
local LASTING = { ["throng.run.settings.seconds"] = true, ["throng.run.settings.steps"] = true,
  ["throng.world.settings.seconds"] = true, ["throng.world.settings.dt"] = true, ["throng.world.settings"] = true,
  ["throng.across.seeds"] = true }

-- A world reads these files of the folder that the fuzzer runs in.
local MAP_FILES = { "a.wkt", "b.tmx", "c.xml", "d.map" }

local values = { Random = new_random }

-- What makes values for one story: the documented names, a generator, and slots: what there is already, each
-- { text, class, world }. `used` collects the names that the text has.
local Maker = {}
Maker.__index = Maker

function values.maker(documented, slots)
  local constructors = {}
  for _, entry in ipairs(documented.functions) do
    local kind = entry.returns[1]
    if kind and kind.kind == "name" and (entry.class == "throng" or entry.class == "throng.goals") then
      constructors[kind.name] = constructors[kind.name] or {}
      table.insert(constructors[kind.name], entry)
    end
  end
  local self = { documented = documented, slots = slots, constructors = constructors, depth = 0, times = {} }
  return setmetatable(self, Maker)
end

-- For the next call: its own numbers, whether it is hostile, and the world it is about.
function Maker:begin(random, hostile, world)
  self.random, self.hostile, self.world, self.used, self.depth = random, hostile, world, {}, 0
  self.called, self.callbacks, self.params, self.group, self.column = {}, 0, 0, nil, nil
end

local function figure(number)
  if number ~= number then return "0/0" end
  if number == math.huge then return "1/0" end
  if number == -math.huge then return "-1/0" end
  if math.type(number) == "integer" then return ("%d"):format(number) end
  return ("%.6g"):format(number)
end

function Maker:x() return figure(self.random:float(0.3, WIDTH - 0.3)) end
function Maker:y() return figure(self.random:float(0.3, HEIGHT - 0.3)) end
function Maker:point() return ("{ %s, %s }"):format(self:x(), self:y()) end

function Maker:points(from, to)
  local list = {}
  for i = 1, self.random:whole(from, to) do list[i] = self:point() end
  return "{ " .. table.concat(list, ", ") .. " }"
end

function Maker:box()
  local x, y = self.random:float(0, WIDTH - 2), self.random:float(0, HEIGHT - 2)
  local width, height = self.random:float(0.5, 9), self.random:float(0.5, 6)
  return ("throng.box(%s, %s, %s, %s)"):format(figure(x), figure(y), figure(math.min(WIDTH, x + width)),
    figure(math.min(HEIGHT, y + height)))
end

-- A number in the documented range, mostly near the initial value, now and then at its ends.
function Maker:number(range, whole)
  local random = self.random
  local least, most, default = range.least, range.most, range.default
  if random:chance(0.1) and least and not range.above then return figure(least) end
  if random:chance(0.05) and most and not range.below and most <= 64 then return figure(most) end
  local number
  if default and default ~= 0 and math.abs(default) < 1e5 then
    number = default * random:float(0.3, 2.5)
  else
    local from = math.max(least or 0, -3)
    number = random:float(from, math.min(most or 10, from + 10))
  end
  if least and number <= least then number = least + (range.above and 0.01 or 0) end
  if most and number >= most then number = most - (range.below and 0.01 or 0) end
  return figure(whole and math.floor(number + 0.5) or number)
end

-- ---- slots

-- The text of one of the class, mostly of the world that the call is about. nil: there is none.
function Maker:slot(class)
  local own, all = {}, {}
  for _, slot in ipairs(self.slots) do
    if slot.class == class then
      all[#all + 1] = slot.text
      if slot.world == self.world then own[#own + 1] = slot.text end
    end
  end
  if #own > 0 and not (self.hostile and self.random:chance(0.2)) then return self.random:pick(own) end
  return #all > 0 and (#own == 0 or self.hostile) and self.random:pick(all) or nil
end

function Maker:group_name()
  local names = {}
  for _, slot in ipairs(self.slots) do
    if slot.name and slot.world == self.world then names[#names + 1] = slot.name end
  end
  return ("%q"):format(#names > 0 and self.random:pick(names) or "nobody")
end

-- ---- functions

-- What a behaviour function computes, of t, a and what is documented of a.
function Maker:expression(depth)
  local random, agent = self.random, self.documented.classes["throng.behaviour.agent"]
  local choice = random:whole(1, depth > 0 and 10 or 4)
  if choice == 1 then return figure(random:float(-3, 3)) end
  if choice == 2 then return "t" end
  if choice <= 4 then
    local field = self:rare(agent.fields, function(one) return "throng.behaviour.agent." .. one.name end)
    return "a." .. self:use("throng.behaviour.agent.", field.name)
  end
  local x, y = self:expression(depth - 1), self:expression(depth - 1)
  if choice == 5 then return ("(%s %s %s)"):format(x, random:pick { "+", "-", "*", "/", "%", "^", "//" }, y) end
  if choice == 6 then
    local name = random:pick { "abs", "floor", "ceil", "sqrt", "sin", "cos", "tan", "exp", "log", "atan" }
    return ("math.%s(%s)"):format(name, x)
  end
  if choice == 7 then return ("math.%s(%s, %s)"):format(random:pick { "min", "max" }, x, y) end
  if choice == 8 then
    self:use("throng.", "select")
    return ("throng.select(%s %s %s, %s, %s)"):format(x, random:pick { "<", ">", "<=", ">=" }, y, y, x)
  end
  if choice == 9 then
    local name = self:use("throng.", random:pick { "noise", "equal", "random" })
    return name == "random" and "throng.random()" or ("throng.%s(%s, %s)"):format(name, x, y)
  end
  local names = {}
  for name in pairs(agent.functions) do names[#names + 1] = name end
  table.sort(names)
  local entry = agent.functions[random:pick(names)]
  return self:call("a", entry)
end

function Maker:behaviour(hint)
  local random = self.random
  local function one()
    local text = self:expression(random:whole(0, 2))
    return random:chance(0.7) and ("1 + 0.3 * math.sin(%s)"):format(text) or text
  end
  local pair = hint.short == "desired" or hint.short == "v"
  if random:chance(0.03) then pair = not pair end
  return ("function(t, a) return %s end"):format(pair and one() .. ", " .. one() or one())
end

local ROUGH = {
  "error 'mine'", "error {}", "error()", "coroutine.yield()", "DEEP f(0)",
  "WORLD:close()", "WORLD:step()", "WORLD:run { steps = 2 }", "WORLD:stop()", "collectgarbage()",
}

function Maker:statement(params)
  local random, receivers = self.random, {}
  for _, param in ipairs(params) do
    if param.type.kind == "name" and self.documented.classes[param.type.name] then
      receivers[#receivers + 1] = { text = param.name, class = param.type.name }
    end
  end
  if (self.hostile and random:chance(0.4)) or random:chance(0.02) then
    local deep = random:chance(0.02) and "local function f() return 1 + f() end" -- the whole stack: a tenth of a second
      or "local function f(n) return n < 150 and 1 + f(n + 1) or error 'deep' end"
    return (random:pick(ROUGH):gsub("WORLD", self.world or "v[1]"):gsub("DEEP", deep))
  end
  local receiver = #receivers > 0 and random:chance(0.7) and random:pick(receivers) or random:pick(self.slots)
  if not receiver or receiver.class == "throng.world" and random:chance(0.5) then return "" end
  return self:act(receiver)
end

-- A function that is called back: some statements about what it gets, and a result.
function Maker:callback(kind)
  local random, names, body = self.random, {}, {}
  self.callbacks = self.callbacks + 1
  local which = self.callbacks
  for i, param in ipairs(kind.params) do names[i] = param.name end
  if self.depth < 3 then
    self.depth = self.depth + 1
    for i = 1, random:whole(0, names[1] == "story" and 4 or 2) do body[i] = self:statement(kind.params) end
    self.depth = self.depth - 1
  end
  for i = #body, 1, -1 do
    if body[i] == "" then table.remove(body, i) end
  end
  if #body > 0 then body = { ("if few(%d) then %s end"):format(which, table.concat(body, "; ")) } end
  if #kind.returns > 0 and random:chance(0.7) then body[#body + 1] = "return " .. self:value(kind.returns[1], {}) end
  return ("function(%s) %s end"):format(table.concat(names, ", "), table.concat(body, "; "))
end

local OWN = { "patience", "trust" } -- names of columns that scripts declare

-- What a column is written with.
function Maker:written(hint)
  local random, range = self.random, hint.range or {}
  local group = self.group
  if not group or random:chance(0.5) then return self:named("throng.number", hint) end
  if self.column and random:chance(0.2) then return ("%s.%s"):format(group, self.column) end
  return ("spread(%s, %s, %s)"):format(group, self:number(range), self:number(range))
end

local function has_param(kind, class)
  for _, param in ipairs(kind.params) do
    if param.type.name == class then return true end
  end
end

function Maker:func(kind, hint)
  if not has_param(kind, "throng.behaviour.agent") then return self:callback(kind) end
  if #kind.params > 1 then return self:behaviour(hint) end
  local field = self.random:pick { "x", "y", "speed", "vx", "id" }
  return ("function(a) return a.%s %s %s end"):format(field, self.random:pick { "<", ">" }, self:x())
end

-- ---- tables

local function shuffled(random, list)
  for i = #list, 2, -1 do
    local j = random:whole(1, i)
    list[i], list[j] = list[j], list[i]
  end
  return list
end

-- The table that a class of settings describes: what it must have, and some of what it may.
function Maker:settings(class)
  local random, chosen, kept_out, parts = self.random, {}, {}, {}
  for name in pairs(NOT_IN[class] or {}) do kept_out[name] = true end
  for _, names in ipairs(ONE_OF[class] or {}) do
    local name = random:pick(names)
    for _, other in ipairs(names) do kept_out[other] = true end
    chosen[name], kept_out[name] = true, nil
  end
  if chosen.count or chosen.rate or chosen.schedule then chosen.where = random:chance(0.7) end -- no map says where
  if chosen.schedule then kept_out.from, kept_out.till, kept_out.limit = true, true, true end
  local share = random:chance(0.5) and 0.1 or 0.35
  for _, field in ipairs(types.fields(self.documented, class)) do
    local name = field.name
    if not kept_out[name] and (chosen[name] or not field.optional or random:chance(share)) then
      self:use(class .. ".", name)
      parts[#parts + 1] = ("%s = %s"):format(name, self:value(field.type, { name = class .. "." .. name,
        short = name, range = field.range }))
    end
  end
  if #parts == 0 then return "{}" end
  return "{ " .. table.concat(shuffled(random, parts), ", ") .. " }"
end

function Maker:record(fields)
  local parts = {}
  for _, field in ipairs(fields) do
    if not field.optional or self.random:chance(0.5) then
      local text = self:value(field.type, { short = field.name, name = field.name })
      parts[#parts + 1] = type(field.name) == "string" and field.name .. " = " .. text or text
    end
  end
  return "{ " .. table.concat(parts, ", ") .. " }"
end

function Maker:list(of, hint, from, to)
  local parts = {}
  for i = 1, self.random:whole(from or 1, to or 3) do parts[i] = self:value(of, hint) end
  return "{ " .. table.concat(parts, ", ") .. " }"
end

-- ---- by name: what the types do not say

function Maker:state()
  self:use("throng.", "fsm")
  local random = self.random
  local parts = { 'start = "a"' }
  for i, name in ipairs(STATES) do
    local fields = {}
    for _, field in ipairs(types.fields(self.documented, "throng.state")) do
      local usual = field.name == "goal" or field.name == "after" or field.name == "timeout"
      if usual or random:chance(0.25) then
        self:use("throng.state.", field.name)
        local text = self:value(field.type,
          { short = field.name, name = "throng.state." .. field.name, range = field.range })
        if field.name == "timeout" then text = ("%q"):format(STATES[i % #STATES + 1]) end
        if field.name == "after" then text = figure(random:float(0.2, 2)) end
        fields[#fields + 1] = field.name .. " = " .. text
      end
    end
    parts[#parts + 1] = ("%s = { %s }"):format(name, table.concat(fields, ", "))
  end
  return "{ " .. table.concat(parts, ", ") .. " }"
end

function Maker:boundary()
  if self.random:chance(0.8) then return ("throng.box(0, 0, %d, %d)"):format(WIDTH, HEIGHT) end
  return ("throng.polygon { { 0, 0 }, { %d, 0 }, { %d, %d }, { %s, %d }, { 0, %d } }"):format(WIDTH, WIDTH, HEIGHT - 2,
    self:x(), HEIGHT, HEIGHT)
end

-- Walls across with openings where doors are, and some boxes.
function Maker:walls()
  local list = { "throng.box(10, 0, 10.2, 4.4)", "throng.box(10, 5.6, 10.2, 10)" }
  if self.random:chance(0.4) then list[3] = "throng.box(0, 7, 3, 7.2)" end
  for _ = 1, self.random:whole(0, 3) do
    local x, y = self.random:float(0, WIDTH), self.random:float(0, HEIGHT)
    list[#list + 1] = ("throng.box(%s, %s, %s, %s)"):format(figure(x), figure(y),
      figure(x + self.random:float(0.1, 3)), figure(y + self.random:float(0.1, 3)))
  end
  return "{ " .. table.concat(list, ", ") .. " }"
end

function Maker:doors()
  local text = "north = { { 10.1, 4.4 }, { 10.1, 5.6 } }"
  if self.random:chance(0.5) then text = text .. ", south = { { 3, 7.1 }, { 10, 7.1 } }" end
  return "{ " .. text .. " }"
end

function Maker:regions()
  local parts = { "left = throng.box(0.5, 0.5, 6, 6)", "right = throng.box(13, 1, 19, 9)", "hall = " .. self:box() }
  return "{ " .. table.concat(parts, ", ") .. " }"
end

-- Two floors, one over the other, each with what a map may have.
function Maker:floors()
  local parts = {}
  for i, name in ipairs { "ground", "first" } do
    self:use("throng.floor.", "z")
    local floor = ("z = %s, boundary = throng.box(0, 0, %d, %d)"):format(figure(3.5 * (i - 1)), WIDTH, HEIGHT)
    if self.random:chance(0.3) then
      floor = ("z = %s, map = throng.map { boundary = %s }"):format(figure(3.5 * (i - 1)), self:boundary())
      self:use("throng.floor.", "map")
    elseif self.random:chance(0.5) then
      floor = floor .. ", regions = " .. self:regions()
    end
    parts[i] = ("%s = { %s }"):format(name, floor)
  end
  return "{ " .. table.concat(parts, ", ") .. " }"
end

-- An end of a flight, which is as long as both are apart.
function Maker:flight_end(from, to)
  return ("{ %s, %s }"):format(figure(self.random:float(from, to)), self.random:chance(0.8) and "8" or self:y())
end

function Maker:grid()
  local rows, width = {}, self.random:whole(2, 8)
  for i = 1, self.random:whole(2, 6) do
    local row = {}
    for j = 1, width do row[j] = self.random:chance(0.8) and "." or "#" end
    rows[i] = ("%q"):format(table.concat(row))
  end
  return "{ " .. table.concat(rows, ", ") .. " }", #rows * width
end

local function numbers(random, count, from, to)
  local list = {}
  for i = 1, count do list[i] = random:whole(from, to) end
  return "{ " .. table.concat(list, ", ") .. " }"
end

function Maker:path_batch()
  local random, count = self.random, self.random:whole(1, 6)
  local parts, nodes = {}, nil
  local map = self:slot "throng.map"
  local known = " map radius grid diagonal edges nodes node_cost blocked from to method backend "
  for _, field in ipairs(self.documented.classes["throng.paths.settings"].fields) do
    if known:find(" " .. field.name .. " ", 1, true) then
      self:use("throng.paths.settings.", field.name)
    elseif random:chance(0.1) then
      self:use("throng.paths.settings.", field.name)
      parts[#parts + 1] = field.name .. " = " .. self:value(field.type, { short = field.name, range = field.range })
    end
  end
  if map and random:chance(0.4) then
    parts[#parts + 1] = ("map = %s, radius = %s"):format(map, figure(random:float(0, 0.4)))
  elseif random:chance(0.5) then
    local grid
    grid, nodes = self:grid()
    parts[#parts + 1] = ("grid = %s, diagonal = %s"):format(grid, random:chance(0.5))
  else
    local edges = {}
    nodes = random:whole(2, 8)
    for i = 1, random:whole(1, 20) do
      edges[i] = ("{ %d, %d, %s }"):format(random:whole(1, nodes), random:whole(1, nodes), figure(random:float(0, 3)))
    end
    parts[#parts + 1] = ("edges = { %s }, nodes = %d"):format(table.concat(edges, ", "), nodes)
  end
  if nodes and random:chance(0.3) then parts[#parts + 1] = "blocked = " .. numbers(random, 2, 1, nodes) end
  if nodes and random:chance(0.3) then
    parts[#parts + 1] = ("node_cost = { [%d] = %s }"):format(random:whole(1, nodes), figure(random:float(0, 5)))
  end
  for _, name in ipairs { "from", "to" } do
    parts[#parts + 1] = name .. " = " .. (nodes and numbers(random, count, 1, nodes) or self:points(count, count))
  end
  if random:chance(0.5) then
    parts[#parts + 1] = "method = " .. random:pick { '"searches"', '"trees"' }
  end
  if random:chance(0.5) then
    parts[#parts + 1] = "backend = B.backend"
  end
  return "{ " .. table.concat(parts, ", ") .. " }"
end

-- By the name of a field or parameter: "class.field", "function.parameter" or the last part of either.
local BY_NAME = {
  ["throng.fsm.states"] = Maker.state,
  ["throng.paths.settings"] = Maker.path_batch,
  ["throng.map.settings.boundary"] = Maker.boundary,
  ["throng.map.settings.walls"] = Maker.walls,
  ["throng.map.settings.doors"] = Maker.doors,
  ["throng.map.settings.regions"] = Maker.regions,
  ["throng.map.settings.file"] = function(self) return ("%q"):format(self.random:pick(MAP_FILES)) end,
  ["throng.map.settings.scale"] = function() return "1" end,
  ["throng.world.settings"] = function(self)
    local others = self:settings "throng.world.settings"
    for _, name in ipairs { "simd", "threads", "backend", "regions", "seconds" } do
      self:use("throng.world.settings.", name)
    end
    return ("{ simd = B.simd, threads = B.threads, backend = B.backend, seconds = 1, regions = %s, %s }"):format(
      self:regions(), others:match "^{ ?(.-) ?}$")
  end,
  ["throng.group:go_to.target"] = function(self)
    if not self.group or self.random:chance(0.8) then return nil end
    return ("spots(%s, %s, %s, %s, %s)"):format(self.group, self:x(), self:y(), self:x(), self:y())
  end,
  ["throng.world.settings.map"] = function(self)
    local map = self:slot "throng.map"
    if map and self.random:chance(0.5) then return map end
    if self.random:chance(0.15) then
      local moving = '{ name = "moving", from = "ground", to = "first", foot = { 4, 8 }, head = { 15, 8 } }'
      local lift = '{ name = "a", at = { 18, 3 }, back = { 18, 1 } }' -- a line of a story is one line of its log
      local building = "throng.building { floors = %s, escalators = { %s }, lifts = { %s } }"
      return building:format(self:floors(), moving, lift)
    end
    return ("throng.map { boundary = %s, walls = %s%s }"):format(self:boundary(), self:walls(),
      self.random:chance(0.7) and ", doors = " .. self:doors() or "")
  end,
  ["throng.flow_cap.settings.door"] = function(self) return ("%q"):format(self.random:pick(DOORS)) end,
  ["throng.building.settings.floors"] = Maker.floors,
  ["throng.flight.settings.from"] = function(self) return self.random:chance(0.95) and '"ground"' or '"first"' end,
  ["throng.flight.settings.to"] = function(self) return self.random:chance(0.95) and '"first"' or '"ground"' end,
  ["throng.flight.settings.foot"] = function(self) return self:flight_end(3, 8) end,
  ["throng.flight.settings.head"] = function(self) return self:flight_end(11, 18) end,
  ["throng.flight.settings.width"] = function(self) return figure(self.random:float(0.8, 3)) end,
  ["throng.belt.settings.name"] = function(self) return self.random:chance(0.9) and '"moving"' or '"other"' end,
  ["throng.belt.settings.direction"] = function(self) return self.random:pick { '"up"', '"down"' } end,
  ["throng.lift:shuttle.from"] = function() return '{ "first" }' end,
  ["throng.lift:shuttle.to"] = function() return '"ground"' end,
  ["throng.lift.settings.name"] = function(self) return self.random:chance(0.9) and '"a"' or '"b"' end,
  ["throng.lift.settings.floors"] = function(self)
    return self.random:chance(0.9) and '{ "ground", "first" }' or '{ "first" }'
  end,
  ["throng.lift.settings.at"] = function(self)
    return ("{ %s, 3 }"):format(figure(self.random:float(8, 18)))
  end,
  ["throng.lift.settings.back"] = function(self)
    return ("{ %s, 1 }"):format(figure(self.random:float(8, 18)))
  end,
  ["throng.lift.settings.width"] = function(self) return figure(self.random:float(1, 3)) end,
  ["throng.lift.settings.capacity"] = function(self) return figure(self.random:whole(1, 9)) end,
  ["throng.map:flight.name"] = function(self) return self.random:pick { '"moving"', '"moving"', '"stairs 1"' } end,
  ["throng.world.settings.regions"] = Maker.regions,
  ["throng.world.settings.wrap"] = function(self)
    return self.random:pick { "true", ("{ %d, %d }"):format(WIDTH, HEIGHT), "{ 24, 16 }" }
  end,
  ["throng.world.settings.dt"] = function(self)
    if self.hostile and self.random:chance(0.3) then return self.random:pick(HOSTILE) end
    return self.random:pick { "0.1", "0.05", "0.2", "1", "0.01" }
  end,
  ["throng.spawn.name"] = function(self)
    local name = "g" .. self.random:whole(1, 1000)
    self.called.name = name
    return ("%q"):format(name)
  end,
  ["throng.spawn.count"] = function(self) return figure(self.random:whole(1, 12)) end,
  ["throng.bodies.count"] = function(self) return figure(self.random:whole(1, 4)) end,
  ["throng.bodies.at"] = Maker.point,
  ["throng.bodies.box"] = function(self)
    return ("{ %s, %s }"):format(figure(self.random:float(0.2, 1)), figure(self.random:float(0.2, 1)))
  end,
  ["throng.bodies.circle"] = function(self) return figure(self.random:float(0.1, 0.5)) end,
  ["throng.bodies.mass"] = function(self) return figure(self.random:float(1, 300)) end,
  ["throng.bodies.polygon"] = function() return "{ { 0, 0 }, { 0.6, 0 }, { 0.3, 0.5 } }" end,
  ["throng.bodies.velocity"] = function(self)
    return ("{ %s, %s }"):format(figure(self.random:float(-2, 2)), figure(self.random:float(-2, 2)))
  end,
  ["throng.source.schedule"] = function(self)
    return ("{ { %s, 2 }, { 3, 1 } }"):format(figure(self.random:float(0, 2)))
  end,
  ["throng.source.limit"] = function(self) return figure(self.random:whole(1, 9)) end,
  ["throng.queue.settings.line"] = function(self) return self:points(2, 3) end,
  ["throng.rvo.settings.samples"] = function(self) return figure(self.random:whole(1, 40)) end,
  ["throng.bvp.settings.v"] = function(self)
    return self.random:chance(0.5) and "{ 1, -0.5 }" or "function(t, a) return 1, math.sin(t) end"
  end,
  ["throng.run.settings.steps"] = function(self) return figure(self.random:whole(0, 12)) end,
  ["throng.run.settings.seconds"] = function(self) -- nobody is stuck before ten seconds
    return figure(self.random:chance(0.05) and 12 or self.random:float(0, 0.8))
  end,
  ["throng.overrides.params"] = function(self) return ("{ count = %d }"):format(self.random:whole(1, 9)) end,
  ["throng.world:at.time"] = function(self)
    return ("%s.time + %s"):format(self.world or "v[1]", figure(self.random:float(0, 2)))
  end,
  ["throng.world:every.period"] = function(self) return figure(self.random:float(0.1, 1)) end,
  ["throng.load.path"] = function() return '"scenario.lua"' end,
  ["throng.params.defaults"] = function(self)
    return self.random:pick { "{ width = 1 }", '{ name = "x", rate = { 5, 0, 10 } }', "{ least = { 1, 0 } }" }
  end,
  ["throng.map:door.name"] = function(self) return ("%q"):format(self.random:pick(DOORS)) end,
  ["throng.map:region.name"] = function(self) return ("%q"):format(self.random:pick(REGIONS)) end,
  ["luassert.stays_in.region"] = function(self) return ("%q"):format(self.random:pick(REGIONS)) end,
  ["throng.across.seeds"] = function(self) return figure(self.random:whole(1, 3)) end,
  ["throng.group:in_state.name"] = function(self) return ("%q"):format(self.random:pick(STATES)) end,
  ["throng.group:tag.name"] = function(self) return ("%q"):format(self.random:pick(TAGS)) end,
  ["throng.group:untag.name"] = function(self) return ("%q"):format(self.random:pick(TAGS)) end,
  ["throng.world:tagged.name"] = function(self) return ("%q"):format(self.random:pick(TAGS)) end,
  ["throng.world:probe.agent"] = function(self) return ("(%s)[1]"):format(self:slot "throng.group" or "nil") end,
  ["throng.population.who"] = function(self)
    if self.random:chance(0.6) then return ("%q"):format(self.random:pick(POPULATIONS)) end
    return self:list({ kind = "name", name = "throng.population.class" }, {})
  end,
  ["throng.random_path.options"] = function(self)
    return self.random:pick { "{ places = 4 }", '{ to = { "left", "right" } }', "{ own_path = true }", "{}" }
  end,
  ["throng.world.settings.simd"] = function() return "B.simd" end,
  ["throng.world.settings.threads"] = function() return "B.threads" end,
  ["throng.world.settings.backend"] = function() return "B.backend" end,
  ["throng.overrides.simd"] = function() return "B.simd" end,
  ["throng.overrides.threads"] = function() return "B.threads" end,
  ["throng.overrides.backend"] = function() return "B.backend" end,
  ["throng.normal.deviation"] = function(self) return figure(self.random:float(0, 0.1)) end,
  ["throng.uniform.to"] = function(self) return figure(self.random:float(1.5, 3)) end,
  ["throng.uniform.from"] = function(self) return figure(self.random:float(0.2, 1.5)) end,
  ["throng.wait.from"] = function(self) return figure(self.random:float(0, 1)) end,
  ["throng.wait.to"] = function(self) return figure(self.random:float(1, 2)) end,
  ["throng.story:wait.seconds"] = function(self) return figure(self.random:float(0, 1)) end,
  radius = function(self, hint)
    return hint.name == "throng.spawn.radius" and figure(self.random:float(0.12, 0.4)) or nil
  end,
  column = function(self)
    local fields = self.documented.classes["throng.behaviour.agent"].fields
    return ("%q"):format(self.random:pick(fields).name)
  end,
  ["throng.world:column.name"] = function(self) return ("%q"):format(self.random:pick(OWN)) end,
  who = Maker.group_name,
  whom = Maker.group_name,
  name = Maker.group_name,
  properties = function() return "nil" end,
  key = function(self) return figure(self.random:whole(0, 5)) end,
}

-- ---- by type

for _, field in ipairs { "from", "to", "foot", "head", "width" } do
  BY_NAME["throng.belt.settings." .. field] = BY_NAME["throng.flight.settings." .. field]
end

local SCALARS = {
  boolean = function(self) return self.random:pick { "true", "false" } end,
  ["nil"] = function() return "nil" end,
  string = function(self) return ("%q"):format(self.random:pick { "left", "right", "g1", "name" }) end,
  number = function(self, hint) return self:number(hint.range or {}) end,
  integer = function(self, hint) return self:number(hint.range or {}, true) end,
  ["throng.point"] = Maker.point,
  ["throng.shape"] = Maker.box,
  ["throng.place"] = function(self)
    if self.random:chance(0.6) then return ("%q"):format(self.random:pick(REGIONS)) end
    if self.random:chance(0.8) then return self:box() end
    return ("{ %q, %s }"):format(self.random:pick(REGIONS), self:box())
  end,
  ["throng.values"] = Maker.written,
  ["throng.transition"] = function(self)
    if self.random:chance(0.7) then return ("%q"):format(self.random:pick(STATES)) end
    return ("{ %s = %s, %s = 1 }"):format(STATES[1], figure(self.random:float(0.1, 3)), STATES[2])
  end,
  ["throng.number"] = function(self, hint)
    if self.random:chance(0.6) then return self:number(hint.range or {}) end
    local range = hint.range or {}
    local from = tonumber(self:number(range)) or 1
    local to = from * self.random:float(1, 1.5)
    if range.most and to > range.most then to = range.most end
    return ("throng.uniform(%s, %s)"):format(figure(math.min(from, to)), figure(math.max(from, to)))
  end,
  any = function(self) return self.random:pick(HOSTILE) end,
  table = function() return "{}" end,
}

function Maker:named(name, hint)
  if SCALARS[name] then return SCALARS[name](self, hint) end
  local documented = self.documented
  if documented.aliases[name] then return self:value(documented.aliases[name], hint, true) end
  local class = documented.classes[name]
  local slot = class and self:slot(name)
  local makers = self.constructors[name]
  if slot and (not makers or self.random:chance(0.5)) then return slot end
  if makers and name ~= "throng.world" and name ~= "throng.paths" then
    if self.depth > 5 then return slot or "nil" end
    self.depth = self.depth + 1
    local maker = self.random:pick(makers)
    local text = self:call(maker.class, maker)
    self.depth = self.depth - 1
    return text
  end
  if class and not next(class.functions) and #class.fields > 0 then return self:settings(name) end
  return slot or "nil"
end

-- A value of the type. hint: name and short, by which BY_NAME may know better, and the range of a number.
function Maker:value(kind, hint, same)
  if self.hostile and not same and self.params > 0 and not LASTING[hint.name] and self.random:chance(0.3) then
    self.params = self.params - 1 -- so many in a call
    return self.random:pick(HOSTILE)
  end
  local known = not same and (BY_NAME[hint.name] or BY_NAME[hint.short])
  local text = known and known(self, hint)
  if text then return text end
  if kind.kind == "union" then return self:value(self.random:pick(kind), hint, true) end
  if kind.kind == "value" then return kind.text end
  if kind.kind == "name" then return self:named(kind.name, hint) end
  if kind.kind == "list" then return self:list(kind.of, { range = hint.range, name = hint.name, short = "list" }) end
  if kind.kind == "record" then return self:record(kind.fields) end
  if kind.kind == "function" then return self:func(kind, hint) end
  return ("{ left = %s }"):format(self:value(kind.value, {}))
end

-- ---- calls

-- Notes that the text has a documented name; the last part of it.
function Maker:use(owner, name)
  self.used[#self.used + 1] = owner .. name
  self.times[owner .. name] = (self.times[owner .. name] or 0) + 1
  return name
end

-- One of the list, rather one that the story has not used much: `name_of` gives its documented name.
function Maker:rare(list, name_of)
  local best
  for _ = 1, 3 do
    local one = self.random:pick(list)
    if not best or (self.times[name_of(one)] or 0) < (self.times[name_of(best)] or 0) then best = one end
  end
  return best
end

function Maker:call(receiver, entry)
  local args, random = {}, self.random
  self:use("", entry.full)
  if entry.class == "throng.group" then self.group = receiver end
  for i, param in ipairs(entry.params) do
    if param.optional and random:chance(entry.full == "throng.world" and 0 or 0.4) then break end
    args[i] = self:value(param.type, { name = entry.full .. "." .. param.name, short = param.name,
      range = param.range })
  end
  local called = receiver .. (entry.method and ":" or ".") .. entry.name
  if not entry.class then called = entry.name end -- a global
  if entry.class == "luassert" and random:chance(0.2) then called = "assert.no." .. entry.name end
  return ("%s(%s)"):format(called, table.concat(args, ", "))
end

-- Written fields: those of whom the text does not say that they are read only, of classes that have such.
local WRITTEN = { ["throng.group"] = true, ["throng.body"] = true, ["throng.hazard"] = true, ["throng.stage"] = true,
  ["throng.paths"] = true }

function Maker:write(receiver, class)
  local fields = {}
  for _, field in ipairs(types.fields(self.documented, class)) do
    local name = field.name
    local fixed = name == "count" or name == "world" or name == "name" or name == "is_there" or name == "alive"
    if not fixed and not field.text:find "[Rr]ead only" and not name:find "%[" then fields[#fields + 1] = field end
  end
  local function full(field) return class .. "." .. field.name end
  if class == "throng.group" and self.random:chance(0.05) then -- declared or not
    return ("%s.%s = %s"):format(receiver, self.random:pick(OWN), self:written {})
  end
  local field = self:rare(fields, full)
  self:use(class .. ".", field.name)
  self.group = class == "throng.group" and receiver or nil
  self.column = self.group and field.name ~= "desired" and field.name or nil
  local text = self:value(field.type, { name = class .. "." .. field.name, short = field.name, range = field.range })
  return ("%s.%s = %s"):format(receiver, field.name, text)
end

local FEW = { ["throng.world:close"] = 0.04, ["throng.group:remove"] = 0.3, ["throng.world:stop"] = 0.2,
  ["throng.load"] = 0.3, ["throng.group:control"] = 0.3 } -- of calls, as often as that

-- Something that can be done with the receiver: { text, kind = "call", "read" or "write", type, entry }. nil: nothing.
function Maker:action(receiver)
  local random, class = self.random, receiver.class
  local about, names, choice = self.documented.classes[class], {}, self.random:float(0, 1)
  for name in pairs(about.functions) do names[#names + 1] = name end
  table.sort(names)
  if WRITTEN[class] and choice < 0.3 then return { text = self:write(receiver.text, class), kind = "write" } end
  if #names > 0 and choice < 0.85 then
    local name
    local function full(one) return about.functions[one].full end
    repeat name = self:rare(names, full) until not FEW[full(name)] or random:chance(FEW[full(name)])
    local entry = about.functions[name]
    return { text = self:call(receiver.text, entry), kind = "call", type = entry.returns[1], entry = entry }
  end
  local fields = types.fields(self.documented, class)
  if #fields == 0 then return nil end
  local field = self:rare(fields, function(one) return class .. "." .. one.name end)
  self:use(class .. ".", field.name)
  local index = field.name:find "%[" and "[1]" or "." .. field.name
  return { text = receiver.text .. index, kind = "read", type = field.type }
end

-- The same as a statement.
function Maker:act(receiver)
  local action = self:action(receiver)
  if not action then return "" end
  return action.kind == "read" and "local _ = " .. action.text or action.text
end

return values
