-- world:smoke { extinction = ..., co = ... }: smoke, gases and heat in the air, and what they do to people.

--- alias throng.smoke.value = number|fun(x: number, y: number, t?: number, floor?: string): number
--- A quantity: the same everywhere, or a function of the place, the time and, in a building, the floor's name.

--- class throng.smoke.settings
--- Settings of world:smoke: what is in the air, and by which laws it acts.
--- @field extinction? throng.smoke.value Extinction coefficient of the smoke, 1/m; default 0.
--- @field co? throng.smoke.value Carbon monoxide, ppm; default 0.
--- @field co2? throng.smoke.value Carbon dioxide, %; default 0.
--- @field o2? throng.smoke.value Oxygen, %; default 20.9.
--- @field hcn? throng.smoke.value Hydrogen cyanide, ppm; default 0. Likewise the next ones.
--- @field no? throng.smoke.value Nitric oxide, ppm.
--- @field no2? throng.smoke.value Nitrogen dioxide, ppm.
--- @field hcl? throng.smoke.value Hydrogen chloride, ppm.
--- @field hbr? throng.smoke.value Hydrogen bromide, ppm.
--- @field hf? throng.smoke.value Hydrogen fluoride, ppm.
--- @field so2? throng.smoke.value Sulphur dioxide, ppm.
--- @field acrolein? throng.smoke.value Acrolein, ppm.
--- @field formaldehyde? throng.smoke.value Formaldehyde, ppm.
--- @field temperature? throng.smoke.value Degrees Celsius; default: heat does nothing.
--- @field file? string A CSV file of cells instead of functions: its first line names the columns `x`, `y`, `t` (s),
---   `floor` and quantities; a line is a cell's middle and what is there. Elsewhere the air is clear; between times it
---   changes evenly. Or the Smokeview file (.smv) of a run of FDS, whose horizontal slices (&SLCF PBZ=...) of
---   extinction coefficient, optical density, visibility, temperature and volume fractions are taken, in its
---   coordinates.
--- @field height? number(m) Of FDS' slices, over the floor: the nearest is taken, default 1.8.
--- @field cell? number(m) Distance of the points at which functions are sampled, default 0.5, or the file's cells.
--- @field every? number(s) Functions of the time are sampled so often, default 1; between, the air changes evenly.
--- @field law? "fridolf"|"frantzich-nilsson"|"jin"|"jin irritant"|fun(v: number(m/s), k: number(1/m)): number(m/s)
---   How fast people walk in extinction `k`, default "frantzich-nilsson"; or a function of one's own speed and `k`,
---   which is compiled like a behaviour function.
--- @field loss? "fractional"|"absolute" With a named law: a part of one's own speed, or the same speed for all who are
---   not slower anyway; default "fractional".
--- @field least? number(m/s) Smoke slows nobody below that; default 0.
--- @field least_factor? number(1) Nor below this part of its own speed; default 0.
--- @field signs? number(1) Visibility times extinction, for "fridolf": 3 to reflecting signs, 8 to lit ones; default 3.
--- @field dose? "purser"|"iso 13571" How doses add up; default "purser", as in FDS+Evac.
--- @field co2_coefficient? number(1) Of Purser's law, default 0.1903; other texts have 0.193.
--- @field oxygen_limit? number(%) Of Purser's law: low oxygen counts below this alone, like 19.5; default: always.
--- @field clothed? boolean Is skin covered, for heat? Default true.

--- class throng.smoke as smoke
--- Smoke in a world. The result of world:smoke.

local host = ...
local pairs = host.pairs -- in the order of keys

local laws = host.library "smoke_laws"(host)
local field = host.library "smoke_field"(host)

local QUANTITIES = {
  extinction = { clear = 0, least = 0, most = 1000 },
  co = { clear = 0, least = 0, most = 1e6 },
  co2 = { clear = 0, least = 0, most = 100 },
  o2 = { clear = 20.9, least = 0, most = 100 },
  temperature = { clear = 20, least = -50, most = 2000 },
}
for _, gas in ipairs { "hcn", "no", "no2", "hcl", "hbr", "hf", "so2", "acrolein", "formaldehyde" } do
  QUANTITIES[gas] = { clear = 0, least = 0, most = 1e6 }
end

local fds = host.library "smoke_fds"(host, QUANTITIES)

local OPTIONS = {
  "file", "height", "cell", "every", "law", "loss", "least", "least_factor", "signs", "dose", "co2_coefficient",
  "oxygen_limit", "clothed",
}

local OWNER = "world:smoke"

local function raise(...) host.raise(OWNER .. ": " .. string.format(...)) end
local function raise_of(method, ...) host.raise(("smoke:%s: "):format(method) .. string.format(...)) end

local making = setmetatable({}, { __mode = "k" }) -- worlds whose smoke's functions are being called

local function one_of(settings, name, known, default)
  local value = settings[name]
  if value == nil then return default end
  if type(value) ~= "string" or not known[value] then
    host.unknown("world:smoke", ("value of '%s'"):format(name), tostring(value), host.names_of(known))
  end
  return value
end

-- ---- what there is in the air

-- By quantity: a number, or a layer of the grid; and the list of those.
local function read_air(world, settings)
  local air, layers = {}, {}
  local of_file, cells, changes = {}, {}, false
  local height = host.setting(OWNER, settings, "height", nil, -1000, 1000)
  local of_fds = type(settings.file) == "string" and settings.file:find "%.smv$"
  if height and not of_fds then raise "field 'height' goes with a 'file' of FDS (.smv)" end
  if settings.file ~= nil then
    if type(settings.file) ~= "string" then raise("field 'file' must be the name of a file, got %s",
      host.describe(settings.file)) end
    if of_fds then
      of_file, cells, changes = fds.read(settings.file, height or 1.8, world.floors)
    else
      of_file, cells, changes = field.read(settings.file, QUANTITIES)
    end
  end
  for name, quantity in pairs(QUANTITIES) do
    local value = settings[name]
    if value ~= nil and of_file[name] then raise("field '%s' is in the file, too: give one of both", name) end
    local f = of_file[name] or (type(value) == "function" and value)
    if f then
      layers[#layers + 1] = {
        name = name, f = f, index = #layers, least = quantity.least, most = quantity.most,
        changes = of_file[name] and changes or (not of_file[name] and host.parameters_of(f) > 2),
      }
      air[name] = layers[#layers]
    else
      air[name] = host.setting(OWNER, settings, name, quantity.clear, quantity.least, quantity.most)
    end
  end
  return air, layers, cells
end

-- ---- what it does

-- The program for the speed: what of one's own speed is kept at extinction k.
local function speed_law(settings)
  local given = settings.law
  local least = host.setting(OWNER, settings, "least", 0, 0, 100)
  local least_factor = host.setting(OWNER, settings, "least_factor", 0, 0, 1)
  local signs = host.setting(OWNER, settings, "signs", 3, 0.1, 100)
  local absolute = one_of(settings, "loss", { absolute = true, fractional = true }, "fractional") == "absolute"
  local law = type(given) ~= "function" and laws.speed[one_of(settings, "law", laws.speed, "frantzich-nilsson")]
  if not law and settings.loss then raise "field 'loss' goes with a named law: a function gives the speed itself" end
  return function(own, k)
    own = math.max(own, 1e-3)
    local kept
    if not law then
      kept = given(own, type(k) == "number" and host.recorder.value(k) or k) / own
    elseif absolute then
      kept = law.speed(k, signs, own) / own
    else
      kept = law.factor(k, signs)
    end
    kept = math.max(kept, least_factor)
    if least > 0 then kept = math.max(kept, least / own) end
    return math.max(math.min(kept, 1), 1e-4) -- 0 is for those who have collapsed
  end
end

local MILLIONTH = 2 ^ -20

-- The whole millionths of a small number.
local function whole(x) return math.floor(x * (1 / MILLIONTH) + 0.5) * MILLIONTH end

local Smoke = {}
Smoke.__index = Smoke
Smoke.__metatable = false

local own = setmetatable({}, { __mode = "k" }) -- by smoke: { world =, air = }, for nobody else to write

local function air_of(method, smoke)
  if not own[smoke] then
    raise_of(method, "expected a smoke, got %s (methods are called with a colon: smoke:%s(...))", host.describe(smoke),
      method)
  end
  return own[smoke].air
end

-- The world that has the smoke; nil: it is none.
function host.smoky(smoke) return own[smoke] and own[smoke].world end

-- The quantities where the agent of a behaviour function stands.
local function around(smoke)
  return setmetatable({}, { __index = function(_, name) return smoke:here(name) end })
end

local function has_any(smoke, names)
  for name in pairs(names) do
    local value = own[smoke].air[name]
    if type(value) == "table" or value ~= QUANTITIES[name].clear then return true end
  end
  return false
end

-- The behaviours that everybody is to have, a column and a function each: doses add up, then the pace follows. A dose
-- is whole millionths and a rest, so that a float loses nothing of many small steps.
local function behaviours(smoke, settings)
  local world, air = own[smoke].world, own[smoke].air
  local dose = laws.dose[one_of(settings, "dose", laws.dose, "purser")]
  local options = {
    co2_coefficient = host.setting(OWNER, settings, "co2_coefficient", 0.1903, 0, 1),
    oxygen_limit = host.setting(OWNER, settings, "oxygen_limit", nil, 0, 100),
  }
  if settings.clothed ~= nil and type(settings.clothed) ~= "boolean" then
    raise("field 'clothed' must be true or false, got %s", host.describe(settings.clothed))
  end
  local law = speed_law(settings)
  local minutes = world.dt / 60
  local toxic, irritant = has_any(smoke, dose.toxic), has_any(smoke, dose.irritant)
  local hot = air.temperature ~= QUANTITIES.temperature.clear
  local list = {}
  local function give(column, f)
    list[#list + 1] = column
    list[#list + 1] = f
  end
  give("pace", function(_, a)
    local worst = math.max(a.fed + a.fed_rest, a.fec, a.heat_dose)
    local select = host.recorder.select
    return select(a.pace <= 0, 0, select(worst < a.tolerance, law(a.speed, smoke:here "extinction"), 0))
  end)
  if toxic then
    local function more(a) return a.fed_rest + dose.fed(around(smoke), options) * minutes end
    give("fed", function(_, a) return a.fed + whole(more(a)) end)
    give("fed_rest", function(_, a)
      local rest = more(a)
      return rest - whole(rest)
    end)
  end
  if irritant then give("fec", function() return dose.fec(around(smoke)) end) end
  if hot then
    give("heat_dose", function(_, a)
      return a.heat_dose + laws.heat(smoke:here "temperature", settings.clothed ~= false) * minutes
    end)
  end
  return list
end

-- ---- the value

local function quantity_of(method, name)
  if type(name) ~= "string" or not QUANTITIES[name] then
    host.unknown("smoke:" .. method, "quantity", tostring(name), host.names_of(QUANTITIES))
  end
  return name
end

--- smoke:here(quantity)
--- In a behaviour function: what is in the air where the agent stands, as world:smoke's settings name it.
--- @param quantity string "extinction", "co" ...
--- @return number(any)
--- @error an unknown quantity; outside a behaviour function, or in one of another world's agents
--- @example
--- local smoke = world:smoke { extinction = function(x) return 0.1 * x end }
--- guests.speed = function() return throng.select(smoke:here "extinction" < 0.5, 1.3, 0.9) end
function Smoke:here(name)
  local value = air_of("here", self)[quantity_of("here", name)]
  host.recorder.check_smoke(own[self].world)
  return type(value) == "table" and host.recorder.air(value.index) or value
end

--- smoke:at(place, quantity)
--- What is in the air at a point, now.
--- @param place throng.point A point.
--- @param quantity string "extinction", "co" ...
--- @return number(any)
--- @error an unknown quantity
--- @example
--- local smoke = world:smoke { extinction = function(x) return 0.1 * x end }
--- print(smoke:at({ 4, 5 }, "extinction"))
function Smoke:at(place, name)
  local value = air_of("at", self)[quantity_of("at", name)]
  local layer = type(value) == "table" and value.index or nil -- nil: the same everywhere
  return host.air_at(own[self].world, layer, place, "smoke:at: the place") or value
end

host.make_entries(Smoke)

--- world:smoke(settings)
--- Smoke, gases and heat, for everybody in the world, also who comes later. Smoke slows people (column `pace`) by a law
--- that is named; what they breathe adds up in their columns `fed`, `fec` and `heat_dose`; who reaches its `tolerance`
--- collapses: it stays where it is (`pace` 0), and group:on "incapacitated" tells of it. A world has one.
--- @param settings throng.smoke.settings What there is, and its laws.
--- @return throng.smoke
--- @error an unknown field; a second time; functions or a file in a world without the bounds of a map; a file with
--- cells or names that are none
--- @example
--- local smoke = world:smoke {
---   extinction = function(x, y, t) return math.max(0, 0.05 * t - 0.1 * x) end,
---   co = 1200, co2 = 2, o2 = 18,
---   law = "fridolf", least = 0.3,
--- }
--- guests.tolerance = throng.log_normal(0, 0.3)
return function(world, settings)
  if type(settings) ~= "table" then
    raise("expected a table like {extinction = 0.8, co = 1000}, got %s", host.describe(settings))
  end
  local names = table.move(OPTIONS, 1, #OPTIONS, 1, {})
  for name in pairs(QUANTITIES) do names[#names + 1] = name end
  host.options_of("world:smoke", settings, names)
  if host.has_always(world, "pace") or making[world] then
    raise "the world has smoke already: give all of it in one call"
  end
  local _ <close> = setmetatable({}, { __close = function() making[world] = nil end }) -- before: it takes memory
  making[world] = true
  local air, layers, cells = read_air(world, settings)
  local cell = host.setting(OWNER, settings, "cell", math.min(math.max(cells.side or 0.5, 0.05), 4), 0.05, 4)
  local every = host.setting(OWNER, settings, "every", 1, 0.001, 1e6)
  speed_law(settings)
  local smoke = setmetatable({}, Smoke)
  local mine = { world = world, air = air, made = false }
  own[smoke] = mine
  local bring_to, changes
  if #layers > 0 then bring_to, changes = field.make(world, layers, cell, every, cells) end
  if changes then
    host.repeat_now(world, world.dt, function(_, time)
      if not mine.made then return false end -- nobody breathes it: it was refused at the last
      bring_to(time)
    end, "world:smoke")
  end
  local seen = air.extinction
  host.always(world, behaviours(smoke, settings)) -- all, or none and an error
  host.air_shows(world, type(seen) == "table" and seen.index or nil, type(seen) == "number" and seen or 0)
  mine.made = true
  return smoke
end
