---@meta

---A set of agents. A column is read whole (`group.x`) and written whole
---(`group.speed = 1.2`, a list, a column, throng.uniform(...)). Agents that were
---removed drop out of every group.
---A function of the time and the agent (`group.speed = function(t, a) return 1 + 0.2 * math.sin(t) end`) is compiled and
---computed for each agent in every frame: see throng.behaviour.
---Groups are sets: `a | b`, `a & b`, `a - b`.
---@class throng.group
---@operator bor(throng.group): throng.group
---@operator band(throng.group): throng.group
---@operator sub(throng.group): throng.group
---@field count integer Living agents in it, like #group.
---@field name string
---@field world throng.world
---@field [integer] throng.group The i-th agent as a group of one.
---@field id throng.column Number in the order of spawning, counted from 0 and never used again. Read only.
---@field desired throng.behaviour_like|{ [1]: throng.values, [2]: throng.values }? Preferred velocity, m/s: a function(t, a) that returns vx, vy (a.desired_vx and a.desired_vy are what goal and way ask for); or {vx, vy}, kept until it is written again; or nil, to follow goals again. Read as {vx, vy}.
---@field x throng.column Position, m. Read only.
---@field y throng.column Position, m. Read only.
---@field vx throng.column|throng.values Velocity, m/s.
---@field vy throng.column|throng.values Velocity, m/s.
---@field hx throng.column Heading, a unit vector: the direction last walked in. Read only.
---@field hy throng.column Heading, a unit vector: the direction last walked in. Read only.
---@field desired_vx throng.column Preferred velocity, written by the desire stage, m/s. Read only.
---@field desired_vy throng.column Preferred velocity, written by the desire stage, m/s. Read only.
---@field radius throng.column|throng.values Radius of the body's disc, m.
---@field mass throng.column|throng.values|throng.behaviour_like Mass: who gives way to whom when bodies touch, kg.
---@field speed throng.column|throng.values|throng.behaviour_like Preferred speed, m/s.
---@field max_speed throng.column|throng.values Speed that no planner exceeds, m/s.
---@field horizon throng.column|throng.values|throng.behaviour_like Time horizon: collisions with agents this far ahead are avoided, s.
---@field wall_horizon throng.column|throng.values Time horizon for walls, s.
---@field sight throng.column|throng.values Distance within which neighbours are seen, m.
---@field neighbours throng.column|throng.values At most this many nearest neighbours are seen.
---@field planner throng.column|throng.planner_name|throng.planner Which planner: "none", "orca", "clearpath", "rvo", "forces", "bvp".
---@field ways throng.column|throng.ways_name How it finds its way, "navmesh", "roadmap", "field" or "direct"; from the next go_to on.
---@field closed throng.column|throng.closed_rule What it does about closed doors, "reroute" or "wait"; from the next go_to on.
---@field congestion throng.column|boolean Does it look for ways round queues? From the next go_to on.
---@field goal throng.column Index into the world's goals, -1: none. Read only.
---@field goal_x throng.column|throng.values|throng.behaviour_like Goal of its own, used when it was sent to a list of points, m.
---@field goal_y throng.column|throng.values|throng.behaviour_like Goal of its own, used when it was sent to a list of points, m.
---@field corner throng.column Next corner of its own path in the world's table, -1: it has none. Read only.
---@field face throng.column Navmesh face it stands in, -1: not known. Read only.
---@field via throng.column Half-edge of the navmesh by which it is leaving its face, -1: none. Read only.
---@field still_at throng.column Where it was when it last made headway, packed. Read only.
---@field still_since throng.column Step of that, looked at once a second; -1: it wants to get nowhere. Read only.
---@field frustration throng.column 0 .. 1: how long it has been held up by others. Read only.
---@field force_x throng.column Direction of the last avoidance force. Read only.
---@field force_y throng.column Direction of the last avoidance force. Read only.
---@field state throng.column 1: alive. Read only.
---@field kind throng.column Index of the spawn it came from. Read only.
---@field born throng.column Step at which it was spawned. Read only.
---@field arrived throng.column Step at which it reached its goal, -1: not yet. Read only.
---@field fsm_state throng.column Name of the state its machine is in, "": none. Read only.
---@field fsm_before throng.column Name of the state before that. Read only.
---@field fsm_since throng.column Step at which it entered its state, -1: never. Read only.
---@field fsm_until throng.column Step at which its time in the state is over, -1: never. Read only.
---@field fsm_asked throng.column What its machine does next, -1: as it goes. Read only.
---@field fsm_leg throng.column Which place of its path it walks to, counted from 0. Read only.
---@field home_x throng.column Where it began to wander, m. Read only.
---@field home_y throng.column Where it began to wander, m. Read only.
local group = {}

---What a column can be written with.
---@alias throng.values throng.number|number[]|throng.column

---What group:stats() gives.
---@class throng.group.stats
---@field spawned integer
---@field living integer
---@field arrived integer Removed agents of a spawn count too.
---@field first_arrival? number s
---@field last_arrival? number s

---Sends the agents to a region (by name), a shape, a point, or a list of points, one for each agent. Points of a list
---are walked to straight on.
---@param target throng.place|throng.point|throng.point[]
---@param options? { radius?: number, straight?: boolean } `radius`: arrived within so many metres of a point, default 0.5; `straight`: do not look for a way around walls.
---@return throng.group self
function group:go_to(target, options) end

---From the next step on the agents do what the state machine says, from its first state on; group:go_to ends that.
---Every place it goes to must be one that all of them can reach.
---@param machine throng.machine
---@return throng.group self
function group:run(machine) end

---Those of the group whose machine is in a state of that name.
---@param name string
---@return throng.group
function group:in_state(name) end

---Calls back once a step with those of the group that arrived in it; or with those who began to be stuck (see
---world:stuck), once for each cause.
---@param event "arrived"|"stuck"
---@param callback fun(group: throng.group, cause?: throng.stuck.cause)
---@return throng.group self
function group:on(event, callback) end

---Takes the agents out of the world.
function group:remove() end

---Those for whom the function returns true; it is called from Lua for each, with an agent whose columns are plain numbers:
---`group:where(function(a) return a.x < 3 and a.speed > 1 end)`.
---@param f fun(a: throng.behaviour.agent): boolean
---@return throng.group
function group:where(f) end

---Those of the group whose middle is in a region (by name), a shape, or one of a list of these.
---@param place throng.place
---@return throng.group
function group:inside(place) end

---Gives the agents a tag, which world:tagged finds them by.
---@param name string
---@return throng.group self
function group:tag(name) end

---Takes a tag from the agents.
---@param name string
---@return throng.group self
function group:untag(name) end

---Counts and times of arrival.
---@return throng.group.stats
function group:stats() end

---A column that was read: a copy of the values, by number, with `#` and ipairs.
---@class throng.column
---@field name string
---@field unit string
---@field [integer] number|string
local column = {}

---The least value; nil when there is none.
---@return number?
function column:min() end

---The greatest value; nil when there is none.
---@return number?
function column:max() end

---The mean; nil when there is none.
---@return number?
function column:mean() end

---The sum.
---@return number
function column:sum() end

---The values as a plain list.
---@return (number|string)[]
function column:list() end
