/* Elimination of a front's own cells from its matrix, for field_fronts.c. */
#ifndef THRONG_FIELD_ELIMINATE_H
#define THRONG_FIELD_ELIMINATE_H

#include <stdint.h>

#include "base/pool.h"

enum { FIELD_GROUP = 8 /* rows, and columns, whose entries lie together */, FIELD_BLOCK = 128 /* own rows at once */ };

/* A symmetric matrix from its diagonal on. A group of rows begins in the column of its first, so that below the
 * diagonal no more than squares of FIELD_GROUP are stored. All is aligned to FIELD_GROUP doubles. */
typedef struct front_matrix {
    int32_t own;   /* rows that are eliminated */
    int32_t first; /* row and column of what is around: own in whole groups */
    int32_t width; /* columns: `first`, and what is around in whole groups */
    int32_t end;   /* rows that there are: `width`, or `first` where nobody asks for the others */
    double *rows;  /* up to `first` */
    double *rest;  /* the rows behind, a matrix of their own */
} front_matrix;

static inline int32_t field_whole_groups(int32_t n) { return (n + FIELD_GROUP - 1) / FIELD_GROUP * FIELD_GROUP; }

/* Where a row of a matrix of so many columns would have its column 0. */
static inline int64_t field_row(int32_t width, int32_t row)
{
    int64_t group = row / FIELD_GROUP, in = row % FIELD_GROUP;
    return (int64_t)row * width - FIELD_GROUP * group * (4 * group - 3 + in);
}

/* Entries of the first so many rows. */
static inline int64_t field_entries(int32_t width, int32_t rows)
{
    return field_row(width, rows) + rows / FIELD_GROUP * FIELD_GROUP;
}

static inline double *front_row(const front_matrix *m, int32_t row)
{
    return row < m->first ? m->rows + field_row(m->width, row)
                          : m->rest + field_row(m->width - m->first, row - m->first) - m->first;
}

/* Subtracts from all rows their part in each own row before them, in the order of these; own rows' diagonals become
 * 1 / themselves. `packed`: [the lesser of FIELD_BLOCK and `first`, times width], aligned likewise. `pool`: NULL for
 * one thread. */
void throng_field_eliminate(const front_matrix *m, double *packed, pool *pool);

#endif
