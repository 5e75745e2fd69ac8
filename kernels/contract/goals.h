/* Goals, the fields that lead to them, and the paths that agents have of their own. */
#ifndef THRONG_GOAL_TABLE_H
#define THRONG_GOAL_TABLE_H

#include "array_table.h"

enum throng_goal_kind {
    THRONG_GOAL_POINT,  /* everyone to one point */
    THRONG_GOAL_REGION, /* everyone into one of some polygons */
    THRONG_GOAL_OWN     /* each agent to its own goal_x, goal_y */
};

enum { THRONG_BY_WAYPOINTS = -2 }; /* in place of a tree */

typedef struct throng_goal {
    int32_t kind;
    float x, y;         /* m: THRONG_GOAL_POINT */
    float radius;       /* m: arrived within this of a point; a region is entered instead */
    int32_t place;      /* the same number: the same place, however one walks there */
    int32_t tree;       /* shortest-path map, -1: straight, THRONG_BY_WAYPOINTS: by the agent's own path */
    int32_t field;      /* where it has an answer it goes before the tree; -1: none */
    int32_t first_edge; /* region: edges first_edge .. first_edge + edges of throng_goals */
    int32_t edges;
} throng_goal;

/* clang-format off */
#define THRONG_FIELDS_ARRAYS(X) \
    X(float, x, t->count) /* m: lower left corner, side of a cell */ \
    X(float, y, t->count) \
    X(float, cell, t->count) \
    X(int32_t, columns, t->count) \
    X(int32_t, rows, t->count) \
    X(int32_t, base, t->count) /* where its cells begin */ \
    X(float, direction_x, t->cells) /* in cells */ \
    X(float, direction_y, t->cells) \
    X(float, aim, t->cells) /* 1: from the cell's centre */
#define THRONG_GOALS_ARRAYS(X) \
    X(throng_goal, goal, t->count) \
    X(float, ax, t->edge_count) /* m: edges of all the regions' polygons */ \
    X(float, ay, t->edge_count) \
    X(float, bx, t->edge_count) \
    X(float, by, t->edge_count) \
    X(int32_t, last, t->edge_count) /* 1 at the last edge of a polygon */
#define THRONG_WAYPOINTS_ARRAYS(X) \
    X(float, x, t->count) /* m */ \
    X(float, y, t->count) \
    X(float, turn, t->count) /* 1: the path turns left there, -1: right, 0: it ends */
/* clang-format on */

/* Fields over regular grids, cell after cell (see field.h). */
typedef struct throng_fields {
    int32_t count, cells;
    THRONG_FIELDS_ARRAYS(THRONG_ARRAY_MEMBER)
} throng_fields;

typedef struct throng_goals {
    int32_t count, edge_count;
    THRONG_GOALS_ARRAYS(THRONG_ARRAY_MEMBER)
    throng_fields fields;
} throng_goals;

/* The corners of agents' own paths, one path after the other, starts left out. Column `waypoint` is the index of the
 * one to walk to. Who crosses the line through it and the next, beyond it, sees the next and goes on to that. */
typedef struct throng_waypoints {
    int32_t count;
    THRONG_WAYPOINTS_ARRAYS(THRONG_ARRAY_MEMBER)
} throng_waypoints;

#endif
