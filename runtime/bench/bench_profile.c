/* Where a frame's time goes: its stages' shares, and how far each is from what the machine could do. */
#include <math.h>
#include <string.h>

#include "bench_table.h"

static bool same_crowd(const throng_bench_row *a, const throng_bench_row *b)
{
    return strcmp(a->name, b->name) == 0 && throng_bench_same_place(a, b);
}

/* The frame of the largest crowd of its benchmark and place? */
static bool is_largest_frame(const throng_bench_table *table, const throng_bench_row *row)
{
    if (strcmp(row->stage, "frame") != 0)
        return false;
    for (int32_t i = 0; i < table->count; i++)
        if (same_crowd(&table->rows[i], row) && table->rows[i].agents > row->agents)
            return false;
    return true;
}

/* The stage of the frame's, timed alone; NULL: it was not. */
static const throng_bench_row *stage_of(const throng_bench_table *table, const throng_bench_row *frame, int stage)
{
    for (int32_t i = 0; i < table->count; i++) {
        const throng_bench_row *r = &table->rows[i];
        if (same_crowd(r, frame) && r->agents == frame->agents && strcmp(r->stage, throng_stage_names[stage]) == 0)
            return r;
    }
    return NULL;
}

/* ms that the work counted would take at the machine's limits. */
static double least_ms(const throng_bench_row *stage)
{
    return stage->ms.median * fmax(stage->of_arithmetic, stage->of_bandwidth);
}

static void print_stages(const throng_bench_row *const stages[THRONG_STAGE_COUNT], double sum)
{
    int largest = 0;
    for (int s = 1; s < THRONG_STAGE_COUNT; s++)
        if (stages[s]->ms.median - least_ms(stages[s]) > stages[largest]->ms.median - least_ms(stages[largest]))
            largest = s;
    for (int s = 0; s < THRONG_STAGE_COUNT; s++) {
        double ms = stages[s]->ms.median, least = least_ms(stages[s]);
        printf("  %-7s %9.4f ms  %5.1f %%", throng_stage_names[s], ms, 100 * ms / sum);
        if (isfinite(least))
            printf("  %9.4f ms by the limits, %.1f times that%s", least, ms / least,
                   s == largest ? "  <- the largest gap" : "");
        printf("\n");
    }
}

void throng_bench_print_profile(const throng_bench_table *table)
{
    for (int32_t i = 0; i < table->count; i++) {
        const throng_bench_row *frame = &table->rows[i], *stages[THRONG_STAGE_COUNT];
        double sum = 0;
        bool whole = is_largest_frame(table, frame);
        for (int s = 0; s < THRONG_STAGE_COUNT && whole; s++) {
            stages[s] = stage_of(table, frame, s);
            whole = stages[s] != NULL;
            sum += whole ? stages[s]->ms.median : 0;
        }
        if (!whole)
            continue;
        printf("\n%s, %s, SIMD width %d, %d threads, %d agents: a frame of %.4f ms; its stages, each alone, %.4f ms\n",
               frame->name, frame->backend, frame->simd, frame->threads, frame->agents, frame->ms.median, sum);
        print_stages(stages, sum);
    }
}
