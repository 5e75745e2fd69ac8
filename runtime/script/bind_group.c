/* throng.group: a set of agents, with columns and bulk operations. */
#include "binders.h"
#include "column_values.h"
#include "group_methods.h"
#include "machine_value.h"
#include "script_files.h"
#include "script_parts.h"

#include <stdio.h>

#include <string.h>

/*--- class throng.group as group
 * A set of agents. A column is read whole (`group.x`) and written whole (`group.speed = 1.2`, a list, a column,
 * throng.uniform(...)). Agents that were removed drop out of every group. A function of the time and the agent
 * (`group.speed = function(t, a) return 1 + 0.2 * math.sin(t) end`) is compiled and computed for each agent in every
 * frame, until the column is written again: see throng.behaviour. Groups are sets: `a | b`, `a & b`, `a - b`,
 * of those who are in them at that moment: whom a source lets in later is in its own group alone.
 * In scenarios `for i, agent in ipairs(group)` gives who was there when the loop began, which may remove them.
 * @operator bor(throng.group): throng.group
 * @operator band(throng.group): throng.group
 * @operator sub(throng.group): throng.group
 * @field count integer Living agents in it, like #group.
 * @field name string The name it was spawned under; of a part of it, too.
 * @field world throng.world The world it lives in.
 * @field [integer] throng.group The i-th agent as a group of one.
 * @field desired throng.behaviour_like|{ [1]: throng.values, [2]: throng.values }? Preferred velocity, m/s: a
 * function(t, a) that returns vx, vy (a.desired_vx and a.desired_vy hold the velocity towards the goal); or {vx, vy},
 * kept until it is written again; or nil, to follow goals again. Read as {vx, vy}. */

/*--- class throng.group.stats
 * The result of group:stats().
 * @field spawned integer All agents that were ever spawned in it.
 * @field living integer Agents in the world now.
 * @field arrived integer Removed agents of a spawn count too.
 * @field first_arrival? number(s) When the first one arrived.
 * @field last_arrival? number(s) When the last one so far arrived. */

/* ---- what was removed, for group:stats() */

static const int32_t *read_arrived(lua_State *L, const throng_lua_group *group)
{
    throng_error error;
    const int32_t *arrived =
        throng_agents_read(throng_world_agents(group->owner->world), THRONG_COLUMN_arrived, &error);
    if (!arrived)
        throng_raise_error(L, &error);
    return arrived;
}

static void count_arrival(throng_lua_spawned *kind, int32_t step)
{
    if (step < 0)
        return;
    kind->arrived++;
    kind->first = kind->first < 0 || step < kind->first ? step : kind->first;
    kind->last = step > kind->last ? step : kind->last;
}

/* What the columns say of agents that were removed just now stands there until somebody has their place. */
static void remember_removed(throng_lua_world *world, const throng_lua_group *group, const int32_t *arrived,
                             const int32_t *groups)
{
    for (int32_t i = 0; i < group->count; i++) {
        int32_t slot = group->handles[i].slot;
        world->spawned[groups[slot]].removed++;
        count_arrival(&world->spawned[groups[slot]], arrived[slot]);
    }
}

/* ---- becoming others */

/* Leaves in the group those who are of group `kind`, or those who are not. */
static void keep_those(throng_lua_group *group, const int32_t *groups, int32_t kind, bool of_it)
{
    int32_t kept = 0;
    for (int32_t i = 0; i < group->count; i++)
        if ((groups[group->handles[i].slot] == kind) == of_it)
            group->handles[kept++] = group->handles[i];
    group->count = kept;
}

/* Takes those of group `kind` out of the group they were spawned in, but for that one. */
static void leave_groups(lua_State *L, int world, const int32_t *groups, int32_t kind)
{
    throng_world_part_push(L, world, THRONG_PART_BY_GROUP);
    for (int32_t k = 0; k < throng_check_world(L, world)->spawned_count; k++, lua_pop(L, 1)) {
        if (lua_rawgeti(L, -1, k + 1) == LUA_TNIL || k == kind)
            continue;
        keep_those(throng_check_group(L, -1), groups, kind, false);
    }
    lua_pop(L, 1);
}

/* The agents of the group that are not of the kind, as a group. [-0, +1] */
static throng_lua_group *others_push(lua_State *L, int world, const throng_lua_group *group, int32_t kind)
{
    throng_error error;
    const int32_t *groups = throng_agents_read(throng_world_agents(group->owner->world), THRONG_COLUMN_group, &error);
    if (!groups)
        throng_raise_error(L, &error);
    throng_lua_group *others = throng_group_push(L, world, group->handles, group->count, -1);
    int32_t count = 0;
    for (int32_t i = 0; i < group->count; i++)
        if (groups[group->handles[i].slot] != kind)
            others->handles[count++] = group->handles[i];
    others->count = count;
    others->named_after = kind;
    return others;
}

/*--- group:become(name)
 * Moves the agents to the group of that name: agents that change type. They then count for it in world.groups, in the
 * colours of pictures, and for throng.near, throng.pursue, throng.flee and world:avoidance. Their columns, goals and
 * machines stay.
 * @param name string The name of a spawn.
 * @return throng.group The agents that were of another group before.
 * @error a name of no group
 * @example
 * bitten:become("zombies"):run(hunt) */
static int become(lua_State *L)
{
    throng_error error;
    const throng_lua_group *group = throng_check_members(L, 1, "group:become");
    throng_lua_world *world = group->owner;
    throng_refuse_hooked(L, world, "group:become");
    if (lua_type(L, 2) != LUA_TSTRING || !*throng_check_name(L, 2))
        throng_raise(L, "group:become: expected the name of a group that was spawned, got %s", throng_describe(L, 2));
    int32_t kind = throng_kind_named(L, world->world, "group:become", lua_tostring(L, 2));
    throng_agents *agents = throng_world_agents(world->world);
    lua_settop(L, 1);
    lua_getiuservalue(L, 1, 1);                                      /* 2 */
    const throng_lua_group *others = others_push(L, 2, group, kind); /* 3 */
    const int32_t *groups = throng_agents_read(agents, THRONG_COLUMN_group, &error);
    if (!groups)
        throng_raise_error(L, &error);
    throng_world_part_push(L, 2, THRONG_PART_BY_GROUP);
    bool known = lua_rawgeti(L, -1, kind + 1) != LUA_TNIL;
    if (known) /* first, since there may be no memory for it */
        throng_group_extend(L, -1, others->handles, others->count);
    if (!throng_agents_set(agents, THRONG_COLUMN_group, others->handles, others->count, kind, &error)) {
        if (known)
            keep_those(throng_check_group(L, -1), groups, kind, true);
        throng_raise_error(L, &error);
    }
    leave_groups(L, 2, groups, kind);
    world->spawned[kind].spawned += others->count;
    lua_settop(L, 3);
    return 1;
}

/*--- group:control()
 * Gives the agents to the player. In `throng view` the arrow keys, or W, A, S and D, steer them, each at its `speed`;
 * they stand while no key is down. A script steers them by group.desired. A world has one group of players.
 * @return throng.group self
 * @example
 * world:spawn({ name = "player", at = { { 2, 5 } }, mass = 400, planner = "none" }):control() */
static int control(lua_State *L)
{
    throng_error error;
    const throng_lua_group *group = throng_check_members(L, 1, "group:control");
    throng_refuse_hooked(L, group->owner, "group:control");
    if (!throng_world_control(group->owner->world, group->handles, group->count, &error))
        throng_raise_error(L, &error);
    lua_settop(L, 1);
    return 1;
}

/* ---- methods */

/*--- group:remove()
 * Removes the agents from the world.
 * @example
 * guests:inside("exit"):remove() */
static int remove_agents(lua_State *L)
{
    throng_lua_group *group = throng_check_group(L, 1);
    throng_refuse_hooked(L, group->owner, "group:remove");
    if (group->count > 1 && lua_isnumber(L, 2)) /* of one agent, it is a callback with its counter */
        throng_raise(L, "group:remove takes () and removes all %d; group[%d]:remove() removes one", (int)group->count,
                     (int)lua_tointeger(L, 2));
    if (luaL_testudata(L, 2, THRONG_LUA_GROUP))
        throng_raise(L,
                     "group:remove takes () and removes all %d of the group before the colon; of one that a function "
                     "is given, as `arrived`, write arrived:remove()",
                     (int)group->count);
    if (group->count == 0)
        return 0;
    throng_error error;
    throng_lua_world *world = group->owner;
    const int32_t *arrived = read_arrived(L, group);
    const int32_t *groups = throng_agents_read(throng_world_agents(world->world), THRONG_COLUMN_group, &error);
    if (!groups)
        throng_raise_error(L, &error);
    if (throng_world_remove(world->world, group->handles, group->count, &error) < 0)
        throng_raise(L, "group:remove: %s", error.text);
    remember_removed(world, group, arrived, groups);
    world->removals++;
    throng_check_group(L, 1); /* without them */
    return 0;
}

static void set_time(lua_State *L, const throng_lua_world *world, const char *name, int32_t step)
{
    if (step < 0)
        return;
    lua_pushnumber(L, step * throng_world_dt(world->world));
    lua_setfield(L, -2, name);
}

static void set_count(lua_State *L, const char *name, int32_t count)
{
    lua_pushinteger(L, count);
    lua_setfield(L, -2, name);
}

/*--- group:stats()
 * Counts and times of arrival.
 * @return throng.group.stats
 * @example
 * local stats = guests:stats()
 * print(stats.spawned, stats.arrived) */
static int stats(lua_State *L)
{
    static const char *const names[] = {"spawned", "living", "arrived", "first_arrival", "last_arrival", NULL};
    const throng_lua_group *group = throng_check_group(L, 1);
    throng_lua_spawned kind = {.spawned = group->count, .first = -1, .last = -1};
    if (group->kind >= 0)
        kind = group->owner->spawned[group->kind];
    const int32_t *arrived = group->count ? read_arrived(L, group) : NULL;
    for (int32_t i = 0; i < group->count; i++)
        count_arrival(&kind, arrived[group->handles[i].slot]);
    lua_createtable(L, 0, 6);
    set_count(L, "spawned", kind.spawned);
    set_count(L, "living", group->count);
    set_count(L, "arrived", kind.arrived);
    set_time(L, group->owner, "first_arrival", kind.first);
    set_time(L, group->owner, "last_arrival", kind.last);
    throng_fields_name(L, "group:stats()", names);
    return 1;
}

/* For the message of who goes on with the nil. */
static void note_beyond(lua_State *L, const throng_lua_group *group, lua_Integer at)
{
    throng_script *script = throng_script_of(L);
    snprintf(script->beyond_group, sizeof script->beyond_group, "group '%.60s' has %d agents now, and [%lld] is nobody",
             throng_group_name(group), (int)group->count, (long long)at);
    throng_position_push(L);
    snprintf(script->beyond_place, sizeof script->beyond_place, "%s", lua_tostring(L, -1));
    lua_pop(L, 1);
}

/* group[i]: the i-th agent as a group of one; nil beyond the last, as loops expect */
static int push_one(lua_State *L, const throng_lua_group *group, lua_Integer at)
{
    if (at < 1)
        throng_raise(L, "group[%I]: agents of a group are counted from 1 to #group", (LUAI_UACINT)at);
    if (at > group->count) {
        note_beyond(L, group, at);
        return 0;
    }
    lua_getiuservalue(L, 1, 1);
    throng_lua_group *one = throng_group_push(L, lua_gettop(L), &group->handles[at - 1], 1, -1);
    one->named_after = group->named_after;
    return 1;
}

static int choose(lua_State *L)
{
    throng_check_group(L, 1);
    return throng_host_call(L, "choose");
}

static int start_with(lua_State *L)
{
    throng_check_members(L, 1, "group:start_with");
    return throng_host_call(L, "start_with");
}

static const luaL_Reg METHODS[] = {{"go_to", throng_group_go_to},
                                   {"choose", choose},
                                   {"start_with", start_with},
                                   {"run", throng_group_run_method},
                                   {"in_state", throng_group_in_method},
                                   {"on", throng_group_on},
                                   {"remove", remove_agents},
                                   {"become", become},
                                   {"control", control},
                                   {"walk_together", throng_group_walk_together},
                                   {"walk_alone", throng_group_walk_alone},
                                   {"stats", stats},
                                   {"filter", throng_group_filter},
                                   {"inside", throng_group_inside},
                                   {"tag", throng_group_tag},
                                   {"untag", throng_group_untag},
                                   {NULL, NULL}};

static const char *const FIELDS[] = {"count", "name", "world", "desired"};
enum { FIELD_COUNT = sizeof FIELDS / sizeof *FIELDS };

bool throng_group_has(const char *name)
{
    for (const luaL_Reg *method = METHODS; method->name; method++)
        if (strcmp(method->name, name) == 0)
            return true;
    for (int i = 0; i < FIELD_COUNT; i++)
        if (strcmp(FIELDS[i], name) == 0)
            return true;
    return false;
}

_Noreturn static void raise_unknown_field(lua_State *L, const throng_lua_world *world, const char *key)
{
    const char
        *names[sizeof METHODS / sizeof *METHODS + FIELD_COUNT + THRONG_COLUMN_COUNT]; /* METHODS ends with nothing */
    int count = 0;
    for (const luaL_Reg *method = METHODS; method->name; method++)
        names[count++] = method->name;
    for (int i = 0; i < FIELD_COUNT; i++)
        names[count++] = FIELDS[i];
    count += throng_world_column_names(world, names + count);
    names[count] = NULL;
    throng_raise_unknown(L, "group", "field", key, names);
}

static int index_group(lua_State *L)
{
    const throng_lua_group *group = throng_check_group(L, 1);
    if (lua_isinteger(L, 2))
        return push_one(L, group, lua_tointeger(L, 2));
    const char *key = throng_check_name(L, 2);
    for (const luaL_Reg *method = METHODS; method->name; method++)
        if (strcmp(method->name, key) == 0) {
            lua_pushcfunction(L, method->func);
            return 1;
        }
    int column = throng_world_column_named(group->owner, key);
    if (column >= 0)
        throng_column_push(L, group, column);
    else if (strcmp(key, "count") == 0)
        lua_pushinteger(L, group->count);
    else if (strcmp(key, "name") == 0)
        lua_pushstring(L, throng_group_name(group));
    else if (strcmp(key, "world") == 0)
        lua_getiuservalue(L, 1, 1);
    else if (strcmp(key, "desired") == 0)
        throng_desired_push(L, group);
    else
        raise_unknown_field(L, group->owner, key);
    return 1;
}

static int write_group(lua_State *L)
{
    const throng_lua_group *group = throng_check_group(L, 1);
    if (lua_type(L, 2) != LUA_TSTRING)
        throng_raise(L, "group: expected the name of a column, got %s", throng_describe(L, 2));
    const char *name = throng_check_name(L, 2);
    if (strcmp(name, "desired") == 0) {
        throng_desired_write(L, 3);
        return 0;
    }
    int column = throng_world_column_named(group->owner, name);
    if (column >= 0)
        throng_check_members(L, 1, lua_pushfstring(L, "group.%s", name));
    if (column < 0 && throng_group_has(name))
        throng_raise(L, "group: '%s' cannot be written%s", name,
                     strcmp(name, "name") == 0 ? "; world:spawn { name = ... } gives a group its name, and group:tag "
                                                 "another one"
                                               : "");
    if (column < 0)
        raise_unknown_field(L, group->owner, name);
    throng_column_write(L, group, column, 3);
    return 0;
}

static int size_of(lua_State *L)
{
    lua_pushinteger(L, throng_check_group(L, 1)->count);
    return 1;
}

/* The same agents, whatever the groups are called. */
static int equal(lua_State *L)
{
    const throng_lua_group *a = luaL_testudata(L, 1, THRONG_LUA_GROUP), *b = luaL_testudata(L, 2, THRONG_LUA_GROUP);
    bool same = a && b && a->owner == b->owner && a->owner->world;
    if (same) {
        throng_check_group(L, 1);
        throng_check_group(L, 2);
        same = a->count == b->count && memcmp(a->handles, b->handles, (size_t)a->count * sizeof *a->handles) == 0;
    }
    lua_pushboolean(L, same);
    return 1;
}

static int to_string(lua_State *L)
{
    const throng_lua_group *group = luaL_checkudata(L, 1, THRONG_LUA_GROUP);
    if (!group->owner->world)
        lua_pushliteral(L, "group of a closed world");
    else
        lua_pushfstring(L, "group '%s' of %d agents", throng_group_name(group), (int)group->count);
    return 1;
}

/* (group, i): upvalue: the handles of who was there when the loop began. Who was removed since is left out. */
static int next_one(lua_State *L)
{
    const throng_lua_group *group = luaL_checkudata(L, 1, THRONG_LUA_GROUP);
    const throng_handle *handles = lua_touserdata(L, lua_upvalueindex(1));
    lua_Integer count = (lua_Integer)(lua_rawlen(L, lua_upvalueindex(1)) / sizeof *handles);
    for (lua_Integer i = luaL_checkinteger(L, 2); i < count; i++)
        if (throng_agents_alive(throng_world_agents(group->owner->world), handles[i])) {
            lua_pushinteger(L, i + 1);
            lua_getiuservalue(L, 1, 1);
            throng_lua_group *one = throng_group_push(L, lua_gettop(L), &handles[i], 1, -1);
            one->named_after = group->named_after;
            lua_remove(L, -2);
            return 2;
        }
    return 0;
}

/* Agents one by one, for pairs and ipairs; the loop may remove them. */
static int pairs_of(lua_State *L)
{
    const throng_lua_group *group = throng_check_group(L, 1);
    size_t size = (size_t)group->count * sizeof *group->handles;
    memcpy(lua_newuserdatauv(L, size, 0), group->handles, size);
    lua_pushcclosure(L, next_one, 1);
    lua_pushvalue(L, 1);
    lua_pushinteger(L, 0);
    return 3;
}

static int refuse_call(lua_State *L)
{
    throng_raise(L,
                 "a group is no function and no iterator: for i, agent in ipairs(group) do ... end gives its agents");
}

void throng_bind_group(lua_State *L)
{
    static const luaL_Reg meta[] = {
        {"__index", index_group}, {"__newindex", write_group}, {"__len", size_of}, {"__tostring", to_string},
        {"__pairs", pairs_of},    {"__call", refuse_call},     {"__eq", equal},    {NULL, NULL}};
    luaL_newmetatable(L, THRONG_LUA_GROUP);
    luaL_setfuncs(L, meta, 0);
    lua_pushboolean(L, false);
    lua_setfield(L, -2, "__metatable");
    lua_pop(L, 1);
}
