extends SceneTree
## The conformance list by the addon for Godot: prints what conform.c, conform.lua and conform.py print, to the file of the
## first argument. The second one is the folder of the sources, the others are scenarios in it.

var hall: String
var out: FileAccess


func _initialize() -> void:
	var arguments := OS.get_cmdline_user_args()
	out = FileAccess.open(arguments[0], FileAccess.WRITE)
	hall = arguments[1].path_join("tests/embed/conform_hall.lua")
	for i in range(2, arguments.size()):
		var sim := ThrongSimulation.new()
		need(sim, sim.load(arguments[1].path_join(arguments[i]), [], -1, ""))
		for step in 40:
			need(sim, sim.step())
		say(["hash", arguments[i], sim.get_hash()])
	fails()
	walks()
	out.close()
	quit()


func say(parts: Array) -> void:
	out.store_line("\t".join(parts.map(func(part: Variant) -> String: return str(part))))


func need(sim: ThrongSimulation, fine: bool) -> void:
	if not fine:
		say([sim.get_message()])
		OS.crash(sim.get_message())


## The message's first line, without file and line.
func told(sim: ThrongSimulation) -> String:
	return RegEx.create_from_string("^[^ ]+:\\d+: ").sub(sim.get_message().get_slice("\n", 0), "")


## As C's %.9g.
func short(value: float) -> String:
	if value == 0 or value == floorf(value) and absf(value) < 1e9:
		return ("-" if value == 0 and 1 / value < 0 else "") + str(int(value))
	var exponent := floori(log(absf(value)) / log(10))
	if exponent < -4 or exponent > 8:
		var mantissa := ("%.8f" % (value / pow(10, exponent))).rstrip("0").rstrip(".")
		return "%se%s%02d" % [mantissa, "-" if exponent < 0 else "+", absi(exponent)]
	return ("%." + str(8 - exponent) + "f") % value if exponent == 8 else (
			("%." + str(8 - exponent) + "f") % value).rstrip("0").rstrip(".")


func fails() -> void:
	var sim := ThrongSimulation.new()
	if not sim.load("none.lua", [], -1, "") and "'none.lua': there is no such file" in sim.get_message():
		say(["error", "none.lua"])
	for wrong in ["cuont=3", "count=many"]:
		if not sim.load(hall, [wrong], -1, ""):
			say(["error", told(sim)])


func with_ids(sim: ThrongSimulation, fits: Callable) -> PackedInt64Array:
	var agents := sim.agents()
	var ids := sim.column("id")
	var found := PackedInt64Array()
	for i in agents.size():
		if fits.call(int(ids[i])):
			found.append(agents[i])
	return found


func walks() -> void:
	var sim := ThrongSimulation.new()
	var gone := PackedInt64Array()
	sim.set_keeps_inputs(true)
	need(sim, sim.load(hall, ["count=14"], 5, ""))
	var heard := {"arrived": sim.listen("arrived", ""), "entered": sim.listen("entered", "right"), "left": sim.listen("left", "left")}
	for step in range(1, 121):
		if step == 10:
			need(sim, sim.set_column("speed", with_ids(sim, func(id: int) -> bool: return id < 3), [0.5, 0.5, 0.5]))
		if step == 20:
			need(sim, sim.run_lua_with(sim.spawn("{ name = 'late' }", [Vector2(2, 4)]), "group:go_to 'right'"))
		if step == 30:
			gone = with_ids(sim, func(id: int) -> bool: return id == 4)
			need(sim, sim.run_lua_with(gone, "group:remove()"))
		need(sim, sim.step())
		var ids := sim.column("id")
		var agents := sim.agents()
		for event: String in heard:
			var those := Array(sim.happened(heard[event])).map(func(agent: int) -> int: return int(ids[agents.find(agent)]))
			those.sort()
			for id: int in those:
				say(["event", step, event, id])
	say(["text", sim.evaluate_text("table.concat({ world.groups.people.name, #world.agents }, ' ')")])
	say(["living", sim.get_count(), short(sim.get_time())])
	for name in ["id", "x", "vy", "speed", "patience"]:
		say(["column", name, " ".join(Array(sim.column(name)).map(short))])
	say(["hash", "hall", sim.get_hash()])
	if sim.column("sped").is_empty() and "there is no column 'sped'" in sim.get_message():
		say(["error", "column"])
	if not sim.run_lua("world:spawn { cuont = 1 }"):
		say(["error", told(sim)])
	if sim.evaluate_text("{}") == "" and "no text" in sim.get_message() and sim.listen("entered", "rigth") < 0:
		say(["error", told(sim)])
	if not sim.set_column("speed", [sim.agents()[0]], [-1]) and "from 0 to 1000" in sim.get_message() and (
			not sim.set_column("speed", gone, [1]) and "is gone" in sim.get_message()):
		say(["error", "value"])
	var again := ThrongSimulation.new()
	need(again, again.restore(sim.snapshot()))
	for step in 10:
		need(again, again.step())
	say(["snapshot", again.get_hash()])
