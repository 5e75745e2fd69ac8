/* Sheets: the parts of a building that people walk on, a floor, a flight of stairs, a ramp, an escalator. They may lie
 * over each other, so that a position alone says nothing: each agent is on one sheet (column `floor`). Who is on a
 * sheet sees, and touches, whom and what is on the same one or on one joined to it by a seam, and never anybody else.
 *
 * Positions are those of the building's plan, on every sheet. Grids (over agents, walls, the faces of meshes) have the
 * sheets laid out side by side: a place of theirs is the position and the sheet's offset. A world of one sheet has no
 * table: `count` is 0. */
#ifndef THRONG_SHEET_TABLE_H
#define THRONG_SHEET_TABLE_H

#include "array_table.h"

/* clang-format off */
#define THRONG_SHEETS_ARRAYS(X) \
    X(float, off_x, t->count) /* m: where it is laid out, less where it is; whole numbers */ \
    X(float, off_y, t->count) \
    X(float, x0, t->count) /* m: bounds of its positions */ \
    X(float, y0, t->count) \
    X(float, x1, t->count) \
    X(float, y1, t->count) \
    X(int32_t, kind, t->count) /* what it is: throng_sheet_kind of map_sheets.h */ \
    X(float, z, t->count) /* m: height at (x0, y0), and what it gains in a metre along x, and along y */ \
    X(float, slope_x, t->count) \
    X(float, slope_y, t->count) \
    X(float, up_x, t->count) /* the direction that climbs, a unit vector; 0, 0: it is level */ \
    X(float, up_y, t->count) \
    X(float, climb, t->count) /* what of their speed people keep on the way up, measured on the plan, */ \
    X(float, descend, t->count) /* and on the way down */ \
    X(float, incline, t->count) /* of stairs: a metre along their slope is so many on the plan; 0: it is none */ \
    X(float, belt, t->count) /* m/s: how fast it carries, in the direction that climbs; below 0: the other way */ \
    X(float, walkers, t->count) /* share of people who walk on the belt, on its left; the others stand */ \
    X(int32_t, seam_start, t->count + 1) /* sheet s has the seams seam_start[s] .. seam_start[s + 1) */ \
    /* Seams, each of them twice: seen from its sheet, which is on the left of a -> b. No two lead to the same sheet. */ \
    X(float, ax, t->seams) /* m */ \
    X(float, ay, t->seams) \
    X(float, bx, t->seams) \
    X(float, by, t->seams) \
    X(int32_t, beyond, t->seams) /* the sheet there */
/* clang-format on */

typedef struct throng_sheets {
    int32_t count, seams;
    THRONG_SHEETS_ARRAYS(THRONG_ARRAY_MEMBER)
} throng_sheets;

#endif
