/* Notes in tables of a JuPedSim SQLite file. */
#ifndef THRONG_NOTES_SQLITE_H
#define THRONG_NOTES_SQLITE_H

#include <sqlite3.h>

#include "notes.h"

/* Adds a table for each that has rows. SQLite's code of what went wrong, SQLITE_OK else; who calls it begins and ends
 * the transaction. */
int throng_notes_insert(sqlite3 *db, const throng_notes *notes);

/* Writes "throng_NAME", and "SELECT <its first `count` columns> FROM throng_NAME". */
void throng_note_table_name(throng_note table, char *name, size_t size);
void throng_note_select(throng_note table, int32_t count, char *sql, size_t size);

/* Appends the row that the statement, one of throng_note_select, is at; of a column that was not selected, NAN. */
bool throng_note_take(throng_notes *notes, throng_note table, sqlite3_stmt *row, throng_error *error);

#endif
