/* Pulling the string: the shortest way through a chain of portals.
 *
 * A sleeve is what a search found: from every half-edge it reached, the next
 * portal of the cheapest way, down to the goal. The funnel (Lee and Preparata,
 * 1984) is walked only as far as the way's first bend, which lies on the end of
 * a portal further down the same sleeve; ways from there on are known. */
#ifndef THRONG_WAY_FUNNEL_H
#define THRONG_WAY_FUNNEL_H

#include "navmesh.h"

typedef struct throng_sleeve {
    const throng_navmesh *mesh;
    const int32_t *next;     /* [edge_count] next half-edge to leave by, -1: the goal is in the face entered */
    const int32_t *end_side; /* [edge_count] the goal's side that the way ends on, where next is -1 */
    const throng_point *side_a, *side_b; /* m: the goal's sides */
} throng_sleeve;

enum { THRONG_BEND_END, THRONG_BEND_LEFT, THRONG_BEND_RIGHT };

/* Where a way first bends: at the left or right end of a portal, or not before the goal. */
typedef struct throng_bend {
    throng_point at;
    int32_t edge; /* the portal; the last one passed where the way ends */
    int32_t kind; /* THRONG_BEND_... */
} throng_bend;

/* The first bend of the way from `from` out through the portal `first` of its
 * face. With `first` -1 it is in the face that `via` leads into, which holds the
 * goal, and the way ends on the goal's side there. */
throng_bend throng_sleeve_bend(const throng_sleeve *sleeve, throng_point from, int32_t via, int32_t first);

/* The whole way; appends its bends and its end to the path's corners when there is room for them
 * (`capacity`; NULL corners only measure). Returns its length in metres. */
double throng_sleeve_walk(const throng_sleeve *sleeve, throng_point from, int32_t via, int32_t first, throng_path *path,
                          int32_t *capacity);

throng_point throng_edge_left(const throng_navmesh *mesh, int32_t edge);
throng_point throng_edge_right(const throng_navmesh *mesh, int32_t edge);

/* Adds a corner unless it equals the last one. False when memory is out. */
bool throng_path_add(throng_path *path, int32_t *capacity, throng_point corner);

#endif
