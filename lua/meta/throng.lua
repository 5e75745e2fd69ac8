---@meta throng

-- The API of scenarios and specs, for editors (LuaLS). Nothing here is run; it
-- mirrors runtime/bind_*.c and lua/throng/init.lua, and tests/specs/meta_spec.lua
-- holds it to them.

---Crowds scripted in Lua: `local throng = require "throng"`.
---@class throng
---@field version string Version of the host, like "0.1.0".
---@field goals throng.goals Machines that are ready to use.
local throng = {}

---A point in metres, y up.
---@alias throng.point { [1]: number, [2]: number }

---A number, or one that differs from agent to agent.
---@alias throng.number number|throng.sampler

---A region's name, a shape, or a list of those.
---@alias throng.place string|throng.shape|(string|throng.shape)[]

---@alias throng.planner_name "none"|"orca"|"clearpath"|"rvo"|"forces"|"bvp"

---How a group finds its ways: through the portals of the navigation mesh, round the corners of the roadmap, down a potential
---over the whole map, or straight on, whatever is between.
---@alias throng.ways_name "navmesh"|"roadmap"|"field"|"direct"

---What a group does about closed doors: goes another way while there is one, or goes up to them and waits.
---@alias throng.closed_rule "reroute"|"wait"

---How numbers differ from agent to agent: throng.uniform or throng.normal.
---@class throng.sampler

---A polygon: throng.box or throng.polygon.
---@class throng.shape

---A planner with its parameters: throng.orca, throng.clearpath, throng.rvo, throng.forces, throng.bvp.
---@class throng.planner

---What computes a number (or vx, vy) for each agent in every frame. The function is called once, with values that stand
---for all agents; what it computes becomes a program for the backend. Arithmetic and math's abs, floor, ceil, sqrt, sin,
---cos, tan, exp, log, atan, min and max take those values; comparisons belong into throng.where.
---@alias throng.behaviour_like throng.behaviour|fun(t: number, a: throng.behaviour.agent): number, number?

---A behaviour function as a value: throng.behaviour.
---@class throng.behaviour

---The agent as a behaviour function sees it: its columns, and what is around it. Distances are in metres, infinite to what
---is not there; directions are unit vectors, 0, 0 there or at no distance.
---@class throng.behaviour.agent
---@field id number
---@field x number
---@field y number
---@field vx number
---@field vy number
---@field hx number
---@field hy number
---@field desired_vx number What goal and way ask for (in group.desired); before that, of the last frame.
---@field desired_vy number
---@field radius number
---@field mass number
---@field speed number
---@field max_speed number
---@field horizon number
---@field wall_horizon number
---@field sight number
---@field neighbours number
---@field planner number
---@field ways number
---@field closed number
---@field congestion number
---@field goal number
---@field goal_x number
---@field goal_y number
---@field corner number
---@field face number
---@field via number
---@field still_at number
---@field still_since number
---@field frustration number
---@field state number
---@field kind number
---@field born number
---@field arrived number
---@field force_x number
---@field force_y number
---@field fsm_state number
---@field fsm_before number
---@field fsm_since number
---@field fsm_until number
---@field fsm_asked number
---@field fsm_leg number
---@field home_x number
---@field home_y number
local agent = {}

---To a point, a region by name, or a shape (0 inside).
---@param place throng.point|throng.place
---@return number m
function agent:distance_to(place) end

---@param place throng.point|throng.place
---@return number x, number y
function agent:direction_to(place) end

---To the goal it was sent to, straight on.
---@return number m
function agent:distance_to_goal() end

---@return number x, number y
function agent:direction_to_goal() end

---To the nearest of those it saw in the frame before (its nearest `neighbours` within `sight`), where that one is now.
---Who was spawned just now sees nobody, and nobody does in the frame after the world had to make room for more agents.
---@param name? string Only those spawned under this name.
---@return number m
function agent:distance_to_nearest(name) end

---@param name? string
---@return number x, number y
function agent:direction_to_nearest(name) end

---A state machine: throng.fsm.
---@class throng.machine

---What a state of a machine has its agents do: throng.go_to, throng.wait, throng.wander and so on.
---@class throng.goal

---When a state is left: throng.near, throng.above, throng.below.
---@class throng.condition

---Where a transition leads: the name of a state, or weights: { stand = 3, roam = 1 }.
---@alias throng.transition string|table<string, number>

---A state of a machine. Of what happens in the same step, the first that the state has a transition for is taken:
---arrived, the conditions in order, path_ready, blocked, timeout; a state is changed once a step at most.
---@class throng.state
---@field goal? throng.goal What its agents do; none: they stand.
---@field arrived? throng.transition Its goal is reached. Without it an agent that arrives has arrived (group:on).
---@field after? throng.number Its time, s: a number or throng.uniform, from entering it on.
---@field timeout? throng.transition Its time is over.
---@field path_ready? throng.transition The path of its own that its goal asks for (`own_path`) is there. Without it the agent walks it in this state.
---@field blocked? throng.transition Held up by others for about 3 s, or stuck (world:stuck) for whatever cause.
---@field when? { [1]: throng.condition|fun(group: throng.group): throng.group|boolean, [2]: throng.transition }[] Conditions, tested in order in every step. A function is called once a step with those in the state, and gives those who go on in the next.
---@field enter? fun(group: throng.group) Called once a step with those that entered the state in it.
---@field exit? fun(group: throng.group) Called once a step, before any `enter`, with those that left the state in it.

---What throng.world takes.
---@class throng.world.settings
---@field map? string|throng.map Path of a map (beside the script, in the current folder, in the folder above the script's), or throng.map{...}; none: an open plane.
---@field regions? table<string, throng.shape|throng.shape[]> Named areas for `where` and `go_to`; a name may stand for several polygons.
---@field dt? number Seconds a step, default 0.1.
---@field seed? integer Seed of everything random, default 1.
---@field seconds? number `throng run` and world:run{} end here at the latest, default 600 s.
---@field until_done? boolean `throng run` ends when everyone with a goal has arrived, default true.
---@field record? boolean|{ every?: number, format?: "sqlite"|"compact" } Seconds between frames of the trajectory, default { every = 0.5 }; false: none. format "compact": 12 bytes an agent and frame, for large crowds; `throng convert` makes SQLite of it.
---@field backend? "auto"|"cpu"|"cuda" What computes the frames, default "auto": CUDA when a device is there.
---@field lanes? 0|1|4|8|16 CPU: agents computed at once, 0: the best there is.
---@field threads? integer CPU: threads, 0: one a processor.

---What throng.map takes: `file` with its options, or `walls` and `boundary`; and regions and doors with either.
---@class throng.map.settings
---@field file? string Path of an image, a ROS map-server YAML, a Tiled .tmx, a Moving AI .map, a .wkt or an .xml.
---@field scale? number Metres a pixel or grid cell is wide; none: what the file says.
---@field tolerance? number Metres that outlines of an image may move when they are simplified.
---@field speck? number Obstacles smaller than this are removed, m^2.
---@field min_gap? number Openings narrower than this are closed, m.
---@field min_area? number Free areas smaller than this are left out, m^2.
---@field keep_pockets? boolean Keep free areas that the largest one does not reach.
---@field walls? throng.shape|throng.shape[] Obstacles.
---@field boundary? throng.shape|throng.shape[] Outlines of the free space; none: open around the walls.
---@field regions? table<string, throng.shape|throng.shape[]> Named areas, beside those of the file.
---@field doors? table<string, throng.point[]|throng.shape> Named doors: two points across an opening, or a shape there.
---@field name? string Name in pictures and messages.

---What world:spawn takes.
---@class throng.spawn
---@field count? integer How many agents; not needed with `at`.
---@field where? throng.place Areas to place them in; none: the whole map.
---@field at? throng.point[] Exact places instead.
---@field name? string Name of the group, default "agents", "agents 2", ...
---@field radius? throng.number Radius of the body, m, default 0.25.
---@field speed? throng.number|throng.behaviour_like Preferred speed, m/s, default 1.34.
---@field max_speed? throng.number Speed never exceeded, m/s, default 2 or the greatest `speed`.
---@field mass? throng.number|throng.behaviour_like Mass, kg, default 80: who gives way when bodies touch.
---@field desired? throng.behaviour_like Preferred velocity, m/s: a function(t, a) that returns vx, vy.
---@field ways? throng.ways_name How they find their ways, default "navmesh".
---@field closed? throng.closed_rule What they do about closed doors, default "reroute".
---@field congestion? boolean Do they look for ways round queues? Default false; with ways = "navmesh" only.
---@field planner? throng.planner_name|throng.planner How they avoid each other, default "orca".

---What throng.orca takes.
---@class throng.orca.settings
---@field horizon? throng.number|throng.behaviour_like Seconds ahead in which collisions with agents are avoided, default 3.
---@field wall_horizon? throng.number Seconds ahead for walls, default 1.
---@field sight? throng.number Metres within which neighbours are seen, default 5.
---@field neighbours? integer At most so many nearest neighbours are seen, 0 to 16, default 10.

---What throng.clearpath takes.
---@class throng.clearpath.settings: throng.orca.settings
---@field variant? 1|2 2 (default): collisions within the horizon are avoided. 1: and neighbours passed on the side that is nearer; no collision while everybody finds a velocity.
---@field max_acceleration? number|throng.behaviour_like How much a velocity may change, m/s^2, default: any.

---What throng.rvo takes.
---@class throng.rvo.settings
---@field samples? integer Random velocities tried in a step besides the preferred one, 1 to 65536, default 250.
---@field weight? number How much a collision to come counts against a detour: cost = |preferred - v| + weight / (time to collision), m, default 1.
---@field alpha? number Share of the avoiding that it does, 0 to 1, default 0.5. Agents without a planner are avoided in full.
---@field max_acceleration? number How much a velocity may change, m/s^2, default: any.
---@field wall_horizon? throng.number Seconds ahead for walls, default 1.
---@field sight? throng.number Metres within which neighbours are seen, default 5.
---@field neighbours? integer At most so many nearest neighbours are seen, 0 to 16, default 10.

---What throng.forces takes.
---@class throng.forces.settings
---@field length? number|throng.behaviour_like How far ahead others are avoided, m, default 3.
---@field width? number|throng.behaviour_like Width of the rectangle ahead in which they are, m, default 1.5.
---@field attraction? number|throng.behaviour_like Weight of where it wants to go, default 1.
---@field avoidance? number|throng.behaviour_like Weight of the pushes of others, default 0.3; negative: it is drawn to them.
---@field memory? number|throng.behaviour_like Weight of the direction taken before, default 0.5.
---@field walls? number|throng.behaviour_like Weight of the pushes of walls, default 1.
---@field comfort? number|throng.behaviour_like Distance from which on walls push, m, default 0.3.
---@field max_turn? number|throng.behaviour_like Fastest turn, rad/s, default 6.
---@field max_acceleration? number|throng.behaviour_like How fast the speed may change, m/s^2, default 5.
---@field wall_horizon? throng.number Time horizon within which walls are seen, s, default 1.

---What throng.bvp takes.
---@class throng.bvp.settings
---@field epsilon? number|throng.behaviour_like How strongly the behaviour vector bends ways, more than -2, less than 2, default 0: not at all.
---@field v? number[]|throng.behaviour_like Behaviour vector { x, y }, or a function with two results, of any length but 0; default { 1, 0 }.
---@field inertia? number|throng.behaviour_like How much of its direction an agent keeps from step to step, 0 or more, less than 1, default 0.5.
---@field size? integer Cells along a side of the local map, 9 to 32, default 16.
---@field cell? number Side of a cell, m, default 0.25.
---@field view? number|throng.behaviour_like Aperture of the view cone, rad, default pi: what is behind is not seen.
---@field sweeps? integer Relaxations of the map a step, default 32.
---@field sight? throng.number Distance within which others are seen, m, default 5.
---@field neighbours? integer Others seen at once, up to 16, default 10.
---@field wall_horizon? throng.number Time horizon within which walls are seen, s, default 1.

---What throng.load overrides in a scenario.
---@class throng.overrides
---@field seed? integer
---@field backend? "auto"|"cpu"|"cuda"
---@field lanes? 0|1|4|8|16
---@field threads? integer
---@field params? table<string, number|string|boolean> Values for throng.params.

---Makes a world; a scenario returns one.
---@param settings? throng.world.settings
---@return throng.world
function throng.world(settings) end

---Reads a map or builds one from polygons.
---@param settings string|throng.map.settings
---@return throng.map
function throng.map(settings) end

---The rectangle between two corners, in metres.
---@param x0 number
---@param y0 number
---@param x1 number
---@param y1 number
---@return throng.shape
function throng.box(x0, y0, x1, y1) end

---A simple polygon.
---@param points throng.point[]
---@return throng.shape
function throng.polygon(points) end

---Uniformly distributed between two values.
---@param from number
---@param to number
---@return throng.sampler
function throng.uniform(from, to) end

---Normally distributed, cut off at three standard deviations.
---@param mean number
---@param deviation number
---@return throng.sampler
function throng.normal(mean, deviation) end

---Optimal reciprocal collision avoidance (van den Berg and others, 2011).
---@param settings? throng.orca.settings
---@return throng.planner
function throng.orca(settings) end

---ClearPath: the velocity nearest to the preferred one outside the neighbours' truncated velocity obstacles (Guy and others, 2009).
---@param settings? throng.clearpath.settings
---@return throng.planner
function throng.clearpath(settings) end

---A potential field around every agent: a boundary value problem, solved each step (Fischer, 2009).
---@param settings? throng.bvp.settings
---@return throng.planner
function throng.bvp(settings) end

---Sampled reciprocal velocity obstacles (van den Berg and others, 2008; Bleiweiss, 2009).
---@param settings? throng.rvo.settings
---@return throng.planner
function throng.rvo(settings) end

---Avoidance forces: pushes sideways past everybody in a rectangle ahead, and away from walls (O'Sullivan, 2009).
---@param settings? throng.forces.settings
---@return throng.planner
function throng.forces(settings) end

---A state machine for group:run: `start`, the name of the first state, and the states by name. It runs in the kernels;
---Lua is called for `enter` and `exit` only. Unknown states, states that nothing leads to and loops without time are
---errors.
---@param states table<string, throng.state|string>
---@return throng.machine
function throng.fsm(states) end

---Walk to a region, a shape or a point, around walls.
---@param place throng.place|throng.point
---@param options? { radius?: number, straight?: boolean, own_path?: boolean } As those of group:go_to; `own_path`: to a point by a path of its own, which the path queue finds; the agent waits where it is until it is there.
---@return throng.goal
function throng.go_to(place, options) end

---Go on with the goal, and the path, that one had in the state before.
---@return throng.goal
function throng.go_on() end

---Walk straight to a place, slowing down before it.
---@param place throng.place|throng.point
---@param options? { radius?: number } Arrived within so many metres of a point, default 0.5.
---@return throng.goal
function throng.arrive(place, options) end

---Walk straight at a point without slowing down.
---@param point throng.point
---@param options? { radius?: number } Arrived within so many metres, default 0.5.
---@return throng.goal
function throng.seek(point, options) end

---Run after the nearest of those in sight.
---@param name? string Only of those spawned under this name.
---@param options? { radius?: number } Arrived within so many metres, default 1.
---@return throng.goal
function throng.pursue(name, options) end

---Run away from a point, or from the nearest of those in sight.
---@param from? throng.point|string A point, or the name that they were spawned under; none: anybody.
---@param options? { distance?: number } Arrived so many metres away (or with none in sight), default 5.
---@return throng.goal
function throng.flee(from, options) end

---Stay where one is, and come back when pushed away.
---@param from? number Seconds at least; none: as long as nothing else happens.
---@param to? number Seconds at most, default `from`.
---@return throng.goal
function throng.wait(from, to) end

---Walk from one random point to the next within a radius of where one began, never through walls. Arrives at each; goes
---on to the next where `arrived` leads nowhere.
---@param options? { radius?: number } Metres, default 5.
---@return throng.goal
function throng.wander(options) end

---Find the way to a place picked at random, and follow it.
---@param options? { places?: integer, to?: (throng.place|throng.point)[], own_path?: boolean } `places`: so many random points of the map are the places, default 16; `to`: these are; `own_path` as in throng.go_to.
---@return throng.goal
function throng.random_path(options) end

---Walk to places one after the other, around walls; arrives at the last.
---@param path (throng.place|throng.point)[]
---@return throng.goal
function throng.follow(path) end

---Holds where somebody in sight is near.
---@param name? string Only those spawned under this name.
---@param distance number m
---@return throng.condition
function throng.near(name, distance) end

---Holds while a column is greater than a value.
---@param column string
---@param value number
---@return throng.condition
function throng.above(column, value) end

---Holds while a column is less than a value.
---@param column string
---@param value number
---@return throng.condition
function throng.below(column, value) end

---Machines that are ready to use.
---@class throng.goals
local goals = {}

---Follows a random path, waits and observes, or wanders around, and picks what comes next at random.
---@param options? { places?: integer, to?: (throng.place|throng.point)[], radius?: number, wander?: throng.number } Of throng.random_path; metres to wander within, default 4; seconds to wander for, default 8.
---@return throng.machine
function goals.idle_walker(options) end

---A behaviour function with options: `slow = true` calls it from Lua for each agent before every frame, which any Lua
---works in, at a hundredth of the speed. Slow functions see columns only.
---@param f fun(t: number, a: throng.behaviour.agent): number, number?
---@param options? { slow?: boolean }
---@return throng.behaviour
function throng.behaviour(f, options) end

---Prints the program that a behaviour function is compiled to.
---@param f throng.behaviour_like
---@return string text
function throng.explain(f) end

---`yes` where the condition holds, else `no`: throng.where(a.speed < 1, 0.5, 2). The comparison must stand in the call; to
---use it twice, or join two, make numbers of them: `local slow = throng.where(a.speed < 1, 1, 0)`, throng.where(slow, x, y).
---@param condition boolean|number A comparison, or a number: 0 is no.
---@param yes number
---@param no number
---@return number
function throng.where(condition, yes, no) end

---1 where the numbers are equal, else 0: `==` itself cannot be traced.
---@param a number
---@param b number
---@return number
function throng.equal(a, b) end

---Smooth noise in space, -1 to 1, 0 at whole numbers: the same in every world.
---@param x number
---@param y? number
---@param z? number
---@return number
function throng.noise(x, y, z) end

---In a behaviour function: a random number in [0, 1), another one for each agent, frame and call in the text.
---@return number
function throng.random() end

---A scenario's parameters with their defaults; `--set` and throng.load override them.
---@generic T: table
---@param defaults T
---@return T
function throng.params(defaults) end

---Runs a scenario file in its sandbox and gives the world it returns.
---@param path string Relative to the calling file, then to the current folder.
---@param overrides? throng.overrides
---@return throng.world
function throng.load(path, overrides) end

---Names of the backends that can run here.
---@return string[]
function throng.backends() end

return throng
