#include "record_source.h"

#include <stdlib.h>

#include "base/array.h"

static int by_key(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static bool ids_ascend(const throng_record_frame *frame)
{
    for (int32_t i = 1; i < frame->count; i++)
        if (frame->id[i] < frame->id[i - 1])
            return false;
    return true;
}

static bool reserve_order(throng_record_source *source, int32_t count)
{
    if (count <= source->capacity)
        return true;
    if (!throng_array_resize((void **)&source->order, (size_t)count * sizeof *source->order))
        return false;
    source->capacity = count;
    return true;
}

bool throng_record_source_set(throng_record_source *source, const throng_record_frame *frame)
{
    source->frame = frame;
    source->sorted = ids_ascend(frame);
    if (source->sorted)
        return true;
    if (!reserve_order(source, frame->count))
        return false;
    for (int32_t i = 0; i < frame->count; i++)
        source->order[i] = (uint64_t)(uint32_t)frame->id[i] << 32 | (uint32_t)i;
    qsort(source->order, (size_t)frame->count, sizeof *source->order, by_key);
    return true;
}

typedef struct source_table {
    sqlite3_vtab base;
    throng_record_source *source;
} source_table;

typedef struct source_cursor {
    sqlite3_vtab_cursor base;
    int32_t row;
} source_cursor;

static int table_connect(sqlite3 *db, void *aux, int argc, const char *const *argv, sqlite3_vtab **table,
                         char **message)
{
    (void)argc, (void)argv, (void)message;
    source_table *t = calloc(1, sizeof *t);
    if (!t)
        return SQLITE_NOMEM;
    t->source = aux;
    *table = &t->base;
    int code = sqlite3_declare_vtab(
        db, "CREATE TABLE x(frame, id, x, y, hx, hy, own1, own2, own3, own4, own5, own6, own7, own8)");
    _Static_assert(THRONG_OWN_COLUMNS == 8, "a column each");
    if (code != SQLITE_OK)
        free(t);
    return code;
}

static int table_disconnect(sqlite3_vtab *table)
{
    free(table);
    return SQLITE_OK;
}

static int table_best_index(sqlite3_vtab *table, sqlite3_index_info *info)
{
    (void)table;
    info->estimatedCost = 1;
    return SQLITE_OK;
}

static int cursor_open(sqlite3_vtab *table, sqlite3_vtab_cursor **cursor)
{
    (void)table;
    *cursor = calloc(1, sizeof(source_cursor));
    return *cursor ? SQLITE_OK : SQLITE_NOMEM;
}

static int cursor_close(sqlite3_vtab_cursor *cursor)
{
    free(cursor);
    return SQLITE_OK;
}

static int cursor_filter(sqlite3_vtab_cursor *cursor, int index, const char *name, int argc, sqlite3_value **argv)
{
    (void)index, (void)name, (void)argc, (void)argv;
    ((source_cursor *)cursor)->row = 0;
    return SQLITE_OK;
}

static int cursor_next(sqlite3_vtab_cursor *cursor)
{
    ((source_cursor *)cursor)->row++;
    return SQLITE_OK;
}

static int cursor_eof(sqlite3_vtab_cursor *cursor)
{
    return ((source_cursor *)cursor)->row >= ((source_table *)cursor->pVtab)->source->frame->count;
}

static int cursor_rowid(sqlite3_vtab_cursor *cursor, sqlite3_int64 *rowid)
{
    *rowid = ((source_cursor *)cursor)->row;
    return SQLITE_OK;
}

static int cursor_column(sqlite3_vtab_cursor *cursor, sqlite3_context *context, int column)
{
    const throng_record_source *source = ((source_table *)cursor->pVtab)->source;
    const throng_record_frame *f = source->frame;
    int32_t row = ((source_cursor *)cursor)->row, i = source->sorted ? row : (int32_t)(uint32_t)source->order[row];
    switch (column) {
    case 0: sqlite3_result_int(context, f->frame); break;
    case 1: sqlite3_result_int(context, f->id[i]); break;
    case 2: sqlite3_result_double(context, f->x[i]); break;
    case 3: sqlite3_result_double(context, f->y[i]); break;
    case 4: sqlite3_result_double(context, f->hx[i]); break;
    case 5: sqlite3_result_double(context, f->hy[i]); break;
    default: sqlite3_result_double(context, f->own[column - 6][i]); break;
    }
    return SQLITE_OK;
}

int throng_record_source_register(sqlite3 *db, throng_record_source *source)
{
    static const sqlite3_module module = {
        .xConnect = table_connect,
        .xBestIndex = table_best_index,
        .xDisconnect = table_disconnect,
        .xOpen = cursor_open,
        .xClose = cursor_close,
        .xFilter = cursor_filter,
        .xNext = cursor_next,
        .xEof = cursor_eof,
        .xColumn = cursor_column,
        .xRowid = cursor_rowid,
    };
    return sqlite3_create_module(db, "throng_frame", &module, source);
}
