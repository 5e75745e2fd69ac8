/* The search behind paths: from the goal to everywhere at once.
 *
 * A continuous Dijkstra search (Mitchell, Mount and Papadimitriou, "The discrete geodesic problem", SIAM Journal on
 * Computing, 1987) over the faces: a window is the part of a portal that one root (a corner, or a side of the goal)
 * sees and that no other root is nearer to. Windows are taken out nearest first, seen on through the face they lead
 * into, bent at the corners they are tangent to (as path_search.h does), and cut where another is better. So what is
 * left of them on a face's portals gives the exact length of the shortest path from every point of the face.
 *
 * Closed doors are searched in rounds: the first leaves them shut; faces that it finds no way out of are reached
 * through closed doors in the next, and so on. So nobody is led to a closed door who has another way, and those who
 * have none go there and wait. What bodies cover is searched likewise. */
#ifndef THRONG_PATH_MAP_SEARCH_H
#define THRONG_PATH_MAP_SEARCH_H

#include "base/heap.h"
#include "kernels/contract/path_net.h"
#include "navmesh.h"

/* The goal's sides by face: face f has the sides start[f] .. start[f + 1). */
typedef struct throng_goal_sides {
    int32_t *start;
    throng_point *a, *b;
} throng_goal_sides;

enum { THRONG_WINDOW_RIGHT, THRONG_WINDOW_LEFT };

/* Where paths end or bend. */
typedef struct throng_window_root {
    throng_point a, b;   /* m: the right and the left end of a goal's side as seen along its normal; a corner twice */
    throng_point normal; /* of a side, 0 for a corner: paths end on the side's foot */
    throng_point on;     /* m: where the path goes on to from a corner */
    double rest;         /* m from here to the goal */
    int32_t next;        /* the root it goes on to, -1: here is the goal */
    int32_t corner;      /* -1: the goal's, or a lift's */
    int32_t stop, to;    /* see throng_path_map_root */
    int32_t round;
    uint8_t turns; /* 1 << THRONG_WINDOW_...: the sides it was turned to */
    bool beaten;   /* there is a shorter path from the corner */
} throng_window_root;

/* A window, as seen from its root, in the face that it leads into (away from the goal). */
typedef struct throng_window {
    throng_point rays[2]; /* m: directions of the rays that bound what is seen */
    double t[2];          /* the part of the portal between them: 0 is the portal's right end, 1 its left */
    double delay;         /* m: what the portals between the root and the face entered cost, with delays, */
    double cost;          /* and without */
    int32_t portal;       /* of the face entered */
    int32_t root, next;   /* the window that the path goes on through, -1: the goal is there */
    int32_t sibling;      /* another of the same portal */
    uint8_t ends;         /* 1 << THRONG_WINDOW_...: that ray passes the portal's end */
    bool settled, dead;
} throng_window;

typedef struct throng_path_map_search {
    const throng_navmesh *mesh;
    const throng_path_net *net; /* with every door open */
    throng_path_net *own_net;   /* while doors are shut */
    const throng_goal_sides *goal;
    bool heed_doors;    /* closed doors are gone through only from where no other way leads to the goal */
    const float *delay; /* [edge_count] m: what passing a portal costs beside its length and its own cost; NULL:
                           nothing */

    throng_window_root *roots;
    int32_t root_count, root_room;
    int32_t *root_at; /* [corner_count] the best root at a corner, -1: none */
    int32_t *root_in; /* [stops of lifts] the best root in a car, -1: none; NULL: there are no lifts */
    double *beyond;   /* [stops of lifts] m from the middle of a car to the goal, of paths that leave it there */
    throng_window *windows;
    int32_t window_count, window_room;
    int32_t *first;   /* [portals] the newest window of a portal, -1: none */
    throng_heap open; /* windows, by their least length */
    int32_t *order;   /* settled windows, in order */
    int32_t settled, order_room;
    int32_t *round; /* [face_count] the round in which a way out of the face was first found, 0: none; NULL: nothing
                       bars the path */
    int32_t rounds; /* begun */
    throng_window *put_off; /* ways out through closed doors, for the next round */
    int32_t put_off_count, put_off_room;
    bool failed; /* memory is out */
} throng_path_map_search;

bool throng_path_map_search_init(throng_path_map_search *search, const throng_navmesh *mesh,
                                 const throng_goal_sides *goal);
void throng_path_map_search_fini(throng_path_map_search *search);

/* From the goal to every face that leads there. False when memory is out. */
bool throng_path_map_search_run(throng_path_map_search *search);

/* m: the point `t` of the window's portal. */
throng_point throng_window_at(const throng_path_map_search *search, const throng_window *window, double t);

/* The root is an end of the portal: it sees all of the face, whatever the window's ends are. */
bool throng_window_is_pivot(const throng_path_map_search *search, const throng_window *window);

/* Adds what is left of the window when windows of its portal that are there already are shorter, and cuts those where
 * it is. */
void throng_window_add(throng_path_map_search *search, const throng_window *window);

/* Puts the window of that number behind those that are settled. */
void throng_window_note(throng_path_map_search *search, int32_t window);

#endif
