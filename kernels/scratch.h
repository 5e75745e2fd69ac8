/* The backends' memory for agents beside their columns: arrays that are made and grow together, and lie in one block,
 * which begins with the first of its list. Elements are four bytes. */
#ifndef THRONG_SCRATCH_H
#define THRONG_SCRATCH_H

#include <assert.h>

#include "kernels/contacts/contacts.h"
#include "kernels/planners/latency.h"

typedef struct scratch {
    void **array;
    size_t each; /* elements an agent */
} scratch;

enum { SCRATCH_MOST = 32, SCRATCH_ALIGN = 256 };

/* Fills the list with these, and returns how many they are: the body of a function. */
#define SCRATCH_LIST(list, ...)                                                                                        \
    const scratch all[] = {__VA_ARGS__};                                                                               \
    static_assert(sizeof all < SCRATCH_MOST * sizeof *all, "lists have room for it and one more");                     \
    const int n = (int)(sizeof all / sizeof *all);                                                                     \
    for (int i = 0; i < n; i++)                                                                                        \
        (list)[i] = all[i];                                                                                            \
    return n
#define SCRATCH(pointer, elements)                                                                                     \
    {                                                                                                                  \
        (void **)&(pointer), elements                                                                                  \
    }

/* Of every world. Returns how many, as the others do. */
static inline int scratch_of_agents(crowd *c, contacts *k, scratch *list)
{
    SCRATCH_LIST(list, SCRATCH(c->reach, 1), SCRATCH(c->slot, 1), SCRATCH(c->rank, 1), SCRATCH(c->sx, 1),
                 SCRATCH(c->sy, 1), SCRATCH(c->svx, 1), SCRATCH(c->svy, 1), SCRATCH(c->sr, 1), SCRATCH(c->swx, 1),
                 SCRATCH(c->swy, 1), SCRATCH(c->splace, 1), SCRATCH(c->sarrived, 1), SCRATCH(c->sheet, 1),
                 SCRATCH(c->seen_count, 1), SCRATCH(c->seen_reach, 1), SCRATCH(c->nx, 1), SCRATCH(c->ny, 1),
                 SCRATCH(c->press, 1), SCRATCH(c->press_x, 1), SCRATCH(c->press_y, 1), SCRATCH(k->body, 4),
                 SCRATCH(k->a, 4), SCRATCH(k->b, 4), SCRATCH(k->status, 1), SCRATCH(k->turn, 1),
                 SCRATCH(k->kept_step, 1), SCRATCH(k->partner, THRONG_CONTACTS_MAX),
                 SCRATCH(k->lambda, THRONG_CONTACTS_MAX), SCRATCH(k->ahead, THRONG_CONTACTS_MAX));
}

/* Where there are walls. */
static inline int scratch_of_walls(crowd *c, contacts *k, scratch *list)
{
    SCRATCH_LIST(list, SCRATCH(c->wall, THRONG_WALLS_MAX), SCRATCH(c->wall_count, 1), SCRATCH(c->near_body, 1),
                 SCRATCH(k->wall, CONTACT_WALLS_MAX), SCRATCH(k->wall_lambda, CONTACT_WALLS_MAX),
                 SCRATCH(k->wall_ahead, CONTACT_WALLS_MAX));
}

/* Where somebody is wider than deep. */
static inline int scratch_of_shapes(crowd *c, scratch *list) { SCRATCH_LIST(list, SCRATCH(c->shape, 4)); }

/* Where places are watched. */
static inline int scratch_of_places(crowd *c, scratch *list)
{
    SCRATCH_LIST(list, SCRATCH(c->from_x, 1), SCRATCH(c->from_y, 1));
}

/* Where planners are a frame late. */
static inline int scratch_of_latency(latency_copies *own, scratch *list)
{
    SCRATCH_LIST(list, SCRATCH(own->nx, 1), SCRATCH(own->ny, 1), SCRATCH(own->sx, 1), SCRATCH(own->sy, 1),
                 SCRATCH(own->sr, 1), SCRATCH(own->hx, 1), SCRATCH(own->hy, 1), SCRATCH(own->frustration, 1),
                 SCRATCH(own->shoulders, 1), SCRATCH(own->floor, 1));
}

/* Bytes for so many agents: of one array; of all. */
static inline size_t scratch_slice(const scratch *one, size_t agents)
{
    return (agents * one->each * 4 + SCRATCH_ALIGN - 1) / SCRATCH_ALIGN * SCRATCH_ALIGN;
}

static inline size_t scratch_bytes(const scratch *list, int n, size_t agents)
{
    size_t bytes = 0;
    for (int i = 0; i < n; i++)
        bytes += scratch_slice(&list[i], agents);
    return bytes;
}

/* Has the arrays lie in this block, which has room for so many agents; NULL: there are none. */
static inline void scratch_install(const scratch *list, int n, void *block, size_t agents)
{
    char *at = (char *)block;
    for (int i = 0; i < n; i++) {
        *list[i].array = at;
        at += at ? scratch_slice(&list[i], agents) : 0;
    }
}

#endif
