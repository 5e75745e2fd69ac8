-- Functions that Lua calls for one agent after the other: slow behaviour functions, and those of group:filter.
local host, notes, agent = ...

local slow = {}

local names = {}
for i, column in ipairs(host.columns) do
  names[i] = column.name
end

-- The agents of a group, one after the other: what a function called from Lua sees as its agent, and the function that
-- goes to the i-th.
local function viewer(group)
  local read, at = {}, 0
  local seen = setmetatable({}, {
    __metatable = false,
    __index = function(_, name)
      if not agent.columns[name] then agent.check_own("agent", name, names, host.own_columns(group.world)) end
      read[name] = read[name] or group[name]
      return read[name][at]
    end,
    __newindex = agent.refuse_write,
    __len = agent.refuse_list,
    __pairs = agent.refuse_list,
  })
  return seen, function(i) at = i end
end

-- Lists of values are by the agents that there were when the calls began.
local function check_all(fn, group, count)
  if #group == count then return end
  error(("%s: this function is called for each agent of a group, and removed some of them meanwhile; remove them in"
    .. " world:on_step, or after group:filter"):format(host.place_of(fn)), 0)
end

-- Calls the function for each agent of the group; the values it gave, a list for each of its `wanted` results.
function slow.call(fn, group, time, wanted)
  local seen, go = viewer(group)
  local first, second = {}, {}
  local count = #group
  for i = 1, count do
    go(i)
    first[i], second[i] = fn(time, seen)
    check_all(fn, group, count)
    if type(first[i]) ~= "number" or (wanted == 2 and type(second[i]) ~= "number") then
      error(("%s: this behaviour function must return %s, it returned %s for agent %d"):format(host.place_of(fn),
        notes.RESULTS[wanted], host.describe(type(first[i]) == "number" and second[i] or first[i]), seen.id), 0)
    end
  end
  return first, second
end

-- What the function says of each agent of the group, for group:filter.
function slow.choose(fn, group)
  local seen, go = viewer(group)
  local chosen = {}
  local count = #group
  for i = 1, count do
    go(i)
    local said = fn(seen)
    check_all(fn, group, count)
    if said ~= nil and type(said) ~= "boolean" then
      error(("group:filter: the function of %s must return true or false, as a.x < 3 does; it returned %s for agent %d")
        :format(host.place_of(fn), host.describe(said), seen.id), 0)
    end
    chosen[i] = said or false
  end
  return chosen
end

return slow
