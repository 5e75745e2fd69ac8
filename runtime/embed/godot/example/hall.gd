extends Node3D
## A hall that people leave by a door, built of nodes, and somebody of the game's own among them: the arrow keys, or a click
## where to go.

@onready var crowd: ThrongCrowd = $Crowd
@onready var player: Node3D = $Player
var _agent := 0
var _way := PackedVector2Array()


func _ready() -> void:
	crowd.ended.connect(func() -> void: print("everybody is out after %.1f s" % crowd.simulation.get_time()))
	crowd.stepped.connect(_stepped)
	var agents := crowd.simulation.spawn("{ name = 'player', speed = 1.6 }", [crowd.to_plan(player.global_position)])
	if agents:
		_agent = agents[0]


func _unhandled_input(event: InputEvent) -> void:
	if event is InputEventMouseButton and event.pressed:
		var camera := get_viewport().get_camera_3d()
		var floor_point: Variant = Plane(Vector3.UP, 0).intersects_ray(camera.project_ray_origin(event.position),
				camera.project_ray_normal(event.position))
		if floor_point is Vector3:
			_way = crowd.simulation.find_path(crowd.to_plan(player.global_position), crowd.to_plan(floor_point), 0.25)


func _stepped() -> void:
	if not crowd.simulation.is_alive(_agent):
		return
	var at := crowd.to_plan(player.global_position)
	while _way and at.distance_to(_way[0]) < 0.3:
		_way.remove_at(0)
	var wish := Input.get_vector("ui_left", "ui_right", "ui_down", "ui_up")
	if wish == Vector2.ZERO and _way:
		wish = at.direction_to(_way[0])
	crowd.simulation.steer([_agent], [wish * 1.6]) # the others make way, and walls hold
	var index := crowd.simulation.agents().find(_agent)
	player.global_position = crowd.to_scene(crowd.simulation.positions()[index])
