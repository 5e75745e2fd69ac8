/* What scripts hold of a group: handles in the order of slots. Agents that were removed drop out of every group; a
 * group never refers to another agent instead. */
#include "fields.h"
#include "group_value.h"

#include <stdlib.h>
#include <string.h>

throng_lua_group *throng_group_push(lua_State *L, int world, const throng_handle *handles, int32_t count, int32_t kind)
{
    world = lua_absindex(L, world);
    throng_lua_group *group = lua_newuserdatauv(L, sizeof *group, 2);
    *group = (throng_lua_group){.owner = throng_check_world(L, world), .kind = kind, .named_after = kind};
    group->handles = lua_newuserdatauv(L, (size_t)count * sizeof *handles + 1, 0);
    lua_setiuservalue(L, -2, 2);
    group->count = count;
    group->removals = group->owner->removals;
    if (count > 0)
        memcpy(group->handles, handles, (size_t)count * sizeof *handles);
    luaL_setmetatable(L, THRONG_LUA_GROUP);
    lua_pushvalue(L, world);
    lua_setiuservalue(L, -2, 1);
    return group;
}

static void drop_removed(throng_lua_group *group)
{
    const throng_agents *agents = throng_world_agents(group->owner->world);
    int32_t kept = 0;
    for (int32_t i = 0; i < group->count; i++)
        if (throng_agents_alive(agents, group->handles[i]))
            group->handles[kept++] = group->handles[i];
    group->count = kept;
    group->removals = group->owner->removals;
}

throng_lua_group *throng_check_group(lua_State *L, int index)
{
    throng_refuse_finalizer(L);
    throng_lua_group *group = throng_check_self(L, index, THRONG_LUA_GROUP, "group", "go_to");
    if (!group->owner->world)
        throng_raise(L, "the world of this group was closed");
    if (group->removals != group->owner->removals)
        drop_removed(group);
    return group;
}

throng_lua_group *throng_check_members(lua_State *L, int index, const char *what)
{
    throng_lua_group *group = throng_check_group(L, index);
    if (group->awaited && throng_spawned_follow(group->owner)[group->kind].spawned == 0)
        throng_raise(
            L,
            "%s: nobody of '%s' has come yet, and it would do nothing to those who come later: give world:source "
            "the field for it, or each = function(batch) ... end, which is called with those who come",
            what, throng_group_name(group));
    return group;
}

const char *throng_group_name(const throng_lua_group *group)
{
    return group->named_after >= 0 ? throng_world_group_name(group->owner->world, group->named_after) : "agents";
}

/* ---- membership */

static int by_slot(const void *a, const void *b)
{
    const throng_handle *x = a, *y = b;
    return (x->slot > y->slot) - (x->slot < y->slot);
}

void throng_group_reserve(lua_State *L, int index, int32_t more)
{
    index = lua_absindex(L, index);
    throng_lua_group *group = throng_check_group(L, index);
    size_t all = (size_t)group->count + (size_t)more;
    throng_handle *grown = lua_newuserdatauv(L, all * sizeof *grown + 1, 0);
    memcpy(grown, group->handles, (size_t)group->count * sizeof *grown);
    lua_setiuservalue(L, index, 2);
    group->handles = grown;
    group->room = (int32_t)all;
}

void throng_group_extend(lua_State *L, int index, const throng_handle *handles, int32_t count)
{
    throng_lua_group *group = throng_check_group(L, index);
    if (group->room < group->count + count)
        throng_group_reserve(L, index, count);
    memcpy(group->handles + group->count, handles, (size_t)count * sizeof *handles);
    group->count += count;
    group->room = 0;
    throng_group_sort(L, index);
}

void throng_group_sort(lua_State *L, int index)
{
    throng_lua_group *group = throng_check_group(L, index);
    int32_t kept = 0;
    qsort(group->handles, (size_t)group->count, sizeof *group->handles, by_slot);
    for (int32_t i = 0; i < group->count; i++)
        if (kept == 0 || by_slot(&group->handles[i], &group->handles[kept - 1]) != 0)
            group->handles[kept++] = group->handles[i];
    group->count = kept;
}

static bool holds(const throng_lua_group *group, throng_handle handle)
{
    int32_t low = 0, high = group->count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (group->handles[middle].slot < handle.slot)
            low = middle + 1;
        else
            high = middle;
    }
    return low < group->count && group->handles[low].slot == handle.slot &&
           group->handles[low].generation == handle.generation;
}

const throng_lua_group *throng_group_select(lua_State *L, int world, int index, const throng_handle *handles,
                                            int32_t count)
{
    const throng_lua_group *group = lua_toboolean(L, index) ? throng_check_group(L, index) : NULL;
    const throng_agents *agents = throng_world_agents(throng_check_world(L, world)->world);
    throng_lua_group *selected = throng_group_push(L, world, handles, count, -1);
    int32_t kept = 0;
    for (int32_t i = 0; i < count; i++)
        if (throng_agents_alive(agents, handles[i]) && (!group || holds(group, handles[i])))
            selected->handles[kept++] = handles[i];
    selected->count = kept;
    selected->named_after = group ? group->named_after : -1;
    return selected;
}

void throng_agents_push(lua_State *L, int world)
{
    throng_error error;
    throng_agents *agents = throng_world_agents(throng_check_world(L, world)->world);
    int32_t count = 0, room = throng_agents_count(agents), slots = throng_agents_slots(agents);
    throng_handle *handles = lua_newuserdatauv(L, (size_t)room * sizeof *handles + 1, 0);
    const int32_t *state = room ? throng_agents_read(agents, THRONG_COLUMN_state, &error) : NULL;
    if (room && !state)
        throng_raise_error(L, &error);
    for (int32_t slot = 0; slot < slots && count < room; slot++)
        if (state[slot] & THRONG_STATE_ALIVE)
            handles[count++] = throng_agents_handle(agents, slot);
    throng_group_push(L, world, handles, count, -1);
}

/* ---- names */

int32_t throng_kind_named(lua_State *L, const throng_world *world, const char *owner, const char *name)
{
    const char *names[64];
    int32_t count = throng_world_group_count(world);
    if (!*name)
        return -1;
    for (int32_t k = 0; k < count; k++)
        if (strcmp(throng_world_group_name(world, k), name) == 0)
            return k;
    int32_t listed = count < 63 ? count : 63;
    for (int32_t k = 0; k < listed; k++)
        names[k] = throng_world_group_name(world, k);
    names[listed] = NULL;
    throng_raise_unknown(L, owner, "group", name, names);
}
