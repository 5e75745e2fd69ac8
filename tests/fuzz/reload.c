/* Reloads a scenario again and again (script/live.h), as throng run --watch, throng view and throng repl do between two
 * steps, without waiting for anybody to save it: reload SCENARIO FIRST STORIES. The scenario has the parameters `story`
 * and `version`; what it does is its own affair, api_reload.lua's. Prints "S story" before each and "! story 0 what:
 * ..." for what is wrong. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/watchdog.h"
#include "script/live.h"

enum { VERSIONS = 6, STEPS = 6 };
static const double DEADLINE = 4; /* s: ten of them, for loading, are less than FUZZ_PATIENCE */

static void tell(int story, const char *what, const char *text)
{
    fprintf(stderr, "! %d 0 %s: %.*s\n", story, what, (int)strcspn(text, "\n"), text);
}

/* Loads fail by mistakes of the story's own, and reloads are refused when agents who go on cannot, as who has become
 * wider than the way to the goal. Then the world that ran goes on as it was. */
static void judge(int story, const char *text, throng_world *world, uint64_t before)
{
    static const char *const internal[] = {"[throng]", "bad argument", "attempt to ", "stack overflow"};
    throng_error error;
    uint64_t after = before;
    for (size_t i = 0; i < sizeof internal / sizeof *internal; i++)
        if (strstr(text, internal[i]))
            tell(story, "internal", text);
    if (world && (!throng_world_hash(world, &after, &error) || after != before))
        tell(story, "changed by a reload that failed", text);
}

static void reload(throng_live *live, int story, bool restart)
{
    char said[640];
    throng_error error;
    uint64_t before = 0;
    throng_world *world = live->scenario.world;
    if (!throng_world_hash(world, &before, &error))
        tell(story, "hash", error.text);
    if (!throng_live_reload(live, restart, said, sizeof said))
        judge(story, live->trouble, world, before);
}

static void play(const char *path, const throng_script_def *limits, int story)
{
    char number[32], version[32];
    throng_error error;
    throng_live live;
    const char *const params[] = {number, version};
    throng_overrides overrides = {.simd = -1, .threads = -1, .params = params, .param_count = 2};
    fprintf(stderr, "S %d\n", story);
    snprintf(number, sizeof number, "story=%d", story);
    snprintf(version, sizeof version, "version=0");
    if (!throng_live_open(&live, path, limits, &overrides, &error)) {
        judge(story, error.text, NULL, 0);
        return;
    }
    for (int v = 1; v <= VERSIONS; v++) {
        for (int s = 0; s < STEPS; s++)
            throng_script_step(live.script, &error); /* callbacks of the story fail; what was loaded goes on */
        snprintf(version, sizeof version, "version=%d", v);
        reload(&live, story, v == VERSIONS / 2);
    }
    throng_live_close(&live);
}

int main(int argc, char **argv)
{
    throng_error error;
    throng_script_def limits = throng_script_def_default();
    throng_watchdog_def watchdog = {.name = "reload", .memory = limits.memory, .deadline = DEADLINE};
    if (argc != 4 || !throng_watchdog_start(&watchdog, &error))
        return 2;
    for (int story = atoi(argv[2]); story < atoi(argv[2]) + atoi(argv[3]); story++)
        play(argv[1], &limits, story);
    fprintf(stderr, "E\n");
    return 0;
}
