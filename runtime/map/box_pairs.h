/* Which boxes of one list meet which of another, in less than all pairs. */
#ifndef THRONG_BOX_PAIRS_H
#define THRONG_BOX_PAIRS_H

#include "map.h"

typedef struct throng_box_pairs {
    int32_t *start; /* [count of `a` + 1]: box i of `a` meets boxes list[start[i]] .. list[start[i + 1] - 1] of `b`, */
    int32_t *list;  /* in their order */
} throng_box_pairs;

/* Boxes that touch meet. False, with nothing to free, when memory is out. */
bool throng_box_pairs_find(const throng_bounds *a, int32_t a_count, const throng_bounds *b, int32_t b_count,
                           throng_box_pairs *pairs);
void throng_box_pairs_fini(throng_box_pairs *pairs);

/* The box round points, `more` metres wider on all sides. */
throng_bounds throng_box_round(const throng_point *points, int32_t count, double more);

#endif
