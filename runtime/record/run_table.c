#include "run_table.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/output.h"

void throng_run_table_name(throng_run_table *table, const char *folder, const char *name)
{
    *table = (throng_run_table){0};
    snprintf(table->path, sizeof table->path, "%s/%s", folder, name);
}

bool throng_run_table_begin(throng_run_table *table, const char *head, throng_error *error)
{
    table->output = throng_output_begin(table->path, error);
    table->file = table->output ? throng_output_stream(table->output) : NULL;
    return table->file && (fputs(head, table->file), true);
}

bool throng_run_table_end(throng_run_table *table, bool keep, throng_error *error)
{
    throng_output *output = table->output;
    table->file = NULL;
    table->output = NULL;
    if (output && keep)
        return throng_output_commit(output, error);
    if (keep && *table->path)
        unlink(table->path); /* what was not written is no longer true of the recording beside it */
    throng_output_discard(output);
    return true;
}

/* Whichever way their lines end. */
static bool same_row(const char *a, const char *b)
{
    size_t length = strcspn(a, "\r\n");
    return length == strcspn(b, "\r\n") && strncmp(a, b, length) == 0;
}

static bool read_rows(FILE *file, const char *path, const char *head, throng_run_row *take, void *context,
                      throng_error *error)
{
    char *line = NULL;
    size_t size = 0;
    bool ok = true;
    for (int row = 1; ok && getline(&line, &size, file) >= 0; row++)
        ok = (row == 1 && same_row(line, head)) || take(context, line, error) ||
             throng_fail_in(error, "%s:%d", path, row);
    if (ok && !feof(file))
        ok = throng_fail(error, "cannot read '%s': %s", path, strerror(errno));
    throng_system_free(line);
    return ok;
}

bool throng_run_table_read(const char *recording, const char *name, const char *head, throng_run_row *take,
                           void *context, throng_error *error)
{
    char path[4200];
    const char *slash = strrchr(recording, '/');
    snprintf(path, sizeof path, "%.*s%s", slash ? (int)(slash + 1 - recording) : 0, recording, name);
    FILE *file = throng_file_open(path, THRONG_FILE_MOST_TABLE, error);
    if (!file)
        return errno == ENOENT;
    bool ok = read_rows(file, path, head, take, context, error);
    fclose(file);
    return ok;
}
