/* Who must go less far because somebody it counts on does.
 *
 * The CPU goes through all on its list round by round, 70 times in a jam of 10,000, since who goes less far may make
 * others go less far. But in whatever order that is found out, the same comes of it (guard.h). So each thread group
 * keeps an agent, and looks again and again how far its partners go; blocks wait for nobody until nothing is left. */
#ifndef THRONG_CUDA_GUARD_CUH
#define THRONG_CUDA_GUARD_CUH

#include <cuda/atomic>

#include "cuda_solver.cuh"

enum { GUARD_GROUP = 4 };
typedef thread_group<GUARD_GROUP> guard_group;

/* A thread's part of an agent's pairs. Each looks at its own. */
struct guard_pairs {
    enum { EACH = partner_share<GUARD_GROUP>::ALL };
    int32_t agent;      /* -1: none */
    int32_t with[EACH]; /* partners, whose ways matter; the agent itself: none */
    guard_pair pair[EACH];
    int32_t seen; /* the parts taken from all of these, as last seen */
};

static __device__ int32_t guard_taken(const contacts *k, int32_t i) { return *(volatile int32_t *)&k->turn[i]; }

/* Where a thread keeps what it has seen of an agent that it has no room for; displacements there are old. */
GROUP_FN int32_t *guard_seen(contacts *k, const guard_group &g, int32_t i) { return (int32_t *)k->b + 4 * i + g.rank; }

GROUP_FN guard_pairs guard_read(const crowd *c, const contacts *k, const guard_group &g, int32_t i)
{
    guard_pairs r;
    contact_body me = contacts_body(k, i);
    partner_share<GUARD_GROUP> share = partners_read(c, k, g, i, 0);
    r.agent = i;
    r.seen = -1;
#pragma unroll
    for (int e = 0; e < guard_pairs::EACH; e++)
        r.with[e] = guard_pair_of(c, k, &me, share.index[e], share.there[e], &r.pair[e]) ? share.index[e] : i;
    return r;
}

/* solver_guard, if anybody goes less far than was seen. Returns whether anybody goes less far than before. */
GROUP_FN bool guard_look(contacts *k, guard_pairs *r)
{
    int32_t own = guard_taken(k, r->agent), less = own, seen = own, taken[guard_pairs::EACH];
#pragma unroll
    for (int e = 0; e < guard_pairs::EACH; e++)
        seen += taken[e] = guard_taken(k, r->with[e]);
    if (seen == r->seen)
        return false;
    r->seen = seen;
    int changed = 0;
#pragma unroll
    for (int e = 0; e < guard_pairs::EACH; e++)
        if (r->with[e] != r->agent)
            less = guard_meet(k, &r->pair[e], less, r->with[e], taken[e], true, &changed);
    return changed + guard_take(k, r->agent, less, less > own);
}

/* The same of an agent that the thread has no room for, if it is `there`; by all of a warp together. */
static __device__ __noinline__ bool guard_look_again(const crowd *c, contacts of, const guard_group g, int32_t i,
                                                     bool there)
{
    contacts *k = &of;
    int32_t seen = guard_taken(k, i);
    partner_share<GUARD_GROUP> share = partners_read(c, k, g, i, 0);
#pragma unroll
    for (int e = 0; e < guard_pairs::EACH; e++)
        seen += guard_taken(k, share.index[e]);
    int32_t *kept = guard_seen(k, g, i);
    if (!group_any(g, there && seen != *kept))
        return false;
    guard_pairs r = guard_read(c, k, g, i);
    if (!there)
        return false;
    *kept = seen;
    return guard_look(k, &r);
}

/* Termination detection among blocks: how often one of them said that it changed something, with GUARD_DONE when
 * nothing will change; and of each block, as of how often it found nothing to change, and 1. Each says what it changed
 * before it says that it found nothing: so if all found nothing as of the same number, nobody will find anything. */
struct guard_termination {
    unsigned *changes;
    unsigned long long *quiet;
};
#define GUARD_DONE (1u << 31)
template <typename T> using guard_word = cuda::atomic_ref<T, cuda::thread_scope_device>;

/* Sets it to 0, of the block. */
static __device__ void guard_open(const guard_termination &termination)
{
    if (threadIdx.x == 0)
        termination.quiet[blockIdx.x] = 0;
    if (threadIdx.x == 0 && blockIdx.x == 0)
        *termination.changes = 0;
}

/* Says that the block changed something, if it did. Returns how often any did; all its threads call this. */
static __device__ unsigned guard_tell(const guard_termination &termination, bool changed)
{
    __shared__ unsigned all;
    guard_word<unsigned> changes(*termination.changes);
    if (threadIdx.x == 0 && changed)
        changes.fetch_add(1, cuda::memory_order_release);
    if (threadIdx.x == 0)
        all = changes.load(cuda::memory_order_acquire);
    __syncthreads();
    return all;
}

/* By the first block: ends it if all found nothing as of `seen` changes. */
static __device__ void guard_end(const guard_termination &termination, unsigned seen, int32_t blocks)
{
    bool all = true;
    for (int32_t b = (int32_t)threadIdx.x; b < blocks; b += (int32_t)blockDim.x)
        all &= guard_word<unsigned long long>(termination.quiet[b]).load(cuda::memory_order_acquire) == seen + 1ull;
    if (__syncthreads_and(all) && threadIdx.x == 0)
        guard_word<unsigned>(*termination.changes).compare_exchange_strong(seen, seen | GUARD_DONE);
}

/* Of the `known` agents on the guard's list: takes what must be taken from all. Others that it has to take from are put
 * on the list, and have to be gone through, too. All blocks call this, after a grid barrier behind guard_open. */
static __device__ void guard_spread(const crowd *c, contacts *k, int32_t known, const guard_termination &termination)
{
    enum { LOOKS = 4 }; /* before a block's threads meet */
    guard_group g = group_of_warp<GUARD_GROUP>();
    int32_t groups = (int32_t)blockDim.x / GUARD_GROUP, blocks = min((int32_t)gridDim.x, known);
    int32_t first = (int32_t)threadIdx.x / GUARD_GROUP * blocks + (int32_t)blockIdx.x, each = blocks * groups;
    int32_t of_warp = (int32_t)threadIdx.x / 32 * (32 / GUARD_GROUP) * blocks + (int32_t)blockIdx.x; /* its least */
    if ((int32_t)blockIdx.x >= blocks)
        return;
    guard_pairs own = guard_read(c, k, g, k->next[first < known ? first : 0]);
    own.agent = first < known ? own.agent : -1;
    for (int32_t a = first + each; a < known; a += each)
        *guard_seen(k, g, k->next[a]) = -1;
    unsigned long long found = 0; /* 1 and the changes as of which it finds out, 0: whatever there are */
    for (bool changed = false;;) {
        bool some = false;
        for (int look = 0; look < LOOKS && own.agent >= 0; look++)
            some |= guard_look(k, &own);
        for (int32_t a = each; of_warp + a < known; a += each) {
            bool there = first + a < known;
            some |= guard_look_again(c, *k, g, k->next[there ? first + a : 0], there);
        }
        if (__syncthreads_or(some)) {
            changed = true;
            found = 0;
            continue;
        }
        if (found && threadIdx.x == 0)
            guard_word<unsigned long long>(termination.quiet[blockIdx.x]).store(found, cuda::memory_order_release);
        if (found && blockIdx.x == 0)
            guard_end(termination, (unsigned)found - 1, blocks);
        unsigned seen = guard_tell(termination, changed);
        if (seen & GUARD_DONE)
            return;
        changed = false;
        found = seen + 1ull;
    }
}

#endif
