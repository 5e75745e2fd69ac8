/* Shortest paths that may lead through lifts: walks from the start to a car, from one lift to another and on to the
 * goal are searches of their own, and Dijkstra's algorithm over the stops joins them. A ride counts by its time and
 * what is waited for it, as in the shortest-path maps that people go by (path_map_search.h). */
#ifndef THRONG_PATH_LIFTS_H
#define THRONG_PATH_LIFTS_H

#include "path_search.h"

typedef struct throng_lift_search throng_lift_search;

/* The first ride of a path. */
typedef struct throng_planned_ride {
    int32_t board, leave; /* stops of the map, -1: it is walked */
    int32_t corners;      /* of the path, up to the middle of the car */
    throng_point back;    /* m: behind it, where who rides goes */
} throng_planned_ride;

/* NULL when memory is out. */
throng_lift_search *throng_lift_search_create(void);
void throng_lift_search_destroy(throng_lift_search *search); /* NULL is fine */

/* Starts over, from one place to another on a mesh that has lifts; walks are searched by `by`, which is its own until
 * it has come to an end. */
void throng_lift_search_begin(throng_lift_search *search, throng_path_search *by, const throng_navmesh *mesh,
                              const throng_map *map, throng_point from, throng_point to);

/* The same map is somewhere else now. */
void throng_lift_search_move(throng_lift_search *search, const throng_map *map);

/* As throng_path_search_step. */
throng_path_state throng_lift_search_step(throng_lift_search *search, int32_t *expansions);

/* With its floors (path_floors.h); a ride is two corners at one position, in the cars of two stops, and adds nothing to
 * the length. No corners: there is no way. Valid until it begins again. */
const throng_path *throng_lift_search_path(const throng_lift_search *search);
throng_planned_ride throng_lift_search_ride(const throng_lift_search *search);

/* All of it at once, into `*on`; none has no corners. False when memory is out, or the work is given up. */
bool throng_path_by_lifts(throng_path_search *search, const throng_navmesh *mesh, const throng_map *map,
                          throng_point from, throng_point to, throng_path *on);

#endif
