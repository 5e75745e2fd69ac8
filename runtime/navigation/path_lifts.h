/* Shortest paths that may lead through lifts: walks from the start to a car, from one lift to another and on to the
 * goal are searches of their own, and Dijkstra's algorithm over the stops joins them. A ride counts by its time and
 * what is waited for it, as in the shortest-path maps that people go by (path_map_search.h). */
#ifndef THRONG_PATH_LIFTS_H
#define THRONG_PATH_LIFTS_H

#include "path_search.h"

/* The path from one place to another with its floors (path_floors.h), into `*on`; none has no corners. A ride is two
 * corners at one position, in the cars of two stops, and adds nothing to the length. False when memory is out, or the
 * work is given up. */
bool throng_path_by_lifts(throng_path_search *search, const throng_navmesh *mesh, const throng_map *map,
                          throng_point from, throng_point to, throng_path *on);

#endif
