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
    CHECK(cudaMemsetAsync(fresh, 0, bytes, cuda_stream(b)));
    *block = fresh;
    b->bytes += bytes;
    return true;
}

/* Those that the store has, with room for `capacity` agents each. */
static bool grow_columns(throng_backend *b, int32_t capacity, int32_t slots, throng_error *error)
{
    for (int column = 0; column < THRONG_COLUMN_COUNT; column++) {
        void **at = throng_column_of(&b->c.columns, column);
        int32_t *fresh;
        if (!*throng_column_of(&b->host, column) || (*at && capacity == b->capacity))
            continue;
        if (!cuda_allocate(b, &fresh, (size_t)capacity, error))
            return false;
        if (*at && slots)
            CHECK(cudaMemcpyAsync(fresh, *at, (size_t)slots * 4, cudaMemcpyDeviceToDevice, cuda_stream(b)));
        if (*at)
            CHECK(cudaStreamSynchronize(cuda_stream(b)));
        CHECK(cuda_free(*at));
        b->bytes -= *at ? (size_t)b->capacity * 4 : 0;
        *at = fresh;
    }
    return true;
}

static bool grow_arrivals(throng_backend *b, size_t capacity, throng_error *error)
{
    int32_t *list;
    CHECK(cuda_malloc_pinned(&list, capacity * sizeof *list));
    CHECK(cudaStreamSynchronize(cuda_stream(b)));
    if (b->arrival_list) /* somebody may still ask for these */
        memcpy(list, b->arrival_list, (size_t)b->capacity * sizeof *list);
    CHECK(cuda_free(b->arrival_list));
    b->arrival_list = list;
    return true;
}

static bool grow_scratch(throng_backend *b, int32_t capacity, throng_error *error)
{
    crowd *c = &b->c;
    contacts *k = &b->k;
    size_t from = (size_t)b->capacity, to = (size_t)capacity;
    return cuda_replace(b, &c->reach, from, to, error) && cuda_replace(b, &c->slot, from, to, error) &&
           cuda_replace(b, &c->rank, from, to, error) && cuda_replace(b, &c->sx, from, to, error) &&
           cuda_replace(b, &c->sy, from, to, error) && cuda_replace(b, &c->svx, from, to, error) &&
           cuda_replace(b, &c->svy, from, to, error) && cuda_replace(b, &c->sr, from, to, error) &&
           cuda_replace(b, &c->sheet, from, to, error) && cuda_replace(b, &c->seen_count, from, to, error) &&
           cuda_replace(b, &c->seen_reach, from, to, error) && cuda_replace(b, &c->nx, from, to, error) &&
           cuda_replace(b, &c->ny, from, to, error) && cuda_replace(b, &c->press, from, to, error) &&
           cuda_replace(b, &c->press_x, from, to, error) && cuda_replace(b, &c->press_y, from, to, error) &&
           cuda_replace(b, &k->body, from * 4, to * 4, error) && cuda_replace(b, &k->a, from * 4, to * 4, error) &&
           cuda_replace(b, &k->b, from * 4, to * 4, error) && cuda_replace(b, &k->status, from, to, error) &&
           cuda_replace(b, &k->turn, from, to, error) && cuda_replace(b, &k->kept_step, from, to, error) &&
           cuda_replace(b, &k->partner, from * THRONG_CONTACTS_MAX, to * THRONG_CONTACTS_MAX, error) &&
           cuda_replace(b, &k->lambda, from * THRONG_CONTACTS_MAX, to * THRONG_CONTACTS_MAX, error) &&
           cuda_replace(b, &k->ahead, from * THRONG_CONTACTS_MAX, to * THRONG_CONTACTS_MAX, error) &&
           grow_arrivals(b, to, error);
}

/* Scratch that is never in use together. */
static void share_scratch(throng_backend *b)
{
    b->key = (int32_t *)b->k.b; /* the sort is done with them when the solver begins */
    b->place = b->key + b->capacity;
    contacts_share(&b->c, &b->k);
}

/* Only needed where there are walls. */
bool cuda_grow_wall_scratch(throng_backend *b, int32_t from, int32_t to, throng_error *error)
{
    size_t f = (size_t)from, t = (size_t)to;
    return cuda_replace(b, &b->c.wall, f * THRONG_WALLS_MAX, t * THRONG_WALLS_MAX, error) &&
           cuda_replace(b, &b->c.wall_count, f, t, error) && cuda_replace(b, &b->c.near_body, f, t, error) &&
           cuda_replace(b, &b->k.wall, f * CONTACT_WALLS_MAX, t * CONTACT_WALLS_MAX, error) &&
           cuda_replace(b, &b->k.wall_lambda, f * CONTACT_WALLS_MAX, t * CONTACT_WALLS_MAX, error) &&
           cuda_replace(b, &b->k.wall_ahead, f * CONTACT_WALLS_MAX, t * CONTACT_WALLS_MAX, error);
}

/* Only where somebody is wider than deep. */
bool cuda_fit_shapes(throng_backend *b, throng_error *error)
{
    if (!b->c.width || b->shapes == b->capacity)
        return true;
    if (!cuda_replace(b, &b->c.shape, (size_t)b->shapes * 4, (size_t)b->capacity * 4, error))
        return false;
    b->shapes = b->capacity;
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

/* Columns from here to there go through memory that is set aside, [SENT_COLUMNS] of them, or as many as fit. */
static bool grow_sent_room(throng_backend *b, int32_t capacity, throng_error *error)
{
    enum { SENT_COLUMNS = 16, SENT_MOST = 1 << 22 };
    size_t most = std::min((size_t)capacity * 4 * SENT_COLUMNS, (size_t)SENT_MOST);
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
    if (!cuda_finish(b, error))
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
    for (int column = 0; column < THRONG_COLUMN_COUNT; column++)
        cuda_free(*throng_column_of(&b->c.columns, column));
    crowd *c = &b->c;
    contacts *k = &b->k;
    void *scratch[] = {c->reach,      c->slot,         c->rank,       c->cell_start, c->sx,          c->sy,
                       c->svx,        c->svy,          c->sr,         c->sheet,      c->seen,        c->seen_count,
                       c->seen_reach, c->wall,         c->wall_count, c->nx,         c->ny,          c->near_body,
                       b->near_list,  k->body,         k->a,          k->b,          k->status,      k->turn,
                       k->partner,    k->lambda,       k->ahead,      k->wall,       k->wall_lambda, k->wall_ahead,
                       k->kept_step,  b->solver_state, b->beta,       c->press,      c->press_x,     c->press_y,
                       c->shape,      b->drawn,        b->said};
    for (void *block : scratch)
        cuda_free(block);
    for (cuda_grid *grid : {&b->side_grid, &b->box_grid}) {
        cuda_free(grid->start);
        cuda_free(grid->list);
    }
}
