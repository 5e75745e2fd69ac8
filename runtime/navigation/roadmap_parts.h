/* What the roadmap is built from: private to roadmap*.c. */
#ifndef THRONG_ROADMAP_PARTS_H
#define THRONG_ROADMAP_PARTS_H

#include "roadmap.h"

/* Fills the roadmap's face lists by looking from every node through the portals. `first_side[n]`: the half-edge at a
 * wall that starts at node n, of the first `corners` nodes; NULL: nodes lie anywhere, as all later ones do. False when
 * memory is out. */
bool throng_roadmap_list_faces(const throng_navmesh *mesh, throng_roadmap *roadmap, const int32_t *first_side,
                               int32_t corners);

/* roadmap_given.c: the nodes and edges of a graph, and the face lists. `plane`: the mesh, or a building's laid out. */
bool throng_roadmap_take(const throng_navmesh *mesh, const throng_navmesh *plane, const throng_map_graph *graph,
                         throng_roadmap *roadmap, throng_error *error);

/* roadmap_floors.c: joins the nodes that a roadmap has of the floors and flights of a building, by places, and fills
 * the face lists. `graph`: the map's, whose node n is that of number node[n], -1: none; NULL: it has none. */
bool throng_roadmap_join_floors(const throng_navmesh *mesh, const throng_navmesh *plane, throng_roadmap *roadmap,
                                const int32_t *first_side, const throng_map_graph *graph, const int32_t *node,
                                throng_error *error);

/* Do two nodes lie on different parts of a building? */
bool throng_roadmap_is_apart(const throng_navmesh *mesh, const throng_navmesh *plane, const throng_roadmap *roadmap,
                             int32_t from, int32_t to);

#endif
