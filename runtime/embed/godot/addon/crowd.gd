@icon("crowd.svg")
class_name ThrongCrowd
extends Node3D
## A crowd of throng: a scenario in Lua, or one that is built of ThrongShape and ThrongPeople nodes below this one.
##
## The plan lies on the node's floor: its x is x, its y is -z, metres. Everybody is drawn by one MultiMesh. What scripts do
## with people (steer, spawn, ask for paths), they do with [member simulation].

## Agents arrived in the last step.
signal arrived(agents: PackedInt64Array)
## One step was simulated.
signal stepped
## The scenario's time is up, or everybody has arrived; no more steps are taken.
signal ended
## The scenario printed something.
signal printed(text: String)

## The scenario, a file in Lua. Empty: it is built of the nodes below this one.
@export_file("*.lua") var scenario := ""
## Values for the scenario's throng.params.
@export var params: Dictionary = {}
## Of everything random; -1: as the scenario says.
@export var random_seed := -1
## Where frames are computed; all give the same bits.
@export_enum("scenario", "cpu", "cuda", "auto") var backend := "scenario"
## Are steps taken as time passes?
@export var running := true
## Simulated seconds a second.
@export_range(0, 20) var pace := 1.0
## What one person looks like: feet at 0, looking along -z.
@export var mesh: Mesh
## A colour a group, in the order of their spawns, and again from the first.
@export var colours := PackedColorArray([Color("4c9be8"), Color("f28e2b"), Color("59a14f"), Color("e15759"),
		Color("b07aa1"), Color("edc948")])

## Frames of a game that come late take so many steps at most: then the crowd falls behind.
const MOST_STEPS := 4

var simulation: ThrongSimulation
var _late := 0.0 # simulated seconds that have passed, and are no step yet
var _people := MultiMesh.new()


func _ready() -> void:
	_people.transform_format = MultiMesh.TRANSFORM_3D
	_people.use_colors = true
	_people.mesh = mesh if mesh else _figure()
	var drawn := MultiMeshInstance3D.new()
	drawn.multimesh = _people
	add_child(drawn)
	restart()


func _process(delta: float) -> void:
	if running and simulation:
		var step := simulation.get_step_time()
		_late = minf(_late + delta * pace, step * MOST_STEPS)
		while _late >= step and running:
			_late -= step
			advance()
		draw(_late / step)


## Loads the scenario, and begins again. False: it is wrong, and the output says why.
func restart() -> bool:
	var next := ThrongSimulation.new()
	var values := PackedStringArray()
	for key: Variant in params:
		values.append("%s=%s" % [key, params[key]])
	var on := "" if backend == "scenario" else backend
	var fine: bool
	if scenario:
		fine = next.load(ProjectSettings.globalize_path(scenario), values, random_seed, on)
	else:
		fine = next.load_text(lua(), "%s.lua" % name, values, random_seed, on)
	simulation = next if fine else null
	running = running and fine
	_late = 0.0
	if fine:
		_tell_printed()
		draw(1.0)
	return fine


## Takes one step. False: there is none to take, or it failed, and no more are taken.
func advance() -> bool:
	if not simulation or not simulation.step():
		running = false
		return false
	_tell_printed()
	var arrivals := simulation.arrivals()
	if arrivals:
		arrived.emit(arrivals)
	stepped.emit()
	if simulation.has_ended():
		running = false
		ended.emit()
	return true


## Draws everybody on the way through the last step, from 0, where it began, to 1, where it ended.
func draw(blend: float) -> void:
	var buffer := simulation.buffer(blend, colours)
	var count := simulation.get_count()
	if _people.instance_count != count:
		_people.instance_count = count
	if count > 0:
		_people.buffer = buffer


## Where a point of the scene is on the plan, and back.
func to_plan(point: Vector3) -> Vector2:
	var own := to_local(point)
	return Vector2(own.x, -own.z)


func to_scene(plan: Vector2, height := 0.0) -> Vector3:
	return to_global(Vector3(plan.x, height, -plan.y))


## The scenario that the nodes below this one are.
func lua() -> String:
	var boundaries := PackedStringArray()
	var walls := PackedStringArray()
	var regions := PackedStringArray()
	var people := PackedStringArray()
	for node in find_children("*", "", true, false):
		if node is ThrongShape:
			var shape: String = node.lua(self)
			match node.kind:
				ThrongShape.Kind.FLOOR: boundaries.append(shape)
				ThrongShape.Kind.WALL: walls.append(shape)
				ThrongShape.Kind.REGION: regions.append("[%s] = %s" % [quoted(node.name), shape])
		elif node is ThrongPeople:
			people.append(node.lua())
	return """local throng = require "throng"
local world = throng.world {
  map = throng.map { %swalls = { %s }, regions = { %s } },
}
%s
return world
""" % ["boundary = { %s }, " % ", ".join(boundaries) if boundaries else "", ", ".join(walls), ", ".join(regions),
			"\n".join(people)]


static func quoted(text: String) -> String:
	return '"%s"' % text.c_escape()


func _tell_printed() -> void:
	var text := simulation.take_printed()
	if text:
		printed.emit(text)
		print(text.strip_edges(false))


static func _figure() -> Mesh:
	var figure := CapsuleMesh.new()
	figure.radius = 0.22
	figure.height = 1.7
	var material := StandardMaterial3D.new()
	material.vertex_color_use_as_albedo = true
	figure.material = material
	var tool := SurfaceTool.new()
	tool.append_from(figure, 0, Transform3D(Basis(), Vector3(0, 0.85, 0)))
	var mesh := tool.commit()
	mesh.surface_set_material(0, material)
	return mesh
