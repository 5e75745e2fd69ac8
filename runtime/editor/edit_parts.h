/* What the map maker's document is made of: private to edit_*.c. */
#ifndef THRONG_EDIT_PARTS_H
#define THRONG_EDIT_PARTS_H

#include "edit.h"
#include "map/geometry.h"
#include "map/map_draft.h"

/* ---- edit_things.c */

/* Copies all that it is given; NULL when memory is out. */
throng_edit_thing *throng_edit_thing_new(throng_edit_kind kind, const throng_point *points, int32_t count);
throng_edit_thing *throng_edit_thing_copy(const throng_edit_thing *thing);
void throng_edit_thing_free(throng_edit_thing *thing);
bool throng_edit_thing_name(throng_edit_thing *thing, const char *name);
bool throng_edit_thing_group(throng_edit_thing *thing, const char *group);
/* Before corner `at`. */
bool throng_edit_thing_insert(throng_edit_thing *thing, int32_t at, throng_point point);
void throng_edit_thing_drop(throng_edit_thing *thing, int32_t corner);
void throng_edit_thing_shift(throng_edit_thing *thing, throng_point by);
void throng_edit_thing_measure(throng_edit_thing *thing); /* its bounds, after its points changed */

static inline bool throng_edit_same_point(throng_point a, throng_point b) { return a.x == b.x && a.y == b.y; }

/* ---- edit_change.c: changes being made */

/* Puts a thing (taken over; NULL: nothing) into a slot as a part of the change. Slot -1 is a new one, where NULL is a
 * thing that could not be made. False when memory is out. */
bool throng_edit_put(throng_edit *edit, throng_edit_change *change, int32_t slot, throng_edit_thing *thing);
/* A copy of the thing in the slot, for the change to alter; the same one when asked for again. NULL: memory is out. */
throng_edit_thing *throng_edit_alter(throng_edit *edit, throng_edit_change *change, int32_t slot);
/* Welds and checks what was put, and keeps the change when all is well; else nothing was changed. */
bool throng_edit_commit(throng_edit *edit, throng_edit_change *change, throng_edit_refusal *why);
/* The same for what is known to be right: neither welded nor checked. */
bool throng_edit_accept(throng_edit *edit, throng_edit_change *change, throng_edit_refusal *why);
/* Takes everything back; returns false. */
bool throng_edit_abandon(throng_edit *edit, throng_edit_change *change);
/* What is in force becomes the beginning: there is nothing to undo. */
void throng_edit_forget(throng_edit *edit);
/* The same as throng_edit_abandon for want of memory, said in `why`. */
bool throng_edit_no_memory(throng_edit *edit, throng_edit_change *change, throng_edit_refusal *why);

/* ---- edit_commands.c */

/* `value` NULL takes the property away; false: memory is out. */
bool throng_edit_put_property(throng_properties *properties, const char *name, const char *value,
                              throng_property_kind kind);

/* The corner of g that is f's corner i + 1 and is followed by f's corner i: where the shared side begins in g; -1. */
int32_t throng_edit_shared_side(const throng_edit_thing *f, int32_t i, const throng_edit_thing *g);

/* ---- edit_cut.c */

/* Puts the area into the change as convex faces. False when memory is out, or the area is too intricate to be cut. */
bool throng_edit_put_area(throng_edit *edit, throng_edit_change *change, const GEOSGeometry *area);

/* ---- edit_plan.c: one plane, or one floor; edit_building.c: from maps and to maps */

bool throng_edit_put_thing(throng_draft *draft, const throng_edit_thing *thing, int32_t slot, throng_error *error);
bool throng_edit_put_named(throng_edit *edit, throng_edit_change *change, throng_edit_thing *thing, const char *name,
                           const char *group, const throng_properties *properties);
bool throng_edit_put_plan(throng_edit *edit, throng_edit_change *change, const throng_map *map, bool own,
                          throng_point by, throng_error *error);
/* Every floor of a building, and what joins them. */
bool throng_edit_put_building(throng_edit *edit, throng_edit_change *change, const throng_map *map, bool own,
                              throng_error *error);
throng_map *throng_edit_building(const throng_edit *edit, const char *name, throng_error *error);

/* ---- edit_graph.c */

/* False when memory is out. */
bool throng_edit_take_graph(throng_edit_thing *plan, const throng_map *map);
/* Gives the map back, with the document's roadmap. NULL where it was, or on failure, which destroys it. */
throng_map *throng_edit_put_graph(const throng_edit *edit, throng_map *map, throng_error *error);

/* ---- edit_floors.c */

bool throng_edit_check_link(const throng_edit *edit, int32_t slot, throng_edit_refusal *why);

/* ---- edit_shape.c */

bool throng_edit_refuse(throng_edit_refusal *why, throng_point at, int32_t slot, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Two convex polygons, by a side of one that parts them. */
bool throng_edit_overlap(const throng_edit_thing *a, const throng_edit_thing *b);

/* ---- edit_weld.c */

/* Corners of faces in the change that lie on sides of others, and the other way round, become corners of both. */
bool throng_edit_weld(throng_edit *edit, throng_edit_change *change);

#endif
