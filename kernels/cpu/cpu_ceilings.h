/* What this processor can do at most, measured. */
#ifndef THRONG_CPU_CEILINGS_H
#define THRONG_CPU_CEILINGS_H

#include <stdbool.h>

#include "stages/backend.h"
#include "base/pool.h"

/* With all threads of the pool and vectors of `lanes` floats; takes about a third of a second. False: out of memory. */
bool cpu_ceilings_measure(pool *pool, int lanes, throng_ceilings *ceilings);

#endif
