/* The second half of building a mesh: triangles merged into convex faces. */
#ifndef THRONG_NAVMESH_FACES_H
#define THRONG_NAVMESH_FACES_H

#include "navmesh.h"
#include "navmesh_space.h"

/* Half-edges in cycles, one cycle a face. */
typedef struct throng_half_edges {
    int32_t count;
    throng_point *from; /* [count] where it starts */
    int32_t *next;      /* [count] round the face; -1 for a half-edge that merging removed */
    int32_t *previous;
    int32_t *twin;    /* -1 at the rim */
    int32_t *door;    /* the map's door it lies on, THRONG_NAVMESH_BODY, -1: none. Such sides stay */
    uint8_t *covered; /* its face is, by bodies */
    int32_t *sheet;   /* of its face, see throng_navmesh; NULL: there is one */
} throng_half_edges;

/* False when memory is out, or, with `*sound` false, when the triangles do not
 * fit together side to side as a mesh must. */
bool throng_half_edges_init(throng_half_edges *edges, const throng_triangles *triangles, bool *sound);
void throng_half_edges_fini(throng_half_edges *edges);

/* Hertel and Mehlhorn (1983): takes out diagonals, the longest first, while
 * both their ends stay convex. At most four times the least number of faces. */
bool throng_half_edges_merge(throng_half_edges *edges);

/* The mesh of the faces of `map`. NULL when memory is out. */
throng_navmesh *throng_navmesh_assemble(const throng_half_edges *edges, const throng_map *map, double radius);

#endif
