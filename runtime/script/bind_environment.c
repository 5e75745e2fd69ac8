/* world:environment: what a program that learns is told of the scenario, and the two functions that judge. */
#include "callback.h"
#include "column_values.h"
#include "script_files.h"
#include "world_methods.h"

#include <string.h>

static const throng_range JUDGED = {-1e9, 1e9, false, ""};

/* THRONG_PART_ENVIRONMENT of a world: nothing, or these. */
enum { ENVIRONMENT_WHAT = 1, ENVIRONMENT_REWARD, ENVIRONMENT_ENDED, ENVIRONMENT_KEPT };

/* ---- the method: lua/throng/environment.lua has checked what its settings are; columns are numbers from here on */

static int32_t check_column(lua_State *L, const throng_lua_world *world, const char *field)
{
    const char *names[THRONG_COLUMN_COUNT + 1], *owner = lua_pushfstring(L, "world:environment: field '%s'", field);
    const char *name = throng_check_text(L, -2, owner);
    int column = throng_world_column_named(world, name);
    names[throng_world_column_names(world, names)] = NULL;
    if (column < 0)
        throng_raise_unknown(L, owner, "column", name, names);
    lua_pop(L, 2);
    return column;
}

static void read_observed(lua_State *L, const throng_lua_world *world, throng_environment *to)
{
    lua_getfield(L, -1, "observe");
    to->observed_count = (int32_t)lua_rawlen(L, -1);
    for (int32_t i = 0; i < to->observed_count; i++) {
        lua_rawgeti(L, -1, i + 1);
        to->observed[i] = check_column(L, world, "observe");
    }
    lua_pop(L, 1);
}

static double number_of(lua_State *L, const char *name)
{
    lua_getfield(L, -1, name);
    double value = lua_tonumber(L, -1);
    lua_pop(L, 1);
    return value;
}

static void read_acted(lua_State *L, const throng_lua_world *world, throng_environment *to)
{
    lua_getfield(L, -1, "act");
    to->acted_count = (int32_t)lua_rawlen(L, -1);
    for (int32_t i = 0; i < to->acted_count; i++) {
        lua_rawgeti(L, -1, i + 1);
        lua_getfield(L, -1, "name");
        int32_t column = to->acted[i].column = check_column(L, world, "act");
        double least = to->acted[i].least = number_of(L, "least"), most = to->acted[i].most = number_of(L, "most");
        const throng_column_info *info = throng_world_column(world, column);
        if (!info->is_float || !(info->attributes & THRONG_SCRIPT))
            throng_raise(L, "world:environment: field 'act': column '%s' cannot be written by a program", info->name);
        if (least < info->range.least || most > info->range.most)
            throng_raise(L, "world:environment: field 'act': '%s' is from %f to %f, and the column takes %f to %f",
                         info->name, least, most, info->range.least, info->range.most);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

static void read_learners(lua_State *L, const throng_lua_world *world, throng_environment *to)
{
    lua_getfield(L, -1, "learners");
    throng_group_sort(L, -1);
    const throng_lua_group *group = throng_check_group(L, -1);
    if (group->owner != world)
        throng_raise(L, "world:environment: field 'learners' is a group of another world");
    throng_handle *learners = lua_newuserdatauv(L, (size_t)group->count * sizeof *learners, 0);
    memcpy(learners, group->handles, (size_t)group->count * sizeof *learners);
    to->learners = learners;
    to->learner_count = group->count;
    lua_replace(L, -2);
}

int throng_world_environment_method(lua_State *L)
{
    const throng_lua_world *world = throng_check_world(L, 1);
    lua_settop(L, 2);
    throng_world_part_push(L, 1, THRONG_PART_ENVIRONMENT);
    if (lua_rawlen(L, -1) > 0)
        throng_raise(L, "world:environment: the world is one already, and can be no other");
    int part = lua_gettop(L);
    throng_host_push(L);
    lua_getfield(L, -1, "environment");
    lua_pushvalue(L, 1);
    lua_pushvalue(L, 2);
    lua_call(L, 2, 1);
    throng_environment *to = lua_newuserdatauv(L, sizeof *to, 0);
    lua_insert(L, -2);
    *to = (throng_environment){.velocity = number_of(L, "velocity"), .every = number_of(L, "every")};
    to->around = (throng_surroundings_def){.range = number_of(L, "range"),
                                           .neighbours = (int32_t)number_of(L, "neighbours"),
                                           .rays = (int32_t)number_of(L, "rays")};
    read_observed(L, world, to);
    read_acted(L, world, to);
    read_learners(L, world, to);
    lua_rawseti(L, part, ENVIRONMENT_KEPT);
    lua_getfield(L, -1, "reward");
    lua_rawseti(L, part, ENVIRONMENT_REWARD);
    if (lua_getfield(L, -1, "ended") == LUA_TNIL) {
        lua_pop(L, 1);
        lua_pushboolean(L, false);
    }
    lua_rawseti(L, part, ENVIRONMENT_ENDED);
    lua_pop(L, 1);
    lua_rawseti(L, part, ENVIRONMENT_WHAT);
    return 0;
}

/* ---- asked by programs */

static int push_environment(lua_State *L)
{
    const throng_environment **to = lua_touserdata(L, 1);
    lua_rawgeti(L, LUA_REGISTRYINDEX, throng_script_of(L)->world);
    throng_world_part_push(L, -1, THRONG_PART_ENVIRONMENT);
    lua_rawgeti(L, -1, ENVIRONMENT_WHAT);
    *to = lua_touserdata(L, -1);
    return 0;
}

const throng_environment *throng_script_environment(throng_script *script, throng_error *error)
{
    lua_State *L = script->L;
    const throng_environment *found = NULL;
    lua_pushcfunction(L, push_environment);
    lua_pushlightuserdata(L, &found);
    if (throng_script_call(L, 1, 0) != LUA_OK)
        throng_script_fail(L, error);
    else if (!found)
        throng_fail(error, "the scenario is no environment: world:environment { learners = ... } says who learns, what "
                           "they see and do, and what it is worth");
    return found;
}

typedef struct judgement {
    const throng_handle *learners;
    int32_t count;
    float *rewards;
    bool *ended;
} judgement;

enum { JUDGED_WORLD = 2, JUDGED_PART, JUDGED_GROUP }; /* in judge */

/* What the function says of each learner; true or false of all. [-0, +2] */
static const double *judge_by(lua_State *L, int function, const judgement *j)
{
    const throng_lua_world *value = throng_check_world(L, JUDGED_WORLD);
    const char *what = function == ENVIRONMENT_REWARD ? "the environment's reward" : "the environment's end";
    lua_rawgeti(L, JUDGED_PART, function);
    lua_pushvalue(L, JUDGED_GROUP);
    throng_callback_call(L, value, what, "", 1, 1);
    if (function == ENVIRONMENT_ENDED && lua_isboolean(L, -1)) {
        lua_pushnumber(L, lua_toboolean(L, -1));
        lua_replace(L, -2);
    }
    throng_check_world(L, JUDGED_WORLD); /* the function may have closed it */
    const throng_lua_group *group = throng_check_group(L, JUDGED_GROUP);
    if (group->count != j->count)
        throng_raise(L, "%s: its function removed learners: remove them in callbacks of the world", what);
    return throng_column_values(L, group, THRONG_COLUMN_speed, lua_gettop(L), what, &JUDGED);
}

static int judge(lua_State *L)
{
    const judgement *j = lua_touserdata(L, 1);
    lua_rawgeti(L, LUA_REGISTRYINDEX, throng_script_of(L)->world);
    throng_world_part_push(L, JUDGED_WORLD, THRONG_PART_ENVIRONMENT);
    throng_group_push(L, JUDGED_WORLD, j->learners, j->count, -1);
    const double *values = judge_by(L, ENVIRONMENT_REWARD, j);
    for (int32_t i = 0; i < j->count; i++)
        j->rewards[i] = (float)values[i];
    lua_settop(L, JUDGED_GROUP);
    lua_rawgeti(L, JUDGED_PART, ENVIRONMENT_ENDED);
    if (!lua_toboolean(L, -1))
        return 0;
    values = judge_by(L, ENVIRONMENT_ENDED, j);
    for (int32_t i = 0; i < j->count; i++)
        j->ended[i] = values[i] != 0;
    return 0;
}

bool throng_script_judge(throng_script *script, const throng_handle *learners, int32_t count, float *rewards,
                         bool *ended, throng_error *error)
{
    judgement j = {learners, count, rewards, ended};
    lua_pushcfunction(script->L, judge);
    lua_pushlightuserdata(script->L, &j);
    return throng_script_call(script->L, 1, 0) == LUA_OK || throng_script_fail(script->L, error);
}
