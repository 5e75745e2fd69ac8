-- world:announce { at = 30, where = "hall", share = 0.8, to = "exit" }: a message, and who follows it.

--- class throng.announce.settings
--- Settings of world:announce.
--- @field at? number(s) When, default now.
--- @field where? throng.place Who is there then hears it; default everybody.
--- @field group? throng.group Only these.
--- @field share? number(1) The part of those who hear it that follows, default 1.
--- @field delay? throng.number(s) How long each takes to follow, default 0: the pre-movement time from then on.
--- @field to? throng.place|throng.point Where they are sent; none: they set out for where they are bound already.
--- @field each? fun(followers: throng.group) Called with those who follow.

local host = ...

local FIELDS = { "at", "where", "group", "share", "delay", "to", "each" }
local FOLLOWS = 0x414e0000 -- what numbers are drawn for

local function raise(...) host.raise("world:announce: " .. string.format(...)) end

local function followers(world, settings, share, number)
  local hearers = settings.group or world.agents
  if settings.where ~= nil then hearers = hearers:inside(settings.where) end
  if share >= 1 then return hearers end
  local list = {}
  for i = 1, #hearers do list[i] = host.draw_once(hearers[i], FOLLOWS + number) < share and 1 or 0 end
  return host.pick(hearers, list, 1)
end

local function announce(world, settings, share, number)
  local group = followers(world, settings, share, number)
  if #group == 0 then return end
  group.pre_movement = settings.delay or 0
  local wait, born = group.pre_movement:list(), group.born:list()
  for i = 1, #wait do wait[i] = wait[i] + math.max(0, world.time - born[i] * world.dt) end
  group.pre_movement = wait
  if settings.to ~= nil then group:go_to(settings.to) end
  if settings.each then settings.each(group) end
end

--- world:announce(settings)
--- An announcement: of those who are in a place then, or of a group, a share follows, each after its own delay, and
--- goes where it is told. Who is on its way already stops for the delay, and then goes there.
--- @param settings throng.announce.settings When, to whom, and what it says.
--- @return throng.world self
--- @error a time in the past; a share that is none; a place or group that is none
--- @example
--- world:announce { at = 10, where = "hall", share = 0.8, delay = throng.uniform(5, 20), to = "exit" }
return function(world, settings)
  if type(settings) ~= "table" then
    raise("expected a table like {at = 30, where = \"hall\", to = \"exit\"}, got %s", host.describe(settings))
  end
  host.options_of("world:announce", settings, FIELDS)
  local share = settings.share == nil and 1 or settings.share
  if type(share) ~= "number" or not (share >= 0 and share <= 1) then
    raise("field 'share' must be a number from 0 to 1, got %s", host.describe(share))
  end
  if settings.each ~= nil and type(settings.each) ~= "function" then
    raise("field 'each' must be a function(followers), got %s", host.describe(settings.each))
  end
  local nobody = world.agents - world.agents -- what is wrong is said now, and not when the time comes
  if settings.group ~= nil then
    if not host.is_group(settings.group) then
      raise("field 'group' must be a group, got %s", host.describe(settings.group))
    end
    host.call_at("world:announce: field 'group'", function() return settings.group & nobody end)
  end
  if settings.where ~= nil then host.call_at("world:announce: field 'where'", nobody.inside, nobody, settings.where) end
  if settings.to ~= nil then host.call_at("world:announce: field 'to'", nobody.go_to, nobody, settings.to) end
  if settings.delay ~= nil then
    host.call_at("world:announce: field 'delay'", function() nobody.pre_movement = settings.delay end)
  end
  local at = settings.at == nil and world.time or settings.at
  local number = host.count_announcement(world)
  local function call(now) announce(now, settings, share, number) end
  host.call_at("world:announce: field 'at'", world.at, world, at, call)
  return world
end
