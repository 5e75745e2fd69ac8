/* Local maps: after a number of sweeps against solved ones, and on CUDA against one thread of the CPU. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_table.h"
#include "world/world.h"

enum { MAPS = 200 /* compared, at most */, SOLVED = 1000 /* sweeps */ };

/* The local maps of the first step, in which everybody looks all round. */
static bool first_maps(const throng_bench_def *def, throng_local_map *maps, throng_error *error)
{
    throng_handle *handles = malloc((size_t)def->agents * sizeof *handles);
    throng_world *world = throng_bench_crowd(def, true, handles, error);
    bool ok = world != NULL;
    for (int s = THRONG_STAGE_goals; ok && s <= THRONG_STAGE_plan; s++) /* moving would change what they want */
        ok = throng_world_run_phase(world, (throng_phase)(THRONG_HOST_PHASE_COUNT + s), error);
    for (int32_t i = 0; ok && i < def->agents; i++) {
        throng_stages *stages = throng_world_stages(world);
        ok = stages->api->local_map(stages->backend, handles[i].slot, &maps[i], error);
    }
    free(handles);
    throng_world_destroy(world);
    return ok;
}

/* The direction in which the potential falls at the middle. */
static double descent(const throng_local_map *m)
{
    throng_point slope = throng_local_map_slope(m);
    return atan2(-slope.y, -slope.x);
}

static double worst_cell(const throng_local_map *one, const throng_local_map *solved)
{
    double worst = 0;
    for (int k = 0; k < one->width * one->height; k++)
        worst = fmax(worst, fabs(one->rest[k] - solved->rest[k]));
    return worst;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static throng_bench_residual compare(const throng_local_map *one, const throng_local_map *solved)
{
    throng_bench_residual r = {0};
    double off[MAPS];
    for (int i = 0; i < MAPS; i++) {
        off[i] = fabs(remainder(descent(&one[i]) - descent(&solved[i]), 2 * M_PI));
        r.potential = fmax(r.potential, worst_cell(&one[i], &solved[i]));
        r.wrong += (off[i] > 0.1) / (double)MAPS;
    }
    qsort(off, MAPS, sizeof *off, ascending);
    r.angle = off[MAPS / 2];
    return r;
}

bool throng_bench_bvp_residual(const throng_bench_def *crowd, throng_bench_residual *residual, throng_error *error)
{
    throng_bench_def def = *crowd, most = *crowd;
    def.agents = most.agents = MAPS;
    most.sweeps = SOLVED;
    throng_local_map *one = malloc(MAPS * sizeof *one), *solved = malloc(MAPS * sizeof *solved);
    bool ok = (one && solved) || throng_fail(error, "out of memory for %d local maps", 2 * MAPS);
    ok = ok && first_maps(&def, one, error) && first_maps(&most, solved, error);
    if (ok)
        *residual = compare(one, solved);
    free(one);
    free(solved);
    return ok;
}

/* The row of the same crowd and another stage, on the backend; on the CPU, on one thread and the widest SIMD. */
static const throng_bench_row *find(const throng_bench_table *table, const throng_bench_row *like, const char *backend,
                                    const char *stage)
{
    const throng_bench_row *best = NULL;
    for (int32_t i = 0; i < table->count; i++) {
        const throng_bench_row *r = &table->rows[i];
        bool same = strcmp(r->name, like->name) == 0 && r->agents == like->agents && strcmp(r->backend, backend) == 0 &&
                    strcmp(r->stage, stage) == 0;
        if (same && (strcmp(backend, "cpu") != 0 || r->threads == 1) && (!best || r->simd > best->simd))
            best = r;
    }
    return best;
}

void throng_bench_print_bvp(const throng_bench_table *table)
{
    bool head = false;
    for (int32_t i = 0; i < table->count; i++) {
        const throng_bench_row *copied = &table->rows[i];
        if (strcmp(copied->backend, "cuda") != 0 || strcmp(copied->stage, "copied") != 0)
            continue;
        const throng_bench_row *cuda = find(table, copied, "cuda", "plan"), *cpu = find(table, copied, "cpu", "plan");
        if (!head)
            printf(
                "\nlocal maps: the plan stage on one thread and on CUDA; frames that send everybody's goal and fetch "
                "positions\n%-8s %9s %11s %10s %7s %16s %11s %11s\n",
                "name", "agents", "thread ms", "cuda ms", "times", "copying frame ms", "bytes there", "bytes back");
        head = true;
        printf("%-8s %9d %11.3f %10.4f %7.1f %16.4f %11.0f %11.0f\n", copied->name, copied->agents,
               cpu ? cpu->ms.median : NAN, cuda ? cuda->ms.median : NAN,
               cpu && cuda ? cpu->ms.median / cuda->ms.median : NAN, copied->ms.median,
               copied->received * copied->agents, copied->sent * copied->agents);
    }
}
