/* Who is on each floor of a building over time, for the timeline. */
#include "view_parts.h"

#include <string.h>

#include "base/array.h"

bool throng_timeline_count_floors(throng_viewer *viewer, throng_error *error)
{
    throng_timeline *t = &viewer->timeline;
    const throng_map_sheets *sheets = throng_floors_sheets(viewer);
    if (!sheets || !throng_past_is_cheap(viewer))
        return true;
    throng_agents *agents = throng_world_agents(throng_viewer_world(viewer));
    int32_t floors = throng_map_floors(sheets), second = (int32_t)throng_world_time(throng_viewer_world(viewer));
    const int32_t *state = throng_agents_read(agents, THRONG_COLUMN_state, error);
    const int32_t *sheet = state && throng_agents_uses(agents, THRONG_COLUMN_floor)
                               ? throng_agents_read(agents, THRONG_COLUMN_floor, error)
                               : NULL;
    if (!state || !throng_floors_settle(viewer, error))
        return false;
    if (!throng_array_reserve((void **)&t->people, &t->people_room, ((int64_t)second + 1) * floors, sizeof *t->people))
        return throng_fail(error, "out of memory for the timeline");
    for (; t->people_seconds <= second; t->people_seconds++)
        memset(t->people + (size_t)t->people_seconds * (size_t)floors, 0, (size_t)floors * sizeof *t->people);
    int32_t *now = t->people + (size_t)second * (size_t)floors;
    memset(now, 0, (size_t)floors * sizeof *now);
    for (int32_t slot = 0; slot < throng_agents_slots(agents); slot++)
        if (state[slot] & THRONG_STATE_ALIVE)
            now[viewer->floors.floor_of[sheet ? sheet[slot] : 0]]++;
    return true;
}
