/* The potential of a goal by nested dissection (kernels/routing/fronts.h), for runtime/navigation/field.c. */
#ifndef THRONG_FIELD_FRONTS_H
#define THRONG_FIELD_FRONTS_H

#include <stdbool.h>
#include <stdint.h>

/* Writes q = 1 - p of the free cells to `q` [rows * columns]. `cells`: throng_field_cell; `given`, likewise: q of the
 * goal's cells; NULL: 1. What is below e^FIELD_LOWEST is not to be relied on. `solved`: false when own rows have more
 * than `most` entries, or a side more than FRONTS_SIDE_MAX cells. Large grids are solved by `threads` threads, to the
 * same bits. False when memory is out, or it was given up (throng_given_up). */
bool throng_field_dissect(const uint8_t *cells, int32_t columns, int32_t rows, const double *given, int64_t most,
                          int32_t threads, double *q, bool *solved);

#endif
