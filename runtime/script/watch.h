/* Whether files were saved, by inotify. Folders are watched, because editors put a new file in the old one's place. */
#ifndef THRONG_WATCH_H
#define THRONG_WATCH_H

#include <stdint.h>

#include "base/error.h"

typedef struct throng_watch throng_watch;

throng_watch *throng_watch_create(throng_error *error);
void throng_watch_destroy(throng_watch *watch);

/* One more file to watch, which need not be there; false and a message when the system watches no more. */
bool throng_watch_add(throng_watch *watch, const char *path, throng_error *error);

/* False while somebody writes to one of the files: what is read of it may be torn. */
bool throng_watch_settled(throng_watch *watch);

/* True when one of the files was saved since that was last told, and nobody writes to any; waits for that up to so many
 * milliseconds. */
bool throng_watch_saved(throng_watch *watch, int milliseconds);

#endif
