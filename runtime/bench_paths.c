/* Batches of paths: the grids G0 to G8 of the GPU A* paper, and a larger one. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench.h"
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

static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static int32_t draw(int32_t q, uint32_t what, int32_t nodes)
{
    return (int32_t)(throng_random(1, (uint32_t)q, what, 0, 78) * nodes);
}

/* Times batches, copies of queries and paths included; the first, which makes memory, is not counted. */
static bool time_batches(const throng_stages *stages, const throng_graph *graph, const throng_path_batch *batch,
                         throng_bench_row *row, throng_error *error)
{
    enum { TIMES = 5 };
    double ms[TIMES + 1];
    throng_path_results results;
    for (int i = 0; i <= TIMES; i++) {
        double start = now_ms();
        if (!throng_graph_paths(stages, graph, batch, &results, error))
            return false;
        ms[i] = now_ms() - start;
    }
    qsort(ms + 1, TIMES, sizeof *ms, ascending);
    snprintf(row->stage, sizeof row->stage, "%s", results.method == THRONG_PATHS_TREES ? "trees" : "search");
    row->ms_median = ms[1 + TIMES / 2];
    row->ms_min = ms[1];
    row->us_per_agent = 1e3 * row->ms_median / batch->queries;
    return true;
}

static bool fill_row(int32_t which, const throng_stages *stages, int32_t method, throng_bench_row *row,
                     throng_error *error)
{
    int32_t queries = GRIDS[which].queries, side = GRIDS[which].side;
    throng_graph *graph = throng_graph_grid(side, side, NULL, GRIDS[which].diagonal, error);
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
    throng_stages stages;
    throng_backend_info info;
    if (!throng_stages_open(backend, options, &stages, error))
        return false;
    stages.api->info(stages.backend, &info);
    *row = (throng_bench_row){.lanes = 1, .threads = info.threads, .agents = GRIDS[which].queries};
    snprintf(row->name, sizeof row->name, "%s", GRIDS[which].name);
    snprintf(row->backend, sizeof row->backend, "%s", stages.api->name);
    snprintf(row->device, sizeof row->device, "%s", info.device);
    bool ok = fill_row(which, &stages, method, row, error);
    throng_stages_close(&stages);
    return ok;
}
