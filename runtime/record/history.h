/* What a crowd did, kept in memory within bounds, for the files of a test that fails: a sample of everybody every so
 * many steps; when they grow to 16 MiB, every other one is dropped and samples are taken half as often. Knows no Lua.
 */
#ifndef THRONG_HISTORY_H
#define THRONG_HISTORY_H

#include "run_sample.h"

typedef struct throng_history throng_history;

/* An empty history of samples every `seconds`; NULL when memory is out. */
throng_history *throng_history_create(const throng_world *world, double seconds);
void throng_history_destroy(throng_history *history);

/* Before and after each of the world's steps. */
bool throng_history_note(throng_history *history, throng_world *world, throng_error *error);

/* Writes a trajectory (see record.h). */
bool throng_history_write(const throng_history *history, const throng_world *world, const char *path,
                          throng_error *error);

/* The sample nearest to a time, s; NULL when there is none. */
const throng_sample *throng_history_at(const throng_history *history, double time);

#endif
