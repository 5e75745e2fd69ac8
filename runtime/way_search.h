/* The search behind ways: Dijkstra's algorithm from the goal over portals.
 *
 * What a portal costs is the length of the shortest way through the sleeve
 * behind it from the best point of the portal, its target. That is exact for
 * the sleeve (no zigzag through portals' middles), and convex along the portal.
 *
 * Closed doors are searched in rounds: the first leaves them shut; faces that it
 * finds no way out of are reached through closed doors in the next, and so on.
 * So nobody is led to a closed door who has another way, and those who have none
 * go there and wait. */
#ifndef THRONG_WAY_SEARCH_H
#define THRONG_WAY_SEARCH_H

#include "way_funnel.h"

/* The goal's sides by face: face f has the sides start[f] .. start[f + 1). */
typedef struct throng_goal_sides {
    int32_t *start;
    throng_point *a, *b;
} throng_goal_sides;

typedef struct throng_heap_entry {
    double key;
    int32_t edge;
} throng_heap_entry;

typedef struct throng_way_search {
    const throng_navmesh *mesh;
    const throng_goal_sides *goal;
    throng_sleeve sleeve;
    uint8_t *state; /* [edge_count] 0 not seen, 1 open, 2 settled; the rest holds where it is not 0 */
    int32_t *next, *end_side;
    double *cost; /* m from the target to the goal */
    throng_point *target;
    double *left, *right; /* m to the goal from the portal's ends; settled half-edges only */
    int32_t *order;       /* settled half-edges, in order */
    int32_t settled;
    throng_heap_entry *heap;
    int32_t heap_count, heap_capacity;
    bool heed_doors;    /* closed doors are gone through only from where no other way leads to the goal */
    const float *delay; /* [edge_count] m: what passing a portal costs beside its length; NULL: nothing */
    int32_t *round;     /* [face_count] the round in which a way out of the face was first found, 0: none; NULL: no
                           door is heeded */
    int32_t rounds;     /* begun */
    struct throng_way_offer {
        int32_t edge, next;
    } * put_off; /* ways out through closed doors, for the next round */
    int32_t put_off_count, put_off_capacity;
    bool failed; /* memory is out */
} throng_way_search;

bool throng_way_search_init(throng_way_search *search, const throng_navmesh *mesh, const throng_goal_sides *goal);
void throng_way_search_fini(throng_way_search *search);

/* From the goal to every portal that leads there. False when memory is out. */
bool throng_way_search_run(throng_way_search *search);

#endif
