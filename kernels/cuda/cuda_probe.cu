/* What one agent's planner saw and chose, to look at: a thread alone. */
#include "cuda.cuh"

#include "kernels/planners/probe.h"

__global__ void kernel_choice(const crowd c, int32_t slot, throng_choice *choice) { probe_choice(&c, slot, choice); }

const crowd *cuda_planning_crowd(throng_backend *b, throng_error *error)
{
    if (!cuda_wait_for_plan(b, error))
        return NULL;
    planning_ahead *a = &b->ahead;
    if (!a->queue.stream || a->room != b->capacity)
        return &b->c;
    a->c = latency_ahead(&b->c, &a->copies); /* the crowd of now, whose arrays may be others */
    return &a->c;
}

bool cuda_choice(throng_backend *b, int32_t slot, throng_choice *choice, throng_error *error)
{
    throng_choice *copy;
    const crowd *c = cuda_planning_crowd(b, error);
    if (!c)
        return false;
    CHECK(cuda_malloc(&copy, sizeof *copy));
    cudaMemsetAsync(copy, 0, sizeof *copy, cuda_stream(b)); /* what there is none of stays so */
    kernel_choice<<<1, 1, 0, cuda_stream(b)>>>(*c, slot, copy);
    cudaError_t status = cudaMemcpyAsync(choice, copy, sizeof *choice, cudaMemcpyDeviceToHost, cuda_stream(b));
    if (status == cudaSuccess)
        status = cudaStreamSynchronize(cuda_stream(b));
    cuda_free(copy);
    CHECK(status);
    return true;
}
