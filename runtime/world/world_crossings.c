/* Places that somebody watches, and who comes into them or goes out. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "world_parts.h"

void throng_world_free_crossings(throng_world *w)
{
    world_crossings *x = &w->crossings;
    void *arrays[] = {x->corner, x->end, x->least, x->most, x->list};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        free(arrays[i]);
}

static bool is_watched(const throng_places *p, const throng_region *area)
{
    size_t bytes = (size_t)area->count * sizeof *area->points;
    for (int32_t i = 0, first = 0; i < p->count; first = p->end[i++])
        if (p->end[i] - first == area->count && memcmp(p->corner + first, area->points, bytes) == 0)
            return true;
    return false;
}

/* For one more. */
static bool reserve(world_crossings *x, int32_t corners)
{
    int32_t polygons = x->table.count + 1, room[] = {x->room, x->room, x->room};
    if (!throng_array_reserve((void **)&x->corner, &x->corner_room, (int64_t)x->table.corners + corners,
                              sizeof *x->corner) ||
        !throng_array_reserve((void **)&x->end, &room[0], polygons, sizeof *x->end) ||
        !throng_array_reserve((void **)&x->least, &room[1], polygons, sizeof *x->least) ||
        !throng_array_reserve((void **)&x->most, &room[2], polygons, sizeof *x->most))
        return false;
    x->room = room[0];
    return true;
}

static bool add_place(world_crossings *x, const throng_region *area)
{
    throng_places *p = &x->table;
    if (!reserve(x, area->count))
        return false;
    throng_point low = area->points[0], high = low;
    for (int32_t i = 0; i < area->count; i++) {
        throng_point corner = area->points[i];
        x->corner[p->corners++] = corner;
        low = (throng_point){fmin(low.x, corner.x), fmin(low.y, corner.y)};
        high = (throng_point){fmax(high.x, corner.x), fmax(high.y, corner.y)};
    }
    x->end[p->count] = p->corners;
    x->least[p->count] = low;
    x->most[p->count++] = high;
    return true;
}

bool throng_world_watch_place(throng_world *w, const throng_region *areas, int32_t count, throng_error *error)
{
    world_crossings *x = &w->crossings;
    bool fine = true;
    for (int32_t i = 0; i < count && fine; i++) {
        fine = is_watched(&x->table, &areas[i]) || add_place(x, &areas[i]) ||
               throng_fail(error, "out of memory for a place of %d corners", areas[i].count);
        x->table.corner = x->corner; /* also where there was memory for some of them */
        x->table.end = x->end;
        x->table.least = x->least;
        x->table.most = x->most;
    }
    x->changed = true;
    return fine;
}

bool throng_world_upload_places(throng_world *w, throng_error *error)
{
    if (w->crossings.changed && !w->stages.api->set_places(w->stages.backend, &w->crossings.table, error))
        return false;
    w->crossings.changed = false;
    return true;
}

static bool fetch(throng_world *w, throng_error *error)
{
    world_crossings *x = &w->crossings;
    const throng_crossing *list;
    int32_t count;
    if (!throng_stages_crossings(&w->stages, &list, &count, error))
        return false;
    if (!throng_array_reserve((void **)&x->list, &x->list_room, count, sizeof *x->list))
        return throng_fail(error, "out of memory for %d agents who cross into places", count);
    for (int32_t i = 0; i < count; i++)
        x->list[i] = (throng_crossed){throng_agents_handle(w->agents, list[i].slot),
                                      list[i].is_new,
                                      {(double)list[i].from_x, (double)list[i].from_y},
                                      {(double)list[i].to_x, (double)list[i].to_y}};
    x->count = count;
    return true;
}

bool throng_world_crossings(throng_world *w, const throng_crossed **list, int32_t *count, throng_error *error)
{
    if (w->crossings.step != w->step) {
        w->crossings.count = 0;
        if (w->step && w->frame.agents && !fetch(w, error))
            return false;
        w->crossings.step = w->step;
    }
    *list = w->crossings.list;
    *count = w->crossings.count;
    return true;
}
