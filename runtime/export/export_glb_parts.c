#include "export_glb.h"

int32_t throng_glb_sizes(const throng_glb *g, const throng_export_track *t, int32_t moment[THRONG_GLB_SIZES],
                         int size[THRONG_GLB_SIZES])
{
    int32_t count = 0;
    if (t->first > 0)
        moment[count] = 0, size[count++] = 0;
    moment[count] = t->first, size[count++] = 1;
    if (t->last + 1 < g->tracks.moments)
        moment[count] = t->last + 1, size[count++] = 0;
    return count;
}

void throng_glb_corner(const throng_glb *g, int32_t i, float point[3])
{
    throng_point place = g->plan.corners[i];
    int32_t floor = throng_export_floor_at(g->source, g->plan.corners[i / 3 * 3]);
    throng_noted_spot p = throng_noted_spot_of(&g->source->notes, floor, place);
    point[0] = (float)p.x;
    point[1] = (float)p.z;
    point[2] = (float)-p.y;
}
