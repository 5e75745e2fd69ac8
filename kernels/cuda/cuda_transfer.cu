/* Columns on their way between the host and the device. */
#include "cuda.cuh"

#include <algorithm>

/* Where what is under way lies until the stream has come to its end, so that the host need not wait; NULL: there is no
 * room. */
static void *set_aside(throng_backend *b, size_t size)
{
    if (size > b->sent_most - b->sent)
        return NULL;
    void *at = b->sent_room + b->sent;
    b->sent += size;
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
    void *aside = set_aside(b, bytes);
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

bool cuda_put(throng_backend *b, int column, int32_t slots, throng_error *error)
{
    if (!slots)
        return true;
    if (!cuda_wait_for_plan(b, error))
        return false;
    b->early.count = 0;
    size_t size = (size_t)slots * 4;
    void *to = *throng_column_of(&b->c.columns, column);
    const void *whole = *throng_column_of(&b->host, column);
    if (cuda_send_aside(b, to, whole, size)) {
        CHECK(cudaGetLastError());
        return true;
    }
    CHECK(cudaMemcpyAsync(to, whole, size, cudaMemcpyHostToDevice, cuda_stream(b)));
    b->idle = false;
    return cuda_finish(b, error);
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

/* Values of a column that were brought; NULL: they were not. */
static const int32_t *find_early(const cuda_early *y, int column, int32_t slots)
{
    for (int n = 0; n < y->count; n++)
        if (y->column[n] == column && slots <= y->slots)
            return y->values + (size_t)y->room * (size_t)n;
    return NULL;
}

/* Of a world that is stepped with others; NULL: not so, or waiting failed. */
static const int32_t *get_early(throng_backend *b, int column, int32_t slots, throng_error *error)
{
    cuda_choose_how(b);
    if (b->queue.notes && slots <= b->early.room && !find_early(&b->early, column, slots)) {
        b->early.wanted = column;
        b->idle = false;
        cuda_finish(b, error);
        b->early.wanted = cuda_early::NONE;
    }
    b->early.asked[column] = b->c.frame.step + 1;
    return find_early(&b->early, column, slots);
}

bool cuda_get(throng_backend *b, int column, int32_t first, int32_t slots, throng_error *error)
{
    if (!cuda_wait_for_plan(b, error))
        return false;
    size_t size = (size_t)slots * 4;
    int32_t *to = (int32_t *)*throng_column_of(&b->host, column) + first;
    const int32_t *from = (const int32_t *)*throng_column_of(&b->c.columns, column) + first;
    const int32_t *early = get_early(b, column, first + slots, error);
    if (early) {
        memcpy(to, early + first, size);
        return true;
    }
    void *aside = set_aside(b, size);
    if (aside)
        cuda_bring(b, aside, from, size);
    else
        CHECK(cudaMemcpyAsync(to, from, size, cudaMemcpyDeviceToHost, cuda_stream(b)));
    b->idle = false;
    if (!cuda_finish(b, error))
        return false;
    if (aside)
        memcpy(to, aside, size);
    return true;
}

const void *cuda_column(const throng_backend *b, int column, int32_t *device)
{
    throng_agent_columns columns = b->c.columns;
    *device = b->device;
    return *throng_column_of(&columns, column);
}
