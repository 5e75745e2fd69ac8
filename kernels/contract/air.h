/* The air: what there is of smoke, gases and heat over the ground of a world, on a grid of points, at two moments
 * between which it changes evenly. Each kind is a layer; behaviour programs read them where an agent stands
 * (kernels/behaviour/air.h). A world without air has no layers. */
#ifndef THRONG_AIR_TABLE_H
#define THRONG_AIR_TABLE_H

#include "array_table.h"

enum { THRONG_AIR_LAYERS = 16 }; /* at most */

#define THRONG_AIR_ARRAYS(X) X(float, value, 2 * (size_t)t->layers * (size_t)t->columns * (size_t)t->rows)

typedef struct throng_air {
    int32_t layers, columns, rows;
    float x0, y0;         /* m: place of the first point; sheets are laid out side by side (sheets.h) */
    float inverse_cell;   /* 1/m: of the distance between points */
    float time;           /* s: of the first moment */
    float inverse_period; /* 1/s: of the time from there to the second; 0: there is none */
    THRONG_AIR_ARRAYS(THRONG_ARRAY_MEMBER) /* by moment, layer, row, column */
} throng_air;

#endif
