@tool
@icon("shape.svg")
class_name ThrongShape
extends Node3D
## A rectangle of a ThrongCrowd's plan: floor, wall, or a region of this node's name. It lies where this node stands, turned
## and scaled as it is.

enum Kind { FLOOR, WALL, REGION }

@export var kind := Kind.WALL:
	set(value):
		kind = value
		_show()
## Along x and z, metres.
@export var size := Vector2(1, 1):
	set(value):
		size = value.max(Vector2(0.01, 0.01))
		_show()
## Is it drawn?
@export var drawn := true:
	set(value):
		drawn = value
		_show()

const COLOURS: Array[Color] = [Color("d9d4cc"), Color("6b6660"), Color("4c9be8", 0.25)]
const HEIGHTS: Array[float] = [0.02, 2.5, 0.04]

var _drawn: MeshInstance3D


func _ready() -> void:
	_show()


## The shape as throng's scenarios say it, on the plan of that crowd.
func lua(crowd: Node3D) -> String:
	var corners := PackedStringArray()
	for corner: Vector2 in [Vector2(-1, 1), Vector2(1, 1), Vector2(1, -1), Vector2(-1, -1)]:
		var at := crowd.to_local(to_global(Vector3(corner.x * size.x, 0, corner.y * size.y) / 2))
		corners.append("{ %.6f, %.6f }" % [at.x, -at.z])
	return "throng.polygon { %s }" % ", ".join(corners)


func _show() -> void:
	if not is_inside_tree():
		return
	if not _drawn:
		_drawn = MeshInstance3D.new()
		add_child(_drawn)
	var box := BoxMesh.new()
	box.size = Vector3(size.x, HEIGHTS[kind], size.y)
	var material := StandardMaterial3D.new()
	material.albedo_color = COLOURS[kind]
	if COLOURS[kind].a < 1:
		material.transparency = BaseMaterial3D.TRANSPARENCY_ALPHA
	box.material = material
	_drawn.mesh = box
	_drawn.position.y = HEIGHTS[kind] / 2 - (HEIGHTS[kind] if kind == Kind.FLOOR else 0.0)
	_drawn.visible = drawn
