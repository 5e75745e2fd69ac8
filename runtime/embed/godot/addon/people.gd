@icon("people.svg")
class_name ThrongPeople
extends Node
## People of a ThrongCrowd: a group of this node's name.

@export_range(1, 100000) var count := 20
## The region that they stand in at first: a ThrongShape.
@export var where: ThrongShape
## The region that they go to; nobody: they stay where they are.
@export var go_to: ThrongShape
@export_enum("orca", "clearpath", "rvo", "forces", "bvp", "collision_free_speed", "anticipation", "social_force",
		"generalized_centrifugal_force", "power_law") var planner := "orca"
## Do they leave the world where they arrive?
@export var leave := false
## What else throng's world:spawn takes, as in `speed = throng.normal(1.34, 0.26), company = 0.8`.
@export_multiline var settings := ""
## What is said of the group in Lua, as in `group.time_gap = 0.7`.
@export_multiline var lua_of_group := ""


## The group as throng's scenarios say it.
func lua() -> String:
	if not where:
		push_error("ThrongPeople '%s': where do they stand? Give it a ThrongShape of kind REGION" % name)
		return 'error("people without a place: %s")' % String(name).c_escape()
	var text := "do\nlocal group = world:spawn { name = %s, count = %d, where = %s, planner = %s, %s }\n" % [
			ThrongCrowd.quoted(name), count, ThrongCrowd.quoted(where.name), ThrongCrowd.quoted(planner), settings]
	if go_to:
		text += "group:go_to(%s)\n" % ThrongCrowd.quoted(go_to.name)
	if leave:
		text += 'group:on("arrived", function(group) group:remove() end)\n'
	return text + lua_of_group + "\nend"
