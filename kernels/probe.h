/* Local maps to look at, one agent's at a time: for lanes of one. */
#ifndef THRONG_KERNEL_PROBE_H
#define THRONG_KERNEL_PROBE_H

#include "bvp.h"
#include "local_map.h"

LANE_FN void probe_cell(const bvp_map *m, int i, int j, float q, float rate, throng_local_map *map)
{
    map->potential[j * m->size + i] = 1 - q;
    map->zone[j * m->size + i] = rate > 0 ? THRONG_ZONE_FREE : q > 0 ? THRONG_ZONE_GOAL : THRONG_ZONE_OBSTACLE;
}

/* All but the cells. */
LANE_FN void probe_head(const bvp_map *m, throng_local_map *map)
{
    map->size = m->size;
    map->x = m->x;
    map->y = m->y;
    map->cell = m->cell;
    map->to_x = m->to_x;
    map->to_y = m->to_y;
}

#endif
