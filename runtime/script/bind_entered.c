/* The events "entered" and "left": who came into a place in the last step, or went out. */
#include "callback.h"
#include "group_methods.h"
#include "group_value.h"
#include "world_methods.h"

#include "map/geometry.h"

/* An entry of THRONG_PART_PLACES: who listens, as in the other lists, then the place, and what happens in it. */
enum { ENTRY_PLACE = 3, ENTRY_SHAPES, ENTRY_KIND };

static bool is_in(const throng_shapes *shapes, throng_point at)
{
    for (int32_t r = 0; r < shapes->count; r++)
        if (throng_polygon_holds(shapes->list[r].points, shapes->list[r].count, at))
            return true;
    return false;
}

void throng_entered_begin(lua_State *L, const char *on, throng_lua_world *world, const char *event)
{
    char what[32];
    throng_error error;
    int entry = lua_gettop(L);
    snprintf(what, sizeof what, "%s: '%s'", on, event);
    lua_pushvalue(L, 3);
    lua_rawseti(L, entry, ENTRY_PLACE);
    const throng_shapes *shapes = throng_shapes_read(L, 3, world, what);
    if (!throng_world_watch_place(world->world, shapes->list, shapes->count, &error))
        throng_raise_error(L, &error);
    lua_rawseti(L, entry, ENTRY_SHAPES);
    lua_pushinteger(L, *event);
    lua_rawseti(L, entry, ENTRY_KIND);
    world->watches_places = true;
}

/* Does "entered", "left" or "present" happen to it? `kind` is the event's first letter. */
static bool concerns(const throng_shapes *shapes, lua_Integer kind, const throng_crossed *crossed)
{
    bool was = is_in(shapes, crossed->from), is = is_in(shapes, crossed->to);
    switch (kind) {
    case 'e': return is && !was;
    case 'l': return was && !is;
    default: return is && (!was || crossed->is_new);
    }
}

/* The entry at the top: calls its function with those whom it concerns. [-1, +0] */
static void call_entry(lua_State *L, int index, const throng_lua_world *world, const throng_crossed *list,
                       int32_t crossed)
{
    int entry = lua_gettop(L);
    int32_t count = 0;
    lua_rawgeti(L, entry, ENTRY_SHAPES);
    const throng_shapes *shapes = lua_touserdata(L, -1);
    lua_rawgeti(L, entry, ENTRY_KIND);
    lua_Integer kind = lua_tointeger(L, -1);
    throng_handle *handles = lua_newuserdatauv(L, (size_t)crossed * sizeof *handles, 0);
    for (int32_t i = 0; i < crossed; i++)
        if (concerns(shapes, kind, &list[i]))
            handles[count++] = list[i].agent;
    const throng_lua_group *batch = throng_listener_push(L, index, entry, handles, count);
    if (batch->count > 0) {
        lua_rawgeti(L, entry, ENTRY_PLACE);
        throng_callback_call(L, world, kind == 'l' ? "the \"left\" callback" : "the \"entered\" callback",
                             throng_group_name(batch), 2, 0);
    }
    lua_settop(L, entry - 1);
}

void throng_call_entered(lua_State *L, int index)
{
    throng_error error;
    const throng_lua_world *world = throng_check_world(L, index);
    const throng_crossed *list;
    int32_t count;
    if (!throng_world_crossings(world->world, &list, &count, &error))
        throng_raise_error(L, &error);
    index = lua_absindex(L, index);
    throng_world_part_push(L, index, THRONG_PART_PLACES);
    int listeners = lua_gettop(L);
    for (lua_Integer at = 1; count > 0 && at <= (lua_Integer)lua_rawlen(L, listeners); at++) {
        lua_rawgeti(L, listeners, at);
        call_entry(L, index, world, list, count);
    }
    lua_pop(L, 1);
}
