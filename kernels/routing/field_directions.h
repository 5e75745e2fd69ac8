/* The direction to walk in from each cell of a grid on which a goal's potential is known (runtime/navigation/field.h
 * has what is promised). */
#ifndef THRONG_KERNEL_FIELD_DIRECTIONS_H
#define THRONG_KERNEL_FIELD_DIRECTIONS_H

#include <math.h>
#include <string.h>

#include "fronts.h"

enum { FIELD_SIDES = 4, FIELD_RINGS = 3 /* of walls that lead back */, FIELD_NO_RING = 255 };

typedef struct field_grid {
    int32_t columns, rows;
    const uint8_t *cells; /* fronts_cell */
    const double *u;      /* ln(1 - p); -INFINITY: walls, and what is not connected to the goal */
} field_grid;

/* A direction as throng_field has it. */
typedef struct field_direction {
    float x, y, aim;
} field_direction;

/* --- e^x and ln x ---------------------------------------------------------------------------------------- */

/* e^x, the same bits everywhere, as libm's need not be; |x| beyond 60 counts as 60. */
THRONG_SHARED_FN double field_exp(double x)
{
    const double ln_2 = 0.693147180559945309;
    x = x < -60 ? -60 : x > 60 ? 60 : x;
    int power = (int)(x / ln_2 + 128.5) - 128;
    double rest = x - power * ln_2, sum = 1. / 3628800, scale;
    sum = 1. / 362880 + sum * rest;
    sum = 1. / 40320 + sum * rest;
    sum = 1. / 5040 + sum * rest;
    sum = 1. / 720 + sum * rest;
    sum = 1. / 120 + sum * rest;
    sum = 1. / 24 + sum * rest;
    sum = 1. / 6 + sum * rest;
    sum = 1. / 2 + sum * rest;
    sum = 1 + sum * rest;
    sum = 1 + sum * rest;
    uint64_t bits = (uint64_t)(1023 + power) << 52; /* of 2^power */
    memcpy(&scale, &bits, sizeof scale);
    return sum * scale;
}

/* ln x, of normal x > 0. */
THRONG_SHARED_FN double field_ln(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    int power = (int)(bits >> 52) - 1023;
    bits = (bits & 0xfffffffffffff) | (uint64_t)1023 << 52;
    double m;
    memcpy(&m, &bits, sizeof m);
    if (m > 1.41421356237309505) {
        m = m / 2;
        power++;
    }
    double z = (m - 1) / (m + 1), square = z * z, sum = 0;
    for (int i = 21; i >= 1; i -= 2)
        sum = 1. / i + sum * square;
    return power * 0.693147180559945309 + 2 * z * sum;
}

/* ln of the 1 - p of a free cell, as it comes from the fronts: below FIELD_LOWEST is what they cannot tell. */
#define FIELD_LOWEST (-640.0)
THRONG_SHARED_FN double field_level(double q) { return q > 0 ? field_ln(q) : -INFINITY; }

/* --- neighbours ------------------------------------------------------------------------------------------ */

THRONG_SHARED_FN int32_t field_step_x(int side) { return side == 0 ? 1 : side == 1 ? -1 : 0; }
THRONG_SHARED_FN int32_t field_step_y(int side) { return side == 2 ? 1 : side == 3 ? -1 : 0; }

/* The cell (x, y) from a cell; -1: off the grid. */
THRONG_SHARED_FN int32_t field_at(const field_grid *g, int32_t cell, int32_t x, int32_t y)
{
    int32_t column = cell % g->columns + x, row = cell / g->columns + y;
    return column >= 0 && column < g->columns && row >= 0 && row < g->rows ? row * g->columns + column : -1;
}

THRONG_SHARED_FN int32_t field_beside(const field_grid *g, int32_t cell, int side)
{
    return field_at(g, cell, field_step_x(side), field_step_y(side));
}

THRONG_SHARED_FN bool field_reached(const field_grid *g, int32_t cell) { return cell >= 0 && g->u[cell] > -INFINITY; }

/* Is cell `a` nearer to the goal than `b`: greater by u, or, where that is equal, the goal's? */
THRONG_SHARED_FN bool field_greater(const field_grid *g, int32_t a, int32_t b)
{
    if (!field_reached(g, a) || !field_reached(g, b))
        return field_reached(g, a);
    return g->u[a] != g->u[b] ? g->u[a] > g->u[b] : g->cells[a] > g->cells[b];
}

/* The side of the greatest neighbour. */
THRONG_SHARED_FN int field_best_side(const field_grid *g, int32_t cell)
{
    int best = 0;
    for (int side = 1; side < FIELD_SIDES; side++)
        if (field_greater(g, field_beside(g, cell, side), field_beside(g, cell, best)))
            best = side;
    return best;
}

THRONG_SHARED_FN bool field_ascends(const field_grid *g, int32_t cell, int side)
{
    return field_greater(g, field_beside(g, cell, side), cell);
}

/* Does a cell have its part in a potential that can be followed? Those connected to the goal have a greater neighbour,
 * none is below `lowest`, and none was left out. */
THRONG_SHARED_FN bool field_holds(const field_grid *g, int32_t cell, double lowest)
{
    if (g->cells[cell] != FRONTS_FREE)
        return true;
    int best = field_best_side(g, cell);
    if (field_reached(g, cell))
        return g->u[cell] >= lowest && field_ascends(g, cell, best);
    return !field_reached(g, field_beside(g, cell, best));
}

/* --- paths ------------------------------------------------------------------------------------------------ */

THRONG_SHARED_FN bool field_open_around(const field_grid *g, int32_t cell)
{
    for (int32_t y = -1; y <= 1; y++)
        for (int32_t x = -1; x <= 1; x++)
            if (!field_reached(g, field_at(g, cell, x, y)))
                return false;
    return true;
}

/* 1 - p of a neighbour by that of the cell; neighbours of a cell differ by up to a factor of 16. */
THRONG_SHARED_FN double field_ratio(const field_grid *g, int32_t cell, int side)
{
    int32_t b = field_beside(g, cell, side);
    return field_reached(g, b) ? field_exp(g->u[b] - g->u[cell]) : 0;
}

/* The direction from a cell that is connected to the goal and none of its own: the gradient, where walking along it
 * leaves the cell over sides that ascend; else straight over the best side. Who aims at a point outside the cell, from
 * the cell's centre by a unit vector, leaves it over the sides beyond which that lies: those where the vector has a
 * component of more than a half. */
THRONG_SHARED_FN field_direction field_direction_from(const field_grid *g, int32_t cell)
{
    double x = field_ratio(g, cell, 0) - field_ratio(g, cell, 1), y = field_ratio(g, cell, 2) - field_ratio(g, cell, 3);
    double length = sqrt(x * x + y * y);
    int side_x = x > 0 ? 0 : 1, side_y = y > 0 ? 2 : 3, best = field_best_side(g, cell);
    x = length > 0 ? x / length : 0;
    y = length > 0 ? y / length : 0;
    bool up_x = field_ascends(g, cell, side_x), up_y = field_ascends(g, cell, side_y);
    bool over_x = fabs(x) > 0.5, over_y = fabs(y) > 0.5;
    bool aim = !((x == 0 || up_x) && (y == 0 || up_y) && field_open_around(g, cell));
    bool safe = length > 0 && (!over_x || up_x) && (!over_y || up_y);
    if (safe && over_x && over_y)
        safe = field_reached(g, field_at(g, cell, field_step_x(side_x), field_step_y(side_y)));
    if (length == 0 || (aim && !safe)) {
        x = field_step_x(best);
        y = field_step_y(best);
        aim = true;
    }
    field_direction direction = {(float)x, (float)y, (float)aim};
    return direction;
}

/* Walls beside cells with an answer lead to the greatest of these, and walls beside them to them: the way from a wall
 * of ring `r`. False when it is none. `ring`: 0 cells connected to the goal, FIELD_NO_RING what is in no ring yet. */
THRONG_SHARED_FN bool field_direction_back(const field_grid *g, const uint8_t *ring, int r, int32_t cell,
                                           field_direction *direction)
{
    int32_t best = -1;
    for (int i = 0; i < 9; i++) {
        int32_t x = i % 3 - 1, y = i / 3 - 1, o = field_at(g, cell, x, y);
        if (o < 0 || ring[o] != r - 1)
            continue;
        if (best >= 0 && !(r == 1 && field_greater(g, o, best)))
            continue;
        best = o;
        direction->x = (float)x;
        direction->y = (float)y;
    }
    direction->aim = 1;
    return best >= 0;
}

#endif
