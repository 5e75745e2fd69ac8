/* What the parts of a field's solution on CUDA share: its fronts, level after level (kernels/routing/fronts.h). */
#ifndef THRONG_CUDA_FIELDS_CUH
#define THRONG_CUDA_FIELDS_CUH

#include "cuda.cuh"

#include "kernels/routing/field_directions.h"

enum {
    FIELDS_DEPTH_MAX = 32,
    FIELDS_SIZE_MAX = 6000,       /* of a front: what kernel_field_follow has in shared memory */
    FIELDS_ENTRIES_MAX = 96 << 20 /* 8 bytes each, as many as were tried; what is larger the host solves */
};

/* Where things of a front begin: its own rows, its places, its own cells, what it leaves (from the level's first on).
 */
struct front_sums {
    long long rows, listed, own, rest;
};

struct front_shape {
    int32_t own, size;
};

struct field_totals {
    front_sums at[FIELDS_DEPTH_MAX + 1]; /* of the first front of each level, and behind the last */
    int32_t own[FIELDS_DEPTH_MAX], size[FIELDS_DEPTH_MAX], ring[FIELDS_DEPTH_MAX]; /* the largest */
    int32_t reached, lost;
};

/* A field as the kernels see it. */
struct field_job {
    fronts g;
    const front_shape *shape; /* of all fronts, level after level */
    const front_sums *sums;
    double *rows;             /* own rows of all fronts, [own][size] each */
    double *over;             /* 1 / the diagonal of each own row */
    int32_t *cells;           /* of the fronts' places */
    int32_t *from_a, *from_b; /* where they are in what the halves left; -1: nowhere */
    double *q, *u;
    uint8_t *ring;
    float *x, *y, *aim, *level;
    field_totals *totals;
};

/* Eliminates all fronts, from the deepest level to the first; `rest`: what those of even and of odd levels leave. */
void cuda_field_eliminate(const field_job *j, const field_totals *t, double *const *rest, cudaStream_t stream);
/* q of all cells, from the first level to the deepest. */
void cuda_field_follow(const field_job *j, const field_totals *t, cudaStream_t stream);

#endif
