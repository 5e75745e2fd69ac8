/* What is on its way between the host and the device. */
#include "cuda.cuh"

#include <algorithm>

void *cuda_set_aside(throng_backend *b, size_t bytes)
{
    if (bytes > b->sent_most - b->sent)
        return NULL;
    void *at = b->sent_room + b->sent;
    b->sent += bytes;
    return at;
}

/* Copies of one launch, whose order does not matter: each begins with block `first`, the next with first[n + 1]. */
struct copy_list {
    enum { MOST = 16 };
    int32_t *to[MOST];
    const int32_t *from[MOST];
    int32_t words[MOST], first[MOST + 1];
    int32_t count;
    cudaMemcpyKind way;
};

BODY copy_words(const crowd &, const copy_list &l)
{
    int32_t n = 0, block = (int32_t)blockIdx.x;
    while (block >= l.first[n + 1])
        n++;
    int32_t i = (block - l.first[n]) * (int32_t)blockDim.x + (int32_t)threadIdx.x;
    if (i < l.words[n])
        l.to[n][i] = l.from[n][i];
}

static void add_copy(copy_list *l, void *to, const void *from, size_t bytes)
{
    int32_t n = l->count++, words = (int32_t)(bytes / 4);
    l->to[n] = (int32_t *)to;
    l->from[n] = (const int32_t *)from;
    l->words[n] = words;
    l->first[n + 1] = l->first[n] + cuda_blocks(words);
}

/* May a copy that way be one of the list's? None may need what another brings. */
static bool takes_copy(const copy_list *l, const int32_t *to, cudaMemcpyKind way)
{
    int32_t *const *end = l->to + l->count;
    return l->way == way && l->count < copy_list::MOST && std::find(l->to, end, to) == end;
}

/* With the copies noted last, else by a launch of its own. */
static void note_copy(throng_backend *b, void *to, const void *from, size_t bytes, cudaMemcpyKind way)
{
    cuda_queue *q = &b->queue;
    cuda_head *head = cuda_last_noted(q, kernels_of_body<copy_words>::form());
    copy_list *last = head ? (copy_list *)(head + 1) : NULL;
    if (last && takes_copy(last, (const int32_t *)to, way)) {
        add_copy(last, to, from, bytes);
        head->blocks = last->first[last->count];
        return;
    }
    copy_list own = {};
    own.way = way;
    add_copy(&own, to, from, bytes);
    cuda_launch<copy_words>(q, own.first[1], b->c, own);
}

/* Between the device and mapped memory of the host; by the bus's own engine, where launches are not noted. */
static void copy(throng_backend *b, void *to, const void *from, size_t bytes, cudaMemcpyKind way)
{
    cuda_choose_how(b);
    if (b->queue.notes)
        note_copy(b, to, from, bytes, way);
    else
        cudaMemcpyAsync(to, from, bytes, way, cuda_stream(b));
    b->idle = false;
}

void cuda_bring(throng_backend *b, void *to, const void *from, size_t bytes)
{
    copy(b, to, from, bytes, cudaMemcpyDeviceToHost);
}

void cuda_send(throng_backend *b, void *to, const void *from, size_t bytes)
{
    copy(b, to, from, bytes, cudaMemcpyHostToDevice);
}

bool cuda_send_aside(throng_backend *b, void *to, const void *from, size_t bytes)
{
    void *aside = cuda_set_aside(b, bytes);
    if (aside)
        cuda_send(b, to, memcpy(aside, from, bytes), bytes);
    return aside != NULL;
}

/* A word a thread, and those bytes that are no whole word. */
BODY clear_block(const crowd &, char *block, size_t bytes)
{
    size_t at = 4 * ((size_t)blockIdx.x * blockDim.x + threadIdx.x);
    if (at + 4 <= bytes)
        *(int32_t *)(block + at) = 0;
    for (; at < bytes && bytes < at + 4; at++)
        block[at] = 0;
}

void cuda_clear(throng_backend *b, void *block, size_t bytes)
{
    cuda_choose_how(b);
    if (b->queue.notes)
        cuda_launch<clear_block>(&b->queue, (int)(bytes / (4 * BLOCK) + 1), b->c, (char *)block, bytes);
    else
        cudaMemsetAsync(block, 0, bytes, cuda_stream(b));
    b->idle = false;
}

void cuda_bring_early(throng_backend *b)
{
    cuda_early *y = &b->early;
    uint32_t step = b->c.frame.step + 1, together = y->wanted == cuda_early::NONE ? step : y->asked[y->wanted];
    y->count = 0;
    y->slots = b->c.frame.slots <= y->room ? b->c.frame.slots : 0;
    for (int column = 0; column < THRONG_COLUMN_COUNT && y->slots && y->count < cuda_early::MOST; column++) {
        const void *from = *throng_column_of(&b->c.columns, column);
        uint32_t asked = y->asked[column];
        if (!from || (column != y->wanted && (!asked || (asked != together && asked + 1 < step))))
            continue;
        y->column[y->count] = column;
        cuda_bring(b, y->values + (size_t)y->room * (size_t)y->count++, from, (size_t)y->slots * 4);
    }
}
