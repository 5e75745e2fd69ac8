/* The plan in notes: regions, floors and flights, doors. */
#ifndef THRONG_NOTES_PLAN_H
#define THRONG_NOTES_PLAN_H

#include "map/map.h"
#include "notes.h"
#include "run_doors.h"

/* Regions, and the floors and flights of a building; NULL: an open world without a map. */
bool throng_notes_plan(throng_notes *notes, const throng_map *map, throng_error *error);

/* Adds the regions that the notes tell of to a map. False and a message when one of them is none. */
bool throng_notes_add_regions(const throng_notes *notes, throng_map *map, throng_error *error);

/* What the doors did, in order of time. The caller frees the list; NULL: there are none, or nobody knows. */
bool throng_notes_doors(const throng_notes *notes, throng_door_turn **turns, int32_t *count, throng_error *error);

#endif
