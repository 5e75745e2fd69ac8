#include "cpu.h"
#include "kernels/planners/probe.h"

void cpu_local_map(const crowd *c, int32_t slot, throng_local_map *map)
{
    lane_m all = lane_not(lane_none());
    int32_t i = c->rank[slot];
    bvp_layout layout = bvp_layout_of(c, slot);
    bvp_maps maps;
    bvp_map m;
    float dx, dy;
    plan_desired(c, i, all, slot, &dx, &dy);
    bvp_solve(c, i, all, slot, &layout, dx, dy, &m, &maps);
    probe_head(&m, map);
    for (int k = 0; k < m.width * m.height; k++)
        probe_cell(&m, k % m.width, k / m.width, maps.q[k], maps.changes[k], map);
}

void cpu_choice(const crowd *c, int32_t slot, throng_choice *choice) { probe_choice(c, slot, choice); }
