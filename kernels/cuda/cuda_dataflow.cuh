/* The solver as a dataflow: no iteration waits for all agents, each waits for what its partners say. In a jam an
 * iteration takes 2 us on an H200 (2.9 with 20,000), where one that ends with a grid barrier takes 3 to 7.
 *
 * Where there is room for a whole world, every agent is taken in at once by a team of threads that share out its
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

#include "cuda_persistent.cuh"

/* Iterations between two barriers, and words that are kept of an agent. */
enum { DATAFLOW_TURNS = 7, DATAFLOW_SLOTS = 8 };

enum { DATAFLOW_TEAM = 8, DATAFLOW_THREADS = 768, DATAFLOW_TEAMS = DATAFLOW_THREADS / DATAFLOW_TEAM };
typedef team<DATAFLOW_TEAM> dataflow_team;

/* A thread's two contacts: thread q has partners q and 8 + q, or, of the last four, wall q - 4. */
enum { DATAFLOW_EACH = 2, DATAFLOW_CONTACTS = DATAFLOW_EACH * DATAFLOW_TEAM };
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

/* The memory of a block, with room for `each` agents a team: [EACH][each][threads] contacts, [each][teams] agents,
 * [teams] sums. */
extern __shared__ float4 dataflow_memory[];

static size_t dataflow_bytes(int32_t each)
{
    return DATAFLOW_TEAMS * ((size_t)each * (DATAFLOW_CONTACTS * sizeof(dataflow_contact) + sizeof(dataflow_agent)) +
                             sizeof(dataflow_sums));
}

TEAM_FN dataflow_contact *dataflow_contact_at(int32_t each, int g, int32_t n)
{
    return (dataflow_contact *)dataflow_memory + (g * each + n) * DATAFLOW_THREADS + (int32_t)threadIdx.x;
}

TEAM_FN dataflow_agent *dataflow_agent_at(int32_t each, int32_t n)
{
    dataflow_contact *end = (dataflow_contact *)dataflow_memory + DATAFLOW_EACH * each * DATAFLOW_THREADS;
    return (dataflow_agent *)end + n * DATAFLOW_TEAMS + (int32_t)threadIdx.x / DATAFLOW_TEAM;
}

TEAM_FN dataflow_sums *dataflow_sums_of_team(int32_t each)
{
    int32_t team = (int32_t)threadIdx.x / DATAFLOW_TEAM;
    return (dataflow_sums *)(dataflow_agent_at(each, each) - team) + team;
}

TEAM_FN bool dataflow_is_wall(const dataflow_team &m, int g)
{
    return g * DATAFLOW_TEAM + m.rank >= THRONG_CONTACTS_MAX;
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

TEAM_FN float *dataflow_word(const dataflow_words &w, int32_t turn, int32_t agent)
{
    return w.said + 4 * ((turn % DATAFLOW_SLOTS) * w.agents + agent);
}

TEAM_FN void dataflow_say(float *word, const dataflow_agent &own, int32_t turn)
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

TEAM_FN dataflow_word_read dataflow_read(const float *word)
{
    dataflow_word_read r;
    asm volatile("{ .reg .b128 word; ld.relaxed.gpu.global.b128 word, [%2]; mov.b128 {%0, %1}, word; }"
                 : "=l"(r.low), "=l"(r.high)
                 : "l"(word)
                 : "memory");
    return r;
}

TEAM_FN bool dataflow_is_of(const dataflow_word_read &r, int32_t turn)
{
    return (unsigned)(r.high >> 32 & 0xffff) == (unsigned)(turn + 1);
}

/* The last part is when the agent went on. */
TEAM_FN lane_four dataflow_heard(const dataflow_word_read &r)
{
    return {__uint_as_float((unsigned)r.low), __uint_as_float((unsigned)(r.low >> 32)),
            __uint_as_float((unsigned)r.high), __int_as_float((int32_t)(r.high >> 48))};
}

/* What the partners have said after iteration `turn`, as soon as both have. */
TEAM_FN void dataflow_hear(const dataflow_words &w, const dataflow_team &m, const dataflow_contact *r, bool more,
                           int32_t turn, lane_four *a)
{
    const float *from[DATAFLOW_EACH];
    dataflow_word_read word[DATAFLOW_EACH];
    bool waits[DATAFLOW_EACH];
#pragma unroll
    for (int g = 0; g < DATAFLOW_EACH; g++) {
        word[g] = {0, (uint64_t)DATAFLOW_RESTS << 48};
        waits[g] = (!g || more) && !dataflow_is_wall(m, g) && r[g].with >= 0;
        from[g] = dataflow_word(w, turn, waits[g] ? r[g].with : 0);
    }
    while (waits[0] || waits[1]) {
#pragma unroll
        for (int g = 0; g < DATAFLOW_EACH; g++)
            if (waits[g])
                word[g] = dataflow_read(from[g]);
#pragma unroll
        for (int g = 0; g < DATAFLOW_EACH; g++)
            waits[g] = waits[g] && !dataflow_is_of(word[g], turn);
    }
#pragma unroll
    for (int g = 0; g < DATAFLOW_EACH; g++)
        a[g] = dataflow_heard(word[g]);
}

/* --- an agent -------------------------------------------------------------------------------------------- */

/* Whom the thread has: lists end at their first -1, what lies behind is old. */
TEAM_FN void dataflow_listed(const crowd *c, const contacts *k, const dataflow_team &m, int32_t i, int32_t *with)
{
    const unsigned partners = (1u << THRONG_CONTACTS_MAX) - 1;
    unsigned none = 0;
#pragma unroll
    for (int g = 0; g < DATAFLOW_EACH; g++) {
        int32_t s = g * DATAFLOW_TEAM + m.rank;
        with[g] = -1;
        if (!dataflow_is_wall(m, g))
            with[g] = k->partner[i + s * c->stride];
        else if (c->walls.count)
            with[g] = k->wall[i * CONTACT_WALLS_MAX + s - THRONG_CONTACTS_MAX];
        none |= team_ballot(m, with[g] < 0) << g * DATAFLOW_TEAM;
    }
#pragma unroll
    for (int g = 0; g < DATAFLOW_EACH; g++) {
        unsigned before = none & ((1u << (g * DATAFLOW_TEAM + m.rank)) - 1);
        if (before & (dataflow_is_wall(m, g) ? ~partners : partners))
            with[g] = -1;
    }
}

/* Agent `i` as it is in memory, the team's `n`th. */
TEAM_FN void dataflow_take(const crowd *c, contacts *k, const dataflow_words &w, const dataflow_team &m, int32_t each,
                           int32_t n, int32_t i)
{
    int32_t with[DATAFLOW_EACH];
    dataflow_agent own = {};
    dataflow_listed(c, k, m, i, with);
    bool active = k->status[i] & CONTACT_ACTIVE;
    own.index = i;
    own.more = team_ballot(m, with[1] >= 0) != 0;
    solver_turn t = solver_begin(c, k, i, true);
    own.dx = t.me.dx;
    own.dy = t.me.dy;
    own.stiffness = t.me.stiffness;
    own.went_on = DATAFLOW_RESTS;
    own.weight = t.me.weight;
    own.wish_x = t.wish_x;
    own.wish_y = t.wish_y;
    own.cap = t.me.cap;
    if (m.rank == 0)
        dataflow_say(dataflow_word(w, 0, i), own, 0);
    own.went_on = active ? 0 : DATAFLOW_RESTS;
    if (m.rank == 0)
        *dataflow_agent_at(each, n) = own;
#pragma unroll
    for (int g = 0; g < DATAFLOW_EACH; g++) {
        dataflow_contact r = {};
        int32_t at = g * DATAFLOW_TEAM + m.rank;
        if (with[g] >= 0 && dataflow_is_wall(m, g)) {
            at = i * CONTACT_WALLS_MAX + at - THRONG_CONTACTS_MAX;
            r.is = solver_contact_wall(c, &t.me, with[g], true);
            r.presses = solver_read(k->wall_lambda, k->wall_ahead, at, true);
        } else if (with[g] >= 0) {
            contact_body other = contacts_body(k, with[g]);
            r.is = solver_contact_of(c, &t.me, &other);
            r.presses = solver_read(k->lambda, k->ahead, i + at * c->stride, true);
        }
        r.with = with[g] < 0 ? -1 : dataflow_is_wall(m, g) ? 0 : with[g];
        *dataflow_contact_at(each, g, n) = r;
    }
}

/* Sums what the threads push, in the order of the lists, partners before walls: a thread a part. */
TEAM_FN solver_sum dataflow_sum(const dataflow_team &m, const dataflow_sums *sums, bool more)
{
    solver_sum sum;
    float all = 0, of[dataflow_sums::PARTS];
    if (m.rank < dataflow_sums::PARTS) {
        const float4 *row = (const float4 *)(sums->part + m.rank * dataflow_sums::ROW);
#pragma unroll
        for (int q = 0; q < DATAFLOW_CONTACTS / 4; q++) {
            if (q == DATAFLOW_TEAM / 4 && !more)
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
        of[p] = team_take(m, all, p);
    memcpy(&sum, of, sizeof sum);
    return sum;
}

/* What an iteration reads and writes of an agent: a thread's part. */
struct dataflow_part {
    dataflow_agent own;
    dataflow_contact r[DATAFLOW_EACH];
};

TEAM_FN dataflow_part dataflow_get(int32_t each, int32_t n, bool more)
{
    dataflow_part p;
    p.own = *dataflow_agent_at(each, n);
    p.r[0] = *dataflow_contact_at(each, 0, n);
    if (more)
        p.r[1] = *dataflow_contact_at(each, 1, n);
    return p;
}

/* Keeps what an iteration changes. */
TEAM_FN void dataflow_put(const dataflow_team &m, int32_t each, int32_t n, const dataflow_part &p, bool more)
{
    dataflow_contact_at(each, 0, n)->presses = p.r[0].presses;
    if (more)
        dataflow_contact_at(each, 1, n)->presses = p.r[1].presses;
    if (m.rank == 0)
        *(lane_four *)dataflow_agent_at(each, n) = {p.own.dx, p.own.dy, p.own.stiffness, __int_as_float(p.own.went_on)};
    __syncwarp();
}

/* What a team's pushes do to its agent, of those who are `on`; by all of a warp together. Returns whether it goes on.
 */
TEAM_FN bool dataflow_push(const dataflow_team &m, dataflow_sums *sums, dataflow_part *p, bool more, const lane_four *a,
                           bool on, float beta)
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
    for (int g = 0; g < DATAFLOW_EACH; g++) {
        if (g && !more)
            break;
        /* a wall wants to go nowhere, has no weight, and is pressed by who touches it alone */
        dataflow_contact *r = &p->r[g];
        bool there = on && r->with >= 0;
        float pressing = dataflow_is_wall(m, g) ? 0 : r->presses.ahead;
        solver_meet(&r->is, &r->presses, a[g].a, a[g].b, a[g].c, pressing, there, beta, &t);
        solver_push mine = solver_pushes(&r->is, &r->presses, there);
        solver_sum part = {};
        solver_add(&part, &mine);
        float of[dataflow_sums::PARTS];
        memcpy(of, &part, sizeof of);
#pragma unroll
        for (int q = 0; q < dataflow_sums::PARTS; q++)
            sums->part[q * dataflow_sums::ROW + g * DATAFLOW_TEAM + m.rank] = of[q];
    }
    __syncwarp();
    t.sum = dataflow_sum(m, sums, more);
    team_agree(m, &t);
    if (!on)
        return false;
    lane_four next = solver_outcome(&t);
    own->dx = next.a;
    own->dy = next.b;
    own->stiffness = next.c;
    return t.wrong || t.turned;
}

/* An iteration of one agent of each team of a warp, all of them together; those without have none to wait for. Returns
 * whether it goes on. */
TEAM_FN bool dataflow_iterate(const dataflow_words &w, const dataflow_team &m, dataflow_sums *sums, dataflow_part *p,
                              bool more, float beta, int32_t turn)
{
    lane_four a[DATAFLOW_EACH];
    dataflow_hear(w, m, p->r, more, turn - 1, a);
    bool moved = p->own.went_on == turn - 1 || __float_as_int(a[0].d) == turn - 1 || __float_as_int(a[1].d) == turn - 1;
    __syncwarp();
    bool on = team_ballot(m, moved) != 0, goes_on = false;
    if (team_any(m, on))
        goes_on = dataflow_push(m, sums, p, more, a, on, beta);
    if (goes_on)
        p->own.went_on = turn;
    if (p->own.index >= 0 && m.rank == 0)
        dataflow_say(dataflow_word(w, turn, p->own.index), p->own, turn);
    return goes_on;
}

/* What came of it, to memory: of who was active, or went on. */
TEAM_FN void dataflow_leave(const crowd *c, contacts *k, const dataflow_team &m, int32_t each, int32_t n)
{
    dataflow_agent own = *dataflow_agent_at(each, n);
    int32_t i = own.index;
    if (i < 0 || own.went_on == DATAFLOW_RESTS)
        return;
    if (m.rank == 0) {
        lane_four a = {own.dx, own.dy, own.stiffness, own.cap};
        lane_scatter_four(k->a, i, a, true);
        lane_scatter_four(k->b, i, a, true);
    }
    if (own.went_on == 0)
        return;
#pragma unroll
    for (int g = 0; g < DATAFLOW_EACH; g++) {
        dataflow_contact r = *dataflow_contact_at(each, g, n);
        if (r.with < 0 || dataflow_is_wall(m, g))
            continue;
        k->lambda[i + (g * DATAFLOW_TEAM + m.rank) * c->stride] = r.presses.now;
        contacts_join(k, r.with);
        solver_harden(c, k, r.with, own.went_on >= SOLVER_HARD);
    }
    if (own.cap < 0) /* see solver_crowded */
        team_list_beyond(c, *k, i, 0, m.rank, DATAFLOW_TEAM);
    if (m.rank == 0)
        solver_harden(c, k, i, own.went_on >= SOLVER_HARD);
}

/* --- all of them ------------------------------------------------------------------------------------------ */

/* Iterates all agents until nobody goes on or `last` is done. In `latest`: the last iteration that anybody went on in.
 */
static __device__ __noinline__ void dataflow_solve(const crowd *c, contacts of, const dataflow_words w,
                                                   const float *beta, int32_t each, int32_t last,
                                                   const grid_barrier barrier, int *latest)
{
    const dataflow_team m = team_together(team_of_thread<DATAFLOW_TEAM>());
    dataflow_sums *sums = dataflow_sums_of_team(each);
    int32_t teams = barrier.blocks * DATAFLOW_TEAMS, turn = 1, none = 0, agents = c->frame.agents;
    int32_t team = (int32_t)threadIdx.x / DATAFLOW_TEAM, first = (team & ~3) * barrier.blocks + (int32_t)blockIdx.x;
    int32_t mine = team * barrier.blocks + (int32_t)blockIdx.x, went_on = 0;
    contacts *k = &of;
    __shared__ int joined, latest_here;
    contacts_persistent active = {k->active, k->active_count, &joined, CONTACT_ACTIVE};
    if (threadIdx.x == 0)
        joined = latest_here = 0;
    for (int32_t n = 0; n < each && first + n * teams < agents; n++) {
        int32_t i = mine + n * teams;
        if (i < agents)
            dataflow_take(c, k, w, team_of_thread<DATAFLOW_TEAM>(), each, n, i);
        else
            for (int g = 0; g < DATAFLOW_EACH; g++) {
                dataflow_contact_at(each, g, n)->with = -1;
                *dataflow_agent_at(each, n) = {0, 0, 0, DATAFLOW_RESTS, 0, 0, 0, 0, -1, 0};
            }
    }
    __syncwarp();
    for (bool on = true; on && turn <= last;) {
        bool goes_on = false;
        for (int32_t until = min(turn + DATAFLOW_TURNS, last + 1); turn < until; turn++) {
            float ahead = beta[turn - 1];
            goes_on = false;
            for (int32_t n = 0; n < each && first + n * teams < agents; n++) {
                bool more = team_any(m, dataflow_agent_at(each, n)->more);
                dataflow_part p = dataflow_get(each, n, more);
                goes_on |= dataflow_iterate(w, m, sums, &p, more, ahead, turn);
                dataflow_put(m, each, n, p, more);
            }
            went_on = goes_on ? turn : went_on;
        }
        on = (grid_barrier_wait(&barrier, turn - 1, goes_on, &none) >> 16 & 0xffff) != 0;
    }
    k->persistent = &active;
    for (int32_t n = 0; n < each && mine + n * teams < agents; n++)
        dataflow_leave(c, k, team_of_thread<DATAFLOW_TEAM>(), each, n);
    atomicMax(&latest_here, went_on);
    __syncthreads();
    if (threadIdx.x == 0)
        atomicMax(latest, latest_here);
}

#endif
