/* Output files appear whole or not at all: they are written as `path.part` and
 * renamed over `path` when they are complete. */
#ifndef THRONG_OUTPUT_H
#define THRONG_OUTPUT_H

#include "error.h"

/* Creates an empty `path.part` (replacing one that an ended run left) and
 * returns its name. NULL and a message that names the file, the cause and what
 * to do when `path` cannot be written. */
char *throng_output_begin(const char *path, throng_error *error);

/* Renames `part` over `path` and frees the name; removes it when that fails. */
bool throng_output_commit(const char *path, char *part, throng_error *error);

/* Removes the file and frees the name; `part` may be NULL. */
void throng_output_discard(char *part);

/* Writes `cannot write 'path': ` with the cause and the way out for an errno; returns false. */
bool throng_output_fail(const char *path, int code, throng_error *error);

/* What a full disk, by errno, is told to users: NULL for other errors. */
const char *throng_output_disk_full(int code);

#endif
