/* A scenario that runs while its files are edited: loaded, watched, and reloaded between two frames. For the viewer,
 * throng run --watch and throng repl. Knows no Lua. */
#ifndef THRONG_LIVE_H
#define THRONG_LIVE_H

#include "script.h"
#include "watch.h"
#include "world/world_migrate.h"

typedef struct throng_live {
    const char *path; /* of the scenario, the caller's */
    throng_script_def limits;
    throng_overrides overrides;
    throng_script *script;
    throng_scenario scenario;
    throng_baseline *baseline;
    throng_watch *watch;
    char *trouble; /* what the last reload failed by, in full; NULL: it did not */
} throng_live;

/* Loads the scenario. On failure nothing is open, and the whole message is the error as far as it fits. */
bool throng_live_open(throng_live *live, const char *path, const throng_script_def *limits,
                      const throng_overrides *overrides, throng_error *error);
void throng_live_close(throng_live *live);

/* True when the scenario, a file it required or a map of it was saved since the last call; waits for that up to so many
 * milliseconds. */
bool throng_live_saved(throng_live *live, int milliseconds);

/* Reloads the files. The scenario's world is then another one, which goes on where the old one was (see
 * world_migrate.h) unless `restart`, or what was changed does not let it; `said` gets a line about that. False: what
 * runs is left alone, and `trouble` says why. */
bool throng_live_reload(throng_live *live, bool restart, char *said, size_t size);

#endif
