/* The states that agents are in: group:in_state; and hooks and conditions that are functions, which are called in
 * batches. */
#include "callback.h"
#include "fields.h"
#include "group_value.h"
#include "machine_value.h"

#include <stdio.h>
#include <string.h>

void throng_state_names_push(lua_State *L, const throng_world *world)
{
    int32_t count = throng_world_states(world);
    lua_createtable(L, count, 1);
    lua_pushliteral(L, "");
    lua_rawseti(L, -2, 0);
    for (int32_t s = 0; s < count; s++) {
        lua_pushstring(L, throng_world_state_name(world, s));
        lua_rawseti(L, -2, s + 1);
    }
}

static bool has_state(const throng_world *world, const char *name)
{
    for (int32_t s = 0; s < throng_world_states(world); s++)
        if (strcmp(throng_world_state_name(world, s), name) == 0)
            return true;
    return false;
}

/*--- group:in_state(name)
 * The agents of the group whose machine is in the state of that name.
 * @param name string Name of a state of a machine that runs in this world.
 * @return throng.group
 * @error a name that no machine has
 * @example
 * print(#visitors:in_state "stroll") */
int throng_group_in_method(lua_State *L)
{
    const throng_lua_group *group = throng_check_group(L, 1);
    const throng_world *world = group->owner->world;
    if (lua_type(L, 2) != LUA_TSTRING)
        throng_raise(L, "group:in_state: expected the name of a state, got %s", throng_describe(L, 2));
    const char *name = throng_check_name(L, 2);
    if (!has_state(world, name))
        throng_raise(L, "group:in_state: no machine that runs in this world has a state '%s'", name);
    const int32_t *state = throng_world_read(L, group->owner, THRONG_COLUMN_fsm_state);
    lua_getiuservalue(L, 1, 1);
    throng_lua_group *found = throng_group_push(L, lua_gettop(L), group->handles, group->count, -1);
    int32_t kept = 0;
    for (int32_t i = 0; i < group->count; i++) {
        int32_t in = state[group->handles[i].slot];
        if (in >= 0 && strcmp(throng_world_state_name(world, in), name) == 0)
            found->handles[kept++] = group->handles[i];
    }
    found->count = kept;
    found->named_after = group->named_after;
    return 1;
}

/* ---- hooks */

/* Who changed its state in the last step. */
typedef struct changes {
    int32_t count;
    throng_handle *handle;
    int32_t *from, *to;
    throng_handle *batch; /* room for as many again */
} changes;

/* Copies, since hooks may change the world's columns. [-0, +1] */
static changes push_changes(lua_State *L, const throng_lua_world *world)
{
    const throng_agents *agents = throng_world_agents(world->world);
    const int32_t *alive = throng_world_read(L, world, THRONG_COLUMN_state);
    const int32_t *to = throng_world_read(L, world, THRONG_COLUMN_fsm_state);
    const int32_t *from = throng_world_read(L, world, THRONG_COLUMN_fsm_before);
    const int32_t *since = throng_world_read(L, world, THRONG_COLUMN_fsm_since);
    int32_t step = (int32_t)throng_world_steps(world->world) - 1, slots = throng_agents_slots(agents), room = 0;
    for (int32_t s = 0; s < slots; s++)
        room += alive[s] && since[s] == step && to[s] >= 0;
    char *block = lua_newuserdatauv(L, (size_t)room * (2 * sizeof(throng_handle) + 8) + 1, 0);
    changes c = {.handle = (throng_handle *)block, .batch = (throng_handle *)block + room};
    c.from = (int32_t *)(c.batch + room);
    c.to = c.from + room;
    for (int32_t s = 0; s < slots; s++)
        if (alive[s] && since[s] == step && to[s] >= 0) {
            c.handle[c.count] = throng_agents_handle(agents, s);
            c.from[c.count] = from[s];
            c.to[c.count++] = to[s];
        }
    return c;
}

/* Calls the hook of state `state` for those whose entry in `in` it is. The list of hooks is at `hooks`. */
static void call_hook(lua_State *L, int index, int hooks, const char *hook, int32_t state, const changes *c,
                      const int32_t *in)
{
    char doing[128];
    const throng_lua_world *world = throng_check_world(L, index);
    const throng_agents *agents = throng_world_agents(world->world);
    int32_t count = 0;
    lua_rawgeti(L, hooks, state + 1);
    if (lua_getfield(L, -1, hook) == LUA_TFUNCTION) {
        for (int32_t i = 0; i < c->count; i++)
            if (in[i] == state && throng_agents_alive(agents, c->handle[i]))
                c->batch[count++] = c->handle[i];
        if (count > 0) {
            throng_group_push(L, index, c->batch, count, -1);
            snprintf(doing, sizeof doing, "the %s hook of state '%.80s'", hook,
                     throng_world_state_name(world->world, state));
            throng_callback_call(L, world, doing, "", 1, 0);
            lua_pop(L, 1);
            return;
        }
    }
    lua_pop(L, 2);
}

/* --- conditions that are functions */

/* Those of all agents that are in the state and have not been asked to leave it. [-0, +1] */
static throng_lua_group *push_members(lua_State *L, int index, const throng_lua_world *world, int32_t state)
{
    const throng_agents *agents = throng_world_agents(world->world);
    const int32_t *alive = throng_world_read(L, world, THRONG_COLUMN_state);
    const int32_t *in = throng_world_read(L, world, THRONG_COLUMN_fsm_state);
    const int32_t *asked = throng_world_read(L, world, THRONG_COLUMN_fsm_asked);
    int32_t slots = throng_agents_slots(agents), count = 0;
    throng_handle *members = lua_newuserdatauv(L, (size_t)(slots + 1) * sizeof *members, 0);
    for (int32_t s = 0; s < slots; s++)
        if (alive[s] && in[s] == state && asked[s] == -1)
            members[count++] = throng_agents_handle(agents, s);
    throng_lua_group *group = throng_group_push(L, index, members, count, -1);
    lua_remove(L, -2);
    return group;
}

/* Calls the test at the top with who is in the state; who it gives takes the transition. [-1, +0] */
static void call_test(lua_State *L, int index, int32_t state)
{
    throng_error error;
    char doing[128];
    int test = lua_gettop(L);
    const throng_lua_world *world = throng_check_world(L, index);
    lua_getfield(L, test, "option");
    int32_t option = (int32_t)lua_tointeger(L, -1);
    const throng_lua_group *members = push_members(L, index, world, state);
    if (members->count > 0) {
        lua_getfield(L, test, "test");
        lua_pushvalue(L, -2);
        snprintf(doing, sizeof doing, "a condition of state '%.80s'", throng_world_state_name(world->world, state));
        throng_callback_call(L, world, doing, "", 1, 1);
        const throng_lua_group *given = luaL_testudata(L, -1, THRONG_LUA_GROUP);
        if (given && given->owner != world)
            throng_raise(L, "%s returned a group of another world", doing);
        if (!given && !lua_isboolean(L, -1) && !lua_isnil(L, -1))
            throng_raise(L,
                         "%s must return those who go on: a group (like group:filter(...)), true for all, or false; "
                         "it returned %s",
                         doing, throng_describe(L, -1));
        if (given)
            throng_group_select(L, index, -1, members->handles, members->count);
        else if (lua_toboolean(L, -1))
            lua_pushvalue(L, test + 2);
        else
            lua_pushnil(L);
        const throng_lua_group *goes = luaL_testudata(L, -1, THRONG_LUA_GROUP);
        if (goes && !throng_world_ask(world->world, goes->handles, goes->count, state, option, &error))
            throng_raise_error(L, &error);
    }
    lua_settop(L, test - 1);
}

static void call_tests(lua_State *L, int index, int hooks, int32_t state)
{
    int top = lua_gettop(L);
    lua_rawgeti(L, hooks, state + 1);
    if (lua_getfield(L, -1, "tests") == LUA_TTABLE)
        for (lua_Integer i = 1; lua_rawgeti(L, top + 2, i) == LUA_TTABLE; i++)
            call_test(L, index, state);
    lua_settop(L, top);
}

void throng_hooks_call(lua_State *L, int index)
{
    index = lua_absindex(L, index);
    int top = lua_gettop(L);
    const changes c = push_changes(L, throng_check_world(L, index));
    throng_world_part_push(L, index, THRONG_PART_HOOKS);
    int32_t states = (int32_t)lua_rawlen(L, -1);
    for (int32_t s = 0; c.count > 0 && s < states; s++)
        call_hook(L, index, top + 2, "exit", s, &c, c.from);
    for (int32_t s = 0; c.count > 0 && s < states; s++)
        call_hook(L, index, top + 2, "enter", s, &c, c.to);
    for (int32_t s = 0; s < states; s++)
        call_tests(L, index, top + 2, s);
    lua_settop(L, top);
}
