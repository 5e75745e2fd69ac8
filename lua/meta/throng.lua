---@meta throng

-- The API of scenarios and specs, for editors (LuaLS): made by `make` from the doc comments beside the bindings
-- (runtime/, lua/throng/). Change those.

---A function that computes a number (or vx, vy) for each agent in every frame. It is called once, with values that
---stand for all agents, and recorded as a program for the backend. Arithmetic and math's abs, floor, ceil, sqrt, sin,
---cos, tan, exp, log, atan, min and max take those values; use throng.select for comparisons.
---@alias throng.behaviour_like throng.behaviour|fun(t: number, a: throng.behaviour.agent): number, number?

---Why agents are stuck; the first of these that holds: the agent waits for its path ("path"); its goal lies in a wall;
---no route leads to its goal; its route leads through a closed door, or only through a rigid body ("body"); it faces
---another stuck agent that wants to go the opposite way ("standoff"); other agents ("crowd"), a rigid body ("body") or
---a wall block it; or none of these, and its planner stops it.
---@alias throng.cause "path"|"goal in a wall"|"no route"|"closed door"|"standoff"|"crowd"|"body"|"wall"|"planner"

---A corner of a path: a point; in a building with the floor or flight that it is on, and its height in metres.
---@alias throng.corner { [1]: number, [2]: number, floor?: string, z?: number }

---Closed-door policy: take another route while there is one ("reroute"), or walk to the door and wait ("wait").
---@alias throng.door_policy "reroute"|"wait"

---Which way a door leads; forth: from its left to its right, looking from its first point to its second, as measures of
---flow count.
---@alias throng.door_way "both"|"forth"|"back"

---A number, or one that differs from agent to agent.
---@alias throng.number number|throng.sampler

---A region's name, a shape, or a list of those.
---@alias throng.place string|throng.shape|(string|throng.shape)[]

---The planners by name; throng.orca{} and so on give them parameters.
---@alias throng.planner_name "none"|"orca"|"clearpath"|"rvo"|"forces"|"bvp"|"collision_free_speed"|"social_force"|"anticipation"|"generalized_centrifugal_force"|"power_law"

---A point in metres, y up. In a building `floor` may name the floor or flight that it is on, by default the lowest.
---@alias throng.point { [1]: number, [2]: number }

---How a group finds its paths: through the portals of the navigation mesh, round the corners of the roadmap, down a
---potential over the whole map, or straight on through everything. What doors cost (throng.running_door) counts on the
---navmesh; where a door costs something, the roadmap and fields are errors, and "direct" heeds no door at all. Doors'
---max_radius counts for all but "direct".
---@alias throng.routing_name "navmesh"|"roadmap"|"field"|"direct"

---A quantity: the same everywhere, or a function of the place, the time and, in a building, the floor's name.
---@alias throng.smoke.value number|fun(x: number, y: number, t?: number, floor?: string): number

---Where a transition leads: the name of a state, or weights: { stand = 3, roam = 1 }.
---@alias throng.transition string|table<string, number>

---A value that can be assigned to a column.
---@alias throng.values throng.number|number[]|throng.column

---Crowds scripted in Lua: `local throng = require "throng"`. Scenarios have Lua 5.4 without files, processes, clocks
---and addresses, so that a seed gives the same run everywhere; `pairs` goes in the order of the keys. `#` of a list
---with holes is undefined, as in all of Lua, and may differ between processes: keep the length yourself.
---@class throng
---@field version string Version of the host, like "0.1.0".
---@field goals throng.goals Machines that are ready to use.
local throng = {}

---Holds while a column is greater than a value.
---Errors: an unknown column, when group:run gets the machine.
---@param column string Name of a column of the agents, like "frustration", or one that world:column has declared.
---@param value number In the column's unit.
---@return throng.condition
function throng.above(column, value) end

---The anticipation velocity model: speed by the gap ahead, as in throng.collision_free_speed, and a direction that
---turns away from where others will be (Xu, Chraibi and Seyfried, 2021). It ignores the column time_gap.
---Errors: an unknown parameter; a value out of range; a behaviour function for a parameter that takes none.
---@param settings? throng.anticipation.settings Its parameters; those not given have their initial values.
---@return throng.planner
function throng.anticipation(settings) end

---Walk straight to a place, in a building on the same floor, slowing down before it.
---Errors: no place; an unknown option.
---@param place throng.place|throng.point Where: a region by name, a shape, a point, or a list of regions and shapes.
---@param options? { radius?: number } Arrived within that distance of a point, default 0.5. (m)
---@return throng.goal
function throng.arrive(place, options) end

---Names of the backends that run on this machine.
---@return string[]
function throng.backends() end

---A behaviour function with options. With `slow = true` Lua calls it for each agent before every frame: it may use all
---of Lua, runs at a hundredth of the speed, and sees columns only.
---Errors: no function; errors of recording come when it is given to agents.
---@param f fun(t: number, a: throng.behaviour.agent): number, number? The function of time and agent.
---@param options? throng.behaviour.settings Options.
---@return throng.behaviour
function throng.behaviour(f, options) end

---Holds while a column is less than a value.
---Errors: an unknown column, when group:run gets the machine.
---@param column string Name of a column of the agents.
---@param value number In the column's unit.
---@return throng.condition
function throng.below(column, value) end

---The rectangle between two corners, in metres.
---Errors: an empty box: x1 == x0 or y1 == y0.
---@param x0 number x of one corner. (m)
---@param y0 number y of that corner. (m)
---@param x1 number x of the opposite corner. (m)
---@param y1 number y of that corner. (m)
---@return throng.shape
function throng.box(x0, y0, x1, y1) end

---A building of several floors, with stairs, ramps and escalators between them: a map for throng.world, whose people
---see and meet only others on their own floor or on the flight they are about to enter. Regions and doors belong to
---floors and are named "floor/name"; a region's name alone stands for the regions of that name on all floors. Each
---floor and each flight is a region, too. Positions (`x`, `y`) are those on the plan, on every floor; `floor` names the
---floor. Pictures show the floors side by side.
---Errors: a floor without `z`; a file without floors; a flight that leads down, names an unknown floor, or has no room
---at its foot or its head.
---@param settings throng.building.settings Floors, and what joins them.
---@return throng.map
function throng.building(settings) end

---A potential field around every agent: a boundary value problem, solved each step (Fischer and others, 2009). With
---routing = "field" its cells must be smaller than those of the field, which are 0.7 of the agent's radius (results of
---behaviour functions are not checked against that). The map holds all walls and all agents within `sight`, whatever
---`neighbours` is; with neighbours = 0, no agents. An agent that stands and has a free way sets out straight in its
---preferred direction; epsilon and v bend its path from the next step on.
---Errors: an unknown parameter; a value out of range; a behaviour function for a parameter that takes none.
---@param settings? throng.bvp.settings Its parameters; those not given have their initial values.
---@return throng.planner
function throng.bvp(settings) end

---Fits parameters to measurements: those with which scenarios of the experiments give what was measured. The script
---returns it; `throng study FILE` does it on all processors, writes one SQLite file and reports the values, how well
---the data determine them, and how well they do by what was held out. The same command goes on with a fit that was
---interrupted, and with one whose tolerances or methods have changed; runs that are there are not done again.
---Errors: no such scenario or data; an unknown method, quantity or column; nothing to fit to.
---@param settings throng.calibrate.settings What is fitted, and to what.
---@return throng.calibrate
function throng.calibrate(settings) end

---ClearPath: the velocity nearest to the preferred one outside the neighbours' truncated velocity obstacles (Guy and
---others, 2009).
---Errors: an unknown parameter; a value out of range; a behaviour function for a parameter that takes none.
---@param settings? throng.clearpath.settings Its parameters; those not given have their initial values.
---@return throng.planner
function throng.clearpath(settings) end

---The collision-free speed model: the speed is the gap to the agent ahead over time_gap, and neighbours and walls repel
---the direction (Tordeux, Chraibi and Seyfried, 2016; versions 1 to 3 of JuPedSim). It ignores the column time_gap.
---Errors: an unknown parameter; a value out of range; a behaviour function for a parameter that takes none.
---@param settings? throng.collision_free_speed.settings Its parameters; those not given have their initial values.
---@return throng.planner
function throng.collision_free_speed(settings) end

---Takes comparisons of several runs, which differ in their seeds alone, with one recording together: where the
---recording gives another value than one more run would, by more than the comparisons' tolerance, the model differs.
---Errors: no comparisons; some with other measures.
---@param comparisons throng.comparison[] What world:compare gave, one a run.
---@param confidence? number For all rows together, default 0.95.
---@return throng.compared.result
function throng.compared(comparisons, confidence) end

---The convergence measures of repeated runs: of the mean and standard deviation of the total time, and of the mean
---curve of arrivals. Runs are enough when all of them stay small for several runs on end.
---Errors: curves of different lengths; less than three times in one.
---@param curves number[][] By run, in its order: the times at which the first, second ... person was out, s. (s)
---@return throng.convergence.measures[] # For the third run and each after it.
function throng.convergence(curves) end

---People as discs, which they are unless they are told otherwise.
---Errors: a radius out of range.
---@param settings? throng.disc_settings Their radius.
---@return throng.figure
function throng.disc(settings) end

---Numbers distributed like measured ones, of equal weight: interpolated linearly between neighbours in the sorted list.
---The least and the greatest are the list's.
---Errors: less than two numbers; a file without the column, or with something else than numbers in it.
---@param values number[]|string What was measured, two numbers or more, in any order; or a CSV file of them, beside the script, whose first line names its columns.
---@param column? string Of the file; not needed where it has one. Empty cells are passed over.
---@return throng.sampler
function throng.empirical(values, column) end

---1 where the numbers are equal, else 0: `==` itself cannot be recorded.
---Errors: a value that is no number.
---@param a number A value.
---@param b number Another one.
---@return number
function throng.equal(a, b) end

---Prints the program that a behaviour function is compiled to, an instruction a line, and returns that text.
---Errors: a function that cannot be recorded; the message has the line and the remedy.
---@param f throng.behaviour_like A function(t, a), or throng.behaviour(...).
---@param world? throng.world Whose own columns (world:column) it may read.
---@return string
function throng.explain(f, world) end

---Run away from a point, or from the nearest agent in sight (of its nearest `neighbours` within `sight`).
---Errors: neither a point nor a name.
---@param from? throng.point|string A point, or the name of a group; none: any agent.
---@param options? { distance?: number } Arrived at this distance, or with none in sight. Default 5. (m)
---@return throng.goal
function throng.flee(from, options) end

---Walk to places one after the other, around walls; arrives at the last.
---Errors: an empty list.
---@param path (throng.place|throng.point)[] The places in order.
---@return throng.goal
function throng.follow(path) end

---Walk after the one of a group who came first, around walls and over floors, however far off it is. Where it is, is
---looked up twice a second, and counts when it has moved by half a metre. When it leaves, the next of the group leads;
---when nobody of it is left, they go to where the last was.
---Errors: a name of no group, or of one in which nobody is, when group:run gets the machine.
---@param name string The leader's group.
---@param options? { radius?: number } Arrived, and stands, within that distance of it, default 1.5. (m)
---@return throng.goal
function throng.follow_leader(name, options) end

---Avoidance forces: pushes sideways past every agent and body in a rectangle ahead, and away from walls (O'Sullivan,
---2009).
---Errors: an unknown parameter; a value out of range; a behaviour function for a parameter that takes none.
---@param settings? throng.forces.settings Its parameters; those not given have their initial values.
---@return throng.planner
function throng.forces(settings) end

---A state machine for group:run: `start`, the name of the first state, and the states by name. It runs in the kernels;
---Lua is called for `enter` and `exit` only. Unknown states, states that nothing leads to and loops without time are
---errors.
---Errors: an unknown state, a state that nothing leads to, a loop that takes no time.
---@param states table<string, throng.state|string> `start` and the states, by name: throng.state.
---@return throng.machine
function throng.fsm(states) end

---Numbers distributed by the gamma law, whose mean is shape * scale. The greatest millionth is left out.
---Errors: a shape out of range; a scale of 0 or less.
---@param shape number The shape, from 0.01 to 10000.
---@param scale number The scale.
---@return throng.sampler
function throng.gamma(shape, scale) end

---The generalized centrifugal force model: ellipses that grow longer and narrower with speed, and forces that grow with
---the speed of approach (Chraibi, Seyfried and Schadschneider, 2010). Stable at any dt. It ignores the column time_gap.
---Errors: an unknown parameter; a value out of range; a behaviour function for a parameter that takes none.
---@param settings? throng.generalized_centrifugal_force.settings Its parameters; those not given have their initial values.
---@return throng.planner
function throng.generalized_centrifugal_force(settings) end

---Keep the goal and the path of the state before.
---@return throng.goal
function throng.go_on() end

---Walk to a region, a shape or a point, around walls.
---Errors: no place; an unknown option; `own_path` with `straight`, or to something else than a point.
---@param place throng.place|throng.point Where: a region by name, a shape, a point, or a list of regions and shapes, which are looked up when group:run gets the machine.
---@param options? { radius?: number, straight?: boolean, own_path?: boolean } As those of group:go_to; `own_path`: to a point by a path of its own, which the path queue finds; the agent waits where it stands until the path is ready. (m)
---@return throng.goal
function throng.go_to(place, options) end

---Runs a scenario file in its sandbox and gives the world it returns.
---Errors: no such file; what the scenario raises; a scenario that returns no world.
---@param path string Relative to the calling file, then to the current folder.
---@param overrides? throng.overrides Values that replace the scenario's own.
---@return throng.world
function throng.load(path, overrides) end

---Numbers whose logarithm is distributed normally: pre-movement times, for one. The greatest millionth is left out, and
---the least.
---Errors: a negative deviation.
---@param mu number The mean of the logarithm.
---@param sigma number Its standard deviation, up to 50.
---@param from? number Added to all: the logarithm is that of what is above it. Default 0.
---@return throng.sampler
function throng.log_normal(mu, sigma, from) end

---Reads a map or builds one from polygons.
---Errors: a file that cannot be read, with its line; neither `file` nor `walls` nor `boundary`; a polygon that crosses
---itself, in a file more than 2,000 times.
---@param settings string|throng.map.settings A path, or settings.
---@return throng.map
function throng.map(settings) end

---Numbers by several laws, each with its share: the speeds of a population of several classes.
---Errors: a share of 0 or less.
---@param parts { [1]: number, [2]: throng.number }[] {share, law}: the shares are in proportion, and need not sum to 1.
---@return throng.sampler
function throng.mixture(parts) end

---Holds when another agent in sight is near: one that it saw in the frame before, of its nearest `neighbours` within
---`sight`. Among 2 persons/m^2 the nearest ten stand within 1.3 m: who is to see a few others from farther off there
---needs more `neighbours`.
---Errors: a distance that is no number.
---@param name string? Only agents of the group of this name; nil: any agent.
---@param distance number From centre to centre. (m)
---@return throng.condition
function throng.near(name, distance) end

---Smooth noise in space, -1 to 1, 0 at whole numbers: the same in every world.
---Errors: a value that is no number.
---@param x number Where.
---@param y? number Where, default 0.
---@param z? number Where, default 0: time, for noise that changes.
---@return number
function throng.noise(x, y, z) end

---Numbers distributed normally, cut off at three standard deviations.
---Errors: a negative deviation; a mean whose three deviations leave the range of the column.
---@param mean number The mean.
---@param deviation number The standard deviation.
---@return throng.sampler
function throng.normal(mean, deviation) end

---Optimal reciprocal collision avoidance (van den Berg and others, 2011). `horizon` is for those who come along;
---people, who have a time gap, look a third of it ahead at all others.
---Errors: an unknown parameter; a value out of range; a behaviour function for a parameter that takes none.
---@param settings? throng.orca.settings Its parameters; those not given have their initial values.
---@return throng.planner
function throng.orca(settings) end

---A scenario's parameters with their defaults; `--set` and throng.load override them. A number with a range, { default,
---least, most }, has a slider in `throng view`: the table's value changes while the scenario runs, so read it where it
---is used, or say what a new value does at once: { default, least, most, on_change = function(value) ... end }. Home
---begins the run again with the sliders' values. { default, least } has a lower limit only, and no slider. A parameter
---whose numbers are whole stays whole.
---Errors: a given name, or one that is read later, that is no parameter; a value of another type, or out of its range.
---@param defaults table<string, number|string|boolean|number[]> Names and default values; given values must have their types.
---@return table
function throng.params(defaults) end

---Cheapest paths for many queries at once, on a grid or a graph of the script's own, or on a map. Paths are the same on
---every backend.
---Errors: costs below 0; nodes that are not there; rows of different lengths.
---@param settings throng.paths.settings The graph, the queries, and how.
---@return throng.paths.result
function throng.paths(settings) end

---The whole numbers 1, 2, 3, ... with the probabilities of a Poisson distribution without 0, lambda^n / (n! (e^lambda -
---1)), up to 16: sizes of the groups that people walk in (J. Coleman and J. James, "The equilibrium size distribution
---of freely-forming groups", 1961).
---Errors: not more than 0, or more than 4.
---@param lambda number 0.83 for people in a street (Moussaid and others, 2010): 0.64 walk alone, .27 of the groups are pairs, .07 threes.
---@return throng.sampler
function throng.poisson_truncated(lambda) end

---A simple polygon.
---Errors: less than three points.
---@param points throng.point[] Its corners, in either direction around.
---@return throng.shape
function throng.polygon(points) end

---A population: classes of people with their shares and speeds. Known ones: "imo", the passengers of IMO
---MSC.1/Circ.1533, "imo crew", "rimea", adults by age as the RiMEA guideline has them, and "weidmann", pedestrians; or
---classes of your own.
---Errors: an unknown name; a class without a name, a share or a speed; two of one name.
---@param who string|throng.population.class[] A name, or a list of classes.
---@return throng.population
function throng.population(who) end

---The power law of the time to collision: pairs repel by an energy k / t^2 exp(-t / t0), t the time to their collision
---(Karamouzas, Skinner and Guy, 2014). Stable at any dt. It ignores the column time_gap.
---Errors: an unknown parameter; a value out of range; a behaviour function for a parameter that takes none.
---@param settings? throng.power_law.settings Its parameters; those not given have their initial values.
---@return throng.planner
function throng.power_law(settings) end

---Run straight after the nearest agent in sight (of its nearest `neighbours` within `sight`). throng.follow_leader goes
---round walls, and farther.
---Errors: a name of no group, when group:run gets the machine.
---@param name? string Only agents of the group of this name.
---@param options? { radius?: number } Arrived within that distance, default 1. (m)
---@return throng.goal
function throng.pursue(name, options) end

---In a behaviour function: a random number in [0, 1), different for each agent, frame and call. Elsewhere there is
---math.random. In a scenario it follows the world's seed; in a spec it gives the same numbers from the start of each
---file, whatever ran before (`before_each(function() math.randomseed(7) end)`: of each test).
---Errors: outside a behaviour function.
---@return number
function throng.random() end

---Walk to a place picked at random, around walls.
---Errors: both `to` and `places`.
---@param options? { places?: integer, to?: (throng.place|throng.point)[], own_path?: boolean } `places`: the number of random points of the map to choose from, 1 to 256, default 16; `to`: the places to choose from instead; `own_path` as in throng.go_to.
---@return throng.goal
function throng.random_path(options) end

---Sampled reciprocal velocity obstacles (van den Berg and others, 2008; Bleiweiss, 2009).
---Errors: an unknown parameter; a value out of range; a behaviour function for a parameter that takes none.
---@param settings? throng.rvo.settings Its parameters; those not given have their initial values.
---@return throng.planner
function throng.rvo(settings) end

---Walk straight at a point, in a building on the same floor, without slowing down.
---Errors: a place that is no point.
---@param point throng.point Where to.
---@param options? { radius?: number } Arrived within that distance, default 0.5. (m)
---@return throng.goal
function throng.seek(point, options) end

---`yes` where the condition holds, else `no`: throng.select(a.speed < 1, 0.5, 2). The comparison must stand in the
---call; to use it twice, or join two, make numbers of them: `local slow = throng.select(a.speed < 1, 1, 0)`,
---throng.select(slow, x, y).
---Errors: a condition that Lua has decided already, like one that was kept in a local; a value that is no number.
---@param condition boolean|number A comparison, or a number: 0 is no.
---@param yes number The value where it holds.
---@param no number The value elsewhere.
---@return number
function throng.select(condition, yes, no) end

---The social force model (Helbing, Farkas and Vicsek, 2000): inertia, and forces that fall off exponentially with the
---gaps to neighbours and walls. Bodies that touch are kept apart by contacts, as under all planners; their friction,
---with which faster is slower at doors, is `friction = 2` of throng.world (scenarios/panic.lua). Stable at any dt. It
---ignores the column time_gap.
---Errors: an unknown parameter; a value out of range; a behaviour function for a parameter that takes none.
---@param settings? throng.social_force.settings Its parameters; those not given have their initial values.
---@return throng.planner
function throng.social_force(settings) end

---People who are wider than deep: two half discs, as wide as the body is deep, at the ends of a line across the
---shoulders. They touch others and walls as what they are, so more of them find room, and turn their shoulders where
---the way ahead is narrow (column `shoulders`); planners see discs as wide as they are across their way. Their routes
---lead through what is as wide as a half-turned one, at least (`radius`, half the depth, and half of what the body is
---wider than that).
---Errors: a width less than a depth.
---@param settings? throng.stadium_settings Their width and depth.
---@return throng.figure
function throng.stadium(settings) end

---Many runs of a scenario: the factors to vary, the runs of each point and the results to keep. The script returns it;
---`throng study FILE` runs it on all processors, writes one SQLite file and reports the results.
---Errors: no such scenario; an unknown design or quantity; a factor that is neither a list nor a law.
---@param settings throng.study.settings What is varied and measured.
---@return throng.study
function throng.study(settings) end

---Reads a recording: JuPedSim's SQLite, throng's own, a .csv with columns id, frame, x and y (and time), or text as
---Forschungszentrum Juelich and PedPy have it, lines "id frame x y" below lines like "# framerate: 25" and "# id frame
---x/m y/m" (or cm). Positions in a building are those of the plan on every floor, and points name their floor, as
---world:spawn takes them; world:compare, world:source and a world of one plane take one floor: `throng.trajectory {
---file = "tower.sqlite", floor = "ground" }`.
---Errors: no such file; one that is no recording, with what is wrong with it, and the line.
---@param file string|throng.recorded Its name, beside the script; or with a floor of it.
---@param time? number Only the people at this time, as a moment: trajectory:at. (s)
---@return throng.trajectory|throng.moment
function throng.trajectory(file, time) end

---Numbers whose density rises in a straight line to the likeliest and falls in one after it.
---Errors: numbers in another order; the least and the greatest are equal.
---@param least number The least value.
---@param likeliest number The likeliest.
---@param greatest number The greatest.
---@return throng.sampler
function throng.triangular(least, likeliest, greatest) end

---A law cut off: its numbers between two values, in the same proportions.
---Errors: less than a thousandth of the law's numbers are between the values.
---@param law throng.sampler Any but throng.mixture and throng.poisson_truncated.
---@param from number The least value.
---@param to number The greatest.
---@return throng.sampler
function throng.truncated(law, from, to) end

---Numbers distributed uniformly between two values.
---Errors: `from` greater than `to`.
---@param from number The least value.
---@param to number The greatest.
---@return throng.sampler
function throng.uniform(from, to) end

---As many runs of each point of a throng.study as it takes to know a number precisely: after `least` runs, and after
---each further tenth, it checks whether the number's confidence interval is narrow enough, and it ends at `most`.
---Errors: the study has no measure of that name; `most` is too few for an interval (of a 95th percentile below 72).
---@param settings throng.until_precise.settings Which number, and how well.
---@return throng.until_precise
function throng.until_precise(settings) end

---Stay in place, and come back when pushed away; who is kept away by others stays where it is by then, and makes room.
---Errors: a negative time; `to` less than `from`.
---@param from? number At least this long; none: until something else happens. (s)
---@param to? number At most this long, default `from`. (s)
---@return throng.goal
function throng.wait(from, to) end

---Walk from one random point to the next within a radius of the starting point, never through walls. The agent arrives
---at each point, and goes on to the next if the state has no `arrived`.
---Errors: a radius of 0 or less.
---@param options? { radius?: number } Distance from the start, default 5. (m)
---@return throng.goal
function throng.wander(options) end

---Numbers distributed by Weibull's law, less than x with probability 1 - exp(-(x / scale)^shape). The greatest
---millionth is left out.
---Errors: a scale of 0 or less; a shape out of range.
---@param scale number The scale.
---@param shape number The shape, from 0.01 to 10000.
---@return throng.sampler
function throng.weibull(scale, shape) end

---Makes a world; a scenario returns one.
---Errors: an unknown map or backend; a map that belongs to another world.
---@param settings? throng.world.settings None: an open plane with the default settings.
---@return throng.world
function throng.world(settings) end

---A world: agents, a map, goals and time.
---@class throng.world
---@field time number Simulated time. (s)
---@field steps integer Steps taken.
---@field dt number A step. (s)
---@field seed integer Seed of everything random.
---@field groups table<string, throng.group> Groups by the name they were spawned with.
---@field agents throng.group All who live now: who is spawned later is not in a group that was taken before.
---@field paths throng.paths The path queue.
---@field measures throng.measure[] The measures of the world, in order; world.measures.NAME is the one of that name.
---@field stages throng.stages The stages of a frame.
---@field bounds { x0: number, y0: number, x1: number, y1: number }? Bounds of the map's free space. (m)
---@field map throng.map? The map, whose doors open and close.
---@field lifts table<string, throng.lift> The lifts of the map, a building, by name.
---@field floors { name: string, kind: string, z?: number, flight?: boolean, lift?: boolean }[] The floors of the map, a building, with their heights, the lowest first, then its flights and lifts; kind: "floor", "stairs", "ramp", "escalator", "walkway" or "lift". Floors and flights are regions of their names, for measures and group:inside. (m)
---@field backend "cpu"|"cuda" The backend that computes the frames.
---@field device string The processor or GPU.
---@field simd integer SIMD width on the CPU: agents computed at once.
---@field threads integer Threads that compute.
local world = {}

---An announcement: of those who are in a place then, or of a group, a share follows, each after its own delay, and goes
---where it is told. Who is on its way already stops for the delay, and then goes there.
---Errors: a time in the past; a share that is none; a place or group that is none.
---@param settings throng.announce.settings When, to whom, and what it says.
---@return throng.world # self
function world:announce(settings) end

---Calls a function once, before the step that begins at that time.
---Errors: a time in the past.
---@param time number Simulated time. (s)
---@param callback fun(world: throng.world, time: number) Called then.
---@return throng.world # self
function world:at(time, callback) end

---Sets how strongly agents of one group avoid those of another, under the planner "forces". Every pair of groups weighs
---1 at first. 0: they do not avoid them; negative: they are drawn to them. An agent's group is that of the column
---`group`, which group:become changes.
---Errors: a name of no group.
---@param who string Name of the group that avoids.
---@param whom string Name of the group that is avoided.
---@param weight number From -1000 to 1000.
function world:avoidance(who, whom, weight) end

---Makes many rigid bodies. Without a definition it returns all bodies of the world.
---Errors: as world:body.
---@param definition? throng.bodies Their shape, number and places.
---@return throng.body[]
function world:bodies(definition) end

---Makes a rigid body.
---Errors: no shape or several; a polygon that is not convex; no mass; no room for it.
---@param definition throng.bodies Its shape and place.
---@return throng.body
function world:body(definition) end

---Frees the world. Its groups cannot be used afterwards.
---Errors: in a callback of the same world, or in a function or metamethod that another call to it calls; the world that
---a scenario has returned to the program that runs it.
function world:close() end

---Declares a column of the script's own: a number that each agent has, like `speed`. It is read and written as
---`group.NAME`, given by world:spawn { NAME = ... }, read by behaviour functions as `a.NAME` and by throng.above and
---throng.below, and computed by a behaviour function that is assigned to it. `throng view` colours by it, and
---recordings have it as a further column. A world has up to eight.
---Errors: a name that is invalid or taken; a ninth column; after the first step, when recordings have begun.
---@param name string Lower-case letters, digits and _, a letter first.
---@param settings? throng.column.settings Its default and unit.
function world:column(name, settings) end

---Compares the run so far with a recording, of people or of another run: each of the world's measures is taken of the
---recording, too, by the same code and over the same time, and what both give is set side by side. The recording is
---read at the world's steps. Recordings know no groups: a measure of a `group` is taken of all people in it. One run
---tells little; throng.compared takes several.
---Errors: a world that has no measures, or that took no step; a building, or a recording of all floors of one.
---@param recording throng.trajectory The recording.
---@param settings? throng.compare.settings Since when, and how sure.
---@return throng.comparison
function world:compare(recording, settings) end

---Makes the scenario an environment for programs that learn: who acts, what they see, what they may say, what that is
---worth and when it ends. `throng run` does not care; throng_env of `throng.h` and `throng.gym` of the Python package
---step many worlds of the scenario at once. An episode also ends at the world's `seconds`, or by world:stop, but not
---because others have arrived.
---Errors: learners that are no group or nobody; nothing that they could see or do; a second environment.
---@param settings throng.environment.settings Who learns, and from what.
function world:environment(settings) end

---Calls a function every `period` seconds from now on, until it returns false.
---Errors: a period shorter than a millisecond and than the world's dt.
---@param period number Between calls. (s)
---@param callback fun(world: throng.world, time: number): boolean? It is not called again when it returned false.
---@return throng.world # self
function world:every(period, callback) end

---Caps the flow through a door: it lets through that many persons a second on average; after a pause, two may follow at
---once. While it holds people back it is a wall to them, but routes still lead to it, and `is_open` stays true. Design
---rules cap doors at 1.3 to 1.33 persons a second and metre (SFPE; IMO MSC.1/Circ.1533). Each time that it lets
---somebody through, the map's walls are built again.
---Errors: an unknown door, or one that has a cap; a flow that is not above 0; both flows, or neither and no limit; a
---door that ends in the open.
---@param settings throng.flow_cap.settings The door, and how many.
---@return throng.flow_cap
function world:flow_cap(settings) end

---Hash of the state: the same on every backend.
---@return string # 16 digits.
function world:hash() end

---Makes a hazard: a place that agents of any planner turn away from, like a fire. It adds (1 - distance / reach) *
---weight * speed, away from the place, to the preferred velocity of agents within reach; in a building of those on its
---floor, and on what is joined to that.
---Errors: no `at`.
---@param settings throng.hazard.settings Where it is, and how strong.
---@return throng.hazard
function world:hazard(settings) end

---Measures from the next step on. A world without measures pays nothing for them.
---Errors: none or several of the quantities; an unknown region or door; Voronoi cells in a world without a floor's
---edge.
---@param settings throng.measure.settings The quantity, place, agents and time.
---@return throng.measure # What is measured: its fields are up to date after every step; of { region = ... }: a table of measures, `density`, `speed`, `flow` and `level_of_service`, named after it, as throng.measures says.
function world:measure(settings) end

---Calls a function once a step, with all agents that the event happened to, those who came after this call too.
---Errors: an unknown event; "entered" or "left" without a place; "floor" in a world that is no building.
---@param event "arrived"|"stuck"|"floor"|"incapacitated"|"entered"|"left" Name of the event, as of group:on.
---@param callback fun(group: throng.group, cause: throng.cause|string, to: string) Called with those it happened to.
---@overload fun(self, event: "entered"|"left", place: throng.place, callback: fun(group: throng.group, place: throng.place)): throng.world
---@return throng.world # self
function world:on(event, callback) end

---Calls a function before each step.
---Errors: no function.
---@param callback fun(world: throng.world, time: number) Called with the simulated time.
---@return throng.world # self
function world:on_step(callback) end

---What an agent saw in the last step, and the velocity that it chose; the viewer draws both. It is computed again, with
---the agent's present heading and frustration.
---Errors: a group of not exactly one agent; an agent of another world; walls, doors, bodies or agents have changed
---since the last step.
---@param agent throng.group A group of one: group[1].
---@return throng.probe
function world:probe(agent) end

---Makes a service queue: a line in which agents wait to be served.
---Errors: no `line` of two points or more, no `serve` or no `served`.
---@param settings throng.queue.settings Place, length of the line, time of service, and callbacks.
---@return throng.queue
function world:queue(settings) end

---Computes frames, for `seconds` or `steps`. Without either, or with `until_done`, it runs until all agents have
---arrived.
---Errors: both `seconds` and `steps`; called in a callback of this world; what a callback raises.
---@param settings? throng.run.settings How long.
---@return "arrived"|"time"|"stopped" # Why it ended.
function world:run(settings) end

---Removes agents from the world when their centre is in the place. Agents whose goal is the place must have arrived
---there.
---Errors: no `where`; an unknown region.
---@param settings throng.sink.settings Where, and whom.
---@return throng.sink
function world:sink(settings) end

---Smoke, gases and heat, for everybody in the world, also who comes later. Smoke slows people (column `pace`) by a law
---that is named; what they breathe adds up in their columns `fed`, `fec` and `heat_dose`; who reaches its `tolerance`
---collapses: it stays where it is (`pace` 0), and group:on "incapacitated" tells of it. A world has one.
---Errors: an unknown field; a second time; functions or a file in a world without the bounds of a map; a file with
---cells or names that are none.
---@param settings throng.smoke.settings What there is, and its laws.
---@return throng.smoke
function world:smoke(settings) end

---Makes a source: agents that come over time, all in one group. Agents that find no room wait outside. Who comes has
---the source's settings; anything else is done to those who come in `each`. Of the group's methods only `on` and
---`choose` hold for whoever comes later.
---Errors: none or several of `rate`, `schedule` and `recording`; `count` or `at`; somebody of a recording who comes in
---a wall; a `recording` in a building, or of all floors of one.
---@param definition throng.source The agents, times and places.
---@return throng.group
function world:source(definition) end

---Makes agents, and returns their group.
---Errors: neither `count` nor `at`; a name that a group has already; an area with too little room (the message says for
---how many).
---@param definition throng.spawn The agents, their number and places.
---@return throng.group
function world:spawn(definition) end

---Totals of the run so far.
---@return throng.world.stats
function world:stats() end

---Computes one frame.
---@return throng.world # self
function world:step() end

---Ends the run after this step.
function world:stop() end

---A script for a few actors: the function runs as a coroutine that waits for events.
---Errors: what the script raises, with its line.
---@param script fun(story: throng.story) Called at the next step; it goes on where it waits.
---@return throng.world # self
function world:story(script) end

---The agents that are stuck, with a cause. An agent is stuck when it wants to walk, but has moved less far in ten
---seconds than it walks in 0.7 s.
---@return throng.jam[] # In the order of their first agents.
function world:stuck() end

---The agents that have a tag (group:tag).
---Errors: a name that is no text.
---@param name string The tag; it need not be in use.
---@return throng.group
function world:tagged(name) end

---A set of agents. A column is read whole (`group.x`) and written whole (`group.speed = 1.2`, a list, a column,
---throng.uniform(...)). Agents that were removed drop out of every group. A function of the time and the agent
---(`group.speed = function(t, a) return 1 + 0.2 * math.sin(t) end`) is compiled and computed for each agent in every
---frame, until the column is written again: see throng.behaviour. Groups are sets: `a | b`, `a & b`, `a - b`, of those
---who are in them at that moment: whom a source lets in later is in its own group alone. In scenarios `for i, agent in
---ipairs(group)` gives who was there when the loop began, which may remove them.
---@class throng.group
---@operator bor(throng.group): throng.group
---@operator band(throng.group): throng.group
---@operator sub(throng.group): throng.group
---@field count integer Living agents in it, like #group.
---@field name string The name it was spawned under; of a part of it, too.
---@field world throng.world The world it lives in.
---@field [integer] throng.group The i-th agent as a group of one.
---@field desired throng.behaviour_like|{ [1]: throng.values, [2]: throng.values }? Preferred velocity, m/s: a function(t, a) that returns vx, vy (a.desired_vx and a.desired_vy hold the velocity towards the goal); or {vx, vy}, kept until it is written again; or nil, to follow goals again. Read as {vx, vy}.
---@field id throng.column Number in the order of spawning, counted from 0 and never used again. Read only.
---@field x throng.column Position. Written by stage move. Read only, but for hooks of stages. (m)
---@field y throng.column Position. Written by stage move. Read only, but for hooks of stages. (m)
---@field vx throng.column|throng.values Velocity. Written by stage goals and move. (m/s)
---@field vy throng.column|throng.values Velocity. Written by stage goals and move. (m/s)
---@field hx throng.column Heading, a unit vector: where it looks, which is where it walks or, the slower it does, where it wants to go. Written by stage goals, plan and move. Read only.
---@field hy throng.column Heading, a unit vector: where it looks, which is where it walks or, the slower it does, where it wants to go. Written by stage goals, plan and move. Read only.
---@field desired_vx throng.column Preferred velocity. Written by stage desire. Read only, but for hooks of stages. (m/s)
---@field desired_vy throng.column Preferred velocity. Written by stage desire. Read only, but for hooks of stages. (m/s)
---@field radius throng.column|throng.values Radius of the body: half its depth, and half its width where that is not given. (m)
---@field mass throng.column|throng.values|throng.behaviour_like Mass; the lighter of two agents in contact gives way more. (kg)
---@field speed throng.column|throng.values|throng.behaviour_like Preferred speed. (m/s)
---@field max_speed throng.column|throng.values Largest speed, whatever the planner. (m/s)
---@field horizon throng.column|throng.values|throng.behaviour_like Time horizon: collisions with agents this far ahead are avoided. (s)
---@field wall_horizon throng.column|throng.values Time horizon for walls. (s)
---@field time_gap throng.column|throng.values|throng.behaviour_like Time gap to the agent ahead that walks the same way; who it holds to less than 0.4 m/s stops and goes; 0: none is kept. (s)
---@field relaxation throng.column|throng.values|throng.behaviour_like Time to accelerate from standing to the preferred speed; 0: at once, and steps backwards are allowed. (s)
---@field sight throng.column|throng.values Distance within which neighbours are seen. (m)
---@field neighbours throng.column|throng.values At most this many nearest neighbours are seen.
---@field planner throng.column|throng.planner_name|throng.planner How it avoids others: an index into the world's planners; in Lua a name.
---@field routing throng.column|throng.routing_name How it finds its paths, applied at the next `go_to`; in Lua a name.
---@field door_policy throng.column|throng.door_policy Closed-door policy, applied at the next `go_to`; in Lua a name.
---@field congestion throng.column|boolean 1: it looks for routes round congestion, applied at the next `go_to`; in Lua true or false.
---@field goal throng.column Index into the world's goals, -1: none. Written by stage goals. Read only.
---@field goal_x throng.column|throng.values|throng.behaviour_like Goal of its own, used when it was sent to a list of points. Written by stage goals. (m)
---@field goal_y throng.column|throng.values|throng.behaviour_like Goal of its own, used when it was sent to a list of points. Written by stage goals. (m)
---@field waypoint throng.column Next waypoint of its own path in the world's table, -1: it has none. Written by stage goals and desire. Read only.
---@field face throng.column Navmesh face it stands in, -1: not known. Written by stage desire. Read only.
---@field exit_edge throng.column Half-edge of the navmesh through which it leaves its face, -1: none. Written by stage desire. Read only.
---@field frustration throng.column 0 to 1: how long it has been held up by others. Written by stage goals and move. Read only, but for hooks of stages.
---@field last_progress_cell throng.column Place where it last made progress, packed. Written by stage goals. Read only.
---@field last_progress_step throng.column Step at which it last made progress, exact to a second; -1: it does not want to move. Written by stage goals. Read only. (step)
---@field force_x throng.column Direction that the planner remembers, a unit vector; collision_free_speed: its turn, rad. Written by stage plan. Read only.
---@field force_y throng.column Direction that the planner remembers, a unit vector. Written by stage plan. Read only.
---@field state throng.column 1: alive. Read only.
---@field group throng.column Index of the spawn it came from. Read only.
---@field born throng.column Step at which it was spawned. Read only. (step)
---@field arrived throng.column Step at which it reached its goal, -1: not yet. Written by stage goals. Read only. (step)
---@field fsm_state throng.column State of its machine, -1: it has none; in Lua its name, "". Written by stage goals. Read only.
---@field fsm_before throng.column The state before that; in Lua its name. Written by stage goals. Read only.
---@field fsm_since throng.column Step at which it entered its state, -1: never. Written by stage goals. Read only. (step)
---@field fsm_until throng.column Step at which it leaves its state because its time is over, -1: never. Written by stage goals. Read only. (step)
---@field fsm_asked throng.column Next state of its machine; or -2 - n: a random choice whose first option is n. Written by stage goals. Read only.
---@field fsm_leg throng.column Index, from 0, of its goal among those of its state. Written by stage goals. Read only.
---@field home_x throng.column Where it began to wander. Written by stage goals. Read only. (m)
---@field home_y throng.column Where it began to wander. Written by stage goals. Read only. (m)
---@field planned_vx throng.column Velocity planned for the next step, in worlds with latency = 1. Written by stage move. Read only. (m/s)
---@field planned_vy throng.column Velocity planned for the next step, in worlds with latency = 1. Written by stage move. Read only. (m/s)
---@field company throng.column Number of the company it walks with, -1: it walks alone. Read only.
---@field mate throng.column Slot of the next member of its company by id, the first after the last; -1: it walks alone. Read only.
---@field turn_rate throng.column|throng.values|throng.behaviour_like Fastest turn, whatever the planner; 1e6: any. (rad/s)
---@field pre_movement throng.column|throng.values|throng.behaviour_like Pre-movement time: until so long after it was spawned it only gives way to others, whatever its goal. (s)
---@field floor throng.column The floor or flight that it is on, a sheet (sheets.h); in Lua its name. Written by stage move. Read only.
---@field lift throng.column Number, from 1, of the lift that it waits for or rides in; negative: of the lift whose open door it may pass; 0: none. Read only.
---@field tolerance throng.column|throng.values|throng.behaviour_like Dose at which smoke or heat overcome it: what `fed`, `fec` or `heat_dose` must reach.
---@field fed throng.column|throng.values|throng.behaviour_like Fractional effective dose of what it has breathed in smoke; 1 overcomes half of all people.
---@field fed_rest throng.column|throng.values|throng.behaviour_like What of that dose is left beside whole millionths.
---@field fec throng.column|throng.values|throng.behaviour_like Fractional effective concentration of the irritants where it is.
---@field heat_dose throng.column|throng.values|throng.behaviour_like Fractional effective dose of heat.
---@field pace throng.column|throng.values|throng.behaviour_like What of its preferred speed it walks, as smoke has it; 0: it stands, whatever its planner or script wants.
---@field width throng.column|throng.values Width of the body across the shoulders, which is twice its radius deep; less than that: it is a disc. (m)
---@field shoulders throng.column Direction of the line across the shoulders, an angle from the x axis, -pi/2 to pi/2. Written by stage move. Read only. (rad)
---@field stairs_up throng.column|throng.values|throng.behaviour_like Speed up stairs, along their slope, where it would walk `speed` on the level; 0: the share of that which the flight keeps. Drawn for the person that `speed` is drawn for: who is fast there is fast here. (m/s)
---@field stairs_down throng.column|throng.values|throng.behaviour_like Speed down stairs, likewise. (m/s)
local group = {}

---Moves the agents to the group of that name: agents that change type. They then count for it in world.groups, in the
---colours of pictures, and for throng.near, throng.pursue, throng.flee and world:avoidance. Their columns, goals and
---machines stay.
---Errors: a name of no group.
---@param name string The name of a spawn.
---@return throng.group # The agents that were of another group before.
function group:become(name) end

---Each agent of the group, also of those who join it, chooses one of several exits when its pre-movement time is over,
---and goes there. The chance of an exit is its weight times e to the power of what speaks for it: distance, time, queue
---and what others do, each times its number in the settings (a multinomial logit model, as Lovreglio, Fonzone and
---dell'Olio (2016) fit it to people). Exits that no route leads to are not chosen, nor those that somebody neither
---knows nor sees a sign of; who is left with none stays, and looks again every half second.
---Errors: no exits; a place that is none; an unknown field.
---@param settings throng.choose.settings The exits, and what counts.
---@return throng.group # self
function group:choose(settings) end

---Gives the agents to the player. In `throng view` the arrow keys, or W, A, S and D, steer them, each at its `speed`;
---they stand while no key is down. A script steers them by group.desired. A world has one group of players.
---@return throng.group # self
function group:control() end

---The agents for which the function returns true. Lua calls it for each, with an agent whose columns are plain numbers:
---`group:filter(function(a) return a.x < 3 and a.speed > 1 end)`.
---Errors: what the function raises, or when it removes agents of the group; columns are read only there.
---@param f fun(a: throng.behaviour.agent): boolean Called for each living agent.
---@return throng.group
function group:filter(f) end

---Sends the agents to a region (by name), a shape, a point, or a list of points, one for each agent. To points of a
---list they walk by paths of their own, which the path queue finds. Where nobody can stand on a point (somebody slimmer
---may) they go next to it, as near as its radius.
---Errors: an unknown region; a place that cannot be reached from where an agent stands (it is named).
---@param target throng.place|throng.point|throng.point[] Where to. A list of points must have one for each agent.
---@param options? throng.go_to.settings How.
---@return throng.group # self
function group:go_to(target, options) end

---The agents of the group whose machine is in the state of that name.
---Errors: a name that no machine has.
---@param name string Name of a state of a machine that runs in this world.
---@return throng.group
function group:in_state(name) end

---The agents of the group whose centre is in a place.
---Errors: an unknown region.
---@param place throng.place A region by name, a shape, or a list of those.
---@return throng.group
function group:inside(place) end

---Calls a function once a step, with the agents of the group that the event happened to.
---`arrived`: They reached where they were sent, or a state of their machine that has no `arrived`.
---`stuck`: They began to be stuck (see world:stuck); the function is called once for each cause, which it gets.
---`floor`: They came to another floor, flight or lift of a building; the function is called once for each two, whose
---names it gets: where from, and where to.
---`incapacitated`: Smoke or heat has overcome them (see world:smoke): their `pace` is 0.
---`entered`: Their centres came into the place (a region by name, a shape, or a list of those), which the function
---gets. Who begins in it, by world:spawn or when the function is given, has not entered.
---`left`: Their centres went out of the place; who is removed in it has not left.
---Errors: an unknown event; "entered" or "left" without a place; "floor" in a world that is no building.
---@param event "arrived"|"stuck"|"floor"|"incapacitated"|"entered"|"left" Name of the event; "entered" and "left" are followed by a place: group:on("entered", "hall", callback).
---@param callback fun(group: throng.group, cause: throng.cause|string, to: string) Called with those it happened to.
---@overload fun(self, event: "entered"|"left", place: throng.place, callback: fun(group: throng.group, place: throng.place)): throng.group
---@return throng.group # self
function group:on(event, callback) end

---Removes the agents from the world.
function group:remove() end

---Runs a state machine from the next step on, from its first state. group:go_to ends it. All agents must be able to
---reach all places of the machine.
---Errors: an unknown region; a place that cannot be reached from where an agent stands.
---@param machine throng.machine throng.fsm{...} or throng.goals.idle_walker().
---@return throng.group # self
function group:run(machine) end

---Social influence on when people set out: who is in its pre-movement time ends it when enough of those whom it sees
---(its nearest `neighbours` within `sight`) walk. It is a behaviour function of `pre_movement`, computed in every
---frame; a number written to that column ends it.
---Errors: a number out of its range; a name of no group.
---@param settings? throng.start_with.settings How many, and of whom.
---@return throng.group # self
function group:start_with(settings) end

---Counts and times of arrival.
---@return throng.group.stats
function group:stats() end

---Gives the agents a tag. world:tagged finds them by it.
---Errors: a name that is no text.
---@param name string The tag.
---@return throng.group # self
function group:tag(name) end

---Removes a tag from the agents.
---Errors: a name that is no text.
---@param name string The tag.
---@return throng.group # self
function group:untag(name) end

---Takes the agents out of their companies.
---@return throng.group # self
function group:walk_alone() end

---Makes one company of the agents; they leave their earlier ones. They walk abreast, those ahead wait for the slower
---ones (not for whom a crowd holds up), and those far from the others go to them (Moussaid and others, 2010). The
---setting `company` of world:spawn and world:source forms companies of agents that stand near each other.
---Errors: more than 16 agents.
---@return throng.group # self
function group:walk_together() end

---A copy of the values of a column, with numbers from 1, `#` and ipairs.
---@class throng.column
---@field name string Its name.
---@field unit string Its unit, "" for a number without one.
---@field [integer] number|string|boolean The value of the i-th agent; nil beyond the last.
local column = {}

---The values as a plain list.
---@return (number|string|boolean)[]
function column:list() end

---The greatest value; nil when there is none.
---@return number?
function column:max() end

---The mean; nil when there is none.
---@return number?
function column:mean() end

---The least value; nil when there is none.
---@return number?
function column:min() end

---The sum.
---@return number
function column:sum() end

---A map: throng.map.
---@class throng.map
---@field name string As throng.map{ name = ... } says, or of the file.
---@field area number Free space. (m^2)
---@field bounds { x0: number, y0: number, x1: number, y1: number } Of the free space. (m)
---@field regions string[] Names of the map's own regions, and of the groups they belong to; `regions.hall` is map:region "hall".
---@field doors throng.door[] Named doors, as the map has them; `doors.north` is map:door "north".
---@field floors { name: string, kind: string, z?: number, flight?: boolean, lift?: boolean }[] Of throng.building: its floors, from the lowest on, its flights and its lifts; of other maps none. (m)
---@field properties table<string, string|number|boolean> Properties of the map in its file (Tiled, XML).
---@field findings throng.finding[] Problems of the map, as `throng map` lists them.
local map = {}

---The length of the path that map:path finds, math.huge when there is none.
---Errors: an end that is no point.
---@param from throng.point One end.
---@param to throng.point The other.
---@param radius? number Kept from walls, default 0. (m)
---@return number # (m)
function map:distance(from, to, radius) end

---A door of a world's map, by its name.
---Errors: an unknown name; a map that belongs to no world.
---@param name string As the map has it.
---@return throng.running_door
function map:door(name) end

---Does a disc lie in free space?
---Errors: a point that is not { x, y }, or lies beyond its floor of a building.
---@param point throng.point Its middle.
---@param radius number Radius of the disc. (m)
---@return boolean
function map:fits(point, radius) end

---A flight of a world's building, by its name: stairs, a ramp, an escalator, a walkway.
---Errors: an unknown name; a map that belongs to no world.
---@param name string As the building has it.
---@return throng.flight
function map:flight(name) end

---The shortest path between two points, for a disc that keeps `radius` metres from walls (none: a point). In a building
---each corner has its `floor` and its height `z`, corners where it comes to another floor or flight are in it twice,
---once for each, and its length is walked along the slopes. It leads through lifts that are in service where that takes
---less time, waiting included: from the middle of a car on one floor to that on another, which is no length.
---Errors: an end that is no point.
---@param from throng.point One end.
---@param to throng.point The other.
---@param radius? number Kept from walls, default 0. (m)
---@return throng.corner[]? # The corners, both ends included; nil when there is no path or an end is not free.
---@return number? # Its length. (m)
function map:path(from, to, radius) end

---A random free point. The n-th call returns the same point in every run.
---Errors: no place with enough room; no place given on an open map.
---@param place? throng.place Where; none: anywhere on the map.
---@param radius? number Room around it, default 0. (m)
---@param key? integer Stands for n: the same key, the same point.
---@return throng.point
function map:random_point(place, radius, key) end

---The polygons of a region, or of all regions of a group, and the properties of the first.
---Errors: an unknown name.
---@param name string Name of a region, or of a group of regions.
---@return { shapes: throng.shape[], properties: table<string, string|number|boolean> }
function map:region(name) end

---Is the straight line free?
---Errors: an end that is no point.
---@param from throng.point One end.
---@param to throng.point The other.
---@param radius? number Kept from walls, default 0. (m)
---@return boolean
function map:visible(from, to, radius) end

---What `throng test` adds to luassert's assertions. A spec is a program with all of Lua: files, processes, modules.
---`--sandbox` gives it what a scenario has: throng, files of its own folder, and no io, os, debug or other modules.
---Each assertion has its opposite: `assert.no.arrives(group)`; on a failure it keeps a picture and the trajectory
---(`throng help test`).
---@class luassert
local assert = {}

---Tests the statistics of a scenario, in specs. The function runs for every seed. A seed passes when no assertion fails
---and the returned number is within the bounds. `percentile` per cent of the seeds must pass.
---Errors: it fails with the seeds that did not hold, and why; an unknown field.
---@param settings throng.across Number of seeds, and how many must pass.
---@param body fun(seed: integer): number? Called with each seed; returns a number.
---@return (number?)[] # The numbers, by seed.
function across(settings, body) end

---All agents spawned in the group have arrived.
---Errors: it fails with how many are missing, or when the last one arrived.
---@param group throng.group The group that must have arrived, including agents that were removed since.
---@param options? { within?: number } The last one arrived by then. (s)
function assert.arrives(group, options) end

---A density stayed below a bound.
---Errors: it fails with the greatest density, where and when; a measure of something else; neither bound.
---@param measure throng.measure A measure of density.
---@param options { below?: number, mean_below?: number } In every step; on average. (1/m^2)
function assert.density(measure, options) end

---The flow, passages per second between the first and the last, is within bounds. Without bounds: at least one agent
---passed.
---Errors: it fails with the measured value; a measure of another kind.
---@param measure throng.measure|throng.running_door A measure of flow, or a door whose flow its world measures.
---@param options? { at_least?: number, at_most?: number } Bounds. (1/s)
function assert.flow(measure, options) end

---People walked in lanes: bounds of the mean lane index, which is 0 by chance and 1 when every strip has one direction.
---Errors: it fails with the index; a measure of something else; neither bound.
---@param measure throng.measure A measure of lanes.
---@param options { at_least?: number, at_most?: number } Bounds.
function assert.lanes(measure, options) end

---No pair of agents ever came closer than 0.99 of the sum of their radii.
---Errors: it fails with how many pairs overlapped, and how close the closest came.
---@param world throng.world A world that has run.
function assert.no_overlap(world) end

---Worlds are in the same state.
---Errors: it fails with the hashes.
---@param a throng.world|string A world, or what world:hash() gave.
---@param b throng.world|string Another one.
---@param ... throng.world|string And more.
function assert.same_hash(a, b, ...) end

---No agent of the group left a region in any step.
---Errors: it fails with the first agent that was outside, and when; a measure of another kind.
---@param measure throng.measure|throng.group A measure with `inside`, or a group that has one.
---@param region? string With a group: the region's name.
function assert.stays_in(measure, region) end

---Settings of `across`.
---@class throng.across
---@field seeds integer Number of seeds, from 1 to 1000000; `throng test --seeds LIST` gives others.
---@field first? integer The first of them, default 1.
---@field percentile? number Per cent of the seeds that must pass, default 100.
---@field at_least? number Least value that the function may return.
---@field at_most? number Greatest.

---Settings of world:announce.
---@class throng.announce.settings
---@field at? number When, default now. (s)
---@field where? throng.place Who is there then hears it; default everybody.
---@field group? throng.group Only these.
---@field share? number The part of those who hear it that follows, default 1.
---@field delay? throng.number How long each takes to follow, default 0: the pre-movement time from then on. (s)
---@field to? throng.place|throng.point Where they are sent; none: they set out for where they are bound already.
---@field each? fun(followers: throng.group) Called with those who follow.

---Settings of throng.anticipation.
---@class throng.anticipation.settings
---@field wall_horizon? throng.number Time horizon for walls. More than 0. Default 1. (s)
---@field sight? throng.number Distance within which neighbours are seen. At least 0. Default 5. (m)
---@field neighbours? integer At most this many nearest neighbours are seen. From 0 to 16. Default 10.
---@field time_gap? number|throng.behaviour_like Speed = gap ahead / time_gap, at most the preferred speed. More than 0, at most 100. Default 1.06. (s)
---@field strength? number|throng.behaviour_like How strongly a neighbour deflects the agent that is about to touch it and walks the same way. From 0 to 1000. Default 8.
---@field range? number|throng.behaviour_like Anticipated gap at which that deflection has fallen to 1/e. From 0.001 to 100. Default 0.1. (m)
---@field anticipation? number|throng.behaviour_like How far ahead the positions of others are anticipated. From 0 to 100. Default 1. (s)
---@field reaction? number|throng.behaviour_like Time constant with which the direction follows. More than 0, at most 100. Default 0.3. (s)
---@field wall_buffer? number|throng.behaviour_like Gap within which an agent does not walk towards a wall. From 0 to 100. Default 0.1. (m)
---@field push_out? number|throng.behaviour_like Share of the direction that then leads away from the wall. From 0 to 1000. Default 0.3.

---A behaviour function as a value: throng.behaviour.
---@class throng.behaviour

---The agent as a behaviour function sees it: its columns, and what is around it. Distances are in metres, infinite to
---what is not there; directions are unit vectors, 0, 0 there or at no distance.
---@class throng.behaviour.agent
---@field z number Height where it stands on a floor or flight of a building; 0 in other worlds. (m)
---@field id number Number in the order of spawning, counted from 0 and never used again.
---@field x number Position. (m)
---@field y number Position. (m)
---@field vx number Velocity. (m/s)
---@field vy number Velocity. (m/s)
---@field hx number Heading, a unit vector: where it looks, which is where it walks or, the slower it does, where it wants to go.
---@field hy number Heading, a unit vector: where it looks, which is where it walks or, the slower it does, where it wants to go.
---@field desired_vx number Preferred velocity. (m/s)
---@field desired_vy number Preferred velocity. (m/s)
---@field radius number Radius of the body: half its depth, and half its width where that is not given. (m)
---@field mass number Mass; the lighter of two agents in contact gives way more. (kg)
---@field speed number Preferred speed. (m/s)
---@field max_speed number Largest speed, whatever the planner. (m/s)
---@field horizon number Time horizon: collisions with agents this far ahead are avoided. (s)
---@field wall_horizon number Time horizon for walls. (s)
---@field time_gap number Time gap to the agent ahead that walks the same way; who it holds to less than 0.4 m/s stops and goes; 0: none is kept. (s)
---@field relaxation number Time to accelerate from standing to the preferred speed; 0: at once, and steps backwards are allowed. (s)
---@field sight number Distance within which neighbours are seen. (m)
---@field neighbours number At most this many nearest neighbours are seen.
---@field planner number How it avoids others: an index into the world's planners; in Lua a name.
---@field routing number How it finds its paths, applied at the next `go_to`; in Lua a name.
---@field door_policy number Closed-door policy, applied at the next `go_to`; in Lua a name.
---@field congestion number 1: it looks for routes round congestion, applied at the next `go_to`; in Lua true or false.
---@field goal number Index into the world's goals, -1: none.
---@field goal_x number Goal of its own, used when it was sent to a list of points. (m)
---@field goal_y number Goal of its own, used when it was sent to a list of points. (m)
---@field waypoint number Next waypoint of its own path in the world's table, -1: it has none.
---@field face number Navmesh face it stands in, -1: not known.
---@field exit_edge number Half-edge of the navmesh through which it leaves its face, -1: none.
---@field frustration number 0 to 1: how long it has been held up by others.
---@field last_progress_cell number Place where it last made progress, packed.
---@field last_progress_step number Step at which it last made progress, exact to a second; -1: it does not want to move. (step)
---@field force_x number Direction that the planner remembers, a unit vector; collision_free_speed: its turn, rad.
---@field force_y number Direction that the planner remembers, a unit vector.
---@field state number 1: alive.
---@field group number Index of the spawn it came from.
---@field born number Step at which it was spawned. (step)
---@field arrived number Step at which it reached its goal, -1: not yet. (step)
---@field fsm_state number State of its machine, -1: it has none; in Lua its name, "".
---@field fsm_before number The state before that; in Lua its name.
---@field fsm_since number Step at which it entered its state, -1: never. (step)
---@field fsm_until number Step at which it leaves its state because its time is over, -1: never. (step)
---@field fsm_asked number Next state of its machine; or -2 - n: a random choice whose first option is n.
---@field fsm_leg number Index, from 0, of its goal among those of its state.
---@field home_x number Where it began to wander. (m)
---@field home_y number Where it began to wander. (m)
---@field planned_vx number Velocity planned for the next step, in worlds with latency = 1. (m/s)
---@field planned_vy number Velocity planned for the next step, in worlds with latency = 1. (m/s)
---@field company number Number of the company it walks with, -1: it walks alone.
---@field mate number Slot of the next member of its company by id, the first after the last; -1: it walks alone.
---@field turn_rate number Fastest turn, whatever the planner; 1e6: any. (rad/s)
---@field pre_movement number Pre-movement time: until so long after it was spawned it only gives way to others, whatever its goal. (s)
---@field floor number The floor or flight that it is on, a sheet (sheets.h); in Lua its name.
---@field lift number Number, from 1, of the lift that it waits for or rides in; negative: of the lift whose open door it may pass; 0: none.
---@field tolerance number Dose at which smoke or heat overcome it: what `fed`, `fec` or `heat_dose` must reach.
---@field fed number Fractional effective dose of what it has breathed in smoke; 1 overcomes half of all people.
---@field fed_rest number What of that dose is left beside whole millionths.
---@field fec number Fractional effective concentration of the irritants where it is.
---@field heat_dose number Fractional effective dose of heat.
---@field pace number What of its preferred speed it walks, as smoke has it; 0: it stands, whatever its planner or script wants.
---@field width number Width of the body across the shoulders, which is twice its radius deep; less than that: it is a disc. (m)
---@field shoulders number Direction of the line across the shoulders, an angle from the x axis, -pi/2 to pi/2. (rad)
---@field stairs_up number Speed up stairs, along their slope, where it would walk `speed` on the level; 0: the share of that which the flight keeps. Drawn for the person that `speed` is drawn for: who is fast there is fast here. (m/s)
---@field stairs_down number Speed down stairs, likewise. (m/s)
local agent = {}

---How many others it saw in the frame before (of its nearest `neighbours` within `sight`, like
---agent:distance_to_nearest).
---Errors: a name of no group.
---@param name? string Only those spawned under this name.
---@return number
function agent:count_seen(name) end

---How many of those that agent:count_seen counts walk, at 0.3 m/s or more.
---Errors: a name of no group.
---@param name? string Only those spawned under this name.
---@return number
function agent:count_walking(name) end

---The direction to the nearest point of a place in a straight line.
---Errors: an unknown region.
---@param place throng.point|throng.place A point, a region by name, a shape, or a list of those.
---@return number # x
---@return number # y
function agent:direction_to(place) end

---The direction to its goal in a straight line.
---@return number # x
---@return number # y
function agent:direction_to_goal() end

---The direction to the agent that agent:distance_to_nearest finds.
---Errors: a name of no group.
---@param name? string Only those spawned under this name.
---@return number # x
---@return number # y
function agent:direction_to_nearest(name) end

---The distance to a point, a region by name, or a shape (0 inside).
---Errors: an unknown region.
---@param place throng.point|throng.place A point, a region by name, a shape, or a list of those.
---@return number # (m)
function agent:distance_to(place) end

---The distance to its goal in a straight line.
---@return number # (m)
function agent:distance_to_goal() end

---The distance to the nearest agent that it saw in the frame before (of its nearest `neighbours` within `sight`), where
---that agent is now. New agents see none, and no agent sees any in the frame after the world made room for more agents.
---Errors: a name of no group.
---@param name? string Only those spawned under this name.
---@return number # (m)
function agent:distance_to_nearest(name) end

---1 while it is in the car of a lift of a building, else 0.
---@return number
function agent:in_lift() end

---1 while it is on an escalator of a building, which may stand, else 0.
---@return number
function agent:on_escalator() end

---1 while it is on a ramp of a building, else 0.
---@return number
function agent:on_ramp() end

---1 while it is on stairs of a building, else 0.
---@return number
function agent:on_stairs() end

---1 while it is on a moving walkway of a building, else 0.
---@return number
function agent:on_walkway() end

---Options of throng.behaviour.
---@class throng.behaviour.settings
---@field slow? boolean Called from Lua for each agent before every frame, and not compiled. Default false.

---Settings of an escalator, or of a moving walkway, of throng.building: a flight that carries people. A walkway may
---lead from a floor to the same one.
---@class throng.belt.settings
---@field name? string Its name, and that of its region; none: stairs 1, ramp 2, by its place in the list.
---@field from? string Name of the floor that it leads from, the lower one.
---@field to? string Name of the floor that it leads to; none, for walkways: the same one.
---@field foot? throng.point The middle of its lower end, on the plan.
---@field head? throng.point The middle of its upper end, on the plan.
---@field width? number Between the handrails; none: 1.2, escalators and walkways 1. From 0.3 to 1000. (m)
---@field climb? number Share of their speed that people keep on the way up, on the plan; none: stairs, and escalators that stand or are walked on, 0.455 (Weidmann: 0.61 m/s of 1.34), ramps and walkways by their slope: 0.84 at 5 %, 0.75 at 1:12 (Tobler, 1993). More than 0, at most 2.
---@field descend? number Likewise on the way down; stairs and escalators 0.518 (Weidmann: 0.694 m/s of 1.34), ramps and walkways by their slope: 1 up to 10 %, 0.84 at 15 %. More than 0, at most 2.
---@field cost? number Cost that paths add to its length on the plan, like that of a door; none: the time it takes beyond that of a floor, at 1.34 m/s, and 0 while it carries people. 0: paths are the shortest, however slow it is. At least 0. (m)
---@field speed? number How fast it moves, along the slope. More than 0, at most 3. Default 0.5. (m/s)
---@field direction? string "up": it carries people from foot to head; "down": back. Nobody is led against it. Default "up".
---@field walkers? number Share of people who walk on it, on its left, while the others stand on its right; none: escalators 0, walkways 1. From 0 to 1.

---The definition of a body, for world:body and world:bodies. One of `box`, `circle` and `polygon`.
---@class throng.bodies
---@field box? number[] {width, height}; each a number or throng.uniform. (m)
---@field circle? number|throng.sampler Radius. (m)
---@field polygon? throng.point[] A convex polygon, counter-clockwise, about its place.
---@field at? throng.point|throng.point[] Where it is, m, in a building with the name of its `floor`; of many, where each is. Or
---@field where? throng.place In free space there, without overlap; the whole map when neither is given.
---@field count? integer Of world:bodies.
---@field angle? number|throng.sampler How it is turned, default 0. (rad)
---@field mass? number|throng.sampler Mass, default 20. (kg)
---@field density? number|throng.sampler Mass for each square metre that it covers, in the place of `mass`. (kg/m^2)
---@field friction? number|throng.sampler Coefficient of friction with the floor and with other bodies, default 0.4.
---@field velocity? throng.point m/s, at most 10.
---@field spin? number How fast it turns, default 0. (rad/s)
---@field static? boolean Nothing moves it.

---A rigid body. It slides on the floor, stops at walls, is pushed by agents and pushes them. Agents avoid bodies of a
---quarter of their own mass or more, from as far as walls (wall_horizon times max_speed), and shove lighter ones aside.
---Routes on a map lead round bodies that stand: static ones, and others that have rested for a second and weigh 20 kg
---or more or are wedged. Routes are found again when bodies come to rest or move on. They lead through a body only
---where there is no other route. In a building it stays on its floor: stairs and lifts hold it as walls do.
---@class throng.body
---@field x number Position of its centre of mass. (m)
---@field y number Position of its centre of mass. (m)
---@field floor string The floor of a building that it is on, "" where there is one floor; may be written.
---@field angle number -pi to pi. (rad)
---@field vx number Velocity. (m/s)
---@field vy number Velocity. (m/s)
---@field spin number How fast it turns. (rad/s)
---@field mass number Mass; of a static one infinite, and not to be written. (kg)
---@field friction number As a part of what it weighs.
---@field density number Mass for each square metre that it covers; to write it gives it a mass. (kg/m^2)
---@field static boolean Nothing moves it (read only).
---@field alive boolean It was not removed (read only).
local body = {}

---Applies a force to its centre of mass during the next step.
---Errors: a body that was removed; a force that is not finite.
---@param fx number The force's x. (N)
---@param fy number The force's y. (N)
---@return throng.body # self
function body:push(fx, fy) end

---Removes it from the world.
---Errors: a body that was removed already.
function body:remove() end

---Settings of throng.building.
---@class throng.building.settings
---@field floors? table<string, throng.floor> The floors, by their names.
---@field file? string Path of a Tiled .tmx with a group layer for each floor, or of an .xml of the map maker with <floor>s, in place of all else.
---@field stairs? throng.flight.settings[] Flights of stairs.
---@field ramps? throng.flight.settings[] Ramps.
---@field escalators? throng.belt.settings[] Escalators.
---@field walkways? throng.belt.settings[] Moving walkways.
---@field lifts? throng.lift.settings[] Lifts.
---@field roadmap? throng.roadmap The roadmap of groups with routing = "roadmap", in place of the floors' corners: its nodes may name their floor, or the flight.
---@field name? string Name in pictures and messages. Default "building".

---What throng.bvp takes.
---@class throng.bvp.settings
---@field wall_horizon? throng.number Time horizon for walls. More than 0. Default 1. (s)
---@field sight? throng.number Distance within which neighbours are seen. At least 0. Default 5. (m)
---@field neighbours? integer At most this many nearest neighbours are seen. From 0 to 16. Default 10.
---@field epsilon? number|throng.behaviour_like How strongly the behaviour vector bends paths; 0: not at all. More than -2, less than 2. Default 0.
---@field v_x? number|throng.behaviour_like X of the behaviour vector; its length does not matter, but must not be 0. Default 1.
---@field v_y? number|throng.behaviour_like Y of the behaviour vector. Default 0.
---@field inertia? number|throng.behaviour_like Share of its direction that an agent keeps from step to step. At least 0, less than 1. Default 0.5.
---@field width? integer|throng.behaviour_like Cells of the local map along x. From 9 to 64. Default 16.
---@field height? integer|throng.behaviour_like Cells of the local map along y. From 9 to 64. Default 16.
---@field zone? integer|throng.behaviour_like Width of the border of the local map that counts as free whatever is there, so that the way to the goal always connects. From 2 to 31. Default 2.
---@field cell? number|throng.behaviour_like Side of a cell; 0: 0.6 of the agent's radius. From 0 to 100. Default 0. (m)
---@field view? number|throng.behaviour_like Angle of view; pi: the half-plane ahead. More than 0, at most 6.283185. Default 3.141593. (rad)
---@field sweeps? integer Most relaxation sweeps of the local map per step; 0: 32 for maps of up to 21 cells, for larger ones a seventh of the square of their longer side. From 0 to 1000. Default 0.
---@field residual? number Stop after a sweep that changes no cell by more than this. From 0 to 1. Default 0.
---@field v? number[]|throng.behaviour_like The behaviour vector, { x, y }, or a function with two results, of any length but 0; instead of v_x and v_y.
---@field size? integer|throng.behaviour_like Cells along both sides; instead of width and height. (cells)

---The result of throng.calibrate, which the script returns: `throng study FILE` does the fit.
---@class throng.calibrate

---What was measured, and a scenario of it.
---@class throng.calibrate.experiment
---@field scenario string The scenario's file, beside the script.
---@field data string|table[] The measurements: a CSV file whose first line names its columns, or a list of rows like { width = 1.0, flow = 1.9 }.
---@field over? string|string[]|table<string, string> The parameters of the scenario (throng.params) that differ from row to row, by the data's columns; `{ width = "width_m" }` where a column has another name.
---@field params? table<string, number|string|boolean> Parameters of the scenario that are the same in all rows.
---@field measure string|table What to compare: quantities as in throng.study, by the data's columns of the same name; `{ flow_per_s = "flow.door" }` where a column has another name, or a function(world).
---@field within? number|table<string, number> The difference that does not matter, as a part of what was measured; default 0.1. By the data's columns where they differ: `{ flow = 0.06 }`.
---@field tolerance? number|table<string, number> The same in the measure's own unit, instead of `within`.
---@field runs? integer Runs of each row, where they need be more or fewer than in other experiments.
---@field held_out? boolean Compare only in the end, and fit nothing to it; default false.

---Settings of throng.calibrate.
---@class throng.calibrate.settings
---@field parameters table<string, number[]> What is fitted: parameters that all scenarios have (throng.params), each with its least and greatest value, and from where to search as a third, by default the middle.
---@field experiments table<string, throng.calibrate.experiment> What it is fitted to, by name.
---@field runs? integer Runs of each row, each with a seed of its own; default 3. All evaluations have the same seeds.
---@field seed? integer The first seed, default 1.
---@field method? "crs"|"direct"|"isres"|"subplex"|"bobyqa" How to search, by algorithms of NLopt: the first three look everywhere, the others go downhill from where they begin. Default "crs", controlled random search.
---@field evaluations? integer Values of the parameters to try in the search at most; default 100.
---@field polish? integer And after it, going downhill from the best ("bobyqa"), default 30.
---@field front? integer With two experiments or more: values to try for each of them by which it fits better than the others, so that the compromise between them is seen; default 10.
---@field profile? integer For each parameter, values that it is held at while the others are fitted again: how well the data determine it. Default 5; 0: none.
---@field verify? integer Runs of each row, with other seeds, by which the fit is reported; default 10.

---Settings of group:choose. What is not given does not count.
---@class throng.choose.settings
---@field exits (string|throng.exit)[] Names of regions, or exits with more to them.
---@field distance? number What a metre of the path costs. (1/m)
---@field time? number What a second costs until one is out: those of the path, at one's own speed, or, where they are more, those in which who is bound for the exit and nearer to it passes by its `flow`. (1/s)
---@field queue? number What each person costs who is bound for the exit and nearer to it.
---@field social? number What it gains when all whom one sees are bound for it; of a part of them, that part. People look at the 100 who are nearest.
---@field sight? number How far people see others and signs in clear air, default 30. (m)
---@field smoke? throng.smoke Signs are seen as far as it lets them.
---@field signs? number Visibility times extinction, for signs in smoke: 3 reflecting, 8 lit; default 3.
---@field every? number Choices are made again so often; default: once, unless nothing was known. (s)
---@field reconsider? number With `every`: the share who do, default 1.

---Settings of throng.clearpath.
---@class throng.clearpath.settings
---@field horizon? throng.number|throng.behaviour_like Time horizon: collisions with agents this far ahead are avoided. More than 0. Default 3. (s)
---@field wall_horizon? throng.number Time horizon for walls. More than 0. Default 1. (s)
---@field sight? throng.number Distance within which neighbours are seen. At least 0. Default 5. (m)
---@field neighbours? integer At most this many nearest neighbours are seen. From 0 to 16. Default 10.
---@field variant? integer 2: agents avoid collisions within the horizon. 1: they also pass each neighbour on the nearer side; no collision happens as long as everybody finds a velocity. From 1 to 2. Default 2.
---@field published? integer 1: exactly as in the paper. In variant 1 the legs of a velocity obstacle start at its apex. In variant 2 there are no half-planes that keep a pair from meeting within the step. The optimum is sought without limits on speed and acceleration; if it breaks them, the farthest neighbour is dropped. 0: the legs are moved back to allow for a neighbour's velocity that lies inside, so that theorem 1 holds; half-planes keep pairs apart; and the optimum is sought within the limits, so that nobody is dropped who could be avoided. From 0 to 1. Default 0.
---@field max_acceleration? number|throng.behaviour_like Largest change of velocity per second; 1e6: no limit. More than 0. Default 1000000. (m/s^2)

---Settings of throng.collision_free_speed.
---@class throng.collision_free_speed.settings
---@field wall_horizon? throng.number Time horizon for walls. More than 0. Default 1. (s)
---@field sight? throng.number Distance within which neighbours are seen. At least 0. Default 5. (m)
---@field neighbours? integer At most this many nearest neighbours are seen. From 0 to 16. Default 10.
---@field variant? integer 2: neighbours and walls add repulsions to the direction, as in the paper (and in versions 1 and 2 of JuPedSim). 3: walls do, and the neighbour ahead with the largest weight turns it. From 2 to 3. Default 2.
---@field time_gap? number|throng.behaviour_like Speed = gap ahead / time_gap, at most the preferred speed. More than 0, at most 100. Default 1. (s)
---@field strength? number|throng.behaviour_like Variant 2: repulsion from a neighbour at contact. From 0 to 1000. Default 8.
---@field range? number|throng.behaviour_like Variant 2: gap at which that repulsion has fallen to 1/e. From 0.001 to 100. Default 0.1. (m)
---@field wall_strength? number|throng.behaviour_like Repulsion from a wall at contact. From 0 to 1000. Default 5.
---@field wall_range? number|throng.behaviour_like Gap at which that repulsion has fallen to 1/e. From 0.001 to 100. Default 0.02. (m)
---@field ahead? number|throng.behaviour_like Variant 3: distance ahead at which the weight of a neighbour has fallen to 1/e. From 0.001 to 100. Default 2. (m)
---@field aside? number|throng.behaviour_like Variant 3: lateral distance at which the weight of a neighbour has fallen to 1/e. From 0.001 to 100. Default 0.8. (m)
---@field max_turn? number|throng.behaviour_like Variant 3: a neighbour of weight 1 turns the direction by 0.76 of this. From 0 to 3.141593. Default 1.57. (rad)
---@field buffer? number|throng.behaviour_like Variant 3: gap at which an agent stops. From 0 to 100. Default 0. (m)

---Settings of world:column.
---@class throng.column.settings
---@field default? throng.number The initial value; throng.uniform and throng.normal draw one for each agent. Default 0. (nil)
---@field unit? string Its unit, like "s": for legends. Default none.

---Settings of world:compare.
---@class throng.compare.settings
---@field since? number The recording's time at which the world began, default 0. (s)
---@field confidence? number Of intervals and of `alike`, default 0.95.
---@field tolerance? number What differs by less than this part of the recorded value is alike, however sure it is, default 0.01.

---What throng.compared found: a list with a row for each measure. tostring(result) is a table of them.
---@class throng.compared.result
---@field [integer] throng.compared.row By measure; also by the measure's name.
---@field runs integer How many.
---@field confidence number For all rows together.
---@field alike boolean Are all rows of which that can be said alike?

---One measure in the recording and in all runs.
---@class throng.compared.row
---@field name string The measure's name, or what it measures and where.
---@field kind string Like "flow".
---@field recorded number? Of the recording.
---@field mean number? Of the runs.
---@field deviation number? Standard deviation from run to run.
---@field from number? One more run would give a value from this
---@field to number? to this, with the confidence asked for (Student's prediction interval).
---@field distance number? Mean of the runs' distances between distributions.
---@field alike boolean? Could the recording have been a run? nil: there are too few to say.

---What world:compare found: a list with a row for each measure. tostring(comparison) is a table of them.
---@class throng.comparison
---@field [integer] throng.comparison.row By world.measures' order; also by the measure's name.
---@field seconds number The time compared: from the beginning until the run or the recording is over. (s)
---@field confidence number As it was asked for.
---@field tolerance number As it was asked for.
---@field alike boolean Are all rows of which that can be said alike?

---One measure of the world and of the recording. Compared are time gaps between passages for a flow, each time gap and
---each travel time, and for other measures their values over time.
---@class throng.comparison.row
---@field name string The measure's name, or else what it measures and where.
---@field kind string Like "flow".
---@field ours number? The world's: of flows persons a second, else the mean of the values compared; nil: none.
---@field recorded number? The same of the recording.
---@field ours_count integer How many values are compared.
---@field recorded_count integer How many of the recording.
---@field difference number? The mean of ours less recorded, of values at the same time, or in their order; of flows of the time gaps, s.
---@field from number? The difference is from this
---@field to number? to this, with the confidence asked for. nil: too few values for an interval.
---@field distance number? Kolmogorov's and Smirnov's: the most that the two distribution functions differ.
---@field shift number? The area between them (Wasserstein's distance), in the values' unit.
---@field chance number? So probable is a `distance` at least so large where both are of one law. Values that follow each other in time depend on each other; they count as so many as are worth as much (from their autocorrelation). nil: fewer than 4, like the travel times of one long queue.
---@field curve number? Euclidean relative difference of the curves over time (of flows N-t): 0 for equal ones.
---@field alike boolean? Is all that differs no more than chance? nil: there are too few values to say.

---When a state is left: throng.near, throng.above, throng.below.
---@class throng.condition

---What the last of so many runs changed. The first two compare with the runs before; the others are functional measures
---of the mean curve and that of the runs before (Ronchi, Reneke and Peacock, 2014; NIST TN 1822, ISO 20414).
---@class throng.convergence.measures
---@field runs integer So many runs.
---@field mean number Change of the mean total time, as a part of it.
---@field deviation number Change of its standard deviation, as a part of it.
---@field erd number Change of the Euclidean relative difference of mean curves.
---@field epc number Change of the Euclidean projection coefficient.
---@field sc number Change of the secant cosine.

---Settings of throng.disc.
---@class throng.disc_settings
---@field radius? throng.number Radius of the body: half its depth, and half its width where that is not given. From 0.001 to 100. Default uniform from 0.20 to 0.25: half the breadth of clothed shoulders. (m)

---A door of a map: a segment across an opening.
---@class throng.door
---@field cost number What passing it costs beside the length. (m)
---@field max_radius number Wider agents do not pass; 0: any does that fits. (m)
---@field name string Its name.
---@field a throng.point One end of the segment.
---@field b throng.point The other.
---@field properties table<string, string|number|boolean> Its properties in the file.

---Settings of world:environment.
---@class throng.environment.settings
---@field learners throng.group Who learns: from now on they are these, in the group's order.
---@field observe? string[] Columns that they see of themselves, like "vx", "goal_x" or one of world:column.
---@field neighbours? integer So many of the nearest agents that they see, default 0: four numbers each, where it is and how fast it walks, seen from the learner, m and m/s; zeros where there is none.
---@field rays? integer Distances to the first wall, closed door, body or agent in so many directions, default 0: the first along the x axis, the others evenly to its left; the range where nothing is.
---@field range? number How far neighbours and rays reach, default 5. In a building they see their own floor. (m)
---@field velocity? number They say the velocity that they wish to walk with, at most so fast: two numbers. (m/s)
---@field act? table<string, number[]> Columns that they say, each with its least and its most value: `{ speed = { 0, 2 } }`. Planners' parameters that differ from agent to agent are columns: time_gap, horizon, sight ...
---@field every? number How long an action holds, default a step. (s)
---@field reward fun(learners: throng.group): number|number[]|throng.column What the last action was worth to those who have not ended: a number for all, or one for each in the group's order.
---@field ended? fun(learners: throng.group): boolean|number[]|throng.column Who of them has come to the end: all, or each for whom it is not 0. They stand still from then on. Who was removed has ended, too; default: nobody does.

---An exit that may be chosen, in group:choose.
---@class throng.exit
---@field place throng.place|throng.point Where it leads.
---@field weight? number How much it is preferred to the others, all else equal (familiarity); default 1.
---@field sign? throng.point Who does not know the exit finds it by this sign.
---@field known? number Share of the people who know it without its sign; default 1, with a sign 0.
---@field flow? number How many it lets out, for `time`; none: nobody waits before it. (1/s)

---What bodies are, seen from above: throng.disc or throng.stadium, for `body` of world:spawn.
---@class throng.figure

---Something that may be wrong with a map.
---@class throng.finding
---@field kind "crossing"|"hole"|"gap"|"region"|"reach"|"spawn"|"source" The kind of finding.
---@field at? throng.point Where.
---@field text string The finding, as a sentence.

---A flight of a world's building: stairs, a ramp, an escalator or a moving walkway: world.map:flight(name). Those that
---move carry people from foot to head, or back; they stop, start and turn round while the world runs, and paths over
---them follow.
---@class throng.flight
---@field direction string "up" or "down": the way it carries people, from the foot to the head or back; "" while it stands.
---@field is_running boolean Does it move?
---@field name string Its name in the map.
---@field speed number How fast it moves along the slope; 0: it stands. Writable: it goes on in its direction. (m/s)
---@field world throng.world The world it stands in.
local flight = {}

---Turns an escalator or a walkway round: it carries people the other way, as fast as it did; one that stands starts so.
---Errors: stairs or a ramp.
---@return throng.flight # self
function flight:reverse() end

---Starts an escalator or a walkway as the map has it.
---Errors: stairs or a ramp.
---@return throng.flight # self
function flight:start() end

---Stops an escalator or a walkway: it is walked on like stairs or a floor, both ways.
---Errors: stairs or a ramp.
---@return throng.flight # self
function flight:stop() end

---Settings of a flight of stairs, or of a ramp, of throng.building. It is a rectangle of the plan, cut out of both
---floors: these must leave room along all of its foot and its head.
---@class throng.flight.settings
---@field name? string Its name, and that of its region; none: stairs 1, ramp 2, by its place in the list.
---@field from? string Name of the floor that it leads from, the lower one.
---@field to? string Name of the floor that it leads to; none, for walkways: the same one.
---@field foot? throng.point The middle of its lower end, on the plan.
---@field head? throng.point The middle of its upper end, on the plan.
---@field width? number Between the handrails; none: 1.2, escalators and walkways 1. From 0.3 to 1000. (m)
---@field climb? number Share of their speed that people keep on the way up, on the plan; none: stairs, and escalators that stand or are walked on, 0.455 (Weidmann: 0.61 m/s of 1.34), ramps and walkways by their slope: 0.84 at 5 %, 0.75 at 1:12 (Tobler, 1993). More than 0, at most 2.
---@field descend? number Likewise on the way down; stairs and escalators 0.518 (Weidmann: 0.694 m/s of 1.34), ramps and walkways by their slope: 1 up to 10 %, 0.84 at 15 %. More than 0, at most 2.
---@field cost? number Cost that paths add to its length on the plan, like that of a door; none: the time it takes beyond that of a floor, at 1.34 m/s, and 0 while it carries people. 0: paths are the shortest, however slow it is. At least 0. (m)
---@field flights? integer 2: a switchback. The first flight leads from foot to head, where a landing begins that turns back; the second flight lies beside the first and ends where that begins. It is cut out of both floors as a whole. Its parts are "name lower", "name landing" and "name upper", and regions of its name. From 1 to 2. Default 1.
---@field landing? number Depth of the landing of a switchback; none: the width of its flights. From 0.3 to 1000. (m)
---@field turn? string To which side a switchback turns on its landing, going up: "left" or "right". Default "left".
---@field rise? number What it climbs in all, as measured or by its steps: that must lead from one floor to the other within 0.05 m; none: it does. From 0 to 10000. (m)

---A floor of a building: the settings of its map, or `map`; and its height.
---@class throng.floor: throng.map.settings
---@field z number Height of the floor. (m)
---@field map? string|throng.map Path of its map, or the map, in place of the settings.

---A cap on a door. The result of world:flow_cap.
---@class throng.flow_cap
---@field door string The door's name.
---@field flow number Persons a second at most, infinite where none was given; it may be changed. (1/s)
---@field limit number For how many people it opens in all, infinite where none was given.
---@field measure throng.measure Who has passed.
local cap = {}

---Opens a door with a `limit` for so many more people.
---Errors: a cap without a `limit`.
---@param count integer How many.
function cap:admit(count) end

---Lifts the cap.
function cap:remove() end

---Settings of world:flow_cap: `door`, a flow or none, and a `limit` or none.
---@class throng.flow_cap.settings
---@field door string A door of the map, by its name.
---@field flow? number Persons a second at most. (1/s)
---@field specific_flow? number Persons a second at most by metre of the door's width. (1/s)
---@field limit? integer It opens for so many people, and closes behind the last; cap:admit opens it for more. Those who pass abreast of the last may make it one or two more.

---Settings of throng.forces.
---@class throng.forces.settings
---@field wall_horizon? throng.number Time horizon for walls. More than 0. Default 1. (s)
---@field length? number|throng.behaviour_like How far ahead an agent avoids others. More than 0, at most 100. Default 3. (m)
---@field width? number|throng.behaviour_like Width of the rectangle ahead in which it avoids others. More than 0, at most 100. Default 1.5. (m)
---@field attraction? number|throng.behaviour_like Weight of the preferred direction. From 0 to 1000. Default 1.
---@field avoidance? number|throng.behaviour_like Weight of the pushes from others; negative: others attract. From -1000 to 1000. Default 0.3.
---@field memory? number|throng.behaviour_like Weight of the previous direction. From 0 to 1000. Default 0.5.
---@field walls? number|throng.behaviour_like Weight of the pushes from walls. From 0 to 1000. Default 1.
---@field comfort? number|throng.behaviour_like Distance at which walls begin to push, of those within wall_horizon. More than 0, at most 10. Default 0.3. (m)
---@field published? integer 1: the thesis's sum of pushes, which may outweigh the preferred direction and turn an agent round. 0: they stay below it, and an agent that is pushed aside slows down. From 0 to 1. Default 0.
---@field max_turn? number|throng.behaviour_like Largest turn per second. More than 0, at most 1000. Default 6. (rad/s)
---@field max_acceleration? number|throng.behaviour_like Largest change of speed per second. More than 0. Default 5. (m/s^2)

---Settings of throng.generalized_centrifugal_force.
---@class throng.generalized_centrifugal_force.settings
---@field wall_horizon? throng.number Time horizon for walls. More than 0. Default 1. (s)
---@field sight? throng.number Distance within which neighbours are seen. At least 0. Default 5. (m)
---@field neighbours? integer At most this many nearest neighbours are seen. From 0 to 16. Default 10.
---@field relaxation? number|throng.behaviour_like Relaxation time: the difference to the preferred velocity falls to 1/e in it. More than 0, at most 100. Default 0.5. (s)
---@field strength? number|throng.behaviour_like Eta: share of the preferred speed that counts as approach towards every neighbour. From 0 to 100. Default 0.2.
---@field wall_strength? number|throng.behaviour_like Eta for walls. From 0 to 100. Default 0.2.
---@field range? number|throng.behaviour_like Neighbours farther than this, between ellipses, do not count. From 0.1 to 100. Default 2. (m)
---@field a_min? number|throng.behaviour_like Semi-axis in the direction of walking of an agent that stands. From 0.01 to 10. Default 0.18. (m)
---@field a_time? number|throng.behaviour_like Growth of that semi-axis per m/s. From 0 to 10. Default 0.53. (s)
---@field b_min? number|throng.behaviour_like Lateral semi-axis at the preferred speed. From 0.01 to 10. Default 0.2. (m)
---@field b_max? number|throng.behaviour_like Lateral semi-axis of an agent that stands. From 0.01 to 10. Default 0.25. (m)

---Options of group:go_to.
---@class throng.go_to.settings
---@field radius? number Arrived within this distance of a point. More than 0. Default 0.5. (m)
---@field straight? boolean Walk straight, not around walls; in a building on the same floor. Default false.

---What agents do in a state of a machine: throng.go_to, throng.wait, throng.wander and so on.
---@class throng.goal

---Machines that are ready to use.
---@class throng.goals
local goals = {}

---Follows a random path, waits, or wanders around, in random order.
---Errors: both `to` and `places`; an unknown option.
---@param options? { places?: integer, to?: (throng.place|throng.point)[], radius?: number, wander?: throng.number } `places` and `to` of throng.random_path; `radius` to wander within, default 4; how long to `wander`, default 8. (m)
---@return throng.machine
function goals.idle_walker(options) end

---The result of group:stats().
---@class throng.group.stats
---@field spawned integer All agents that were ever spawned in it.
---@field living integer Agents in the world now.
---@field arrived integer Removed agents of a spawn count too.
---@field first_arrival? number When the first one arrived. (s)
---@field last_arrival? number When the last one so far arrived. (s)

---Velocities on the left of a line are permitted, m/s.
---@class throng.half_plane
---@field at throng.point A point of the line.
---@field direction throng.point Of the line, a unit vector.
---@field wall boolean Is it of a wall? Else of a neighbour.

---A place that agents turn away from, or are drawn to: world:hazard.
---@class throng.hazard
---@field x number Where it is; may be written. (m)
---@field y number Where it is; may be written. (m)
---@field floor string The floor of a building, or the flight, that it is on, "" where there is one floor; may be written.
---@field vx number Its velocity; may be written. (m/s)
---@field vy number Its velocity; may be written. (m/s)
---@field reach number Agents farther away do not heed it; may be written. (m)
---@field weight number How strong it is; may be written.
---@field seconds number How long it will be there; may be written. (s)
---@field is_there boolean False once it was removed, or its time is over.
local hazard = {}

---Removes the hazard.
function hazard:remove() end

---Settings of world:hazard.
---@class throng.hazard.settings
---@field at? throng.point Where it is; in a building with the name of its `floor`, or flight. Who is on another that is not joined to it does not heed it.
---@field reach? number Agents farther away do not heed it. More than 0. Default 5. (m)
---@field weight? number Weight against the preferred direction: at the place itself 1 cancels it; negative: agents are drawn to the place. From -1000 to 1000. Default 2.
---@field vx? number Its velocity. From -1000 to 1000. Default 0. (m/s)
---@field vy? number Its velocity. From -1000 to 1000. Default 0. (m/s)
---@field seconds? number How long it is there. More than 0. Default for ever. (s)

---Agents that are stuck for the same cause, each within 2 m of another of them.
---@class throng.jam
---@field agents throng.group The agents.
---@field cause throng.cause Why.
---@field place throng.point The middle of them, in a building with its `floor`.
---@field since number Simulated time at which the first of them made progress for the last time. (s)

---A lift of a world's building: world.lifts.NAME. It runs by itself; out of service it takes nobody, and paths no
---longer lead through it.
---@class throng.lift
---@field capacity integer Persons that it holds.
---@field direction string "up" or "down": the direction it serves; "" while nobody calls.
---@field floor string The floor where its doors are, or that it left last.
---@field is_running boolean Is it in service?
---@field name string Its name in the map.
---@field riders integer How many are in it.
---@field speed number How fast it rises; negative: it goes down. (m/s)
---@field state string "closed", "opening", "open", "closing" (its doors) or "moving".
---@field world throng.world The world it stands in.
---@field z number Height of its floor. (m)
local lift = {}

---Evacuates floors by the lift: it takes people at these alone, and lets them out at one, to and fro, until
---lift:start() or lift:stop().
---Errors: a floor that it does not serve; `to` among `from`.
---@param from string[] Names of the floors where it is boarded.
---@param to string Name of the floor where it is left.
---@return throng.lift # self
function lift:shuttle(from, to) end

---Takes the lift into service again.
---@return throng.lift # self
function lift:start() end

---Takes the lift out of service, as for an evacuation: it halts at the next floor, lets everybody out and stays there;
---people take other routes.
---@return throng.lift # self
function lift:stop() end

---Settings of a lift of throng.building. Its car is a rectangle of the plan, cut out of the floors that it serves, and
---open to them along its whole width: these must leave room there. People whose paths lead through a lift wait before
---its door, let others out, board up to its capacity, nearest first, and only when it goes their way: it goes on in its
---direction while there are calls or riders for it, and then turns (collective control). Paths count a ride by the time
---it takes, and by `wait`. All paths on navigation meshes lead through lifts: those that agents share, those of their
---own, map:path and path requests.
---@class throng.lift.settings
---@field name? string Its name, and that of its region; none: lift 1, by its place in the list.
---@field floors? string[] Names of the floors that it serves; none: all.
---@field at? throng.point The middle of its door, on the plan.
---@field back? throng.point The middle of the wall opposite, as far away as it is deep.
---@field width? number Of the car and its door. From 0.6 to 100. Default 1.6. (m)
---@field capacity? integer Persons that it holds. From 1 to 1000. Default 8.
---@field speed? number How fast it travels. More than 0, at most 20. Default 1. (m/s)
---@field acceleration? number How it speeds up and slows down. More than 0, at most 10. Default 1. (m/s^2)
---@field door_time? number In which its doors open, and close. From 0 to 60. Default 2. (s)
---@field dwell? number For which its doors stay open at least. From 0 to 600. Default 3. (s)
---@field wait? number What paths count for waiting before it; none: half a round trip from end to end. From 0 to 100000. (s)

---The local map of throng.bvp. Cells are rows, the lowest first: zones[row][column]. The agent is in row (height + 1)
---// 2 and column (width + 1) // 2. The rim is the border zone, the ring inside it the free zone, the rest the update
---zone.
---@class throng.local_map
---@field width integer Cells along x.
---@field height integer Cells along y.
---@field cell number Side of a cell. (m)
---@field at throng.point Where the agent stood, m.
---@field preferred throng.point Direction that the intermediate goal was projected in, a unit vector.
---@field gradient throng.point Gradient of the potential where the agent stood, 1/m; the agent walks against it.
---@field zones ("free"|"obstacle"|"goal")[][] What each cell is.
---@field potential number[][] 0 in goals to 1 in obstacles.

---A state machine: throng.fsm.
---@class throng.machine

---Settings of throng.map: `file` with its options, or `walls` and `boundary`; and regions and doors with either.
---@class throng.map.settings
---@field file? string Path of an image, a ROS map-server YAML, a Tiled .tmx, a Moving AI .map, a .wkt, an .xml, or a drawing: .svg, or .dxf, .geojson, .gpkg, .shp or .osm, which GDAL reads (libgdal32).
---@field scale? number Width of a pixel, a grid cell or the unit of a .wkt, an .xml or a drawing; none: what the file says. More than 0, at most 1000. (m)
---@field unit? "m"|"cm"|"mm"|"ft"|"in" The same by its name, of a drawing.
---@field layers? { walls?: string|string[], obstacles?: string|string[], doors?: string|string[], regions?: string|string[], rooms?: string|string[], boundary?: string|string[] } What the layers of a drawing are, by names with * and ?, as { walls = "A-WALL*", doors = "A-DOOR" }, or by attributes, as { walls = "indoor=wall" }; none: by the names that layers mostly have. Lines are walls; polygons, and closed lines that are obstacles, are solid; a door's line crosses its opening, and one that is a point is cut into the wall there, as wide as its attribute `width` says, or 1 m; regions, rooms, which are regions with walls around them, and the boundary are closed.
---@field thickness? number Of a drawing's walls that are lines. From 0.001 to 10. Default 0.1. (m)
---@field level? number Of a drawing whose features say a level, as OpenStreetMap's do: those of other storeys are left out; none: all lie over each other. Floors of a building that are levels of one file lie as they do there. From -1000 to 1000.
---@field tolerance? number How far outlines of an image may move when they are simplified. From 0 to 100. Default 0.05. (m)
---@field speck? number Obstacles smaller than this are removed. At least 0. Default 0.02. (m^2)
---@field min_gap? number Openings narrower than this are closed. From 0 to 100. Default 0.3. (m)
---@field min_area? number Free areas smaller than this are left out. At least 0. Default 2. (m^2)
---@field keep_pockets? boolean Keep free areas that the largest one does not reach. Default false.
---@field simplify? number How far outlines may move so that corners can be left out, whatever the map is made from: fewer walls and faces. map.findings says where that closes a passage. From 0 to 100. Default 0. (m)
---@field pillars? number Free-standing obstacles up to this wide are left out of the navigation mesh: paths lead straight on, and agents pass them as they pass bodies. From 0 to 1000. Default 0. (m)
---@field walls? throng.shape|throng.shape[] Obstacles.
---@field boundary? throng.shape|throng.shape[] Outlines of the free space; none: open around the walls.
---@field regions? table<string, throng.shape|throng.shape[]> Named areas, beside those of the file.
---@field doors? table<string, throng.point[]|throng.shape> Named doors: two points across an opening, or a shape there; beside the points `cost` and `max_radius` (throng.door).
---@field roadmap? throng.roadmap The roadmap of groups with routing = "roadmap", in place of the map's corners.
---@field name? string Name in pictures and messages; a file's is its own. Default "map".

---The values measured so far; tostring(measure) is a sentence of them.
---@class throng.measure
---@field kind "flow"|"density"|"inside"|"lanes"|"count"|"speed"|"time_gap"|"travel_time"|"level_of_service" The quantity.
---@field name string The name given to world:measure; none: the kind of measure.
---@field place string The place, as text.
---@field who string The agents, as text.
---@field world throng.world The world it measures.
---@field count integer Flow: passages. An agent that turns back takes its passage back: over a line at any time, at a region within 0.5 m of it. Who walks through a region comes in and goes out: two passages.
---@field forth integer Flow: from the line's left to its right, looking from the first point to the second; into the region.
---@field back integer Flow: the other way.
---@field flow number? Flow: (count - 1) / (last - first); nil with fewer than two passages. (1/s)
---@field first number? Flow: time of the first passage; inside: of the first step with somebody outside. (s)
---@field last number? Flow: time of the last passage. (s)
---@field now number? Density (1/m^2), lane index, speed (m/s), level of service (1 for A to 6 for F), or how many are there, or outside: in the last step that had a value; the last time gap or travel time (s).
---@field mean number? Over all steps; of all gaps, of all who arrived.
---@field most number? The greatest.
---@field most_at number? When that was. (s)
---@field least number? The least.
---@field least_at number? When that was. (s)
---@field samples integer Steps with a value; time gaps; people who arrived.
---@field level string? Level of service: "A" to "F", in the last step.
---@field share table<string, number> Level of service: of the time, by letter.
---@field area number Density: free space in the region. (m^2)
---@field outsider integer Inside: id of the first agent that was outside, -1: none.
local measure = {}

---What happened one by one, in the order of their times: passages of a flow, with 1 as their values (the times are an
---N-t curve), each time gap, and each travel time. Other measures have none. Passages that were taken back stay.
---@return number[] # When each was, or was over. (s)
---@return number[] # The values.
function measure:events() end

---Its values over time, `every` seconds apart: of a flow the passages so far; of speeds, time gaps and travel times the
---mean since the value before, where there were any; else what was measured in that step.
---@return number[] # The times. (s)
---@return number[] # The values then.
function measure:series() end

---Settings of world:measure: one of the quantities, or `region`, and which agents and when. Floors and flights of a
---building are regions of their names.
---@class throng.measure.settings
---@field flow? throng.door|throng.running_door|throng.point[]|throng.place Passages over a line (a door, its name, or two points), or into and out of a region.
---@field density? throng.place Agents a square metre of free space in it (the classical density), or by `method`.
---@field inside? throng.place Agents that leave the region.
---@field lanes? throng.place|true How far people there (true: anywhere) walk in lanes of one direction: 0 by chance, 1 when every strip has one direction (Rex and Loewen, 2007; Nowak and Schadschneider, 2012).
---@field count? throng.place How many agents are in it.
---@field speed? throng.place|true Mean speed of the agents there (true: anywhere).
---@field time_gap? throng.door|throng.running_door|throng.point[]|throng.place Time between one passage and the next, over a line or into and out of a region.
---@field travel_time? throng.place Time until agents come there: since they were spawned, or since they left `since`.
---@field level_of_service? throng.place Fruin's levels for walkways (1971), A to F, by the density there.
---@field region? throng.place Density, speed, flow and level of service there, all in one call: see world:measure.
---@field method? "classical"|"voronoi" Of densities. voronoi: the mean over the region of 1 / area of the Voronoi cells there, which are of all agents and clipped to the floor (Steffen and Seyfried, 2010; as PedPy has it), every `every` seconds. Default "classical".
---@field since? throng.place Of travel times: they begin when an agent leaves it.
---@field every? number Between values over time: measure:series(). More than 0. Default 0.5. (s)
---@field group? throng.group Only these.
---@field name? string In world.measures, and for reports.
---@field along? throng.point Of lanes: the direction people walk along, either way. Default { 1, 0 }.
---@field width? number Of lanes: of a strip. More than 0, at most 1000. Default 0.6. (m)
---@field from? number Steps that end before are left out. At least 0. (s)
---@field till? number Steps that end later are left out. At least 0. (s)

---What { region = ... } measures: a measure of each quantity.
---@class throng.measures
---@field density throng.measure Of density.
---@field speed throng.measure Of the mean speed.
---@field flow throng.measure Of passages into and out of it.
---@field level_of_service throng.measure Of Fruin's levels.
local measures = {}

---Density and speed at the same times, and their product, the specific flow, for a fundamental diagram.
---@return table[] # A table for each time with somebody there: `time` (s), `density` (1/m^2), `speed` (m/s), `flow` (1/(m s)).
function measures:fundamental_diagram() end

---People at one moment of a recording, to world:spawn from: `from = throng.trajectory("run.txt", 3)`.
---@class throng.moment
---@field time number From the first frame. (s)
---@field at throng.point[] Where they are; of all floors of a building each with its `floor`.
---@field vx number[] Velocities, over 0.4 s. (m/s)
---@field vy number[] The same along y. (m/s)
---@field id integer[] Their numbers in the recording.

---A side of a velocity obstacle.
---@class throng.obstacle_side
---@field normal throng.point A unit vector, into the obstacle.
---@field offset number Of the side from velocity 0, along the normal. (m/s)

---Settings of throng.orca.
---@class throng.orca.settings
---@field horizon? throng.number|throng.behaviour_like Time horizon: collisions with agents this far ahead are avoided. More than 0. Default 3. (s)
---@field wall_horizon? throng.number Time horizon for walls. More than 0. Default 1. (s)
---@field sight? throng.number Distance within which neighbours are seen. At least 0. Default 5. (m)
---@field neighbours? integer At most this many nearest neighbours are seen. From 0 to 16. Default 10.

---Values that throng.load puts in place of a scenario's own.
---@class throng.overrides
---@field seed? integer Another seed. At least 0.
---@field backend? "auto"|"cpu"|"cuda" Another backend.
---@field simd? 0|1|4|8|16 CPU: SIMD width, agents computed at once.
---@field threads? integer CPU: threads. From 0 to 256.
---@field params? table<string, number|string|boolean> Values for throng.params.

---A request for a path.
---@class throng.path_request
---@field done boolean It is finished.
---@field cancelled boolean request:cancel() was called before.
---@field path throng.corner[]? The corners, both ends included; nil while it is not done, or when there is none.
---@field length number? math.huge when there is none, nil while it is not done. (m)
local request = {}

---Cancels the request. Its function will not be called.
function request:cancel() end

---Serves it before requests that are not urgent.
---@return throng.path_request
function request:prioritize() end

---Settings of paths:request.
---@class throng.path_request.settings
---@field from? throng.point Where it begins.
---@field to? throng.point Where it leads.
---@field radius? number Kept from walls, rounded up to whole centimetres. From 0 to 10000. Default 0. (m)
---@field urgent? boolean Served before those that are not. Default false.
---@field on? fun(corners: throng.corner[]?, length: number, request: throng.path_request) Called when it is finished, with nil and math.huge when there is no path.

---The path queue. Searches share each frame's budget evenly. It also serves agents with goals of their own.
---@class throng.paths
---@field pending integer Requests that are not finished.
---@field budget integer Expansions (nodes that searches open) a frame, for all of them together. May be written.
---@field spent integer Expansions of the last frame.
local paths = {}

---Requests a path. The search keeps to the budget of the frames.
---Errors: a world without a map; ends that are no points.
---@param settings throng.path_request.settings Start, end, and the callback.
---@return throng.path_request
function paths:request(settings) end

---The result of throng.paths, by query.
---@class throng.paths.result
---@field cost number[] Of the cheapest path, on a map its length in m, without what doors cost; math.huge: there is none.
---@field path integer[][]|throng.point[][] Its nodes, on a map its corners, from the start to the goal, both included; empty: there is none.
---@field method "searches"|"trees" How they were found.
---@field shared_suffixes integer Queries that took the rest of another's path, since it passes where they begin.
---@field host_bytes? integer Memory that the batch took at most on the host, pinned memory included, beside the graph; not on a map.
---@field device_bytes? integer The same on the device, its copy of the graph included; 0: there was none.
local result = {}

---Settings of throng.paths: `map`, `grid` or `edges`, and the queries.
---@class throng.paths.settings
---@field map? throng.map Shortest paths between points of a map, round its walls.
---@field radius? number With `map`: kept from walls. From 0 to 10000. Default 0. (m)
---@field grid? string[] Rows of cells, all as long, the first row on top: "." is free, "#" is not. Cells are nodes, row by row. A step to a side costs 1, a diagonal one, which passes no corner, the square root of 2.
---@field diagonal? boolean On a grid: steps to corners, too. Default false.
---@field edges? { [1]: integer, [2]: integer, [3]: number }[] Instead of a grid: one-way edges { from, to, cost }. Any number may join the same nodes.
---@field nodes? integer With `edges`: how many nodes there are. More than 1.
---@field at? throng.point[] With `edges`: the position of each node. Searches then expand towards their ends first (A*), by the least cost per distance of all edges; the costs of paths are the same. It does not help where an edge between two places costs nothing.
---@field node_cost? table<integer, number> Cost of entering a node, beside the edge's, default 0; math.huge: the node is blocked.
---@field blocked? integer[] Nodes that nobody enters or leaves; queries that start and end there have a path.
---@field from? integer[]|throng.point[] The node, on a map the point, where each query begins.
---@field to? integer[]|throng.point[] The node or point where each query ends.
---@field method? "searches"|"trees" A search for each query, or a tree of all routes to each goal; costs are equal, to the bit. Absent: trees where 64 or more share a goal in the mean, else searches, where a query that begins on a path to the same goal takes the rest of it. A batch that is too large for the backend's memory is answered in parts.
---@field backend? "auto"|"cpu"|"cuda" Where; starting CUDA takes longer than small batches. Default "cpu".
---@field devices? integer[] Not with `map`: devices of the backend, counted from 0, that answer a share of the queries each, at the same time; the CPU is one. A device may be named more than once. Paths are those that one gives. Default { 0 }.

---A planner with its parameters, as the functions named like the planners give it: throng.orca and others.
---@class throng.planner

---The result of throng.population.
---@class throng.population
---@field name string As given; of classes of your own "population".
---@field classes throng.population.class[] In their order.
---@field speed throng.sampler Speeds on the level of all classes, by their shares.
---@field stairs_down? throng.sampler Down stairs, where a class has them; 0 of those that have none.
---@field stairs_up? throng.sampler Up stairs, likewise.
---@field of table<string, throng.population.class> The classes by name.

---A class of a population. Speeds are laws: world:spawn draws from them.
---@class throng.population.class
---@field name string Like "male 30-50".
---@field share number Its share, in proportion to the others'.
---@field speed throng.number On the level. (m/s)
---@field stairs_down? throng.number Down stairs, along the incline; none: what flights keep of its speed. (m/s)
---@field stairs_up? throng.number Up stairs, along the incline; none: what flights keep of its speed. (m/s)

---Settings of throng.power_law.
---@class throng.power_law.settings
---@field wall_horizon? throng.number Time horizon for walls. More than 0. Default 1. (s)
---@field sight? throng.number Distance within which neighbours are seen. At least 0. Default 5. (m)
---@field neighbours? integer At most this many nearest neighbours are seen. From 0 to 16. Default 10.
---@field relaxation? number|throng.behaviour_like Relaxation time: the difference to the preferred velocity falls to 1/e in it. More than 0, at most 100. Default 0.54. (s)
---@field strength? number|throng.behaviour_like K: interaction energy of a pair whose time to collision is 1 s, without the factor of t0. From 0 to 10000. Default 1.5. (m^2)
---@field time? number|throng.behaviour_like T0 of the factor exp(-time to collision / t0) of the energy. More than 0, at most 100. Default 3. (s)

---The result of world:probe: what an agent saw in the last step, and the velocity that it chose.
---@class throng.probe
---@field planner throng.planner_name How it avoids others.
---@field neighbours throng.group The agents that it saw.
---@field path? throng.corner[] The corners of its path to its goal; in a building with their floors.
---@field map? throng.local_map Planner throng.bvp alone: the map it went by.
---@field velocity? throng.point Its velocity before, m/s; absent, like all that follows, before its first step.
---@field preferred? throng.point The velocity that it preferred, m/s, turned by giving way, bodies and hazards.
---@field chosen? throng.point The velocity that it chose, m/s; contacts may have changed it afterwards.
---@field max_speed? number How fast it can be. (m/s)
---@field half_planes? throng.half_plane[] Planner throng.orca: which velocities are permitted.
---@field velocity_obstacles? throng.velocity_obstacle[] Planner throng.clearpath: which velocities are forbidden.
---@field samples? throng.velocity_sample[] Planner throng.rvo: the velocities that it tried, the preferred one first, and the cost of each; the cheapest was chosen.
---@field pushes? throng.push[] throng.forces and the models that say themselves how people walk, as throng.social_force does: the pushes on it.
---@field attraction? throng.point The same planners: where it wanted to go, weighted as pushes are.
---@field sum? throng.point The same planners: what came of both: in models of forces the step's acceleration, m/s^2 (its pushes change meanwhile, and are listed as they were at its end, of throng.power_law at its beginning), else the direction that it took, of length 1.
---@field ahead? number Planners throng.collision_free_speed and throng.anticipation: the gap ahead that bounded its speed; absent: none did. (m)

---A push on an agent, from another agent or a wall.
---@class throng.push
---@field at throng.point Where it was, seen from the agent, m; of throng.forces (0, 0) for all walls, and for all bodies.
---@field force throng.point In m/s^2 of throng.social_force, generalized_centrifugal_force and power_law; else beside an attraction of about 1.
---@field wall boolean Is it a wall, or a body? Else a neighbour.

---A service queue: agents line up before a place and are served one after the other. The result of world:queue.
---@class throng.queue
---@field length integer Agents in the line, with those who are served.
---@field coming integer Agents on their way to the end of it.
---@field served integer Agents served so far.
---@field mean_wait? number From taking a place in the line to having been served. (s)
local queue = {}

---They go to the end of the line and are served in the order of their arrival there. An agent that finds the line full
---waits at its end. Who is in this queue already keeps its place; who is in another leaves that one. They leave their
---companies: each has a place of its own. Callbacks for "arrived" are also called for places in the line.
---Errors: no group; a group of another world.
---@param group throng.group The agents that line up.
---@return throng.queue # self
function queue:join(group) end

---They leave the line, or give up their way to it. They keep the goal that the queue gave them: send them on, or have
---them join another.
---Errors: no group; a group of another world.
---@param group throng.group Any agents; those that are not in the line are left alone.
---@return throng.group # left Those that were in it.
function queue:leave(group) end

---Settings of world:queue.
---@class throng.queue.settings
---@field line throng.point[] Its points, from the place of service to the end of the line, in a building with the name of their `floor`.
---@field serve throng.number Time to serve one agent: a number, or throng.uniform. (s)
---@field served fun(agent: throng.group, counter: integer) Called with the agent that was served, and where; send it on here.
---@field counters? throng.point[] Where agents are served, several at a time: who is first in the line goes to one that is free. Default: at the line's first point alone.
---@field spacing? number Between two of the line, default 0.7. (m)

---Settings of `record` in throng.world.
---@class throng.record.settings
---@field every? number Time between frames of the trajectory; 0.1 s in worlds that begin with at most 500 agents, else 0.5 s. More than 0, at most 3600. (s)
---@field format? "sqlite"|"compact" Sqlite: JuPedSim's, half a microsecond an agent and frame, for which a run of a million agents waits; compact: 12 bytes an agent and frame, written while the run goes on, of which `throng convert` makes SQLite. Default "sqlite".

---A floor of a recording. The setting of throng.trajectory.
---@class throng.recorded
---@field file string The recording's name, beside the script.
---@field floor? string Only those on this floor or flight of a building, as if there were no others; none: all, each with its floor.

---A roadmap of your own: groups with `routing = "roadmap"` steer for the visible node from which the path along the
---edges is shortest, and for the goal as soon as they see it. In a building an edge may lead from floor to floor,
---straight over a flight; a switchback needs a node on its landing. Flights that no edge leads over are taken from
---wherever they are seen, and so are lifts.
---@class throng.roadmap
---@field nodes { [1]: number, [2]: number, floor?: string, max_radius?: number, cost?: number }[] {x, y}. `floor`: of a building, the floor, or flight, that it lies on; none: the lowest. Agents with a larger radius do not pass it; `cost` is added to the length of paths through it. (m)
---@field edges? { [1]: integer, [2]: integer, cost?: number }[] Two nodes, by their places in the list, joined both ways; `cost` is added to the length. No list: all nodes that see each other are joined. (m)

---Settings of world:run.
---@class throng.run.settings
---@field seconds? number Simulated time; none, and no `steps`: as long as `seconds` of throng.world says. At least 0. (s)
---@field steps? integer Number of frames instead. At least 0.
---@field until_done? boolean Stop when all agents have arrived; none: true when neither `seconds` nor `steps` is given.

---A door of a world's map: world.map:door(name). A closed door is a wall from the next step on. Agents stay on the side
---where their centres are; agents in the doorway are pushed out to that side, gently.
---@class throng.running_door
---@field cost number What passing it costs beside the length: routes over the navmesh go round where that is shorter; lengths stay what is walked. Writable: `door.cost = 5` counts from the next step on, also for who waits at closed doors; with congestion = true people turn in their time. An error with agents sent by routing "roadmap" or "field". (m)
---@field is_open boolean Is the door open?
---@field one_way throng.door_way Which way it lets people through, "both" at first. Writable: to those who come the other way it is a wall from the next step on, and no route leads them through it, whatever their `door_policy`. An error with agents sent by routing "roadmap" or "field".
---@field max_radius number Wider agents do not pass; 0: any does that fits. (m)
---@field name string Its name in the map.
---@field world throng.world The world it stands in.
local door = {}

---Closes the door, from the next step on. Groups take another route or wait, as their `door_policy` says.
---@return throng.running_door # self
function door:close() end

---Opens the door, from the next step on, or a part of it: half open, a static body stands in the rest of the doorway,
---on the side of the door's second point, and routes are found for whom the part is wide enough.
---Errors: a part that is not above 0 and at most 1.
---@param part? number Of its width, more than 0, default 1; where less than 1 cm would be left, all of it.
---@return throng.running_door # self
function door:open(part) end

---Settings of throng.rvo.
---@class throng.rvo.settings
---@field wall_horizon? throng.number Time horizon for walls. More than 0. Default 1. (s)
---@field sight? throng.number Distance within which neighbours are seen. At least 0. Default 5. (m)
---@field neighbours? integer At most this many nearest neighbours are seen. From 0 to 16. Default 10.
---@field samples? integer Random velocities that an agent tries each step, besides the preferred one. From 1 to 65536. Default 250.
---@field weight? number|throng.behaviour_like Cost of a coming collision against that of a longer path: cost = |preferred - v| + weight / (time to collision). At least 0. Default 1. (m)
---@field alpha? number|throng.behaviour_like Share of the avoidance that the agent takes on; agents without a planner are avoided in full. From 0 to 1. Default 0.5.
---@field complementary? integer 1: towards each neighbour the share is the mean of the own alpha and of what the neighbour's leaves, so that those of a pair add up to 1; other planners count as 0.5. 0: it is alpha. From 0 to 1. Default 0.
---@field safety? number|throng.behaviour_like Safety distance: pairs between whose outlines there is less part first, whatever else is to come. From 0 to 100. Default 0. (m)
---@field max_acceleration? number|throng.behaviour_like Largest change of velocity per second; 1e6: no limit. More than 0. Default 1000000. (m/s^2)

---A distribution of numbers over agents: throng.uniform, normal, log_normal, weibull, gamma, triangular, empirical,
---mixture, truncated or poisson_truncated. The numbers go by the world's seed and the agent, on every machine alike.
---@class throng.sampler

---A polygon: throng.box or throng.polygon.
---@class throng.shape

---A place that removes agents from the world, and counts them. The result of world:sink.
---@class throng.sink
---@field count integer Agents removed so far.
---@field first? number When the first went. (s)
---@field last? number When the last so far went. (s)

---Settings of world:sink.
---@class throng.sink.settings
---@field where throng.place Where agents go.
---@field of? throng.group Only these agents; none: all.
---@field each? fun(batch: throng.group) Called with those that came in a step, before they are removed.

---Smoke in a world. The result of world:smoke.
---@class throng.smoke
local smoke = {}

---What is in the air at a point, now.
---Errors: an unknown quantity.
---@param place throng.point A point.
---@param quantity string "extinction", "co" ...
---@return number
function smoke:at(place, quantity) end

---In a behaviour function: what is in the air where the agent stands, as world:smoke's settings name it.
---Errors: an unknown quantity; outside a behaviour function, or in one of another world's agents.
---@param quantity string "extinction", "co" ...
---@return number
function smoke:here(quantity) end

---Settings of world:smoke: what is in the air, and by which laws it acts.
---@class throng.smoke.settings
---@field extinction? throng.smoke.value Extinction coefficient of the smoke, 1/m; default 0.
---@field co? throng.smoke.value Carbon monoxide, ppm; default 0.
---@field co2? throng.smoke.value Carbon dioxide, %; default 0.
---@field o2? throng.smoke.value Oxygen, %; default 20.9.
---@field hcn? throng.smoke.value Hydrogen cyanide, ppm; default 0. Likewise the next ones.
---@field no? throng.smoke.value Nitric oxide, ppm.
---@field no2? throng.smoke.value Nitrogen dioxide, ppm.
---@field hcl? throng.smoke.value Hydrogen chloride, ppm.
---@field hbr? throng.smoke.value Hydrogen bromide, ppm.
---@field hf? throng.smoke.value Hydrogen fluoride, ppm.
---@field so2? throng.smoke.value Sulphur dioxide, ppm.
---@field acrolein? throng.smoke.value Acrolein, ppm.
---@field formaldehyde? throng.smoke.value Formaldehyde, ppm.
---@field temperature? throng.smoke.value Degrees Celsius; default: heat does nothing.
---@field file? string A CSV file of cells instead of functions: its first line names the columns `x`, `y`, `t` (s), `floor` and quantities; a line is a cell's middle and what is there. Elsewhere the air is clear; between times it changes evenly. Or the Smokeview file (.smv) of a run of FDS, whose horizontal slices (&SLCF PBZ=...) of extinction coefficient, optical density, visibility, temperature and volume fractions are taken, in its coordinates.
---@field height? number Of FDS' slices, over the floor: the nearest is taken, default 1.8. (m)
---@field cell? number Distance of the points at which functions are sampled, default 0.5, or the file's cells. (m)
---@field every? number Functions of the time are sampled so often, default 1; between, the air changes evenly. (s)
---@field law? "fridolf"|"frantzich-nilsson"|"jin"|"jin irritant"|fun(v: number, k: number): number How fast people walk in extinction `k`, default "frantzich-nilsson"; or a function of one's own speed and `k`, which is compiled like a behaviour function. (m/s)
---@field loss? "fractional"|"absolute" With a named law: a part of one's own speed, or the same speed for all who are not slower anyway; default "fractional".
---@field least? number Smoke slows nobody below that; default 0. (m/s)
---@field least_factor? number Nor below this part of its own speed; default 0.
---@field signs? number Visibility times extinction, for "fridolf": 3 to reflecting signs, 8 to lit ones; default 3.
---@field dose? "purser"|"iso 13571" How doses add up; default "purser", as in FDS+Evac.
---@field co2_coefficient? number Of Purser's law, default 0.1903; other texts have 0.193.
---@field oxygen_limit? number(%) Of Purser's law: low oxygen counts below this alone, like 19.5; default: always.
---@field clothed? boolean Is skin covered, for heat? Default true.

---Settings of throng.social_force.
---@class throng.social_force.settings
---@field wall_horizon? throng.number Time horizon for walls. More than 0. Default 1. (s)
---@field sight? throng.number Distance within which neighbours are seen. At least 0. Default 5. (m)
---@field neighbours? integer At most this many nearest neighbours are seen. From 0 to 16. Default 10.
---@field relaxation? number|throng.behaviour_like Relaxation time: the difference to the preferred velocity falls to 1/e in it. More than 0, at most 100. Default 0.5. (s)
---@field force? number|throng.behaviour_like Force from a neighbour at contact. At least 0. Default 2000. (N)
---@field wall_force? number|throng.behaviour_like Force from a wall at contact. At least 0. Default 2000. (N)
---@field range? number|throng.behaviour_like Gap at which either force has fallen to 1/e. From 0.001 to 100. Default 0.08. (m)

---Settings of world:source, besides those of world:spawn (without `count` and `at`).
---@class throng.source: throng.spawn
---@field rate? number|fun(time: number): number Agents a second, evenly; a function of the time says how many at each; or (1/s)
---@field schedule? { [1]: number, [2]: integer }[] {time, count}: so many at that time; or (s)
---@field recording? throng.trajectory Each comes when and where the recording sees it first (with `where`: first there), as fast as it walks then. Whoever finds somebody in the place waits.
---@field since? number With `recording`: its time at which the world begins. Only who is not there yet comes: `from = recording:at(since)` of world:spawn begins with the others. None: all come, also those of its first frame. (s)
---@field from? number With `rate`: the first comes then, default 0. (s)
---@field till? number With `rate`: the time after which no more agents come. (s)
---@field limit? integer With `rate`: so many in all.
---@field to? throng.place|throng.point Everybody is sent there, and leaves the world on arrival.
---@field each? fun(batch: throng.group) Called with those that came in a step.

---Settings of world:spawn.
---@class throng.spawn
---@field count? integer How many agents; not needed with `at`. At least 1.
---@field where? throng.place Areas to place them in; none: the whole map.
---@field at? throng.point[] Exact places instead. Of more than 512 agents in one place, others see and meet 512.
---@field from? throng.moment People of a recording instead, throng.trajectory(file, time): where they are, and their velocities. Heads lean over walls: whose body does not fit where its head is stands beside it, at most 0.5 m off.
---@field name? string Name of the group; none: "agents", "agents 2", ...
---@field colour? string Colour of the group in windows, pictures, films and reports: "#c33" or "#cc3333". Default one of eight that are easily told apart.
---@field radius? throng.number Radius of the body: half its depth, and half its width where that is not given. From 0.001 to 100. Default uniform from 0.20 to 0.25: half the breadth of clothed shoulders. (m)
---@field body? throng.figure What they are, seen from above, in place of `radius` and `width`: throng.stadium() is as people are. Default throng.disc().
---@field max_speed? throng.number Largest speed, whatever the planner. From 0 to 1000. Default 2, or the greatest `speed`. (m/s)
---@field mass? throng.number|throng.behaviour_like Mass; the lighter of two agents in contact gives way more. More than 0. Default 80. (kg)
---@field speed? throng.number|throng.behaviour_like Preferred speed. From 0 to 1000. Default 1.34. (m/s)
---@field time_gap? throng.number|throng.behaviour_like Time gap to the agent ahead that walks the same way; who it holds to less than 0.4 m/s stops and goes; 0: none is kept. At least 0. Default 0.6. (s)
---@field relaxation? throng.number|throng.behaviour_like Time to accelerate from standing to the preferred speed; 0: at once, and steps backwards are allowed. At least 0. Default 0.5. (s)
---@field turn_rate? throng.number|throng.behaviour_like Fastest turn, whatever the planner; 1e6: any. More than 0. Default 1000000. (rad/s)
---@field pre_movement? throng.number|throng.behaviour_like Pre-movement time: until so long after it was spawned it only gives way to others, whatever its goal. At least 0. Default 0. (s)
---@field tolerance? throng.number|throng.behaviour_like Dose at which smoke or heat overcome it: what `fed`, `fec` or `heat_dose` must reach. More than 0. Default 1.
---@field pace? throng.number|throng.behaviour_like What of its preferred speed it walks, as smoke has it; 0: it stands, whatever its planner or script wants. From 0 to 100. Default 1.
---@field width? throng.number Width of the body across the shoulders, which is twice its radius deep; less than that: it is a disc. From 0 to 100. Default 0. (m)
---@field stairs_up? throng.number|throng.behaviour_like Speed up stairs, along their slope, where it would walk `speed` on the level; 0: the share of that which the flight keeps. Drawn for the person that `speed` is drawn for: who is fast there is fast here. From 0 to 100. Default 0. (m/s)
---@field stairs_down? throng.number|throng.behaviour_like Speed down stairs, likewise. From 0 to 100. Default 0. (m/s)
---@field planner? throng.planner_name|throng.planner How they avoid each other. Default "orca".
---@field desired? throng.behaviour_like Preferred velocity in m/s, as group.desired takes it: a function(t, a) that returns vx, vy.
---@field routing? throng.routing_name How they find their paths. Default "navmesh".
---@field door_policy? throng.door_policy Closed-door policy. Default "reroute".
---@field company? throng.number Size of the companies that walk together, a whole number drawn for each; their members stand within 10 m of each other. Default 1. (nil)
---@field congestion? boolean Do they look for routes round congestion? With routing = "navmesh" only. Default false.

---Settings of throng.stadium.
---@class throng.stadium_settings
---@field width? throng.number Width across the shoulders, m. Default uniform from 0.42 to 0.50. (m)
---@field depth? throng.number Depth, m: at most the least width. Default uniform from 0.21 to 0.27. (m)

---A stage of a frame: world.stages.plan. Its parameters are fields that may be written.
---@class throng.stage
---@field name string One of those in throng.stages.
---@field does string Its inputs -> its outputs.
---@field ms number? Time it took in the last frame, without hooks. nil before the first. With CUDA, frames wait for every stage from the first time it is read, and the value comes with the next frame. (ms)
---@field parameters table<string, number> Its parameters and their values.
---@field capacity? number Of the stage `routing`: agents that get through a metre of portal in a second. (1/m/s)
---@field budget? integer Of the stage `paths`: expansions a frame.
---@field iterations? integer Of the stage `move`, see throng.stages.
---@field tolerance? number Of the stage `move`, see throng.stages.
local stage = {}

---Calls a function after the stage in every frame, like stage:before.
---Errors: no function.
---@param callback fun(agents: throng.group, stage: throng.stage): boolean? The function.
---@return throng.stage # self
function stage:after(callback) end

---Calls a function before the stage in every frame, until it returns false. The function sees whole columns of all
---agents. Beside the columns that scripts may write it may write x, y, desired_vx, desired_vy and frustration. Between
---sense and move it may not write the columns that sense has read. It may not add or remove agents.
---Errors: no function.
---@param callback fun(agents: throng.group, stage: throng.stage): boolean? The function.
---@return throng.stage # self
function stage:before(callback) end

---Runs the stage alone, with its hooks. Columns change, time does not. Run sense before plan, and plan before move.
---Errors: the stage before it did not run.
---@return throng.stage # self
function stage:run() end

---The stages of a frame: in order, and by name.
---@class throng.stages
---@field [integer] throng.stage The i-th.
---@field routing throng.stage Doors and congestion -> routes. Parameter: `capacity`, agents that get through a metre of portal in a second.
---@field paths throng.stage The path queue. Parameter: `budget`, expansions a frame.
---@field goals throng.stage Arrivals, state machines -> goal of each agent.
---@field desire throng.stage Behaviour functions, goal and path -> preferred velocity.
---@field sense throng.stage Neighbours and walls.
---@field plan throng.stage The planners: preferred velocity -> new velocity. Their parameters are those of throng.orca{...} and the others.
---@field move throng.stage Contacts, walls hold -> position. Parameters: `iterations` of the contacts at most; `tolerance`, the worst violation to stop at, as a part of the sum of radii.

---Settings of group:start_with.
---@class throng.start_with.settings
---@field share? number Somebody sets out when this part of those it sees walks, default 0.5;
---@field least? integer and at least so many of them, default 1.
---@field delay? number So long after that, default 0. (s)
---@field of? string Only others spawned under this name count.

---A state of a machine. When several transitions are due in a step, the machine takes the first of arrived, the
---conditions in order, path_ready, blocked and timeout. It changes state at most once a step.
---@class throng.state
---@field goal? throng.goal The goal of its agents; none: they stand.
---@field arrived? throng.transition Its goal is reached. Without it an agent that arrives has arrived (group:on).
---@field after? throng.number Time limit, from entering the state: a number or throng.uniform. (s)
---@field timeout? throng.transition Its time is over.
---@field path_ready? throng.transition The path of its own that its goal asks for (`own_path`) is there. Without it the agent walks it in this state.
---@field blocked? throng.transition Held up by others for about 3 s, or stuck (world:stuck) for whatever cause.
---@field when? { [1]: throng.condition|fun(group: throng.group): throng.group|boolean, [2]: throng.transition }[] Conditions, tested in order in every step. A function is called once a step with the agents in the state, and returns those that leave it in the next step.
---@field enter? fun(group: throng.group) Called once a step with those that entered the state in it.
---@field exit? fun(group: throng.group) Called once a step, before any `enter`, with those that left the state in it.

---The story: the argument of its function.
---@class throng.story
---@field world throng.world The world it plays in.
local story = {}

---Waits for a time.
---Errors: outside the story's own function.
---@param seconds number Simulated time. (s)
function story:wait(seconds) end

---Waits until the function returns true; it is called before each step.
---Errors: outside the story's own function.
---@param condition fun(time: number): boolean The condition.
function story:wait_until(condition) end

---Sends a group to a place and waits until all its agents have arrived.
---Errors: an unknown region; a place that cannot be reached; outside the story's own function.
---@param group throng.group The agents that walk.
---@param place throng.place|throng.point Where to, as group:go_to takes it.
---@param options? throng.go_to.settings As those of group:go_to.
function story:walk(group, place, options) end

---The result of throng.study, which the script returns: `throng study FILE` runs it.
---@class throng.study

---Settings of throng.study.
---@class throng.study.settings
---@field scenario string The scenario's file, beside the script.
---@field factors? table<string, any[]|throng.sampler> The factors: parameters (throng.params) by name, each with a list of levels or a law.
---@field design? "grid"|"random"|"latin"|"morris"|"sobol" How values are combined; default "grid": every level with every other, laws drawn for each run. The others take `points` of all factors: at random; spread evenly (a Latin hypercube); one factor changed at a time, which gives its effects (Morris, 1991); or so that each factor's share of the variance follows (Sobol' indices by Saltelli's scheme, 2010).
---@field points? integer Their number, in designs other than "grid"; of trajectories in "morris", of base points (best a power of two) in "sobol". Default 16.
---@field runs? integer|throng.until_precise Runs of a point, each with a seed of its own; default 1.
---@field seed? integer The first seed, default 1. The runs of every point have the same seeds, so that points are compared with the same people.
---@field measure (string|fun(world: throng.world): number?)[] The results to keep of a run: quantities, and functions by a name of their own. A quantity is a field of world:stats() ("last_arrival", "stuck.crowd"), "time", or a measure of the scenario by kind and name ("flow.door": its flow; "density.hall", "speed.hall": its mean), or first, last, count, forth, back, max, min, mean or now of one: "max(density.hall)". A number that is not finite counts as none.
---@field curves? string[] Quantities to keep over time, by their values then; default { "arrived" }.
---@field every? number Between the values of curves, default 1. (s)

---A recording. The result of throng.trajectory.
---@class throng.trajectory
---@field frames integer How many frames it has.
---@field fps number Frames a second. (1/s)
---@field seconds number From its first frame to its last. (s)
local trajectory = {}

---The people at a time: those of the last frame that is not later.
---Errors: a time after its end.
---@param time number From the first frame. (s)
---@return throng.moment
function trajectory:at(time) end

---Goes over its frames: `for moment in trajectory:moments() do ... end`.
---@return fun(): throng.moment?
function trajectory:moments() end

---The result of throng.until_precise.
---@class throng.until_precise

---How well a number must be known.
---@class throng.until_precise.settings
---@field of string A measure of the study (its mean counts), or a percentile or the median of one: "p95(last_arrival)".
---@field within? number Largest half-width of its confidence interval, as a part of the number; default 0.02.
---@field confidence? number Of the interval, from 0.5 to 0.999; default 0.95.
---@field least? integer Runs of a point at least, from 10 on; default 50.
---@field most? integer And at most; default 500.

---Velocities are forbidden that lie beyond all of its sides: normal . velocity > offset.
---@class throng.velocity_obstacle
---@field sides throng.obstacle_side[] Its sides, at most three.
---@field wall boolean Is it of a wall? Else of a neighbour.

---A velocity that was tried.
---@class throng.velocity_sample
---@field velocity throng.point m/s
---@field cost number Distance from the preferred velocity, plus the cost of a coming collision. (m/s)

---Settings of throng.world.
---@class throng.world.settings
---@field map? string|throng.map Path of a map (beside the script, in the current folder, in the folder above the script's), or throng.map{...}; none: an open plane.
---@field regions? table<string, throng.shape|throng.shape[]> Named areas for `where` and `go_to`; a name may stand for several polygons. A region of the map with the same name is not meant then.
---@field wrap? true|throng.point {width, height} in metres: a periodic world: an agent that leaves at the right enters at the left, and one that leaves at the top enters at the bottom; places are from {0, 0} to {width, height}, a map's floor continues where it reaches the seam on both sides, and agents see across. At least twice the agents' sight. true: as far as the map reaches.
---@field dt? number Time that a step takes. From 0.0001 to 1. Default 0.1. (s)
---@field latency? 0|1 Delay of the planners' decisions in frames. 1: planning a frame overlaps with moving in it (on the GPU, at once), and agents move by the plan of the frame before, on every backend. Default 0.
---@field friction? number Sliding friction of bodies and walls that press against each other, over the pressure: kappa / k of Helbing, Farkas and Vicsek (2000), who have 2. With it, people who push are slower the harder they do. From 0 to 1000. Default 0. (s/m)
---@field seed? integer Seed of everything random. At least 0. Default 1.
---@field backend? "auto"|"cpu"|"cuda" Backend that computes the frames; the results are the same. auto: CUDA when a device is there and the world has at least 4,096 agents when its first frame begins; fewer are no slower on the CPU. Default "auto".
---@field people? boolean Do agents walk like people, unless their spawn says otherwise? Then they keep a time gap, pass oncoming agents on the right, accelerate gradually, and differ in radius. false: time_gap = 0, relaxation = 0, radius = 0.25: discs that do what their planner says at once, as the planners' papers have it. Default true.
---@field simd? 0|1|4|8|16 CPU: SIMD width, agents computed at once, 0: the best there is. Default 0.
---@field threads? integer CPU: threads, 0: one a processor. From 0 to 256. Default 0.
---@field seconds? number `throng run` and world:run{} end here at the latest. More than 0. Default 600. (s)
---@field until_done? boolean `throng run` ends when everyone with a goal has arrived, whatever timers and stories wait for. Default true.
---@field record? boolean|throng.record.settings Record the trajectory, with what the run knows of its people, its plan and its measures, and beside it doors.csv and bodies.csv; false: nothing. Default true.

---The result of world:stats().
---@class throng.world.stats
---@field spawned integer All agents that were ever spawned.
---@field living integer Agents in the world now.
---@field arrived integer Removed agents count too.
---@field outside integer Agents who are due by their sources, and wait for room there.
---@field first_arrival? number When the first one arrived. (s)
---@field last_arrival? number When the last one so far arrived. (s)
---@field mean_travel? number From spawn to arrival. (s)
---@field worst_travel? number From spawn to arrival. (s)
---@field ms_per_step? number Mean time of a frame without Lua and recording; for tests: scenarios have no clock. (ms)
---@field overlaps integer Pairs seen closer than 0.99 of the sum of their radii, summed over steps.
---@field conflicts integer Pairs that the planners alone would have let overlap, summed over steps.
---@field conflicts_of table<string, integer> The same by planner; a pair of two planners counts for both.
---@field closest number Least distance of a pair as a part of the sum of radii, at most 1.
---@field bodies integer Rigid bodies that there are.
---@field held integer Agents that the contact guard let go less far than they would have, summed over steps.
---@field hidden integer Agents that no other saw in the last step: one cell of the grid, ten radii wide at most, holds 512; the others walk on unseen until there is room.
---@field iterations integer Contact iterations of the last step.
---@field stuck table<throng.cause, integer> How often agents began to be stuck, by the cause found then.
---@field undefined integer Results of behaviour functions that were no finite numbers and left the column as it was, summed over steps.
---@field limited integer Results of behaviour functions outside the range of their column, which were clamped to it, summed over steps.

return throng
