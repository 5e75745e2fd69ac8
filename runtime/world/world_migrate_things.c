/* Bodies and hazards in a world that goes on: the one that the file makes as it did before is where it is now, or gone.
 * Those that callbacks made go on. */
#include <stdlib.h>
#include <string.h>

#include "world_migrate_parts.h"

/* ---- at first */

static bool take_bodies(world_things *t, const throng_world *w)
{
    const throng_bodies *bodies = w->bodies.all;
    int32_t slots = t->body_slots = bodies ? throng_bodies_slots(bodies) : 0;
    t->body = calloc((size_t)slots + 1, sizeof *t->body);
    t->handle = calloc((size_t)slots + 1, sizeof *t->handle);
    t->generation = calloc((size_t)slots + 1, sizeof *t->generation);
    bool ok = t->body && t->handle && t->generation;
    for (int32_t s = 0; ok && s < slots; s++) {
        throng_handle handle = throng_bodies_handle(bodies, s);
        t->generation[s] = handle.generation;
        if (!throng_bodies_alive(bodies, handle))
            continue;
        throng_bodies_get(bodies, handle, &t->body[t->bodies]);
        t->handle[t->bodies++] = handle;
    }
    return ok;
}

bool throng_things_take(world_things *t, const throng_world *w, throng_error *error)
{
    size_t hazards = (size_t)w->influences.hazard_count;
    *t = (world_things){.hazards = w->influences.hazard_count, .next_hazard = w->influences.next_id};
    t->hazard = calloc(hazards + 1, sizeof *t->hazard);
    if (!t->hazard || !take_bodies(t, w))
        return throng_fail(error, "out of memory for the first values of bodies");
    if (hazards)
        memcpy(t->hazard, w->influences.hazards, hazards * sizeof *t->hazard);
    return true;
}

void throng_things_fini(world_things *t)
{
    free(t->body);
    free(t->handle);
    free(t->generation);
    free(t->hazard);
}

/* ---- now */

static bool same_body(const throng_body *a, const throng_body *b)
{
    return a->x == b->x && a->y == b->y && a->angle == b->angle && a->vx == b->vx && a->vy == b->vy &&
           a->spin == b->spin && a->mass == b->mass && a->friction == b->friction && a->radius == b->radius &&
           a->fixed == b->fixed && a->sheet == b->sheet;
}

/* The first body from `from` on that was the same at first, -1: none. */
static int32_t find_body(const world_things *t, int32_t from, const throng_body *like)
{
    for (int32_t i = from; i < t->bodies; i++)
        if (same_body(&t->body[i], like))
            return i;
    return -1;
}

static bool migrate_body(const migrating *c, throng_handle from, throng_handle to, throng_error *error)
{
    throng_body now;
    if (!throng_bodies_alive(c->old->bodies.all, from))
        return throng_world_remove_body(c->fresh, to, error);
    throng_bodies *bodies = throng_world_change_bodies(c->fresh);
    throng_bodies_get(c->old->bodies.all, from, &now);
    throng_bodies_put(bodies, to, now.sheet, now.x, now.y, now.angle);
    throng_bodies_send(bodies, to, now.vx, now.vy, now.spin);
    return true;
}

/* In the order in which they were made, so that of equal ones each is another. */
static bool migrate_bodies(const migrating *c, const world_things *before, const world_things *after,
                           throng_error *error)
{
    for (int32_t i = 0, from = 0; i < after->bodies; i++) {
        int32_t was = find_body(before, from, &after->body[i]);
        if (was < 0)
            continue;
        from = was + 1;
        if (!migrate_body(c, before->handle[was], after->handle[i], error))
            return false;
    }
    return true;
}

static bool made_at_first(const world_things *t, throng_handle body)
{
    for (int32_t i = 0; i < t->bodies; i++)
        if (t->handle[i].slot == body.slot && t->handle[i].generation == body.generation)
            return true;
    return false;
}

static bool migrate_later_bodies(const migrating *c, const world_things *before, throng_error *error)
{
    const throng_bodies *old = c->old->bodies.all;
    for (int32_t s = 0; s < throng_bodies_slots(old); s++) {
        throng_handle handle = throng_bodies_handle(old, s);
        if (!throng_bodies_alive(old, handle) || made_at_first(before, handle))
            continue;
        throng_bodies *bodies = throng_world_need_bodies(c->fresh, error);
        if (!bodies || !throng_bodies_copy(bodies, old, handle, error))
            return false;
    }
    if (c->fresh->bodies.made < c->old->bodies.made)
        c->fresh->bodies.made = c->old->bodies.made;
    return true;
}

static bool same_hazard(const throng_moving_hazard *a, const throng_moving_hazard *b)
{
    return a->x == b->x && a->y == b->y && a->vx == b->vx && a->vy == b->vy && a->reach == b->reach &&
           a->weight == b->weight && a->seconds == b->seconds && a->sheet == b->sheet;
}

bool throng_things_same(const world_things *a, const world_things *b)
{
    bool same = a->bodies == b->bodies && a->body_slots == b->body_slots && a->hazards == b->hazards &&
                a->next_hazard == b->next_hazard;
    for (int32_t s = 0; same && s < a->body_slots; s++)
        same = a->generation[s] == b->generation[s];
    for (int32_t i = 0; same && i < a->bodies; i++)
        same = a->handle[i].slot == b->handle[i].slot && same_body(&a->body[i], &b->body[i]);
    for (int32_t i = 0; same && i < a->hazards; i++)
        same = a->hazard[i].id == b->hazard[i].id && same_hazard(&a->hazard[i].hazard, &b->hazard[i].hazard);
    return same;
}

static bool migrate_hazards(const migrating *c, const world_things *before, const world_things *after,
                            throng_error *error)
{
    throng_moving_hazard now;
    for (int32_t i = 0; i < after->hazards && i < before->hazards; i++) {
        if (!same_hazard(&after->hazard[i].hazard, &before->hazard[i].hazard))
            continue;
        if (throng_world_hazard(c->old, before->hazard[i].id, &now))
            throng_world_set_hazard(c->fresh, after->hazard[i].id, &now);
        else
            throng_world_remove_hazard(c->fresh, after->hazard[i].id);
    }
    const world_influences *all = &c->old->influences;
    for (int32_t i = 0; i < all->hazard_count; i++)
        if (all->hazards[i].id >= before->next_hazard &&
            throng_world_add_hazard(c->fresh, &all->hazards[i].hazard, error) < 0)
            return false;
    return true;
}

bool throng_migrate_things(const migrating *c, const world_things *before, const world_things *after,
                           throng_error *error)
{
    return (!c->old->bodies.all ||
            (migrate_bodies(c, before, after, error) && migrate_later_bodies(c, before, error))) &&
           migrate_hazards(c, before, after, error);
}
