/* Columns of one moment, while the frames go on: set aside on the device in the order of the stages, which takes some
 * microseconds, and brought to pinned memory on the host by a stream of its own. */
#include "cuda.cuh"

static bool set_up(throng_backend *b, throng_error *error)
{
    if (b->copies)
        return true;
    CHECK(cudaEventCreateWithFlags(&b->set_aside, cudaEventDisableTiming));
    CHECK(cudaEventCreateWithFlags(&b->brought, cudaEventDisableTiming));
    CHECK(cudaStreamCreateWithFlags(&b->copies, cudaStreamNonBlocking));
    return true;
}

static bool reserve_aside(throng_backend *b, size_t bytes, throng_error *error)
{
    if (bytes <= b->aside_room)
        return true;
    CHECK(cudaStreamSynchronize(b->copies));
    if (!cuda_replace(b, &b->aside, b->aside_room, bytes, error)) {
        b->aside_room = 0;
        return false;
    }
    b->aside_room = bytes;
    return true;
}

/* Who waits for a copy sleeps: its core may be a stage's. */
static bool reserve_pinned(throng_copy *copy, size_t bytes, throng_error *error)
{
    if (!copy->ready)
        CHECK(cudaEventCreateWithFlags((cudaEvent_t *)&copy->ready, cudaEventDisableTiming | cudaEventBlockingSync));
    if (bytes <= copy->room)
        return true;
    CHECK(cuda_free(copy->block));
    copy->block = NULL;
    copy->room = 0;
    CHECK(cuda_malloc_pinned(&copy->block, bytes + bytes / 4)); /* crowds grow */
    copy->room = bytes + bytes / 4;
    return true;
}

/* The columns one after the other, here and there. */
static bool set_aside(throng_backend *b, throng_column_set columns, int32_t slots, throng_copy *copy,
                      throng_error *error)
{
    size_t size = (size_t)slots * 4, at = 0;
    CHECK(cudaStreamWaitEvent(cuda_stream(b), b->brought, 0));
    for (int c = 0; c < THRONG_COLUMN_COUNT; c++) {
        if (!throng_column_in(columns, c))
            continue;
        CHECK(cudaMemcpyAsync(b->aside + at, *throng_column_of(&b->c.columns, c), size, cudaMemcpyDeviceToDevice,
                              cuda_stream(b)));
        *throng_column_of(&copy->columns, c) = (char *)copy->block + at;
        at += size;
    }
    CHECK(cudaEventRecord(b->set_aside, cuda_stream(b)));
    return true;
}

bool cuda_copy(throng_backend *b, throng_column_set columns, int32_t slots, throng_copy *copy, throng_error *error)
{
    size_t bytes = (size_t)slots * 4 * (size_t)throng_column_set_size(columns);
    copy->columns = {};
    copy->slots = slots;
    if (!slots)
        return true;
    if (!set_up(b, error) || !reserve_aside(b, bytes, error) || !reserve_pinned(copy, bytes, error) ||
        !set_aside(b, columns, slots, copy, error))
        return false;
    CHECK(cudaStreamWaitEvent(b->copies, b->set_aside, 0));
    CHECK(cudaMemcpyAsync(copy->block, b->aside, bytes, cudaMemcpyDeviceToHost, b->copies));
    CHECK(cudaEventRecord(b->brought, b->copies));
    CHECK(cudaEventRecord((cudaEvent_t)copy->ready, b->copies));
    return true;
}

bool cuda_copied(throng_copy *copy, throng_error *error)
{
    if (copy->slots)
        CHECK(cudaEventSynchronize((cudaEvent_t)copy->ready));
    return true;
}

void cuda_free_copy(throng_copy *copy)
{
    if (copy->ready) {
        cudaEventSynchronize((cudaEvent_t)copy->ready);
        cudaEventDestroy((cudaEvent_t)copy->ready);
    }
    cuda_free(copy->block);
}

void cuda_free_copies(throng_backend *b)
{
    if (b->copies) {
        cudaStreamSynchronize(b->copies);
        cudaStreamDestroy(b->copies);
    }
    if (b->set_aside)
        cudaEventDestroy(b->set_aside);
    if (b->brought)
        cudaEventDestroy(b->brought);
    cuda_free(b->aside);
}
