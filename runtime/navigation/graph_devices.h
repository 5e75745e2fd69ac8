/* Several devices as one backend for batches of paths: each answers a share of the queries, at the same time. */
#ifndef THRONG_GRAPH_DEVICES_H
#define THRONG_GRAPH_DEVICES_H

#include "stages/backend.h"

enum { THRONG_GRAPH_DEVICES_MAX = 64 };

/* Opens `count` devices of the backend, by number; one may be named more than once. What throng_graph_paths gives is
 * what one of them gives, to the bit. They answer batches of paths and nothing else, unless there is one. */
bool throng_graph_devices_open(const char *backend, const int32_t *device, int32_t count, throng_stages *stages,
                               throng_error *error);

#endif
