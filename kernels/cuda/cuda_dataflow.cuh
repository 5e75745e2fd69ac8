/* The solver as a dataflow: no iteration waits for all agents, each waits for what its partners say. In a jam an
 * iteration takes 2 us on an H200 (2.9 with 20,000). With iterations that end with a grid barrier steps take 1.16
 * to 1.6 times as long: four streams of 20,000 .44 ms in place of .32, an office of 10,000 1.19 in place of .82.
 *
 * Where there is room for a whole world, every agent is taken in at once by a thread group, which shares out its
 * partners and walls: what these are, and how they press, stays in shared memory. What came of an iteration is said in
 * one word of 128 bits, with its number, in a place of the agent's own in memory; the next one begins as soon as those
 * of all partners are there. The blocks meet once in DATAFLOW_TURNS iterations, as there is room for the words of so
 * many, and to find out whether anybody goes on.
 *
 * Who finds that neither it nor a partner went on in the last iteration says what it said before: nothing would come of
 * looking, as all it depends on is as it was. So an agent is looked at in the iterations in which it would be on the
 * list (solver.h), and whom it would have made active can be told afterwards. */
#ifndef THRONG_CUDA_DATAFLOW_CUH
#define THRONG_CUDA_DATAFLOW_CUH

#include "cuda_solver.cuh"

/* Iterations between two barriers, and words that are kept of an agent. */
enum { DATAFLOW_TURNS = 7, DATAFLOW_SLOTS = 8 };

enum { DATAFLOW_GROUP = 8, DATAFLOW_THREADS = 768, DATAFLOW_GROUPS = DATAFLOW_THREADS / DATAFLOW_GROUP };
typedef thread_group<DATAFLOW_GROUP> dataflow_group;

/* A thread's two contacts: thread q has partners q and 8 + q, or, of the last four, wall q - 4. */
enum { DATAFLOW_EACH = 2, DATAFLOW_CONTACTS = DATAFLOW_EACH * DATAFLOW_GROUP };
static_assert((int)DATAFLOW_CONTACTS == THRONG_CONTACTS_MAX + CONTACT_WALLS_MAX, "a contact for everybody");

struct alignas(16) dataflow_contact {
    solver_contact is;
    solver_multiplier presses;
    int32_t with; /* sorted index; of a wall 0; -1: there is none */
};

struct alignas(16) dataflow_agent {
    float dx, dy, stiffness;           /* as in contacts.a */
    int32_t went_on;                   /* in this iteration, last; at first 0, DATAFLOW_RESTS of who is not active */
    float weight, wish_x, wish_y, cap; /* see solver_turn */
    int32_t index;                     /* sorted, -1: none */
    int32_t more;                      /* second contacts, of any of its threads */
};
enum { DATAFLOW_RESTS = 0xffff }; /* no iteration */

/* What each contact adds to each part of solver_sum; a row more than the contacts: other banks. */
struct alignas(16) dataflow_sums {
    enum { ROW = DATAFLOW_CONTACTS + 4, PARTS = 5 };
    float part[PARTS * ROW];
};

/* The memory of a block, with room for `each` agents a group: [EACH][each][threads] contacts, [each][groups] agents,
 * [groups] sums. */
extern __shared__ float4 dataflow_memory[];

static size_t dataflow_bytes(int32_t each)
{
    return DATAFLOW_GROUPS * ((size_t)each * (DATAFLOW_CONTACTS * sizeof(dataflow_contact) + sizeof(dataflow_agent)) +
                              sizeof(dataflow_sums));
}

GROUP_FN dataflow_contact *dataflow_contact_at(int32_t each, int e, int32_t n)
{
    return (dataflow_contact *)dataflow_memory + (e * each + n) * DATAFLOW_THREADS + (int32_t)threadIdx.x;
}

GROUP_FN dataflow_agent *dataflow_agent_at(int32_t each, int32_t n)
{
    dataflow_contact *end = (dataflow_contact *)dataflow_memory + DATAFLOW_EACH * each * DATAFLOW_THREADS;
    return (dataflow_agent *)end + n * DATAFLOW_GROUPS + (int32_t)threadIdx.x / DATAFLOW_GROUP;
}

GROUP_FN dataflow_sums *dataflow_sums_of_group(int32_t each)
{
    int32_t group = (int32_t)threadIdx.x / DATAFLOW_GROUP;
    return (dataflow_sums *)(dataflow_agent_at(each, each) - group) + group;
}

GROUP_FN bool dataflow_is_wall(const dataflow_group &g, int e)
{
    return e * DATAFLOW_GROUP + g.rank >= THRONG_CONTACTS_MAX;
}

/* --- words ---------------------------------------------------------------------------------------------- */

/* [turn % DATAFLOW_SLOTS][agent]: displacement and stiffness as in contacts.a; after what iteration, plus one, and when
 * the agent last went on, 16 bits each. Zero before a step. */
struct dataflow_words {
    float *said;
    int32_t agents;
};
static_assert((int)DATAFLOW_TURNS < DATAFLOW_SLOTS, "what is waited for is not overwritten");
static_assert((int)ITERATIONS_MAX < DATAFLOW_RESTS, "16 bits");

GROUP_FN float *dataflow_word(const dataflow_words &w, int32_t turn, int32_t agent)
{
    return w.said + 4 * ((turn % DATAFLOW_SLOTS) * w.agents + agent);
}

GROUP_FN void dataflow_say(float *word, const dataflow_agent &own, int32_t turn)
{
    uint64_t low = (uint64_t)__float_as_uint(own.dy) << 32 | __float_as_uint(own.dx);
    uint64_t high =
        (uint64_t)((unsigned)own.went_on << 16 | (unsigned)(turn + 1)) << 32 | __float_as_uint(own.stiffness);
    asm volatile("{ .reg .b128 word; mov.b128 word, {%1, %2}; st.relaxed.gpu.global.b128 [%0], word; }" ::"l"(word),
                 "l"(low), "l"(high)
                 : "memory");
}

struct dataflow_word_read {
    uint64_t low, high;
};

GROUP_FN dataflow_word_read dataflow_read(const float *word)
{
    dataflow_word_read r;
    asm volatile("{ .reg .b128 word; ld.relaxed.gpu.global.b128 word, [%2]; mov.b128 {%0, %1}, word; }"
                 : "=l"(r.low), "=l"(r.high)
                 : "l"(word)
                 : "memory");
    return r;
}

GROUP_FN bool dataflow_is_of(const dataflow_word_read &r, int32_t turn)
{
    return (unsigned)(r.high >> 32 & 0xffff) == (unsigned)(turn + 1);
}

/* The last part is when the agent went on. */
GROUP_FN lane_four dataflow_heard(const dataflow_word_read &r)
{
    return {__uint_as_float((unsigned)r.low), __uint_as_float((unsigned)(r.low >> 32)),
            __uint_as_float((unsigned)r.high), __int_as_float((int32_t)(r.high >> 48))};
}

/* What the partners have said after iteration `turn`, as soon as both have. */
GROUP_FN void dataflow_hear(const dataflow_words &w, const dataflow_group &g, const dataflow_contact *r, bool more,
                            int32_t turn, lane_four *a)
{
    const float *from[DATAFLOW_EACH];
    dataflow_word_read word[DATAFLOW_EACH];
    bool waits[DATAFLOW_EACH];
#pragma unroll
    for (int e = 0; e < DATAFLOW_EACH; e++) {
        word[e] = {0, (uint64_t)DATAFLOW_RESTS << 48};
        waits[e] = (!e || more) && !dataflow_is_wall(g, e) && r[e].with >= 0;
        from[e] = dataflow_word(w, turn, waits[e] ? r[e].with : 0);
    }
    while (waits[0] || waits[1]) {
#pragma unroll
        for (int e = 0; e < DATAFLOW_EACH; e++)
            if (waits[e])
                word[e] = dataflow_read(from[e]);
#pragma unroll
        for (int e = 0; e < DATAFLOW_EACH; e++)
            waits[e] = waits[e] && !dataflow_is_of(word[e], turn);
    }
#pragma unroll
    for (int e = 0; e < DATAFLOW_EACH; e++)
        a[e] = dataflow_heard(word[e]);
}

/* --- an agent -------------------------------------------------------------------------------------------- */

/* Whom the thread has: lists end at their first -1, what lies behind is old. */
GROUP_FN void dataflow_listed(const crowd *c, const contacts *k, const dataflow_group &g, int32_t i, int32_t *with)
{
    const unsigned partners = (1u << THRONG_CONTACTS_MAX) - 1;
    unsigned none = 0;
#pragma unroll
    for (int e = 0; e < DATAFLOW_EACH; e++) {
        int32_t s = e * DATAFLOW_GROUP + g.rank;
        with[e] = -1;
        if (!dataflow_is_wall(g, e))
            with[e] = k->partner[i + s * c->stride];
        else if (c->walls.count)
            with[e] = k->wall[i * CONTACT_WALLS_MAX + s - THRONG_CONTACTS_MAX];
        none |= group_ballot(g, with[e] < 0) << e * DATAFLOW_GROUP;
    }
#pragma unroll
    for (int e = 0; e < DATAFLOW_EACH; e++) {
        unsigned before = none & ((1u << (e * DATAFLOW_GROUP + g.rank)) - 1);
        if (before & (dataflow_is_wall(g, e) ? ~partners : partners))
            with[e] = -1;
    }
}

/* Agent `i` as it is in memory, the group's `n`th. */
GROUP_FN void dataflow_take(const crowd *c, contacts *k, const dataflow_words &w, const dataflow_group &g, int32_t each,
                            int32_t n, int32_t i)
{
    int32_t with[DATAFLOW_EACH];
    dataflow_agent own = {};
    dataflow_listed(c, k, g, i, with);
    bool active = k->status[i] & CONTACT_ACTIVE;
    own.index = i;
    own.more = group_ballot(g, with[1] >= 0) != 0;
    solver_turn t = solver_begin(c, k, i, true);
    own.dx = t.me.dx;
    own.dy = t.me.dy;
    own.stiffness = t.me.stiffness;
    own.went_on = DATAFLOW_RESTS;
    own.weight = t.me.weight;
    own.wish_x = t.wish_x;
    own.wish_y = t.wish_y;
    own.cap = t.me.cap;
    if (g.rank == 0)
        dataflow_say(dataflow_word(w, 0, i), own, 0);
    own.went_on = active ? 0 : DATAFLOW_RESTS;
    if (g.rank == 0)
        *dataflow_agent_at(each, n) = own;
#pragma unroll
    for (int e = 0; e < DATAFLOW_EACH; e++) {
        dataflow_contact r = {};
        int32_t at = e * DATAFLOW_GROUP + g.rank;
        if (with[e] >= 0 && dataflow_is_wall(g, e)) {
            at = i * CONTACT_WALLS_MAX + at - THRONG_CONTACTS_MAX;
            r.is = solver_contact_wall(c, &t.me, with[e], true);
            r.presses = solver_read(k->wall_lambda, k->wall_ahead, at, true);
        } else if (with[e] >= 0) {
            contact_body other = contacts_body(k, with[e]);
            r.is = solver_contact_of(c, &t.me, &other);
            r.presses = solver_read(k->lambda, k->ahead, i + at * c->stride, true);
        }
        r.with = with[e] < 0 ? -1 : dataflow_is_wall(g, e) ? 0 : with[e];
        *dataflow_contact_at(each, e, n) = r;
    }
}

/* Sums what the threads push, in the order of the lists, partners before walls: a thread a part. */
GROUP_FN solver_sum dataflow_sum(const dataflow_group &g, const dataflow_sums *sums, bool more)
{
    solver_sum sum;
    float all = 0, of[dataflow_sums::PARTS];
    if (g.rank < dataflow_sums::PARTS) {
        const float4 *row = (const float4 *)(sums->part + g.rank * dataflow_sums::ROW);
#pragma unroll
        for (int q = 0; q < DATAFLOW_CONTACTS / 4; q++) {
            if (q == DATAFLOW_GROUP / 4 && !more)
                break;
            float4 four = row[q];
            all = all + four.x;
            all = all + four.y;
            all = all + four.z;
            all = all + four.w;
        }
    }
#pragma unroll
    for (int p = 0; p < dataflow_sums::PARTS; p++)
        of[p] = group_take(g, all, p);
    memcpy(&sum, of, sizeof sum);
    return sum;
}

/* What an iteration reads and writes of an agent: a thread's part. */
struct dataflow_part {
    dataflow_agent own;
    dataflow_contact r[DATAFLOW_EACH];
};

GROUP_FN dataflow_part dataflow_get(int32_t each, int32_t n, bool more)
{
    dataflow_part p;
    p.own = *dataflow_agent_at(each, n);
    p.r[0] = *dataflow_contact_at(each, 0, n);
    if (more)
        p.r[1] = *dataflow_contact_at(each, 1, n);
    return p;
}

/* Keeps what an iteration changes. */
GROUP_FN void dataflow_put(const dataflow_group &g, int32_t each, int32_t n, const dataflow_part &p, bool more)
{
    dataflow_contact_at(each, 0, n)->presses = p.r[0].presses;
    if (more)
        dataflow_contact_at(each, 1, n)->presses = p.r[1].presses;
    if (g.rank == 0)
        *(lane_four *)dataflow_agent_at(each, n) = {p.own.dx, p.own.dy, p.own.stiffness, __int_as_float(p.own.went_on)};
    __syncwarp();
}

/* What a group's pushes do to its agent, of those who are `on`; by all of a warp together. Returns whether it goes on.
 */
GROUP_FN bool dataflow_push(const dataflow_group &g, dataflow_sums *sums, dataflow_part *p, bool more,
                            const lane_four *a, bool on, float beta)
{
    dataflow_agent *own = &p->own;
    solver_turn t = {};
    t.me.dx = own->dx;
    t.me.dy = own->dy;
    t.me.stiffness = own->stiffness;
    t.me.cap = own->cap;
    t.me.weight = own->weight;
    t.wish_x = own->wish_x;
    t.wish_y = own->wish_y;
    t.stiffness = fabsf(own->stiffness);
    t.hot = own->stiffness < 0;
#pragma unroll
    for (int e = 0; e < DATAFLOW_EACH; e++) {
        if (e && !more)
            break;
        /* a wall wants to go nowhere, has no weight, and is pressed by who touches it alone */
        dataflow_contact *r = &p->r[e];
        bool there = on && r->with >= 0;
        float pressing = dataflow_is_wall(g, e) ? 0 : r->presses.ahead;
        solver_meet(&r->is, &r->presses, a[e].a, a[e].b, a[e].c, pressing, there, beta, &t);
        solver_push mine = solver_pushes(&r->is, &r->presses, there);
        solver_sum part = {};
        solver_add(&part, &mine);
        float of[dataflow_sums::PARTS];
        memcpy(of, &part, sizeof of);
#pragma unroll
        for (int q = 0; q < dataflow_sums::PARTS; q++)
            sums->part[q * dataflow_sums::ROW + e * DATAFLOW_GROUP + g.rank] = of[q];
    }
    __syncwarp();
    t.sum = dataflow_sum(g, sums, more);
    t.turned = group_ballot(g, t.turned) != 0;
    t.wrong = group_ballot(g, t.wrong) != 0;
    if (!on)
        return false;
    lane_four next = solver_outcome(&t);
    own->dx = next.a;
    own->dy = next.b;
    own->stiffness = next.c;
    return t.wrong || t.turned;
}

/* An iteration of one agent of each group of a warp, all of them together; those without have none to wait for. Returns
 * whether it goes on. */
GROUP_FN bool dataflow_iterate(const dataflow_words &w, const dataflow_group &g, dataflow_sums *sums, dataflow_part *p,
                               bool more, float beta, int32_t turn)
{
    lane_four a[DATAFLOW_EACH];
    dataflow_hear(w, g, p->r, more, turn - 1, a);
    bool moved = p->own.went_on == turn - 1 || __float_as_int(a[0].d) == turn - 1 || __float_as_int(a[1].d) == turn - 1;
    __syncwarp();
    bool on = group_ballot(g, moved) != 0, goes_on = false;
    if (group_any(g, on))
        goes_on = dataflow_push(g, sums, p, more, a, on, beta);
    if (goes_on)
        p->own.went_on = turn;
    if (p->own.index >= 0 && g.rank == 0)
        dataflow_say(dataflow_word(w, turn, p->own.index), p->own, turn);
    return goes_on;
}

/* What came of it, to memory: of who was active, or went on. */
GROUP_FN void dataflow_leave(const crowd *c, contacts *k, const dataflow_group &g, int32_t each, int32_t n)
{
    dataflow_agent own = *dataflow_agent_at(each, n);
    int32_t i = own.index;
    if (i < 0 || own.went_on == DATAFLOW_RESTS)
        return;
    if (g.rank == 0) {
        lane_four a = {own.dx, own.dy, own.stiffness, own.cap};
        lane_scatter_four(k->a, i, a, true);
        lane_scatter_four(k->b, i, a, true);
    }
    if (own.went_on == 0)
        return;
#pragma unroll
    for (int e = 0; e < DATAFLOW_EACH; e++) {
        dataflow_contact r = *dataflow_contact_at(each, e, n);
        if (r.with < 0 || dataflow_is_wall(g, e))
            continue;
        k->lambda[i + (e * DATAFLOW_GROUP + g.rank) * c->stride] = r.presses.now;
        contacts_wake(k, r.with);
        solver_harden(c, k, r.with, own.went_on >= SOLVER_HARD);
    }
    if (own.cap < 0) /* see solver_crowded */
        list_beyond(c, *k, i, 0, g.rank, DATAFLOW_GROUP);
    if (g.rank == 0)
        solver_harden(c, k, i, own.went_on >= SOLVER_HARD);
}

/* --- all of them ------------------------------------------------------------------------------------------ */

/* Iterates all agents until nobody goes on or `last` is done. In `latest`: the last iteration that anybody went on in.
 */
static __device__ __noinline__ void dataflow_solve(const crowd *c, contacts of, const dataflow_words w,
                                                   const float *beta, int32_t each, int32_t last,
                                                   const grid_barrier barrier, int *latest)
{
    const dataflow_group g = group_of_warp<DATAFLOW_GROUP>();
    dataflow_sums *sums = dataflow_sums_of_group(each);
    int32_t groups = barrier.blocks * DATAFLOW_GROUPS, turn = 1, agents = c->frame.agents;
    int32_t group = (int32_t)threadIdx.x / DATAFLOW_GROUP, first = (group & ~3) * barrier.blocks + (int32_t)blockIdx.x;
    int32_t mine = group * barrier.blocks + (int32_t)blockIdx.x, went_on = 0;
    contacts *k = &of;
    __shared__ int latest_here;
    if (threadIdx.x == 0)
        latest_here = 0;
    for (int32_t n = 0; n < each && first + n * groups < agents; n++) {
        int32_t i = mine + n * groups;
        if (i < agents)
            dataflow_take(c, k, w, group_of_thread<DATAFLOW_GROUP>(), each, n, i);
        else
            for (int e = 0; e < DATAFLOW_EACH; e++) {
                dataflow_contact_at(each, e, n)->with = -1;
                *dataflow_agent_at(each, n) = {0, 0, 0, DATAFLOW_RESTS, 0, 0, 0, 0, -1, 0};
            }
    }
    __syncwarp();
    for (bool on = true; on && turn <= last;) {
        bool goes_on = false;
        for (int32_t until = min(turn + DATAFLOW_TURNS, last + 1); turn < until; turn++) {
            float ahead = beta[turn - 1];
            goes_on = false;
            for (int32_t n = 0; n < each && first + n * groups < agents; n++) {
                bool more = group_any(g, dataflow_agent_at(each, n)->more);
                dataflow_part p = dataflow_get(each, n, more);
                goes_on |= dataflow_iterate(w, g, sums, &p, more, ahead, turn);
                dataflow_put(g, each, n, p, more);
            }
            went_on = goes_on ? turn : went_on;
        }
        on = grid_barrier_wait(&barrier, turn - 1, goes_on);
    }
    for (int32_t n = 0; n < each && mine + n * groups < agents; n++)
        dataflow_leave(c, k, group_of_thread<DATAFLOW_GROUP>(), each, n);
    atomicMax(&latest_here, went_on);
    __syncthreads();
    if (threadIdx.x == 0)
        atomicMax(latest, latest_here);
}

#endif
