/* The scripting runtime: one Lua state, the scenario's sandbox and its limits.
 *
 * Nothing outside script*.c and bind_*.c knows Lua: the command line and the
 * run loop see a scenario as a world, a step function and some settings. */
#ifndef THRONG_SCRIPT_H
#define THRONG_SCRIPT_H

#include <stdio.h>

#include "world/world.h"

typedef struct throng_script throng_script;

typedef struct throng_script_def {
    bool trust;      /* scenarios get the full standard libraries */
    bool commanding; /* commands that are written in Lua, and specs, get them; scenarios they load do not */
    bool testing;    /* the world that was stepped last is kept with its history, for a test that fails */
    bool keep_going; /* callbacks that fail do not end the run: see throng_script_list_failures */
    const struct throng_lines *print; /* takes what scripts print, and warnings; NULL: stderr does */
    int64_t instructions;             /* Lua instructions that one callback may take */
    size_t memory;                    /* bytes that all of Lua may take */
    int32_t threads;                  /* of worlds that do not say how many; 0: as many as there are cores */
    struct throng_cache *cache;       /* of maps and routes, which outlives the script; NULL: it has one of its own */
} throng_script_def;

/* For def.cache: bytes of maps and routes that no world has any more. */
#define THRONG_SCRIPT_CACHE ((size_t)128 << 20)

throng_script_def throng_script_def_default(void);

throng_script *throng_script_create(const throng_script_def *def, throng_error *error);
void throng_script_destroy(throng_script *script);

/* What the command line says about a scenario; it wins over the script. */
typedef struct throng_overrides {
    const char *backend;   /* NULL: as the script says */
    int32_t simd, threads; /* -1: as the script says */
    bool has_seed;
    uint64_t seed;
    const char *const *params; /* "name=value" */
    int32_t param_count;
    const struct throng_slider *set; /* what sliders were set to, where the file gives what it gave then */
    int32_t set_count;
} throng_overrides;

/* What the scenario says about its run. */
typedef struct throng_scenario {
    throng_world *world;
    char name[128];      /* "evacuation" for scenarios/evacuation.lua */
    double seconds;      /* s: the run ends here at the latest */
    bool until_done;     /* it ends when everyone with a goal has arrived */
    double record_every; /* s between recorded frames; 0: no trajectory; below 0: by the number of agents */
    bool record_compact; /* as .throng, not .sqlite */
} throng_scenario;

/* Runs a scenario file, which returns its world; the script keeps owning that.
 * throng_script_message has the whole text of a failure, with the traceback. */
bool throng_script_load(throng_script *script, const char *path, const throng_overrides *overrides,
                        throng_scenario *scenario, throng_error *error);
/* The same of a text [size], as if it were in a file of that path. */
bool throng_script_load_text(throng_script *script, const char *path, const char *text, size_t size,
                             const throng_overrides *overrides, throng_scenario *scenario, throng_error *error);

/* The files that the scenario was read from: its own, those it required, its maps; also after a failure. */
int32_t throng_script_files(const throng_script *script, const char *const **files);

/* All parameters of the loaded scenario, by name, "name=value" as they are now; kept until they are asked for again.
 * NULL and 0 when it has none, or memory is out. */
const char *const *throng_script_parameters(throng_script *script, int32_t *count);

struct throng_migration;

/* The scenario of `fresh`, whose world took over the agents of that of `old`, goes on where that one is: groups and
 * tags hold who was migrated, machines that callbacks gave are run on, sources know whom they have sent, timers
 * that were due are called no more, sinks count and service queues serve on, and math.random goes on. All else of Lua
 * begins again: variables, and stories. */
bool throng_script_migrate(throng_script *fresh, throng_script *old, struct throng_migration *migration,
                           throng_error *error);

/* One frame of the loaded scenario with its callbacks; `script` is a throng_script.
 * False when a callback failed. */
bool throng_script_step(void *script, throng_error *error);

/* How many of its world:at and world:every are first due after `time`, s, and when the first of these is. */
int32_t throng_script_timers_after(throng_script *script, double time, double *first);
/* How many of its world:at were not called yet, of its stories are not over, and of its world:every have brought people
 * and may bring more. */
int32_t throng_script_timers_waiting(throng_script *script);

/* True when the script called world:stop(). */
bool throng_script_stopped(void *script);

/* How often callbacks failed, of a script that keeps going; writes a line for each error, with its count. */
int64_t throng_script_list_failures(const throng_script *script, FILE *file);

/* The last failure in full, "" when there was none. */
const char *throng_script_message(const throng_script *script);
/* The same when `error` is its first line, else the error's text; `script` may be NULL. */
const char *throng_script_error_text(const throng_script *script, const throng_error *error);

/* Where the output of lines goes. */
typedef struct throng_lines {
    void (*write)(void *context, const char *text, size_t size);
    void *context;
} throng_lines;

/* What is told of agents that an event happened to: which listener, them, and what group:on tells beside them, or NULL.
 * False: memory is out. */
typedef bool throng_script_heard(void *context, int32_t listener, const throng_handle *agents, int32_t count,
                                 const char *first, const char *second);
/* From now on `heard` is told of the event, of all agents in the loaded scenario's world, before the script is; with
 * the place of one that needs it, a region's name. */
bool throng_script_listen(throng_script *script, const char *event, const char *place, throng_script_heard *heard,
                          void *context, int32_t listener, throng_error *error);

/* Lua that is run about the loaded scenario's world, with a scenario's rights; globals stay from one to the next. */
typedef struct throng_script_chunk {
    const char *text;
    bool expression;            /* its value is wanted: in `number`, or for `spawned` */
    bool string;                /* as text, in `value` */
    double number;              /* a boolean's is 1 or 0 */
    const char *value;          /* kept until the next that is wanted */
    const throng_handle *group; /* [count] these agents are `group`; NULL: nobody is */
    const float *points;        /* [2 * count] m; with `spawned`: its value goes to world:spawn, at these points, or, */
    throng_handle *spawned;     /* NULL, where it says; [count], NULL: nobody is spawned */
    int32_t count;
} throng_script_chunk;
bool throng_script_do(throng_script *script, throng_script_chunk *chunk, throng_error *error);

/* What world:environment says of a scenario in which programs learn. */
enum { THRONG_ENVIRONMENT_MOST = 64 };
typedef struct throng_environment {
    const throng_handle *learners; /* [learner_count] by slot */
    int32_t learner_count;
    int32_t observed[THRONG_ENVIRONMENT_MOST]; /* [observed_count] columns */
    int32_t observed_count, acted_count;
    throng_surroundings_def around;
    double velocity; /* m/s: wishes are at most so fast; 0: nobody says any */
    double every;    /* s: how long an action holds; 0: a step */
    struct {
        int32_t column;
        double least, most;
    } acted[THRONG_ENVIRONMENT_MOST]; /* [acted_count] */
} throng_environment;
/* That of the loaded scenario, as long as that is; NULL: it is none. */
const throng_environment *throng_script_environment(throng_script *script, throng_error *error);
/* What the last action was worth to these learners, who live and have not ended, and which of them it ended; `ended` is
 * all false before. */
bool throng_script_judge(throng_script *script, const throng_handle *learners, int32_t count, float *rewards,
                         bool *ended, throng_error *error);

/* Lines of Lua from here on, about the loaded scenario's world when there is one; `lines` stays the caller's and is
 * used until the script is destroyed. */
bool throng_script_begin_lines(throng_script *script, const throng_lines *lines, throng_error *error);
/* Evaluates a line and writes its values, or what is wrong with it. `more`: it goes on in the next, and nothing was
 * done yet. NULL: there is no next. False: memory is out. */
bool throng_script_take_line(throng_script *script, const char *line, bool *more, throng_error *error);
/* Was something wrong with a line until now? */
bool throng_script_lines_failed(const throng_script *script);

/* The names that may stand at the end of the line `text`, to be freed with their list, which ends with NULL; each is
 * all of the line's last word. NULL: none. After throng_script_begin_lines. */
char **throng_script_complete(throng_script *script, const char *text);

/* Benchmarks: gives the speed of these agents the behaviour function of ten operations (lua/throng/bench.lua), and
 * milliseconds to call that function `count` times from Lua. */
bool throng_script_bench_bind(throng_script *script, throng_world *world, const throng_handle *handles, int32_t count,
                              throng_error *error);
bool throng_script_bench_call(throng_script *script, int32_t count, double *ms, throng_error *error);
/* A machine of three states with enter hooks that every agent leaves in every step (lua/throng/bench.lua): milliseconds
 * of the goals stage and the hooks, for each of `steps` steps. */
typedef struct throng_bench_hooks_def {
    const char *backend;
    throng_backend_options options;
    int32_t agents, steps;
} throng_bench_hooks_def;
bool throng_script_bench_hooks(throng_script *script, const throng_bench_hooks_def *def, double *ms,
                               throng_error *error);

/* Runs a command that is written in Lua, lua/throng/<name>.lua: "test" or "help". Returns the exit code. */
int throng_script_command(throng_script *script, const char *name, int argc, char **argv, throng_error *error);

#endif
