/* Few agents: each has a team of threads from the first iteration on, and nobody waits for everybody.
 *
 * What an agent does in an iteration depends on what its partners wanted in the last, and on nothing else. Each says so
 * itself: 16 bytes, seen all at once, hold where it wants to go, the number of the iteration, and whether it went on.
 * Who needs them asks until they are there. A hard place then does not hold up the rest, and an iteration takes a way
 * to the L2 cache and back, where a grid barrier takes three: on an H200 a frame of four streams of 2,000 takes
 * 0.25 ms in place of 0.31 with persistent agents (cuda_persistent.cuh), and one of 10,000 people in a jam 0.73 in
 * place of 0.83.
 *
 * Who rests says so, too. The last warp of each block watches: when nobody went on in an iteration all is solved, and
 * whatever iterations others have done since changed nothing. It also says what all are done with, as a record is
 * written over FLOW_DEPTH iterations later. (With eight no frame is shorter than with three.)
 *
 * Whom an iteration looks at is decided by whoever is looked at: it iterates if it or a partner went on in the last.
 * That is whom solver_list puts on the list, but for those whom somebody could touch that is not on their own, full
 * list. Of them only who would find a constraint violated on its own could change anything; it is `touchy`, and asks
 * all whom it could touch. */
#ifndef THRONG_CUDA_FLOW_CUH
#define THRONG_CUDA_FLOW_CUH

#include "cuda_persistent.cuh"

enum {
    FLOW_DEPTH = 3,
    FLOW_WARPS = SOLVER_BLOCK / 32 - 1, /* of a block, and one that watches */
    FLOW_AGENTS = FLOW_WARPS * 32 / SOLVER_TEAM,
    FLOW_STEPS = (1 << 19) - 2, /* that have marks of their own, none of which is the -1 of solver_keep */
    FLOW_APART = 8              /* words: what one block polls does not slow down another */
};

/* What the warps of a block tell the one that watches, and what it found in the end. */
struct flow_block {
    unsigned said[ITERATIONS_MAX + 1]; /* an iteration: warps that are done with it, and, above 16 bits, that go on */
    int32_t iterations;
};

static_assert(sizeof(persistent_shared) + sizeof(flow_block) <= (64 << 10) - 256, "what every device has");

/* Records of four: x, y, m; stiffness; a mark. They lie where the last step's multipliers were kept, which have been
 * recalled, and where wishes were; a mark is no number, and has the step's in it, so nothing else there looks like it.
 */
struct flow {
    float *ring;              /* [FLOW_DEPTH][room] */
    float *last;              /* [room]: where agents go in the end */
    int32_t room, step;       /* agents; 1 to FLOW_STEPS, another in each step */
    unsigned long long *said; /* flow_block.said, of blocks */
    unsigned *known;          /* [block * FLOW_APART]: what it knows, see flow_word */
    flow_block *block;
    int32_t blocks, warps; /* that have agents, of the grid and of this block */
};
static_assert(4 * FLOW_DEPTH == (int)THRONG_CONTACTS_MAX, "the ring is as large as what is kept");

/* --- records -------------------------------------------------------------------------------------------- */

/* Those of an iteration. */
TEAM_FN float *flow_records(const flow &f, int32_t turn) { return f.ring + 4 * (turn % FLOW_DEPTH * f.room); }

TEAM_FN lane_four flow_read(const float *records, int32_t agent)
{
    lane_four v;
    asm volatile("{\n\t.reg .b128 all;\n\t.reg .b64 low, high;\n\t"
                 "ld.relaxed.gpu.global.b128 all, [%4];\n\t"
                 "mov.b128 {low, high}, all;\n\tmov.b64 {%0, %1}, low;\n\tmov.b64 {%2, %3}, high;\n\t}"
                 : "=f"(v.a), "=f"(v.b), "=f"(v.c), "=f"(v.d)
                 : "l"(records + 4 * agent)
                 : "memory");
    return v;
}

TEAM_FN void flow_write(float *records, int32_t agent, lane_four v)
{
    asm volatile("{\n\t.reg .b128 all;\n\t.reg .b64 low, high;\n\t"
                 "mov.b64 low, {%1, %2};\n\tmov.b64 high, {%3, %4};\n\tmov.b128 all, {low, high};\n\t"
                 "st.relaxed.gpu.global.b128 [%0], all;\n\t}" ::"l"(records + 4 * agent),
                 "f"(v.a), "f"(v.b), "f"(v.c), "f"(v.d)
                 : "memory");
}

/* The mark of an iteration (more than FLOW_DEPTH have different ones; 0: where it goes in the end), and whether the
 * agent went on. */
TEAM_FN float flow_mark_of(const flow &f, int32_t turn, bool went_on)
{
    return __int_as_float((int32_t)0xff800000 | f.step << 4 | (turn & 7) << 1 | (int32_t)went_on);
}

TEAM_FN bool flow_is_of(const flow &f, const lane_four &v, int32_t turn)
{
    return (__float_as_int(v.d) & ~1) == __float_as_int(flow_mark_of(f, turn, false));
}

TEAM_FN bool flow_went_on(const lane_four &v) { return __float_as_int(v.d) & 1; }

/* What a block knows in a step: everybody is done with iteration `turn`, and whether all is solved. */
TEAM_FN unsigned flow_word(const flow &f, int32_t turn, bool ended)
{
    return (unsigned)f.step << 12 | (unsigned)ended << 11 | (unsigned)turn;
}
static_assert((int)ITERATIONS_MAX < 1 << 11, "an iteration has 11 bits of it");

/* Of the step; 0 before anything is known. */
TEAM_FN unsigned flow_knows(const flow &f)
{
    unsigned word = *(volatile unsigned *)&f.known[blockIdx.x * FLOW_APART];
    return word >> 12 == (unsigned)f.step ? word & 0xfff : 0;
}

TEAM_FN bool flow_done(unsigned known, int32_t turn) { return (int32_t)(known & 0x7ff) >= turn; }
TEAM_FN bool flow_ended(unsigned known) { return known >> 11; }

/* --- an iteration ---------------------------------------------------------------------------------------- */

/* What the partners say of iteration `turn`, when all have, and everybody is done with iteration `done`. Returns false
 * if all is solved before. A warp calls this. */
TEAM_FN bool flow_await(const flow &f, const persistent_agent *r, const float *records, int32_t turn, int32_t done,
                        lane_four *a)
{
    bool missing[persistent_agent::EACH];
#pragma unroll
    for (int g = 0; g < persistent_agent::EACH; g++) {
        a[g] = {};
        missing[g] = r->there[g];
    }
    for (;;) {
        unsigned known = turn ? flow_knows(f) : 0;
#pragma unroll
        for (int g = 0; g < persistent_agent::EACH; g++)
            if (missing[g])
                a[g] = flow_read(records, r->partner[g]);
        bool ready = flow_done(known, done);
#pragma unroll
        for (int g = 0; g < persistent_agent::EACH; g++) {
            missing[g] = missing[g] && !flow_is_of(f, a[g], turn);
            ready &= !missing[g];
        }
        if (__all_sync(~0u, ready))
            return true;
        if (__any_sync(~0u, flow_ended(known)))
            return false;
    }
}

/* The same before iteration `turn`, which needs those of the one before, and whose own are written over old ones that
 * nobody may still need. */
TEAM_FN bool flow_begin(const flow &f, const contacts *k, const persistent_agent *r, int32_t turn, lane_four *a)
{
    if (turn > 1)
        return flow_await(f, r, flow_records(f, turn - 1), turn - 1, turn - FLOW_DEPTH + 1, a);
#pragma unroll
    for (int g = 0; g < persistent_agent::EACH; g++) {
        a[g] = lane_gather_four(k->a, r->partner[g]);
        a[g].d = 0;
    }
    return true;
}

/* Waits for what an agent says of an iteration. Did it go on? Not if all is solved. */
static __device__ bool flow_await_one(const flow &f, int32_t agent, int32_t turn)
{
    for (;;) {
        lane_four a = flow_read(flow_records(f, turn), agent);
        if (flow_is_of(f, a, turn))
            return flow_went_on(a);
        if (flow_ended(flow_knows(f)))
            return false;
    }
}

/* Did anybody whom it could touch go on in iteration `turn`? A team calls this. */
static __device__ __noinline__ bool flow_ask(const flow &f, const crowd *c, const contacts *k, const persistent_team m,
                                             const contact_body *me, int32_t turn)
{
    bool some = false;
    team_reach(c, k, m, me, [&](int32_t j, bool near) {
        contact_body other = contacts_body(k, j);
        contact_pair p = contacts_pair(c, me, &other);
        if (near && contacts_could_touch(c, p.distance - p.radii))
            some |= flow_await_one(f, j, turn);
    });
    return team_ballot(m, some) != 0;
}

/* Says what came of iteration `turn`; a warp calls this. */
TEAM_FN void flow_report(const flow &f, int32_t turn, bool goes_on)
{
    unsigned some = __any_sync(~0u, goes_on);
    __syncwarp(); /* all have done what is said here */
    if (threadIdx.x % 32 == 0)
        atomicAdd(&f.block->said[turn], 1u + (some << 16));
}

/* The thread that watches: says what came of it in this block, and waits for the others. Returns how many iterations it
 * took. */
static __device__ int32_t flow_watch(const flow &f, int32_t last)
{
    volatile unsigned *known = &f.known[blockIdx.x * FLOW_APART];
    for (int32_t turn = 1; turn <= last; turn++) {
        unsigned here;
        do
            here = atomicAdd(&f.block->said[turn], 0);
        while ((int32_t)(here & 0xffff) < f.warps);
        atomicAdd(&f.said[turn], 1ull | (unsigned long long)(here >> 16 != 0) << 16);
        unsigned long long all;
        do
            all = *(volatile unsigned long long *)&f.said[turn];
        while ((int32_t)(all & 0xffff) < f.blocks);
        bool ended = all >> 16 == 0;
        *known = flow_word(f, turn, ended);
        if (ended)
            return turn;
    }
    return last;
}

/* --- all of them ------------------------------------------------------------------------------------------ */

/* The agent of a team. */
struct flow_agent {
    persistent_agent *r;
    int32_t index; /* sorted; -1: none */
    bool began;    /* takes part from the first */
    bool touchy;
};

/* The agent of this team, as it is before the first iteration. The eight of a warp are neighbours; warps that share a
 * multiprocessor are far apart in the crowd, since jams are in one place. */
TEAM_FN flow_agent flow_take(const crowd *c, contacts *k, const persistent_team &m, persistent_agent *r)
{
    int32_t warp = (int32_t)threadIdx.x / 32, index = warp * (int32_t)gridDim.x + (int32_t)blockIdx.x;
    index = index * (32 / SOLVER_TEAM) + m.first / SOLVER_TEAM;
    *r = {};
    if (warp == FLOW_WARPS || index >= c->frame.agents)
        return {r, -1, false, false};
    persistent_take(c, k, m, index, true, r);
    bool began = k->status[index] & CONTACT_ACTIVE;
    return {r, index, began, false};
}

/* Would it find a constraint violated where everybody is at first? A warp calls this; what it computes does not count.
 */
TEAM_FN bool flow_touchy(const crowd *c, const persistent_team &m, const flow_agent *who,
                         const persistent_longest &lists, const lane_four *a)
{
    bool is = !who->began && who->index >= 0 && solver_crowded(c, &who->r->turn.me);
    if (!__any_sync(~0u, is))
        return false;
    persistent_agent kept = *who->r;
    lane_four own;
    bool wrong = persistent_push(m, who->r, lists, a, is, 0, &own);
    *who->r = kept;
    return wrong;
}

/* Does the team's agent iterate? It does if something `moved`, to a thread's knowledge, or, as long as it was idle and
 * is touchy, if anybody went on whom it could touch. */
TEAM_FN bool flow_is_on(const flow &f, const crowd *c, const contacts *k, const persistent_team &m,
                        const flow_agent *who, bool moved, bool idle, int32_t turn)
{
    bool on = team_ballot(m, moved && who->index >= 0) != 0;
    if (who->touchy && idle && !on && turn > 1)
        on = flow_ask(f, c, k, team_of_thread<SOLVER_TEAM>(), &who->r->turn.me, turn - 1);
    return on;
}

/* Marks it, and whom it could touch if it goes on, as taking part, and as in a jam; for all to see before it reports.
 */
static __device__ __noinline__ void flow_mark(const crowd *c, contacts of, const persistent_team m, persistent_agent *r,
                                              bool goes_on, bool jam)
{
    if (m.rank == 0)
        atomicOr(&of.status[r->agent], CONTACT_PERSISTENT);
    if (goes_on && !r->spread)
        persistent_spread(c, &of, m, r);
    if (goes_on && jam)
        persistent_harden(c, &of, r);
    __threadfence();
}

/* Iterates a warp's agents until all is solved or `last` is done. */
TEAM_FN void flow_iterate(const flow &f, const crowd *c, contacts *k, const persistent_team &m, flow_agent *who,
                          const float *beta, int32_t last)
{
    persistent_agent *r = who->r;
    lane_four a[persistent_agent::EACH];
    bool goes_on = who->began;
    int marked = -1; /* 0: itself, 1: and whom it could touch, 2: and that they are in a jam */
    persistent_longest lists = persistent_longest_of(m, r, true);
    for (int32_t turn = 1; turn <= last && flow_begin(f, k, r, turn, a); turn++) {
        if (turn == 1)
            who->touchy = flow_touchy(c, m, who, lists, a);
        bool moved = goes_on, jam = turn >= SOLVER_HARD;
#pragma unroll
        for (int g = 0; g < persistent_agent::EACH; g++)
            moved |= flow_went_on(a[g]);
        bool on = flow_is_on(f, c, k, m, who, moved, marked < 0, turn);
        lane_four own;
        goes_on = team_any(m, on) && persistent_push(m, r, lists, a, on, beta[turn - 1], &own);
        if (!on)
            own = {r->turn.me.dx, r->turn.me.dy, r->turn.me.stiffness, 0};
        own.d = flow_mark_of(f, turn, goes_on);
        if (m.rank == 0 && who->index >= 0)
            flow_write(flow_records(f, turn), who->index, own);
        if (on && marked < goes_on + (goes_on && jam)) {
            flow_mark(c, *k, m, r, goes_on, jam);
            marked = goes_on + (goes_on && jam);
        }
        flow_report(f, turn, goes_on);
    }
}

/* Iterates everybody until all is solved or `last` is done. Returns how many iterations it took. */
static __device__ int32_t flow_solve(flow &f, const crowd *c, contacts *k, const float *beta, int32_t last,
                                     const persistent_team &m, flow_agent *who)
{
    __shared__ flow_block block;
    int32_t warp = (int32_t)threadIdx.x / 32, groups = (c->frame.agents * SOLVER_TEAM + 31) / 32;
    f.block = &block;
    f.blocks = (int32_t)gridDim.x;
    f.warps = (groups - (int32_t)blockIdx.x + (int32_t)gridDim.x - 1) / (int32_t)gridDim.x;
    for (int32_t t = (int32_t)threadIdx.x; t <= last; t += SOLVER_BLOCK)
        block.said[t] = 0;
    __syncthreads();
    if (warp == FLOW_WARPS && threadIdx.x % 32 == 0)
        block.iterations = flow_watch(f, last);
    else if (warp < f.warps)
        flow_iterate(f, c, k, team_together(m), who, beta, last);
    __syncthreads();
    __threadfence(); /* what others marked is seen */
    return block.iterations;
}

/* Where it wants to go then, to memory. */
static __device__ void flow_tell(contacts *k, const persistent_team &m, const flow_agent *who)
{
    const contact_body *me = &who->r->turn.me;
    if (who->index >= 0)
        lane_scatter_four(k->a, who->index, {me->dx, me->dy, me->stiffness, me->cap}, m.rank == 0);
    __syncwarp();
}

/* Keeps what presses it for the next step. By then nobody needs a record. */
static __device__ void flow_keep(const crowd *c, contacts *k, const persistent_team &m, const flow_agent *who)
{
    const persistent_agent *r = who->r;
    if (who->index < 0 || !solver_is_hard(c, k, who->index))
        return;
#pragma unroll
    for (int g = 0; g < persistent_agent::EACH; g++)
        lane_scatter(k->lambda, team_entry(c, m, who->index, g), r->multiplier[g].now, r->there[g]);
    __syncwarp(m.mask);
    if (m.rank == 0)
        solver_keep(c, k, who->index, true);
}

/* --- the guard -------------------------------------------------------------------------------------------- */

/* Puts agents on the list of those who take part; a warp calls this. */
static __device__ void flow_append(contacts *k, bool is, int32_t agent)
{
    unsigned who = __ballot_sync(~0u, is);
    int lane = (int)threadIdx.x % 32, at = 0;
    if (!who)
        return;
    if (lane == 0)
        at = atomicAdd(k->active_count, __popc(who));
    at = __shfl_sync(~0u, at, 0) + __popc(who & ((1u << lane) - 1));
    if (is)
        k->active[at] = agent;
}

/* Says where it goes, waits till its partners have, and wants both of a pair to hold that would come too close, if it
 * takes part. Sets *close then. A warp calls this. */
static __device__ void flow_guard(const flow &f, const crowd *c, contacts *k, const persistent_team &m,
                                  const flow_agent *who, bool takes_part, int *close)
{
    const persistent_agent *r = who->r;
    lane_four a[persistent_agent::EACH];
    int32_t i = who->index < 0 ? 0 : who->index;
    contact_body me = contacts_body(k, i);
    if (who->index >= 0 && m.rank == 0)
        flow_write(f.last, i, {me.dx, me.dy, me.stiffness, flow_mark_of(f, 0, false)});
    flow_await(f, r, f.last, 0, 0, a);
#pragma unroll
    for (int g = 0; g < persistent_agent::EACH; g++) {
        int32_t j = r->partner[g];
        lane_four body = lane_gather_four(k->body, j);
        contact_body other = contacts_join_parts(j, &body, &a[g]);
        contact_pair p = contacts_pair(c, &me, &other);
        bool holds = takes_part && r->there[g] && solver_too_close(&p, &me, &other);
        if (holds)
            k->turn[i] = k->turn[j] = CONTACT_HOLD, *close = 1;
        flow_append(k, holds && atomicCAS(&k->status[j], CONTACT_IDLE, CONTACT_ACTIVE) == CONTACT_IDLE, j);
    }
}

#endif
