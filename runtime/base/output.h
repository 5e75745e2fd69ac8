/* Output files appear whole or not at all: they are written as `path.part` and renamed over `path` when they are
 * complete. Whoever writes one holds a lock on it, so that two programs never write the same file; the lock goes with
 * the program, and what a killed one left is replaced. */
#ifndef THRONG_OUTPUT_H
#define THRONG_OUTPUT_H

#include <stdint.h>
#include <stdio.h>

#include "error.h"

typedef struct throng_output throng_output;

/* Creates an empty `path.part`, replacing one that an ended run left. NULL and a message that names the file, the cause
 * and what to do when `path` cannot be written, or another program is writing it. */
throng_output *throng_output_begin(const char *path, throng_error *error);

/* To write it with; it stays the output's. */
FILE *throng_output_stream(throng_output *output);
int throng_output_descriptor(const throng_output *output);

/* Where it lies until it is complete, from the root: for libraries that open it themselves. They must be done with it
 * before it is committed or discarded. */
const char *throng_output_part(const throng_output *output);

/* Closes it where it lies, for those that are complete only with others: it may still be committed or discarded. When
 * that fails it is discarded. */
bool throng_output_close(throng_output *output, throng_error *error);

/* Flushes it, renames it over `path` and frees the output; removes it when something of that, or a write before,
 * failed. The message names the file and the cause. */
bool throng_output_commit(throng_output *output, throng_error *error);

/* Removes the file and frees the output (NULL: nothing to do). */
void throng_output_discard(throng_output *output);

/* Removes all that are not complete, of a process that is being ended. */
void throng_output_clean(void);

/* From now on, in a program that does not listen to signals itself: SIGINT, SIGTERM and SIGHUP end it after what is not
 * complete was removed. On the main thread, before others are started. */
void throng_output_clean_at_signals(void);

/* Nothing is written over this file from now on, as what the process does is made of it: a plan, a script. */
void throng_output_spare(const char *path);

/* Tells before the work whether the file can be written after it. */
bool throng_output_check(const char *path, throng_error *error);

/* A file that a command is to write, and the option that says so; path NULL: it is not written. */
typedef struct throng_output_name {
    const char *option, *path;
} throng_output_name;

/* Is each to be a file of its own? Else a message with both options and the file. */
bool throng_output_apart(const throng_output_name *names, int32_t count, throng_error *error);

/* Makes the folder of --out, and those above it. */
bool throng_output_make_folder(const char *path, throng_error *error);

/* Writes `cannot write 'path': ` with the cause and the way out for an errno; returns false. */
bool throng_output_fail(const char *path, int code, throng_error *error);

/* What of an errno whose cure is known is told to users, as of a full disk; NULL: of others. */
const char *throng_output_cure(int code);
const char *throng_output_cause(int code); /* that, or what the system calls it */

#endif
