-- group:start_with { share = 0.5 }: who waits sets out when others do.

--- class throng.start_with.settings
--- Settings of group:start_with.
--- @field share? number(1) Somebody sets out when this part of those it sees walks, default 0.5;
--- @field least? integer and at least so many of them, default 1.
--- @field delay? number(s) So long after that, default 0.
--- @field of? string Only others spawned under this name count.

local host = ...

local FIELDS = { "share", "least", "delay", "of" }

local OWNER = "group:start_with"

local function raise(...) host.raise(OWNER .. ": " .. string.format(...)) end

--- group:start_with(settings)
--- Social influence on when people set out: who is in its pre-movement time ends it when enough of those whom it sees
--- (its nearest `neighbours` within `sight`) walk. It is a behaviour function of `pre_movement`, computed in
--- every frame; a number written to that column ends it.
--- @param settings? throng.start_with.settings How many, and of whom.
--- @return throng.group self
--- @error a number out of its range; a name of no group
--- @example
--- guests.pre_movement = throng.log_normal(3.44, 0.94)
--- guests:start_with { share = 0.5, least = 2, delay = 1 }
return function(group, settings)
  settings = host.options_of("group:start_with", settings, FIELDS)
  local share = host.setting(OWNER, settings, "share", 0.5, 0, 1)
  local least = host.setting(OWNER, settings, "least", 1, 1, 1000)
  local delay, of = host.setting(OWNER, settings, "delay", 0, 0, 1e6), settings.of
  if of ~= nil and type(of) ~= "string" then raise("field 'of' must be a name, got %s", host.describe(of)) end
  local dt, select = group.world.dt, host.recorder.select
  group.pre_movement = function(t, a)
    local enough = math.max(share * a:count_seen(of), least) - 1e-3
    local lived = t - a.born * dt
    return select(a:count_walking(of) < enough, a.pre_movement, math.min(a.pre_movement, lived + delay))
  end
  return group
end
