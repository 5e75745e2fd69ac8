/* What the author of a plan should look at, before a crowd finds it. */
#ifndef THRONG_MAP_LINT_H
#define THRONG_MAP_LINT_H

#include "map/map.h"

struct throng_navmesh;

#define THRONG_MAP_BODY 0.25 /* m: radius of the body that a plan is looked at for, where nobody says another */

/* Appends to `findings`, each with its place, kind after kind: what reading the source found; gaps too narrow for a
 * body of `radius` metres, areas that it cannot reach (with `mesh`, which may be NULL, those of the mesh; else those
 * that walls cut off; of buildings always of a mesh, with flights that end in a wall), regions that lie in walls,
 * regions too small to place it in. A map that is right adds nothing. False and a message when memory is out or GEOS
 * fails. */
bool throng_map_lint(const throng_map *map, double radius, const struct throng_navmesh *mesh, throng_findings *findings,
                     throng_error *error);

/* The parts of it. */

/* Openings narrower than `width` metres that have room for a disc of that width on both sides, at their narrowest,
 * the narrowest first; a nook in a wall is none. Where several lie within twice the width, one stands for all. */
bool throng_map_lint_gaps(const throng_map *map, double width, throng_findings *findings, throng_error *error);

/* m^2: a nook in which one agent could stand, but into which nobody comes, is no area. */
#define THRONG_MAP_NOOK 0.5

/* m^2: of a face; and its centre. */
double throng_map_lint_face(const struct throng_navmesh *mesh, int32_t face, throng_point *centre);

/* m^2: of what is reached from each face without leaving its floor, `area` [face_count]. False when memory is out. */
bool throng_map_lint_islands(const struct throng_navmesh *mesh, double *area);

/* Flights and lifts of a building that the mesh does not lead onto, or off; `island`: see above. */
bool throng_map_lint_seams(const throng_map *map, const struct throng_navmesh *mesh, const double *island,
                           throng_findings *findings);

bool throng_map_lint_regions(const throng_map *map, double radius, throng_findings *findings, throng_error *error);

#endif
