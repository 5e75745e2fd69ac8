/* A map being put together from polygons that a designer drew.
 *
 * Readers add what they find and finish the draft once. A drawing that is not
 * quite right is put right and noted as a finding; points that are no numbers
 * are errors. Messages begin with what the part is, not with the file. */
#ifndef THRONG_MAP_DRAFT_H
#define THRONG_MAP_DRAFT_H

#include "map_geos.h"

/* A part of the floor or the walls as it was drawn. */
typedef struct throng_drawn {
    GEOSGeometry *shape;
    char *what;
    throng_point at; /* one of its corners */
} throng_drawn;

typedef struct throng_drawing {
    throng_drawn *list;
    int32_t count, capacity;
} throng_drawing;

typedef struct throng_draft {
    const char *path;
    throng_geos geos;
    throng_drawing floors, walls;
    throng_map held; /* regions, doors, properties, findings and faces only; the map's in the end */
} throng_draft;

bool throng_draft_init(throng_draft *draft, const char *path, throng_error *error);
void throng_draft_fini(throng_draft *draft); /* also after throng_draft_finish */

/* `what` names the part in findings and errors: "wall \"desk\" (line 12)". All of these copy. */
bool throng_draft_floor(throng_draft *draft, const char *what, const throng_point *points, int32_t count,
                        throng_error *error);
/* A floor that the map keeps as one of its faces. */
bool throng_draft_face(throng_draft *draft, const char *what, const throng_point *points, int32_t count,
                       throng_error *error);
bool throng_draft_wall(throng_draft *draft, const char *what, const throng_point *points, int32_t count,
                       throng_error *error);
/* A wall along a line, so many metres thick. */
bool throng_draft_wall_line(throng_draft *draft, const char *what, const throng_point *points, int32_t count,
                            double thickness, throng_error *error);
/* A polygon, or as many as it falls apart into where it crosses itself. `group` may be NULL. `*added` (may be NULL):
 * how many there are, last in held.regions. */
bool throng_draft_region(throng_draft *draft, const char *what, const char *name, const char *group,
                         const throng_point *points, int32_t count, int32_t *added, throng_error *error);

/* A line of two points across an opening, or a polygon there, whose longer middle line is the door. */
bool throng_draft_door(throng_draft *draft, const char *what, const char *name, const throng_point *points,
                       int32_t count, throng_error *error);

/* Takes a floor or wall over (freed also on failure; NULL is a failure). */
bool throng_draft_take(throng_draft *draft, throng_drawing *into, const char *what, throng_point at,
                       GEOSGeometry *shape, throng_error *error);

/* The polygon without self-crossings, which are noted; NULL in `*sound` when it has no area, noted too. */
bool throng_draft_sound(throng_draft *draft, const char *what, const throng_point *points, int32_t count,
                        GEOSGeometry **sound, throng_error *error);

/* The union of what was drawn; NULL on failure. */
GEOSGeometry *throng_draft_unite(throng_geos *geos, const throng_drawing *drawing);

/* The map: the floors less the walls; without floors it is open. */
throng_map *throng_draft_finish(throng_draft *draft, throng_error *error);

/* Frees what throng_draft.held can hold. */
void throng_map_contents_fini(throng_map *map);

#endif
