#include "bench_against.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/file.h"

/* --- reading: each row is an object on a line of its own ------------------------------------- */

typedef struct row_line {
    const char *path, *text, *end;
    int number;
    throng_error *error;
} row_line;

/* Where the field's value begins; NULL and a message when the row has none. */
static const char *find(const row_line *l, const char *field)
{
    char name[64];
    int length = snprintf(name, sizeof name, "\"%s\": ", field);
    const char *at = memmem(l->text, (size_t)(l->end - l->text), name, (size_t)length);
    if (at)
        return at + length;
    throng_fail(l->error, "%s:%d: the row has no \"%s\"; give a file that throng bench --results wrote", l->path,
                l->number, field);
    return NULL;
}

static bool read_text(const row_line *l, const char *field, char *text, size_t size)
{
    const char *at = find(l, field), *end = at ? memchr(at + 1, '"', (size_t)(l->end - at - 1)) : NULL;
    if (!at)
        return false;
    if (*at != '"' || !end || (size_t)(end - at) > size)
        return throng_fail(l->error, "%s:%d: \"%s\" must be a text of at most %zu letters", l->path, l->number, field,
                           size - 1);
    snprintf(text, size, "%.*s", (int)(end - at - 1), at + 1);
    return true;
}

static bool read_number(const row_line *l, const char *field, double least, double *number)
{
    const char *at = find(l, field);
    char *end = NULL;
    if (!at)
        return false;
    *number = strtod(at, &end);
    if (end > at && *number >= least && *number <= 1e12)
        return true;
    return throng_fail(l->error, "%s:%d: \"%s\" must be a number of at least %g, not %.*s", l->path, l->number, field,
                       least, (int)strcspn(at, ",}\n"), at);
}

static bool read_row(const row_line *l, throng_bench_row *row)
{
    double simd, threads, agents;
    *row = (throng_bench_row){.agents = 0};
    if (!read_text(l, "name", row->name, sizeof row->name) || !read_text(l, "stage", row->stage, sizeof row->stage) ||
        !read_text(l, "backend", row->backend, sizeof row->backend) || !read_number(l, "simd", 0, &simd) ||
        !read_number(l, "threads", 0, &threads) || !read_number(l, "agents", 0, &agents) ||
        !read_number(l, "ms_median", 0, &row->ms.median))
        return false;
    row->simd = (int32_t)simd;
    row->threads = (int32_t)threads;
    row->agents = (int32_t)fmin(agents, INT32_MAX);
    return true;
}

static bool add_row(throng_bench_table *table, const throng_bench_row *row)
{
    if (!throng_array_reserve((void **)&table->rows, &table->room, (int64_t)table->count + 1, sizeof *table->rows))
        return false;
    table->rows[table->count++] = *row;
    return true;
}

/* Does the text end as what it begins with must: "[...]" or "{...]}"? */
static bool is_whole(const char *text)
{
    static const char spaces[] = " \r\n\t";
    size_t length = strlen(text);
    for (const char *end = *text == '{' ? "}]" : "]"; *end; end++) {
        while (length > 0 && strchr(spaces, text[length - 1]))
            length--;
        if (length == 0 || text[--length] != *end)
            return false;
    }
    return true;
}

static bool refuse_cut(const char *path, throng_error *error)
{
    return throng_fail(error, "%s is incomplete: it ends before its last row does; measure again with --results", path);
}

/* The row that ends its line as rows do. */
static bool is_closed(const row_line *l)
{
    const char *end = l->end;
    while (end > l->text && strchr(",\r\t ", end[-1]))
        end--;
    return end > l->text && end[-1] == '}';
}

/* Rows follow the line that ends in "rows": [, or the first of the file when that is [ alone. */
static bool read_lines(const char *path, const char *text, throng_bench_table *table, throng_error *error)
{
    bool begun = *text == '[';
    int number = 1;
    if ((*text == '{' || *text == '[') && !is_whole(text))
        return refuse_cut(path, error);
    for (const char *at = text; *at; number++) {
        const char *end = at + strcspn(at, "\n");
        row_line l = {path, at, end, number, error};
        throng_bench_row row;
        if (begun && *at == ']')
            break;
        if (begun && *at == '{') {
            if (!is_closed(&l))
                return refuse_cut(path, error);
            if (!read_row(&l, &row))
                return false;
            if (!add_row(table, &row))
                return throng_fail(error, "out of memory for the rows of %s", path);
        }
        begun = begun || memmem(at, (size_t)(end - at), "\"rows\": [", 9);
        at = *end ? end + 1 : end;
    }
    return table->count > 0 ||
           throng_fail(
               error, "%s: there are no rows of benchmarks in it; give a file that throng bench --results wrote", path);
}

bool throng_bench_read_rows(const char *path, throng_bench_table *earlier, throng_error *error)
{
    enum { MOST = 64 << 20 };
    throng_bytes file;
    *earlier = (throng_bench_table){0};
    if (!throng_file_read(path, MOST, &file, error))
        return false;
    bool ok = read_lines(path, (const char *)file.data, earlier, error);
    free(file.data);
    if (!ok)
        throng_bench_table_fini(earlier);
    return ok;
}

/* --- comparing -------------------------------------------------------------------------------- */

static const throng_bench_row *row_like(const throng_bench_table *table, const throng_bench_row *row)
{
    for (const throng_bench_row *r = table->rows; r < table->rows + table->count; r++)
        if (strcmp(r->name, row->name) == 0 && strcmp(r->stage, row->stage) == 0 && throng_bench_same_place(r, row) &&
            r->agents == row->agents)
            return r;
    return NULL;
}

int32_t throng_bench_compare(const throng_bench_table *now, const throng_bench_table *earlier, double tolerance,
                             FILE *file)
{
    int32_t slower = 0, alone = 0;
    fprintf(file, "\n%-16s %-5s %5s %7s %9s  %-11s %10s %10s %6s\n", "against", "where", "simd", "threads", "agents",
            "stage", "ms earlier", "ms now", "ratio");
    for (const throng_bench_row *r = now->rows; r < now->rows + now->count; r++) {
        const throng_bench_row *e = row_like(earlier, r);
        bool late = e && r->ms.median > e->ms.median * (1 + tolerance);
        fprintf(file, "%-16s %-5s %5d %7d %9d  %-11s", r->name, r->backend, r->simd, r->threads, r->agents, r->stage);
        if (e)
            fprintf(file, " %10.3f %10.3f %6.2f%s\n", e->ms.median, r->ms.median, r->ms.median / e->ms.median,
                    late ? "  slower" : "");
        else
            fprintf(file, " not measured earlier\n");
        slower += late;
        alone += !e;
    }
    fprintf(file, "%d of %d rows compared, %d slower by more than %g %%\n", now->count - alone, now->count, slower,
            100 * tolerance);
    return alone == now->count ? -1 : slower;
}
