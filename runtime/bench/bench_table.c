#include "bench_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/json.h"
#include "base/output.h"
#include "base/version.h"
#include "bench_plans.h"

void throng_bench_table_fini(throng_bench_table *table)
{
    free(table->rows);
    free(table->limits);
    *table = (throng_bench_table){0};
}

/* --- limits --------------------------------------------------------------------------------- */

static bool same_machine(const throng_bench_limits *l, const throng_bench_row *r)
{
    return strcmp(l->backend, r->backend) == 0 && l->simd == r->simd && l->threads == r->threads;
}

static bool measure(throng_bench_limits *limits, throng_error *error)
{
    throng_stages stages;
    const throng_backend_options options = {.simd = limits->simd, .threads = limits->threads};
    if (!throng_stages_open(limits->backend, &options, &stages, error))
        return false;
    bool ok = stages.api->ceilings(stages.backend, &limits->ceilings, error);
    throng_stages_close(&stages);
    return ok;
}

/* Those of the row's backend, SIMD width and threads; NULL: they could not be measured. */
static const throng_bench_limits *limits_of(throng_bench_table *table, const throng_bench_row *row, throng_error *error)
{
    for (int32_t i = 0; i < table->limit_count; i++)
        if (same_machine(&table->limits[i], row))
            return &table->limits[i];
    if (table->limit_count == table->limit_room) {
        int32_t room = 2 * table->limit_room + 4;
        if (!throng_array_resize((void **)&table->limits, (size_t)room * sizeof *table->limits)) {
            throng_fail(error, "out of memory for the limits of %d backends", room);
            return NULL;
        }
        table->limit_room = room;
    }
    throng_bench_limits *limits = &table->limits[table->limit_count];
    *limits = (throng_bench_limits){.simd = row->simd, .threads = row->threads};
    memcpy(limits->backend, row->backend, sizeof limits->backend);
    memcpy(limits->device, row->device, sizeof limits->device);
    if (!measure(limits, error))
        return NULL;
    table->limit_count++;
    return limits;
}

/* --- rows ----------------------------------------------------------------------------------- */

bool throng_bench_same_place(const throng_bench_row *a, const throng_bench_row *b)
{
    return strcmp(a->backend, b->backend) == 0 && a->simd == b->simd && a->threads == b->threads;
}

static bool same_series(const throng_bench_row *a, const throng_bench_row *b)
{
    return strcmp(a->name, b->name) == 0 && strcmp(a->stage, b->stage) == 0 && throng_bench_same_place(a, b);
}

/* d log ms / d log agents since the largest smaller size of its series; NAN: there is none. */
static double growth_of(const throng_bench_table *table, const throng_bench_row *row)
{
    const throng_bench_row *before = NULL;
    for (int32_t i = 0; i < table->count; i++) {
        const throng_bench_row *r = &table->rows[i];
        if (same_series(r, row) && r->agents < row->agents && (!before || r->agents > before->agents))
            before = r;
    }
    if (!before || !(before->ms.median > 0) || !(row->ms.median > 0))
        return NAN;
    return log(row->ms.median / before->ms.median) / log((double)row->agents / before->agents);
}

bool throng_bench_table_add(throng_bench_table *table, const throng_bench_row *added, throng_error *error)
{
    const throng_bench_limits *limits = limits_of(table, added, error);
    if (!limits)
        return false;
    if (table->count == table->room) {
        int32_t room = 2 * table->room + 64;
        if (!throng_array_resize((void **)&table->rows, (size_t)room * sizeof *table->rows))
            return throng_fail(error, "out of memory for %d rows", room);
        table->room = room;
    }
    throng_bench_row *row = &table->rows[table->count];
    *row = *added;
    double seconds = 1e-6 * row->us_per_agent;
    if (seconds > 0) {
        row->of_arithmetic = row->operations / seconds / limits->ceilings.operations;
        row->of_bandwidth = row->bytes / seconds / limits->ceilings.bytes;
        row->of_link = limits->ceilings.link > 0 ? row->sent / seconds / limits->ceilings.link : NAN;
    }
    row->growth = growth_of(table, row);
    table->count++;
    return true;
}

static int32_t counted(int32_t agents) { return agents < THRONG_BENCH_COUNTED ? agents : THRONG_BENCH_COUNTED; }

bool throng_bench_table_work(const throng_bench_table *table, throng_bench_row *row)
{
    for (int32_t i = 0; i < table->count; i++) {
        const throng_bench_row *r = &table->rows[i];
        if (strcmp(r->name, row->name) == 0 && strcmp(r->stage, row->stage) == 0 &&
            counted(r->agents) == counted(row->agents) && isfinite(r->operations)) {
            row->operations = r->operations;
            row->bytes = r->bytes;
            return true;
        }
    }
    return false;
}

/* --- text ----------------------------------------------------------------------------------- */

void throng_bench_print_head(void)
{
    printf("%-16s %-5s %5s %7s %9s  %-7s %10s %8s %10s %9s %10s %9s %6s %6s %6s %6s %9s\n", "name", "where", "simd",
           "threads", "agents", "stage", "ms median", "spread", "us/agent", "B held", "ops/agent", "B/agent", "% ops",
           "% B/s", "% link", "growth", "conflicts");
}

/* A number, or "-" when it is not known. */
static void print_number(int width, const char *format, double value)
{
    char text[32];
    snprintf(text, sizeof text, format, value);
    printf(" %*s", width, isfinite(value) ? text : "-");
}

void throng_bench_print_row(const throng_bench_row *r)
{
    printf("%-16s %-5s %5d %7d %9d  %-7s", r->name, r->backend, r->simd, r->threads, r->agents, r->stage);
    print_number(10, "%.3f", r->ms.median);
    print_number(8, "%.1f%%", r->ms.median > 0 ? 100 * (r->ms.upper - r->ms.lower) / r->ms.median : NAN);
    print_number(10, "%.4f", r->us_per_agent);
    print_number(9, "%.0f", r->bytes_per_agent);
    print_number(10, "%.0f", r->operations);
    print_number(9, "%.0f", r->bytes);
    print_number(6, "%.1f", 100 * r->of_arithmetic);
    print_number(6, "%.1f", 100 * r->of_bandwidth);
    print_number(6, "%.1f", 100 * r->of_link);
    print_number(6, "%.2f", r->growth);
    print_number(9, "%.3g", r->conflicts);
    printf("\n");
}

bool throng_bench_has_bodies(const throng_bench_row *r) { return strncmp(r->name, "bodies-", 7) == 0; }

const throng_bench_row *throng_bench_fastest(const throng_bench_table *table, const throng_bench_row *like,
                                             const char *backend)
{
    const throng_bench_row *best = NULL;
    for (int32_t i = 0; i < table->count; i++) {
        const throng_bench_row *r = &table->rows[i];
        if (strcmp(r->name, like->name) == 0 && strcmp(r->stage, "frame") == 0 && strcmp(r->backend, backend) == 0 &&
            r->agents == like->agents && (!best || r->ms.median < best->ms.median))
            best = r;
    }
    return best;
}

/* Is CUDA faster for as many agents as the row, which it was measured with? */
static bool cuda_wins(const throng_bench_table *table, const throng_bench_row *row)
{
    const throng_bench_row *cpu = throng_bench_fastest(table, row, "cpu");
    return cpu && row->ms.median < cpu->ms.median;
}

void throng_bench_print_crossovers(const throng_bench_table *table)
{
    for (int32_t i = 0; i < table->count; i++) {
        const throng_bench_row *r = &table->rows[i];
        bool from_here = strcmp(r->backend, "cuda") == 0 && strcmp(r->stage, "frame") == 0 && cuda_wins(table, r);
        for (int32_t k = 0; from_here && k < table->count; k++) {
            const throng_bench_row *o = &table->rows[k];
            if (same_series(r, o) && throng_bench_fastest(table, o, "cpu"))
                from_here = o->agents < r->agents ? !cuda_wins(table, o) : cuda_wins(table, o);
        }
        if (from_here && !throng_bench_has_bodies(r))
            printf("%s: cuda is faster from %d agents on\n", r->name, r->agents);
    }
}

void throng_bench_print_limits(const throng_bench_table *table)
{
    printf("\nlimits, measured in this run (100 %%): float operations rounded one by one, as kernels must; memory read "
           "and written; link: from the device to the host\n");
    for (int32_t i = 0; i < table->limit_count; i++) {
        const throng_bench_limits *l = &table->limits[i];
        printf("  %-5s SIMD width %2d, %3d threads: %8.1f GFLOP/s (fused %8.1f), %7.1f GB/s", l->backend, l->simd,
               l->threads, 1e-9 * l->ceilings.operations, 1e-9 * l->ceilings.fused, 1e-9 * l->ceilings.bytes);
        if (l->ceilings.link > 0)
            printf(", link %5.1f GB/s", 1e-9 * l->ceilings.link);
        printf("  %s\n", l->device);
    }
}

/* Has the row what the figure says of others? */
static bool is_beside(const throng_bench_row *r, const throng_bench_figure *f)
{
    return isfinite(f->conflicts) && strcmp(r->name, f->planner) == 0 && r->agents == f->agents;
}

/* All places give the same: the first's are printed. */
void throng_bench_print_conflicts(const throng_bench_table *table)
{
    for (const throng_bench_figure *f = throng_bench_figures; f->planner; f++) {
        const throng_bench_row *first = NULL;
        for (const throng_bench_row *r = table->rows; r < table->rows + table->count; r++) {
            if (!is_beside(r, f) || (first && !throng_bench_same_place(first, r)))
                continue;
            if (!first)
                printf("\npairs a step that overlap, %s: %g; that planners leave to the contacts here:", f->text,
                       f->conflicts);
            printf("%s %s %.3g", first ? "," : "", r->stage, r->conflicts);
            first = first ? first : r;
        }
        if (first)
            printf("\n");
    }
}

void throng_bench_print_searches(const throng_bench_table *table)
{
    for (const throng_bench_row *r = table->rows; r < table->rows + table->count; r++)
        for (int p = 0; strcmp(r->name, "paths") == 0 && p < THRONG_BENCH_PLANS; p++)
            if (strcmp(r->stage, throng_bench_plan_names[p]) == 0 && isfinite(throng_bench_detour_us[p]))
                printf("%s: %.1f us a path; Detour, measured beside throng on an EPYC: %.0f us\n", r->stage,
                       r->us_per_agent, throng_bench_detour_us[p]);
}

/* --- JSON and CSV: the same fields ----------------------------------------------------------- */

#define TEXTS(X)  X(name) X(backend) X(device) X(stage)
#define WHOLES(X) X(simd, simd) X(threads, threads) X(agents, agents) X(steps, ms.count)
/* clang-format off */
#define NUMBERS(X)                                                                                                     \
    X(ms_median, ms.median) X(ms_min, ms.least) X(ms_lower, ms.lower) X(ms_upper, ms.upper)                            \
    X(us_per_agent, us_per_agent) X(bytes_held_per_agent, bytes_per_agent) X(operations_per_agent, operations)         \
    X(bytes_per_agent, bytes) X(sent_per_agent, sent) X(received_per_agent, received)                                  \
    X(of_arithmetic, of_arithmetic) X(of_bandwidth, of_bandwidth) X(of_link, of_link) X(growth, growth)                \
    X(conflicts, conflicts)
/* clang-format on */

static void write_row_json(FILE *file, const throng_bench_row *r)
{
    throng_json json = throng_json_open(file);
#define X(name) throng_json_text(&json, #name, r->name);
    TEXTS(X)
#undef X
#define X(name, field) throng_json_whole(&json, #name, r->field);
    WHOLES(X)
#undef X
#define X(name, field) throng_json_number(&json, #name, r->field);
    NUMBERS(X)
#undef X
    throng_json_close(&json);
}

static void write_limits_json(FILE *file, const throng_bench_limits *l)
{
    throng_json json = throng_json_open(file);
    throng_json_text(&json, "backend", l->backend);
    throng_json_text(&json, "device", l->device);
    throng_json_whole(&json, "simd", l->simd);
    throng_json_whole(&json, "threads", l->threads);
    throng_json_number(&json, "operations_per_second", l->ceilings.operations);
    throng_json_number(&json, "fused_per_second", l->ceilings.fused);
    throng_json_number(&json, "bytes_per_second", l->ceilings.bytes);
    throng_json_number(&json, "link_bytes_per_second", l->ceilings.link);
    throng_json_close(&json);
}

static void write_figure_json(FILE *file, const throng_bench_figure *f)
{
    throng_json json = throng_json_open(file);
    throng_json_text(&json, "planner", f->planner);
    throng_json_text(&json, "text", f->text);
    throng_json_number(&json, "agents", f->agents);
    throng_json_number(&json, "ms", f->ms);
    throng_json_number(&json, "speedup", f->speedup);
    throng_json_number(&json, "conflicts", f->conflicts);
    throng_json_close(&json);
}

void throng_bench_write_json(const throng_bench_table *table, FILE *file)
{
    for (int32_t i = 0; i < table->count; i++) {
        fputs(i ? ",\n" : "[\n", file);
        write_row_json(file, &table->rows[i]);
    }
    fputs(table->count ? "\n]" : "[]", file);
}

static void write_results(const throng_bench_table *table, FILE *file)
{
    throng_json json = throng_json_open(file);
    throng_json_text(&json, "version", THRONG_VERSION);
    throng_json_name(&json, "limits");
    for (int32_t i = 0; i < table->limit_count; i++) {
        fputs(i ? ",\n" : "[\n", file);
        write_limits_json(file, &table->limits[i]);
    }
    fputs(table->limit_count ? "\n]" : "[]", file);
    throng_json_name(&json, "figures");
    for (const throng_bench_figure *f = throng_bench_figures; f->planner; f++) {
        fputs(f == throng_bench_figures ? "[\n" : ",\n", file);
        write_figure_json(file, f);
    }
    fputs("\n]", file);
    throng_json_name(&json, "rows");
    throng_bench_write_json(table, file);
    throng_json_close(&json);
    fputc('\n', file);
}

static bool write_file(const throng_bench_table *table, const char *path,
                       void (*write)(const throng_bench_table *table, FILE *file), throng_error *error)
{
    throng_output *output = throng_output_begin(path, error);
    if (!output)
        return false;
    write(table, throng_output_stream(output));
    return throng_output_commit(output, error);
}

bool throng_bench_write_results(const throng_bench_table *table, const char *path, throng_error *error)
{
    return write_file(table, path, write_results, error);
}

static void write_row_csv(FILE *file, const throng_bench_row *r)
{
    const char *between = "";
#define X(name)                                                                                                        \
    fprintf(file, "%s\"%s\"", between, r->name);                                                                       \
    between = ",";
    TEXTS(X)
#undef X
#define X(name, field) fprintf(file, ",%d", r->field);
    WHOLES(X)
#undef X
#define X(name, field) isfinite(r->field) ? fprintf(file, ",%.10g", r->field) : fputc(',', file);
    NUMBERS(X)
#undef X
    fputc('\n', file);
}

static void write_csv(const throng_bench_table *table, FILE *file)
{
    const char *between = "";
#define X(name, ...)                                                                                                   \
    fprintf(file, "%s" #name, between);                                                                                \
    between = ",";
    TEXTS(X)
    WHOLES(X)
    NUMBERS(X)
#undef X
    fputc('\n', file);
    for (int32_t i = 0; i < table->count; i++)
        write_row_csv(file, &table->rows[i]);
}

bool throng_bench_write_csv(const throng_bench_table *table, const char *path, throng_error *error)
{
    return write_file(table, path, write_csv, error);
}
