/* Pillars: small obstacles that stand free, which routes need not know of.
 *
 * A pillar, a tree or a table makes a ring of faces round it, and a corner of every path past it. O'Sullivan (2009,
 * section 6.2.4) proposes to take such objects out, to make one convex face of what is round them, and to leave them to
 * the avoidance of obstacles. So the mesh of a map with `pillars` is built without them; the walls stay, and who
 * prefers to walk into one is turned past it (kernels/planners/body_avoidance.h). */
#ifndef THRONG_NAVMESH_PILLARS_H
#define THRONG_NAVMESH_PILLARS_H

#include "navmesh.h"

/* Marks the rings of `map` that are pillars for discs of `radius` metres: obstacles no wider than map->pillars at their
 * widest, convex or nearly so, round which a disc can pass on every side, and at which no door ends. Larger discs have
 * fewer of them. `pillar` is [ring_count]. False when memory is out. */
bool throng_navmesh_find_pillars(const throng_map *map, double radius, uint8_t *pillar);

/* Parts the map's rings: the floor without its pillars, and the pillars in an open plane (NULL: there are none, then
 * there is no `bare` either). False and a message when memory is out. */
bool throng_navmesh_part_pillars(const throng_map *map, double radius, throng_map **bare, throng_map **pillars,
                                 throng_error *error);

/* Is the point in a pillar of the mesh, or nearer to one than a disc's middle can be? */
static inline bool throng_navmesh_in_pillar(const throng_navmesh *mesh, throng_point p)
{
    return mesh->pillars && !throng_map_fits(mesh->pillars, p, mesh->radius);
}

/* Moves such a point to the nearest place beside the pillar. False when there is none. */
bool throng_navmesh_beside_pillar(const throng_navmesh *mesh, throng_point *p);

/* Does the straight line between two points of the mesh pass all pillars? */
bool throng_navmesh_passes_pillars(const throng_navmesh *mesh, throng_point from, throng_point to);

#endif
