/* Outlines with few corners: pixel stairs become straight walls. */
#ifndef THRONG_MAP_SIMPLIFY_H
#define THRONG_MAP_SIMPLIFY_H

#include "ring_list.h"

typedef struct throng_simplify {
    double tolerance; /* m: an outline may move this far, */
    double slack;     /* m: and this much more where the corner that tracing cut off is put back */
    double deviation; /* m, out: how far one did */
} throng_simplify;

/* Replaces the rings by simpler ones. Corners are chosen by Douglas and Peucker
 * (1973), then each wall is fitted to all the points between its corners, and
 * corners are put where walls meet. Where that makes walls cross, the tolerance
 * there is halved until they do not, or meet as they did, so rings stay as simple
 * and as nested as they were. False when memory is out. */
bool throng_map_simplify(throng_ring_list *rings, throng_simplify *how);

#endif
