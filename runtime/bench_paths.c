/* Batches of paths: the grids G0 to G8 of the GPU A* paper, and a larger one. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "bench_time.h"
#include "graph.h"
#include "random.h"

/* Side of the grid and queries; the last is not the paper's. */
static const struct {
    const char *name;
    int32_t side, queries;
    bool diagonal;
} GRIDS[THRONG_BENCH_GRIDS] = {
    {"paths-G0", 4, 64, false},      {"paths-G1", 8, 1024, false},    {"paths-G2", 12, 20736, false},
    {"paths-G3", 16, 65536, false},  {"paths-G4", 18, 115600, false}, {"paths-G5", 20, 300000, false},
    {"paths-G6", 30, 20736, false},  {"paths-G7", 45, 1024, false},   {"paths-G8", 45, 65536, false},
    {"paths-256", 256, 20000, true},
};

static int32_t draw(int32_t q, uint32_t what, int32_t nodes)
{
    return (int32_t)(throng_random(1, (uint32_t)q, what, 0, 78) * nodes);
}

/* What must be read and written at the least: the queries, and what is answered. */
static double least_bytes(const throng_path_batch *batch, const throng_path_results *results)
{
    int64_t nodes = 0;
    for (int32_t q = 0; q < batch->queries; q++)
        nodes += results->count[q];
    return 4.0 * (double)nodes + (8.0 + 16.0) * batch->queries;
}

/* Times batches, copies of queries and paths included; the first, which makes memory, is not counted. */
static bool time_batches(const throng_stages *stages, const throng_graph *graph, const throng_path_batch *batch,
                         throng_bench_row *row, throng_error *error)
{
    enum { TIMES = 5 };
    double ms[TIMES + 1];
    throng_path_results results;
    for (int i = 0; i <= TIMES; i++) {
        double start = throng_now_ms();
        if (!throng_graph_paths(stages, graph, batch, &results, error))
            return false;
        ms[i] = throng_now_ms() - start;
    }
    row->ms = throng_timing_of(ms + 1, TIMES);
    snprintf(row->stage, sizeof row->stage, "%s", results.method == THRONG_PATHS_TREES ? "trees" : "search");
    row->us_per_agent = 1e3 * row->ms.median / batch->queries;
    row->bytes = least_bytes(batch, &results) / batch->queries;
    return true;
}

static bool fill_row(int32_t which, const throng_stages *stages, int32_t method, throng_bench_row *row,
                     throng_error *error)
{
    int32_t queries = GRIDS[which].queries, side = GRIDS[which].side;
    throng_graph *graph = throng_graph_grid(side, side, NULL, GRIDS[which].diagonal, NULL, error);
    int32_t *from = malloc((size_t)queries * sizeof *from), *to = malloc((size_t)queries * sizeof *to);
    bool ok = graph && from && to;
    if (graph && !ok)
        throng_fail(error, "out of memory for %d queries", queries);
    for (int32_t q = 0; ok && q < queries; q++) {
        from[q] = draw(q, 0, graph->nodes);
        to[q] = draw(q, 1, graph->nodes);
    }
    throng_path_batch batch = {queries, from, to, method};
    ok = ok && time_batches(stages, graph, &batch, row, error);
    throng_graph_destroy(graph);
    free(from);
    free(to);
    return ok;
}

bool throng_bench_paths(const char *backend, const throng_backend_options *options, int32_t which, int32_t method,
                        throng_bench_row *row, throng_error *error)
{
    throng_stages stages = {0};
    throng_backend_info info;
    if (!throng_stages_open(backend, options, &stages, error))
        return false;
    stages.api->info(stages.backend, &info);
    throng_bench_row_begin(row, GRIDS[which].name, stages.api->name, &info, GRIDS[which].queries);
    row->lanes = info.lanes > 0 ? 1 : 0;
    bool ok = fill_row(which, &stages, method, row, error);
    throng_stages_close(&stages);
    return ok;
}
