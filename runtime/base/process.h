/* This program once more, as a child process that ends with this one. */
#ifndef THRONG_PROCESS_H
#define THRONG_PROCESS_H

#include <sys/types.h>

#include "error.h"

enum { THRONG_PROCESS_FILES = 4 };

/* Its arguments, NULL at the end; argv[0] is the program's name. It has files[k] as file descriptor k; -1: /dev/null
 * as 0, none as 3. Returns its number, or 0 and an error. */
pid_t throng_process_start(char *const *argv, const int files[THRONG_PROCESS_FILES], throng_error *error);

/* An empty file in memory for what a process writes; -1 and an error. */
int throng_process_file(throng_error *error);

/* What waitpid() gave: an exit code, and the signal that ended it, or 0. */
void throng_process_ended(int status, int *code, int *signal);

#endif
