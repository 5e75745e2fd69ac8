/* Moving AI scenarios (`.scen`, version 1): queries on a grid map, with the length of the shortest octile path. */
#ifndef THRONG_PATH_SCENARIO_H
#define THRONG_PATH_SCENARIO_H

#include "map/map.h"

typedef struct throng_path_query {
    int32_t from_x, from_y, to_x, to_y; /* cells of a grid of the scenario's size; (0, 0) is the upper left one */
    double optimum;                     /* cells */
} throng_path_query;

typedef struct throng_path_scenario {
    int32_t width, height; /* cells: of the map as the scenario takes it; may be a multiple of the map's */
    throng_path_query *queries;
    int32_t count;
} throng_path_scenario;

/* False and a message naming file, line and field when it cannot be read or is no such scenario. */
bool throng_path_scenario_read(const char *path, throng_path_scenario *scenario, throng_error *error);
void throng_path_scenario_fini(throng_path_scenario *scenario);

#endif
