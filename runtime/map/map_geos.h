/* GEOS for maps and meshes: one handle a task, errors as messages.
 *
 * GEOS functions return NULL (or 2 for predicates) and report through a
 * handler; the handler keeps the text until throng_geos_fail turns it into an
 * error. Geometries belong to the handle's user and are destroyed by
 * throng_geos_free. */
#ifndef THRONG_MAP_GEOS_H
#define THRONG_MAP_GEOS_H

/* only the reentrant calls, so that nothing is shared between threads */
#define GEOS_USE_ONLY_R_API
#include <geos_c.h>

#include "map.h"
#include "ring_list.h"

typedef struct throng_geos {
    GEOSContextHandle_t handle;
    char text[512]; /* what GEOS last complained of */
} throng_geos;

bool throng_geos_init(throng_geos *geos, throng_error *error);
void throng_geos_fini(throng_geos *geos);

/* `what: ` and GEOS's own words; false. */
bool throng_geos_fail(throng_geos *geos, const char *what, throng_error *error);

/* Did GEOS complain, and not of memory? */
bool throng_geos_complained(const throng_geos *geos);
/* What it was about was done all the same: true. */
bool throng_geos_forget(throng_geos *geos);

void throng_geos_free(throng_geos *geos, GEOSGeometry *geometry); /* NULL is fine */

/* `operation` was made from `*geometry`, which it replaces: frees the old one. False when it is NULL. */
bool throng_geos_replace(throng_geos *geos, GEOSGeometry **geometry, GEOSGeometry *result);

/* A polygon without holes; NULL on failure. */
GEOSGeometry *throng_geos_polygon(throng_geos *geos, const throng_point *points, int32_t count);
GEOSGeometry *throng_geos_line(throng_geos *geos, const throng_point *points, int32_t count);
/* Leaves out points of a line that lie within `tolerance` of it (Douglas and Peucker, 1973). */
bool throng_geos_thin(throng_geos *geos, throng_point *points, int32_t *count, double tolerance);
GEOSGeometry *throng_geos_box(throng_geos *geos, throng_bounds box);

/* Takes over the `count` geometries; NULL on failure (they are freed then too). */
GEOSGeometry *throng_geos_collect(throng_geos *geos, int type, GEOSGeometry **parts, int32_t count);

/* The map's free space as a multipolygon; an open map is cut off `margin` metres round its obstacles. */
GEOSGeometry *throng_geos_free_space(throng_geos *geos, const throng_map *map, double margin);

/* The map of `outer` less `solid`; `outer` NULL: the plane less `solid`. NULL and a message when GEOS fails or
 * nothing is left free. */
throng_map *throng_geos_map(throng_geos *geos, const char *name, const GEOSGeometry *outer, const GEOSGeometry *solid,
                            throng_error *error);

/* Appends the rings of all polygons in the geometry, outer rings counter-clockwise and followed by their
 * holes, clockwise. Lines and points are passed over. */
bool throng_geos_rings(throng_geos *geos, const GEOSGeometry *geometry, throng_ring_list *rings);

/* The middle line of the polygon's narrowest rectangle, along its longer side. False when it has no area. */
bool throng_geos_middle_line(throng_geos *geos, const throng_point *points, int32_t count, throng_point *a,
                             throng_point *b);

/* True when all of two or more points lie on one line. */
bool throng_points_on_line(const throng_point *points, int32_t count);

/* Fails with `what` and the place when a point is not finite or too far away. */
bool throng_geos_check_points(const char *what, const throng_point *points, int32_t count, throng_error *error);

/* 0 and where when the polygon crosses or touches itself, 1 when it does not, 2 when GEOS failed. */
char throng_geos_simple(throng_geos *geos, const GEOSGeometry *polygon, throng_point *where);

/* Fails with `what` and the reason when the points are no simple polygon of three or more finite points
 * with an area. */
bool throng_geos_check_polygon(throng_geos *geos, const char *what, const throng_point *points, int32_t count,
                               throng_error *error);

#endif
