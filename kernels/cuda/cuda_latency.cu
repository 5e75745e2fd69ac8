/* Plan beside move on CUDA, for worlds whose latency is 1: the planners on a stream of their own (latency.h). */
#include "cuda.cuh"

__global__ void kernel_split(const crowd c, const crowd ahead)
{
    AGENT_OR_RETURN(c.frame.agents);
    latency_split(&c, &ahead, i, true);
}

__global__ void kernel_join(const crowd c, const crowd ahead)
{
    AGENT_OR_RETURN(c.frame.agents);
    latency_join(&c, &ahead, i, true);
}

static bool set_up(planning_ahead *a, throng_error *error)
{
    if (a->queue.stream)
        return true;
    CHECK(cudaStreamCreateWithFlags(&a->queue.stream, cudaStreamNonBlocking));
    CHECK(cudaEventCreateWithFlags(&a->split, cudaEventDisableTiming));
    CHECK(cudaEventCreateWithFlags(&a->ready, cudaEventDisableTiming));
    return true;
}

static int list_copies(planning_ahead *a, scratch *list)
{
    int n = scratch_of_latency(&a->copies, list);
    list[n] = SCRATCH(a->again, 1);
    return n + 1;
}

static bool grow(throng_backend *b, planning_ahead *a, throng_error *error)
{
    scratch list[SCRATCH_MOST];
    if (a->room == b->capacity)
        return true;
    if (!cuda_replace_scratch(b, list, list_copies(a, list), a->room, b->capacity, error))
        return false;
    a->room = b->capacity;
    return true;
}

bool cuda_split(throng_backend *b, planning *p, throng_error *error)
{
    planning_ahead *a = &b->ahead;
    if (!set_up(a, error) || !grow(b, a, error))
        return false;
    a->c = latency_ahead(&b->c, &a->copies);
    kernel_split<<<cuda_blocks(b->c.frame.agents), BLOCK, 0, cuda_stream(b)>>>(b->c, a->c);
    CHECK(cudaGetLastError());
    CHECK(cudaEventRecord(a->split, cuda_stream(b)));
    CHECK(cudaStreamWaitEvent(a->queue.stream, a->split));
    *p = {a->c, &a->queue, a->again};
    return true;
}

bool cuda_planned(throng_backend *b, throng_error *error)
{
    b->ahead.running = true;
    CHECK(cudaEventRecord(b->ahead.ready, b->ahead.queue.stream));
    return true;
}

bool cuda_join(throng_backend *b, throng_error *error)
{
    if (!cuda_wait_for_plan(b, error))
        return false;
    kernel_join<<<cuda_blocks(b->c.frame.agents), BLOCK, 0, cuda_stream(b)>>>(b->c, b->ahead.c);
    CHECK(cudaGetLastError());
    return true;
}

void cuda_free_ahead(throng_backend *b)
{
    planning_ahead *a = &b->ahead;
    if (!a->queue.stream)
        return;
    cudaStreamSynchronize(a->queue.stream);
    scratch list[SCRATCH_MOST];
    list_copies(a, list);
    cuda_free(*list[0].array);
    cudaEventDestroy(a->split);
    cudaEventDestroy(a->ready);
    cudaStreamDestroy(a->queue.stream);
}
