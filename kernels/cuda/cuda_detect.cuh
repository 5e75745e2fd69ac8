/* contacts_detect and solver_recall with a team of threads an agent, for crowds of which each fits.
 *
 * A thread an agent waits for one candidate after the other, in a jam for a hundred: 10,000 people took 217 us on an
 * H200. A team notes who is near, eight candidates at a time; looks at those together; and puts them in order by
 * counting how many come before each. What is found is the same in whatever order it was found. */
#ifndef THRONG_CUDA_DETECT_CUH
#define THRONG_CUDA_DETECT_CUH

#include "cuda_solver.cuh"

enum {
    DETECT_TEAM = 8,
    DETECT_MOST = 1 << 15, /* agents; beyond, a thread each */
    DETECT_NOTED = 64,
    DETECT_EACH = DETECT_NOTED / DETECT_TEAM
};

typedef team<DETECT_TEAM> detect_team;

/* What a team has noted: agents or walls, and their gaps. m */
struct detect_notes {
    float gap[DETECT_NOTED];
    int32_t index[DETECT_NOTED];
};

/* An agent of a team. */
struct detect_agent {
    contact_body me;
    contacts_visitor v; /* each thread has what it found */
    detect_notes *notes;
    int count, looked_at; /* noted, of them not for the first time */
};

/* Appends what some threads of a team have found. There must be room for all. */
static __device__ void detect_note(const detect_team &m, detect_agent *a, bool is, float gap, int32_t index)
{
    unsigned who = team_ballot(m, is);
    int at = a->count + __popc(who & ((1u << m.rank) - 1));
    if (is) {
        a->notes->gap[at] = gap;
        a->notes->index[at] = index;
    }
    a->count += __popc(who);
    __syncwarp(m.mask);
}

/* Puts what is noted in order, least gap first, equals by before(index, index), and keeps the first `most`. */
template <typename Before>
static __device__ void detect_order(const detect_team &m, detect_agent *a, int most, Before before)
{
    float gap[DETECT_EACH];
    int32_t index[DETECT_EACH];
    int place[DETECT_EACH];
#pragma unroll
    for (int e = 0; e < DETECT_EACH; e++) {
        int at = e * DETECT_TEAM + m.rank;
        bool there = at < a->count;
        gap[e] = there ? a->notes->gap[at] : INFINITY;
        index[e] = there ? a->notes->index[at] : -1;
        place[e] = there ? 0 : DETECT_NOTED;
        if (!team_ballot(m, there))
            continue;
        for (int f = 0; f < a->count; f++) {
            float other = a->notes->gap[f];
            place[e] += there && (other < gap[e] || (other == gap[e] && before(a->notes->index[f], index[e])));
        }
    }
    __syncwarp(m.mask);
#pragma unroll
    for (int e = 0; e < DETECT_EACH; e++)
        if (place[e] < most) {
            a->notes->gap[place[e]] = gap[e];
            a->notes->index[place[e]] = index[e];
        } else if (place[e] < DETECT_NOTED)
            a->v.left_out = fminf(a->v.left_out, gap[e]);
    a->count = min(a->count, most);
    __syncwarp(m.mask);
}

/* Looks at whom it noted since it last did, and drops who is too far to touch. */
static __device__ void detect_look(const crowd *c, const contacts *k, const detect_team &m, detect_agent *a)
{
    int noted = a->count;
    a->count = a->looked_at;
    for (int at = a->looked_at; at < noted; at += DETECT_TEAM) {
        bool there = at + m.rank < noted;
        int32_t j = there ? a->notes->index[at + m.rank] : a->me.index;
        contact_body other = contacts_body(k, j);
        contact_pair p = contacts_pair(c, &a->me, &other);
        float gap = p.distance - p.radii;
        there = there && contacts_could_touch(c, gap);
        if (there)
            contacts_check(c, &a->me, &other, &p, gap, true, &a->v);
        detect_note(m, a, there, gap, j);
    }
    a->looked_at = a->count;
}

static __device__ void detect_nearest(const crowd *c, const contacts *k, const detect_team &m, detect_agent *a)
{
    detect_look(c, k, m, a);
    detect_order(m, a, THRONG_CONTACTS_MAX, [&](int32_t j, int32_t other) { return c->slot[j] < c->slot[other]; });
    a->looked_at = a->count;
}

/* Its partners. */
static __device__ void detect_partners(const crowd *c, contacts *k, const detect_team &m, detect_agent *a)
{
    team_reach(c, k, m, &a->me, [&](int32_t j, bool near) {
        if (a->count > DETECT_NOTED - DETECT_TEAM)
            detect_nearest(c, k, m, a);
        detect_note(m, a, near, 0, j);
    });
    detect_nearest(c, k, m, a);
    for (int s = m.rank; s < THRONG_CONTACTS_MAX && s <= a->count; s += DETECT_TEAM) {
        k->partner[s * c->stride + a->me.index] = s < a->count ? a->notes->index[s] : -1;
        k->lambda[s * c->stride + a->me.index] = 0;
    }
    float left_out = a->v.left_out;
#pragma unroll
    for (int q = 1; q < DETECT_TEAM; q *= 2)
        left_out = fminf(left_out, __shfl_xor_sync(m.mask, left_out, q));
    __syncwarp(m.mask); /* all have read what was noted */
    if (left_out < INFINITY && m.rank == 0)
        k->a[4 * a->me.index + 3] = k->b[4 * a->me.index + 3] = contacts_cap(c, a->me.radius, left_out);
}

/* Notes the walls of a grid that it could touch. */
static __device__ void detect_grid(const crowd *c, const throng_wall_grid *grid, const detect_team &m, detect_agent *a)
{
    auto before = [](int32_t s, int32_t other) { return s < other; };
    team_walls_of(c, m, grid, &a->me, [&](const contact_wall *w, bool near, int32_t s) {
        if (a->count > DETECT_NOTED - DETECT_TEAM)
            detect_order(m, a, CONTACT_WALLS_MAX, before);
        a->v.violated |=
            near && lane_dot(w->nx, w->ny, a->me.dx, a->me.dy) > w->gap + CONTACTS_WALL_SKIN * a->me.radius;
        detect_note(m, a, near, w->gap, s);
    });
    detect_order(m, a, CONTACT_WALLS_MAX, before);
}

static __device__ void detect_walls(const crowd *c, contacts *k, const detect_team &m, detect_agent *a)
{
    int32_t at = a->me.index * CONTACT_WALLS_MAX + m.rank;
    a->count = 0;
    if (contacts_walled(c, a->me.index, true)) {
        detect_grid(c, &c->walls.still, m, a);
        if (c->walls.sides)
            detect_grid(c, &c->walls.moving, m, a);
    }
    if (m.rank < CONTACT_WALLS_MAX) {
        k->wall[at] = m.rank < a->count ? a->notes->index[m.rank] : -1;
        k->wall_lambda[at] = 0;
    }
}

/* solver_recall, of an agent whose contacts pressed in the last step, by four threads of its team. */
static __device__ void detect_recall(const crowd *c, contacts *k, int32_t i)
{
    team<SOLVER_TEAM> m = team_of_thread<SOLVER_TEAM>();
    lane_four body = lane_gather_four(k->body, i), b = lane_gather_four(k->b, i);
    contact_body me = contacts_join_parts(i, &body, &b);
    solver_sum sum = {};
    team_partners(c, k, m, i, [&](const team_group<SOLVER_TEAM> &group, int e) {
#pragma unroll
        for (int g = 0; g < team<SOLVER_TEAM>::GROUP; g++) {
            int32_t s = (e + g) * SOLVER_TEAM + m.rank;
            solver_push mine = solver_recall_partner(c, k, &me, c->slot[i], s, group.index[g], group.there[g]);
            team_add(m, &sum, &mine);
        }
    });
    solver_recalled(k, &me, &sum, m.rank == 0);
}

/* Agent `i` of a team. */
static __device__ void detect(const crowd *c, contacts *k, const detect_team &m, int32_t i, detect_agent *a)
{
    a->me = contacts_body(k, i);
    detect_partners(c, k, m, a);
    if (c->walls.count)
        detect_walls(c, k, m, a);
    bool violated = team_ballot(m, a->v.violated) != 0, pressed = contacts_pressed(c, k, i);
    if (m.rank == 0) {
        if (violated)
            k->b[4 * i + 2] = -1;
        contacts_start(k, i, violated || pressed);
    }
    __syncwarp(m.mask);
    if (pressed && m.rank < SOLVER_TEAM)
        detect_recall(c, k, i);
}

#endif
