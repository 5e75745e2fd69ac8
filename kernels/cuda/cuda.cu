/* The CUDA backend: the table that the runtime calls. */
#include "cuda.cuh"

#include <algorithm>
#include <cstdio>
#include <mutex>
#include <new>

#include "kernels/frame.h"

/* --- stages ----------------------------------------------------------------------------------------------------- */

static bool fit_frame(throng_backend *b, const throng_frame *f, throng_error *error)
{
    crowd_take_frame(&b->c, f);
    cuda_choose_how(b);
    return cuda_fit_grid(b, f->grid_width * f->grid_height, f->neighbours, error) && cuda_fit_shapes(b, error) &&
           cuda_fit_places(b, error);
}

static bool cuda_stage(throng_backend *b, throng_stage stage, const throng_frame *f, throng_error *error)
{
    b->idle = false;
    b->early.count = 0;
    if (!fit_frame(b, f, error) || (stage != THRONG_STAGE_move && !cuda_wait_for_plan(b, error)))
        return false;
    switch (stage) {
    case THRONG_STAGE_goals: return cuda_goals(b, error);
    case THRONG_STAGE_desire: return cuda_desire(b, error);
    case THRONG_STAGE_sense: return cuda_sense(b, error);
    case THRONG_STAGE_plan: return cuda_plan(b, f, error);
    case THRONG_STAGE_move: return cuda_move(b, f, error);
    default: return true;
    }
}

/* --- what came of it --- */

static bool cuda_time_stage(throng_backend *b, throng_stage stage, const throng_frame *f, double *seconds,
                            throng_error *error)
{
    return cuda_start_clock(b, error) && cuda_stage(b, stage, f, error) && cuda_wait_for_plan(b, error) &&
           cuda_stop_clock(b, seconds, error) && cuda_finish(b, error);
}

enum { LOOKS = 1 << 20 }; /* about a millisecond */

/* What the goals stage counted, as soon as it is there: the driver would wait for what follows, too. */
static bool read_goal_counts(throng_backend *b, const tally **t, throng_error *error)
{
    *t = &b->mapped->told;
    if (!cuda_tell_goals(b, error))
        return false;
    for (int look = b->queue.noted.empty() ? 0 : LOOKS; look < LOOKS; look++)
        if (__atomic_load_n(&b->mapped->told.turn, __ATOMIC_ACQUIRE) == b->turn)
            return true;
    return cuda_finish(b, error);
}

static bool cuda_arrivals(throng_backend *b, int32_t *slots, int32_t *count, throng_error *error)
{
    const tally *t;
    if (!read_goal_counts(b, &t, error))
        return false;
    int32_t room = *count, arrived = std::min(t->arrived[b->arrival_side], b->c.frame.slots);
    *count = arrived;
    if (!arrived || arrived > room)
        return true;
    memcpy(slots, b->arrival_list, (size_t)arrived * 4);
    std::sort(slots, slots + arrived);
    *count = (int32_t)(std::unique(slots, slots + arrived) - slots);
    return true;
}

static bool cuda_goal_counters(throng_backend *b, throng_counters *counters, throng_error *error)
{
    const tally *t;
    if (!read_goal_counts(b, &t, error))
        return false;
    *counters = {};
    counters->arrivals = t->arrivals;
    counters->transitions = t->transitions;
    counters->stuck = t->stuck;
    return true;
}

static bool cuda_counters(throng_backend *b, throng_counters *counters, throng_error *error)
{
    const tally *t = &b->mapped->counted;
    cuda_bring(b, &b->mapped->counted, b->counts, sizeof *t);
    if (b->sensed)
        cuda_bring(b, &b->mapped->seen, b->c.cell_start + b->cells, sizeof b->mapped->seen);
    if (!cuda_finish(b, error))
        return false;
    float worst;
    memcpy(&worst, &t->worst, sizeof worst);
    *counters = {t->overlaps, t->conflicts, worst,     (uint32_t)t->iterations, t->held, t->arrivals, t->transitions,
                 t->stuck,    t->undefined, t->limited};
    std::copy(t->conflicts_of, t->conflicts_of + THRONG_PLANNER_COUNT, counters->conflicts_of);
    counters->hidden = b->sensed ? b->sensed - b->mapped->seen : 0;
    return true;
}

/* Entry `row` of the list of sorted agent `i`. */
static bool read_entry(throng_backend *b, const int32_t *list, int32_t row, int32_t i, int32_t *value,
                       throng_error *error)
{
    CHECK(cudaMemcpy(value, list + (size_t)row * (size_t)b->c.stride + i, 4, cudaMemcpyDeviceToHost));
    return true;
}

static bool cuda_seen(throng_backend *b, int32_t slot, int32_t *neighbours, int32_t *neighbour_count, int32_t *walls,
                      int32_t *wall_count, throng_error *error)
{
    const crowd *c = &b->c;
    int32_t i, sorted;
    CHECK(cudaStreamSynchronize(cuda_stream(b)));
    *neighbour_count = *wall_count = 0;
    if (!read_entry(b, c->rank, 0, slot, &i, error) ||
        (c->k && !read_entry(b, c->seen_count, 0, i, neighbour_count, error)) ||
        (c->walls.count && !read_entry(b, c->wall_count, 0, i, wall_count, error)))
        return false;
    for (int32_t s = 0; s < *neighbour_count; s++)
        if (!read_entry(b, c->seen, s, i, &sorted, error) || !read_entry(b, c->slot, 0, sorted, &neighbours[s], error))
            return false;
    for (int32_t s = 0; s < *wall_count; s++)
        if (!read_entry(b, c->wall, s, i, &walls[s], error))
            return false;
    return true;
}

static size_t cuda_bytes(const throng_backend *b)
{
    return b->bytes + cuda_paths_bytes(b) + cuda_searches_bytes(b) + cuda_fields_bytes(b);
}

/* --- lifetime
 * ------------------------------------------------------------------------------------------------------------ */

static void cuda_destroy(throng_backend *b)
{
    if (!b)
        return;
    cuda_on_device on(b->device);
    if (b->queue.stream)
        cudaStreamSynchronize(cuda_stream(b));
    cuda_free_ahead(b);
    cuda_free_clock(b);
    cuda_free_paths(b);
    cuda_free_copies(b);
    cuda_free_searches(b);
    cuda_free_fields(b);
    cuda_free_fixed(b);
    cuda_free_memory(b);
    cuda_free(b->counts);
    cuda_free(b->mapped);
    cuda_free(b->arrival_list);
    cuda_free(b->crossings);
    cuda_free(b->sent_room);
    if (b->queue.stream && !b->shares_stream)
        cudaStreamDestroy(b->queue.stream);
    delete b;
}

/* Its own. Worlds that are stepped together have little that goes by one, and the driver takes its time for each: they
 * share some, which are kept. */
static cudaError_t find_stream(throng_backend *b)
{
    enum { SHARED = 16 };
    static std::mutex lock;
    static cudaStream_t shared[SHARED];
    static uint32_t next;
    b->shares_stream = cuda_half && cuda_half() >= 0 && b->device == 0;
    if (!b->shares_stream)
        return cudaStreamCreateWithFlags(&b->queue.stream, cudaStreamNonBlocking);
    std::lock_guard<std::mutex> guard(lock);
    cudaStream_t *stream = &shared[next++ % SHARED];
    cudaError_t status = *stream ? cudaSuccess : cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking);
    b->queue.stream = *stream;
    return status;
}

static bool set_up(throng_backend *b, throng_error *error)
{
    cuda_on_device on(b->device);
    CHECK(find_stream(b));
    if (!cuda_allocate(b, &b->counts, 1, error))
        return false;
    CHECK(cuda_malloc_pinned(&b->mapped, sizeof *b->mapped));
    tally t = {};
    float one = 1;
    memcpy(&t.worst, &one, sizeof one);
    b->mapped->told = t;
    cuda_send(b, b->counts, &b->mapped->told, sizeof t);
    CHECK(cudaGetLastError());
    return cuda_set_up_solver(b, error);
}

static bool cuda_create(const throng_backend_options *options, throng_backend **out, throng_error *error)
{
    cuda_claim = options->claim; /* lanes and threads are the CPU's */
    cuda_half = options->half;
    cuda_wait = options->wait;
    throng_backend *b = new (std::nothrow) throng_backend();
    if (!b)
        return throng_fail(error, "out of memory for the CUDA backend");
    b->device = options->device;
    b->early.wanted = cuda_early::NONE;
    if (!cuda_find_device(b, error)) {
        delete b;
        return false;
    }
    if (!set_up(b, error)) {
        cuda_destroy(b);
        return false;
    }
    *out = b;
    return true;
}

static void cuda_info(const throng_backend *b, throng_backend_info *info)
{
    snprintf(info->device, sizeof info->device, "%s", b->name);
    info->simd = info->threads = 0;
}

extern "C" __attribute__((visibility("default"))) const throng_backend_api throng_cuda_backend;
const throng_backend_api throng_cuda_backend = {
    THRONG_BACKEND_VERSION,
    "cuda",
    cuda_create,
    cuda_destroy,
    cuda_info,
    cuda_devices,
    cuda_reserve,
    cuda_put,
    cuda_get,
    cuda_column,
    cuda_copy,
    cuda_copied,
    cuda_free_copy,
    cuda_set_sheets,
    cuda_set_walls,
    cuda_set_sides,
    cuda_near_bodies,
    cuda_push,
    cuda_set_navigation,
    cuda_set_goals,
    cuda_set_waypoints,
    cuda_set_planners,
    cuda_set_influences,
    cuda_set_air,
    cuda_set_places,
    cuda_set_programs,
    cuda_set_fsm,
    cuda_stage,
    cuda_time_stage,
    cuda_arrivals,
    cuda_crossings,
    cuda_goal_counters,
    cuda_counters,
    cuda_seen,
    cuda_local_map,
    cuda_choice,
    cuda_find_paths,
    cuda_path_queries,
    cuda_run_searches,
    cuda_solve_field,
    cuda_finish,
    cuda_bytes,
    cuda_ceilings,
};
