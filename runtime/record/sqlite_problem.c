#include "sqlite_problem.h"

#include <errno.h>
#include <string.h>

#include "base/output.h"

/* The errno behind it, 0 when there is none. The file knows it; sqlite3_system_errno forgets it when an error rolls
 * back. */
static int system_code(sqlite3 *db)
{
    int code = 0;
    sqlite3_file_control(db, "main", SQLITE_FCNTL_LAST_ERRNO, &code);
    return code ? code : sqlite3_system_errno(db);
}

bool throng_sqlite_problem(sqlite3 *db, throng_error *error)
{
    int code = sqlite3_errcode(db) & 0xff, system = code == SQLITE_FULL ? ENOSPC : system_code(db);
    const char *known = throng_output_cure(system);
    if (code == SQLITE_CANTOPEN && system)
        return throng_fail(error, "it, or a file beside it, cannot be opened: %s", known ? known : strerror(system));
    if (known)
        return throng_fail(error, "%s", known);
    if (sqlite3_extended_errcode(db) == SQLITE_READONLY_DBMOVED)
        return throng_fail(error, "it was moved or removed while it was written; leave it where it is until the end");
    if (code == SQLITE_IOERR && system)
        return throng_fail(error, "%s (%s)", sqlite3_errmsg(db), strerror(system));
    return throng_fail(error, "%s", sqlite3_errmsg(db));
}
