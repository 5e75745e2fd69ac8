/* Companies: who walks together. Each is a number, in column `company` of its agents, and a ring of them, in column
 * `mate`, that the planners go round (kernels/planners/company.h). */
#include <math.h>
#include <stdlib.h>

#include "world_parts.h"

/* The columns, for writing. */
typedef struct companies {
    const int32_t *id;
    int32_t *company, *mate;
} companies;

static bool open_companies(throng_world *w, companies *c, throng_error *error)
{
    throng_agents *a = w->agents;
    c->id = throng_agents_read(a, THRONG_COLUMN_id, error);
    c->company = c->id ? throng_agents_write(a, THRONG_COLUMN_company, error) : NULL;
    c->mate = c->company ? throng_agents_write(a, THRONG_COLUMN_mate, error) : NULL;
    return c->mate;
}

/* Puts the slot into the ring of `head`, -1: a new one, where its id belongs. */
static void link_slot(const companies *c, int32_t head, int32_t slot)
{
    int32_t before = head;
    if (head < 0)
        before = slot;
    else
        for (;; before = c->mate[before]) {
            int32_t next = c->mate[before], from = c->id[before], to = c->id[next], own = c->id[slot];
            if (from < to ? from < own && own < to : own > from || own < to)
                break; /* between its neighbours, or the last or first of all */
        }
    c->mate[slot] = head < 0 ? slot : c->mate[before];
    c->mate[before] = slot;
}

static void unlink_slot(const companies *c, int32_t slot)
{
    if (c->mate[slot] < 0)
        return;
    int32_t before = slot;
    while (c->mate[before] != slot)
        before = c->mate[before];
    c->mate[before] = c->mate[slot];
    if (c->mate[before] == before) /* one alone is no company */
        c->mate[before] = c->company[before] = -1;
    c->mate[slot] = c->company[slot] = -1;
}

static void link_all(const companies *c, const int32_t *slots, int32_t count, int32_t number)
{
    for (int32_t i = 0; i < count; i++) {
        link_slot(c, i ? slots[0] : -1, slots[i]);
        c->company[slots[i]] = number;
    }
}

bool throng_world_leave_companies(throng_world *w, const throng_handle *handles, int32_t count, throng_error *error)
{
    companies c = {.mate = NULL};
    if (!throng_agents_uses(w->agents, THRONG_COLUMN_mate))
        return true;
    const int32_t *mate = throng_agents_read(w->agents, THRONG_COLUMN_mate, error);
    for (int32_t i = 0; mate && i < count; i++) {
        if (!throng_agents_alive(w->agents, handles[i]) || mate[handles[i].slot] < 0)
            continue;
        if (!c.mate && !open_companies(w, &c, error)) /* what is written is sent, whole: only where somebody leaves */
            return false;
        unlink_slot(&c, handles[i].slot);
    }
    return mate;
}

bool throng_world_walk_together(throng_world *w, const throng_handle *handles, int32_t count, throng_error *error)
{
    int32_t slots[THRONG_COMPANY_MAX], living = 0;
    companies c;
    for (int32_t i = 0; i < count; i++)
        living += throng_agents_alive(w->agents, handles[i]);
    if (living > THRONG_COMPANY_MAX)
        return throng_fail(error, "%d agents are more than the %d that can walk together", living, THRONG_COMPANY_MAX);
    if (!throng_world_leave_companies(w, handles, count, error))
        return false;
    if (living < 2)
        return true;
    if (!open_companies(w, &c, error))
        return false;
    living = 0;
    for (int32_t i = 0; i < count; i++)
        if (throng_agents_alive(w->agents, handles[i]))
            slots[living++] = handles[i].slot;
    link_all(&c, slots, living, w->companies++);
    return true;
}

/* --- of those who are spawned: who stands near ------------------------------------------------------ */

enum { NEAR_CELLS = 4 };        /* others are looked for in cells so many away, */
static const double CELL = 2.5; /* m, */
static const double REACH = 10; /* and as far as this */

/* Who has no company yet, by cells of the plane that share so many buckets. */
typedef struct loners {
    const throng_point *at;
    int32_t *head, *next; /* [mask + 1], [count] -1: the last */
    bool *taken;          /* [count] */
    uint32_t mask;
} loners;

static uint32_t bucket_of(const loners *l, double x, double y)
{
    uint32_t column = (uint32_t)(int32_t)floor(x / CELL), row = (uint32_t)(int32_t)floor(y / CELL);
    return (column * 0x9E3779B1u ^ row * 0x85EBCA77u) & l->mask;
}

static bool open_loners(loners *l, const throng_point *at, int32_t count)
{
    *l = (loners){.at = at, .mask = 1};
    while (l->mask < (uint32_t)count)
        l->mask = 2 * l->mask + 1;
    l->head = malloc(((size_t)l->mask + 1) * sizeof *l->head);
    l->next = malloc(((size_t)count + 1) * sizeof *l->next);
    l->taken = calloc((size_t)count + 1, sizeof *l->taken);
    if (!l->head || !l->next || !l->taken)
        return false;
    for (uint32_t b = 0; b <= l->mask; b++)
        l->head[b] = -1;
    for (int32_t i = count - 1; i >= 0; i--) {
        uint32_t b = bucket_of(l, at[i].x, at[i].y);
        l->next[i] = l->head[b];
        l->head[b] = i;
    }
    return true;
}

static void close_loners(loners *l)
{
    free(l->head);
    free(l->next);
    free(l->taken);
}

static int32_t size_of(const throng_world *w, const throng_sampler *sizes, int32_t id)
{
    return (int32_t)floor(
        throng_world_sample(sizes, w->seed, (uint32_t)id, throng_column_stream(THRONG_COLUMN_company)) + 0.5);
}

int32_t throng_world_company_size(const throng_world *w, const throng_sampler *sizes)
{
    return size_of(w, sizes, throng_agents_next_id(w->agents));
}

/* The nearest found so far, nearest first. */
typedef struct nearest {
    int32_t who[THRONG_COMPANY_MAX], count, room;
    double square[THRONG_COMPANY_MAX];
} nearest;

static void note_near(nearest *n, int32_t i, double square)
{
    int32_t at = n->count < n->room ? n->count++ : n->room;
    for (; at > 0 && (n->square[at - 1] > square || (n->square[at - 1] == square && n->who[at - 1] > i)); at--)
        if (at < n->room) {
            n->who[at] = n->who[at - 1];
            n->square[at] = n->square[at - 1];
        }
    if (at < n->room) {
        n->who[at] = i;
        n->square[at] = square;
    }
}

/* Looks through the cells that are `ring` cells away from where `i` stands; forgets who is taken. */
static void look_round(loners *l, int32_t i, int ring, nearest *n)
{
    throng_point from = l->at[i];
    for (int row = -ring; row <= ring; row++)
        for (int column = -ring; column <= ring; column += abs(row) == ring || !ring ? 1 : 2 * ring) {
            uint32_t b = bucket_of(l, from.x + column * CELL, from.y + row * CELL);
            for (int32_t *at = &l->head[b]; *at >= 0;) {
                int32_t other = *at;
                if (l->taken[other]) {
                    *at = l->next[other];
                    continue;
                }
                double dx = l->at[other].x - from.x, dy = l->at[other].y - from.y;
                bool here = fabs(floor((from.x + column * CELL) / CELL) - floor(l->at[other].x / CELL)) < 0.5 &&
                            fabs(floor((from.y + row * CELL) / CELL) - floor(l->at[other].y / CELL)) < 0.5;
                if (here && dx * dx + dy * dy <= REACH * REACH)
                    note_near(n, other, dx * dx + dy * dy);
                at = &l->next[other];
            }
        }
}

/* The nearest `room` of those who are alone, within NEAR_CELLS cells. */
static nearest near_to(loners *l, int32_t i, int32_t room)
{
    nearest n = {.room = room};
    for (int ring = 0; ring <= NEAR_CELLS; ring++) {
        double sure = (ring - 1) * CELL; /* who is in farther cells is farther than this */
        if (n.count == room && ring && n.square[room - 1] <= sure * sure)
            break;
        look_round(l, i, ring, &n);
    }
    return n;
}

bool throng_world_form_companies(throng_world *w, const throng_spawn_def *d, const throng_handle *handles,
                                 const throng_point *at, throng_error *error)
{
    if (throng_sampler_most(&d->company) < 2)
        return true;
    companies c;
    loners l;
    if (!open_companies(w, &c, error))
        return false;
    if (!open_loners(&l, at, d->count)) {
        close_loners(&l);
        return throng_fail(error, "out of memory for the companies of %d agents", d->count);
    }
    for (int32_t i = 0; i < d->count; i++) {
        if (l.taken[i])
            continue;
        int32_t size = size_of(w, &d->company, c.id[handles[i].slot]);
        l.taken[i] = true;
        if (size < 2)
            continue;
        nearest n = near_to(&l, i, size - 1);
        int32_t slots[THRONG_COMPANY_MAX] = {handles[i].slot};
        for (int32_t k = 0; k < n.count; k++) {
            l.taken[n.who[k]] = true;
            slots[k + 1] = handles[n.who[k]].slot;
        }
        if (n.count)
            link_all(&c, slots, n.count + 1, w->companies++);
    }
    close_loners(&l);
    return true;
}

/* --- after a reload ------------------------------------------------------------------------------------ */

static int by_company(const void *a, const void *b)
{
    const int32_t *one = a, *other = b;
    return one[0] != other[0] ? (one[0] < other[0] ? -1 : 1) : one[1] < other[1] ? -1 : one[1] > other[1];
}

bool throng_world_link_companies(throng_world *w, throng_error *error)
{
    if (!throng_agents_uses(w->agents, throng_column_stream(THRONG_COLUMN_company)))
        return true;
    companies c;
    int32_t slots = throng_agents_slots(w->agents), count = 0;
    const int32_t *state = throng_agents_read(w->agents, THRONG_COLUMN_state, error);
    int32_t(*list)[3] = malloc(((size_t)slots + 1) * sizeof *list); /* company, id, slot */
    if (!list)
        return throng_fail(error, "out of memory for the companies of %d agents", slots);
    if (!state || !open_companies(w, &c, error)) {
        free(list);
        return false;
    }
    for (int32_t s = 0; s < slots; s++) {
        c.mate[s] = -1;
        if (state[s] && c.company[s] >= 0) {
            list[count][0] = c.company[s], list[count][1] = c.id[s], list[count][2] = s;
            count++;
        }
    }
    qsort(list, (size_t)count, sizeof *list, by_company);
    for (int32_t i = 0; i < count; i++) {
        bool first = i == 0 || list[i - 1][0] != list[i][0], last = i + 1 == count || list[i + 1][0] != list[i][0];
        if (first && last)
            c.company[list[i][2]] = -1;
        else
            link_slot(&c, first ? -1 : list[i - 1][2], list[i][2]);
    }
    free(list);
    return true;
}
