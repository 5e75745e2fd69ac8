/* Which corners see each other: a rotational plane sweep (de Berg, van Kreveld,
 * Overmars and Schwarzkopf, Computational Geometry, chapter 15). */
#ifndef THRONG_ROADMAP_SWEEP_H
#define THRONG_ROADMAP_SWEEP_H

#include "map/map.h"

/* The outline of free space as closed rings of corners: the side from each corner to its next has the free
 * side on its left. No corner lies on the line between its neighbours, and sides meet at corners only. All
 * coordinates lie on one grid of a power of two, within 2^24 steps, so that every turn is exact. */
typedef struct throng_outline {
    throng_point *at; /* [count] m */
    int32_t *next, *previous;
    int32_t count;
} throng_outline;

/* A corner that a shortest path can bend at: the obstacle's inner angle is less than half a turn. */
bool throng_outline_is_reflex(const throng_outline *outline, int32_t corner);

typedef struct throng_sweep throng_sweep;

/* NULL when memory is out. */
throng_sweep *throng_sweep_create(const throng_outline *outline);
void throng_sweep_destroy(throng_sweep *sweep);

/* Writes the reflex corners, in order of angle, that see corner `from` (itself reflex) with no other corner
 * between, such that the line through both enters the obstacle at neither. Returns how many: at most
 * outline->count. O(n log n). */
int32_t throng_sweep_around(throng_sweep *sweep, int32_t from, int32_t *seen);

#endif
