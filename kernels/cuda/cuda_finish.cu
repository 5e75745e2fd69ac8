/* The host waits for what is queued, before it reads or replaces what frames write. */
#include "cuda.cuh"

bool cuda_wait_for_plan(throng_backend *b, throng_error *error)
{
    if (!b->ahead.running)
        return true;
    b->ahead.running = false;
    CHECK(cudaStreamWaitEvent(cuda_stream(b), b->ahead.ready));
    return true;
}

bool cuda_finish(throng_backend *b, throng_error *error)
{
    if (b->idle)
        return true;
    if (!cuda_wait_for_plan(b, error))
        return false;
    cuda_choose_how(b);
    if (!b->queue.notes)
        CHECK(cudaStreamSynchronize(cuda_stream(b)));
    else if (!cuda_wait_together(b, error))
        return false;
    b->sent = 0;
    b->idle = true;
    return true;
}
