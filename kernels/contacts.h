/* Contacts: what makes the planners' wishes possible, for every planner alike.
 *
 * The wanted displacements d* are projected onto the set where nobody enters
 * anybody (the discrete contact model of B. Maury and J. Venel, 2011): the d
 * nearest to d* (weighted by mass) with
 *     n_ij . (d_i - d_j) <= gap_ij   for every pair within reach,
 *     n . d_i <= gap                 for every wall segment within reach,
 * n_ij the unit vector from i to j, gap_ij the distance less both radii. The
 * dual has a multiplier a contact, lambda >= 0; projected gradient with
 * Nesterov's acceleration solves it in parallel, free of order, and both sides
 * of a pair compute the same multiplier to the bit, so nothing is exchanged.
 *
 * Only agents whose constraints are violated, and those that they come to push,
 * are iterated on (`active`); for all others lambda = 0 solves it.
 *
 * Linear constraints that hold exclude contact also on the way (a separating
 * line stays), at any speed. What the iterations leave undone is caught at the
 * end: displacements are cut at walls, and whoever would come closer than 0.99
 * of the sum of radii is held where it is, with everybody who counted on its
 * leaving, round by round; standing still is always possible.
 *
 * An agent keeps the THRONG_CONTACTS_MAX pairs of least gap. Where more are
 * within reach it moves at most half of the least gap left out (`cap`), which
 * keeps those pairs apart whatever the others do. */
#ifndef THRONG_CONTACTS_H
#define THRONG_CONTACTS_H

#include "walls.h"

enum { CONTACTS_MAX = 12, CONTACT_WALLS_MAX = 4 };

#define CONTACTS_STEP 0.3f    /* of the gradient, over the sum of the weights involved */
#define CONTACTS_LIMIT 0.99f  /* of the sum of radii: nobody who started farther apart comes closer */
#define CONTACTS_MASS 80.0f   /* kg: an agent of this mass has weight 1 */

enum contact_status {
    CONTACT_IDLE = 0,
    CONTACT_ACTIVE = 1, /* has its lists and is iterated on */
    CONTACT_MOVED = 2,  /* its displacement differs from what it wanted: those near it are active too */
    CONTACT_HELD = 4    /* the guard holds it where it is */
};

typedef struct contacts {
    float *ax, *ay, *bx, *by;  /* sorted: displacement, m; read from a and written to b, then the other way */
    int32_t *status;           /* sorted: contact_status */
    int32_t *hold;             /* sorted: 1: the guard wants it to stand still */
    int32_t *active, *active_count; /* sorted indices of the active agents, in any order */
    float *cap;                /* sorted: m, moves no farther */
    int32_t *partner;          /* [i * CONTACTS_MAX + s]: sorted index, -1: none */
    float *lambda, *ahead;     /* likewise: multiplier, and the one Nesterov looks ahead to, m */
    int32_t *wall;             /* [i * CONTACT_WALLS_MAX + s]: segment, -1: none */
    float *wall_lambda, *wall_ahead;
} contacts;

/* A pair as both see it: exactly opposite normals, equal gaps. */
typedef struct contact_pair {
    lane_f nx, ny, distance, radii;
} contact_pair;

LANE_FN contact_pair contacts_pair(const crowd *c, lane_i i, lane_i j)
{
    lane_f px = lane_gather(c->sx, j) - lane_gather(c->sx, i), py = lane_gather(c->sy, j) - lane_gather(c->sy, i);
    lane_f distance = lane_sqrt(lane_dot(px, py, px, py));
    lane_m apart = distance > 0;
    lane_f side = lane_select(lane_gather_i(c->slot, i) < lane_gather_i(c->slot, j), lane_set(1), lane_set(-1));
    contact_pair p = {lane_select(apart, px / distance, side), lane_select(apart, py / distance, lane_set(0)), distance,
                      lane_gather(c->sr, i) + lane_gather(c->sr, j)};
    return p;
}

/* How much nearer i and j come, along the line between them. */
LANE_FN lane_f contacts_approach(const contact_pair *p, const float *x, const float *y, lane_i i, lane_i j)
{
    return lane_dot(p->nx, p->ny, lane_gather(x, i) - lane_gather(x, j), lane_gather(y, i) - lane_gather(y, j));
}

LANE_FN lane_f contacts_weight(const crowd *c, lane_i i)
{
    return CONTACTS_MASS / lane_gather(c->mass, lane_gather_i(c->slot, i));
}

/* --- who is within reach ---------------------------------------------------- */

enum contacts_visit { CONTACTS_DETECT, CONTACTS_COLLECT, CONTACTS_WAKE };

typedef struct contacts_visitor {
    lane_m violated;      /* DETECT: some constraint is */
    int overlaps;         /* DETECT: pairs closer than CONTACTS_LIMIT, each counted once */
    float worst;          /* DETECT: least distance / sum of radii */
    nearest_list list;    /* COLLECT: gap, slot */
    lane_f left_out;      /* COLLECT: least gap that found no place */
} contacts_visitor;

/* Makes an agent active, once, whoever asks. The order of the list does not matter. */
LANE_FN void contacts_wake(contacts *k, int32_t agent)
{
#if defined(__CUDACC__)
    if (atomicCAS(&k->status[agent], CONTACT_IDLE, CONTACT_ACTIVE) == CONTACT_IDLE)
        k->active[atomicAdd(k->active_count, 1)] = agent;
#else
    int32_t idle = CONTACT_IDLE;
    if (__atomic_compare_exchange_n(&k->status[agent], &idle, CONTACT_ACTIVE, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        k->active[__atomic_fetch_add(k->active_count, 1, __ATOMIC_RELAXED)] = agent;
#endif
}

LANE_FN void contacts_wake_lanes(contacts *k, lane_i agents, lane_m lanes)
{
    for (; lane_any(lanes); lanes = lanes & lane_not(lane_only_first(lanes)))
        contacts_wake(k, lane_first_i(agents, lanes));
}

LANE_FN void contacts_meet(const crowd *c, contacts *k, int visit, lane_i i, lane_i j, lane_m lanes, contacts_visitor *v)
{
    contact_pair p = contacts_pair(c, i, j);
    lane_f gap = p.distance - p.radii;
    lanes = lanes & (gap < 2 * c->largest_step);
    if (!lane_any(lanes))
        return;
    if (visit == CONTACTS_DETECT) {
        v->violated = v->violated | (lanes & (contacts_approach(&p, k->ax, k->ay, i, j) > gap));
        lane_m inside = lanes & (p.distance < CONTACTS_LIMIT * p.radii);
        if (lane_any(inside))
            v->overlaps += lane_count(inside & (i < j));
        v->worst = -lane_greatest(-(p.distance / p.radii), lanes, -v->worst);
    } else if (visit == CONTACTS_COLLECT) {
        lane_m full = lanes & (v->list.slot[CONTACTS_MAX - 1] >= 0);
        lane_f out = lane_max(gap, v->list.distance[CONTACTS_MAX - 1]);
        v->left_out = lane_select(full & (out < v->left_out), out, v->left_out);
        nearest_insert(&v->list, CONTACTS_MAX, gap, lane_gather_i(c->slot, j), lanes);
    } else {
        contacts_wake_lanes(k, j, lanes & (lane_gather_i(k->status, j) == CONTACT_IDLE));
    }
}

/* Visits everybody by cells: for lanes whose neighbour list does not reach as far as they can touch. */
LANE_FN void contacts_visit_cells(const crowd *c, contacts *k, int visit, lane_i i, lane_f reach, lane_m lanes,
                                  contacts_visitor *v)
{
    lane_f x = lane_gather(c->sx, i), y = lane_gather(c->sy, i);
    reach = reach + 1e-6f * (lane_abs(x) + lane_abs(y) + c->cell);
    lane_i x0 = crowd_cell(x - reach, c->inverse_cell), x1 = crowd_cell(x + reach, c->inverse_cell);
    lane_i y0 = crowd_cell(y - reach, c->inverse_cell), y1 = crowd_cell(y + reach, c->inverse_cell);
    for (; lane_any(lanes); lanes = lanes & lane_not(lane_only_first(lanes))) {
        lane_m one = lane_only_first(lanes);
        int32_t me = lane_first_i(i, one);
        int32_t left = lane_first_i(x0, one), width = lane_first_i(x1, one) - left + 1;
        int32_t low = lane_first_i(y0, one), height = lane_first_i(y1, one) - low + 1;
        width = width < c->grid_width ? width : c->grid_width;
        height = height < c->grid_height ? height : c->grid_height;
        for (int32_t row = low; row < low + height; row++)
            for (int32_t column = left; column < left + width; column++) {
                int32_t cell = (row & (c->grid_height - 1)) * c->grid_width + (column & (c->grid_width - 1));
                for (int32_t j = c->cell_start[cell]; j < c->cell_start[cell + 1]; j++)
                    if (j != me)
                        contacts_meet(c, k, visit, i, lane_set_i(j), one, v);
            }
    }
}

/* Visits everybody who could touch agents `i` in this step. */
LANE_FN void contacts_visit_all(const crowd *c, contacts *k, int visit, lane_i i, lane_m lanes, contacts_visitor *v)
{
    lane_f reach = lane_gather(c->sr, i) + c->largest_radius + 2 * c->largest_step;
    lane_m listed = lanes & (reach * reach <= lane_gather(c->seen_reach, i));
    lane_i count = lane_gather_i(c->seen_count, i);
    for (int s = 0; s < c->k; s++) {
        lane_m near = listed & (count > s);
        lane_i at = lane_select_i(near, i + s * c->stride, lane_set_i(0));
        lane_i j = lane_select_i(near, lane_gather_i(c->seen, at), i);
        lane_f px = lane_gather(c->sx, j) - lane_gather(c->sx, i), py = lane_gather(c->sy, j) - lane_gather(c->sy, i);
        near = near & (lane_dot(px, py, px, py) < reach * reach);
        if (!lane_any(near)) /* the list is sorted by distance */
            break;
        contacts_meet(c, k, visit, i, j, near, v);
    }
    lane_m search = lanes & lane_not(reach * reach <= lane_gather(c->seen_reach, i));
    if (lane_any(search))
        contacts_visit_cells(c, k, visit, i, reach, search, v);
}

/* --- walls -------------------------------------------------------------------- */

enum { CONTACTS_WALLS_DETECT, CONTACTS_WALLS_COLLECT, CONTACTS_WALLS_SLIDE, CONTACTS_WALLS_STOP };

#define CONTACTS_WALL_SKIN 0.0001f /* of the radius: as deep as rounding may leave a disc in a wall */

/* The walls an agent could touch, one after the other.
 *   DETECT   returns the lanes whose displacement (x, y) violates one;
 *   COLLECT  puts the nearest into `list`;
 *   SLIDE    takes the part of (x, y) out that enters a wall, wall by wall;
 *   STOP     shortens (x, y) so that none is entered. */
LANE_FN lane_m contacts_walls(const crowd *c, int visit, lane_i i, lane_m lanes, nearest_list *list, lane_f *x, lane_f *y)
{
    lane_f px = lane_gather(c->sx, i), py = lane_gather(c->sy, i), radius = lane_gather(c->sr, i);
    lane_m violated = lane_none();
    lane_f share = lane_set(1);
    lane_i at, to;
    walls_range(&c->walls, px, py, lanes, &at, &to);
    for (lane_m more = lanes & (at < to); lane_any(more); at = at + 1, more = lanes & (at < to)) {
        lane_i s = lane_gather_i(c->walls.list, lane_select_i(more, at, lane_set_i(0)));
        lane_f nx, ny;
        lane_f distance = lane_sqrt(walls_nearest(&c->walls, s, px, py, &nx, &ny));
        lane_f gap = distance - radius;
        lane_m near = more & (gap < c->largest_step);
        if (!lane_any(near))
            continue;
        near = near & walls_open_side(&c->walls, s, px, py);
        nx = nx / distance;
        ny = ny / distance;
        lane_f approach = lane_dot(nx, ny, *x, *y);
        if (visit == CONTACTS_WALLS_COLLECT) {
            nearest_insert(list, CONTACT_WALLS_MAX, gap, s, near);
        } else if (visit == CONTACTS_WALLS_DETECT) {
            violated = violated | (near & (approach > gap));
        } else if (visit == CONTACTS_WALLS_SLIDE) {
            lane_f excess = approach - lane_max(gap, -0.05f * radius);
            lane_m enters = near & (excess > 0);
            *x = lane_select(enters, *x - nx * excess, *x);
            *y = lane_select(enters, *y - ny * excess, *y);
        } else {
            lane_f room = lane_max(gap + CONTACTS_WALL_SKIN * radius, lane_set(0));
            lane_f part = room / approach;
            share = lane_select(near & (approach > room) & (part < share), part, share);
        }
    }
    *x = *x * share;
    *y = *y * share;
    return violated;
}

/* --- the stages of the solver ------------------------------------------------- */

/* Wanted displacements of agents `first` .. into both buffers. */
LANE_FN void contacts_begin(const crowd *c, contacts *k, int32_t first, lane_m lanes)
{
    lane_f x = lane_load(c->nx + first) * c->dt, y = lane_load(c->ny + first) * c->dt;
    lane_store(k->ax + first, x, lanes);
    lane_store(k->ay + first, y, lanes);
    lane_store(k->bx + first, x, lanes);
    lane_store(k->by + first, y, lanes);
    lane_store_i(k->status + first, lane_set_i(CONTACT_IDLE), lanes);
    lane_store_i(k->hold + first, lane_set_i(0), lanes);
}

/* The lanes whose wishes violate a constraint; counts what overlaps already. */
LANE_FN lane_m contacts_detect(const crowd *c, contacts *k, int32_t first, lane_m lanes, contacts_visitor *v)
{
    lane_i i = lane_select_i(lanes, lane_iota(first), lane_set_i(first));
    v->violated = lane_none();
    contacts_visit_all(c, k, CONTACTS_DETECT, i, lanes, v);
    if (c->walls.count) {
        lane_f x = lane_gather(k->ax, i), y = lane_gather(k->ay, i);
        lane_m walled = lanes & (lane_gather_i(c->wall_count, i) > 0);
        if (lane_any(walled))
            v->violated = v->violated | contacts_walls(c, CONTACTS_WALLS_DETECT, i, walled, 0, &x, &y);
    }
    return v->violated;
}

/* The lists of active agents `i`. */
LANE_FN void contacts_collect(const crowd *c, contacts *k, lane_i i, lane_m lanes)
{
    contacts_visitor v;
    nearest_init(&v.list, CONTACTS_MAX, lane_set(INFINITY));
    v.left_out = lane_set(INFINITY);
    contacts_visit_all(c, k, CONTACTS_COLLECT, i, lanes, &v);
    lane_i base = i * CONTACTS_MAX;
    for (int s = 0; s < CONTACTS_MAX; s++) {
        lane_m there = lanes & (v.list.slot[s] >= 0);
        lane_i j = lane_gather_i(c->rank, lane_select_i(there, v.list.slot[s], lane_set_i(0)));
        lane_scatter_i(k->partner, base + s, lane_select_i(there, j, lane_set_i(-1)), lanes);
        lane_scatter(k->lambda, base + s, lane_set(0), there);
        lane_scatter(k->ahead, base + s, lane_set(0), there);
        if (!lane_any(there))
            break;
    }
    lane_m crowded = lanes & (v.left_out < INFINITY);
    lane_f cap = lane_select(crowded, 0.5f * lane_max(v.left_out, lane_set(0)), lane_set(c->largest_step));
    lane_scatter(k->cap, i, cap, lanes);
    if (!c->walls.count)
        return;
    nearest_init(&v.list, CONTACT_WALLS_MAX, lane_set(INFINITY));
    lane_f zero = lane_set(0);
    contacts_walls(c, CONTACTS_WALLS_COLLECT, i, lanes, &v.list, &zero, &zero);
    for (int s = 0; s < CONTACT_WALLS_MAX; s++) {
        lane_scatter_i(k->wall, i * CONTACT_WALLS_MAX + s, v.list.slot[s], lanes);
        lane_scatter(k->wall_lambda, i * CONTACT_WALLS_MAX + s, lane_set(0), lanes);
        lane_scatter(k->wall_ahead, i * CONTACT_WALLS_MAX + s, lane_set(0), lanes);
    }
}

/* One contact's multiplier: a gradient step from where Nesterov looked ahead to, then ahead again. */
LANE_FN lane_f contacts_multiply(float *lambda, float *ahead, lane_i at, lane_f step, lane_f violation, float beta, lane_m lanes)
{
    lane_f before = lane_gather(lambda, at);
    lane_f now = lane_max(lane_gather(ahead, at) + step * violation, lane_set(0));
    lane_f change = now - before;
    lane_f next = lane_select(violation * change < 0, now, now + beta * change);
    lane_scatter(lambda, at, now, lanes);
    lane_scatter(ahead, at, next, lanes);
    return lane_select(lanes, next, lane_set(0));
}

/* One iteration of active agents `i`: reads displacements (x, y), writes (to_x, to_y). Returns the
 * worst violation before it, as a part of the sum of radii. `moved`: lanes pushed for the first time. */
LANE_FN float contacts_iterate(const crowd *c, contacts *k, lane_i i, lane_m lanes, const float *x, const float *y,
                               float *to_x, float *to_y, float beta, lane_m *moved)
{
    float worst = 0;
    lane_f weight = contacts_weight(c, i);
    lane_f push_x = lane_set(0), push_y = lane_set(0);
    lane_m open = lanes;
    for (int s = 0; s < CONTACTS_MAX; s++) {
        lane_i at = i * CONTACTS_MAX + s;
        lane_i j = lane_gather_i(k->partner, at);
        lane_m there = open = open & (j >= 0); /* a list ends at its first -1; what lies behind is old */
        if (!lane_any(there))
            break;
        j = lane_select_i(there, j, i);
        contact_pair p = contacts_pair(c, i, j);
        lane_f violation = contacts_approach(&p, x, y, i, j) - (p.distance - p.radii);
        worst = lane_greatest(violation / p.radii, there, worst);
        lane_f step = CONTACTS_STEP / (weight + contacts_weight(c, j));
        lane_f push = weight * contacts_multiply(k->lambda, k->ahead, at, step, violation, beta, there);
        push_x = push_x + push * p.nx;
        push_y = push_y + push * p.ny;
    }
    for (int s = 0; c->walls.count && s < CONTACT_WALLS_MAX; s++) {
        lane_i at = i * CONTACT_WALLS_MAX + s;
        lane_i wall = lane_gather_i(k->wall, at);
        lane_m there = lanes & (wall >= 0);
        if (!lane_any(there))
            break;
        lane_f nx, ny, radius = lane_gather(c->sr, i);
        lane_f square = walls_nearest(&c->walls, lane_select_i(there, wall, lane_set_i(0)), lane_gather(c->sx, i),
                                      lane_gather(c->sy, i), &nx, &ny);
        lane_f distance = lane_sqrt(square);
        lane_f over = lane_select(distance > 0, 1.0f / distance, lane_set(0));
        nx = nx * over;
        ny = ny * over;
        lane_f violation = lane_dot(nx, ny, lane_gather(x, i), lane_gather(y, i)) - (distance - radius);
        worst = lane_greatest(violation / (2 * radius), there, worst);
        lane_f push = weight * contacts_multiply(k->wall_lambda, k->wall_ahead, at, CONTACTS_STEP / (2 * weight), violation, beta, there);
        push_x = push_x + push * nx;
        push_y = push_y + push * ny;
    }
    lane_f want_x = lane_gather(c->nx, i) * c->dt, want_y = lane_gather(c->ny, i) * c->dt;
    lane_scatter(to_x, i, want_x - push_x, lanes);
    lane_scatter(to_y, i, want_y - push_y, lanes);
    lane_i status = lane_gather_i(k->status, i);
    *moved = lanes & ((push_x != 0) | (push_y != 0)) & ((status & CONTACT_MOVED) == 0);
    lane_scatter_i(k->status, i, status | CONTACT_MOVED, *moved);
    return worst;
}

/* Cuts what active agents `i` may not do: farther than their cap, into walls. In place. */
LANE_FN void contacts_cut(const crowd *c, contacts *k, lane_i i, lane_m lanes, float *x, float *y)
{
    lane_f dx = lane_gather(x, i), dy = lane_gather(y, i), cap = lane_gather(k->cap, i);
    lane_f length = lane_sqrt(lane_dot(dx, dy, dx, dy));
    lane_f share = lane_select(length > cap, cap / length, lane_set(1));
    dx = dx * share;
    dy = dy * share;
    if (c->walls.count) {
        contacts_walls(c, CONTACTS_WALLS_SLIDE, i, lanes, 0, &dx, &dy);
        contacts_walls(c, CONTACTS_WALLS_STOP, i, lanes, 0, &dx, &dy);
    }
    lane_scatter(x, i, dx, lanes);
    lane_scatter(y, i, dy, lanes);
}

/* One round of the guard: wants both sides of every pair to hold that would come
 * too close. Those who are not active yet are woken. */
LANE_FN void contacts_guard(const crowd *c, contacts *k, lane_i i, lane_m lanes, const float *x, const float *y)
{
    lane_m open = lanes;
    for (int s = 0; s < CONTACTS_MAX; s++) {
        lane_i j = lane_gather_i(k->partner, i * CONTACTS_MAX + s);
        lane_m there = open = open & (j >= 0); /* a list ends at its first -1; what lies behind is old */
        if (!lane_any(there))
            break;
        j = lane_select_i(there, j, i);
        contact_pair p = contacts_pair(c, i, j);
        lane_f room = lane_max(p.distance - CONTACTS_LIMIT * p.radii, lane_set(0));
        lane_m close = there & (contacts_approach(&p, x, y, i, j) > room);
        lane_scatter_i(k->hold, i, lane_set_i(1), close);
        lane_scatter_i(k->hold, j, lane_set_i(1), close);
        contacts_wake_lanes(k, j, close & (lane_gather_i(k->status, j) == CONTACT_IDLE));
    }
}

/* Holds whom the guard wants held; the lanes that were not before. */
LANE_FN lane_m contacts_hold(contacts *k, lane_i i, lane_m lanes, float *x, float *y)
{
    lane_i status = lane_gather_i(k->status, i);
    lane_m held = lanes & (lane_gather_i(k->hold, i) != 0) & ((status & CONTACT_HELD) == 0);
    lane_scatter(x, i, lane_set(0), held);
    lane_scatter(y, i, lane_set(0), held);
    lane_scatter_i(k->status, i, status | CONTACT_HELD, held);
    return held;
}

/* Weights of Nesterov's look-ahead in iteration `n`, 0, 1, 2, ... (t_n in his notation is kept in *t, 1 at first). */
static inline float contacts_beta(double *t)
{
    double next = (1 + sqrt(1 + 4 * *t * *t)) / 2;
    double beta = (*t - 1) / next;
    *t = next;
    return (float)beta;
}

#endif
