/* What a search through portals is made of (portals.h): roots, nodes, and the memory for them. */
#ifndef THRONG_PORTALS_PARTS_H
#define THRONG_PORTALS_PARTS_H

#include "kernels/lane/lane.h"
#include "kernels/contract/path_net.h"

/* m: paths to a corner whose lengths differ by less (times 1 + length) are taken as equal, and one of them dropped. */
#define PORTALS_SAME 1e-11

enum { PORTALS_TURN_LEFT = 1, PORTALS_TURN_RIGHT = 2 };

enum { PORTALS_RIGHT, PORTALS_LEFT }; /* rays of a node */

enum { PORTALS_LANDMARKS_ASKED = 8 };

enum { PORTALS_NOT_ASKED = -2 }; /* for a root; -1: there is none */

/* Where paths bend, and how far it is there. What is seen from one through portals that cost something has another
 * there, which is so much farther and stands for no corner. */
typedef struct portal_root {
    throng_point at;
    double length;  /* m from the start, and what portals on the way cost */
    double ahead;   /* m to the goal at the least */
    int32_t before; /* the root before it, -1: this is the start */
    int32_t corner; /* -1: the start, and behind portals that cost something */
    int32_t slot;   /* of the table */
    uint8_t turns;  /* PORTALS_TURN_... that were followed */
    bool beaten;    /* a shorter path to the corner was found since */
} portal_root;

/* What a root sees of a portal, which is the entered face's: the part of it between two rays. A ray through an end of
 * the portal sets its bit in `ends`. A pivot's root is itself an end of the portal, the left or the right one. */
typedef struct portal_node {
    throng_point rays[2]; /* m: their directions, PORTALS_RIGHT and PORTALS_LEFT */
    int32_t portal, root;
    uint8_t ends, pivot; /* PORTALS_TURN_LEFT, PORTALS_TURN_RIGHT */
} portal_node;

typedef struct portal_open {
    double length; /* m: of the shortest path that the node may lead to */
    int32_t node;
} portal_open;

typedef struct portal_search {
    const throng_path_net *net;
    throng_point from, to;      /* m */
    int32_t to_face, to_number; /* the goal's face, and its number that branches go by */
    int32_t to_first, to_count; /* that face's portals */
    double longest;             /* m: paths longer than this are not looked for */

    portal_node *nodes;
    portal_open *heap; /* of four below each, least first */
    portal_root *roots;
    int32_t *table; /* from corners to roots: open addressing, -1 where free; a power of two */
    int32_t node_count, heap_count, root_count;
    int32_t node_room, heap_room, root_room, table_size;
    int32_t next; /* the node to expand next, -1: the best of the open ones; when found: the last */

    int32_t expanded, ask_at; /* nodes so far, and when landmarks are asked next; 0: never */
    int32_t landmark_count;   /* those asked, and how far the goal is from each, in the net's units */
    int32_t landmark[PORTALS_LANDMARKS_ASKED];
    int32_t goal_least[PORTALS_LANDMARKS_ASKED], goal_most[PORTALS_LANDMARKS_ASKED];
} portal_search;

LANE_FN double portals_distance(throng_point a, throng_point b)
{
    double x = b.x - a.x, y = b.y - a.y;
    return sqrt(x * x + y * y);
}

LANE_FN throng_point portals_at(throng_point a, throng_point b, double t)
{
    throng_point p = {a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)};
    return p;
}

LANE_FN double portals_cross(double ax, double ay, double bx, double by) { return ax * by - ay * bx; }

LANE_FN bool portals_same(throng_point a, throng_point b) { return a.x == b.x && a.y == b.y; }

/* The face that a portal leads to. */
LANE_FN int32_t portals_beyond(const throng_path_net *net, const throng_path_portal *p)
{
    return p->beyond < 0 ? net->branches[~p->beyond].face : p->beyond;
}

/* Nodes that an expansion may find at most. */
LANE_FN int32_t portals_most_found(const throng_path_net *net) { return 3 * net->most_portals; }

/* And roots: of corners on either side, and behind portals that cost something. */
LANE_FN int32_t portals_most_roots(const throng_path_net *net) { return 2 + 3 * net->most_costly; }

/* Room for all that an expansion may find. */
LANE_FN bool portals_has_room(const portal_search *s)
{
    int32_t most = portals_most_found(s->net);
    return s->node_room - s->node_count >= most && s->heap_room - s->heap_count >= most &&
           s->root_room - s->root_count >= portals_most_roots(s->net) && s->table_size >= 2 * (s->root_count + 2);
}

#endif
