/* Where blocks of the device's memory come from, and of pinned memory. Worlds come and go by the thousand, and the
 * driver takes 10 us for each block, one after the other: small ones are cut from slabs, each of blocks of one size,
 * and what is free is for the worlds to come. Large ones are the driver's. */
#include "cuda.cuh"

#include <algorithm>
#include <map>
#include <mutex>
#include <unordered_map>
#include <vector>

const char *(*cuda_claim)(int64_t bytes);

#ifdef CUDA_NO_SLABS /* compute-sanitizer knows the driver's blocks alone */
static const size_t SMALL = 0;
#else
static const size_t SMALL = 1 << 20; /* bytes */
#endif
static const size_t SLAB = 1 << 22; /* about; at least LEAST blocks and at most MOST */
enum { LEAST = 8, MOST = 64 };
static const size_t KEEPS = 1 << 28; /* bytes of what is free, as worlds begin where others have ended */

enum { PINNED = -1 }; /* as a place; others are devices */

struct slab {
    char *begin;
    int place;
    size_t each, count;
    std::vector<char *> free;
};

/* What whoever frees one does not know. */
struct held_block {
    size_t bytes;
    int place;
    slab *from; /* NULL: it is the driver's */
};

/* Device memory is of a pool for each device. Blocks come and go in the order of a stream that has nothing else to do,
 * so that they are there, and free for others, at once. */
struct held_pool {
    cudaMemPool_t pool;
    cudaStream_t stream;
};

static struct {
    std::mutex lock; /* of all here */
    std::unordered_map<void *, held_block> blocks;
    std::map<int, held_pool> pools;                             /* by device */
    std::map<std::pair<int, size_t>, std::vector<slab *>> open; /* by place and size: those with free blocks */
    std::map<int, size_t> unused;                               /* bytes of slabs of which all is free, by place */
} held;

static thread_local const char *refused; /* why the last block was */

/* --- the driver's ------------------------------------------------------------------------------------------ */

static cudaError_t find_pool(int device, held_pool *pool)
{
    uint64_t keeps = KEEPS;
    auto at = held.pools.find(device);
    if (at != held.pools.end()) {
        *pool = at->second;
        return cudaSuccess;
    }
    cudaMemPoolProps props = {};
    props.allocType = cudaMemAllocationTypePinned;
    props.location.type = cudaMemLocationTypeDevice;
    props.location.id = device;
    cudaError_t status = cudaMemPoolCreate(&pool->pool, &props);
    if (status == cudaSuccess)
        status = cudaMemPoolSetAttribute(pool->pool, cudaMemPoolAttrReleaseThreshold, &keeps);
    if (status == cudaSuccess)
        status = cudaStreamCreateWithFlags(&pool->stream, cudaStreamNonBlocking);
    if (status == cudaSuccess)
        held.pools[device] = *pool;
    return status;
}

static cudaError_t ask_driver(int place, void **block, size_t bytes)
{
    if (place == PINNED)
        return cudaHostAlloc(block, bytes, cudaHostAllocMapped);
    held_pool pool;
    cudaError_t status = find_pool(place, &pool);
    if (status == cudaSuccess)
        status = cudaMallocFromPoolAsync(block, bytes, pool.pool, pool.stream);
    return status == cudaSuccess ? cudaStreamSynchronize(pool.stream) : status;
}

static cudaError_t give_to_driver(int place, void *block)
{
    if (place == PINNED)
        return cudaFreeHost(block);
    cuda_on_device on(place);
    return cudaFreeAsync(block, held.pools[place].stream);
}

/* --- slabs -------------------------------------------------------------------------------------------------- */

/* Four sizes between a power of two and the next. */
static size_t size_of(size_t bytes)
{
    size_t power = 1024;
    while (power < bytes)
        power *= 2;
    size_t step = power / 8;
    return (bytes + step - 1) / step * step;
}

static bool is_unused(const slab *s) { return s->free.size() == s->count; }

/* One of which all is free, and which the open ones do not list any more. */
static void end_slab(slab *s)
{
    held.unused[s->place] -= s->each * s->count;
    give_to_driver(s->place, s->begin);
    delete s;
}

static void end_unused(int place)
{
    for (auto &of_size : held.open) {
        std::vector<slab *> &list = of_size.second;
        if (of_size.first.first != place)
            continue;
        auto from = std::stable_partition(list.begin(), list.end(), [](slab *s) { return !is_unused(s); });
        std::for_each(from, list.end(), end_slab);
        list.erase(from, list.end());
    }
    if (place != PINNED && held.pools.count(place))
        cudaMemPoolTrimTo(held.pools[place].pool, 0);
}

static cudaError_t take_from_driver(int place, void **block, size_t bytes)
{
    cudaError_t status = ask_driver(place, block, bytes);
    if (status != cudaErrorMemoryAllocation)
        return status;
    cudaGetLastError();
    end_unused(place);
    return ask_driver(place, block, bytes);
}

static cudaError_t begin_slab(int place, size_t each, std::vector<slab *> *open)
{
    size_t count = std::min(std::max(SLAB / each, (size_t)LEAST), (size_t)MOST);
    void *begin;
    cudaError_t status = take_from_driver(place, &begin, each * count);
    if (status != cudaSuccess)
        return status;
    slab *s = new slab{(char *)begin, place, each, count, {}};
    for (size_t i = count; i > 0; i--)
        s->free.push_back(s->begin + (i - 1) * each);
    open->push_back(s);
    held.unused[place] += each * count;
    return cudaSuccess;
}

static cudaError_t take_small(int place, void **block, size_t bytes, slab **from)
{
    size_t each = size_of(bytes);
    std::vector<slab *> &open = held.open[{place, each}];
    cudaError_t status = open.empty() ? begin_slab(place, each, &open) : cudaSuccess;
    if (status != cudaSuccess)
        return status;
    slab *s = open.back();
    held.unused[place] -= is_unused(s) ? each * s->count : 0;
    *block = s->free.back();
    *from = s;
    s->free.pop_back();
    if (s->free.empty())
        open.pop_back();
    return cudaSuccess;
}

static void give_small(slab *s, void *block)
{
    std::vector<slab *> &open = held.open[{s->place, s->each}];
    if (s->free.empty())
        open.push_back(s);
    s->free.push_back((char *)block);
    if (!is_unused(s))
        return;
    held.unused[s->place] += s->each * s->count;
    if (held.unused[s->place] > KEEPS) {
        open.erase(std::find(open.begin(), open.end(), s));
        end_slab(s);
    }
}

/* --- blocks ------------------------------------------------------------------------------------------------- */

static cudaError_t take(int place, void **block, size_t bytes)
{
    std::lock_guard<std::mutex> guard(held.lock);
    held_block b = {bytes, place, NULL};
    cudaError_t status =
        bytes <= SMALL ? take_small(place, block, bytes, &b.from) : take_from_driver(place, block, bytes);
    if (status == cudaSuccess)
        held.blocks[*block] = b;
    return status;
}

cudaError_t cuda_malloc(void **block, size_t bytes)
{
    int device = 0;
    refused = cuda_claim ? cuda_claim((int64_t)bytes) : NULL;
    if (refused)
        return cudaErrorMemoryAllocation;
    cudaGetDevice(&device);
    cudaError_t status = take(device, block, bytes);
    if (status != cudaSuccess && cuda_claim)
        cuda_claim(-(int64_t)bytes);
    return status;
}

cudaError_t cuda_malloc_pinned(void **block, size_t bytes)
{
    refused = NULL;
    return take(PINNED, block, bytes);
}

cudaError_t cuda_free(void *block)
{
    std::lock_guard<std::mutex> guard(held.lock);
    auto at = held.blocks.find(block);
    if (at == held.blocks.end())
        return block ? cudaErrorInvalidValue : cudaSuccess;
    held_block b = at->second;
    held.blocks.erase(at);
    if (b.place != PINNED && cuda_claim)
        cuda_claim(-(int64_t)b.bytes);
    if (!b.from)
        return give_to_driver(b.place, block);
    give_small(b.from, block);
    return cudaSuccess;
}

const char *cuda_memory_error(cudaError_t status)
{
    return refused && status == cudaErrorMemoryAllocation ? refused : cudaGetErrorString(status);
}
