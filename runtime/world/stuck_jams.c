/* Jams: those who are stuck for the same cause near each other. */
#include <stdlib.h>

#include "map/geometry.h"
#include "stuck_parts.h"

static const double JAM = 2; /* m: who is nearer to another of a jam belongs to it */

typedef struct jams {
    throng_stuck *list;
    int32_t *entry; /* [slots] index in the list */
    int32_t *open;  /* [count] entries whose neighbours are still to be looked at */
    int32_t opened, now;
} jams;

static bool join(void *context, int32_t slot)
{
    jams *j = context;
    const throng_stuck *now = &j->list[j->now];
    throng_stuck *other = &j->list[j->entry[slot]];
    if (other->jam < 0 && other->cause == now->cause && throng_distance(other->place, now->place) <= JAM) {
        other->jam = now->jam;
        j->open[j->opened++] = j->entry[slot];
    }
    return false;
}

bool throng_stuck_number_jams(throng_stuck *list, int32_t count, int32_t slots, throng_error *error)
{
    near_points near;
    jams j = {.list = list};
    j.entry = malloc(((size_t)slots + 1) * sizeof *j.entry);
    j.open = malloc(((size_t)count + 1) * sizeof *j.open);
    bool fine = throng_near_points_open(&near, JAM, slots, error) &&
                ((j.entry && j.open) || throng_fail(error, "out of memory for the jams of %d agents", count));
    for (int32_t i = count - 1; fine && i >= 0; i--) {
        j.entry[list[i].agent.slot] = i;
        throng_near_points_add(&near, list[i].place, list[i].agent.slot);
    }
    for (int32_t i = 0, jam = 0; fine && i < count; i++) {
        if (list[i].jam >= 0)
            continue;
        list[i].jam = jam++;
        j.open[j.opened++] = i;
        while (j.opened) {
            j.now = j.open[--j.opened];
            throng_near_points_visit(&near, list[j.now].place, join, &j);
        }
    }
    throng_near_points_close(&near);
    free(j.entry);
    free(j.open);
    return fine;
}
