/* Rows of benchmarks together: what they come to against the machine's limits and each other; as tables, JSON, CSV and
 * a picture. */
#ifndef THRONG_BENCH_TABLE_H
#define THRONG_BENCH_TABLE_H

#include <stdio.h>

#include "bench.h"

typedef struct throng_bench_limits {
    char backend[8], device[128];
    int32_t simd, threads;
    throng_ceilings ceilings;
} throng_bench_limits;

typedef struct throng_bench_table {
    throng_bench_row *rows;
    int32_t count, room;
    throng_bench_limits *limits; /* of each backend, SIMD width and threads in the rows */
    int32_t limit_count, limit_room;
} throng_bench_table;

/* A paper's figure for a frame of a planner, the "paths-G" grids or a scenario; what it does not give is NAN. */
typedef struct throng_bench_figure {
    const char *planner, *text;
    double agents, ms;
    double speedup;   /* of its device over its processor */
    double conflicts; /* pairs a step that others let overlap in a scenario */
} throng_bench_figure;

extern const throng_bench_figure throng_bench_figures[]; /* ends with a planner of NULL */

void throng_bench_table_fini(throng_bench_table *table);

/* Adds a row; its shares and growth follow from the limits, which are measured when they are not known yet, and from
 * the rows before it. */
bool throng_bench_table_add(throng_bench_table *table, const throng_bench_row *row, throng_error *error);

/* The work counted of a row of that name and stage with as many agents counted, in `operations` and `bytes`; false:
 * there is none. */
bool throng_bench_table_work(const throng_bench_table *table, throng_bench_row *row);

/* Were both measured on the same backend, SIMD width and threads? */
bool throng_bench_same_place(const throng_bench_row *a, const throng_bench_row *b);

/* The fastest frame on the backend of as many agents of the same benchmark; NULL: there is none. */
const throng_bench_row *throng_bench_fastest(const throng_bench_table *table, const throng_bench_row *like,
                                             const char *backend);

void throng_bench_print_head(void);
void throng_bench_print_row(const throng_bench_row *row);
/* Of each benchmark the least size from which on CUDA is always faster; those with bodies have it in their table. */
void throng_bench_print_crossovers(const throng_bench_table *table);
/* Agents by bodies, ms a frame, for each backend, SIMD width and threads, and CUDA against the fastest of the CPU
 * (O'Sullivan, 2009, figure 5.1). */
bool throng_bench_has_bodies(const throng_bench_row *row);
void throng_bench_print_bodies(const throng_bench_table *table);
void throng_bench_print_limits(const throng_bench_table *table);
/* Fischer and others' figure 9 (2009): local maps on CUDA against one thread, and what their frames copy. Nothing
 * without CUDA. */
void throng_bench_print_bvp(const throng_bench_table *table);

/* Pairs a step that others let overlap, and that planners here leave to the contacts. */
void throng_bench_print_conflicts(const throng_bench_table *table);

/* Searches on plans that Detour was measured on, and its figures. */
void throng_bench_print_searches(const throng_bench_table *table);

/* Of the largest crowd of each benchmark and place: the stages' shares of a frame, and what the limits would make of
 * them. */
void throng_bench_print_profile(const throng_bench_table *table);

/* The rows: [{"name", "backend", ...}, ...] */
void throng_bench_write_json(const throng_bench_table *table, FILE *file);
/* All that `make results` needs of a machine: {"version", "limits": [...], "figures": [...], "rows": [...]} */
bool throng_bench_write_results(const throng_bench_table *table, const char *path, throng_error *error);
bool throng_bench_write_csv(const throng_bench_table *table, const char *path, throng_error *error);

/* Curves of whole frames, ms by agents, both logarithmic; one for each planner and backend, with the widest SIMD and
 * the most threads, with the papers' figures as marks. */
bool throng_bench_draw(const throng_bench_table *table, const char *path, throng_error *error);

/* Local maps on a device, or on all of a processor, against one lane of one thread of it: figure 9 of the BVP paper.
 * The sizes of maps and crowds end with 0; the rows are those of the plan stage. */
extern const int32_t throng_bench_map_sizes[], throng_bench_map_agents[];
void throng_bench_print_map_speed_ups(const throng_bench_table *table);
bool throng_bench_draw_map_speed_ups(const throng_bench_table *table, const char *path, throng_error *error);

#endif
