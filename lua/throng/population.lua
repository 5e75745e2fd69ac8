-- throng.population: who people are, as data: classes with their shares and speeds.

--- class throng.population.class
--- A class of a population. Speeds are laws: world:spawn draws from them.
--- @field name string Like "male 30-50".
--- @field share number(1) Its share, in proportion to the others'.
--- @field speed throng.number(m/s) On the level.
--- @field stairs_down? throng.number(m/s) Down stairs, along the incline; none: what flights keep of its speed.
--- @field stairs_up? throng.number(m/s) Up stairs, along the incline; none: what flights keep of its speed.

--- class throng.population
--- The result of throng.population.
--- @field name string As given; of classes of your own "population".
--- @field classes throng.population.class[] In their order.
--- @field speed throng.sampler Speeds on the level of all classes, by their shares.
--- @field stairs_down? throng.sampler Down stairs, where a class has them; 0 of those that have none.
--- @field stairs_up? throng.sampler Up stairs, likewise.
--- @field of table<string, throng.population.class> The classes by name.

local host = ...
local pairs = host.pairs -- in the order of keys

local uniform = host.uniform

local function class(name, share, flat, down, up)
  return {
    name = name,
    share = share,
    speed = uniform(flat[1], flat[2]),
    stairs_down = down and uniform(down[1], down[2]),
    stairs_up = up and uniform(up[1], up[2]),
  }
end

local KNOWN = {
  -- Passengers: IMO MSC.1/Circ.1533, Annex 3, tables 3.1, 3.4 and 3.5. Speeds are uniform within each range.
  ["imo"] = {
    class("female <30", 7, { 0.93, 1.55 }, { 0.56, 0.94 }, { 0.47, 0.79 }),
    class("female 30-50", 7, { 0.71, 1.19 }, { 0.49, 0.81 }, { 0.44, 0.74 }),
    class("female >50", 16, { 0.56, 0.94 }, { 0.45, 0.75 }, { 0.37, 0.61 }),
    class("female >50 impaired 1", 10, { 0.43, 0.71 }, { 0.34, 0.56 }, { 0.28, 0.46 }),
    class("female >50 impaired 2", 10, { 0.37, 0.61 }, { 0.29, 0.49 }, { 0.23, 0.39 }),
    class("male <30", 7, { 1.11, 1.85 }, { 0.76, 1.26 }, { 0.50, 0.84 }),
    class("male 30-50", 7, { 0.97, 1.62 }, { 0.64, 1.07 }, { 0.47, 0.79 }),
    class("male >50", 16, { 0.84, 1.40 }, { 0.50, 0.84 }, { 0.38, 0.64 }),
    class("male >50 impaired 1", 10, { 0.64, 1.06 }, { 0.38, 0.64 }, { 0.29, 0.49 }),
    class("male >50 impaired 2", 10, { 0.55, 0.91 }, { 0.33, 0.55 }, { 0.25, 0.41 }),
  },
  -- Crew: the same tables.
  ["imo crew"] = {
    class("female crew", 50, { 0.93, 1.55 }, { 0.56, 0.94 }, { 0.47, 0.79 }),
    class("male crew", 50, { 1.11, 1.85 }, { 0.76, 1.26 }, { 0.50, 0.84 }),
  },
  -- Adults by age: readings of figure 2 of the RiMEA guideline 4.1.1, after Weidmann (1993). On stairs those that it
  -- has from J. J. Fruin, "Pedestrian Planning and Design" (1971), inside buildings, along the incline.
  ["rimea"] = {
    class("20", 10, { 1.60, 1.64 }, { 0.76, 0.76 }, { 0.55, 0.55 }),
    class("30", 10, { 1.52, 1.56 }, { 0.65, 0.65 }, { 0.50, 0.50 }),
    class("40", 10, { 1.46, 1.50 }, { 0.65, 0.65 }, { 0.50, 0.50 }),
    class("50", 10, { 1.39, 1.43 }, { 0.65, 0.65 }, { 0.50, 0.50 }),
    class("60", 5, { 1.27, 1.27 }, { 0.55, 0.55 }, { 0.42, 0.42 }),
    class("70", 5, { 1.07, 1.07 }, { 0.55, 0.55 }, { 0.42, 0.42 }),
  },
  -- Pedestrians of all ages: U. Weidmann, "Transporttechnik der Fussgaenger" (1993). His speeds on stairs are those
  -- that flights have by default.
  ["weidmann"] = { { name = "pedestrians", share = 1, speed = host.normal(1.34, 0.26) } },
}

local FIELDS = { "name", "share", "speed", "stairs_down", "stairs_up" }

local function raise(...) host.raise("throng.population: " .. string.format(...)) end

local function check(i, one, seen)
  if type(one) ~= "table" then
    raise("class %d must be a table like {name = \"adults\", share = 3, speed = 1.3}, got %s", i, host.describe(one))
  end
  for field in pairs(one) do
    local known = false
    for _, name in ipairs(FIELDS) do known = known or field == name end
    if not known then host.unknown("throng.population", "field", tostring(field), FIELDS) end
  end
  if type(one.name) ~= "string" then raise("class %d: field 'name' must be a string", i) end
  if seen[one.name] then raise("two classes are named '%s'", one.name) end
  if one.speed == nil then raise("class '%s': field 'speed' is missing: a number or a law, m/s", one.name) end
  host.number(one.share, ("throng.population: class '%s': field 'share'"):format(one.name), 0, true)
  return one
end

-- A field of all classes, by their shares; nil: none has it.
local function of_all(classes, field)
  local parts, some = {}, false
  for i, one in ipairs(classes) do
    parts[i] = { one.share, one[field] or 0 }
    some = some or one[field] ~= nil
  end
  return some and host.mixture(parts) or nil
end

--- throng.population(who)
--- A population: classes of people with their shares and speeds. Known ones: "imo", the passengers of IMO
--- MSC.1/Circ.1533, "imo crew", "rimea", adults by age as the RiMEA guideline has them, and "weidmann", pedestrians;
--- or classes of your own.
--- @param who string|throng.population.class[] A name, or a list of classes.
--- @return throng.population
--- @error an unknown name; a class without a name, a share or a speed; two of one name
--- @example
--- local passengers = throng.population "imo"
--- world:spawn { count = 30, where = "left", speed = passengers.speed, stairs_up = passengers.stairs_up,
---   stairs_down = passengers.stairs_down } -- of one person: who is fast on the level is fast on stairs
--- world:spawn { count = 5, where = "right", speed = passengers.of["male 30-50"].speed }
return function(who)
  local classes = who
  if type(who) == "string" then
    classes = KNOWN[who]
    if not classes then host.unknown("throng.population", "population", who, host.names_of(KNOWN)) end
  elseif type(who) ~= "table" or #who == 0 then
    raise("expected a name like \"imo\" or a list of classes, got %s", host.describe(who))
  end
  local list, of = {}, {}
  for i, one in ipairs(classes) do
    list[i] = check(i, one, of)
    of[one.name] = one
  end
  local name = type(who) == "string" and who or "population"
  return {
    name = name,
    classes = list,
    speed = of_all(list, "speed"),
    stairs_down = of_all(list, "stairs_down"),
    stairs_up = of_all(list, "stairs_up"),
    of = host.named(of, ("population '%s'"):format(name)),
  }
end
