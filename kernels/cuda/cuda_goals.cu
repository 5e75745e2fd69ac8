/* Stages goals and desire on CUDA. */
#include "cuda.cuh"

#include <algorithm>

#include "kernels/routing/crossings.h"
#include "kernels/routing/desire.h"
#include "kernels/routing/progress.h"

/* Copies what was counted into the host's memory, and last the turn. By a warp. */
static __device__ void tell(const tally *counts, tally *told, int turn)
{
    const int *from = (const int *)counts;
    for (unsigned word = threadIdx.x % 32; word < offsetof(tally, turn) / sizeof *from; word += 32)
        ((volatile int *)told)[word] = from[word];
    __threadfence_system();
    __syncwarp();
    if (threadIdx.x % 32 == 0)
        *(volatile int *)&told->turn = turn;
}

BODY tell_alone(const crowd &, const tally *counts, tally *told, int turn) { tell(counts, told, turn); }

/* Lists an arrival of this step. (Who is sent off again by hand, and arrives again, is listed twice.) */
static __device__ void list_arrival(const crowd &c, tally *t, int side, int32_t *arrivals, int32_t slot)
{
    int at = atomicAdd(&t->arrived[side], 1);
    if (at < c.frame.slots)
        arrivals[at] = slot;
}

/* Counts arrivals of this step, and clears the count of the next. */
BODY look_at_goals(const crowd &c, tally *t, int side, int32_t *arrivals)
{
    AGENT_OR_RETURN(c.frame.slots);
    if (i == 0)
        t->arrived[!side] = 0;
    if (progress_look(&c, NULL, i, true))
        atomicAdd(&t->stuck, 1ull);
    if (goals_arrive(&c, i, true)) {
        list_arrival(c, t, side, arrivals, i);
        atomicAdd(&t->arrivals, 1ull);
    }
}

BODY run_fsm(const crowd &c, const throng_fsm &f, tally *t, int side, int32_t *arrivals)
{
    AGENT_OR_RETURN(c.frame.slots);
    if (i == 0)
        t->arrived[!side] = 0;
    int32_t event;
    bool last;
    if (progress_look(&c, &f, i, true))
        atomicAdd(&t->stuck, 1ull);
    if (fsm_events(&c, &f, i, true, &event, &last))
        list_arrival(c, t, side, arrivals, i);
    if (last)
        atomicAdd(&t->arrivals, 1ull);
    if (event == FSM_NOTHING)
        return;
    if (event != FSM_RENEWS)
        atomicAdd(&t->transitions, 1ull);
    fsm_act(&c, &f, i, event, true);
}

BODY begin_crossings(const crowd &c, tally *t)
{
    AGENT_OR_RETURN(c.frame.slots);
    if (i == 0)
        t->crossings = 0;
    crossings_begin(&c, i);
}

BODY find_crossings(const crowd &c, tally *t, throng_crossing *list)
{
    AGENT_OR_RETURN(c.frame.slots);
    throng_crossing crossing;
    if (crossings_find(&c, i, &crossing))
        list[atomicAdd(&t->crossings, 1)] = crossing;
}

/* The last block tells what the goals stage counted. */
BODY desire(const crowd &c, const tally *counts, tally *told, int turn)
{
    int32_t i = (int32_t)(blockIdx.x * blockDim.x + threadIdx.x);
    if (blockIdx.x == cuda_blocks(c.frame.slots)) {
        if (threadIdx.x < 32)
            tell(counts, told, turn);
    } else if (i < c.frame.slots)
        desire_stage(&c, i, true);
}

BODY run_programs(const crowd &c, const throng_programs &p, int32_t from, int32_t to, tally *t)
{
    AGENT_OR_RETURN(c.frame.slots);
    program_faults faults = program_stage(&c, &p, from, to, i, i + 1);
    if (faults.undefined)
        atomicAdd(&t->undefined, (unsigned long long)faults.undefined);
    if (faults.limited)
        atomicAdd(&t->limited, (unsigned long long)faults.limited);
}

bool cuda_goals(throng_backend *b, throng_error *error)
{
    int32_t n = cuda_blocks(b->c.frame.slots), step = (int32_t)(b->c.frame.step + 1);
    b->turn++;
    b->arrival_side ^= step != b->arrival_step; /* run again by hand, it adds to its step's */
    b->arrival_step = step;
    b->told_goals = false;
    if (b->c.places.count) {
        cuda_launch<begin_crossings>(&b->queue, n, b->c, b->counts);
        b->crossings_begun = step;
    }
    if (b->f.states)
        cuda_launch<run_fsm>(&b->queue, n, b->c, b->f, b->counts, b->arrival_side, b->arrival_list);
    else
        cuda_launch<look_at_goals>(&b->queue, n, b->c, b->counts, b->arrival_side, b->arrival_list);
    CHECK(cudaGetLastError());
    return true;
}

bool cuda_crossings(throng_backend *b, const throng_crossing **list, int32_t *count, throng_error *error)
{
    *list = b->crossings;
    *count = 0;
    if (b->crossings_begun != b->arrival_step) /* nobody watches, or a hook has set the first place since */
        return true;
    cuda_choose_how(b);
    cuda_launch<find_crossings>(&b->queue, cuda_blocks(b->c.frame.slots), b->c, b->counts, b->crossings);
    CHECK(cudaGetLastError());
    cuda_bring(b, &b->mapped->crossings, &b->counts->crossings, sizeof b->mapped->crossings);
    if (!cuda_finish(b, error))
        return false;
    *count = b->mapped->crossings;
    std::sort(b->crossings, b->crossings + *count,
              [](const throng_crossing &one, const throng_crossing &other) { return one.slot < other.slot; });
    return true;
}

bool cuda_tell_goals(throng_backend *b, throng_error *error)
{
    if (b->told_goals)
        return true;
    cuda_choose_how(b);
    cuda_launch<tell_alone, 32>(&b->queue, 1, b->c, b->counts, &b->mapped->told, b->turn);
    CHECK(cudaGetLastError());
    b->told_goals = true;
    b->idle = false;
    return true;
}

bool cuda_desire(throng_backend *b, throng_error *error)
{
    const throng_programs &p = b->p;
    int n = cuda_blocks(b->c.frame.slots);
    if (p.parameters)
        cuda_launch<run_programs, BLOCK, 1>(&b->queue, n, b->c, p, 0, p.parameters, b->counts);
    cuda_launch<desire>(&b->queue, n + 1, b->c, b->counts, &b->mapped->told, b->turn);
    b->told_goals = true;
    if (p.parameters < p.targets)
        cuda_launch<run_programs, BLOCK, 1>(&b->queue, n, b->c, p, p.parameters, p.targets, b->counts);
    CHECK(cudaGetLastError());
    return true;
}
