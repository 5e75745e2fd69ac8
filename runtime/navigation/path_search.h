/* One shortest path between two points, searched in steps that can be spread over frames.
 *
 * Polyanya (Cui, Harabor and Grastien, "Compromise-free pathfinding on a navigation mesh", IJCAI 2017): A* over
 * intervals of portals. A node is what one root (the start, or a corner that the path bends at) sees of a portal, free
 * of obstacles; its estimate is the exact length of the shortest path from the root through the interval to the goal
 * if nothing else were in the way. So the first node that reaches the goal's face gives the shortest path, exactly.
 *
 * What is here on top of the paper: cones are kept as the directions from the root to the corners that bound them (all
 * on the mesh's grid, so differences and products are exact), and what is seen is decided without rounding; a path
 * bends only at corners it is tangent to; one record a corner and side, so that equal paths do not multiply; and what
 * leads to the goal only back through the same face is not entered (path_blocks.h).
 *
 * What bounds it, on a Xeon of 2023: an expansion takes 42 ns where the same search is run over and over, and 80 ns on
 * ever new ones: the rest goes into branches that the processor guesses wrong. Telling which sides the rays cross by
 * bit masks has fewer branches and was slower (115 ns), for all corners of a face are looked at then.
 *
 * Beside Detour's findPath and findStraightPath on Recast's mesh of the same boxes (cells of 0.25 m, 65,000 and 17,300
 * paths a second), in the same run: 2.4 times as fast on 400 boxes of 1 to 4 m in 200 m, 2.2 times on four times the
 * area, 1.4 times on boxes of 1 to 8 m (1.2 on four times the area, in runs apart), where more corners lie between a
 * straight line and the path.
 *
 * Landmarks (path_landmarks.h) leave 581 of 1,620 expansions in 32 x 32 rooms, 120 of 169 on 400 boxes of 1 to 8 m.
 *
 * Tried: portals shortened by turning them about a corner that needs one leave 99 of 100 nodes. Leaving out nodes that
 * another root's node on the same portal is nearer to leaves 118 of 137 on 400 boxes of 1 to 8 m (of 613 on four times
 * the area 491), and needs a record a portal.
 *
 * A search keeps its memory: once it is warm, another path allocates nothing. */
#ifndef THRONG_PATH_SEARCH_H
#define THRONG_PATH_SEARCH_H

#include "kernels/contract/path_net.h"
#include "navmesh.h"

typedef enum throng_path_state {
    THRONG_PATH_OPEN,   /* not finished yet */
    THRONG_PATH_FOUND,  /* corners and length are there */
    THRONG_PATH_NONE,   /* there is no way, or an end lies in no face */
    THRONG_PATH_FAILED, /* memory is out */
} throng_path_state;

typedef struct throng_path_search throng_path_search;

/* NULL when memory is out. */
throng_path_search *throng_path_search_create(void);
void throng_path_search_destroy(throng_path_search *search); /* NULL is fine */

/* Starts over: from one place to another on `mesh`, which must stay as it is until the search is finished. The path is
 * of positions (see throng_navmesh_position). */
void throng_path_search_begin(throng_path_search *search, const throng_navmesh *mesh, throng_point from,
                              throng_point to);

/* Begins likewise, and looks no farther than the straight line: THRONG_PATH_NONE when something is in its way. */
void throng_path_search_begin_straight(throng_path_search *search, const throng_navmesh *mesh, throng_point from,
                                       throng_point to);

/* Goes on for at most `expansions` nodes; *expansions becomes how many of them are left. */
throng_path_state throng_path_search_step(throng_path_search *search, int32_t *expansions);

/* The search as a batch takes it. False when there is nothing to look for, or it has begun. */
bool throng_path_search_query(const throng_path_search *search, throng_search_query *query);

/* What a batch found for it: from then on its steps spend what the search would have, and end when it would. `corners`
 * are those of all of the batch. */
void throng_path_search_settle(throng_path_search *search, const throng_search_result *result,
                               const throng_point *corners);

/* The path that was found; valid until the search begins again. Equal corners in a row are one; from == to has one. */
const throng_path *throng_path_search_path(const throng_path_search *search);

/* m: its length, and what portals on the way cost: doors, and flights by their time. Not of one that a batch found. */
double throng_path_search_cost(const throng_path_search *search);

/* Bytes held. */
size_t throng_path_search_bytes(const throng_path_search *search);

#endif
