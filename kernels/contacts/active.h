/* Who takes part in the contacts, and whom the next iteration of the solver looks at. */
#ifndef THRONG_ACTIVE_H
#define THRONG_ACTIVE_H

#include "contacts.h"

enum { CONTACTS_BLOCK_BITS = 7 }; /* CPU: two to this power are the agents of a block, which share a mark */

/* What is appended to a list goes through a batch: of one thread on the CPU, of a block (in shared memory) on CUDA. */
#if defined(__CUDACC__)
enum { CONTACTS_BATCH = 2048 };
#else
enum { CONTACTS_BATCH = 128 };
#endif

typedef struct contacts_batch {
    int32_t agent[CONTACTS_BATCH], count;
} contacts_batch;

/* Appends an agent to one of the lists, whose order does not matter; by batches, so that neighbours stay together in
 * the list and not everybody waits for one counter. One by one the move stage took twice as long on 16 threads of a
 * CPU. */
#if defined(__CUDACC__)
LANE_FN void contacts_append_batch(contacts_batch *batch, int32_t agent, int32_t *list, int32_t *count)
{
    int32_t at = atomicAdd(&batch->count, 1);
    if (at < CONTACTS_BATCH)
        batch->agent[at] = agent;
    else
        list[atomicAdd(count, 1)] = agent;
}

/* By all threads of the block. */
static __device__ void contacts_flush(contacts_batch *batch, int32_t *list, int32_t *count)
{
    __shared__ int32_t at;
    __syncthreads();
    int32_t n = batch->count < CONTACTS_BATCH ? batch->count : CONTACTS_BATCH;
    __syncthreads();
    if (n == 0)
        return;
    if (threadIdx.x == 0) {
        at = atomicAdd(count, n);
        batch->count = 0;
    }
    __syncthreads();
    for (int32_t i = (int32_t)threadIdx.x; i < n; i += (int32_t)blockDim.x)
        list[at + i] = batch->agent[i];
    __syncthreads();
}

LANE_FN void contacts_append_lanes(contacts_batch *batch, lane_i agents, lane_m lanes, int32_t *list, int32_t *count)
{
    if (lanes)
        contacts_append_batch(batch, agents, list, count);
}
#else
LANE_FN void contacts_flush(contacts_batch *batch, int32_t *list, int32_t *count)
{
    int32_t at = __atomic_fetch_add(count, batch->count, __ATOMIC_RELAXED);
    memcpy(list + at, batch->agent, (size_t)batch->count * sizeof *list);
    batch->count = 0;
}

LANE_FN void contacts_append_batch(contacts_batch *batch, int32_t agent, int32_t *list, int32_t *count)
{
    batch->agent[batch->count++] = agent;
    if (batch->count == CONTACTS_BATCH)
        contacts_flush(batch, list, count);
}

LANE_FN void contacts_append_lanes(contacts_batch *batch, lane_i agents, lane_m lanes, int32_t *list, int32_t *count)
{
    if (batch->count > CONTACTS_BATCH - LANES)
        contacts_flush(batch, list, count);
    batch->count += lane_pack_i(batch->agent + batch->count, agents, lanes);
}
#endif
#define contacts_append(k, name, agent) contacts_append_batch((k)->name##_batch, agent, (k)->name, (k)->name##_count)

/* Has the guard look at an agent, whoever asks. Who counts on one whose lists lack some is not known: then it looks at
 * all who take part. */
LANE_FN void contacts_guard(contacts *k, int32_t agent)
{
    if (lane_shared_set(&k->status[agent], CONTACT_GUARDED) & CONTACT_GUARDED)
        return;
    contacts_append(k, next, agent);
    if (k->a[4 * agent + 3] < 0)
        lane_shared_set(k->everybody, 1);
}

LANE_FN void contacts_guard_lanes(contacts *k, lane_i agents, lane_m lanes)
{
    for (; lane_any(lanes); lanes = lanes & lane_not(lane_only_first(lanes)))
        contacts_guard(k, lane_first_i(agents, lanes));
}

#if defined(__CUDACC__)
/* Makes an agent active, whoever asks. */
LANE_FN void contacts_wake(contacts *k, int32_t agent)
{
    if (k->status[agent] == CONTACT_IDLE)
        k->status[agent] = CONTACT_ACTIVE;
}

/* In k->turn odd iterations have one half of the word, even ones the other: who marks for the next iteration may be
 * ahead of who lists those of this one. */
LANE_FN void contacts_mark(contacts *k, int32_t agent, int32_t turn)
{
    ((volatile uint16_t *)&k->turn[agent])[turn & 1] = (uint16_t)turn;
}

LANE_FN bool contacts_is_marked(int32_t word, int32_t turn)
{
    return ((uint32_t)word >> 16 * (turn & 1) & 0xffff) == (uint32_t)turn;
}
#endif

/* Marks agents for iteration `turn`, and who lists those that are marked (contacts_list_marked, list_own of CUDA) wakes
 * them: without locked instructions, which took a sixth of the solver's time on the CPU. CUDA, of no iteration (0):
 * wakes them. */
LANE_FN void contacts_list_lanes(contacts *k, lane_i agents, int32_t turn, lane_m lanes)
{
#if defined(__CUDACC__)
    if (lanes && turn)
        contacts_mark(k, agents, turn);
    else if (lanes)
        contacts_wake(k, agents);
#else
    lane_shared_scatter(k->turn, agents, lane_set_i(turn), lanes);
    lane_shared_scatter(k->marked, agents >> CONTACTS_BLOCK_BITS, lane_set_i(turn), lanes);
#endif
}

/* Those whom a crowded agent could touch, beyond its partners, are on the list of iteration `turn`; from then on they
 * look themselves whether it goes on, if it is a partner of theirs. */
LANE_FN void contacts_list_beyond(contacts *k, lane_i agents, int32_t turn, lane_m lanes)
{
    contacts_list_lanes(k, agents, turn, lanes);
#if !defined(__CUDACC__)
    lane_shared_scatter(k->watched, agents >> CONTACTS_BLOCK_BITS, lane_set_i(1), lanes);
#endif
}

/* Makes agents `first` .. active, of which nobody else knows yet. */
LANE_FN void contacts_start(contacts *k, int32_t first, lane_m lanes)
{
    if (!lane_any(lanes))
        return;
    lane_store_i(k->status + first, lane_set_i(CONTACT_ACTIVE), lanes);
#if !defined(__CUDACC__)
    contacts_append_lanes(k->active_batch, lane_iota(first), lanes, k->active, k->active_count);
#endif
}

#if !defined(__CUDACC__)
/* The lanes of agents `first` .. that have been iterated, and have a crowded partner that went on before iteration
 * `turn`. */
LANE_FN lane_m contacts_followers(const crowd *c, const contacts *k, int32_t first, lane_m lanes, int32_t turn)
{
    lanes = lanes & ((lane_load_i(k->status + first) & CONTACT_ITERATED) != 0);
    lane_m follow = lane_none();
    for (int s = 0; s < THRONG_CONTACTS_MAX; s++) {
        lane_i j = lane_load_i(k->partner + s * c->stride + first);
        lanes = lanes & (j >= 0);
        if (!lane_any(lanes))
            break;
        follow = follow | (lanes & (lane_gather_i(k->beyond, lane_select_i(lanes, j, lane_set_i(0))) == turn));
    }
    return follow;
}

/* The list of iteration `turn`: those of the agents `first` .. that were put on it, or put themselves on it. */
LANE_FN void contacts_list_marked(const crowd *c, contacts *k, int32_t first, lane_m lanes, int32_t turn)
{
    lane_m listed = lanes & (lane_load_i(k->turn + first) == turn);
    if (k->watched[first >> CONTACTS_BLOCK_BITS])
        listed = listed | contacts_followers(c, k, first, lanes & lane_not(listed), turn);
    lanes = listed;
    if (!lane_any(lanes))
        return;
    contacts_append_lanes(k->next_batch, lane_iota(first), lanes, k->next, k->next_count);
    contacts_start(k, first, lanes & (lane_load_i(k->status + first) == CONTACT_IDLE));
}
#endif

#endif
