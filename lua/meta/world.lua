---@meta

---A world: agents, a map, goals and time.
---@class throng.world
---@field time number Simulated time, s.
---@field steps integer Steps taken.
---@field dt number Seconds a step.
---@field seed integer
---@field groups table<string, throng.group> Groups by the name they were spawned with.
---@field agents throng.group All living agents.
---@field paths throng.paths The path queue.
---@field measures throng.measure[] What world:measure began, in order; world.measures.NAME is the one of that name.
---@field stages throng.stages The stages of a frame.
---@field bounds { x0: number, y0: number, x1: number, y1: number }? Of the map's free space, m.
---@field map throng.map? The map, whose doors open and close.
---@field backend "cpu"|"cuda"
---@field device string The processor or GPU.
---@field lanes integer
---@field threads integer
local world = {}

---Agents that are stuck for the same cause, each within 2 m of another of them.
---@class throng.jam
---@field agents throng.group
---@field cause throng.stuck.cause
---@field place throng.point The middle of them, m.
---@field since number Simulated time at which the first of them made headway for the last time, s.

---What is found to be in the way, of these the first that is true: it waits for its path; its goal lies in a wall; no
---way leads to its goal; its way leads through a closed door; it stands before somebody who wants to go the opposite way
---and gets nowhere either; before others; before a wall; or nothing, and its planner does not let it go.
---@alias throng.stuck.cause "path"|"goal in a wall"|"no way"|"closed door"|"standoff"|"crowd"|"wall"|"planner"

---What world:stats() gives.
---@class throng.world.stats
---@field spawned integer
---@field living integer
---@field arrived integer Removed agents count too.
---@field bodies integer Rigid bodies that there are.
---@field first_arrival? number s
---@field last_arrival? number s
---@field mean_travel? number From spawn to arrival, s.
---@field worst_travel? number s
---@field ms_per_step? number Mean time of a frame without Lua and recording, ms; for tests: scenarios have no clock.
---@field overlaps integer Pairs seen closer than 0.99 of the sum of their radii, summed over steps.
---@field conflicts integer Pairs that the planners alone would have let overlap, summed over steps.
---@field conflicts_of table<string, integer> The same by planner; a pair of two planners counts for both.
---@field closest number Least distance of a pair as a part of the sum of radii, at most 1.
---@field held integer Agents that the contact guard held still, summed over steps.
---@field iterations integer Contact iterations of the last step.
---@field stuck table<throng.stuck.cause, integer> How often agents began to be stuck, by the cause found then.
---@field undefined integer Results of behaviour functions that were no finite numbers and left the column as it was, summed over steps.

---Makes agents; the group of them.
---@param definition throng.spawn
---@return throng.group
function world:spawn(definition) end

---What world:body and world:bodies take. One of `box`, `circle` and `polygon`.
---@class throng.bodies
---@field box? { [1]: number|throng.sampler, [2]: number|throng.sampler } {width, height}, m.
---@field circle? number|throng.sampler Radius, m.
---@field polygon? throng.point[] A convex polygon, counter-clockwise, about its place.
---@field at? throng.point|throng.point[] Where it is, m; of many, where each is. Or
---@field where? throng.place In free space there, without overlap; the whole map when neither is given.
---@field count? integer Of world:bodies.
---@field angle? number|throng.sampler rad
---@field mass? number|throng.sampler kg, default 20.
---@field friction? number|throng.sampler With the floor and with others, as a part of what it weighs, default 0.4.
---@field velocity? throng.point m/s, at most 10.
---@field spin? number rad/s
---@field static? boolean Nothing moves it.

---A rigid body: it slides on the floor, stops at walls, is pushed by agents and pushes them. Agents avoid those that
---weigh a quarter of what they do, or more, and shove lighter ones aside.
---@class throng.body
---@field x number Of its centre of mass, m.
---@field y number
---@field angle number rad, -pi to pi.
---@field vx number m/s
---@field vy number
---@field spin number rad/s
---@field mass number kg (read only)
---@field friction number (read only)
---@field static boolean (read only)
---@field alive boolean It was not removed (read only).
local body = {}

---A force on its centre of mass during the next step, N.
---@param fx number
---@param fy number
---@return throng.body self
function body:push(fx, fy) end

function body:remove() end

---Makes a rigid body.
---@param definition throng.bodies
---@return throng.body
function world:body(definition) end

---Makes many; without a definition, all that there are.
---@param definition? throng.bodies
---@return throng.body[]
function world:bodies(definition) end

---Takes one frame.
---@return throng.world self
function world:step() end

---Takes frames: for `seconds` or `steps`; until everyone has arrived when neither is given or `until_done` is true.
---@param settings? { seconds?: number, steps?: integer, until_done?: boolean }
---@return "arrived"|"time"|"stopped" why Why it ended.
function world:run(settings) end

---Calls back before each step.
---@param callback fun(world: throng.world, time: number)
---@return throng.world self
function world:on_step(callback) end

---What world:source takes, beside what world:spawn takes (without `count` and `at`).
---@class throng.source: throng.spawn
---@field rate? number Agents a second, evenly; or
---@field schedule? { [1]: number, [2]: integer }[] {seconds, count}: so many at that time.
---@field from? number With `rate`: the first comes at this time, default 0 s.
---@field till? number With `rate`: nobody comes later, s.
---@field limit? integer With `rate`: so many in all.
---@field to? throng.place|throng.point Everybody is sent there, and leaves the world on arrival.
---@field each? fun(batch: throng.group) Called with those who came in a step.

---Agents who come over time, all in one group. Who finds no room waits outside.
---@param definition throng.source
---@return throng.group
function world:source(definition) end

---What world:sink takes.
---@class throng.sink.settings
---@field where throng.place
---@field of? throng.group Only these; none: everybody.
---@field each? fun(batch: throng.group) Called with those who came in a step, before they go.

---A place that takes agents out of the world, and counts them.
---@class throng.sink
---@field count integer So many it has taken.
---@field first? number Time of the first, s.
---@field last? number Time of the last, s.

---Takes agents out of the world when their middle is in the place, once they have arrived there if it is their goal.
---@param settings throng.sink.settings
---@return throng.sink
function world:sink(settings) end

---What world:queue takes.
---@class throng.queue.settings
---@field line throng.point[] From where agents are served to the end of the line.
---@field serve number|throng.sampler Seconds that serving one takes: a number, or throng.uniform.
---@field served fun(agent: throng.group) Called with who was served: sends them on.
---@field spacing? number Metres between two of the line, default 0.7.

---A line before a place where agents are served one after the other.
---@class throng.queue
---@field length integer Agents in the line, with the one who is served.
---@field coming integer Agents on their way to the end of it.
---@field served integer So many were served.
---@field mean_wait? number From taking a place in the line to having been served, s.
local queue = {}

---They go to the end of the line; who gets there first is the first. Who finds the line full waits at its end. Callbacks
---for "arrived" hear of places in the line, too.
---@param group throng.group
---@return throng.queue self
function queue:join(group) end

---A line in which agents wait to be served.
---@param settings throng.queue.settings
---@return throng.queue
function world:queue(settings) end

---A script for a few actors: the function runs as a coroutine that waits for what happens.
---@param script fun(story: throng.story)
---@return throng.world self
function world:story(script) end

---What a story's function gets.
---@class throng.story
---@field world throng.world
local story = {}

---@param seconds number
function story:wait(seconds) end

---Waits until the function returns true; it is called before each step.
---@param condition fun(time: number): boolean
function story:wait_until(condition) end

---Sends a group and waits until all of it have arrived.
---@param group throng.group
---@param place throng.place|throng.point
---@param options? { radius?: number, straight?: boolean }
function story:walk(group, place, options) end

---Calls back once, before the step that begins at that time.
---@param time number Simulated time, s.
---@param callback fun(world: throng.world, time: number)
---@return throng.world self
function world:at(time, callback) end

---Calls back every `period` seconds from now on, until the callback returns false.
---@param period number s
---@param callback fun(world: throng.world, time: number): boolean?
---@return throng.world self
function world:every(period, callback) end

---The agents with a tag (group:tag).
---@param name string
---@return throng.group
function world:tagged(name) end

---What world:measure takes: one of the first four, and whom and when.
---@class throng.measure.settings
---@field flow? throng.door|throng.running_door|throng.point[]|throng.place Passages over a line (a door, its name, or two points), or into and out of a region.
---@field density? throng.place Agents a square metre of free space in it (the classical density, without Voronoi cells).
---@field inside? throng.place Who leaves it.
---@field lanes? throng.place|true How far people there (true: anywhere) walk in lanes of their own direction: 0 by chance, 1 when every strip has one direction (Rex and Loewen, 2007; Nowak and Schadschneider, 2012).
---@field group? throng.group Only these.
---@field name? string world.measures.NAME finds it; reports show it.
---@field along? throng.point Of lanes: the direction people walk along, either way, default {1, 0}.
---@field width? number Of lanes: of a strip, m, default 0.6.
---@field from? number Steps that end before are left out, s.
---@field till? number Steps that end later are left out, s.

---Measures from the next step on. A world without measures pays nothing for them.
---@param settings throng.measure.settings
---@return throng.measure
function world:measure(settings) end

---What was measured so far; tostring(measure) says it in words.
---@class throng.measure
---@field kind "flow"|"density"|"inside"|"lanes"
---@field name string
---@field place string
---@field who string
---@field world throng.world
---@field count integer Flow: passages. Who turns back undoes the passage.
---@field forth integer Flow: from the line's left to its right, looking from the first point to the second; into the region.
---@field back integer Flow: the other way.
---@field flow number? Flow: (count - 1) / (last - first), persons/s; nil of fewer than two passages.
---@field first number? Flow: time of the first passage; inside: of the first step with somebody outside, s.
---@field last number? Flow: time of the last passage, s.
---@field now number? Density (1/m^2), lane index, or how many are outside: in the last step.
---@field mean number? Over all steps.
---@field most number? The greatest.
---@field most_at number? When that was, s.
---@field least number? The least.
---@field least_at number? s
---@field samples integer Steps with a value.
---@field area number Density: free space in the region, m^2.
---@field outsider integer Inside: id of the first who was outside, -1: nobody.

---Ends the run after this step.
function world:stop() end

---Hash of the state: the same on every backend.
---@return string hex 16 digits.
function world:hash() end

---Totals of the run so far.
---@return throng.world.stats
function world:stats() end

---Who is stuck now, and why: agents that want to walk, and for ten seconds have not got as far as they walk in 0.7.
---@return throng.jam[] jams In the order of their first agents.
function world:stuck() end

---Frees the world; its groups cannot be used afterwards.
function world:close() end

---A map: throng.map.
---@class throng.map
---@field name string
---@field area number Free space, m^2.
---@field bounds { x0: number, y0: number, x1: number, y1: number } Of the free space, m.
---@field regions string[] Names of the map's own regions, and of the groups they belong to.
---@field doors throng.door[] Named doors, as the map has them.
---@field properties table<string, string|number|boolean> What the file notes of the map (Tiled, XML).
---@field findings throng.finding[] What its author should look at, as `throng map` lists it.
local map = {}

---A door of a map: a segment across an opening.
---@class throng.door
---@field name string
---@field a throng.point
---@field b throng.point
---@field properties table<string, string|number|boolean>

---Something about a plan that its author should look at.
---@class throng.finding
---@field kind "crossing"|"hole"|"gap"|"region"|"reach"|"spawn"|"source"
---@field at? throng.point
---@field text string

---The polygons of a region, or of all regions of a group, and the properties of the first.
---@param name string
---@return { shapes: throng.shape[], properties: table<string, string|number|boolean> }
function map:region(name) end

---Does a disc lie in free space?
---@param point throng.point
---@param radius number m
---@return boolean
function map:fits(point, radius) end

---A door of a world's map, by its name.
---@param name string
---@return throng.running_door
function map:door(name) end

---A door of a world's map: world.map:door(name). A closed door is a wall from the next step on: whose middle is on one
---side of it stays there, and who stands in the doorway is pushed out to that side, gently.
---@class throng.running_door
---@field is_open boolean
---@field name string
---@field world throng.world
local door = {}

---@return throng.running_door self
function door:open() end

---@return throng.running_door self
function door:close() end

---The shortest path between two points, for a disc that keeps `radius` metres from walls (none: a point).
---@param from throng.point
---@param to throng.point
---@param radius? number m, default 0
---@return throng.point[]? corners Both ends included; nil when there is no path or an end is not free.
---@return number? length m
function map:path(from, to, radius) end

---The length of that path, math.huge when there is none.
---@param from throng.point
---@param to throng.point
---@param radius? number m, default 0
---@return number m
function map:distance(from, to, radius) end

---Is nothing in the way of the straight line?
---@param from throng.point
---@param to throng.point
---@param radius? number m, default 0
---@return boolean
function map:visible(from, to, radius) end

---A free point; the n-th call gives the same one in every run.
---@param place? throng.place Where; none: anywhere on the map.
---@param radius? number Room around it, m, default 0.
---@param key? integer Stands for n: the same key, the same point.
---@return throng.point
function map:random_point(place, radius, key) end

---The path queue: searches share each frame's budget evenly; agents with goals of their own are served by it, too.
---@class throng.paths
---@field pending integer Requests that are not finished.
---@field budget integer Expansions (nodes that searches open) a frame, for all of them together. May be written.
---@field spent integer Expansions of the last frame.
local paths = {}

---The stages of a frame: in order, and by name.
---@class throng.stages
---@field [integer] throng.stage
---@field ways throng.stage Doors and queues -> ways. Parameter: `capacity`, agents that queues get through a metre of portal in a second.
---@field paths throng.stage The path queue. Parameter: `budget`, expansions a frame.
---@field goals throng.stage Arrivals, state machines -> goal of each agent.
---@field desire throng.stage Behaviour functions, goal and way -> preferred velocity.
---@field sense throng.stage Neighbours and walls.
---@field plan throng.stage The planners: preferred velocity -> new velocity. Their parameters are those of throng.orca{...} and the others.
---@field move throng.stage Contacts, walls hold -> position. Parameters: `iterations` of the contacts at most; `tolerance`, the worst violation to stop at, as a part of the sum of radii.

---A stage of a frame: world.stages.plan. Its parameters are fields that may be written.
---@class throng.stage
---@field name string
---@field does string What it reads -> what it writes.
---@field ms number? Milliseconds it took in the last frame, without hooks. nil before the first; with CUDA the first question makes the frames from then on wait for every stage, and the answer comes with the next frame.
---@field parameters table<string, number> What can be changed, and its value now.
---@field capacity? number
---@field budget? integer
---@field iterations? integer
---@field tolerance? number
local stage = {}

---Runs the stage alone, with its hooks: columns change, time does not. plan needs sense before it, and move needs plan.
---@return throng.stage self
function stage:run() end

---Calls back before the stage in every frame, until the callback returns false. It sees whole columns of all agents and
---may write x, y, desired_vx, desired_vy and frustration beside those that scripts may write anyway; between sense and
---move not what sense has taken in. It adds and removes nobody.
---@param callback fun(agents: throng.group, stage: throng.stage): boolean?
---@return throng.stage self
function stage:before(callback) end

---The same after the stage.
---@param callback fun(agents: throng.group, stage: throng.stage): boolean?
---@return throng.stage self
function stage:after(callback) end

---What paths:request takes.
---@class throng.path_request.settings
---@field from throng.point
---@field to throng.point
---@field radius? number Kept from walls, m, default 0; rounded up to whole centimetres.
---@field urgent? boolean Served before those that are not.
---@field on? fun(corners: throng.point[]?, length: number, request: throng.path_request) Called when it is finished, with nil and math.huge when there is no path.

---@param settings throng.path_request.settings
---@return throng.path_request
function paths:request(settings) end

---A request for a path.
---@class throng.path_request
---@field done boolean
---@field cancelled boolean
---@field path throng.point[]? The corners, both ends included; nil while it is not done, or when there is none.
---@field length number? m; math.huge when there is none, nil while it is not done.
local request = {}

---Its function will not be called.
function request:cancel() end

---Makes it urgent.
---@return throng.path_request
function request:hurry() end
