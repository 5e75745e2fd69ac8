/* Walls, the sides of rigid bodies among them, and who may touch these. */
#ifndef THRONG_WALL_TABLE_H
#define THRONG_WALL_TABLE_H

#include "array_table.h"

/* A regular grid over segments: cell c lists those that come within `reach` metres of it as
 * list[start[c] .. start[c + 1]). One more after the last cell lists all: for the few who reach farther. */
typedef struct throng_wall_grid {
    float origin_x, origin_y, cell, reach;
    int32_t columns, rows;
    const int32_t *start; /* [throng_wall_grid_lists + 1] */
    const int32_t *list;  /* [start[throng_wall_grid_lists]] */
} throng_wall_grid;

static inline size_t throng_wall_grid_lists(const throng_wall_grid *g)
{
    return (size_t)g->columns * (size_t)g->rows + 1;
}

/* X(type, name, count, whether it changes as bodies move) */
/* clang-format off */
#define THRONG_WALLS_ARRAYS(X) \
    X(float, ax, t->count, true) /* m: the segment goes from a to b */ \
    X(float, ay, t->count, true) \
    X(float, bx, t->count, true) \
    X(float, by, t->count, true) \
    X(float, dx, t->count, true) /* unit direction a -> b */ \
    X(float, dy, t->count, true) \
    X(int32_t, next, t->count, false) /* neighbouring segment of the ring */ \
    X(int32_t, previous, t->count, false) \
    X(int32_t, convex, t->count, false) /* 1: the corner at a is a convex corner of the solid */ \
    X(float, width_a, t->count, false) /* m: how wide the passage along it is at a, and at b, where the solid has a */ \
    X(float, width_b, t->count, false) /* convex corner; negative: of a wall's end; 0: none (runtime/map/wall_widths.h) */ \
    X(int32_t, sheet, t->count, false) /* that it is on; -1 - q: on seam q, where no wall is */ \
    X(int32_t, lift, t->count, false) /* the lift whose door it is, which opens to those alone who board (column lift), \
                                         by its number from 1; 0: none */ \
    X(float, vx, t->sides, true) /* m/s */ \
    X(float, vy, t->sides, true) \
    X(float, mass, t->sides, false) /* kg: of the body, infinite where nothing moves it */ \
    X(float, depth, t->sides, false) /* m: how far the body reaches behind the side, */ \
    X(float, reach, t->sides, false) /* and from its middle, */ \
    X(float, middle_x, t->sides, true) /* which is here */ \
    X(float, middle_y, t->sides, true) \
    X(int32_t, corners, t->sides, false) /* how many sides it has */
/* clang-format on */

/* Wall segments, the solid side on the left of a -> b (van den Berg's convention). The last `sides` of them are the
 * sides of rigid bodies, those of a body one after the other; the `pillars` before these are of obstacles that paths
 * may lead through. */
typedef struct throng_walls {
    int32_t count, sides, pillars;
    THRONG_WALLS_ARRAYS(THRONG_ARRAY_MEMBER)
    float body_step; /* m: no body moves farther in a step */
    /* Over the walls; over the sides of bodies; over the boxes about bodies, which lists a body in all cells that its
     * box comes into: 4 times its first side, counted from the first of all bodies, and 1 in the first column of these
     * cells, and 2 in the first row. */
    throng_wall_grid still, moving, boxes;
    uint32_t listed; /* how often the last two were filled: as long as it stays they are the same */
} throng_walls;

/* An agent that may touch a body in this step. */
typedef struct throng_near {
    int32_t slot;
    float x, y, vx, vy;   /* m, m/s: where it is, how it moved in the last step */
    float wish_x, wish_y; /* m/s: what its planner wants */
    float radius, mass;   /* m, kg */
    int32_t sheet;        /* that it is on; 0 in a world of one */
} throng_near;

#endif
