/* The throng module: C functions, and lua/throng/init.lua on top of them. */
#include "binders.h"
#include "column_values.h"
#include "group_methods.h"
#include "map_value.h"
#include "script_files.h"
#include "script_parts.h"
#include "world_methods.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/output.h"
#include "base/suggest.h"
#include "base/version.h"

/* ---- for throng's own Lua files */

/* raise(message): an error at the user's line */
static int raise(lua_State *L) { throng_raise(L, "%s", luaL_checkstring(L, 1)); }

/* The list of strings at `index`, NULL at the end; they live as long as the list. [-0, +1] */
static const char **names_push(lua_State *L, int index)
{
    luaL_checktype(L, index, LUA_TTABLE);
    size_t count = lua_rawlen(L, index);
    const char **names = lua_newuserdatauv(L, (count + 1) * sizeof *names, 0);
    for (size_t i = 0; i < count; i++) {
        lua_rawgeti(L, index, (lua_Integer)i + 1);
        names[i] = lua_tostring(L, -1);
        lua_pop(L, 1);
    }
    names[count] = NULL;
    return names;
}

/* unknown(owner, what, word, names): an error with the nearest name and all names */
static int unknown(lua_State *L)
{
    const char *owner = luaL_checkstring(L, 1), *what = luaL_checkstring(L, 2), *word = throng_check_name(L, 3);
    throng_raise_unknown(L, owner, what, word, names_push(L, 4));
}

/* nearest(word, names): the name that may have been meant, or nil */
static int nearest(lua_State *L)
{
    const char *word = throng_check_name(L, 1);
    lua_pushstring(L, throng_suggest(word, names_push(L, 2)));
    return 1;
}

static int describe(lua_State *L)
{
    luaL_checkany(L, 1);
    throng_describe(L, 1);
    return 1;
}

static int context(lua_State *L)
{
    throng_context_push(L);
    return 1;
}

static int is_stopped(lua_State *L)
{
    lua_pushboolean(L, *throng_script_of(L)->stopped);
    return 1;
}

/* confine(path, folder): the file is of the scenario in that folder */
static int confine(lua_State *L)
{
    throng_script_confine(L, luaL_checkstring(L, 1), luaL_checkstring(L, 2));
    return 0;
}

/* read(path): the text of a file, nil when it cannot be read */
static int read_text(lua_State *L)
{
    const char *path = throng_check_text(L, 1, "the file's name");
    throng_bytes file;
    throng_script_note_file(throng_script_of(L), path); /* also when it is not there yet */
    if (!throng_file_read(path, THRONG_FILE_MOST_TEXT, &file, NULL))
        return 0;
    lua_pushlstring(L, (const char *)file.data, file.size);
    free(file.data);
    return 1;
}

/* write_file(path, text): the file, whole or not at all; raises what is wrong */
static int write_file(lua_State *L)
{
    size_t size;
    throng_error error;
    const char *path = throng_check_text(L, 1, "the file's name"), *text = luaL_checklstring(L, 2, &size);
    throng_output *output = throng_output_begin(path, &error);
    if (output)
        fwrite(text, 1, size, throng_output_stream(output));
    if (output && throng_output_commit(output, &error))
        return 0;
    lua_pushstring(L, error.text);
    return lua_error(L);
}

/* read_named(owner, name): the path and text of a file that the script names and may see */
static int read_named(lua_State *L)
{
    char path[PATH_MAX];
    throng_bytes file;
    throng_error error;
    const char *owner = luaL_checkstring(L, 1);
    throng_script_find_file(L, owner, 2, path);
    throng_script_note_file(throng_script_of(L), path);
    if (!throng_file_read(path, THRONG_FILE_MOST_TEXT, &file, &error))
        throng_raise(L, "%s: %s", owner, error.text);
    lua_pushstring(L, path);
    lua_pushlstring(L, (const char *)file.data, file.size);
    free(file.data);
    return 2;
}

static int finish_entry(lua_State *L, int status, lua_KContext context)
{
    (void)status, (void)context;
    return lua_gettop(L);
}

static int enter(lua_State *L)
{
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_callk(L, lua_gettop(L) - 1, LUA_MULTRET, 0, finish_entry);
    return lua_gettop(L);
}

/* entry(f): f for scripts to call. A `return f()` forgets its line where f is in Lua, and keeps it where f is in C. */
static int entry(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TFUNCTION);
    lua_settop(L, 1);
    if (!lua_iscfunction(L, 1))
        lua_pushcclosure(L, enter, 1);
    return 1;
}

/* await(group): who is in it comes over time, and what is done to it before the first has come is refused. */
static int await(lua_State *L)
{
    throng_check_group(L, 1)->awaited = true;
    return 0;
}

/* tally(world, name, plan): a table that a source counts in; what it made survives the file being reloaded, and
 * the plan it was made by is then in `before`. So do the numbers in its table `numbers` (numbers.measured is what it
 * knows of `measure`), the group `people`, and the entries in lists.line and lists.coming, with a group of one in
 * `agent` and numbers. */
static int tally(lua_State *L)
{
    throng_check_world(L, 1);
    luaL_checkstring(L, 2);
    luaL_checkstring(L, 3);
    throng_world_part_push(L, 1, THRONG_PART_TALLIES);
    lua_createtable(L, 0, 4);
    lua_pushvalue(L, 2);
    lua_setfield(L, -2, "name");
    lua_pushvalue(L, 3);
    lua_setfield(L, -2, "plan");
    lua_pushinteger(L, 0);
    lua_setfield(L, -2, "made");
    lua_pushvalue(L, -1);
    lua_rawseti(L, -3, (lua_Integer)lua_rawlen(L, -3) + 1);
    return 1;
}

/* library(name): a file of throng's own Lua side, as a function */
static int library(lua_State *L)
{
    throng_script_library(L, luaL_checkstring(L, 1));
    return 1;
}

/* expect(world, 1 or -1): a source that will bring more agents; one less */
static int expect(lua_State *L)
{
    throng_world_expect(throng_check_world(L, 1)->world, (int32_t)luaL_checkinteger(L, 2));
    return 0;
}

/* keep_outside(world, agents): so many more, or less, wait for room at their source */
static int keep_outside(lua_State *L)
{
    throng_world_keep_outside(throng_check_world(L, 1)->world, luaL_checkinteger(L, 2));
    return 0;
}

/* count_announcement(world): the number of one more */
static int count_announcement(lua_State *L)
{
    lua_pushinteger(L, ++throng_check_world(L, 1)->announced);
    return 1;
}

/* draw(group, what): a number in [0, 1) of the group's first agent, the step and what it is for */
static int draw(lua_State *L)
{
    const throng_lua_group *group = throng_check_group(L, 1);
    const throng_world *world = group->owner->world;
    luaL_argcheck(L, group->count > 0, 1, "an agent expected");
    int32_t id = throng_agents_id(throng_world_agents(group->owner->world), group->handles[0].slot);
    uint32_t what = (uint32_t)luaL_checkinteger(L, 2);
    lua_pushnumber(L, throng_world_random(world, (uint32_t)id, throng_world_steps(world), what));
    return 1;
}

/* draw_once(agent, what): the same in every step */
static int draw_once(lua_State *L)
{
    const throng_lua_group *group = throng_check_group(L, 1);
    luaL_argcheck(L, group->count > 0, 1, "an agent expected");
    const throng_world *world = group->owner->world;
    int32_t id = throng_agents_id(throng_world_agents(group->owner->world), group->handles[0].slot);
    lua_pushnumber(L, throng_world_random(world, (uint32_t)id, 0, (uint32_t)luaL_checkinteger(L, 2)));
    return 1;
}

/* warn(text): beside what the script prints, with the place of the script that is at work */
static int warn(lua_State *L)
{
    throng_warn(L, "%s", luaL_checkstring(L, 1));
    return 0;
}

/*--- throng.backends()
 * Names of the backends that run on this machine.
 * @return string[]
 * @example
 * print(table.concat(throng.backends(), ", ")) */
static int backends(lua_State *L)
{
    static const char *const names[] = {"cpu", "cuda"};
    lua_newtable(L);
    for (int i = 0; i < 2; i++) {
        throng_stages stages;
        throng_error error;
        throng_backend_options options = {.threads = 1};
        if (!throng_stages_open(names[i], &options, &stages, &error))
            continue;
        throng_stages_close(&stages);
        lua_pushstring(L, names[i]);
        lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
    }
    return 1;
}

void throng_bind_host(lua_State *L)
{
    static const luaL_Reg functions[] = {{"raise", raise},
                                         {"unknown", unknown},
                                         {"nearest", nearest},
                                         {"describe", describe},
                                         {"context", context},
                                         {"stopped", is_stopped},
                                         {"resume", throng_script_resume},
                                         {"undeclared", throng_undeclared},
                                         {"read", read_text},
                                         {"write_file", write_file},
                                         {"read_named", read_named},
                                         {"confine", confine},
                                         {"entry", entry},
                                         {"load", throng_lua_load},
                                         {"run_file", throng_lua_run_file},
                                         {"run_scenario", throng_lua_run_scenario},
                                         {"backends", backends},
                                         {"library", library},
                                         {"print", throng_print},
                                         {"pairs", throng_ordered_pairs},
                                         {"expect", expect},
                                         {"keep_outside", keep_outside},
                                         {"count_announcement", count_announcement},
                                         {"draw", draw},
                                         {"warn", warn},
                                         {"draw_once", draw_once},
                                         {"tally", tally},
                                         {"repeat_now", throng_world_repeat_now},
                                         {"repeat_later", throng_world_repeat_later},
                                         {"on_present", throng_on_present},
                                         {"spawn_more", throng_world_spawn_more},
                                         {"spawn_fields", throng_world_spawn_fields},
                                         {"await", await},
                                         {"company_size", throng_company_size},
                                         {"hold_door", throng_hold_door},
                                         {"own_columns", throng_world_own_columns},
                                         {NULL, NULL}};
    luaL_newlib(L, functions);
    lua_pushstring(L, THRONG_VERSION);
    lua_setfield(L, -2, "version");
    throng_bind_sampler(L);
    throng_bind_figure(L);
    throng_bind_shape(L);
    throng_bind_planner(L);
    throng_bind_map(L);
    throng_bind_map_queries(L);
    throng_bind_door(L);
    throng_bind_flight(L);
    throng_bind_lift(L);
    throng_bind_measure(L);
    throng_bind_test(L);
    throng_bind_study(L);
    throng_bind_page(L);
    throng_bind_database(L);
    throng_bind_minimise(L);
    throng_bind_body(L);
    throng_bind_world(L);
    throng_bind_group(L);
    throng_bind_column(L);
    throng_bind_behaviour(L);
    throng_bind_air(L);
    throng_bind_choose(L);
    throng_bind_trajectory(L);
    throng_bind_compare(L);
    throng_bind_fds(L);
    throng_bind_program_recorder(L);
    throng_bind_sets(L);
    throng_bind_paths(L);
    throng_bind_batch(L);
    throng_bind_stages(L);
    throng_bind_influences(L);
    throng_bind_fsm(L);
    throng_bind_document(L);
    lua_setfield(L, LUA_REGISTRYINDEX, THRONG_HOST);
}
