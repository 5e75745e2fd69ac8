/* The events "entered" and "left": who came into a place in the last step, or went out. */
#include "callback.h"
#include "group_methods.h"
#include "group_value.h"
#include "world_methods.h"

#include <string.h>

#include "map/geometry.h"

/* An entry of THRONG_PART_PLACES: who listens, as in the other lists, then what is known of the place. */
enum { ENTRY_PLACE = 3, ENTRY_SHAPES, ENTRY_SEEN, ENTRY_LEAVES };

/* Of a slot: whom it had when it was looked at last (0: nobody yet), and was that one in the place? */
typedef struct sight {
    uint32_t generation;
    bool in;
} sight;

static bool is_in(const throng_shapes *shapes, throng_point at)
{
    for (int32_t r = 0; r < shapes->count; r++)
        if (throng_polygon_holds(shapes->list[r].points, shapes->list[r].count, at))
            return true;
    return false;
}

/* What was seen, for so many slots: that at the top, or a longer one that takes over what it holds. [-1, +1] */
static sight *seen_with_room(lua_State *L, int32_t slots)
{
    const sight *old = lua_touserdata(L, -1);
    size_t had = old ? lua_rawlen(L, -1) : 0, wanted = (size_t)slots * sizeof *old;
    if (had >= wanted && old)
        return lua_touserdata(L, -1);
    sight *seen = lua_newuserdatauv(L, 2 * wanted + sizeof *seen, 0);
    memset(seen, 0, 2 * wanted + sizeof *seen);
    if (had)
        memcpy(seen, old, had);
    lua_remove(L, -2);
    return seen;
}

/* Looks at everybody again; into `changed`, if it is there, those who were in the other kind of place before. */
static int32_t look(lua_State *L, const throng_lua_world *world, const throng_shapes *shapes, sight *seen, bool leaves,
                    throng_handle *changed)
{
    throng_error error;
    const float *x, *y;
    const throng_agents *agents = throng_world_agents(world->world);
    const int32_t *state = throng_world_read(L, world, THRONG_COLUMN_state);
    int32_t count = 0;
    if (!throng_world_places(world->world, &x, &y, &error))
        throng_raise_error(L, &error);
    for (int32_t s = 0; s < throng_agents_slots(agents); s++) {
        if (!(state[s] & THRONG_STATE_ALIVE))
            continue;
        throng_handle who = throng_agents_handle(agents, s);
        bool in = is_in(shapes, (throng_point){(double)x[s], (double)y[s]});
        if (changed && seen[s].generation == who.generation && in != seen[s].in && in != leaves)
            changed[count++] = who;
        seen[s] = (sight){who.generation, in};
    }
    return count;
}

void throng_entered_begin(lua_State *L, const char *on, throng_lua_world *world, bool leaves)
{
    char what[32];
    int entry = lua_gettop(L);
    snprintf(what, sizeof what, "%s: '%s'", on, leaves ? "left" : "entered");
    lua_pushvalue(L, 3);
    lua_rawseti(L, entry, ENTRY_PLACE);
    const throng_shapes *shapes = throng_shapes_read(L, 3, world, what);
    lua_rawseti(L, entry, ENTRY_SHAPES);
    lua_pushnil(L);
    look(L, world, shapes, seen_with_room(L, throng_agents_slots(throng_world_agents(world->world))), leaves, NULL);
    lua_rawseti(L, entry, ENTRY_SEEN);
    lua_pushboolean(L, leaves);
    lua_rawseti(L, entry, ENTRY_LEAVES);
    world->watches_places = true;
}

/* What the entry at the top has: its shapes and what was seen, for all slots. [-0, +2] */
static sight *push_seen(lua_State *L, int32_t slots, const throng_shapes **shapes)
{
    int entry = lua_gettop(L);
    lua_rawgeti(L, entry, ENTRY_SHAPES);
    *shapes = lua_touserdata(L, -1);
    lua_rawgeti(L, entry, ENTRY_SEEN);
    sight *seen = seen_with_room(L, slots);
    lua_pushvalue(L, -1);
    lua_rawseti(L, entry, ENTRY_SEEN);
    return seen;
}

/* The entry at the top: finds whom it concerns, and calls its function. [-1, +0] */
static void call_entry(lua_State *L, int index, const throng_lua_world *world)
{
    int entry = lua_gettop(L);
    int32_t slots = throng_agents_slots(throng_world_agents(world->world));
    const throng_shapes *shapes;
    sight *seen = push_seen(L, slots, &shapes);
    lua_rawgeti(L, entry, ENTRY_LEAVES);
    bool leaves = lua_toboolean(L, -1);
    throng_handle *changed = lua_newuserdatauv(L, (size_t)slots * sizeof *changed + 1, 0);
    int32_t count = look(L, world, shapes, seen, leaves, changed);
    const throng_lua_group *batch = throng_listener_push(L, index, entry, changed, count);
    if (batch->count > 0) {
        lua_rawgeti(L, entry, ENTRY_PLACE);
        throng_callback_call(L, world, leaves ? "the \"left\" callback" : "the \"entered\" callback",
                             throng_group_name(batch), 2, 0);
    }
    lua_settop(L, entry - 1);
}

/* The entry at the top. [-1, +0] */
static void look_again(lua_State *L, int index, const throng_lua_world *world)
{
    (void)index;
    const throng_shapes *shapes;
    int entry = lua_gettop(L);
    sight *seen = push_seen(L, throng_agents_slots(throng_world_agents(world->world)), &shapes);
    look(L, world, shapes, seen, false, NULL);
    lua_settop(L, entry - 1);
}

static void for_each_entry(lua_State *L, int index, void (*call)(lua_State *, int, const throng_lua_world *))
{
    const throng_lua_world *world = throng_check_world(L, index);
    index = lua_absindex(L, index);
    throng_world_part_push(L, index, THRONG_PART_PLACES);
    int list = lua_gettop(L);
    for (lua_Integer at = 1; at <= (lua_Integer)lua_rawlen(L, list); at++) {
        lua_rawgeti(L, list, at);
        call(L, index, world);
    }
    lua_pop(L, 1);
}

void throng_call_entered(lua_State *L, int index) { for_each_entry(L, index, call_entry); }

void throng_entered_look_again(lua_State *L, int index)
{
    throng_check_world(L, index)->looks_again = false;
    for_each_entry(L, index, look_again);
}
