/* Columns of the host, to the device and from it. */
#include "cuda.cuh"

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
    void *aside = cuda_set_aside(b, size);
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
