/* A changed scenario goes on where the old one was: the Lua side of world_migrate.h. */
#include "behaviours.h"
#include "group_methods.h"
#include "machine_value.h"
#include "script_parts.h"
#include "world_methods.h"

#include <string.h>

#include "world/measure.h"
#include "world/world_migrate.h"

typedef struct reload {
    throng_script *old;
    throng_migration *migration;
} reload;

/* The scenario's world. [-0, +1] */
static throng_lua_world *push_world(lua_State *L)
{
    lua_rawgeti(L, LUA_REGISTRYINDEX, throng_script_of(L)->world);
    return throng_check_world(L, lua_gettop(L));
}

/* ---- groups */

/* Everybody of the kind who lives, as a group. [-0, +1] */
static throng_lua_group *push_kind(lua_State *L, int index, const throng_lua_world *world, int32_t kind)
{
    const throng_agents *agents = throng_world_agents(world->world);
    const int32_t *state = throng_world_read(L, world, THRONG_COLUMN_state);
    const int32_t *groups = throng_world_read(L, world, THRONG_COLUMN_group);
    int32_t count = 0, slots = throng_agents_slots(agents);
    throng_handle *handles = lua_newuserdatauv(L, (size_t)slots * sizeof *handles + 1, 0);
    for (int32_t s = 0; s < slots; s++)
        if (state[s] && groups[s] == kind)
            handles[count++] = throng_agents_handle(agents, s);
    throng_lua_group *group = throng_group_push(L, index, handles, count, kind);
    lua_remove(L, -2);
    return group;
}

/* The group that the script has of its number holds everybody; groups that a callback made get theirs. */
static void refill_group(lua_State *L, int index, const throng_lua_world *world, int32_t kind)
{
    int top = lua_gettop(L);
    throng_lua_group *all = push_kind(L, index, world, kind); /* top + 1 */
    throng_world_part_push(L, index, THRONG_PART_BY_GROUP);   /* top + 2 */
    if (lua_rawgeti(L, top + 2, kind + 1) == LUA_TNIL) {
        lua_pushvalue(L, top + 1);
        lua_rawseti(L, top + 2, kind + 1);
        throng_world_part_push(L, index, THRONG_PART_GROUPS);
        lua_pushstring(L, throng_world_group_name(world->world, kind));
        lua_pushvalue(L, top + 1);
        lua_rawset(L, -3);
    } else {
        throng_lua_group *group = lua_touserdata(L, -1);
        lua_getiuservalue(L, top + 1, 2);
        lua_setiuservalue(L, top + 3, 2);
        group->handles = all->handles;
        group->count = all->count;
        group->removals = world->removals;
    }
    lua_settop(L, top);
}

/* What removed agents had done, of groups that go on. */
static void migrate_spawned(lua_State *L, int index, throng_lua_world *world, const throng_lua_world *old,
                            const throng_migration *migration)
{
    int32_t groups = throng_world_group_count(world->world);
    throng_spawned_reserve(L, world, groups);
    throng_lua_spawned *now = throng_spawned_follow(world);
    for (int32_t k = 0; k < migration->group_count && k < old->spawned_count; k++)
        if (migration->successors[k] >= 0)
            now[migration->successors[k]] = old->spawned[k];
    world->removals++;
    for (int32_t k = 0; k < groups; k++)
        refill_group(L, index, world, k);
}

/* Those of a group of the old world that there still are. [-0, +1] */
static void push_successors(lua_State *L, int index, const throng_lua_group *group, const throng_migration *migration)
{
    int32_t count = 0;
    throng_handle *handles = lua_newuserdatauv(L, (size_t)group->count * sizeof *handles + 1, 0);
    for (int32_t i = 0; i < group->count; i++) {
        throng_handle now = throng_migration_successor(migration, group->handles[i]);
        if (now.generation)
            handles[count++] = now;
    }
    throng_group_push(L, index, handles, count, -1);
    lua_remove(L, -2);
    throng_group_sort(L, -1);
}

/* Who had a tag in the old world has it in this one, too. The old state is read only: nothing in it can fail. */
static void migrate_tags(lua_State *L, int index, lua_State *from, const throng_migration *migration)
{
    int base = lua_gettop(from);
    lua_rawgeti(from, LUA_REGISTRYINDEX, throng_script_of(from)->world);
    throng_world_part_push(from, base + 1, THRONG_PART_TAGS);
    lua_pushnil(from);
    while (lua_next(from, base + 2)) {
        lua_pushcfunction(L, throng_group_tag);
        push_successors(L, index, lua_touserdata(from, -1), migration);
        lua_pushstring(L, lua_tostring(from, -2));
        lua_call(L, 2, 0);
        lua_pop(from, 1);
    }
    lua_settop(from, base);
}

/* ---- machines */

/* So many states of the machine at `a` live on, by name, in the one at `b`. */
static int32_t common_states(lua_State *from, int a, lua_State *L, int b)
{
    int32_t common = 0;
    int32_t count = throng_machine_states(from, a), others = throng_machine_states(L, b);
    for (int32_t i = 0; i < count; i++) {
        const char *name = throng_machine_state(from, a, i);
        for (int32_t k = 0; k < others; k++)
            if (strcmp(name, throng_machine_state(L, b, k)) == 0) {
                common++;
                break;
            }
    }
    return common;
}

/* The machine of the file that goes on for the old one at the top of `from`: the one of most of its states; of several,
 * the one that was made as the same, then the first. Nil: none has any. [-0, +1] */
static void push_successor(lua_State *L, lua_State *from)
{
    int old = lua_gettop(from);
    lua_Integer same = throng_machine_number(from, old), best = 0;
    int32_t most = 0;
    throng_machines_push(L);
    int list = lua_gettop(L);
    for (lua_Integer i = 1; i <= throng_script_of(L)->machines; i++) {
        int32_t common = lua_rawgeti(L, list, i) == LUA_TUSERDATA ? common_states(from, old, L, list + 1) : 0;
        if (common > most || (common && common == most && i == same)) {
            most = common;
            best = i;
        }
        lua_settop(L, list);
    }
    lua_rawgeti(L, list, best);
    lua_remove(L, list);
}

/* Those whom a callback gave the machine, as a group of the fresh world. [-0, +1] */
static const throng_lua_group *push_runners(lua_State *L, int index, const throng_migration *migration, int64_t machine)
{
    throng_handle *handles = lua_newuserdatauv(L, (size_t)migration->slots * sizeof *handles + 1, 0);
    int32_t count = 0;
    for (int32_t s = 0; s < migration->slots; s++)
        if (migration->became[s].generation && migration->machine[s] == machine)
            handles[count++] = migration->became[s];
    const throng_lua_group *group = throng_group_push(L, index, handles, count, -1);
    lua_remove(L, -2);
    return group;
}

static void migrate_machine(lua_State *L, int index, const reload *r, int64_t number)
{
    throng_error error;
    int top = lua_gettop(L);
    const throng_lua_group *group = push_runners(L, index, r->migration, number); /* top + 1 */
    push_successor(L, r->old->L);
    if (group->count && lua_isnil(L, -1)) {
        r->migration->restarted += group->count;
    } else if (group->count) {
        lua_pushcfunction(L, throng_group_run_method);
        lua_insert(L, top + 1);
        lua_call(L, 2, 0);
        const throng_lua_world *old = push_world(r->old->L);
        lua_pop(r->old->L, 1);
        if (!throng_world_migrate_machine(throng_check_world(L, index)->world, old->world, r->migration, number,
                                          &error))
            throng_raise_error(L, &error);
    }
    lua_settop(L, top);
}

/* Who runs a machine that a callback gave goes on in the file's that it has become. */
static void migrate_machines(lua_State *L, int index, const reload *r)
{
    lua_State *from = r->old->L;
    int base = lua_gettop(from);
    push_world(from);
    throng_world_part_push(from, base + 1, THRONG_PART_MACHINES);
    for (lua_Integer number = 1; lua_rawgeti(from, base + 2, number) == LUA_TUSERDATA; number++) {
        migrate_machine(L, index, r, number);
        lua_settop(from, base + 2);
    }
    lua_settop(from, base);
}

/* ---- sources, sinks and service queues */

static const char *name_of(lua_State *L, int list, lua_Integer at)
{
    if (lua_rawgeti(L, list, at) == LUA_TTABLE)
        lua_getfield(L, -1, "name");
    const char *name = lua_tostring(L, -1); /* the tally keeps it */
    lua_settop(L, list);
    return name;
}

/* Which of its name the tally `at` of the list is, from 1 on. */
static int number_of(lua_State *L, int list, lua_Integer at, const char *name)
{
    int number = 0;
    for (lua_Integer i = 1; i <= at; i++)
        number += strcmp(name_of(L, list, i), name) == 0;
    return number;
}

/* The tally of that name and number in the list at the top. False: there is none. [-0, +1] */
static bool push_tally(lua_State *L, const char *name, int number)
{
    const char *other;
    int list = lua_gettop(L);
    for (lua_Integer i = 1; (other = name_of(L, list, i)); i++)
        if (strcmp(other, name) == 0 && --number == 0)
            return lua_rawgeti(L, list, i) == LUA_TTABLE;
    return false;
}

/* The fields that are numbers of the table at the top of `from`, into the one at the top. */
static void copy_numbers(lua_State *L, lua_State *from)
{
    lua_pushnil(from);
    while (lua_next(from, -2)) {
        if (lua_type(from, -1) == LUA_TNUMBER && lua_type(from, -2) == LUA_TSTRING) {
            if (lua_isinteger(from, -1))
                lua_pushinteger(L, lua_tointeger(from, -1));
            else
                lua_pushnumber(L, lua_tonumber(from, -1));
            lua_setfield(L, -2, lua_tostring(from, -2));
        }
        lua_pop(from, 1);
    }
}

/* The entry {agent = a group of one, numbers} at the top of `from`, as of the fresh world. [-0, +1] */
static void push_entry(lua_State *L, int index, lua_State *from, const throng_migration *migration)
{
    lua_newtable(L);
    copy_numbers(L, from);
    lua_getfield(from, -1, "agent");
    const throng_lua_group *group = lua_touserdata(from, -1);
    throng_handle *now = lua_newuserdatauv(L, sizeof *now, 0);
    int32_t count = 0;
    if (group->count) {
        *now = throng_migration_successor(migration, group->handles[0]);
        count = now->generation != 0;
    }
    throng_group_push(L, index, now, count, -1);
    lua_setfield(L, -3, "agent");
    lua_pop(L, 1);
    lua_pop(from, 1);
}

/* Is the agent of the entry at the top of the stack one that the old world did not have? */
static bool is_new(lua_State *L, const throng_migration *migration)
{
    lua_getfield(L, -1, "agent");
    const throng_lua_group *group = lua_touserdata(L, -1);
    bool known = group->count == 0;
    for (int32_t s = 0; s < migration->slots && !known; s++)
        known = migration->became[s].generation && migration->became[s].slot == group->handles[0].slot;
    lua_pop(L, 1);
    return !known;
}

/* The list at `list` without entries of agents that the old world had: what it says of them holds. */
static void leave_new(lua_State *L, int list, const throng_migration *migration)
{
    lua_Integer count = (lua_Integer)lua_rawlen(L, list), kept = 0;
    for (lua_Integer i = 1; i <= count; i++) {
        lua_rawgeti(L, list, i);
        if (migration->fresh && is_new(L, migration))
            lua_rawseti(L, list, ++kept);
        else
            lua_pop(L, 1);
    }
    for (lua_Integer i = kept + 1; i <= count; i++) {
        lua_pushnil(L);
        lua_rawseti(L, list, i);
    }
}

/* The old list's entries at `old` of `from`, behind those that are in the one at `list`. */
static void copy_entries(lua_State *L, int index, int list, lua_State *from, int old, const throng_migration *migration)
{
    lua_Integer kept = (lua_Integer)lua_rawlen(L, list);
    for (lua_Integer i = 1; lua_rawgeti(from, old, i) == LUA_TTABLE; i++) {
        push_entry(L, index, from, migration);
        lua_rawseti(L, list, kept + i);
        lua_pop(from, 1);
    }
}

/* The lists of entries in field `lists` of the tallies at the top of both. */
static void copy_lists(lua_State *L, int index, lua_State *from, const throng_migration *migration)
{
    static const char *const names[] = {"line", "coming"};
    int top = lua_gettop(L), base = lua_gettop(from);
    if (lua_getfield(L, top, "lists") == LUA_TTABLE && lua_getfield(from, base, "lists") == LUA_TTABLE)
        for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
            lua_getfield(L, top + 1, names[n]);
            lua_getfield(from, base + 1, names[n]);
            leave_new(L, top + 2, migration);
            copy_entries(L, index, top + 2, from, base + 2, migration);
            lua_settop(L, top + 1);
            lua_settop(from, base + 1);
        }
    lua_settop(L, top);
    lua_settop(from, base);
}

/* The measure of the tallies at the top of both starts over. Of what the old one had counted the tally knows
 * numbers.measured; what it does not know yet is below 0 of the new one's. */
static void copy_measured(lua_State *L, lua_State *from)
{
    if (lua_getfield(from, -1, "measure") == LUA_TUSERDATA) {
        throng_measured got = throng_measure_read(*(throng_measure *const *)lua_touserdata(from, -1));
        lua_getfield(L, -1, "numbers");
        lua_getfield(L, -1, "measured");
        lua_pushinteger(L, lua_tointeger(L, -1) - got.forth - got.back);
        lua_setfield(L, -3, "measured");
        lua_pop(L, 2);
    }
    lua_pop(from, 1);
}

/* The fresh tally and the old one are at the top. */
static void copy_tally(lua_State *L, int index, lua_State *from, const throng_migration *migration)
{
    lua_getfield(from, -1, "made");
    lua_pushinteger(L, lua_tointeger(from, -1));
    lua_setfield(L, -2, "made");
    lua_getfield(from, -2, "plan");
    lua_pushstring(L, lua_tostring(from, -1));
    lua_setfield(L, -2, "before");
    lua_pop(from, 2);
    lua_getfield(L, -1, "numbers");
    if (lua_getfield(from, -1, "numbers") == LUA_TTABLE && lua_istable(L, -1))
        copy_numbers(L, from);
    lua_pop(L, 1);
    lua_pop(from, 1);
    if (lua_getfield(from, -1, "people") == LUA_TUSERDATA) {
        push_successors(L, index, lua_touserdata(from, -1), migration);
        lua_setfield(L, -2, "people");
    }
    lua_pop(from, 1);
    copy_measured(L, from);
    copy_lists(L, index, from, migration);
}

/* Sources of the same group, and what else has a tally, in the order in which they were made, count on. */
static void migrate_tallies(lua_State *L, int index, lua_State *from, const throng_migration *migration)
{
    const char *name;
    int base = lua_gettop(from), top = lua_gettop(L);
    lua_rawgeti(from, LUA_REGISTRYINDEX, throng_script_of(from)->world);
    throng_world_part_push(from, base + 1, THRONG_PART_TALLIES);
    throng_world_part_push(L, index, THRONG_PART_TALLIES);
    for (lua_Integer i = 1; (name = name_of(L, top + 1, i)); i++) {
        int number = number_of(L, top + 1, i, name);
        lua_rawgeti(L, top + 1, i);
        if (push_tally(from, name, number))
            copy_tally(L, index, from, migration);
        lua_settop(L, top + 1);
        lua_settop(from, base + 2);
    }
    lua_settop(L, top);
    lua_settop(from, base);
}

/* ---- all of it */

static int migrate(lua_State *L)
{
    const reload *r = lua_touserdata(L, 1);
    throng_lua_world *world = push_world(L);
    int index = lua_gettop(L);
    lua_State *from = r->old->L;
    const throng_lua_world *old = push_world(from);
    migrate_spawned(L, index, world, old, r->migration);
    if (world->announced < old->announced) /* callbacks made some: who follows is drawn by their numbers */
        world->announced = old->announced;
    lua_pop(from, 1);
    migrate_tags(L, index, from, r->migration);
    migrate_machines(L, index, r);
    migrate_tallies(L, index, from, r->migration);
    throng_behaviours_renew_always(L, index);
    throng_timers_pass(L, index);
    throng_generator *random = throng_script_generator(throng_script_of(L));
    const throng_generator *before = throng_script_generator(r->old);
    if (random && before)
        *random = *before;
    return 0;
}

bool throng_script_migrate(throng_script *fresh, throng_script *old, throng_migration *migration, throng_error *error)
{
    reload r = {old, migration};
    if (migration->restart_reason)
        return true;
    lua_pushcfunction(fresh->L, migrate);
    lua_pushlightuserdata(fresh->L, &r);
    return throng_script_call(fresh->L, 1, 0) == LUA_OK || throng_script_fail(fresh->L, error);
}
