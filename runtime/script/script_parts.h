/* What a script is made of: for script_*.c, and for bindings that keep something of the script. */
#ifndef THRONG_SCRIPT_PARTS_H
#define THRONG_SCRIPT_PARTS_H

#include "base/watchdog.h"
#include "bind.h"

/* ---- script.c */

enum { THRONG_AGENTS_NAMED = 5, THRONG_DOING_TEXT = 288 };

/* What the running callback is, for error texts (throng_doing_text), which few callbacks need. */
typedef struct throng_doing {
    char callback[160]; /* "": there is none */
    char group[81];     /* whose; "": of none */
    bool steps;         /* it runs in a step of a world */
    uint32_t step;
    double time;                                /* s */
    int32_t count, agents[THRONG_AGENTS_NAMED]; /* how many agents it is about, and the numbers of the first */
} throng_doing;

struct throng_script {
    lua_State *L;
    bool guest;         /* L is another program's, with its own libraries, memory and hooks */
    lua_State *running; /* L, or the coroutine that runs */
    throng_script_def limits;
    struct throng_cache *cache; /* of maps and routes: limits.cache, or its own */
    size_t used;                /* bytes allocated by Lua */
    int64_t budget;             /* instructions left to the running callback */
    int depth;                  /* nested throng_script_call */
    int outside;                /* Lua's call levels outside the innermost of those: no part of its traceback */
    bool recording;             /* a behaviour function is being recorded */
    int64_t printed;            /* bytes that the running callback has printed */
    int64_t printed_in_all;     /* and all callbacks */
    int worlds;                 /* that are not closed */
    lua_Integer machines;       /* that were made */
    int world;                  /* registry reference of the scenario's world, or LUA_NOREF */
    char library[512];          /* folder of throng's own Lua files */
    throng_doing doing;
    char place[288];   /* the user's line that wanted memory and got none */
    bool beyond;       /* that was beyond the limit; else the system has none, or the program's allocator */
    bool telling;      /* and the text that says so is made: it may take a little more */
    char stopped[512]; /* why the callback is being stopped, which pcall must not catch; "": it is not */
    char *message;     /* the last failure in full */
    /* `throng test`: see bind_test.c */
    throng_watched test;
    char test_name[256];             /* "": none runs */
    bool test_failed;                /* it was told that its time is up */
    struct throng_lua_world *latest; /* stepped last; NULL: none, or it was closed */
    throng_world *kept_world;        /* the one that was closed */
    struct throng_history *kept_history;
    struct throng_failure *failures; /* [failure_count] that --keep-going has passed over */
    int32_t failure_count;
    char beyond_group[160]; /* the group[i] beyond its last agent that was asked for last, in words */
    char beyond_place[288]; /* the user's line that did */
    bool names_wanted;      /* unknown fields raise the list of those that there are */
    const struct throng_lines *lines;
    bool lines_failed; /* one of them did */
    char **files;      /* [file_count] that were read: see throng_script_files */
    int32_t file_count;
    char **parameters; /* [parameter_count] see throng_script_parameters */
    int32_t parameter_count;
};

/* script_doing.c: "in the "arrived" callback of group 'guests', step 3 (0.3 s), agent 7", or "". */
void throng_doing_text(const throng_doing *doing, char text[THRONG_DOING_TEXT]);

/* Those that throng_script_parameters gave. */
void throng_script_forget_parameters(throng_script *script);

/* A script without a Lua state; NULL and a message when throng's own Lua files are missing or memory is out. */
throng_script *throng_script_begin_state(const throng_script_def *def, throng_error *error);
/* From now on the state's script is this one; raises. [-0, +0] */
void throng_script_bind(throng_script *script, lua_State *L);

/* ---- script_limits.c */

throng_script *throng_script_of(lua_State *L);
extern const char throng_script_key; /* the registry's key for it */

/* May Lua take so many bytes more (--memory)? What is garbage goes first. Being out of memory would name no line. */
bool throng_script_has_room(lua_State *L, size_t bytes);

/* From now on the instructions of the main thread are counted, if it is throng's own. */
void throng_script_count_instructions(throng_script *script);

/* The watchdog's: the main thread works for the script until _end. */
void throng_script_begin(throng_script *script, throng_watched *watched, throng_task work);
void throng_script_end(throng_script *script, throng_watched *watched);

#define THRONG_RESUME "throng.resume" /* in the registry: Lua's own coroutine.resume */

/* Raises when the watchdog wants what is running to come back; no pcall of a scenario catches that. */
void throng_script_check(lua_State *L);

/* resume(coroutine, ...): coroutine.resume under the limits */
int throng_script_resume(lua_State *L);

/* ---- script_sandbox.c */

typedef struct throng_generator {
    uint64_t state[4]; /* xoshiro256** */
} throng_generator;

void throng_generator_seed(throng_generator *random, uint64_t seed);

/* For scenarios that are trusted: math.random of all that the state runs is of a throng_generator, which is the
 * registry's THRONG_RANDOM; pairs goes in the order of the keys, and then through those that have none. [-0, +0] */
#define THRONG_RANDOM "throng.random"
void throng_trusted_add(lua_State *L);

/* A fresh environment for a scenario in `folder`: no files, no clock, no
 * addresses. [-0, +1] the environment, [+1] its throng_generator */
void throng_sandbox_push(lua_State *L, const char *folder);
/* The same for that file, which is confined to its folder. [-0, +2] */
void throng_script_confined_push(lua_State *L, const char *path);

/* pairs(t), in the order of the keys */
int throng_ordered_pairs(lua_State *L);

/* ---- script_print.c */

/* print(...) of scenarios: to stderr, so much in a callback and in a run */
int throng_print(lua_State *L);
/* Prints a warning of the user's line. lua_pushfstring formats. [-0, +0] */
void throng_warn(lua_State *L, const char *format, ...);

/* undeclared(name, names, written): warns, once a place, of a global that was never declared; in script_globals.c */
int throng_undeclared(lua_State *L);

/* ---- script_load.c */

/* The generator of the scenario's math.random; NULL: it has none of its own. */
throng_generator *throng_script_generator(const throng_script *script);

/* throng.load(path, overrides) */
int throng_lua_load(lua_State *L);

/* run_file(path, overrides): what a file returns that runs in a sandbox of its own; run_scenario: the world */
int throng_lua_run_file(lua_State *L);
int throng_lua_run_scenario(lua_State *L);

/* ---- bind_study.c */

/* argv[i] of this program with the texts in each of the lists in the list at `at`, which keeps them alive. [-0, +1]
 * what holds them */
char *const *const *throng_arguments_push(lua_State *L, int at, int32_t *count);

/* Is the value one of throng.study? */
bool throng_is_study(lua_State *L, int index);

#endif
