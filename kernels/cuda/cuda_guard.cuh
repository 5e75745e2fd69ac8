/* Who must be held because somebody it counts on is.
 *
 * The CPU goes through all that take part round by round, 70 times in a jam of 10,000, since whoever is held may make
 * others be held. But whether somebody that stands makes a partner stand depends on where that partner wants to go
 * alone, which does not change: in whatever order it is found out, the same agents are held in the end. So each block
 * looks again and again at what it has, and all are done when each has found nothing since the last change of any. In
 * that jam a frame takes 1.01 ms on an H200 where it took 1.15 with rounds of the grid. */
#ifndef THRONG_CUDA_GUARD_CUH
#define THRONG_CUDA_GUARD_CUH

#include <cuda/atomic>

#include "cuda_solver.cuh"

/* Of an agent, in k->turn: for partner s, bit s: who stands if that one does; bit GUARD_ON + s: who makes it stand. */
enum { GUARD_ON = THRONG_CONTACTS_MAX, GUARD_BY_BITS = (1 << THRONG_CONTACTS_MAX) - 1 };

static __device__ void guard_depend(const crowd *c, contacts *k, int32_t i)
{
    contact_body me = contacts_body(k, i), still = me;
    still.dx = still.dy = 0;
    int32_t bits = 0;
    team_partners(c, k, one_thread(), i, [&](const team_group<1> &group, int e) {
#pragma unroll
        for (int g = 0; g < one_thread::GROUP; g++) {
            contact_body other = contacts_body(k, group.index[g]), stands = other;
            stands.dx = stands.dy = 0;
            contact_pair p = contacts_pair(c, &me, &other);
            bits |= (int32_t)(group.there[g] && solver_too_close(&p, &me, &stands)) << (e + g);
            bits |= (int32_t)(group.there[g] && solver_too_close(&p, &still, &other)) << (GUARD_ON + e + g);
        }
    });
    k->turn[i] = bits;
}

static __device__ bool guard_stands(const contacts *k, int32_t i)
{
    return *(volatile int32_t *)&k->status[i] & CONTACT_HELD;
}

/* Returns whether nobody else had held it. */
static __device__ bool guard_hold(contacts *k, int32_t i, unsigned *held)
{
    int32_t before = atomicOr(&k->status[i], CONTACT_ACTIVE | CONTACT_HELD);
    if (before & CONTACT_HELD)
        return false;
    ++*held;
    if (!(before & CONTACT_ACTIVE))
        k->active[atomicAdd(k->active_count, 1)] = i;
    return true;
}

/* Holds the agent, and with it its partners, if it must be. Returns whether it held anybody. */
static __device__ bool guard_react(const crowd *c, contacts *k, int32_t i, unsigned *held)
{
    int32_t bits = k->turn[i];
    if (!bits)
        return false;
    bool stands = guard_stands(k, i), some = false;
    for (int32_t by = bits & GUARD_BY_BITS; by && !stands; by &= by - 1)
        if (guard_stands(k, k->partner[i + (__ffs(by) - 1) * c->stride])) {
            some = guard_hold(k, i, held);
            stands = true;
        }
    if (!stands)
        return false;
    for (int32_t on = bits >> GUARD_ON; on; on &= on - 1)
        some |= guard_hold(k, k->partner[i + (__ffs(on) - 1) * c->stride], held);
    k->turn[i] = 0;
    return some;
}

/* What the blocks meet at: how many changes there were (32 bits), and how many blocks found nothing since (32). */
typedef cuda::atomic_ref<unsigned long long, cuda::thread_scope_device> guard_word;

/* Waits for a change after number `counted`, or for all to be done. */
static __device__ unsigned long long guard_news(guard_word word, unsigned counted, unsigned blocks)
{
    unsigned long long now;
    do
        now = word.load(cuda::memory_order_acquire);
    while ((unsigned)(now >> 32) == counted && (unsigned)now < blocks);
    return now;
}

/* Says what came of looking at `seen`. Returns the change since which the block found nothing, ~0: it has to look. */
static __device__ unsigned guard_tell(guard_word word, unsigned long long seen, bool some)
{
    unsigned long long now = seen;
    while (some || now >> 32 == seen >> 32)
        if (word.compare_exchange_weak(now, some ? ((now >> 32) + 1) << 32 : now + 1, cuda::memory_order_acq_rel))
            return some ? ~0u : (unsigned)(seen >> 32);
    return ~0u;
}

/* Of `known` agents that take part, some held, those from `fresh` on for the first time: holds all who must be. Returns
 * how many this thread held. Those that took no part before are put on the list, and have to be gone through, too. */
static __device__ unsigned guard_spread(const crowd *c, contacts *k, int32_t fresh, int32_t known,
                                        unsigned long long *at)
{
    __shared__ unsigned long long seen;
    unsigned blocks = min((unsigned)gridDim.x, ((unsigned)known + blockDim.x - 1) / blockDim.x);
    unsigned held = 0, counted = ~0u;
    int32_t first = whole_grid().thread, each = (int32_t)(blocks * blockDim.x);
    if (blockIdx.x >= blocks)
        return 0;
    guard_word word(*at);
    for (int32_t a = first; a < known; a += each)
        if (a >= fresh)
            guard_depend(c, k, k->active[a]);
    for (;;) {
        if (threadIdx.x == 0)
            seen = guard_news(word, counted, blocks);
        __syncthreads();
        if ((unsigned)seen == blocks)
            return held;
        auto look = [&] {
            bool some = false;
            for (int32_t a = first; a < known; a += each)
                some |= guard_react(c, k, k->active[a], &held);
            return some;
        };
        bool some = false;
        while (__syncthreads_or(look()))
            some = true;
        if (threadIdx.x == 0)
            counted = guard_tell(word, seen, some);
    }
}

#endif
