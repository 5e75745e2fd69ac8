/* What this device can do at most: bytes a second of a copy kernel, and operations a second of independent chains of
 * multiply-adds that stay in registers, rounded twice as the kernels must, or fused; and of copies to the host. */
#include "cuda.cuh"

enum { CEILINGS_CHAINS = 8, CEILINGS_ROUNDS = 4096, CEILINGS_REPEATS = 5, CEILINGS_BLOCK = 256 };

static __global__ void kernel_ceilings_copy(float4 *to, const float4 *from, int64_t count)
{
    int64_t step = (int64_t)gridDim.x * blockDim.x;
    for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += step)
        to[i] = from[i];
}

template <bool FUSED> static __global__ void kernel_ceilings_chains(float *out)
{
    float x[CEILINGS_CHAINS];
    for (int i = 0; i < CEILINGS_CHAINS; i++)
        x[i] = (float)(threadIdx.x + i);
    for (int r = 0; r < CEILINGS_ROUNDS; r++)
#pragma unroll
        for (int i = 0; i < CEILINGS_CHAINS; i++)
            x[i] = FUSED ? __fmaf_rn(x[i], 0.999999f, 1e-6f) : __fadd_rn(__fmul_rn(x[i], 0.999999f), 1e-6f);
    float sum = 0;
    for (int i = 0; i < CEILINGS_CHAINS; i++)
        sum += x[i];
    if (sum < 0) /* never: x stay positive */
        *out = sum;
}

/* Seconds of the fastest of several launches, 0 when one failed. */
template <typename Launch> static double ceilings_fastest(cudaStream_t stream, Launch launch)
{
    cudaEvent_t start, end;
    float least = 1e30f;
    if (cudaEventCreate(&start) != cudaSuccess)
        return 0;
    bool ok = cudaEventCreate(&end) == cudaSuccess;
    for (int i = 0; ok && i <= CEILINGS_REPEATS; i++) {
        float ms = 0;
        cudaEventRecord(start, stream);
        launch();
        cudaEventRecord(end, stream);
        ok = cudaEventSynchronize(end) == cudaSuccess && cudaEventElapsedTime(&ms, start, end) == cudaSuccess;
        if (i > 0 && ms < least)
            least = ms;
    }
    cudaEventDestroy(start);
    cudaEventDestroy(end);
    return ok ? 1e-3 * least : 0;
}

/* False: no memory, or a launch failed. */
static bool ceilings_measure(int processors, cudaStream_t stream, throng_ceilings *ceilings)
{
    const size_t bytes = (size_t)1 << 28; /* far more than the cache holds */
    const int blocks = processors * 8;
    const size_t sent = (size_t)1 << 26;
    float4 *from = NULL, *to = NULL, *host = NULL;
    bool ok = cudaMalloc(&from, bytes) == cudaSuccess && cudaMalloc(&to, bytes) == cudaSuccess &&
              cudaMallocHost(&host, sent) == cudaSuccess && cudaMemsetAsync(from, 0, bytes, stream) == cudaSuccess;
    if (ok) {
        double copy = ceilings_fastest(stream, [&] {
            kernel_ceilings_copy<<<blocks, CEILINGS_BLOCK, 0, stream>>>(to, from, (int64_t)(bytes / sizeof *to));
        });
        double unfused = ceilings_fastest(
            stream, [&] { kernel_ceilings_chains<false><<<blocks, CEILINGS_BLOCK, 0, stream>>>((float *)to); });
        double fused = ceilings_fastest(
            stream, [&] { kernel_ceilings_chains<true><<<blocks, CEILINGS_BLOCK, 0, stream>>>((float *)to); });
        double link =
            ceilings_fastest(stream, [&] { cudaMemcpyAsync(host, from, sent, cudaMemcpyDeviceToHost, stream); });
        double operations = 2.0 * CEILINGS_CHAINS * CEILINGS_ROUNDS * blocks * CEILINGS_BLOCK;
        ok = copy > 0 && unfused > 0 && fused > 0 && link > 0;
        if (ok)
            *ceilings = throng_ceilings{2.0 * (double)bytes / copy, operations / unfused, operations / fused,
                                        (double)sent / link};
    }
    cudaFree(from);
    cudaFree(to);
    cudaFreeHost(host);
    return ok;
}

bool cuda_ceilings(throng_backend *b, throng_ceilings *ceilings, throng_error *error)
{
    if (ceilings_measure(b->processors, cuda_stream(b), ceilings))
        return true;
    return throng_fail(error, "cannot measure the device's limits: %s", cudaGetErrorString(cudaGetLastError()));
}
