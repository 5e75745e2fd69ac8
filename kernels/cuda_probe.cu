/* What one agent's planner saw and chose, to look at: a thread alone. */
#include "cuda.cuh"

#include "probe.h"

__global__ void kernel_choice(const crowd c, int32_t slot, throng_choice *choice) { probe_choice(&c, slot, choice); }

bool cuda_choice(throng_backend *b, int32_t slot, throng_choice *choice, throng_error *error)
{
    throng_choice *copy;
    CHECK(cudaMalloc(&copy, sizeof *copy));
    kernel_choice<<<1, 1, 0, b->stream>>>(b->c, slot, copy);
    cudaError_t status = cudaMemcpyAsync(choice, copy, sizeof *choice, cudaMemcpyDeviceToHost, b->stream);
    if (status == cudaSuccess)
        status = cudaStreamSynchronize(b->stream);
    cudaFree(copy);
    CHECK(status);
    return true;
}
