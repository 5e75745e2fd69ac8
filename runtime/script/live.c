#include "live.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/cache.h"
#include "record/progress.h"
#include "script_sliders.h"

static void tell(throng_live *live, const char *text)
{
    free(live->trouble);
    live->trouble = text ? strdup(text) : NULL;
}

/* Watches what the script has read; what cannot be watched is a matter of --watch alone. */
static bool watch_files(throng_watch *watch, const throng_script *script, throng_error *error)
{
    const char *const *files;
    int32_t count = throng_script_files(script, &files);
    for (int32_t i = 0; i < count; i++)
        if (!throng_watch_add(watch, files[i], error))
            return false;
    return true;
}

/* Loads the files into `live`, whose watch stays. */
static bool load(throng_live *live, throng_error *error)
{
    throng_error first;
    live->script = throng_script_create(&live->limits, error);
    if (!live->script)
        return false;
    bool loaded = throng_script_load(live->script, live->path, &live->overrides, &live->scenario, &first);
    if (!loaded && error) /* of several lines, which throng_fail would make one */
        snprintf(error->text, sizeof error->text, "%s", throng_script_error_text(live->script, &first));
    bool watched = watch_files(live->watch, live->script, loaded ? error : &first);
    if (loaded && watched && (live->baseline = throng_baseline_take(live->scenario.world, error)))
        return true;
    throng_script_destroy(live->script);
    live->script = NULL;
    return false;
}

static void unload(throng_live *live)
{
    throng_baseline_destroy(live->baseline);
    throng_script_destroy(live->script);
    live->baseline = NULL;
    live->script = NULL;
}

bool throng_live_open(throng_live *live, const char *path, const throng_script_def *limits,
                      const throng_overrides *overrides, throng_error *error)
{
    *live = (throng_live){.path = path, .limits = *limits, .overrides = *overrides};
    live->limits.cache = throng_cache_create(THRONG_SCRIPT_CACHE);
    if (!live->limits.cache)
        return throng_fail(error, "out of memory");
    live->watch = throng_watch_create(error);
    if (live->watch && load(live, error))
        return true;
    throng_live_close(live);
    return false;
}

void throng_live_close(throng_live *live)
{
    unload(live);
    throng_watch_destroy(live->watch);
    throng_cache_destroy(live->limits.cache);
    live->watch = NULL;
    live->limits.cache = NULL;
    tell(live, NULL);
}

bool throng_live_saved(throng_live *live, int milliseconds) { return throng_watch_saved(live->watch, milliseconds); }

/* ---- reloading */

static void __attribute__((format(printf, 3, 4))) add(char *text, size_t size, const char *format, ...)
{
    size_t used = strlen(text);
    va_list args;
    va_start(args, format);
    vsnprintf(text + used, size - used, format, args);
    va_end(args);
}

/* What was kept and what starts over, in a line. */
static void describe(const throng_live *live, const throng_migration *c, double ms, char *said, size_t size)
{
    snprintf(said, size, "%s reloaded in %.1f ms: ", live->scenario.name, ms);
    if (c->restart_reason) {
        add(said, size, "%s%sthe run starts over, with %d agents", c->restart_reason,
            *c->restart_reason ? " changed, so " : "", c->fresh);
        return;
    }
    add(said, size, "%d agents go on at %.4g s", c->kept, throng_world_time(live->scenario.world));
    if (*c->groups)
        add(said, size, "; groups that spawn another number start over: %s", c->groups);
    if (c->restarted)
        add(said, size, "; %d were in states that are gone and start their machine over", c->restarted);
    if (c->fresh || c->lost)
        add(said, size, "; %d agents came, %d went", c->fresh, c->lost);
}

static bool migrate_over(throng_live *fresh, throng_live *old, throng_migration *migration, throng_error *error)
{
    throng_world *now = fresh->scenario.world, *was = old->scenario.world;
    if (!throng_world_migrate(now, fresh->baseline, was, old->baseline, migration, error))
        return false;
    if (throng_script_migrate(fresh->script, old->script, migration, error) &&
        throng_world_migrate_end(now, fresh->baseline, old->baseline, migration, error))
        return true;
    throng_world_migrate_undo(now, was, migration);
    return false;
}

bool throng_live_reload(throng_live *live, bool restart, char *said, size_t size)
{
    throng_error error;
    throng_migration migration = {.restart_reason = ""};
    throng_live fresh = {
        .path = live->path, .limits = live->limits, .overrides = live->overrides, .watch = live->watch};
    double start = throng_clock();
    throng_slider set[THRONG_SLIDERS];
    fresh.overrides.set = set;
    fresh.overrides.set_count = throng_script_set_sliders(live->script, restart, set, THRONG_SLIDERS);
    bool loaded = load(&fresh, &error);
    fresh.overrides = live->overrides;
    if (!throng_watch_settled(live->watch)) { /* what was read may be torn; the save that ends that is told */
        loaded = throng_fail(&error, "%s or a file that it reads is being written", live->path);
        unload(&fresh);
    }
    if (!loaded || (!restart && !migrate_over(&fresh, live, &migration, &error))) {
        tell(live, loaded ? throng_script_error_text(fresh.script, &error) : error.text);
        throng_migration_fini(&migration);
        unload(&fresh);
        return false;
    }
    throng_script_keep_sliders(fresh.script, live->script);
    if (restart)
        migration.fresh = throng_agents_count(throng_world_agents(fresh.scenario.world));
    unload(live);
    tell(live, NULL);
    *live = fresh;
    describe(live, &migration, 1e3 * (throng_clock() - start), said, size);
    throng_migration_fini(&migration);
    return true;
}
