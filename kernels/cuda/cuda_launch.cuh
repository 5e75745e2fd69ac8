/* How the kernels of a frame are launched.
 *
 * Such a kernel is a body: a function of a crowd and of what else it needs, for the blocks blockIdx.x. A world's are
 * launched at once, one after the other. Worlds that are stepped together (throng_backend_options) only note what they
 * would launch; when all of their half have to wait, what they noted is launched for as many of them at a time as have
 * come to the same body, whose block blockIdx.y is then that of a world (cuda_together.cu). What a body does is the
 * same either way, and so are the bits.
 *
 * Whatever else is asked of CUDA goes by cuda_stream, which first launches what is noted. */
#ifndef THRONG_CUDA_LAUNCH_CUH
#define THRONG_CUDA_LAUNCH_CUH

#include <cuda/std/tuple>
#include <cstring>
#include <type_traits>
#include <utility>
#include <vector>

#include "kernels/crowd.h"

enum { BLOCK = 128 };

/* --- what is noted --------------------------------------------------------------------------------------- */

/* In front of the arguments of a launch: how many bytes before this the world's crowd is, and how many blocks it asks
 * for. */
struct alignas(16) cuda_head {
    uint32_t crowd;
    int32_t blocks;
};

/* The kernels of a body: of one world, and of many, of whom `heads` are places in the notes of all. Each has a number
 * of its own, from 0 on. */
struct cuda_form {
    typedef void launch_alone(cudaStream_t stream, int blocks, const crowd &c, const void *arguments);
    typedef void launch_together(cudaStream_t stream, int blocks, int worlds, const char *notes, const uint32_t *heads);
    const int number;
    launch_alone *const alone;
    launch_together *const together;
    cuda_form(launch_alone *one, launch_together *many);
};

/* A launch, and where its head is in the notes of its world. */
struct cuda_noted {
    const cuda_form *form;
    size_t head;
    bool operator==(const cuda_noted &other) const { return form == other.form && head == other.head; }
};

/* A world's: in order. */
struct cuda_queue {
    cudaStream_t stream;
    bool notes;         /* are launches noted now? */
    bool used;          /* something may be under way on the stream */
    cudaError_t status; /* of when the notes were launched */
    std::vector<cuda_noted> noted;
    std::vector<char> bytes; /* the crowds, heads and arguments of those */
    size_t crowd;            /* the last of them */
};

enum { NOTES_ALIGN = 16 };

/* Returns where they are. */
static inline size_t cuda_note_bytes(cuda_queue *q, const void *bytes, size_t size)
{
    size_t at = (q->bytes.size() + NOTES_ALIGN - 1) / NOTES_ALIGN * NOTES_ALIGN;
    q->bytes.resize(at);
    q->bytes.insert(q->bytes.end(), (const char *)bytes, (const char *)bytes + size);
    return at;
}

static inline void cuda_note(cuda_queue *q, const cuda_form *form, int blocks, const crowd &c, const void *arguments,
                             size_t size)
{
    if (q->noted.empty() || memcmp(q->bytes.data() + q->crowd, &c, sizeof c))
        q->crowd = cuda_note_bytes(q, &c, sizeof c);
    cuda_head head = {0, blocks};
    size_t at = cuda_note_bytes(q, &head, sizeof head);
    ((cuda_head *)(q->bytes.data() + at))->crowd = (uint32_t)(at - q->crowd);
    cuda_note_bytes(q, arguments, size);
    q->noted.push_back({form, at});
}

/* The launch noted last, to change its arguments, which follow, and its blocks, if it is of this form; else NULL. */
static inline cuda_head *cuda_last_noted(cuda_queue *q, const cuda_form *form)
{
    return q->noted.empty() || q->noted.back().form != form ? NULL
                                                            : (cuda_head *)(q->bytes.data() + q->noted.back().head);
}

static __host__ __device__ inline const crowd &cuda_crowd_of(const cuda_head *head)
{
    return *(const crowd *)((const char *)head - head->crowd);
}

/* Launches what is noted. */
void cuda_launch_noted(cuda_queue *q);

/* The stream, for whatever else is to be done after that. */
static inline cudaStream_t cuda_stream(cuda_queue *q)
{
    if (!q->noted.empty())
        cuda_launch_noted(q);
    q->used = true;
    return q->stream;
}

/* --- launches --------------------------------------------------------------------------------------------- */

/* A frame is a dozen short kernels, each of which would wait a microsecond or two for the one before to end and for its
 * own blocks to be sent out. A kernel that is launched by cuda_launch_kernel is sent out while the one before still
 * runs, and waits here, first of all, until all that was queued before it is done and to be seen. */
static __device__ __forceinline__ void await_previous_launch(void)
{
#if __CUDA_ARCH__ >= 900
    cudaTriggerProgrammaticLaunchCompletion();
    cudaGridDependencySynchronize();
#endif
}

/* Is a kernel compiled to wait? Then all are. */
static inline bool cuda_overlaps(const void *kernel)
{
    cudaFuncAttributes compiled;
    return cudaFuncGetAttributes(&compiled, kernel) == cudaSuccess && compiled.ptxVersion >= 90;
}

/* Launches a kernel that begins with await_previous_launch. */
template <typename... Parameters, typename... Arguments>
static void cuda_launch_kernel(void (*kernel)(Parameters...), dim3 blocks, int threads, cudaStream_t stream,
                               Arguments &&...arguments)
{
    static const bool overlaps = cuda_overlaps((const void *)kernel);
    cudaLaunchAttribute early = {};
    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = blocks;
    config.blockDim = dim3((unsigned)threads);
    config.stream = stream;
    config.attrs = &early;
    config.numAttrs = overlaps;
    cudaLaunchKernelEx(&config, kernel, std::forward<Arguments>(arguments)...);
}

template <typename... P> using cuda_arguments = cuda::std::tuple<P...>;

template <auto body, int THREADS, int AT_ONCE, typename... P>
__global__ void __launch_bounds__(THREADS, AT_ONCE) kernel_alone(const crowd c, P... arguments)
{
    await_previous_launch();
    body(c, arguments...);
}

/* No body writes to the notes: what a thread has read of them it need not read again behind a write. */
template <auto body, int THREADS, int AT_ONCE, typename... P>
__global__ void __launch_bounds__(THREADS, AT_ONCE)
    kernel_together(const char *__restrict__ notes, const uint32_t *__restrict__ heads)
{
    await_previous_launch();
    const cuda_head *head = (const cuda_head *)(notes + heads[blockIdx.y]);
    if ((int32_t)blockIdx.x >= head->blocks)
        return;
    const crowd &c = cuda_crowd_of(head);
    cuda::std::apply([&](const P &...arguments) { body(c, arguments...); }, *(const cuda_arguments<P...> *)(head + 1));
}

template <auto body, int THREADS, int AT_ONCE, typename... P>
static void launch_alone(cudaStream_t stream, int blocks, const crowd &c, const void *arguments)
{
    cuda::std::apply(
        [&](const P &...each) {
            cuda_launch_kernel(kernel_alone<body, THREADS, AT_ONCE, P...>, blocks, THREADS, stream, c, each...);
        },
        *(const cuda_arguments<P...> *)arguments);
}

template <auto body, int THREADS, int AT_ONCE, typename... P>
static void launch_together(cudaStream_t stream, int blocks, int worlds, const char *notes, const uint32_t *heads)
{
    cuda_launch_kernel(kernel_together<body, THREADS, AT_ONCE, P...>, dim3((unsigned)blocks, (unsigned)worlds), THREADS,
                       stream, notes, heads);
}

template <auto body, int THREADS, int AT_ONCE, typename... P> struct cuda_kernels {
    static const cuda_form *form(void)
    {
        static const cuda_form own(launch_alone<body, THREADS, AT_ONCE, P...>,
                                   launch_together<body, THREADS, AT_ONCE, P...>);
        return &own;
    }
    static void launch(cuda_queue *q, int blocks, const crowd &c, const P &...arguments)
    {
        if (q->notes) {
            const cuda_arguments<P...> all(arguments...);
            cuda_note(q, form(), blocks, c, &all, sizeof all);
        } else
            cuda_launch_kernel(kernel_alone<body, THREADS, AT_ONCE, P...>, blocks, THREADS, cuda_stream(q), c,
                               arguments...);
    }
};

/* The types of what a body takes after the crowd, by value. */
template <auto body, int THREADS, int AT_ONCE, typename... P>
static cuda_kernels<body, THREADS, AT_ONCE, std::decay_t<P>...> kernels_of(void (*)(const crowd &, P...));

template <auto body, int THREADS = BLOCK, int AT_ONCE = 1024 / THREADS>
using kernels_of_body = decltype(kernels_of<body, THREADS, AT_ONCE>(static_cast<decltype(body)>(nullptr)));

/* Launches a body, by blocks of THREADS, of which AT_ONCE at least are to run at a time on a multiprocessor. */
template <auto body, int THREADS = BLOCK, int AT_ONCE = 1024 / THREADS, typename... Arguments>
static void cuda_launch(cuda_queue *q, int blocks, const crowd &c, Arguments &&...arguments)
{
    kernels_of_body<body, THREADS, AT_ONCE>::launch(q, blocks, c, std::forward<Arguments>(arguments)...);
}

/* --- bodies of one agent a thread ------------------------------------------------------------------------- */

/* A body begins with this. */
#define AGENT_OR_RETURN(count)                                                                                         \
    int32_t i = (int32_t)(blockIdx.x * blockDim.x + threadIdx.x);                                                      \
    if (i >= (count))                                                                                                  \
    return

#define BODY static __device__ __forceinline__ void

#endif
