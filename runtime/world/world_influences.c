/* What scripts put into the world to be avoided or sought: weights of pairs of groups, and hazards. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "world_parts.h"

void throng_world_free_influences(throng_world *w)
{
    free(w->influences.weights);
    free(w->influences.hazards);
    free(w->influences.shown);
}

/* --- pairs of groups ------------------------------------------------------------------------ */

/* Room for all groups that there are; new pairs weigh 1. */
static bool grow_weights(world_influences *all, int32_t groups, throng_error *error)
{
    if (groups <= all->groups)
        return true;
    float *weights = malloc((size_t)groups * (size_t)groups * sizeof *weights);
    if (!weights)
        return throng_fail(error, "out of memory for the weights of %d groups", groups);
    for (int32_t i = 0; i < groups; i++)
        for (int32_t j = 0; j < groups; j++)
            weights[i * groups + j] = i < all->groups && j < all->groups ? all->weights[i * all->groups + j] : 1;
    throng_array_abandon(all->weights);
    all->weights = weights;
    all->groups = groups;
    all->changed = true;
    return true;
}

bool throng_world_set_avoidance(throng_world *w, int32_t group, int32_t of, float weight, throng_error *error)
{
    world_influences *all = &w->influences;
    if (!grow_weights(all, w->groups.count, error))
        return false;
    all->weights[group * all->groups + of] = weight;
    all->changed = true;
    return true;
}

/* --- hazards ------------------------------------------------------------------------------- */

static world_hazard *find(throng_world *w, int32_t id)
{
    for (int32_t i = 0; i < w->influences.hazard_count; i++)
        if (w->influences.hazards[i].id == id)
            return &w->influences.hazards[i];
    return NULL;
}

int32_t throng_world_add_hazard(throng_world *w, const throng_moving_hazard *hazard, throng_error *error)
{
    world_influences *all = &w->influences;
    int64_t room = (int64_t)all->hazard_count + 1;
    all->changed = true; /* they may move */
    if (!throng_array_reserve((void **)&all->hazards, &all->hazard_room, room, sizeof *all->hazards) ||
        !throng_array_reserve((void **)&all->shown, &all->shown_room, room, sizeof *all->shown)) {
        throng_fail(error, "out of memory for a hazard");
        return -1;
    }
    all->hazards[all->hazard_count++] = (world_hazard){all->next_id, *hazard};
    return all->next_id++;
}

bool throng_world_hazard(throng_world *w, int32_t id, throng_moving_hazard *hazard)
{
    const world_hazard *found = find(w, id);
    if (found)
        *hazard = found->hazard;
    return found != NULL;
}

void throng_world_set_hazard(throng_world *w, int32_t id, const throng_moving_hazard *hazard)
{
    world_hazard *found = find(w, id);
    if (!found)
        return;
    found->hazard = *hazard;
    w->influences.changed = true;
}

void throng_world_remove_hazard(throng_world *w, int32_t id)
{
    world_influences *all = &w->influences;
    world_hazard *found = find(w, id);
    if (!found)
        return;
    memmove(found, found + 1, (size_t)(all->hazards + all->hazard_count - found - 1) * sizeof *found);
    all->hazard_count--;
    all->changed = true;
}

void throng_world_move_hazards(throng_world *w)
{
    world_influences *all = &w->influences;
    for (int32_t i = all->hazard_count - 1; i >= 0; i--) {
        throng_moving_hazard *h = &all->hazards[i].hazard;
        h->x += h->vx * w->dt;
        h->y += h->vy * w->dt;
        h->seconds -= w->dt;
        all->changed = all->changed || h->vx != 0 || h->vy != 0;
        if (h->seconds < 0.5 * w->dt)
            throng_world_remove_hazard(w, all->hazards[i].id);
    }
}

uint64_t throng_world_mix_hazards(const throng_world *w, uint64_t hash)
{
    for (int32_t i = 0; i < w->influences.hazard_count; i++) {
        const throng_moving_hazard *h = &w->influences.hazards[i].hazard;
        const double state[] = {h->x, h->y, h->vx, h->vy, h->reach, h->weight, h->seconds};
        uint64_t bits[sizeof state / sizeof *state];
        memcpy(bits, state, sizeof bits);
        for (size_t k = 0; k < sizeof bits / sizeof *bits; k++)
            hash = throng_world_mix(hash, bits[k]);
        if (w->sheets.table.count)
            hash = throng_world_mix(hash, (uint64_t)h->sheet);
    }
    return hash;
}

bool throng_world_upload_influences(throng_world *w, throng_error *error)
{
    world_influences *all = &w->influences;
    if (!all->changed)
        return true;
    for (int32_t i = 0; i < all->hazard_count; i++) {
        const throng_moving_hazard *h = &all->hazards[i].hazard;
        all->shown[i] = (throng_hazard){(float)h->x, (float)h->y, (float)h->reach, (float)h->weight, h->sheet};
    }
    const throng_influences given = {all->groups, all->hazard_count, all->weights, all->shown};
    if (!w->stages.api->set_influences(w->stages.backend, &given, error))
        return false;
    all->changed = false;
    return true;
}
