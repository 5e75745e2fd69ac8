/* Whom a measure counts, and the place where. */
#include "map/map_geos.h"
#include "measure_parts.h"

static bool has_id(const throng_measure *m, int32_t id)
{
    int32_t low = 0, high = m->def.id_count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (m->ids[middle] < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < m->def.id_count && m->ids[low] == id;
}

bool throng_measure_counts(const throng_measure *m, const measure_view *v, int32_t slot)
{
    return (v->state[slot] & THRONG_STATE_ALIVE) && (m->def.spawn < 0 || v->kind[slot] == m->def.spawn) &&
           (!m->ids || has_id(m, v->id[slot]));
}

GEOSGeometry *throng_measure_place(throng_geos *geos, const throng_measure *m)
{
    const throng_region *regions = m->regions;
    GEOSGeometry *all = throng_geos_polygon(geos, regions[0].points, regions[0].count);
    for (int32_t i = 1; all && i < m->def.region_count; i++) {
        GEOSGeometry *one = throng_geos_polygon(geos, regions[i].points, regions[i].count);
        throng_geos_replace(geos, &all, one ? GEOSUnion_r(geos->handle, all, one) : NULL);
        throng_geos_free(geos, one);
    }
    return all;
}
