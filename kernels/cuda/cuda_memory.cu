/* Columns and scratch on the device. */
#include "cuda.cuh"

#include <algorithm>

/* Zeroed: lists are read in groups, beyond their end too. */
bool cuda_allocate(throng_backend *b, void **block, size_t bytes, throng_error *error)
{
    void *fresh;
    cudaError_t status = cuda_malloc(&fresh, bytes);
    if (status != cudaSuccess)
        return throng_fail(error, "the device has no %.1f MiB left (%s); use fewer agents or --backend cpu",
                           (double)bytes / (1 << 20), cuda_memory_error(status));
    cuda_clear(b, fresh, bytes);
    CHECK(cudaGetLastError());
    *block = fresh;
    b->bytes += bytes;
    return true;
}

/* The columns that the store has and the device has not, or for fewer agents. */
static std::vector<int> columns_to_make(throng_backend *b, int32_t capacity)
{
    std::vector<int> made;
    for (int column = 0; column < THRONG_COLUMN_COUNT; column++) {
        bool here = *throng_column_of(&b->c.columns, column) && capacity == b->capacity;
        if (*throng_column_of(&b->host, column) && !here)
            made.push_back(column);
    }
    return made;
}

static void free_columns(throng_backend *b)
{
    for (cuda_block &block : b->column_blocks) {
        b->bytes -= block.size;
        cuda_free_block(&block);
    }
    b->column_blocks.clear();
}

/* Makes those that the store has, with room for `capacity` agents each, in one block: all of them where that is another
 * one than before. */
static bool grow_columns(throng_backend *b, int32_t capacity, int32_t slots, throng_error *error)
{
    const std::vector<int> made = columns_to_make(b, capacity);
    scratch each = {NULL, 1};
    size_t slice = scratch_slice(&each, (size_t)capacity);
    if (made.empty())
        return true;
    cuda_block block = {NULL, slice * made.size(), false};
    if (!cuda_allocate(b, &block.data, block.size, error))
        return false;
    char *fresh = (char *)block.data;
    for (int column : made) {
        void **at = throng_column_of(&b->c.columns, column);
        if (*at && slots)
            CHECK(cudaMemcpyAsync(fresh, *at, (size_t)slots * 4, cudaMemcpyDeviceToDevice, cuda_stream(b)));
        *at = fresh;
        fresh += slice;
    }
    if (capacity != b->capacity && !b->column_blocks.empty()) {
        CHECK(cudaStreamSynchronize(cuda_stream(b)));
        free_columns(b);
    }
    b->column_blocks.push_back(block);
    return true;
}

static bool grow_arrivals(throng_backend *b, size_t capacity, throng_error *error)
{
    int32_t *list;
    CHECK(cuda_malloc_pinned(&list, capacity * sizeof *list));
    if (b->arrival_list) { /* somebody may still ask for these */
        CHECK(cudaStreamSynchronize(cuda_stream(b)));
        memcpy(list, b->arrival_list, (size_t)b->capacity * sizeof *list);
    }
    CHECK(cuda_free(b->arrival_list));
    b->arrival_list = list;
    return true;
}

bool cuda_replace_scratch(throng_backend *b, const scratch *list, int n, int32_t from, int32_t to, throng_error *error)
{
    char *block = (char *)*list[0].array;
    bool grown =
        cuda_replace(b, &block, scratch_bytes(list, n, (size_t)from), scratch_bytes(list, n, (size_t)to), error);
    scratch_install(list, n, block, (size_t)(grown ? to : from));
    return grown;
}

static bool grow_scratch(throng_backend *b, int32_t capacity, throng_error *error)
{
    scratch list[SCRATCH_MOST];
    return cuda_replace_scratch(b, list, scratch_of_agents(&b->c, &b->k, list), b->capacity, capacity, error) &&
           grow_arrivals(b, (size_t)capacity, error);
}

/* Scratch that is never in use together. */
static void share_scratch(throng_backend *b)
{
    b->key = (int32_t *)b->k.b; /* the sort is done with them when the solver begins */
    b->place = b->key + b->capacity;
}

bool cuda_grow_wall_scratch(throng_backend *b, int32_t from, int32_t to, throng_error *error)
{
    scratch list[SCRATCH_MOST];
    return cuda_replace_scratch(b, list, scratch_of_walls(&b->c, &b->k, list), from, to, error);
}

bool cuda_fit_shapes(throng_backend *b, throng_error *error)
{
    scratch list[SCRATCH_MOST];
    if (!b->c.width || b->shapes == b->capacity)
        return true;
    if (!cuda_replace_scratch(b, list, scratch_of_shapes(&b->c, list), b->shapes, b->capacity, error))
        return false;
    b->shapes = b->capacity;
    return true;
}

bool cuda_fit_places(throng_backend *b, throng_error *error)
{
    scratch list[SCRATCH_MOST];
    if (!b->c.places.count || b->places == b->capacity)
        return true;
    throng_crossing *crossings;
    CHECK(cuda_malloc_pinned(&crossings, (size_t)b->capacity * sizeof *crossings));
    CHECK(cuda_free(b->crossings));
    b->crossings = crossings;
    if (!cuda_replace_scratch(b, list, scratch_of_places(&b->c, list), b->places, b->capacity, error))
        return false;
    b->places = b->capacity;
    return true;
}

/* Pins the store's arrays where they are too large for the room that is set aside, and lets go of those it had before.
 * Not being able to costs speed, nothing else. */
static void pin(throng_backend *b, const throng_agent_columns *host, int32_t capacity)
{
    enum { LARGE = 1 << 16 };
    throng_agent_columns fresh = *host;
    for (int column = 0; column < THRONG_COLUMN_COUNT; column++) {
        void *before = *throng_column_of(&b->host, column), *after = *throng_column_of(&fresh, column);
        if (before == after && capacity == b->pinned)
            continue;
        if (before && (size_t)b->pinned * 4 > LARGE)
            cudaHostUnregister(before);
        if (after && (size_t)capacity * 4 > LARGE)
            cudaHostRegister(after, (size_t)capacity * 4, cudaHostRegisterDefault);
    }
    b->host = fresh;
    b->pinned = capacity;
    cudaGetLastError();
}

BODY fill_reach(const crowd &c, float value, int32_t count)
{
    AGENT_OR_RETURN(count);
    c.reach[i] = value;
}

/* Columns from here to there, and small tables, go through memory that is set aside: [SENT_COLUMNS] of them, or as many
 * as fit. */
static bool grow_sent_room(throng_backend *b, int32_t capacity, throng_error *error)
{
    enum { SENT_COLUMNS = 32, SENT_TABLES = 1 << 14, SENT_MOST = 1 << 22 };
    size_t most = std::min((size_t)capacity * 4 * SENT_COLUMNS + SENT_TABLES, (size_t)SENT_MOST);
    if (most <= b->sent_most)
        return true;
    CHECK(cuda_free(b->sent_room)); /* nothing is under way */
    b->sent_room = NULL;
    b->sent_most = 0;
    size_t early = capacity <= cuda_early::SLOTS ? (size_t)capacity : 0;
    CHECK(cuda_malloc_pinned(&b->sent_room, most + cuda_early::MOST * early * 4));
    b->sent_most = most;
    b->early.room = (int32_t)early;
    b->early.values = (int32_t *)(b->sent_room + most);
    return true;
}

static bool grow(throng_backend *b, int32_t capacity, int32_t slots, throng_error *error)
{
    if (!grow_columns(b, capacity, slots, error))
        return false;
    if (capacity <= b->capacity)
        return true;
    if (!grow_sent_room(b, capacity, error) || !grow_scratch(b, capacity, error) ||
        (b->c.walls.count && !cuda_grow_wall_scratch(b, b->capacity, capacity, error)) ||
        (b->rows && !cuda_replace(b, &b->c.seen, (size_t)b->rows * (size_t)b->capacity,
                                  (size_t)b->rows * (size_t)capacity, error)))
        return false;
    b->capacity = b->c.stride = capacity;
    return true;
}

/* On failure the store keeps its arrays, and what has grown already stays larger than it need be. */
bool cuda_reserve(throng_backend *b, int32_t capacity, int32_t slots, const throng_agent_columns *host,
                  throng_error *error)
{
    if (b->capacity && capacity != b->capacity && !cuda_finish(b, error)) /* the arrays are replaced */
        return false;
    b->early.count = 0;
    throng_agent_columns before = b->host;
    int32_t pinned = b->pinned, had = b->capacity;
    pin(b, host, capacity);
    bool grown = grow(b, capacity, slots, error);
    if (!grown)
        pin(b, &before, pinned);
    if (grown && had == b->capacity)
        return true;
    share_scratch(b);
    cuda_launch<fill_reach>(&b->queue, cuda_blocks(b->capacity), b->c, 1e9f, b->capacity);
    if (grown)
        CHECK(cudaGetLastError());
    return grown;
}

void cuda_free_memory(throng_backend *b)
{
    const throng_agent_columns none = {};
    pin(b, &none, 0);
    free_columns(b);
    scratch list[SCRATCH_MOST];
    scratch_of_agents(&b->c, &b->k, list);
    cuda_free(*list[0].array);
    scratch_of_walls(&b->c, &b->k, list);
    cuda_free(*list[0].array);
    void *blocks[] = {b->c.shape,   b->c.from_x,     b->c.seen, b->c.cell_start,
                      b->near_list, b->solver_state, b->drawn,  b->said};
    for (void *block : blocks)
        cuda_free(block);
    for (cuda_grid *grid : {&b->side_grid, &b->box_grid}) {
        cuda_free(grid->start);
        cuda_free(grid->list);
    }
}
