/* Whom smoke or heat has overcome: column `pace` is 0. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "world_parts.h"

void throng_world_free_overcome(throng_world *w)
{
    free(w->overcome.known);
    free(w->overcome.newly);
}

/* Room for all slots; new ones are known as nobody. */
static bool grow(world_overcome *o, int32_t slots, throng_error *error)
{
    int32_t before = o->known_room;
    if (!throng_array_reserve((void **)&o->known, &o->known_room, slots, sizeof *o->known) ||
        !throng_array_reserve((void **)&o->newly, &o->newly_room, slots, sizeof *o->newly))
        return throng_fail(error, "out of memory for whom smoke has overcome, of %d agents", slots);
    if (o->known_room > before)
        memset(o->known + before, 0, (size_t)(o->known_room - before) * sizeof *o->known);
    return true;
}

bool throng_world_newly_overcome(throng_world *w, const throng_handle **list, int32_t *count, throng_error *error)
{
    world_overcome *o = &w->overcome;
    int32_t slots = throng_agents_slots(w->agents);
    *count = 0;
    *list = o->newly;
    if (!throng_agents_uses(w->agents, THRONG_COLUMN_pace))
        return true;
    const float *pace = throng_agents_read(w->agents, THRONG_COLUMN_pace, error);
    const int32_t *state = throng_agents_read(w->agents, THRONG_COLUMN_state, error);
    if (!pace || !state || !grow(o, slots, error))
        return false;
    for (int32_t s = 0; s < slots; s++) {
        bool down = state[s] && pace[s] == 0;
        throng_handle agent = down ? throng_agents_handle(w->agents, s) : (throng_handle){0};
        if (down && o->known[s] != agent.generation)
            o->newly[(*count)++] = agent;
        o->known[s] = agent.generation;
    }
    *list = o->newly;
    return true;
}
