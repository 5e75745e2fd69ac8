/* How long the device takes for what is queued on the frame's stream.
 *
 * An event notes the device's clock when all that was queued before it is done. On an idle device that is at once, and
 * what the host takes until it has launched the stage's first kernel would count. So the device is held up first, for
 * longer than the host takes to queue a stage (but for first launches and lists that grow). */
#include "cuda.cuh"

enum { HOLD = 200000 }; /* cycles: 0.1 ms of an H200 */

static __global__ void kernel_hold_up(void)
{
    for (long long from = clock64(); clock64() - from < HOLD;)
        ;
}

static bool set_up(throng_backend *b, throng_error *error)
{
    if (!b->started)
        CHECK(cudaEventCreate(&b->started));
    if (!b->stopped)
        CHECK(cudaEventCreate(&b->stopped));
    return true;
}

bool cuda_start_clock(throng_backend *b, throng_error *error)
{
    if (!set_up(b, error))
        return false;
    kernel_hold_up<<<1, 1, 0, cuda_stream(b)>>>();
    CHECK(cudaGetLastError());
    CHECK(cudaEventRecord(b->started, cuda_stream(b)));
    return true;
}

bool cuda_stop_clock(throng_backend *b, double *seconds, throng_error *error)
{
    float ms;
    CHECK(cudaEventRecord(b->stopped, cuda_stream(b)));
    CHECK(cudaEventSynchronize(b->stopped));
    CHECK(cudaEventElapsedTime(&ms, b->started, b->stopped));
    *seconds = 1e-3 * ms;
    return true;
}

void cuda_free_clock(throng_backend *b)
{
    if (b->started)
        cudaEventDestroy(b->started);
    if (b->stopped)
        cudaEventDestroy(b->stopped);
}
