/* Batches of paths: the grids G0 to G8 of the GPU A* paper, a larger one, and a map of walls. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "bench_time.h"
#include "navigation/graph.h"
#include "navigation/graph_devices.h"
#include "base/random.h"

/* Side of the grid and queries; the last two are not the paper's. */
static const struct {
    const char *name;
    int32_t side, queries;
    bool diagonal, walls;
} GRIDS[THRONG_BENCH_GRIDS] = {
    {"paths-G0", 4, 64, false, false},       {"paths-G1", 8, 1024, false, false},
    {"paths-G2", 12, 20736, false, false},   {"paths-G3", 16, 65536, false, false},
    {"paths-G4", 18, 115600, false, false},  {"paths-G5", 20, 300000, false, false},
    {"paths-G6", 30, 20736, false, false},   {"paths-G7", 45, 1024, false, false},
    {"paths-G8", 45, 65536, false, false},   {"paths-256", 256, 20000, true, false},
    {"paths-map", 1024, 100000, true, true},
};

static int32_t draw(int32_t q, uint32_t what, int32_t nodes)
{
    return (int32_t)(throng_random(1, (uint32_t)q, what, 0, 78) * nodes);
}

/* Rooms of 32 x 32 cells with a door of 4 in the middle half of each wall, at random places; some walls have none. */
static void build_walls(int32_t side, bool *blocked)
{
    enum { ROOM = 32, DOOR = 4 };
    for (int32_t y = 0; y < side; y++)
        for (int32_t x = 0; x < side; x++) {
            bool across = x % ROOM == 0, along = y % ROOM == 0;
            int32_t wall = 2 * ((y / ROOM) * side + x / ROOM) + across, at = across ? y % ROOM : x % ROOM;
            int32_t door = ROOM / 4 + draw(wall, 2, ROOM / 2 - DOOR);
            bool open = at >= door && at < door + DOOR && draw(wall, 3, 5) > 0;
            blocked[y * side + x] = (across && along) || ((across || along) && !open);
        }
}

/* Times batches, copies of queries and paths included; the first, which makes memory, is not counted unless it takes
 * so long that it is the only one. */
static bool time_batches(throng_stages *stages, const throng_graph *graph, const throng_path_batch *batch,
                         throng_bench_row *row, throng_error *error)
{
    enum { TIMES = 5, LONG = 5000 };
    double ms[TIMES + 1];
    throng_path_results results;
    int count = 0;
    for (bool more = true; more; more = count <= TIMES && ms[0] < LONG) {
        double start = throng_now_ms();
        if (!throng_graph_paths(stages, graph, batch, &results, error))
            return false;
        ms[count++] = throng_now_ms() - start;
    }
    row->ms = throng_timing_of(ms + (count > 1), count > 1 ? count - 1 : 1);
    snprintf(row->stage, sizeof row->stage, "%s", results.method == THRONG_PATHS_TREES ? "trees" : "search");
    row->us_per_agent = 1e3 * row->ms.median / batch->queries;
    row->bytes_per_agent = (double)(results.device_bytes ? results.device_bytes : results.host_bytes) / batch->queries;
    if (row->simd == 0)
        row->sent = sizeof *results.cost + sizeof *results.count + sizeof *results.first +
                    (double)results.nodes * sizeof *results.node / batch->queries;
    return true;
}

/* Adds the work of a batch on the backend that counts. */
static bool add_work(throng_stages *stages, const throng_graph *graph, const throng_path_batch *batch,
                     throng_bench_row *row, throng_error *error)
{
    throng_path_results results;
    if (!throng_graph_paths(stages, graph, batch, &results, error))
        return false;
    row->operations += (double)throng_cpu_paths_work.operations;
    row->bytes += (double)throng_cpu_paths_work.bytes;
    return true;
}

/* Searches one by one, since each line counts once in each. Trees are shared: all that go to some of the goals. */
static bool count_batch(throng_stages *stages, const throng_graph *graph, const throng_path_batch *batch,
                        throng_bench_row *row, throng_error *error)
{
    enum { GOALS = 8, LARGE = 100000 };
    int32_t searches = graph->nodes > LARGE ? 5 : 50; /* counting takes ten times as long as searching */
    int32_t count = 0, *from = malloc((size_t)batch->queries * sizeof *from),
            *to = malloc((size_t)batch->queries * sizeof *to);
    bool trees = batch->method == THRONG_PATHS_TREES, ok = (from && to) || throng_fail(error, "out of memory");
    for (int32_t q = 0; ok && q < batch->queries; q++) {
        bool taken = count < searches && !trees;
        for (int32_t g = 0; trees && g < GOALS && g < batch->queries && !taken; g++)
            taken = batch->to[q] == batch->to[g];
        from[count] = batch->from[q];
        to[count] = batch->to[q];
        count += taken;
    }
    row->operations = row->bytes = 0;
    for (int32_t q = 0; ok && q < count; q += trees ? count : 1)
        ok = add_work(stages, graph, &(throng_path_batch){trees ? count : 1, from + q, to + q, batch->method}, row,
                      error);
    row->operations /= count;
    row->bytes /= count;
    free(from);
    free(to);
    return ok;
}

static bool count_work(const throng_graph *graph, const throng_path_batch *batch, throng_bench_row *row,
                       throng_error *error)
{
    throng_stages stages = {0};
    const throng_backend_options options = {.simd = THRONG_LANES_COUNTED, .threads = 1};
    if (!throng_stages_open("cpu", &options, &stages, error))
        return false;
    bool ok = count_batch(&stages, graph, batch, row, error);
    throng_stages_close(&stages);
    return ok;
}

/* A node that is free: the q-th draw, or the first of those after it that is. */
static int32_t draw_free(int32_t q, uint32_t what, const bool *blocked, int32_t nodes)
{
    int32_t node = draw(q, what, nodes);
    while (blocked[node])
        node = (node + 1) % nodes;
    return node;
}

static bool fill_row(int32_t which, throng_stages *stages, int32_t method, throng_bench_row *row, throng_error *error)
{
    int32_t queries = row->agents, side = GRIDS[which].side;
    bool *blocked = calloc((size_t)side * (size_t)side, sizeof *blocked);
    int32_t *from, *to;
    if (blocked && GRIDS[which].walls)
        build_walls(side, blocked);
    bool ok = (blocked || throng_fail(error, "out of memory for %d cells", side * side)) &&
              throng_graph_queries(stages, queries, &from, &to, error);
    throng_graph *graph = ok ? throng_graph_grid(side, side, blocked, GRIDS[which].diagonal, NULL, error) : NULL;
    ok = graph != NULL;
    for (int32_t q = 0; ok && q < queries; q++) {
        from[q] = draw_free(q, 0, blocked, graph->nodes);
        to[q] = draw_free(q, 1, blocked, graph->nodes);
    }
    throng_path_batch batch = {queries, from, to, method};
    ok = ok && time_batches(stages, graph, &batch, row, error) && count_work(graph, &batch, row, error);
    throng_graph_destroy(graph);
    free(blocked);
    return ok;
}

/* Instead of the device that is open the first `count`, as one. */
static bool open_more(const char *backend, int32_t count, throng_stages *stages, throng_error *error)
{
    int32_t device[THRONG_GRAPH_DEVICES_MAX];
    for (int32_t i = 0; i < count; i++)
        device[i] = i;
    throng_stages_close(stages);
    return throng_graph_devices_open(backend, device, count, stages, error);
}

bool throng_bench_paths(const char *backend, const throng_backend_options *options, const throng_bench_batch *batch,
                        throng_bench_row *row, throng_error *error)
{
    throng_stages stages = {0};
    int32_t all = GRIDS[batch->which].queries, queries = batch->most && batch->most < all ? batch->most : all;
    throng_backend_info info;
    if (!throng_stages_open(backend, options, &stages, error))
        return false;
    stages.api->info(stages.backend, &info);
    throng_bench_row_begin(row, GRIDS[batch->which].name, stages.api->name, &info, queries);
    if (batch->devices > 1)
        snprintf(row->name, sizeof row->name, "%s on %d", GRIDS[batch->which].name, batch->devices);
    row->simd = info.simd > 0 ? 1 : 0;
    bool ok = (batch->devices <= 1 || open_more(backend, batch->devices, &stages, error)) &&
              fill_row(batch->which, &stages, batch->method, row, error);
    throng_stages_close(&stages);
    return ok;
}
