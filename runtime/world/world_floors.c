#include "world_floors.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "map/map_sheets.h"
#include "world_parts.h"

/* The halves of a flight are one to those who listen, and so is a lift at all of its floors. */
static int32_t place_of(const throng_map_sheets *s, int32_t sheet)
{
    int32_t stop = throng_map_stop_of(s, sheet);
    return stop >= 0 ? s->stops[s->lifts[s->stops[stop].lift].first].sheet : throng_map_first_of_part(s, sheet);
}

bool throng_world_watch_floors(throng_world *w, throng_error *error)
{
    const throng_map_sheets *s = w->map ? w->map->sheets : NULL;
    if (!s)
        return throng_fail(error, "this world has one floor: make its map by throng.building");
    if (w->floors.watched)
        return true;
    w->floors.place = malloc((size_t)s->count * sizeof *w->floors.place);
    if (!w->floors.place)
        return throng_fail(error, "out of memory for %d floors", s->count);
    for (int32_t i = 0; i < s->count; i++)
        w->floors.place[i] = place_of(s, i);
    w->floors.watched = true;
    return true;
}

bool throng_world_floors_before(throng_world *w, throng_error *error)
{
    world_floors *f = &w->floors;
    int32_t slots = throng_agents_slots(w->agents);
    f->changed = 0;
    if (!f->watched || !slots)
        return true;
    const int32_t *floor = throng_agents_read(w->agents, THRONG_COLUMN_floor, error);
    if (!floor)
        return false;
    if (!throng_array_reserve((void **)&f->before, &f->room, slots, sizeof *f->before))
        return throng_fail(error, "out of memory for the floors of %d agents", slots);
    memcpy(f->before, floor, (size_t)slots * sizeof *floor);
    return true;
}

static int by_floors(const void *a, const void *b)
{
    const throng_floor_change *p = a, *q = b;
    if (p->from != q->from)
        return p->from < q->from ? -1 : 1;
    if (p->to != q->to)
        return p->to < q->to ? -1 : 1;
    return (p->agent.slot > q->agent.slot) - (p->agent.slot < q->agent.slot);
}

bool throng_world_floors_after(throng_world *w, throng_error *error)
{
    world_floors *f = &w->floors;
    int32_t slots = f->watched ? throng_agents_slots(w->agents) : 0;
    if (!slots)
        return true;
    const int32_t *floor = throng_agents_read(w->agents, THRONG_COLUMN_floor, error);
    const int32_t *state = floor ? throng_agents_read(w->agents, THRONG_COLUMN_state, error) : NULL;
    if (!state)
        return false;
    for (int32_t s = 0; s < slots; s++) { /* nobody comes or goes in a frame */
        if (!state[s] || f->place[floor[s]] == f->place[f->before[s]])
            continue;
        if (!throng_array_reserve((void **)&f->changes, &f->changes_room, f->changed + 1, sizeof *f->changes))
            return throng_fail(error, "out of memory for those who came to another floor");
        f->changes[f->changed++] =
            (throng_floor_change){throng_agents_handle(w->agents, s), f->place[f->before[s]], f->place[floor[s]]};
    }
    if (f->changed)
        qsort(f->changes, (size_t)f->changed, sizeof *f->changes, by_floors);
    return true;
}

const throng_floor_change *throng_world_floor_changes(const throng_world *w, int32_t *count)
{
    *count = w->floors.changed;
    return w->floors.changes;
}

void throng_world_free_floors(throng_world *w)
{
    free(w->floors.place);
    free(w->floors.before);
    free(w->floors.changes);
}
