/* One floor of a building's map, as a map of its own: for whoever shows a floor at a time. */
#ifndef THRONG_MAP_FLOOR_H
#define THRONG_MAP_FLOOR_H

#include "map_sheets.h"

/* Floors are the first sheets of a building, the lowest first. */
int32_t throng_map_floors(const throng_map_sheets *sheets);

/* The floor that a sheet is, or is joined to: for half a flight the one at its end, for a lift's car the one where it
 * stands. */
int32_t throng_map_floor_of(const throng_map_sheets *sheets, int32_t sheet);

/* The seam that joins half a flight to its floor, and the one at the flight's other end. */
int32_t throng_map_end_of(const throng_map_sheets *sheets, int32_t half);
int32_t throng_map_far_end_of(const throng_map_sheets *sheets, int32_t half);

/* The floor's outlines and regions, by places, without doors; its regions are named without the floor. NULL and a
 * message when memory is out. */
throng_map *throng_map_of_floor(const throng_map *building, int32_t floor, throng_error *error);

/* The same by positions, with its doors, its part of the roadmap, and the faces that its file has, which go on below
 * flights: of which the building can be built again. */
throng_map *throng_map_plan_of_floor(const throng_map *building, int32_t floor, throng_error *error);

/* The floor of a roadmap's node: by the name "floor/id" that nodes of files have; else by its place. */
int32_t throng_map_floor_of_node(const throng_map *building, int32_t node);

/* Does the door belong to a lift? */
bool throng_door_is_lift(const throng_map *map, int32_t door);

/* Is the region a whole floor, flight or car, which the building has by itself? */
bool throng_map_is_part_region(const throng_map *map, int32_t region);

#endif
