/* What `throng study` needs of the host, beside a database (bind_database.c): other processes of this program, laws by
 * their quantiles, and how long a scenario runs. */
#include "binders.h"
#include "fields.h"
#include "script_files.h"
#include "script_parts.h"
#include "world_methods.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/meeting.h"
#include "base/orders.h"
#include "base/watchdog.h"
#include "base/workers.h"
#include "record/run.h"
#include "world/laws.h"

/* ---- values of throng.study */

#define STUDY "throng.study"

/* new_study(definition): a value that scripts return and that says nothing of itself */
static int new_study(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_newuserdatauv(L, 0, 1);
    lua_pushvalue(L, 1);
    lua_setiuservalue(L, -2, 1);
    luaL_setmetatable(L, STUDY);
    return 1;
}

bool throng_is_study(lua_State *L, int index) { return luaL_testudata(L, index, STUDY) != NULL; }

/* study_of(value): its definition, nil of other values */
static int study_of(lua_State *L)
{
    if (!throng_is_study(L, 1))
        return 0;
    lua_getiuservalue(L, 1, 1);
    return 1;
}

/* ---- worlds, laws, time */

/* arrived(world): how many have arrived so far */
static int arrived(lua_State *L)
{
    throng_error error;
    int32_t count;
    if (!throng_world_count_arrived(throng_check_world(L, 1)->world, &count, &error))
        throng_raise_error(L, &error);
    lua_pushinteger(L, count);
    return 1;
}

/* run_plan(world): the steps that `throng run` would do, and whether it ends when everybody has arrived */
static int run_plan(lua_State *L)
{
    const throng_lua_world *world = throng_check_world(L, 1);
    lua_pushinteger(L, throng_run_steps(world->world, world->seconds));
    lua_pushboolean(L, world->until_done);
    return 2;
}

/* quantile(law, u): throng_sampler_at; nil: it is no law */
static int quantile(lua_State *L)
{
    const throng_sampler *law = luaL_testudata(L, 1, THRONG_LUA_SAMPLER);
    double u = luaL_checknumber(L, 2);
    luaL_argcheck(L, u >= 0 && u <= 1, 2, "a number from 0 to 1 expected");
    if (!law)
        return 0;
    lua_pushnumber(L, throng_sampler_at(law, u));
    return 1;
}

/* normal_quantile(p) of mean 0 and deviation 1 */
static int normal_quantile(lua_State *L)
{
    const throng_sampler normal = {.kind = THRONG_NORMAL, .b = 1};
    lua_pushnumber(L, throng_law_quantile(&normal, luaL_checknumber(L, 1)));
    return 1;
}

/* find_file(owner, name): the path of a file that the user's script names */
static int find_file(lua_State *L)
{
    char path[PATH_MAX];
    throng_script_find_file(L, luaL_checkstring(L, 1), 2, path);
    lua_pushstring(L, path);
    return 1;
}

/* files(): the paths of all files that scripts were read from, and their maps */
static int list_files(lua_State *L)
{
    const char *const *files;
    int32_t count = throng_script_files(throng_script_of(L), &files);
    lua_createtable(L, count, 0);
    for (int32_t i = 0; i < count; i++) {
        lua_pushstring(L, files[i]);
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

/* digest(path): of the file's bytes, by throng_hash; nil when it cannot be read */
static int digest(lua_State *L)
{
    throng_bytes file;
    if (!throng_file_read(throng_check_text(L, 1, "the file's name"), THRONG_FILE_MOST_MAP, &file, NULL))
        return 0;
    uint64_t hash = throng_hash(file.data, file.size);
    free(file.data);
    char text[17];
    snprintf(text, sizeof text, "%016llx", (unsigned long long)hash);
    lua_pushstring(L, text);
    return 1;
}

/* is_interrupted(): by a signal, as Ctrl-C */
static int is_interrupted(lua_State *L)
{
    lua_pushboolean(L, throng_interrupted_by() != 0);
    return 1;
}

/* call_limited(f, ...): what it returns; a scenario's function, under the limits of a callback */
static int call_limited(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TFUNCTION);
    return throng_script_call(L, lua_gettop(L) - 1, LUA_MULTRET) == LUA_OK ? lua_gettop(L) : lua_error(L);
}

/* clock(): s, from some moment on */
static int read_clock(lua_State *L)
{
    lua_pushnumber(L, throng_clock());
    return 1;
}

/* ---- workers */

#define WORKERS "throng.workers"

typedef struct study_workers {
    throng_workers *workers;
    throng_meeting *meeting; /* NULL: nobody else may join */
} study_workers;

char *const *const *throng_arguments_push(lua_State *L, int at, int32_t *count)
{
    size_t lists = lua_rawlen(L, at), texts = 0;
    for (size_t i = 0; i < lists; i++) {
        lua_rawgeti(L, at, (lua_Integer)i + 1);
        luaL_checktype(L, -1, LUA_TTABLE);
        texts += lua_rawlen(L, -1) + 2;
        lua_pop(L, 1);
    }
    const char ***argv = lua_newuserdatauv(L, (lists + 1) * sizeof *argv + texts * sizeof **argv, 0);
    const char **next = (const char **)(argv + lists + 1);
    for (size_t i = 0; i < lists; i++) {
        lua_rawgeti(L, at, (lua_Integer)i + 1);
        argv[i] = next;
        *next++ = "throng";
        for (size_t k = lua_rawlen(L, -1), n = 1; n <= k; n++) {
            lua_rawgeti(L, -1, (lua_Integer)n);
            *next++ = luaL_checkstring(L, -1);
            lua_pop(L, 1);
        }
        *next++ = NULL;
        lua_pop(L, 1);
    }
    *count = (int32_t)lists;
    return (char *const *const *)argv;
}

/* workers(arguments): a process of this program for each list of arguments */
static int new_workers(lua_State *L)
{
    int32_t count;
    throng_error error;
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 1);
    study_workers *own = lua_newuserdatauv(L, sizeof *own, 2); /* argv, and the table whose texts it is of */
    *own = (study_workers){NULL, NULL};
    luaL_setmetatable(L, WORKERS);
    char *const *const *argv = throng_arguments_push(L, 1, &count);
    if (!(own->workers = throng_workers_create(argv, count, &error)))
        throng_raise_error(L, &error);
    lua_setiuservalue(L, 2, 1);
    lua_pushvalue(L, 1);
    lua_setiuservalue(L, 2, 2);
    return 1;
}

static int close_workers(lua_State *L)
{
    study_workers *own = luaL_checkudata(L, 1, WORKERS);
    throng_workers_destroy(own->workers);
    throng_meeting_close(own->meeting);
    *own = (study_workers){NULL, NULL};
    return 0;
}

/* workers:say(worker, line): from 1 on */
static int say(lua_State *L)
{
    size_t size;
    throng_error error;
    study_workers *own = luaL_checkudata(L, 1, WORKERS);
    const char *line = luaL_checklstring(L, 3, &size);
    if (!throng_workers_say(own->workers, (int32_t)luaL_checkinteger(L, 2) - 1, line, size, &error))
        throng_raise_error(L, &error);
    return 0;
}

/* workers:let_join(path, version): others from elsewhere; where to find it is in the file (meeting.h) */
static int let_join(lua_State *L)
{
    throng_error error;
    study_workers *own = luaL_checkudata(L, 1, WORKERS);
    if (!own->meeting && !(own->meeting = throng_meeting_open(luaL_checkstring(L, 2), luaL_checkstring(L, 3), &error)))
        throng_raise_error(L, &error);
    throng_workers_let_join(own->workers, throng_meeting_socket(own->meeting), throng_meeting_greeting(own->meeting));
    return 0;
}

/* join(path, version, arguments, orders, patience): a process for each list of arguments works for who waits there,
 * each for so many orders at a time, until its work is done */
static int join(lua_State *L)
{
    int32_t count;
    throng_error error;
    luaL_checktype(L, 3, LUA_TTABLE);
    char *const *const *argv = throng_arguments_push(L, 3, &count);
    if (!throng_meeting_join(luaL_checkstring(L, 1), luaL_checkstring(L, 2), argv, count,
                             (int32_t)luaL_checkinteger(L, 4), luaL_checknumber(L, 5), &error))
        throng_raise_error(L, &error);
    return 0;
}

/* workers:hear(seconds): the worker and its line; or the worker, nil, and "joined" and the orders that it takes at a
 * time, or "lost" of one from elsewhere, or exit code, signal and the last of its stderr; nothing when nobody says
 * anything for so long (none: as long as it takes) */
static int hear(lua_State *L)
{
    throng_error error;
    throng_worker_news news;
    study_workers *own = luaL_checkudata(L, 1, WORKERS);
    if (!throng_workers_hear(own->workers, luaL_optnumber(L, 2, -1), &news, &error))
        throng_raise_error(L, &error);
    if (news.worker < 0)
        return 0;
    lua_pushinteger(L, news.worker + 1);
    if (news.line) {
        lua_pushlstring(L, news.line, news.size);
        return 2;
    }
    lua_pushnil(L);
    if (news.joined || news.lost) {
        lua_pushstring(L, news.joined ? "joined" : "lost");
        lua_pushinteger(L, news.orders);
        return 4;
    }
    lua_pushinteger(L, news.code);
    lua_pushinteger(L, news.signal);
    lua_pushstring(L, news.output);
    return 5;
}

/* ---- one of them */

/* take_order(): the next line, as soon as there is one; nil: there are no more */
static int take_order(lua_State *L)
{
    char *line = throng_orders_take(); /* Lua is out of memory here when it is elsewhere */
    if (!line)
        return 0;
    lua_pushstring(L, line);
    free(line);
    return 1;
}

/* answer_order(line) with its newline: is it heard? */
static int answer_order(lua_State *L)
{
    size_t size;
    const char *line = luaL_checklstring(L, 1, &size);
    lua_pushboolean(L, throng_orders_answer(line, size));
    return 1;
}

void throng_bind_study(lua_State *L)
{
    static const luaL_Reg methods[] = {
        {"say", say}, {"hear", hear}, {"let_join", let_join}, {"close", close_workers}, {NULL, NULL}};
    luaL_newmetatable(L, STUDY);
    lua_pushboolean(L, false);
    lua_setfield(L, -2, "__metatable");
    lua_pop(L, 1);
    luaL_newmetatable(L, WORKERS);
    luaL_newlib(L, methods);
    lua_setfield(L, -2, "__index");
    lua_pushcfunction(L, close_workers);
    lua_setfield(L, -2, "__gc");
    lua_pop(L, 1);
    static const luaL_Reg functions[] = {{"new_study", new_study},
                                         {"study_of", study_of},
                                         {"arrived", arrived},
                                         {"run_plan", run_plan},
                                         {"quantile", quantile},
                                         {"normal_quantile", normal_quantile},
                                         {"find_file", find_file},
                                         {"files", list_files},
                                         {"digest", digest},
                                         {"call_limited", call_limited},
                                         {"clock", read_clock},
                                         {"is_interrupted", is_interrupted},
                                         {"workers", new_workers},
                                         {"join", join},
                                         {"take_order", take_order},
                                         {"answer_order", answer_order},
                                         {NULL, NULL}};
    luaL_setfuncs(L, functions, 0);
}
