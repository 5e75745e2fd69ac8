/* Stages goals and desire on CUDA. */
#include "cuda.cuh"

#include "kernels/desire.h"
#include "kernels/headway.h"

__global__ void kernel_goals(const crowd c, tally *t, int32_t *arrivals)
{
    AGENT_OR_RETURN(c.slots);
    if (headway_look(&c, NULL, i, true))
        atomicAdd(&t->stuck, 1ull);
    if (goals_arrive(&c, i, true)) {
        arrivals[atomicAdd(&t->arrived, 1)] = i;
        atomicAdd(&t->arrivals, 1ull);
    }
}

__global__ void kernel_fsm(const crowd c, const fsm f, tally *t, int32_t *arrivals)
{
    AGENT_OR_RETURN(c.slots);
    int32_t event;
    bool last;
    if (headway_look(&c, &f, i, true))
        atomicAdd(&t->stuck, 1ull);
    if (fsm_events(&c, &f, i, true, &event, &last))
        arrivals[atomicAdd(&t->arrived, 1)] = i;
    if (last)
        atomicAdd(&t->arrivals, 1ull);
    if (event == FSM_NOTHING)
        return;
    if (event != FSM_RENEWS)
        atomicAdd(&t->transitions, 1ull);
    fsm_act(&c, &f, i, event, true);
}

/* By teams as long as there are threads to spare. In an office 1,000 agents take 45 us with a thread each and 34 with
 * teams of 8 that share nothing but windows, 16 with a warp each; 10,000, in corridors of a hundred doors, 118 and 30. */
enum { DESIRE_TEAM = 8, DESIRE_TEAMS_MOST = 1 << 15, DESIRE_WARPS_MOST = 1 << 14 };

template <int TEAM> __global__ void kernel_desire(const crowd c)
{
    int32_t i = (int32_t)(blockIdx.x * blockDim.x + threadIdx.x) / TEAM;
    await_earlier();
    if (i < c.slots)
        desire_stage(&c, i, true, (int32_t)threadIdx.x % TEAM, TEAM);
}

__global__ void __launch_bounds__(BLOCK)
    kernel_programs(const crowd c, const programs p, int32_t from, int32_t to, tally *t)
{
    AGENT_OR_RETURN(c.slots);
    int undefined = program_stage(&c, &p, from, to, i, i + 1);
    if (undefined)
        atomicAdd(&t->undefined, (unsigned long long)undefined);
}

bool cuda_goals(throng_backend *b, throng_error *error)
{
    CHECK(cudaMemsetAsync(&b->counts->arrived, 0, sizeof(int), b->stream));
    if (b->f.states)
        cuda_launch(kernel_fsm, cuda_blocks(b->c.slots), BLOCK, b->stream, b->c, b->f, b->counts, b->arrival_list);
    else
        cuda_launch(kernel_goals, cuda_blocks(b->c.slots), BLOCK, b->stream, b->c, b->counts, b->arrival_list);
    CHECK(cudaGetLastError());
    return true;
}

bool cuda_desire(throng_backend *b, throng_error *error)
{
    const programs &p = b->p;
    int n = cuda_blocks(b->c.slots);
    if (p.parameters)
        cuda_launch(kernel_programs, n, BLOCK, b->stream, b->c, p, 0, p.parameters, b->counts);
    if (b->c.ways.faces && b->c.slots <= DESIRE_WARPS_MOST)
        cuda_launch(kernel_desire<32>, cuda_blocks(b->c.slots * 32), BLOCK, b->stream, b->c);
    else if (b->c.ways.faces && b->c.slots <= DESIRE_TEAMS_MOST)
        cuda_launch(kernel_desire<DESIRE_TEAM>, cuda_blocks(b->c.slots * DESIRE_TEAM), BLOCK, b->stream, b->c);
    else
        cuda_launch(kernel_desire<1>, n, BLOCK, b->stream, b->c);
    if (p.parameters < p.targets)
        cuda_launch(kernel_programs, n, BLOCK, b->stream, b->c, p, p.parameters, p.targets, b->counts);
    CHECK(cudaGetLastError());
    return true;
}
