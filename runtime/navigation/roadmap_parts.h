/* What the roadmap is built from: private to roadmap*.c. */
#ifndef THRONG_ROADMAP_PARTS_H
#define THRONG_ROADMAP_PARTS_H

#include "roadmap.h"

/* The outline of free space as closed rings of corners: the side from each corner to its next has the free side on its
 * left. No corner lies on the line between its neighbours. */
typedef struct throng_outline {
    throng_point *at; /* [count] m, on the mesh's grid, so that every turn is exact */
    int32_t *next, *previous;
    int32_t *side; /* [count] the half-edge at a wall that starts at the corner */
    int32_t count;
    int32_t *reflex; /* [reflex_count] the corners that a shortest path can bend at, since the obstacle's inner angle is
                        less than half a turn: the roadmap's first nodes */
    int32_t reflex_count;
} throng_outline;

/* roadmap_sight.c: fills the roadmap's face lists by looking from every node through the portals, and the edges between
 * corners, in order of angle: of those that see each other with no other between, such that the line through both
 * enters the obstacle at neither. Without an outline (NULL) nodes lie anywhere, and edges are left as they are. False
 * when memory is out. */
bool throng_roadmap_look(const throng_navmesh *mesh, throng_roadmap *roadmap, const throng_outline *outline);

/* roadmap_given.c: the nodes and edges of a graph, and the face lists. `plane`: the mesh, or a building's laid out. */
bool throng_roadmap_take(const throng_navmesh *mesh, const throng_navmesh *plane, const throng_map_graph *graph,
                         throng_roadmap *roadmap, throng_error *error);

/* roadmap_floors.c: joins the nodes that a roadmap has of the floors and flights of a building, by places, and looks
 * from all. `graph`: the map's, whose node n is that of number node[n], -1: none; NULL: it has none. */
bool throng_roadmap_join_floors(const throng_navmesh *mesh, const throng_navmesh *plane, throng_roadmap *roadmap,
                                const throng_outline *outline, const throng_map_graph *graph, const int32_t *node,
                                throng_error *error);

/* Do two nodes lie on different parts of a building? */
bool throng_roadmap_is_apart(const throng_navmesh *mesh, const throng_navmesh *plane, const throng_roadmap *roadmap,
                             int32_t from, int32_t to);

#endif
