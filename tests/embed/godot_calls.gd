extends SceneTree
## What godot_spec.lua asks of the addon: prints a line for each, to the file of the first argument; the second one is the
## folder of the sources.

var out: FileAccess
var steps := 0


func _initialize() -> void:
	out = FileAccess.open(OS.get_cmdline_user_args()[0], FileAccess.WRITE)
	calls_without_types()
	draws()
	change_scene_to_file("res://hall.tscn")


## The example's hall, built of nodes: after 200 frames of 0.1 s, what it is in Lua and its hash.
func _process(_delta: float) -> bool:
	steps += 1
	if steps == 2:
		var crowd: ThrongCrowd = current_scene.crowd
		crowd.restart() # without the example's own person
		crowd.arrived.connect(func(agents: PackedInt64Array) -> void: say(["arrived", agents.size()]))
		for step in 200:
			crowd.advance()
		say(["hall", crowd.simulation.get_hash(), crowd.simulation.get_count()])
		FileAccess.open(OS.get_cmdline_user_args()[2], FileAccess.WRITE).store_string(crowd.lua())
		var there := crowd.to_scene(Vector2(3, 4), 1.0)
		say(["place", there, crowd.to_plan(there)])
		current_scene.get_node("Crowd/visitors").where = null
		say(["nowhere", crowd.restart(), crowd.simulation == null, crowd.advance()])
		out.close()
		return true
	return false


func say(parts: Array) -> void:
	out.store_line(" ".join(parts.map(func(part: Variant) -> String: return str(part))))


func calls_without_types() -> void:
	var sim: Variant = ClassDB.instantiate("ThrongSimulation")
	say(["loads", sim.load_text("return require 'throng'.world {}", "empty.lua", PackedStringArray(), 4, "cpu")])
	say(["steps", sim.step(), sim.get_count(), sim.get_backend(), sim.get_step_time()])
	say(["evaluates", sim.evaluate("world.seed"), sim.evaluate("worl.seed"), sim.get_message().get_slice("\n", 0)])
	say(["warns", "did you mean 'world'?" in sim.take_printed()])
	sim.run_lua("print('hello', 1)")
	say(["prints", sim.take_printed().strip_edges(), sim.take_printed().is_empty()])
	say(["one value an agent", sim.set_column("speed", PackedInt64Array([1]), PackedFloat64Array()), sim.get_message()])
	say(["nobody", sim.is_alive(77), sim.steer(PackedInt64Array([77]), PackedVector2Array([Vector2.ZERO])), sim.get_message()])
	say(["empty", sim.load_text("", "empty.lua", PackedStringArray(), 4, ""), sim.get_message(), sim.get_count()])


## Rows of the buffer: basis and origin; and where the last step began.
func draws() -> void:
	var sim := ThrongSimulation.new()
	sim.load_text("""local throng = require "throng"
local world = throng.world { map = throng.map { boundary = throng.box(0, 0, 20, 20) } }
for i, at in ipairs { { 2, 3 }, { 5, 8 }, { 9, 9 } } do
  world:spawn { name = "g" .. i, at = { at }, speed = 1 }:go_to(throng.box(at[1] - 0.5, 17, at[1] + 0.5, 19))
end
return world""", "three.lua", [], 1, "")
	for step in 20:
		sim.step()
	var somewhere := PackedVector2Array([Vector2(2, 4)])
	say(["put", sim.place([sim.agents()[0]], somewhere), sim.positions()[0], sim.place([sim.agents()[0]], [])])
	var before := sim.positions()
	sim.step()
	var after := sim.positions()
	var began := sim.buffer(0.0, [])
	var ended := sim.buffer(1.0, [Color.RED, Color.BLUE])
	say(["sizes", began.size(), ended.size()])
	for i in 3:
		var from := Vector2(began[12 * i + 3], -began[12 * i + 11])
		var to := Vector2(ended[16 * i + 3], -ended[16 * i + 11])
		var ahead := Vector3(-ended[16 * i + 2], -ended[16 * i + 6], -ended[16 * i + 10]) # -z of the basis
		var basis := Basis(Vector3(ended[16 * i], ended[16 * i + 4], ended[16 * i + 8]),
				Vector3(ended[16 * i + 1], ended[16 * i + 5], ended[16 * i + 9]), -ahead)
		say(["drawn", is_equal_approx(basis.determinant(), 1), from.distance_to(before[i]) < 1e-5, to.distance_to(after[i]) < 1e-6, ahead.snapped(Vector3.ONE * 0.1),
				Color(ended[16 * i + 12], ended[16 * i + 13], ended[16 * i + 14]).to_html(false)])
