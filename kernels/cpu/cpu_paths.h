/* Batches of paths on the threads of a pool. */
#ifndef THRONG_CPU_PATHS_H
#define THRONG_CPU_PATHS_H

#include <stdbool.h>

#include "kernels/contract/graph.h"
#include "base/pool.h"

/* What a batch's results live in; zero at first, freed by cpu_paths_free. */
typedef struct cpu_paths {
    float *cost;
    int32_t *count, *node;
    uint32_t *first;
    int64_t nodes;
} cpu_paths;

#ifdef __cplusplus
extern "C" {
#endif

/* False: memory is out, or a query's node is none of the graph's. */
bool cpu_paths_run(cpu_paths *p, pool *pool, const throng_graph *graph, const throng_path_batch *batch,
                   throng_path_results *results);
void cpu_paths_free(cpu_paths *p);

/* The same with floats that count; one thread. */
bool cpu_paths_run_counted(cpu_paths *p, pool *pool, const throng_graph *graph, const throng_path_batch *batch,
                           throng_path_results *results);

#ifdef __cplusplus
}
#endif

#endif
