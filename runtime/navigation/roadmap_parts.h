/* What the roadmap is built from: private to roadmap*.c. */
#ifndef THRONG_ROADMAP_PARTS_H
#define THRONG_ROADMAP_PARTS_H

#include "roadmap.h"

/* Fills the roadmap's face lists by looking from every node through the portals. `first_side[n]`: the half-edge at a
 * wall that starts at node n; NULL: nodes lie anywhere. False when memory is out. */
bool throng_roadmap_list_faces(const throng_navmesh *mesh, throng_roadmap *roadmap, const int32_t *first_side);

/* roadmap_given.c: the nodes and edges of a graph, and the face lists. */
bool throng_roadmap_take(const throng_navmesh *mesh, const throng_map_graph *graph, throng_roadmap *roadmap,
                         throng_error *error);

#endif
