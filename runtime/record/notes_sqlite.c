#include "notes_sqlite.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { SQL = 300 };

static void append(char *sql, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));

static void append(char *sql, size_t size, const char *format, ...)
{
    size_t used = strlen(sql);
    va_list args;
    va_start(args, format);
    vsnprintf(sql + used, size - used, format, args);
    va_end(args);
}

void throng_note_table_name(throng_note table, char *name, size_t size)
{
    snprintf(name, size, "throng_%s", throng_note_forms[table].name);
}

/* The first `count` of its columns, each with `typed` as what it is. */
static void append_columns(throng_note table, int32_t count, bool typed, char *sql, size_t size)
{
    const throng_note_column *columns = throng_note_forms[table].columns;
    for (int32_t c = 0; c < count; c++)
        append(sql, size, "%s%s%s", c ? "," : "", columns[c].name,
               !typed            ? ""
               : columns[c].text ? " TEXT NOT NULL"
                                 : " NUMERIC");
}

void throng_note_select(throng_note table, int32_t count, char *sql, size_t size)
{
    snprintf(sql, size, "SELECT ");
    append_columns(table, count, false, sql, size);
    append(sql, size, " FROM throng_%s", throng_note_forms[table].name);
}

/* ---- writing */

static int create(sqlite3 *db, throng_note table)
{
    char sql[SQL];
    snprintf(sql, sizeof sql, "CREATE TABLE throng_%s(", throng_note_forms[table].name);
    append_columns(table, throng_note_width(table), true, sql, sizeof sql);
    append(sql, sizeof sql, ")");
    return sqlite3_exec(db, sql, NULL, NULL, NULL);
}

static int insert_row(sqlite3_stmt *put, const throng_notes *notes, throng_note table, int32_t row)
{
    for (int32_t c = 0; c < throng_note_width(table); c++) {
        double number = throng_note_number(notes, table, row, c);
        if (throng_note_forms[table].columns[c].text)
            sqlite3_bind_text(put, c + 1, throng_note_text(notes, table, row, c), -1, SQLITE_STATIC);
        else if (isnan(number))
            sqlite3_bind_null(put, c + 1);
        else
            sqlite3_bind_double(put, c + 1, number);
    }
    int code = sqlite3_step(put);
    sqlite3_reset(put);
    return code == SQLITE_DONE ? SQLITE_OK : code;
}

static int insert_table(sqlite3 *db, const throng_notes *notes, throng_note table)
{
    static const char *const marks = "?,?,?,?,?,?,?,?";
    char sql[SQL];
    sqlite3_stmt *put = NULL;
    int code = create(db, table);
    snprintf(sql, sizeof sql, "INSERT INTO throng_%s VALUES(%.*s)", throng_note_forms[table].name,
             2 * throng_note_width(table) - 1, marks);
    if (code == SQLITE_OK)
        code = sqlite3_prepare_v2(db, sql, -1, &put, NULL);
    for (int32_t row = 0; code == SQLITE_OK && row < notes->tables[table].rows; row++)
        code = insert_row(put, notes, table, row);
    sqlite3_finalize(put);
    return code;
}

int throng_notes_insert(sqlite3 *db, const throng_notes *notes)
{
    int code = SQLITE_OK;
    for (int table = 0; code == SQLITE_OK && table < THRONG_NOTE_COUNT; table++)
        if (notes->tables[table].rows)
            code = insert_table(db, notes, (throng_note)table);
    return code;
}

/* ---- reading */

bool throng_note_take(throng_notes *notes, throng_note table, sqlite3_stmt *row, throng_error *error)
{
    throng_note_cell cells[THRONG_NOTE_COLUMNS];
    for (int32_t c = 0; c < throng_note_width(table); c++) { /* those that were not selected are NULL, too */
        const char *text = (const char *)sqlite3_column_text(row, c);
        if (throng_note_forms[table].columns[c].text)
            cells[c].text = text ? text : "";
        else
            cells[c].number = sqlite3_column_type(row, c) == SQLITE_NULL ? NAN : sqlite3_column_double(row, c);
    }
    return throng_note_add(notes, table, cells, error);
}
