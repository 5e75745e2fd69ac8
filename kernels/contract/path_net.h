/* What path searches need of a navigation mesh, packed for them, and what a batch of them asks and answers: plain
 * structs that the runtime and the backends share. */
#ifndef THRONG_PATH_NET_H
#define THRONG_PATH_NET_H

#include <stdbool.h>
#include <stdint.h>

#include "point.h"

/* One side of a portal: how a face is left. Walking out, its start is on the right, its end on the left. */
typedef struct __attribute__((aligned(64))) throng_path_portal {
    throng_point start; /* m */
    throng_point end;   /* m */
    int32_t twin;       /* the same portal from the face beyond */
    int32_t beyond;     /* that face; the complement of a branch's index where there is one (see below) */
    int32_t next;       /* the next portal of its own face, counter-clockwise */
    int32_t edge;       /* the mesh's half-edge */
    int32_t at_start;   /* the corner there, -1: free space round there is no wider than half a turn */
    int32_t at_end;
    double cost; /* m: what leaving the face by it costs beside the length, 0 or more */
} throng_path_portal;

/* A corner sticks into free space: walls on both sides, more than half a turn of free space between. A vertex where
 * several such wedges of free space meet in a point is a corner for each of them, and where portals that cost something
 * end there each part between two of these: who has paid is not where those are who have not. */
typedef struct throng_path_corner {
    float ax, ay; /* m: the far end of the wall that leads here, free space on its left */
    float bx, by; /* m: the far end of the wall that leads on */
    int32_t row;  /* of `lengths`, -1: none */
} throng_path_corner;

enum { THRONG_LANDMARKS = 32 };

/* A way out of a face that leads to some faces only, or to all but some, unless it leads back through the face: those
 * numbered first .. last. */
typedef struct throng_path_branch {
    int32_t face; /* beyond the portal */
    int32_t first, last;
    int32_t inside; /* 1: it leads to these, 0: to all others; to none where first is above last */
} throng_path_branch;

typedef struct throng_path_net {
    int32_t face_count, edge_count;
    throng_path_portal *portals; /* face by face; those on doors that are closed are left out */
    int32_t *first;              /* [face_count + 1] face f has the portals first[f] .. first[f + 1) */
    throng_path_corner *corners;
    int32_t *corner; /* [edge_count] the corner that a half-edge starts at, or -1 */
    int32_t corner_count;
    int32_t most_portals; /* of a face */
    int32_t most_costly;  /* of these, that cost something */
    int32_t *number;      /* [face_count] that branches go by */
    throng_path_branch *branches;
    int32_t branch_count;
    /* Of some landmarks, corners with all doors open, the lengths of the shortest paths to all corners when no door is
     * closed or costs anything: each corner's in a row. No net has them but of a mesh that was built of a map. */
    int32_t landmark_count; /* THRONG_LANDMARKS or 0 */
    uint16_t *lengths;      /* [row_count * THRONG_LANDMARKS] in units of */
    double length_unit;     /* m, and off by less than one */
    int32_t *row;           /* [edge_count] of the corner that a half-edge starts at when all doors are open, or -1 */
    int32_t row_count;
    bool shut; /* some door is closed */
} throng_path_net;

enum {
    THRONG_SEARCH_OPEN,  /* there is more to expand */
    THRONG_SEARCH_FOUND, /* the path is there */
    THRONG_SEARCH_NONE,  /* there is none */
    THRONG_SEARCH_FULL,  /* memory is too small for the next expansion */
};

/* Searches that have not begun: from points in `starts` faces (a point on a portal is in two) to points in a face. */
enum { THRONG_SEARCH_STARTS = 2 };
typedef struct throng_search_query {
    throng_point from, to; /* m */
    int32_t to_face;
    int32_t starts[THRONG_SEARCH_STARTS]; /* -1 where there are fewer */
} throng_search_query;

/* How one ended: as searching alone does, or THRONG_SEARCH_FULL, which says nothing. */
typedef struct throng_search_result {
    int32_t state, expansions;
    int32_t count; /* of the path's corners, both ends included, */
    int64_t first; /* which begin here among all that were found */
} throng_search_result;

#endif
