/* What SQLite's errors are told to users. */
#ifndef THRONG_SQLITE_PROBLEM_H
#define THRONG_SQLITE_PROBLEM_H

#include <sqlite3.h>

#include "base/error.h"

/* The cause of the last error, with what the system said, and the cure where it is known; returns false. */
bool throng_sqlite_problem(sqlite3 *db, throng_error *error);

#endif
