/* Agents whose movement is somebody else's: a program puts them where they are by now. */
#include "map/geometry.h"
#include "map/map_sheets.h"
#include "world_parts.h"

typedef struct placed {
    throng_world *world;
    world_sizes sizes;
    const int32_t *floor; /* NULL: there is one */
} placed;

/* Is there room for its body, and on its floor? */
static bool fits(const placed *p, int32_t slot, throng_point at, int32_t number, throng_error *error)
{
    const throng_world *w = p->world;
    if (!throng_world_takes(w, at, number, error))
        return false;
    const throng_map_sheets *sheets = w->map ? w->map->sheets : NULL;
    int32_t sheet = sheets && p->floor ? p->floor[slot] : 0;
    if (sheets && throng_map_stop_of(sheets, sheet) >= 0)
        return throng_fail(error, "agent %d rides in a lift, which carries it", number);
    throng_point place = throng_map_place(w->map, sheet, (throng_point){(float)at.x, (float)at.y});
    double reach = throng_world_reach(&p->sizes, slot);
    if (w->floor &&
        (!throng_map_fits(w->floor, place, reach * 0.999) || (sheets && throng_map_sheet_at(w->map, place) != sheet)))
        return throng_world_refuse_wall(w, &p->sizes, slot, at, number,
                                        sheets ? ", or off the agent's floor: it walks to others" : "", error);
    return true;
}

bool throng_world_put(throng_world *world, const throng_handle *agents, const throng_point *positions, int32_t count,
                      throng_error *error)
{
    throng_agents *a = world->agents;
    placed p = {.world = world};
    bool floors = world->sheets.table.count > 0;
    if (floors && !(p.floor = throng_agents_read(a, THRONG_COLUMN_floor, error)))
        return false;
    if (!throng_world_read_sizes(a, &p.sizes, error))
        return false;
    for (int32_t i = 0; i < count; i++)
        if (!fits(&p, agents[i].slot, positions[i], i + 1, error))
            return false;
    float *x = throng_agents_write(a, THRONG_COLUMN_x, error);
    float *y = x ? throng_agents_write(a, THRONG_COLUMN_y, error) : NULL;
    for (int32_t i = 0; y && i < count; i++) {
        x[agents[i].slot] = (float)positions[i].x;
        y[agents[i].slot] = (float)positions[i].y;
    }
    return y != NULL;
}
