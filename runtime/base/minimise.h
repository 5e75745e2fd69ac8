/* The least of a function of several numbers whose slopes nobody knows, by NLopt (https://nlopt.readthedocs.io), which
 * is loaded when it is first wanted. Knows no Lua. */
#ifndef THRONG_MINIMISE_H
#define THRONG_MINIMISE_H

#include <stdbool.h>
#include <stdint.h>

#include "error.h"

enum { THRONG_MINIMISE_MOST = 32 }; /* numbers */

typedef struct throng_minimise_def {
    const char *algorithm; /* NLopt's name, "GN_CRS2_LM" */
    int32_t count;         /* numbers, from 1 to THRONG_MINIMISE_MOST */
    double *x;             /* [count] each in [0, 1]: where to begin; after it, the best */
    double step;           /* of local algorithms: how far to look first */
    int32_t evaluations;   /* calls at most */
    uint32_t seed;         /* of global algorithms */
    /* The function's value, *stop = true: enough. Not called again after that. */
    double (*value)(const double *x, void *owner, bool *stop);
    void *owner;
} throng_minimise_def;

/* False: NLopt is not there, or does not know the algorithm; the text says how to get it. The same numbers on every
 * machine that has the same NLopt and the same values. */
bool throng_minimise(const throng_minimise_def *def, throng_error *error);

#endif
