/* Agents that are stuck: world:stuck(), and the callbacks of group:on("stuck", fn). */
#include "callback.h"
#include "group_value.h"
#include "world_methods.h"

/*--- class throng.jam
 * Agents that are stuck for the same cause, each within 2 m of another of them.
 * @field agents throng.group The agents.
 * @field cause throng.cause Why.
 * @field place throng.point The middle of them, in a building with its `floor`.
 * @field since number(s) Simulated time at which the first of them made progress for the last time. */

/*--- alias throng.cause = "path"|"goal in a wall"|"no route"|"closed door"|"standoff"|"crowd"|"body"|"wall"|"planner"
 * Why agents are stuck; the first of these that holds: the agent waits for its path ("path"); its goal lies in a
 * wall; no route leads to its goal; its route leads through a closed door, or only through a rigid body ("body"); it
 * faces another stuck agent that wants to go the opposite way ("standoff"); other agents ("crowd"), a rigid body
 * ("body") or a wall block it; or none of these, and its planner stops it. */

/* ---- callbacks */

/* Those who began to be stuck with that cause in the last step. [-0, +1] */
static const throng_handle *push_newly(lua_State *L, const throng_world *world, int cause, int32_t *count)
{
    int32_t all;
    const throng_stuck *list = throng_world_newly_stuck(world, &all);
    throng_handle *handles = lua_newuserdatauv(L, (size_t)all * sizeof *handles + 1, 0);
    *count = 0;
    for (int32_t i = 0; i < all; i++)
        if ((int)list[i].cause == cause)
            handles[(*count)++] = list[i].agent;
    return handles;
}

/* Entry `at` of the list at `list` hears of those of its group. */
static void call_listener(lua_State *L, int index, int list, lua_Integer at, const throng_handle *handles,
                          int32_t count, int cause)
{
    int top = lua_gettop(L);
    lua_rawgeti(L, list, at);
    const throng_lua_group *batch = throng_listener_push(L, index, lua_gettop(L), handles, count);
    if (batch->count > 0) {
        lua_pushstring(L, throng_stuck_causes[cause]);
        throng_callback_call(L, throng_check_world(L, index), "the \"stuck\" callback", throng_group_name(batch), 2, 0);
    }
    lua_settop(L, top);
}

void throng_call_stuck(lua_State *L, int index)
{
    int32_t count;
    const throng_world *world = throng_check_world(L, index)->world;
    throng_world_newly_stuck(world, &count);
    if (count == 0)
        return;
    index = lua_absindex(L, index);
    throng_world_part_push(L, index, THRONG_PART_STUCK);
    int list = lua_gettop(L);
    for (int cause = 0; cause < THRONG_STUCK_CAUSE_COUNT; cause++) {
        const throng_handle *handles = push_newly(L, world, cause, &count);
        for (lua_Integer at = 1; count > 0 && at <= (lua_Integer)lua_rawlen(L, list); at++)
            call_listener(L, index, list, at, handles, count, cause);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

/* ---- world:stuck() */

/* {agents =, cause =, place =, since =} of one jam. [-0, +1] */
static void push_jam(lua_State *L, const throng_world *world, const throng_stuck *list, int32_t count, int32_t jam)
{
    throng_handle *handles = lua_newuserdatauv(L, (size_t)count * sizeof *handles + 1, 0);
    const throng_stuck *first = list;
    double x = 0, y = 0;
    int32_t size = 0;
    for (int32_t i = 0; i < count; i++) {
        if (list[i].jam != jam)
            continue;
        first = size == 0 || list[i].since < first->since ? &list[i] : first;
        x += list[i].place.x;
        y += list[i].place.y;
        handles[size++] = list[i].agent;
    }
    lua_createtable(L, 0, 4);
    throng_group_push(L, 1, handles, size, -1);
    lua_setfield(L, -2, "agents");
    lua_pushstring(L, throng_stuck_causes[first->cause]);
    lua_setfield(L, -2, "cause");
    throng_place_push(L, throng_world_map(world), (throng_point){x / size, y / size});
    lua_setfield(L, -2, "place");
    lua_pushnumber(L, first->since * throng_world_dt(world));
    lua_setfield(L, -2, "since");
    lua_remove(L, -2);
}

/*--- world:stuck()
 * The agents that are stuck, with a cause. An agent is stuck when it wants to walk, but has moved less far in ten
 * seconds than it walks in 0.7 s.
 * @return throng.jam[] In the order of their first agents.
 * @example
 * for _, jam in ipairs(world:stuck()) do print(jam.cause, jam.agents.count, jam.place[1], jam.place[2]) end */
int throng_world_stuck_method(lua_State *L)
{
    throng_error error;
    const throng_stuck *list;
    int32_t count, jams = 0;
    const throng_lua_world *world = throng_check_world(L, 1);
    if (!throng_world_stuck(world->world, &list, &count, &error))
        throng_raise_error(L, &error);
    for (int32_t i = 0; i < count; i++)
        jams = list[i].jam >= jams ? list[i].jam + 1 : jams;
    lua_createtable(L, jams, 0);
    for (int32_t jam = 0; jam < jams; jam++) {
        push_jam(L, world->world, list, count, jam);
        lua_rawseti(L, -2, jam + 1);
    }
    return 1;
}

void throng_stuck_counts_push(lua_State *L, const throng_world_stats *stats)
{
    lua_createtable(L, 0, THRONG_STUCK_CAUSE_COUNT);
    for (int cause = 0; cause < THRONG_STUCK_CAUSE_COUNT; cause++) {
        lua_pushinteger(L, stats->stuck[cause]);
        lua_setfield(L, -2, throng_stuck_causes[cause]);
    }
}
